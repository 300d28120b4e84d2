"""Values that Warp knows at compile time: captured names, `wp.static`, numbers folded."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

from weft.cuda.c_types import HALVES
from weft.cuda.calls import ModuleContext
from weft.cuda.fresh_names import take_numbered
from weft.cuda.literals import of_spelling
from weft.cuda.tree import INT, Binary, Expression, Literal, Name, Pointee, Table
from weft.cuda.values import compound_literal
from weft.function_source import FunctionSource, stored_names
from weft.types import Scalar, parse_type


class KnownValues:
    """The trees of such values in one function, whose own names `local_names` has.

    `captured` has the values of captured names that are no numbers, and `tables` the values of `wp.static` in
    loops that Warp unrolls: both are to be defined where the function begins. `loops` are those that the
    builder is in, with their iterations where they are known.
    """

    def __init__(self, module: ModuleContext, source: FunctionSource, local_names: set[str]) -> None:
        self.module = module
        self.source = source
        self.local_names = local_names
        self.captured: dict[str, Expression] = {}
        self.tables: list[Table] = []
        self.loops: list[tuple[ast.For, range | None]] = []

    def constant(self, node: ast.expr, value: Any) -> Expression:
        """A value that Warp knows. A captured name of scalar type becomes a C++ constant. One of another type
        becomes a constant of the function, since device code cannot use objects of the host.
        """
        if isinstance(value, dict):
            kind = parse_type(value["type"])
            compound = compound_literal(kind, value["components"], self.module.structs)
            if isinstance(node, ast.Name) and self.captured.setdefault(node.id, compound) == compound:
                return Name(kind, node.id)
            return compound
        if isinstance(value, str):
            if isinstance(self.source.known_type(node), Scalar):
                return Literal(self.source.type(node), float(value))
            return Literal(INT, value)
        # Warp reads the arguments of `range` without giving them a type.
        untyped_integer = isinstance(value, int) and not self.source.has_type(node)
        kind = INT if untyped_integer else self.source.type(node)
        literal = Literal(kind, value, self._spelling(node, value))
        # A half cannot be a constant expression in C++, for its constructors are none.
        if isinstance(node, ast.Name) and str(kind) not in HALVES:
            present = self.module.constants.setdefault(node.id, literal)
            if present == literal:
                return Name(kind, node.id)
        return literal

    def _spelling(self, node: ast.expr, value: Any) -> str:
        """How the source writes an integer: where it stands, or where the module gives it this name."""
        if not isinstance(node, ast.Name) or not isinstance(value, int):
            return self.source.spelling(node)
        given = re.search(
            rf"^{node.id} = (?:[\w.]+\()*(0[xXbB]\w+|1 << \d+)\)*$", self.module.text, re.MULTILINE
        )
        return given[1] if given and of_spelling(given[1]) == value else ""

    def read_again(self, node: ast.Name) -> Expression:
        """A captured number at a later mention: Warp says its value only at the first one in a function. A
        cast there, as in `wp.float64(PI)`, gives all later mentions the type of the cast.
        """
        kind = self.source.type(node)
        for other in ast.walk(self.source.definition):
            if isinstance(other, ast.Name) and other.id == node.id and isinstance(kind, Scalar):
                value = self.source.value(other)
                if isinstance(value, int | float):
                    return Literal(kind, value)
        raise self.source.refusal(node, f"the value of {node.id!r} is not known: write the number itself")

    def of_iteration(self, node: ast.expr, values: list[Any]) -> Expression:
        """What Warp knows of each iteration of loops that it unrolls: an element of a table."""
        loops = [(loop, iterations) for loop, iterations in self.loops if iterations is not None]
        index: Expression = Literal(INT, 0)
        for loop, iterations in loops:
            assert isinstance(loop.target, ast.Name)
            if loop.target.id in stored_names(loop.body):
                raise self.source.refusal(node, "wp.static in a loop whose variable changes is not supported")
            index = _mixed(index, Name(INT, loop.target.id), iterations)
        if len(values) != math.prod(len(iterations) for _, iterations in loops):
            raise self.source.refusal(node, "wp.static in some iterations of a loop only is not supported")
        kind = self.source.type(node)
        names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
        name = take_numbered("values", self.local_names | set(names))
        self.local_names.add(name)
        if isinstance(kind, Scalar):
            entries: list[Expression] = [Literal(kind, float(v) if isinstance(v, str) else v) for v in values]
        else:
            entries = [compound_literal(kind, v["components"], self.module.structs) for v in values]
        self.tables.append(Table(kind, name, entries))
        return Pointee(kind, Name(kind, name), index)


def _mixed(index: Expression, variable: Expression, iterations: range) -> Expression:
    """The number of an iteration among all those of nested loops; `index` is that of the loops around."""
    number = variable
    if iterations.start:
        number = Binary(INT, "-", number, Literal(INT, iterations.start))
    if iterations.step != 1:
        number = Binary(INT, "/", number, Literal(INT, iterations.step))
    if isinstance(index, Literal):
        return number
    return Binary(INT, "+", Binary(INT, "*", index, Literal(INT, len(iterations))), number)
