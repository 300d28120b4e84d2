"""Pass: the threads of a block wait for each other where one reads what another wrote, and nowhere else.

Before: loops that share the work on tiles follow one another. After: between two accesses to a tile of which
one writes, and which different threads may make to the same element, there is a barrier on every path.

An access in a shared loop whose indices are the loop's own coordinates belongs to one thread: element e to
thread e % blockDim.x, whatever the loop. Two such accesses, in loops over one shape, need no barrier.
"""

from __future__ import annotations

import dataclasses

from weft.cuda.analysis.linear import key_of
from weft.cuda.tiles.loops import THREAD, barrier
from weft.cuda.traverse import blocks, expressions, statements, walk
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Component,
    Declare,
    Element,
    Expression,
    For,
    If,
    Jump,
    Literal,
    Member,
    Name,
    Statement,
    While,
)
from weft.types import Array, Tile

COLLECTIVE = {"barrier", "total"}
"""Effects of calls that every thread of the block must make; each ends with a barrier."""


@dataclasses.dataclass(frozen=True)
class Access:
    """An access to a tile, or to an array that tiles are loaded from and stored to.

    `owner` says by whom: equal owners are one thread for one element; None is any thread.
    """

    name: str
    writes: bool
    owner: tuple[tuple[int, ...], str] | None

    def conflicts(self, other: Access) -> bool:
        if self.name != other.name or not (self.writes or other.writes):
            return False
        return self.owner is None or self.owner != other.owner


Pending = frozenset[Access]


def insert_barriers(body: list[Statement], fixed: set[str], together: set[str]) -> None:
    """Run the pass on a function's body; `fixed` are names that never change in it, `together` the keys of
    functions in which the threads work on tiles together.
    """
    _Inserter(_exchanged(body), fixed, together).block(body, frozenset(), True, [])


def is_shared_work(body: list[Statement], together: set[str]) -> bool:
    """Whether the threads of a block work together in a function, so that all of them must call it."""
    return any(_is_collective(statement, together) for statement in statements(body))


def _exchanged(body: list[Statement]) -> set[str]:
    """Arrays that are both read and written."""
    read: set[str] = set()
    written: set[str] = set()
    for statement in statements(body):
        target = _place(statement.target) if isinstance(statement, Assign) else None
        for root in expressions(statement):
            places = {id(_place(part.place)) for part in walk(root) if isinstance(part, AddressOf)}
            for part in walk(root):
                if (
                    isinstance(part, Element)
                    and isinstance(part.array, Name)
                    and not isinstance(part.type, Array)
                ):
                    changes = part is target or id(part) in places
                    (written if changes else read).add(part.array.name)
    return read & written


class _Inserter:
    def __init__(self, exchanged: set[str], fixed: set[str], together: set[str]) -> None:
        self.exchanged = exchanged
        self.fixed = fixed
        self.together = together

    def block(self, block: list[Statement], pending: Pending, final: bool, exits: list[Pending]) -> Pending:
        """What is pending after the block; barriers are inserted where `final`. `exits` collects what is
        pending at jumps out of it.
        """
        position = 0
        while position < len(block):
            statement = block[position]
            if self._needs_barrier(statement, pending):
                pending = frozenset()
                if final:
                    block.insert(position, barrier())
                    position += 1
            pending = self._after(statement, pending, final, exits)
            position += 1
        return pending

    def _needs_barrier(self, statement: Statement, pending: Pending) -> bool:
        accesses = self._own(statement) if self._is_open(statement) else self._all(statement)
        return any(one.conflicts(before) for one in accesses for before in pending)

    def _after(self, statement: Statement, pending: Pending, final: bool, exits: list[Pending]) -> Pending:
        if not self._is_open(statement):
            if isinstance(statement, Jump):
                exits.append(pending)
            if _has_collective_call(statement):
                return frozenset()
            return pending | self._all(statement)
        match statement:
            case If(body=body, otherwise=otherwise):
                before = pending | self._own(statement)
                return self.block(body, before, final, exits) | self.block(otherwise, before, final, exits)
            case For(body=body) | While(body=body):
                return self._loop(statement, body, pending, final)
            case _:
                return pending

    def _loop(self, statement: Statement, body: list[Statement], pending: Pending, final: bool) -> Pending:
        """The body may follow itself: what is pending at its end is so at its beginning."""
        own = self._own(statement)
        entry = pending | own
        while True:
            exits: list[Pending] = []
            end = self.block(body, entry, False, exits).union(*exits) | own
            if end <= entry:
                break
            entry |= end
        exits = []
        end = self.block(body, entry, final, exits).union(*exits)
        return pending | own | end

    def _is_open(self, statement: Statement) -> bool:
        """Whether barriers may stand within the statement: all threads run through it together."""
        if (
            not blocks(statement)
            or (isinstance(statement, If) and statement.divergent)
            or (isinstance(statement, For) and statement.across)
        ):
            return False
        return any(_is_collective(inner, self.together) for inner in statements([statement]))

    def _own(self, statement: Statement) -> Pending:
        """Accesses of the statement itself, not of its blocks."""
        return frozenset(_accesses(statement, (), set(), self.exchanged, "") | self._calls(statement))

    def _all(self, statement: Statement) -> Pending:
        """Accesses of the statement and its blocks."""
        across: tuple[int, ...] = ()
        known: set[str] = set()
        loop = ""
        if isinstance(statement, For) and statement.across:
            across = statement.across
            coordinates = {s.name for s in statement.body if isinstance(s, Declare) and s.below is not None}
            known = coordinates | {statement.name} | self.fixed
            loop = statement.name
        found: set[Access] = set()
        for inner in statements([statement]):
            found |= _accesses(inner, across, known, self.exchanged, loop) | self._calls(inner)
        return frozenset(found)

    def _calls(self, statement: Statement) -> set[Access]:
        """What functions do to the tiles that they are given, and to their own, which outlive the call."""
        found: set[Access] = set()
        for root in expressions(statement):
            for part in walk(root):
                if isinstance(part, Call) and part.user:
                    writes = part.user in self.together
                    given = [
                        a.name for a in part.arguments if isinstance(a, Name) and isinstance(a.type, Tile)
                    ]
                    found |= {Access(name, writes, None) for name in given}
                    found |= {Access("()", True, None)} if writes else set()
        return found


