"""Pass: where every thread of a block reads the same elements in a loop, the block reads them once.

Before: each thread walks through whole arrays, `for (int j = 0; j < count; ++j)`, as in the sum of the forces
of all bodies on each. After: the loop goes from tile to tile. The threads of a block stage a tile in shared
memory, an element each, wait for each other, and walk through it; they wait again before the next tile takes
its place. The bounds check encloses what it used to skip, since all threads reach the barriers. A thread has
the same elements in the same order as before.

Source: Nyland, Harris and Prins, "Fast N-Body Simulation with CUDA" (GPU Gems 3, chapter 31).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.contents import assigned_names, contents
from weft.cuda.grid import LINEAR, Grid
from weft.cuda.helpers.text import scalar_of
from weft.cuda.host_names import fresh
from weft.cuda.passes.updates import opposite, shared_work
from weft.cuda.sizes import canonical_size
from weft.cuda.tiles.loops import THREAD, barrier
from weft.cuda.traverse import (
    all_expressions,
    blocks,
    clone,
    is_name,
    own_nodes,
    rewrite_block,
    statements,
    walk,
)
from weft.cuda.tree import (
    BOOL,
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Conditional,
    Declare,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Native,
    Pointee,
    Remark,
    Return,
    Shared,
    Statement,
    Unpack,
    While,
    is_blank,
)
from weft.cuda.values import zero
from weft.intrinsics import Effect
from weft.launch import Launch
from weft.sizes import Size
from weft.types import Array, Structs, Type, packed_bytes

TILE_SIZE = "tile_size"
"""The size that is the number of elements in a tile, and of threads in a block."""

_FEWEST = 64
"""The threads of the smallest block. A loop of no more turns has one tile: caches do as well."""

_MOST_TURNS = launch_assumptions.LARGEST_INT - 256
"""So that the first element after the last tile is an int."""

_MOST_BYTES = 16 * 1024
"""Shared memory of a block's tiles, so that a multiprocessor still holds several blocks."""

_REMARK = "All threads read the same elements: the block stages a tile of them at a time."


@dataclasses.dataclass(frozen=True)
class _Walk:
    """A loop of so many turns at most through whole arrays, and the loads of their elements."""

    loop: For
    turns: int
    loads: Mapping[str, Sequence[Pointee]]


def share_loops(
    kernel: Function,
    launch: Launch,
    grid: Grid,
    written: Collection[str],
    sizes: Mapping[str, Size],
    structs: Structs,
) -> Grid:
    """Run the pass on a kernel whose launch has one dimension, and give the grid that it then has. `written`
    are the leaves that the kernel writes, `sizes` what its parameters are described as.
    """
    if grid != LINEAR or (work := shared_work(kernel)) is None:
        return grid
    head, rest = work
    match rest:
        case [If(body=body, otherwise=[]) as check]:
            pass
        case _:
            return grid
    fixed = {name: size for name, size in sizes.items() if name not in contents(kernel).assigned}
    walks = {id(one): walk for one in body if (walk := _walk(one, kernel, launch, written, fixed))}
    kinds = {array: loads[0].type for walk in walks.values() for array, loads in walk.loads.items()}
    if not kinds or not all(map(_may_move, body)):
        return grid
    threads, most = math.prod(grid.block), max(walk.turns for walk in walks.values())
    while threads >= most:
        threads //= 2
    if threads * sum(packed_bytes(kind, structs) for kind in kinds.values()) > _MOST_BYTES:
        return grid
    sharing = _Sharing(launch, threads, kinds, contents(kernel).taken)
    kernel.body = sharing.body(head, check, walks)
    return dataclasses.replace(grid, block=(threads, 1, 1))


def _turns(statement: Statement, fixed: Mapping[str, Size], launch: Launch) -> int:
    """How many turns a loop has at most if they are the same for all threads, else 0."""
    match statement:
        case For(start=Literal(value=0), stop=stop, step=1, stride=None) if statement.type == INT:
            size = _size(stop, fixed)
            return 0 if size is None else launch_assumptions.largest(launch, size)
        case _:
            return 0


def _size(stop: Expression, fixed: Mapping[str, Size]) -> Size | None:
    match stop:
        case Name(name=name):
            return fixed.get(name)
        case Literal(value=int(value)):
            return value
        case _:
            return None


def _may_move(statement: Statement) -> bool:
    """Whether a statement may stand where threads beyond the launch reach it, or in an `if` around it."""
    match statement:
        case Declare(type=Array()) | Shared() | Native() | Unpack(declares=True):
            return False
        case _:
            return True


def _walk(
    loop: Statement, kernel: Function, launch: Launch, written: Collection[str], fixed: Mapping[str, Size]
) -> _Walk | None:
    """What a loop loads of whole arrays that nobody writes, if every thread takes all of its turns, and loads
    nothing else in a turn: memory of its own would be what a thread waits for.
    """
    turns = _turns(loop, fixed, launch)
    if not isinstance(loop, For) or not _FEWEST < turns <= _MOST_TURNS or _may_leave(loop.body):
        return None
    nodes = all_expressions(loop.body)
    changed = assigned_names(loop.body)
    if loop.name in changed or any(isinstance(node, AddressOf) for node in nodes):
        return None
    count = canonical_size(_size(loop.stop, fixed) or 0, launch.sizes)
    loads: dict[str, list[Pointee]] = {}
    for node in nodes:
        match node:
            case Pointee(base=Name(name=array), offset=Name(name=loop.name), address=False):
                if not _is_whole(array, count, kernel, launch, written):
                    return None
                loads.setdefault(array, []).append(node)
            case Pointee() if any(is_name(one, name) for one in walk(node) for name in (loop.name, *changed)):
                return None
            case _:
                pass
    return _Walk(loop, turns, loads) if loads else None


