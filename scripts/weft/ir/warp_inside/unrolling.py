"""Loops whose iterations are different code: Warp unrolls them, and so does the record.

In `for i in range(3): x = wp.static(FUNCTIONS[i])(x)` one line calls three functions, which a record by place
in the source cannot tell apart. Such a loop is written out, one copy of its body for each iteration.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from warp._src import codegen

from weft.ir.warp_inside.recorder import VARIES, Recording, Span, span

MOST_NODES = 20_000
"""Loops that would grow beyond this many syntax nodes stay as they are, and are refused."""


def unrolled(recording: Recording) -> str | None:
    """The source of a function with its outermost loop of differing iterations written out.

    None if there is none, or none that can be: a loop that breaks or changes its variable stays.
    """
    if not recording.ranges:
        return None
    tree = ast.parse(recording.adjoint.source)
    differing = {*recording.conflicts, *_varying(recording, tree)}
    for node in ast.walk(tree):
        where = span(node)
        if not isinstance(node, ast.For) or where is None:
            continue
        values = recording.ranges.get(where)
        if not isinstance(values, range):
            continue
        # Warp never looks into a loop without iterations.
        if not values or any(_within(inner, where) for inner in differing):
            statements = _iterations(node, values, tree)
            if statements is not None:
                return _replaced(recording.adjoint.source, node, statements)
    return None


def replace_source(adjoint: Any, source: str) -> Any:
    """The same function with another text."""
    new = codegen.Adjoint(
        adjoint.func,
        overload_annotations=dict(adjoint.arg_types),
        is_user_function=adjoint.is_user_function,
        skip_forward_codegen=adjoint.skip_forward_codegen,
        skip_reverse_codegen=adjoint.skip_reverse_codegen,
        custom_reverse_mode=adjoint.custom_reverse_mode,
        custom_reverse_num_input_args=adjoint.custom_reverse_num_input_args,
        source=source,
    )
    new.fun_lineno = adjoint.fun_lineno
    new.used_by_backward_kernel = adjoint.used_by_backward_kernel
    new.force_adjoint_codegen = adjoint.force_adjoint_codegen
    if hasattr(adjoint, "callable_arg_values"):
        new.callable_arg_values = adjoint.callable_arg_values
    return new


def _varying(recording: Recording, tree: ast.Module) -> list[Span]:
    """Calls, such as wp.static(TABLE[i]), whose value another iteration does not share, and places in tuples
    that the loop's variable chooses.
    """
    found = []
    for node in ast.walk(tree):
        where = span(node)
        call = isinstance(node, ast.Call) and where in recording.values and recording.values[where] is VARIES
        if where is not None and (call or (isinstance(node, ast.Subscript) and _is_part(recording, node))):
            found.append(where)
    return found


def _is_part(recording: Recording, node: ast.Subscript) -> bool:
    """Whether a node is a value out of a tuple whose place is known, but not written as a number."""
    value, index = span(node.value), span(node.slice)
    whole = recording.expressions.get(value) if value is not None else None
    known = index in recording.values and not isinstance(node.slice, ast.Constant)
    return known and whole is not None and (whole.type or "").startswith("tuple<")


def _within(inner: Span, outer: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _iterations(loop: ast.For, values: range, tree: ast.Module) -> list[ast.stmt] | None:
    if not isinstance(loop.target, ast.Name) or loop.orelse:
        return None
    name = loop.target.id
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    changes = any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in inside)
    body = _without_continue(loop.body)
    size = sum(1 for statement in body for _ in ast.walk(statement)) * len(values)
    if changes or _has_own(loop.body, ast.Break) or size > MOST_NODES:
        return None
    statements: list[ast.stmt] = []
    for value in values:
        replace = _Substitute(name, value)
        statements += [replace.visit(copy.deepcopy(statement)) for statement in body]
    if values and _is_read(name, tree):
        last = ast.Constant(values[-1])
        statements.append(ast.Assign([ast.Name(name, ast.Store())], last, lineno=loop.lineno))
    return statements or [ast.Pass()]


def _has_own(body: list[ast.stmt], jump: type[ast.stmt]) -> bool:
    """Whether statements hold a jump of the loop that they are the body of, not of a loop within."""
    return any(
        isinstance(statement, jump)
        or (isinstance(statement, ast.If) and _has_own([*statement.body, *statement.orelse], jump))
        for statement in body
    )


def _without_continue(body: list[ast.stmt]) -> list[ast.stmt]:
    """The same statements, with what follows a `continue` in the branches that do not take it."""
    result: list[ast.stmt] = []
    for number, statement in enumerate(body):
        if isinstance(statement, ast.Continue):
            return result
        if isinstance(statement, ast.If) and _has_own([statement], ast.Continue):
            rest = body[number + 1 :]
            taken, other = (
                _without_continue([*branch, *rest]) for branch in (statement.body, statement.orelse)
            )
            if not taken:
                return [*result, ast.If(_opposite(statement.test), other or [ast.Pass()], [])]
            return [*result, ast.If(statement.test, taken, other)]
        result.append(statement)
    return result


def _opposite(test: ast.expr) -> ast.expr:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return ast.Compare(left, [ast.NotEq()], [right])
        case _:
            return ast.UnaryOp(ast.Not(), test)


def _is_read(name: str, node: ast.AST) -> bool:
    """Whether a variable is read outside of the loops that count with it."""
    if isinstance(node, ast.Name):
        return node.id == name and isinstance(node.ctx, ast.Load)
    inside = node.body if isinstance(node, ast.For) and ast.unparse(node.target) == name else []
    return any(_is_read(name, child) for child in ast.iter_child_nodes(node) if child not in inside)


class _Substitute(ast.NodeTransformer):
    def __init__(self, name: str, value: int) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self.value) if node.id == self.name else node


def _replaced(source: str, loop: ast.For, statements: list[ast.stmt]) -> str:
    lines = source.split("\n")
    indent = " " * loop.col_offset
    text = "\n".join(ast.unparse(ast.fix_missing_locations(statement)) for statement in statements)
    written = [indent + line if line else line for line in text.split("\n")]
    return "\n".join([*lines[: loop.lineno - 1], *written, *lines[loop.end_lineno :]])
