"""The launcher: the function that computes the grid and launches the kernel."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from weft.cuda import host_names, launch_assumptions
from weft.cuda.analysis.intervals import UNKNOWN
from weft.cuda.device_code import DeviceCode
from weft.cuda.fresh_names import fresh
from weft.cuda.grid import FILLING_BLOCKS, MOST_BLOCKS, Grid, threads_along, whole_blocks_along
from weft.cuda.host_sizes import known_sizes, print_size
from weft.cuda.launch_assumptions import Bound
from weft.cuda.passes.block_bins import WARPS
from weft.cuda.sizes import blocks_of, canonical_size, exact_quotient, multiplies, rounds_up, whole_blocks
from weft.launch import Launch
from weft.plurals import listed
from weft.sizes import Size, evaluate_size, normal_size, parse_size, size_names, size_text

_SHORT_POWER = 10
"""Powers of two up to this one are read at once as numbers."""
_LARGE_MULTIPLE = 2**15
"""Larger multiples hardly say where a limit comes from."""

_Product = tuple[int, Sequence[str]]
"""A number times names."""


@dataclasses.dataclass(frozen=True)
class _Shape:
    """The extents of `arrays`: their factors, the product of these, and for each what is no larger, such as
    `rows` for `rows + 1`.
    """

    arrays: list[str]

    factors: Sequence[str]
    product: _Product
    less: Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Launcher:
    """What the launcher's template prints. `definitions` are variables with a type and a value, `counts`
    those that need no more than an int once nothing is `refused`: conditions under which the kernel's
    arithmetic could not count what there is, with the error that says so, why numbers are in them
    (`counted`), that threads' `strides` lead past all ints, or that sizes are `too_large` for the proofs of
    it, as what is `overflowing` then. A launch is `empty` if one of its extents is; no condition divides by
    any other. `block`, `grid` and `stream` are the launcher's own variables, clear of the kernel's
    parameters.
    """

    declarations: list[str]
    names: list[str]
    definitions: list[tuple[str, str, str]]
    empty: list[str]
    refused: list[tuple[str, str]]
    counted: list[str]
    strides: list[str]
    too_large: list[str]
    overflowing: str
    counts: list[tuple[str, str, str]]
    reason: list[str]
    block: str
    block_declaration: str
    grid: str
    grid_declaration: str
    stream: str
    defaults: bool

    @property
    def tests(self) -> list[str]:
        """What it tests to refuse values of its parameters."""
        refused = [test for test, error in self.refused if error == "cudaErrorInvalidValue"]
        return [one for test in (*refused, *self.too_large) for one in test.split(" || ")]

    @property
    def includes(self) -> frozenset[str]:
        """The headers that its text needs."""
        text = " ".join(
            [
                self.grid_declaration,
                *self.strides,
                *self.too_large,
                *itertools.chain.from_iterable((*self.definitions, *self.refused)),
            ]
        )
        headers = {"INT_MAX": "<climits>", "int64_t": "<cstdint>", "std::min": "<algorithm>"}
        return frozenset(header for name, header in headers.items() if name in text)


def write_launcher(device: DeviceCode, launch: Launch, *, defaults: bool = True) -> Launcher:
    """The launcher of a kernel; `defaults` if its text declares the default of its parameters, too.

    Raises KeyError if a launch dimension follows from none of the kernel's parameters.
    """
    names = [parameter.c_name for parameter in device.parameters]
    taken = {*names, device.kernel_c_name}
    block, grid, stream = (
        fresh(other if name in taken else name, taken) for name, other in host_names.LAUNCHER_LOCALS.items()
    )
    dims = dimensions(device, launch)
    constants = {size: name for size, name in device.extent_names.fixed.items() if size.isdigit()}
    for number, dim in enumerate(dims):
        if dim.text in constants:
            dims[number] = Dimension(constants[dim.text], (constants[dim.text],), False)
    counted = _count(device.grid, dims, taken)
    shapes = _counted_shapes(device, launch)
    refused = [*counted.refused]
    products = [_value(factors, device, launch) for factors in counted.products]
    empty = [
        f"{extent} <= 0"
        for _, factors in sorted(zip(device.grid.axes, counted.empty, strict=True))
        for extent in factors
        if not extent.isdigit() and extent not in device.extent_names.fixed.values()
    ]
    offsets = _overflowing_offsets(device, counted, products, shapes)
    tests = [
        *(one for one in _not_allowed(device, counted.positive) if one.replace("< 1", "<= 0") not in empty),
        *_beyond_arrays(device, launch),
        *offsets,
        *_broken_blocks(device, launch),
    ]
    if tests:
        refused.append((" || ".join(dict.fromkeys(tests)), "cudaErrorInvalidValue"))
    return Launcher(
        declarations=[
            dataclasses.replace(parameter, restrict=False).declaration for parameter in device.parameters
        ],
        names=[one.c_name for one in device.parameters if not one.launches_only],
        definitions=counted.definitions,
        empty=list(dict.fromkeys(empty)),
        refused=refused,
        counted=[line for line in offsets.values() if line],
        strides=_overflowing_strides(device.grid, counted.extents),
        too_large=_too_large(
            device, launch, dims, [*products, *(one.product for one in shapes)], counted.positive
        ),
        overflowing=_overflowing(device),
        counts=counted.counts,
        reason=[line for line in device.grid.reason.split("\n") if line],
        block=block,
        block_declaration=_block(device, launch, block, [dim.text for dim in dims]),
        grid=grid,
        grid_declaration=_grid(device, counted.extents, dims, block, grid),
        stream=stream,
        defaults=defaults,
    )


@dataclasses.dataclass
class _Counted:
    """What there is along the axes of a grid: the `extents`, names or numbers, and what a Launcher has to
    define, to refuse and to test for them. `empty` has for each axis what is zero if nothing is there, and
    `products` the factors of what is no larger than an int then.
    """

    extents: list[str] = dataclasses.field(default_factory=list)
    definitions: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)
    counts: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)
    empty: list[list[str]] = dataclasses.field(default_factory=list)
    products: list[list[str]] = dataclasses.field(default_factory=list)
    refused: list[tuple[str, str]] = dataclasses.field(default_factory=list)

    @property
    def positive(self) -> set[str]:
        """What is known not to be zero in a launch that is not empty."""
        return {*itertools.chain(*self.empty, *self.products)}


def _count(grid: Grid, dims: list[Dimension], taken: set[str]) -> _Counted:
    """Counts what is along each axis of a grid. A dimension that gets a name of its own has it in `dims`."""
    counted = _Counted()
    for letter, axis in zip("xyz", grid.axes, strict=False):
        factors = [factor for dim in axis.dims for factor in dims[dim].factors]
        if len(factors) == 1 and (factors[0].isidentifier() or factors[0].isdigit()):
            counted.extents += factors
            counted.empty.append(factors)
            continue
        if len(axis.dims) == 1 and (whole := dims[axis.dims[0]].blocks_of) is not None:
            counted.extents += factors
            counted.empty.append([whole])
            continue
        name = fresh(f"{'threads' if axis.threads else 'blocks'}_{letter}", taken)
        counted.extents.append(name)
        error = "cudaErrorInvalidConfiguration"
        if len(factors) > 2 and all(one.isidentifier() or one.isdigit() for one in factors):
            counted.refused.append((exceed_int(factors, factors), error))
            counted.counts.append(("int", name, " * ".join(factors)))
            counted.products.append(factors)
            counted.empty.append(factors)
            continue
        counted.empty.append([name])
        wide = len(axis.dims) > 1 or dims[axis.dims[0]].wide
        counted.definitions.append(("int64_t" if wide else "int", name, _product(factors)))
        if wide:
            counted.refused.append((f"{name} > INT_MAX", error))
            counted.products.append(factors)
        if len(axis.dims) == 1:
            dims[axis.dims[0]] = Dimension(name, (name,), wide)
    return counted


def _known(device: DeviceCode, launch: Launch) -> dict[str, str]:
    """What holds each size that has a name, by the size's text."""
    named = {size: name for size, name in device.extent_names.fixed.items() if not size.isdigit()}
    return known_sizes(device.parameters, launch) | named


