"""Pass: what the threads do with the elements of one tile after another becomes one loop.

Before: every operation on tiles is a Share of its own. After: a Share is part of an earlier one over the same
elements if nothing between them, and no other thread, can tell.
"""

from __future__ import annotations

import dataclasses
import math

from weft.cuda.analysis.uses import Uses
from weft.cuda.contents import assigned_whole, changed_in_block, mentioned_names
from weft.cuda.tiles.accesses import Accesses, AccessFinder, is_collective
from weft.cuda.traverse import all_blocks, all_expressions, names_of, own_nodes, rename_in, statements
from weft.cuda.tree import (
    Assign,
    Call,
    Evaluate,
    For,
    Function,
    Jump,
    Name,
    Native,
    Remark,
    Return,
    Share,
    Statement,
)
from weft.intrinsics import Effect
from weft.types import Array, Reference, Tile

_Fixed = Jump | Return | Native
_Crossed = Assign | Evaluate | Remark | Share


def merge_shares(function: Function, finder: AccessFinder, block_dim: int) -> None:
    """Run the pass on a function. Of tiles with an element for each thread there is nothing to merge."""
    comparer = _Comparer(finder, private_names(function))
    for block in all_blocks(function.body):
        position = 0
        while position < len(block):
            share = block[position]
            if isinstance(share, Share) and math.prod(share.shape) != block_dim:
                into = _merged(block, position, share, comparer)
                if into < position:
                    # What it is a part of now may follow it further up.
                    position = into
                    continue
            position += 1


def private_names(function: Function) -> set[str]:
    """Variables that each element of a Share gives a value before it reads them, and nothing else reads."""
    shares = [statement for statement in statements(function.body) if isinstance(statement, Share)]
    inside = {id(inner) for share in shares for inner in statements(share.body)}
    shares = [share for share in shares if id(share) not in inside]
    outside = [statement for statement in statements(function.body) if id(statement) not in inside]
    others = names_of(node for statement in outside for node in own_nodes(statement))
    others |= {name for name, _ in function.parameters}
    found: set[str] = set()
    for share in shares:
        given = {name for inner in statements(share.body) for name in assigned_whole(inner)}
        given -= Uses(share.body).exposed(share.body)
        others |= mentioned_names(share.body) - given
        found |= given
    return found - others


def _merged(block: list[Statement], position: int, share: Share, comparer: _Comparer) -> int:
    """Move a Share, and the assignments that it needs, up to an earlier one, if they may; returns where it is
    then.
    """
    moving: list[Statement] = []
    for at in range(position - 1, -1, -1):
        other = block[at]
        apart = all(comparer.may_swap(other, one) for one in moving)
        if isinstance(other, Share) and apart and comparer.may_merge(other, share):
            rename_in(share.body, dict(zip(share.coordinates, other.coordinates, strict=True)))
            other.body += share.body
            stay = [one for one in block[at:position] if all(one is not moved for moved in moving)]
            block[at : position + 1] = [*moving, *stay]
            return at + len(moving)
        # A part of a reduction goes to another; what is only loaded is better off where it is needed.
        collective = (
            isinstance(other, Assign)
            and is_collective([other], comparer.finder.block_collective)
            and not moving
        )
        if isinstance(other, _Crossed) and not collective and apart and comparer.may_swap(other, share):
            continue
        if not isinstance(other, Assign) or not isinstance(other.target, Name) or collective:
            return position
        moving.insert(0, other)
    return position


@dataclasses.dataclass(frozen=True)
class _Effects:
    """The variables that a statement reads and changes, and what it accesses; `stays`: it keeps its place."""

    reads: set[str]
    writes: set[str]
    accesses: Accesses
    stays: bool

    def meets(self, other: _Effects) -> bool:
        return bool(
            self.stays
            or other.stays
            or self.writes & (other.reads | other.writes)
            or self.reads & other.writes
        )


class _Comparer:
    """Says which statements of a function may change places or be done together; `private` as above."""

    def __init__(self, finder: AccessFinder, private: set[str]) -> None:
        self.finder = finder
        self.private = private

    def may_merge(self, first: Share, second: Share) -> bool:
        """Whether each element may go through both Shares at once."""
        if first.shape != second.shape or first.start or second.start:
            return False
        one, other = self._effects(first), self._effects(second)
        return not one.meets(other) and not any(a.conflicts(b) for a in one.accesses for b in other.accesses)

    def may_swap(self, first: Statement, second: Statement) -> bool:
        """Whether two statements may change places: a thread's own elements count as well."""
        one, other = self._effects(first), self._effects(second)
        return not one.meets(other) and not any(
            a.name == b.name and (a.how, b.how) != ("read", "read")
            for a in one.accesses
            for b in other.accesses
        )

    def _effects(self, statement: Statement) -> _Effects:
        nodes = all_expressions([statement])
        known = {node.name for node in nodes if isinstance(node, Name) and isinstance(node.type, Tile)}
        known |= self.private
        if isinstance(statement, Share):
            known |= {inner.name for inner in statements(statement.body) if isinstance(inner, For)}
            known |= set(statement.coordinates)
        return _Effects(
            names_of(nodes) - known,
            changed_in_block([statement]) - known,
            self.finder.of([statement]),
            (isinstance(statement, Remark) and bool(statement.text))
            or any(isinstance(inner, _Fixed) for inner in statements([statement]))
            or any(isinstance(node, Call) and _stays(node) for node in nodes),
        )


def _stays(call: Call) -> bool:
    """Whether a call may do more than access elements of its arguments."""
    if call.user:
        return any(isinstance(argument.type, Array | Reference | Tile) for argument in call.arguments)
    return bool(call.effect & ~(Effect.ATOMIC | Effect.COLLECTIVE))
