"""Solver of Winner, open hands: what it asks the cores, and what it makes of every answer and of every limit."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from exactplay.cython_core.winner import Game
from exactplay.cython_core.winner_duel import Solver
from exactplay.rules.contract import IllegalPosition
from exactplay.rules.winner import State, deck
from exactplay.solvers.result import Bounds, Effort, Exact, Result, Value, Verdict
from exactplay.solvers.winner import Objective, codec, open_hands, solve

Answers = list[tuple[tuple[int, ...], bool] | None]

SCORE = "4D 5C 9H | 3D 5D TH; turn {}; rules end=first_out"
WIN = "4D 5C 9H | 3D 5D TH; turn {}"
PLACE = "- | 3D 6C 9H | - | 4D 6D TH; turn 3; idle 1; out 2 0"
TURNED = "3D 7D 8D | 4D 9C; turn {}; rules revolution=true end=first_out"
VALUES = "Values are points of seat 0 minus those of seat 1; seat {} is to move."
WINNERS = "Values are 1 if seat 0 wins, -1 if seat 1 wins; seat {} is to move."
VECTORS = "Values are one number a seat (max^n); seat {} is to move."
NOT_PROVEN = "A limit ended the search: bounds are proven, the best move is a guess."
NOT_ALL = (
    "A limit ended the search: the value is proven. A move with bounds may be as good as the best; a best move with bounds "
    "is a guess."
)
TIES = "The vector rests on the rule that among moves equal for the mover the first in text order is taken."
NO_TIES = "No tie between different vectors was met: the vector does not rest on how ties are broken."
NOT_REACHED = "A limit ended the search: what it did not reach is unknown."


def short(verdict: Verdict) -> str:
    if isinstance(verdict, Exact):
        return str(verdict.value)
    assert isinstance(verdict, Bounds)
    return f"{verdict.low}..{verdict.high}"


def shown(result: Result[Any]) -> str:
    moves = ", ".join(f"{move} {short(verdict)}" for move, verdict in result.moves.items())
    best, line = ", ".join(map(str, result.best)), " / ".join(map(str, result.pv))
    return f"{short(result.verdict)}: {moves}; best {best}; line {line}".rstrip()


class Questions:
    """The fast search, which remembers what it was asked; every question costs one node."""

    made: ClassVar[list[Questions]] = []

    def __init__(self, *options: Any) -> None:
        self.options, self.nodes, self.fill = options, 0, 0.25
        self.asked: list[tuple[Any, ...]] = []
        fours, tiebreak, bomb_variation, _ = options
        self._solver = Solver(fours, tiebreak, bomb_variation, 1)
        self.candidates, self.fewest_plays = self._solver.candidates, self._solver.fewest_plays
        self.made.append(self)

    def at_least(self, *question: Any) -> bool | None:
        *position, _, callback = question
        self.asked.append(question[:-1])
        self.nodes = 1
        ask: Callable[..., bool | None] = self._solver.at_least
        return None if callback(1000) else ask(*position, 10**9)


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[Questions]:
    made: list[Questions] = []
    monkeypatch.setattr(Questions, "made", made)
    monkeypatch.setattr(open_hands, "Solver", Questions)
    return made


# --- two hands -------------------------------------------------------------------------------------------------------

#: position, objective, whether every move is valued; then what is known after no question, one, two, ...
LIMITED: list[tuple[str, Objective, bool, list[str]]] = [
    (SCORE.format(0), "score", True, [
        "-18..18: 4D -18..18, 5C -18..18, 9H -18..18; best 4D; line",
        "2..18: 4D -18..18, 5C -18..18, 9H -18..18; best 4D; line",
        "2..8: 4D -18..8, 5C -18..8, 9H -18..8; best 4D; line",
        "2..4: 4D -18..4, 5C -18..4, 9H -18..4; best 4D; line",
        "2: 4D -18..2, 5C -18..2, 9H -18..2; best 4D; line",
        "2: 4D -18..-2, 5C -18..2, 9H -18..2; best 5C; line",
        "2: 4D -10..-2, 5C -18..2, 9H -18..2; best 5C; line",
        "2: 4D -6..-2, 5C -18..2, 9H -18..2; best 5C; line",
        "2: 4D -4..-2, 5C -18..2, 9H -18..2; best 5C; line",
        "2: 4D -2, 5C -18..2, 9H -18..2; best 5C; line",
        "2: 4D -2, 5C 2, 9H -18..2; best 5C; line",
        "2: 4D -2, 5C 2, 9H 2; best 5C, 9H; line 5C",
        "2: 4D -2, 5C 2, 9H 2; best 5C, 9H; line 5C / TH",
        "2: 4D -2, 5C 2, 9H 2; best 5C, 9H; line 5C / TH / pass",
        "2: 4D -2, 5C 2, 9H 2; best 5C, 9H; line 5C / TH / pass / 3D",
        "2: 4D -2, 5C 2, 9H 2; best 5C, 9H; line 5C / TH / pass / 3D",
        "2: 4D -2, 5C 2, 9H 2; best 5C, 9H; line 5C / TH / pass / 3D / 9H",
        "2: 4D -2, 5C 2, 9H 2; best 5C, 9H; line 5C / TH / pass / 3D / 9H / pass / 4D",
    ]),
    (SCORE.format(1), "score", True, [
        "-18..18: 3D -18..18, 5D -18..18, TH -18..18; best 3D; line",
        "-18..-2: 3D -18..18, 5D -18..18, TH -18..18; best 3D; line",
        "-10..-2: 3D -10..18, 5D -10..18, TH -10..18; best 3D; line",
        "-6..-2: 3D -6..18, 5D -6..18, TH -6..18; best 3D; line",
        "-4..-2: 3D -4..18, 5D -4..18, TH -4..18; best 3D; line",
        "-4: 3D -4..18, 5D -4..18, TH -4..18; best 3D; line",
        "-4: 3D -4, 5D -4..18, TH -4..18; best 3D; line",
        "-4: 3D -4, 5D -4, TH -4..18; best 3D, 5D; line",
        "-4: 3D -4, 5D -4, TH -2..18; best 3D, 5D; line",
        "-4: 3D -4, 5D -4, TH 2..18; best 3D, 5D; line",
        "-4: 3D -4, 5D -4, TH 2..8; best 3D, 5D; line",
        "-4: 3D -4, 5D -4, TH 2..4; best 3D, 5D; line",
        "-4: 3D -4, 5D -4, TH 2; best 3D, 5D; line 3D",
        "-4: 3D -4, 5D -4, TH 2; best 3D, 5D; line 3D / 4D",
        "-4: 3D -4, 5D -4, TH 2; best 3D, 5D; line 3D / 4D",
        "-4: 3D -4, 5D -4, TH 2; best 3D, 5D; line 3D / 4D / TH",
        "-4: 3D -4, 5D -4, TH 2; best 3D, 5D; line 3D / 4D / TH / pass / 5D",
    ]),
    (WIN.format(0), "win", False, [
        "-1..1: 4D -1..1; best 4D; line",
        "1: 4D -1..1; best 4D; line",
        "1: 4D -1, 5C -1..1; best 5C; line",
        "1: 4D -1, 5C 1; best 5C; line 5C",
        "1: 4D -1, 5C 1; best 5C; line 5C / TH",
        "1: 4D -1, 5C 1; best 5C; line 5C / TH / pass",
        "1: 4D -1, 5C 1; best 5C; line 5C / TH / pass / 3D",
        "1: 4D -1, 5C 1; best 5C; line 5C / TH / pass / 3D",
        "1: 4D -1, 5C 1; best 5C; line 5C / TH / pass / 3D / 9H",
        "1: 4D -1, 5C 1; best 5C; line 5C / TH / pass / 3D / 9H / pass / 4D",
    ]),
    (WIN.format(1), "win", True, [
        "-1..1: 3D -1..1, 5D -1..1, TH -1..1; best 3D; line",
        "-1: 3D -1..1, 5D -1..1, TH -1..1; best 3D; line",
        "-1: 3D -1, 5D -1..1, TH -1..1; best 3D; line",
        "-1: 3D -1, 5D -1, TH -1..1; best 3D, 5D; line",
        "-1: 3D -1, 5D -1, TH 1; best 3D, 5D; line 3D",
        "-1: 3D -1, 5D -1, TH 1; best 3D, 5D; line 3D / 4D",
        "-1: 3D -1, 5D -1, TH 1; best 3D, 5D; line 3D / 4D / 5D",
        "-1: 3D -1, 5D -1, TH 1; best 3D, 5D; line 3D / 4D / 5D / 5C / TH",
    ]),
    (PLACE, "place", True, [
        "(2, 0, 3, 0)..(2, 1, 3, 1): 4D (2, 0, 3, 0)..(2, 1, 3, 1), 6D (2, 0, 3, 0)..(2, 1, 3, 1), "
        "TH (2, 0, 3, 0)..(2, 1, 3, 1); best 4D; line",
        "(2, 0, 3, 1): 4D (2, 0, 3, 0)..(2, 1, 3, 1), 6D (2, 0, 3, 0)..(2, 1, 3, 1), "
        "TH (2, 0, 3, 0)..(2, 1, 3, 1); best 4D; line",
        "(2, 0, 3, 1): 4D (2, 0, 3, 1), 6D (2, 0, 3, 0)..(2, 1, 3, 1), TH (2, 0, 3, 0)..(2, 1, 3, 1); best 4D; line",
        "(2, 0, 3, 1): 4D (2, 0, 3, 1), 6D (2, 0, 3, 1), TH (2, 0, 3, 0)..(2, 1, 3, 1); best 4D, 6D; line",
        "(2, 0, 3, 1): 4D (2, 0, 3, 1), 6D (2, 0, 3, 1), TH (2, 1, 3, 0); best 4D, 6D; line 4D",
        "(2, 0, 3, 1): 4D (2, 0, 3, 1), 6D (2, 0, 3, 1), TH (2, 1, 3, 0); best 4D, 6D; line 4D / 6C",
        "(2, 0, 3, 1): 4D (2, 0, 3, 1), 6D (2, 0, 3, 1), TH (2, 1, 3, 0); best 4D, 6D; line 4D / 6C / TH",
        "(2, 0, 3, 1): 4D (2, 0, 3, 1), 6D (2, 0, 3, 1), TH (2, 1, 3, 0); best 4D, 6D; line 4D / 6C / TH / pass / 6D",
    ]),
]


@pytest.mark.parametrize(("text", "objective", "every_move", "known"), LIMITED)
def test_what_is_known_after_each_question(
    questions: list[Questions], text: str, objective: Objective, every_move: bool, known: list[str],
) -> None:
    state = State.parse(text)
    for number, expected in enumerate(known):
        result = solve(state, objective, every_move=every_move, nodes=number, table_mb=3)
        assert shown(result) == expected
        assert (result.effort.nodes, result.effort.table_fill) == (number, 0.25)
        notes = {"win": [WINNERS.format(state.turn)], "score": [VALUES.format(state.turn)], "place": []}[objective]
        if isinstance(result.verdict, Bounds):
            notes.append(NOT_PROVEN)
        elif not result.pv:  # which is looked for once all is known that was asked for
            notes.append(NOT_ALL)
        assert result.notes == tuple(notes)
        assert result.rules == state.rules.describe()
    without_limit = solve(state, objective, every_move=every_move)
    assert shown(without_limit) == known[-1]
    assert without_limit.effort.nodes == len(known) - 1
    assert [made.options for made in questions] == [(True, False, False, 3)] * len(known) + [(True, False, False, 256)]


def test_only_promising_moves_are_looked_at_for_the_value_alone() -> None:
    result = solve(State.parse("3D 3C | 4D; turn 0"), every_move=False)
    assert shown(result) == "1: 3D 3C 1; best 3D 3C; line 3D 3C"


def test_what_the_fast_search_is_asked(questions: list[Questions]) -> None:
    """The hands of the two that hold cards, who of them acts, the table, who has played, the question, the nodes left."""
    solve(State.parse(PLACE), "place", nodes=50)
    one, two = codec.words(State.parse(PLACE).hands[1])[0], codec.words(State.parse(PLACE).hands[3])[0]
    four, six, ten = 1 << 4, 1 << 12, 1 << 30
    assert questions[0].asked == [
        (one, two, 1, None, 0b10, False, 1, 50),
        (one, two - four, 0, (1, 1, 1, 0), 0b10, False, 0, 49),
        (one, two - six, 0, (1, 1, 3, 0), 0b10, False, 0, 48),
        (one, two - ten, 0, (1, 1, 7, 2), 0b10, False, 0, 47),
        (one - 2 * six, two - four, 1, (1, 1, 3, 1), 0b11, False, -1, 46),
        (one - 2 * six, two - four - ten, 0, (1, 1, 7, 2), 0b11, False, 0, 45),
        (one - 2 * six, two - four - ten, 1, None, 0b11, False, -1, 44),
    ]
    solve(State.parse("3D 4D 9H | 5D 6D TH; turn 0; on 3C by 1; idle 0; rules end=first_out"), "score")
    assert questions[1].asked[0][2:] == (0, (1, 1, 0, 1), 0b10, True, 1, 2**63)
    solve(State.parse("3D 4D 9H | 5D 6D TH; turn 0; idle 1; rules end=first_out"), "score")
    assert questions[2].asked[0][2:] == (0, None, 0b01, True, 1, 2**63)


@pytest.mark.parametrize(("rules", "options"), [
    ("fours=off", (False, False, False, 9)),
    ("straight_suit_tiebreak=true", (True, True, False, 9)),
    ("bomb_variation=true", (True, False, True, 9)),
])
def test_the_fast_search_knows_the_rules(questions: list[Questions], rules: str, options: tuple[Any, ...]) -> None:
    solve(State.parse(f"3D | 4D; turn 0; rules {rules}"), table_mb=9)
    assert questions[0].options == options


HANDS = "3D 4D 5D 6D 7C 9S 9H KD | 3C 8D 8C TD JD QD KH AH 2S; turn "


@pytest.mark.parametrize(("text", "moves"), [
    (HANDS + "0", ["3D 4D 5D 6D 7C", "9H 9S", "KD", "9S", "3D", "4D", "5D", "6D", "7C"]),
    (HANDS + "1", ["TD JD QD KH AH", "8D 8C", "3C", "2S", "8C", "TD", "JD", "QD", "KH", "AH"]),
    (HANDS + "0; on 5S by 1", ["KD", "9S", "pass", "6D", "7C"]),
    ("3D 3C 5D 5C 5H 9S | 3H KD; turn 0", ["3D 3C 5D 5C 5H", "5D 5C 5H", "3D 3C", "9S", "5D 5H", "3C", "5H"]),
])
def test_promising_moves_come_first(text: str, moves: list[str]) -> None:
    """Many cards at once that leave few plays, else low cards."""
    state = State.parse(text)
    solver = Solver(True, False, False, 1)
    duel = open_hands._Duel(solver, (0, 1), False, open_hands._Budget(None, None, None))
    assert [str(codec.move_of(*words)) for words in duel.ordered(codec.game_of(state))] == moves


@pytest.mark.parametrize(("text", "fits"), [
    ("3D | 4D; turn 0", True),
    ("3D | 4D; turn 0; rules fours=off bomb_variation=true straight_suit_tiebreak=true end=first_out", True),
    ("3D | 4D; turn 0; rules decks=2", False),
    ("3D | 4D; turn 0; rules fours=into_hand", False),
    ("3D | 4D; turn 0; rules revolution=true", False),
    ("3D 4D | 3C KS; turn 0; idle 0 1; exchange 1 0; rules exchange=true", False),
    ("3D 4D | 3C KS; turn 0; rules exchange=true", True),
    ("3D | 4D | 5D; turn 0", False),
    ("3D | - | 5D; turn 0; out 1", True),
    ("3D | - | 5D; turn 0; on 3C by 1; out 1", False),
    ("3D | - | 5D; turn 0; on 3C by 2; out 1", True),
])
def test_where_the_fast_search_fits(text: str, fits: bool) -> None:
    assert open_hands._is_duel(State.parse(text)) is fits


def test_the_fast_search_fits_hands_of_42_cards() -> None:
    pack = deck()
    for cards, fits in ((42, True), (43, False)):
        assert open_hands._is_duel(State.start([(pack[-1],), pack[:cards]], 0)) is fits


# --- every option, any number of hands -------------------------------------------------------------------------------

Log = list[tuple[Any, ...]]


@pytest.fixture
def general(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Log]:
    """Call it with what the general search shall answer, question after question, each for ten nodes; then truly."""
    real = codec.game_of

    def script(*answers: Answers) -> Log:
        log: Log = []

        class Scripted:
            def __init__(self, state: State) -> None:
                self._game: Game = real(state)
                self.moves = self._game.moves

            def solve(self, objective: int, limit: int, table_mb: int, callback: Any) -> tuple[Answers, int, float]:
                log.append((objective, limit, table_mb, callback(1)))
                place = len(log) - 1
                found = answers[place] if place < len(answers) else self._game.solve(objective, 10**9, table_mb)[0]
                return found, 10, 0.5

        monkeypatch.setattr(codec, "game_of", Scripted)
        return log

    return script


def test_what_the_general_search_is_asked(general: Callable[..., Log]) -> None:
    log = general()
    result = solve(State.parse(TURNED.format(1)), "score", nodes=100, table_mb=5)
    assert shown(result) == "-6: 4D -4, 9C -6; best 9C; line 9C / pass / 4D"
    assert log == [(1, 100, 5, False), (1, 90, 5, False), (1, 80, 5, False)]
    assert result.effort == Effort(30, result.effort.seconds, 0.5)
    assert result.rules == "end=first_out, revolution=true"
    log = general()
    assert solve(State.parse(TURNED.format(1)), "score").pv
    assert log[:2] == [(1, 2**63, 256, False)] * 2
    log = general()
    assert solve(State.parse("3D 3C | 4D 9C | 5D; turn 1"), "place", nodes=15).pv
    assert log[:3] == [(2, 15, 256, False), (2, 5, 256, False), (2, 0, 256, False)]


@pytest.mark.parametrize(("text", "objective", "answer"), [
    (TURNED.format(0), "score", "-4: 3D -4, 7D -4, 8D -4; best 3D, 7D, 8D; line 3D / 9C / pass / 4D"),
    (TURNED.format(0), "win", "-1: 3D -1, 7D -1, 8D -1; best 3D, 7D, 8D; line 3D / 4D / 7D / 9C"),
    (TURNED.format(1), "win", "-1: 4D -1, 9C -1; best 4D, 9C; line 4D / 7D / 9C"),
    ("3D 7D | - | 4D 9C; turn 2; out 1; rules revolution=true", "place",
     "(0, 2, 1): 4D (0, 2, 1), 9C (0, 2, 1); best 4D, 9C; line 4D / 7D / 9C"),
    ("3D 7D | - | 4D 9C; turn 0; out 1; rules revolution=true", "place",
     "(0, 2, 1): 3D (0, 2, 1), 7D (0, 2, 1); best 3D, 7D; line 3D / 9C / pass / 4D"),
    ("3D 3C | 4D 9C | 5D; turn 1", "win", "(0, 1, 0): 4D (0, 0, 1), 9C (0, 1, 0); best 9C; line 9C / pass / pass / 4D"),
    ("3D 8C | 4D 9C | 5D 5C; turn 1; rules end=first_out", "score",
     "(-2, 4, -2): 4D (-1, 2, -1), 9C (-2, 4, -2); best 9C; line 9C / pass / pass / 4D"),
    ("3D 7D | 4D 9C | 5D TC; turn 0", "place",
     "(1, 0, 2): 3D (1, 0, 2), 7D (0, 1, 2); best 3D; line 3D / 4D / TC / pass / pass / 5D / 7D"),
    ("3D | 5D; turn 0; rules end=first_out", "place", "(1, 0): 3D (1, 0); best 3D; line 3D"),
])
def test_whole_answers(text: str, objective: Objective, answer: str) -> None:
    result = solve(State.parse(text), objective, table_mb=1)
    assert shown(result) == answer
    assert not any("limit" in note for note in result.notes)


def test_a_line_of_play_ends_where_the_limit_does(general: Callable[..., Log]) -> None:
    truth = Exact(-6)
    general(*[[((4,), False), ((6,), False)], [None]])
    result = solve(State.parse(TURNED.format(1)), "score")
    assert (result.verdict, [str(move) for move in result.pv]) == (truth, ["9C"])


LOST, WON = ((-1,), False), ((1,), False)
FIRST, SECOND, TIED = ((1, 0, 0), False), ((0, 1, 0), False), ((0, 0, 1), True)
THREE = "3D 7D 9D | 4D 9C | 5D TC; turn 0"


@pytest.mark.parametrize(("text", "objective", "found", "answer", "notes"), [
    (TURNED.format(0), "win", [None, WON, None], "1: 3D None..None, 7D 1, 8D None..None; best 7D; line",
     [WINNERS.format(0), NOT_ALL]),
    (TURNED.format(0), "win", [LOST, None, LOST], "-1..1: 3D -1, 7D None..None, 8D -1; best 7D; line",
     [WINNERS.format(0), NOT_PROVEN]),
    (TURNED.format(0), "win", [None, None, None], "None..None: 3D None..None, 7D None..None, 8D None..None; best 3D; line",
     [WINNERS.format(0), NOT_PROVEN]),
    (TURNED.format(1), "win", [WON, None], "-1: 4D -1, 9C None..None; best 4D; line", [WINNERS.format(1), NOT_ALL]),
    (TURNED.format(0), "score", [((4,), False), ((-2,), False), None], "4..None: 3D 4, 7D -2, 8D None..None; best 3D; line",
     [VALUES.format(0), NOT_PROVEN]),
    (TURNED.format(1), "score", [None, ((4,), False)], "None..-4: 4D None..None, 9C -4; best 9C; line",
     [VALUES.format(1), NOT_PROVEN]),
    (TURNED.format(1), "place", [None, WON], "None..None: 4D None..None, 9C (0, 1); best 9C; line", [NOT_PROVEN]),
    (THREE, "win", [FIRST, None, SECOND], "None..None: 3D (1, 0, 0), 7D None..None, 9D (0, 1, 0); best 3D; line",
     [VECTORS.format(0), NO_TIES, NOT_REACHED]),
    (THREE, "win", [SECOND, None, None], "None..None: 3D (0, 1, 0), 7D None..None, 9D None..None; best 7D; line",
     [VECTORS.format(0), NO_TIES, NOT_REACHED]),
    (THREE, "win", [None, TIED, None], "None..None: 3D None..None, 7D (0, 0, 1), 9D None..None; best 3D; line",
     [VECTORS.format(0), TIES, NOT_REACHED]),
    (THREE, "win", [None, None, None], "None..None: 3D None..None, 7D None..None, 9D None..None; best 3D; line",
     [VECTORS.format(0), NO_TIES, NOT_REACHED]),
    (THREE, "score", [((-1, 3, -2), False), None, ((-1, -2, 3), False)],
     "None..None: 3D (-1, 3, -2), 7D None..None, 9D (-1, -2, 3); best 3D, 9D; line",
     [VECTORS.format(0), TIES, NOT_REACHED]),
])
def test_what_the_general_search_leaves_open(
    general: Callable[..., Log], text: str, objective: Objective, found: Answers, answer: str, notes: list[str],
) -> None:
    general(found)
    if objective == "score" and "rules" not in text:
        text += "; rules end=first_out"
    result = solve(State.parse(text), objective, nodes=10)
    assert shown(result) == answer
    assert result.notes == tuple(notes)


def test_vectors_say_whether_ties_decided_them(general: Callable[..., Log]) -> None:
    """Of one best move as below it, of two with different vectors, not of two with the same."""
    for found, note in (
        ([FIRST, FIRST, SECOND], NO_TIES), ([SECOND, TIED, SECOND], TIES), ([SECOND, ((0, 0, 1), False), SECOND], TIES),
    ):
        general(found)
        assert solve(State.parse(THREE), "win").notes == (VECTORS.format(0), note)


@pytest.mark.parametrize(("objective", "mover", "top", "verdict"), [
    ("win", 0, 1, Exact(1)), ("win", 0, -1, Bounds(-1, 1)), ("win", 1, 1, Exact(-1)), ("win", 1, -1, Bounds(-1, 1)),
    ("score", 0, -4, Bounds(-4, None)), ("score", 1, -4, Bounds(None, 4)), ("place", 0, 1, Bounds(None, None)),
    ("place", 1, -1, Bounds(None, None)),
])
def test_what_some_moves_prove(objective: Objective, mover: int, top: int, verdict: Verdict) -> None:
    assert open_hands._general_bounds(objective, mover, top) == verdict


@pytest.mark.parametrize(("text", "objective", "own", "value"), [
    (TURNED.format(0), "win", -1, -1), (TURNED.format(1), "win", -1, 1), (TURNED.format(0), "score", 6, 6),
    (TURNED.format(1), "score", 6, -6), (TURNED.format(0), "place", 1, (1, 0)), (TURNED.format(1), "place", -1, (1, 0)),
    ("3D | - | 4D | -; turn 2; out 3 1", "place", 1, (0, 2, 1, 3)),
    ("3D | - | 4D | -; turn 2; out 3 1", "place", -1, (1, 2, 0, 3)),
])
def test_own_results_in_the_units_that_are_shown(text: str, objective: Objective, own: int, value: Value) -> None:
    assert open_hands._general_value(State.parse(text), objective, own) == value


# --- objectives and limits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "players", "objective", "message"), [
    ({}, 2, "score", "objective score needs rule option end=first_out"),
    ({}, 4, "score", "objective score needs rule option end=first_out"),
    ({"end": "first_out"}, 3, "place", "objective place needs rule option end=loser"),
    ({"end": "first_out"}, 2, "place", None), ({"end": "first_out"}, 3, "score", None), ({}, 3, "place", None),
    ({}, 3, "win", None), ({"end": "first_out"}, 3, "win", None),
])
def test_which_objectives_the_rules_have(
    rules: dict[str, Any], players: int, objective: Objective, message: str | None,
) -> None:
    hands = " | ".join(["3D", "4D", "5D", "6D"][:players])
    state = State.parse(f"{hands}; turn 0; rules end={rules.get('end', 'loser')}")
    if message is None:
        open_hands.check_objective(state.rules, players, objective)
        assert solve(state, objective).exact
        return
    with pytest.raises(IllegalPosition, match=message):
        solve(state, objective)


@pytest.mark.parametrize(("text", "objective"), [
    ("- | 5D | 6D 7D; turn 1; out 0", "win"), ("- | 5D; turn 1; out 0", "place"),
    ("- | 5D; turn 1; out 0; rules end=first_out", "score"),
])
def test_a_hand_that_is_over_is_refused(text: str, objective: Objective) -> None:
    with pytest.raises(IllegalPosition, match="over; there is nothing to solve"):
        solve(State.parse(text), objective)


def test_winning_is_what_is_asked_for_by_default() -> None:
    with pytest.raises(IllegalPosition, match="over; there is nothing to solve"):
        solve(State.parse("- | 5D | 6D; turn 1; out 0"))


def test_a_budget_counts_nodes_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [10.0]
    monkeypatch.setattr(time, "process_time", lambda: clock[0])
    heard: list[tuple[int, float]] = []
    budget = open_hands._Budget(5, 2.0, lambda nodes, seconds: heard.append((nodes, seconds)))
    assert (budget.spent, budget.left, budget.is_over(4)) == (0, 5, False)
    budget.spent = 3
    clock[0] = 12.0
    assert (budget.left, budget.is_over(4), budget.seconds) == (2, False, 2.0)
    clock[0] = 12.5
    assert (budget.left, budget.is_over(0)) == (0, True)
    assert heard == [(4, 0.0), (7, 2.0), (3, 2.5)]
    assert open_hands._Budget(2, None, None).is_over(9) is False
    assert open_hands._Budget(None, None, None).left == 2**63


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks at the clock finds it a second later."""
    clock = iter(range(1000))
    monkeypatch.setattr(time, "process_time", lambda: next(clock))


def test_time_and_progress_reach_the_fast_search(questions: list[Questions], ticking: None) -> None:
    heard: list[tuple[int, float]] = []
    result = solve(State.parse(WIN.format(0)), seconds=3.5, progress=lambda *words: heard.append(words))
    assert heard == [(1000, 3)]
    assert (result.verdict, len(questions[0].asked), result.effort) == (Bounds(-1, 1), 1, Effort(1, 5, 0.25))


def test_time_and_progress_reach_the_general_search(general: Callable[..., Log], ticking: None) -> None:
    log = general([None, None])
    heard: list[tuple[int, float]] = []
    result = solve(State.parse(TURNED.format(1)), "win", seconds=2.5, progress=lambda *words: heard.append(words))
    assert heard == [(1, 2)]
    assert [told for *_, told in log] == [True]
    assert result.effort == Effort(10, 4, 0.5)
