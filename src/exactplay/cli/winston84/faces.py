"""What the coach shows: on a screen with rich, or as one JSON object a turn for a program."""
from __future__ import annotations

from typing import Protocol

from rich.console import Console
from rich.table import Table

from exactplay.cli.common import print_footer, print_json
from exactplay.cli.winston84.ask import mean
from exactplay.cli.winston84.drawing import Trail, draw_dice, draw_sheet
from exactplay.cli.winston84.session import Session
from exactplay.questions.winston84 import answers
from exactplay.questions.winston84.narration import roll_in_words, round_in_words
from exactplay.questions.winston84.setting import Setting, about
from exactplay.questions.winston84.words import describe, describe_plan, goal, show_percent, show_value
from exactplay.rules.winston84 import Decision, Place, opening_round
from exactplay.solvers.winston84 import Advice, Solution

_SHOWN_DECISIONS = 5


class Face(Protocol):
    """What the coach needs of whatever the player looks at."""

    def open(self, session: Session, solution: Solution, resumed: bool) -> None:
        """Greet: which game this is and what its values rest on."""

    def turn(self, session: Session, solution: Solution, advice: Advice | None) -> None:
        """Show where the game stands; with advice if a decision is due."""

    def ask(self, session: Session, advice: Advice | None) -> str:
        """The player's next line; raises EOFError at the end of the input."""

    def why(self, advice: Advice, session: Session) -> None:
        """Show every decision with what speaks for and against it."""

    def sheet(self, session: Session) -> None:
        """Show the sheet."""

    def say(self, text: str) -> None:
        """Show a message."""

    def error(self, text: str) -> None:
        """Show what was wrong with a line."""


class Screen:
    """For a reader."""

    def __init__(self) -> None:
        self.console = Console(highlight=False)

    def open(self, session: Session, solution: Solution, resumed: bool) -> None:
        """Greet: which game this is and what its values rest on."""
        game = session.game
        self.say(f"{game.difficulty} on sheet {game.sheet.name}, playing for the greatest {goal(session.objective)}; "
                 f"the game is kept in {session.record.path}")
        if resumed:
            self.say(f"Resumed after {len(session.record.moves)} steps.")
        print_footer(solution.result())
        self.say("help lists what may be typed.")

    def turn(self, session: Session, solution: Solution, advice: Advice | None) -> None:
        """Show where the game stands; with advice if a decision is due."""
        game = session.game
        if session.last_step_ended_a_round:
            for line in round_in_words(session):
                self.say(line)
        if game.round is None or not isinstance(game.at, Place):
            self.sheet(session)
            return
        if advice is None:
            if game.round == opening_round(game.sheet, game.difficulty, game.rules, game.at):
                self.sheet(session)
                self.say(f"R{game.at.round}: {show_value(solution.value(game.at), session.objective)} before the roll "
                         f"({kind(session)})")
            for line in roll_in_words(session):
                self.say(line)
            return
        draw_dice(self.console, game.round.dice)
        best = advice.best
        value = show_value(best_value(advice), session.objective)
        self.console.print(f"[bold]Best: {describe_plan(advice.plan)}[/bold]", soft_wrap=True)
        self.say(f"  {value} ({kind(session)}); {show_value(advice.before_roll or 0.0, session.objective)} before the roll")
        if len(best) > 1:
            self.say(f"  equally good: {', '.join(str(decision) for decision in best)}")
        others = [decision for decision in ranked(advice) if decision not in best]
        for decision in others[: _SHOWN_DECISIONS - 1]:
            loss = show_value(best_value(advice) - number(advice, decision), session.objective)
            self.say(f"  {decision} ({describe(decision)}) loses {loss}")
        if len(others) >= _SHOWN_DECISIONS:
            self.say(f"  and {len(others) - _SHOWN_DECISIONS + 1} that lose more; why lists them")

    def ask(self, session: Session, advice: Advice | None) -> str:
        """The player's next line; raises EOFError at the end of the input."""
        game = session.game
        if game.round is None or not isinstance(game.at, Place):
            return input("Enter ends, undo takes the last step back: ")
        if advice is None:
            letters = " ".join(colour.letter for colour in game.round.dice.to_roll)
            return input(f"R{game.at.round} roll of {letters}: ")
        return input(f"R{game.at.round} decision [{advice.plan[0]}]: ")

    def why(self, advice: Advice, session: Session) -> None:
        """Show every decision with what speaks for and against it."""
        table = Table(box=None, pad_edge=False)
        table.add_column("decision")
        for heading in ("value", "loses", "mean result", "nothing marked"):
            table.add_column(heading, justify="right")
        for decision in ranked(advice):
            results = advice.distributions[decision]
            table.add_row(
                str(decision),
                show_value(number(advice, decision), session.objective),
                "best" if decision in advice.best
                else show_value(best_value(advice) - number(advice, decision), session.objective),
                f"{mean(results):.2f}",
                show_percent(float(results[0])),
            )
        self.console.print(table)
        likely = sorted(enumerate(advice.distributions[advice.plan[0]]), key=lambda entry: -entry[1])[:6]
        shown = ", ".join(f"{result} ({show_percent(float(share))})" for result, share in likely if share > 0)
        self.say(f"results after {advice.plan[0]}, likeliest first: {shown}")
        self.say(f"Values are the {goal(session.objective)}, {kind(session)}.")

    def sheet(self, session: Session) -> None:
        """Show the sheet."""
        game, played = session.game, session.played()
        begun = [game.at.round] if isinstance(game.at, Place) else []
        rounds = tuple(one.place.round for one in played) + tuple(begun)
        marks = game.at.marks if isinstance(game.at, Place) else played[-1].place.marks
        stops = tuple(dict.fromkeys(one.box for one in played if one.box))
        draw_sheet(self.console, game.sheet, game.difficulty, Trail(stops, rounds, marks))

    def say(self, text: str) -> None:
        """Show a message."""
        print(text)

    def error(self, text: str) -> None:
        """Show what was wrong with a line."""
        self.console.print(text, style="red", markup=False, soft_wrap=True)


