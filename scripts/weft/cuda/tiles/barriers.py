"""Pass: the threads of a block wait for each other where one needs what another wrote, and nowhere else.

Before: the threads' shares of work on tiles follow one another. After: between two accesses to an element, of
which one writes and which different threads may make, there is a barrier on every path.
"""

from __future__ import annotations

from weft.cuda.analysis.uses import may_be_empty
from weft.cuda.grid import WARP
from weft.cuda.tiles.accesses import Access, Accesses, AccessFinder, is_collective
from weft.cuda.tiles.loops import barrier
from weft.cuda.traverse import blocks, own_nodes, statements
from weft.cuda.tree import Assign, Call, For, Function, If, Jump, Literal, Name, Share, Statement, While
from weft.intrinsics import Effect


def place_barriers(function: Function, finder: AccessFinder, block_dim: int) -> None:
    """Run the pass on a function. A block of one warp waits for that alone."""
    _Placer(finder, "__syncwarp" if block_dim == WARP else "__syncthreads").block(
        function.body, frozenset(), True, []
    )


class _Placer:
    """`count` is how many barriers were found to be needed, whether they were placed or not."""

    def __init__(self, finder: AccessFinder, barrier: str) -> None:
        self.finder = finder
        self.barrier = barrier
        self.count = 0

    def block(
        self, block: list[Statement], pending: Accesses, final: bool, exits: list[Accesses]
    ) -> Accesses:
        """The accesses since the last barrier, after the block; barriers are placed where `final`. `exits`
        collects them at jumps out of it.
        """
        position = 0
        while position < len(block):
            statement = block[position]
            if self._needs_barrier(statement, pending):
                pending = frozenset()
                self.count += 1
                if final:
                    block.insert(_before_constants(block, position), barrier(self.barrier))
                    position += 1
            pending = self._after(statement, pending, final, exits)
            position += 1
        return pending

    def _needs_barrier(self, statement: Statement, pending: Accesses) -> bool:
        is_open = self._is_open(statement)
        found = self.finder.of_one(statement) if is_open else self.finder.of([statement])
        if any(one.conflicts(b) for one in (*found, *_slots(statement, "write")) for b in pending):
            return True
        if not is_open or not pending or not isinstance(statement, For | While):
            return False
        # One barrier before a loop is better than one in each turn.
        own = frozenset(found)
        return self._turns(statement.body, own, pending | own)[1] > self._turns(statement.body, own, own)[1]

    def _after(self, statement: Statement, pending: Accesses, final: bool, exits: list[Accesses]) -> Accesses:
        if not self._is_open(statement):
            if isinstance(statement, Jump):
                exits.append(pending)
            if _ends_with_barrier(statement):
                return frozenset()
            slots = _slots(statement, "read")
            return (frozenset() if slots else pending) | self.finder.of([statement]) | slots
        match statement:
            case If(body=body, otherwise=otherwise):
                before = pending | self.finder.of_one(statement)
                return self.block(body, before, final, exits) | self.block(otherwise, before, final, exits)
            case For(body=body) | While(body=body):
                return self._loop(statement, body, pending, final)
            case _:
                return pending

    def _loop(self, statement: Statement, body: list[Statement], pending: Accesses, final: bool) -> Accesses:
        """The body may follow itself: what is pending at its end is so at its beginning, unless it ends with
        a barrier, which is as good as one further up, and what one expects to see.
        """
        own = frozenset(self.finder.of_one(statement))
        first = pending | own
        entry, count = self._turns(body, own, first)
        _, alone = self._tried(body, first)
        jumps = any(isinstance(inner, Jump) for inner in statements(body))
        if final and alone < count and not jumps:
            body.append(barrier(self.barrier))
            entry = first
        exits: list[Accesses] = []
        end = self.block(body, entry, final, exits).union(*exits)
        runs = isinstance(statement, For) and not may_be_empty(statement)
        return own | end if runs else pending | own | end

    def _turns(self, body: list[Statement], own: Accesses, entry: Accesses) -> tuple[Accesses, int]:
        """What may be pending at the beginning of a turn, and how many barriers a turn then needs."""
        while True:
            end, count = self._tried(body, entry)
            if (end | own) <= entry:
                return entry, count
            entry |= end | own

    def _tried(self, body: list[Statement], entry: Accesses) -> tuple[Accesses, int]:
        """What is pending after the body, and how many barriers it needs, if none is placed yet."""
        before, exits = self.count, list[Accesses]()
        end = self.block(body, entry, False, exits).union(*exits)
        count, self.count = self.count - before, before
        return end, count

    def _is_open(self, statement: Statement) -> bool:
        """Whether barriers may stand within the statement: all threads run through it together."""
        divergent = isinstance(statement, If) and statement.divergent
        return (
            bool(blocks(statement))
            and not divergent
            and not isinstance(statement, Share)
            and (
                is_collective([statement], self.finder.block_collective)
                or (isinstance(statement, For | While) and self._exchanges(statement))
            )
        )

    def _exchanges(self, loop: Statement) -> bool:
        """Whether threads read in a loop what others write there; all of them run through one that does."""
        found = self.finder.of([loop])
        return any(one.conflicts(other) for one in found for other in found)


def _slots(statement: Statement, how: str) -> Accesses:
    """Accesses of the helpers that a statement calls: threads exchange values through slots in shared memory,
    which they write before a barrier of the helper's own, and read after it. So may functions with tiles.
    """
    calls = [part for part in own_nodes(statement) if isinstance(part, Call)]
    calls = [one for one in calls if one.effect & Effect.COLLECTIVE and one.function.startswith("block_")]
    names = {f"{call.function} {call.helper[1]}" for call in calls if call.helper}
    return frozenset(Access(name, how) for name in names) | {Access("()", "read") for _ in names}


def _before_constants(block: list[Statement], position: int) -> int:
    """A barrier stands before the first values of what its next statement adds up."""
    while position and _is_first_value(block[position - 1]):
        position -= 1
    return position


def _is_first_value(statement: Statement) -> bool:
    return (
        isinstance(statement, Assign)
        and isinstance(statement.target, Name)
        and isinstance(statement.value, Literal | Name)
    )


def _ends_with_barrier(statement: Statement) -> bool:
    return any(isinstance(part, Call) and part.effect & Effect.BARRIER for part in own_nodes(statement))
