"""Winston: Nineteen Eighty-Four for the contract battery."""
from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction

from exactplay.cython_core.winston84.position import Position
from exactplay.rules.contract import OVER
from exactplay.rules.winston84 import (
    LAST_ROUND,
    LOST,
    Decision,
    Detour,
    Difficulty,
    End,
    Place,
    Roll,
    Rules,
    Sheet,
    State,
    check_place,
)
from exactplay.solvers.winston84.bridge import decision_of, position_of, round_of, word_of
from exactplay.solvers.winston84.sheets import Board
from exactplay.solvers.winston84.structure import opening
from tests import DATA
from tests.shared.subject import Subject

SHEETS = [
    Sheet.load("reference"),
    Sheet.load(DATA / "tiny-sheet.toml"),
    Sheet(
        name="zones | everywhere",
        provenance="measured",
        route="RoGBoWYPo" * 3,
        detour=Detour(after=27, skip=0, boxes="o"),
        golden_country=(-7,),
        big_brother=(0, 40, -15),
        rounds=(1, -2, 3, -4, 5, -6, 7, -8, 9),
    ),
]


def start(rng: random.Random, rules: Rules) -> State:
    """A game before the roll of some round, mostly a late one: the roll of six dice has 46,656 outcomes."""
    sheet, difficulty = rng.choice(SHEETS), Difficulty(rng.randint(1, 5))
    round = rng.choice([difficulty.first_round, 6, *[LAST_ROUND - 1] * 3, *[LAST_ROUND] * 4])
    played = round - difficulty.first_round
    route = sheet.route_for(difficulty.level)
    # Up to the first zone no Big Brother box can have been marked.
    box = rng.randint(0, min(len(route), 23 * played))
    marks = rng.randint(0, played) if route[:box].strip(".") else 0
    place = check_place(sheet, difficulty, Place(round, box, marks, fresh=rng.random() < 0.7))
    return State.resume(sheet, difficulty, place, rules)


def score_range(state: State) -> tuple[int, int]:
    """Bounds from the extremes of the three tracks, a lost game included."""
    if isinstance(state.at, End):
        return (state.at.score, state.at.score)
    tracks = (state.sheet.golden_country, state.sheet.big_brother, state.sheet.rounds)
    multiplier = state.difficulty.multiplier
    return (min(0, multiplier * sum(map(min, tracks))), max(0, multiplier * sum(map(max, tracks))))


@dataclass(frozen=True)
class Native:
    """A game whose rounds are played by the native core and whose sheet is the solver's arrays."""

    game: State  # sheet, difficulty and rules; its place and dice are those of the start
    board: Board
    at: Place | End
    position: Position | None

    @property
    def to_move(self) -> int:
        return self.position.to_move if self.position else OVER

    def legal_moves(self) -> tuple[Decision, ...]:
        return tuple(sorted(map(decision_of, self.position.moves()))) if self.position else ()

    def chance_outcomes(self) -> tuple[tuple[Roll, Fraction], ...]:
        return round_of(self.position, self.game.rules).chance_outcomes() if self.position else ()

    def play(self, move: Decision | Roll) -> Native:
        assert isinstance(self.at, Place)
        assert self.position is not None
        position = self.position.roll(*move.faces) if isinstance(move, Roll) else self.position.play(word_of(move))
        if position.to_move != OVER:
            return replace(self, position=position)
        result = position.result
        golden = int(self.board.golden[self.at.box, result])
        if golden:
            marks = min(self.at.marks, self.board.max_marks)
            return replace(self, at=End(True, self.board.score(self.at.round, golden, marks)), position=None)
        if self.at.round == LAST_ROUND:
            return replace(self, at=LOST, position=None)
        box, fresh = int(self.board.target[self.at.box, result]), bool(self.board.fresh[self.at.box, result])
        place = Place(self.at.round + 1, box, self.at.marks + int(self.board.mark[self.at.box, result]), fresh)
        return replace(self, at=place, position=opening(self.board.family(box, fresh), position.options))

    def scores(self) -> tuple[int, ...]:
        assert isinstance(self.at, End)
        return (self.at.score,)

    def __str__(self) -> str:
        round = round_of(self.position, self.game.rules) if self.position else None
        return str(replace(self.game, at=self.at, round=round))


def native(state: State) -> Native:
    board = Board(state.sheet, state.difficulty, state.rules)
    return Native(state, board, state.at, position_of(state.round) if state.round else None)


SUBJECT = Subject("winston84", start, native, score_range)
