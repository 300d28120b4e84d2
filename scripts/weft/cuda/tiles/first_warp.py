"""Pass: a tile that the first warp has alone is reduced by that warp.

Before: all threads of the block reduce their values, of which those beyond the tile change nothing. After:
where no thread but those of the first warp has an element, or goes on with the result, shuffles are enough.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence

from weft.cuda.grid import WARP
from weft.cuda.tiles.loops import THREAD
from weft.cuda.traverse import blocks, expressions, is_name, statements, walk
from weft.cuda.tree import (
    Assign,
    Binary,
    Call,
    Expression,
    Function,
    If,
    Literal,
    Name,
    Share,
    Statement,
    Unary,
)
from weft.intrinsics import Effect

_Places = Sequence[tuple[Statement, bool]]
"""Statements, and for each whether the first warp alone does it."""


def reduce_in_first_warp(function: Function) -> None:
    """Run the pass on a function of blocks of several warps."""
    places = list(_places(function.body, False))
    for statement in statements(function.body):
        match statement:
            case Assign(
                target=Name(name=result), value=Call(arguments=[value, *_], helper=(helper, kinds)) as call
            ):
                own = isinstance(value, Name) and _is_of_first_warp(value.name, places)
                if helper.startswith("block_") and own and _is_for_first_warp(result, places):
                    alone = helper.replace("block_", "warp_")
                    statement.value = dataclasses.replace(call, function=alone, helper=(alone, kinds))


def _places(block: list[Statement], first: bool) -> Iterator[tuple[Statement, bool]]:
    for statement in block:
        yield statement, first
        inside = first
        match statement:
            case Share(shape=shape, start=None):
                inside = inside or math.prod(shape) <= WARP
            case If(test=test, otherwise=[]):
                inside = inside or _is_of_first_thread(test)
        for inner in blocks(statement):
            yield from _places(inner, inside)


def _is_of_first_thread(test: Expression) -> bool:
    match test:
        case Binary(operator="&&", left=left):
            return _is_of_first_thread(left)
        case Binary(operator="==", left=Name(name=name), right=Literal(value=0)):
            return name == THREAD
        case _:
            return False


def _is_of_first_warp(name: str, places: _Places) -> bool:
    """Whether no thread of another warp gives a variable a value that counts."""
    values = [(s.value, first) for s, first in places if isinstance(s, Assign) and is_name(s.target, name)]
    others = [value for value, first in values if not first]
    return len(others) < len(values) and all(_is_constant(value, places) for value in others)


def _is_constant(value: Expression, places: _Places) -> bool:
    """Whether a value is a number, perhaps by its name."""
    if isinstance(value, Unary):
        value = value.operand
    if not isinstance(value, Name):
        return isinstance(value, Literal)
    return not any(isinstance(one, Assign) and is_name(one.target, value.name) for one, _ in places)


def _is_for_first_warp(name: str, places: _Places) -> bool:
    """Whether no thread of another warp reads a variable, or what it is copied to."""
    for statement, first in places:
        if first or not any(is_name(node, name) for root in expressions(statement) for node in walk(root)):
            continue
        match statement:
            case Assign(target=target, operator="", value=Call(effect=Effect.COLLECTIVE)) if is_name(
                target, name
            ):
                continue
            case Assign(target=Name(name=other), operator="", value=Name()) if other != name:
                if not _is_for_first_warp(other, places):
                    return False
            case _:
                return False
    return True
