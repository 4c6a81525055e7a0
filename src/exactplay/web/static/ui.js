// Pieces that all pages share, as lit-html templates. No inline styles: the page's security policy forbids them.
import "./drawing.js";
import { html, nothing, render, svg } from "./vendor/lit-html/lit-html.js";
import { live } from "./vendor/lit-html/directives/live.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";

export { html, live, nothing, render, repeat, svg };

/** A number for reading: whole ones as they are, others with `digits` significant digits. */
export function number(value, digits = 6) {
  if (value === null || value === undefined) return "?";
  if (Array.isArray(value)) return `(${value.map((entry) => number(entry, digits)).join(", ")})`;
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
}

/** What may be said of a value: always with its kind, and a standard error where it is sampled. */
export function verdict(answer, show = number) {
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return show(answer);
  switch (answer.kind) {
    case "exact":
      return `${show(answer.value)} (exact)`;
    case "bounds":
      if (answer.low === null && answer.high === null) return "unknown (no bound proven)";
      if (answer.low === null) return `at most ${show(answer.high)} (proven bound)`;
      if (answer.high === null) return `at least ${show(answer.low)} (proven bound)`;
      return `between ${show(answer.low)} and ${show(answer.high)} (proven bounds)`;
    case "exact expectation":
      return `${show(answer.value)} (exact expectation over ${answer.worlds} worlds)`;
    case "enumerated average":
      return `${show(answer.value)} (average of all ${answer.worlds} possible worlds)`;
    case "estimate":
      return `${show(answer.mean, 4)} ± ${number(answer.standard_error, 2)} (estimate: mean and standard error of ${
        answer.samples} samples)`;
    default:
      return String(answer.kind ?? "?");
  }
}

/** How values are to be taken for whoever is to move: `seat` chooses from a vector, `sign` is -1 where less is better. */
export const eyes = ({ viewpoint, mover = 0 }) => ({ seat: mover, sign: viewpoint === null || viewpoint === mover ? 1 : -1 });

/** The number by which a verdict is drawn. */
export function height(answer, { seat = 0, sign = 1 } = {}) {
  let value = answer;
  if (answer !== null && typeof answer === "object" && !Array.isArray(answer)) {
    value = answer.value ?? answer.mean ?? answer.low ?? answer.high ?? null;
  }
  if (Array.isArray(value)) value = value[seat];
  return value === null || value === undefined ? -Infinity : sign * value;
}

