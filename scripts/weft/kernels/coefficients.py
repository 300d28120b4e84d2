"""Where the numbers that shape a computation live: in the text, the signature, a struct, or a table."""

from __future__ import annotations

import functools
from typing import Any

from weft.kernels.builder import Builder
from weft.kernels.expressions import lift
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import Expr, Name, Parameter
from weft.kernels.reserved import breaks_warp
from weft.kernels.types import F32
from weft.kernels.words import plural, words
from weft.types import Struct


@functools.lru_cache(maxsize=4096)
def _short(value: float) -> float:
    """A bound without the digits that arithmetic leaves at its end."""
    return float(f"{value:.6g}")


def uniform(low: float, high: float) -> dict[str, Any]:
    """The recipe of floats in [low, high)."""
    return {"uniform": [_short(low), _short(high)]}


UNIT = {"unit": [-1.0, 1.0]}
"""The recipe of vectors and rotations of unit length; positions of poses lie in [-1, 1)."""


def whole(low: int, high: int) -> dict[str, Any]:
    """Integers in [low, high], as recipes have it: the upper bound is excluded."""
    return {"integers": [low, high + 1]}


_KINDS = {"l": ("literal", "constant"), "p": ("parameter",), "e": ("element",)}


def coefficient(k: Builder, name: str, low: float, high: float, *, kinds: str = "lpe") -> Expr:
    """A number that shapes the computation: in the text, a parameter, a member of a struct, or an element.

    `kinds` limits the choice: any of l(iteral, also as a constant of the module), p(arameter), e(lement of an
    array).
    """
    if k.in_struct and "p" in kinds and k.real == F32:
        title = "".join(part.capitalize() for part in k.name.split("_"))
        return struct_member(k, title, f"Settings for {words(k.name)}.", name, low, high)
    wanted = [kind for letter in kinds for kind in _KINDS[letter] if k.shape or letter != "e"]
    allowed = {kind: weight for kind, weight in k.policy.coefficient.items() if kind in wanted}
    match k.rng.weighted(allowed) if allowed else wanted[0]:
        case "literal":
            return lift(k.rng.number(low, high), k.real)
        case "constant":
            return k.constant(name, k.real, k.rng.number(low, high))
        case "parameter":
            return k.scalar(name, k.real, uniform(low, high))
        case _:
            return k.array(plural(name), k.real, k.shape, uniform(low, high))[k.index]


def struct_member(k: Builder, title: str, doc: str, name: str, low: float, high: float) -> Expr:
    """A member of the struct of settings, which is of the type `{title}Params`."""
    if k.params is None:
        k.struct(f"{title}Params", doc, [])
        label = k.fresh(k.rng.pick("params", "settings"))
        k.parameters.append(Parameter(label, Struct(f"{title}Params"), "in", (), {"members": {}}))
        k.params = Name(Struct(f"{title}Params"), EVERYTHING, label)
    definition = next(one for one in k.structs if Struct(one.name) == k.params.type)
    parameter = next(one for one in k.parameters if one.name == k.params.name)
    assert parameter.values is not None
    members: dict[str, Any] = parameter.values["members"]
    field, fields = name, dict(definition.fields)
    while field in fields:
        field = f"other_{field}"
    if breaks_warp(field):
        return k.scalar(field, k.real, uniform(low, high))
    definition.fields.append((field, k.real))
    members[field] = uniform(low, high)
    return k.member(k.params, field, Interval(low, high))
