"""The indices of a subscript, and what they pick: elements of arrays, components of vectors and matrices."""

from __future__ import annotations

import ast
from collections.abc import Callable

from weft.types import Type, index_lengths


def items_of(node: ast.expr) -> list[ast.expr]:
    """What a tuple is written with, one by one; of anything else, that alone."""
    return node.elts if isinstance(node, ast.Tuple) else [node]


def indices_of(node: ast.Subscript) -> list[ast.expr]:
    """The indices of a subscript, one by one."""
    return items_of(node.slice)


def component_counts(indexed: ast.expr, type_of: Callable[[ast.expr], Type | None]) -> tuple[int | None, ...]:
    """Among how many components each index of `indexed[…]` picks; None for the elements of an array.

    Warp takes `a[i][j]` as `a[i, j]`, so that a subscript within another may have no type of its own.
    """
    known = type_of(indexed)
    if known is not None:
        return index_lengths(known)
    if isinstance(indexed, ast.Subscript):
        return component_counts(indexed.value, type_of)[len(indices_of(indexed)) :]
    return ()
