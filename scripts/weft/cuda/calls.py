"""Calls of builtins, of the user's functions, and of struct constructors."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from weft.cuda import builtins, constructor_rules, rules
from weft.cuda.helpers.text import scalar_of
from weft.cuda.slices import Selection, components_of, repeatable
from weft.cuda.source import FunctionSource
from weft.cuda.traverse import clone, walk
from weft.cuda.tree import (
    INT,
    THREAD,
    AddressOf,
    Binary,
    Call,
    Conditional,
    Construct,
    Element,
    Expression,
    Let,
    Literal,
    LocalArray,
    Name,
    Reshaped,
    Statement,
    Unary,
)
from weft.cuda.values import coerce, compound_literal, convert_literal, zero
from weft.types import (
    Array,
    Matrix,
    Quaternion,
    Reference,
    Scalar,
    Struct,
    Structs,
    Tile,
    Transform,
    Tuple,
    Type,
    Vector,
    parse_type,
)


@dataclasses.dataclass
class Program:
    """What the functions of one record share: struct fields, user functions, and captured constants.

    `blocks` is the number of names of `tid()` that are the place of a block of threads, of whom each has the
    same tiles; None for kernels without tiles. `together` has the keys of functions in which the threads of a
    block work on tiles together, `changed_tiles` the tiles that a function changes, `returned_tiles` the
    parameters of which it may return a part, `varying` the parameters that are given what differs between the
    threads, `parted` the functions that only some threads may call.
    `constants` fills up while functions are built: C++ constants by name, in order of first use.
    """

    structs: Structs
    functions: Mapping[str, FunctionSource]
    blocks: int | None = None
    block_dim: int = 0
    kernel: FunctionSource | None = None
    varying: dict[str, set[str]] | None = None
    parted: set[str] = dataclasses.field(default_factory=set)
    together: set[str] = dataclasses.field(default_factory=set)
    changed_tiles: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    returned_tiles: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    constants: dict[str, Literal] = dataclasses.field(default_factory=dict)


class Arguments(Protocol):
    """What a call needs of the builder of expressions."""

    def build(self, node: ast.expr) -> Expression: ...

    def build_place(self, node: ast.expr) -> Expression: ...

    def several(self, node: ast.expr) -> list[Expression] | None: ...

    def tile(self, node: ast.expr, function: str, parameter: str) -> Expression: ...

    def selection(self, node: ast.Subscript) -> Selection: ...


class CallBuilder:
    """Translates the calls of one function; `expressions` translates their arguments."""

    def __init__(self, program: Program, source: FunctionSource, expressions: Arguments) -> None:
        self.program = program
        self.source = source
        self.expressions = expressions
        self.unpacked: list[tuple[str, Expression]] | None = None

    def build(self, node: ast.Call) -> Expression:
        """The tree of a call. What it unpacks and must not compute several times is computed first."""
        outer, self.unpacked = self.unpacked, []
        result = self._call(node)
        for name, value in reversed(self.unpacked):
            result = Let(result.type, name, value, result)
        self.unpacked = outer
        return result

    def _call(self, node: ast.Call) -> Expression:
        callee = self._callee(node)
        if "struct" in callee:
            return self._struct(node, callee["struct"])
        if "function" in callee:
            return self.user_call(node, callee["function"], self._arguments_of(node, callee["function"]))
        if isinstance(callee["result"], list):
            raise self.source.refusal(
                node, f"wp.{callee['builtin']} returns several values: assign them to names"
            )
        return self._builtin(node, callee)

    def apply(self, node: ast.expr, callee: Mapping[str, Any], arguments: list[Expression]) -> Expression:
        """What a function or builtin makes of arguments that are no nodes: elements of tiles."""
        if "function" in callee:
            parameters = self.program.functions[callee["function"]].parameters
            given = [coerce(a, kind) for a, (_, kind) in zip(arguments, parameters, strict=True)]
            return self.user_call(node, callee["function"], given)
        kind = self._result(callee["result"])
        rule = builtins.rule_for(callee["builtin"], kind)
        if rule is None:
            raise self.source.refusal(node, f"wp.{callee['builtin']} is not supported")
        return rule(rules.Use(callee["builtin"], arguments, kind))

    def _callee(self, node: ast.Call) -> Mapping[str, Any]:
        gradient = isinstance(node.func, ast.Call) and ast.unparse(node.func.func).endswith("grad")
        if gradient:
            raise self.source.refusal(node, "wp.grad is not supported: write the derivative as a function")
        callee = self.source.callee(node)
        if callee is not None:
            return callee
        raise self.source.refusal(node, "this call did not resolve to a Warp function")

    def _builtin(self, node: ast.Call, callee: Mapping[str, Any]) -> Expression:
        name = callee["builtin"]
        result = callee["result"]
        kind = self._result(result)
        if name == "tid" and kind == INT:
            return Name(INT, THREAD)
        if name == "block_dim" and self.program.block_dim:
            return Literal(INT, self.program.block_dim)
        if name == "zeros" and isinstance(kind := self.source.type(node), Array):
            return LocalArray(kind, self._constant_shape(node))
        if name == "array" and isinstance(kind := self.source.type(node), Array):
            return self._from_pointer(node, kind)
        if name == "len" and (parts := self.expressions.several(node.args[0])) is not None:
            return Literal(INT, len(parts))
        rule = builtins.rule_for(name, kind)
        if rule is None:
            raise self.source.refusal(node, f"wp.{name} is not supported")
        given = self._builtin_arguments(node, callee, kind)
        arguments = [argument for _, argument in given]
        if kind is not None and rule is constructor_rules.construct:
            arguments = [self._exact(*pair, scalar_of(kind)) for pair in given]
        if isinstance(kind, Scalar) and rule is rules.cast and len(arguments) == 1:
            return self._cast(node, kind, arguments[0])
        return rule(rules.Use(name, arguments, kind, tuple(callee.get("names", ()))))

    def _result(self, result: str | list[str] | None) -> Type | None:
        if isinstance(result, list):
            return Tuple(tuple(parse_type(item) for item in result))
        return parse_type(result) if result is not None else None

    def _is_rank(self, node: ast.expr) -> bool:
        """Whether this is `array.ndim`, which Warp knows without evaluating it."""
        if not isinstance(node, ast.Attribute) or node.attr != "ndim":
            return False
        return self.source.has_type(node.value) and isinstance(self.source.type(node.value), Array)

    def _from_pointer(self, node: ast.Call, kind: Array) -> Expression:
        """`wp.array(ptr=x.ptr, shape=(rows, cols), dtype=float)`: the memory of x in another shape."""
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        given = named | dict(zip(("ptr", "shape", "dtype"), node.args, strict=False))
        pointer, shape = given["ptr"], given["shape"]
        if not isinstance(pointer, ast.Attribute) or pointer.attr != "ptr":
            raise self.source.refusal(
                pointer, "an array at an address that is a number is not supported: pass the array"
            )
        array = self.expressions.build(pointer.value)
        if not isinstance(array.type, Array) or array.type.element != kind.element:
            raise self.source.refusal(
                pointer, f"the memory of {array.type} as elements of type {kind.element} is not supported"
            )
        extents = [
            self.expressions.build(n) for n in (shape.elts if isinstance(shape, ast.Tuple) else [shape])
        ]
        if len(extents) != kind.ndim:
            raise self.source.refusal(shape, "write this shape as numbers in parentheses")
        return Reshaped(kind, array, [coerce(extent, INT) for extent in extents])

    def _constant_shape(self, node: ast.Call) -> tuple[int, ...]:
        """The shape of an array that lives in a kernel."""
        given = next((keyword.value for keyword in node.keywords if keyword.arg == "shape"), None)
        shape = given if given is not None else node.args[0]
        values = [self.source.value(n) for n in (shape.elts if isinstance(shape, ast.Tuple) else [shape])]
        extents = tuple(value for value in values if isinstance(value, int))
        if len(extents) != len(values):
            raise self.source.refusal(shape, "this shape is not known here: write its numbers")
        return extents

    def _builtin_arguments(
        self, node: ast.Call, callee: Mapping[str, Any], kind: Type | None
    ) -> list[tuple[ast.expr, Expression]]:
        """The value arguments in the order of the builtin's signature, with their nodes; types such as
        `dtype=float` are left out, and the shape of a constructor, which its result says too.
        """
        constructs = isinstance(kind, Scalar | Vector | Matrix | Quaternion | Transform)
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
                raise self.source.refusal(value, "give the value a name before it is unpacked")
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

    def _exact(self, node: ast.expr, argument: Expression, scalar: Scalar) -> Expression:
        """A component: what Warp knows of it takes the component's type without a detour over float32."""
        known = self.source.value(node)
        if argument.type == scalar or not isinstance(known, int | float):
            return argument
        converted = convert_literal(known, scalar)
        return Literal(scalar, converted) if converted is not None else argument

    def _cast(self, node: ast.Call, type: Scalar, operand: Expression) -> Expression:
        """A conversion; of a value that Warp knows, it is exact (`wp.float64(0.1)`)."""
        known = self.source.value(node.args[0]) if node.args else None
        if isinstance(known, bool | int | float) and (
            isinstance(operand, Literal) or (type.bytes == 8 and not isinstance(known, bool))
        ):
            converted = convert_literal(known, type)
            if converted is not None:
                return Literal(type, converted)
        return rules.cast(rules.Use(str(type), [operand], type))

    def _arguments_of(self, node: ast.Call, key: str) -> list[Expression]:
        """The arguments of a user's function, keywords and defaults in their places."""
        function = self.program.functions[key]
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
            raise self.source.refusal(node, "give the tuple a name before it is passed")
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
            return compound_literal(parse_type(default["type"]), default["components"], self.program.structs)
        return Literal(kind, float(default) if isinstance(default, str) else default)

    def user_call(self, node: ast.expr, key: str, arguments: list[Expression]) -> Call:
        """A call of a user's function, or of an operator that the user overloaded."""
        function = self.program.functions[key]
        if isinstance(function.result, tuple):
            raise self.source.refusal(node, f"{function.name} returns several values: assign them to names")
        result = function.result if function.result is not None else INT
        if isinstance(result, Tile):
            result = result.element
        return Call(result, function.name, arguments, user=key)

    def several_results(self, node: ast.Call) -> Call | None:
        """A call that returns several values, its type a tuple, or None for other calls."""
        callee = self.source.callee(node)
        if callee is None:
            return None
        if isinstance(callee.get("result"), list):
            call = self._builtin(node, callee)
            assert isinstance(call, Call)
            return call
        if "function" not in callee:
            return None
        function = self.program.functions[callee["function"]]
        if not isinstance(function.result, tuple):
            return None
        arguments = self._arguments_of(node, callee["function"])
        return Call(Tuple(function.result), function.name, arguments, user=callee["function"])

    def groups(self, node: ast.Call) -> tuple[int, ...]:
        """How many values each result of a call has, where one of them is a tuple; else empty."""
        callee = self.source.callee(node) or {}
        return self.program.functions[callee["function"]].groups if "function" in callee else ()

    def changes(self, node: ast.Call) -> list[Statement] | None:
        """The statements of a builtin that changes the variables it is given; None for other calls."""
        callee = self.source.callee(node)
        if callee is None or callee.get("result") is not None:
            return None
        rule = builtins.CHANGING.get(callee.get("builtin", ""))
        if rule is None:
            return None
        arguments = [argument for _, argument in self._builtin_arguments(node, callee, None)]
        return rule(rules.Use(callee["builtin"], arguments, None))

    def _struct(self, node: ast.Call, name: str) -> Expression:
        fields = self.program.structs[name]
        if not node.args and not node.keywords:
            return Construct(Struct(name), [])
        given: dict[str, Expression] = {
            field: self.expressions.build(argument)
            for (field, _), argument in zip(fields, node.args, strict=False)
        }
        given |= {
            keyword.arg: self.expressions.build(keyword.value) for keyword in node.keywords if keyword.arg
        }
        arguments = []
        for field, kind in fields:
            value = given.get(field)
            arguments.append(coerce(value, kind) if value is not None else zero(kind))
        return Construct(Struct(name), arguments)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
