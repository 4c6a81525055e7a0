// The sheet that lies on the table: typed in or painted box by box, checked, saved as TOML, solved.
import { ask, attempt, post, Refusal, report } from "./api.js";
import { download } from "./store.js";
import { drawing, html, jobPanel, live, nothing, number } from "./ui.js";

const GAME = "winston84", KEPT = "exactplay winston84 sheet";
const BRUSHES = { ".": "plain", R: "Red", G: "Green", B: "Blue", W: "White", Y: "Yellow", P: "Purple", o: "Maximum Security" };
const TRACKS = {
  golden_country: "Golden Country: points by boxes marked, from 1 up",
  big_brother: "Big Brother: points by boxes marked, from 0 up",
  rounds: "Rounds: points for R0 to R8, nine numbers",
};

// JSON's escapes are TOML's, but TOML wants DEL escaped as well.
const quoted = (text) => JSON.stringify(text).replaceAll("\x7f", "\\u007f");

function points(field, text) {
  const entries = text.split(/[\s,;]+/).filter(Boolean);
  const wrong = entries.find((entry) => !/^[+-]?\d+$/.test(entry));
  if (wrong !== undefined) throw new Refusal(422, `${TRACKS[field].split(":")[0]}: "${wrong}" is not a whole number`);
  return entries.map((entry) => String(BigInt(entry.replace("+", "")))).join(", ");
}

const toml = (fields) => `[sheet]
name = ${quoted(fields.name)}
provenance = ${quoted(fields.provenance)}
notes = ${quoted(fields.notes)}
route = ${quoted(fields.route)}
detour = { after = ${fields.after}, skip = ${fields.skip}, boxes = ${quoted(fields.boxes)} }
${Object.keys(TRACKS).map((field) => `${field} = [${points(field, fields[field])}]`).join("\n")}
`;

