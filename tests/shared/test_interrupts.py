"""Ctrl-C, full disks, folders that nobody may write to; ``python -m bench verify interrupts`` tries many more moments."""
from __future__ import annotations

import errno
import json
import logging
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.verify import interrupts
from exactplay.cli import batch
from exactplay.cython_core.winston84.compiler import Compiler
from exactplay.rules.winkeladvokat import State
from exactplay.rules.winston84 import Difficulty, Objective, Sheet
from exactplay.solvers import tables, winston84
from exactplay.solvers.limits import Limits
from exactplay.solvers.result import Exact
from exactplay.solvers.winkeladvokat import solve
from exactplay.solvers.winkeladvokat.duel import Duel
from exactplay.solvers.winston84 import open_solution
from exactplay.solvers.winston84.outer import distinct_rows
from tests import DATA

TINY = Sheet.load(DATA / "tiny-sheet.toml")
SMALL = State.parse("2R/3/B2 b 25,25 0,0")

with_signals = pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise on Windows")


def _full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _struck(work: Callable[[], object], at: int) -> int:
    """Do the work with a Ctrl-C as the given Python function begins, counted from 1; how many began."""
    begun = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal begun
        begun += event == "call"
        if event == "call" and begun == at:
            raise KeyboardInterrupt

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return begun


@pytest.mark.parametrize(("work", "moments"), [
    (partial(distinct_rows, np.eye(5)), 100),
    (partial(winston84.solve_sheet, TINY, Difficulty(3), Objective.parse("score")), 25),
])
def test_no_library_makes_something_else_of_ctrl_c(work: Callable[[], object], moments: int) -> None:
    work()  # what is cached now stays so
    functions = _struck(work, 0)
    for at in random.Random(1).sample(range(1, functions + 1), min(moments, functions)):
        with pytest.raises(KeyboardInterrupt):
            _struck(work, at)


@with_signals
@pytest.mark.parametrize("number", range(3))
def test_ctrl_c_at_a_random_moment_leaves_what_can_be_read_and_the_next_run_is_right(number: int, tmp_path: Path) -> None:
    work = list(interrupts.works())[number]
    (tmp_path / "first").mkdir()
    wanted, (begin, end) = interrupts.measured(work, tmp_path / "first")
    (tmp_path / "second").mkdir()
    interrupts.interrupted(work, tmp_path / "second", wanted, random.Random(number).uniform(begin, end))


@with_signals
@pytest.mark.parametrize("game", interrupts.CARD_GAMES)
def test_ctrl_c_ends_a_solver_of_cards_in_one_line(game: str, tmp_path: Path) -> None:
    (work,) = (work for work in interrupts.works() if work.name == f"{game} solve")
    stopped = interrupts.interrupted(work, tmp_path, None, 0.7)
    assert (stopped.how, stopped.inside) == ("interrupted", True)


@with_signals
def test_ctrl_c_is_heard_while_a_round_is_compiled() -> None:
    def interrupt(*_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, interrupt)
    try:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 0.1)
        with pytest.raises(KeyboardInterrupt):
            Compiler(0).add_family(-1)  # the whole of it takes more than two seconds
        assert time.process_time() - start < 1.0
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@with_signals
def test_a_right_answer_is_not_taken_for_a_wrong_one(tmp_path: Path) -> None:
    work = list(interrupts.works())[1]
    with pytest.raises(interrupts.Wrong, match="the next run answers otherwise"):
        interrupts.interrupted(work, tmp_path, ("exact", 1000, []), 0.05)


@with_signals
@pytest.mark.parametrize("number", range(3))
def test_where_nothing_can_be_written_the_answer_stands_or_one_line_says_why(number: int, tmp_path: Path) -> None:
    work = list(interrupts.works())[number]
    (tmp_path / "first").mkdir()
    wanted, _ = interrupts.measured(work, tmp_path / "first")
    place = tmp_path / "file"
    place.write_text("no folder", encoding="utf-8")
    told = interrupts.nothing_can_be_written(work, wanted, tmp_path, place)
    assert told.startswith("exit code 2, exactplay: " if "batch" in work.name else "exit code 0, ")


def test_a_cache_on_a_full_disk_costs_no_answer_and_is_reported_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tables, "write", _full)
    tables.report_lost.cache_clear()
    with caplog.at_level(logging.WARNING):
        answers = [open_solution(TINY, Difficulty(level), Objective("score")).value() for level in (1, 2)]
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert answers == [open_solution(TINY, Difficulty(level), Objective("score")).value() for level in (1, 2)]
    (line,) = caplog.messages
    assert os.strerror(errno.ENOSPC) in line
    assert line.isprintable()


def test_a_checkpoint_on_a_full_disk_costs_no_answer_and_the_older_one_stands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "checkpoint"
    wanted = solve(SMALL, checkpoint=file, limits=Limits(memory_mb=1))
    assert isinstance(wanted.verdict, Exact)
    older = file.read_bytes()
    monkeypatch.setattr(Duel, "save", _full)
    monkeypatch.setattr("exactplay.solvers.winkeladvokat.exact.CHECKPOINT_EVERY", -1.0)
    found = solve(SMALL, checkpoint=file, limits=Limits(memory_mb=1))
    assert found.verdict == wanted.verdict
    assert found.best == wanted.best
    assert any("could not be written" in note for note in found.notes)
    assert file.read_bytes() == older
    assert not any("could not be written" in note for note in wanted.notes)


@pytest.mark.parametrize("where", ["write_whole", "replied"])
@pytest.mark.parametrize("what", [KeyboardInterrupt, OSError])
def test_a_resumed_batch_keeps_its_answers_whatever_ends_it(
    where: str, what: type[BaseException], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    questions, out = tmp_path / "questions", tmp_path / "answers"
    questions.write_text("a\nb\nc\n", encoding="utf-8")
    asked: list[str] = []

    def answer(line: str) -> dict[str, Any]:
        asked.append(line)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return {"value": line}

    def end(*_: object) -> bool:
        raise what

    with pytest.raises(KeyboardInterrupt):
        batch.run_into(out, str(questions), answer, {})
    monkeypatch.setattr(batch, where, end)
    with pytest.raises(what):
        batch.run_into(out, str(questions), answer, {})
    monkeypatch.undo()
    assert asked == ["a", "b", "c"]
    batch.run_into(out, str(questions), answer, {})
    assert asked == ["a", "b", "c", "c"]
    assert [json.loads(line)["value"] for line in out.read_text(encoding="utf-8").splitlines()] == ["a", "b", "c"]