def _overflowing_strides(grid: Grid, extents: list[str]) -> list[str]:
    """The tests that the last step of a grid-stride loop would be past all ints."""
    return [
        f"{extent} > INT_MAX - {FILLING_BLOCKS} * {threads_along(axis, grid.block)}"
        for axis, extent in zip(grid.axes, extents, strict=True)
        if axis.filled and not axis.unsigned
    ]


def _counted_shapes(device: DeviceCode, launch: Launch) -> list[_Shape]:
    """The different shapes of arrays whose elements the kernel's offsets count, so that the launcher refuses
    more than an int holds.
    """
    known = _known(device, launch)
    shapes: dict[_Product, _Shape] = {}
    for parameter in device.parameters:
        if parameter.kind == "array" and launch_assumptions.has_int_offsets(launch, parameter.name):
            shape = launch.parameters[parameter.name].shape
            from_memory = len(shape) == 1 and parameter.c_name in device.delimited
            if from_memory or launch_assumptions.counts(launch, shape, device.limits):
                continue
            try:
                found = [one for size in shape for one in _counted(size, known, launch)]
            except KeyError:
                continue
            factors = [factor for factor, _ in found]
            product = _value(factors, device, launch)
            shape_of = shapes.setdefault(product, _Shape([], factors, product, dict(found)))
            shape_of.arrays.append(parameter.c_name)
    return list(shapes.values())


