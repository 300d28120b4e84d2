"""What the translator assumes of arrays and launches: what a launch description says. Defaults say nothing.

Index arithmetic is 64-bit where an int could overflow. Extents and indices of one dimension are ints, as
CUDA programs have them; a product of extents, or an index times a stride, is too large if it does not fit
into an int for the largest base size.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from weft.cuda.sizes import canonical_size
from weft.launch import Launch, Recipe
from weft.sizes import Size, evaluate_size, parse_size, size_names

LARGEST_N = 2**31 - 64
"""The largest base size: a little room for sizes that are rounded up to a multiple."""

_ROUNDED_N = 2**31 - 2**16
"""The largest base size that decides whether products of extents are ints: extents may be rounded up, several
of one array. Launchers refuse what does not fit.
"""

COUNTED_N = 2**28
"""The base size up to which sums of a few sizes are ints, where LARGEST_N leaves no room for them. A kernel
whose proofs need the room has a launcher that refuses more.
"""

_GRID_N = 2**23
"""The base size up to which every launch fits on its grid. CUDA refuses a larger one that does not, and the
launcher returns that error.
"""

LARGEST_INT = 2**31 - 1
_LARGEST_LAUNCH = 2**37


def extent_of(launch: Launch, leaf: str, axis: int) -> Size | None:
    """The described extent of an array; None without a description. A null array has 0."""
    parameter = launch.parameters[leaf]
    if parameter.null:
        return 0
    return None if leaf in launch.inferred else parameter.shape[axis]


def spanned(launch: Launch, size: Size) -> int | None:
    """A size that is known, and that no caller chooses: blocks are made for the extents that they span, and
    other kernels for those that neither a parameter nor the launch has.
    """
    chosen = _chosen(launch, () if launch.block_dim is not None else launch.dims)
    if size in launch.dims or _names(launch, size) & chosen:
        return None
    known = canonical_size(size, launch.sizes)
    return known if isinstance(known, int) else None


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
    given = [
        one.values.arguments for one in launch.parameters.values() if one.values and one.values.kind == "size"
    ]
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


def lie_apart(launch: Launch) -> bool:
    """Whether no two arrays overlap."""
    arrays = [name for name, one in launch.parameters.items() if one.shape or one.strides]
    return not any(name in launch.inferred for name in arrays)


def begins_with_numbers(launch: Launch, leaf: str) -> bool:
    """Whether an array that a kernel updates holds numbers before, and no NaN."""
    parameter = launch.parameters.get(leaf)
    if parameter is None or parameter.values is None or leaf in launch.inferred:
        return False
    return parameter.values.kind in ("uniform", "integers", "constant")


def begins_at_least(launch: Launch, leaf: str, least: float) -> bool:
    """Whether no element of such an array is below a number."""
    match launch.parameters[leaf].values:
        case Recipe("constant", low) | Recipe("uniform" | "integers", (int(low) | float(low), _)):
            return bool(low >= least)
        case _:
            return False


def may_be_wide(launch: Launch, leaf: str) -> bool:
    """Whether the offset of an element may exceed an int."""
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
    return may_be_wide_product(launch, parameter.shape)


def has_int_offsets(launch: Launch, leaf: str) -> bool:
    """Whether offsets of the array's elements are ints that are products of extents."""
    described = leaf not in launch.inferred and not is_strided(launch, leaf)
    return described and len(launch.parameters[leaf].shape) > 1 and not may_be_wide(launch, leaf)


def may_be_wide_product(launch: Launch, sizes: Sequence[Size]) -> bool:
    """Whether a product of described sizes may exceed an int by more than what rounding adds."""
    return math.prod(_at(launch, size, _ROUNDED_N) for size in sizes) > LARGEST_INT


