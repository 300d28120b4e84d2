"""The two ways in which things go wrong: the user's request, or one kernel."""

from __future__ import annotations

import dataclasses
import difflib
import errno
import os
import sys
import textwrap
import traceback
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

_FULL_DISK = tuple(os.strerror(number) for number in (errno.ENOSPC, errno.EDQUOT))


class UserError(Exception):
    """A mistake in what the user gave (a file, an option, a setting).

    Scripts print the message without a traceback and exit with status 2.
    """


class NoKernelsError(UserError):
    """A source that holds no kernel at all."""


class KilledError(UserError):
    """A process that this one started was killed, by nothing of Weft's: that tells nothing of a sample."""

    def __init__(self, process: str) -> None:
        super().__init__(process)
        self.process = process

    def __str__(self) -> str:
        return f"{self.process} was killed by SIGKILL (out of memory?); the same command tries again"


@dataclasses.dataclass(frozen=True)
class Place:
    """A place in a source file. Lines and columns count from 1."""

    file: str
    line: int
    column: int
    source_line: str

    def __str__(self) -> str:
        before = "".join(map(_blank, self.source_line[: self.column - 1]))
        caret = before + " " * (self.column - 1 - len(self.source_line)) + "^"
        return f"{self.file}:{self.line}:{self.column}\n    {self.source_line}\n    {caret}"


def _blank(character: str) -> str:
    """What is as wide as a character: tabs stay, two columns for East Asian letters, none for an accent."""
    if character == "\t":
        return character
    if unicodedata.combining(character):
        return ""
    return "  " if unicodedata.east_asian_width(character) in "WF" else " "


class KernelError(Exception):
    """One kernel cannot go on; the others of its shard do.

    `reason` is one lower-case word (`unsupported`, `timeout`, …) that statistics count by.
    """

    def __init__(self, reason: str, message: str, place: Place | None = None) -> None:
        super().__init__(reason, message, place)
        self.reason = reason
        self.message = message
        self.place = place

    def __str__(self) -> str:
        return f"{self.place}\n{self.message}" if self.place else self.message


def internal_error(error: Exception, place: Place | None = None) -> KernelError:
    """The reject for an error that nobody foresaw, which is a mistake in Weft: it costs one sample and says
    where to look.

    A tree that is too deep is none of Weft's mistakes.
    """
    if isinstance(error, RecursionError):
        return KernelError("unsupported", "it is nested too deeply", place)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return KernelError("internal_error", f"a bug in Weft: {type(error).__name__}: {error} ({where})", place)


def reject(sample: dict[str, Any], stage: str, error: KernelError) -> dict[str, Any]:
    """The reject record (docs/formats/ir.md) of `sample`, a mapping with its identity.

    Raises UserError where a full disk is the reason: that is no fault of the kernel's.
    """
    if any(words in error.message for words in _FULL_DISK):
        said = f"{sample['sample_id']}: {error.message}"
        raise UserError(f"{said}: free some space, and run the same command again")
    place = error.place
    return {
        "sample_id": sample["sample_id"],
        "category": sample["category"],
        "seed": sample["seed"],
        "index": sample["index"],
        "kernel_name": sample["kernel_name"],
        "stage": stage,
        "reason": error.reason,
        # A message may quote a string of the user's with half a character, which no file can hold.
        "message": error.message.encode(errors="backslashreplace").decode(),
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "source_line": place.source_line if place else None,
    }


def error_of(reject: Mapping[str, Any]) -> KernelError:
    """The error that a reject record was made of."""
    place = None
    if reject["line"] is not None:
        place = Place(reject["file"], reject["line"], reject["column"], reject["source_line"])
    return KernelError(reject["reason"], reject["message"], place)


def exit_status(main: Callable[[], int]) -> int:
    """What `main` of a script returns; 2 where it raises UserError, which is printed without a traceback."""
    try:
        return main()
    except UserError as error:
        print(f"{Path(sys.argv[0]).stem}: {error}", file=sys.stderr)
        return 2


_COMPILERS = ("compile_error", "warp_error")
_COMPILER_LINES = 3
"""After the first: compilers go on for pages."""


def described(reject: Mapping[str, Any]) -> str:
    """A reject in words: which sample, where it ended and why, and the line to blame with a caret."""
    who = f"{reject['sample_id']} {reject['kernel_name']}"
    message, *more = reject["message"].splitlines() or [""]
    if reject["reason"] in _COMPILERS:
        more = more[:_COMPILER_LINES]
    lines = [f"  {who}: {reject['stage']}: {reject['reason']}: {message}"]
    lines += [textwrap.indent(line, "    ") for line in more]
    if place := error_of(reject).place:
        lines.append(textwrap.indent(str(place), "    "))
    return "\n".join(lines)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A part of a message: which of the known names is near, if one is."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f", did you mean {matches[0]!r}?" if matches else ""
