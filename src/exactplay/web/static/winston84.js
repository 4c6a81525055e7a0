import { ask, attempt, get, post, Refusal, report } from "./api.js";
import { download, load, onAddress, save, share } from "./store.js";
import { bar, drawing, html, jobPanel, live, nothing, number, render, repeat } from "./ui.js";
import { diceRow, faces, thrown } from "./winston84_dice.js";
import { placeOf, placeText, setupForm } from "./winston84_setup.js";
import { keptSheet, SheetEditor } from "./winston84_sheet.js";

const GAME = "winston84";
const FIRST = { sheet: "reference", difficulty: 1, objective: "score", rules: {}, start: null, steps: [] };
const narrow = matchMedia("(max-width: 40rem)");

let game = adopted(load(GAME, FIRST)); // what is kept: the questions' fields, nothing else
let shown = null; // the server's answer to it
let picture = "", chart = "", stale = false, compared = null; // stale: the chart is of the step before
let options = [], referenceText = null, sheets = [];
let entry = {}, at = null; // the faces put in so far, and the die whose face is put in next
let view = "play", draft = null, before = null, said = "", job = null, running = null;
let asked = 0, charting = false, byKey = false;

const editor = new SheetEditor({
  draw,
  narrow: () => narrow.matches,
  rules: () => game.rules,
  play: (sheet, difficulty) => begin({ ...FIRST, sheet, difficulty, objective: game.objective, rules: game.rules }),
});

/** Of what an address or a file holds, what a game has. */
function adopted(state) {
  const fits = (value, usual) => (usual === null ? typeof value === "string" : value !== null && typeof value === typeof usual);
  const kept = Object.entries(FIRST).map(([key, usual]) => [key, fits(state[key], usual) ? state[key] : usual]);
  const found = Object.fromEntries(kept);
  return { ...found, steps: Array.isArray(found.steps) ? found.steps : [] };
}

const points = () => game.objective === "score";
const show = (value) => (points() ? `${number(value)} points` : `${number(100 * value)} %`);
const goal = () => (points() ? "expected final score" : game.objective === "win" ? "probability to win" : `probability of ${threshold()} points or more`);
const threshold = () => Number(game.objective.split(":")[1] ?? 0);
const turn = () => shown?.turn;
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The dice whose faces may be put in: those to roll, or those of the roll just made, so that it can be put right. */
function open() {
  if (turn()?.waiting_for === "roll") return turn().dice;
  const last = game.steps.at(-1);
  return turn()?.waiting_for === "decision" && rolled(last) ? Object.keys(rolled(last)) : [];
}

/** The faces of a step that is a roll, else null. */
function rolled(step) {
  return step && /\d/.test(step) ? Object.fromEntries(step.split(" ").map((die) => [die[0], Number(die[1])])) : null;
}

/** Run what a click does; of several that overlap only the last may change the page or complain. */
async function last(action) {
  const mine = ++asked;
  if (job) running.cancel(); // nobody waits for it any more
  report(null);
  try {
    return await action(() => mine === asked);
  } catch (error) {
    if (mine === asked) report(error);
    return false;
  } finally {
    draw();
  }
}

/** Ask the server for the game after these steps and one more, and show it; true if it has come to that. */
function go(state, step = null) {
  return last(async (isLast) => {
    const question = { ...state, step };
    const both = () => Promise.all([
      post(`${GAME}/play`, question),
      post(`${GAME}/draw`, { ...question, dice: false, narrow: narrow.matches }),
    ]);
    let answers;
    try {
      answers = await both();
    } catch (refusal) {
      if (refusal.status !== 409) throw refusal;
      await solve(state);
      answers = await both();
    }
    if (!isLast()) return false;
    view = "play";
    const again = JSON.stringify(game.steps) === JSON.stringify(answers[0].record.moves);
    [shown, picture] = answers;
    game = { ...state, steps: shown.record.moves };
    entry = (turn().waiting_for === "decision" && rolled(game.steps.at(-1))) || {};
    at = turn().waiting_for === "roll" ? turn().dice[0] : again ? at : null;
    compared = turn().best?.[0] ?? null;
    save(GAME, game);
    draw();
    if (step !== null) follow();
    forecast();
    return true;
  });
}

