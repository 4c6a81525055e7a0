"""Certificates of Winston 1984: solved tables, checked place by place against the rules."""
from __future__ import annotations

import dataclasses
import functools
import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactplay.certificates import BadCertificate, Certificate, CheckedTable, Table, WrongCertificate, check, check_content
from exactplay.certificates.round_graph import RoundGraph
from exactplay.certificates.winston84 import check_table
from exactplay.rules.winston84 import Place, State
from exactplay.rules.winston84.journey import after_round
from exactplay.solvers.winston84.certificate import certify
from tests.shared.test_certificates import altered
from tests.winston84.cases import LATE, PURPLE, RECHECK, X3


@functools.cache
def table_certificate(objective: str = "score") -> Certificate:
    return certify(State.resume(PURPLE, X3, LATE, RECHECK), objective=objective)


@functools.cache
def walked() -> RoundGraph:
    graph = RoundGraph()
    graph.visit(Table.of(table_certificate()).opening(LATE))
    return graph


def check_quickly(certificate: Certificate, sample: int | None = None) -> CheckedTable:
    return check_table(certificate, sample=sample, graph=walked())


def test_a_table_holds(tmp_path: Path) -> None:
    path = tmp_path / "table.cert"
    table_certificate().write(path)
    checked = check(path)
    assert isinstance(checked, CheckedTable)
    assert checked.complete
    assert checked.checked == len(checked.table.values) > 5
    assert checked.pairs == 7_776 * checked.checked
    assert checked.relative_residual < 1e-13
    assert checked.error_bound is not None
    # No double is the mean of thousands of others to the last digit, whatever the residual says.
    assert 2 * (checked.residual + 6**5 * 2.0**-53 * checked.scale) < checked.error_bound < 1e-8 * checked.table.value
    assert "(checked)" in checked.lines()[0]
    assert "all" in checked.lines()[1]
    assert "the certificate's own" in checked.lines()[4]
    assert json.loads(json.dumps(checked.to_json()))["complete"] is True


def test_all_outer_states_of_a_small_sheet_hold() -> None:
    """From the second round on: before the first box Purple is in play too, and six dice take the reference a minute."""
    begin = Place(2, 1, 0, True)
    reached, ahead = {begin}, [begin]
    while ahead:
        place = ahead.pop()
        for result in range(10):  # the route has nine boxes
            after = after_round(PURPLE, X3, RECHECK, place, result)
            if isinstance(after, Place):
                after = dataclasses.replace(after, marks=min(after.marks, 3))  # further ones change no score
                ahead += {after} - reached
                reached.add(after)
    certificate = certify(State.resume(PURPLE, X3, begin, RECHECK))
    checked = check_quickly(certificate)
    assert checked.complete
    assert set(checked.table.values) == reached
    assert checked.checked == len(reached) > 50
    last = max(reached, key=lambda place: (place.round, place.box))
    values = {**checked.table.values, last: checked.table.values[last] * (1 + 1e-8)}
    forged = dataclasses.replace(checked.table, values=values)
    with pytest.raises(WrongCertificate, match="the value of"):
        check_quickly(forged.to_certificate())


@pytest.mark.parametrize("objective", ["score", "win", "at-least:100"])
def test_objectives_hold(objective: str) -> None:
    assert check_quickly(table_certificate(objective)).complete


def test_a_sample_says_that_it_is_one() -> None:
    checked = check_quickly(table_certificate(), sample=2)
    assert (checked.checked, checked.complete, checked.error_bound) == (2, False, None)
    assert "2 of" in checked.lines()[1]
    assert "seed 84" in checked.lines()[1]
    assert "taken on trust" in checked.lines()[3]


def test_a_table_forged_outside_the_sample_is_not_called_proven() -> None:
    """The places of the sample are known from the seed: whoever forges the others makes any value pass, and it says so."""
    table = Table.of(table_certificate())
    honest = check_quickly(table_certificate(), sample=1)
    raised = {place: value + 50.0 for place, value in table.values.items() if place.round > LATE.round}
    forged_values = {**table.values, **raised}
    rows = [
        dataclasses.replace(table, values=forged_values).leads_to(LATE, result)
        for result in range(37)
    ]
    opening = walked().visit(table.opening(LATE))
    forged_values[LATE] = float(walked().values(np.array([rows], float).T)[opening, 0])
    certificate = dataclasses.replace(table, values=forged_values).to_certificate()
    checked = check_quickly(certificate, sample=1)
    assert checked.table.value > honest.table.value + 1.0
    assert "not proven" in checked.lines()[0]
    assert "tampered with" in checked.lines()[3]
    with pytest.raises(WrongCertificate, match="the value of"):
        check_quickly(certificate)


