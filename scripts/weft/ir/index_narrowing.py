"""What a condition says of variables: that they are below something."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

Limit = tuple[str, ast.expr, int]
"""A variable is below an expression plus a number."""


def limits(test: ast.expr, *, holds: bool) -> Iterator[Limit]:
    """The limits of variables where a condition holds, or where it does not."""
    match test:
        case ast.BoolOp(operator, operands) if isinstance(operator, ast.And) == holds:
            for operand in operands:
                yield from limits(operand, holds=holds)
        case ast.UnaryOp(ast.Not(), operand):
            yield from limits(operand, holds=not holds)
        case ast.Compare(left, operators, comparators) if holds or len(operators) == 1:
            sides = [left, *comparators]
            for one, comparison, other in zip(sides, operators, comparators, strict=False):
                yield from _limit(one, comparison, other, holds)


def lower_sides(test: ast.BoolOp | ast.Compare) -> Iterator[tuple[ast.expr, ast.expr]]:
    """A lower bound of a variable, and the variable, if the same condition gives an upper bound, too."""
    pairs = []
    for part in test.values if isinstance(test, ast.BoolOp) else [test]:
        if isinstance(part, ast.Compare):
            for low, operator, high in zip(
                [part.left, *part.comparators], part.ops, part.comparators, strict=False
            ):
                if isinstance(operator, ast.Lt | ast.LtE):
                    pairs.append((low, high))
                elif isinstance(operator, ast.Gt | ast.GtE):
                    pairs.append((high, low))
    limited = {low.id for low, _ in pairs if isinstance(low, ast.Name)}
    for low, high in pairs:
        if isinstance(high, ast.Name) and high.id in limited:
            yield low, high


def halves(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """What an expression is the middle of: `(a + b) // 2` or `a + (b - a) // 2`, also with `>> 1`."""
    match node:
        case ast.BinOp(sum, operator, by) if _halves(operator, by):
            return (sum.left, sum.right) if _is(sum, ast.Add) else None
        case ast.BinOp(first, ast.Add(), ast.BinOp(difference, operator, by)) if _halves(operator, by):
            if _is(difference, ast.Sub) and ast.dump(difference.right) == ast.dump(first):
                return first, difference.left
    return None


def _is(node: ast.expr, kind: type[ast.operator]) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, kind)


def _halves(operator: ast.operator, by: ast.expr) -> bool:
    divisor = 1 if isinstance(operator, ast.RShift) else 2
    known = isinstance(operator, ast.RShift | ast.FloorDiv | ast.Div)
    return known and isinstance(by, ast.Constant) and by.value == divisor


def _limit(one: ast.expr, operator: ast.cmpop, other: ast.expr, holds: bool) -> Iterator[Limit]:
    if isinstance(operator, ast.Eq if holds else ast.NotEq):
        sides, extra = [(one, other), (other, one)], 1
    elif isinstance(operator, ast.Lt | ast.LtE if holds else ast.GtE | ast.Gt):
        sides, extra = [(one, other)], int(isinstance(operator, ast.LtE | ast.Gt))
    elif isinstance(operator, ast.Gt | ast.GtE if holds else ast.LtE | ast.Lt):
        sides, extra = [(other, one)], int(isinstance(operator, ast.GtE | ast.Lt))
    else:
        return
    for low, high in sides:
        if isinstance(low, ast.Name):
            yield low.id, high, extra