def _value(factors: Sequence[str], device: DeviceCode, launch: Launch) -> _Product:
    """A product with the values of constants in place of their names."""
    names = {name: size for size, name in device.extent_names.fixed.items()}
    numbers = [str(canonical_size(names[one], launch.sizes)) if one in names else one for one in factors]
    number, others = _folded(numbers)
    return number, tuple(sorted(others))


def _overflowing_offsets(
    device: DeviceCode,
    counted: _Counted,
    products: Sequence[_Product],
    shapes: Sequence[_Shape],
) -> dict[str, str]:
    """The tests that arrays have more elements than the kernel's offsets count, unless no more than one of
    the `products` that are refused; each with what a comment says of a number in it.
    """
    constants = {*device.extent_names.fixed.values()}
    found = {}
    for shape in shapes:
        if (
            all(factor.isdigit() or factor in constants for factor in shape.factors)
            or (len(shape.factors) == 1 and shape.factors[0].isidentifier())
            or any(_divides(shape.product, other, {}) for other in products)
            or any(_divides(shape.product, one.product, one.less) for one in shapes if one is not shape)
        ):
            continue
        factors = [device.extent_names.fixed.get(one, one) for one in shape.factors]
        number, names = _folded(factors)
        text = ""
        if number > 1:
            verb = "has" if len(shape.arrays) == 1 else "have"
            text = " * ".join([str(number), *names])
            text = f"{listed(shape.arrays)} {verb} {text} elements, which an int must count."
        found[exceed_int(factors, counted.positive, constants)] = text
    return found


def _broken_blocks(device: DeviceCode, launch: Launch) -> list[str]:
    """The tests that extents are no whole blocks, where the kernel works on those."""
    if launch.inferred_dims:
        return []
    known = known_sizes(device.parameters, launch)
    found = [whole_blocks(dim, launch.sizes) for dim in launch.dims]
    names = {**device.extent_names.down, **device.extent_names.across}
    return [
        f"{known[name]} % {names.get(step, step)} != 0" for name, step in filter(None, found) if name in known
    ]


def _not_allowed(device: DeviceCode, positive: Collection[str]) -> list[str]:
    """The tests that parameters are not the numbers that the kernel can work with. What no less is asked of
    than of one that is `positive` needs no test of its own.
    """
    tests = []
    above = {
        one.other: one.factor + one.room
        for one in device.bounds
        if one.name in positive and one.room is not None and (one.factor > 1 or one.room in (0, 1))
    }
    for name, (low, high) in device.allowed.items():
        tests += [f"{name} < {low}"] if low > above.get(name, -math.inf) else []
        if high < math.inf:
            room = launch_assumptions.LARGEST_INT - int(high)
            most = f"INT_MAX - {device.extent_names.threads.get(room, room)}" if room < high else high
            tests.append(f"{name} > {most}")
    for one in device.bounds:
        if one.factor > 1:
            tests.append(_multiple_above(one))
            continue
        most = f"{one.other} - {one.room}" if one.room else one.other
        most = f"INT_MAX - {one.other}" if one.room is None else most
        tests.append(f"{one.name} >= {one.other}" if one.room == 1 else f"{one.name} > {most}")
    return tests


def _multiple_above(bound: Bound) -> str:
    """The test that a multiple of a number is above a bound, whose own arithmetic does not overflow."""
    if not bound.room:
        return f"{bound.name} > {bound.other} / {bound.factor}"
    most = f"int64_t({bound.other}) {'-' if bound.room > 0 else '+'} {abs(bound.room)}"
    return f"{bound.factor} * int64_t({bound.name}) > {most}"


