"""Pass: every lane of a row has what the row's lanes made together.

Before: the first lane of a row stores their result in a tile of one dimension, and what follows from the
results of rows is shared among the first threads of the block. After: all of that is a variable of every lane
of the row, which needs neither memory nor barriers; where others ask for it, the first lane stores it before.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar

from weft.cuda.contents import changed_in_block, contents
from weft.cuda.tiles.elements import Use, Uses, uses_of
from weft.cuda.tiles.loops import THREAD, LoopNames
from weft.cuda.tiles.merging import private_names
from weft.cuda.traverse import all_expressions, blocks, clone, is_name, rename_in, statements
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Component,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Native,
    Share,
    Shared,
    Statement,
)
from weft.types import Tile

T = TypeVar("T")


def by_first_lane(column: Expression, body: list[Statement]) -> If:
    """What the first lane of each row does."""
    return If(Binary(BOOL, "==", clone(column), Literal(INT, 0)), body, [], divergent=True)


def keep_in_lanes(function: Function, block_dim: int) -> None:
    """Run the pass on a function of blocks with a lane for every element of the rows."""
    shares = [statement for statement in statements(function.body) if isinstance(statement, Share)]
    found = {share.shape: share for share in shares if _has_leader(share)}
    for share in found.values():
        if math.prod(share.shape) <= block_dim:
            _Rows(function, share).run()


def _has_leader(share: Share) -> bool:
    return len(share.shape) == 2 and any(_is_leaders(inner, share.coordinates[-1]) for inner in share.body)


def _is_leaders(statement: Statement, column: str) -> bool:
    match statement:
        case If(test=Binary(operator="==", left=Name(name=name), right=Literal(value=0)), divergent=True):
            return name == column
        case _:
            return False


class _Rows:
    """The pass for rows of one shape. `lanes` is a Share of it."""

    def __init__(self, function: Function, lanes: Share) -> None:
        self.function = function
        self.shape = lanes.shape
        self.coordinates = lanes.coordinates
        self.tiles = {one.name: one for one in function.body if isinstance(one, Shared)}
        self.private = private_names(function)
        self.uses = defaultdict(list, uses_of(function.body))

    def run(self) -> None:
        """Find the tiles, then change how they are used."""
        kept: set[str] = set()
        seeds = {name for share in self._lanes() for name in _stored_by_leader(share)}
        while (found := self._valid(seeds)) - kept:
            kept |= found
            seeds = kept | {name for share in self._over_rows(kept) for name in self._tiles_in(share)}
        while kept and (left := self._valid(kept)) != kept:
            kept = left
        if not kept:
            return
        for share in self._over_rows(kept):
            self._by_lanes(share, kept)
        for share in self._lanes():
            share.body[:] = list(self._without_leader(share, kept))
        for name in sorted(kept):
            self._widen(name)

    def _lanes(self) -> list[Share]:
        return [s for s in statements(self.function.body) if isinstance(s, Share) and s.shape == self.shape]

    def _over_rows(self, kept: set[str]) -> list[Share]:
        """The Shares with an element for each row that use some of these tiles."""
        shares = [
            s for s in statements(self.function.body) if isinstance(s, Share) and s.shape == self.shape[:1]
        ]
        return [share for share in shares if kept & self._tiles_in(share)]

    def _tiles_in(self, share: Share) -> set[str]:
        """The tiles with an element for each row of which a Share uses the row's own."""
        return {
            name
            for name in self.tiles
            if self._has_rows(name)
            and any(
                use is not None and use.share is share and self._is_of_row(use) for use in self.uses[name]
            )
        }

    def _valid(self, names: set[str]) -> set[str]:
        """Those of the tiles that lanes can keep."""
        fixed = {
            name
            for share in self._over_rows(names)
            if not _may_be_repeated(share, names, self.private)
            for name in self._tiles_in(share)
        }
        return {name for name in names - fixed if self._has_rows(name) and self._may_be_kept(self.uses[name])}

    def _has_rows(self, name: str) -> bool:
        """Whether a tile has one element for each row."""
        return name in self.tiles and _long(self.tiles[name].shape, self.tiles[name].shape) == [
            *self.shape[:1]
        ]

    def _may_be_kept(self, uses: Uses) -> bool:
        """Whether lanes of a row alone set a tile, and at most one Share reads those of other rows."""
        others = [use for use in uses if use is None or not self._is_of_row(use)]
        if any(use is None or use.share is None or use.addressed or _is_target(use) for use in others):
            return False
        readers = {id(use.share) for use in others if use is not None}
        own = [use for use in uses if use is not None and id(use.share) in readers and use not in others]
        return len(readers) <= 1 and not own

    def _is_of_row(self, use: Use) -> bool:
        """Whether a row's own element is used."""
        share = use.share
        if share is None or use.addressed or share.start is not None:
            return False
        assert isinstance(use.element.value.type, Tile)
        index, *others = _long(use.element.indices, use.element.value.type.shape)
        own = is_name(index, share.coordinates[0]) and not others
        return own and share.shape in (self.shape, self.shape[:1])

    def _by_lanes(self, share: Share, kept: set[str]) -> None:
        """Let all lanes of a row do what was done for it, but for what is stored elsewhere."""
        row, column = self.coordinates
        rename_in(share.body, {share.coordinates[0]: row})
        share.shape, share.coordinates = self.shape, self.coordinates
        share.body[:] = [
            by_first_lane(Name(INT, column), [one]) if _stores(one) and not _sets(one, kept) else one
            for one in share.body
        ]

    def _without_leader(self, share: Share, kept: set[str]) -> Iterator[Statement]:
        """The body of a Share, in which all lanes set the tiles that they keep."""
        for one in share.body:
            if isinstance(one, If) and _is_leaders(one, share.coordinates[-1]):
                for inner in one.body:
                    leads = not _sets(inner, kept)
                    yield by_first_lane(Name(INT, share.coordinates[-1]), [inner]) if leads else inner
            else:
                yield one

    def _widen(self, name: str) -> None:
        """Give a tile an element for every lane; what is read of other rows is stored in another before."""
        tile, kind = self.tiles[name], Tile(self.tiles[name].type, self.shape)
        foreign = [use for use in self.uses[name] if use is not None and not self._is_of_lanes(use)]
        for use in self.uses[name]:
            if use is not None and self._is_of_lanes(use):
                assert use.share is not None
                use.element.value = Name(kind, name)
                use.element.indices = [Name(INT, coordinate) for coordinate in use.share.coordinates]
        if foreign:
            shared = Shared(
                tile.type, LoopNames(contents(self.function).taken).fresh(f"shared_{name}"), tile.shape
            )
            self.function.body.insert(self.function.body.index(tile), shared)
            row, column = (Name(INT, coordinate) for coordinate in self.coordinates)
            at: list[Expression] = [row if extent > 1 else Literal(INT, 0) for extent in tile.shape]
            place = Component(tile.type, Name(Tile(tile.type, tile.shape), shared.name), "", at)
            value = Component(tile.type, Name(kind, name), "", [clone(row), clone(column)])
            store = Share(self.shape, self.coordinates, [by_first_lane(column, [Assign(place, "", value)])])
            _insert_before(self.function.body, foreign[0].share, store)
            for use in foreign:
                use.element.value = clone(place.value)
        tile.shape = self.shape

    def _is_of_lanes(self, use: Use) -> bool:
        return use.share is not None and use.share.shape == self.shape and self._is_of_row(use)


