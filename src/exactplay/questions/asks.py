"""The asks that every game has, made from its face, and one way to put any ask."""
from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from exactplay.common.plain import read_object
from exactplay.common.words import spelled
from exactplay.questions.answers import answered, world_of
from exactplay.questions.face import (
    ADVISING,
    SEED,
    SOLVING,
    Answer,
    Ask,
    Block,
    Data,
    GameFace,
    Option,
    Position,
    Progress,
    Report,
    Table,
    limits_of,
    options_given,
)
from exactplay.rules.contract import OVER, BadText, quoted

MOST = Option("most", "whole", "List so many moves at the most.", default=10_000, low=1, high=10**7)
OUT = Option("out", "file", "The file to write.", needed=True, metavar="FILE")


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a question; ``answer`` is what was proven by then."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


def asks_of(face: GameFace) -> dict[str, Ask]:
    """Everything that can be asked of a game, by name: the common asks, and the game's own, which may replace them."""
    asks = [
        Ask("show", "Show a position.", lambda position, progress: _show(face, position)),
        Ask("moves", "List the legal moves, or what chance may bring.",
            lambda position, progress, most: _moves(face, position, most), (MOST,)),
        Ask("solve", "The exact value of a position of which everything is known, and the best moves.",
            _solving(face), merged((objective_of(face),), SOLVING, face.solve_options), long=True),
        Ask("advise", "What to play, where the hidden cards are averaged over." if face.view else "What to play.",
            _advising(face), merged((objective_of(face),), ADVISING, face.advise_options), long=True),
        Ask("rules", "The rule options, with the values that each may have.", lambda progress: _rules(face), about=False),
    ]
    if face.deal is not None:
        fresh = dataclasses.replace(SEED, help="The same seed deals the same. (default: a new one)")
        asks.append(Ask("deal", "A random start, as a position in one line.", _dealing(face),
                        merged(face.deal_options, (fresh,)), about=False, ruled=True))
    if face.certify is not None:
        limits = (option for option in SOLVING if option.name != "moves")
        asks.append(Ask("certify", "Write an exact answer as a certificate that others can check.", _certifying(face),
                        merged((objective_of(face),), limits, face.certify_options, (OUT,)), long=True,
                        faces=frozenset({"cli"})))
    return {ask.name: ask for ask in (*asks, *face.own)}


def objective_of(face: GameFace) -> Option:
    """The option that says what is played for."""
    return Option("objective", "text", "What is played for.", face.objectives[0], face.objectives, short="o")


def merged(*groups: Iterable[Option]) -> tuple[Option, ...]:
    """Options, each name once: a later one takes the place of an earlier one."""
    return tuple({option.name: option for group in groups for option in group}.values())


def put(
    face: GameFace, ask: Ask, given: Mapping[str, Any], rules: Mapping[str, Any], progress: Progress | None = None
) -> Answer:
    """Put an ask: ``given`` holds its options and those of the position, ``rules`` the rule options of the asker.

    Raises BadText, BadOption, IllegalPosition, IllegalMove.
    """
    if not ask.about:
        options = options_given(ask.options, given)
        if ask.ruled:
            return ask.answer(progress, rules=face.rules.from_mapping(rules), **options)
        return ask.answer(progress, **options)
    setting, rest = setting_of(face, given)
    options = options_given(ask.options, rest)
    return ask.answer(face.read(setting, rules), progress, **options)


def setting_of(face: GameFace, given: Mapping[str, Any]) -> tuple[Data, Data]:
    """The options that make up a position, and the others."""
    names = {option.name for option in face.setting}
    first = face.setting[0]
    setting = {}
    for option in face.setting:
        value = given.get(option.name)
        # A position comes as text or as the object that its JSON is.
        setting[option.name] = value if option is first and isinstance(value, Mapping) else option.check(value)
    return setting, {name: value for name, value in given.items() if name not in names}


# ---------------------------------------------------------------- the common asks


def _show(face: GameFace, position: Position) -> Answer:
    return Answer({**face.shown(position), "text": str(position)}, (*face.picture(position, None), f"text: {position}"))


