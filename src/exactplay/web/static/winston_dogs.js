// Winston, the dog cards: how its positions are set up and its answers are read.
import { cardPage } from "./cards.js";
import { count, select, split } from "./cards_setup.js";
import { html, nothing } from "./ui.js";

const COLOURS = { B: "brown", K: "black", G: "grey", W: "white", O: "orange", S: "spotted" };
const CARD = /^[BKGWOS][hb]$/;
const cardsOf = (text) => split(text).filter((word) => CARD.test(word));
const hiddenIn = (text) => split(text).filter((word) => word === "?").length;
const written = (cards, hidden) => [...Array(hidden).fill("?"), ...cards].join(" ");
const at = (list, place, value) => list.map((one, index) => (index === place ? value : one));

const onTable = (table) => Object.keys(COLOURS).flatMap((colour) => {
  const [heads, bodies] = table?.[colour] ?? [0, 0];
  return [...Array(heads).fill(`${colour}h`), ...Array(bodies).fill(`${colour}b`)];
});

function tableOf(cards) {
  const table = {};
  for (const [colour, part] of cards) {
    table[colour] ??= [0, 0];
    table[colour][part === "h" ? 0 : 1] += 1;
  }
  return table;
}

const collected = (draft) => split(draft.collected);

/** With hidden cards the pile's hidden ones are all that lie nowhere else, for which the dogs taken must be known. */
function settle(draft) {
  const hidden = draft.hands.reduce((sum, hand) => sum + hiddenIn(hand), 0);
  if (draft.unseen !== undefined) return draft;
  if (!hidden && !hiddenIn(draft.pile)) {
    const { collected: _, ...open } = draft;
    return open;
  }
  const known = [...draft.hands, draft.pile].flatMap(cardsOf).length + onTable(draft.table).length;
  const taken = collected(draft).reduce((sum, dog) => sum + 1 + Number(dog.slice(1)), 0);
  return { ...draft, collected: draft.collected ?? "", pile: written(cardsOf(draft.pile), Math.max(0, 66 - known - taken - hidden)) };
}

function zones(draft) {
  const hands = draft.hands.map((text, seat) => ({
    key: `hand${seat}`, label: `Hand of seat ${seat}`, kind: "card", items: cardsOf(text), hidden: hiddenIn(text),
    write: (cards) => settle({ ...draft, hands: at(draft.hands, seat, written(cards, hiddenIn(text))) }),
    hide: (number) => settle({ ...draft, hands: at(draft.hands, seat, written(cardsOf(text), number)) }),
  }));
  const table = { key: "table", label: "Dogs on the table", kind: "card", items: onTable(draft.table),
    write: (cards) => settle({ ...draft, table: tableOf(cards) }) };
  const pile = { key: "pile", label: hiddenIn(draft.pile) ? `Draw pile (${hiddenIn(draft.pile)} hidden, then)` : "Draw pile, top first",
    kind: "card", items: cardsOf(draft.pile), write: (cards) => settle({ ...draft, pile: written(cards, hiddenIn(draft.pile)) }) };
  const unseen = draft.unseen === undefined ? [] : [{ key: "unseen", label: "Cards not seen", kind: "card", items: cardsOf(draft.unseen),
    write: (cards) => ({ ...draft, unseen: cards.join(" ") }) }];
  return [...hands, table, pile, ...unseen];
}

const taking = { seat: 0, colour: "B", bodies: 2 };

/** A dog that was taken: its points, and who holds bone and poo since. */
function take(draft) {
  const { seat, colour, bodies } = taking;
  const first = !draft.longest;
  return settle({
    ...draft, collected: [...collected(draft), `${colour}${bodies}`].join(" "),
    points: at(draft.points, seat, draft.points[seat] + bodies * (bodies + 1) / 2),
    longest: Math.max(draft.longest, bodies), shortest: first ? bodies : Math.min(draft.shortest, bodies),
    bone: bodies >= draft.longest ? seat : draft.bone, poo: first || bodies <= draft.shortest ? seat : draft.poo,
  });
}

function fields(draft, change) {
  const seats = draft.hands.map((_, seat) => [seat, `seat ${seat}`]);
  const holders = [[null, "nobody"], ...seats];
  return html`<fieldset><legend>Dogs taken so far, in their order</legend>
      <p>${collected(draft).join(" ") || (draft.longest ? "counted below" : "none")}</p>
      <div class="row">
        ${select("Taken by", taking.seat, seats, (seat) => { taking.seat = seat; change({ ...draft }); })}
        ${select("Colour", taking.colour, Object.entries(COLOURS), (colour) => { taking.colour = colour; change({ ...draft }); })}
        ${select("Bodies", taking.bodies, [2, 3, 4, 5, 6, 7, 8].map((one) => [one, String(one)]), (bodies) => { taking.bodies = bodies; change({ ...draft }); })}
        <button type="button" @click=${() => change(take(draft))}>Add dog</button>
      </div></fieldset>
    <div class="row">
      ${draft.points.map((points, seat) => count(`Points of seat ${seat}`, points, (number) => change({ ...draft, points: at(draft.points, seat, number) }), 999))}
      ${count("Longest dog", draft.longest, (longest) => change({ ...draft, longest }), 8)}
      ${count("Shortest", draft.shortest, (shortest) => change({ ...draft, shortest }), 8)}
      ${select("Bone", draft.bone, holders, (bone) => change({ ...draft, bone }))}
      ${select("Poo", draft.poo, holders, (poo) => change({ ...draft, poo }))}
      <label><input type="checkbox" .checked=${hiddenIn(draft.pile) > 0} @change=${(event) =>
        change(settle({ ...draft, pile: written(cardsOf(draft.pile), event.target.checked ? 1 : 0) }))}> the pile is hidden</label>
    </div>`;
}

await cardPage({
  name: "winston_dogs", record: "winston-dogs", seat: "Seat", withRules: false, openSolve: false, players: [2, 6], cards: null,
  dealt: { players: 2 }, objectives: ["score"],
  example: "hands Bb Gb Gb Kh Wb | Bb Gb Gh Kb Oh; table Bhb Kb Gbb; pile Ob Sb; turn 0",
  blank: (players) => settle({
    hands: Array.from({ length: players }, (_, seat) => (seat ? "? ? ? ? ?" : "")), table: {}, pile: "", turn: 0, longest: 0,
    shortest: 0, bone: null, poo: null, points: Array(players).fill(0), skips: 0, collected: "",
  }),
  zones, fields, cardsOf, secret: () => false,
  clean: ({ text, to_move, ...start }) => start,
  settled: () => false,
  forObjective: (rules) => rules,
  title: (_, stand, viewpoint) => (viewpoint === null ? "Score of each seat"
    : `Score of seat ${viewpoint}${stand.fields.hands.length > 2 ? "" : ` less seat ${1 - viewpoint}'s`}`),
  scores: (stand, name) => `Scores: ${stand.scores.map((score, seat) => `${name(seat)} ${score}`).join(", ")}.`,
});
