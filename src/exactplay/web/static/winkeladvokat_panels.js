// The parts of the page of Winkeladvokat beside its board: what can be asked, who plays, a new game, the moves, keeping a game.
import { html, live, nothing } from "./ui.js";
import { ARTICLES, COLOURS, steps } from "./winkeladvokat_position.js";

/** What is to be done next, in a sentence; `home`: the square of the Lawyer of `colour`, whose turn it
 * is; `valued`: the squares to choose show what the moves are worth. */
export function hint({ shown, chosen, home, colour, setup, engine, thinking, valued }) {
  if (setup) return "Setting up: what you choose below is put on the squares you choose.";
  if (shown.over) return `The game is over: ${shown.result}. ${shown.scores.map((score, i) => `${COLOURS[i]} ${score}`).join(", ")}.`;
  if (engine) return thinking ? `${colour}, the engine, is thinking.` : `${colour} is played by the engine.`;
  const { next, whole } = steps(shown.moves, chosen), [from] = chosen, worth = valued ? " Bold numbers are exact values." : "";
  if (!chosen.length) {
    const articles = next.filter((square) => square !== home);
    const capture = articles.length ? `an Article that can capture (${articles.join(", ")})` : "";
    const lawyer = next.includes(home) ? `the Lawyer on ${home}` : "";
    return `${colour} to move: choose ${[lawyer, capture].filter(Boolean).join(" or ")}.`;
  }
  if (from === home) {
    return chosen.length === 1 ? `From ${from}: choose where the Lawyer turns. An Article is left there.`
      : `Turn on ${chosen[1]}: choose where the Lawyer stops.${worth}`;
  }
  return (whole ? `${whole}: choose the next landing, or ${chosen.at(-1)} again to stop there.`
    : `From ${from}: choose where the Article lands.`) + worth;
}

/** A number within limits; the field is not drawn anew while somebody types. */
const numberField = (label, value, least, most, set) => html`<label>${label}
  <input class="count" type="number" min=${least} max=${most} step="any" inputmode="decimal" .value=${String(value)}
    @change=${({ target }) => {
      target.value = Math.min(most, Math.max(least, Number(target.value) || least));
      set(Number(target.value));
    }}></label>`;

const KINDS = [["value", "value"], ["best", "best moves"], ["all", "all moves"]];

/** `want`: {moves, seconds} to ask for; `on`: {solve(), analyse(), want(part)}. */
export const solverPanel = ({ want, over }, on) => html`<section aria-labelledby="solver"><h2 id="solver">Solver</h2>
  <div class="row">
    <button type="button" class="main" ?disabled=${over} @click=${on.solve}>Solve</button>
    <button type="button" ?disabled=${over} @click=${on.analyse}>Analyse</button>
    <label>Prove <select name="moves" @change=${({ target }) => on.want({ moves: KINDS[target.selectedIndex][0] })}>
      ${KINDS.map(([name, label]) => html`<option .selected=${live(want.moves === name)}>${label}</option>`)}</select></label>
    ${numberField("Seconds", want.seconds, 0.1, 86400, (seconds) => on.want({ seconds }))}
  </div></section>`;

/** `engine`: letters of the colours that it plays; `waits`: it is its turn and it is not thinking; `on`: {engine(letter, plays), seconds(n), go()}. */
export const seatsPanel = ({ players, engine, seconds, waits }, on) => html`<section aria-labelledby="seats"><h2 id="seats">Who plays</h2>
  <div class="row">
    ${[...ARTICLES].slice(0, players).map((letter, player) => html`<label>${COLOURS[player]}
      <select name=${`seat-${letter}`} @change=${({ target }) => on.engine(letter, target.selectedIndex === 1)}>
        <option .selected=${live(!engine.includes(letter))}>person</option>
        <option .selected=${live(engine.includes(letter))}>engine</option></select></label>`)}
    ${engine ? numberField("Seconds a move", seconds, 0.1, 600, on.seconds) : nothing}
    ${waits ? html`<button type="button" class="main" @click=${on.go}>Let the engine move</button>` : nothing}
  </div></section>`;

/** `fresh(part)` begins anew with another {size} or {players}, or as it is. */
export const newGamePanel = ({ size, players }, fresh) => html`<details class="options"><summary>New game</summary>
  <div class="row">
    <label>Board <select name="size" @change=${({ target }) => fresh({ size: target.selectedIndex + 3 })}>
      ${[3, 4, 5, 6, 7, 8].map((n) => html`<option .selected=${live(size === n)}>${n} × ${n}</option>`)}</select></label>
    <label>Players <select name="players" @change=${({ target }) => fresh({ players: target.selectedIndex + 2 })}>
      ${[2, 3, 4].map((n) => html`<option .selected=${live(players === n)}>${n}</option>`)}</select></label>
    <button type="button" @click=${() => fresh({})}>Begin anew</button>
  </div></details>`;

/** `mover(ply)`: who made a move; `backTo(ply)`: to the position after so many. */
export const movesPanel = ({ played, mover }, backTo) => html`<details class="options"><summary>Moves played: ${played.length}</summary>
  ${played.length ? html`<ol class="played">${played.map((move, ply) => html`<li><button type="button"
      aria-label=${`Go to the position after ${COLOURS[mover(ply)]}'s ${move}`} @click=${() => backTo(ply + 1)}>${move}</button></li>`)}</ol>
    <button type="button" @click=${() => backTo(0)}>Go to the beginning</button>` : html`<p class="words">None yet.</p>`}</details>`;

/** `on`: {typed(text), share(), save(), open(file)}. */
export const keepingPanel = ({ text }, on) => html`<details class="options"><summary>Position as text, link, file</summary>
  <label class="wide">Position <input class="position" name="position" spellcheck="false" autocomplete="off" .value=${text}
    @change=${({ target }) => on.typed(target.value.trim())}></label>
  <div class="row">
    <button type="button" @click=${on.share}>Share link</button>
    <button type="button" @click=${on.save}>Download game</button>
    <label class="file">Open a game <input type="file" accept=".json,application/json" @change=${({ target }) => {
      if (target.files[0]) on.open(target.files[0]);
      target.value = "";
    }}></label>
  </div></details>`;
