"""Pass: variables are declared where they belong.

Before: assignments to names, as in Python. After: every local variable is declared in the innermost block that holds
all of its life, `const` if it never changes, at its first assignment where that is possible, and without a value
where every path assigns it before it is read.
"""

from __future__ import annotations

from weft.cuda.expressions import zero
from weft.cuda.source import FunctionSource
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Call,
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
    all_expressions,
    blocks,
    expressions,
    mutated_arguments,
    root_name,
    statements,
    walk,
)
from weft.types import Type


def declare(function: Function, source: FunctionSource) -> None:
    """Run the pass on one function. Refuses loop variables that are read after their loop."""
    parameters = {name for name, _ in function.parameters}
    _separate_loop_variables(function.body, parameters)
    _check_loop_variables(function, source)
    for statement in function.body:
        if isinstance(statement, Threads):
            later = function.body[function.body.index(statement) + 1 :]
            changed = _changed_names(later)
            statement.declares = [name not in changed for name in statement.names]
            parameters |= set(statement.names)
    types = _types(function.body, source)
    names = [name for name in _in_order(function.body) if name not in parameters]
    _Declarer(types).block(function.body, names)


def _separate_loop_variables(block: list[Statement], parameters: set[str]) -> None:
    """Python's loop variable may be assigned without changing the iteration: give the loop a variable of its own."""
    for statement in block:
        for inner in blocks(statement):
            _separate_loop_variables(inner, parameters)
        if isinstance(statement, For) and statement.name in _changed_names(statement.body):
            own = f"{statement.name}_iteration"
            copy = Assign(Name(statement.type, statement.name), "", Name(statement.type, own))
            statement.body.insert(0, copy)
            statement.name = own


def _check_loop_variables(function: Function, source: FunctionSource) -> None:
    """Refuse reads of a loop variable after its loop: C++ has none there, Warp its last value."""
    loops = {statement.name for statement in statements(function.body) if isinstance(statement, For)}

    def check(block: list[Statement], bound: frozenset[str], ended: set[str]) -> None:
        for statement in block:
            inner = bound | {statement.name} if isinstance(statement, For) else bound
            for root in expressions(statement):
                for node in walk(root):
                    if isinstance(node, Name) and node.name in ended - bound:
                        source.refuse(
                            statement.node or source.definition,
                            f"the loop variable {node.name!r} is read after its loop: copy it in the loop",
                        )
            if (
                isinstance(statement, Assign)
                and not statement.operator
                and isinstance(statement.target, Name)
            ):
                ended.discard(statement.target.name)
            for part in blocks(statement):
                check(part, inner, ended)
            if isinstance(statement, For):
                ended.add(statement.name)

    if loops:
        check(function.body, frozenset(), set())


def _types(block: list[Statement], source: FunctionSource) -> dict[str, Type]:
    """The type of every assigned name. Refuses names that take values of several types."""
    types: dict[str, Type] = {}
    for statement in statements(block):
        found: list[tuple[str, Type]] = []
        if isinstance(statement, Assign) and isinstance(statement.target, Name):
            found = [(statement.target.name, statement.target.type)]
        elif isinstance(statement, Unpack):
            found = list(zip(statement.names, statement.types, strict=True))
        for name, type in found:
            if types.setdefault(name, type) != type:
                source.refuse(
                    statement.node or source.definition,
                    f"{name!r} takes values of two types, {types[name]} and {type}: use two names",
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
        return any(_reads(root, name) for root in (statement.start, statement.stop))
    if _own_reads(statement, name) or name in _targets(statement):
        return True
    return any(_occurs(inner, name) for block in blocks(statement) for inner in block)


def _targets(statement: Statement) -> list[str]:
    """Names that the statement itself gives a whole new value."""
    if isinstance(statement, Assign) and isinstance(statement.target, Name):
        return [statement.target.name]
    if isinstance(statement, Unpack):
        return statement.names
    return []


def _flow(block: list[Statement], name: str) -> tuple[bool, bool]:
    """(may read the name before assigning it, assigns it on every path that leaves at the end)."""
    for statement in block:
        if isinstance(statement, Return | Jump):
            return any(_reads(root, name) for root in expressions(statement)), True
        if _own_reads(statement, name):
            return True, False
        if name in _targets(statement):
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


def _changed_names(block: list[Statement]) -> set[str]:
    """Names that some statement of the block changes, wholly or in part; loop variables of its loops excepted."""
    names: set[str] = set()
    for statement in statements(block):
        if isinstance(statement, Assign) and (root := root_name(statement.target)):
            names.add(root)
        if isinstance(statement, Assign) and isinstance(statement.target, Call):
            root = root_name(statement.target.arguments[0])
            names |= {root} if root else set()
        names.update(_targets(statement))
    for expression in all_expressions(block):
        if isinstance(expression, AddressOf) and (root := root_name(expression.place)):
            names.add(root)
        if isinstance(expression, Call):
            names |= mutated_arguments(expression)
    return names


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
        if isinstance(first, Assign) and plain and not first.operator and name in _targets(first):
            constant = name not in _changed_names(rest)
            block[position] = Declare(
                first.target.type, name, first.value, constant, trailing=first.trailing, node=first.node
            )
            return
        if isinstance(first, Unpack) and plain and self._declares_all(block, position, first, here):
            if not first.declares:
                first.declares = True
                first.constant = not set(first.names) & _changed_names(rest)
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
            and all(name in self.types and not _own_reads(first, name) for name in first.names)
        )