def _beyond_arrays(device: DeviceCode, launch: Launch) -> list[str]:
    """The tests that there are more elements than arrays of a fixed size have: tables in constant memory, and
    those whose extent the description has as a number.
    """
    shapes = [launch.parameters[table.name].shape for table in device.tables]
    extents = {canonical_size(extent, launch.sizes) for shape in shapes for extent in shape}
    found = []
    for one in device.parameters:
        described = launch.parameters[one.name].size if one.kind == "value" else None
        if described is None or not isinstance(one.size, int):
            continue
        if one.size in extents or not size_names(described):
            found.append(f"{one.c_name} > {device.extent_names.fixed.get(str(one.size), one.size)}")
    return found


def _divides(one: _Product, other: _Product, less: Mapping[str, str]) -> bool:
    """Whether one product is no larger than the other, as it has the same factors or fewer, or what is `less`
    than them.
    """
    factors, others = Counter(one[1]), Counter(other[1])
    smaller = Counter(less.get(factor, factor) for factor in (others - factors).elements())
    return one[0] <= other[0] and factors - others <= smaller


def exceed_int(factors: Sequence[str], positive: Collection[str], constants: Collection[str] = ()) -> str:
    """The test that a product is larger than any int. Its own arithmetic stays within 64 bits: it multiplies
    two ints, divides by `constants` and by more that are `positive`, and looks at a product before it
    multiplies that again.
    """
    number, names = _folded(factors)
    kept = [name for name in names if name not in constants]
    divisors = [name for name in names if name in constants]
    names = list(kept)
    for name in reversed(names):
        if len(kept) > 2 and name in positive:
            kept.remove(name)
            divisors.insert(0, name)
    limit = " / ".join(["INT_MAX", *divisors, *([str(number)] if number > 1 else [])])
    if len(kept) == 1:
        return f"{kept[0]} > {limit}"
    return " || ".join(f"{_product(kept[:count])} > {limit}" for count in range(2, len(kept) + 1))


def _folded(factors: Sequence[str]) -> tuple[int, list[str]]:
    """The product of the numbers among factors, and the others, names first."""
    names = [factor for factor in factors if not factor.isdigit()]
    number = math.prod(int(factor) for factor in factors if factor.isdigit())
    return number, sorted(names, key=lambda name: not name.isidentifier())


def _counted(size: Size, known: dict[str, str], launch: Launch) -> list[tuple[str, str]]:
    """The factors of an extent in C++, in 64 bits where they are computed from parameters, each with what is
    no larger: `rows` for `rows + 1`.
    """
    try:
        _dimension(size, known)
    except KeyError:
        size = canonical_size(size, launch.sizes)
        size = size if size_names(size) else evaluate_size(size, {})
    wide = {one: f"int64_t({c_name})" for one, c_name in known.items()}
    found = []
    for factor in [size] if normal_size(size) in known else map(size_text, factors_of(parse_size(size))):
        text = print_size(factor, known).text
        simple = text.isidentifier() or text.isdigit()
        text = text if simple else print_size(factor, wide, wide=True).text
        match parse_size(factor):
            case ast.BinOp(ast.Name(name), ast.Add(), ast.Constant()):
                found.append((text, known[name]))
            case _:
                found.append((text, text))
    return found


def _block(device: DeviceCode, launch: Launch, name: str, dims: Sequence[str]) -> str:
    """The declaration of the block, which has a thread for each element of the dimensions that it spans."""
    grid = device.grid
    names = device.extent_names.threads
    spanned = dims[sum(len(axis.dims) for axis in grid.axes) :][::-1]
    counts = grid.block[len(spanned) : grid.dimensions]
    threads = [*spanned, *(names.get(count, str(count)) for count in counts)]
    if (warps := device.extent_names.fixed.get(WARPS)) is not None and WARPS not in launch.sizes:
        if grid.dimensions == 1:
            threads = [f"32 * {warps}"]
        elif grid.dimensions == 2 and grid.block[0] == 32:
            threads = ["32", warps]
    if len(threads) == 1:
        return f"constexpr unsigned {name} = {threads[0]}"
    return f"const dim3 {name}({', '.join(threads)})"


