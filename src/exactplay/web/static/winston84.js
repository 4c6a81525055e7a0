import { ask, attempt, get, post } from "./api.js";
import { download, load, save } from "./store.js";
import { drawing, html, jobPanel, nothing, number, optionsForm, render, resultPanel } from "./ui.js";

const GAME = "winston84";
const state = load(GAME, { sheet: "reference", difficulty: 1, objective: "score", rules: {}, steps: [] });
let choices = { options: [], difficulties: [1, 2, 3, 4, 5] };
let shown = null, sheet = "", job = null, running = null;

const show = (value) => (state.objective === "score" ? `${number(value)} points` : `${number(100 * value)} %`);

async function play(step) {
  await attempt(async () => {
    try {
      shown = await post(`${GAME}/play`, { ...state, step });
    } catch (refusal) {
      if (refusal.status !== 409) throw refusal;
      await solve();
      shown = await post(`${GAME}/play`, { ...state, step });
    }
    state.steps = shown.record.moves;
    sheet = await post(`${GAME}/draw`, { ...state, interactive: true });
    save(GAME, state);
  });
  draw();
}

async function solve() {
  const { sheet, rules, difficulty, objective } = state;
  running = ask(`${GAME}/solve`, { sheet, rules, difficulty: [difficulty], objective: [objective] }, (now) => { job = now; draw(); });
  await running.answer.finally(() => { job = null; });
}

function change(part) {
  Object.assign(state, part);
  play(null);
}

/** A click on a die places it, where only one decision begins with it. */
function place({ die }) {
  const own = shown.legal.filter((one) => die && one.decision.startsWith(die[0].toUpperCase()));
  if (own.length === 1) play(own[0].decision);
}

function due(turn) {
  if (turn.waiting_for === "end") return html`<p class="verdict">Final score <output>${turn.score}</output></p>`;
  if (turn.waiting_for === "roll") {
    return html`<form class="row" @submit=${(event) => { event.preventDefault(); play(event.target.elements.roll.value); event.target.reset(); }}>
      <label>Roll of ${turn.dice.join(" ")} <input name="roll" inputmode="numeric" autocomplete="off" required></label>
      <button class="main">Roll</button></form>
      <p class="verdict">Before the roll: <output>${show(turn.before_roll)} (exact)</output></p>`;
  }
  const words = Object.fromEntries(shown.legal.map((one) => [one.decision, one.words]));
  return resultPanel(turn, { show, words: (text) => words[text], choose: play, caption: "Decisions" });
}

function draw() {
  render(html`
    <div class="row">
      <label>Difficulty <select @change=${(event) => change({ difficulty: choices.difficulties[event.target.selectedIndex], steps: [] })}>
        ${choices.difficulties.map((level) => html`<option ?selected=${level === state.difficulty}>${level}</option>`)}</select></label>
      <label>Objective <input .value=${state.objective} @change=${(event) => change({ objective: event.target.value.trim() })}></label>
      <button type="button" ?disabled=${!state.steps.length} @click=${() => change({ steps: state.steps.slice(0, -1) })}>Undo</button>
      <button type="button" @click=${() => change({ steps: [] })}>New game</button>
      <button type="button" ?disabled=${!shown} @click=${() => download("winston84.json", shown.record)}>Download</button>
    </div>
    ${optionsForm(choices.options, state.rules, (rules) => change({ rules, steps: [] }))}
    ${jobPanel(job, () => attempt(() => running.cancel()))}
    ${shown ? html`${shown.words.map((line) => html`<p>${line}</p>`)}
      <p>R${shown.place.round}, box ${shown.place.box}, Big Brother ${shown.place.marks}${shown.dice ? html`, dice <code>${shown.dice}</code>` : nothing}</p>
      ${due(shown.turn)} ${drawing(sheet, place)}` : nothing}`, document.getElementById("app"));
}

await attempt(async () => { choices = await get(`${GAME}/rules`); });
await play(null);
