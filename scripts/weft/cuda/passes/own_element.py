"""Pass: one row of threads, where all that they ask of their coordinates is the offset of their own element.

Before: `cells[j * nx + i]` in a launch of two dimensions, and no other use of `j` and `i`. After:
`cells[index]` in a launch of one dimension, which is as long as there are elements.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection
from typing import TypeGuard

from weft.cuda import launch_assumptions
from weft.cuda.analysis.linear import Key, key_of
from weft.cuda.grid import LINEAR
from weft.cuda.passes.launch_place import LaunchPlace, Place, after_guard, guard, number_along
from weft.cuda.passes.offsets import SIGNED_SIZE, SIZE, times, widened
from weft.cuda.passes.own_checks import take_checks
from weft.cuda.traverse import all_expressions, rewrite_block
from weft.cuda.tree import (
    BOOL,
    INT,
    Binary,
    Call,
    Declare,
    Expression,
    Function,
    Name,
    Remark,
    Statement,
)
from weft.sizes import Size


def use_one_row(kernel: Function, launch: LaunchPlace) -> None:
    """Run the pass on a kernel in which all extents are parameters."""
    place = launch.place
    if place is None or launch_assumptions.may_be_wide_product(launch.launch, place.sizes):
        return
    lines = {id(line) for line in place.lines}
    rest = [statement for statement in kernel.body if id(statement) not in lines]
    own, nodes = _own_offset(place), all_expressions(rest)
    offsets = {id(node) for node in nodes if isinstance(node, Binary) and _key(node) == own}
    mentions = sum(isinstance(node, Name) and node.name in place.coordinates for node in nodes)
    if mentions != len(offsets) * len(place.coordinates):
        return
    named = next((one for one in rest if _names(one, offsets)), None)
    index = Name(INT, launch.extents.free("index") if named is None else named.name)
    rest = [statement for statement in rest if statement is not named]
    rewrite_block(rest, lambda node: _of_type(node, index) if id(node) in offsets else node)
    size = " * ".join(f"({size})" for size in place.sizes)
    row = dataclasses.replace(launch.launch, dims=(size,))
    checks = take_checks([index.name], rest, row, launch.written)
    count, covered = checks.limits.get(index.name) or (_count(kernel, place, launch, size), size)
    launch.grid, launch.covered = LINEAR, (covered,)
    above: list[Statement] = [*place.lines, *([named] if named else []), *checks.before]
    texts = dict.fromkeys(line.trailing for line in above if line.trailing)
    node = above[0].node
    kernel.body[:] = [
        Declare(INT, index.name, number_along("x", "x"), True, trailing="; ".join(texts), node=node),
        *(line for line in above if isinstance(line, Remark)),
        dataclasses.replace(guard(Binary(BOOL, ">=", index, count), checks.trailing), node=node),
        *after_guard(checks.rest),
    ]


def _names(statement: Statement, offsets: Collection[int]) -> TypeGuard[Declare]:
    """Whether a statement gives the offset of the thread's own element a name."""
    return (
        isinstance(statement, Declare)
        and statement.constant
        and statement.type == INT
        and id(statement.value) in offsets
    )


def _count(kernel: Function, place: Place, launch: LaunchPlace, size: Size) -> Expression:
    """The number of elements: a parameter, or the product of extents that the kernel is given anyway."""
    given = {name for name, _ in kernel.parameters}
    if any(isinstance(one, Name) and one.name in given for one in place.extents):
        return functools.reduce(times, place.extents)
    return launch.extents.size(size, "count")


def _own_offset(place: Place) -> Key:
    """What the offset of the thread's element in an array of the launch's shape looks like."""
    first, *others = place.coordinates
    offset: Expression = Name(INT, first)
    for name, extent in zip(others, place.extents[1:], strict=True):
        offset = Binary(INT, "+", Binary(INT, "*", offset, extent), Name(INT, name))
    return _key(offset)


def _key(offset: Expression) -> Key:
    """The key of an offset, whatever the width in which it is computed."""
    if isinstance(offset, Binary):
        return f"{offset.operator}({_key(offset.left)},{_key(offset.right)})"
    if isinstance(offset, Call) and offset.type in (SIZE, SIGNED_SIZE) and len(offset.arguments) == 1:
        return _key(offset.arguments[0])
    return key_of(offset)


def _of_type(offset: Expression, index: Name) -> Expression:
    return widened(Name(INT, index.name)) if offset.type == SIZE else Name(INT, index.name)
