"""What functions do with the places that they are given by reference."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from weft.function_source import FunctionSource
from weft.types import Reference


def parameter_names(function: FunctionSource) -> list[str]:
    """The names of all parameters of a function, of those that take functions, too."""
    return [argument.arg for argument in function.definition.args.args]


def passed_to(function: FunctionSource, node: ast.Call) -> dict[str, ast.expr]:
    """What a call gives a function, by the names of its parameters."""
    passed = dict(zip(parameter_names(function), node.args, strict=False))
    return passed | {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}


def referenced(function: FunctionSource) -> set[str]:
    """The parameters of a function that are places of values in memory, arrays aside."""
    return {name for name, kind in function.parameters if isinstance(kind, Reference)}


class PlaceUses:
    """What functions do with the places that parameters stand for; each of them is looked through once."""

    def __init__(self, functions: Mapping[str, FunctionSource]) -> None:
        self.functions = functions
        self.known: dict[tuple[str, str], tuple[bool, bool]] = {}

    def of(self, function: FunctionSource, name: str) -> tuple[bool, bool]:
        """Whether a function reads the place that a parameter stands for, and whether it writes it."""
        key = (function.key, name)
        if key not in self.known:
            self.known[key] = (True, True) if function.snippet is not None else self._found(function, name)
        return self.known[key]

    def _found(self, function: FunctionSource, name: str) -> tuple[bool, bool]:
        reads = writes = False
        passed: set[ast.AST] = set()
        nodes = list(ast.walk(function.definition))
        for node in nodes:
            callee = (function.callee(node) or {}) if isinstance(node, ast.Call) else {}
            if isinstance(node, ast.Call) and "function" in callee:
                called = self.functions[callee["function"]]
                for parameter, argument in passed_to(called, node).items():
                    if parameter in referenced(called) and _root(argument) == name:
                        inner = self.of(called, parameter)
                        reads, writes = reads or inner[0], writes or inner[1]
                        passed.add(argument)
        for node in nodes:
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


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
