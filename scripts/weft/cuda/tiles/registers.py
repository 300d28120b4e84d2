"""Pass: a tile of which each thread accesses its own elements alone needs no shared memory.

Before: all tiles are in shared memory. After: such a tile is a variable of each thread; where a thread has
several elements, which outlive a Share, an array in registers, indexed by TURN. What stays in shared memory
and is read down its columns is padded against bank conflicts.
"""

from __future__ import annotations

import dataclasses
import math

from weft.cuda.tiles.accesses import is_own, stored_element
from weft.cuda.traverse import own_nodes, rewrite_block, statements, walk
from weft.cuda.tree import (
    INT,
    AddressOf,
    Assign,
    Component,
    Expression,
    Function,
    Name,
    Registers,
    Share,
    Shared,
    Statement,
)
from weft.types import Structs, Tile, packed_bytes

SHARED_BYTES = 48 * 1024
"""`__shared__` memory of fixed size that a block may have (CUDA C++ Programming Guide)."""

TURN = "turn()"
"""The name of the number of an element among those that a thread has of a tile."""

_BANKS = 32

_MOST = 16
"""The most registers that a tile may take of each thread."""


def use_registers(function: Function, block_dim: int, structs: Structs) -> None:
    """Run the pass on a function."""
    uses = _uses(function.body)
    tiles = [statement for statement in function.body if isinstance(statement, Shared)]
    for tile in tiles:
        found = uses.get(tile.name, [])
        count = -(-math.prod(tile.shape) // block_dim)
        if any(use is None or not use.is_own(tile.shape) for use in found) or count > _MOST:
            tile.padded = _is_read_down(tile, found, structs)
            continue
        position = function.body.index(tile)
        if count == 1 or _begins_and_ends_in_share(tile.name, found):
            function.body.pop(position)
            _replace(function.body, tile.name, None)
        else:
            function.body[position] = Registers(tile.type, tile.name, count)
            _replace(function.body, tile.name, Tile(tile.type, (count,)))


def shared_bytes(function: Function, structs: Structs) -> int:
    """How much shared memory the tiles of a function take."""
    tiles = [statement for statement in function.body if isinstance(statement, Shared)]
    return sum(
        packed_bytes(tile.type, structs) * math.prod((*tile.shape[:-1], tile.shape[-1] + tile.padded))
        for tile in tiles
    )


@dataclasses.dataclass(frozen=True)
class _Use:
    """An element of a tile, in a statement which `share` may hold. `addressed`: its address is taken."""

    element: Component
    statement: Statement
    share: Share | None
    addressed: bool

    def is_own(self, shape: tuple[int, ...]) -> bool:
        return not self.addressed and is_own(self.element, shape, self.share)


_Uses = list[_Use | None]


def _uses(body: list[Statement]) -> dict[str, _Uses]:
    """The uses of each tile, in order; None for one of the whole tile."""
    holder = {id(i): s for s in statements(body) if isinstance(s, Share) for i in statements(s.body)}
    found: dict[str, _Uses] = {}
    for statement in statements(body):
        nodes = own_nodes(statement)
        taken = [n.place for n in nodes if isinstance(n, AddressOf) and not n.by_reference]
        addressed = {id(stored_element(place)) for place in taken}
        known: set[int] = set()
        for node in nodes:
            if isinstance(node, Component) and isinstance(node.value, Name):
                known.add(id(node.value))
                use = _Use(node, statement, holder.get(id(statement)), id(node) in addressed)
                found.setdefault(node.value.name, []).append(use)
        for node in nodes:
            if isinstance(node, Name) and isinstance(node.type, Tile) and id(node) not in known:
                found.setdefault(node.name, []).append(None)
    return found


def _begins_and_ends_in_share(name: str, uses: _Uses) -> bool:
    """Whether one Share gives each element its value, and is alone to use it."""
    first, shares = uses[0], {id(use.share) for use in uses if use is not None}
    if first is None or first.share is None or len(shares) > 1:
        return False
    assign = first.statement
    begins = isinstance(assign, Assign) and not assign.operator and any(s is assign for s in first.share.body)
    mentions = [use for use in uses if use is not None and use.statement is assign]
    return begins and isinstance(assign, Assign) and assign.target is first.element and len(mentions) == 1


def _replace(body: list[Statement], name: str, registers: Tile | None) -> None:
    """Variables, or registers, for the elements of a tile."""

    def change(node: Expression) -> Expression:
        if not isinstance(node, Component) or not isinstance(node.value, Name) or node.value.name != name:
            return node
        if registers is None:
            return Name(node.type, name)
        return Component(node.type, Name(registers, name), "", [Name(INT, TURN)])

    rewrite_block(body, change)


def _is_read_down(tile: Shared, uses: _Uses, structs: Structs) -> bool:
    """Whether neighbouring threads access elements of a column which lie in the same bank."""
    if len(tile.shape) != 2 or any(use is None for use in uses):
        return False
    words = tile.shape[1] * max(1, packed_bytes(tile.type, structs) // 4)
    return any(
        use is not None
        and use.share is not None
        and _runs_down(use.element, use.share.coordinates[-1])
        and len({row * words % _BANKS for row in range(min(_BANKS, use.share.shape[-1]))})
        < min(_BANKS, use.share.shape[-1])
        for use in uses
    )


def _runs_down(element: Component, fastest: str) -> bool:
    first, last = ({n.name for n in walk(i) if isinstance(n, Name)} for i in element.indices)
    return fastest in first and fastest not in last
