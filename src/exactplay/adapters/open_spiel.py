"""The five games as Python games of OpenSpiel: ``pyspiel.load_game("python_exactplay_winner(players=3)")``.

Importing this module registers ``python_exactplay_winston84``, ``..._winkeladvokat``, ``..._winner``, ``..._winston_dogs``
and ``..._walk_the_dogs``. Their parameters are the settings of :mod:`exactplay.adapters.steps` and the rule options.

OpenSpiel writes parameters as ``name=value`` with commas between. So texts are percent-decoded when read, and a comma,
bracket, equals sign or percent sign in a position must be written ``%2C`` and so on; :func:`game_string` does that.

OpenSpiel offers no undo to games written in Python; positions here are immutable values, so a clone is cheap.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, Final
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from exactplay.adapters import require
from exactplay.adapters.steps import TABLES, Position, Table, table
from exactplay.common.words import one_of
from exactplay.rules.contract import CHANCE, OVER, BadText

require("pyspiel", "open_spiel")

import pyspiel  # noqa: E402  # after the check that says what to install

_SAFE: Final = " -./:;|?_#>+"


def short_name(game: str) -> str:
    """OpenSpiel's name of a game: ``winner`` is ``python_exactplay_winner``."""
    return f"python_exactplay_{one_of(game, TABLES, 'game')}"


def game_string(game: str, **options: Any) -> str:
    """What ``pyspiel.load_game`` reads: a game with settings and rule options, positions in it encoded."""
    given = ",".join(f"{name}={_encoded(value)}" for name, value in options.items())
    return f"{short_name(game)}({given})"


def load_game(game: str, **options: Any) -> Any:
    """The ``pyspiel.Game`` of a game with settings and rule options; raises BadOption, BadText or IllegalPosition."""
    table(game, **options)  # asked first, as OpenSpiel would wrap what it raises in an error of its own
    return pyspiel.load_game(game_string(game, **options))


@dataclasses.dataclass(frozen=True)
class Record:
    """A position and what happened before it: each event with the only seat that saw it (None: all did)."""

    at: Position
    events: tuple[tuple[int | None, str, str], ...] = ()
    decisions: int = 0

    def __deepcopy__(self, memo: dict[int, Any]) -> Record:
        return self

    @classmethod
    def opening(cls, table: Table) -> Record:
        """The beginning; a position that is set up is shown to each seat as far as he sees it."""
        at = table.begin()
        if at.state is None:
            return cls(at)
        events: list[tuple[int | None, str, str]] = [(None, table.public(at), "")]
        if table.hidden:
            events += [(seat, f"seat {seat} holds {table.held(at, seat)}", "") for seat in range(table.seats)]
        return cls(at, tuple(events))

    def after(self, action: int) -> Record:
        """The record after one more step."""
        at = self.at
        to_act = at.to_act
        text = at.label(action) if to_act == CHANCE else f"{to_act}: {at.label(action)}"
        event = at.seen_by(action), text, f"? {text.partition(' ')[2]}"
        return Record(at.step(action), (*self.events, event), self.decisions + (to_act != CHANCE))

    @property
    def is_over(self) -> bool:
        """Whether the game is over, or was cut off at the most decisions that it may take."""
        return self.at.to_act == OVER or self.decisions >= self.at.table.longest

    def seen(self, seats: frozenset[int]) -> str:
        """All events as these seats together saw them."""
        return " | ".join(text if only is None or only in seats else unseen for only, text, unseen in self.events)


