"""What all games share: how rule options are read, refused and described, and how values are shown."""
from __future__ import annotations

import dataclasses
import importlib.util
from collections.abc import Iterator
from typing import ClassVar, Literal, get_args

import pytest

from exactplay.rules import contract
from exactplay.rules.contract import CHANCE, OVER, BadOption, RulesBase, Shown, show_with


@dataclasses.dataclass(frozen=True, slots=True)
class Toy(RulesBase):
    game: ClassVar[str] = "toy"

    loud: bool = False
    kept: bool = True
    pile: Literal[1, 2, 3] = 2
    end: Literal["early", "late"] = "late"


@dataclasses.dataclass(frozen=True, slots=True)
class Bare(RulesBase):
    game: ClassVar[str] = "bare"


def test_options_list_the_default_first() -> None:
    assert Toy.options() == {"loud": (False, True), "kept": (True, False), "pile": (2, 1, 3), "end": ("late", "early")}
    listed = Toy.options()
    listed.clear()
    assert Toy.options()


def test_options_are_read_from_texts() -> None:
    assert Toy.from_texts([]) == Toy()
    assert Toy.from_texts([" loud = TRUE ", "pile=3", "end= Early"]) == Toy(True, True, 3, "early")
    assert Toy.chosen(["kept=true", "pile=2"]) == {"kept": True, "pile": 2}


@pytest.mark.parametrize(
    ("texts", "line"),
    [
        (["loud"], "rule option 'loud' has no '='; write NAME=VALUE"),
        (["pile=1", " pile =1"], "rule option 'pile' is given twice; give it once"),
        (["pile=4"], "rule option pile is '4'; it must be one of 2, 1, 3"),
        (["loud=1"], "rule option loud is '1'; it must be one of false, true"),
        (["end=late=early"], "rule option end is 'late=early'; it must be one of late, early"),
        (["quiet=true"], "rule option 'quiet' is unknown; toy has loud, kept, pile, end"),
    ],
)
def test_wrong_texts_are_refused(texts: list[str], line: str) -> None:
    with pytest.raises(BadOption) as refusal:
        Toy.from_texts(texts)
    assert str(refusal.value) == line


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"pile": True}, "rule option pile is true; it must be one of 2, 1, 3"),
        ({"loud": 1}, "rule option loud is 1; it must be one of false, true"),
        ({"end": None}, "rule option end is None; it must be one of late, early"),
        ({"loud": True, "pile": 5}, "rule option pile is 5; it must be one of 2, 1, 3"),
    ],
)
def test_wrong_values_are_refused(given: dict[str, object], line: str) -> None:
    with pytest.raises(BadOption) as refusal:
        Toy.from_mapping(given)
    assert str(refusal.value) == line


def test_what_the_asker_says_overrides() -> None:
    rules = Toy(loud=True, pile=3)
    assert rules.with_options({"pile": 2, "kept": False}) == Toy(loud=True, kept=False)
    assert rules.with_options({}) == rules.with_options(None) == rules
    with pytest.raises(BadOption, match="pile is 4"):
        rules.with_options({"pile": 4})


def test_chance_and_the_end_are_no_players() -> None:
    # The cores and plain data hold these numbers.
    assert (CHANCE, OVER) == (-1, -2)


def test_a_game_without_options_says_so() -> None:
    with pytest.raises(BadOption) as refusal:
        Bare.from_texts(["x=1"])
    assert str(refusal.value) == "rule option 'x' is unknown; bare has none"
    assert Bare().describe() == "default rules"
    assert dict(Bare.explained) == {}


def test_what_differs_from_the_default_is_told() -> None:
    rules = Toy.from_mapping({"loud": True, "end": "early", "pile": 2})
    assert rules.changed() == {"loud": True, "end": "early"}
    assert rules.describe() == "loud=true, end=early"
    assert Toy().describe() == "default rules"


@pytest.fixture
def a_face() -> Iterator[None]:
    before = contract._show
    yield
    show_with(before)


@pytest.mark.usefixtures("a_face")
def test_a_face_says_how_values_are_shown() -> None:
    value = Shown()
    show_with(lambda shown, form: f"<{form}>" if shown is value else None)
    assert (value._repr_svg_(), value._repr_html_()) == ("<svg>", "<html>")
    assert Shown()._repr_svg_() is None
    asked: list[str] = []
    show_with(lambda shown, form: asked.append(form))
    assert (value._repr_svg_(), value._repr_html_()) == (None, None)
    assert asked == list(get_args(contract.Form))


def test_without_a_face_notebooks_show_text() -> None:
    spec = importlib.util.find_spec(contract.__name__)
    assert spec is not None
    assert spec.loader is not None
    anew = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(anew)
    assert (anew.Shown()._repr_svg_(), anew.Shown()._repr_html_()) == (None, None)
