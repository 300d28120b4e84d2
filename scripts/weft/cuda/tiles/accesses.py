"""Analysis: which tiles and arrays statements access, and which thread of the block does."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence

from weft.cuda.analysis.linear import key_of
from weft.cuda.contents import changed_in, contents, root_name
from weft.cuda.passes.effects import array_name, views_of
from weft.cuda.tiles.loops import THREAD
from weft.cuda.traverse import (
    blocks,
    children,
    clone,
    expressions,
    own_nodes,
    renamed,
    rewrite,
    statements,
    walk,
)
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Component,
    Element,
    Expression,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Registers,
    Share,
    Statement,
    Threads,
)
from weft.intrinsics import Effect
from weft.types import Array, Tile

OWN = "own"
"""The owner of an element of a tile that thread e % blockDim.x accesses, e being its place in the tile."""


@dataclasses.dataclass(frozen=True)
class Access:
    """An access to a tile, or to an array that a function reads and writes.

    `how` is 'read', 'write' or the name of an atomic function. `owner` says by whom: equal owners are one
    thread for one element; '' is any thread.
    """

    name: str
    how: str
    owner: str = ""

    def conflicts(self, other: Access) -> bool:
        """Whether different threads may access one element, of whom one writes, in an order that matters."""
        if self.name != other.name or (self.how == other.how and self.how != "write"):
            return False
        return not self.owner or self.owner != other.owner


Accesses = frozenset[Access]


class AccessFinder:
    """Finds the accesses of the statements of one function.

    `uniform` are names that hold one value, the same for all threads of a block; `block_collective` has the
    keys of functions that all of them must call. Arrays that `may_overlap` count as one, too.
    """

    def __init__(
        self,
        function: Function,
        uniform: Collection[str],
        block_collective: Collection[str],
        may_overlap: bool = False,
    ) -> None:
        self.may_overlap = may_overlap
        self.views = views_of(function.body)
        self.registers = {s.name for s in function.body if isinstance(s, Registers)}
        self.uniform = set(uniform)
        self.threads = _thread_names(function, self.uniform)
        self.block_collective = block_collective
        self.exchanged: set[str] | None = None
        found = self.of(function.body)
        read, written = ({a.name for a in found if (a.how == "read") is reads} for reads in (True, False))
        self.exchanged = read & written

    def of(self, block: Sequence[Statement], share: Share | None = None) -> Accesses:
        """The accesses of statements and of those in their blocks."""
        found: set[Access] = set()
        for statement in block:
            found |= self.of_one(statement, share)
            within = statement if isinstance(statement, Share) else share
            for inner in blocks(statement):
                found |= self.of(inner, within)
        return frozenset(found)

    def of_one(self, statement: Statement, share: Share | None = None) -> set[Access]:
        """The accesses of a statement itself, which `share` holds."""
        found: set[Access] = set()
        if isinstance(statement, Jump):
            return found
        nodes = own_nodes(statement)
        changed = {id(stored_element(part.place)): "write" for part in nodes if isinstance(part, AddressOf)}
        for part in nodes:
            match part:
                case Call(effect=Effect.ATOMIC, arguments=[AddressOf(place=place), *_], function=function):
                    changed[id(place)] = function
        if isinstance(statement, Assign):
            changed[id(stored_element(statement.target))] = "write"
        for part in nodes:
            if isinstance(part, Call) and part.user:
                found |= self._of_call(part)
            if self.may_overlap and isinstance(part, Element) and not isinstance(part.type, Array):
                found.add(Access("*", changed.get(id(part), "read")))
            if (name := self._memory(part)) is not None:
                owner = self._owner(part, share)
                found.add(Access(name, changed.get(id(part), "read"), owner))
                if isinstance(statement, Assign) and statement.operator and id(part) in changed:
                    found.add(Access(name, "read", owner))
        return found

    def _of_call(self, call: Call) -> set[Access]:
        """What a function does to the tiles that it is given, and to its own, which outlive the call."""
        works = call.user in self.block_collective
        given = {a.name for a in call.arguments if isinstance(a, Name) and isinstance(a.type, Tile)}
        found = {Access(name, how) for name in given for how in ("read", "write") if works or how == "read"}
        return found | ({Access("()", "write")} if works else set())

    def _memory(self, part: Expression) -> str | None:
        """The tile, or the array that is both read and written, that a node is an element of."""
        if isinstance(part, Component) and isinstance(part.value, Name) and isinstance(part.value.type, Tile):
            return None if part.value.name in self.registers else part.value.name
        if isinstance(part, Element) and not isinstance(part.type, Array):
            name = array_name(part, self.views)
            return name if self.exchanged is None or name in self.exchanged else None
        return None

    def _owner(self, part: Expression, share: Share | None) -> str:
        """By which thread an element is accessed."""
        if isinstance(part, Component):
            assert isinstance(part.value.type, Tile)
            shape = part.value.type.shape
            if is_own(part, shape, share):
                return OWN
        elif not isinstance(part, Element) or not isinstance(part.array, Name):
            return ""
        elif share is None:
            counted = [self._coordinate(index, self.threads) for index in part.indices]
            place = ",".join(map(str, map(key_of, part.indices)))
            return f"thread: {place}" if None not in counted and any(counted) else ""
        if share is None or share.start is not None:
            return ""
        indices = part.indices
        counted = [self._coordinate(index, share.coordinates) for index in indices]
        if None in counted or sorted(name for name in counted if name) != sorted(share.coordinates):
            return ""
        axes = {name: f"axis {axis}" for axis, name in enumerate(share.coordinates)}
        keys = [key_of(rewrite(clone(index), lambda node: renamed(node, axes))) for index in indices]
        return f"{share.shape}: {','.join(keys)}"

    def _coordinate(self, index: Expression, coordinates: Sequence[str]) -> str | None:
        """The one coordinate that an index is a sum of, '' if it has none; None for other indices."""
        match index:
            case Literal():
                return ""
            case Name(name=name) if name in coordinates:
                return name
            case Name(name=name):
                return "" if name in self.uniform else None
            case Binary(operator="+" | "-", left=left, right=right):
                found = self._coordinate(left, coordinates), self._coordinate(right, coordinates)
                return found[0] or found[1] if None not in found and not all(found) else None
            case Binary(operator="*", left=left, right=right):
                factors = self._coordinate(left, ()), self._coordinate(right, ())
                return "" if factors == ("", "") else None
            case _:
                return None


def is_own(part: Component, shape: Sequence[int], share: Share | None) -> bool:
    """Whether an element of a tile is the one at a Share's coordinates, or the thread's in its block."""
    long = [(index, extent) for index, extent in zip(part.indices, shape, strict=True) if extent > 1]
    names = tuple(index.name if isinstance(index, Name) else "" for index, _ in long)
    if share is None or share.start is not None:
        return names == (THREAD,)
    return names == share.coordinates and tuple(extent for _, extent in long) == share.shape


def _thread_names(function: Function, uniform: Collection[str]) -> list[str]:
    """The names of a thread's number in its block."""
    first = function.body[0] if function.body else None
    names = first.names if isinstance(first, Threads) else []
    return [one for one in names if one not in uniform and one not in contents(function).changed]


