// Walk the Dogs: how its positions are set up and its answers are read.
import { attempt, post } from "./api.js";
import { cardPage } from "./cards.js";
import { picture } from "./cards_hand.js";
import { count, select, split } from "./cards_setup.js";
import { html, nothing } from "./ui.js";

const at = (list, place, value) => list.map((one, index) => (index === place ? value : one));
const cardsOf = (move) => { const card = move.split(/[:.]/)[0]; return /^([gr][123]|y|le)$/.test(card) ? [card] : []; };

function zones(draft) {
  const dogs = (key, label, line, write) => ({ key, label, kind: "dog", items: [...line], write: (items) => write(items.join("")) });
  const hands = draft.hands.map((text, seat) => ({
    key: `hand${seat}`, label: `Hand of player ${seat}`, kind: "card", items: typeof text === "string" ? split(text) : [],
    hidden: typeof text === "string" ? 0 : text,
    write: (cards) => ({ ...draft, hands: at(draft.hands, seat, cards.join(" ")) }),
    hide: seat === draft.turn ? undefined : (number) => hide(draft, seat, number),
  }));
  const cards = (key, label) => ({ key, label, kind: "card", items: split(draft[key]), write: (items) => ({ ...draft, [key]: items.join(" ") }) });
  const open = draft.hands.every((text) => typeof text === "string");
  return [
    dogs("middle", "Middle line, front first", draft.middle, (middle) => ({ ...draft, middle })),
    ...draft.lines.map((line, seat) => dogs(`line${seat}`, `Line of player ${seat}`, line, (own) => ({ ...draft, lines: at(draft.lines, seat, own) }))),
    ...hands, ...(open ? [cards("deck", draft.shuffled ? "Draw pile, shuffled" : "Draw pile, next first")] : []), cards("discards", "Discards"),
  ];
}

/** One hidden hand makes all others but that of the player to act hidden, and the pile with them. */
function hide(draft, seat, number) {
  const { deck, shuffled, ...rest } = draft;
  return { ...rest, phase: "play", hands: draft.hands.map((text, other) =>
    (other === draft.turn ? (typeof text === "string" ? text : "") : other === seat ? number : typeof text === "string" ? split(text).length : text)) };
}

function fields(draft, change) {
  const open = draft.hands.every((text) => typeof text === "string");
  return html`<div class="row">
    ${select("Next", draft.phase ?? "play", [["play", "play a card"], ...(open ? [["draw", "draw a card"]] : []),
      ...draft.hands.map((_, seat) => [`catch ${seat}`, `player ${seat} loses a group`])], (phase) => change({ ...draft, phase }))}
    ${draft.bones.map((bones, seat) => count(`Bones of player ${seat}`, bones, (number) => change({ ...draft, bones: at(draft.bones, seat, number) }), 5))}
    ${open ? html`<label><input type="checkbox" .checked=${Boolean(draft.shuffled)} @change=${(event) =>
      change({ ...draft, shuffled: event.target.checked || undefined })}> the pile is shuffled</label>` : nothing}
  </div>`;
}

const arranging = { line: "", dogs: "", in_order: false, result: null };

function arrange({ stand, draw }) {
  const ask = () => attempt(async () => {
    const { line, dogs, in_order } = arranging;
    arranging.result = await post("walk_the_dogs/arrange", { line, dogs, in_order });
    draw();
  });
  const field = (name, label) => html`<label>${label} <input name=${`arrange-${name}`} .value=${arranging[name]} maxlength="63" spellcheck="false"
    autocapitalize="characters" @input=${(event) => { arranging[name] = event.target.value.toUpperCase().trim(); }}></label>`;
  const found = arranging.result;
  return html`<details class="options"><summary>Arrange: the best way to add dogs just taken</summary>
    <div class="row">${field("line", "Line, front first")} ${field("dogs", "Dogs taken, in order")}
      <label><input type="checkbox" .checked=${arranging.in_order} @change=${(event) => { arranging.in_order = event.target.checked; }}> only in the order taken</label></div>
    <div class="row"><button type="button" @click=${ask}>Arrange</button>
      ${stand ? html`<button type="button" @click=${() => { arranging.line = stand.fields.lines[stand.seat]; draw(); }}>Line of player ${stand.seat}</button>` : nothing}</div>
    ${found ? html`<p class="verdict">Most points: <output>${found.most_points} (exact)</output>${found.five_possible ? "; five in a row is possible, which wins" : ""}</p>
      ${(found.lines ?? []).map((line) => html`<p class="dogs" aria-label=${line}>${[...line].map((dog) => picture(dog))} <code>${line}</code></p>`)}` : nothing}
  </details>`;
}

/** The moves of a card, those that bring most points first, as the words say them; five in a row before all. */
function byPoints(moves, stand) {
  const points = (move) => {
    const words = stand.words[move] ?? "";
    return (words.includes("five in a row") ? 1000 : 0) + Number(/([+-]\d+) points/.exec(words)?.[1] ?? -999);
  };
  return [...moves].sort((a, b) => points(b) - points(a));
}

await cardPage({
  name: "walk_the_dogs", record: "walk-the-dogs", seat: "Player", withRules: true, openSolve: false, players: [2, 4], cards: null,
  dealt: { players: 2 }, objectives: ["outcome", "points"],
  example: "middle=SPOOPS lines=SS/PG hands=g1,g2/r3,y deck=bo,r2,dc,y,g1,g3",
  blank: (players) => ({
    middle: "", lines: Array(players).fill(""), hands: Array.from({ length: players }, (_, seat) => (seat ? 2 : "")), turn: 0,
    bones: Array(players).fill(0), phase: "play", discards: "",
  }),
  zones, fields, cardsOf, extra: arrange, arrange: byPoints,
  inPlay: (card, rules, zone) => (rules.special_cards === false ? !["le", "bo", "dc"].includes(card)
    : !zone.key.startsWith("hand") || !["bo", "dc"].includes(card)),
  secret: (move) => /^\+([gr]|y|le)/.test(move),
  clean: ({ text, to_move, points, ...start }) => start,
  settled: () => false,
  forObjective: (rules) => rules,
  title: (objective, stand, viewpoint) => {
    const more = stand.fields.hands.length > 2;
    const what = objective === "points" ? (more ? "Points" : "Points less the other's") : more ? "Share of the win" : "Outcome (1 win, -1 loss)";
    return `${what}, ${viewpoint === null ? "each player" : `player ${viewpoint}`}`;
  },
  scores: (stand, name) => `Points: ${stand.fields.points.map((points, player) => `${name(player)} ${points}`).join(", ")}. Result: ${
    stand.scores.map((score, player) => `${name(player)} ${score}`).join(", ")}.`,
});
