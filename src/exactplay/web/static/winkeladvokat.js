import { Refusal, ask, attempt, get, post, report } from "./api.js";
import { download, load, onAddress, save, share } from "./store.js";
import { drawing, html, jobPanel, nothing, optionsForm, render, verdict } from "./ui.js";
import { answerPanel, show } from "./winkeladvokat_answer.js";
import { ARTICLES, COLOURS, LAWYERS, place, put, read, squaresOf, steps, write } from "./winkeladvokat_position.js";
import { hint, keepingPanel, movesPanel, newGamePanel, seatsPanel, solverPanel } from "./winkeladvokat_panels.js";
import { fromRecord, toRecord } from "./winkeladvokat_record.js";
import { CLEAR, NUMBER, setupPanel } from "./winkeladvokat_setup.js";

const GAME = "winkeladvokat";
const FIRST = { position: "start", size: 8, players: 2, rules: {}, values: null, played: [], engine: "", seconds: 2 };

let state = FIRST, options = [];
let shown = null, board = "";          // what the server says of the position: its data and its drawing
let chosen = [];                       // the squares of a move chosen so far
let undone = [], edits = [];           // moves taken back, and states before a change that was no move
let job = null, running = null, answer = null, said = "";
let arrows = 3, thinking = false, paused = false;
let setup = false, tool = "b", number = 10;
let want = { moves: "best", seconds: 30 };

const question = (of = state) => ({
  position: of.position, rules: of.rules, values: of.values, played: of.played,
  ...(of.position === "start" ? { size: of.size, players: of.players } : {}),
});
const parts = () => read(shown.position);
const turn = () => parts().turn;
const players = () => shown.supply.length;
const byEngine = (player) => state.engine.includes(ARTICLES[player]);
const engineMoves = () => !setup && !shown.over && byEngine(turn());
/** Whose move the one after so many was; players take turns without exception. */
const mover = (ply) => (turn() - (state.played.length - ply) % players() + players()) % players();

/** A state from a link, a record or this browser: what is missing or of another kind is as at first. */
function clean(from) {
  const next = { ...FIRST };
  for (const [name, usual] of Object.entries(FIRST)) {
    if (name in from && (typeof from[name] === typeof usual || name === "values")) next[name] = from[name];
  }
  next.engine = [...ARTICLES].filter((letter) => next.engine.includes(letter)).join("");
  if (!(next.seconds >= 0.1 && next.seconds <= 600)) next.seconds = FIRST.seconds;
  return next;
}

// ---- the board

/** The arrows on the board: what the solver thinks, while no move is being chosen. */
const line = () => (!answer || setup || thinking || chosen.length ? [] : answer.pv.length ? answer.pv.slice(0, arrows) : answer.best.slice(0, 1));

/** The squares that can be chosen now, and on each the value of the move that it ends. */
function lights() {
  if (setup || shown.over || byEngine(turn())) return { highlight: [], notes: {} };
  const notes = {}, { next } = steps(shown.moves, chosen);
  for (const square of next) {
    const value = answer?.moves[moveBy([...chosen, square])];
    if (typeof value === "number") notes[square] = show(value);
  }
  return { highlight: next, notes };
}

const moveBy = (squares) => steps(shown.moves, squares).whole;

let waiting = 0;

/** Ask the server; meanwhile the page says that what it shows is about to change. */
async function fetched(path, body) {
  const app = document.getElementById("app");
  app.setAttribute("aria-busy", String(++waiting > 0));
  try {
    return await post(`${GAME}/${path}`, body);
  } finally {
    // The page is drawn in the same turn as the answer; what it then asks keeps it busy.
    setTimeout(() => app.setAttribute("aria-busy", String(--waiting > 0)));
  }
}

let entering = false;

/** Show another state; the old one stays where the server refuses it. */
async function enter(next) {
  entering = true;
  try {
    const now = await fetched("moves", question(next));
    drop();
    // What a text says besides the pieces, numbers and rules, stands in the page's state.
    [state, shown, chosen, paused] = [next, { ...now, position: now.position.split(";")[0] }, [], false];
    save(GAME, state);
    await drawBoard();
  } finally {
    entering = false;
  }
}

let drawn = 0;

async function drawBoard() {
  const mine = ++drawn;
  const svg = await fetched("draw", { ...question(), line: line(), way: chosen, ...lights(), interactive: true });
  if (mine !== drawn) return;
  board = svg;
  draw();
}

const redraw = () => drawBoard().catch(report);

let last = Promise.resolve();

/** One step after the other, each from what the one before has left; what is refused is shown and changes nothing. */
async function inTurn(step) {
  last = last.then(() => attempt(step));
  await last;
  draw();
}

/** A change that is no move: another position, other rules, who plays; `make()` says which, at once or later. It can be taken back. */
async function change(make) {
  await inTurn(async () => {
    const before = state;
    await enter({ ...state, ...await make() });
    edits.push(before);
    [undone, said] = [[], ""];
  });
  await engine();
}

