"""Winner drawn: hands, the trick on the table, hidden cards as backs."""
from __future__ import annotations

from collections.abc import Collection
from typing import Final

from exactplay.render.cards import ACROSS, Piece, Strip, Thing, alone, backs, card, table
from exactplay.render.svg import group, path, words
from exactplay.rules.contract import OVER
from exactplay.rules.winner import Card, State, View
from exactplay.rules.winner.pieces import deck

# Diamond, club, heart, spade, and a joker's star, on a card.
_SUITS: Final = (
    "M24 30l10 12-10 12-10-12z",
    "M24 31a5 5 0 0 1 4 8.5 5.3 5.3 0 1 1-3 8.6l2 5h-6l2-5a5.3 5.3 0 1 1-3-8.6 5 5 0 0 1 4-8.5z",
    "M24 53c-7-7-11-11-11-15.6a5.5 5.5 0 0 1 11-1.5 5.5 5.5 0 0 1 11 1.5c0 4.6-4 8.6-11 15.6z",
    "M24 31c7 7 11 10 11 14a5 5 0 0 1-9 2.5l1.5 5.5h-7l1.5-5.5a5 5 0 0 1-9-2.5c0-4 4-7 11-14z",
)
_SUIT_NAMES: Final = ("diamonds", "clubs", "hearts", "spades")
_LETTERS: Final = {"font_size": 18, "font_weight": 700}
_PAINTS: Final = ("red", "black", "red", "black")
_RANK_NAMES: Final = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}
_STAR: Final = "M24 28l3.5 8.5h8.5l-6.5 5.5 2.5 9-8-5.5-8 5.5 2.5-9-6.5-5.5h8.5z"


def draw(
    position: State | View, *, highlight: Collection[str] = (), interactive: bool = False, seat: int | None = None,
    without: int | None = None, across: float = ACROSS,
) -> str:
    """The hands and what lies on the table; of a :class:`View` the hidden cards are backs.

    ``highlight`` names cards of the hand of the player to move (``3D``). Cards are ``data-card``; with ``interactive``
    those of the player to move are buttons.
    ``seat`` hides of a :class:`State` what that seat does not see. ``without`` leaves the hand of one seat out: the page
    shows it itself. ``across`` is the width.
    """
    if isinstance(position, State):
        state = position
        hidden = tuple(0 if seat in (None, other) else len(hand) for other, hand in enumerate(state.hands))
    else:
        state, hidden = position.known, position.hidden
    mover = state.to_move
    strips = [_trick(state)]
    for other, (hand, unseen) in enumerate(zip(state.hands, hidden, strict=True)):
        if other == without:
            continue
        acts = other == mover
        seen = hand if isinstance(position, View) or not unseen else ()
        things = [
            playing_card(one, highlight=acts and str(one) in highlight, interactive=interactive and acts) for one in seen
        ]
        heading = _seat(state, other, len(seen) + unseen)
        strips.append(Strip(heading, (*things, *backs(unseen)), marked=acts, attributes=_LETTERS))
    notes = ["The order of the ranks is reversed."] if state.reversed_order else []
    if isinstance(position, View) and position.spent is None:
        notes.append("Nobody kept count of the cards out of play.")
    status = "the hand is over" if mover == OVER else f"seat {mover} to act"
    return table(
        strips, title=f"Winner: {status}", kind="winner", interactive=interactive, notes=notes, across=across,
        description=str(position) if seat is None else f"what seat {seat} sees",
    )


def pieces(*, jokers: bool = True, decks: int = 1) -> list[Piece]:
    """Every card of the game, in order."""
    return [
        alone(str(one), playing_card(one, interactive=True), decks, _LETTERS)
        for one in dict.fromkeys(deck(jokers=jokers, decks=decks))
    ]


def playing_card(one: Card, *, highlight: bool = False, interactive: bool = False) -> Thing:
    """One card, open."""
    if one.is_joker:
        paint, label = ("red", "red joker") if str(one) == "RJ" else ("black", "black joker")
        face = group(words(5, 19, "Jo"), path(_STAR), fill=paint)
    else:
        rank, suit = str(one)[0], one.suit
        paint, label = _PAINTS[suit], f"{_RANK_NAMES.get(rank, rank)} of {_SUIT_NAMES[suit]}"
        face = group(words(5, 19, "10" if rank == "T" else rank), path(_SUITS[suit]), fill=paint)
    return card(str(one), label, face, highlight=highlight, interactive=interactive)


def _trick(state: State) -> Strip:
    if state.exchange is not None:
        offered = state.exchange.offered
        heading = f"Exchange: seat {state.exchange.winner} offers, seat {state.exchange.loser} takes one"
        return Strip(heading, tuple(playing_card(one) for one in offered), attributes=_LETTERS)
    if state.current is None:
        return Strip("The table is empty: whoever acts leads.")
    kind = state.current.kind.replace("_", " ")
    things = tuple(playing_card(one) for one in state.current.cards)
    below = f" (on {len(state.stack) - 1} beaten)" if len(state.stack) > 1 else ""
    return Strip(f"On the table: {kind} of seat {state.owner}{below}", things, attributes=_LETTERS)


def _seat(state: State, seat: int, cards: int) -> str:
    if seat in state.out:
        return f"Seat {seat}: out, place {state.out.index(seat) + 1}"
    idle = "" if not state.played or state.played[seat] else ", has played none"
    return f"Seat {seat}: {cards} {'card' if cards == 1 else 'cards'}{idle}"
