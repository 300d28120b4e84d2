"""How large an undescribed array must be: what the kernel's own indices show.

An access that every thread makes gives the extent that it needs: `x[2 * i + 1]` needs twice as many elements
as there are threads. Of any other access only the expression can be shown.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from weft.intrinsics import Effect, intrinsic
from weft.subscript_indices import indices_of, items_of

SHOWN = 3
"""Of an array's accesses; more are left to the kernel's text."""


@dataclasses.dataclass(frozen=True)
class Access:
    """A use of an array: its indices, one an axis as far as it has them. `sure` if every thread makes it."""

    text: str
    indices: tuple[ast.expr, ...]
    sure: bool


@dataclasses.dataclass(frozen=True)
class Needed:
    """The smallest extents, None for an unknown one, and the accesses that these do not cover."""

    extents: tuple[str | None, ...]
    accesses: tuple[str, ...]


def needed(kernel: ast.FunctionDef, leaf: str, axes: Sequence[int], dims: Sequence[str]) -> Needed:
    """What the array `leaf` has to hold along `axes`, in terms of the launch dimensions `dims`."""
    accesses = _Accesses(leaf).of(kernel)
    threads = _threads(kernel, dims)
    extents: list[str | None] = []
    uncovered: dict[str, None] = {}
    for axis in axes:
        forms = [(access, _form(access.indices[axis : axis + 1], threads)) for access in accesses]
        least: dict[tuple[int, str], int] = {}
        for access, form in forms:
            if form is not None and access.sure:
                least[form[:2]] = max(form[2], least.get(form[:2], form[2]))
        for access, form in forms:
            if form is None or form[:2] not in least or form[2] > least[form[:2]]:
                uncovered[access.text] = None
        extents.append(_extent(least))
    return Needed(tuple(extents), tuple(uncovered))


class _Accesses:
    """Finds the uses of one array in a kernel."""

    def __init__(self, leaf: str) -> None:
        self.leaf = leaf
        self.found: list[Access] = []

    def of(self, kernel: ast.FunctionDef) -> list[Access]:
        """The uses, in the order of the text."""
        sure = True
        for statement in kernel.body:
            self._statement(statement, sure)
            sure = sure and not any(isinstance(node, ast.Return) for node in ast.walk(statement))
        return self.found

    def _statement(self, statement: ast.stmt, sure: bool) -> None:
        match statement:
            case ast.If(test=test):
                self._visit(test, sure)
            case ast.For(iter=test):
                self._visit(test, sure)
            case ast.While(test=test):
                self._visit(test, False)
            case _:
                self._visit(statement, sure)
                return
        for inner in (*statement.body, *statement.orelse):
            self._statement(inner, False)

    def _visit(self, node: ast.AST, sure: bool) -> None:
        base, indices = _subscripts(node)
        if self._is(base) and indices:
            self.found.append(Access(ast.unparse(node), indices, sure))
            self._visit_all(indices, sure)
            return
        match node:
            case ast.Call(func=function, args=arguments) if any(map(self._is, arguments)):
                self._call(node, ast.unparse(function).rpartition(".")[2], arguments, sure)
                self._visit_all([one for one in arguments if not self._is(one)], sure)
            case ast.BoolOp(values=[first, *others]):
                self._visit(first, sure)
                self._visit_all(others, False)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                self._visit(test, sure)
                self._visit_all([body, otherwise], False)
            case ast.Assign(value=value) if self._is(value):
                self.found.append(Access(ast.unparse(node), (), sure))
            case _:
                self._visit_all(ast.iter_child_nodes(node), sure)

    def _visit_all(self, nodes: Iterable[ast.AST], sure: bool) -> None:
        for node in nodes:
            self._visit(node, sure)

    def _call(self, call: ast.Call, name: str, arguments: list[ast.expr], sure: bool) -> None:
        """A call that the array is an argument of; `wp.atomic_add(x, i, 1)` has the index i."""
        if name == "len":
            return
        atomic = intrinsic(name).effect & Effect.ATOMIC
        values = (2 if name == "atomic_cas" else 1) if atomic else len(arguments) - 1
        indices = tuple(arguments[1 : len(arguments) - values])
        self.found.append(Access(ast.unparse(call), indices, sure))

    def _is(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == self.leaf


def _subscripts(node: ast.AST) -> tuple[ast.AST, tuple[ast.expr, ...]]:
    """What is indexed, and all its indices: `x[i][j]` has two, and so has `x[i, j]`."""
    indices: tuple[ast.expr, ...] = ()
    while isinstance(node, ast.Subscript):
        indices = (*indices_of(node), *indices)
        node = node.value
    return node, indices


def _threads(kernel: ast.FunctionDef, dims: Sequence[str]) -> dict[str, str]:
    """The launch dimension that each variable counts which holds a thread's place, and nothing else ever."""
    stored = [node.id for node in ast.walk(kernel) if isinstance(node, ast.Name) and _is_store(node)]
    found: dict[str, str] = {}
    for statement in kernel.body:
        match statement:
            case ast.Assign(targets=[target], value=ast.Call(func=function, args=[])) if (
                ast.unparse(function).rpartition(".")[2] == "tid"
            ):
                names = items_of(target)
                if len(names) >= len(dims):
                    found |= {
                        name.id: dim
                        for name, dim in zip(names, dims, strict=False)
                        if isinstance(name, ast.Name) and stored.count(name.id) == 1
                    }
    return found


def _is_store(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _form(index: Sequence[ast.expr], threads: Mapping[str, str]) -> tuple[int, str, int] | None:
    """The extent that an index needs, as a · dim + b; None where it may be below 0, or nothing is known."""
    linear = _linear(index[0], threads) if index else None
    if linear is None or linear[0] < 0 or linear[2] < 0:
        return None
    scale, dim, offset = linear
    return scale, dim, offset + 1 - scale


def _linear(index: ast.expr, threads: Mapping[str, str]) -> tuple[int, str, int] | None:
    match index:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return 0, "", number
        case ast.Name(id=name) if name in threads:
            return 1, threads[name], 0
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() as operator, right):
            one, other = _linear(left, threads), _linear(right, threads)
            if one is None or other is None:
                return None
            if isinstance(operator, ast.Mult):
                one, other = (other, one) if one[0] else (one, other)
                return None if one[0] else (one[2] * other[0], other[1], one[2] * other[2])
            sign = -1 if isinstance(operator, ast.Sub) else 1
            if one[0] and other[0] and one[1] != other[1]:
                return None
            return one[0] + sign * other[0], one[1] or other[1], one[2] + sign * other[2]
        case _:
            return None


def _extent(least: Mapping[tuple[int, str], int]) -> str | None:
    """The largest of several extents, in C++."""
    texts = []
    for (scale, dim), offset in least.items():
        term = f"{scale} * {dim}" if scale > 1 else dim
        more = f" {'+' if offset > 0 else '-'} {abs(offset)}" if offset else ""
        texts.append(f"{term}{more}" if scale else str(offset))
    if len(texts) < 2:
        return "".join(texts) or None
    return f"max({', '.join(texts)})"
