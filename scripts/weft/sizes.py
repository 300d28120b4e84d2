"""Size expressions: the small arithmetic in which launch descriptions state shapes.

Integers, names, `+ - * // %`, parentheses, `min(a, b)`, `max(a, b)`. Kept as text in artifacts,
evaluated here, and printed in C++ by the translator.
"""

from __future__ import annotations

import ast
import functools
import operator
import reprlib
from collections.abc import Callable, Mapping

from weft.operator_symbols import SYMBOLS

Size = int | str

MOST_CHARACTERS = 4000
MOST_NESTED = 200
_ALLOWED = " (allowed: integers below 2^63, names, + - * // %, parentheses, min(a, b), max(a, b))"

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {"min": min, "max": max}


def parse_size(size: Size) -> ast.expr:
    """The tree of a size expression. Raises ValueError if it is none."""
    # Other types may be unhashable, or equal to a number that is kept.
    if not isinstance(size, int | str) or isinstance(size, bool):
        raise ValueError(f"not a size expression: {size!r}{_ALLOWED}")
    return _parsed(size)


@functools.lru_cache(maxsize=4096)
def _parsed(size: Size) -> ast.expr:
    try:
        if isinstance(size, str) and len(size) > MOST_CHARACTERS:
            raise ValueError(f"more than {MOST_CHARACTERS} characters")
        tree = ast.parse(str(size).strip(), mode="eval").body
        _check(tree, MOST_NESTED)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"not a size expression: {reprlib.repr(size)}{_ALLOWED}") from error
    return tree


@functools.lru_cache(maxsize=4096)
def size_names(size: Size) -> frozenset[str]:
    """The names that a size expression uses. Raises ValueError if it is none."""
    nodes = list(ast.walk(parse_size(size)))
    functions = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in functions)


def size_text(tree: ast.expr) -> str:
    """The one spelling of a size expression: equal for equal trees."""
    return _spelled(tree, 0)


def normal_size(size: Size) -> str:
    """The one spelling of a size expression."""
    return size_text(parse_size(size))


def _spelled(tree: ast.expr, around: int) -> str:
    """The text of an operand of an operator of precedence `around`, as `ast.unparse` writes it."""
    match tree:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=value):
            return str(value)
        case ast.BinOp(left, op, right):
            precedence = 1 if isinstance(op, ast.Add | ast.Sub) else 2
            text = f"{_spelled(left, precedence)} {SYMBOLS[type(op)]} {_spelled(right, precedence + 1)}"
            return f"({text})" if around > precedence else text
        case ast.UnaryOp(_, operand):
            return f"-{_spelled(operand, 3)}"
        case ast.Call(ast.Name(name), arguments):
            return f"{name}({', '.join([_spelled(one, 0) for one in arguments])})"
        case _:
            raise ValueError(f"not a size expression: {ast.unparse(tree)!r}")


def _check(node: ast.expr, depth: int) -> None:
    """Raise ValueError for what no size expression has."""
    operands: list[ast.expr] = []
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool) and value < 2**63:
            pass
        case ast.Name():
            pass
        case ast.BinOp(left, op, right) if type(op) in _OPERATORS and depth:
            operands = [left, right]
        case ast.UnaryOp(ast.USub(), operand) if depth:
            operands = [operand]
        case ast.Call(ast.Name(name), [left, right], []) if name in _FUNCTIONS and depth:
            operands = [left, right]
        case _:
            raise ValueError(type(node).__name__)
    for operand in operands:
        _check(operand, depth - 1)


def evaluate_size(size: Size, names: Mapping[str, int]) -> int:
    """The value of a size expression. Raises ValueError for an unknown name or a division by zero."""
    if isinstance(size, str) and size in names:  # most are
        return names[size]
    return _evaluate(parse_size(size), size, names)


def evaluate_sizes(sizes: Mapping[str, Size], n: int) -> dict[str, int]:
    """The values of named sizes, and of the base size: each may be computed from those before it."""
    names = {"n": n}
    for name, size in sizes.items():
        names[name] = evaluate_size(size, names)
    return names


def _evaluate(node: ast.expr, size: Size, names: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(name):
            if name not in names:
                raise ValueError(f"unknown size {name!r} in {size!r} (known: {', '.join(sorted(names))})")
            return names[name]
        case ast.UnaryOp(_, operand):
            return -_evaluate(operand, size, names)
        case ast.BinOp(left, op, right):
            try:
                return _OPERATORS[type(op)](_evaluate(left, size, names), _evaluate(right, size, names))
            except ZeroDivisionError as error:
                raise ValueError(f"division by zero in size expression {size!r}") from error
        case ast.Call(ast.Name(name), [left, right], _):
            return _FUNCTIONS[name](_evaluate(left, size, names), _evaluate(right, size, names))
        case _:
            raise ValueError(f"not a size expression: {size!r}")
