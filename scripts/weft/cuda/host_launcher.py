"""The launcher: the function that computes the grid and launches the kernel."""

from __future__ import annotations

import ast
import dataclasses
import itertools
from collections import Counter

from weft.cuda import host_names
from weft.cuda import launch_assumptions as promises
from weft.cuda.device_code import DeviceCode
from weft.cuda.grid import MOST_BLOCKS, Grid, GridAxis
from weft.cuda.host_sizes import known_sizes, multiplies, normal_size, print_size
from weft.cuda.sizes import canonical_size
from weft.launch import Launch
from weft.sizes import Size, evaluate_size, parse_size, size_names, size_text


@dataclasses.dataclass(frozen=True)
class Launcher:
    """What the launcher's template prints. `definitions` are variables with a type and a value; a launch is
    `empty` if one of its extents is. `refused` are conditions under which
    the kernel's arithmetic could not count what there is, with the error that says so. `block`, `grid` and
    `stream` are the launcher's own variables, clear of the kernel's parameters.
    """

    declarations: list[str]
    names: list[str]
    definitions: list[tuple[str, str, str]]
    empty: list[str]
    refused: list[tuple[str, str]]
    reason: list[str]
    block: str
    block_declaration: str
    grid: str
    grid_declaration: str
    stream: str
    defaults: bool

    @property
    def includes(self) -> frozenset[str]:
        """The headers that its text needs."""
        text = " ".join(
            [self.grid_declaration, *itertools.chain.from_iterable((*self.definitions, *self.refused))]
        )
        headers = {"INT_MAX": "<climits>", "int64_t": "<cstdint>", "std::min": "<algorithm>"}
        return frozenset(header for name, header in headers.items() if name in text)


def write_launcher(device: DeviceCode, launch: Launch, *, defaults: bool = True) -> Launcher:
    """The launcher of a kernel; `defaults` if its text declares the default of its parameters, too.

    Raises KeyError if a launch dimension follows from none of the kernel's parameters.
    """
    names = [parameter.c_name for parameter in device.parameters]
    taken = {*names, device.kernel_c_name}
    block, grid, stream = (host_names.fresh(name, taken) for name in host_names.LAUNCHER_LOCALS)
    definitions = []
    extents = []
    refused: list[tuple[str, str]] = []
    dims = dimensions(device, launch)
    values = {one.c_name for one in device.parameters if one.kind == "value" and one.axis is not None}
    for letter, axis in zip("xyz", device.grid.axes, strict=False):
        alone = len(axis.dims) == 1
        counted = [dims[dim].counted for dim in axis.dims]
        extent = counted[0] if alone else _product(counted)
        if not (extent.isidentifier() or extent.isdigit()):
            large = not alone or dims[axis.dims[0]].wide
            variable = host_names.fresh(f"{'threads' if axis.threads else 'blocks'}_{letter}", taken)
            definitions.append(("int64_t" if large else "int", variable, extent))
            extent = variable
            if alone:
                dims[axis.dims[0]] = Dimension(variable, variable, large)
            if large:
                refused.append((f"{extent} > INT_MAX", "cudaErrorInvalidConfiguration"))
        extents.append(extent)
    refused += _overflowing_strides(device.grid, extents)
    refused += _overflowing_offsets(device, launch, [value for _, _, value in definitions])
    if device.base_limit is not None:
        refused.append((_too_large(device, launch, dims, device.base_limit), "cudaErrorInvalidValue"))
    return Launcher(
        declarations=[
            dataclasses.replace(parameter, restrict=False).declaration for parameter in device.parameters
        ],
        names=[one.c_name for one in device.parameters if not one.launches_only],
        definitions=definitions,
        empty=[
            f"{extent} {'<=' if extent in values else '=='} 0"
            for _, extent in sorted(zip(device.grid.axes, extents, strict=True))
            if not extent.isdigit()
        ],
        refused=refused,
        reason=device.grid.reason.split("\n"),
        block=block,
        block_declaration=_block(device.grid, block),
        grid=grid,
        grid_declaration=_grid(device.grid, extents, block, grid),
        stream=stream,
        defaults=defaults,
    )


