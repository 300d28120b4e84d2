"""The numbers of a computation, which its description in words does not have."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from weft.dataset.mathematics import UnsaidError, formula

_PLAIN = {0, 0.5, 1, 2, 3, 4}
"""What a formula has without being told."""


@functools.lru_cache(maxsize=4)
def parsed(source: str) -> ast.Module:
    """The tree of a Python module, which nobody may change."""
    return ast.parse(source)


def constants(source: str) -> dict[str, str]:
    """The constants of a module of kernels by their names, as they are written."""
    return {
        target.id: _value(statement.value)
        for statement in parsed(source).body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }


def unnamed(source: str) -> list[str]:
    """The numbers that stand in the code of its functions without a name, in their order, but for small ones
    and places in arrays.
    """
    functions = [node for node in parsed(source).body if isinstance(node, ast.FunctionDef)]
    found = [number for function in functions for part in function.body for number in _numbers(part)]
    return list(dict.fromkeys(repr(number) for number in found if number not in _PLAIN))


def _value(node: ast.expr) -> str:
    match node:
        case ast.Call(args=[value], keywords=[]):
            return _value(value)
        case _:
            try:
                return formula(node)
            except UnsaidError:
                return ast.unparse(node).replace("wp.", "")


def _numbers(node: ast.AST) -> Iterator[int | float]:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            yield value
        case ast.Subscript(value=value):
            yield from _numbers(value)
        case _:
            for inner in ast.iter_child_nodes(node):
                yield from _numbers(inner)
