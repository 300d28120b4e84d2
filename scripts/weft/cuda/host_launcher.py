"""The launcher: the function that computes the grid and launches the kernel."""

from __future__ import annotations

import dataclasses

from weft.cuda import host_names
from weft.cuda.device_code import DeviceCode
from weft.cuda.host_sizes import print_size
from weft.sizes import Size


@dataclasses.dataclass(frozen=True)
class Launcher:
    """What the launcher's template prints. `axes` are the launch sizes along x, y, z as C++ expressions in
    the launcher's parameters; `block`, `grid` and `stream` its own variables, clear of the kernel's
    parameters.
    """

    declarations: list[str]
    names: list[str]
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
    extents = {
        str(parameter.size).strip(): parameter.c_name
        for parameter in device.parameters
        if parameter.size is not None
    }
    block, grid, stream = (host_names.fresh(name, names) for name in host_names.LAUNCHER_LOCALS)
    return Launcher(
        declarations=[parameter.declaration.replace("__restrict__ ", "") for parameter in device.parameters],
        names=names,
        axes=[_axis(axis, extents) for axis in device.grid_axes],
        block_size=device.block[: len(device.grid_axes)],
        block_reason=device.block_reason.split("\n") if device.block_reason else [],
        block=block,
        grid=grid,
        stream=stream,
    )


def _axis(axis: Size, extents: dict[str, str]) -> str:
    printed = print_size(axis, extents)
    return printed.text if printed.precedence > 1 else f"({printed.text})"
