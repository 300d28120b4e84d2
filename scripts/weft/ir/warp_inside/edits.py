"""Edits of a Python source: places, by line from 1 and column in bytes, and the text that goes there."""

from __future__ import annotations

import ast
import dataclasses
import io
import tokenize

from weft.ir.warp_inside.python_text import InexpressibleError
from weft.ir.warp_inside.recorder import span
from weft.source_lines import lines_of


@dataclasses.dataclass(frozen=True)
class Edit:
    """From `start` to `end` stands `text`."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def replaced(node: ast.AST, text: str) -> Edit:
    """The edit that puts `text` in the place of a node."""
    line, column, end_line, end_column = span(node) or (0, 0, 0, 0)
    return Edit((line, column), (end_line, end_column), text)


def edited(source: str, edits: list[Edit]) -> str:
    """The text with every edit made; columns are in bytes."""
    lines = [line.encode() for line in lines_of(source)]
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        (line, column), (end_line, end_column) = edit.start, edit.end
        joined = lines[line - 1][:column] + edit.text.encode() + lines[end_line - 1][end_column:]
        lines[line - 1 : end_line] = joined.split(b"\n")
    return b"\n".join(lines).decode()


def header_end(source: str, tree: ast.FunctionDef) -> tuple[int, int]:
    """Where the header of a definition ends: line from 1 and byte column behind its colon."""
    depth = 0
    started = False
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if not started:
            started = token.type == tokenize.NAME and token.string == "def" and token.start[0] == tree.lineno
            continue
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            if token.string == ":" and depth == 0:
                line = lines_of(source)[token.end[0] - 1]
                return token.end[0], len(line[: token.end[1]].encode())
    raise InexpressibleError("a definition without a colon")
