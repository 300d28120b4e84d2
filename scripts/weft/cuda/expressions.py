"""From Python's expressions, typed by Warp, to the translator's tree."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from weft.cuda import builtins
from weft.cuda.c_types import component_names
from weft.cuda.source import FunctionSource
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Call,
    Component,
    Conditional,
    Construct,
    Element,
    Expression,
    Extent,
    Literal,
    Member,
    Name,
    Unary,
    clone,
    walk,
)
from weft.types import (
    Array,
    Matrix,
    Quaternion,
    Scalar,
    Struct,
    Structs,
    Transform,
    Type,
    Vector,
    component_scalars,
    parse_type,
)

BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


@dataclasses.dataclass
class Program:
    """What the functions of one record share: struct fields, user functions, and captured constants.

    `constants` fills up while functions are built: C++ constants by name, in order of first use.
    """

    structs: Structs
    functions: Mapping[str, FunctionSource]
    constants: dict[str, Literal] = dataclasses.field(default_factory=dict)


class ExpressionBuilder:
    """Translates the expressions of one function."""

    def __init__(self, program: Program, source: FunctionSource) -> None:
        self.program = program
        self.source = source
        self.local_names = _local_names(source.definition)

    def build(self, node: ast.expr) -> Expression:
        """The tree of `node`. Refuses what has no translation."""
        try:
            return self._build(node)
        except builtins.Unsupported as error:
            self.source.refuse(node, str(error))

    def build_place(self, node: ast.expr) -> Expression:
        """The tree of what an assignment writes: components by number become references."""
        place = self.build(node)
        if isinstance(place, Call) and place.function == "component":
            types = (place.arguments[0].type,)
            return dataclasses.replace(place, function="component_ref", helper=("component_ref", types))
        return place

    def _build(self, node: ast.expr) -> Expression:
        known = self.source.value(node)
        if known is not None and not self._is_local(node) and not isinstance(node, ast.UnaryOp):
            return self._constant(node, known)
        match node:
            case ast.Constant(value=str(text)):
                return Literal(INT, text)
            case ast.Constant(value=bool() | int() | float()):
                return self._constant(node, node.value)
            case ast.Name(id=name):
                return Name(self.source.type(node), name)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.Compare():
                return self._compare(node)
            case ast.BoolOp(op=op, values=values):
                symbol = "&&" if isinstance(op, ast.And) else "||"
                result = self.build(values[0])
                for value in values[1:]:
                    result = Binary(BOOL, symbol, result, self.build(value))
                return result
            case ast.IfExp():
                return self._conditional(node)
            case ast.Call():
                return self._call(node)
            case _:
                self.source.refuse(node, f"{type(node).__name__} expressions are not supported")

    def _is_local(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.local_names

    def _constant(self, node: ast.expr, value: Any) -> Expression:
        """A value that Warp knows. A captured name of scalar type becomes a C++ constant."""
        if isinstance(value, dict):
            type = parse_type(value["type"])
            return compound_literal(type, value["components"], self.program.structs)
        if isinstance(value, str):
            if self.source.has_type(node) and isinstance(self.source.type(node), Scalar):
                return Literal(self.source.type(node), float(value))
            return Literal(INT, value)
        # Warp reads the arguments of `range` without giving them a type.
        untyped_integer = isinstance(value, int) and not self.source.has_type(node)
        type = INT if untyped_integer else self.source.type(node)
        literal = Literal(type, value)
        if isinstance(node, ast.Name):
            present = self.program.constants.setdefault(node.id, literal)
            if present == literal:
                return Name(type, node.id)
        return literal

    def _attribute(self, node: ast.Attribute) -> Expression:
        value = self.build(node.value)
        match value.type:
            case Struct(name=name):
                fields = dict(self.program.structs[name])
                if node.attr in fields:
                    if isinstance(fields[node.attr], Array):
                        self.source.refuse(
                            node, "arrays inside structs are not supported: pass them as parameters"
                        )
                    return Member(fields[node.attr], value, f".{node.attr}")
            case Vector(length=length, scalar=scalar) if node.attr in "xyzw"[:length]:
                return Member(scalar, value, component_names(value.type)["xyzw".index(node.attr)])
            case Quaternion(scalar=scalar) if node.attr in "xyzw":
                return Member(scalar, value, f".{node.attr}")
            case Transform(scalar=scalar) if node.attr in "pq":
                part = Vector(3, scalar) if node.attr == "p" else Quaternion(scalar)
                return Member(part, value, f".{node.attr}")
            case Array():
                self.source.refuse(node, f"`.{node.attr}` of an array is not supported (`.shape[k]` is)")
            case _:
                pass
        self.source.refuse(node, f"`.{node.attr}` of {value.type} is not supported")

    def _subscript(self, node: ast.Subscript) -> Expression:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            array = self.build(node.value.value)
            axis = self.source.value(node.slice)
            if isinstance(array.type, Array) and isinstance(axis, int):
                return Extent(INT, array, axis % array.type.ndim)
            self.source.refuse(node, "`.shape` takes a constant index")
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(index, ast.Slice) for index in indices):
            self.source.refuse(node, "slices are not supported: use indices")
        value = self.build(node.value)
        match value.type:
            case Array():
                return self._element(node, value, indices)
            case Matrix():
                return self._matrix(node, value, [self._index(index) for index in indices])
            case Vector() if isinstance(value, Call) and value.function == "row" and len(indices) == 1:
                matrix, row = value.arguments
                return self._matrix(node, matrix, [row, self._index(indices[0])])
            case Vector() | Quaternion():
                return self._component(node, value, indices)
            case _:
                self.source.refuse(node, f"indexing {value.type} is not supported")

    def _element(self, node: ast.Subscript, array: Expression, indices: Sequence[ast.expr]) -> Expression:
        assert isinstance(array.type, Array)
        built = [self.build(index) for index in indices]
        for index, expression in zip(indices, built, strict=True):
            if not isinstance(expression.type, Scalar) or not expression.type.is_integer:
                self.source.refuse(index, f"an index must be an integer, this is {expression.type}")
        if len(built) > array.type.ndim:
            inner = Element(array.type.element, array, built[: array.type.ndim], node=node)
            return self._component_of(node, inner, indices[array.type.ndim :], built[array.type.ndim :])
        rest = array.type.ndim - len(built)
        type: Type = array.type.element if rest == 0 else Array(array.type.element, rest)
        if isinstance(array, Element):
            return Element(type, array.array, [*array.indices, *built], node=node)
        return Element(type, array, built, node=node)

    def _component_of(
        self, node: ast.Subscript, value: Expression, nodes: Sequence[ast.expr], built: list[Expression]
    ) -> Expression:
        if isinstance(value.type, Vector | Quaternion) and len(built) == 1:
            return self._component(node, value, nodes)
        self.source.refuse(node, f"too many indices for {value.type}")

    def _component(self, node: ast.Subscript, value: Expression, indices: Sequence[ast.expr]) -> Expression:
        if len(indices) != 1:
            self.source.refuse(node, f"{value.type} takes one index")
        scalar = next(component_scalars(value.type, {}))
        names = component_names(value.type)
        position = self._position(indices[0])
        if position is not None:
            if not -len(names) <= position < len(names):
                self.source.refuse(node, f"index {position} is outside of {value.type}")
            return Member(scalar, value, names[position])
        return builtins.dynamic_component(value, self.build(indices[0]), scalar)

    def _position(self, node: ast.expr) -> int | None:
        """The value of a constant index; a local name counts by its name, for it may be a loop variable."""
        value = self.source.value(node)
        if isinstance(value, bool) or not isinstance(value, int) or self._is_local(node):
            return None
        return value

    def _index(self, node: ast.expr) -> Expression:
        """An index into a vector or matrix: a literal if it is constant."""
        position = self._position(node)
        return self.build(node) if position is None else Literal(INT, position)

    def _matrix(self, node: ast.Subscript, matrix: Expression, indices: Sequence[Expression]) -> Expression:
        kind = matrix.type
        assert isinstance(kind, Matrix)
        if len(indices) == 1:
            return Call(Vector(kind.columns, kind.scalar), "row", [matrix, indices[0]], ("row", (kind, INT)))
        places: list[Expression] = []
        for index, size in zip(indices, (kind.rows, kind.columns), strict=True):
            if isinstance(index, Literal) and isinstance(index.value, int):
                if not -size <= index.value < size:
                    self.source.refuse(node, f"index {index.value} is outside of {kind}")
                index = Literal(INT, index.value % size)
            places.append(index)
        if all(isinstance(place, Literal) for place in places):
            path = "".join(f"[{place.value}]" for place in places if isinstance(place, Literal))
            return Member(kind.scalar, matrix, f".m{path}")
        return Component(kind.scalar, matrix, ".m", places)

    def _unary(self, node: ast.UnaryOp) -> Expression:
        known = self.source.value(node)
        if isinstance(node.operand, ast.Constant) and known is not None:
            return self._constant(node, known)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            if isinstance(node.operand.value, int) and not self.source.has_type(node):
                return Literal(INT, -node.operand.value)
        operand = self.build(node.operand)
        match node.op:
            case ast.UAdd():
                return operand
            case ast.Not():
                return Unary(BOOL, "!", operand)
            case ast.Invert():
                return Unary(operand.type, "~", operand)
            case _ if known is not None and not isinstance(known, dict):
                # Warp negates what it knows at compile time exactly.
                return Unary(operand.type, "-", operand)
            case _:
                return builtins.negation(operand)

    def _binary(self, node: ast.BinOp) -> Expression:
        callee = self.source.callee(node)
        left, right = self.build(node.left), self.build(node.right)
        if callee is not None and "function" in callee:
            return self._user_call(node, callee["function"], [left, right])
        left, right = _alike(left, right)
        return builtins.binary(BINARY[type(node.op)], left, right, self.source.type(node))

    def _compare(self, node: ast.Compare) -> Expression:
        operands = [self.build(operand) for operand in (node.left, *node.comparators)]
        if any(
            isinstance(part, Call) and part.effect for operand in operands[1:-1] for part in walk(operand)
        ):
            self.source.refuse(node, "give the middle of a chained comparison a name first")
        result: Expression | None = None
        for op, left, right in zip(node.ops, operands[:-1], operands[1:], strict=True):
            if type(op) not in COMPARE:
                self.source.refuse(node, "`is` and `in` are not supported: use comparisons")
            if isinstance(left.type, Array) or isinstance(right.type, Array):
                self.source.refuse(node, "comparison of arrays is not supported")
            left, right = _alike(left, right)
            one = Binary(BOOL, COMPARE[type(op)], left, clone(right))
            result = one if result is None else Binary(BOOL, "&&", result, one)
        assert result is not None
        return result

    def _conditional(self, node: ast.IfExp) -> Expression:
        known = self.source.value(node.test)
        if known is not None:
            taken, other = (node.body, node.orelse) if known else (node.orelse, node.body)
            if not self.source.has_type(other):
                return self.build(taken)
        test = self.build(node.test)
        return Conditional(self.source.type(node), test, self.build(node.body), self.build(node.orelse))

    def _call(self, node: ast.Call) -> Expression:
        callee = self.source.callee(node)
        if callee is None:
            self.source.refuse(node, "this call did not resolve to a Warp function")
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            self.source.refuse(node, "starred arguments are not supported: write them out")
        if "struct" in callee:
            return self._struct(node, callee["struct"])
        if "function" in callee:
            return self._user_call(node, callee["function"], self._arguments_of(node, callee["function"]))
        return self._builtin(node, callee)

    def _builtin(self, node: ast.Call, callee: Mapping[str, Any]) -> Expression:
        name = callee["builtin"]
        result = callee["result"]
        if isinstance(result, list):
            self.source.refuse(node, f"wp.{name} with several results is not supported")
        type = parse_type(result) if result is not None else None
        rule = builtins.rule_for(name, type)
        if rule is None:
            self.source.refuse(node, f"wp.{name} is not supported")
        arguments = [self.build(argument) for argument in self._builtin_arguments(node, callee)]
        if type is not None and isinstance(type, Scalar) and rule is builtins.cast and len(arguments) == 1:
            return self._cast(node, type, arguments[0])
        return rule(builtins.Use(name, arguments, type))

    def _builtin_arguments(self, node: ast.Call, callee: Mapping[str, Any]) -> list[ast.expr]:
        """The value arguments in the order of the builtin's signature; types such as `dtype=float` are left out."""
        ordered = list(node.args)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        names = callee.get("names")
        if keywords and names is not None:
            ordered += [keywords[name] for name in names[len(node.args) :] if name in keywords]
        elif keywords:
            ordered += list(keywords.values())
        return [argument for argument in ordered if self.source.has_type(argument) or _is_text(argument)]

    def _cast(self, node: ast.Call, type: Scalar, operand: Expression) -> Expression:
        """A conversion; of a value that Warp knows, it is exact (`wp.float64(0.1)`)."""
        known = self.source.value(node.args[0]) if node.args else None
        if isinstance(known, bool | int | float) and (
            isinstance(operand, Literal) or (type.bytes == 8 and not isinstance(known, bool))
        ):
            converted = convert_literal(known, type)
            if converted is not None:
                return Literal(type, converted)
        return builtins.cast(builtins.Use(str(type), [operand], type))

    def _arguments_of(self, node: ast.Call, key: str) -> list[Expression]:
        """The arguments of a user's function, keywords and defaults in their places."""
        function = self.program.functions[key]
        names = [name for name, _ in function.parameters]
        given: dict[str, Expression] = dict(
            zip(names, (self.build(argument) for argument in node.args), strict=False)
        )
        for keyword in node.keywords:
            if keyword.arg is None:
                self.source.refuse(node, "`**` arguments are not supported")
            given[keyword.arg] = self.build(keyword.value)
        arguments = []
        for name, type in function.parameters:
            if name in given:
                arguments.append(coerce(given[name], type))
            elif name in function.defaults:
                default = function.defaults[name]
                if isinstance(default, dict):
                    literal: Expression = compound_literal(
                        parse_type(default["type"]), default["components"], self.program.structs
                    )
                else:
                    literal = Literal(type, float(default) if isinstance(default, str) else default)
                arguments.append(literal)
            else:
                self.source.refuse(node, f"no value for parameter {name!r}")
        return arguments

    def _user_call(self, node: ast.expr, key: str, arguments: list[Expression]) -> Expression:
        function = self.program.functions[key]
        if isinstance(function.result, tuple):
            self.source.refuse(node, f"{function.name} returns several values: assign them to names")
        result = function.result if function.result is not None else INT
        return Call(result, function.name, arguments, user=key)

    def several_results(self, node: ast.Call) -> Call | None:
        """A call of a user's function that returns several values, or None for other calls."""
        callee = self.source.callee(node)
        if callee is None or "function" not in callee:
            return None
        function = self.program.functions[callee["function"]]
        if not isinstance(function.result, tuple):
            return None
        arguments = self._arguments_of(node, callee["function"])
        return Call(INT, function.name, arguments, user=callee["function"])

    def _struct(self, node: ast.Call, name: str) -> Expression:
        fields = self.program.structs[name]
        for field, type in fields:
            if isinstance(type, Array):
                self.source.refuse(node, f"struct {name} has the array {field!r}: pass it as a parameter")
        if not node.args and not node.keywords:
            return Construct(Struct(name), [])
        given: dict[str, Expression] = {
            field: self.build(argument) for (field, _), argument in zip(fields, node.args, strict=False)
        }
        given |= {keyword.arg: self.build(keyword.value) for keyword in node.keywords if keyword.arg}
        arguments = []
        for field, type in fields:
            value = given.get(field)
            arguments.append(coerce(value, type) if value is not None else zero(type))
        return Construct(Struct(name), arguments)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _local_names(definition: ast.FunctionDef) -> set[str]:
    """Parameters and names that the function assigns."""
    arguments = definition.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def convert_literal(value: bool | int | float, type: Scalar) -> bool | int | float | None:
    """A known value as Warp converts it; None where the result is not defined."""
    if type == BOOL:
        return bool(value)
    if type.is_float:
        return float(value)
    if value != value or value in (float("inf"), float("-inf")):
        return None
    whole = int(value)
    bits = 8 * type.bytes
    low, high = (0, 2**bits) if type.is_unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    if isinstance(value, float) and not low <= whole < high:
        return None
    return (whole - low) % 2**bits + low


