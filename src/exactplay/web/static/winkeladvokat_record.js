// A game of Winkeladvokat as the record that `exactplay winkeladvokat play --file` keeps.
import { Refusal } from "./api.js";
import { ARTICLES } from "./winkeladvokat_position.js";

const GAME = "winkeladvokat";

/** `first`: the position before the first move, as /api/winkeladvokat/parse tells it. */
export function toRecord(state, first) {
  const colours = [...ARTICLES].slice(0, first.supply.length);
  return {
    game: GAME,
    setup: {
      position: first.text,
      people: state.engine ? colours.filter((letter) => !state.engine.includes(letter)).join("") : "all",
    },
    moves: state.played,
  };
}

/** What a record's text says of the page's state; `name` is its file. */
export function fromRecord(text, name) {
  let record;
  try {
    record = JSON.parse(text);
  } catch {
    record = null;
  }
  // Rules and numbers stand in the position's text, or, in records of before, beside it.
  const { position, rules = {}, size, values, people } = record?.setup ?? {};
  const wellFormed = record?.game === GAME && Array.isArray(record.moves) && typeof position === "string"
    && (values === undefined || (Array.isArray(values) && values.length === size * size)) && typeof people === "string";
  if (!wellFormed) throw new Refusal(0, `${name} is not a saved game of Winkeladvokat.`);
  return {
    position, rules, played: record.moves,
    values: values === undefined ? null : Array.from({ length: size }, (_, row) => values.slice((size - 1 - row) * size, (size - row) * size)),
    engine: people === "all" ? "" : [...ARTICLES].filter((letter) => !people.includes(letter)).join(""),
  };
}
