"""What functions do with the places that they are given by reference."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from weft.types import Array, Reference, parse_type


def referenced(function: Mapping[str, Any]) -> set[str]:
    """The parameters of a function that are places of values in memory, arrays aside."""
    found = set()
    for parameter in function["parameters"]:
        try:
            kind = parse_type(parameter["type"])
        except ValueError:
            continue
        if isinstance(kind, Reference) and not isinstance(kind.value, Array):
            found.add(parameter["name"])
    return found


def uses(functions: Mapping[str, Any], function: Mapping[str, Any], name: str) -> tuple[bool, bool]:
    """Whether a function reads the place that a parameter stands for, and whether it writes it."""
    if "native_snippet" in function:
        return True, True
    reads = writes = False
    tree = ast.parse(function["source"])
    calls = {tuple(call[:4]): call[4] for call in function["calls"]}
    passed: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            where = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            callee = functions.get(str(calls.get(where, {}).get("function")))
            if callee is None:
                continue
            for parameter, argument in _given(node, callee):
                if parameter in referenced(callee) and _root(argument) == name:
                    inner = uses(functions, callee, parameter)
                    reads, writes = reads or inner[0], writes or inner[1]
                    passed.add(argument)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=found, ctx=ast.Load()) if found == name and node not in passed:
                reads = True
            case ast.AugAssign(target=target) if _root(target) == name:
                reads = writes = True
            case ast.Name() | ast.Attribute() | ast.Subscript():
                writes = writes or (isinstance(node.ctx, ast.Store) and _root(node) == name)
            case _:
                pass
    return reads, writes


def _given(node: ast.Call, function: Mapping[str, Any]) -> list[tuple[str, ast.expr]]:
    names = [parameter["name"] for parameter in function["parameters"]]
    given = list(zip(names, node.args, strict=False))
    return [*given, *((keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg)]


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
