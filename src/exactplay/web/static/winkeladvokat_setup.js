// The panel by which a position of Winkeladvokat is set up: what a click on the board puts there, and the numbers beside it.
import { ARTICLES, COLOURS, LAWYERS } from "./winkeladvokat_position.js";
import { html, live } from "./ui.js";

export const CLEAR = "clear", NUMBER = "number";

/**
 * `position`: its parts; `tool`: a piece's letter, CLEAR or NUMBER; `number`: what NUMBER writes on a square.
 * `on`: {tool(name), number(value), position(changed), clear(), rings(), start()}.
 */
export function setupPanel({ position, tool, number }, on) {
  const players = position.supply.length;
  const pick = (name, label) => html`<label class="tool"><input type="radio" name="tool" value=${name} aria-label=${label}
    .checked=${live(tool === name)} @change=${() => on.tool(name)}> <span aria-hidden="true">${label.split(" ").at(-1)}</span></label>`;
  const count = (field, player, label) => html`<input class="count" type="number" min="0" max=${field === "supply" ? 25 : 9999} inputmode="numeric"
    aria-label=${`${COLOURS[player]}: ${label}`} .value=${live(String(position[field][player]))}
    @change=${(event) => on.position({ ...position, [field]: position[field].map((old, i) => (i === player ? Number(event.target.value) : old)) })}>`;
  return html`<fieldset class="setup"><legend>Set up</legend>
    <p class="words">Choose a piece, then squares. On a square the keys ${[...ARTICLES.slice(0, players)].join(" ")} put an Article,
      ${[...LAWYERS.slice(0, players)].join(" ")} a Lawyer, Delete clears.</p>
    <table>
      <thead><tr><td></td><th scope="col" colspan="2">On the board</th><th scope="col">Supply</th><th scope="col">Captured</th></tr></thead>
      <tbody>${COLOURS.slice(0, players).map((colour, player) => html`<tr>
        <th scope="row">${colour}</th>
        <td>${pick(LAWYERS[player], `${colour} Lawyer`)}</td><td>${pick(ARTICLES[player], `${colour} Article`)}</td>
        <td>${count("supply", player, "Articles in supply")}</td><td>${count("captured", player, "points by captures")}</td>
      </tr>`)}</tbody>
    </table>
    <div class="row">
      ${pick(CLEAR, "Clear")}
      ${pick(NUMBER, "Number")}
      <input class="count" type="number" min="0" max="1000" inputmode="numeric" aria-label="Number to write on squares" .value=${live(String(number))}
        @change=${(event) => on.number(Number(event.target.value))}>
      <label>To move <select name="turn" @change=${(event) => on.position({ ...position, turn: event.target.selectedIndex })}>
        ${COLOURS.slice(0, players).map((colour, player) => html`<option .selected=${live(position.turn === player)}>${colour}</option>`)}
      </select></label>
    </div>
    <div class="row">
      <button type="button" @click=${on.clear}>Remove all Articles</button>
      <button type="button" @click=${on.rings}>Usual numbers</button>
      <button type="button" @click=${on.start}>First position</button>
    </div>
  </fieldset>`;
}
