"""Rules for atomics: updates of array elements that many threads may make at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from weft.cuda.device_functions import ATOMICS
from weft.cuda.helpers.atomics import direct
from weft.cuda.helpers.text import scalar_of
from weft.cuda.rules import Rule, UnsupportedError, Use
from weft.cuda.tree import AddressOf, Call, Element, Expression, Unary
from weft.intrinsics import Effect
from weft.types import Array, Scalar, Struct


def place(array: Expression, indices: Sequence[Expression]) -> Expression:
    """The element that an atomic works on."""
    if not isinstance(array.type, Array):
        raise UnsupportedError("atomics work on elements of arrays")
    if len(indices) != array.type.ndim:
        raise UnsupportedError(f"an atomic on an array of {array.type.ndim} dimensions takes as many indices")
    return Element(array.type.element, array, list(indices))


def atomic(operation: str) -> Rule:
    """An atomic update that returns the old value."""

    def rule(use: Use) -> Expression:
        array, *rest = use.arguments
        count = 2 if operation == "compare" else 1
        indices, values = rest[:-count], rest[-count:]
        target = place(array, indices)
        return update(operation, target, values)

    return rule


def update(operation: str, target: Expression, values: Sequence[Expression]) -> Expression:
    """The call that updates `target`. A subtraction adds the negative, as Warp does."""
    kind = target.type
    values = list(values)
    if operation == "sub" and not (isinstance(kind, Scalar) and direct("sub", kind)):
        operation, values = "add", [Unary(value.type, "-", value) for value in values]
    if isinstance(kind, Struct | Array):
        raise UnsupportedError(f"an atomic update of {kind} is not supported: update its members")
    scalar = scalar_of(kind)
    if scalar.name not in ATOMICS[operation].types:
        raise UnsupportedError(f"CUDA has no atomic {operation} on {scalar}: use a 32-bit or 64-bit type")
    arguments = [AddressOf(kind, target), *values]
    if isinstance(kind, Scalar) and (name := direct(operation, kind)):
        return Call(kind, name, arguments, effect=Effect.ATOMIC, stem="old")
    name = f"{operation}_atomically"
    return Call(kind, name, arguments, (name, (kind,)), Effect.ATOMIC, "old")


def fetching(call: Call) -> Call:
    """The form of an atomic on a vector or matrix that returns the old value."""
    if call.helper and call.helper[0].endswith("_atomically") and not isinstance(call.type, Scalar):
        name = "fetch_" + call.helper[0].removesuffix("_atomically")
        return dataclasses.replace(call, function=name, helper=(name, call.helper[1]))
    return call