def _overflowing_strides(grid: Grid, extents: list[str]) -> list[tuple[str, str]]:
    """Where the last step of a grid-stride loop would be past all ints, and the error that says so."""
    if not grid.strided:
        return []
    largest = [f"INT_MAX - {MOST_BLOCKS * _threads(grid, axis)}" for axis in grid.axes]
    tests = [f"{extent} > {most}" for extent, most in zip(extents[1:], largest[1:], strict=True)]
    return [(" || ".join(tests), "cudaErrorInvalidConfiguration")]


def _overflowing_offsets(device: DeviceCode, launch: Launch, counted: list[str]) -> list[tuple[str, str]]:
    """Arrays of more elements than the kernel's offsets count, and the error that says so. The products that
    are `counted` are refused already.
    """
    known = known_sizes(device.parameters, launch)
    shapes: dict[tuple[str, ...], list[str]] = {}
    for parameter in device.parameters:
        if parameter.kind == "array" and promises.has_int_offsets(launch, parameter.name):
            try:
                extents = [_counted(size, known, launch) for size in launch.parameters[parameter.name].shape]
            except KeyError:
                continue
            shapes.setdefault(tuple(sorted(extents)), extents)
    tests = [
        f"{_product(extents)} > INT_MAX"
        for extents in shapes.values()
        if _product(extents) not in counted
        and not all(extent.isdigit() for extent in extents)
        and not any(Counter(extents) < Counter(others) for others in shapes.values())
    ]
    return [(" || ".join(tests), "cudaErrorInvalidValue")] if tests else []


def _counted(size: Size, known: dict[str, str], launch: Launch) -> str:
    """An extent in C++; in 64 bits where it is computed from parameters."""
    try:
        text = _dimension(size, known).text
    except KeyError:
        size = canonical_size(size, launch.sizes)
        size = size if size_names(size) else evaluate_size(size, {})
        text = _dimension(size, known).text
    if text.isidentifier() or text.isdigit():
        return text
    wide = {one: f"int64_t({c_name})" for one, c_name in known.items()}
    return print_size(size, wide, wide=True).text


def _threads(grid: Grid, axis: GridAxis) -> int:
    """The threads of a block along an axis of the grid."""
    return grid.block["xyz".index(axis.threads)] if axis.threads else 1


def _block(grid: Grid, name: str) -> str:
    if grid.dimensions == 1:
        return f"constexpr unsigned {name} = {grid.block[0]}"
    return f"const dim3 {name}({', '.join(map(str, grid.block[: grid.dimensions]))})"


def _grid(grid: Grid, extents: list[str], block: str, name: str) -> str:
    """The declaration of the grid, which has a thread for each point of the extents."""
    counts = []
    for number, (axis, extent) in enumerate(zip(grid.axes, extents, strict=True)):
        threads = block if grid.dimensions == 1 else f"{block}.{axis.threads}"
        count = f"({extent} + {threads} - 1) / {threads}" if axis.threads else extent
        counts.append(f"std::min<unsigned>({count}, {MOST_BLOCKS})" if grid.strided and number else count)
    return (
        f"const unsigned {name} = {counts[0]}"
        if len(counts) == 1
        else f"const dim3 {name}({', '.join(counts)})"
    )


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
    known = known_sizes(device.parameters, launch)
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
        canonical = canonical_size(dim, launch.sizes)
        try:
            found.append(_dimension(canonical if normal_size(canonical) in known else dim, known))
        except KeyError:
            found.append(_dimension(canonical, known))
    return found


def _dimension(dim: Size, known: dict[str, str]) -> Dimension:
    """A dimension in C++: a product of parameters in 64 bits, for nobody knows how large a caller's are."""
    text = print_size(dim, known).text
    if size_text(parse_size(dim)) in known or not multiplies(dim):
        return Dimension(text, text, False)
    factors = [print_size(size_text(factor), known).text for factor in _factors(parse_size(dim))]
    if len(factors) > 1:
        return Dimension(text, _product(factors), True)
    wide = {size: f"int64_t({c_name})" for size, c_name in known.items()}
    return Dimension(text, print_size(dim, wide, wide=True).text, True)


def _factors(size: ast.expr) -> list[ast.expr]:
    match size:
        case ast.BinOp(left, ast.Mult(), right):
            return [*_factors(left), *_factors(right)]
        case _:
            return [size]


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
    first, *others = sorted(simple, key=lambda factor: (factor.startswith("("), factor.isdigit()))
    if "int64_t" not in first:
        first = f"int64_t{first}" if first.startswith("(") else f"int64_t({first})"
    return " * ".join([first, *others])
