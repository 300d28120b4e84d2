"""The thread's place in the launch, the bounds check."""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda import promises
from weft.cuda.analysis.linear import linear
from weft.cuda.passes.extent_parameters import ExtentParameters, extent_name
from weft.cuda.passes.offsets import SIGNED_SIZE, widened
from weft.cuda.passes.own_element import Unraveled
from weft.cuda.sizes import at_least, size_expression
from weft.cuda.traverse import all_expressions, clone
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Call,
    Declare,
    Expression,
    Extent,
    Function,
    If,
    Literal,
    Name,
    Remark,
    Return,
    Statement,
    Threads,
)
from weft.launch import Launch
from weft.sizes import Size

BLOCKS = {1: (256, 1, 1), 2: (32, 8, 1), 3: (32, 4, 2)}
"""Threads of a block along x, y and z, by the number of the grid's axes."""


def grid_dims(launch: Launch) -> tuple[tuple[int, ...], ...]:
    """The launch dimensions along x, y and z. The last is x, the fastest in memory; all are if they fold."""
    count = len(launch.dims)
    if _folds(launch):
        return (tuple(range(count)),)
    return tuple((axis,) for axis in reversed(range(count)))


def _folds(launch: Launch) -> bool:
    """Whether all launch dimensions go along x, which holds any number of blocks and wastes no thread.

    They do where there are more than three, where the last is short or nobody knows how long it is, and where
    another may need more blocks than a grid has along y or z.
    """
    count = len(launch.dims)
    if count == 1 or launch.block_dim is not None:
        return False
    if count > 3 or launch.inferred_dims:
        return True
    last = size_expression(launch.dims[-1], launch.sizes)
    if isinstance(last, Literal) and isinstance(last.value, int) and last.value < 16:
        return True
    threads = BLOCKS[count][count - 1 : 0 : -1]
    return any(promises.may_exceed_grid(launch, axis, threads[axis]) for axis in range(count - 1))


