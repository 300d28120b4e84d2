"""First pass: a function record becomes a Function of the translator's tree.

Before: Python's syntax tree with Warp's types. After: the same statements in the same order, every expression
typed, builtins chosen, `a[i] += v` an atomic where Warp makes it one, comments in their places. Variables are not
yet declared, indices are still per dimension.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from weft.cuda import builtins
from weft.cuda.expressions import BINARY, ExpressionBuilder, Program, coerce
from weft.cuda.helpers.text import scalar_of
from weft.cuda.source import Comment, FunctionSource
from weft.cuda.tree import (
    INT,
    Assign,
    Call,
    Component,
    Element,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Member,
    Name,
    Remark,
    Return,
    Statement,
    Threads,
    Unpack,
    While,
)
from weft.types import Array, Scalar, Type

_ATOMIC = {ast.Add: "add", ast.Sub: "sub", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
_IN_PLACE = {"+", "-", "*", "/", "&", "|", "^", "<<", ">>"}


def build_function(program: Program, source: FunctionSource, kernel: bool) -> Function:
    """The tree of one function. Refuses what has no translation."""
    builder = _StatementBuilder(program, source)
    arguments = source.definition.args
    if arguments.vararg or arguments.kwarg:
        source.refuse(source.definition, "`*args` and `**kwargs` are not supported")
    return Function(
        key=source.key,
        name=source.name,
        doc=source.doc,
        parameters=list(source.parameters),
        result=source.result,
        body=builder.function_body(),
        kernel=kernel,
    )


class _StatementBuilder:
    def __init__(self, program: Program, source: FunctionSource) -> None:
        self.program = program
        self.source = source
        self.expressions = ExpressionBuilder(program, source)
        self.pending = list(source.comments)
        self.last_line = 0
        self.dynamic_loops: list[ast.For | ast.While] = []
        self.order: list[str] = []

    def function_body(self) -> list[Statement]:
        """The body, without the docstring."""
        nodes = self.source.definition.body
        if nodes and isinstance(nodes[0], ast.Expr) and isinstance(nodes[0].value, ast.Constant):
            self.last_line = nodes[0].end_lineno or 0
            nodes = nodes[1:]
        if nodes:
            first = nodes[0].lineno
            header = [c for c in self.pending if c.line < first and not c.alone]
            self.pending = [c for c in self.pending if c not in header]
        end = len(self.source.text.splitlines()) + 1
        body = self.block(nodes, end)
        while body and isinstance(body[0], Remark) and not body[0].text:
            body.pop(0)
        return body

    def block(self, nodes: Sequence[ast.stmt], end: int) -> list[Statement]:
        """Statements of a block; comments of its indentation before line `end` belong to it."""
        result: list[Statement] = []
        column = nodes[0].col_offset if nodes else 0
        for node in nodes:
            self._comments_before(node.lineno, result)
            trailing = self._trailing(node)
            built = self.statement(node)
            if built and trailing:
                built[0].trailing = trailing
            elif trailing:
                result.append(Remark(trailing))
            result += built
            self.last_line = max(self.last_line, node.end_lineno or 0)
        rest = [c for c in self.pending if c.alone and self.last_line < c.line < end and c.column >= column]
        if rest:
            self._comments_before(rest[-1].line + 1, result)
        return result

    def _comments_before(self, line: int, result: list[Statement]) -> None:
        """Add the own-line comments and one blank line that stand before `line`."""
        taken = [c for c in self.pending if c.alone and c.line < line]
        previous = self.last_line
        for comment in taken:
            if result and any(i in self.source.blank_lines for i in range(previous + 1, comment.line)):
                result.append(Remark(""))
            result.append(Remark(comment.text))
            previous = comment.line
        if result and any(i in self.source.blank_lines for i in range(previous + 1, line)):
            result.append(Remark(""))
        self.pending = [c for c in self.pending if c not in taken]

    def _trailing(self, node: ast.stmt) -> str:
        """The comments at the end of the statement's own lines (of the header, if it has a block)."""
        last = node.end_lineno or node.lineno
        if isinstance(node, ast.If | ast.For | ast.While):
            last = max(node.lineno, node.body[0].lineno - 1)
        taken: list[Comment] = [c for c in self.pending if not c.alone and node.lineno <= c.line <= last]
        inside = [c for c in self.pending if c.alone and node.lineno < c.line <= last]
        if isinstance(node, ast.If | ast.For | ast.While):
            inside = []
        self.pending = [c for c in self.pending if c not in taken and c not in inside]
        return "; ".join(c.text for c in sorted([*taken, *inside], key=lambda c: c.line))

    def statement(self, node: ast.stmt) -> list[Statement]:
        """The statements that `node` becomes, usually one."""
        try:
            return self._statement(node)
        except builtins.Unsupported as error:
            self.source.refuse(node, str(error))

    def _statement(self, node: ast.stmt) -> list[Statement]:
        match node:
            case ast.Assign(targets=[target], value=value):
                return self._assign(node, target, value)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                return self._assign(node, target, value)
            case ast.AugAssign():
                return self._augmented(node)
            case ast.Expr(value=ast.Constant()):
                return []
            case ast.Expr(value=ast.Call() as call):
                return self._call(node, call)
            case ast.If():
                return self._if(node)
            case ast.For():
                return self._for(node)
            case ast.While():
                return self._while(node)
            case ast.Return(value=value):
                return [self._return(node, value)]
            case ast.Break():
                return [Jump("break", node=node)]
            case ast.Continue():
                return [Jump("continue", node=node)]
            case ast.Pass():
                return []
            case ast.Assert():
                self.source.refuse(node, "`assert` is not supported: use `if` and `return`")
            case _:
                self.source.refuse(node, f"{type(node).__name__} statements are not supported")

    def _assign(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> list[Statement]:
        if isinstance(value, ast.Call) and self._is_tid(value):
            return [Threads(self._names(target), node=node)]
        if isinstance(target, ast.Tuple):
            return self._assign_several(node, target, value)
        if isinstance(target, ast.Name) and isinstance(value, ast.Tuple):
            self.source.refuse(node, "a tuple cannot be kept in one variable: use a vector")
        built = self.expressions.build(value)
        if isinstance(target, ast.Name):
            self._note(target.id)
            return [Assign(Name(built.type, target.id), "", built, node=node)]
        place = self._place(target)
        if isinstance(place, Call) and place.function == "row":
            types = (place.arguments[0].type, built.type)
            setter = Call(INT, "set_row", [*place.arguments, built], ("set_row", types))
            return [Evaluate(setter, node=node)]
        return [Assign(place, "", coerce(built, place.type), node=node)]

    def _note(self, name: str) -> None:
        if name not in self.order:
            self.order.append(name)

    def _is_tid(self, node: ast.Call) -> bool:
        callee = self.source.callee(node)
        return callee is not None and callee.get("builtin") == "tid"

    def _names(self, target: ast.expr) -> list[str]:
        items = target.elts if isinstance(target, ast.Tuple) else [target]
        names = [item.id for item in items if isinstance(item, ast.Name)]
        if len(names) != len(items):
            self.source.refuse(target, "only names can take several values at once")
        for name in names:
            self._note(name)
        return names

    def _assign_several(self, node: ast.stmt, target: ast.Tuple, value: ast.expr) -> list[Statement]:
        names = self._names(target)
        if isinstance(value, ast.Call):
            call = self.expressions.several_results(value)
            if call is None:
                self.source.refuse(node, "this call does not return several values that can be unpacked")
            result = self.program.functions[call.user or ""].result
            assert isinstance(result, tuple)
            return [Unpack(names, list(result), call, node=node)]
        if not isinstance(value, ast.Tuple):
            self.source.refuse(node, "only results of functions and tuples can be unpacked")
        return self._assign_tuple(node, names, value)

    def _assign_tuple(self, node: ast.stmt, names: list[str], value: ast.Tuple) -> list[Statement]:
        """`a, b = x, y`: all values before all names."""
        built = [self.expressions.build(item) for item in value.elts]
        for name, item, expression in zip(names, value.elts, built, strict=True):
            if isinstance(item, ast.Name) and item.id in self.expressions.local_names:
                if not isinstance(expression.type, Scalar):
                    self.source.refuse(
                        node, "Warp makes the two names share one value here: assign them one by one"
                    )
                if self.dynamic_loops and item.id in names and item.id != name:
                    self._require_order(node, name, item.id)
        read = {item.id for item in ast.walk(value) if isinstance(item, ast.Name)}
        if not read & set(names[:-1]):
            return [
                Assign(Name(expression.type, name), "", expression, node=node)
                for name, expression in zip(names, built, strict=True)
            ]
        before: list[Statement] = []
        after: list[Statement] = []
        for name, expression in zip(names, built, strict=True):
            kept = f"next_{name}"
            before.append(Assign(Name(expression.type, kept), "", expression, node=node))
            after.append(Assign(Name(expression.type, name), "", Name(expression.type, kept), node=node))
        return before + after

    def _require_order(self, node: ast.stmt, name: str, source: str) -> None:
        """In a loop Warp copies the new values back in the order in which the names first appeared."""
        if (
            source not in self.order
            or name not in self.order
            or self.order.index(source) < self.order.index(name)
        ):
            self.source.refuse(
                node, "Warp computes this exchange in a loop differently from Python: use a third variable"
            )

    def _place(self, node: ast.expr) -> Expression:
        """What an assignment to `node` writes."""
        if not isinstance(node, ast.Subscript | ast.Attribute):
            self.source.refuse(node, "this cannot be assigned to")
        place = self.expressions.build_place(node)
        if isinstance(place.type, Array):
            self.source.refuse(node, "assigning to a view of an array is not supported: assign its elements")
        if not isinstance(place, Element | Member | Component | Call):
            self.source.refuse(node, "this cannot be assigned to")
        if isinstance(place, Call) and place.function not in ("component_ref", "row"):
            self.source.refuse(node, "this cannot be assigned to")
        return place

    def _augmented(self, node: ast.AugAssign) -> list[Statement]:
        symbol = BINARY[type(node.op)]
        if self.source.callee(node) is not None:
            self.source.refuse(
                node, "augmented assignment with an own operator is not supported: write it out"
            )
        if isinstance(node.target, ast.Name):
            self._note(node.target.id)
            value = self.expressions.build(node.value)
            target: Expression = Name(self._result_type(node, value), node.target.id)
        else:
            target = self._place(node.target)
            value = self.expressions.build(node.value)
            if _in_array(target) and type(node.op) in _ATOMIC:
                operation = _ATOMIC[type(node.op)]
                scalar = _scalar(target.type)
                if scalar is not None and scalar.bytes >= 4 and scalar.name != "bool":
                    call = builtins.update(operation, target, [coerce(value, target.type)])
                    assert isinstance(call, Call)
                    call.in_place = True
                    return [Evaluate(call, node=node)]
        value = coerce(value, target.type)
        if isinstance(target, Call) and target.function == "row":
            self.source.refuse(node, "augmented assignment to a row is not supported: assign the elements")
        floats = isinstance(target.type, Scalar) and target.type.is_float
        if symbol in _IN_PLACE or (symbol == "%" and not floats and isinstance(target.type, Scalar)):
            return [Assign(target, symbol, value, node=node)]
        result = builtins.binary(symbol, target, value, target.type)
        return [Assign(target, "", result, node=node)]

    def _result_type(self, node: ast.AugAssign, value: Expression) -> Type:
        """The type of the name that is augmented. Warp evaluates it like any expression."""
        if self.source.has_type(node.target):
            return self.source.type(node.target)
        return value.type

    def _call(self, node: ast.stmt, call: ast.Call) -> list[Statement]:
        if self._is_tid(call):
            return []
        several = self.expressions.several_results(call)
        built = several or self.expressions.build(call)
        if isinstance(built, Call) and (built.effect or built.user):
            return [Evaluate(built, node=node)]
        return []

    def _if(self, node: ast.If) -> list[Statement]:
        known = self.source.value(node.test)
        if known is not None:
            taken, other = (node.body, node.orelse) if known else (node.orelse, node.body)
            if not self._visited(other):
                end = (node.end_lineno or 0) + 1
                self._forget(other)
                return self.block(taken, end) if taken else []
        self._require_stable_test(node)
        test = self.expressions.build(node.test)
        if isinstance(test.type, Array):
            self.source.refuse(node.test, "the test for a null array is not supported: pass an array always")
        after_body = node.orelse[0].lineno if node.orelse else (node.end_lineno or 0) + 1
        if node.orelse and not _is_elif(node):
            after_body = self._else_line(node)
        self.last_line = max(self.last_line, node.lineno)
        body = self.block(node.body, after_body)
        otherwise: list[Statement] = []
        if node.orelse:
            self.last_line = max(self.last_line, after_body)
            otherwise = self.block(node.orelse, (node.end_lineno or 0) + 1)
        return [If(test, body, otherwise, node=node)]

    def _else_line(self, node: ast.If) -> int:
        """The line of `else:`."""
        lines = self.source.text.split("\n")
        for number in range(node.orelse[0].lineno, node.body[-1].end_lineno or 0, -1):
            if lines[number - 1].strip().startswith("else"):
                return number
        return node.orelse[0].lineno

    def _visited(self, nodes: Sequence[ast.stmt]) -> bool:
        """Whether Warp evaluated anything in these statements."""
        return any(
            isinstance(inner, ast.expr) and self.source.has_type(inner)
            for node in nodes
            for inner in ast.walk(node)
        )

    def _forget(self, nodes: Sequence[ast.stmt]) -> None:
        """Drop the comments of statements that are left out."""
        if nodes:
            first, last = nodes[0].lineno, nodes[-1].end_lineno or 0
            self.pending = [c for c in self.pending if not first <= c.line <= last]

    def _require_stable_test(self, node: ast.If) -> None:
        """Warp reads a bare variable again after the branch, so a loop in the branch must not change it."""
        test = node.test
        if not isinstance(test, ast.Name):
            return
        for loop in (n for statement in node.body for n in ast.walk(statement)):
            if isinstance(loop, ast.For | ast.While):
                for inner in ast.walk(loop):
                    if (
                        isinstance(inner, ast.Name)
                        and inner.id == test.id
                        and isinstance(inner.ctx, ast.Store)
                    ):
                        self.source.refuse(
                            test, f"a loop in this branch changes {test.id!r}: test a copy of it"
                        )

    def _for(self, node: ast.For) -> list[Statement]:
        if node.orelse:
            self.source.refuse(
                node.orelse[0], "`else` of a loop is not supported (Warp drops it): use a flag"
            )
        iterable = node.iter
        if not isinstance(node.target, ast.Name) or not (
            isinstance(iterable, ast.Call)
            and isinstance(iterable.func, ast.Name)
            and iterable.func.id == "range"
        ):
            self.source.refuse(node, "only `for name in range(…)` is supported")
        arguments = [self.expressions.build(argument) for argument in iterable.args]
        step = 1
        if len(arguments) == 3:
            known = (
                arguments[2].value
                if isinstance(arguments[2], Literal)
                else self.source.value(iterable.args[2])
            )
            if not isinstance(known, int) or known == 0 or self._is_loop_local(iterable.args[2]):
                self.source.refuse(iterable.args[2], "the step of a range must be a constant")
            step = known
        start = arguments[0] if len(arguments) > 1 else Literal(INT, 0)
        stop = arguments[1] if len(arguments) > 1 else arguments[0]
        type = next((a.type for a in (start, stop) if not isinstance(a, Literal)), INT)
        self.last_line = max(self.last_line, node.lineno)
        self.dynamic_loops.append(node)
        body = self.block(node.body, (node.end_lineno or 0) + 1)
        self.dynamic_loops.pop()
        return [For(type, node.target.id, coerce(start, type), coerce(stop, type), step, body, node=node)]

    def _is_loop_local(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.expressions.local_names

    def _while(self, node: ast.While) -> list[Statement]:
        if node.orelse:
            self.source.refuse(
                node.orelse[0], "`else` of a loop is not supported (Warp drops it): use a flag"
            )
        test = self.expressions.build(node.test)
        self.last_line = max(self.last_line, node.lineno)
        self.dynamic_loops.append(node)
        body = self.block(node.body, (node.end_lineno or 0) + 1)
        self.dynamic_loops.pop()
        return [While(test, body, node=node)]

    def _return(self, node: ast.stmt, value: ast.expr | None) -> Statement:
        if value is None:
            return Return([], node=node)
        items = value.elts if isinstance(value, ast.Tuple) else [value]
        values = [self.expressions.build(item) for item in items]
        result = self.source.result
        if isinstance(result, tuple):
            values = [coerce(item, type) for item, type in zip(values, result, strict=True)]
        elif result is not None and len(values) == 1:
            values = [coerce(values[0], result)]
        return Return(values, node=node)


def _is_elif(node: ast.If) -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)


def _in_array(place: Expression) -> bool:
    """Whether a place lies in an array's memory."""
    match place:
        case Element():
            return True
        case Member(value=value) | Component(value=value):
            return _in_array(value)
        case Call(function="component_ref" | "row", arguments=[value, *_]):
            return _in_array(value)
        case _:
            return False


def _scalar(type: Type) -> Scalar | None:
    try:
        return scalar_of(type)
    except ValueError:
        return None