class ExactplayState(pyspiel.State):
    """A state: a :class:`Record` behind OpenSpiel's interface."""

    record: Record

    def __init__(self, game: ExactplayGame) -> None:
        super().__init__(game)
        self.record = game.opening

    @property
    def position(self) -> Position:
        """Where the game is: ``position.spell(move)`` gives the actions of a move of the rules."""
        return self.record.at

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or the end."""
        if self.record.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        to_act = self.position.to_act
        return int(pyspiel.PlayerId.CHANCE) if to_act == CHANCE else to_act

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes with their probabilities."""
        return [(outcome, float(probability)) for outcome, probability in self.position.outcomes()]

    def _apply_action(self, action: int) -> None:
        self.record = self.record.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.label(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.record.is_over

    def returns(self) -> list[float]:
        """What the end is worth to each seat; 0 before."""
        at = self.position
        return list(at.table.returns(at.state)) if self.record.is_over else [0.0] * at.table.seats

    def __str__(self) -> str:
        at = self.position
        shown = at.table.public(at)
        held = [at.table.held(at, seat) for seat in range(at.table.seats)]
        steps = [] if at.state is not None else [self.record.seen(frozenset(range(at.table.seats)))]
        return "\n".join([shown, *steps, *(f"seat {seat}: {cards}" for seat, cards in enumerate(held) if cards)])


class ExactplayObserver:
    """What a seat sees, as text and as arrays.

    With perfect recall it is the text of all that he saw from the beginning (no arrays); without, the position as it lies.
    """

    def __init__(self, table: Table, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise BadText(f"observers of exactplay's games have no parameters, but {', '.join(params)} was given")
        self._table, self._kind = table, kind
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if kind.perfect_recall:
            return
        show = {True: kind.private_info != pyspiel.PrivateInfoType.NONE, False: kind.public_info}
        shapes = {name: shape for name, shape in table.layout.items() if show[name in table.private]}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        start = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[start:start + size].reshape(shape)
            start += size

    def set_from(self, state: ExactplayState, player: int) -> None:
        """Fill the arrays with what a seat sees."""
        features = self._table.features(state.position, player)
        for name, array in self.dict.items():
            array[...] = features[name]

    def string_from(self, state: ExactplayState, player: int) -> str:
        """What a seat sees, as a line."""
        record, played, kind = state.record, self._table, self._kind
        private = pyspiel.PrivateInfoType
        everyone = range(played.seats)
        seats = {private.SINGLE_PLAYER: [player], private.NONE: [], private.ALL_PLAYERS: everyone}[kind.private_info]
        if kind.perfect_recall:
            return f"seat {player} | " + record.seen(frozenset(seats))
        held = [f"seat {seat} holds {played.held(record.at, seat)}" for seat in seats if played.hidden]
        return " | ".join([*([played.public(record.at)] if kind.public_info else []), *held])


class ExactplayGame(pyspiel.Game):
    """A game: a :class:`~exactplay.adapters.steps.Table` behind OpenSpiel's interface."""

    kind: ClassVar[type[Table]]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {name: unquote(value) if isinstance(value, str) else value for name, value in (params or {}).items()}
        self.table = self.kind.of(given)
        self.opening = Record.opening(self.table)
        # As the table has them: the content of a file instead of its path.
        now = {name: getattr(self.table, name, value) for name, value in given.items()}
        encoded = {name: _encoded(value) if isinstance(value, str) else value for name, value in now.items()}
        super().__init__(_game_type(self.table), _game_info(self.table), encoded)

    def new_initial_state(self, text: str | None = None) -> ExactplayState:
        """The beginning of the game."""
        if text is not None:
            raise BadText("a state is set up by the game's parameter start, not by a text given to new_initial_state")
        return ExactplayState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The most steps of chance in a game."""
        return self.table.most_outcomes

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> ExactplayObserver:
        """An observer of the game."""
        return ExactplayObserver(self.table, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def _game_type(table: Table) -> Any:
    kinds = pyspiel.GameType
    sums = {None: kinds.Utility.GENERAL_SUM, 0.0: kinds.Utility.ZERO_SUM}
    rules = {name: values[0] for name, values in table.rules_class.options().items()}
    return kinds(
        short_name=short_name(table.game),
        long_name=table.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if table.outcomes else kinds.ChanceMode.DETERMINISTIC,
        information=(
            kinds.Information.IMPERFECT_INFORMATION if table.hidden else kinds.Information.PERFECT_INFORMATION
        ),
        utility=sums.get(table.total, kinds.Utility.CONSTANT_SUM),
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=table.most_seats,
        min_num_players=min(2, table.most_seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**table.settings(), **rules},
    )


def _game_info(table: Table) -> Any:
    low, high = table.bounds
    return pyspiel.GameInfo(
        num_distinct_actions=len(table.actions),
        max_chance_outcomes=table.outcomes,
        num_players=table.seats,
        min_utility=low,
        max_utility=high,
        utility_sum=table.total,
        max_game_length=table.longest,
    )


def _encoded(value: Any) -> str:
    return str(value) if not isinstance(value, str) else quote(value, safe=_SAFE)


# A class a game, because OpenSpiel's registry outlives the interpreter: a class does too, another callable would not. Games
# are pickled by the name of their class, so that it must be found here.
for _game, _table in TABLES.items():
    _name = f"{_table.__name__}Game"
    globals()[_name] = type(_name, (ExactplayGame,), {"kind": _table, "__doc__": f"``{short_name(_game)}``."})
    pyspiel.register_game(_game_type(_table.of({})), globals()[_name])
