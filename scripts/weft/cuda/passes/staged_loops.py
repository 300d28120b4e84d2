"""Loops over tiles that the threads of a block stage in shared memory: what passes put in place of a loop.

The threads of a block stage tiles, an element each, wait for each other, and walk through them; they wait
again before the next tiles take their place. The bounds check encloses what it used to skip, since all
threads reach the barriers. A thread has the same elements in the same order as before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.conditions import opposite
from weft.cuda.fresh_names import fresh
from weft.cuda.helpers.text import scalar_of
from weft.cuda.passes.updates import shared_work
from weft.cuda.sizes import canonical_size
from weft.cuda.tiles.loops import barrier
from weft.cuda.traverse import blocks, clone, own_nodes, rewrite_block, statements
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Conditional,
    Construct,
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
from weft.types import Array, Scalar, Structs, packed_bytes

TILE_SIZE = "tile_size"
"""The size that is the number of elements along a tile, and of threads along a block."""

_MOST_BYTES = 16 * 1024
"""Shared memory of a block's tiles, so that a multiprocessor still holds several blocks."""


@dataclasses.dataclass(frozen=True)
class Counts:
    """Numbers of turns: names of `fixed` sizes, and what a launch says of them."""

    launch: Launch
    fixed: Mapping[str, Size]

    def most(self, statement: Statement) -> int:
        """How many turns a loop has at most if they are the same for all threads, else 0."""
        match statement:
            case For(start=Literal(value=0), step=1, stride=None, type=kind) if kind == INT:
                size = self.size(statement)
                return 0 if size is None else launch_assumptions.largest(self.launch, size)
            case _:
                return 0

    def size(self, loop: For) -> Size | None:
        """The size that counts the turns of a loop."""
        match loop.stop:
            case Name(name=name) if name in self.fixed:
                return canonical_size(self.fixed[name], self.launch.sizes)
            case Literal(value=int(value)):
                return value
            case _:
                return None


@dataclasses.dataclass(frozen=True)
class Names:
    """The names of a loop over tiles, and how many elements `tile` has."""

    inside: str
    start: str
    stop: str
    tile: Literal

    def first(self) -> Name:
        """The number of the first element of a tile."""
        return Name(INT, self.start)

    def along(self, counter: str) -> Binary:
        """The place of element `counter` in its tile."""
        return Binary(INT, "-", Name(INT, counter), self.first())


def names_for(launch: Launch, threads: int, taken: Collection[str]) -> Names:
    """Names that are not taken, for tiles with an element for each of so many threads."""
    inside, start, stop = (fresh(name, taken) for name in ("inside", "start", "stop"))
    size = "" if TILE_SIZE in launch.sizes else TILE_SIZE
    return Names(inside, start, stop, Literal(INT, threads, size=size))


@dataclasses.dataclass(frozen=True)
class Operand:
    """What a block stages of an array: the threads for which `test` holds store `source` at a `place` of the
    `tile`, and a thread finds at `read` what it used to load.
    """

    loads: Sequence[Pointee]
    tile: Shared
    test: Expression
    source: Pointee
    place: Expression
    read: Expression


@dataclasses.dataclass(frozen=True)
class Staged:
    """A loop of which each turn loads an element of each operand; `places` are declared in a loop over tiles,
    `coordinates` before it.
    """

    loop: For
    operands: Sequence[Operand]
    places: Sequence[Declare]
    coordinates: Sequence[Declare] = ()


def fits(loops: Sequence[Staged], structs: Structs) -> bool:
    """Whether the tiles are small enough."""
    tiles = {one.tile.name: one.tile for loop in loops for one in loop.operands}
    sizes = []
    for tile in tiles.values():
        *rows, last = tile.shape
        elements = (last + tile.padded) * (rows[0] if rows else 1)
        sizes.append(elements * packed_bytes(tile.type, structs))
    return sum(sizes) <= _MOST_BYTES


def may_leave(body: Sequence[Statement]) -> bool:
    """Whether a thread may leave a loop with this body before its end."""
    found = statements([*body])
    nested = {id(inner) for one in found if isinstance(one, For | While) for inner in statements(one.body)}
    return any(isinstance(one, Return | Native) for one in found) or any(
        isinstance(one, Jump) and one.keyword == "break" and id(one) not in nested for one in found
    )


def checked_work(kernel: Function) -> tuple[list[Statement], If] | None:
    """What a kernel begins with, and the check of the threads that are inside the launch, around all their
    work. None if there is no such check, or a statement that may not leave it.
    """
    match shared_work(kernel):
        case head, [If(otherwise=[]) as check] if all(map(_may_move, check.body)):
            return head, check
        case _:
            return None