def _moves(face: GameFace, position: Position, most: int) -> Answer:
    state = world_of(face, position)
    moves = list(itertools.islice(state.iter_legal_moves(), most + 1))
    more = len(moves) > most
    # All of them are sorted; of too many the first that come are as good as any.
    moves = moves[:most] if more else sorted(moves)
    chance = {str(move): str(probability) for move, probability in state.chance_outcomes()}
    data = {**face.shown(position), "moves": [str(move) for move in moves], "chance": chance}
    rows = [(str(move), face.describe(state, move)) for move in moves]
    rows += [(move, f"with probability {probability}") for move, probability in chance.items()]
    blocks: list[Block] = [Table((), tuple(rows))] if rows else []
    if more:
        data["more"] = True
        blocks.append(f"and more than these {most:,}; --most lists more")
    if state.to_move == OVER:
        blocks.append("The game is over.")
    return Answer(data, tuple(blocks))


def _solving(face: GameFace) -> Callable[..., Answer]:
    def answer(position: Position, progress: Progress | None, *, objective: str, **options: Any) -> Answer:
        state, limits = opened(face, position), limits_of(options)
        with _Partial(face, position, objective, progress) as tell:
            result = face.solve(state, objective=objective, limits=limits, progress=tell, **options)
        return answered(face, position, result, objective)

    return answer


def _advising(face: GameFace) -> Callable[..., Answer]:
    def answer(position: Position, progress: Progress | None, *, objective: str, **options: Any) -> Answer:
        limits = limits_of(options)
        with _Partial(face, position, objective, progress) as tell:
            result = face.advise(position, objective=objective, limits=limits, progress=tell, **options)
        return answered(face, position, result, objective)

    return answer


def _dealing(face: GameFace) -> Callable[..., Answer]:
    def answer(progress: Progress | None, *, rules: Any, seed: int | None, **options: Any) -> Answer:
        assert face.deal is not None
        state = face.deal(rules, fresh_seed() if seed is None else seed, **options)
        return Answer({**face.shown(state), "text": str(state)}, (str(state),))

    return answer


def _certifying(face: GameFace) -> Callable[..., Answer]:
    def answer(position: Position, progress: Progress | None, *, objective: str, out: str, **options: Any) -> Answer:
        assert face.certify is not None
        path, limits = Path(out), limits_of(options)
        if path.exists() and not path.is_file():
            raise BadText(f"--out {out} is no regular file; name a new file")
        certificate = face.certify(
            opened(face, position), objective=objective, limits=limits, progress=progress, **options
        )
        size = certificate.write(path)
        value = certificate.about.get("value", certificate.about.get("low"))
        data = {"file": out, "game": certificate.game, "value": value, "bytes": size}
        return Answer(data, (f"{out}: {certificate.game}, value {value}, {size:,} bytes",))

    return answer


def _rules(face: GameFace) -> Answer:
    listed = [
        {"name": name, "values": list(values), "default": values[0], "explained": face.rules.explained.get(name, "")}
        for name, values in face.rules.options().items()
    ]
    rows = tuple((one["name"], ", ".join(map(spelled, one["values"])), one["explained"]) for one in listed)
    blocks: tuple[Block, ...] = (Table(("option", "values, the default first", "meaning"), rows),) if rows else (
        f"{face.title} has no rule options.",)
    return Answer({"game": face.name, "title": face.title, "options": listed}, blocks)


def opened(face: GameFace, position: Position) -> Any:
    """A position with every card known; raises :class:`BadText` for any other."""
    if face.view is not None and isinstance(position, face.view):
        raise BadText("this position has hidden cards; to solve it every card must be known (advise weighs hidden ones)")
    return position


def fresh_seed() -> int:
    """A seed that nobody has chosen."""
    return random.SystemRandom().randrange(1 << 32)


class _Partial:
    """Keeps what was proven last, and makes an answer of it where Ctrl-C ends the question."""

    def __init__(self, face: GameFace, position: Position, objective: str, progress: Progress | None) -> None:
        self._face, self._position, self._objective, self._progress = face, position, objective, progress
        self._last: Any = None

    def __enter__(self) -> Progress:
        return self._tell

    def _tell(self, report: Report) -> None:
        self._last = self._last if report.partial is None else report.partial
        if self._progress is not None:
            self._progress(report)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is KeyboardInterrupt and self._last is not None:
            notes = (*self._last.notes, "Interrupted: this is what was proven by then.")
            result = dataclasses.replace(self._last, notes=notes)
            answer = answered(self._face, self._position, result, self._objective)
            raise Interrupted(answer) from None


