"""Pass: variables are declared where they belong.

Before: assignments to names, as in Python. After: every local variable is declared in the innermost block
that holds all of its life, `const` if it never changes, at its first assignment where that is possible, and
without a value where every path assigns it before it is read.
"""

from __future__ import annotations

from weft.cuda.analysis.uses import Uses
from weft.cuda.contents import assigned_whole, changed_names, mentioned_names
from weft.cuda.traverse import above, blocks, statements
from weft.cuda.tree import Assign, Declare, Function, Name, Statement, Threads, Unpack
from weft.cuda.values import zero
from weft.function_source import FunctionSource
from weft.types import Type


def declare(function: Function, source: FunctionSource) -> None:
    """Run the pass on one function. Refuses names that take values of two types."""
    parameters = {name for name, _ in function.parameters}
    for statement in function.body:
        if isinstance(statement, Threads):
            later = function.body[function.body.index(statement) + 1 :]
            changed = changed_names(later)
            statement.declares = [name not in changed for name in statement.names]
            parameters |= set(statement.names)
    types = _types(function.body, source)
    names = [name for name in _in_order(function.body) if name not in parameters]
    unread = _unread_results(function.body) - parameters
    _Declarer(types, Uses(function.body), unread).block(function.body, names)
    for statement in statements(function.body):
        if isinstance(statement, Unpack) and not statement.declares:
            statement.names = ["" if name in unread else name for name in statement.names]


def _types(block: list[Statement], source: FunctionSource) -> dict[str, Type]:
    """The type of every assigned name. Refuses names that take values of several types."""
    types: dict[str, Type] = {}
    for statement in statements(block):
        found: list[tuple[str, Type]] = []
        if isinstance(statement, Assign) and isinstance(statement.target, Name):
            found = [(statement.target.name, statement.target.type)]
        elif isinstance(statement, Unpack):
            found = list(zip(statement.names, statement.types, strict=True))
        for name, kind in found:
            if types.setdefault(name, kind) != kind:
                raise source.refusal(
                    statement.node or source.definition,
                    f"{name!r} takes values of two types, {types[name]} and {kind}: use two names",
                )
    return types


def _in_order(block: list[Statement]) -> list[str]:
    """Assigned names in the order of their first assignment; loop variables declare themselves."""
    names: list[str] = []
    for statement in statements(block):
        if isinstance(statement, Assign) and isinstance(statement.target, Name):
            names.append(statement.target.name)
        elif isinstance(statement, Unpack):
            names += statement.names
    return list(dict.fromkeys(names))


def _unread_results(block: list[Statement]) -> set[str]:
    """Names of results that no expression mentions."""
    names = {name for one in statements(block) if isinstance(one, Unpack) for name in one.names}
    return names and names - mentioned_names(block)


class _Declarer:
    """Declares the variables of one function, whose `uses` are those before any declaration; of `unread` ones
    only those that are declared where a function gives its results.
    """

    def __init__(self, types: dict[str, Type], uses: Uses, unread: set[str]) -> None:
        self.types = types
        self.uses = uses
        self.unread = unread

    def block(self, block: list[Statement], names: list[str]) -> None:
        """Declare `names`, whose whole life is in this block."""
        found = self.uses
        inner: dict[int, list[str]] = {}
        here: list[str] = []
        for name in names:
            holders = [block[i] for i in found.positions(block, name)]
            if not holders:
                continue
            if all(blocks(s) and self._within(s, name) for s in holders):
                for statement in holders:
                    for part in blocks(statement):
                        if found.positions(part, name):
                            inner.setdefault(id(part), []).append(name)
            else:
                here.append(name)
        self._declare(block, here)
        for statement in block:
            for part in blocks(statement):
                if id(part) in inner:
                    self.block(part, inner[id(part)])

    def _within(self, statement: Statement, name: str) -> bool:
        """Whether each block of the statement can have the variable to itself."""
        found = self.uses
        return name not in found.reads(statement) and not any(
            name in found.exposed(part) for part in blocks(statement)
        )

    def _declare(self, block: list[Statement], here: list[str]) -> None:
        """Declare variables in this block: at their first assignment, or before their first use."""
        found = self.uses
        first_uses = {name: found.positions(block, name)[0] for name in here}
        unset: dict[int, list[Statement]] = {}
        for name, position in first_uses.items():
            first = block[position]
            plain = name not in found.reads(first)
            if isinstance(first, Assign) and plain and not first.operator and name in assigned_whole(first):
                constant = not found.changes_after(block, position, name)
                block[position] = Declare(
                    first.target.type, name, first.value, constant, trailing=first.trailing, node=first.node
                )
            elif isinstance(first, Unpack) and plain and self._declares_all(first, position, first_uses):
                first.declares = True
                first.constant = not any(found.changes_after(block, position, n) for n in first.names)
            elif name not in self.unread:
                value = zero(self.types[name]) if name in found.exposed(block) else None
                place = above(block, position)
                unset.setdefault(place, []).append(Declare(self.types[name], name, value, node=first.node))
        for position in sorted(unset, reverse=True):
            block[position:position] = unset[position]

    def _declares_all(self, first: Unpack, position: int, first_uses: dict[str, int]) -> bool:
        """Whether all names of an unpacking begin their life there, in this block."""
        found = self.uses
        return all(
            first_uses.get(name) == position and name not in found.reads(first) for name in first.names
        )
