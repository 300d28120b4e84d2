"""Arguments of calls: of builtins and of the user's functions, starred ones, keywords and defaults."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from weft.cuda.slices import Selection, components_of, repeatable
from weft.cuda.traverse import clone, walk
from weft.cuda.tree import (
    INT,
    AddressOf,
    Binary,
    Call,
    Conditional,
    Element,
    Expression,
    Literal,
    Name,
    Unary,
)
from weft.cuda.values import coerce, compound_literal
from weft.function_source import FunctionSource
from weft.types import Array, Matrix, Quaternion, Reference, Scalar, Tile, Transform, Type, Vector, parse_type

if TYPE_CHECKING:
    from weft.cuda.calls import ModuleContext

_Value = Scalar | Vector | Matrix | Quaternion | Transform


class Expressions(Protocol):
    """What a call needs of the builder of expressions."""

    def build(self, node: ast.expr) -> Expression: ...

    def build_place(self, node: ast.expr) -> Expression: ...

    def several(self, node: ast.expr) -> list[Expression] | None: ...

    def tile(self, node: ast.expr, function: str, parameter: str) -> Expression: ...

    def selection(self, node: ast.Subscript) -> Selection: ...


class ArgumentBuilder:
    """Translates the arguments of the calls in one function. `unpacked` has the values that the current call
    unpacks, by the names that stand for them; None outside of calls.
    """

    def __init__(self, module: ModuleContext, source: FunctionSource, expressions: Expressions) -> None:
        self.module = module
        self.source = source
        self.expressions = expressions
        self.unpacked: list[tuple[str, Expression]] | None = None

    def of_builtin(
        self, node: ast.Call, callee: Mapping[str, Any], kind: Type | None
    ) -> list[tuple[ast.expr, Expression]]:
        """The value arguments in the order of the builtin's signature, with their nodes. Types such as
        `dtype=float` are left out. So is the shape of a constructor, since its result has it, too.
        """
        constructs = isinstance(kind, _Value)
        ordered = list(node.args)
        keywords = {
            keyword.arg: keyword.value
            for keyword in node.keywords
            if not (constructs and keyword.arg in ("shape", "length", "dtype"))
        }
        names = callee.get("names")
        if keywords and names is not None:
            # `names` counts the values of starred arguments one by one.
            ordered += [keywords[name] for name in names if name in keywords]
        elif keywords:
            ordered += list(keywords.values())
        given: list[tuple[ast.expr, Expression]] = []
        for argument in ordered:
            if isinstance(argument, ast.Starred):
                given += [(argument, part) for part in self._unpacked(argument)]
            elif self.source.has_type(argument) or _is_text(argument) or self._is_rank(argument):
                given.append((argument, self.expressions.build(argument)))
        return given

    def _unpacked(self, node: ast.Starred) -> list[Expression]:
        """The values of `*v`, `*m` (its rows), `*v[1:3]` and `*a[0:3]` of an array."""
        value = node.value
        if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
            inner = self.expressions.build(value.value)
            bounds = [
                self.source.value(part) if part is not None else None
                for part in (value.slice.lower, value.slice.upper, value.slice.step)
            ]
            if isinstance(inner.type, Array):
                chosen = range(bounds[0] or 0, bounds[1] or 0, bounds[2] or 1)
                kind = inner.type.element
                return [Element(kind, clone(inner), [Literal(INT, i)], node=value) for i in chosen]
            positions = slice(*bounds)
        else:
            inner = self.expressions.build(value)
            positions = slice(None)
        if not repeatable(inner) or isinstance(inner, Unary | Binary | Conditional):
            if self.unpacked is None or any(
                isinstance(p, Call) and (p.user or p.effect) for p in walk(inner)
            ):
                raise self.source.refusal(value, "assign the value to a name before unpacking it")
            name = f"\0unpacked{node.lineno}:{node.col_offset}"
            self.unpacked.append((name, inner))
            inner = Name(inner.type, name)
        if isinstance(inner.type, Matrix):
            row = Vector(inner.type.columns, inner.type.scalar)
            request = ("row", (inner.type, INT))
            chosen = range(inner.type.rows)[positions]
            return [Call(row, "row", [clone(inner), Literal(INT, i)], request) for i in chosen]
        if not isinstance(inner.type, Vector | Quaternion | Transform):
            raise self.source.refusal(node, f"{inner.type} cannot be unpacked into arguments")
        return components_of(inner)[positions]

    def _is_rank(self, node: ast.expr) -> bool:
        """Whether this is `array.ndim`, which Warp knows without evaluating it."""
        if not isinstance(node, ast.Attribute) or node.attr != "ndim":
            return False
        return isinstance(self.source.known_type(node.value), Array)

    def of_function(self, node: ast.Call, key: str) -> list[Expression]:
        """The arguments of a user's function, keywords and defaults in their places."""
        function = self.module.functions[key]
        names = [argument.arg for argument in function.definition.args.args]
        kinds = dict(function.parameters)
        given: dict[str, Expression] = {}
        positions = iter(names)
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                given |= dict(zip(positions, self._unpacked(argument), strict=False))
            elif (name := next(positions, "")) in function.tuples:
                given |= self._tuple(argument, function.tuples[name])
            elif name in kinds:
                given[name] = self._argument(argument, kinds[name], key, name)
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.source.refusal(node, "`**` arguments are not supported")
            if keyword.arg in function.tuples:
                given |= self._tuple(keyword.value, function.tuples[keyword.arg])
            elif keyword.arg in kinds:
                given[keyword.arg] = self._argument(keyword.value, kinds[keyword.arg], key, keyword.arg)
        arguments = []
        for name, kind in function.parameters:
            if name in given:
                self._require_rank(node, given[name], name, kind)
                arguments.append(coerce(given[name], kind))
            elif name in function.defaults:
                arguments.append(self._default(function.defaults[name], kind))
            else:
                raise self.source.refusal(node, f"no value for parameter {name!r}")
        return arguments

    def _require_rank(self, node: ast.Call, given: Expression, parameter: str, kind: Type) -> None:
        """Refuse an array of another number of dimensions, which Warp lets pass: its arrays all have four."""
        if isinstance(kind, Array) and isinstance(given.type, Array) and given.type.ndim != kind.ndim:
            raise self.source.refusal(
                node,
                f"{parameter!r} is an array of rank {kind.ndim} and is given one of rank {given.type.ndim}",
            )

    def _tuple(self, node: ast.expr, parts: Sequence[tuple[str, Type]]) -> dict[str, Expression]:
        """The values of a tuple that is passed, by the names of the parameters that take them."""
        values = None if isinstance(node, ast.Call) else self.expressions.several(node)
        if values is None:
            raise self.source.refusal(node, "assign the tuple to a name before passing it")
        return {name: coerce(value, kind) for (name, kind), value in zip(parts, values, strict=True)}

    def _argument(self, node: ast.expr, kind: Type, function: str, parameter: str) -> Expression:
        """An argument; for a parameter that is a reference, the place that it stands for."""
        if isinstance(kind, Tile):
            return self.expressions.tile(node, function, parameter)
        if not isinstance(kind, Reference) or isinstance(kind.value, Array):
            return self.expressions.build(node)
        place = self.expressions.build_place(node)
        if isinstance(place, Call) and place.function != "component_ref":
            raise self.source.refusal(
                node, "only a variable, an element or a member can be passed by reference"
            )
        return AddressOf(kind.value, place, by_reference=True)

    def _default(self, default: Any, kind: Type) -> Expression:
        if isinstance(default, dict):
            return compound_literal(parse_type(default["type"]), default["components"], self.module.structs)
        return Literal(kind, float(default) if isinstance(default, str) else default)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
