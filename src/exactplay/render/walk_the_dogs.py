"""Walk the Dogs drawn: the middle line, the players' lines on their leashes, hands, bones, hidden cards as backs."""
from __future__ import annotations

from collections.abc import Collection
from typing import Final

from exactplay.render.cards import ACROSS, Piece, Strip, Thing, alone, backs, card, table
from exactplay.render.svg import Markup, group, join, path, words
from exactplay.rules.contract import CHANCE, OVER
from exactplay.rules.walk_the_dogs import State, View, points
from exactplay.rules.walk_the_dogs.pieces import DECK, DOGS_PER_BREED

BREED_NAMES: Final = {
    "S": "schnauzer", "P": "pug", "O": "poodle", "G": "golden retriever", "B": "beagle", "D": "dalmatian", "C": "dachshund",
}
_PAINTS: Final = {"S": "grey", "P": "fawn", "O": "rose", "G": "gold", "B": "brown", "D": "white", "C": "mahogany"}
# Muzzle to the left, as the line walks: head, back, tail, legs in 30 by 30.
_DOG: Final = "M3 10l5-3 2-4 3 4v4h11l4-5 1 2-3 6v12h-4v-7h-8v7h-4v-9l-2-4H4z"
_LONG_DOG: Final = "M3 15l5-3 2-3 3 4v3h13l3-4 1 2-3 5v8h-3v-4H12v4H9v-7l-1-2H4z"
_LEASH: Final = path("M-4 10q5 12 14 5", fill="none")  # from the tail of the dog before to the neck
_CARDS: Final = {
    "g": ("green", "from the front", "M6 46l9-8v5h23v6H15v5z"),
    "r": ("red", "from the back", "M38 46l-9-8v5H6v6h23v5z"),
    "y": ("yellow", "one from the front, one from the back", "M4 46l8-8v5h20v-5l8 8-8 8v-5H12v5z"),
}
_BONE: Final = "M9 28a4 4 0 1 1 4-4h18a4 4 0 1 1 4 4 4 4 0 1 1-4 8H13a4 4 0 1 1-4-8z"
_SPECIAL: Final[dict[str, tuple[str, str, dict[str, object]]]] = {
    "le": (
        "leash", "M10 44c-6-14 10-20 14-12s-8 16-8 4 20-18 20-6", {"fill": "none", "stroke": "brown", "stroke_width": 3},
    ),
    "bo": ("bone", _BONE, {"fill": "ivory", "stroke": "black"}),
    "dc": (
        "dog catcher", "M8 24h28L26 50h-8zM12 30h20M14 36h16M17 43h10M18 24l2 26M26 24l-2 26M22 24v-14",
        {"fill": "none", "stroke": "black"},
    ),
}


