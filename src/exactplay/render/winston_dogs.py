"""Winston, the dog cards, drawn: hands, the dogs on the table, pile, bone and poo."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from exactplay.render.cards import ACROSS, HEIGHT, Piece, Strip, Thing, alone, backs, card, table, text, tint, together
from exactplay.render.svg import Markup, circle, group, join, moved, path, words
from exactplay.rules.contract import OVER
from exactplay.rules.winston_dogs import BODIES, COLOURS, HEADS, NAMES, Card, Dog, State, View

_PAINTS: Final = {"B": "brown", "K": "black", "G": "grey", "W": "white", "O": "orange", "S": "white"}
_BONE: Final = (
    "M6 3a4 4 0 0 1 7 3h14a4 4 0 0 1 7-3 4 4 0 0 1 2 7 4 4 0 0 1-2 7 4 4 0 0 1-7-3H13a4 4 0 0 1-7 3 4 4 0 0 1-2-7 "
    "4 4 0 0 1 2-7z"
)
_POO: Final = "M4 20c-4-5 0-8 3-8-2-4 2-6 4-6 0-3 1-4 3-6 3 3 3 5 2 6 4 0 5 3 4 6 4 0 6 4 3 8z"


def draw(
    position: State | View, *, highlight: Collection[str] = (), interactive: bool = False, seat: int | None = None,
    without: int | None = None, across: float = ACROSS,
) -> str:
    """The dogs in the middle, the pile, every hand with its points; of a :class:`View` the hidden cards are backs.

    ``highlight`` names cards of the hand of the player to move (``Bh``). Cards are ``data-card``, dogs on the table
    ``data-dog``; with ``interactive`` the cards of the player to move are buttons.
    ``seat`` hides of a :class:`State` what that seat does not see. ``without`` leaves the hand of one seat out: the page
    shows it itself. ``across`` is the width.
    """
    if isinstance(position, State):
        state, mover = position, position.to_move
        hidden = tuple(0 if seat in (None, other) else len(hand) for other, hand in enumerate(state.hands))
        top = 0 if seat is None else len(state.pile)
    else:
        state, hidden, top, mover = position.known, position.hidden, position.top, position.known.turn
    dogs = [dog_on_table(colour, dog) for colour, dog in zip(COLOURS, state.table, strict=True) if dog]
    strips = [
        Strip("Dogs on the table" if dogs else "No dog on the table", tuple(dogs), gap=22),
        _pile(state.pile if isinstance(position, View) or not top else (), top),
    ]
    for other, (hand, unseen) in enumerate(zip(state.hands, hidden, strict=True)):
        acts = other == mover
        seen = hand if isinstance(position, View) or not unseen else ()
        things = [
            dog_card(one, highlight=acts and str(one) in highlight, interactive=interactive and acts) for one in seen
        ] if other != without else []
        tokens = [token for token, holder in ((_bone(), state.bone), (_poo(), state.poo)) if holder == other]
        covered = backs(unseen) if other != without else ()
        strips.append(Strip(f"Seat {other}: {state.points[other]} points", (*things, *covered, *tokens), marked=acts))
    status = "the game is over" if mover == OVER else f"seat {mover} to play"
    notes = [f"Longest dog so far {state.longest}, shortest {state.shortest}."] if state.longest else []
    return table(
        strips, title=f"Winston, the dog cards: {status}", kind="winston_dogs",
        description=str(position) if seat is None else f"what seat {seat} sees",
        interactive=interactive, notes=notes, across=across,
    )


def pieces() -> list[Piece]:
    """Every kind of card, a head and a body of each colour."""
    kinds = [Card(colour, head) for colour in COLOURS for head in (True, False)]
    return [alone(str(one), dog_card(one, interactive=True), HEADS if one.head else BODIES, {}) for one in kinds]


def dog_card(one: Card, *, highlight: bool = False, interactive: bool = False) -> Thing:
    """One card, open: a head or a body."""
    picture = _head(one.colour) if one.head else _body(one.colour)
    return card(
        str(one), f"{NAMES[one.colour]} {'head' if one.head else 'body'}",
        words(4, 13, one, fill="black", font_weight=700),
        group(picture, transform=moved(5, 22)),
        highlight=highlight, interactive=interactive,
    )


def dog_on_table(colour: str, dog: Dog) -> Thing:
    """A dog in the middle: head, bodies and tail in one piece, its letter and size below."""
    parts: list[Thing] = [Thing(28, 34, group(_head(colour) if dog.head else _no_head(), transform=moved(0, -4)))]
    parts += [Thing(26, 34, _body(colour)) for _ in range(dog.bodies)]
    parts.append(Thing(12, 34, path("M0 13q9-1 10-12", fill="none", stroke="ink", stroke_width=3, stroke_linecap="round")))
    whole = together(parts, gap=0)
    bodies = "1 body" if dog.bodies == 1 else f"{dog.bodies} bodies"
    label = f"{colour} {NAMES[colour]}: {'head' if dog.head else 'no head'}, {bodies}"
    return Thing(
        max(whole.width, 150), HEIGHT, join([group(whole.markup, transform=moved(0, 6)), words(0, 56, label)]),
        {"data_dog": dog.show(colour)},
    )


def _head(colour: str) -> Markup:
    paint = _PAINTS[colour]
    return join([
        path("M8 6C0 4 0 16 3 20l6-4zM24 6c8-2 8 10 5 14l-6-4z", fill="black" if colour == "S" else paint, stroke="grey"),
        path("M6 14a11 11 0 0 1 21 0c2 8-3 16-10 16S4 22 6 14z", fill=paint, stroke="grey", stroke_width=1.5),
        _spots(colour, "M10 10a3 3 0 1 1 1 4zM22 20a2 2 0 1 1 1 2z"),
        path("M11 15h2v3h-2zM20 15h2v3h-2zM14 22h5l-2.5 3z", fill=tint(paint)),
    ])


def _body(colour: str) -> Markup:
    return join([
        path("M1 4h24v17h-4v9h-5v-9h-6v9H5v-9H1z", fill=_PAINTS[colour], stroke="grey", stroke_width=1.5),
        _spots(colour, "M5 9a3 3 0 1 1 1 4zM15 15a2.5 2.5 0 1 1 1 3zM19 7a2 2 0 1 1 1 2z"),
    ])


def _no_head() -> Markup:
    return circle(16, 20, 11, fill="none", stroke="muted", stroke_dasharray="3 3")


def _spots(colour: str, d: str) -> Markup:
    return path(d, fill="black") if colour == "S" else Markup()


def _pile(cards: Sequence[Card], top: int) -> Strip:
    known = tuple(dog_card(one) for one in cards)
    count = top + len(known)
    if not count:
        return Strip("The draw pile is empty")
    shown = known if len(known) <= 5 else (*known[:5], text(f"and {len(known) - 5} more"))
    return Strip(f"Draw pile: {count} {'card' if count == 1 else 'cards'}, top card first", (*backs(top), *shown))


def _bone() -> Thing:
    return _token("bone", "bone +6", path(_BONE, fill="ivory", stroke="black", transform=moved(8, 14)))


def _poo() -> Thing:
    return _token("poo", "poo −6", path(_POO, fill="brown", stroke="black", transform=moved(16, 12)))


def _token(name: str, label: str, picture: Markup) -> Thing:
    return Thing(62, HEIGHT, join([picture, words(8, 50, label)]), {"data_token": name})