async function play(move) {
  await inTurn(async () => {
    const ahead = undone.at(-1) === move ? undone.slice(0, -1) : [];
    await enter({ ...state, played: [...state.played, move] });
    undone = ahead;
  });
  await engine();
}

/** To the position after so many moves; those taken back can be played again. */
const backTo = (ply) => inTurn(async () => {
  const back = state.played.slice(ply).reverse();
  await enter({ ...state, played: state.played.slice(0, ply) });
  [undone, paused, said] = [[...undone, ...back], true, ""];
});

/** Plays again what was taken back, up to a decision of a person. */
async function redo() {
  await inTurn(async () => {
    const ahead = [...undone].reverse(), from = state.played.length;
    let count = 1;
    while (count < ahead.length && byEngine(mover(from + count))) count += 1;
    await enter({ ...state, played: [...state.played, ...ahead.slice(0, count)] });
    undone = undone.slice(0, -count);
  });
  await engine();
}

/** Where Undo leads: before the last move of a person, or of anybody where only the engine plays. */
function plyBefore() {
  for (let ply = state.played.length - 1; ply >= 0; ply -= 1) {
    if (!byEngine(mover(ply)) || state.engine.length >= players()) return ply;
  }
  return null;
}

function undo() {
  if (plyBefore() !== null) return backTo(plyBefore());
  return inTurn(async () => {
    await enter(edits.at(-1));
    edits.pop();
    [undone, paused, said] = [[], true, ""];
  });
}

function choose(square) {
  if (setup) return arrange(square, tool);
  if (entering || shown.over || byEngine(turn())) return undefined;
  report(null);
  const { next, whole } = steps(shown.moves, chosen);
  const lawyer = lawyerSquare();
  if (whole && square === chosen.at(-1)) return play(whole);
  if (next.includes(square)) chosen = [...chosen, square];
  else if (chosen.includes(square)) chosen = chosen.slice(0, chosen.indexOf(square));
  else if (steps(shown.moves, [square]).count) chosen = [square];
  else if (!chosen.length && steps(shown.moves, [lawyer, square]).count) chosen = [lawyer, square];
  else return report(new Refusal(0, `${square} cannot be chosen now; the lit squares can.`));
  const now = steps(shown.moves, chosen);
  if (now.whole && !now.next.length) return play(now.whole);
  return redraw();
}

function lawyerSquare() {
  const size = shown.values.length, ranks = parts().ranks;
  const row = ranks.findIndex((rank) => rank.includes(LAWYERS[turn()]));
  return "abcdefgh"[ranks[row].indexOf(LAWYERS[turn()])] + (size - row);
}

function stepBack() {
  chosen = chosen.slice(0, -1);
  return redraw();
}

/** What a click or a key does to a square while a position is set up. */
const arrange = (square, piece) => change(() => {
  if (piece !== NUMBER) return { position: write(put(parts(), square, piece === CLEAR ? "" : piece)), played: [] };
  const values = shown.values.map((rank) => [...rank]);
  const [row, file] = place(square, values.length);
  values[row][file] = number;
  return { position: shown.position, played: [], values };
});

function key(event) {
  if (event.key === "Escape" && chosen.length) {
    event.preventDefault();
    stepBack();
  }
  const square = event.target.closest?.("[data-square]")?.dataset.square;
  if (!setup || !square || event.ctrlKey || event.metaKey || event.altKey) return;
  const own = ARTICLES.slice(0, players()) + LAWYERS.slice(0, players());
  if (own.includes(event.key)) arrange(square, event.key);
  else if (event.key === "Delete" || event.key === "Backspace") arrange(square, CLEAR);
}

// ---- the solver and the engine

/** Leave the question that goes on and its answer. */
function drop() {
  running?.cancel().catch(report);
  [running, job, answer, thinking] = [null, null, null, false];
}

/** Ask for long; the answer is shown as it grows. Returns the result, or undefined where it was refused, ended or left. */
async function think(kind, limits, forEngine = false) {
  drop();
  thinking = forEngine;
  const mine = ask(`${GAME}/${kind}`, { ...question(), ...limits }, (now) => {
    if (running !== mine) return;
    const before = line().join();
    job = now;
    answer = now.partial ?? answer;
    draw();
    if (line().join() !== before) redraw();
  });
  running = mine;
  try {
    return await mine.answer;
  } catch (error) {
    const ended = forEngine ? "Cancelled; the engine waits until it is let." : "Cancelled; what had been proven stands below.";
    if (running === mine) report(error.status === 499 ? new Refusal(499, ended) : error);
    return undefined;
  } finally {
    if (running === mine) [running, job] = [null, null];
  }
}

async function consult(kind, limits) {
  report(null);
  const found = await think(kind, limits);
  if (found) [answer, arrows] = [found, Math.min(3, found.pv.length)];
  await redraw();
}

async function engine() {
  if (thinking || paused || !engineMoves()) return;
  const colour = COLOURS[turn()], at = shown;
  said = "";
  const found = await think("analyse", { seconds: state.seconds }, true);
  if (shown !== at) return;
  thinking = false;
  if (!found?.best.length) {
    paused = true;
    draw();
    return;
  }
  said = `${colour} played ${found.best[0]}. Value for ${colour}: ${verdict(found, show)}${found.kind === "exact" ? "" : ", the move a guess"}.`;
  await play(found.best[0]);
}

