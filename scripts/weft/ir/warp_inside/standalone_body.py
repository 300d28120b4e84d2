"""The body of a function in a module that stands alone: the edits that give its names their meaning there."""

from __future__ import annotations

import ast
import builtins
import enum
import types
from collections.abc import Iterator
from typing import Any

import warp
from warp._src import codegen, context
from warp._src import types as warp_types

from weft.ir.source_edits import Edit, replaced
from weft.ir.warp_inside.module_names import ModuleNames
from weft.ir.warp_inside.outside import MISSING, Meaning, is_type, meaning_of, own_names
from weft.ir.warp_inside.python_text import InexpressibleError, is_plain
from weft.ir.warp_inside.recorder import VARIES, Recording, span


class Body:
    """The edits that a function's body needs."""

    def __init__(self, names: ModuleNames, adjoint: Any) -> None:
        self.names = names
        self.adjoint = adjoint
        self.recording: Recording = names.parts.recorder.recording(adjoint)
        self.local = own_names(adjoint)

    def edits(self, start_at: list[ast.stmt]) -> Iterator[Edit]:
        """Edits of the statements of the source as it was before Warp replaced what is static."""
        source_tree = ast.parse(self.adjoint.source).body[0]
        assert isinstance(source_tree, ast.FunctionDef)
        if len(source_tree.body) != len(start_at):
            raise InexpressibleError("a transformed function")
        for statement in source_tree.body:
            yield from self._visit(statement)

    def _visit(self, node: ast.AST) -> Iterator[Edit]:
        if isinstance(node, ast.Call):
            yield from self._call(node)
            return
        if isinstance(node, ast.AnnAssign):
            yield from self._visit(node.target)
            found = self._meaning(node.annotation)
            if found is not None and not found.rest and is_type(found.value):
                yield replaced(node.annotation, self.names.annotation(found.value))
            elif found is None:
                yield from self._visit(node.annotation)
            if node.value is not None:
                yield from self._visit(node.value)
            return
        if isinstance(node, ast.Name | ast.Attribute):
            chain = self._meaning(node)
            if chain is not None:
                yield from self._reference(node, chain)
                return
        for child in ast.iter_child_nodes(node):
            yield from self._visit(child)

    def _call(self, node: ast.Call) -> Iterator[Edit]:
        chain = self._meaning(node.func)
        if chain is not None and not chain.rest and chain.value is warp.static:
            yield from self._static(node)
            return
        where = span(node)
        call = self.recording.calls.get(where) if where else None
        if call is not None and call.kind == "function":
            # A function parameter keeps its name: the call says which function it is.
            if not (isinstance(node.func, ast.Name) and node.func.id in self.local):
                yield replaced(node.func, self.names.functions[call.name])
        else:
            yield from self._visit(node.func)
        for argument in (*node.args, *node.keywords):
            yield from self._visit(argument)

    def _static(self, node: ast.Call) -> Iterator[Edit]:
        where = span(node)
        value = self.recording.values.get(where, MISSING) if where else MISSING
        if value is VARIES:
            # Another value in each iteration of an unrolled loop: the expression stays, with its tables.
            for argument in (*node.args, *node.keywords):
                yield from self._visit(argument)
            return
        if value is MISSING:
            return
        if isinstance(value, context.Function):
            yield replaced(node, self.names.function_value(value))
        elif is_plain(value) and not (isinstance(value, int | float) and value < 0):
            yield replaced(
                node, repr(int(value) if isinstance(value, enum.IntEnum | enum.IntFlag) else value)
            )
        else:
            name = self.names.constant(value, "STATIC", plain=False)
            # Of all constants Warp takes structs only here.
            is_struct = isinstance(value, codegen.StructInstance)
            yield replaced(node, f"wp.static({name})" if is_struct else name)

    def _reference(self, node: ast.expr, found: Meaning) -> Iterator[Edit]:
        for _ in range(found.text_rest):
            assert isinstance(node, ast.Attribute)
            node = node.value
        visited = span(node) in self.recording.expressions
        text = found.text or self._text(found.value, found.name, found.is_name, visited)
        if text is not None and not (isinstance(node, ast.Name) and node.id == text):
            yield replaced(node, text)

    def _text(self, value: Any, hint: str, plain: bool, visited: bool) -> str | None:
        """The text that stands for a value from outside; None to leave what is there.

        In code that Warp never visits, such as a branch that is static, names need no meaning.
        """
        if isinstance(value, context.Function):
            try:
                return self.names.function_value(value)
            except InexpressibleError:
                if visited:
                    raise
                return None
        if isinstance(value, type | types.BuiltinFunctionType):
            plain_name = str(value.__name__)
            if getattr(builtins, plain_name, None) is value:
                return plain_name
        if isinstance(value, type) and value in warp_types.scalar_and_bool_types:
            return f"wp.{value.__name__}"
        try:
            return self.names.constant(value, hint, plain)
        except InexpressibleError:
            if visited:
                raise
            return None

    def _meaning(self, node: ast.expr) -> Meaning | None:
        return meaning_of(self.adjoint, self.local, node)
