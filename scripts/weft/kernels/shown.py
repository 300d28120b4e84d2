"""What a kernel must show for its category: rotations by quaternions, elements around its own."""

from __future__ import annotations

from collections.abc import Iterator

from weft.kernels.builder import Builder
from weft.kernels.program import Binary, Call, Conditional, Expr, Item, Name
from weft.kernels.statements import every_statement, own_expressions, parts
from weft.types import Array, Quaternion, Transform


def _expressions(k: Builder) -> Iterator[Expr]:
    """All expressions of a kernel, or of all kernels of a program, and of their functions."""
    written = [(k.body, k.functions), *((one.body, one.functions) for one in k.parts)]
    for own, functions in written:
        for body in (own, *(one.body for one in functions)):
            waiting = [each for statement in every_statement(body) for each in own_expressions(statement)]
            while waiting:
                node = waiting.pop()
                yield node
                waiting += parts(node)


def rotates(k: Builder) -> bool:
    """Does a kernel compute with quaternions or poses?"""
    rotations = (Quaternion, Transform)
    return any(
        isinstance(one, (Binary, Call))
        and any(isinstance(each.type, rotations) for each in (one, *parts(one)))
        for one in _expressions(k)
    )


def looks_around(k: Builder) -> bool:
    """Does a kernel read elements at computed places, or a tile?"""
    if k.block_dim is not None:
        return True
    return any(
        isinstance(one, Item)
        and isinstance(one.value, Name)
        and isinstance(one.value.type, Array)
        and any(isinstance(each, (Binary, Call, Conditional)) for each in one.indices)
        for one in _expressions(k)
    )
