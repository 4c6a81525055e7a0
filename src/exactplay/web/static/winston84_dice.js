// The six dice: set by click, wheel or key (1 to 6 set the face and move on), or by the row of faces under them.
import { html, nothing, svg } from "./ui.js";

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const SAID = { available: "", placed: "placed", removed: "removed", room101: "Room 101" };
const WHEEL = 40; // pixels of scrolling that are one face

const pips = (value, die = "") => svg`<g class=${`pips ${die}`}>${(PIPS[value] ?? []).map((pip) =>
  svg`<circle cx=${11 + 11 * Math.floor(pip / 3)} cy=${11 + 11 * (pip % 3)} r="4.2"></circle>`)}</g>`;

const cube = (die, value) => html`<svg viewBox="0 0 44 44" aria-hidden="true" class=${`cube ${die}`}>
  <rect x="1" y="1" width="42" height="42" rx="8"></rect>${value ? pips(value, die) : svg`<text x="22" y="30">?</text>`}</svg>`;

/**
 * The dice as they lie, and how to set those of `open` (letters).
 * `lying`: [{die, name, value, status}]; `entry`: {letter: face} of the open ones; `at`: the letter that the row of faces
 * sets; `best`, `targets`: letters to light up; `set(letter, face, moveOn)` and `look(letter)` are told what is chosen.
 */
export function diceRow({ lying, open, entry, at, best = "", targets = "", set, look }) {
  let scrolled = 0;
  const face = (die) => (open.includes(die.die) ? entry[die.die] ?? 0 : die.value);
  const turned = (die, by) => set(die.die, by > 0 ? (face(die) % 6) + 1 : ((face(die) + 4) % 6) + 1, false);
  const neighbour = (event, by) => {
    const all = [...event.currentTarget.parentElement.querySelectorAll('[tabindex="0"]')];
    all[all.indexOf(event.currentTarget) + by]?.focus();
  };
  const keys = (event, die) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^[1-6]$/.test(event.key)) set(die.die, Number(event.key), true);
    else if (event.key === "ArrowUp") turned(die, 1);
    else if (event.key === "ArrowDown") turned(die, -1);
    else if (event.key === "ArrowLeft") neighbour(event, -1);
    else if (event.key === "ArrowRight") neighbour(event, 1);
    else if (event.key === "Backspace" || event.key === "Delete") set(die.die, 0, false);
    else return;
    event.preventDefault();
  };
  const wheel = (event, die) => {
    event.preventDefault();
    scrolled += event.deltaY;
    if (Math.abs(scrolled) < WHEEL) return;
    turned(die, scrolled < 0 ? 1 : -1);
    scrolled = 0;
  };
  return html`<div class="dice" role="group" aria-label="Dice">
    ${lying.map((die) => {
      const value = face(die), said = value ? `${value}` : die.status === "removed" ? "" : "not rolled";
      const text = [said, SAID[die.status]].filter(Boolean).join(", ");
      const look84 = `die ${die.status}${best.includes(die.die) ? " lit" : ""}${targets.includes(die.die) ? " target" : ""}`;
      const inside = html`${cube(die.die, value)}<span class="name" aria-hidden="true">${die.name}</span>
        <span class="state" aria-hidden="true">${SAID[die.status]}</span>`;
      return open.includes(die.die)
        ? html`<div class=${`${look84} open${at === die.die ? " at" : ""}`} data-die=${die.die} data-value=${value}
            role="spinbutton" tabindex="0" aria-label=${die.name} aria-valuemin="0" aria-valuemax="6" aria-valuenow=${value}
            aria-valuetext=${text} @click=${() => turned(die, 1)} @keydown=${(event) => keys(event, die)}
            @wheel=${(event) => wheel(event, die)} @focus=${() => look(die.die)}>${inside}</div>`
        : html`<div class=${look84} data-die=${die.die} data-value=${value} role="img" aria-label=${`${die.name} ${text}`}>${inside}</div>`;
    })}
  </div>`;
}

/** The row of faces, for a thumb: sets the die `at` and moves on. */
export function faces(at, name, choose) {
  return html`<div class="faces" role="group" aria-label=${at ? `Face of ${name}` : "Faces"}>
    ${[1, 2, 3, 4, 5, 6].map((face) => html`<button type="button" ?disabled=${!at} aria-label=${at ? `${name} ${face}` : `${face}`}
      @click=${() => choose(face)}><svg viewBox="0 0 44 44" aria-hidden="true" class=${`cube ${at ?? ""}`}>
        <rect x="1" y="1" width="42" height="42" rx="8"></rect>${at ? pips(face, at) : nothing}</svg></button>`)}
  </div>`;
}

/** A fair roll of so many faces, for a table without dice. */
export function thrown(count) {
  const faces = [];
  while (faces.length < count) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 252) faces.push((byte % 6) + 1); // 252 is the last multiple of 6: no face is likelier
  }
  return faces;
}
