// Cards as buttons, and the moves that the chosen ones make.
import { drawing, html, nothing } from "./ui.js";

const known = new Map();

/** Keep the drawings of all pieces, as /api/GAME/pieces gives them. */
export const faces = (pieces) => pieces.forEach((piece) => known.set(piece.name, piece));
export const face = (name) => known.get(name) ?? { name, label: name, svg: "", copies: 1 };
export const allFaces = () => [...known.values()];

export const picture = (name) => html`<span class="face" aria-hidden="true">${drawing(face(name).svg)}</span>`;

/** A hand of which cards are picked; `may(place)` says whether a card can still be added. */
export function handButtons(hand, picked, may, pick, label = "Hand") {
  return html`<div class=${hand.length > 20 ? "cards deck" : "cards"} role="group" aria-label=${label}>${hand.map((name, place) => {
    const chosen = picked.includes(place);
    return html`<button type="button" class="card" data-card=${name} aria-label=${face(name).label} aria-pressed=${chosen}
      ?disabled=${!chosen && !may(place)} @click=${() => pick(place)}>${picture(name)}</button>`;
  })}</div>`;
}

/** One card to be chosen. */
handButtons.one = (name, { act, badge = null, disabled = false, label = face(name).label }) =>
  html`<button type="button" class="card" data-card=${name} aria-label=${label} ?disabled=${disabled} @click=${act}>
    ${picture(name)}${badge === null ? nothing : html`<span class="badge" aria-hidden="true">${badge}</span>`}</button>`;

/** Whether all `some` are among `cards`, equal ones as often. */
export function holds(cards, some) {
  const left = [...cards];
  return some.every((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** The moves that play just the chosen cards. */
export const exactly = (game, moves, selection) =>
  (selection.length ? moves.filter((move) => game.cardsOf(move).length === selection.length) : []);

/** What can be played: the move of the chosen cards, moves without cards, and the list. */
export function movePanel(game, stand, selection, fitting, exact, choose, clear) {
  const bare = stand.moves.filter((move) => game.cardsOf(move).length === 0);
  const action = (move) => html`<button type="button" class="main" data-play=${move} @click=${() => choose(move)}>${
    stand.hidden && !game.follows ? nothing : "Play "}${move}${stand.words[move] ? html` <span class="words">${stand.words[move]}</span>` : nothing}</button>`;
  const list = game.arrange ? game.arrange(fitting, stand) : fitting;
  const shown = list.slice(0, 120);
  const row = (move) => html`<li><button type="button" data-move=${move} @click=${() => choose(move)}>${move}
    ${stand.words[move] ? html`<span class="words">${stand.words[move]}</span>` : nothing}</button></li>`;
  const many = exact.length > 3;
  // Of very many moves not all are known here; the server says whether the chosen cards make one.
  const unlisted = stand.more && selection.length && !exact.length ? [selection.join(" ")] : [];
  const besides = stand.more ? `, and ${stand.more.toLocaleString("en")}${stand.more < 50000 ? "" : " or"} more` : "";
  return html`<div class="row actions">
      ${many ? nothing : [...exact, ...unlisted].map(action)}
      ${!exact.length && !unlisted.length && bare.length < stand.moves.length ? html`<span class="hint">${selection.length ? "Add cards to make a legal move." : "Choose cards of the hand."}</span>` : nothing}
      ${bare.map((move) => html`<button type="button" data-play=${move} @click=${() => choose(move)}>${move}${
        stand.words[move] ? html` <span class="words">${stand.words[move]}</span>` : nothing}</button>`)}
      ${selection.length ? html`<button type="button" @click=${clear}>Clear</button>` : nothing}
    </div>
    ${many ? html`<ul class="moves" aria-label="Where the dogs go">${game.arrange(exact, stand).map(row)}</ul>`
      : html`<details class="options"><summary>Legal moves${selection.length ? " with these cards" : ""}: ${fitting.length.toLocaleString("en")}${besides}</summary>
        <ul class="moves">${shown.map(row)}</ul>
        ${list.length > shown.length ? html`<p class="note">Choose cards to see the others.</p>` : nothing}</details>`}`;
}
