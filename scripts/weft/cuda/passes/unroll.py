"""Pass: `#pragma unroll` for short loops that index the components of a local vector or matrix.

Registers have no addresses: what a loop indexes stays in registers only if the loop is unrolled, and lies in
local memory otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

from weft.cuda.analysis.linear import names_in
from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import Component, Expression, For, Function, Literal, Name
from weft.types import Matrix, Vector

_LONGEST = 16
"""The most turns of a loop that is unrolled."""


def unroll_loops(function: Function, constants: Mapping[str, Literal]) -> None:
    """Run the pass on one function; `constants` are the module's."""
    given = {name for name, _ in function.parameters} if function.kernel else set()
    for loop in statements(function.body):
        if not isinstance(loop, For) or loop.stride is not None:
            continue
        first, stop = (_number(end, constants) for end in (loop.start, loop.stop))
        if first is not None and stop is not None and len(range(first, stop, loop.step)) <= _LONGEST:
            loop.unrolled |= any(_indexes(one, loop.name, given) for one in all_expressions(loop.body))


def _number(end: Expression, constants: Mapping[str, Literal]) -> int | None:
    if isinstance(end, Name):
        end = constants.get(end.name, end)
    return end.value if isinstance(end, Literal) and isinstance(end.value, int) else None


def _indexes(node: Expression, variable: str, given: set[str]) -> bool:
    """Whether a node is a component of a local value that a variable tells; `given` are no such values."""
    match node:
        case Component(value=Name(type=Vector() | Matrix(), name=name), indices=indices):
            return name not in given and any(variable in names_in(one) for one in indices)
        case _:
            return False
