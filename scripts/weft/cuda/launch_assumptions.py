"""What the translator assumes of arrays and launches: what a launch description says. Defaults say nothing.

Index arithmetic is 64-bit where an int could overflow. Extents and indices of one dimension are ints, as
CUDA programs have them; a product of extents, or an index times a stride, is too large if it does not fit
into an int for the largest base size.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from weft.cuda.sizes import canonical_size, multiplies, renamed
from weft.launch import Launch, Recipe
from weft.sizes import Size, evaluate_size, evaluate_sizes, parse_size, size_names, size_text

LARGEST_N = 2**31 - 64
"""The largest base size: a little room for sizes that are rounded up to a multiple."""

_ROUNDED_N = 2**31 - 2**16
"""The largest base size that decides whether products of extents are ints: extents may be rounded up, several
of one array. Launchers refuse what does not fit.
"""

LARGEST_INT = 2**31 - 1
LARGEST_INDEX = LARGEST_INT - 1

_MULTIPLES = (*range(2, 17), 24, 32, 48, *(2**power for power in range(6, 15)))
_LIMITS = (*(LARGEST_INT // times for times in _MULTIPLES), 46340, 2**14, 1290, 2**10, 2**9, 2**8)
"""What sizes may not exceed where a proof needs room for sums or products of them: multiples, squares and
cubes that are ints, and less. A kernel whose proofs need the room has a launcher that refuses more.
"""

_SMALL_N = 2**17
"""Launches of base sizes up to this are never refused."""

_GRID_N = 2**23
"""The base size up to which every launch fits on its grid. CUDA refuses a larger one that does not, and the
launcher returns that error.
"""

_LARGEST_TEXTURE = {1: 2**28, 2: 2**17, 3: 2**14}
"""What no extent of a texture exceeds, by its number of dimensions: CUDA has no larger ones."""

_LEAST = 8
"""What no kernel asks more than of a size: the cells within reach of its neighbours."""

_LARGEST_LAUNCH = 2**37


def extent_of(launch: Launch, leaf: str, axis: int) -> Size | None:
    """The described extent of an array; None without a description. A null array has 0."""
    parameter = launch.parameters[leaf]
    if parameter.null:
        return 0
    return None if leaf in launch.inferred else parameter.shape[axis]


def spanned(launch: Launch, size: Size) -> int | None:
    """A size that is known, and that no caller chooses: one that a description has as a number."""
    known, names = canonical_size(size, launch.sizes), _names(launch, size)
    if not isinstance(known, int) or size in launch.dims:
        return None
    if names:
        # A name for a number that is a launch dimension, too, is no more than a name.
        dims = [canonical_size(dim, launch.sizes) for dim in launch.dims if not size_names(dim)]
        if any(canonical_size(name, launch.sizes) not in dims for name in names):
            return None
    return None if names and names & _chosen(launch, launch.dims) else known


def fixed_sizes(launch: Launch) -> set[str]:
    """The names of sizes that a kernel knows as numbers."""
    used = [*launch.dims]
    for leaf, parameter in launch.parameters.items():
        used += parameter.shape if leaf not in launch.inferred else ()
    names = launch.sizes.keys() & set().union(*(_names(launch, size) for size in used))
    return {name for name in names if spanned(launch, name) is not None}


def stride_of(launch: Launch, leaf: str, axis: int) -> Size:
    """The described stride of an array for which `is_strided` holds, in elements."""
    return launch.parameters[leaf].strides[axis]


def is_strided(launch: Launch, leaf: str) -> bool:
    """Whether the array may be other than row after row without gaps."""
    parameter = launch.parameters[leaf]
    return bool(parameter.strides) and leaf not in launch.inferred


def fixed_elements(launch: Launch, leaf: str, held: Iterable[Size]) -> int | None:
    """How many elements an array has in every launch. None if nobody described it, or if its size is a
    parameter. `held` are the sizes that the kernel is given.
    """
    parameter = launch.parameters[leaf]
    if leaf in launch.inferred or parameter.null or is_strided(launch, leaf) or not parameter.shape:
        return None
    chosen = _chosen(launch, held)
    if any(_names(launch, size) & chosen for size in parameter.shape):
        return None
    return math.prod(largest(launch, size) for size in parameter.shape)


def _chosen(launch: Launch, sizes: Iterable[Size]) -> set[str]:
    """The names that these sizes follow from, those that by-value parameters have, and the base size."""
    given = [one.size for one in launch.parameters.values() if one.size is not None]
    return {"n"}.union(*(_names(launch, size) for size in (*sizes, *given)))


def _names(launch: Launch, size: Size) -> set[str]:
    """The names that a size follows from."""
    needed = _needed(launch, size)
    return set(size_names(size)).union(needed, *map(size_names, needed.values()))


def may_overlap(launch: Launch, leaf: str, written: Collection[str]) -> bool:
    """Whether memory that one array accesses may be written through another. Only described arrays are
    assumed to lie apart.
    """
    arrays = [name for name, one in launch.parameters.items() if (one.shape or one.strides) and not one.null]
    others = arrays if leaf in written else written
    return leaf in launch.inferred or any(name in launch.inferred for name in others)


def is_only_read(launch: Launch, leaf: str, written: Collection[str]) -> bool:
    """Whether nothing writes an array while a kernel runs, which is row after row in global memory."""
    plain = launch.parameters[leaf].memory == "global" and not is_strided(launch, leaf)
    return plain and leaf not in written and not may_overlap(launch, leaf, written)


def lie_apart(launch: Launch) -> bool:
    """Whether no two arrays overlap."""
    arrays = [name for name, one in launch.parameters.items() if one.shape or one.strides]
    return not any(name in launch.inferred for name in arrays)


def begins_with_numbers(launch: Launch, leaf: str) -> bool:
    """Whether an array that a kernel updates holds numbers before, and no NaN."""
    parameter = launch.parameters.get(leaf)
    if parameter is None or parameter.values is None or leaf in launch.inferred:
        return False
    return parameter.values.kind in ("uniform", "unit", "integers", "constant")


def begins_at_least(launch: Launch, leaf: str, least: float) -> bool:
    """Whether no element of such an array is below a number."""
    match launch.parameters[leaf].values:
        case Recipe("constant", low) | Recipe("uniform" | "integers", (int(low) | float(low), _)):
            return bool(low >= least)
        case _:
            return False


def may_be_wide(launch: Launch, leaf: str) -> bool:
    """Whether the offset of an element may exceed an int, or one in another array of the kernel, which counts
    in one type.
    """
    parameter = launch.parameters[leaf]
    if parameter.null:
        return False
    if leaf in launch.inferred:
        return True
    strided = is_strided(launch, leaf)
    if len(parameter.shape) < 2 and not strided:
        return False
    if strided:
        shape, strides = (
            [largest(launch, size) for size in one] for one in (parameter.shape, parameter.strides)
        )
        return sum((extent - 1) * abs(stride) for extent, stride in zip(shape, strides, strict=True)) > (
            LARGEST_INT
        )
    if not any(size_names(size) for size in parameter.shape):
        return may_be_wide_product(launch, parameter.shape)
    return any(
        len(one.shape) > 1 and not one.strides and may_be_wide_product(launch, one.shape)
        for one in launch.parameters.values()
    )


def has_int_offsets(launch: Launch, leaf: str) -> bool:
    """Whether offsets of the array's elements are ints that are products of extents."""
    described = leaf not in launch.inferred and not is_strided(launch, leaf)
    shape = launch.parameters[leaf].shape
    return described and (len(shape) > 1 or any(map(multiplies, shape))) and not may_be_wide(launch, leaf)