def _is_whole(array: str, count: Size, kernel: Function, launch: Launch, written: Collection[str]) -> bool:
    """Whether this is an array of so many elements in global memory that nobody writes."""
    if not isinstance(dict(kernel.parameters).get(array), Array) or array in written:
        return False
    if launch.parameters[array].memory != "global" or launch_assumptions.is_strided(launch, array):
        return False
    extent = launch_assumptions.extent_of(launch, array, 0)
    known = extent is not None and canonical_size(extent, launch.sizes) == count
    return known and not launch_assumptions.may_overlap(launch, array, written)


def _may_leave(body: Sequence[Statement]) -> bool:
    """Whether a thread may leave a loop with this body, or wait for others in it."""
    found = statements([*body])
    nested = {id(inner) for one in found if isinstance(one, For | While) for inner in statements(one.body)}
    return any(isinstance(one, Return | Native) for one in found) or any(
        isinstance(one, Jump) and one.keyword == "break" and id(one) not in nested for one in found
    )


@dataclasses.dataclass
class _Sharing:
    """The statements of a kernel whose blocks of so many threads stage tiles of arrays of these `kinds`."""

    launch: Launch
    threads: int
    kinds: Mapping[str, Type]
    taken: Collection[str]

    def __post_init__(self) -> None:
        names = ("inside", "start", "next", "stop")
        self.inside, self.start, self.next, self.stop = (fresh(name, self.taken) for name in names)
        self.shared = {array: fresh(f"shared_{array}", self.taken) for array in self.kinds}
        self.tile = Literal(INT, self.threads, size="" if TILE_SIZE in self.launch.sizes else TILE_SIZE)

    def body(self, head: list[Statement], check: If, walks: Mapping[int, _Walk]) -> list[Statement]:
        """All statements: what a thread inside the launch does, and what all threads do."""
        last = max(i for i, one in enumerate(check.body) if id(one) in walks)
        inside = Declare(BOOL, self.inside, check.test, True, trailing=check.trailing, node=check.node)
        lines: list[Statement] = [*head, inside, Remark("")]
        declared = False
        for one in check.body[: last + 1]:
            if (walk := walks.get(id(one))) is not None:
                lines += [] if declared else self._shared(walk.loop)
                declared = True
                lines.append(self._staged(walk))
            else:
                self._guard(lines, one)
        rest = check.body[last + 1 :]
        if rest:
            leave = If(opposite(self._inside), [Return([])], [], guard=True)
            lines += [leave, *([] if is_blank(rest[0]) else [Remark("")]), *rest]
        return lines

    @property
    def _inside(self) -> Name:
        return Name(BOOL, self.inside)

    def _guard(self, lines: list[Statement], statement: Statement) -> None:
        """Add a statement that only threads inside the launch execute, if it matters."""
        match statement:
            case Remark():
                lines.append(statement)
            case Declare(value=value) if value is None or _is_harmless(statement):
                lines.append(statement)
            case Declare(type=kind, value=Expression() as value):
                guarded = Conditional(kind, self._inside, value, zero(kind))
                lines.append(dataclasses.replace(statement, value=guarded))
            case _ if not blocks(statement) and _is_harmless(statement):
                lines.append(statement)
            case _:
                match lines[-1]:
                    case If(test=Name(name=self.inside), otherwise=[]) as before:
                        before.body.append(statement)
                    case _:
                        lines.append(If(self._inside, [statement], []))

    def _shared(self, first: For) -> list[Statement]:
        names = {self.shared[array]: kind for array, kind in self.kinds.items()}
        return [
            Remark(_REMARK),
            *(
                Shared(kind, name, (self.threads,), extents=[self.tile], node=first.node)
                for name, kind in names.items()
            ),
        ]

    def _staged(self, walk: _Walk) -> For:
        """The loop over tiles."""
        loop = walk.loop
        start, next, thread = Name(INT, self.start), Name(INT, self.next), Name(INT, THREAD)
        loads: list[Statement] = []
        for array, found in walk.loads.items():
            kind = found[0].type
            place = Pointee(kind, Name(kind, self.shared[array]), clone(thread))
            loads.append(Assign(place, "", dataclasses.replace(found[0], offset=clone(next))))
        staged = {id(one) for found in walk.loads.values() for one in found}

        def change(node: Expression) -> Expression:
            if not isinstance(node, Pointee) or id(node) not in staged or not isinstance(node.base, Name):
                return node
            own = Binary(INT, "-", Name(INT, loop.name), clone(start))
            return Pointee(node.type, Name(node.type, self.shared[node.base.name]), own)

        rewrite_block(loop.body, change)
        stop = Call(INT, "min", [Binary(INT, "+", clone(start), self.tile), clone(loop.stop)])
        inner = dataclasses.replace(loop, start=clone(start), stop=Name(INT, self.stop), closed=False)
        body: list[Statement] = [
            Declare(INT, self.next, Binary(INT, "+", clone(start), clone(thread)), True),
            If(Binary(BOOL, "<", clone(next), clone(loop.stop)), loads, [], divergent=True),
            barrier(),
            Declare(INT, self.stop, stop, True),
            If(self._inside, [inner], []),
            barrier(),
        ]
        return For(INT, self.start, Literal(INT, 0), clone(loop.stop), 1, body, self.tile, node=loop.node)


def _is_harmless(statement: Statement) -> bool:
    """Whether a statement has no effect but on variables, and no fault for any values of these."""
    return not any(
        (isinstance(node, Pointee) and not node.address)
        or (isinstance(node, Binary) and node.operator in ("/", "%") and scalar_of(node.type).is_integer)
        or (isinstance(node, Call) and (node.user or node.effect != Effect.NONE))
        for node in own_nodes(statement)
    )