def _may_move(statement: Statement) -> bool:
    """Whether a statement may stand where threads beyond the launch reach it, or in an `if` around it."""
    match statement:
        case Declare(type=Array()) | Shared() | Native() | Unpack(declares=True):
            return False
        case _:
            return True


def stage(
    head: Sequence[Statement], check: If, loops: Sequence[Staged], names: Names, remark: str
) -> list[Statement]:
    """The statements of a kernel that begins with `head` and has the rest in the `check` of the threads that
    are inside the launch.
    """
    staged = {id(one.loop): one for one in loops}
    last = max(i for i, one in enumerate(check.body) if id(one) in staged)
    inside = Declare(BOOL, names.inside, check.test, True, trailing=check.trailing, node=check.node)
    lines: list[Statement] = [*head, inside, Remark("")]
    declared = False
    for one in check.body[: last + 1]:
        if (loop := staged.get(id(one))) is None:
            _guard(lines, one, names.inside)
            continue
        if not declared:
            coordinates = {place.name: place for found in loops for place in found.coordinates}
            tiles = {operand.tile.name: operand.tile for found in loops for operand in found.operands}
            lines += [*coordinates.values(), Remark(remark), *tiles.values()]
            declared = True
        lines.append(_over_tiles(loop, names))
    rest = check.body[last + 1 :]
    if rest:
        leave = If(opposite(Name(BOOL, names.inside)), [Return([])], [], guard=True)
        lines += [leave, *([] if is_blank(rest[0]) else [Remark("")]), *rest]
    return lines


def most_turns(kernel: Function) -> dict[str, int]:
    """What the names that count the turns of loops over tiles may not exceed, so that the first element after
    the last tile is an int.
    """
    return {
        one.stop.name: launch_assumptions.LARGEST_INT - one.stride.value
        for one in kernel.body
        if isinstance(one, For)
        and isinstance(one.stop, Name)
        and isinstance(one.stride, Literal)
        and isinstance(one.stride.value, int)
    }


def _guard(lines: list[Statement], statement: Statement, inside: str) -> None:
    """Add a statement that only threads inside the launch execute, if it matters."""
    match statement:
        case Remark():
            lines.append(statement)
        case Declare(value=value) if value is None or _is_harmless(statement):
            lines.append(statement)
        case Declare(type=kind, value=Expression() as value):
            nothing = zero(kind) if isinstance(kind, Scalar) else Construct(kind, [])
            guarded = Conditional(kind, Name(BOOL, inside), value, nothing)
            lines.append(dataclasses.replace(statement, value=guarded))
        case _ if not blocks(statement) and _is_harmless(statement):
            lines.append(statement)
        case _:
            match lines[-1]:
                case If(test=Name(name=name), otherwise=[]) as before if name == inside:
                    before.body.append(statement)
                case _:
                    lines.append(If(Name(BOOL, inside), [statement], []))


def _over_tiles(staged: Staged, names: Names) -> For:
    """The loop over tiles in place of one over elements."""
    loop = staged.loop
    read = {id(load): operand.read for operand in staged.operands for load in operand.loads}
    rewrite_block(loop.body, lambda node: clone(read[id(node)]) if id(node) in read else node)
    stop = Call(INT, "min", [Binary(INT, "+", names.first(), names.tile), clone(loop.stop)])
    inner = dataclasses.replace(loop, start=names.first(), stop=Name(INT, names.stop), closed=False)
    stores: dict[str, If] = {}
    for one in staged.operands:
        store = stores.setdefault(repr(one.test), If(one.test, [], [], divergent=True))
        store.body.append(Assign(one.place, "", one.source))
    body: list[Statement] = [
        *staged.places,
        *stores.values(),
        barrier(),
        Declare(INT, names.stop, stop, True),
        If(Name(BOOL, names.inside), [inner], []),
        barrier(),
    ]
    return For(INT, names.start, Literal(INT, 0), clone(loop.stop), 1, body, names.tile, node=loop.node)


def _is_harmless(statement: Statement) -> bool:
    """Whether a statement has no effect but on variables, and no fault for any values of these."""
    return not any(
        (isinstance(node, Pointee) and not node.address)
        or (isinstance(node, Binary) and node.operator in ("/", "%") and scalar_of(node.type).is_integer)
        or (isinstance(node, Call) and (node.user or node.effect != Effect.NONE))
        for node in own_nodes(statement)
    )