def _long(parts: Sequence[T], shape: Sequence[int]) -> list[T]:
    """What belongs to the axes of a tile that have several elements."""
    return [part for part, extent in zip(parts, shape, strict=True) if extent > 1]


def _stored_by_leader(share: Share) -> set[str]:
    leaders = [one for one in share.body if isinstance(one, If) and _is_leaders(one, share.coordinates[-1])]
    return {name for one in leaders for inner in one.body if (name := _tile_set(inner))}


def _tile_set(statement: Statement) -> str:
    match statement:
        case Assign(target=Component(value=Name(name=name, type=Tile()))):
            return name
        case _:
            return ""


def _sets(statement: Statement, names: set[str]) -> bool:
    return _tile_set(statement) in names


def _is_target(use: Use) -> bool:
    return isinstance(use.statement, Assign) and use.statement.target is use.element


def _stores(statement: Statement) -> bool:
    """Whether a statement, or one in it, does more than give variables values."""
    return any(
        not isinstance(inner, Assign) or not isinstance(inner.target, Name)
        for inner in statements([statement])
        if not blocks(inner)
    )


def _may_be_repeated(share: Share, kept: set[str], private: set[str]) -> bool:
    """Whether all lanes of a row can do what a Share does for it, and the first alone what it stores: nobody
    else sees the variables that it sets.
    """
    inner, nodes = statements(share.body), all_expressions(share.body)
    if share.start is not None or any(isinstance(one, Share | Native) for one in inner):
        return False
    tiles = {node.name for node in nodes if isinstance(node, Name) and isinstance(node.type, Tile)}
    loops = {one.name for one in inner if isinstance(one, For)}
    if changed_in_block(share.body) - tiles - loops - private or any(is_name(node, THREAD) for node in nodes):
        return False
    for one in share.body:
        leads = _stores(one) and not _sets(one, kept)
        effects = any(isinstance(node, Call) and node.effect for node in all_expressions([one]))
        if (changed_in_block([one]) - tiles - loops) if leads else effects:
            return False
    return True


def _insert_before(block: list[Statement], found: Statement | None, one: Statement) -> None:
    for position, statement in enumerate(block):
        if statement is found:
            block.insert(position, one)
            return
        for inner in blocks(statement):
            _insert_before(inner, found, one)
