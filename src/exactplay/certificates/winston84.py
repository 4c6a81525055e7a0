"""Winston 1984: the table of what every place on the sheet is worth, checked against the Bellman equations.

The value of a place is the mean over all first rolls of the best that can be made of each. The table says what all places
are worth; the equation of one place takes the values of the places that follow it from the table and asks whether the
value of the place fits. If every equation holds, the table is right by induction from the last round backwards.

The check walks the reference rules through every position of a round once (the same positions serve every place) and then
works out, for a place, the exact maximum and mean over all of them in double precision. It never samples rolls: a
place that is checked is checked with all of its rolls. What may be a sample are the places.
"""
from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Self

import numpy as np

from exactplay.certificates.format import BadCertificate, Certificate, Progress, WrongCertificate
from exactplay.certificates.round_graph import Floats, RoundGraph, Schedule
from exactplay.common.errors import quoted
from exactplay.rules.winston84 import (
    LAST_ROUND,
    Difficulty,
    End,
    Objective,
    Place,
    Round,
    Rules,
    Sheet,
    after_round,
    check_place,
    opening_round,
)
from exactplay.rules.winston84.sheet import REFERENCE

SAMPLE: Final = 256  # places
SEED: Final = 84
#: the largest residual that rounding explains, relative to the largest value that a place can lead to
TOLERANCE: Final = 1e-10
#: what rounding can do to the value that a check works out for a place, relative to the same: sums of 6^6 and of 6^5
#: terms one after another, each off by half a unit in the last place at most; doubled for all that is small beside it
_ROUNDING: Final = 2 * 6**6 * 2.0**-53

#: how far from the truth a value may be for the check to call it proven, relative to the value (to 1 if that is more)
_PROVEN_WITHIN: Final = 1e-6

_RESULTS: Final = 37  # 0 to 36
_LANES: Final = 8  # places evaluated at once
_MOST_PLACES: Final = 9 * 2_000 * 10 * 2  # rounds, boxes of the longest route with its detour, marks, fresh or not
_PLACES: Final = "places"
_VALUES: Final = "values"


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    """What a certificate says: the question, and the value of every place that can be reached from ``start``.

    Marks are counted up to the end of the Big Brother track only, since further ones change no score.
    """

    game: ClassVar[str] = "winston84"

    sheet: Sheet
    difficulty: Difficulty
    objective: Objective
    rules: Rules
    start: Place
    values: dict[Place, float]

    @property
    def value(self) -> float:
        """The value of the first place."""
        return self.values[self.start]

    def to_certificate(self) -> Certificate:
        """The table as a certificate."""
        places = sorted(self.values, key=_order)
        rows = np.array([_order(place) for place in places], "<u2")
        values = np.array([self.values[place] for place in places], "<f8")
        about = {
            "sheet": self.sheet.to_toml(), "difficulty": self.difficulty.level, "objective": str(self.objective),
            "rules": self.rules.changed(), "place": str(self.start), "value": self.value,
        }
        return Certificate(self.game, about, {_PLACES: rows.tobytes(), _VALUES: values.tobytes()})

    @classmethod
    def of(cls, certificate: Certificate) -> Self:
        """The table of a certificate; raises :class:`BadCertificate` or another ValueError where it is none."""
        certificate.require_fields("sheet", "difficulty", "objective", "rules", "place", "value")
        sheet = Sheet.from_toml(certificate.field("sheet", str))
        difficulty = Difficulty(certificate.field("difficulty", int))
        objective = Objective.parse(certificate.field("objective", str))
        rules = Rules.from_mapping(certificate.field("rules", dict))
        start = check_place(sheet, difficulty, Place.parse(certificate.field("place", str)))
        if sorted(certificate.sections) != [_PLACES, _VALUES]:
            raise BadCertificate(f"it has the sections {quoted(sorted(certificate.sections))}, not {_PLACES} and {_VALUES}")
        places, values = certificate.sections[_PLACES], certificate.sections[_VALUES]
        if len(places) != len(values) or len(places) % 8:
            raise BadCertificate(f"{len(places)} bytes of places and {len(values)} of values: each place needs 8 and 8")
        if len(places) // 8 > _MOST_PLACES:
            raise BadCertificate(f"{len(places) // 8:,} places; no sheet has more than {_MOST_PLACES:,}")
        table: dict[Place, float] = {}
        last: tuple[int, ...] = ()
        rows = np.frombuffer(places, "<u2").reshape(-1, 4).tolist()
        for row, value in zip(rows, np.frombuffer(values, "<f8").tolist(), strict=True):
            place = check_place(sheet, difficulty, Place(row[0], row[1], row[2], row[3] == 1))
            if row != list(_order(place)) or place != _capped(sheet, place) or tuple(row) <= last:
                raise BadCertificate(f"place {place} is out of order, or written in a way that no writer does")
            if not np.isfinite(value):
                raise BadCertificate(f"the value of {place} is {value}, which is no number")
            table[place], last = value, tuple(row)
        if next(iter(table), None) != start:
            raise BadCertificate(f"its table does not begin with {start}, which it is about")
        if table[start] != certificate.field("value", float):
            raise WrongCertificate(f"it says {certificate.about['value']}, and its table has {table[start]} for {start}")
        return cls(sheet, difficulty, objective, rules, start, table)

    def leads_to(self, place: Place, result: int) -> float:
        """What a result of a round is worth at a place, by this table; raises :class:`WrongCertificate`."""
        after = after_round(self.sheet, self.difficulty, self.rules, place, result)
        if isinstance(after, End):
            return self.objective.utility(after.won, after.score)
        after = _capped(self.sheet, after)
        if after not in self.values:
            raise WrongCertificate(f"result {result} at {place} leads to {after}, which its table lacks")
        return self.values[after]

    def opening(self, place: Place) -> Round:
        """The round before its roll at a place."""
        return opening_round(self.sheet, self.difficulty, self.rules, place)

    def __str__(self) -> str:
        options = f", {self.rules.describe()}" if self.rules.changed() else ""
        sheet = f"{self.sheet.name} ({self.sheet.provenance}, {self.sheet.digest[:12]})"
        return f"winston84 {self.difficulty} on sheet {sheet}{options}, {self.start} before the roll, {self.objective}"


