"""The pieces of Walk the Dogs and what is done with them: cards, dogs, lines of dogs.

A line of dogs is a string of breed letters, front first. A card is a short text: ``g1 g2 g3 r1 r2 r3 y le bo dc``.
"""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from exactplay.rules.contract import BadText, quoted

#: schnauzer, pug, poodle, golden retriever, beagle, dalmatian, dachshund (rulebook "What's in the Box")
BREEDS: Final = "SPOGBDC"
DOGS_PER_BREED: Final = 9
#: how many copies of each card the box holds
DECK: Final = {"g1": 6, "g2": 6, "g3": 6, "r1": 6, "r2": 6, "r3": 6, "y": 6, "le": 3, "bo": 5, "dc": 3}
CARDS: Final = tuple(DECK)
#: "Special Action Cards": shown and acted on when drawn, never held
PUT_ASIDE: Final = ("bo", "dc")
HAND_CARDS: Final = tuple(card for card in CARDS if card not in PUT_ASIDE)
#: what ``special_cards=false`` leaves out (rulebook "Simple Rules")
SPECIAL: Final = ("le", "bo", "dc")
BONE_POINTS: Final = 3
FIVE: Final = 5

_RANK: Final = {card: rank for rank, card in enumerate(CARDS)}


def read_cards(text: str) -> tuple[str, ...]:
    """Cards from ``"g1 bo"`` or ``"g1,bo"``, in the order given; raises :class:`BadText`."""
    cards = tuple(text.replace(",", " ").split())
    for card in cards:
        if card not in DECK:
            raise BadText(f"card {quoted(card)} is unknown; the cards are {' '.join(CARDS)}")
    return cards


def read_dogs(text: str, what: str) -> str:
    """A line of dogs, ``-`` or nothing for an empty one; raises :class:`BadText`."""
    dogs = "" if text == "-" else text
    for dog in dogs:
        if dog not in BREEDS:
            raise BadText(f"{what} {quoted(text)} holds {dog!r}; the breeds are {' '.join(BREEDS)}")
    return dogs


def in_order(cards: Sequence[str]) -> tuple[str, ...]:
    """Cards in the order of the box: the one way to write a hand."""
    return tuple(sorted(cards, key=_RANK.__getitem__))


def runs(line: str) -> list[str]:
    """The groups of a line: its maximal runs of one breed."""
    return ["".join(group) for _, group in itertools.groupby(line)]


def longest_run(line: str) -> int:
    """The length of the longest group; 0 for an empty line."""
    return max((len(run) for run in runs(line)), default=0)


def has_five(line: str) -> bool:
    """Five of a breed in a row (rulebook "Object of the Game")."""
    return longest_run(line) >= FIVE


def points(line: str, bones: int = 0) -> int:
    """The points of a line and its bones (rulebook "End of the Game")."""
    return sum(len(run) ** 2 for run in runs(line)) + BONE_POINTS * bones


def mirrored(line: str) -> str:
    """The one of a line and its mirror image that comes first: both are worth the same in every respect."""
    return min(line, line[::-1])


def winners(lines: Sequence[str], bones: Sequence[int]) -> tuple[int, ...]:
    """Who wins: five in a row at once; else the most points, then the longest run, then shared (rules page "End")."""
    five = tuple(player for player, line in enumerate(lines) if has_five(line))
    if five:
        return five
    ranks = [(points(line, own), longest_run(line)) for line, own in zip(lines, bones, strict=True)]
    return tuple(player for player, rank in enumerate(ranks) if rank == max(ranks))


def take(middle: str, card: str) -> tuple[str, str]:
    """The dogs that a green, red or yellow card takes, in the order taken, and the middle line left.

    Rulebook "Play a Card": green from the front, red from the back, yellow one of each, front first.
    """
    if card == "y":
        return middle[:1] + middle[1:][-1:], middle[1:-1]
    number = int(card[1])
    if card[0] == "g":
        return middle[:number], middle[number:]
    left = middle[:-number]
    return middle[len(left):][::-1], left


def arrangements(line: str, dogs: str, any_order: bool = True) -> tuple[str, ...]:
    """Every line that adding the dogs can make, sorted (rulebook "Build Your Own Line").

    Each dog goes to the front or the back; the dogs come in any order, or else in the order given.
    """
    orders = set(itertools.permutations(dogs)) if any_order else {tuple(dogs)}
    lines = set()
    for order in orders:
        for ends in itertools.product((True, False), repeat=len(dogs)):
            grown = line
            for dog, at_front in zip(order, ends, strict=True):
                grown = dog + grown if at_front else grown + dog
            lines.add(grown)
    return tuple(sorted(lines))


def catches(line: str) -> dict[str, str]:
    """What a dog catcher can leave of a line: the end that loses its group -> the line left (one end, or his choice).

    Rulebook "Dog Catcher Cards": the longer of the two end groups. A line without a choice is listed under "front".
    """
    groups = runs(line)
    if len(groups) < 2:
        return {"front": ""}
    front, back = len(groups[0]), len(groups[-1])
    left = {}
    if front >= back:
        left["front"] = line[front:]
    if back >= front:
        left["back"] = line[:-back]
    return left


def bone_goes_to(dogs: Sequence[int], drawer: int) -> int:
    """The player who gets a bone: fewest dogs, of several the first clockwise from the drawer, himself included."""
    clockwise = [(drawer + step) % len(dogs) for step in range(len(dogs))]
    return min(clockwise, key=lambda player: dogs[player])
