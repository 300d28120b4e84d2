"""First pass: a function record becomes a Function of the translator's tree.

Before: Python's syntax tree with Warp's types. After: the same statements in the same order, every expression
typed, builtins chosen, `a[i] += v` an atomic where Warp makes it one, comments in their places. Variables are
not yet declared, indices are still per dimension.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence

from weft.cuda import ranges, rules
from weft.cuda.assignments import EXCHANGED, SHARED, AssignmentBuilder
from weft.cuda.calls import ModuleContext
from weft.cuda.comments import CommentCarrier
from weft.cuda.contents import assigned_whole, mutated_arguments, root_name
from weft.cuda.endings import close, leaves
from weft.cuda.expressions import ExpressionBuilder
from weft.cuda.native import native_function
from weft.cuda.passes.effects import array_name, views_of
from weft.cuda.ranges import call_of_range
from weft.cuda.traverse import clone, expressions, statements, walk
from weft.cuda.tree import (
    BOOL,
    AddressOf,
    Assign,
    Call,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Remark,
    Return,
    Statement,
    Unary,
    While,
    is_blank,
)
from weft.cuda.values import coerce
from weft.function_source import FunctionSource, span
from weft.intrinsics import Effect
from weft.subscript_indices import items_of
from weft.types import Array, Reference, Tile


def build_function(module: ModuleContext, source: FunctionSource, kernel: bool) -> Function:
    """The tree of one function. Refuses what has no translation."""
    if source.snippet is not None:
        return native_function(source, source.snippet)
    builder = _StatementBuilder(module, source)
    arguments = source.definition.args
    if arguments.vararg or arguments.kwarg:
        raise source.refusal(source.definition, "`*args` and `**kwargs` are not supported")
    body = builder.function_body()
    _check_aliases(source, body, builder.assignments)
    parameters, result = list(source.parameters), source.result
    close(body, result)
    if isinstance(result, Tile):
        assert builder.tiles is not None
        taken = builder.tiles.result
        parameters += [(taken.reads[0][0], result)] if taken is not None else []
        result = result.element if taken is None else None
    return Function(
        key=source.key,
        name=source.name,
        doc=source.doc,
        parameters=parameters,
        result=result,
        body=body,
        kernel=kernel,
    )


def _check_aliases(source: FunctionSource, body: list[Statement], assignments: AssignmentBuilder) -> None:
    """Refuse `a, b = x[i], y[i]` where x or y changes: Warp's `a` would show what x[i] holds later. The same
    for `a, b = c, d` where that shows.
    """
    shared = assignments.shared
    if not assignments.aliases and not shared.statements:
        return
    views = views_of(body)
    changed = _changed_places(body, views)
    if shared.statements and _addressed(body) & shared.names():
        raise source.refusal(shared.statements[0][0], SHARED)
    if shared.statements and (statement := shared.unlike()) is not None:
        raise source.refusal(statement, EXCHANGED if _in_loop(source, statement) else SHARED)
    for node, place in assignments.aliases:
        if array_name(place, views) in changed:
            raise source.refusal(
                node, "Warp makes the new name a reference to this place, which changes: assign one by one"
            )


def _in_loop(source: FunctionSource, node: ast.stmt) -> bool:
    loops = (n for n in ast.walk(source.definition) if isinstance(n, ast.For | ast.While))
    return any(inner is node for loop in loops for inner in ast.walk(loop))


def _addressed(body: list[Statement]) -> set[str | None]:
    """The variables that calls may change through pointers."""
    parts = (p for statement in statements(body) for root in expressions(statement) for p in walk(root))
    changed: set[str | None] = set()
    for part in parts:
        if isinstance(part, AddressOf):
            changed.add(root_name(part.place))
        elif isinstance(part, Call) and part.effect & Effect.RANDOM:
            changed |= mutated_arguments(part)
    return changed


def _changed_places(body: list[Statement], views: dict[str, str]) -> set[str | None]:
    """The arrays and variables of which the statements may change a part."""
    changed: set[str | None] = set()
    for statement in statements(body):
        if isinstance(statement, Assign) and not isinstance(statement.target, Name):
            changed.add(array_name(statement.target, views))
        for root in expressions(statement):
            for part in walk(root):
                if isinstance(part, AddressOf):
                    changed.add(array_name(part.place, views))
                elif isinstance(part, Call) and part.user is not None:
                    changed |= {array_name(a, views) for a in part.arguments if isinstance(a.type, Array)}
    return changed


class _StatementBuilder:
    def __init__(self, module: ModuleContext, source: FunctionSource) -> None:
        self.module = module
        self.source = source
        self.expressions = ExpressionBuilder(module, source)
        self.tiles = self.expressions.tiles
        self.comments = CommentCarrier(source)
        self.assignments = AssignmentBuilder(module, source, self.expressions)

    def function_body(self) -> list[Statement]:
        """The body, without the docstring."""
        nodes = self.source.definition.body
        if nodes and isinstance(nodes[0], ast.Expr) and isinstance(nodes[0].value, ast.Constant):
            self.comments.last_line = nodes[0].end_lineno or 0
            nodes = nodes[1:]
        if nodes:
            first = nodes[0].lineno
            head = self._last_line_of_head()
            header = [c for c in self.comments.pending if c.line < first and (not c.alone or c.line <= head)]
            self.comments.pending = [c for c in self.comments.pending if c not in header]
        end = len(self.source.lines) + 1
        body = self.block(nodes, end)
        captured = self.expressions.known.captured.items()
        body[0:0] = [
            *self.expressions.known.tables,
            *(
                Assign(Name(value.type, name), "", value, node=self.source.definition)
                for name, value in captured
            ),
        ]
        while body and is_blank(body[0]):
            body.pop(0)
        return self.tiles.finish(body) if self.tiles is not None else body

    def _last_line_of_head(self) -> int:
        """The line of the last parameter, or of the result's type: comments above it are about parameters."""
        definition = self.source.definition
        arguments = definition.args
        nodes: list[ast.arg | ast.expr] = [*arguments.args, *arguments.kwonlyargs, *arguments.defaults]
        nodes += [definition.returns] if definition.returns is not None else []
        return max((node.end_lineno or 0 for node in nodes), default=definition.lineno)

    def block(self, nodes: Sequence[ast.stmt], end: int) -> list[Statement]:
        """Statements of a block, up to one that leaves it; comments of its indentation before line `end`
        belong to it.
        """
        result: list[Statement] = []
        column = nodes[0].col_offset if nodes else 0
        for number, node in enumerate(nodes):
            self.comments.before(node.lineno, result)
            trailing = self.comments.trailing(node)
            built = self.statement(node)
            if built and trailing:
                built[0].trailing = trailing
            elif trailing:
                result.append(Remark(trailing))
            result += built
            self.comments.last_line = max(self.comments.last_line, node.end_lineno or 0)
            if leaves(built):
                # What follows is never reached, as after a static test that has been decided.
                self.comments.drop(nodes[number + 1 :], self.comments.last_line + 1)
                break
        rest = [
            c
            for c in self.comments.pending
            if c.alone and self.comments.last_line < c.line < end and c.column >= column
        ]
        if rest:
            self.comments.before(rest[-1].line + 1, result)
        return result

    def statement(self, node: ast.stmt) -> list[Statement]:
        """The statements that `node` becomes, usually one."""
        try:
            built = (
                self.tiles.around(node, self._statement) if self.tiles is not None else self._statement(node)
            )
        except rules.UnsupportedError as error:
            raise self.source.refusal(node, str(error)) from error
        for one in statements(built):
            one.node = one.node or (None if isinstance(one, Remark) else node)
        return built

    def _statement(self, node: ast.stmt) -> list[Statement]:
        match node:
            case ast.Assign(targets=[target], value=value):
                return self.assignments.assign(node, target, value)
            case ast.AugAssign():
                return self.assignments.augmented(node)
            case ast.Expr(value=ast.Constant()):
                return []
            case ast.Expr(value=value):
                return self._evaluate(node, value)
            case ast.If():
                return self._if(node)
            case ast.For():
                return self._for(node)
            case ast.While(test=test):
                built = self.expressions.build_test(test)
                return [While(built, self._loop_body(node), node=node)]
            case ast.Return(value=value):
                return self._return(node, value)
            case ast.Break():
                return [Jump("break", node=node)]
            case ast.Continue():
                return [Jump("continue", node=node)]
            case ast.Pass():
                return []
            case ast.Assert(test=test):
                return self._assert(node, test)
            case _:
                raise self.source.refusal(node, f"{type(node).__name__} statements are not supported")

    def _evaluate(self, node: ast.stmt, value: ast.expr) -> list[Statement]:
        """An expression alone, kept for what it does beside its value."""
        if self.source.builtin(value) == "tid":
            return []
        if isinstance(value, ast.IfExp) and self.source.value(value.test) is None:
            test = self.expressions.build(value.test)
            return [If(test, self._evaluate(node, value.body), self._evaluate(node, value.orelse), node=node)]
        if isinstance(value, ast.Call) and (changes := self.expressions.calls.changes(value)) is not None:
            return [dataclasses.replace(change, node=node) for change in changes]
        built = self.expressions.build(value)
        if any(isinstance(part, Call) and (part.effect or part.user) for part in walk(built)):
            return [Evaluate(built, node=node)]
        return []

    def _assert(self, node: ast.stmt, test: ast.expr) -> list[Statement]:
        """Warp evaluates the test; unless it is built for debugging, nothing comes of it."""
        return [Remark(f"Assumed: {ast.unparse(test)}"), *self._evaluate(node, test)]

    def _if(self, node: ast.If) -> list[Statement]:
        known = self.source.value(node.test)
        if known is not None:
            taken, other = (node.body, node.orelse) if known else (node.orelse, node.body)
            if not self.source.has_types(other):
                end = (node.end_lineno or 0) + 1
                self.comments.drop(other)
                return self.block(taken, end) if taken else []
        self._require_stable_test(node)
        test = self.expressions.build_test(node.test)
        after_body = node.orelse[0].lineno if node.orelse else (node.end_lineno or 0) + 1
        if node.orelse and not _is_elif(node):
            after_body = self._else_line(node)
        self.comments.last_line = max(self.comments.last_line, node.lineno)
        body = self.block(node.body, after_body)
        otherwise: list[Statement] = []
        if node.orelse:
            self.comments.last_line = max(self.comments.last_line, after_body)
            otherwise = self.block(node.orelse, (node.end_lineno or 0) + 1)
        if self._reads_again(node, test, body):
            if any(assigned_whole(s) for s in statements([*body, *otherwise])):
                raise self.source.refusal(
                    node.test,
                    "Warp reads this again after the branch, which changes it: name it first",
                )
            if otherwise:
                again = If(Unary(BOOL, "!", clone(test)), otherwise, [], node=node)
                remark = Remark("Tested again: the branch above may have changed it.")
                return [If(test, body, [], node=node), remark, again]
        return [If(test, body, otherwise, node=node)]

    def _reads_again(self, node: ast.If, test: Expression, body: list[Statement]) -> bool:
        """Whether the branch may change the element or member that is the test: Warp reads it again after
        the branch, to decide on the other branch and on the values of variables.
        """
        if not isinstance(self.source.types.get(span(node.test)), Reference):
            return False
        place = array_name(test, {})
        arrays = {name for name, kind in self.source.parameters if isinstance(kind, Array)}
        changed = _changed_places(body, views_of(body))
        unknown = changed - arrays - self.expressions.local_names
        return place in changed or (place in arrays and bool(unknown))

    def _else_line(self, node: ast.If) -> int:
        """The line of `else:`."""
        lines = self.source.text.split("\n")
        for number in range(node.orelse[0].lineno, node.body[-1].end_lineno or 0, -1):
            if lines[number - 1].strip().startswith("else"):
                return number
        return node.orelse[0].lineno

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
                        raise self.source.refusal(
                            test, f"a loop in this branch changes {test.id!r}: test a copy of it"
                        )

    def _for(self, node: ast.For) -> list[Statement]:
        """A loop over a range."""
        found = call_of_range(node.iter)
        if not isinstance(node.target, ast.Name) or found is None:
            raise self.source.refusal(node, "only `for name in range(…)` is supported")
        call, turned = found
        bounds = [self.expressions.build(argument) for argument in call.args]
        counted = ranges.forwards(bounds, self._known(call.args[2], bounds[2]) if len(bounds) == 3 else None)
        if turned:
            counted = ranges.backwards(counted, self.assignments.fresh)
        self.expressions.known.loops.append((node, counted.values))
        body = self._loop_body(node)
        self.expressions.known.loops.pop()
        loop = For(
            counted.type,
            node.target.id,
            counted.start,
            counted.stop,
            counted.step,
            body,
            counted.stride,
            node=node,
        )
        return [*counted.before, loop]

    def _known(self, node: ast.expr, built: Expression) -> int | None:
        """The value of a whole number that is a constant."""
        known = built.value if isinstance(built, Literal) else self.source.value(node)
        return known if isinstance(known, int) and not self.expressions.is_local(node) else None

    def _loop_body(self, node: ast.For | ast.While) -> list[Statement]:
        """The body of a loop, without what stands in its `else`, as in Warp."""
        self.comments.last_line = max(self.comments.last_line, node.lineno)
        body = self.block(node.body, (node.end_lineno or 0) + 1)
        self.comments.drop(node.orelse)
        return body

    def _return(self, node: ast.stmt, value: ast.expr | None) -> list[Statement]:
        if value is None:
            return [Return([], node=node)]
        result = self.source.result
        if isinstance(result, Tile):
            assert self.tiles is not None and isinstance(node, ast.Return)
            return self.tiles.returned(node)
        if isinstance(result, tuple) and not isinstance(value, ast.Tuple):
            before, values = self.assignments.several(node, value, list(result))
            return [*before, Return(values, node=node)]
        items = items_of(value)
        if self.source.groups:
            values = [one for item in items for one in self.expressions.flat(item)]
        else:
            values = [self.expressions.build(item) for item in items]
        if isinstance(result, tuple):
            values = [coerce(item, kind) for item, kind in zip(values, result, strict=True)]
        elif result is not None and len(values) == 1:
            values = [coerce(values[0], result)]
        return [Return(values, node=node)]


def _is_elif(node: ast.If) -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