def _grid(device: DeviceCode, extents: list[str], dims: list[Dimension], block: str, name: str) -> str:
    """The declaration of the grid, which has a thread for each point of the extents."""
    counts, grid = [], device.grid
    for axis, extent in zip(grid.axes, extents, strict=True):
        threads = block if grid.dimensions == 1 else f"{block}.{axis.threads}"
        # Blocks that a kernel's own arithmetic rounds up are counted in the launcher's words.
        one = dims[axis.dims[0]] if len(axis.dims) == 1 else None
        is_rounded = one is not None and one.rounded_to == grid.block[0] and grid.dimensions == 1
        count = extent
        if axis.elements > 1:
            count = f"({extent} + {axis.elements} * {threads} - 1) / ({axis.elements} * {threads})"
        elif is_rounded and one is not None:
            count = f"({one.blocks_of} + {threads} - 1) / {threads}"
        elif axis.threads:
            whole = whole_blocks_along(axis, grid, int(extent) if extent.isdigit() else None)
            count = f"({extent} + {threads} - 1) / {threads}" if whole is None else str(whole)
        alone = len(grid.axes) == 1
        counts.append(f"std::min<unsigned>({count}, {FILLING_BLOCKS})" if axis.filled and alone else count)
    while len(counts) > 1 and counts[-1] == "1":
        counts.pop()
    if not counts:
        return f"constexpr unsigned {name} = 1"
    if len(counts) == 1:
        return f"const unsigned {name} = {counts[0]}"
    declaration = f"{name}({', '.join(counts)})"
    blocks = [f"{name}.{letter}" for letter, _ in zip("xyz", counts, strict=False)]
    for long, axis in zip(blocks, grid.axes, strict=True):
        if axis.filled:
            most = " / ".join([str(FILLING_BLOCKS), *(one for one in blocks if one != long)])
            return f"dim3 {declaration};\n    {long} = std::min({long}, std::max({most}, 1u))"
    return f"const dim3 {declaration}"


@dataclasses.dataclass(frozen=True)
class Dimension:
    """A launch dimension in C++, as it is read, and its value's `factors`: of int64_t if it is `wide`. As a
    number of blocks it is zero only if what these are `blocks_of` is; the last block may be less than the
    others, which are what it is `rounded_to`.
    """

    text: str
    factors: tuple[str, ...]
    wide: bool
    blocks_of: str | None = None
    rounded_to: int = 0

    @property
    def counted(self) -> str:
        """Its value."""
        return _product(self.factors)


def dimensions(device: DeviceCode, launch: Launch) -> list[Dimension]:
    """Launch dimensions as C++ expressions of the kernel's parameters.

    A dimension ends where the kernel's own check stops the threads. It is printed as the launch description
    has it, with the sizes that parameters are named after, and else with all names of sizes resolved. One
    that nobody described is a parameter.
    """
    known, names = _known(device, launch), device.extent_names
    across = device.grid.axes[0].dims if device.grid.axes else ()
    given = {
        parameter.axis.number: parameter.c_name
        for parameter in device.parameters
        if parameter.axis is not None and parameter.axis.leaf is None
    }
    found = []
    for number, dim in enumerate(device.covered_dims or launch.dims):
        if number in given:
            found.append(Dimension(given[number], (given[number],), False))
            continue
        canonical = canonical_size(dim, launch.sizes)
        divisors = names.across if number in across else names.down
        try:
            one = _dimension(canonical if normal_size(canonical) in known else dim, known, divisors)
        except KeyError:
            exact = canonical if size_names(canonical) else exact_quotient(canonical)
            one = _dimension(exact, known, divisors)
        whole = blocks_of(dim, launch.sizes)
        if whole is not None and not one.text.isidentifier():
            step = device.grid.block[0]
            one = dataclasses.replace(
                one,
                blocks_of=known.get(whole) or str(canonical_size(whole, launch.sizes)),
                rounded_to=step if rounds_up(dim, whole, step) else 0,
            )
        found.append(one)
    return found


def _dimension(dim: Size, known: dict[str, str], divisors: Mapping[int, str] | None = None) -> Dimension:
    """A dimension in C++: a product of parameters in 64 bits, for nobody knows how large a caller's are."""
    text = print_size(dim, known, divisors=divisors).text
    if normal_size(dim) in known or not multiplies(dim):
        return Dimension(text, (text,), False)
    factors = [
        print_size(size_text(factor), known, divisors=divisors).text for factor in factors_of(parse_size(dim))
    ]
    if len(factors) > 1:
        return Dimension(text, tuple(factors), True)
    wide = {size: f"int64_t({c_name})" for size, c_name in known.items()}
    return Dimension(text, (print_size(dim, wide, wide=True, divisors=divisors).text,), True)


