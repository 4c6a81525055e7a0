"""What can be wrong with what a person gives us, and how it is said in one line."""
from __future__ import annotations

from typing import Final

LONGEST_LINE: Final = 1000  # characters of an error, which may repeat a long argument


class IllegalPosition(ValueError):
    """A position that the game cannot have; the text says what is wrong and what would be right."""


class IllegalMove(ValueError):
    """A move that the rules do not allow in this position."""


class BadText(ValueError):
    """Text that is not of the form it should have: a move, a position, a card, a sheet."""


class BadOption(ValueError):
    """An option with a name or a value that does not exist; the text names those that do."""


def quoted(value: object) -> str:
    """A value as an error message shows it: printable, on one line, and cut off where it is long."""
    try:
        text = repr(value[:61] if isinstance(value, str) else value)
    except ValueError:  # Python prints no integer of more than 4,300 digits
        text = f"a number of {type(value).__name__} too long to print"
    return text if len(text) <= 60 else text[:57] + "..."


def one_line(text: str) -> str:
    """Text as one printable line of at most :data:`LONGEST_LINE` characters."""
    line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in " ".join(text.split()))
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "..."


def told(error: BaseException) -> str:
    """What an error says, as one line; an OSError without its number."""
    if isinstance(error, OSError):
        what = str(error.strerror or error)
        return one_line(what if error.filename is None else f"{error.filename}: {what}")
    return one_line(str(error))