def test_a_value_that_rounding_can_have_made_is_not_called_proven() -> None:
    """Beside a score of 10^12 a hundred more or less pass for rounding."""
    checked = check_quickly(table_certificate())
    assert checked.proven
    beside = dataclasses.replace(checked, scale=1e12, residual=60.0)
    assert beside.complete
    assert not beside.proven
    assert "(not proven, beside values of 1.0e+12 rounding leaves a doubt of 1.4e+02)" in beside.lines()[0]
    assert (beside.to_json()["proven"], checked.to_json()["proven"]) == (False, True)


def test_every_changed_value_is_caught() -> None:
    table = Table.of(table_certificate())
    for place, value in table.values.items():
        for other in (math.nextafter(value, math.inf) + 1e-7 * abs(value), value * (1 - 1e-7), -value, 0.0):
            values = {**table.values, place: other}
            with pytest.raises(WrongCertificate, match="the value of"):
                check_quickly(dataclasses.replace(table, values=values).to_certificate())


def test_a_missing_place_is_caught_even_by_a_sample() -> None:
    table = Table.of(table_certificate())
    for place in list(table.values)[1:]:
        values = {other: value for other, value in table.values.items() if other != place}
        with pytest.raises(WrongCertificate, match="which its table lacks"):
            check_quickly(dataclasses.replace(table, values=values).to_certificate(), sample=1)


@pytest.mark.parametrize(
    "about",
    [
        {"sheet": dataclasses.replace(PURPLE, golden_country=(5, 1, 7, 4)).to_toml()},
        {"sheet": dataclasses.replace(PURPLE, rounds=(9, 8, 7, 6, 5, 4, 3, 2, 0)).to_toml()},
        {"sheet": dataclasses.replace(PURPLE, route="P" * 10).to_toml()},
        {"objective": "win"},
        {"difficulty": 5},
        {"rules": {"failed_round_rechecks_zone": True, "purple_alone_ok": True, "room101_is_placed": True}},
    ],
)
def test_another_sheet_or_question_is_caught(about: dict[str, Any]) -> None:
    certificate = altered(table_certificate(), **about)
    with pytest.raises(WrongCertificate):
        # Other rules have other positions, which have to be walked anew.
        check_table(certificate, graph=None if "rules" in about else walked())


@pytest.mark.parametrize(
    ("about", "sections", "complaint"),
    [
        ({"value": 1.0}, {}, "it says 1.0, and its table has"),
        ({"value": 1}, {}, "must be of type float"),
        ({"difficulty": 6}, {}, "must be 1, 2, 3, 4 or 5"),
        ({"sheet": "nonsense"}, {}, "not TOML"),
        ({"place": "R7 box 5 marks 1 fresh"}, {}, "does not begin with"),
        ({"place": "R99 box 5 marks 1"}, {}, "must be"),
        ({"objective": "fun"}, {}, "unknown"),
        ({}, {"places": b""}, "each place needs 8 and 8"),
        ({}, {"places": b"", "values": b""}, "does not begin with"),
        ({}, {"places": bytes(7), "values": bytes(7)}, "each place needs 8 and 8"),
        ({}, {"places": bytes(8), "values": bytes(8)}, "round is 0"),
        ({}, {"places": bytes(8 * 400_000), "values": bytes(8 * 400_000)}, "no sheet has more than 360,000"),
        ({}, {"more": b""}, "it has the sections"),
        ({"more": 1}, {}, "unknown entry 'more'"),
    ],
)
def test_odd_tables_are_refused(about: dict[str, Any], sections: dict[str, bytes], complaint: str) -> None:
    with pytest.raises((BadCertificate, WrongCertificate), match=complaint):
        check_content(altered(table_certificate(), sections, **about))


def test_values_that_are_no_numbers_and_places_out_of_order_are_refused() -> None:
    certificate = table_certificate()
    places, values = certificate.sections["places"], certificate.sections["values"]
    for odd in (math.nan, math.inf):
        with pytest.raises(BadCertificate, match="which is no number"):
            check_quickly(altered(certificate, {"values": values[:-8] + struct.pack("<d", odd)}))
    with pytest.raises(BadCertificate, match="out of order"):
        check_quickly(altered(certificate, {"places": places[:8] + places[16:24] + places[8:16] + places[24:]}))
    with pytest.raises(BadCertificate, match="out of order"):
        check_quickly(altered(certificate, {"places": places[:16] + places[8:16] + places[24:]}))


def test_an_interrupted_check_tells_how_far_it_got(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(text: str) -> None:
        if "places checked" in text:
            raise KeyboardInterrupt

    monkeypatch.setattr("exactplay.certificates.winston84._LANES", 2)
    checked = check_table(table_certificate(), sample=None, graph=walked(), progress=interrupt)
    assert checked.interrupted
    assert 0 < checked.checked < len(checked.table.values)
    assert "until the interruption" in checked.lines()[1]
