"""What a program's own `main` says of its outputs, against what the launcher leaves for the same inputs.

Both come from the same kernels on the same device. So the numbers are equal, unless the order of threads is
free there: then an array has a Leeway.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from weft import bfloat16
from weft.inputs import packed_dtype
from weft.runs.arrays import PackedArray
from weft.types import Structs, component_scalars

_LINE = re.compile(
    r"^(?P<name>\S+): (?:first (?P<first>\S+), last (?P<last>\S+), sum (?P<sum>\S+)|(?P<number>\S+))$",
    re.MULTILINE,
)
DIGITS = {"first": 6, "last": 6, "sum": 9, "number": 9}
"""Significant digits of each number. An array of one has that `number` alone."""
_PLACES = {"first": slice(0, 1), "last": slice(-1, None), "number": slice(0, 1)}
PRINTED_BYTES = 1 << 20

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Leeway:
    """How far two launches for the same inputs may be from each other in an array: a bound for each of its
    `numbers`, and whether its elements may come in any order.
    """

    bounds: Floats
    any_order: bool = False


EXACT: Mapping[str, Leeway] = {}


def read_printed(path: Path) -> str:
    """What `main` has printed; nothing if it left no regular file."""
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(PRINTED_BYTES).decode(errors="replace")


def main_differs(
    printed: str, left: Mapping[str, PackedArray], structs: Structs, leeway: Mapping[str, Leeway] = EXACT
) -> str | None:
    """What is wrong with the output of `main`, which has a line for each of the arrays in `left`; None if
    nothing is. Arrays without a leeway have to be the same.
    """
    lines = {match["name"]: match for match in _LINE.finditer(printed)}
    for name, array in left.items():
        values = numbers(array, structs)
        if values.size == 0:
            continue
        if name not in lines:
            return f"main prints no line of {name}"
        with np.errstate(over="ignore", invalid="ignore"):
            wanted = {"first": values[0], "last": values[-1], "sum": np.add.accumulate(values)[-1]}
        if values.size == 1 and lines[name]["number"]:
            wanted = {"number": values[0]}
        for what, value in wanted.items():
            expected, got = f"{value:.{DIGITS[what]}g}", lines[name][what] or "nothing"
            if not _same(expected, got, DIGITS[what]) and not (
                name in leeway and _is_near(what, value, values, got, leeway[name])
            ):
                return f"main prints {got} for the {what} of {name}, which is {expected}"
    return None


def _is_near(what: str, value: float, values: Floats, got: str, leeway: Leeway) -> bool:
    """Whether a number may come from another launch. The bound of a sum is the sum of the bounds: its terms
    may cancel. In any order, a first or last number is any of the array.
    """
    try:
        number = float(got)
    except ValueError:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        if what == "sum":
            # Doubles that are added in another order differ, too.
            near = np.array([value])
            bounds = leeway.bounds.sum() + values.size * 2.0**-53 * np.abs(values).sum()
        else:
            places = slice(None) if leeway.any_order else _PLACES[what]
            near, bounds = values[places], leeway.bounds[places]
        printed_to = 10.0 ** (1 - DIGITS[what]) * np.abs(near)
        return bool((np.abs(near - number) <= bounds + printed_to).any())


def numbers(array: PackedArray, structs: Structs) -> Floats:
    """All components of an array as doubles, in their order."""
    packed = array.elements.reshape(-1).view(packed_dtype(array.type, structs))
    columns = []
    for number, _ in enumerate(component_scalars(array.type, structs)):
        column = packed[f"c{number}"]
        columns.append(bfloat16.as_floats(column).astype(np.float64))
    return np.stack(columns, axis=1).reshape(-1)


def _same(expected: str, got: str, digits: int) -> bool:
    try:
        one, other = float(expected), float(f"{float(got):.{digits}g}")
    except ValueError:
        return False
    return one == other or (math.isnan(one) and math.isnan(other))
