"""Pass: arrays become pointers, and what is known of their shapes becomes parameters.

Before: elements have one index a dimension; `shape[k]` is asked of an array. After: elements are
`pointer[offset]` with row-major offsets; extents are parameters, one for all that are equal by the launch
description; the thread's place and the bounds check are written out. Functions that take arrays get the
extents that they need as parameters.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence

from weft.cuda.passes.linear import key_of, linear
from weft.cuda.sizes import at_least, size_expression
from weft.cuda.traverse import all_expressions, assigned_names, blocks, replace_children, statements
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Declare,
    Element,
    Expression,
    Extent,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Remark,
    Return,
    Statement,
    Threads,
)
from weft.launch import Launch
from weft.sizes import Size, parse_size
from weft.types import Array

_AXES = {
    1: ["count"],
    2: ["rows", "cols"],
    3: ["planes", "rows", "cols"],
    4: ["blocks", "planes", "rows", "cols"],
}


@dataclasses.dataclass
class ExtentParameter:
    """A parameter that holds an extent: of the kernel (then `size` says which) or of a function's array."""

    name: str
    size: Size | None
    array: str | None = None
    axis: int = 0
    launches_only: bool = False


class Layout:
    """The pass for one record; functions go callees first, the kernel last.

    `extents` collects, for each function by key, its extent parameters in order of need.
    """

    def __init__(self, launch: Launch, written: set[str]) -> None:
        self.launch = launch
        self.written = written
        self.extents: dict[str, list[ExtentParameter]] = {}

    def run(self, function: Function) -> None:
        """Run the pass on one function."""
        self.function = function
        self.extents[function.key] = []
        self.taken = {name for name, _ in function.parameters} | assigned_names(function.body)
        self.taken |= {e.name for e in all_expressions(function.body) if isinstance(e, Name)}
        self.views: dict[str, Element] = {}
        for statement in statements(function.body):
            value = statement.value if isinstance(statement, Declare | Assign) else None
            if isinstance(value, Element) and isinstance(value.type, Array):
                name = statement.name if isinstance(statement, Declare) else None
                if name is None:
                    raise ViewError(statement)
                self.views[name] = dataclasses.replace(value)
        self._block(function.body)
        if function.kernel and self.launch.block_dim is not None:
            self._count_blocks(function)

    def _count_blocks(self, function: Function) -> None:
        """The launcher must know how many blocks there are, though no block asks."""
        used = {e.name for e in all_expressions(function.body) if isinstance(e, Name)}
        for axis, dim in enumerate(self.launch.dims):
            self.size(dim, f"{_AXES[len(self.launch.dims)][axis]}_of_blocks")
        for extent in self.extents[function.key]:
            extent.launches_only = extent.name not in used

    def _block(self, block: list[Statement]) -> None:
        position = 0
        while position < len(block):
            statement = block[position]
            for inner in blocks(statement):
                self._block(inner)
            if isinstance(statement, Threads):
                rest = block[position + 1 :]
                lowered = self._threads(statement, rest)
                block[position:] = [*lowered, *rest]
                after = position + len(lowered)
                checked = isinstance(lowered[-1], If) or folds(self.launch)
                if (
                    checked
                    and after < len(block)
                    and not (isinstance(block[after], Remark) and not _text(block[after]))
                ):
                    block.insert(after, Remark(""))
                position = after
                continue
            for field in dataclasses.fields(statement):
                value = getattr(statement, field.name)
                if isinstance(value, Expression):
                    setattr(statement, field.name, self._expression(value))
                elif isinstance(value, list) and value and isinstance(value[0], Expression):
                    setattr(statement, field.name, [self._expression(item) for item in value])
            position += 1

    def _expression(self, expression: Expression) -> Expression:
        if isinstance(expression, Call) and expression.user:
            self._pass_extents(expression)
        replace_children(expression, self._expression)
        match expression:
            case Extent(array=array, axis=axis):
                return self._extent(array, axis)
            case Element(array=array, indices=indices, wraps=wraps, type=kind):
                return Pointee(
                    kind, array, self._offset(array, indices, wraps), address=isinstance(kind, Array)
                )
            case _:
                return expression

    def _pass_extents(self, call: Call) -> None:
        """Append the extents that the function needs, taken from the arrays that are passed."""
        for extent in self.extents.get(call.user or "", []):
            position = int(extent.array or 0)
            array = call.arguments[position]
            call.arguments.append(Extent(INT, array, extent.axis))

    def _offset(self, array: Expression, indices: Sequence[Expression], wraps: Sequence[bool]) -> Expression:
        """Row-major: (i * cols + j) * depth + k, followed by the extents that a view leaves out."""
        ndim = self._rank(array)
        offset: Expression = Literal(INT, 0)
        for axis in range(ndim):
            if offset != Literal(INT, 0):
                offset = _times(offset, self._extent(array, axis))
            if axis < len(indices):
                index = indices[axis]
                if axis < len(wraps) and wraps[axis]:
                    index = self._wrapped(index, array, axis)
                offset = _plus(offset, index)
        return offset

    def _wrapped(self, index: Expression, array: Expression, axis: int) -> Expression:
        """An index that may be negative and then counts from the end."""
        extent = self._extent(array, axis)
        if isinstance(index, Literal) and isinstance(index.value, int):
            return _plus(extent, index)
        return Call(INT, "wrap_index", [index, extent], ("wrap_index", ()))

    def _rank(self, array: Expression) -> int:
        assert isinstance(array.type, Array)
        return array.type.ndim

    def _extent(self, array: Expression, axis: int) -> Expression:
        match array:
            case Name(name=name) if name in self.views:
                view = self.views[name]
                return self._extent(view.array, axis + len(view.indices))
            case Name(name=name):
                return self._named_extent(name, axis)
            case Element(array=inner, indices=indices):
                return self._extent(inner, axis + len(indices))
            case Pointee(base=base) if isinstance(base.type, Array) and isinstance(array.type, Array):
                return self._extent(base, axis + base.type.ndim - array.type.ndim)
            case _:
                raise ViewError(None)

    def _named_extent(self, array: str, axis: int) -> Expression:
        if self.function.kernel:
            rank = len(self.launch.parameters[array].shape)
            size = self.launch.parameters[array].shape[axis]
            suffix = _AXES[rank][axis]
            return self.size(size, f"{array}_{suffix}")
        names = [name for name, _ in self.function.parameters]
        kind = dict(self.function.parameters)[array]
        assert isinstance(kind, Array)
        for extent in self.extents[self.function.key]:
            if extent.array == str(names.index(array)) and extent.axis == axis:
                return Name(INT, extent.name)
        name = self._free(f"{array}_{_AXES[kind.ndim][axis]}")
        self.extents[self.function.key].append(ExtentParameter(name, None, str(names.index(array)), axis))
        return Name(INT, name)

    def _free(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def size(self, size: Size, fallback: str) -> Expression:
        """The kernel's expression of a size: a literal, a parameter that has its value, or an extent
        parameter.
        """
        text = str(size).strip()
        if text.lstrip("-").isdigit():
            return Literal(INT, int(text))
        key = key_of(size_expression(size, self.launch.sizes))
        for name, kind in self.function.parameters:
            if kind == INT and name not in self.written and self._parameter_key(name) == key:
                return Name(INT, name)
        extents = self.extents[self.function.key]
        for extent in extents:
            if extent.size is not None and key_of(size_expression(extent.size, self.launch.sizes)) == key:
                return Name(INT, extent.name)
        simple = self._sum(size)
        if simple is not None:
            return simple
        name = next(
            (n for n, s in self.launch.sizes.items() if key_of(size_expression(s, self.launch.sizes)) == key),
            text if text.isidentifier() else fallback,
        )
        if name in self.taken:
            name = f"{name}_count"
        extent = ExtentParameter(self._free(name), size)
        extents.append(extent)
        return Name(INT, extent.name)

    def _sum(self, size: Size) -> Expression | None:
        """`n + 1` or `2 * n` in terms of n: simpler than an extent of its own."""

        match parse_size(size):
            case ast.BinOp(
                ast.Name(id=name), ast.Add() | ast.Mult() | ast.Sub() as op, ast.Constant(value=int(k))
            ):
                symbol = "+" if isinstance(op, ast.Add) else "*" if isinstance(op, ast.Mult) else "-"
                return Binary(INT, symbol, self.size(name, name), Literal(INT, k))
            case ast.BinOp(ast.Constant(value=int(k)), ast.Mult(), ast.Name(id=name)):
                return Binary(INT, "*", Literal(INT, k), self.size(name, name))
            case _:
                return None

    def _parameter_key(self, name: str) -> str | None:
        parameter = self.launch.parameters.get(name)
        if parameter is None or parameter.values is None or parameter.values.kind != "size":
            return None
        return key_of(size_expression(parameter.values.arguments, self.launch.sizes))

    def _place_of_block(self, threads: Threads) -> list[Statement]:
        """A block for each point of the launch, the last dimension along x; then the thread's place in it."""
        dims = self.launch.dims
        axes = [f"blockIdx.{axis}" for axis in "xyz"[: len(dims)][::-1]]
        constants = threads.declares or [True] * len(threads.names)
        lines: list[Statement] = [
            Declare(INT, name, Name(INT, place), constant, node=threads.node)
            for name, constant, place in zip(threads.names, constants, [*axes, "threadIdx.x"], strict=False)
        ]
        lines[0].trailing = threads.trailing
        return lines

    def _threads(self, threads: Threads, rest: list[Statement]) -> list[Statement]:
        """The thread's place and the bounds check; the last launch dimension is x."""
        dims = self.launch.dims
        names = threads.names
        if self.launch.block_dim is not None:
            return self._place_of_block(threads)
        guarded = not folds(self.launch) and self._is_guarded(names, rest)
        extents = (
            []
            if guarded
            else [
                self.size(dim, f"{name}_count" if len(dims) > 1 else "thread_count")
                for dim, name in zip(dims, names, strict=True)
            ]
        )
        if folds(self.launch):
            return self._folded(threads, extents)
        lines: list[Statement] = []
        constants = threads.declares or [True] * len(names)
        for name, constant, axis in zip(names, constants, "xyz"[: len(names)][::-1], strict=True):
            lines.append(Declare(INT, name, _thread_index(axis), constant, node=threads.node))
        lines[0].trailing = threads.trailing
        if guarded:
            self._shorten_guard(rest)
            return lines
        test: Expression | None = None
        for name, extent in zip(names, extents, strict=True):
            one = Binary(BOOL, ">=", Name(INT, name), extent)
            test = one if test is None else Binary(BOOL, "||", test, one)
        assert test is not None
        return [*lines, If(test, [Return([])], [], guard=True)]

    @staticmethod
    def _shorten_guard(rest: list[Statement]) -> None:
        """Print the kernel's own check as the usual guard, unless it carries a comment."""
        guard = next(s for s in rest if not isinstance(s, Remark))
        if isinstance(guard, If) and not guard.trailing:
            guard.guard = True
            after = rest.index(guard) + 1
            if after < len(rest) and rest[after] != Remark("", node=rest[after].node):
                rest.insert(after, Remark(""))

    def _is_guarded(self, names: Sequence[str], rest: list[Statement]) -> bool:
        """Whether the kernel itself begins with a check that also stops the threads beyond the launch."""
        first = next((s for s in rest if not isinstance(s, Remark)), None)
        if (
            not isinstance(first, If)
            or first.otherwise
            or first.body != [Return([], node=first.body[0].node)]
        ):
            return False
        checked = {name for test in _alternatives(first.test) if (name := self._checks(names, test))}
        return checked == set(names)

    def _checks(self, names: Sequence[str], test: Expression) -> str | None:
        """The thread's coordinate that `coordinate >= limit` keeps within its launch dimension."""
        if not isinstance(test, Binary) or test.operator != ">=" or not isinstance(test.left, Name):
            return None
        if test.left.name not in names or (limit := self._as_size(test.right)) is None:
            return None
        dim = self.launch.dims[list(names).index(test.left.name)]
        difference = at_least(dim, self.launch.sizes) - linear(limit)
        return test.left.name if not difference.terms and difference.constant >= 0 else None

    def _as_size(self, expression: Expression) -> Expression | None:
        """An expression of the kernel in terms of named sizes, where the launch description has it."""
        match expression:
            case Literal():
                return expression
            case Name(name=name) if name not in self.written:
                parameter = self.launch.parameters.get(name)
                if parameter is not None and parameter.values and parameter.values.kind == "size":
                    return size_expression(parameter.values.arguments, self.launch.sizes)
            case Extent(array=Name(name=name), axis=axis):
                return size_expression(self.launch.parameters[name].shape[axis], self.launch.sizes)
            case _:
                pass
        return None

    def _folded(self, threads: Threads, extents: list[Expression]) -> list[Statement]:
        """All dimensions along x: the place is unravelled from one number, the last dimension fastest."""
        number = self._free("thread")
        total = extents[0]
        for extent in extents[1:]:
            total = Binary(INT, "*", total, extent)
        lines: list[Statement] = [
            Declare(INT, number, _thread_index("x"), True, node=threads.node),
            If(Binary(BOOL, ">=", Name(INT, number), total), [Return([])], [], guard=True),
        ]
        lines[0].trailing = threads.trailing
        constants = threads.declares or [True] * len(threads.names)
        for position, name in enumerate(threads.names):
            value: Expression = Name(INT, number)
            inner = extents[position + 1 :]
            if inner:
                step = inner[0]
                for extent in inner[1:]:
                    step = Binary(INT, "*", step, extent)
                value = Binary(INT, "/", value, step)
            if position:
                value = Binary(INT, "%", value, extents[position])
            lines.append(Declare(INT, name, value, constants[position]))
        return lines


def _plus(left: Expression, right: Expression) -> Expression:
    """`left + right` without zeros; a negative number is subtracted."""
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Literal(INT, int(left.value) + int(right.value))
    if left == Literal(INT, 0):
        return right
    if right == Literal(INT, 0):
        return left
    if isinstance(right, Literal) and isinstance(right.value, int) and right.value < 0:
        return Binary(INT, "-", left, Literal(INT, -right.value))
    if isinstance(right, Binary) and right.operator in ("+", "-") and right.type == INT:
        return Binary(INT, right.operator, _plus(left, right.left), right.right)
    return Binary(INT, "+", left, right)


def _times(left: Expression, right: Expression) -> Expression:
    """`left * right` with known factors multiplied."""
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Literal(INT, int(left.value) * int(right.value))
    match left, right:
        case Binary(operator="*", right=Literal() as known), Literal():
            return Binary(INT, "*", left.left, _times(known, right))
        case _, Literal(value=1):
            return left
        case _:
            return Binary(INT, "*", left, right)


class ViewError(Exception):
    """A view of an array is used in a way that has no pointer form."""

    def __init__(self, statement: Statement | None) -> None:
        super().__init__("this use of a view of an array is not supported: index the array itself")
        self.statement = statement


def folds(launch: Launch) -> bool:
    """Whether all launch dimensions go along x: there are more than three, or the last is short."""
    if len(launch.dims) == 1 or launch.block_dim is not None:
        return False
    last = size_expression(launch.dims[-1], launch.sizes)
    return len(launch.dims) > 3 or (
        isinstance(last, Literal) and isinstance(last.value, int) and last.value < 16
    )


def _thread_index(axis: str) -> Expression:
    block = Binary(INT, "*", Name(INT, f"blockIdx.{axis}"), Name(INT, f"blockDim.{axis}"))
    return Binary(INT, "+", block, Name(INT, f"threadIdx.{axis}"))


def _alternatives(test: Expression) -> list[Expression]:
    """The operands of a chain of `||`."""
    if isinstance(test, Binary) and test.operator == "||":
        return [*_alternatives(test.left), *_alternatives(test.right)]
    return [test]


def _text(statement: Statement) -> str:
    return statement.text if isinstance(statement, Remark) else ""