async function solve({ sheet, rules, difficulty, objective }) {
  running = ask(`${GAME}/solve`, { sheet, rules, difficulty: [difficulty], objective: [objective] }, (now) => { job = now; draw(); });
  await running.answer.finally(() => { job = null; draw(); });
}

/** The exact distribution of the final score: as the game stands, and after the decision that is looked at. */
async function forecast() {
  stale = true;
  draw();
  if (charting) return; // the first one of a game takes its time: what is wanted by then is asked next
  charting = true;
  while (stale && turn().waiting_for !== "end") {
    const wanted = { ...game, decision: compared, narrow: narrow.matches };
    try {
      chart = (await post(`${GAME}/forecast`, wanted)).svg;
    } catch (error) {
      chart = "";
      if (wanted.steps === game.steps) report(error);
    }
    stale = wanted.steps !== game.steps || wanted.decision !== compared || wanted.narrow !== narrow.matches;
    draw();
  }
  charting = false;
}

function compare(decision) {
  if (!decision || decision === compared) return;
  compared = decision;
  forecast();
}

/** After a step made by keyboard the focus goes to what is due. */
function follow() {
  if (!byKey) return;
  const due = document.querySelector(turn().waiting_for === "roll" ? `[data-die="${at}"]` : "#due");
  due?.focus();
}

const step = (text) => { before = null; said = ""; return go(game, text); };
const undo = () => { said = ""; return go({ ...game, steps: game.steps.slice(0, -1) }); };

/** A face is put in; when the last one is there, the roll is made. */
function set(letter, face, moveOn) {
  const dice = open();
  if (!dice.includes(letter)) return;
  entry = { ...entry, [letter]: face };
  if (face === 0) delete entry[letter];
  const missing = dice.find((die) => !entry[die]);
  if (moveOn) at = dice[dice.indexOf(letter) + 1] ?? missing ?? dice[0];
  else at = letter;
  draw();
  if (moveOn && byKey) document.querySelector(`[data-die="${at}"]`)?.focus();
  if (missing) return;
  const steps = turn().waiting_for === "roll" ? game.steps : game.steps.slice(0, -1);
  go({ ...game, steps }, dice.map((die) => `${die}${entry[die]}`).join(" "));
}

function roll() {
  const dice = turn().dice, thrownFaces = thrown(dice.length);
  step(dice.map((die, i) => `${die}${thrownFaces[i]}`).join(" "));
}

/** Another game takes the place of this one, which can be had back. */
async function begin(state) {
  const old = game;
  if (await go(adopted(state))) before = old.steps.length ? old : null;
  draw();
}

function setup() {
  view = "setup";
  draft = { sheet: game.sheet, difficulty: game.difficulty, rules: game.rules, joined: game.start !== null, place: placeOf(game.start) };
  const kept = keptSheet();
  sheets = [{ text: "reference", name: "reference (reconstruction)" }];
  if (kept) sheets.push({ text: kept, name: `${nameOf(kept)} (own sheet)` });
  if (!sheets.some((one) => one.text === game.sheet)) sheets.push({ text: game.sheet, name: `${nameOf(game.sheet)} (of this game)` });
  change({});
}

/** The name in a sheet's file as the server writes it. */
const nameOf = (text) => JSON.parse(/^name = (".*")$/m.exec(text)?.[1] ?? '"?"');

/** The draft of a new game changes; the drawing shows where it would stand. */
function change(part) {
  draft = { ...draft, ...part };
  draw();
  return last(async (isLast) => {
    const drawn = await post(`${GAME}/draw`, { ...drafted(), dice: false, narrow: narrow.matches, interactive: draft.joined });
    if (isLast()) picture = drawn;
  });
}

function drafted() {
  const { sheet, difficulty, rules, joined, place } = draft;
  const eye = difficulty === 3 || difficulty === 5;
  const round = Math.max(place.round, difficulty === 1 ? 0 : 1);
  return { ...FIRST, sheet, difficulty, rules, objective: game.objective, start: joined ? placeText({ ...place, round, fresh: place.fresh && eye }) : null };
}

const back = () => go(game);

async function edit() {
  view = "sheet";
  draw();
  await attempt(() => editor.open(keptSheet() ?? game.sheet));
}

