"""``exactplay GAME batch FILE``: many questions, one a line, with an answer a line of JSON; an interrupted run resumes.

Without ``--out`` each answer goes to stdout as soon as it is there. With it they go to ``OUT.partial``, which becomes
``OUT`` at the end. Its first line is bound to everything that the answers hang on: the questions, the content of every
file that they or the options name, all options, all limits, the version. Each line after it carries a checksum that
hangs on the first line and on its own number, so that a line of another run, from another place or with an altered byte
is noticed.
"""
from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from exactplay import __version__
from exactplay.cli.options import command as command_of
from exactplay.cli.options import rules_of, with_rules
from exactplay.cli.process import say
from exactplay.common.errors import BadText, told
from exactplay.common.files import STDIN, stdin_bytes, write_whole
from exactplay.common.plain import read_json, to_line
from exactplay.questions.asks import answer_line, answering, asks_of, merged, question
from exactplay.questions.face import Data, GameFace, Option

FORMAT: Final = "exactplay batch 2"
_CHECKSUM: Final = 16  # letters
_FILE = Option("file", "file", "Questions, one a line, as text or JSON; - is stdin.", argument=True, needed=True)
_OUT = Option("out", "file", "Write the answers there; an interrupted run goes on where it was.")

#: a line of the questions and its number; None for the text of one that is not UTF-8
Line = tuple[int, str | None]


def command(face: GameFace) -> click.Command:
    """The command of a game."""
    asks = asks_of(face)
    named = tuple(name for name, ask in asks.items() if "batch" in ask.faces)
    # What is not given is left to the ask of each line.
    both = [option for option in answering(asks).values() if not option.needed]
    setting = [option for option in face.setting if not option.argument and option is not face.setting[0]]
    chosen = Option("ask", "text", "What to ask of each line that does not say; else what fits it.", choices=named)
    options = merged((_FILE, _OUT, chosen), setting, both, with_rules(face))

    def run(given: dict[str, Any]) -> int:
        file, out, name = given.pop("file"), given.pop("out", None), given.pop("ask", None)
        given.pop("json", None)
        rules = dict(rules_of(face, given))
        folder = Path() if file == STDIN else Path(file).parent

        def answer(line: str) -> Data:
            return answer_line(face, line, given, rules, name, folder)

        if out is None:
            return run_through(_lines(file), answer, print_line)
        bound = {"game": face.name, "ask": name, "options": given, "rules": rules}
        return run_into(Path(out), file, answer, bound, lambda line: _files(face, line, given, folder))

    text = ("Answer one question a line, with a line of JSON each: a position is solved, one with hidden cards advised on; "
            "a JSON object may name its \"ask\" and the options of it.")
    return command_of("batch", text, options, run)


def run_through(lines: Iterator[Line], answer: Callable[[str], Data], write: Callable[[str], None]) -> int:
    """Answer the lines one by one. A line that cannot be answered gets its error; then the exit code is 2 at the end."""
    counted = failed = 0
    for number, line in lines:
        reply = replied(number, line, answer)
        write(to_line(reply))
        counted, failed = counted + 1, failed + ("error" in reply)
    return _ended(failed, counted)


def replied(number: int, line: str | None, answer: Callable[[str], Data]) -> Data:
    """The answer to a line, or what is wrong with it."""
    try:
        if line is None:
            raise BadText("the line is not UTF-8 text")
        reply = answer(line)
        to_line(reply)
        return reply
    except (ValueError, OSError) as error:
        return {"line": number, "error": told(error)}
    except MemoryError:
        return {"line": number, "error": "there is not enough memory for this question"}


def print_line(text: str) -> None:
    """Write an answer to stdout at once."""
    print(text, flush=True)


