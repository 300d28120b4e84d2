"""Analysis: where the names of a function occur. It is computed once, so that long functions stay cheap."""

from __future__ import annotations

from weft.cuda.contents import assigned_whole, changed_in
from weft.cuda.traverse import blocks, own_nodes
from weft.cuda.tree import Assign, Expression, For, If, Jump, Name, Return, Statement, While

_Leaving = Return | Jump
_Loop = For | While

_NOWHERE: tuple[int, ...] = ()


class Occurrences:
    """The places of names in the blocks of a function, as they were when this was made."""

    def __init__(self, body: list[Statement]) -> None:
        # Statements as they were: a pass that replaces some meanwhile does not change the answers.
        self._statements: dict[int, list[Statement]] = {}
        self._reads: dict[int, frozenset[str]] = {}
        self._positions: dict[int, dict[str, list[int]]] = {}
        self._last_change: dict[int, dict[str, int]] = {}
        self._ends: dict[int, int] = {}
        self._block(body)

    def _block(self, block: list[Statement]) -> tuple[set[str], set[str]]:
        """Note the names of a block; returns those that occur in it, and those that change."""
        self._statements[id(block)] = list(block)
        positions: dict[str, list[int]] = {}
        last_change: dict[str, int] = {}
        self._ends[id(block)] = len(block)
        for number, statement in enumerate(block):
            occurring, changed = self._statement(statement)
            for name in occurring:
                positions.setdefault(name, []).append(number)
            for name in changed:
                last_change[name] = number
            if isinstance(statement, _Leaving):
                self._ends[id(block)] = min(self._ends[id(block)], number)
        self._positions[id(block)] = positions
        self._last_change[id(block)] = last_change
        return set(positions), set(last_change)

    def _statement(self, statement: Statement) -> tuple[set[str], set[str]]:
        nodes = own_nodes(statement)
        reads = _own_reads(statement, nodes)
        self._reads[id(statement)] = reads
        occurring = set(reads)
        changed = changed_in((statement,), nodes)
        if parts := blocks(statement):
            for part in parts:
                inner, inner_changed = self._block(part)
                occurring |= inner
                changed |= inner_changed
            if isinstance(statement, For):
                # The loop declares its own variable; in its body the name is that one.
                occurring -= {statement.name} - reads
        return occurring | set(assigned_whole(statement)), changed

    def positions(self, block: list[Statement], name: str) -> tuple[int, ...] | list[int]:
        """The statements of a block in which a name occurs, by number."""
        return self._positions[id(block)].get(name, _NOWHERE)

    def reads_itself(self, statement: Statement, name: str) -> bool:
        """Whether the statement itself (not its blocks) reads the name."""
        return name in self._reads[id(statement)]

    def changes_after(self, block: list[Statement], position: int, name: str) -> bool:
        """Whether a later statement of the block changes the name, wholly or in part."""
        return self._last_change[id(block)].get(name, -1) > position

    def flow(self, block: list[Statement], name: str) -> tuple[bool, bool]:
        """(may read the name before assigning it, assigns it on every path that leaves at the end)."""
        end = self._ends[id(block)]
        for position in self.positions(block, name):
            if position > end:
                break
            statement = self._statements[id(block)][position]
            if isinstance(statement, _Leaving):
                return True, True
            if self.reads_itself(statement, name):
                return True, False
            if name in assigned_whole(statement):
                return False, True
            if isinstance(statement, If):
                reads, assigned = zip(*(self.flow(part, name) for part in blocks(statement)), strict=True)
                if any(reads):
                    return True, False
                if all(assigned):
                    return False, True
            elif isinstance(statement, _Loop) and self.flow(statement.body, name)[0]:
                return True, False
        return False, end < len(block)


def _own_reads(statement: Statement, nodes: list[Expression]) -> frozenset[str]:
    """The names that a statement itself reads, not its blocks, by the nodes of its own expressions."""
    if isinstance(statement, Assign) and isinstance(statement.target, Name) and not statement.operator:
        # The target comes last, and is only written.
        nodes = nodes[:-1]
    return frozenset([node.name for node in nodes if isinstance(node, Name)])