def coerce(expression: Expression, type: Type) -> Expression:
    """A literal takes the type that is wanted; anything else stays."""
    if isinstance(expression, Literal) and isinstance(type, Scalar) and expression.type != type:
        if not isinstance(expression.value, str):
            converted = convert_literal(expression.value, type)
            if converted is not None and converted == expression.value:
                return Literal(type, converted)
    return expression


def _alike(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """Operands of an arithmetic operation: a literal takes the other's scalar type."""
    if isinstance(left, Literal) != isinstance(right, Literal):
        if isinstance(left, Literal) and isinstance(right.type, Scalar):
            return coerce(left, right.type), right
        if isinstance(right, Literal) and isinstance(left.type, Scalar):
            return left, coerce(right, left.type)
    return left, right


def zero(type: Type) -> Expression:
    """The zero of a type."""
    match type:
        case Scalar():
            return Literal(type, 0)
        case Struct():
            return Construct(type, [])
        case _:
            scalars = list(component_scalars(type, {}))
            return Construct(type, [Literal(scalar, 0) for scalar in scalars])


def compound_literal(type: Type, components: Sequence[Any], structs: Structs) -> Expression:
    """A vector, matrix, quaternion or struct from its packed components."""
    values = [float(value) if isinstance(value, str) else value for value in components]

    def take(type: Type, values: list[Any]) -> Expression:
        match type:
            case Scalar():
                return Literal(type, values.pop(0))
            case Struct(name=name):
                return Construct(type, [take(field, values) for _, field in structs[name]])
            case _:
                return Construct(
                    type, [Literal(scalar, values.pop(0)) for scalar in component_scalars(type, structs)]
                )

    return take(type, values)


__all__ = ["ExpressionBuilder", "Program", "coerce", "zero"]
