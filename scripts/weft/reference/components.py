"""Whether a kernel picks components of vectors, matrices or quaternions that may not be there.

Warp does not look at such an index in a release build: what lies beyond a vector is whatever the compiler put
there, and no translation can be equal to it. Array elements need no such care, for guarded memory shows them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from weft.subscript_indices import component_counts, indices_of
from weft.types import Type, parse_type, strip_reference


def may_leave_components(record: Mapping[str, Any]) -> bool:
    """Whether one of the record's functions indexes components with more than numbers that are in range."""
    parts = record.get("kernels") or [record]
    functions = [function for part in parts for function in (*part["functions"], part["kernel"])]
    return any(_function_may(function) for function in functions)


def _function_may(function: Mapping[str, Any]) -> bool:
    definition = ast.parse(function["source"])
    kinds = {tuple(e[:4]): function["types"][e[4]] for e in function["expressions"] if e[4] is not None}
    values = {tuple(e[:4]): e[5] for e in function["expressions"] if len(e) > 5}
    counted = _counted(definition)

    def type_of(node: ast.expr) -> Type | None:
        kind = kinds.get(span(node))
        return None if kind is None else strip_reference(parse_type(kind))

    for node in ast.walk(definition):
        if not isinstance(node, ast.Subscript):
            continue
        lengths = component_counts(node.value, type_of)
        for index, length in zip(indices_of(node), lengths, strict=False):
            if length is None or isinstance(index, ast.Slice):
                continue
            known = _values(index, values, counted)
            if known is None or any(not -length <= end < length for end in (*known[:1], *known[-1:])):
                return True
    return False


def _values(index: ast.expr, values: Mapping[Any, Any], counted: Mapping[str, range]) -> range | None:
    """The numbers that an index may be, if that is known."""
    number = values.get(span(index), index.value if isinstance(index, ast.Constant) else None)
    if isinstance(number, int):
        return range(number, number + 1)
    match index:
        case ast.Name(name):
            return counted.get(name)
        case ast.UnaryOp(ast.USub(), ast.Constant(int(negated))):
            return range(-negated, 1 - negated)
        case ast.BinOp(_, ast.Mod(), ast.Constant(int(divisor))) if divisor > 0:
            return range(1 - divisor, divisor)
        case ast.BinOp(_, ast.BitAnd(), ast.Constant(int(mask))) if mask >= 0:
            return range(mask + 1)
    return None


def _counted(definition: ast.Module) -> dict[str, range]:
    """The variables that a single loop over a range of literals sets, and nothing else."""
    loops: dict[str, range] = {}
    targets = set()
    for node in ast.walk(definition):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            literals = _range(node.iter)
            if literals is not None and node.target.id not in loops:
                loops[node.target.id] = literals
                targets.add(id(node.target))
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in targets:
            loops.pop(node.id, None)
    return loops


def _range(iterable: ast.expr) -> range | None:
    match iterable:
        case ast.Call(ast.Name("range"), arguments):
            try:
                return range(*(ast.literal_eval(argument) for argument in arguments))
            except (ValueError, TypeError):
                return None
    return None


def span(node: ast.expr) -> tuple[int, int, int, int]:
    """Where an expression stands, as the records of functions say it."""
    return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