class JsonLines:
    """For a program: an object a turn, and one for every message."""

    def open(self, session: Session, solution: Solution, resumed: bool) -> None:
        """Which game this is and what its values rest on."""
        game, result = session.game, solution.result().to_json()
        print_json({
            **about(Setting(game.sheet, game.difficulty, game.rules)), "objective": str(session.objective),
            "file": str(session.record.path), "resumed": resumed, "rules": result["rules"], "sources": result["sources"],
            "notes": result["notes"],
        })

    def turn(self, session: Session, solution: Solution, advice: Advice | None) -> None:
        """Show where the game stands; with advice if a decision is due."""
        print_json(answers.turn(session, solution, advice))

    def ask(self, session: Session, advice: Advice | None) -> str:
        """The player's next line; raises EOFError at the end of the input."""
        return input()

    def why(self, advice: Advice, session: Session) -> None:
        """The advice once more."""
        print_json(advice.to_json())

    def sheet(self, session: Session) -> None:
        """What has been marked."""
        print_json({"stops": answers.stops(session)})

    def say(self, text: str) -> None:
        """Show a message."""
        print_json({"message": text})

    def error(self, text: str) -> None:
        """Show what was wrong with a line."""
        print_json({"error": text})


def kind(session: Session) -> str:
    """What may be said of every value: it is exact, and for which sheet."""
    return "exact, on a reconstructed sheet" if session.game.sheet.provenance == "reconstruction" else "exact"


def number(advice: Advice, decision: Decision) -> float:
    """The value of a decision."""
    return float(advice.moves[decision].value)  # type: ignore[union-attr, arg-type]  # Advice holds Exact numbers


def best_value(advice: Advice) -> float:
    """The value of the best decisions."""
    return number(advice, advice.plan[0])


def ranked(advice: Advice) -> list[Decision]:
    """All decisions, best first."""
    return sorted(advice.moves, key=lambda decision: (decision not in advice.best, -number(advice, decision)))
