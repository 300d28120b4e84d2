"""What makes one program of another: lines in place of lines."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable


@dataclasses.dataclass(frozen=True)
class Edit:
    """`text` stands in place of `count` lines of a program, of which `line` is the first, from 1."""

    line: int
    count: int
    text: str


def edited(program: str, edits: Iterable[Edit]) -> str:
    """A program after all of these edits, whose lines are those before any."""
    lines = program.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda one: one.line, reverse=True):
        lines[edit.line - 1 : edit.line - 1 + edit.count] = [edit.text]
    return "".join(lines)