def may_be_wide_product(launch: Launch, sizes: Sequence[Size]) -> bool:
    """Whether a product of described sizes may exceed an int by more than what rounding adds."""
    return math.prod(at_base(launch, size, _ROUNDED_N) for size in sizes) > LARGEST_INT


@dataclasses.dataclass(frozen=True)
class Bound:
    """`name`, `factor` times, is at most `other` less `room`; without room, at most what `other` leaves of an
    int.
    """

    name: str
    other: str
    room: int | None = None
    factor: int = 1


@dataclasses.dataclass(frozen=True)
class Limits:
    """What sizes do not exceed: `most` by their names, `n` for the base size. A launcher refuses those of the
    `refused` that do; no array has the others. It also refuses those below what they have in `least`.
    Of an undescribed launch, `base` is what no dimension exceeds.
    """

    base: int = LARGEST_N
    most: Mapping[str, int] = dataclasses.field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    least: Mapping[str, int] = dataclasses.field(default_factory=dict)

    def allowing(self, name: str, largest: Limits) -> Limits:
        """The limits where a launcher does not refuse a size."""
        most = {**self.most, name: largest.most[name]}
        return dataclasses.replace(self, most=most, refused=self.refused - {name})


def size_limits(launch: Launch, asked: Collection[tuple[str, int]] = ()) -> tuple[Limits, ...]:
    """What a proof may rely on: sizes that ints hold, and those that a launcher does not refuse. The kernel
    asks for the extents of the `asked` arrays and axes, so that the launcher is told them.
    """
    if _says_nothing(launch):
        bases = LARGEST_N, _ROUNDED_N, LARGEST_INT // 2, LARGEST_INT // 8
        return tuple(Limits(base) for base in bases)
    refused = frozenset(name for size in _told(launch, asked) for name in _grows_with(launch, size))
    arrays = [one for leaf, one in launch.parameters.items() if leaf not in launch.inferred]
    most: dict[str, int] = {}
    for one in sorted(arrays, key=lambda one: one.memory == "texture"):
        number = _LARGEST_TEXTURE[len(one.shape)] if one.memory == "texture" else LARGEST_INT
        most |= {_written(launch, extent): number for extent in one.shape}
    largest = {
        name: min([LARGEST_N, *(_within(extent, name, number) for extent, number in most.items())])
        for name in ("n", *launch.sizes)
    }
    smaller = (
        {name: min(largest[name], max(limit, at_base(launch, name, _SMALL_N))) for name in refused}
        for limit in _LIMITS
    )
    return Limits(most=largest), *(
        Limits(most={**largest, **most}, refused=refused) for most in smaller if refused
    )


