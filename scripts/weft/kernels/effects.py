"""Calls that are statements: builtins with several results, those that change a variable, and own arrays.

Builtins have one record each, as in `operators`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from weft.kernels.body import Body
from weft.kernels.expressions import lift
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import (
    Assign,
    Call,
    Callee,
    Change,
    Expr,
    Item,
    Literal,
    Name,
    Number,
    Undefined,
    Unpack,
)
from weft.kernels.types import I32, MAT44, QUAT, VEC3, warp_name
from weft.types import Array, Quaternion, Scalar, Transform, Tuple, Type, Vector


@dataclasses.dataclass(frozen=True, slots=True)
class Several:
    """`results` gives the types from the operand's type (None: not allowed), `intervals` the bounds."""

    results: Callable[[Type], tuple[Type, ...] | None]
    intervals: Callable[[Interval], tuple[Interval, ...]]


_UNIT = Interval(-1.0, 1.0)

SEVERAL: dict[str, Several] = {
    "quat_to_axis_angle": Several(
        lambda q: (Vector(3, q.scalar), q.scalar) if isinstance(q, Quaternion) else None,
        lambda _: (_UNIT, Interval(0.0, math.pi)),
    ),
    "transform_decompose": Several(
        lambda m: (VEC3, QUAT, VEC3) if m == MAT44 else None,
        lambda m: (m, _UNIT, Interval(0.0, 2.0 * m.magnitude)),
    ),
}
CHANGES: dict[str, Callable[[Scalar], Type]] = {
    "transform_set_translation": lambda scalar: Vector(3, scalar),
    "transform_set_rotation": Quaternion,
}
"""What each builtin puts into a transform."""


def results(k: Body, function: str, names: Sequence[str], operand: Expr) -> tuple[Name, ...]:
    """`a, b = wp.function(operand)`. Raises Undefined where the type forbids it."""
    record = SEVERAL[function]
    types = record.results(operand.type)
    if types is None:
        raise Undefined(f"{function}({operand.type})")
    bounds = record.intervals(operand.interval)
    targets = tuple(
        Name(of, limits, k.fresh(name)) for name, of, limits in zip(names, types, bounds, strict=True)
    )
    k._append(Unpack(targets, Call(Tuple(types), EVERYTHING, f"wp.{function}", (operand,))))
    return targets


def change(k: Body, function: str, variable: Name, value: Expr) -> None:
    """`wp.function(variable, value)`, for a transform made by `var`. Raises Undefined for other types."""
    whole = variable.type
    if not isinstance(whole, Transform) or value.type != CHANGES[function](whole.scalar):
        raise Undefined(f"{function}({whole}, {value.type})")
    k._knowledge.assign(variable, variable.interval.hull(value.interval))
    k._append(Change(Call(whole, EVERYTHING, f"wp.{function}", (variable, value))))


@dataclasses.dataclass(slots=True, eq=False)
class OwnArray:
    """An array of zeros in the thread's own memory: `a[i]` reads, `a.put(i, value)` writes."""

    k: Body
    variable: Name
    element: Scalar
    length: int

    def __getitem__(self, index: Expr | int) -> Item:
        place = lift(index, I32)
        if not place.interval.within(0, self.length - 1):
            raise Undefined(f"index {place.interval} into {self.variable.name} of {self.length} elements")
        return Item(self.element, self.variable.interval, self.variable, (place,))

    def put(self, index: Expr | int, value: Expr | Number) -> None:
        """`a[index] = value`, within the bounds that the array was made for."""
        self.k.set(self[index], value)


def zeros(k: Body, name: str, element: Scalar, length: int, low: float, high: float) -> OwnArray:
    """`name = wp.zeros(shape=length, dtype=element)`; what is put there later lies in [low, high]."""
    bounds = Interval(low, high, element.is_integer)
    variable = Name(Array(element, 1), bounds, k.fresh(name), mutable=True)
    keywords = (
        ("shape", Literal(I32, Interval(length, length, integral=True), length)),
        ("dtype", Callee(element, EVERYTHING, warp_name(element))),
    )
    k._knowledge.declare(variable, bounds, bounds)
    k._append(Assign(variable, Call(variable.type, bounds, "wp.zeros", (), keywords)))
    return OwnArray(k, variable, element, length)