def draw(
    position: State | View, *, highlight: Collection[str] = (), interactive: bool = False, seat: int | None = None,
    without: int | None = None, across: float = ACROSS,
) -> str:
    """The line in the middle, front to the left, and every player's line, hand and bones; of a :class:`View` the hidden
    cards are backs.

    ``highlight`` names cards of the hand of the player whose turn it is (``g2``). Dogs are ``data-dog`` within a line
    ``data-line`` (``middle`` or the player), cards ``data-card``; with ``interactive`` the cards of the player to move are
    buttons.
    ``seat`` hides of a :class:`State` what that seat does not see. ``without`` leaves the hand of one seat out: the page
    shows it itself. ``across`` is the width.
    """
    mover = position.seat if isinstance(position, View) else position.to_move
    acting = position.turn if mover == CHANCE else mover
    strips = [Strip(
        f"Middle line: {len(position.middle)} dogs, front to the left" if position.middle else "The middle line is empty",
        dog_line(position.middle), gap=0, attributes=_on_leash("middle"),
    )]
    for player, line in enumerate(position.lines):
        bones = position.bones[player]
        worth = points(line, bones)
        strips.append(Strip(
            f"Player {player}: {worth} {'point' if worth == 1 else 'points'}" + (" in an empty line" if not line else ""),
            (*dog_line(line), *[_bone()] * bones), marked=player == acting, gap=0, attributes=_on_leash(str(player)),
        ))
        if isinstance(position, State):
            hand, unseen = position.hands[player], 0
            if seat not in (None, player):
                hand, unseen = (), len(hand)
        elif player == position.seat:
            hand, unseen = position.hand, 0
        else:
            hand, unseen = (), position.sizes[player]
        buttons = interactive and player == mover
        cards = [walk_card(one, highlight=player == acting and one in highlight, interactive=buttons) for one in hand]
        if player != without:
            strips.append(Strip("", (*cards, *backs(unseen))))
    if isinstance(position, State) and position.deck:
        unknown = position.shuffled or seat is not None
        shown = () if unknown else tuple(walk_card(one) for one in position.deck[:8])
        strips.append(Strip(
            f"Draw pile: {len(position.deck)} cards" + (", shuffled" if unknown else ", the next to the left"),
            shown or backs(len(position.deck)),
        ))
    return table(
        strips, title=f"Walk the Dogs: {_status(position, mover)}", kind="walk_the_dogs",
        description=str(position) if seat is None else f"what player {seat} sees", interactive=interactive, across=across,
    )


def pieces() -> list[Piece]:
    """Every kind of card, then every breed."""
    cards = [alone(name, walk_card(name, interactive=True), copies, {}) for name, copies in DECK.items()]
    dogs = [
        alone(breed, dog_line(breed)[0], DOGS_PER_BREED, _on_leash(None), name) for breed, name in BREED_NAMES.items()
    ]
    return [*cards, *dogs]


def dog_line(line: str) -> tuple[Thing, ...]:
    """The dogs of a line, each a thing of its own so that the line can wrap, on one leash."""
    return tuple(
        Thing(32, 44, join([dog(breed), _LEASH if index else Markup()]), {"data_dog": breed, "data_place": index})
        for index, breed in enumerate(line)
    )


def dog(breed: str) -> Markup:
    """One dog with its letter; the outline is that of the group around it."""
    shape = _LONG_DOG if breed == "C" else _DOG
    coat = {"D": "M12 14h3v3h-3zM20 12h3v3h-3zM23 17h2v2h-2z", "B": "M14 11h11v4H14z"}.get(breed)
    return join([
        path(shape, fill=_PAINTS[breed]), path(coat, fill="black") if coat else Markup(),
        words(16, 42, breed, stroke="none"),
    ])


def _on_leash(line: str | None) -> dict[str, object]:
    """The attributes of a line of dogs."""
    return {"data_line": line, "stroke": "ink", "stroke_linejoin": "round", "font_size": 11, "text_anchor": "middle"}


def walk_card(name: str, *, highlight: bool = False, interactive: bool = False) -> Thing:
    """One card, open."""
    if name in _SPECIAL:
        label, d, look = _SPECIAL[name]
        face = path(d, **look)
    else:
        paint, whence, arrow = _CARDS[name[0]]
        count = name[1:] or "1+1"
        face = join([path(arrow, fill=paint, stroke="black"), words(22, 31, count, 15, "middle", font_weight=700)])
        label = f"{paint}: {name[1:]} {whence}" if name[1:] else f"{paint}: {whence}"
    return card(
        name, label, group(words(4, 13, name, font_weight=700), face, fill="black"),
        highlight=highlight, interactive=interactive,
    )


def _bone() -> Thing:
    picture = path(_BONE, fill="ivory", transform="translate(-2 -14)")
    return Thing(40, 44, join([picture, words(20, 42, "+3", stroke="none")]), {"data_token": "bone"})


def _status(position: State | View, mover: int) -> str:
    if mover == OVER:
        return "the game is over"
    if mover == CHANCE:
        return f"player {position.turn} draws a card"
    return f"player {mover} {'loses a group' if position.phase == 'catch' else 'to play'}"
