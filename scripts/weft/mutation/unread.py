"""Elements of a block's tile that no thread reads: what is not loaded there, nobody misses.

A stencil without diagonals never looks at the corners of the tile that its block has loaded. Which elements
threads read and load must follow from their numbers in the block alone: then all of them can be listed.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence

from weft.cuda.traverse import all_expressions, own_nodes, statements
from weft.cuda.tree import (
    Assign,
    Binary,
    Component,
    Declare,
    Expression,
    For,
    Function,
    Literal,
    Name,
    Return,
    Shared,
)

Elements = set[tuple[int, ...]]
_Environments = list[dict[str, int]]

_AXES = ("threadIdx.x", "threadIdx.y", "threadIdx.z")


class _UnknownError(Exception):
    """An index that does not follow from the number of the thread alone."""


class Tiles:
    """The tiles of a kernel in shared memory, and who reads what; `block` is the shape of its blocks."""

    def __init__(self, function: Function, block: tuple[int, int, int]) -> None:
        self.body = function.body
        self.shapes = {one.name: one.shape for one in statements(function.body) if isinstance(one, Shared)}
        self.constants = [one for one in function.body if isinstance(one, Declare) and one.constant]
        self.threads = [
            dict(zip(_AXES, place, strict=True)) for place in itertools.product(*map(range, block))
        ]

    def loads_alike(self, loop: For, other: For) -> bool:
        """Whether a loop that loads a tile may stand in place of another: each element that a thread reads is
        loaded by both or by none, and both stay within the tile.
        """
        stores = _stores(loop)
        leaves = any(isinstance(one, Return) for one in statements(self.body))
        if not stores or leaves or all(one is not loop for one in self.body):
            return False
        try:
            environments = [_extended(thread, self.constants) for thread in self.threads]
            self._require_same_for_all(loop, environments)
            return all(self._is_alike(store, loop, other, environments) for store in stores)
        except _UnknownError:
            return False

    def _is_alike(self, store: Component, loop: For, other: For, environments: _Environments) -> bool:
        tile = _name(store)
        if tile not in self.shapes:
            return False
        first, second = (self._written(store, one, environments) for one in (loop, other))
        inside = all(
            0 <= index < extent
            for element in second
            for index, extent in zip(element, self.shapes[tile], strict=True)
        )
        return inside and not (first ^ second) & self._read(tile, loop, environments)

    def _require_same_for_all(self, loop: For, environments: _Environments) -> None:
        """What a turn of the loop loads depends on its number alone, not on the thread that takes it."""
        inner = {loop.name, *(one.name for one in loop.body if isinstance(one, Declare))}
        by_thread = set(environments[0]) - inner
        if any(isinstance(part, Name) and part.name in by_thread for part in all_expressions(loop.body)):
            raise _UnknownError

    def _written(self, store: Component, loop: For, environments: _Environments) -> Elements:
        """What all threads load of a tile."""
        declared = [one for one in loop.body if isinstance(one, Declare)]
        turns = {
            turn
            for known in environments
            for turn in range(_value(loop.start, known), _value(loop.stop, known), loop.step)
        }
        return {
            tuple(_value(index, known) for index in store.indices)
            for known in (_extended({loop.name: turn}, declared) for turn in turns)
        }

    def _read(self, tile: str, loop: For, environments: _Environments) -> Elements:
        """What threads read, if it stands outside of all loops and nothing else is done with the tile."""
        nodes = [node for one in self.body if one is not loop for node in own_nodes(one)]
        reads = [node for node in nodes if isinstance(node, Component) and _name(node) == tile]
        mentions = [
            node for node in all_expressions(self.body) if isinstance(node, Name) and node.name == tile
        ]
        if len(mentions) != len(reads) + 1:
            raise _UnknownError
        return {
            tuple(_value(index, known) for index in read.indices) for read in reads for known in environments
        }


def _stores(loop: For) -> list[Component]:
    """The elements of tiles that a loop sets, if that is all it does."""
    found: list[Component] = []
    for one in loop.body:
        match one:
            case Declare(constant=True):
                continue
            case Assign(target=Component() as target, operator=""):
                found.append(target)
            case _:
                return []
    return found if loop.stride is None and loop.step > 0 else []


def _name(element: Component) -> str:
    return element.value.name if isinstance(element.value, Name) else ""


def _extended(known: Mapping[str, int], declared: Sequence[Declare]) -> dict[str, int]:
    """With the constants that follow from what is known."""
    found = dict(known)
    for one in declared:
        with contextlib.suppress(_UnknownError):
            found[one.name] = _value(one.value, found)
    return found


def _value(node: Expression | None, known: Mapping[str, int]) -> int:
    """A whole number that follows from what is known; what is divided is never negative here."""
    match node:
        case Literal(value=int() as value):
            return value
        case Name(name=name) if name in known:
            return known[name]
        case Binary(operator="+" | "-" | "*" | "/" | "%" as operator, left=left, right=right):
            a, b = _value(left, known), _value(right, known)
            if operator in "/%" and (a < 0 or b < 1):
                raise _UnknownError
            return {"+": a + b, "-": a - b, "*": a * b, "/": a // max(b, 1), "%": a % max(b, 1)}[operator]
        case _:
            raise _UnknownError
