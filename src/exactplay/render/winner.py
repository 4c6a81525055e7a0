"""Winner drawn: hands, the trick on the table, hidden cards as backs."""
from __future__ import annotations

from collections.abc import Collection
from typing import Final

from exactplay.render.cards import Strip, Thing, backs, card, table
from exactplay.render.svg import path, words
from exactplay.rules.contract import OVER
from exactplay.rules.winner import Card, State, View

# Diamond, club, heart, spade in a square of 20.
_SUITS: Final = (
    "M10 0 18 10 10 20 2 10z",
    "M10 1a4.3 4.3 0 0 1 3.4 7 4.4 4.4 0 1 1-2.4 7.2L12.5 19h-5L9 15.2A4.4 4.4 0 1 1 6.6 8 4.3 4.3 0 0 1 10 1z",
    "M10 19C4 13 1 10 1 6a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1c0 4-3 7-9 13z",
    "M10 1c6 6 9 8 9 11.5a4 4 0 0 1-7.5 2L13 19H7l1.5-4.5a4 4 0 0 1-7.5-2C1 9 4 7 10 1z",
)
_SUIT_NAMES: Final = ("diamonds", "clubs", "hearts", "spades")
_PAINTS: Final = ("red", "black", "red", "black")
_RANK_NAMES: Final = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}
_STAR: Final = "M10 0l3 7h7l-5.5 4.5 2 7.5L10 14.5 3.5 19l2-7.5L0 7h7z"


def draw(position: State | View, *, highlight: Collection[str] = (), interactive: bool = False) -> str:
    """The hands and what lies on the table; of a :class:`View` the hidden cards are backs.

    ``highlight`` names cards of the hand of the player to move (``3D``). Cards are ``data-card``; with ``interactive``
    those of the player to move are buttons.
    """
    state, hidden = (position, (0,) * position.players) if isinstance(position, State) else (position.known, position.hidden)
    # The position of a view does not hold the hidden cards, so whether it is over cannot be asked of it.
    mover = state.to_move if isinstance(position, State) or state.exchange else state.turn
    strips = [_trick(state)]
    for seat, (hand, unseen) in enumerate(zip(state.hands, hidden, strict=True)):
        acts = seat == mover
        things = [
            playing_card(one, highlight=acts and str(one) in highlight, interactive=interactive and acts) for one in hand
        ]
        strips.append(Strip(_seat(state, seat, len(hand) + unseen), (*things, *backs(unseen)), marked=acts))
    notes = ["The order of the ranks is reversed."] if state.reversed_order else []
    if isinstance(position, View) and position.spent is None:
        notes.append("Nobody kept count of the cards out of play.")
    status = "the hand is over" if mover == OVER else f"seat {mover} to act"
    return table(
        strips, title=f"Winner: {status}", description=str(position), kind="winner", interactive=interactive, notes=notes
    )


def playing_card(one: Card, *, highlight: bool = False, interactive: bool = False) -> Thing:
    """One card, open."""
    if one.is_joker:
        paint, label = ("red", "red joker") if str(one) == "RJ" else ("black", "black joker")
        face = [words(5, 15, "Jo", 13, fill=paint, font_weight=700), path(_STAR, fill=paint, transform="translate(12 26)")]
    else:
        rank, suit = str(one)[0], one.suit
        paint, label = _PAINTS[suit], f"{_RANK_NAMES.get(rank, rank)} of {_SUIT_NAMES[suit]}"
        face = [
            words(5, 19, "10" if rank == "T" else rank, 18, fill=paint, font_weight=700),
            path(_SUITS[suit], fill=paint, transform="translate(12 30) scale(1.2)"),
        ]
    return card(str(one), label, *face, highlight=highlight, interactive=interactive)


def _trick(state: State) -> Strip:
    if state.exchange is not None:
        offered = state.exchange.offered
        heading = f"Exchange: seat {state.exchange.winner} offers, seat {state.exchange.loser} takes one"
        return Strip(heading, tuple(playing_card(one) for one in offered))
    if state.current is None:
        return Strip("The table is empty: whoever acts leads.")
    kind = state.current.kind.replace("_", " ")
    things = tuple(playing_card(one) for one in state.current.cards)
    below = f" (on {len(state.stack) - 1} beaten)" if len(state.stack) > 1 else ""
    return Strip(f"On the table: {kind} of seat {state.owner}{below}", things)


def _seat(state: State, seat: int, cards: int) -> str:
    if seat in state.out:
        return f"Seat {seat}: out, place {state.out.index(seat) + 1}"
    idle = "" if not state.played or state.played[seat] else ", has played none"
    return f"Seat {seat}: {cards} {'card' if cards == 1 else 'cards'}{idle}"
