"""All kinds of drawings on one picture, to be looked at: ``python -m tests.tools.contact_sheet FOLDER``.

Writes ``drawings-light.png`` and ``drawings-dark.png`` with Debian's Chromium (``apt-get install chromium``).
"""
from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from exactplay.render import charts, stylesheet, walk_the_dogs, winkeladvokat, winner, winston84, winston_dogs
from exactplay.rules import walk_the_dogs as walk
from exactplay.rules import winkeladvokat as winkel
from exactplay.rules import winner as climbing
from exactplay.rules import winston84 as w84
from exactplay.rules import winston_dogs as dogs
from exactplay.solvers.limits import Limits
from exactplay.solvers.winkeladvokat import solve
from exactplay.solvers.winner import advise as advise_winner
from exactplay.solvers.winston84 import Forecast, advise, open_solution


def drawings() -> Iterator[str]:
    """One of each kind."""
    rng = random.Random(84)
    sheet, level = w84.Sheet.load("reference"), w84.Difficulty(3)
    place = w84.Place(5, 62, 1)
    game = w84.State.resume(sheet, level, place, dice=w84.Dice.parse("R5 Gp3 Bp2 W4 P6"))
    yield winston84.draw(game, trail=winston84.Trail((8, 17, 41, 62), 1), highlight={"W"})
    yield winston84.sheet(
        sheet, w84.Difficulty(5), at=w84.End(True, 1240), trail=winston84.Trail((30, 61, 84, 110, 138), 2),
    )
    game = w84.State.resume(sheet, level, place, dice=w84.Dice.parse("R5 G3 B2 W4 Y1 P6"))
    solution = open_solution(sheet, level, w84.Objective("score"))
    forecast, advice = Forecast(solution), advise(game, solution=solution)
    after = forecast.after(game)
    yield winston84.decisions(advice)
    yield winston84.scores(forecast.before_roll(place), after[advice.best[0]])
    yield winston84.scores(after[min(after, key=lambda decision: after[decision].expected_score)])
    yield winston84.dice(w84.Dice.parse("Rp1 G? B? Wx4 Yp4 P6"), across=4, highlight={"G", "B"})

    board = winkel.State.initial(8, 4)
    last = None
    for _ in range(18):
        last = rng.choice(board.legal_moves())
        board = board.play(last)
    yield winkeladvokat.draw(board, last=last, highlight={"c4", "d4"})
    small = winkel.State.initial(5)
    solved = solve(small, moves="all")
    yield winkeladvokat.draw(small, line=solved.pv[:3])
    yield charts.moves(charts.bars_of(solved), title="Winkeladvokat, 5 by 5", most=12)

    hands = climbing.State.deal(rng, 2)
    for _ in range(3):
        hands = hands.play(rng.choice(hands.legal_moves()))
    yield winner.draw(hands, highlight={str(hands.hands[hands.to_move][2])})
    yield winner.draw(climbing.View.of(climbing.State.deal(rng, 3)))
    view = climbing.View.parse("5D 9C JS AD | ?3 | ?3; turn 0; on 3C by 2; rules end=first_out")
    found = advise_winner(view, objective="score", limits=Limits(samples=100))
    yield charts.moves(charts.bars_of(found), title="Winner: points, 95 % intervals")

    kennel, witness = dogs.State.deal(rng, 3), dogs.Witness.start(3)
    for _ in range(14):
        turn = rng.choice(kennel.legal_moves())
        witness, kennel = witness.after(kennel, turn), kennel.play(turn)
    yield winston_dogs.draw(kennel)
    yield winston_dogs.draw(witness.view(kennel))

    line = walk.State.deal(rng, 3)
    while len(line.middle) > 40 or line.to_move < 0:
        moves = list(line.legal_moves()) or [card for card, _ in line.chance_outcomes()]
        line = line.play(rng.choice(moves))
    yield walk_the_dogs.draw(line)
    yield walk_the_dogs.draw(walk.View.of(line), highlight={line.hands[line.to_move][0]})


def main(folder: Path) -> None:
    """Lay the drawings out in columns and take a picture in either theme."""
    folder.mkdir(parents=True, exist_ok=True)
    placed = "".join(f'<div style="break-inside:avoid;padding:10px">{drawing}</div>' for drawing in drawings())
    with sync_playwright() as playwright:
        program = os.environ.get("EXACTPLAY_CHROMIUM") or shutil.which("chromium")
        page = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"]).new_page(
            viewport={"width": 2300, "height": 800})
        for theme, ground in (("light", "#ddd"), ("dark", "#000")):
            page.set_content(
                f'<!doctype html><html data-theme="{theme}"><style>{stylesheet()}</style>'
                f'<body style="background:{ground};columns:3">{placed}</body></html>')
            page.screenshot(path=folder / f"drawings-{theme}.png", full_page=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m tests.tools.contact_sheet FOLDER")
    main(Path(sys.argv[1]))
