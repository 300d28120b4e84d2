"""Calls of builtins, of the user's functions, and of struct constructors."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping
from typing import Any

from weft.cuda import builtins, constructor_rules, rules
from weft.cuda.arguments import ArgumentBuilder, Expressions
from weft.cuda.helpers.text import scalar_of
from weft.cuda.tree import (
    INT,
    THREAD,
    Call,
    Construct,
    Expression,
    Let,
    Literal,
    LocalArray,
    Name,
    Reshaped,
    Statement,
)
from weft.cuda.values import coerce, convert_literal, zero
from weft.function_source import FunctionSource
from weft.launch import Launch
from weft.subscript_indices import items_of
from weft.types import Array, Scalar, Struct, Structs, Tile, Tuple, Type, parse_type


@dataclasses.dataclass
class ModuleContext:
    """What the functions of one record share: struct fields, user functions, and captured constants.

    `blocks` is the number of names of `tid()` that are the place of a block of threads, of whom each has the
    same tiles; None for kernels without tiles. `block_collective` has the keys of functions that
    all threads of a block must call, for they work on whole tiles, `changed_tiles` the tiles that a function
    changes, `returned_tiles` the parameters of which it may return a part, `varying` the parameters that are
    given what differs between the threads, `divergent` the functions that only some threads may call.
    `constants` fills up while functions are built: C++ constants by name, in order of first use. `text` is
    the user's module, which says how it writes them. `launch` says what may be assumed of arrays.
    """

    structs: Structs
    functions: Mapping[str, FunctionSource]
    blocks: int | None = None
    block_dim: int = 0
    kernel: FunctionSource | None = None
    varying: dict[str, set[str]] | None = None
    divergent: set[str] = dataclasses.field(default_factory=set)
    block_collective: set[str] = dataclasses.field(default_factory=set)
    changed_tiles: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    returned_tiles: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    constants: dict[str, Literal] = dataclasses.field(default_factory=dict)
    text: str = ""
    launch: Launch | None = None


class CallBuilder:
    """Translates the calls of one function; `expressions` translates their arguments."""

    def __init__(self, module: ModuleContext, source: FunctionSource, expressions: Expressions) -> None:
        self.module = module
        self.source = source
        self.expressions = expressions
        self.arguments = ArgumentBuilder(module, source, expressions)

    def build(self, node: ast.Call) -> Expression:
        """The tree of a call. What it unpacks and must not compute several times is computed first."""
        outer, self.arguments.unpacked = self.arguments.unpacked, []
        result = self._call(node)
        for name, value in reversed(self.arguments.unpacked):
            result = Let(result.type, name, value, result)
        self.arguments.unpacked = outer
        return result

    def _call(self, node: ast.Call) -> Expression:
        callee = self._callee(node)
        if "struct" in callee:
            return self._struct(node, callee["struct"])
        if "function" in callee:
            return self.user_call(
                node, callee["function"], self.arguments.of_function(node, callee["function"])
            )
        if isinstance(callee["result"], list):
            raise self.source.refusal(
                node, f"wp.{callee['builtin']} returns several values: assign them to names"
            )
        return self._builtin(node, callee)

    def apply(self, node: ast.expr, callee: Mapping[str, Any], arguments: list[Expression]) -> Expression:
        """What a function or builtin makes of arguments that are no nodes: elements of tiles."""
        if "function" in callee:
            parameters = self.module.functions[callee["function"]].parameters
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
        if name == "block_dim" and self.module.block_dim:
            return Literal(INT, self.module.block_dim)
        if name == "zeros" and isinstance(kind := self.source.type(node), Array):
            return LocalArray(kind, self._constant_shape(node))
        if name == "array" and isinstance(kind := self.source.type(node), Array):
            return self._from_pointer(node, kind)
        if name == "len" and (parts := self.expressions.several(node.args[0])) is not None:
            return Literal(INT, len(parts))
        rule = builtins.rule_for(name, kind)
        if rule is None:
            raise self.source.refusal(node, f"wp.{name} is not supported")
        given = self.arguments.of_builtin(node, callee, kind)
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
        extents = [self.expressions.build(extent) for extent in items_of(shape)]
        if len(extents) != kind.ndim:
            raise self.source.refusal(shape, "write this shape as numbers in parentheses")
        return Reshaped(kind, array, [coerce(extent, INT) for extent in extents])

    def _constant_shape(self, node: ast.Call) -> tuple[int, ...]:
        """The shape of an array that lives in a kernel."""
        given = next((keyword.value for keyword in node.keywords if keyword.arg == "shape"), None)
        shape = given if given is not None else node.args[0]
        values = [self.source.value(extent) for extent in items_of(shape)]
        extents = tuple(value for value in values if isinstance(value, int))
        if len(extents) != len(values):
            raise self.source.refusal(shape, "this shape is not known here: write its numbers")
        return extents

    def _exact(self, node: ast.expr, argument: Expression, scalar: Scalar) -> Expression:
        """A component: what Warp knows of it takes the component's type without a detour over float32."""
        known = self.source.value(node)
        if argument.type == scalar or not isinstance(known, int | float):
            return argument
        converted = convert_literal(known, scalar)
        return Literal(scalar, converted, self.source.spelling(node)) if converted is not None else argument

    def _cast(self, node: ast.Call, type: Scalar, operand: Expression) -> Expression:
        """A conversion; of a value that Warp knows, it is exact (`wp.float64(0.1)`)."""
        known = self.source.value(node.args[0]) if node.args else None
        if isinstance(known, bool | int | float) and (
            isinstance(operand, Literal) or (type.bytes == 8 and not isinstance(known, bool))
        ):
            if type.is_float and type.bytes < 8 and operand.type == INT and isinstance(known, int):
                # Warp has an int of 0xFFFFFFFF before the float: that is -1.
                known = (known + 2**31) % 2**32 - 2**31
            converted = convert_literal(known, type)
            if converted is not None:
                return Literal(type, converted, self.source.spelling(node.args[0]))
        return rules.cast(rules.Use(str(type), [operand], type))

    def user_call(self, node: ast.expr, key: str, arguments: list[Expression]) -> Call:
        """A call of a user's function, or of an operator that the user overloaded."""
        function = self.module.functions[key]
        if isinstance(function.result, tuple):
            raise self.source.refusal(node, f"{function.name} returns several values: assign them to names")
        result = function.result if function.result is not None else INT
        if isinstance(result, Tile):
            result = result.element
        return Call(result, function.name, arguments, user=key)

    def several_results(self, node: ast.expr) -> tuple[Call, list[Type]] | None:
        """A call that returns several values, and their types, or None for what is no such call."""
        if not isinstance(node, ast.Call) or (callee := self.source.callee(node)) is None:
            return None
        if isinstance(callee.get("result"), list):
            call = self._builtin(node, callee)
            assert isinstance(call, Call) and isinstance(call.type, Tuple)
            return call, list(call.type.items)
        if "function" not in callee:
            return None
        function = self.module.functions[callee["function"]]
        if not isinstance(function.result, tuple):
            return None
        arguments = self.arguments.of_function(node, callee["function"])
        call = Call(Tuple(function.result), function.name, arguments, user=callee["function"])
        return call, list(function.result)

    def whole_results(self, node: ast.expr) -> tuple[Call, list[Type]] | None:
        """The same; refuses a tuple among the results."""
        results = self.several_results(node)
        if results is not None and self.groups(node):
            raise self.source.refusal(node, "a tuple among several results: unpack them into names first")
        return results

    def groups(self, node: ast.expr) -> tuple[int, ...]:
        """How many values each result of a call has, if one of its results is a tuple; else empty."""
        callee = self.source.callee(node) or {}
        return self.module.functions[callee["function"]].groups if "function" in callee else ()

    def changes(self, node: ast.Call) -> list[Statement] | None:
        """The statements for a builtin that changes its arguments; None for other calls."""
        callee = self.source.callee(node)
        if callee is None or callee.get("result") is not None:
            return None
        rule = builtins.CHANGING.get(callee.get("builtin", ""))
        if rule is None:
            return None
        arguments = [argument for _, argument in self.arguments.of_builtin(node, callee, None)]
        return rule(rules.Use(callee["builtin"], arguments, None))

    def _struct(self, node: ast.Call, name: str) -> Expression:
        fields = self.module.structs[name]
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
