"""Pass: variables are declared where they belong.

Before: assignments to names, as in Python. After: every local variable is declared in the innermost block
that holds all of its life, `const` if it never changes, at its first assignment where that is possible, and
without a value where every path assigns it before it is read.
"""

from __future__ import annotations

from weft.cuda.source import FunctionSource
from weft.cuda.traverse import assigned_whole, blocks, changed_names, expressions, statements, walk
from weft.cuda.tree import (
    Assign,
    Declare,
    Expression,
    For,
    Function,
    If,
    Jump,
    Name,
    Remark,
    Return,
    Statement,
    Threads,
    Unpack,
    While,
)
from weft.cuda.values import zero
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
    _Declarer(types).block(function.body, names)


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


def _reads(expression: Expression, name: str) -> bool:
    return any(isinstance(node, Name) and node.name == name for node in walk(expression))


def _own_reads(statement: Statement, name: str) -> bool:
    """Whether the statement itself (not its blocks) reads the name."""
    for root in expressions(statement):
        plain_target = isinstance(statement, Assign) and root is statement.target and not statement.operator
        if plain_target and isinstance(root, Name):
            continue
        if _reads(root, name):
            return True
    return False


def _occurs(statement: Statement, name: str) -> bool:
    if isinstance(statement, For) and statement.name == name:
        return any(_reads(root, name) for root in expressions(statement))
    if _own_reads(statement, name) or name in assigned_whole(statement):
        return True
    return any(_occurs(inner, name) for block in blocks(statement) for inner in block)


def _flow(block: list[Statement], name: str) -> tuple[bool, bool]:
    """(may read the name before assigning it, assigns it on every path that leaves at the end)."""
    for statement in block:
        if isinstance(statement, Return | Jump):
            return any(_reads(root, name) for root in expressions(statement)), True
        if _own_reads(statement, name):
            return True, False
        if name in assigned_whole(statement):
            return False, True
        if isinstance(statement, If):
            reads, assigned = zip(*(_flow(part, name) for part in blocks(statement)), strict=True)
            if any(reads):
                return True, False
            if all(assigned):
                return False, True
        elif isinstance(statement, For | While):
            if isinstance(statement, For) and statement.name == name:
                continue
            if _flow(statement.body, name)[0]:
                return True, False
    return False, False


class _Declarer:
    def __init__(self, types: dict[str, Type]) -> None:
        self.types = types

    def block(self, block: list[Statement], names: list[str]) -> None:
        """Declare `names`, whose whole life is in this block."""
        inner: dict[int, list[str]] = {}
        here: list[str] = []
        for name in names:
            holders = [s for s in block if _occurs(s, name)]
            if not holders:
                continue
            independent = all(blocks(s) and not _flow([s], name)[0] for s in holders)
            if independent and all(self._within(s, name) for s in holders):
                for statement in holders:
                    for part in blocks(statement):
                        if any(_occurs(one, name) for one in part):
                            inner.setdefault(id(part), []).append(name)
            else:
                here.append(name)
        for statement in block:
            for part in blocks(statement):
                if id(part) in inner:
                    self.block(part, inner[id(part)])
        for name in here:
            self._declare(block, name, set(here))

    @staticmethod
    def _within(statement: Statement, name: str) -> bool:
        """Whether each block of the statement can have the variable to itself."""
        return not _own_reads(statement, name) and all(not _flow(part, name)[0] for part in blocks(statement))

    def _declare(self, block: list[Statement], name: str, here: set[str]) -> None:
        position = next(i for i, s in enumerate(block) if _occurs(s, name))
        first = block[position]
        rest = block[position + 1 :]
        plain = not _own_reads(first, name)
        if isinstance(first, Assign) and plain and not first.operator and name in assigned_whole(first):
            constant = name not in changed_names(rest)
            block[position] = Declare(
                first.target.type, name, first.value, constant, trailing=first.trailing, node=first.node
            )
            return
        if isinstance(first, Unpack) and plain and self._declares_all(block, position, first, here):
            if not first.declares:
                first.declares = True
                first.constant = not set(first.names) & changed_names(rest)
            return
        reads, _ = _flow(block, name)
        value = zero(self.types[name]) if reads else None
        while position and isinstance(block[position - 1], Remark) and block[position - 1].text:  # type: ignore[attr-defined]
            position -= 1
        block.insert(position, Declare(self.types[name], name, value, node=first.node))

    def _declares_all(self, block: list[Statement], position: int, first: Unpack, here: set[str]) -> bool:
        """Whether all names of an unpacking begin their life there, in this block."""
        before = block[:position]
        return (
            set(first.names) <= here
            and not any(_occurs(s, name) for s in before for name in first.names)
            and not any(isinstance(s, Declare) and s.name in first.names for s in before)
            and all(name in self.types and not _own_reads(first, name) for name in first.names)
        )
