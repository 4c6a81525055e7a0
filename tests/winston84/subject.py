"""Winston: Nineteen Eighty-Four for the contract battery."""
from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction

from exactplay.cython_core import winston84 as core
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.winston84 import (
    LAST_ROUND,
    LOST,
    Decision,
    Detour,
    Difficulty,
    End,
    State,
    Place,
    Roll,
    Rules,
    Sheet,
    check_place,
)
from exactplay.solvers.winston84.sheets import Board
from exactplay.solvers.winston84.structure import (
    code_before_roll,
    code_of,
    decision_of,
    options_word,
    rolls_dice,
    round_of,
    word_of,
)
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
    code: int

    @property
    def options(self) -> int:
        return options_word(self.game.rules)

    @property
    def to_move(self) -> int:
        if isinstance(self.at, End):
            return OVER
        return CHANCE if rolls_dice(self.code) else 0

    def legal_moves(self) -> tuple[Decision, ...]:
        if self.to_move != 0:
            return ()
        return tuple(sorted(map(decision_of, core.legal_decisions(self.code, self.options))))

    def chance_outcomes(self) -> tuple[tuple[Roll, Fraction], ...]:
        return round_of(self.code, self.game.rules).chance_outcomes() if self.to_move == CHANCE else ()

    def play(self, move: Decision | Roll) -> Native:
        if isinstance(move, Roll):
            code = self.code
            for colour, face in zip(move.colours, move.faces, strict=True):
                code ^= (7 ^ face) << 3 * colour
        else:
            code = core.play(self.code, word_of(move), self.options)
        if rolls_dice(code) or core.legal_decisions(code, self.options):
            return replace(self, code=code)
        result = 0 if code & 0o777777 else core.result(code)
        assert isinstance(self.at, Place)
        golden = int(self.board.golden[self.at.box, result])
        if golden:
            marks = min(self.at.marks, self.board.max_marks)
            return replace(self, at=End(True, self.board.score(self.at.round, golden, marks)), code=0)
        if self.at.round == LAST_ROUND:
            return replace(self, at=LOST, code=0)
        box, fresh = int(self.board.target[self.at.box, result]), bool(self.board.fresh[self.at.box, result])
        place = Place(self.at.round + 1, box, self.at.marks + int(self.board.mark[self.at.box, result]), fresh)
        return replace(self, at=place, code=code_before_roll(self.board.family(box, fresh)))

    def scores(self) -> tuple[int, ...]:
        assert isinstance(self.at, End)
        return (self.at.score,)

    def __str__(self) -> str:
        round = None if isinstance(self.at, End) else round_of(self.code, self.game.rules)
        return str(replace(self.game, at=self.at, round=round))


def native(state: State) -> Native:
    board = Board(state.sheet, state.difficulty, state.rules)
    return Native(state, board, state.at, code_of(state.round) if state.round else 0)


SUBJECT = Subject("winston84", start, native, score_range)
