"""Hooks that note what Warp makes of every node while it generates code."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import warp
from warp._src import codegen, context
from warp._src import types as warp_types

from weft.intrinsics import CONSTRUCTORS
from weft.ir.warp_inside.names import Names

Span = tuple[int, int, int, int]

LIBRARY = "warp._src.math"
"""Where Warp writes some builtins in Python (`norm_l1`, …): to a user they are like any other."""

VARIES = object()
"""Stands for the value of an expression that has another in each iteration of an unrolled loop."""


@dataclasses.dataclass(frozen=True)
class Expression:
    """What Warp made of one expression: a type of docs/formats/types.md, and its value where `known`.

    `type` is None for a string.
    """

    type: str | None
    known: bool = False
    value: Any = None


@dataclasses.dataclass(frozen=True)
class Call:
    """The function that a node resolved to: `kind` is builtin, function or struct.

    `applied` is the function that a builtin such as tile_map applies to the elements of its tiles.
    """

    kind: str
    name: str
    arguments: tuple[str, ...] = ()
    names: tuple[str, ...] | None = None
    result: str | list[str] | None = None
    applied: Call | None = None


@dataclasses.dataclass
class Recording:
    """What was recorded while Warp evaluated one function."""

    adjoint: Any
    expressions: dict[Span, Expression] = dataclasses.field(default_factory=dict)
    conflicts: list[Span] = dataclasses.field(default_factory=list)
    calls: dict[Span, Call] = dataclasses.field(default_factory=dict)
    static_values: dict[Span, list[Any]] = dataclasses.field(default_factory=dict)
    values: dict[Span, Any] = dataclasses.field(default_factory=dict)
    """What Warp knows the value of: constants and functions, as Python objects."""
    ranges: dict[Span, Any] = dataclasses.field(default_factory=dict)
    """What the loops that Warp unrolls go through: a range, or VARIES for an inner loop."""

    def know(self, where: Span, value: Any) -> None:
        """Note a value that Warp knows."""
        earlier = self.values.setdefault(where, value)
        if earlier is not value and repr(earlier) != repr(value):
            self.values[where] = VARIES


def span(node: ast.AST) -> Span | None:
    """Where a node stands in the source of its function; None for nodes that Warp made up."""
    if not hasattr(node, "lineno") or not hasattr(node, "end_lineno"):
        return None
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


class Recorder:
    """Hooks for `Adjoint` that note what each evaluation gave, and where the first of nested errors arose."""

    def __init__(self, overloads: dict[Any, Any]) -> None:
        self.overloads = overloads
        self.names = Names()
        self.recordings: dict[Any, Recording] = {}
        self.stack: list[tuple[Any, ast.AST, Call | None]] = []
        self.failure: tuple[Any, ast.AST] | None = None

    def recording(self, adjoint: Any) -> Recording:
        return self.recordings.setdefault(adjoint, Recording(adjoint))

    def evaluated(self, adjoint: Any, node: ast.AST, result: Any) -> None:
        """Note what a node evaluated to."""
        where = span(node)
        expression = result if isinstance(result, Expression) else self._expression(result)
        if where is None or expression is None:
            return
        recording = self.recording(adjoint)
        known = result.constant if isinstance(result, codegen.Var) else result
        if result is not expression and (expression.known or isinstance(result, context.Function)):
            recording.know(where, known)
        if isinstance(node, ast.Call) and expression.known:
            # In a loop that Warp unrolls, wp.static may give another value each time.
            recording.static_values.setdefault(where, []).append(expression.value)
        before = recording.expressions.get(where, expression)
        if before.type != expression.type:
            recording.conflicts.append(where)
        elif before != expression or repr(before.value) != repr(expression.value):
            # A loop that Warp unrolls evaluates its body once per iteration, with other constants.
            expression = Expression(expression.type)
        recording.expressions[where] = expression

    def _expression(self, result: Any) -> Expression | None:
        if isinstance(result, codegen.Var):
            if isinstance(result.type, warp_types.range_t):
                return None
            type_text = None if result.type is str else self.names.type(result.type)
            if result.constant is None:
                return Expression(type_text)
            return Expression(type_text, True, self.names.value(result.constant))
        if isinstance(result, context.Function):
            return Expression(self.names.type(result))
        if isinstance(result, list | tuple) and all(isinstance(item, codegen.Var) for item in result):
            return Expression(f"tuple<{','.join(self.names.type(item.type) for item in result)}>")
        return None

    def call_node(self) -> ast.Call | None:
        """The call being evaluated, if the innermost node is one."""
        node = self.stack[-1][1] if self.stack else None
        return node if isinstance(node, ast.Call) else None

    def argument(self, value: Any) -> str:
        """The type of what was passed for one parameter."""
        expression = self._expression(value)
        if expression and expression.type:
            return expression.type
        return "opaque<type>" if isinstance(value, type) else "opaque<value>"

    def called(
        self, function: Any, given: dict[str, list[str]], keywords: bool, output: Any, bound: dict[str, Any]
    ) -> None:
        """Note what the node being evaluated resolved to; `given` has the types of its arguments, `bound`
        the arguments.
        """
        if not self.stack:
            return
        adjoint, node, _ = self.stack[-1]
        where = span(node)
        if where is None or not (isinstance(node, ast.Call) or not function.is_builtin()):
            return
        call = self._call(function, given, keywords, output)
        call = dataclasses.replace(call, applied=self._applied(function, bound))
        # Reading its arguments are calls too; the last one is the node's own.
        self.stack[-1] = (adjoint, node, call)

    def _call(self, function: Any, given: dict[str, list[str]], keywords: bool, output: Any) -> Call:
        if not function.is_builtin() and getattr(function.func, "__module__", None) != LIBRARY:
            return Call("function", self.names.function(function))
        result_type = output.type if isinstance(output, codegen.Var) else None
        if isinstance(result_type, codegen.Struct) and function.native_func == result_type.native_name:
            return Call("struct", self.names.struct(result_type))
        name = self.names.constructor(result_type) if function.key in CONSTRUCTORS else function.key
        result: str | list[str] | None = None
        if isinstance(output, codegen.Var):
            result = self.names.type(output.type)
        elif isinstance(output, list | tuple):
            result = [self.names.type(item.type) for item in output]
        arguments = tuple(text for texts in given.values() for text in texts)
        names = tuple(name for name, texts in given.items() for _ in texts) if keywords else None
        return Call("builtin", name, arguments, names, result)

    def _special(self, node: ast.AST, result: Any) -> Call | None:
        """What no function stands behind, such as wp.address_of, is a builtin of that name."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
            return None
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        return Call("builtin", name, (), None, self.names.type(result.type))

    def _applied(self, function: Any, bound: dict[str, Any]) -> Call | None:
        """The overload that a builtin such as tile_map applies to elements, or None for other calls."""
        operation = bound.get("op")
        if not isinstance(operation, context.Function):
            return None
        values = [bound["a"], *([bound["b"]] if "b" in bound else []), *bound.get("args", ())]
        types = [codegen.strip_reference(value.type) for value in values]
        elements = [kind.dtype if warp_types.is_tile(kind) else kind for kind in types]
        if function.key == "tile_reduce":
            elements = [elements[0]] * 2
        overload = operation.get_overload(elements, {})
        if overload is None or not overload.is_builtin():
            return Call("function", self.names.function(overload)) if overload is not None else None
        result = overload.value_func(dict(zip(overload.input_types, elements, strict=False)), None)
        texts = tuple(self.names.type(kind) for kind in elements)
        return Call("builtin", overload.key, texts, None, self.names.type(result))

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Route Warp's evaluation of nodes and calls through this recorder."""
        original_eval, original_emit_call = codegen.Adjoint.eval, codegen.Adjoint.emit_Call
        original_eval_num = codegen.Adjoint.eval_num
        original_unroll_range = codegen.Adjoint.get_unroll_range
        original_add_call, original_resolve = codegen.Adjoint.add_call, codegen.Adjoint.resolve_func

        def within(adjoint: Any, node: ast.AST, evaluate: Callable[[], Any]) -> Any:
            self.stack.append((adjoint, node, None))
            try:
                result = evaluate()
                call = self.stack[-1][2]
            except Exception:
                # The innermost node is the first to see an error; those around it leave its place alone.
                self.failure = self.failure or (adjoint, node)
                raise
            finally:
                self.stack.pop()
            self.failure = None
            where = span(node)
            if call is None and isinstance(result, codegen.Var) and result.constant is None:
                call = self._special(node, result)
            if call is not None and where is not None:
                recording = self.recording(adjoint)
                if recording.calls.setdefault(where, call) != call:
                    recording.conflicts.append(where)
            if isinstance(node, ast.expr):
                self.evaluated(adjoint, node, result)
            return result

        def evaluate(adjoint: Any, node: ast.AST) -> Any:
            return within(adjoint, node, lambda: original_eval(adjoint, node))

        def emit_call(adjoint: Any, node: ast.Call, return_value_used: bool = True) -> Any:
            # Expression statements reach emit_Call without eval.
            return within(adjoint, node, lambda: original_emit_call(adjoint, node, return_value_used))

        def add_call(
            adjoint: Any, func: Any, args: Any, kwargs: Any, type_args: Any, *rest: Any, **options: Any
        ) -> Any:
            wanted = options.pop("return_resolved", False)
            # Warp may retype a literal argument in place, so look before the call.
            texts = [self.argument(value) for value in args] if self.call_node() else []
            keyword_texts = {name: self.argument(value) for name, value in kwargs.items()}
            output, resolved, bound = original_add_call(
                adjoint, func, args, kwargs, type_args, *rest, return_resolved=True, **options
            )
            given = resolved.signature.bind(*texts, **keyword_texts).arguments if texts or kwargs else {}
            listed = {name: list(v) if isinstance(v, tuple) else [v] for name, v in given.items()}
            self.called(resolved, listed, bool(kwargs), output, bound)
            return (output, resolved, bound) if wanted else output

        def resolve_func(adjoint: Any, func: Any, arg_types: Any, kwarg_types: Any, min_outputs: Any) -> Any:
            keys = (_key(tuple(arg_types)), _key(tuple(kwarg_types.values())))
            if not func.is_builtin() or None in keys:
                return original_resolve(adjoint, func, arg_types, kwarg_types, min_outputs)
            key = (func, *keys, tuple(kwarg_types), min_outputs)
            if key not in self.overloads:
                self.overloads[key] = original_resolve(adjoint, func, arg_types, kwarg_types, min_outputs)
            return self.overloads[key]

        def eval_num(adjoint: Any, node: ast.AST) -> Any:
            # Bounds of a range that are constants never pass through eval.
            numeric, value = original_eval_num(adjoint, node)
            if numeric:
                where = span(node)
                if where is not None:
                    self.recording(adjoint).know(where, value)
                kind = "int32" if isinstance(value, int) else self.names.type(type(value))
                self.evaluated(adjoint, node, Expression(kind, True, self.names.value(value)))
            return numeric, value

        def get_unroll_range(adjoint: Any, loop: ast.For) -> Any:
            values = original_unroll_range(adjoint, loop)
            where = span(loop)
            if isinstance(values, range) and where is not None:
                ranges = self.recording(adjoint).ranges
                if ranges.setdefault(where, values) != values:
                    ranges[where] = VARIES
            return values

        patches = {
            "eval": evaluate,
            "emit_Call": emit_call,
            "add_call": add_call,
            "resolve_func": resolve_func,
            "eval_num": eval_num,
            "get_unroll_range": get_unroll_range,
        }
        originals = {name: getattr(codegen.Adjoint, name) for name in patches}
        try:
            for name, patch in patches.items():
                setattr(codegen.Adjoint, name, patch)
            yield
        finally:
            for name, original in originals.items():
                setattr(codegen.Adjoint, name, original)


def _key(warp_type: Any) -> Any:
    """Equal for types that overload resolution cannot tell apart; None for types that are not worth it."""
    if isinstance(warp_type, tuple):
        keys = tuple(_key(item) for item in warp_type)
        return None if None in keys else keys
    if isinstance(warp_type, type | codegen.Struct):
        return warp_type
    if warp_types.is_array(warp_type) and warp_types.concrete_array_type(warp_type) is warp.array:
        element = _key(warp_type.dtype)
        return None if element is None else (warp.array, warp_type.ndim, element)
    return None
