"""The edges of a process, once for all commands: streams, exit codes, errors in one line."""
from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from io import TextIOWrapper

import click

from exactplay.common.errors import one_line, told

BAD_INPUT = 2
INTERRUPTED = 130


def guarded(work: Callable[[], int]) -> int:
    """The exit code of the work, whatever ends it: 2 and one line for what a user can cause, 130 after Ctrl-C.

    A reader of our output that has gone (``head``, ``less``) is no error. What is still in a buffer is written here, so
    that a full disk is heard of.
    """
    try:
        _prepare_streams()
        code = work()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        return 0
    except click.UsageError as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            # Its text is the help page, asked for by naming no command.
            error.show()
            return BAD_INPUT
        where = error.ctx.command_path if error.ctx else "exactplay"
        return fail(f"{error.format_message()} ({where} --help tells more)")
    except (ValueError, OSError) as error:
        return fail(told(error))
    except MemoryError:
        return fail("there is not enough memory for that; ask for a smaller table, or a smaller question")
    except (KeyboardInterrupt, click.Abort):
        say("\nexactplay: interrupted")
        return INTERRUPTED
    finally:
        _let_go()


def fail(message: str) -> int:
    """Say in one line what is wrong, whatever characters and however many of them it repeats."""
    say(f"exactplay: {one_line(message)}")
    return BAD_INPUT


def say(text: str, end: str = "\n") -> None:
    """A line on stderr, where there is one."""
    with contextlib.suppress(OSError):
        print(text, end=end, file=sys.stderr, flush=True)


def _prepare_streams() -> None:
    """What a stream cannot show, and what is read that is not in its code, is no reason to stop."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _let_go() -> None:
    """Leave nothing for the interpreter to flush at its end that cannot be written: it would report that again."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
