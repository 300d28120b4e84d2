"""Pass: no clamp that cannot act.

Before: `i == 0 || solid[max(i - 1, 0)] > 0`; the source computes both sides. After: `solid[i - 1]`, since C++
asks for the element only of an i above zero. What parameters hold is not used: their clamps are meant.
"""

from __future__ import annotations

from typing import TypeGuard

from weft.cuda.analysis.analyzer import Analyzer
from weft.cuda.analysis.integers import Simplifier
from weft.cuda.analysis.state import State
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import INT, Call, Expression, Function
from weft.launch import Launch


def drop_idle_clamps(function: Function, launch: Launch, analyzer: Analyzer) -> None:
    """Run the pass on a function; `analyzer` is for it, and ignores what the kernel's parameters hold."""
    if any(map(_is_clamp, all_expressions(function.body))):
        _Clamps(analyzer, launch, function).run([])


class _Clamps(Simplifier):
    """The pass on one function."""

    def simplified(self, expression: Expression, state: State) -> Expression:
        if not _is_clamp(expression):
            return expression
        left, right = (self.analyzer.form(one, state) for one in expression.arguments)
        more = left - right if expression.function == "max" else right - left
        if self.analyzer.least(more, state, 0) >= 0:
            return expression.arguments[0]
        return expression.arguments[1] if self.analyzer.least(more.times(-1), state, 0) >= 0 else expression


def _is_clamp(node: Expression) -> TypeGuard[Call]:
    return isinstance(node, Call) and node.function in ("min", "max") and node.type == INT
