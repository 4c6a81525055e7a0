// A new game, or one joined in its middle: sheet, difficulty, rules, and where the pencil stands.
import { html, live, nothing, optionsForm } from "./ui.js";

export const LEVELS = {
  1: "A walk through the suburbs: the game starts with R0, nine rounds in all",
  2: "No modifier, eight rounds",
  3: "Big Brother's eye: a zone costs a die in the next round",
  4: "Julia at Charrington's: the route takes the detour",
  5: "Big Brother's eye and Julia at Charrington's",
};

const PLACE = /^R(\d+) box (\d+) marks (\d+)( fresh)?$/;

/** Where a game is joined, from its text (none: round 1, nothing marked). */
export function placeOf(text) {
  const match = PLACE.exec(text ?? "");
  return match
    ? { round: Number(match[1]), box: Number(match[2]), marks: Number(match[3]), fresh: Boolean(match[4]) }
    : { round: 2, box: 0, marks: 0, fresh: false };
}

export const placeText = ({ round, box, marks, fresh }) => `R${round} box ${box} marks ${marks}${fresh ? " fresh" : ""}`;

/**
 * The form. `draft`: {sheet, difficulty, rules, joined, place}; `sheets`: [{text, name}] to choose from; `change(part)` is
 * told what is chosen, `begin()` and `close()` what is to be done.
 */
export function setupForm({ draft, sheets, options, change, begin, close }) {
  const eye = draft.difficulty === 3 || draft.difficulty === 5;
  const placed = (part) => change({ place: { ...draft.place, ...part } });
  const whole = (event) => Math.max(0, Math.trunc(event.target.valueAsNumber) || 0);
  return html`<form class="setup" aria-label="New game" @submit=${(event) => { event.preventDefault(); begin(); }}>
    <h2>New game</h2>
    <div class="row"><label>Sheet <select name="sheet" @change=${(event) => change({ sheet: sheets[event.target.selectedIndex].text })}>
      ${sheets.map((one) => html`<option .selected=${live(one.text === draft.sheet)}>${one.name}</option>`)}</select></label></div>
    <fieldset><legend>Difficulty</legend>
      ${Object.entries(LEVELS).map(([level, words]) => html`<label class="choice"><input type="radio" name="difficulty"
        .checked=${live(draft.difficulty === Number(level))} @change=${() => change({ difficulty: Number(level) })}>
        <span><strong>x${level}</strong> ${words}</span></label>`)}
    </fieldset>
    <fieldset><legend>Where the game stands</legend>
      <label class="choice"><input type="radio" name="joined" .checked=${live(!draft.joined)} @change=${() => change({ joined: false })}>
        <span>At its start: nothing is marked</span></label>
      <label class="choice"><input type="radio" name="joined" .checked=${live(draft.joined)} @change=${() => change({ joined: true })}>
        <span>In its middle, before a roll: as the sheet on the table says</span></label>
      ${draft.joined ? html`<div class="row">
        <label>Next round <select name="round" @change=${(event) => placed({ round: event.target.selectedIndex + (draft.difficulty === 1 ? 0 : 1) })}>
          ${Array.from({ length: draft.difficulty === 1 ? 9 : 8 }, (_, i) => i + (draft.difficulty === 1 ? 0 : 1)).map((round) =>
            html`<option .selected=${live(round === draft.place.round)}>R${round}</option>`)}</select></label>
        <label>Last box marked <input type="number" name="box" min="0" max="2000" .value=${String(draft.place.box)} @change=${(event) => placed({ box: whole(event) })}></label>
        <label>Big Brother marks <input type="number" name="marks" min="0" max="20" .value=${String(draft.place.marks)} @change=${(event) => placed({ marks: whole(event) })}></label>
        ${eye ? html`<label class="choice"><input type="checkbox" name="fresh" .checked=${live(draft.place.fresh)} @change=${(event) => placed({ fresh: event.target.checked })}>
          <span>The last round ended on this very zone</span></label>` : nothing}
      </div><p class="source">A click on a box of the sheet below sets the last box marked; 0 is the start.</p>` : nothing}
    </fieldset>
    ${optionsForm(options, draft.rules, (rules) => change({ rules }))}
    <div class="row"><button class="main">Start this game</button><button type="button" @click=${close}>Back</button></div>
  </form>`;
}
