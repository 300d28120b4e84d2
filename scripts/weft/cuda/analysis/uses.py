"""Where the names of a function are given values and read. It is computed once, so that long functions stay
cheap.
"""

from __future__ import annotations

from collections.abc import Mapping

from weft.cuda.contents import assigned_whole, changed_in
from weft.cuda.traverse import blocks, names_of, own_nodes
from weft.cuda.tree import (
    Assign,
    Binary,
    Declare,
    Expression,
    For,
    If,
    Jump,
    Literal,
    Name,
    Return,
    Statement,
    While,
)

_Leaving = Return | Jump

Names = frozenset[str]
_NONE: Names = frozenset()


class Uses:
    """The names in the blocks of a function, as they were when this was made."""

    def __init__(self, body: list[Statement]) -> None:
        self._reads: dict[int, Names] = {}
        self._positions: dict[int, dict[str, list[int]]] = {}
        self._last_change: dict[int, dict[str, int]] = {}
        self._exposed: dict[int, Names] = {}
        # What every path that leaves a block at its end gives a value; None where no path does.
        self._assigned: dict[int, Names | None] = {}
        self._block(body)

    def positions(self, block: list[Statement], name: str) -> list[int]:
        """The statements of a block in which a name occurs, by number."""
        return self._positions[id(block)].get(name, [])

    def reads(self, statement: Statement) -> Names:
        """The names that the statement itself (not its blocks) reads."""
        return self._reads[id(statement)]

    def changes_after(self, block: list[Statement], position: int, name: str) -> bool:
        """Whether a later statement of the block changes the name, wholly or in part."""
        return self._last_change[id(block)].get(name, -1) > position

    def exposed(self, block: list[Statement]) -> Names:
        """The names that a block may read before it gives them a value."""
        return self._exposed[id(block)]

    def overwritten(self, statement: Statement) -> Names:
        """The names that a statement gives a value on every path that goes on, and reads on none before."""
        return (self._assigned_by(statement) or _NONE) - self._exposed_by(statement)

    def _block(self, block: list[Statement]) -> tuple[set[str], set[str]]:
        """Note the names of a block; returns those that occur in it, and those that change."""
        positions: dict[str, list[int]] = {}
        last_change: dict[str, int] = {}
        exposed: set[str] = set()
        assigned: set[str] | None = set()
        for number, statement in enumerate(block):
            occurring, changed = self._statement(statement)
            for name in occurring:
                positions.setdefault(name, []).append(number)
            for name in changed:
                last_change[name] = number
            if assigned is not None:
                exposed |= self._exposed_by(statement) - assigned
                after = self._assigned_by(statement)
                assigned = None if after is None else assigned | after
        self._positions[id(block)] = positions
        self._last_change[id(block)] = last_change
        self._exposed[id(block)] = frozenset(exposed)
        self._assigned[id(block)] = None if assigned is None else frozenset(assigned)
        return set(positions), set(last_change)

    def _statement(self, statement: Statement) -> tuple[set[str], set[str]]:
        nodes = own_nodes(statement)
        reads = _own_reads(statement, nodes)
        self._reads[id(statement)] = reads
        occurring = set(reads)
        changed = changed_in((statement,), nodes)
        for part in blocks(statement):
            inner, inner_changed = self._block(part)
            occurring |= inner
            changed |= inner_changed
        if isinstance(statement, For):
            # The loop declares its own variable; in its body the name is that one.
            occurring -= {statement.name} - reads
        return occurring | set(assigned_whole(statement)), changed

    def _exposed_by(self, statement: Statement) -> Names:
        inner = _NONE.union(*(self._exposed[id(part)] for part in blocks(statement)))
        return self._reads[id(statement)] | (
            inner - {statement.name} if isinstance(statement, For) else inner
        )

    def _assigned_by(self, statement: Statement) -> Names | None:
        """What a statement gives values on every path that goes on after it; None where none does."""
        if isinstance(statement, _Leaving):
            return None
        if isinstance(statement, Declare):
            return frozenset({statement.name})
        if not isinstance(statement, If):
            return frozenset(assigned_whole(statement))
        then, other = self._assigned[id(statement.body)], self._assigned[id(statement.otherwise)]
        if then is None or other is None:
            return then if other is None else other
        return then & other


def live_after_loops(body: list[Statement]) -> dict[int, bool]:
    """For each loop over a range in a function's body, by its id: whether its variable is read after it."""
    found: dict[int, bool] = {}
    _Liveness(Uses(body), found).before(body, _NONE, {})
    return found


class _Liveness:
    """The names that are live: read later, before they are given another value."""

    def __init__(self, uses: Uses, found: dict[int, bool]) -> None:
        self.uses = uses
        self.found = found

    def before(self, block: list[Statement], after: Names, jumps: Mapping[str, Names]) -> Names:
        """The names that are live before a block; `jumps` has those that are live where a jump lands."""
        for statement in reversed(block):
            after = self._statement(statement, after, jumps)
        return after

    def _statement(self, statement: Statement, after: Names, jumps: Mapping[str, Names]) -> Names:
        reads = self.uses.reads(statement)
        match statement:
            case Jump(keyword=keyword):
                return jumps[keyword]
            case Return():
                return reads
            case If(body=body, otherwise=otherwise):
                return reads | self.before(body, after, jumps) | self.before(otherwise, after, jumps)
            case For(name=name, body=body):
                self.found[id(statement)] = name in after
                head = self._loop(body, after, frozenset({name}))
                return reads | (head if may_be_empty(statement) else head - {name})
            case While(body=body):
                return self._loop(body, after | reads, _NONE)
            case Declare(name=name):
                return (after - {name}) | reads
            case _:
                return (after - frozenset(assigned_whole(statement))) | reads

    def _loop(self, body: list[Statement], after: Names, assigned: Names) -> Names:
        """The names that are live at the head of a loop."""
        head = after | (self.uses.exposed(body) - assigned)
        self.before(body, head, {"break": after, "continue": head})
        return head


def may_be_empty(loop: For) -> bool:
    """Whether a range is not known to have a first number."""
    if loop.step == 0:
        return True
    match loop.start, loop.stop:
        case Literal(value=int(start)), Literal(value=int(stop)):
            return not (start < stop if loop.step > 0 else start > stop)
        case Name(name=first), Binary(operator="+", left=Name(name=second), right=Literal(value=int(count))):
            return first != second or count < 1 or loop.step < 1
    return True


def _own_reads(statement: Statement, nodes: list[Expression]) -> Names:
    """The names that a statement itself reads, not its blocks, by the nodes of its own expressions."""
    if isinstance(statement, Assign) and isinstance(statement.target, Name) and not statement.operator:
        # The target comes last, and is only written.
        nodes = nodes[:-1]
    return frozenset(names_of(nodes))