def factors_of(size: ast.expr) -> list[ast.expr]:
    """What a size expression is the product of."""
    match size:
        case ast.BinOp(left, ast.Mult(), right):
            return [*factors_of(left), *factors_of(right)]
        case _:
            return [size]


def _too_large(
    device: DeviceCode,
    launch: Launch,
    dims: list[Dimension],
    products: Sequence[_Product],
    positive: Collection[str],
) -> list[str]:
    """The tests that sizes are beyond their limits, unless one of the `products` would be no int then."""
    base, most = device.limits.base, launch_assumptions.LARGEST_INT
    if launch.inferred_dims and base < launch_assumptions.LARGEST_N:
        text = f"INT_MAX / {most // base}" if most // base > 1 else f"INT_MAX - {most - base}"
        return [f"{dim.text} > {text}" for dim in dims]
    described = () if launch.inferred_dims else device.covered_dims or launch.dims
    sizes = [(dim.counted, size) for dim, size in zip(dims, described, strict=False)]
    sizes += [(one.c_name, one.written) for one in device.parameters if one.written is not None]
    # CUDA refuses more blocks along y and z.
    short = {
        dims[number].counted: MOST_BLOCKS * threads_along(axis, device.grid.block)
        for axis in device.grid.axes[1:]
        for number in axis.dims
        if not axis.filled
    }
    tests, told = [], set[str]()
    for text, size in sorted(sizes, key=lambda one: not one[0].isidentifier()):
        found = launch_assumptions.refusal(launch, size, device.limits)
        if found is not None and not found[1] <= told:
            bounded = any(_bounds(product, text, found[0], positive) for product in products)
            if not bounded and min(_most(device, text), short.get(text, math.inf)) > found[0]:
                tests.append(f"{text if text.isidentifier() else f'({text})'} > {_limit(found[0])}")
            told |= found[1]
    # Threads beyond the kernel's own check are not launched, however many the description has.
    tests += [
        f"{dim.counted} > {_limit(device.limits.most[name])}"
        for name in sorted(device.limits.refused - told)
        for dim in dims
        if not dim.text.isdigit()
    ]
    return list(dict.fromkeys(tests))


def _overflowing(device: DeviceCode) -> str:
    """What could overflow beyond the limits, for readers who do not see the kernel's variables."""
    return f"The kernel's {listed(device.overflowing)}" if device.overflowing else "The kernel's indices"


def _bounds(product: _Product, name: str, limit: int, positive: Collection[str]) -> bool:
    """Whether a factor of a product that is an int is within a limit, as the others are `positive`."""
    number, names = product
    others = Counter(names) - Counter([name])
    return (
        name in names and launch_assumptions.LARGEST_INT // number <= limit and others.keys() <= {*positive}
    )


def _most(device: DeviceCode, name: str, known: Sequence[str] = ()) -> float:
    """What a parameter does not exceed that the launcher lets pass: what it is compared with is an int. Those
    `known` ones have led here.
    """
    known = [*known, name]
    own = [one for one in device.bounds if one.name == name and one.room is not None]
    own = [one for one in own if one.other not in known]
    largest = min(launch_assumptions.LARGEST_INT, device.allowed.get(name, UNKNOWN)[1])
    return min([largest, *((_most(device, one.other, known) - (one.room or 0)) // one.factor for one in own)])


def _limit(number: int) -> str:
    """What is a limit because a multiple of it is an int is written so, and a large power of two as such."""
    times, power = launch_assumptions.LARGEST_INT // number, number.bit_length() - 1
    if launch_assumptions.LARGEST_INT // times == number and times <= _LARGE_MULTIPLE:
        return f"INT_MAX / {times}"
    return f"(1 << {power})" if number == 1 << power and power > _SHORT_POWER else str(number)


def _product(factors: Sequence[str]) -> str:
    """The product in 64 bits: it can be too large for an int where its factors are not."""
    if len(factors) == 1:
        return factors[0]
    simple = [factor if factor.isidentifier() or factor.isdigit() else f"({factor})" for factor in factors]
    first, *others = sorted(simple, key=lambda factor: (factor.startswith("("), factor.isdigit()))
    if "int64_t" not in first:
        first = f"int64_t{first}" if first.startswith("(") else f"int64_t({first})"
    return " * ".join([first, *others])
