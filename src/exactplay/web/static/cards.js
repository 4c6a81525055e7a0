// The page of a card game: the game's own module says how its positions, moves and answers are written.
import { Refusal, ask, attempt, get, post } from "./api.js";
import { answerPanel } from "./cards_answer.js";
import { exactly, faces, handButtons, holds, movePanel } from "./cards_hand.js";
import { isHidden, setupPanel } from "./cards_setup.js";
import { download, load, onAddress, save, share } from "./store.js";
import { drawing, html, jobPanel, nothing, optionsForm, render } from "./ui.js";

const INITIAL = {
  start: null, rules: {}, objective: null, seat: null, think: 1, seconds: 10, played: [], players: null, cards: null, draft: null,
  before: null,
};

/**
 * `game`: {name, record, seat, players: [least, most], cards: [choices] or null, objectives: [] (the first is the usual),
 *  dealt: {players, cards}, blank(players), zones(draft), fields(draft, change), cardsOf(move), mover(fields), clean(fields),
 *  settled(stand, objective), forObjective(rules, objective), title(objective, stand, viewpoint), extra(page)}.
 */
export async function cardPage(game) {
  const app = document.getElementById("app");
  let state = load(game.name, { ...INITIAL, seat: 0 });
  let choices = { options: [], objectives: game.objectives };
  let stand = null; // where the game stands, as the server says
  let picked = []; // places in the hand
  let job = null, running = null, answer = null; // answer: {ask, result, at}
  let said = [], version = 0, thinking = false; // said: what happened since the last thing done at this screen
  let settling = null; // what the last thing done leads to, before which nothing is asked

  const seatName = (seat) => `${game.seat} ${seat}${seat === state.seat ? " (you)" : ""}`;
  const mine = () => stand && !stand.over && stand.to_move >= 0 && stand.to_move === (stand.hidden ? stand.seat : state.seat ?? stand.to_move);
  // As wide as the column, so that cards have their full size on a phone as well.
  const width = () => Math.max(300, Math.min(728, Math.round(matchMedia("(min-width: 56rem)").matches ? app.clientWidth / 2 - 12 : app.clientWidth)));
  const question = (position) => (game.withRules ? { position, rules: state.rules } : { position });

  /** Where the game stands after the moves. */
  const look = (start, played) => post(`${game.name}/play`, {
    ...question(start), played, across: width(), ...(state.seat === null ? {} : { seat: state.seat }) });

  /** Take a new state if the server accepts it; what is shown changes only then. */
  async function become(changes, { keep = false } = {}) {
    const next = { ...state, ...changes };
    const before = state;
    state = next;
    const now = ++version;
    const looking = next.start === null ? null : look(next.start, next.played);
    settling = looking;
    try {
      const seen = await looking;
      if (now !== version) return;
      stand = seen;
      if (!keep) {
        stop();
        answer = null;
      }
      picked = [];
      save(game.name, state);
    } catch (error) {
      if (now === version) state = before;
      throw error;
    } finally {
      draw();
    }
    await goOn();
  }

  const play = (move) => become({ played: [...state.played, move] });

  /** What nobody at this screen decides: the card that chance turns up, the seats of the advisor. */
  async function goOn() {
    if (!stand || stand.over || stand.hidden) return;
    if (stand.to_move < 0) {
      const cards = Object.entries(stand.chance ?? {});
      if (cards.length === 1 || (state.seat !== null && cards.length)) {
        const drawn = drawOne(cards);
        const seen = state.seat === null || state.seat === stand.fields.turn || !game.secret(drawn);
        said.push(`${seatName(stand.fields.turn)} draws${seen ? ` ${drawn.slice(1)}` : ""}.`);
        await play(drawn);
      }
      return;
    }
    if (state.seat !== null && stand.to_move !== state.seat) await advisorPlays();
  }

  async function advisorPlays() {
    const now = version, seat = stand.to_move;
    thinking = true;
    draw();
    let move = stand.moves.length === 1 || game.settled(stand, state.objective) ? stand.moves[0] : null;
    try {
      if (move === null) {
        const body = { ...aims(), seconds: state.think };
        const [kind, position] = stand.open && game.openSolve ? ["solve", stand.position] : ["advise", stand.view];
        if (kind === "solve") body.moves = "value";
        running = ask(`${game.name}/${kind}`, { ...question(position), ...body });
        const result = await running.answer;
        move = result.best[0] ?? stand.moves[0];
      }
    } catch (error) {
      if (now === version) throw error;
      return;
    } finally {
      if (now === version) thinking = false;
      draw();
    }
    if (now !== version) return;
    said.push(`${seatName(seat)}: ${move}${stand.words[move] ? ` (${stand.words[move]})` : ""}.`);
    await play(move);
  }

  const aims = () => ({ objective: state.objective });

  function stop() {
    thinking = false;
    running?.answer.catch(() => {});
    running?.cancel().catch(() => {});
    running = job = null;
  }

  async function long(kind) {
    await settling;
    stop();
    const now = version;
    const position = kind === "solve" ? stand.position : stand.view;
    const body = { ...question(position), ...aims(), seconds: state.seconds, ...(kind === "solve" ? { moves: "all" } : {}) };
    const asked = running = ask(`${game.name}/${kind}`, body,
      (told) => { if (running === asked) { job = told; draw(); } });
    answer = null;
    draw();
    const result = await attempt(() => asked.answer) ?? job?.partial;
    if (running !== asked || now !== version) return;
    answer = result ? { ask: kind, result } : null;
    running = job = null;
    draw();
  }

  async function deal(players, cards) {
    const body = { players, seed: crypto.getRandomValues(new Uint32Array(1))[0] >>> 1 };
    if (game.withRules) body.rules = state.rules;
    if (cards) body.cards = cards;
    const start = game.clean(await post(`${game.name}/deal`, body));
    said = ["A new game is dealt."];
    await become({ start, played: [], players, cards, draft: null, before: kept(),
      seat: state.seat !== null && state.seat >= players ? 0 : state.seat });
  }

  /** Read a position in any written form as the game's start; its rule options become the page's. */
  async function read(position, more = {}) {
    const { rules: given = {}, ...rest } = more;
    const fields = await post(`${game.name}/parse`, game.withRules ? { position, rules: given } : { position });
    const start = game.clean(fields);
    const rules = { ...(start.options ?? {}) };
    delete start.options;
    const seats = start.hands.length, wanted = more.seat === undefined ? state.seat : more.seat;
    await become({ played: [], before: kept(), draft: null, ...rest, rules, start,
      seat: isHidden(start) || wanted >= seats ? null : wanted });
  }

  const kept = () => (state.start === null ? null : { start: state.start, rules: state.rules, played: state.played,
    seat: state.seat, draft: state.draft });

  async function undo() {
    said = [];
    const movers = stand?.movers ?? [];
    let cut = movers.length - 1;
    while (cut >= 0 && (movers[cut] < 0 || (state.seat !== null && movers[cut] !== state.seat))) cut -= 1;
    if (cut >= 0) await become({ played: state.played.slice(0, cut) });
    else if (state.before) await become({ ...state.before, before: null });
  }
  const canUndo = () => Boolean((stand?.movers ?? []).some((seat) => seat >= 0 && (state.seat === null || seat === state.seat)) || state.before);

  async function open(file) {
    const data = await new Response(file).json().catch(() => null);
    const setup = data?.setup ?? {};
    const position = setup.position ?? setup.start;
    if (data?.game !== game.record || !position || !Array.isArray(data.moves)) {
      throw new Refusal(0, `${file.name} is not a saved game of ${game.record}`);
    }
    const seat = setup.seat ?? (/^\d$/.test(setup.people) ? Number(setup.people) : null);
    await read(position, { played: data.moves, rules: setup.rules ?? {}, seat,
      objective: choices.objectives.includes(setup.objective) ? setup.objective : state.objective });
  }

  const record = () => ({
    game: game.record, moves: state.played,
    setup: { position: { ...state.start, ...(game.withRules ? { options: state.rules } : {}) }, ...aims(),
      people: state.seat === null ? "all" : String(state.seat) },
  });

  function pick(place) {
    picked = picked.includes(place) ? picked.filter((one) => one !== place) : [...picked, place];
    draw();
  }

  async function choose(move) {
    if (stand.hidden && !game.follows) {
      picked = [];
      for (const card of game.cardsOf(move)) picked.push(stand.hand.findIndex((one, at) => one === card && !picked.includes(at)));
      return draw();
    }
    said = [];
    await attempt(() => play(move));
    if (document.activeElement === document.body) document.getElementById("turn")?.focus();
  }

  // ---------------------------------------------------------------------------------------------- what is shown

  /** What may be seen of the position here; nothing while the advisor looks at its own cards. */
  function positionText() {
    if (!stand) return "";
    if (state.seat === null || stand.over) return stand.position;
    return mine() ? stand.view : "";
  }

  /** At a table with real cards: what another seat has played. */
  function seenPanel() {
    const cards = picked.map((place) => stand.unseen[place]);
    const enter = (move) => html`<button type="button" class="main" data-play=${move} @click=${() => choose(move)}>${move}</button>`;
    return html`<fieldset><legend>What did ${seatName(stand.to_move).toLowerCase()} play?</legend>
      ${handButtons(stand.unseen, picked, () => true, pick, "Cards not seen yet")}
      <div class="row actions">${cards.length ? [cards.join(" "), ...game.alsoAs(cards)].map(enter) : stand.moves.map(enter)}</div></fieldset>`;
  }

  function turnLine() {
    if (!stand) return "Deal a new game, or set a position up.";
    if (stand.over) return `The game is over. ${game.scores(stand, seatName)}`;
    if (stand.to_move < 0) return `${seatName(stand.fields.turn)} draws a card.`;
    return `${seatName(stand.to_move)} is to act.${thinking ? " The advisor is thinking." : ""}`;
  }

  function tablePanel() {
    const chance = stand.to_move < 0 && state.seat === null ? Object.entries(stand.chance ?? {}) : [];
    const selection = picked.map((place) => stand.hand[place]);
    const legal = mine() ? stand.moves : [];
    const fitting = legal.filter((move) => holds(game.cardsOf(move), selection));
    return html`<section aria-label="Table">
      ${drawing(stand.svg)}
      ${chance.length > 1 ? html`<fieldset><legend>Which card is drawn?</legend>
        <div class="cards">${chance.map(([text]) => handButtons.one(text.slice(1), { act: () => attempt(() => play(text)) }))}</div>
        <button type="button" @click=${() => attempt(() => play(drawOne(chance)))}>Draw at random</button></fieldset>` : nothing}
      <h2 class="hand">${state.seat === null ? `Hand of ${game.seat.toLowerCase()} ${stand.seat}` : "Your hand"}${
        stand.hand.length ? "" : ": no cards"}</h2>
      ${handButtons(stand.hand, mine() ? picked : [], (place) => legal.length > 0 && (stand.more || legal.some((move) =>
        holds(game.cardsOf(move), [...selection, stand.hand[place]]))), pick)}
      ${stand.hidden && !stand.over && !mine() ? seenPanel() : nothing}
      ${legal.length ? movePanel(game, stand, selection, fitting, exactly(game, fitting, selection), (move) => choose(move),
        () => { picked = []; draw(); }) : nothing}
    </section>`;
  }

  function questionsPanel() {
    const busy = Boolean(job);
    const able = mine() && !busy;
    const solvable = stand && !stand.hidden && !stand.over && (state.seat === null || stand.open);
    return html`<section aria-label="Advice">
      <div class="row">
        <button type="button" class="main" ?disabled=${!able} @click=${() => attempt(() => long("advise"))}>Advise</button>
        ${solvable ? html`<button type="button" ?disabled=${busy} @click=${() => attempt(() => long("solve"))}>Solve (open hands)</button>` : nothing}
        ${choices.objectives.length > 1 ? html`<label>Playing for <select name="objective" @change=${(event) =>
          attempt(() => become({ objective: event.target.value, rules: game.forObjective(state.rules, event.target.value) }))}>
          ${choices.objectives.map((one) => html`<option .selected=${one === state.objective}>${one}</option>`)}</select></label>` : nothing}
        <label>Seconds to think <input class="small" type="number" name="seconds" min="0.1" max="600" step="any" .value=${String(state.seconds)}
          @change=${(event) => { state.seconds = within(event.target, 0.1, 600, 10); save(game.name, state); }}></label>
      </div>
      ${jobPanel(job, () => attempt(() => running.cancel()))}
      ${answer ? answerPanel(answer.result, {
        title: game.title(state.objective, stand, answer.result.viewpoint), words: (move) => stand.words[move] ?? "", choose }) : nothing}
    </section>`;
  }

  function historyPanel() {
    if (!state.played.length) return nothing;
    return html`<details class="options"><summary>Moves so far: ${state.played.length}</summary>
      <ol class="history">${state.played.map((move, at) => {
        const seat = stand.movers[at];
        const covered = seat < 0 && state.seat !== null && !stand.over && game.secret(move);
        return html`<li>${seat < 0 ? "draw" : seatName(seat)}: ${covered ? "a card" : move}</li>`;
      })}</ol></details>`;
  }

  let asked = { players: null, cards: undefined };
  function newPanel() {
    const players = asked.players ?? state.players ?? game.dealt.players;
    const cards = asked.cards !== undefined ? asked.cards : state.cards ?? game.dealt.cards ?? null;
    const counts = Array.from({ length: game.players[1] - game.players[0] + 1 }, (_, at) => at + game.players[0]);
    return html`<section aria-label="Game">
      <div class="row">
        <button type="button" class=${stand ? "" : "main"} @click=${() => attempt(() => deal(players, cards))}>New game</button>
        <label>Players <select name="players" @change=${(event) => { asked = { ...asked, players: Number(event.target.value) }; draw(); }}>
          ${counts.map((one) => html`<option .selected=${one === players}>${one}</option>`)}</select></label>
        ${game.cards ? html`<label>Cards each <select name="cards" @change=${(event) => {
          asked = { ...asked, cards: Number(event.target.value) || null }; draw(); }}>
          ${game.cards.map((one) => html`<option value=${one ?? ""} .selected=${one === cards}>${one ?? "all"}</option>`)}</select></label>` : nothing}
      </div>
      <div class="row">
        <label>You play <select name="seat" @change=${(event) => attempt(() =>
          become({ seat: event.target.value === "" ? null : Number(event.target.value) }))} ?disabled=${Boolean(stand?.hidden)}>
          <option value="" .selected=${state.seat === null}>every seat (open)</option>
          ${Array.from({ length: stand?.fields.hands.length ?? players }, (_, seat) => html`<option value=${seat}
            .selected=${seat === state.seat}>${game.seat.toLowerCase()} ${seat} against the advisor</option>`)}</select></label>
        <label>Advisor's seconds a move <input class="small" type="number" name="think" min="0.1" max="60" step="any" .value=${String(state.think)}
          @change=${(event) => { state.think = within(event.target, 0.1, 60, 1); save(game.name, state); }}></label>
      </div>
      ${game.withRules ? optionsForm(choices.options, state.rules, (rules) => attempt(() => become({ rules }))) : nothing}
    </section>`;
  }

  function keepPanel() {
    return html`<section aria-label="Keep and share">
      <div class="row">
        <button type="button" ?disabled=${!stand} @click=${() => attempt(async () => { said = [await share(game.name, state)]; draw(); })}>Share link</button>
        <button type="button" ?disabled=${!stand || stand.hidden} @click=${() => download(`${game.record}.json`, record())}>Download</button>
        <label class="file"><span>Open a record</span><input type="file" name="record" accept=".json,application/json" @change=${(event) => {
          const file = event.target.files[0];
          event.target.value = "";
          if (file) attempt(() => open(file));
        }}></label>
      </div>
      <label class="wide">Position as text <textarea class="position" name="position" rows="2" spellcheck="false" placeholder=${game.example}
        .value=${positionText()}
        @change=${(event) => event.target.value.trim() && attempt(() => read(event.target.value.trim()))}></textarea></label>
    </section>`;
  }

  function setup() {
    if (!state.draft) {
      return html`<div class="row">
        <button type="button" @click=${() => edit(game.blank(state.players ?? game.dealt.players))}>Set up a position</button>
        ${stand && (stand.hidden || state.seat === null) ? html`<button type="button"
          @click=${() => edit(game.clean(structuredClone(stand.fields)))}>Change this position</button>` : nothing}
      </div>`;
    }
    return setupPanel(game, state.draft, state.rules, {
      change: edit, use: (draft) => attempt(() => read({ ...draft, ...(game.withRules ? { options: state.rules } : {}) }, { rules: state.rules, seat: null })),
      cancel: () => { state.draft = null; save(game.name, state); draw(); }, draw,
    });
  }

  function edit(draft) {
    state.draft = draft;
    save(game.name, state);
    draw();
  }

  function draw() {
    render(html`
      <p id="turn" tabindex="-1">${turnLine()}</p>
      <p class="said" role="status">${said.join(" ")}</p>
      <div class="row">${stand ? html`<button type="button" ?disabled=${!canUndo()} @click=${() => attempt(undo)}>Undo</button>` : nothing}
        ${stand && !stand.over && state.seat !== null && stand.to_move >= 0 && stand.to_move !== state.seat && !thinking
          ? html`<button type="button" @click=${() => attempt(goOn)}>Let the advisor play</button>` : nothing}</div>
      <div class="two">
        <div>${state.draft ? setup() : nothing}${stand ? html`${tablePanel()}${questionsPanel()}` : nothing}</div>
        <div>${newPanel()}${state.draft ? nothing : setup()}${keepPanel()}${stand ? historyPanel() : nothing}${game.extra?.({ stand, draw, state }) ?? nothing}</div>
      </div>`, app);
  }

  draw();
  await attempt(async () => {
    const [pieces, rules] = await Promise.all([get(`${game.name}/pieces`), get(`${game.name}/rules`)]);
    faces(pieces);
    choices = rules;
    if (!choices.objectives.includes(state.objective)) state.objective = choices.objectives[0] ?? null;
    if (state.start !== null) await become({}, { keep: true });
    else draw();
  });
  onAddress((next) => attempt(() => become({ ...INITIAL, objective: choices.objectives[0] ?? null, ...next })));
}

/** A number from a form's field, kept between its limits. */
function within(input, least, most, usual) {
  const value = Math.max(least, Math.min(most, Number(input.value) || usual));
  input.value = String(value);
  return value;
}

/** One of {text: probability as a fraction}, at random. */
function drawOne(cards) {
  let left = Math.random();
  for (const [text, share] of cards) {
    const [above, below] = share.split("/").map(Number);
    left -= above / (below ?? 1);
    if (left < 0) return text;
  }
  return cards.at(-1)[0];
}