async function opened(event) {
  const [file] = event.target.files;
  if (!file) return;
  event.target.value = "";
  await attempt(async () => {
    let record;
    try {
      record = JSON.parse(await file.text());
    } catch {
      record = null;
    }
    if (record?.game !== GAME || typeof record.setup?.sheet !== "string" || !Array.isArray(record.moves)) {
      throw new Refusal(422, `${file.name} is no saved game of Winston 1984; open a file that this page or the coach has written`);
    }
    const { sheet, difficulty, rules, objective, place } = record.setup;
    referenceText ??= (await post(`${GAME}/sheet`, { sheet: "reference" })).toml;
    await begin({ sheet: sheet === referenceText ? "reference" : sheet, difficulty, rules, objective, start: place, steps: record.moves });
  });
}

const reconstruction = () => html`<p class="reconstruction" role="note"><strong>Reconstruction.</strong> This sheet is not the printed one: what is
  worked out here is exact for it, and does not hold for the sheet in the box.</p>`;

function aim(kind, least = threshold() || 500) {
  said = "";
  go({ ...game, objective: kind === "at-least" ? `at-least:${least}` : kind });
}

function tools() {
  const kind = game.objective.split(":")[0];
  return html`<div class="row tools">
    <label>Play for <select name="objective" @change=${(event) => aim(event.target.value)}>
      <option value="score" .selected=${live(kind === "score")}>most points on average</option>
      <option value="win" .selected=${live(kind === "win")}>reaching the Golden Country</option>
      <option value="at-least" .selected=${live(kind === "at-least")}>at least so many points</option></select></label>
    ${kind === "at-least" ? html`<label>Points <input type="number" name="threshold" min="1" .value=${String(threshold())}
      @change=${(event) => aim("at-least", Math.max(1, Math.trunc(event.target.valueAsNumber) || 1))}></label>` : nothing}
    <button type="button" id="undo" ?disabled=${!game.steps.length} @click=${undo}>Undo</button>
    <button type="button" @click=${setup}>New game…</button>
    <button type="button" @click=${edit}>Own sheet…</button>
    ${before ? html`<button type="button" @click=${() => { const old = before; before = null; go(old); }}>Back to the game before</button>` : nothing}
  </div>`;
}

function due() {
  const now = turn();
  if (now.waiting_for === "end") {
    return html`<div class="due"><p class="verdict final">Final score: <output>${now.score}</output></p>
      <button type="button" class="main" id="due" @click=${() => begin({ ...game, start: null, steps: [] })}>Play again</button></div>`;
  }
  if (now.waiting_for === "roll") {
    const again = shown.lying.some((die) => die.status === "placed" || die.status === "room101") || now.dice.length < shown.lying.filter((die) => die.status === "available").length;
    return html`<div class="due">
      ${faces(at, nameOfDie(at), (face) => set(at, face, true))}
      <div class="row"><p class="verdict">${again ? "Before this round" : "Before the roll"}: <output>${show(now.before_roll)} (exact)</output></p>
        <button type="button" id="due" @click=${roll}>Roll for me</button></div></div>`;
  }
  const best = now.best[0], ways = now.plan.length;
  return html`<div class="due">
    <button type="button" class="main advice" id="due" data-decision=${best} @click=${() => step(best)}>${capital(wordsOf(best))}</button>
    <p class="verdict">${capital(goal())}: <output>${show(now.decisions[best])} (exact)</output>
      ${now.before_roll === null ? nothing : html`<span class="source">before the roll ${show(now.before_roll)} (exact)</span>`}</p>
    ${now.best.length > 1 ? html`<p class="source">${now.best.length === shown.legal.length ? "Every decision is as good"
      : `Just as good: ${now.best.slice(1).join(", ")}`}.</p>` : nothing}
    ${ways > 1 ? html`<div class="row"><p>Then ${shown.plan.slice(1).join("; then ")}.</p>
      <button type="button" @click=${() => step(now.plan.join(" "))}>Do all ${ways}</button></div>` : nothing}
  </div>`;
}

const nameOfDie = (letter) => shown.lying.find((die) => die.die === letter)?.name ?? "";
const wordsOf = (decision) => shown.legal.find((one) => one.decision === decision)?.words ?? decision;

