"""The launcher: the function that computes the grid and launches the kernel."""

from __future__ import annotations

import dataclasses

from weft.cuda import host_names, promises
from weft.cuda.device_code import DeviceCode
from weft.cuda.host_sizes import multiplies, print_size
from weft.cuda.sizes import canonical_size
from weft.launch import Launch
from weft.sizes import Size, parse_size, size_text


@dataclasses.dataclass(frozen=True)
class Launcher:
    """What the launcher's template prints. `axes` are the launch sizes along x, y, z: parameters of the
    launcher, integers, or variables that `definitions` gives a type and a value. `wide` if the one axis is a
    64-bit number that only the grid limits. `refused` are conditions under which the kernel's arithmetic
    could not count what there is, with the error that says so. `block`, `grid` and `stream` are the
    launcher's own variables, clear of the kernel's parameters.
    """

    declarations: list[str]
    names: list[str]
    definitions: list[tuple[str, str, str]]
    axes: list[str]
    wide: bool
    refused: list[tuple[str, str]]
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
        wide = any(type == "int64_t" for type, _, _ in self.definitions)
        return frozenset({"<climits>", "<cstdint>"} if wide else ())


def write_launcher(device: DeviceCode, launch: Launch, *, defaults: bool = True) -> Launcher:
    """The launcher of a kernel; `defaults` if its text declares the default of its parameters, too.

    Raises KeyError if a launch dimension follows from none of the kernel's parameters.
    """
    names = [parameter.c_name for parameter in device.parameters]
    taken = {*names, device.kernel_c_name}
    block, grid, stream = (host_names.fresh(name, taken) for name in host_names.LAUNCHER_LOCALS)
    definitions = []
    axes = []
    refused: list[tuple[str, str]] = []
    dims = dimensions(device, launch)
    folded = len(device.grid_axes) < len(launch.dims)
    for letter, numbers in zip("xyz", _grid_dims(device, launch), strict=False):
        axis = dims[numbers[0]].counted
        if folded:
            axis = _product([dims[number].counted for number in numbers])
        if not (axis.isidentifier() or axis.isdigit()):
            large = folded or dims[numbers[0]].wide
            variable = host_names.fresh(f"{'blocks' if device.tiled else 'threads'}_{letter}", taken)
            definitions.append(("int64_t" if large else "int", variable, axis))
            axis = variable
            if not folded:
                dims[numbers[0]] = Dimension(axis, axis, large)
            if large and not device.wide:
                refused.append((f"{axis} > INT_MAX", "cudaErrorInvalidConfiguration"))
        axes.append(axis)
    if device.base_limit is not None:
        refused.append((_too_large(device, launch, dims, device.base_limit), "cudaErrorInvalidValue"))
    return Launcher(
        declarations=[
            dataclasses.replace(parameter, restrict=False).declaration for parameter in device.parameters
        ],
        names=[one.c_name for one in device.parameters if not one.launches_only],
        definitions=definitions,
        axes=axes,
        wide=device.wide,
        refused=refused,
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


@dataclasses.dataclass(frozen=True)
class Dimension:
    """A launch dimension in C++, as it is read and as it is `counted`: in int64_t where it is `wide`."""

    text: str
    counted: str
    wide: bool


def dimensions(device: DeviceCode, launch: Launch) -> list[Dimension]:
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
    found = []
    for number, dim in enumerate(device.covered_dims or launch.dims):
        if number in given:
            found.append(Dimension(given[number], given[number], False))
            continue
        try:
            found.append(_dimension(dim, known))
        except KeyError:
            found.append(_dimension(canonical_size(dim, launch.sizes), known))
    return found


def _dimension(dim: Size, known: dict[str, str]) -> Dimension:
    """A dimension in C++: a product of parameters in 64 bits, for nobody knows how large a caller's are."""
    text = print_size(dim, known).text
    if size_text(parse_size(dim)) in known or not multiplies(dim):
        return Dimension(text, text, False)
    wide = {size: f"int64_t({c_name})" for size, c_name in known.items()}
    return Dimension(text, print_size(dim, wide, wide=True).text, True)


def _too_large(device: DeviceCode, launch: Launch, dims: list[Dimension], base: int) -> str:
    """The condition that the launch is one of a base size above `base`."""
    described = [] if launch.inferred_dims else list(device.covered_dims or launch.dims)
    sizes = [(dim.counted, size) for dim, size in zip(dims, described, strict=False)]
    sizes += [(one.c_name, one.size) for one in device.parameters if one.size is not None]
    for text, size in sizes:
        if (limit := promises.size_limit(launch, size, base)) is not None:
            return f"{text if text.isidentifier() else f'({text})'} > {limit}"
    raise ValueError("no parameter of the launcher grows with the base size")


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
