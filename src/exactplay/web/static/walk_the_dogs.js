import { attempt, post, ask } from "./api.js";
import { load, save } from "./store.js";
import { drawing, html, jobPanel, nothing, render, resultPanel } from "./ui.js";

const GAME = "walk_the_dogs";
const state = load(GAME, { position: "", rules: {} });
let shown = null, table = "", job = null, answer = null, running = null;

const question = () => ({ position: state.position, rules: state.rules });

async function change(position) {
  state.position = position;
  answer = null;
  await attempt(async () => {
    [shown, table] = await Promise.all([post(`${GAME}/moves`, question()), post(`${GAME}/draw`, question())]);
    save(GAME, state);
  });
  draw();
}

async function long(kind) {
  running = ask(`${GAME}/${kind}`, question(), (now) => { job = now; draw(); });
  answer = (await attempt(() => running.answer)) ?? job?.partial ?? null;
  job = null;
  draw();
}

function draw() {
  render(html`
    <label>Position <input class="position" .value=${state.position} @change=${(event) => change(event.target.value.trim())}></label>
    <div class="row">
      <button type="button" class="main" @click=${() => long("advise")}>Advise</button>
      <button type="button" @click=${() => long("solve")}>Solve</button>
    </div>
    ${drawing(table)}
    ${shown ? html`<p>Legal moves: ${shown.moves.join(", ") || "none"}</p>` : nothing}
    ${jobPanel(job, () => attempt(() => running.cancel()))}
    ${answer ? resultPanel(answer) : nothing}`, document.getElementById("app"));
}

draw();
if (state.position) await change(state.position);
