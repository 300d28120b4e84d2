"""Kernels that make the calls of the table, and what their parameters hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
from special_values import COUNT, elements
from table_cases import LETTERS, Case
from warp_builtins import annotation

from weft.runs.arrays import PackedArray
from weft.types import Type, component_scalars, packed_bytes


@dataclasses.dataclass(frozen=True)
class TableKernel:
    """One kernel: its name, text, and cases. `outputs` has type and number of rows of each output array;
    `rows` the array and row of each result of each case.
    """

    name: str
    text: str
    cases: tuple[Case, ...]
    inputs: dict[str, tuple[Type, str, int]]
    outputs: dict[str, tuple[Type, int]]
    rows: tuple[tuple[tuple[str, int], ...], ...]

    def arrays(self) -> list[PackedArray]:
        """The input arrays."""
        result = []
        for name, (kind, care, position) in self.inputs.items():
            values = elements(kind, care, position)
            result.append(PackedArray(name, kind, (COUNT,), values.view("u1").reshape(COUNT, -1)))
        return result

    def results(self) -> list[PackedArray]:
        """The output arrays before the launch: zeros."""
        return [
            PackedArray(name, kind, (rows, COUNT), np.zeros((rows * COUNT, packed_bytes(kind, {})), np.uint8))
            for name, (kind, rows) in self.outputs.items()
        ]


def _word(type: Type) -> str:
    return "".join(c if c.isalnum() else "_" for c in str(type)).strip("_")


def table_kernel(name: str, cases: Sequence[Case]) -> TableKernel:
    """The kernel that runs `cases`, element by element."""
    inputs: dict[str, tuple[Type, str, int]] = {}
    outputs: dict[str, tuple[Type, int]] = {}
    rows = []
    body = []
    for number, case in enumerate(cases):
        fields: dict[str, str] = {"n": str(number)}
        for position, (letter, (kind, care)) in enumerate(zip(LETTERS, case.inputs, strict=False)):
            array = "_".join(filter(None, (letter, _word(kind), care)))
            inputs[array] = (kind, care, position)
            fields |= {letter: f"{array}[i]", f"array_{letter}": array}
        mine = []
        for position, kind in enumerate(case.results):
            array = f"out_{_word(kind)}"
            _, row = outputs.get(array, (kind, 0))
            outputs[array] = (kind, row + 1)
            mine.append((array, row))
            fields |= {f"r{position}": f"{array}[{row}, i]", f"place{position}": f"{array}, {row}, i"}
        rows.append(tuple(mine))
        body += case.lines.format_map(fields).splitlines()
    parameters = [f"{array}: wp.array(dtype={_alias(kind)})" for array, (kind, _, _) in inputs.items()]
    parameters += [f"{array}: wp.array2d(dtype={_alias(kind)})" for array, (kind, _) in outputs.items()]
    lines = [f"def {name}({', '.join(parameters)}):", "    i = wp.tid()", *(f"    {line}" for line in body)]
    return TableKernel(name, "\n".join(["@wp.kernel", *lines]), tuple(cases), inputs, outputs, tuple(rows))


def _alias(type: Type) -> str:
    return f"type_{_word(type)}"


def module_text(kernels: Sequence[TableKernel]) -> str:
    """A module of kernels with their launch descriptions."""
    types = {
        _alias(kind): kind for one in kernels for kind, *_ in (*one.inputs.values(), *one.outputs.values())
    }
    lines = ["import warp as wp", ""]
    lines += [f"{alias} = {annotation(kind)}" for alias, kind in sorted(types.items())]
    launches = {one.name: _launch(one) for one in kernels}
    return "\n\n".join(["\n".join(lines), *(one.text for one in kernels), f"LAUNCH = {launches!r}"]) + "\n"


def _launch(kernel: TableKernel) -> Mapping[str, object]:
    parameters: dict[str, object] = {
        name: {"shape": ["n"], "values": {"integers": _integers(kind)}}
        for name, (kind, _, _) in kernel.inputs.items()
    }
    for name, (_, rows) in kernel.outputs.items():
        parameters[name] = {"role": "out", "shape": [rows, "n"]}
    return {"dims": ["n"], "parameters": parameters}


def _integers(type: Type) -> list[int]:
    """The whole numbers of a type's scalars, as far as a description may draw them."""
    scalar = next(component_scalars(type, {}))
    if scalar.is_float:
        return [-60_000, 60_000] if scalar.name == "float16" else [-(2**31), 2**31]
    low, high = scalar.limits
    return [max(low, -(2**31)), min(high + 1, 2**32 if low == 0 else 2**31)]
