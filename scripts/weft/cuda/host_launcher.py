"""The launcher: the function that computes the grid and launches the kernel."""

from __future__ import annotations

import ast
import dataclasses

from weft.cuda import host_names
from weft.cuda.device_code import DeviceCode
from weft.cuda.host_sizes import print_size
from weft.cuda.sizes import canonical_size
from weft.launch import Launch
from weft.sizes import Size, parse_size


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
    defaults: bool


def write_launcher(device: DeviceCode, launch: Launch, *, defaults: bool = True) -> Launcher:
    """The launcher of a kernel; `defaults` if its text declares the default of its parameters, too.

    Raises KeyError if a launch dimension follows from none of the kernel's parameters.
    """
    names = [parameter.c_name for parameter in device.parameters]
    taken = {*names, device.kernel_c_name}
    block, grid, stream = (host_names.fresh(name, taken) for name in host_names.LAUNCHER_LOCALS)
    definitions = []
    axes = []
    for letter, axis in zip("xyz", _axes(device, launch), strict=False):
        if not (axis.isidentifier() or axis.isdigit()):
            variable = host_names.fresh(f"threads_{letter}", taken)
            definitions.append((variable, axis))
            axis = variable
        axes.append(axis)
    return Launcher(
        declarations=[parameter.declaration.replace("__restrict__ ", "") for parameter in device.parameters],
        names=names,
        definitions=definitions,
        axes=axes,
        block_size=device.block[: len(axes)],
        block_reason=device.block_reason.split("\n") if device.block_reason else [],
        block=block,
        grid=grid,
        stream=stream,
        defaults=defaults,
    )


def _axes(device: DeviceCode, launch: Launch) -> list[str]:
    """Launch sizes along x, y, z as C++ expressions of the kernel's parameters.

    A dimension is printed as the launch description has it, with the sizes that parameters are named after,
    and else as the device half has it, with all names of sizes resolved.
    """
    known = known_sizes(device, launch)
    written = list(reversed(launch.dims))
    if len(device.grid_axes) != len(written):  # several dimensions folded into one
        written = [" * ".join(f"({dim})" for dim in launch.dims)]
    axes = []
    for as_written, resolved in zip(written, device.grid_axes, strict=True):
        try:
            axes.append(print_size(as_written, known).text)
        except KeyError:
            axes.append(print_size(resolved, known).text)
    return axes


def known_sizes(device: DeviceCode, launch: Launch) -> dict[str, str]:
    """The parameter that holds each size, by the size's text: by its name in the launch description, or as an
    expression. An integer is no such text, since equal ones can mean different things.
    """
    holders = [
        (parameter.c_name, _normal(parameter.size))
        for parameter in device.parameters
        if parameter.size is not None and parameter.c_type == "int"
    ]
    known: dict[str, str] = {}
    for c_name, text in holders:
        if not text.isdigit():
            known.setdefault(text, c_name)
    for name in launch.sizes:
        resolved = _normal(canonical_size(name, launch.sizes))
        equal = [c_name for c_name, text in holders if text == resolved]
        if equal:
            known[name] = name if name in equal else equal[0]
    return known


def _normal(size: Size) -> str:
    return ast.unparse(parse_size(size))
