"""What calls change of the variables that they are given."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from weft.cuda import builtins
from weft.function_source import FunctionSource
from weft.intrinsics import Effect, intrinsic
from weft.types import Array, Reference

Functions = Mapping[str, FunctionSource]


def changed_arguments(source: FunctionSource, node: ast.AST, functions: Functions) -> Iterator[ast.expr]:
    """The arguments of a call that it may change, other than arrays and tiles; none for other nodes."""
    if not isinstance(node, ast.Call):
        return
    callee = source.callee(node) or {}
    if "function" in callee:
        function = functions[str(callee["function"])]
        references = {
            name
            for name, kind in function.parameters
            if isinstance(kind, Reference) and not isinstance(kind.value, Array)
        }
        given = function.given(node)
        yield from (given[name] for name in given if name in references)
        return
    builtin = str(callee.get("builtin", ""))
    if builtin in builtins.CHANGING:
        yield from (*node.args, *(keyword.value for keyword in node.keywords))
    elif intrinsic(builtin).effect & Effect.RANDOM:
        yield from (*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "state"))
