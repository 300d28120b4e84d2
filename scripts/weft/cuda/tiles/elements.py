"""Analysis: where a function uses the elements of its tiles."""

from __future__ import annotations

import dataclasses

from weft.cuda.tiles.accesses import is_own, stored_element
from weft.cuda.traverse import own_nodes, statements
from weft.cuda.tree import AddressOf, Component, Name, Share, Shared, Statement
from weft.types import Tile


@dataclasses.dataclass(frozen=True)
class Use:
    """An element of a tile, in a statement which `share` may hold. `addressed`: its address is taken."""

    element: Component
    statement: Statement
    share: Share | None
    addressed: bool

    def is_own(self, shape: tuple[int, ...]) -> bool:
        return not self.addressed and is_own(self.element, shape, self.share)


Uses = list[Use | None]


def uses_of(body: list[Statement]) -> dict[str, Uses]:
    """The uses of each tile, in order; None for one of the whole tile."""
    holder = {id(i): s for s in statements(body) if isinstance(s, Share) for i in statements(s.body)}
    found: dict[str, Uses] = {}
    for statement in statements(body):
        nodes = own_nodes(statement)
        taken = [node.place for node in nodes if isinstance(node, AddressOf) and not node.by_reference]
        addressed = {id(stored_element(place)) for place in taken}
        known: set[int] = set()
        for node in nodes:
            if isinstance(node, Component) and isinstance(node.value, Name):
                known.add(id(node.value))
                use = Use(node, statement, holder.get(id(statement)), id(node) in addressed)
                found.setdefault(node.value.name, []).append(use)
        for node in nodes:
            if isinstance(node, Name) and isinstance(node.type, Tile) and id(node) not in known:
                found.setdefault(node.name, []).append(None)
    return found


def is_own_by_all(tile: Shared, uses: Uses) -> bool:
    """Whether each element has one thread that alone uses it."""
    return all(use is not None and use.is_own(tile.shape) for use in uses)