def largest_base(launch: Launch) -> int:
    """The largest base size for which the described extents and dimensions are ints, and the described launch
    is no larger than any can be.
    """
    sizes = {
        size
        for leaf, parameter in launch.parameters.items()
        if leaf not in launch.inferred and not parameter.null
        for size in parameter.shape
    }
    dims = () if launch.inferred_dims else launch.dims

    def fits(n: int) -> bool:
        names = _with_all(launch.sizes, n)
        extents = [evaluate_size(dim, names) for dim in dims]
        return math.prod(extents) <= _LARGEST_LAUNCH and all(
            value <= LARGEST_INT
            for value in (*extents, *names.values(), *(evaluate_size(size, names) for size in sizes))
        )

    low = LARGEST_N if fits(LARGEST_N) else 1
    high = LARGEST_N
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def base_limits(launch: Launch) -> tuple[int, ...]:
    """Base sizes that a proof may take to be the largest: the largest that there is, and the one above which
    a launcher can refuse to launch.
    """
    largest = largest_base(launch)
    if _says_nothing(launch):
        return largest, _ROUNDED_N, LARGEST_INT // 2, LARGEST_INT // 8
    values = [
        parameter.values.arguments
        for leaf, parameter in launch.parameters.items()
        if leaf not in launch.inferred and parameter.values is not None and parameter.values.kind == "size"
    ]
    shown = [*(() if launch.inferred_dims else launch.dims), *values]
    tells = any(size_limit(launch, size, COUNTED_N) is not None for size in shown)
    return (largest, COUNTED_N) if tells and largest > COUNTED_N else (largest,)


def _says_nothing(launch: Launch) -> bool:
    """Whether nobody described the launch or an array: then a base size is what no dimension exceeds."""
    described = (one for leaf, one in launch.parameters.items() if leaf not in launch.inferred)
    return launch.inferred_dims and not any(one.shape or one.values for one in described)


def largest_coordinate(launch: Launch, base: int) -> int:
    """What no coordinate of a thread exceeds, whatever the dimensions are."""
    return base - 1 if base < LARGEST_N and _says_nothing(launch) else LARGEST_INT - 1


def size_limit(launch: Launch, size: Size, base: int) -> int | None:
    """What a size does not exceed only if the base size does not exceed `base`; None where it hardly grows
    any more.
    """
    if not all(_grows(parse_size(one)) for one in (size, *_needed(launch, size).values())):
        return None
    beyond = _at(launch, size, base + 1)
    return beyond - 1 if beyond > _at(launch, size, base // 2) else None


def largest_launch(launch: Launch, base: int) -> float:
    """How many threads a launch has at most, where the base size does not exceed `base`."""
    if launch.inferred_dims or launch.steps:
        return math.inf
    return math.prod(_at(launch, dim, base) for dim in launch.dims) * (
        launch.block_dim or 1 if launch.tiled else 1
    )


def greatest(launch: Launch, name: str, base: int) -> int:
    """What a named size does not exceed where the base size does not exceed `base`."""
    needed = _needed(launch, name)
    if not all(_grows(parse_size(size)) for size in needed.values()):
        return LARGEST_INT
    return min(LARGEST_INT, _with(needed, name, base))


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
    return math.prod(_at(launch, dim, low) for dim in launch.dims) <= _LARGEST_LAUNCH


def may_outgrow(launch: Launch, size: Size, most: int) -> bool:
    """The same of launches that have to fit on a grid."""
    return _at(launch, size, _GRID_N) > most and may_exceed(launch, size, most)


def largest(launch: Launch, size: Size) -> int:
    """A size for the largest base size."""
    return _at(launch, size, LARGEST_N)


def _at(launch: Launch, size: Size, n: int) -> int:
    return _with(_needed(launch, size), size, n)


def _needed(launch: Launch, size: Size) -> dict[str, Size]:
    """The named sizes that a size follows from, each after those that it uses itself."""
    names = set(size_names(size))
    for name, definition in reversed(list(launch.sizes.items())):
        if name in names:
            names |= size_names(definition)
    return {name: definition for name, definition in launch.sizes.items() if name in names}


def _with(needed: Mapping[str, Size], size: Size, n: int) -> int:
    return evaluate_size(size, _with_all(needed, n))


def _with_all(sizes: Mapping[str, Size], n: int) -> dict[str, int]:
    """The values of named sizes for a base size."""
    names = {"n": n}
    for name, definition in sizes.items():
        names[name] = evaluate_size(definition, names)
    return names
