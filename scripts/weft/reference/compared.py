"""The numbers that a kernel's text compares with: near them, and at them, inputs should lie."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from typing import Any

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
