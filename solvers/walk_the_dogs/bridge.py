"""From positions of the rules to positions of the native core and back."""
from __future__ import annotations

from typing import Final

from exactplay.cython_core.walk_the_dogs.position import Position
from exactplay.rules.walk_the_dogs import BREEDS, CARDS, Move, Rules, State
from exactplay.rules.walk_the_dogs.moves import Kind

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


def position_of(state: State) -> Position:
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


def state_of(at: Position, rules: Rules, shuffled: bool) -> State:
    """The state that a native position stands for."""
    middle, lines, hands, deck, turn, bones, discards, phase, chooser, passes = at.fields()
    return State(
        dog_letters(middle), tuple(map(dog_letters, lines)), tuple(map(card_texts, hands)), card_texts(deck), turn,
        tuple(bones), card_texts(discards), PHASES[phase], chooser, passes, shuffled, rules,
    )
