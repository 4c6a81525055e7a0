"""From positions of the rules to positions of the native core and back."""
from __future__ import annotations

from fractions import Fraction
from typing import Final, Self

from exactplay.cython_core.walk_the_dogs import Position
from exactplay.rules.contract import CHANCE, IllegalMove
from exactplay.rules.walk_the_dogs import BREEDS, CARDS, Move, Rules, State
from exactplay.rules.walk_the_dogs.state import Kind

PHASES: Final = ("draw", "catch", "play")
_CARD: Final = {card: number for number, card in enumerate(CARDS)}
_KINDS: Final[tuple[Kind, ...]] = ("play", "leash", "lose", "draw", "pass", "turn up")
_TO_NUMBERS: Final = str.maketrans(BREEDS, "".join(map(chr, range(len(BREEDS)))))
_TO_LETTERS: Final = dict(enumerate(BREEDS))


def dog_bytes(dogs: str) -> bytes:
    """A line of letters as dog numbers."""
    return dogs.translate(_TO_NUMBERS).encode()


def dog_letters(dogs: bytes) -> str:
    """Dog numbers as a line of letters."""
    return dogs.decode().translate(_TO_LETTERS)


def card_bytes(cards: tuple[str, ...]) -> bytes:
    """Cards as card numbers."""
    return bytes(map(_CARD.__getitem__, cards))


def card_texts(cards: bytes) -> tuple[str, ...]:
    """Card numbers as cards."""
    return tuple(map(CARDS.__getitem__, cards))


def position(state: State) -> Position:
    """The state in the native core."""
    return Position(
        state.rules.advanced | state.rules.three_in_any_order << 1, dog_bytes(state.middle),
        [dog_bytes(line) for line in state.lines], [card_bytes(hand) for hand in state.hands], card_bytes(state.deck),
        state.shuffled, state.turn, bytes(state.bones), card_bytes(state.discards), PHASES.index(state.phase),
        state.chooser, state.passes,
    )


def move_of(at: Position, code: int) -> Move:
    """The move that a native integer stands for in a position."""
    kind = _KINDS[code & 7]
    if kind == "play":
        return Move("play", card=CARDS[code >> 3 & 15], line=dog_letters(at.line_after(code)))
    if kind == "leash":
        end = "back" if code >> 9 & 1 else "front"
        return Move("leash", card="le", victim=code >> 7 & 3, end=end, line=dog_letters(at.line_after(code)))
    if kind == "lose":
        return Move("lose", end="back" if code >> 9 & 1 else "front")
    return Move(kind, card=CARDS[code >> 3 & 15] if kind == "turn up" else "")


def moves_of(at: Position) -> dict[Move, int]:
    """The legal moves of a native position with their integers, sorted."""
    return dict(sorted((move_of(at, code), code) for code in at.moves()))


class NativeState:
    """A position played in the native core, behind the contract of a state."""

    def __init__(self, at: Position, rules: Rules, shuffled: bool) -> None:
        self._at, self._rules, self._shuffled = at, rules, shuffled

    @classmethod
    def of(cls, state: State) -> Self:
        """The native twin of a state."""
        return cls(position(state), state.rules, state.shuffled)

    @property
    def to_move(self) -> int:
        """The player to act, CHANCE or OVER."""
        return self._at.to_move

    def legal_moves(self) -> tuple[Move, ...]:
        """The decisions of the player to move, sorted."""
        return tuple(moves_of(self._at))

    def chance_outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """The cards that may be drawn with their probabilities."""
        draws = self._at.draws()
        total = sum(copies for _, copies in draws)
        return tuple(sorted((Move("turn up", card=CARDS[card]), Fraction(copies, total)) for card, copies in draws))

    def play(self, move: Move) -> Self:
        """The state after a move or a draw; raises :class:`IllegalMove`."""
        if self.to_move == CHANCE:
            codes = {Move("turn up", card=CARDS[card]): 5 | card << 3 for card, _ in self._at.draws()}
        else:
            codes = moves_of(self._at)
        if move not in codes:
            raise IllegalMove(f"move {move} is not legal here")
        return type(self)(self._at.play(codes[move]), self._rules, self._shuffled)

    def scores(self) -> tuple[int, ...]:
        """The points of each player."""
        return tuple(self._at.points())

    def state(self) -> State:
        """The same position in the reference."""
        middle, lines, hands, deck, turn, bones, discards, phase, chooser, passes = self._at.fields()
        return State(
            dog_letters(middle), tuple(map(dog_letters, lines)), tuple(map(card_texts, hands)), card_texts(deck), turn,
            tuple(bones), card_texts(discards), PHASES[phase], chooser, passes, self._shuffled, self._rules,
        )

    def __str__(self) -> str:
        return str(self.state())
