"""Operators by their symbols, which Python and C++ mostly share."""

from __future__ import annotations

import ast

OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
"""What holds where a comparison does not; of floats, where none is NaN or for equality alone."""


def symbol_of(operator: ast.operator | ast.cmpop) -> str:
    """How Python writes an operator; the first word of one that has two."""
    x = ast.Constant(0)
    if isinstance(operator, ast.operator):
        return ast.unparse(ast.BinOp(x, operator, x)).split()[1]
    return ast.unparse(ast.Compare(x, [operator], [x])).split()[1]
