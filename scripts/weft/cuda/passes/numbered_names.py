"""Pass: names of the translator's without a number behind them.

Before: `total2 = warp_sum(own_total2)`, where `total` was taken when the name was chosen, perhaps by what is
gone. After: the name without its number if that is free; else a thread's part is called as the result, and
the result as the element that it becomes, or as whose it is: `own_squares`, `power`, `warp_total`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from weft.cuda.contents import contents
from weft.cuda.helpers.blocks import RESULTS
from weft.cuda.traverse import is_name, rename_in, statements
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Call,
    Declare,
    Evaluate,
    Expression,
    Function,
    Name,
    Pointee,
    Registers,
)
from weft.intrinsics import Effect
from weft.plurals import singular

_NUMBERED = re.compile(r"(.*[a-z])[2-9]")


def drop_numbers(function: Function, own: Collection[str], extents: Collection[str]) -> None:
    """Run the pass on a function of blocks; `own` are the names of its source, `extents` of its extents."""
    declared = [one for one in statements(function.body) if isinstance(one, Declare | Registers)]
    # What threads have is called as what becomes of it.
    declared.sort(key=lambda one: not (isinstance(one, Declare) and _is_collective(one.value)))
    # Of a scan, only one thread has the element that it stores last.
    scans = {one.name for one in declared if isinstance(one, Declare) and _is_scan(one.value)}
    names = dict.fromkeys(one.name for one in declared if one.name not in own)
    stems = {found[1] for name in names if (found := _NUMBERED.fullmatch(name)) is not None}
    for name in names:
        found = _NUMBERED.fullmatch(name)
        if found is None and name not in stems:
            continue
        taken = contents(function).taken | {*extents}
        words = [
            *(() if name in scans else _uses(function, name)),
            *([found[1], *_makers(function, name)] if found else []),
        ]
        if (word := next((one for one in words if one not in taken), None)) is not None:
            _rename(function, name, word)


def _is_collective(value: Expression | None) -> bool:
    return isinstance(value, Call) and bool(value.effect & Effect.COLLECTIVE)


def _is_scan(value: Expression | None) -> bool:
    return isinstance(value, Call) and "_scan_" in value.function


def _uses(function: Function, name: str) -> Iterator[str]:
    """What a variable may be called by what becomes of it."""
    for one in statements(function.body):
        match one:
            case Declare(value=Call(arguments=[Name(name=part)]) as call, name=result) if (
                part == name and _is_collective(call)
            ):
                yield f"own_{result}"
            case (
                Assign(target=Pointee(base=Name(name=array)), operator="", value=value)
                | Evaluate(value=Call(arguments=[AddressOf(place=Pointee(base=Name(name=array))), value]))
            ) if is_name(value, name) and singular(array) != array:
                yield singular(array)


def _makers(function: Function, name: str) -> Iterator[str]:
    """What a result may be called by those who make it."""
    for one in statements(function.body):
        match one:
            case Declare(value=Call(function=reduction), name=result) if result == name:
                who, _, what = reduction.rpartition("_")
                if what in RESULTS:
                    yield "inclusive" if who.endswith("scan") else f"{who.split('_')[0]}_{RESULTS[what]}"


def _rename(function: Function, name: str, word: str) -> None:
    rename_in(function.body, {name: word})
    for one in statements(function.body):
        if isinstance(one, Declare | Registers) and one.name == name:
            one.name = word
