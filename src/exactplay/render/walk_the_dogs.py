"""Walk the Dogs drawn: the middle line, the players' lines on their leashes, hands, bones, hidden cards as backs."""
from __future__ import annotations

from collections.abc import Collection
from typing import Final

from exactplay.render.cards import Strip, Thing, backs, card, table
from exactplay.render.svg import Markup, group, join, path, words
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import State, View, points

BREED_NAMES: Final = {
    "S": "schnauzer", "P": "pug", "O": "poodle", "G": "golden retriever", "B": "beagle", "D": "dalmatian", "C": "dachshund",
}
_PAINTS: Final = {"S": "grey", "P": "fawn", "O": "rose", "G": "gold", "B": "brown", "D": "white", "C": "mahogany"}
# Muzzle to the left, as the line walks: head, back, tail, legs in 30 by 30.
_DOG: Final = "M2 9l5-3 2-4 3 4v4h11l4-5 1 2-3 6v12h-4v-7h-8v7H9v-9l-2-4H3z"
_LONG_DOG: Final = "M2 13l5-3 2-3 3 4v3h13l3-4 1 2-3 5v8h-3v-4H11v4H8v-7l-1-2H3z"
_CARDS: Final = {
    "g": ("green", "from the front"), "r": ("red", "from the back"), "y": ("yellow", "one from the front, one from the back"),
}


def draw(position: State | View, *, highlight: Collection[str] = (), interactive: bool = False) -> str:
    """The line in the middle, front to the left, and every player's line, hand and bones; of a :class:`View` the hidden
    cards are backs.

    ``highlight`` names cards of the hand of the player whose turn it is (``g2``). Dogs are ``data-dog`` within a line
    ``data-line`` (``middle`` or the player), cards ``data-card``; with ``interactive`` the cards of the player to move are
    buttons.
    """
    view = isinstance(position, View)
    mover = position.player if isinstance(position, View) else position.to_move
    acting = position.turn if mover == CHANCE else mover
    strips = [Strip(
        f"Middle line: {len(position.middle)} dogs, front to the left" if position.middle else "The middle line is empty",
        dog_line(position.middle, "middle"), gap=0,
    )]
    for player, line in enumerate(position.lines):
        bones = position.bones[player]
        worth = points(line, bones)
        strips.append(Strip(
            f"Player {player}: {worth} {'point' if worth == 1 else 'points'}" + (" in an empty line" if not line else ""),
            (*dog_line(line, str(player)), *[_bone()] * bones), marked=player == acting, gap=0,
        ))
        own = isinstance(position, View) and player != position.player
        if isinstance(position, View):
            hand = position.hand if player == position.player else ()
            unseen = position.sizes[player] if own else 0
        else:
            hand, unseen = position.hands[player], 0
        buttons = interactive and player == mover
        cards = [walk_card(one, highlight=player == acting and one in highlight, interactive=buttons) for one in hand]
        strips.append(Strip(f"Hand of player {player}" + ("" if cards or unseen else ": empty"), (*cards, *backs(unseen))))
    if isinstance(position, State) and position.deck:
        shown = () if position.shuffled else tuple(walk_card(one) for one in position.deck[:8])
        strips.append(Strip(
            f"Draw pile: {len(position.deck)} cards" + (", shuffled" if position.shuffled else ", the next to the left"),
            shown or backs(len(position.deck)),
        ))
    return table(
        strips, title=f"Walk the Dogs: {_status(position, mover)}", description=str(position), kind="walk_the_dogs",
        interactive=interactive,
    )


def dog_line(line: str, name: str) -> tuple[Thing, ...]:
    """The dogs of a line, each a thing of its own so that the line can wrap, on one leash."""
    return tuple(
        Thing(32, 44, join([
            path("M0 9h32" if index else "M14 9h18", fill="none", stroke="brown", stroke_width=1.5),
            dog(breed, data_line=name, data_place=index),
        ]))
        for index, breed in enumerate(line)
    )


def dog(breed: str, **attributes: object) -> Markup:
    """One dog with its letter."""
    paint = _PAINTS[breed]
    shape = _LONG_DOG if breed == "C" else _DOG
    return group(
        path(shape, fill=paint, stroke="black", stroke_linejoin="round", transform="translate(1 1)"),
        path("M12 14h3v3h-3zM20 12h3v3h-3zM23 18h2v2h-2z", fill="black") if breed == "D" else Markup(),
        path("M17 11h8v4h-8z", fill="black") if breed == "B" else Markup(),
        words(16, 41, breed, 11, "middle"),
        data_dog=breed, **attributes,
    )


def walk_card(name: str, *, highlight: bool = False, interactive: bool = False) -> Thing:
    """One card, open."""
    if name == "le":
        face, label = path("M10 44c-6-14 10-20 14-12s-8 16-8 4 20-18 20-6", fill="none", stroke="brown", stroke_width=3), "leash"
    elif name == "bo":
        face, label = path("M9 28a4 4 0 1 1 4-4h18a4 4 0 1 1 4 4 4 4 0 1 1-4 8H13a4 4 0 1 1-4-8z", fill="ivory", stroke="black"), "bone"
    elif name == "dc":
        face, label = path("M8 24h28L26 50h-8zM12 30h20M14 36h16M17 43h10M18 24l2 26M26 24l-2 26M22 24v-14", fill="none", stroke="black"), "dog catcher"
    else:
        paint, whence = _CARDS[name[0]]
        count = name[1:] or "1+1"
        face = join([
            path(_arrows(name[0]), fill=paint, stroke="black"),
            words(22, 31, count, 15, "middle", fill="black", font_weight=700),
        ])
        label = f"{paint} {count.replace('1+1', '')} {whence}".replace("  ", ": ")
    return card(name, label, words(4, 13, name, fill="black", font_weight=700), face, highlight=highlight, interactive=interactive)


def _arrows(colour: str) -> str:
    left, right = "M6 46l9-8v5h{}v6H15v5z", "M38 46l-9-8v5H{}v6h23v5z"
    if colour == "g":
        return left.format(23)
    if colour == "r":
        return "M38 46l-9-8v5H6v6h23v5z"
    return "M4 46l8-8v5h20v-5l8 8-8 8v-5H12v5z"


def _bone() -> Thing:
    return Thing(40, 44, group(
        path("M8 10a4 4 0 1 1 4-4h14a4 4 0 1 1 4 4 4 4 0 1 1-4 8H12a4 4 0 1 1-4-8z", fill="ivory", stroke="black", transform="translate(2 4)"),
        words(20, 41, "+3", 11, "middle"), data_token="bone",
    ))


def _status(position: State | View, mover: int) -> str:
    if mover == OVER:
        return "the game is over"
    if mover == CHANCE:
        return f"player {position.turn} draws a card"
    return f"player {mover} {'loses a group' if position.phase == 'catch' else 'to play'}"
