"""``exactplay GAME play``: a whole game with people and the advisor, begun or taken up again."""
from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from exactplay.cli.options import JSON, from_stdin, rules_of, spelled_out, with_rules
from exactplay.cli.options import command as command_of
from exactplay.cli.process import say
from exactplay.cli.record import Record
from exactplay.cli.table import Lines, Screen, Table, people_of
from exactplay.common.errors import BadOption, BadText
from exactplay.questions.asks import fresh_seed, merged, objective_of, opened, setting_of
from exactplay.questions.face import ADVISING, SEED, Data, GameFace, Option, limits_of, options_given
from exactplay.rules.contract import OVER

_AT_ANY_TIME = ("objective", "seconds")  # may be said of a game that is taken up again as well


def command(face: GameFace) -> click.Command:
    """The command of a game."""
    text = f"Play {face.title} with people and the advisor. The game is kept after every move; play goes on with it."
    assert face.play is not None
    options = merged(_start_options(face), _other_options(face), with_rules(face), (JSON,))
    return command_of(face.play.command, text, options, lambda given: _run(face, given))


def _run(face: GameFace, given: Data) -> int:
    assert face.play is not None
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # its import makes the input line editable
    as_json, new, file = given.pop("json", False), given.pop("new", False), given.pop("file", None)
    given = from_stdin(face, given)
    game = face.name.replace("_", "-")
    path = Path(file) if file else Record.default_path(game)
    advising = {option.name: option for option in _advising(face)}
    asked = options_given(tuple(advising.values()), {name: given.pop(name) for name in advising if name in given})
    face_of = Lines if as_json else Screen
    kept = Record.load(path, game) if path.exists() else None  # only a saved game is ever written over
    table = None
    if kept is not None and not new:
        table = Table(face, kept, face_of(), limits_of(asked), asked)
        if table.state.to_move == OVER:
            say(f"the game kept in {path} is over; a new one begins")
            table = None
        else:
            _require_the_same(face, table, given)
            if "objective" in given:
                table.aim(given["objective"])
    resumed = table is not None
    if table is None:
        record = Record(path, game, begun(face, given))
        table = Table(face, record, face_of(), limits_of(asked), asked)
        record.save()
    try:
        table.run(resumed=resumed)
    except KeyboardInterrupt:
        say(f"\nThe game is kept in {table.record.path}.", end="")
        raise
    return 0


def _start_options(face: GameFace) -> tuple[Option, ...]:
    """What says how a new game begins; a position is one way to say it."""
    assert face.play is not None
    setting = [dataclasses.replace(option, needed=False) for option in face.setting]
    players = [
        dataclasses.replace(option, default=face.play.players) if option.name == "players" else option
        for option in (face.deal_options if face.deal is not None else ())
    ]
    people = Option("people", "text", f"Who is played by people: letters of seats ({face.play.seats}), or all. "
                    f"(default: {face.play.people})", metavar="SEATS")
    seed = dataclasses.replace(SEED, help="The same seed begins the same game. (default: a new one)")
    return merged(setting, players, (people, seed, objective_of(face)), face.advise_options)


def _advising(face: GameFace) -> tuple[Option, ...]:
    """What the advisor may use for a move."""
    assert face.play is not None
    kept = [option for option in merged(ADVISING, face.advise_options) if option.name not in ("seed", "objective")]
    return tuple(
        dataclasses.replace(option, default=face.play.think, help="Seconds of the advisor for a move.")
        if option.name == "seconds" else option for option in kept
    )


def _other_options(face: GameFace) -> tuple[Option, ...]:
    return (
        *_advising(face),
        Option("file", "file", "Where the game is kept. (default: the user's own folder)"),
        Option("new", "flag", "Begin anew even if an unfinished game is kept."),
    )


def begun(face: GameFace, given: Mapping[str, Any]) -> Data:
    """The setup of a new game: its first position, who plays, and what chance hangs on."""
    assert face.play is not None
    given = dict(given)
    rules = rules_of(face, given)
    seed = given.pop("seed", None)
    seed = fresh_seed() if seed is None else seed
    people, objective = given.pop("people", face.play.people), given.pop("objective", face.objectives[0])
    setting, dealing = setting_of(face, given) if _is_position(face, given) else ({}, given)
    if setting:
        state = opened(face, face.read(setting, rules))
        if dealing:
            name = next(iter(dealing))
            if getattr(state, name, None) != dealing[name]:
                raise BadOption(f"the position says how the game begins; leave --{spelled_out(name)} away")
    else:
        assert face.deal is not None
        options = options_given([o for o in _start_options(face) if o.name in _names(face.deal_options)], dealing)
        state = face.deal(face.rules.from_mapping(rules), seed, **options)
    people_of(face.play, people, state.players)
    setup = face.play.setup(state) if face.play.setup is not None else {"position": str(state)}
    return {**setup, "people": people, "objective": str(objective), "seed": seed, **dealing}


def _is_position(face: GameFace, given: Mapping[str, Any]) -> bool:
    return face.deal is None or bool(_names(face.setting) & given.keys() - _names(face.deal_options))


def _names(options: tuple[Option, ...]) -> set[str]:
    return {option.name for option in options}


def _require_the_same(face: GameFace, table: Table, given: Mapping[str, Any]) -> None:
    """Refuse options that speak of another game than the one that is kept."""
    setup, start = table.record.setup, table.states[0]
    rules = face.rules.chosen(given.get("rule", ()))
    for name, value in given.items():
        if name in _AT_ANY_TIME:
            continue
        if name == "rule":
            same = start.rules.with_options(rules) == start.rules
        elif name in _names(face.setting):
            asked, whole = face.read(setting_of(face, given)[0], rules), name == face.setting[0].name
            same = asked == start if whole else hasattr(start, name) and getattr(asked, name) == getattr(start, name)
        elif name in setup:
            same = setup[name] == value
        else:
            same = getattr(start, name, None) == value
        if not same:
            raise BadText(f"--{spelled_out(name)} is for a new game, and {table.record.path} keeps another one; leave it "
                          "out to go on with that, or give --new to begin anew")
