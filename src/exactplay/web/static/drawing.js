// A drawing of the server (exactplay.render) on a page: parts that can be chosen, by click, tap or keyboard.

const PART = '[role="button"]';

/** What a part is: its data- attributes as one text, by which it is found again in the next drawing. */
const name = (part) => JSON.stringify(part.dataset);

/** Its first data- attribute says which part it is, the others in what state. */
const which = (part) => JSON.stringify(Object.entries(part.dataset)[0]);

/**
 * <xp-drawing>: property `markup` (SVG text). Of the parts with role="button" one is in the tab order and the arrow
 * keys move between them; a chosen part is told by the event `pick`, whose `detail` holds its data- attributes.
 * A new drawing keeps the focus on the same part.
 */
class Drawing extends HTMLElement {
  #markup = "";

  connectedCallback() {
    this.addEventListener("click", (event) => this.#pick(event.target.closest?.(PART), event));
    this.addEventListener("keydown", (event) => {
      const part = event.target.closest?.(PART);
      if (!part) return;
      if (event.key === "Enter" || event.key === " ") this.#pick(part, event);
      else if (event.key.startsWith("Arrow")) this.#move(part, event);
    });
  }

  get markup() {
    return this.#markup;
  }

  set markup(text) {
    if (text === this.#markup) return;
    this.#markup = text;
    const focused = this.contains(document.activeElement) ? document.activeElement.closest(PART) : null;
    const before = this.querySelector(`${PART}[tabindex="0"]`);
    const drawn = text ? [new DOMParser().parseFromString(text, "image/svg+xml").documentElement] : [];
    this.replaceChildren(...drawn);
    const parts = [...this.querySelectorAll(PART)];
    const again = before && (parts.find((part) => name(part) === name(before)) ?? parts.find((part) => which(part) === which(before)));
    const first = again ?? parts[0];
    first?.setAttribute("tabindex", "0");
    if (focused) first?.focus();
  }

  #pick(part, event) {
    if (!part) return;
    event.preventDefault();
    this.#enter(part);
    this.dispatchEvent(new CustomEvent("pick", { detail: { ...part.dataset }, bubbles: true }));
  }

  #enter(part) {
    for (const other of this.querySelectorAll(`${PART}[tabindex="0"]`)) other.setAttribute("tabindex", "-1");
    part.setAttribute("tabindex", "0");
  }

  /** To the nearest part in the direction of the key; what lies off the line counts double. */
  #move(from, event) {
    event.preventDefault();
    const across = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const sign = event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 1;
    const middle = (part) => {
      const box = part.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let nearest = null, least = Infinity;
    for (const part of this.querySelectorAll(PART)) {
      const [a, b] = middle(part);
      const along = sign * (across ? a - x : b - y), off = Math.abs(across ? b - y : a - x);
      if (along > 1 && along + 2 * off < least) [nearest, least] = [part, along + 2 * off];
    }
    if (nearest) {
      this.#enter(nearest);
      nearest.focus();
    }
  }
}

customElements.define("xp-drawing", Drawing);
