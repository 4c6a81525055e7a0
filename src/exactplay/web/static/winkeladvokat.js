import { ask, attempt, get, post } from "./api.js";
import { load, save } from "./store.js";
import { drawing, html, jobPanel, nothing, optionsForm, render, resultPanel } from "./ui.js";

const GAME = "winkeladvokat";
const state = load(GAME, { position: "start", size: 4, players: 2, rules: {}, played: [] });
let options = [], shown = null, board = "", job = null, answer = null, running = null;

const question = () => ({ position: state.position, size: state.size, players: state.players, rules: state.rules, played: state.played });

async function refresh() {
  await attempt(async () => {
    [shown, board] = await Promise.all([post(`${GAME}/moves`, question()), post(`${GAME}/draw`, question())]);
    save(GAME, state);
  });
  draw();
}

async function solve(kind) {
  answer = null;
  running = ask(`${GAME}/${kind}`, question(), (now) => { job = now; draw(); });
  const found = await attempt(() => running.answer);
  answer = found ?? job?.partial ?? null;
  job = null;
  draw();
}

function change(part) {
  Object.assign(state, part);
  answer = null;
  refresh();
}

function draw() {
  render(html`
    <label>Position <input class="position" .value=${state.position} @change=${(event) => change({ position: event.target.value.trim(), played: [] })}></label>
    <div class="row">
      <label>Squares along an edge <input type="number" min="3" max="8" .value=${String(state.size)}
        @change=${(event) => change({ size: Number(event.target.value), position: "start", played: [] })}></label>
      <button type="button" class="main" @click=${() => solve("solve")}>Solve</button>
      <button type="button" @click=${() => solve("analyse")}>Analyse</button>
      <button type="button" ?disabled=${!state.played.length} @click=${() => change({ played: state.played.slice(0, -1) })}>Undo</button>
    </div>
    ${optionsForm(options, state.rules, (rules) => change({ rules, played: [] }))}
    ${drawing(board)}
    ${shown ? html`<p><code>${shown.position}</code> ${shown.over ? shown.result : `${shown.to_move} to move`}</p>
      <div class="row">${shown.moves.map((move) => html`<button type="button" @click=${() => change({ played: [...state.played, move] })}>${move}</button>`)}</div>` : nothing}
    ${jobPanel(job, () => attempt(() => running.cancel()))}
    ${answer ? resultPanel(answer) : nothing}`, document.getElementById("app"));
}

await attempt(async () => { options = await get(`${GAME}/rules`); });
await refresh();
