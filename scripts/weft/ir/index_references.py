"""What functions do with the places that they get by reference."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from weft.function_source import FunctionSource, root_name
from weft.types import Reference


def referenced(function: FunctionSource) -> set[str]:
    """The parameters of a function that are places of values in memory, arrays aside."""
    return {name for name, kind in function.parameters if isinstance(kind, Reference)}


class PlaceUses:
    """How functions use the places that their parameters stand for; each function is searched once."""

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
                for parameter, argument in called.given(node).items():
                    if parameter in referenced(called) and root_name(argument) == name:
                        inner = self.of(called, parameter)
                        reads, writes = reads or inner[0], writes or inner[1]
                        passed.add(argument)
        for node in nodes:
            match node:
                case ast.Name(id=found, ctx=ast.Load()) if found == name and node not in passed:
                    reads = True
                case ast.AugAssign(target=target) if root_name(target) == name:
                    reads = writes = True
                case ast.Name() | ast.Attribute() | ast.Subscript():
                    writes = writes or (isinstance(node.ctx, ast.Store) and root_name(node) == name)
        return reads, writes
