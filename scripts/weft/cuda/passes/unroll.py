"""Pass: `#pragma unroll` for short loops that tell the components of a local vector or matrix.

Registers have no addresses: what a loop indexes stays in registers only if the loop is unrolled, and lies in
local memory otherwise. An index may follow from the variables of several loops, through other variables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from weft.cuda.analysis.linear import names_in
from weft.cuda.traverse import all_expressions, blocks, statements
from weft.cuda.tree import (
    Binary,
    Call,
    Component,
    Declare,
    Expression,
    For,
    Function,
    Literal,
    Name,
    Statement,
)
from weft.types import Matrix, Vector

_LONGEST = 16
"""The most turns of a loop that is unrolled for what it indexes itself."""

_TURNS = 256
"""The most turns of all loops together from which an index follows."""


def unroll_loops(function: Function, constants: Mapping[str, Literal]) -> None:
    """Run the pass on one function; `constants` are the module's."""
    given = {name for name, _ in function.parameters} if function.kernel else set()
    values = {name: one.value for name, one in constants.items() if isinstance(one.value, int)}
    _Unroller(function.body, given).run(function.body, [], {name: (one, one) for name, one in values.items()})


class _Unroller:
    """`origins` are the names from which each variable that is declared once follows; `given` are no local
    values.
    """

    def __init__(self, body: Sequence[Statement], given: set[str]) -> None:
        self.given = given
        declared = [one for one in statements(body) if isinstance(one, Declare) and one.constant]
        self.origins = {one.name: names_in(one.value) for one in declared if one.value is not None}

    def run(
        self, block: Sequence[Statement], around: Sequence[For], known: Mapping[str, tuple[int, int]]
    ) -> None:
        """Mark loops of a block in the loops `around` it whose turns are known, as numbers are."""
        for one in block:
            inner, values = around, known
            if isinstance(one, For) and one.stride is None and (bounds := _bounds(one, known)) is not None:
                inner, values = [*around, one], {**known, one.name: bounds}
                if _turns(bounds, one.step) <= _LONGEST:
                    indices = self._indices(one.body)
                    one.unrolled |= any(one.name in names_in(index) for index in indices)
                for index in self._indices(one.body):
                    self._unroll_all(index, inner, values)
            for body in blocks(one):
                self.run(body, inner, values)

    def _unroll_all(
        self, index: Expression, loops: Sequence[For], known: Mapping[str, tuple[int, int]]
    ) -> None:
        """Mark the loops from whose variables alone an index follows."""
        names = names_in(index)
        while derived := {name for name in names - known.keys() if name in self.origins}:
            names = (names - derived).union(*(self.origins[name] for name in derived))
        told = [one for one in loops if one.name in names]
        turns = [_turns(known[one.name], one.step) for one in told]
        most = _LONGEST if len(told) == 1 else _TURNS
        if names <= known.keys() and math.prod(turns) <= most:
            for one in told:
                one.unrolled = True

    def _indices(self, block: Sequence[Statement]) -> list[Expression]:
        """What tells components of local values."""
        found: list[Expression] = []
        for node in all_expressions(block):
            match node:
                case Component(value=Name(type=Vector() | Matrix(), name=name), indices=indices):
                    found += indices if name not in self.given else []
                case Call(function="component" | "component_ref", arguments=[Name(), index]):
                    found.append(index)
        return found


def _bounds(loop: For, known: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    """The first and the last number that a loop's variable may have."""
    start, stop = _interval(loop.start, known), _interval(loop.stop, known)
    if start is None or stop is None:
        return None
    return (start[0], stop[1] - 1) if loop.step > 0 else (stop[0] + 1, start[1])


def _turns(bounds: tuple[int, int], step: int) -> int:
    return len(range(bounds[0], bounds[1] + 1, abs(step)))


def _interval(value: Expression, known: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    """Between which numbers a sum of numbers and known names lies."""
    match value:
        case Literal(value=int(number)):
            return number, number
        case Name(name=name):
            return known.get(name)
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            one, other = _interval(left, known), _interval(right, known)
            if one is None or other is None:
                return None
            low, high = other if operator == "+" else (-other[1], -other[0])
            return one[0] + low, one[1] + high
        case _:
            return None
