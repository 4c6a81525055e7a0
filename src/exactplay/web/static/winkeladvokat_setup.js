// The panel by which a position of Winkeladvokat is set up: what a click on the board puts there, and the numbers beside it.
import { ARTICLES, COLOURS, LAWYERS } from "./winkeladvokat_position.js";
import { html, live, nothing } from "./ui.js";

export const CLEAR = "clear", NUMBER = "number";

const bare = (position) => ({ ...position, ranks: position.ranks.map((rank) => rank.map((piece) => (LAWYERS.includes(piece) ? piece : ""))) });

/**
 * `position`: its parts; `tool`: a piece's letter, CLEAR or NUMBER; `number`: what NUMBER writes on a square.
 * `on`: {tool(name), number(value), position(make), rings(), start()}; `make` turns the parts of a position into others,
 * and what is so then is returned. Fields are not drawn anew while somebody types.
 */
export function setupPanel({ position, tool, number }, on) {
  const players = position.supply.length;
  const radio = (name, label) => html`<input type="radio" name="tool" value=${name} aria-label=${label ?? nothing}
    .checked=${live(tool === name)} @change=${() => on.tool(name)}>`;
  const count = (field, player, label) => html`<input class="count" type="number" min="0" max=${field === "supply" ? 25 : 9999} inputmode="numeric"
    aria-label=${`${COLOURS[player]}: ${label}`} .value=${String(position[field][player])}
    @change=${async ({ target }) => {
      const value = Number(target.value);
      const after = await on.position((now) => ({ ...now, [field]: now[field].map((old, i) => (i === player ? value : old)) }));
      target.value = after[field][player];
    }}>`;
  return html`<fieldset class="setup"><legend>Set up</legend>
    <p class="words">Choose a piece, then squares. On a square the keys ${[...ARTICLES.slice(0, players)].join(" ")} put an Article,
      ${[...LAWYERS.slice(0, players)].join(" ")} a Lawyer, Delete clears.</p>
    <table>
      <thead><tr><td></td><th scope="col">Lawyer</th><th scope="col">Article</th><th scope="col">Supply</th><th scope="col">Points</th></tr></thead>
      <tbody>${COLOURS.slice(0, players).map((colour, player) => html`<tr>
        <th scope="row">${colour}</th>
        <td><label class="tool">${radio(LAWYERS[player], `${colour} Lawyer`)}</label></td>
        <td><label class="tool">${radio(ARTICLES[player], `${colour} Article`)}</label></td>
        <td>${count("supply", player, "Articles in supply")}</td><td>${count("captured", player, "points by captures")}</td>
      </tr>`)}</tbody>
    </table>
    <div class="row">
      <label class="tool">${radio(CLEAR)} Clear</label>
      <label class="tool">${radio(NUMBER)} Number</label>
      <input class="count" type="number" min="0" max="1000" inputmode="numeric" aria-label="Number to write on squares" .value=${String(number)}
        @change=${({ target }) => { target.value = on.number(Number(target.value)); }}>
      <label>To move <select name="turn" @change=${(event) => {
        const turn = event.target.selectedIndex;
        on.position((now) => ({ ...now, turn }));
      }}>
        ${COLOURS.slice(0, players).map((colour, player) => html`<option .selected=${live(position.turn === player)}>${colour}</option>`)}
      </select></label>
    </div>
    <div class="row">
      <button type="button" @click=${() => on.position(bare)}>Remove all Articles</button>
      <button type="button" @click=${on.rings}>Usual numbers</button>
      <button type="button" @click=${on.start}>First position</button>
    </div>
  </fieldset>`;
}
