// What the solver says about a position of Winkeladvokat: proven values and guesses, plainly told apart.
import { COLOURS } from "./winkeladvokat_position.js";
import { eyes, html, moveTable, nothing, number, verdict } from "./ui.js";

/** So many moves stand in the table; the others are found by choosing on the board. */
const LISTED = 40;

/** A margin with its sign, scores by colour; of a mean so many significant digits, or decimals where it is `fixed`. */
export function show(value, digits, fixed = false) {
  if (Array.isArray(value)) return value.map((score, player) => `${COLOURS[player]} ${score}`).join(", ");
  const text = fixed ? value.toFixed(digits) : number(value, digits);
  return value > 0 ? `+${text}` : text.replace("-", "−");
}

/** A move's value and its kind, in few words. */
function tell(value) {
  if (isProven(value)) return html`${show(value)} <small>exact</small>`;
  if (value.kind === "estimate") {
    const error = value.standard_error, digits = error < 1 ? 2 : 1;
    return html`${show(value.mean, digits, true)} ± ${error.toFixed(digits)} <small>estimate</small>`;
  }
  if (value.low === null && value.high === null) return html`<small>nothing proven</small>`;
  const between = value.low === null ? `at most ${show(value.high)}` : value.high === null ? `at least ${show(value.low)}`
    : `${show(value.low)} to ${show(value.high)}`;
  return html`${between} <small>bounds</small>`;
}

const isProven = (value) => typeof value === "number" || Array.isArray(value);

/** Whether the best moves are proven best, and not the nearest to a proof. */
export const bestIsProven = (answer) =>
  answer.kind === "exact" && answer.best.length > 0 && answer.best.every((move) => isProven(answer.moves[move]));

/** The value in a sentence. */
function sentence(answer, turn, players) {
  const me = COLOURS[turn], other = COLOURS[1 - turn];
  const by = (low, high) => (low === high ? String(low) : `${low} to ${high}`);
  if (players > 2) {
    if (answer.kind === "exact") return "Proven: the final scores when each player seeks the most points for himself.";
    return answer.kind === "estimate" ? `The mean margin of random games for ${me}; nothing is proven.` : "Nothing is proven yet.";
  }
  const low = answer.kind === "exact" ? answer.value : answer.low, high = answer.kind === "exact" ? answer.value : answer.high;
  if (low === null || high === null) return "Nothing is proven yet.";
  if (low > 0) return `Proven: with best play ${me} wins by ${by(low, high)}.`;
  if (high < 0) return `Proven: with best play ${other} wins by ${by(-high, -low)}.`;
  if (low === 0 && high === 0) return "Proven: with best play of both the scores are equal.";
  if (low === 0) return `Proven: ${me} does not lose. Not known: whether ${me} wins.`;
  if (high === 0) return `Proven: ${me} does not win. Not known: whether ${other} does.`;
  return "Not known yet who wins.";
}

/**
 * `turn` of `players`; `done`: whether the question is answered or goes on; `begins(move)`: whether a move begins with the
 * squares chosen on the board, so that a position with very many moves lists a few at a time; `chosen`: those squares;
 * `arrows` of the line are drawn; `on`: {choose(move), arrows(number)}.
 */
export function answerPanel({ answer, turn, players, done, chosen, begins, arrows }, on) {
  const proven = bestIsProven(answer), [first] = answer.best;
  const moves = Object.fromEntries(Object.entries(answer.moves).filter(([move]) => begins(move)));
  const listed = Object.fromEntries(Object.entries(moves).slice(0, LISTED));
  const left = Object.keys(moves).length - Object.keys(listed).length;
  return html`<section class="result" aria-label="Answer">
    <p class="verdict"><span>${players === 2 ? `Value for ${COLOURS[turn]}` : answer.kind === "exact" ? "Scores" : "Value"}:</span>
      <output>${verdict(answer, show)}</output></p>
    <p>${sentence(answer, turn, players)}</p>
    ${first ? html`<p class=${proven ? "proven" : "guess"}>${proven
        ? html`<strong>${answer.best.length === 1 ? "Best move" : `${answer.best.length} best moves`}, proven:</strong> ${answer.best.slice(0, 8).join(", ")}${
            answer.best.length > 8 ? " ..." : ""}`
        : html`<strong>Best guess, not proven:</strong> ${first}`}</p>
      ${done ? html`<button type="button" class="main" @click=${() => on.choose(first)}>Play ${first}</button>` : nothing}` : nothing}
    ${answer.pv.length ? html`<p class="line">Principal variation: ${answer.pv.join(" ")}</p>
      <label class="arrows">Arrows on the board: ${arrows} of ${answer.pv.length}
        <input type="range" min="0" max=${answer.pv.length} .value=${String(arrows)} @input=${(event) => on.arrows(Number(event.target.value))}></label>` : nothing}
    ${Object.keys(listed).length ? html`<div class=${proven ? "values" : "values guessed"}>${moveTable(listed, answer.best, {
        ...eyes(answer), tell, shown: 8, choose: done ? on.choose : undefined, mark: proven ? "best" : "guess",
        caption: chosen.length ? `Moves that begin with ${chosen.join(", ")}` : "Moves",
      })}</div>
      ${left ? html`<p class="words">${left} more: choose a piece on the board, and only its moves stand here.</p>` : nothing}` : nothing}
    ${answer.notes.map((note) => html`<p class="note">${note}</p>`)}
    <p class="source">${answer.nodes.toLocaleString("en")} nodes${answer.seconds ? `, ${number(answer.seconds, 3)} CPU seconds` : nothing}</p>
  </section>`;
}
