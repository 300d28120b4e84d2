"""What a program of Weft's takes and hands back, as the cuda stage wrote it down (docs/formats/cuda.md,
"Interface"), and the commands that the driver (device/driver.cpp) gets for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.files import read_json
from weft.launch import Launch, parse_launch
from weft.leaves import structs_of
from weft.sizes import Size, evaluate_size
from weft.types import Structs, Type, parse_type


@dataclasses.dataclass(frozen=True)
class Interface:
    """The interface of a program (docs/formats/cuda.md). `leaves` (weft.leaves) are what it reads or writes,
    by name; `structs` has the fields of the structs among them. `outputs` are the arrays of which `main`
    prints a line. `needed` are the leaves that a caller must give; `derived` are parameters that follow from
    the base size. `dims` is the number of launch dimensions if nobody described them, else 0. The launcher
    also takes `numbers`: size expressions, or `{"dim": axis}` for an extent of the launch. Along each axis of
    `ends`, the launch must reach the value of a leaf. Along the axes of the grid in `strides`, any number of
    blocks does the same. A program `breaks_ties` where it chooses among equal elements and Warp leaves open
    which one. `call` is the C++ that calls the `launcher`.
    """

    leaves: Mapping[str, Type]
    structs: Structs
    launch: Launch
    outputs: frozenset[str]
    needed: frozenset[str]
    derived: frozenset[str]
    dims: int
    numbers: Sequence[Any]
    ends: Sequence[tuple[int, str]]
    strides: str
    breaks_ties: bool
    launcher: str
    call: str

    def numbers_for(
        self, size: int, dims: Sequence[int] | None = None, launch: Launch | None = None
    ) -> list[int]:
        """The launcher's numbers for a base size; for other launch dimensions than that gives, and for
        another launch that is described like this one, but for its sizes, if they are given.
        """
        launch = launch or self.launch
        names = launch.named_sizes(size)
        dims = launch.launch_dims(size) if dims is None else dims
        own, other = self._derived_from(self.launch), self._derived_from(launch)
        others = {own[name]: other[name] for name in own if name in other}
        return [
            dims[one["dim"]] if isinstance(one, Mapping) else evaluate_size(others.get(one, one), names)
            for one in self.numbers
        ]

    def _derived_from(self, launch: Launch) -> dict[str, Size]:
        """The sizes that the values of derived parameters are described as."""
        recipes = {name: launch.parameters[name].values for name in self.derived if name in launch.parameters}
        return {
            name: recipe.arguments
            for name, recipe in recipes.items()
            if recipe is not None and recipe.kind == "size"
        }


def command(
    namespace: str, inputs: str, outputs: str, *, fill: int, numbers: Sequence[int], repeat: int = 0
) -> list[str]:
    """What the driver is asked to do: one launch, or `repeat` that are timed."""
    return [namespace, inputs, outputs, str(fill), str(repeat), *map(str, numbers)]


def watch_command(namespace: str, array: str, element: int, offset: int, size: int) -> list[str]:
    """What the driver is asked to tell of the next launch on the CPU device: where it has stored last in so
    many bytes of a packed element.
    """
    return [namespace, "--watch", array, str(element), str(offset), str(size)]


def parse_interface(kernel: str, one: Mapping[str, Any], where: str) -> Interface:
    """The interface of a kernel's program. Raises UserError, naming the file `where`."""
    try:
        return Interface(
            {leaf["name"]: parse_type(leaf["type"]) for leaf in one["leaves"]},
            structs_of(one),
            parse_launch(one["launch"], kernel),
            frozenset(one["outputs"]),
            frozenset(leaf["name"] for leaf in one["leaves"] if leaf["needed"]),
            frozenset(one["derived"]),
            one["dims"],
            one["numbers"],
            [(axis, leaf) for axis, leaf in one["ends"]],
            one["strides"],
            one["breaks_ties"],
            one["launcher"],
            one["call"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{where}: holds no interface of {kernel}: {error}") from error


def read_interfaces(program: Path) -> dict[str, Interface]:
    """The interfaces of a program's samples, by their ids, from the file beside it: `k.json` for `k.cu`.

    Raises UserError if there is none.
    """
    index = program.with_suffix(".json")
    if not index.is_file():
        raise UserError(f"{index}: no such file; `weft translate` writes it beside {program.name}")
    try:
        samples = [
            (one["sample_id"], one["kernel_name"], one["interface"]) for one in read_json(index)["samples"]
        ]
    except (KeyError, TypeError) as error:
        raise UserError(f"{index}: is not an index of programs: {error}") from error
    return {sample: parse_interface(kernel, one, str(index)) for sample, kernel, one in samples}
