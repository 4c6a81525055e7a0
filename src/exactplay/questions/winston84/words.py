"""Decisions, dice and values in words."""
from __future__ import annotations

from collections.abc import Iterable

from exactplay.rules.winston84 import Colour, Decision, Objective


def names(colours: Iterable[Colour]) -> str:
    """``Blue``, ``Blue and White``, ``Blue, White and Purple``."""
    *most, last = [colour.label for colour in colours]
    return f"{', '.join(most)} and {last}" if most else last


def describe(decision: Decision) -> str:
    """What the hands do."""
    die = decision.die.label
    if decision.give_up:
        return f"give up {die}"
    if not decision.targets:
        return f"place {die}"
    effect = {
        Colour.GREEN: "roll {} again",
        Colour.BLUE: "remove {}",
        Colour.WHITE: "give {} its value",
        Colour.PURPLE: "flip {} with it",
    }[decision.die]
    return f"place {die}, {effect.format(names(decision.targets))}"


def describe_plan(plan: Iterable[Decision]) -> str:
    """A plan on one line, texts first."""
    return "; then ".join(f"{decision} ({describe(decision)})" for decision in plan)


def show_value(value: float, objective: Objective) -> str:
    """Points with two decimals, or a probability in percent."""
    return f"{value:.2f} points" if objective.kind == "score" else f"{100 * value:.3f} %"


def show_percent(probability: float) -> str:
    """A probability in percent."""
    return f"{100 * probability:.2f} %"


def goal(objective: Objective) -> str:
    """What an objective maximises."""
    if objective.kind == "score":
        return "expected final score"
    return "probability to win" if objective.kind == "win" else f"probability of at least {objective.threshold} points"