# ---------------------------------------------------------------- questions in lines, as a batch has them


def question(face: GameFace, line: str, asks: Mapping[str, Ask] | None = None) -> tuple[Ask | None, Data, Data]:
    """A line of a batch: the ask (None: what fits the position), what is given for it, and rule options.

    A line is a position as text, or an object: the fields of a position (or ``"position"`` and the other options of one),
    beside them the name of an ``"ask"`` and its options; ``"options"`` are rule options.
    """
    asks = asks or asks_of(face)
    if face.question is not None:
        data = dict(face.question(line))
    else:
        data = read_object(line) if line.lstrip().startswith("{") else {face.setting[0].name: line.strip()}
    name = data.pop("ask", None)
    if name is None:
        # An ask about something else than a position is found by what it cannot do without.
        for other in asks.values():
            needed = {option.name for option in other.options if option.needed}
            if not other.about and "batch" in other.faces and needed and needed <= data.keys():
                name = other.name
    known = [ask.name for ask in asks.values() if "batch" in ask.faces]
    if name is not None and name not in known:
        raise BadText(f"ask is {quoted(name)}; it must be one of {', '.join(known)}")
    ask = None if name is None else asks[name]
    rules = {} if ask is None or ask.about else data.pop("options", {})
    first = face.setting[0].name
    if (ask is None or ask.about) and not data.keys() & {option.name for option in face.setting}:
        options = set(answering(asks)) if ask is None else {option.name for option in ask.options}
        data = {
            **{key: value for key, value in data.items() if key in options},
            first: {key: value for key, value in data.items() if key not in options},
        }
    elif ask is None or ask.about:
        rules = data.pop("options", {})
    if not isinstance(rules, Mapping):
        raise BadText(f"options are {quoted(rules)}; they must be an object of rule options")
    return ask, data, dict(rules)


def answering(asks: Mapping[str, Ask]) -> dict[str, Option]:
    """The options of the asks that answer a position in a batch, by name."""
    return {option.name: option for name in ("solve", "advise") for option in asks[name].options}


def answer_line(
    face: GameFace, line: str, given: Mapping[str, Any], rules: Mapping[str, Any], name: str | None = None,
    folder: Path | None = None,
) -> Data:
    """The answer to one line of a batch as plain data; ``given`` and ``rules`` are those of all lines.

    Without an ask of its own or a ``name`` for all, a position is solved, and one with hidden cards advised on. Files that
    the line names are seen from ``folder``.
    """
    asks = asks_of(face)
    ask, own, own_rules = question(face, line, asks)
    ask = ask or (None if name is None else asks[name])
    both = {**rules, **own_rules}
    if ask is not None and not ask.about:
        own = _seen_from(folder, ask.options, own)
        return dict(put(face, ask, {**_of(ask.options, given), **own}, both).data)
    own = _seen_from(folder, face.setting, own)
    setting, rest = setting_of(face, {**given, **own})
    position = face.read(setting, both)
    if ask is None:
        hidden = face.view is not None and isinstance(position, face.view)
        ask = asks["advise" if hidden else "solve"]
        # An option of the other of the two does no harm.
        rest = {key: value for key, value in rest.items() if key in {option.name for option in ask.options} or (
            key in own and key not in answering(asks))}
    else:
        rest = {**_of(ask.options, given), **{key: value for key, value in own.items() if key in rest}}
    return dict(ask.answer(position, None, **options_given(ask.options, rest)).data)


def _of(options: Iterable[Option], given: Mapping[str, Any]) -> Data:
    names = {option.name for option in options}
    return {name: value for name, value in given.items() if name in names}


def _seen_from(folder: Path | None, options: Iterable[Option], own: Data) -> Data:
    """What a line gives, with the files that it names where they lie."""
    files = {option.name for option in options if option.kind == "file"}
    return {
        name: str(folder / value)
        if folder is not None and name in files and isinstance(value, str) and (folder / value).exists() else value
        for name, value in own.items()
    }
