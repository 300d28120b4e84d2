"""Calls of builtins, of the user's functions, and of struct constructors."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from weft.cuda import builtins, constructor_rules, rules
from weft.cuda.helpers.text import scalar_of
from weft.cuda.source import FunctionSource
from weft.cuda.tree import INT, THREAD, Call, Construct, Expression, Literal, Name
from weft.cuda.values import coerce, compound_literal, convert_literal, zero
from weft.types import Array, Scalar, Struct, Structs, parse_type


@dataclasses.dataclass
class Program:
    """What the functions of one record share: struct fields, user functions, and captured constants.

    `constants` fills up while functions are built: C++ constants by name, in order of first use.
    """

    structs: Structs
    functions: Mapping[str, FunctionSource]
    constants: dict[str, Literal] = dataclasses.field(default_factory=dict)


class CallBuilder:
    """Translates the calls of one function; `build_argument` translates an expression."""

    def __init__(
        self, program: Program, source: FunctionSource, build_argument: Callable[[ast.expr], Expression]
    ) -> None:
        self.program = program
        self.source = source
        self.build_argument = build_argument

    def build(self, node: ast.Call) -> Expression:
        """The tree of a call."""
        callee = self.source.callee(node)
        if callee is None:
            raise self.source.refusal(node, "this call did not resolve to a Warp function")
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.source.refusal(node, "starred arguments are not supported: write them out")
        if "struct" in callee:
            return self._struct(node, callee["struct"])
        if "function" in callee:
            return self.user_call(node, callee["function"], self._arguments_of(node, callee["function"]))
        return self._builtin(node, callee)

    def _builtin(self, node: ast.Call, callee: Mapping[str, Any]) -> Expression:
        name = callee["builtin"]
        result = callee["result"]
        if isinstance(result, list):
            raise self.source.refusal(node, f"wp.{name} with several results is not supported")
        kind = parse_type(result) if result is not None else None
        if name == "tid" and kind == INT:
            return Name(INT, THREAD)
        rule = builtins.rule_for(name, kind)
        if rule is None:
            raise self.source.refusal(node, f"wp.{name} is not supported")
        nodes = self._builtin_arguments(node, callee)
        arguments = [self.build_argument(argument) for argument in nodes]
        if kind is not None and rule is constructor_rules.construct:
            arguments = [self._exact(*pair, scalar_of(kind)) for pair in zip(nodes, arguments, strict=True)]
        if kind is not None and isinstance(kind, Scalar) and rule is rules.cast and len(arguments) == 1:
            return self._cast(node, kind, arguments[0])
        return rule(rules.Use(name, arguments, kind))

    def _builtin_arguments(self, node: ast.Call, callee: Mapping[str, Any]) -> list[ast.expr]:
        """The value arguments in the order of the builtin's signature; types such as `dtype=float` are left
        out.
        """
        ordered = list(node.args)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        names = callee.get("names")
        if keywords and names is not None:
            ordered += [keywords[name] for name in names[len(node.args) :] if name in keywords]
        elif keywords:
            ordered += list(keywords.values())
        return [argument for argument in ordered if self.source.has_type(argument) or _is_text(argument)]

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
        names = [name for name, _ in function.parameters]
        given: dict[str, Expression] = dict(
            zip(names, (self.build_argument(argument) for argument in node.args), strict=False)
        )
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.source.refusal(node, "`**` arguments are not supported")
            given[keyword.arg] = self.build_argument(keyword.value)
        arguments = []
        for name, kind in function.parameters:
            if name in given:
                arguments.append(coerce(given[name], kind))
            elif name in function.defaults:
                default = function.defaults[name]
                if isinstance(default, dict):
                    literal: Expression = compound_literal(
                        parse_type(default["type"]), default["components"], self.program.structs
                    )
                else:
                    literal = Literal(kind, float(default) if isinstance(default, str) else default)
                arguments.append(literal)
            else:
                raise self.source.refusal(node, f"no value for parameter {name!r}")
        return arguments

    def user_call(self, node: ast.expr, key: str, arguments: list[Expression]) -> Expression:
        """A call of a user's function, or of an operator that the user overloaded."""
        function = self.program.functions[key]
        if isinstance(function.result, tuple):
            raise self.source.refusal(node, f"{function.name} returns several values: assign them to names")
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
        for field, kind in fields:
            if isinstance(kind, Array):
                raise self.source.refusal(
                    node, f"struct {name} has the array {field!r}: pass it as a parameter"
                )
        if not node.args and not node.keywords:
            return Construct(Struct(name), [])
        given: dict[str, Expression] = {
            field: self.build_argument(argument)
            for (field, _), argument in zip(fields, node.args, strict=False)
        }
        given |= {keyword.arg: self.build_argument(keyword.value) for keyword in node.keywords if keyword.arg}
        arguments = []
        for field, kind in fields:
            value = given.get(field)
            arguments.append(coerce(value, kind) if value is not None else zero(kind))
        return Construct(Struct(name), arguments)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
