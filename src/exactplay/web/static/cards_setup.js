// Setting a position up: places to put cards, and the whole deck to take them from.
import { post } from "./api.js";
import { allFaces, face, handButtons, picture } from "./cards_hand.js";
import { html, nothing } from "./ui.js";

/** The words of a text. */
export const split = (text) => (text ?? "").split(/\s+/).filter(Boolean);

/** Whether some cards of a position are not known. */
export const isHidden = (start) => start.unseen !== undefined || start.collected !== undefined ||
  [...start.hands, start.pile ?? ""].some((cards) => typeof cards !== "string" || cards.includes("?"));

/** A choice among few values as a labelled select. */
export const select = (label, value, options, change) => html`<label>${label} <select @change=${(event) =>
  change(options[event.target.selectedIndex][0])}>${options.map(([one, words]) =>
  html`<option .selected=${one === value}>${words}</option>`)}</select></label>`;

/** A small whole number as a labelled field. */
export const count = (label, value, change, most = 99) => html`<label>${label} <input class="small" type="number" min="0" max=${most}
  .value=${String(value)} @change=${(event) => change(Math.max(0, Math.min(most, Math.round(Number(event.target.value)) || 0)))}></label>`;

let into = null; // key of the place that the palette adds to
let judged = { of: null, line: "" };

/** Ask the server whether the draft is a position; its line is shown beside the button. */
async function judge(game, draft, rules, draw) {
  const of = JSON.stringify([draft, rules]);
  if (judged.of === of) return;
  judged = { of, line: judged.line, good: judged.good };
  let good = true, line = "This is a position.";
  try {
    await post(`${game.name}/parse`, game.withRules ? { position: { ...draft, options: rules }, rules: {} } : { position: draft });
  } catch (refusal) {
    good = false;
    line = `Not a position yet: ${refusal.message}`;
  }
  if (judged.of !== of) return;
  judged = { of, line, good };
  draw();
}

/**
 * `game.zones(draft)`: [{key, label, kind: "card" | "dog", items, write(items), hidden?, hide?(number)}], where `hidden` is the
 * number of cards not known, null where the place has none; `write` and `hide` return the draft changed.
 */
export function setupPanel(game, draft, rules, { change, use, cancel, draw }) {
  const zones = game.zones(draft);
  const zone = zones.find((one) => one.key === into) ?? zones[0];
  into = zone.key;
  judge(game, draft, rules, draw);
  const isDog = (name) => /^[A-Z]$/.test(name);
  const pieces = allFaces().filter((piece) => isDog(piece.name) === (zone.kind === "dog") && (game.inPlay?.(piece.name, rules, zone) ?? true));
  const used = zones.flatMap((one) => one.items);
  const left = (piece) => piece.copies * (rules.decks ?? 1) - used.filter((name) => name === piece.name).length;
  const players = draft.hands.length;
  const several = pieces.some((piece) => piece.copies * (rules.decks ?? 1) > 1);
  return html`<section class="setup" aria-label="Set up a position">
    <h2>Set up a position</h2>
    <div class="row">
      ${select("Players", players, range(game.players[0], game.players[1]), (number) => change(game.blank(number)))}
      ${select("To act", draft.turn, range(0, players - 1), (turn) => change({ ...draft, turn }))}
      <button type="button" @click=${() => change(game.blank(players))}>Clear</button>
    </div>
    <fieldset><legend>Put cards into</legend>
      ${zones.map((one) => html`<div class=${one.key === into ? "zone chosen" : "zone"}>
        <div class="head"><label><input type="radio" name="zone" value=${one.key} .checked=${one.key === into}
          @change=${() => { into = one.key; draw(); }}> ${one.label}${one.items.length ? ` (${one.items.length})` : ""}</label>
        ${one.hide ? count("hidden", one.hidden, (number) => change(one.hide(number)), 54) : nothing}</div>
        ${one.items.length ? html`<div class="cards small" role="group" aria-label=${one.label}>${one.items.map((name, at) => html`<button type="button"
          class=${one.kind === "dog" ? "card dog" : "card"} data-placed=${name} aria-label=${`Take ${face(name).label} away`}
          @click=${() => change(one.write(one.items.filter((_, other) => other !== at)))}>${picture(name)}</button>`)}</div>` : nothing}
      </div>`)}
    </fieldset>
    <fieldset class="palette"><legend>Cards for: ${zone.label}</legend>
      <div class=${zone.kind === "dog" ? "cards dogs" : pieces.length > 20 ? "cards deck" : "cards"}>${pieces.map((piece) => handButtons.one(piece.name, {
        disabled: left(piece) <= 0, badge: several ? Math.max(0, left(piece)) : null,
        label: several ? `${piece.label}, ${Math.max(0, left(piece))} left` : piece.label,
        act: () => change(zone.write([...zone.items, piece.name])) }))}</div>
    </fieldset>
    ${game.fields(draft, change)}
    <p class=${judged.good ? "judged good" : "judged"} role="status">${judged.line}</p>
    <div class="row"><button type="button" class="main" ?disabled=${!judged.good} @click=${() => use(draft)}>Use this position</button>
      <button type="button" @click=${cancel}>Cancel</button></div>
  </section>`;
}

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => [at + from, String(at + from)]);