/** The text of the sheet that was edited last in this browser, or null. */
export function keptSheet() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export class SheetEditor {
  fields = null;
  checked = null; // the server's answer to the fields as they stand; null where they are no sheet
  brush = ".";
  levels = [1];
  job = null;
  running = null;
  solved = null;
  #picture = "";
  #detoured = "";
  #asked = 0;

  /** `draw()` draws the page again, `play(toml, level)` begins a game, `narrow()` tells whether the screen is. */
  constructor({ draw, play, narrow, rules }) {
    Object.assign(this, { draw, play, narrow, rules });
  }

  /** Put a sheet into the form: TOML text, or the name of the shipped one. */
  async open(text) {
    const read = await post(`${GAME}/sheet`, { sheet: text });
    const { after, skip, boxes } = read.detour;
    // Whatever it becomes, it will not be the shipped sheet.
    this.fields = { name: text === "reference" ? "my sheet" : read.sheet, provenance: read.provenance, notes: read.notes, route: read.route, after, skip, boxes };
    for (const track of Object.keys(TRACKS)) this.fields[track] = read[track].join(", ");
    this.solved = null;
    await this.check();
  }

  /** Ask the server what it thinks of the fields; keep them where they are a sheet. */
  async check() {
    const mine = ++this.#asked;
    try {
      const sheet = toml(this.fields);
      const drawn = (difficulty) => post(`${GAME}/draw`, { sheet, difficulty, interactive: true, dice: false, narrow: this.narrow() });
      const [read, picture, detoured] = await Promise.all([post(`${GAME}/sheet`, { sheet }), drawn(1), drawn(5)]);
      if (mine !== this.#asked) return;
      [this.checked, this.#picture, this.#detoured] = [read, picture, detoured];
      report(null);
      try {
        localStorage.setItem(KEPT, read.toml);
      } catch {
        // Storage may be full or forbidden; the file can still be saved.
      }
    } catch (error) {
      if (mine === this.#asked) {
        this.checked = null;
        report(error);
      }
    } finally {
      this.draw();
    }
  }

  edit(part) {
    Object.assign(this.fields, part);
    this.solved = null;
    return this.check();
  }

  paint({ box, detour }) {
    const [field, place] = box ? ["route", Number(box)] : ["boxes", Number(detour)];
    const boxes = this.fields[field];
    this.edit({ [field]: boxes.slice(0, place - 1) + this.brush + boxes.slice(place) });
  }

  solve() {
    return attempt(async () => {
      this.solved = null;
      this.running = ask(`${GAME}/solve`, { sheet: this.checked.toml, difficulty: this.levels, objective: ["score", "win"], rules: this.rules() },
        (job) => { this.job = job; this.draw(); });
      try {
        this.solved = await this.running.answer;
      } finally {
        this.job = null;
        this.draw();
      }
    });
  }

  view(close) {
    const fields = this.fields;
    if (!fields) return nothing;
    const text = (name, label, wide = true) => html`<label class=${wide ? "wide" : ""}>${label}
      <input name=${name} autocomplete="off" spellcheck="false" .value=${fields[name]} @change=${(event) => this.edit({ [name]: event.target.value })}></label>`;
    const count = (name, label) => html`<label>${label} <input type="number" min="0" max="1000" name=${name} .value=${String(fields[name])}
      @change=${(event) => this.edit({ [name]: Math.max(0, Math.trunc(event.target.valueAsNumber) || 0) })}></label>`;
    const boxes = (name, label) => html`<label class="wide">${label}, ${fields[name].length} boxes
      <textarea name=${name} rows="3" autocomplete="off" spellcheck="false" .value=${fields[name]}
        @change=${(event) => this.edit({ [name]: event.target.value.replaceAll(/\s/g, "") })}></textarea></label>`;
    return html`<section class="editor" aria-label="Sheet editor">
      <h2>The sheet on your table</h2>
      <p>The shipped sheet is a reconstruction. Put in what is printed on yours, save it, solve it once, and play on it.</p>
      <div class="row">
        <label>Open a TOML file <input type="file" name="toml" accept=".toml,text/plain" @change=${(event) => this.#read(event)}></label>
        <button type="button" @click=${() => attempt(() => this.open("reference"))}>Begin with the reconstruction</button>
        <button type="button" @click=${close}>Back to the game</button>
      </div>
      <div class="two">
        <div>
          ${text("name", "Name")}
          <fieldset><legend>Where these boxes and points come from</legend>
            <label class="choice"><input type="radio" name="provenance" .checked=${live(fields.provenance === "measured")} @change=${() => this.edit({ provenance: "measured" })}>
              <span>Measured: read off the printed sheet</span></label>
            <label class="choice"><input type="radio" name="provenance" .checked=${live(fields.provenance === "reconstruction")} @change=${() => this.edit({ provenance: "reconstruction" })}>
              <span>Reconstruction: not (wholly) the printed sheet</span></label>
          </fieldset>
          ${boxes("route", "Route")}
          <p class="source">One sign a box: . plain, R G B W Y P a Control Zone, o Maximum Security.</p>
          <fieldset><legend>Detour by Mr. Charrington's house</legend>
            <div class="row">${count("after", "After box")} ${count("skip", "in place of so many boxes")}</div>
            ${boxes("boxes", "Detour")}
          </fieldset>
          ${Object.entries(TRACKS).map(([track, label]) => text(track, label))}
          <label class="wide">Notes <textarea name="notes" rows="2" .value=${fields.notes} @change=${(event) => this.edit({ notes: event.target.value })}></textarea></label>
        </div>
        <div>
          <fieldset class="brushes"><legend>Paint: choose, then click boxes</legend>
            ${Object.entries(BRUSHES).map(([sign, name]) => html`<label class="choice"><input type="radio" name="brush" .checked=${live(this.brush === sign)}
              @change=${() => { this.brush = sign; this.draw(); }}><span><code>${sign}</code> ${name}</span></label>`)}
          </fieldset>
          ${drawing(this.#picture, (part) => this.paint(part))}
          <details class="options"><summary>With the detour (x4, x5)</summary>${drawing(this.#detoured)}</details>
        </div>
      </div>
      ${(this.checked?.doubts ?? []).map((doubt) => html`<p class="note">${doubt}</p>`)}
      <fieldset><legend>Solve for</legend>
        <div class="row">${[1, 2, 3, 4, 5].map((level) => html`<label><input type="checkbox" name=${`x${level}`} .checked=${live(this.levels.includes(level))}
          @change=${(event) => { this.levels = event.target.checked ? [...this.levels, level].sort() : this.levels.filter((one) => one !== level); this.draw(); }}> x${level}</label>`)}</div>
      </fieldset>
      <div class="row">
        <button type="button" class="main" ?disabled=${!this.checked || !this.levels.length || this.job} @click=${() => this.solve()}>Solve</button>
        <button type="button" ?disabled=${!this.checked} @click=${() => download(`${fields.name.replaceAll(/[^\w-]+/g, "-")}.toml`, this.checked.toml, "application/toml")}>Save as TOML</button>
      </div>
      ${jobPanel(this.job, () => attempt(() => this.running.cancel()))}
      ${this.solved ? this.#values() : nothing}
    </section>`;
  }

  async #read(event) {
    const [file] = event.target.files;
    if (file) await attempt(async () => this.open(await file.text()));
    event.target.value = "";
  }

  #values() {
    return html`<table class="solved"><caption>A new game under best play (exact${this.solved.provenance === "reconstruction" ? ", on a reconstruction" : ""})</caption>
      <thead><tr><th scope="col">Difficulty</th><th scope="col">Most points</th><th scope="col">Winning</th><th scope="col"><span class="hidden">Play</span></th></tr></thead>
      <tbody>${Object.entries(this.solved.values).map(([level, values]) => html`<tr><th scope="row">x${level}</th>
        <td class="number">${number(values.score)} points</td><td class="number">${number(100 * values.win)} %</td>
        <td><button type="button" @click=${() => this.play(this.checked.toml, Number(level))}>Play x${level}</button></td></tr>`)}</tbody></table>`;
  }
}