/** A bar of `share` (0 to 1) of its width; it says nothing that does not stand beside it in words. */
export function bar(share, best = false) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class=${best ? "best" : "other"} x="0" y="0" width=${width} height="8"></rect>
  </svg>`;
}

/**
 * Every move with its value as a bar, in the order given, which is best first in every answer.
 * `moves`: {text: verdict}; `best`: texts; `seat` and `sign` as from `eyes`; `words(text)`: what the move does; `choose(text)`: makes each row a button;
 * `mark`: what the best ones are called (a guess is not to be called best); `tell(value)`: a value with its kind, shorter.
 */
export function moveTable(moves, best, { seat, sign, show = number, words, choose, shown = 20, caption = "Moves", mark = "best", tell = (value) => verdict(value, show) } = {}) {
  const rows = Object.entries(moves).map(([text, value]) => ({ text, value, height: height(value, { seat, sign }) }));
  const finite = rows.map((row) => row.height).filter(Number.isFinite);
  const low = Math.min(...finite), high = Math.max(...finite);
  const share = (row) => (Number.isFinite(row.height) ? (high > low ? 0.08 + 0.92 * (row.height - low) / (high - low) : 1) : 0);
  const line = (row) => {
    const isBest = best.includes(row.text);
    return html`<tr class=${isBest ? "best" : ""}>
      <th scope="row">${choose
        ? html`<button type="button" data-move=${row.text} @click=${() => choose(row.text)}>${row.text}</button>`
        : html`<span data-move=${row.text}>${row.text}</span>`}
        ${words ? html`<span class="words">${words(row.text)}</span>` : nothing}</th>
      <td class="number">${tell(row.value)}${isBest ? html` <strong>${mark}</strong>` : nothing}</td>
      <td class="drawn">${bar(share(row), isBest)}</td>
    </tr>`;
  };
  return html`<table class="moves">
      <caption>${caption}</caption>
      <tbody>${repeat(rows.slice(0, shown), (row) => row.text, line)}</tbody>
    </table>
    ${rows.length > shown
      ? html`<details><summary>${rows.length - shown} more moves</summary>
          <table class="moves"><tbody>${rows.slice(shown).map(line)}</tbody></table></details>`
      : nothing}`;
}

/** A whole answer: its kind beside its value, the moves, the principal variation, what it rests on. */
export function resultPanel(result, options = {}) {
  const { title = "Value", show = number } = options;
  const moves = result.moves ?? result.decisions ?? {};
  const line = result.pv ?? result.plan ?? [];
  return html`<section class="result" aria-label="Answer">
    <p class="verdict"><span>${title}:</span> <output>${verdict(result, show)}</output></p>
    ${Object.keys(moves).length ? moveTable(moves, result.best ?? [], { ...eyes(result), ...options }) : nothing}
    ${line.length ? html`<p class="line">Principal variation: ${line.join(line.some((m) => m.includes(" ")) ? " / " : " ")}</p>` : nothing}
    ${(result.notes ?? []).map((note) => html`<p class="note">${note}</p>`)}
    ${result.rules && result.rules !== "default rules" ? html`<p class="note">Rules: ${result.rules}</p>` : nothing}
    ${(result.sources ?? []).map((source) => html`<p class="source">Rests on ${source.name} (${source.provenance}, ${
      source.digest.slice(0, 12)})</p>`)}
    ${result.nodes !== undefined ? html`<p class="source">${result.nodes} nodes, ${number(result.seconds, 3)} CPU seconds</p>` : nothing}
  </section>`;
}

/** A job that goes on: how far it is, what is known so far, and the button that ends it. */
export function jobPanel(job, cancel, options = {}) {
  if (!job || ["done", "failed", "cancelled"].includes(job.status)) return nothing;
  const { total, ...numbers } = job.progress ?? {};
  const [done] = Object.values(numbers);
  return html`<section class="job" aria-label="Work in progress">
    <p role="status">${job.status === "waiting" ? "Waiting for a free worker" : `Working, ${number(job.seconds, 3)} s`}${
      Object.entries(numbers).map(([name, value]) => `, ${name.replaceAll("_", " ")} ${value.toLocaleString("en")}`)}</p>
    ${total ? html`<progress max=${total} value=${done} aria-label="Progress"></progress>` : html`<progress aria-label="Progress"></progress>`}
    ${job.partial ? html`<p class="verdict">So far: <output>${verdict(job.partial, options.show)}</output></p>` : nothing}
    <button type="button" @click=${cancel}>Cancel</button>
  </section>`;
}

/** The rule options as a form; `options` from /api/GAME/rules, `chosen` holds what differs from the default. */
export function optionsForm(options, chosen, change) {
  const set = (option, value) => {
    const next = { ...chosen };
    if (value === option.default) delete next[option.name];
    else next[option.name] = value;
    change(next);
  };
  const label = (option) => option.name.replaceAll("_", " ");
  const changed = Object.entries(chosen).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`);
  return html`<details class="options"><summary>Rules: ${changed.join(", ") || "default"}</summary>
    ${options.map((option) => {
      const value = chosen[option.name] ?? option.default;
      return html`<div>${typeof option.default === "boolean"
        ? html`<label><input type="checkbox" name=${option.name} .checked=${live(value)}
            @change=${(event) => set(option, event.target.checked)}> ${label(option)}</label>`
        : html`<label>${label(option)} <select name=${option.name}
            @change=${(event) => set(option, option.values[event.target.selectedIndex])}>
            ${option.values.map((one) => html`<option .selected=${live(one === value)}>${String(one).replaceAll("_", " ")}</option>`)}
          </select></label>`}
        <small>${option.description}</small></div>`;
    })}
  </details>`;
}

/** A drawing of the server; `pick(dataset)` is told which part was chosen (a die, a square, a card). */
export const drawing = (markup, pick = () => {}) =>
  html`<xp-drawing .markup=${markup} @pick=${(event) => pick(event.detail)}></xp-drawing>`;
