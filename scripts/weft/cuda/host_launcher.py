"""The launcher: the function that computes the grid and launches the kernel."""

from __future__ import annotations

import dataclasses

from weft.cuda import host_names
from weft.cuda.device_code import DeviceCode
from weft.cuda.host_sizes import print_size


@dataclasses.dataclass(frozen=True)
class Launcher:
    """What the launcher's template prints. `axes` are the launch sizes along x, y, z: parameters of the
    launcher, integers, or variables that `definitions` gives a value. `block`, `grid` and `stream` are the
    launcher's own variables, clear of the kernel's parameters.
    """

    declarations: list[str]
    names: list[str]
    definitions: list[tuple[str, str]]
    axes: list[str]
    block_size: tuple[int, ...]
    block_reason: list[str]
    block: str
    grid: str
    stream: str


def write_launcher(device: DeviceCode) -> Launcher:
    """The launcher of a kernel.

    Raises KeyError if a launch dimension follows from none of the kernel's extents.
    """
    names = [parameter.c_name for parameter in device.parameters]
    taken = {*names, device.kernel_c_name}
    extents = {
        str(parameter.size).strip(): parameter.c_name
        for parameter in device.parameters
        if parameter.kind == "extent"
    }
    block, grid, stream = (host_names.fresh(name, taken) for name in host_names.LAUNCHER_LOCALS)
    definitions = []
    axes = []
    for axis, letter in zip(device.grid_axes, "xyz", strict=False):
        text = print_size(axis, extents).text
        if not (text.isidentifier() or text.isdigit()):
            variable = host_names.fresh(f"threads_{letter}", taken)
            definitions.append((variable, text))
            text = variable
        axes.append(text)
    return Launcher(
        declarations=[parameter.declaration.replace("__restrict__ ", "") for parameter in device.parameters],
        names=names,
        definitions=definitions,
        axes=axes,
        block_size=device.block[: len(device.grid_axes)],
        block_reason=device.block_reason.split("\n") if device.block_reason else [],
        block=block,
        grid=grid,
        stream=stream,
    )