def _is_collective(statement: Statement, together: set[str]) -> bool:
    if isinstance(statement, For) and statement.across:
        return True
    if isinstance(statement, If) and statement.divergent:
        return True
    parts = [part for root in expressions(statement) for part in walk(root)]
    return any(_is_collective_call(e) or (isinstance(e, Call) and e.user in together) for e in parts)


def _is_collective_call(expression: Expression) -> bool:
    return isinstance(expression, Call) and expression.effect in COLLECTIVE


def _has_collective_call(statement: Statement) -> bool:
    return any(_is_collective_call(e) for root in expressions(statement) for e in walk(root))


def _accesses(
    statement: Statement, across: tuple[int, ...], known: set[str], exchanged: set[str], loop: str
) -> set[Access]:
    """Accesses of a statement's own expressions; `known` are the names that make an index the loop's own,
    `loop` is its variable.
    """
    found: set[Access] = set()
    if isinstance(statement, Jump):
        return found
    written = {id(_place(statement.target))} if isinstance(statement, Assign) else set()
    for root in expressions(statement):
        for part in walk(root):
            if isinstance(part, AddressOf):
                written.add(id(_place(part.place)))
    for root in expressions(statement):
        for part in walk(root):
            name = _name(part, exchanged)
            if name is None:
                continue
            indices = part.indices if isinstance(part, Component | Element) else []
            owner = None
            if across and _are_known(indices, known):
                owner = (across, ",".join(_key(index, loop) for index in indices))
            elif [key_of(index) for index in indices] == [THREAD] and isinstance(part, Component):
                owner = _own_place(part)
            found.add(Access(name, id(part) in written, owner))
            if isinstance(statement, Assign) and id(part) in written and statement.operator:
                found.add(Access(name, False, owner))
    return found


def _key(index: Expression, loop: str) -> str:
    return THREAD if isinstance(index, Name) and index.name == loop else key_of(index)


def _own_place(part: Component) -> tuple[tuple[int, ...], str] | None:
    """Element e of a tile of one dimension where e is the thread's own place: nobody else's."""
    kind = part.value.type
    return (kind.shape, THREAD) if isinstance(kind, Tile) and len(kind.shape) == 1 else None


def _name(part: Expression, exchanged: set[str]) -> str | None:
    match part:
        case Component(value=Name(name=name, type=Tile())):
            return name
        case Element(array=Name(name=name, type=Array()), type=kind) if name in exchanged and not isinstance(
            kind, Array
        ):
            return name
        case _:
            return None


def _are_known(indices: list[Expression], known: set[str]) -> bool:
    """Whether the indices are made of known names and numbers alone: equal texts are then equal places."""
    parts = [part for index in indices for part in walk(index)]
    return all(
        isinstance(part, Binary | Literal) or (isinstance(part, Name) and part.name in known)
        for part in parts
    )


def _place(target: Expression) -> Expression:
    """The element that an assignment changes, of which `target` may be a part."""
    while isinstance(target, Member) or (
        isinstance(target, Component) and not isinstance(target.value, Name)
    ):
        target = target.value
    return target
