"""Edits of a Python source: places, by line from 1 and column in bytes, and the text that goes there."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable

from weft.source_lines import lines_of


@dataclasses.dataclass(frozen=True)
class Edit:
    """From `start` to `end` stands `text`."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def replaced(node: ast.expr, text: str) -> Edit:
    """The edit that puts `text` in the place of a node."""
    end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
    return Edit((node.lineno, node.col_offset), end, text)


def edited(source: str, edits: Iterable[Edit], first: int = 1) -> str:
    """The text, whose lines are numbered from `first`, with every edit made, and no line break at its end."""
    lines = [line.encode() for line in lines_of(source)]
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        (line, column), (end_line, end_column) = edit.start, edit.end
        joined = lines[line - first][:column] + edit.text.encode() + lines[end_line - first][end_column:]
        lines[line - first : end_line - first + 1] = joined.split(b"\n")
    return b"\n".join(lines).decode()
