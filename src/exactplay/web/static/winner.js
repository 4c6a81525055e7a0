// Winner: how its positions are set up and its answers are read.
import { ask, attempt } from "./api.js";
import { cardPage } from "./cards.js";
import { count, select, split } from "./cards_setup.js";
import { html, nothing } from "./ui.js";

const CARD = /^([3-9TJQKA2][DCHS]|BJ|RJ)$/;
const cardsOf = (text) => split(text).filter((word) => CARD.test(word));
const hiddenIn = (hand) => split(hand).filter((word) => word.startsWith("?")).reduce((sum, word) => sum + Number(word.slice(1)), 0);
const hand = (cards, hidden) => [...cards, ...(hidden ? [`?${hidden}`] : [])].join(" ");
const at = (list, place, value) => list.map((one, index) => (index === place ? value : one));

let split_ = null; // {hand, result}: the fewest plays

function zones(draft) {
  const hands = draft.hands.map((text, seat) => ({
    key: `hand${seat}`, label: `Hand of seat ${seat}`, kind: "card", items: cardsOf(text), hidden: hiddenIn(text),
    write: (cards) => ({ ...draft, hands: at(draft.hands, seat, hand(cards, hiddenIn(text))) }),
    hide: (number) => ({ ...draft, hands: at(draft.hands, seat, hand(cardsOf(text), number)) }),
  }));
  const table = {
    key: "table", label: "On the table (to beat)", kind: "card", items: cardsOf(draft.current ?? ""),
    write: (cards) => ({ ...draft, current: cards.join(" ") || null, stack: undefined,
      owner: cards.length ? draft.owner ?? (draft.turn + draft.hands.length - 1) % draft.hands.length : null }),
  };
  const spent = draft.spent === undefined ? [] : [{
    key: "spent", label: "Out of play", kind: "card", items: cardsOf(draft.spent),
    write: (cards) => ({ ...draft, spent: cards.join(" ") }),
  }];
  return [...hands, table, ...spent];
}

const seats = (draft) => draft.hands.map((_, seat) => [seat, `seat ${seat}`]);

function fields(draft, change) {
  const played = draft.played_any ?? draft.hands.map(() => true);
  return html`<div class="row">
      ${draft.current ? select("Played by", draft.owner, seats(draft), (owner) => change({ ...draft, owner })) : nothing}
      <label><input type="checkbox" .checked=${draft.spent !== undefined} @change=${(event) =>
        change({ ...draft, spent: event.target.checked ? "" : undefined })}> the cards out of play are known</label>
      <label><input type="checkbox" .checked=${Boolean(draft.reversed)} @change=${(event) =>
        change({ ...draft, reversed: event.target.checked })}> ranks reversed</label>
    </div>
    <div class="row">${seats(draft).map(([seat, name]) => html`<label><input type="checkbox" .checked=${!played[seat]}
      @change=${(event) => change({ ...draft, played_any: at(played, seat, !event.target.checked) })}> ${name} has played none</label>`)}</div>`;
}

function plays({ stand, draw }) {
  if (!stand?.hand.length) return nothing;
  const cards = stand.hand.join(" ");
  const known = split_?.hand === cards ? split_.result : null;
  return html`<section aria-label="Fewest plays"><div class="row">
      <button type="button" @click=${() => attempt(async () => {
        split_ = { hand: cards, result: await ask("winner/plays", { hand: cards }).answer };
        draw();
      })}>Fewest plays of this hand</button></div>
    ${known ? html`<p class="verdict">Fewest plays: <output>${known.value} (exact)</output></p>
      <ol class="history">${known.partition.map((part) => html`<li>${part}</li>`)}</ol>` : nothing}</section>`;
}

await cardPage({
  name: "winner", record: "winner", seat: "Seat", withRules: true, openSolve: true, players: [2, 4],
  cards: [5, 8, 10, 13, 16, null], dealt: { players: 3, cards: 10 }, objectives: ["win", "score", "place"],
  example: "3D 4D | 5D 6D | 7D 8D; turn 1; on 3C by 0",
  blank: (players) => ({
    hands: Array.from({ length: players }, (_, seat) => (seat ? "?5" : "")), turn: 0, current: null, owner: null,
    played_any: Array(players).fill(true), out: [], reversed: false, exchange: null,
  }),
  zones, fields, cardsOf, extra: plays, secret: () => false, follows: true,
  alsoAs: (cards) => (cards.every((card) => card[0] === "4") ? [`fours ${cards.join(" ")}`] : []),
  inPlay: (card, rules) => rules.jokers !== false || !card.endsWith("J") || card.length !== 2 || !["BJ", "RJ"].includes(card),
  clean: ({ text, ...start }) => start,
  settled: (stand, objective) => objective === "win" && stand.fields.out.length > 0,
  forObjective: (rules, objective) => {
    const { end, ...others } = rules;
    return objective === "score" ? { ...others, end: "first_out" } : others;
  },
  title: (objective, stand, viewpoint) => `${{ win: "First out (1 yes)", score: "Points", place: "Places" }[objective]}, ${
    viewpoint === null ? "each seat" : `seat ${viewpoint}`}`,
  scores: (stand, name) => {
    const out = stand.fields.out.map(name).join(", then ");
    return `${out ? `First out: ${out}. ` : ""}${stand.hidden ? "" : `Result: ${stand.scores.map((score, seat) => `${name(seat)} ${score}`).join(", ")}.`}`;
  },
});
