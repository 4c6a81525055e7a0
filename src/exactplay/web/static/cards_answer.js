// An answer about a card game: every move with its value, and where it is an average, its error bar.
import { eyes, height, html, nothing, number, svg, verdict } from "./ui.js";

const span = (value, interval, options) => {
  const middle = height(value, options);
  if (interval) return { middle: interval.mean, low: interval.low, high: interval.high };
  if (value?.kind === "bounds") {
    const ends = [value.low, value.high].map((end) => (end === null ? null : height(end, options)));
    const known = ends.filter((end) => end !== null);
    return { middle: null, low: Math.min(...known), high: Math.max(...known) };
  }
  return { middle, low: middle, high: middle };
};

/** A dot with its error bar, on the scale that all moves share; it says nothing that does not stand beside it in words. */
function whisker({ middle, low, high }, [least, most], best) {
  const at = (value) => 4 + 92 * (most > least ? (value - least) / (most - least) : 0.5);
  return html`<svg class=${best ? "whisker best" : "whisker"} viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
    <line class="scale" x1="2" x2="98" y1="7" y2="7"></line>
    ${Number.isFinite(low) && high > low ? svg`<path class="error" d="M${at(low)} 7H${at(high)}M${at(low)} 3v8M${at(high)} 3v8"></path>` : nothing}
    ${Number.isFinite(middle) && middle !== null ? svg`<rect class="dot" x=${at(middle) - 1.5} y="3" width="3" height="8"></rect>` : nothing}
  </svg>`;
}

/** One value, short; the kind that all moves share stands above the table. */
function brief(value, interval) {
  if (value?.kind === "estimate") return `${number(value.mean, 4)} ± ${number(value.standard_error, 2)}`;
  if (value?.kind === "enumerated average" || value?.kind === "exact expectation") return number(value.value, 4);
  return verdict(value);
}

const KINDS = {
  estimate: "mean ± standard error (estimate); the bar is the 95 % interval",
  "enumerated average": "average over all possible worlds",
  "exact expectation": "exact expectation",
};

/** The moves stand as they come, best first. */
export function answerPanel(result, { title, words, choose }) {
  const by = eyes(result);
  const best = new Set(result.best ?? []), equal = new Set(result.undistinguished ?? []);
  const rows = Object.entries(result.moves ?? {}).map(([move, value]) => ({
    move, value, span: span(value, result.intervals?.[move], by), behind: result.behind?.[move],
  }));
  const ends = rows.flatMap((row) => [row.span.low, row.span.high]).filter(Number.isFinite);
  const scale = [Math.min(...ends), Math.max(...ends)];
  const tag = (row) => {
    if (best.has(row.move)) return html`<strong class="tag best">best</strong>`;
    if (equal.has(row.move)) return html`<span class="tag">not distinguished from the best</span>`;
    if (!row.behind) return nothing;
    const { mean, low, high } = row.behind;
    return html`<span class="tag">behind by ${number(mean, 3)}${low < high ? ` [${number(low, 3)}, ${number(high, 3)}]` : ""}</span>`;
  };
  const line = (row) => html`<li class=${best.has(row.move) ? "best" : ""}>
    <button type="button" data-move=${row.move} @click=${() => choose(row.move)}>${row.move}${
      words(row.move) ? html` <span class="words">${words(row.move)}</span>` : nothing}</button>
    ${whisker(row.span, scale, best.has(row.move))}
    <p><span class="number">${brief(row.value)}</span> ${tag(row)}</p></li>`;
  const kinds = [...new Set(rows.map((row) => row.value?.kind).filter(Boolean))].map((kind) => KINDS[kind] ?? kind);
  const table = (some, caption) => html`<p class="caption">${caption}</p><ol class="answers" aria-label=${caption}>${some.map(line)}</ol>`;
  const shown = 12, most = 200;
  const pv = result.pv ?? [];
  return html`<section class="result" aria-label="Answer">
    <p class="verdict"><span>${title}:</span> <output>${verdict(result)}</output></p>
    ${rows.length ? table(rows.slice(0, shown), `Moves, best first: ${kinds.join(", ") || "exact values"}`) : nothing}
    ${rows.length > shown ? html`<details><summary>${rows.length - shown} more moves</summary>${
      table(rows.slice(shown, most), `Further moves${rows.length > most ? `, to the ${most}th` : ""}`)}</details>` : nothing}
    ${pv.length ? html`<p class="line">Principal variation: ${pv.join(" / ")}</p>` : nothing}
    ${(result.notes ?? []).map((note) => html`<p class="note">${note}</p>`)}
    ${result.rules && result.rules !== "default rules" ? html`<p class="note">Rules: ${result.rules}</p>` : nothing}
    ${result.nodes !== undefined ? html`<p class="source">${result.worlds ? `${result.worlds.toLocaleString("en")} worlds` :
      `${result.nodes.toLocaleString("en")} nodes`}, ${number(result.seconds, 3)} CPU seconds</p>` : nothing}
  </section>`;
}