// ---- links, files, texts

const saveRecord = () => attempt(async () => {
  download("winkeladvokat.json", toRecord(state, await fetched("parse", { ...question(), played: [] })));
});

const openRecord = (file) => attempt(async () => {
  const from = fromRecord(await file.text(), file.name);
  return change(() => told(from));
});

const shareLink = () => attempt(async () => {
  said = await share(GAME, state);
  draw();
});

/** Of a position whose text names rules or numbers they become the page's. */
async function told(from) {
  if (!from.position.includes(";")) return from;
  const { options, values } = await fetched("parse", { position: from.position });
  return { ...from, rules: options, values };
}

/** A position as text; own numbers stay with one of their size. */
const typed = (position) => change(() => {
  if (position.includes(";")) return told({ position, played: [] });
  const fits = position.split(" ")[0].split("/").length === state.values?.length;
  return { position, played: [], values: fits ? state.values : null };
});

/** The first position of a board; the one on the table comes back by Undo. */
const fresh = (part) => change(() => {
  const kept = { size: shown.values.length, players: players() };
  const values = part.size && part.size !== kept.size ? null : state.values;
  return { position: "start", played: [], ...kept, values, ...part };
});

/** Other rules for the position on the table; at the very beginning they may move the corners. */
const setRules = (rules) => change(() => (state.played.length ? { rules, position: shown.position, played: [] } : { rules }));

// ---- the page

function underBoard() {
  const { whole, next } = steps(shown.moves, chosen);
  return html`<div class="row tools">
    <button type="button" ?disabled=${plyBefore() === null && !edits.length} @click=${undo}>Undo</button>
    <button type="button" ?disabled=${!undone.length} @click=${redo}>Redo</button>
    <button type="button" ?disabled=${!chosen.length} @click=${stepBack}>Step back</button>
    <button type="button" ?disabled=${!(whole && next.length)} @click=${() => play(whole)}>Stop here</button>
    <button type="button" aria-pressed=${setup} @click=${() => {
      [setup, chosen] = [!setup, []];
      redraw();
      engine();
    }}>Set up</button>
  </div>`;
}

function draw() {
  if (!shown) return;
  render(html`<div class="two table">
    <div>
      <p role="status" class="hint">${hint({ shown, chosen, home: lawyerSquare(), colour: COLOURS[turn()], setup, engine: byEngine(turn()), thinking,
        valued: Object.keys(lights().notes).length > 0 })}</p>
      ${drawing(board, ({ square }) => choose(square))}
      ${underBoard()}
      ${setup ? setupPanel({ position: parts(), tool, number }, {
        tool: (name) => { tool = name; draw(); },
        number: (value) => {
          [number, tool] = [Math.max(0, Math.min(1000, Math.round(value) || 0)), NUMBER];
          draw();
          return number;
        },
        position: async (make) => {
          await change(() => ({ position: write(make(parts())), played: [] }));
          return parts();
        },
        rings: () => change(() => ({ position: shown.position, played: [], values: null })),
        start: () => fresh({}),
      }) : nothing}
    </div>
    <div>
      <p class="said" role="status">${said}</p>
      ${solverPanel({ want, over: shown.over }, {
        solve: () => consult("solve", want),
        analyse: () => consult("analyse", { seconds: want.seconds }),
        want: (part) => Object.assign(want, part),
      })}
      ${jobPanel(job && { ...job, partial: null }, () => attempt(() => running.cancel()))}
      ${answer && !thinking ? answerPanel({
        answer, turn: turn(), players: players(), done: !job, chosen, arrows,
        begins: (move) => chosen.every((square, i) => squaresOf(move)[i] === square),
      }, {
        choose: play,
        arrows: (count) => { arrows = count; redraw(); },
      }) : nothing}
      ${seatsPanel({ players: players(), engine: state.engine, seconds: state.seconds, waits: !thinking && engineMoves() }, {
        engine: (letter, plays) => change(() => ({
          engine: [...ARTICLES].filter((other) => (other === letter ? plays : state.engine.includes(other))).join(""),
        })),
        seconds: (seconds) => {
          state = { ...state, seconds };
          save(GAME, state);
        },
        go: () => {
          paused = false;
          report(null);
          engine();
        },
      })}
      ${newGamePanel({ size: shown.values.length, players: players() }, fresh)}
      ${optionsForm(options, state.rules, setRules)}
      ${movesPanel({ played: state.played, mover }, backTo)}
      ${keepingPanel(shown, { typed, share: shareLink, save: saveRecord, open: openRecord })}
    </div>
  </div>`, document.getElementById("app"));
}

document.addEventListener("keydown", key);
onAddress((other) => change(() => clean(other)));
await attempt(async () => {
  ({ options } = await get(`${GAME}/rules`));
  try {
    await enter(clean(load(GAME, FIRST)));
  } catch (error) {
    await enter(FIRST);
    throw error;
  }
});
await engine();