/** Every legal decision, best first as the answer has them: what the hands do, its value as a number and as a bar. */
function decisions({ decisions, best }) {
  const rows = Object.entries(decisions);
  const high = rows[0][1], low = rows.at(-1)[1];
  const watched = (event) => compare(event.target.closest("[data-move]")?.dataset.move);
  return html`<h2 id="decisions">Every decision and the ${goal()} after it (exact)</h2>
    <ol class="decisions" aria-labelledby="decisions" @focusin=${watched} @pointermove=${watched}>
      ${repeat(rows, ([text]) => text, ([text, value]) => html`<li><button type="button" data-move=${text} class=${best.includes(text) ? "best" : ""} @click=${() => step(text)}>
        <span class="words"><code>${text}</code> ${wordsOf(text)}</span>
        <span class="number">${show(value)} ${best.includes(text) ? html`<strong>best</strong>` : nothing}</span>
        ${shared(value, low, high, best.includes(text))}</button></li>`)}
    </ol>`;
}

const shared = (value, low, high, isBest) => bar(high > low ? 0.05 + 0.95 * (value - low) / (high - low) : 1, isBest);

function play() {
  const now = turn();
  const { round, box, marks } = shown.place;
  const best = now.best?.[0] ?? "";
  return html`<div class="two table" data-steps=${game.steps.length}>
    <div>
      <div aria-live="polite">
        ${now.waiting_for === "end" ? nothing : html`<p class="where"><strong>R${round}</strong>, last box <strong>${box}</strong>, Big Brother <strong>${marks}</strong>, x${game.difficulty}</p>`}
        ${shown.words.map((line) => html`<p class="told">${line}</p>`)}
        ${best ? html`<p class="hidden">Best: ${wordsOf(best)}.</p>` : nothing}
      </div>
      ${diceRow({ lying: shown.lying, open: open(), entry, at: now.waiting_for === "roll" ? at : null, best: best.replace("-", "")[0] ?? "", targets: best.slice(1).replace(/[^RGBWYP]/g, ""), set,
        look: (letter) => { if (at !== letter) { at = letter; draw(); } } })}
      ${due()}
      ${now.waiting_for === "decision" ? decisions(now) : nothing}
    </div>
    <div>
      ${drawing(picture)}
      ${now.waiting_for === "end" ? nothing : html`<figure class=${stale ? "chart stale" : "chart"} aria-busy=${stale}>
        ${now.waiting_for === "decision" ? html`<figcaption><label>After <select name="compared" @change=${(event) => compare(event.target.value)}>
          ${shown.legal.map((one) => html`<option value=${one.decision} .selected=${live(one.decision === compared)}>${one.decision}: ${one.words}</option>`)}
        </select></label></figcaption>` : nothing}
        ${chart ? drawing(chart) : html`<p role="status">The distribution of the final score is being computed…</p>`}</figure>`}
    </div>
  </div>
  ${Object.keys(game.rules).length ? html`<p class="note">Rules: ${Object.entries(game.rules).map(([name, value]) => `${name.replaceAll("_", " ")}: ${value}`).join(", ")}</p>` : nothing}
  <div class="row">
    <button type="button" @click=${() => attempt(async () => { said = await share(GAME, game); draw(); })}>Share</button>
    <button type="button" @click=${() => download("winston84.json", shown.record)}>Download</button>
    <label>Open a record <input type="file" name="record" accept=".json,application/json" @change=${opened}></label>
  </div>
  <p role="status" class="line">${said}</p>`;
}

function draw() {
  const reconstructed = view === "sheet" ? editor.fields?.provenance === "reconstruction" : shown?.turn.provenance === "reconstruction";
  render(html`
    ${reconstructed ? reconstruction() : nothing}
    ${view === "play" ? tools() : nothing}
    ${jobPanel(job, () => attempt(() => running.cancel()))}
    ${view === "play" && shown ? play() : nothing}
    ${view === "setup" ? html`<div class="two">${setupForm({ draft, sheets, options, change, begin: () => begin(drafted()), close: back })}
      <div>${drawing(picture, ({ box }) => box && change({ place: { ...draft.place, box: Number(box) } }))}</div></div>` : nothing}
    ${view === "sheet" ? editor.view(back) : nothing}`, document.getElementById("app"));
}

addEventListener("keydown", () => { byKey = true; }, true);
addEventListener("pointerdown", () => { byKey = false; }, true);
narrow.addEventListener("change", () => { if (view === "play") go(game); });
onAddress((state) => go(adopted(state)));

await Promise.all([go(game), attempt(async () => { ({ options } = await get(`${GAME}/rules`)); })]);