class LaunchPlace:
    """Writes out what `tid()` is, for one kernel.

    `wide` if a thread's number may need 64 bits. `unraveled` says how the place comes from one number, where
    it does and the kernel keeps the place.
    """

    def __init__(self, launch: Launch, written: set[str], extents: ExtentParameters) -> None:
        self.launch = launch
        self.written = written
        self.extents = extents
        self.dims = grid_dims(launch)
        self.covered = launch.dims
        self.wide = False
        self.unraveled: Unraveled | None = None

    def replace(self, threads: Threads, rest: list[Statement]) -> list[Statement]:
        """What stands for `threads` and the statements after it. Extents are parameters already."""
        if self.launch.block_dim is not None:
            return [*self._place_of_block(threads), *rest]
        names = threads.names
        folded = len(self.dims) < len(names)
        limits = self._limits(names, rest)
        if limits is not None and not folded:
            self._shorten_guard(rest)
            return [*self._places(threads), *rest]
        if limits is not None:
            # The kernel's own check is that of the folded launch.
            rest = [statement for statement in rest if statement is not _first(rest)]
            counts = [limit for limit, _ in limits]
            self.covered = tuple(size for _, size in limits)
            wide = promises.may_be_wide_product(self.launch, self.covered)
            return [*self._folded(threads, counts, wide), *_apart(rest)]
        stem = "{}_count" if len(names) > 1 else "thread_count"
        counts = [self.extents.of_launch(axis, stem.format(name)) for axis, name in enumerate(names)]
        self._shorten_guard(rest)
        if folded:
            wide = self.launch.inferred_dims or promises.may_be_wide_product(self.launch, self.launch.dims)
            return [*self._folded(threads, counts, wide), *_apart(rest)]
        test: Expression | None = None
        for name, count in zip(names, counts, strict=True):
            one = Binary(BOOL, ">=", Name(INT, name), count)
            test = one if test is None else Binary(BOOL, "||", test, one)
        assert test is not None
        return [*self._places(threads), If(test, [Return([])], [], guard=True), *_apart(rest)]

    def count_blocks(self, kernel: Function) -> None:
        """The launcher must know how many blocks there are, though no block asks."""
        used = {e.name for e in all_expressions(kernel.body) if isinstance(e, Name)}
        rank = len(self.launch.dims)
        for axis in range(rank):
            self.extents.of_launch(axis, extent_name("", rank, axis, False).strip("_") + "_of_blocks")
        for extent in self.extents.parameters:
            extent.launches_only = extent.name not in used

    def _place_of_block(self, threads: Threads) -> list[Statement]:
        """A block for each point of the launch, the last dimension along x; then the thread's place in it."""
        axes = [Name(INT, f"blockIdx.{axis}") for axis in "xyz"[: len(self.launch.dims)][::-1]]
        places: list[Expression] = [*axes, Name(INT, "threadIdx.x")]
        if not self.launch.tiled:
            # The launch is of whole blocks, so that all threads reach every barrier.
            places = [_thread_index("x")]
        constants = threads.declares or [True] * len(threads.names)
        lines: list[Statement] = [
            Declare(INT, name, place, constant, node=threads.node)
            for name, constant, place in zip(threads.names, constants, places, strict=False)
        ]
        lines[0].trailing = threads.trailing
        return lines

    def _places(self, threads: Threads) -> list[Statement]:
        constants = threads.declares or [True] * len(threads.names)
        letters = "xyz"[: len(threads.names)][::-1]
        lines: list[Statement] = [
            Declare(INT, name, _thread_index(axis), constant, node=threads.node)
            for name, constant, axis in zip(threads.names, constants, letters, strict=True)
        ]
        lines[0].trailing = threads.trailing
        return lines

    @staticmethod
    def _shorten_guard(rest: list[Statement]) -> None:
        """Print the check that the kernel begins with as the usual guard, unless it carries a comment."""
        guard = _first(rest)
        if isinstance(guard, If) and not guard.otherwise and not guard.trailing and _returns(guard.body):
            guard.guard = True
            after = rest.index(guard) + 1
            if after < len(rest) and rest[after] != Remark("", node=rest[after].node):
                rest.insert(after, Remark(""))

    def _limits(self, names: Sequence[str], rest: list[Statement]) -> list[tuple[Expression, Size]] | None:
        """What each coordinate is below after the check that the kernel begins with, as it says it and as a
        size; None unless the check stops all threads beyond the launch.
        """
        first = _first(rest)
        if (
            self.launch.inferred_dims
            or not isinstance(first, If)
            or first.otherwise
            or not _returns(first.body)
        ):
            return None
        checked = {}
        for test in _alternatives(first.test):
            if (found := self._checks(names, test)) is not None:
                checked[found[0]] = found[1:]
        folded = len(self.dims) < len(names)
        if folded and (len(checked) != len(_alternatives(first.test)) or first.trailing):
            return None
        return [checked[name] for name in names] if set(checked) == set(names) else None

    def _checks(self, names: Sequence[str], test: Expression) -> tuple[str, Expression, Size] | None:
        """The coordinate that `coordinate >= limit` keeps within its launch dimension, and the limit."""
        if not isinstance(test, Binary) or test.operator != ">=" or not isinstance(test.left, Name):
            return None
        if test.left.name not in names or (size := self._as_size(test.right)) is None:
            return None
        dim = self.launch.dims[list(names).index(test.left.name)]
        limit = size_expression(size, self.launch.sizes)
        difference = at_least(dim, self.launch.sizes) - linear(limit)
        stops = not difference.terms and difference.constant >= 0
        return (test.left.name, test.right, size) if stops else None

    def _as_size(self, expression: Expression) -> Size | None:
        """The size that the launch description says an expression of the kernel has."""
        match expression:
            case Literal(value=int(value)):
                return value
            case Name(name=name) if name not in self.written and name not in self.launch.inferred:
                parameter = self.launch.parameters.get(name)
                if parameter is not None and parameter.values and parameter.values.kind == "size":
                    size: Size = parameter.values.arguments
                    return size
            case Extent(array=Name(name=name), axis=axis, stride=False) if name in self.launch.parameters:
                return promises.extent_of(self.launch, name, axis)
            case _:
                pass
        return None

    def _folded(self, threads: Threads, extents: list[Expression], wide: bool) -> list[Statement]:
        """All dimensions along x: the place is unravelled from one number, the last dimension fastest. It is
        a 64-bit number if `wide`.
        """
        self.wide = wide
        number = self.extents.free("thread")
        kind = SIGNED_SIZE if wide else INT
        lines: list[Statement] = [
            Declare(kind, number, _thread_index("x", wide), True, node=threads.node),
            If(Binary(BOOL, ">=", Name(kind, number), _product(extents, wide)), [Return([])], [], guard=True),
        ]
        lines[0].trailing = threads.trailing
        constants = threads.declares or [True] * len(threads.names)
        for position, name in enumerate(threads.names):
            value: Expression = Name(kind, number)
            inner = extents[position + 1 :]
            if inner:
                value = Binary(kind, "/", value, _product(inner, wide))
            if position:
                value = Binary(kind, "%", value, extents[position])
            if wide:
                value = Call(INT, "int", [value])
            lines.append(Declare(INT, name, value, constants[position]))
        if all(constants) and len(threads.names) == len(extents) > 1:
            self.unraveled = Unraveled(Name(kind, number), tuple(threads.names), tuple(map(clone, extents)))
        return lines


def _first(rest: list[Statement]) -> Statement | None:
    """The first statement that is no comment."""
    return next((statement for statement in rest if not isinstance(statement, Remark)), None)


def _returns(block: list[Statement]) -> bool:
    """Whether a block is nothing but a return."""
    return len(block) == 1 and block == [Return([], node=block[0].node)]


def _apart(rest: list[Statement]) -> list[Statement]:
    """A blank line before the rest, unless it begins with one or with another check."""
    if rest and isinstance(rest[0], If) and rest[0].guard:
        return rest
    if rest and not (isinstance(rest[0], Remark) and not rest[0].text):
        return [Remark(""), *rest]
    return rest


def _product(factors: list[Expression], wide: bool) -> Expression:
    product = factors[0]
    for position, factor in enumerate(factors[1:]):
        first = widened(product, signed=True) if wide and position == 0 else product
        product = Binary(first.type, "*", first, factor)
    return product


def _thread_index(axis: str, wide: bool = False) -> Expression:
    index: Expression = Name(INT, f"blockIdx.{axis}")
    if wide:
        index = widened(index, signed=True)
    block = Binary(index.type, "*", index, Name(INT, f"blockDim.{axis}"))
    return Binary(index.type, "+", block, Name(INT, f"threadIdx.{axis}"))


def _alternatives(test: Expression) -> list[Expression]:
    """The operands of a chain of `||`."""
    if isinstance(test, Binary) and test.operator == "||":
        return [*_alternatives(test.left), *_alternatives(test.right)]
    return [test]
