"""Pass: an offset that several elements share has a name.

Before: `out[y * width + x] = a[y * width + x] + b[y * width + x]`. After: `const int index = y * width + x;`
before the first use, in the innermost block that holds all of them. Only offsets of plain names are named:
`y * width + x + 1` says how a neighbour lies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from weft.cuda.contents import contents
from weft.cuda.passes.offsets import SIGNED_SIZE, SIZE
from weft.cuda.traverse import blocks, own_nodes, statements
from weft.cuda.tree import (
    Binary,
    Call,
    Declare,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Statement,
    Unpack,
)

_FEWEST = 3
"""Uses of an offset; two are read more easily where they stand."""


def name_offsets(function: Function, taken: Collection[str]) -> None:
    """Run the pass on a function in which all extents are parameters; `taken` are names of its extents."""
    before = contents(function)
    parameters = {name for name, _ in function.parameters} | set(taken)
    names = _Names(before.changed, before.taken | set(taken))
    _name_in(function.body, parameters - before.changed, set(), names)


class _Names:
    """The names of one function: those that are `changed`, and all that are taken."""

    def __init__(self, changed: Collection[str], taken: set[str]) -> None:
        self.changed = changed
        self.taken = taken

    def fresh(self, use: Pointee) -> str:
        array = use.base.name if isinstance(use.base, Name) else "element"
        name = next(name for name in _spellings(array) if name not in self.taken)
        self.taken.add(name)
        return name


def _spellings(array: str) -> Iterator[str]:
    yield from ("index", f"{array}_index")
    number = 2
    while True:
        yield f"index_{number}"
        number += 1


def _name_in(block: list[Statement], outer: set[str], counters: set[str], names: _Names) -> None:
    """Name the offsets that can be computed in this block but not round it, then those of the blocks in it.
    `outer` are names with one value for the whole block, which is run for each value of the `counters`.
    """
    own = {name for one in block for name in _declared(one)} - set(names.changed) | counters
    known = own | outer
    uses: dict[str, list[Pointee]] = {}
    for node in _elements(block):
        read = _plain(node.offset)
        if read is not None and len(read) > 1 and read <= known and not read <= outer:
            uses.setdefault(repr(node.offset), []).append(node)
    for group in uses.values():
        if len(group) >= _FEWEST:
            _declare(block, group, names)
    for statement in block:
        counted = {statement.name} - set(names.changed) if isinstance(statement, For) else set()
        for inner in blocks(statement):
            _name_in(inner, known, counted, names)


def _declared(statement: Statement) -> list[str]:
    match statement:
        case Declare(name=name):
            return [name]
        case Unpack(names=names, declares=True):
            return names
        case _:
            return []


def _elements(block: Sequence[Statement]) -> list[Pointee]:
    return [node for one in statements(list(block)) for node in own_nodes(one) if isinstance(node, Pointee)]


def _plain(offset: Expression) -> set[str] | None:
    """The names of which an offset is made, and nothing but factors beside them; None for any other."""
    match offset:
        case Name(name=name):
            return {name}
        case Binary(operator="*", left=left, right=Literal()):
            return _plain(left)
        case Binary(operator="+" | "*", left=left, right=right):
            one, other = _plain(left), _plain(right)
            return None if one is None or other is None else one | other
        case Call(type=kind, arguments=[only]) if kind in (SIZE, SIGNED_SIZE):
            return _plain(only)
        case _:
            return None


def _declare(block: list[Statement], group: Sequence[Pointee], names: _Names) -> None:
    """Put the name before the first use, and in the place of all: in a branch if that holds them all."""
    holders = [one for one in block if _among(group, [one])]
    if len(holders) == 1 and isinstance(holders[0], If):
        for inner in blocks(holders[0]):
            if len(_among(group, inner)) == len(group):
                _declare(inner, group, names)
                return
    offset = group[0].offset
    name = names.fresh(group[0])
    first = next(i for i, one in enumerate(block) if one is holders[0])
    block.insert(first, Declare(offset.type, name, offset, True))
    for node in group:
        node.offset = Name(offset.type, name)


def _among(group: Sequence[Pointee], block: Sequence[Statement]) -> list[Pointee]:
    """The members of a group that are in a block."""
    members = {id(node) for node in group}
    return [node for node in _elements(block) if id(node) in members]
