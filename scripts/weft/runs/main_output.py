"""What a program's own `main` says of its outputs, against what the launcher leaves for the same inputs."""

from __future__ import annotations

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
PRINTED_BYTES = 1 << 20


def read_printed(path: Path) -> str:
    """What `main` has printed; nothing if it left no regular file."""
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(PRINTED_BYTES).decode(errors="replace")


def main_differs(printed: str, left: Mapping[str, PackedArray], structs: Structs) -> str | None:
    """What is wrong with the output of `main`, which has a line for each of the arrays in `left`; None if
    nothing is.
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
            if not _same(expected, got, DIGITS[what]):
                return f"main prints {got} for the {what} of {name}, which is {expected}"
    return None


def numbers(array: PackedArray, structs: Structs) -> npt.NDArray[np.float64]:
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
