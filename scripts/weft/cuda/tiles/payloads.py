"""Pass: keys are sorted alone where nobody reads the values that change places with them.

`wp.tile_sort` takes values in any case.
"""

from __future__ import annotations

from collections import Counter

from weft.cuda.contents import root_name
from weft.cuda.traverse import all_blocks, all_expressions, names_of, statements, walk
from weft.cuda.tree import AddressOf, Assign, Call, Function, Name, Share, Shared, Statement

_SORTS = ("block_sort", "warp_sort")


def drop_payloads(function: Function) -> None:
    """Drop arrays in shared memory that are filled and sorted by keys, and no more."""
    nodes = all_expressions(function.body)
    sorts = [node for node in nodes if isinstance(node, Call) and node.function in _SORTS]
    mentioned = Counter(node.name for node in nodes if isinstance(node, Name))
    own = [one.name for one in statements(function.body) if isinstance(one, Shared)]
    for name in [one for one in own if one in map(_payload, sorts)]:
        along = [sort for sort in sorts if _payload(sort) == name]
        filled = [one for one in statements(function.body) if _fills(one, name)]
        if mentioned[name] != len(filled) + len(along):
            continue
        for sort in along:
            keys, _, count = sort.arguments
            assert sort.helper is not None
            sort.arguments, sort.helper = [keys, count], (sort.function, sort.helper[1][:1])
        for block in all_blocks(function.body):
            block[:] = [one for one in block if not (_fills(one, name) or _declares(one, name))]
        for block in all_blocks(function.body):
            block[:] = [one for one in block if not (isinstance(one, Share) and not one.body)]


def _payload(sort: Call) -> str:
    """The array of the values."""
    values = sort.arguments[1]
    return (root_name(values.place) or "") if isinstance(values, AddressOf) else ""


def _fills(statement: Statement, name: str) -> bool:
    """Whether this gives an element of an array a value that is not read from it."""
    return (
        isinstance(statement, Assign)
        and not statement.operator
        and root_name(statement.target) == name
        and name not in names_of(walk(statement.value))
    )


def _declares(statement: Statement, name: str) -> bool:
    return isinstance(statement, Shared) and statement.name == name