def is_counted(launch: Launch, leaf: str, asked: Collection[tuple[str, int]]) -> bool:
    """Whether the launcher is told every extent of an array, so that it can refuse too many elements."""
    rows = [one.shape[1:] for name, one in launch.parameters.items() if name not in launch.inferred]
    told = [*_told(launch, asked), *(extent for row in rows for extent in row)]
    names = {name for size in told for name in size_names(_written(launch, size))}
    known = {canonical_size(size, launch.sizes) for size in told}
    return all(
        names.issuperset(size_names(_written(launch, extent)))
        or canonical_size(extent, launch.sizes) in known
        for extent in launch.parameters[leaf].shape
    )


def _told(launch: Launch, asked: Collection[tuple[str, int]]) -> list[Size]:
    """What a launcher gets: dimensions, sizes by value, and the extents that its kernel asks for."""
    parameters = launch.parameters.items()
    values = [one.size for leaf, one in parameters if leaf not in launch.inferred and one.size is not None]
    extents = [extent_of(launch, leaf, axis) for leaf, axis in asked]
    return [*(() if launch.inferred_dims else launch.dims), *values, *(one for one in extents if one)]


def refusal(launch: Launch, size: Size, limits: Limits) -> tuple[int, set[str]] | None:
    """Above what a launcher has to refuse a size for those that it is computed from to be within limits, and
    the names of these. None where it hardly grows with any.
    """
    written, names = _written(launch, size), _grows_with(launch, size) & limits.refused
    ones = dict.fromkeys(size_names(written), 1)
    beyond = [evaluate_size(written, {**ones, name: limits.most[name] + 1}) - 1 for name in names]
    return (min(beyond), names) if names else None


def _grows_with(launch: Launch, size: Size) -> set[str]:
    """The names of which large values make a size large."""
    written = _written(launch, size)
    if not _grows(parse_size(written)):
        return set()
    ones = dict.fromkeys(size_names(written), 1)
    half, whole = _LIMITS[0] // 2, _LIMITS[0]
    return {
        name
        for name in ones
        if evaluate_size(written, {**ones, name: whole}) > evaluate_size(written, {**ones, name: half})
    }


def _written(launch: Launch, size: Size) -> str:
    return size_text(renamed(size, launch.sizes))


def _says_nothing(launch: Launch) -> bool:
    """Whether nobody described the launch or an array: then a base size is what no dimension exceeds."""
    described = (one for leaf, one in launch.parameters.items() if leaf not in launch.inferred)
    return launch.inferred_dims and not any(one.shape or one.values for one in described)


def largest_coordinate(launch: Launch, limits: Limits) -> int:
    """What no coordinate of a thread exceeds, whatever the dimensions are."""
    return limits.base - 1 if limits.base < LARGEST_N and _says_nothing(launch) else LARGEST_INT - 1


def largest_sum(launch: Launch) -> int:
    """What the sum of a launch's dimensions does not exceed, even if one is as large as any."""
    return LARGEST_N + _LARGEST_LAUNCH // LARGEST_N + len(launch.dims) - 2


