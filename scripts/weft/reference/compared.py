"""What a kernel's text says of inputs that would show mistakes: the numbers that it compares with, near which
they should lie, and the arrays that it adds to, which should begin with something.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from weft.launch import Launch, Recipe
from weft.reference.components import span

MOST = 12
"""So many numbers of one kernel, the first ones: more would leave few inputs for each."""

_CHOOSE = {"min", "max", "clamp", "step", "where", "smoothstep", "sign", "select"}


def compared_numbers(record: Mapping[str, Any]) -> tuple[float, ...]:
    """The finite numbers of comparisons, minima, maxima and clamps in the functions of an ir record."""
    parts = record.get("kernels") or [record]
    functions = [function for part in parts for function in (part["kernel"], *part["functions"])]
    found = [number for function in functions for number in _numbers(function)]
    return tuple(dict.fromkeys(found))[:MOST]


def accumulators(record: Mapping[str, Any], launch: Launch) -> tuple[str, ...]:
    """The arrays that begin with a constant, or with whole numbers of at least 32 bits, and that a kernel's
    text changes by atomics alone, whose results nobody takes: what they begin with is part of what they end
    with, and of nothing else.
    """
    if launch.steps:
        return ()
    kernel = ast.parse(record["kernel"]["source"])
    changed = Counter(name for node in ast.walk(kernel) for name in _changed(node))
    used = Counter(node.id for node in ast.walk(kernel) if isinstance(node, ast.Name))
    return tuple(
        one["name"]
        for one in record["signature"]
        if (parameter := launch.parameters.get(one["name"])) is not None
        and parameter.role == "inout"
        and parameter.values is not None
        and _can_restart(parameter.values, one["type"])
        and used[one["name"]] == changed[one["name"]] > 0
    )


def _can_restart(recipe: Recipe, type: str) -> bool:
    """Whether an array of a type may begin with another number than it is drawn with."""
    if recipe.kind == "constant":
        return recipe.arguments == 0 or "uint" not in type
    return recipe.kind == "integers" and ("int32" in type or "int64" in type)


def _changed(node: ast.AST) -> Iterator[str]:
    """The array that a statement changes by an atomic."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(attr=called), [ast.Name(id=name), *_])) if "atomic_" in called:
            yield name
        case ast.AugAssign(ast.Subscript(ast.Name(id=name)), ast.Add() | ast.Sub()):
            yield name


def _numbers(function: Mapping[str, Any]) -> Iterator[float]:
    known = {tuple(e[:4]): e[5] for e in function["expressions"] if len(e) > 5}
    for node in ast.walk(ast.parse(function["source"])):
        for operand in _operands(node):
            number = known.get(span(operand), _literal(operand))
            if type(number) in (int, float) and math.isfinite(number) and abs(number) < 2.0**63:
                yield float(number)


def _operands(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Compare(left=left, comparators=comparators):
            return [left, *comparators]
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=arguments) if name in _CHOOSE:
            return arguments
        case _:
            return []


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None
