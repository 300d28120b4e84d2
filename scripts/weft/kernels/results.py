"""How an idiom ends: the result of each thread is stored, and the docstring says what it is."""

from __future__ import annotations

from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.program import Expr, Name
from weft.kernels.vocabulary import plural
from weft.types import Type


def finish(k: Builder, name: str, value: Expr, doc: str) -> None:
    """Store each thread's result; completes the docstring."""
    k.store(output(k, plural(name), value.type), k.target, result(k, name, value))
    describe(k, doc)


def output(
    k: Builder, name: str, type: Type, role: str = "out", values: dict[str, Any] | None = None
) -> ArrayHandle:
    """An output array with one element for each thread."""
    return k.array(name, type, k.shape, values, role)


def result(k: Builder, name: str, value: Expr) -> Expr:
    """The value, named where a person would name it."""
    if isinstance(value, Name) or name in k.names or k.rng.chance(k.policy.inline_result):
        return value
    return k.let(name, value)


def unused(k: Builder, *names: str) -> str:
    """One of the names that nothing in the kernel has yet, alone, in the plural, or as a setting."""
    taken = k.names | {field for one in k.structs for field, _ in one.fields}
    free = [one for one in names if one not in taken and plural(one) not in taken]
    return k.rng.pick(*free) if free else f"output_{names[0]}"


def named(k: Builder, name: str, value: Expr) -> Name:
    """The value under a name, as it is used more than once."""
    if isinstance(value, Name):
        return value
    return k.let(name if name not in k.names else f"final_{name}", value)


def describe(k: Builder, doc: str) -> None:
    """The docstring: a sentence about the idiom, and one for each thing that the holes changed."""
    k.doc = " ".join(f"{one}." for one in [doc, *dict.fromkeys(k.notes)])
