"""Pass: what a thread reads once is loaded where it is read.

Before: every load of a tile stores its elements, those of threads that read others' in shared memory. After:
a tile that is in shared memory only to be handed on, of which each element has one reader, or each thread
reads one element, is loaded by its readers, if neighbours read neighbours. What several threads read in turns
stays, and so does a tile that is written down a row and read down a column.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from weft.cuda.contents import changed_in_block
from weft.cuda.tiles.accesses import AccessFinder
from weft.cuda.tiles.elements import Use, uses_of
from weft.cuda.tiles.values import plus
from weft.cuda.traverse import (
    all_blocks,
    all_expressions,
    clone,
    names_of,
    rewrite,
    rewrite_block,
    statements,
    walk,
)
from weft.cuda.tree import (
    INT,
    Assign,
    Binary,
    Call,
    Component,
    Conditional,
    Element,
    Expression,
    Extent,
    For,
    Function,
    Literal,
    Name,
    Share,
    Shared,
    Statement,
    Unary,
)
from weft.types import Array, Reference, Tile

_Pure = Element | Binary | Unary | Literal | Name | Extent | Conditional | Call
_MOST = 2
"""The most reads of a tile by each thread that are worth no shared memory."""


def load_directly(
    function: Function, finder: AccessFinder, block_dim: int, noisy: Collection[str] = ()
) -> None:
    """Run the pass on a kernel; of a function, two arrays may be one. Functions that are `noisy` print."""
    if not function.kernel:
        return
    for block in all_blocks(function.body):
        _Loader(function, finder, block_dim, noisy).block(block)


class _Loader:
    def __init__(
        self, function: Function, finder: AccessFinder, block_dim: int, noisy: Collection[str]
    ) -> None:
        self.function = function
        self.noisy = noisy
        self.tiles = {one.name: one for one in function.body if isinstance(one, Shared)}
        self.block_dim = block_dim
        calls = [node for node in all_expressions(function.body) if isinstance(node, Call) and node.user]
        given = names_of(a for call in calls for a in walk(call))
        self.views = finder.views
        self.unsafe = {self.views.get(name, name) for name in given} | (finder.exchanged or set())
        self.overlapping = "*" in self.unsafe

    def block(self, block: list[Statement]) -> None:
        """Replace the tiles that Shares of this block store, and those after them read."""
        left = len(block)
        while left:
            left -= 1
            self._replace(block, len(block) - left - 1)

    def _replace(self, block: list[Statement], position: int) -> None:
        """Take out a Share, and those before it that lead to it, which only store what others can load."""
        share = block[position]
        if not isinstance(share, Share) or (store := _store(share)) is None:
            return
        target, following = store.target, block[position + 1 :]
        assert isinstance(target, Component)
        tile, reads = self.tiles.get(_tile(target)), self._reads(following, target)
        if tile is None or not reads or not Use(target, store, share, False).is_own(tile.shape):
            return
        if all(read.is_own(tile.shape) for read in reads):
            # A variable of each thread.
            return
        value, steps = self._with_steps(block[:position], share, store.value, following)
        if not self._is_pure(value) or not self._stays(value, share, following):
            return
        few = len(reads) <= _MOST and all(self._reads_one(read) for read in reads) and _is_load(value)
        if not few and not self._read_each_once(reads, share):
            return
        rewrite_block(following, lambda node: _loaded(node, target, value))
        gone = [share, *steps]
        block[:] = [one for one in block if all(one is not other for other in gone)]
        names = {_tile(one.body[0].target) for one in gone}  # type: ignore[attr-defined]
        self.function.body[:] = [
            one for one in self.function.body if not isinstance(one, Shared) or one.name not in names
        ]

    def _with_steps(
        self, before: list[Statement], share: Share, value: Expression, following: list[Statement]
    ) -> tuple[Expression, list[Share]]:
        """A value with those of the tiles that are there for it alone; and the Shares that store these."""
        steps: list[Share] = []
        for number in range(len(before) - 1, -1, -1):
            step = before[number]
            if not isinstance(step, Share) or (store := _store(step)) is None:
                continue
            target, rest = store.target, [*before[number + 1 :], share]
            assert isinstance(target, Component)
            alone = all(read.share is share for read in self._reads(rest, target))
            if len(self._reads(rest, target)) != 1 or not alone or step.shape != share.shape:
                continue
            if self._stays(store.value, step, [*rest, *following]):
                value = rewrite(clone(value), lambda node: _loaded(node, target, store.value))  # noqa: B023
                steps.append(step)
        return value, steps

    def _reads(self, block: Sequence[Statement], target: Component) -> list[Use]:
        """The uses of a tile, all of which are reads in Shares of the block; none if there are others."""
        name = _tile(target)
        everywhere, here = (uses_of(list(body)).get(name, []) for body in (self.function.body, block))
        if len(everywhere) != len(here) + 1:
            return []
        reads = [use for use in here if use is not None and use.share is not None and not use.addressed]
        targets = [id(use.statement.target) for use in reads if isinstance(use.statement, Assign)]
        stored = any(id(use.element) in targets for use in reads)
        return [] if stored or len(reads) < len(here) else reads

    def _is_pure(self, value: Expression) -> bool:
        """Whether a value is made of elements of arrays, without anything else happening."""
        nodes = walk(value)
        calls = [node for node in nodes if isinstance(node, Call)]
        given = [argument.type for call in calls if call.user for argument in call.arguments]
        happens = any(call.effect or call.user in self.noisy for call in calls)
        plain = all(isinstance(node, _Pure) for node in nodes) and not happens
        return (
            plain
            and not any(isinstance(kind, Array | Tile | Reference) for kind in given)
            and any(isinstance(node, Element) for node in nodes)
        )

    def _stays(self, value: Expression, share: Share, following: list[Statement]) -> bool:
        """Whether a value that a Share stores is the same where it is read."""
        names = names_of(walk(value)) - {*share.coordinates}
        arrays = {self.views.get(name, name) for name in names}
        return not (self.overlapping or names & changed_in_block(following) or arrays & self.unsafe)

    def _read_each_once(self, reads: list[Use], share: Share) -> bool:
        """Whether each element has one reader; a loop may begin behind the first one."""
        *first, last = reads
        if not self._reads_each_once(last, share):
            return False
        match first:
            case []:
                return True
            case [one]:
                return one.share is last.share and _follows(one, last)
            case _:
                return False

    def _reads_each_once(self, read: Use, share: Share) -> bool:
        """Whether each element has one reader, and neighbours read neighbours."""
        reader = read.share
        assert reader is not None
        names = [index.name for index in read.element.indices if isinstance(index, Name)]
        loops = {loop.name: loop for loop in _loops_around(reader, read.statement)}
        own = {*reader.coordinates, *loops}
        if len(names) < len(share.coordinates) or len({*names}) < len(names) or not {*names} <= own:
            return False
        fastest = {reader.coordinates[-1]}
        fastest |= {name for name, loop in loops.items() if fastest & names_of(walk(loop.start))}
        started = {name for loop in loops.values() for name in names_of(walk(loop.start))}
        return names[-1] in fastest and {*reader.coordinates, *loops} <= {*names, *started}

    def _reads_one(self, read: Use) -> bool:
        """Whether a thread reads one element, and neighbours neighbours; or all threads the same ones."""
        reader = read.share
        assert reader is not None
        *others, last = [names_of(walk(index)) for index in read.element.indices]
        found = set().union(last, *others)
        *rows, column = reader.coordinates
        if rows and found == {column} and self.block_dim % reader.shape[-1] == 0:
            # That of its column, whichever rows a thread has.
            plain = all(isinstance(index, Name | Literal) for index in read.element.indices)
            return plain and not any(_loops_around(reader, read.statement))
        if math.prod(reader.shape) > self.block_dim or any(reader.coordinates[-1] in one for one in others):
            return False
        if not found & {*reader.coordinates}:
            return True
        return found < {*reader.coordinates} and not any(_loops_around(reader, read.statement))


def _store(share: Share) -> Assign | None:
    """What a Share does if that is to store a tile."""
    match share:
        case Share(body=[Assign(target=Component() as target, operator="") as store], start=None):
            return store if _tile(target) else None
        case _:
            return None


def _loaded(node: Expression, target: Component, value: Expression) -> Expression:
    """The value of an element of the tile of `target`, for others the node."""
    if not isinstance(node, Component) or _tile(node) != _tile(target):
        return node
    places = zip(target.indices, node.indices, strict=True)
    given = {name.name: place for name, place in places if isinstance(name, Name)}

    def change(part: Expression) -> Expression:
        match part:
            case Name(name=name) if name in given:
                return clone(given[name])
            case Binary(operator="+", left=left, right=right) if part.type == INT:
                return plus(left, right)
            case _:
                return part

    return rewrite(clone(value), change)


def _follows(first: Use, rest: Use) -> bool:
    """Whether a loop reads what comes behind the first element, along one axis."""
    assert rest.share is not None
    loops = {loop.name: loop for loop in _loops_around(rest.share, rest.statement)}
    pairs = zip(first.element.indices, rest.element.indices, strict=True)
    different = [(one, other) for one, other in pairs if one != other]
    match different:
        case [(one, Name(name=name))] if name in loops:
            return loops[name].start == plus(clone(one), Literal(INT, loops[name].step))
        case _:
            return False


def _tile(node: Component) -> str:
    named = isinstance(node.value, Name) and isinstance(node.value.type, Tile)
    return node.value.name if named and isinstance(node.value, Name) else ""


def _is_load(value: Expression) -> bool:
    """Whether a value is an element of an array, perhaps zero beyond its end."""
    if isinstance(value, Conditional):
        value = value.then
    return isinstance(value, Element) and not isinstance(value.type, Array)


def _loops_around(share: Share, statement: Statement) -> Iterator[For]:
    """The loops in a Share that a statement stands in."""
    for loop in statements(share.body):
        if isinstance(loop, For) and any(inner is statement for inner in statements(loop.body)):
            yield loop
