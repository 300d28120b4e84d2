"""Pass: a tile of which each thread accesses its own elements alone needs no shared memory.

Before: all tiles are in shared memory. After: such a tile is a variable of each thread; where a thread has
several elements, which outlive a Share, an array in registers, indexed by TURN. A variable of one element is
called so, `value` and not `values` or `value_tile`. What stays in shared memory and is read down its columns
is padded against bank conflicts.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from weft.cuda.contents import contents
from weft.cuda.names import reserved_at_namespace_scope
from weft.cuda.tiles.elements import Use, Uses, is_own_by_all, uses_of
from weft.cuda.tiles.squares import Square, squares
from weft.cuda.traverse import names_of, rewrite_block, walk
from weft.cuda.tree import (
    INT,
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
from weft.cuda.values import is_zero
from weft.plurals import singular
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
    uses = uses_of(function.body)
    square = squares(function, block_dim)
    tiles = {statement.name: statement for statement in function.body if isinstance(statement, Shared)}
    taken = contents(function).taken
    for tile in tiles.values():
        found = uses.get(tile.name, [])
        count = -(-math.prod(tile.shape) // block_dim)
        own = is_own_by_all(tile, found)
        alone = own and (count == 1 or _begins_and_ends_in_share(found))
        if not own or (count > _MOST and not alone):
            tile.padded = _is_read_down(tile, found, structs, square)
            continue
        position = function.body.index(tile)
        if alone:
            function.body.pop(position)
            name = _of_one_element(tile, taken)
            taken |= {name}
            _replace(function.body, tile.name, None, name)
        else:
            zeros = _begins_as_zeros(function.body, found[0])
            function.body[position] = Registers(tile.type, tile.name, (count,), zeros)
            _replace(function.body, tile.name, Tile(tile.type, (count,)))


def fit_shared(function: Function, structs: Structs) -> int:
    """How many bytes of shared memory the tiles take; padding is left out where there is no room for it."""
    tiles = [statement for statement in function.body if isinstance(statement, Shared)]
    sizes = [packed_bytes(tile.type, structs) * math.prod(tile.shape) for tile in tiles]
    padding = sum(size // tile.shape[-1] for size, tile in zip(sizes, tiles, strict=True) if tile.padded)
    for tile in tiles:
        tile.padded = tile.padded and sum(sizes) + padding <= SHARED_BYTES
    return sum(sizes)


def _begins_and_ends_in_share(uses: Uses) -> bool:
    """Whether one Share gives each element its value, and is alone to use it."""
    first, shares = uses[0], {id(use.share) for use in uses if use is not None}
    if first is None or first.share is None or len(shares) > 1:
        return False
    assign = first.statement
    begins = isinstance(assign, Assign) and not assign.operator and any(s is assign for s in first.share.body)
    mentions = [use for use in uses if use is not None and use.statement is assign]
    return begins and isinstance(assign, Assign) and assign.target is first.element and len(mentions) == 1


def _begins_as_zeros(body: list[Statement], first: Use | None) -> bool:
    """Whether the first thing that is done with a tile is to fill it with zeros; takes that out then."""
    share = first.share if first is not None else None
    if first is None or share is None or all(statement is not share for statement in body):
        return False
    match first.statement:
        case Assign(operator="", value=value) if is_zero(value):
            share.body[:] = [one for one in share.body if one is not first.statement]
            body[:] = [one for one in body if one is not share or share.body]
            return True
        case _:
            return False


def _of_one_element(tile: Shared, taken: Collection[str]) -> str:
    """What an element of a tile is called; as the tile if that is no word, or something else's name."""
    name = tile.name.removesuffix("_tile")
    if name == tile.name:
        name = singular(name)
    free = name not in taken and not reserved_at_namespace_scope(name)
    return name if free and math.prod(tile.shape) > 1 else tile.name


def _replace(body: list[Statement], name: str, registers: Tile | None, variable: str = "") -> None:
    """Variables, or registers, for the elements of a tile."""

    def change(node: Expression) -> Expression:
        if not isinstance(node, Component) or not isinstance(node.value, Name) or node.value.name != name:
            return node
        if registers is None:
            return Name(node.type, variable)
        return Component(node.type, Name(registers, name), "", [Name(INT, TURN)])

    rewrite_block(body, change)


def _is_read_down(
    tile: Shared, uses: Uses, structs: Structs, square: Mapping[tuple[int, ...], Square]
) -> bool:
    """Whether the threads of a warp access elements of a column which lie in the same bank."""
    if len(tile.shape) != 2 or any(use is None for use in uses):
        return False
    words = tile.shape[1] * max(1, packed_bytes(tile.type, structs) // 4)
    rows = (_rows_at_once(use.element, use.share, square) for use in uses if use and use.share)
    return any(len({row * words % _BANKS for row in range(count)}) < count for count in rows)


def _rows_at_once(element: Component, share: Share, square: Mapping[tuple[int, ...], Square]) -> int:
    """Of how many rows a warp accesses elements in one column of a tile; 0 if it goes along rows."""
    width = share.shape[-1] // square.get(share.shape, (1, 1))[1]
    if _runs_down(element, share.coordinates[-1]):
        return min(_BANKS, width)
    if share.shape in square and _runs_down(element, share.coordinates[0]):
        return _BANKS // min(_BANKS, width)
    return 0


def _runs_down(element: Component, coordinate: str) -> bool:
    first, last = (names_of(walk(i)) for i in element.indices)
    return coordinate in first and coordinate not in last
