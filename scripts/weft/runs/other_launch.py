"""A launch with other extents, constants and segments than its description has: what a launcher takes is the
caller's to choose, and a program that has it from the description is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from weft.sizes import evaluate_size, size_names

ADDED = 5
"""One extent is longer than described by less than this."""
MANY = 257
"""More than threads that blocks usually have."""
FEW = 30
"""Base sizes up to here may have extents of 1, and of MANY."""


def other_launch(launch: Mapping[str, Any], numbers: Sequence[Any], extremes: bool = False) -> dict[str, Any]:
    """A launch description (JSON) with other definitions of the sizes that a launcher takes by name among its
    `numbers`. Inputs with edges may have other values of what is passed by value and described as a constant,
    and empty or long segments.

    What is described as a number c is from c / 2 to 2 c, another for each base size. With `extremes` it is 1
    for base sizes up to FEW, but the first of such sizes is c + MANY for a base size of 1, and the second for
    the others: not a side of square matrices, which mean cubic time. Where several sizes
    follow from the base size alone, each but n is longer by a few, so that none says what another is. A size
    that follows from other sizes does so as before. A parameter whose value is described as a size that is a
    number c, of which the arrays have the room, is from three quarters of c to c.
    """
    taken = {name for one in numbers if isinstance(one, str) for name in size_names(one)}
    growing = [name for name in taken if name == "n" or _names(launch, name) == {"n"}]
    sizes: dict[str, str] = {}
    chosen = 0
    for name, size in launch["sizes"].items():
        if name in taken and not _names(launch, name) and int(size) > 1:
            sizes[name] = f"{int(size) // 2 + 1} + n % {int(size) * 3 // 2}"
            is_side = any(one["shape"].count(name) > 1 for one in launch["parameters"].values())
            if extremes:
                place = None if is_side else chosen
                sizes[name] = _with_extremes(sizes[name], int(size) + MANY, place)
            chosen += not is_side
        elif name in growing and len(growing) > 1:
            sizes[name] = f"{size} + n % {ADDED}"
        else:
            sizes[name] = size
    parameters = dict(launch["parameters"])
    for name, parameter in launch["parameters"].items():
        size = (parameter["values"] or {}).get("size")
        if size is not None and name not in sizes and not size_names(size):
            value = evaluate_size(size, {})
            sizes[name] = f"{value - value // 4} + n % {value // 4 + 1}"
            parameters[name] = {**parameter, "values": {"size": name}}
    varies = {"varies": True} if any(map(_varies, launch["parameters"].values())) else {}
    return {**launch, "sizes": sizes, "parameters": parameters, **varies}


def _with_extremes(size: str, many: int, place: int | None) -> str:
    """A size that is 1 for small base sizes, or `many` for some of them: for which, its place says."""
    is_large, is_one = f"min(n // {FEW + 1}, 1)", "(1 - min(n - 1, 1))"
    one = f"1 + {is_large} * ({size} - 1)"
    if place == 0:
        return f"{one} + {is_one} * {many - 1}"
    return f"{one} + (1 - {is_large} - {is_one}) * {many - 1}" if place == 1 else one


def _names(launch: Mapping[str, Any], name: str) -> frozenset[str]:
    return size_names(launch["sizes"][name])


def _varies(parameter: Mapping[str, Any]) -> bool:
    values = parameter["values"] or {}
    return "offsets" in values or ("constant" in values and not parameter["shape"])