def largest_launch(launch: Launch, limits: Limits) -> float:
    """How many threads a launch has at most."""
    if launch.inferred_dims or launch.steps:
        return math.inf
    dims = [_written(launch, dim) for dim in launch.dims]
    most = math.prod(
        min(LARGEST_INT, evaluate_size(dim, limits.most)) if _grows(parse_size(dim)) else LARGEST_INT
        for dim in dims
    )
    for shape in counted_shapes(launch):
        if Counter(dims) <= Counter(_written(launch, extent) for extent in shape):
            most = min(most, LARGEST_INT)
    return most * (launch.block_dim or 1 if launch.tiled else 1)


@functools.lru_cache(maxsize=4096)
def _within(extent: str, name: str, most: int) -> int:
    """What a size does not exceed for an extent that is computed from it not to exceed a number."""
    if name not in size_names(extent) or not _grows(parse_size(extent)):
        return LARGEST_N
    ones = dict.fromkeys(size_names(extent), 1)
    low, high = 1, LARGEST_N
    while low < high:
        middle = (low + high + 1) // 2
        if evaluate_size(extent, {**ones, name: middle}) <= most:
            low = middle
        else:
            high = middle - 1
    return low


def counts(launch: Launch, shape: Sequence[Size], limits: Limits) -> bool:
    """Whether an int counts the elements of an array because the launcher refuses large sizes."""
    extents = [_written(launch, extent) for extent in shape]
    names = frozenset[str]().union(*map(size_names, extents))
    if not names <= limits.refused:
        return False
    return math.prod(evaluate_size(extent, limits.most) for extent in extents) <= LARGEST_INT


def counted_shapes(launch: Launch) -> list[tuple[Size, ...]]:
    """The shapes of arrays whose elements a launcher counts: it refuses more than an int holds."""
    return [one.shape for leaf, one in launch.parameters.items() if has_int_offsets(launch, leaf)]


def least_sizes(launch: Launch) -> dict[str, int]:
    """The named sizes that are never 1, with a small number that they are never below. A caller may choose
    others: who relies on it has the launcher refuse those.
    """
    found = {}
    for name in launch.sizes:
        needed = _needed(launch, name)
        if all(_grows(parse_size(size)) for size in needed.values()):
            found[name] = min(_with(needed, name, 1), _LEAST)
    return {name: least for name, least in found.items() if least > 1}


def _grows(size: ast.expr) -> bool:
    """Whether a larger base size never makes the size smaller."""
    match size:
        case ast.Name() | ast.Constant():
            return True
        case ast.BinOp(left, ast.Add() | ast.Mult(), right):
            return _grows(left) and _grows(right)
        case ast.BinOp(left, ast.Sub() | ast.FloorDiv(), ast.Constant(value=int(value))):
            return value > 0 and _grows(left)
        case ast.Call(_, arguments):
            return all(map(_grows, arguments))
        case _:
            return False


def may_exceed(launch: Launch, size: Size, most: int) -> bool:
    """Whether a launch may have more than `most` of what `size` counts, one of its dimensions or several.

    A launch of more than 2^37 threads counts as impossible: nothing holds the data that they would work on.
    """
    if largest(launch, size) <= most:
        return False
    needed = _needed(launch, size)
    low, high = 1, LARGEST_N
    while low < high:
        middle = (low + high) // 2
        if _with(needed, size, middle) > most:
            high = middle
        else:
            low = middle + 1
    return math.prod(at_base(launch, dim, low) for dim in launch.dims) <= _LARGEST_LAUNCH


def may_outgrow(launch: Launch, size: Size, most: int) -> bool:
    """The same of launches that have to fit on a grid."""
    return at_base(launch, size, _GRID_N) > most and may_exceed(launch, size, most)


def largest(launch: Launch, size: Size) -> int:
    """A size for the largest base size."""
    return at_base(launch, size, LARGEST_N)


def at_base(launch: Launch, size: Size, n: int) -> int:
    """A size in the described launch with the base size `n`."""
    return _with(_needed(launch, size), size, n)


def _needed(launch: Launch, size: Size) -> dict[str, Size]:
    """The named sizes that a size follows from, each after those that it uses itself."""
    names = set(size_names(size))
    for name, definition in reversed(list(launch.sizes.items())):
        if name in names:
            names |= size_names(definition)
    return {name: definition for name, definition in launch.sizes.items() if name in names}


def _with(needed: Mapping[str, Size], size: Size, n: int) -> int:
    return evaluate_size(size, evaluate_sizes(needed, n))