@dataclasses.dataclass(frozen=True, slots=True)
class CheckedTable:
    """How much of a table was checked, with what largest residual: absolute, and relative to the values led to.

    ``scale`` is the largest of those values; ``pairs`` counts pairs of a place and a first roll; ``sampled`` is the seed of
    the sample of places, None if all were to be checked; ``interrupted`` says that the check was ended early.
    """

    table: Table
    checked: int
    pairs: int
    residual: float
    relative_residual: float
    scale: float
    sampled: int | None
    interrupted: bool

    @property
    def complete(self) -> bool:
        """Whether every place was checked."""
        return self.checked == len(self.table.values)

    @property
    def error_bound(self) -> float | None:
        """What the value of the first place may be wrong by: residual and rounding of all rounds. None after a sample.

        The best of some values moves no further than they do, and so does their mean, so the errors of the rounds add up.
        """
        rounds = LAST_ROUND - self.table.start.round + 1
        return rounds * (self.residual + _ROUNDING * self.scale) if self.complete else None

    @property
    def proven(self) -> bool:
        """Whether every place was checked, and rounding leaves no doubt, as it does beside absurdly large scores."""
        return self.error_bound is not None and self.error_bound <= _PROVEN_WITHIN * max(1.0, abs(self.table.value))

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        table = self.table
        return {
            "game": table.game, "sheet": table.sheet.name, "provenance": table.sheet.provenance,
            "sheet_digest": table.sheet.digest, "difficulty": table.difficulty.level, "objective": str(table.objective),
            "rules": table.rules.changed(), "place": str(table.start), "value": table.value, "places": len(table.values),
            "checked": self.checked, "pairs": self.pairs, "residual": self.residual,
            "relative_residual": self.relative_residual, "complete": self.complete, "seed": self.sampled,
            "error_bound": self.error_bound, "proven": self.proven, "interrupted": self.interrupted,
        }

    def lines(self) -> list[str]:
        """The same for a reader."""
        table, places = self.table, f"{len(self.table.values):,}"
        if self.complete:
            what = f"all {places} places"
        else:
            how = "until the interruption" if self.interrupted else f"a random sample with seed {self.sampled}"
            what = f"{self.checked:,} of {places} places ({how})"
        if self.proven:
            verdict = "checked"
        elif self.error_bound is None:
            verdict = "not proven, only a part of its table was checked"
        else:
            verdict = f"not proven, beside values of {self.scale:.1e} rounding leaves a doubt of {self.error_bound:.1e}"
        lines = [
            f"{table}: {table.value:.10g} ({verdict})",
            f"checked: {what}, each with all of its rolls ({self.pairs:,} pairs of a place and a roll)",
            f"largest residual: {self.residual:.1e} ({self.relative_residual:.1e} of the values that the place leads to)",
        ]
        if self.error_bound is None:
            lines.append(
                "The other places are taken on trust, and one that was tampered with can make this value wrong: "
                "--complete checks them all."
            )
        else:
            lines.append(f"The value is right within {self.error_bound:.1e}.")
        if table.sheet.digest != Sheet.load(REFERENCE).digest:
            lines.append("note: the sheet is the certificate's own, not the one that exactplay ships")
        if table.sheet.provenance == "reconstruction":
            lines.append(f"note: the sheet {table.sheet.name!r} is a reconstruction, not the printed one")
        return lines


