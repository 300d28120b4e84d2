"""Where the numbers of a thread come from: elements of arrays, alone, in rows and in records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.program import Expr
from weft.kernels.types import scalar_of
from weft.kernels.words import plural
from weft.types import Scalar, Type


def read(
    k: Builder,
    name: str,
    low: float,
    high: float,
    type: Type | None = None,
    *,
    array: str | None = None,
    inline: bool = False,
) -> Expr:
    """This thread's element of an input array with components in [low, high], named unless `inline`."""
    element = type or k.real
    values = uniform(low, high) if scalar_of(element).is_float else whole(int(low), int(high))
    item = k.array(array or plural(name), element, k.shape, values)[k.index]
    if inline or (isinstance(element, Scalar) and k.rng.chance(k.policy.inline_load)):
        return item
    return k.let(name if name not in k.names else f"{name}_value", item)


def row(
    k: Builder, name: str, size: str, width: int, values: dict[str, Any], type: Scalar | None = None
) -> Callable[[Expr | int], Expr]:
    """A row of `width` numbers for each thread of a line: a function reads one. `size` names the width."""
    (i,) = k.index
    k.sizes[size] = str(width)
    handle = k.array(name, type or k.real, ["n", size], values)
    return lambda j: handle[i, j]


def records(
    k: Builder, name: str, title: str, doc: str, fields: dict[str, tuple[Type, float, float]]
) -> tuple[Expr, Callable[[str], Expr]]:
    """This thread's element of an input array of structs, and a function that gives its members."""
    struct = k.struct(title, doc, [(field, of) for field, (of, _, _) in fields.items()])
    members = {
        field: uniform(low, high) if scalar_of(of).is_float else whole(int(low), int(high))
        for field, (of, low, high) in fields.items()
    }
    handle = k.array(plural(name), struct, k.shape, {"members": members})
    value = k.let(name, handle[k.index])
    assert handle.members is not None
    bounds = handle.members
    return value, lambda field: k.member(value, field, bounds[field])
