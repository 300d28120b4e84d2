"""Comments of the source on their way into the program: before statements and behind them."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from weft.cuda.tree import Remark, Statement
from weft.function_source import Comment, FunctionSource

_SPLICES = re.compile(r"\?\?(?=/)")


def harmless(text: str) -> str:
    """A line of a comment that ends where the line ends: no backslash there, nor what C++14 takes for one."""
    return _SPLICES.sub("?? ", text).rstrip("\\ \t\f\v")


_Block = ast.If | ast.For | ast.While


class CommentCarrier:
    """The comments that have not found their place yet. `last_line` is the last line that was translated."""

    def __init__(self, source: FunctionSource) -> None:
        self.source = source
        self.pending = list(source.comments)
        self.last_line = 0

    def before(self, line: int, result: list[Statement]) -> None:
        """Add the own-line comments and one blank line that stand before `line`."""
        taken = [c for c in self.pending if c.alone and c.line < line]
        previous = self.last_line
        for comment in taken:
            if result and any(i in self.source.blank_lines for i in range(previous + 1, comment.line)):
                result.append(Remark(""))
            result.append(Remark(comment.text))
            previous = comment.line
        if result and any(i in self.source.blank_lines for i in range(previous + 1, line)):
            result.append(Remark(""))
        self.pending = [c for c in self.pending if c not in taken]

    def trailing(self, node: ast.stmt) -> str:
        """The comments at the end of the statement's own lines (of the header, if it has a block)."""
        if not self.pending:
            return ""
        last = node.end_lineno or node.lineno
        if isinstance(node, _Block):
            last = max(node.lineno, node.body[0].lineno - 1)
        taken: list[Comment] = [c for c in self.pending if not c.alone and node.lineno <= c.line <= last]
        inside = [c for c in self.pending if c.alone and node.lineno < c.line <= last]
        if isinstance(node, _Block):
            inside = []
        self.pending = [c for c in self.pending if c not in taken and c not in inside]
        return "; ".join(c.text for c in sorted([*taken, *inside], key=lambda c: c.line))

    def drop(self, nodes: Sequence[ast.stmt], first: int | None = None) -> None:
        """Drop the comments of removed statements, from line `first` or from the first statement on."""
        if nodes:
            first, last = first or nodes[0].lineno, nodes[-1].end_lineno or 0
            self.pending = [c for c in self.pending if not first <= c.line <= last]
