"""Reading what a person wrote, and writing files whole: one reader of bytes, one writer."""
from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, Literal

from exactplay.common.errors import BadText

#: the name that stands for stdin
STDIN = "-"


def read_text(source: str | Path, most: int | None = None) -> str:
    """The text of a file, or of stdin for "-": UTF-8, with or without a byte order mark, any ends of lines.

    Raises :class:`BadText` where it is not UTF-8, holds more than ``most`` bytes, or stdin is closed; OSError where the
    file cannot be read.
    """
    if str(source) == STDIN:
        with stdin_bytes() as stream:
            return decoded(_at_most(stream, most, "stdin"), "stdin")
    with Path(source).open("rb") as stream:
        return decoded(_at_most(stream, most, str(source)), str(source))


def decoded(content: bytes, name: str) -> str:
    """Bytes that a person wrote, as text with ``\\n`` between lines; raises :class:`BadText`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(f"{name} is not UTF-8 text (byte {error.start + 1})") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def stdin_bytes() -> contextlib.AbstractContextManager[BinaryIO]:
    """Stdin as bytes, left open; raises :class:`BadText` where it is closed."""
    if sys.stdin is None:
        raise BadText("stdin is closed; name a file, or give the text itself")
    return contextlib.nullcontext(sys.stdin.buffer)


def _at_most(stream: BinaryIO, most: int | None, name: str) -> bytes:
    if most is None:
        return stream.read()
    content = stream.read(most + 1)
    if len(content) > most:
        raise BadText(f"{name} has more than {most:,} bytes")
    return content


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name beside it and rename it: it is there whole or not at all.

    The mode is that of the file it replaces, or what the umask allows; a symlink is followed; folders are not made.
    Raises OSError with the file's name.
    """
    target = Path(os.path.realpath(path))
    try:
        try:
            mode = target.stat().st_mode & 0o777
        except FileNotFoundError:
            mode = 0o666 & ~_umask()
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            # A write that fails, on a full disk say, does not know its file.
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    current = os.umask(0o077)
    os.umask(current)
    return current


def user_folder(kind: Literal["cache", "state"]) -> Path | None:
    """The user's own folder for what can be made again, or for what is kept; None where he has no home."""
    import platformdirs

    find = platformdirs.user_cache_path if kind == "cache" else platformdirs.user_state_path
    try:
        folder = find("exactplay", appauthor=False)
    except RuntimeError:  # "Could not determine home directory."
        return None
    return folder if folder.is_absolute() else None