def uniform_names(function: Function, blocks: int, varying: Collection[str]) -> set[str]:
    """Names that hold one value, the same for all threads: of the block's place, and what follows from it."""
    whole = contents(function)
    first = function.body[0] if function.body else None
    found = {name for name, _ in function.parameters if name not in varying}
    found |= set(first.names[:blocks]) if isinstance(first, Threads) else set()
    found -= whole.changed
    assigned = [root_name(s.target) for s in whole.statements if isinstance(s, Assign)]
    changed = changed_in([s for s in whole.statements if not isinstance(s, Assign)], whole.nodes)
    for statement in function.body:
        if isinstance(statement, Assign) and isinstance(statement.target, Name):
            name = statement.target.name
            if name not in changed and assigned.count(name) == 1 and _follows(statement.value, found):
                found.add(name)
    return found


def _follows(value: Expression, names: Collection[str]) -> bool:
    return all(
        isinstance(part, Binary | Literal) or (isinstance(part, Name) and part.name in names)
        for part in walk(value)
    )


COLLECTIVE = Effect.BARRIER | Effect.COLLECTIVE
"""Effects of calls that every thread of the block must make."""


def is_collective(body: Sequence[Statement], block_collective: Collection[str]) -> bool:
    """Whether some of these statements are block collectives: all threads of a block must run them."""
    return any(
        isinstance(statement, Share)
        or (isinstance(statement, If) and statement.divergent)
        or any(
            isinstance(part, Call) and (part.effect & COLLECTIVE or part.user in block_collective)
            for root in expressions(statement)
            for part in walk(root)
        )
        for statement in statements([*body])
    )


def stored_element(target: Expression) -> Expression:
    """The element that an assignment changes, of which `target` may be a part."""
    while not isinstance(target, Element | Name) and not (
        isinstance(target, Component) and isinstance(target.value.type, Tile)
    ):
        target = children(target)[0]
    return target
