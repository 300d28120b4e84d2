"""Pass: the thread that has the result of a row goes on with it.

Before: lanes that have the elements of a row give its first one the result, which it stores, while everything
else that is done with results is shared among the first threads. After: so is what is done with those, if no
other thread needs them.
"""

from __future__ import annotations

from weft.cuda.contents import changed_in_block
from weft.cuda.tiles.elements import Uses, is_own_by_all, uses_of
from weft.cuda.tiles.loops import THREAD
from weft.cuda.tiles.merging import private_names
from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import For, Function, Name, Share, Shared
from weft.types import Tile


def follow_rows(function: Function, block_dim: int) -> None:
    """Run the pass on a function."""
    shares = [statement for statement in statements(function.body) if isinstance(statement, Share)]
    if not any(share.of for share in shares):
        return
    uses = uses_of(function.body)
    tiles = {statement.name: statement for statement in function.body if isinstance(statement, Shared)}
    private = private_names(function)
    for tile in tiles.values():
        found = [use.share for use in uses.get(tile.name, []) if use is not None and use.share is not None]
        row = next((share.of for share in found if share.of), 0)
        if row and row * tile.shape[0] <= block_dim:
            for share in _of_rows(tile, row, tiles, uses, private):
                share.of = row


def _of_rows(
    tile: Shared, row: int, tiles: dict[str, Shared], uses: dict[str, Uses], private: set[str]
) -> list[Share]:
    """The Shares that use a tile, and those that then have to go with them; none if some cannot."""
    following, shares = [tile], list[Share]()
    for one in following:
        if not is_own_by_all(one, uses[one.name]):
            return []
        for use in uses[one.name]:
            share = use.share if use is not None else None
            if share is None or share.of not in (0, row) or not _may_follow(share, private):
                return []
            shares.append(share)
            inner = {node.name for node in all_expressions(share.body) if isinstance(node, Name)}
            others = [tiles[name] for name in sorted(inner & tiles.keys())]
            following += [o for o in others if o not in following and is_own_by_all(o, uses[o.name])]
    return shares


def _may_follow(share: Share, private: set[str]) -> bool:
    """Whether it does not matter which thread has which element."""
    nodes = [node for node in all_expressions(share.body) if isinstance(node, Name)]
    loops = {statement.name for statement in statements(share.body) if isinstance(statement, For)}
    tiles = {node.name for node in nodes if isinstance(node.type, Tile)}
    changed = changed_in_block(share.body) - private - loops - tiles
    threads = any(node.name == THREAD for node in nodes)
    return len(share.shape) == 1 and share.start is None and not threads and not changed