def run_into(
    out: Path, file: str, answer: Callable[[str], Data], bound: Mapping[str, Any],
    files: Callable[[str], Sequence[Path]] = lambda line: (),
) -> int:
    """Write all answers to ``out``, going on after those of an interrupted run about the same."""
    if file != STDIN and out.exists() and out.samefile(file):
        raise BadText(f"--out {out} is the file of the questions; name another one")
    if out.exists() and not out.is_file():
        raise BadText(f"--out {out} is no regular file; name a new file, or leave --out away to print the answers")
    lines = list(_lines(file))
    header = header_of(lines, bound, files)
    partial = out.with_name(out.name + ".partial")
    done = kept(partial, header)[: len(lines)]
    if done:
        say(f"going on after the {len(done)} answers in {partial}")
    try:
        # Whole or not at all: an interruption now must not lose the answers of the last run.
        write_whole(partial, "".join(f"{line}\n" for line in (header, *_sealed(header, done))).encode())
        with partial.open("ab", buffering=0) as stream:
            for number, line in lines[len(done) :]:
                text = to_line(replied(number, line, answer))
                stream.write(f"{seal(header, len(done), text)} {text}\n".encode())
                done.append(text)
            os.fsync(stream.fileno())
        write_whole(out, "".join(f"{text}\n" for text in done).encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, error.filename or str(partial)) from None
    partial.unlink(missing_ok=True)
    return _ended(sum("error" in read_json(text) for text in done), len(done))


def header_of(lines: Sequence[Line], bound: Mapping[str, Any], files: Callable[[str], Sequence[Path]]) -> str:
    """The first line of a partial file: its form, and a digest of all that the answers hang on."""
    contents = {}
    for path in {path for _, line in lines if line is not None for path in files(line)}:
        try:
            contents[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            contents[str(path)] = "missing"
    about = {"version": __version__, "lines": list(lines), "files": contents, **bound}
    return f"{FORMAT} {hashlib.sha256(to_line(_sorted(about)).encode()).hexdigest()}"


def seal(header: str, place: int, text: str) -> str:
    """The checksum of an answer in its place."""
    return hashlib.sha256(f"{header}\n{place}\n{text}".encode()).hexdigest()[:_CHECKSUM]


def kept(partial: Path, header: str) -> list[str]:
    """The answers of an interrupted run about the same, up to the first line that is cut off or was altered."""
    try:
        first, *lines = partial.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    if first != header.encode():
        return []
    answers: list[str] = []
    # What follows the last newline was cut off.
    for line in lines[:-1]:
        checksum, _, text = line.decode("ascii", "replace").partition(" ")
        if checksum != seal(header, len(answers), text):
            say(f"{partial}: answer {len(answers) + 1} was altered or cut off; it and those after it are asked again")
            break
        answers.append(text)
    return answers


def _sealed(header: str, texts: Sequence[str]) -> list[str]:
    return [f"{seal(header, place, text)} {text}" for place, text in enumerate(texts)]


def _sorted(value: Any) -> Any:
    """Plain data whose mappings are in one order."""
    if isinstance(value, Mapping):
        return {str(key): _sorted(value[key]) for key in sorted(value, key=str)}
    return [_sorted(entry) for entry in value] if isinstance(value, list | tuple) else value


def _files(face: GameFace, line: str, given: Mapping[str, Any], folder: Path) -> list[Path]:
    """The files that the options and a line name, seen from the folder of the questions where a line names them."""
    asks = asks_of(face)
    options = {option.name for option in (*face.setting, *(o for ask in asks.values() for o in ask.options))
               if option.kind == "file"}
    named = [Path(value) for name, value in given.items() if name in options]
    try:
        _, data, _ = question(face, line, asks)
    except ValueError:
        return named
    return [*named, *(folder / value for name, value in data.items() if name in options and isinstance(value, str))]


def _ended(failed: int, counted: int) -> int:
    if failed:
        raise BadText(f"{failed} of {counted} lines could not be answered; each has its error in the output")
    return 0


def _lines(file: str) -> Iterator[Line]:
    """The non-empty lines of a file or of stdin, with their numbers, as they come."""
    if file != STDIN:
        try:
            lines: Iterator[bytes] = iter(Path(file).read_bytes().splitlines())
        except OSError as error:
            raise OSError(error.errno, error.strerror, file) from None
        yield from _numbered(lines)
        return
    with stdin_bytes() as stream:
        yield from _numbered(stream)


def _numbered(lines: Iterator[bytes]) -> Iterator[Line]:
    for number, content in enumerate(lines, 1):
        # A byte order mark, which some editors write, is no part of the first question.
        code = "utf-8-sig" if number == 1 else "utf-8"
        try:
            line: str | None = content.decode(code).strip("\r\n")
        except UnicodeDecodeError:
            line = None
        if line is None or line.strip():
            yield number, line
