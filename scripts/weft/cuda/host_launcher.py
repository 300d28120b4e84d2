"""The launcher: the function that computes the grid and launches the kernel."""

from __future__ import annotations

import dataclasses

from weft.cuda import host_names
from weft.cuda.device_code import DeviceCode
from weft.cuda.host_sizes import print_size
from weft.cuda.sizes import canonical_size
from weft.launch import Launch
from weft.sizes import Size, parse_size, size_text


@dataclasses.dataclass(frozen=True)
class Launcher:
    """What the launcher's template prints. `axes` are the launch sizes along x, y, z: parameters of the
    launcher, integers, or variables that `definitions` gives a type and a value; those that `folded` names
    count the threads of several launch dimensions. `block`, `grid` and `stream` are the launcher's own
    variables, clear of the kernel's parameters.
    """

    declarations: list[str]
    names: list[str]
    definitions: list[tuple[str, str, str]]
    axes: list[str]
    folded: bool
    block_size: tuple[int, ...]
    block_reason: list[str]
    block: str
    grid: str
    stream: str
    defaults: bool
    tiled: bool

    @property
    def includes(self) -> frozenset[str]:
        """The headers that its text needs."""
        names = [("<climits>", self.folded), ("<cstdint>", self.folded)]
        return frozenset(header for header, needed in names if needed)


def write_launcher(device: DeviceCode, launch: Launch, *, defaults: bool = True) -> Launcher:
    """The launcher of a kernel; `defaults` if its text declares the default of its parameters, too.

    Raises KeyError if a launch dimension follows from none of the kernel's parameters.
    """
    names = [parameter.c_name for parameter in device.parameters]
    taken = {*names, device.kernel_c_name}
    block, grid, stream = (host_names.fresh(name, taken) for name in host_names.LAUNCHER_LOCALS)
    definitions = []
    axes = []
    grid_dims = _grid_dims(device, launch)
    dims = dimensions(device, launch)
    folded = len(grid_dims) < len(launch.dims)
    for letter, numbers in zip("xyz", grid_dims, strict=False):
        axis = dims[numbers[0]] if len(numbers) == 1 else _product([dims[number] for number in numbers])
        if not (axis.isidentifier() or axis.isdigit()):
            variable = host_names.fresh(f"{'blocks' if device.tiled else 'threads'}_{letter}", taken)
            definitions.append(("int64_t" if len(numbers) > 1 else "int", variable, axis))
            axis = variable
        axes.append(axis)
    return Launcher(
        declarations=[parameter.declaration.replace("__restrict__ ", "") for parameter in device.parameters],
        names=[one.c_name for one in device.parameters if not one.launches_only],
        definitions=definitions,
        axes=axes,
        folded=folded,
        block_size=device.block[:1] if device.tiled else device.block[: len(axes)],
        block_reason=device.block_reason.split("\n") if device.block_reason else [],
        block=block,
        grid=grid,
        stream=stream,
        defaults=defaults,
        tiled=device.tiled,
    )


def _grid_dims(device: DeviceCode, launch: Launch) -> tuple[tuple[int, ...], ...]:
    """The launch dimensions along x, y and z."""
    numbers = tuple(range(len(launch.dims)))
    if len(device.grid_axes) < len(numbers):
        return (numbers,)
    return tuple((number,) for number in reversed(numbers))


def dimensions(device: DeviceCode, launch: Launch) -> list[str]:
    """Launch dimensions as C++ expressions of the kernel's parameters.

    A dimension ends where the kernel's own check stops the threads. It is printed as the launch description
    has it, with the sizes that parameters are named after, and else with all names of sizes resolved. One
    that nobody described is a parameter.
    """
    known = known_sizes(device, launch)
    given = {
        parameter.axis.number: parameter.c_name
        for parameter in device.parameters
        if parameter.axis is not None and parameter.axis.leaf is None
    }
    texts = []
    for number, dim in enumerate(device.covered_dims or launch.dims):
        if number in given:
            texts.append(given[number])
            continue
        try:
            texts.append(print_size(dim, known).text)
        except KeyError:
            texts.append(print_size(canonical_size(dim, launch.sizes), known).text)
    return texts


def _product(factors: list[str]) -> str:
    """The product in 64 bits: it can be too large for an int where its factors are not."""
    simple = [factor if factor.isidentifier() or factor.isdigit() else f"({factor})" for factor in factors]
    first, *others = simple
    return " * ".join([f"int64_t{first}" if first.startswith("(") else f"int64_t({first})", *others])


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
    return size_text(parse_size(size))