def check_table(
    certificate: Certificate, *, sample: int | None = SAMPLE, seed: int = SEED, progress: Progress | None = None,
    graph: RoundGraph | None = None,
) -> CheckedTable:
    """Check that the table is closed (every place leads to places that it has), and the equations of its places.

    Where there are more places than ``sample``, so many are drawn with ``seed``, the first one always among them; None
    checks all. Ctrl-C ends the check after the walk through a round; then the answer says how far it got. ``graph`` holds
    positions that were walked before under the same rules. Raises BadCertificate or WrongCertificate.
    """
    table = Table.of(certificate)
    places = list(table.values)
    graph = graph or RoundGraph(progress)
    openings = {round: graph.visit(round) for round in {table.opening(place) for place in places}}
    schedule = Schedule(graph)
    results = dict(zip(openings, schedule.results(list(openings.values())), strict=True))
    rows: dict[Place, Floats] = {}
    for place in places:
        rows[place] = row = np.zeros(_RESULTS)
        for result in results[table.opening(place)]:
            row[result] = table.leads_to(place, result)
    # The first place is what the certificate is about; the others come in random order, so that a check that is
    # interrupted was a sample.
    others = random.Random(seed).sample(places[1:], len(places) - 1)
    chosen = [places[0], *others][: len(places) if sample is None else max(1, sample)]
    checked = pairs = 0
    residual = relative = largest = 0.0
    interrupted = False
    try:
        for batch in _batches(chosen, rows):
            utilities = np.ascontiguousarray(np.array([rows[group[0]] for group in batch]).T)
            with np.errstate(over="ignore"):  # an infinite mean equals no value
                values = schedule.values(utilities)
            for lane, group in enumerate(batch):
                scale = float(np.abs(rows[group[0]]).max())
                largest = max(largest, scale)
                for place in group:
                    opening = table.opening(place)
                    right = float(values[schedule.place[openings[opening]], lane])
                    off = abs(table.values[place] - right)
                    if off > TOLERANCE * scale:
                        raise WrongCertificate(
                            f"the value of {place} is {table.values[place]!r}; by the rules and the values of the places "
                            f"that follow it is {right!r}"
                        )
                    residual, relative = max(residual, off), max(relative, off / scale if scale else 0.0)
                    checked += 1
                    pairs += 6 ** len(opening.dice.to_roll)
            if progress is not None:
                progress(f"{checked:,} of {len(chosen):,} places checked")
    except KeyboardInterrupt:
        interrupted = True
    sampled = seed if len(chosen) < len(places) else None
    return CheckedTable(table, checked, pairs, residual, relative, largest, sampled, interrupted)


def _batches(places: Sequence[Place], rows: dict[Place, Floats]) -> list[list[list[Place]]]:
    """The places in batches of groups; the places of a group lead to the same values, so they are evaluated once."""
    groups: dict[bytes, list[Place]] = {}
    for place in places:
        groups.setdefault(rows[place].tobytes(), []).append(place)
    listed = list(groups.values())
    return [listed[first : first + _LANES] for first in range(0, len(listed), _LANES)]


def _order(place: Place) -> tuple[int, int, int, int]:
    return place.round, place.box, place.marks, int(place.fresh)


def _capped(sheet: Sheet, place: Place) -> Place:
    return dataclasses.replace(place, marks=min(place.marks, len(sheet.big_brother) - 1))
