"""Tiles: arrays of constant shape that the threads of a block load, combine and store together.

Bounds of a tile hold for each of its elements. What adds floats in an order of its own takes whole numbers
only, so that every order gives the same sum.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from weft.kernels import intervals
from weft.kernels.arrays import EXACT_SUMS, ArrayHandle, atomic_family
from weft.kernels.builder import Builder
from weft.kernels.expressions import lift
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.operators import ARITHMETIC, FUNCTIONS
from weft.kernels.program import Call, Callee, Expr, Group, Item, Name, Number, Undefined
from weft.kernels.types import BOOL, F16, F32, I32, LIMITS, scalar_of, warp_name
from weft.types import Array, Scalar, Tile, Type

Place = Expr | int

_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def _group(items: Sequence[Place], *, bare: bool = True) -> Group:
    return Group(I32, EVERYTHING, tuple(lift(one, I32) for one in items), bare)


def _dtype(element: Type) -> tuple[str, Expr]:
    names = {"float32": "float", "int32": "int"}
    return "dtype", Callee(element, EVERYTHING, names.get(str(element)) or warp_name(element))


def _element(tile: Expr) -> Type:
    return _kind(tile).element


def _kind(tile: Expr) -> Tile:
    if not isinstance(tile.type, Tile):
        raise Undefined(f"{tile.type} is no tile")
    return tile.type


def _call(function: str, type: Type, interval: Interval, *arguments: Expr, **keywords: Expr) -> Call:
    return Call(type, interval, f"wp.{function}", arguments, tuple(keywords.items()))


def _seen(array: ArrayHandle, row: Sequence[Place]) -> Expr:
    """The array, or what is left of it behind leading indices."""
    name = Name(array.parameter.type, EVERYTHING, array.parameter.name)
    if not row:
        return name
    rest = Array(array.element, len(array.parameter.shape) - len(row))
    return Item(rest, array.interval, name, tuple(lift(one, I32) for one in row))


def load(
    array: ArrayHandle,
    shape: Sequence[int],
    offset: Sequence[Place] = (),
    *,
    row: Sequence[Place] = (),
    shared: bool = False,
    ragged: bool = False,
) -> Expr:
    """`wp.tile_load(array[row], shape, offset)`; what a `ragged` one finds beyond the array is zero."""
    if array.parameter.role == "out":
        raise Undefined(f"{array.parameter.name} is an output and is never read")
    interval = array.interval.hull(Interval(0, 0, integral=True)) if ragged else array.interval
    keywords: dict[str, Expr] = {"shape": _group(shape), **_at(offset)}
    if shared:
        keywords["storage"] = Callee(I32, EVERYTHING, '"shared"')
    return _call("tile_load", Tile(array.element, tuple(shape)), interval, _seen(array, row), **keywords)


def _at(offset: Sequence[Place]) -> dict[str, Expr]:
    """The keyword of an offset that is not zero."""
    return {"offset": _group(offset)} if any(not isinstance(one, int) or one for one in offset) else {}


def _claim(k: Builder, array: ArrayHandle, shape: Sequence[int], places: Sequence[Expr]) -> None:
    """Blocks write apart: each dimension of the launch scales an offset by at least the tile's extent."""
    pattern = tuple(k.owner(one) for one in places)
    extents = [1] * (len(places) - len(shape)) + list(shape)
    for owner, extent in zip(pattern, extents, strict=True):
        factor = int(owner[-1].removeprefix("times ")) if owner and owner[-1].startswith("times ") else 1
        if owner and factor < extent:
            raise Undefined(f"{array.parameter.name}: tiles of {extent} overlap, {factor} apart")
    apart = {f"thread {axis}" for axis, size in enumerate(k.dims) if k.largest(size) > 1}
    if not apart <= {one[0] for one in pattern if one}:
        raise Undefined(f"{array.parameter.name}: several blocks could write one place")
    if array.pattern is None:
        array.pattern = pattern


def store(
    k: Builder, array: ArrayHandle, tile: Expr, offset: Sequence[Place] = (), *, row: Sequence[Place] = ()
) -> None:
    """`wp.tile_store(array[row], tile, offset)`, to places that are this block's alone."""
    kind = _kind(tile)
    if kind.element != array.element or array.parameter.role == "in":
        raise Undefined(f"tile of {kind.element} stored to {array.parameter.role} {array.parameter.name}")
    if len(kind.shape) + len(row) != len(array.parameter.shape):
        raise Undefined(f"{kind} stored to {array.parameter.name} of shape {array.parameter.shape}")
    if not isinstance(tile, Name) and k.rng.chance(0.6):
        tile = k.let("result_tile" if "result" in k.names else "result", tile)
    places = [lift(one, I32) for one in (*row, *(offset or [0] * len(kind.shape)))]
    _claim(k, array, kind.shape, places)
    k.evaluate(_call("tile_store", kind, EVERYTHING, _seen(array, row), tile, **_at(offset)))


def atomic_add(k: Builder, array: ArrayHandle, tile: Expr, offset: Sequence[Place] = ()) -> None:
    """`wp.tile_atomic_add(array, tile, offset)` of whole numbers."""
    element = Name(_element(tile), tile.interval, "element")
    array.atomic = atomic_family("add", array, element, k.times(), free_order=k.equality == "bounded")
    k.evaluate(_call("tile_atomic_add", tile.type, EVERYTHING, _seen(array, ()), tile, **_at(offset)))


def scatter_add(k: Builder, tile: Expr, place: Expr, amount: Expr, counted: Expr | None = None) -> None:
    """`wp.tile_scatter_add(tile, place, amount, counted)`: every thread adds a whole number to an element.

    What the tile holds afterwards is bounded by an amount of each thread in each turn of the loops around.
    """
    if k.block_dim is None or not place.interval.within(0, _kind(tile).size - 1):
        raise Undefined(f"scatter to {place.interval} of {tile.type}")
    head = counted if counted is not None else Callee(BOOL, intervals.whole(1, 1), "True")
    k.evaluate(_call("tile_scatter_add", tile.type, EVERYTHING, tile, place, amount, head))
    tile.interval = intervals.add(
        tile.interval, intervals.multiply(amount.interval, intervals.whole(0, int(k.block_dim * k.turns())))
    )


def filled(
    kind: str, shape: Sequence[int], element: Scalar, value: Expr | Number = 0, *, storage: str = ""
) -> Expr:
    """`wp.tile_zeros`, `wp.tile_ones` or, with a value, `wp.tile_full`."""
    tile = Tile(element, tuple(shape))
    keywords: dict[str, Expr] = {"shape": _group(shape)}
    if kind == "full":
        filling = lift(value, element)
        keywords["value"] = filling
        interval = filling.interval
    else:
        number = 0 if kind == "zeros" else 1
        interval = Interval(number, number, integral=True)
    keywords |= dict([_dtype(element)])
    if storage:
        keywords["storage"] = Callee(element, EVERYTHING, f'"{storage}"')
    return _call(f"tile_{kind}", tile, interval, **keywords)


def arange(count: int, element: Scalar) -> Expr:
    """`wp.tile_arange(count, dtype=…)`: 0, 1, 2, …"""
    end = lift(count, element)
    return _call(
        "tile_arange", Tile(element, (count,)), intervals.whole(0, count - 1), end, **dict([_dtype(element)])
    )


def mapped(function: str, *operands: Expr | Number) -> Expr:
    """`wp.tile_map(wp.function, …)` of a builtin; numbers are the same for all elements."""
    first = next(one for one in operands if isinstance(one, Expr) and isinstance(one.type, Tile))
    values = [lift(one, _element(first)) for one in operands]
    elements = [_element(one) if isinstance(one.type, Tile) else one.type for one in values]
    record = ARITHMETIC[_SYMBOLS[function]] if function in _SYMBOLS else FUNCTIONS[function]
    ranges = [one.interval for one in values]
    result = record.result(elements)
    if result is None or not record.requires(*ranges):
        raise Undefined(f"tile_map of {function} over {', '.join(map(str, ranges))}")
    head = Callee(first.type, EVERYTHING, f"wp.{function}")
    return _call("tile_map", Tile(result, _kind(first).shape), record.interval(*ranges), head, *values)


def astype(tile: Expr, element: Scalar) -> Expr:
    """`wp.tile_astype(tile, dtype=…)`, to a float type."""
    return _call(
        "tile_astype", Tile(element, _kind(tile).shape), tile.interval, tile, **dict([_dtype(element)])
    )


def applied(k: Builder, name: str, doc: str, operands: dict[str, Expr], body: Callable[..., Expr]) -> Expr:
    """`wp.tile_map(name, …)` of a function of the program's; `body(builder, *elements)` gives its value."""
    values = list(operands.values())
    first = next(one for one in values if isinstance(one.type, Tile))
    parameters = {
        key: (_element(one) if isinstance(one.type, Tile) else one.type, one.interval)
        for key, one in operands.items()
    }
    call = k.function(name, doc, parameters, body)
    definition = k.functions[-1]
    result = call(*(Name(of, interval, key) for key, (of, interval) in parameters.items()))
    head = Callee(first.type, EVERYTHING, definition)
    return _call("tile_map", Tile(result.type, _kind(first).shape), result.interval, head, *values)


def _exact(tile: Expr, count: int) -> Interval:
    """Bounds of a sum of so many elements. Raises Undefined where its order would show."""
    scalar = scalar_of(tile.type)
    total = intervals.multiply(tile.interval, intervals.whole(count, count))
    if scalar.is_float and not (tile.interval.integral and total.magnitude < EXACT_SUMS[scalar.name]):
        raise Undefined(f"the sum of {tile.interval} depends on the order of {count} additions")
    if scalar.is_integer and not total.within(*LIMITS[scalar.name]):
        raise Undefined(f"the sum of {tile.interval} overflows {scalar}")
    return dataclasses.replace(total, integral=tile.interval.integral)


def summed(tile: Expr, axis: int | None = None, *, free_order: bool = False) -> Expr:
    """`wp.tile_sum(tile)`, or along an axis; in any order if the kernel's results are judged so."""

    def bounds(count: int) -> Interval:
        if free_order:
            return intervals.multiply(tile.interval, intervals.whole(count, count))
        return _exact(tile, count)

    return _reduced("tile_sum", tile, axis, bounds)


def extreme(kind: str, tile: Expr) -> Expr:
    """`wp.tile_min(tile)` or `wp.tile_max(tile)`."""
    return _reduced(f"tile_{kind}", tile, None, lambda _: tile.interval)


def _reduced(function: str, tile: Expr, axis: int | None, bounds: Callable[[int], Interval]) -> Expr:
    kind = _kind(tile)
    if axis is None:
        return _call(function, Tile(kind.element, (1,)), bounds(kind.size), tile)
    shape = tuple(extent for at, extent in enumerate(kind.shape) if at != axis)
    keywords = {"axis": lift(axis, I32)}
    return _call(function, Tile(kind.element, shape), bounds(kind.shape[axis]), tile, **keywords)


def reduced(function: str, tile: Expr, axis: int | None = None) -> Expr:
    """`wp.tile_reduce(wp.function, tile)` with add, min or max."""
    head = Callee(tile.type, EVERYTHING, f"wp.{function}")
    one = _reduced(
        "tile_reduce", tile, axis, lambda count: _exact(tile, count) if function == "add" else tile.interval
    )
    assert isinstance(one, Call)
    one.arguments = (head, *one.arguments)
    return one


def place_of(kind: str, tile: Expr) -> Expr:
    """`wp.tile_argmin(tile)` or `wp.tile_argmax(tile)`."""
    return _call(f"tile_arg{kind}", Tile(I32, (1,)), intervals.whole(0, _kind(tile).size - 1), tile)


def sort(k: Builder, keys: Expr, values: Expr) -> None:
    """`wp.tile_sort(keys, values)`: both in the order of the keys."""
    k.evaluate(_call("tile_sort", _kind(keys), EVERYTHING, keys, values))


def scanned(kind: str, tile: Expr) -> Expr:
    """`wp.tile_scan_inclusive(tile)`, `exclusive` or `max_inclusive`, in any order of additions."""
    extremes = kind.startswith(("max", "min"))
    count = 1 if extremes else _kind(tile).size
    interval = intervals.multiply(tile.interval, intervals.whole(1, count)).hull(tile.interval)
    interval = Interval(interval.lo, interval.hi, tile.interval.integral)
    if kind == "exclusive":
        interval = interval.hull(Interval(0, 0, integral=True))
    return _call(f"tile_scan_{kind}", tile.type, interval, tile)


def dot(left: Expr, right: Expr) -> Expr:
    """`wp.tile_dot(left, right)` of whole numbers."""
    product = Name(left.type, intervals.multiply(left.interval, right.interval), "product")
    return _call("tile_dot", Tile(_element(left), (1,)), _exact(product, _kind(left).size), left, right)


def transposed(tile: Expr) -> Expr:
    """`wp.tile_transpose(tile)`."""
    rows, columns = _kind(tile).shape
    return _call("tile_transpose", Tile(_element(tile), (columns, rows)), tile.interval, tile)


def broadcast(tile: Expr, shape: Sequence[int]) -> Expr:
    """`wp.tile_broadcast(tile, shape)`."""
    return _call(
        "tile_broadcast",
        Tile(_element(tile), tuple(shape)),
        tile.interval,
        tile,
        shape=_group(shape, bare=False),
    )


def reshaped(tile: Expr, shape: Sequence[int]) -> Expr:
    """`wp.tile_reshape(tile, shape)`."""
    if math.prod(shape) != _kind(tile).size:
        raise Undefined(f"{tile.type} reshaped to {shape}")
    return _call(
        "tile_reshape",
        Tile(_element(tile), tuple(shape)),
        tile.interval,
        tile,
        shape=_group(shape, bare=False),
    )


def view(tile: Expr, offset: Sequence[int], shape: Sequence[int]) -> Expr:
    """`wp.tile_view(tile, offset, shape)`."""
    for start, extent, whole in zip(offset, shape, _kind(tile).shape, strict=True):
        if start + extent > whole:
            raise Undefined(f"view of {shape} at {offset} in {tile.type}")
    kind = Tile(_element(tile), tuple(shape))
    return _call(
        "tile_view",
        kind,
        tile.interval,
        tile,
        offset=_group(offset, bare=False),
        shape=_group(shape, bare=False),
    )


def product(left: Expr, right: Expr, into: Expr | None = None, terms: int = 1) -> Expr:
    """`wp.tile_matmul(left, right)`, added to `into` if given; it is called for so many `terms`.

    Products of half precision are added up in single precision.
    """
    (rows, inner), (again, columns) = _kind(left).shape, _kind(right).shape
    kind = Tile(_element(left), (rows, columns))
    if into is not None and kind.element == F16:
        kind = Tile(F32, (rows, columns))
    if not scalar_of(kind).is_float or inner != again or (into is not None and into.type != kind):
        raise Undefined(f"{left.type} @ {right.type}")
    one = intervals.multiply(left.interval, right.interval)
    bounds = intervals.multiply(one, intervals.whole(inner * terms, inner * terms))
    given = (left, right) if into is None else (left, right, into)
    return _call("tile_matmul", kind, bounds, *given)


def of_threads(k: Builder, value: Expr) -> Expr:
    """`wp.tile(value)`: the values of all threads of the block."""
    if k.block_dim is None or k.lane is None:
        raise Undefined("a tile of the threads' values needs a block of them")
    return _call("tile", Tile(value.type, (k.block_dim,)), value.interval, value)


def own(tile: Expr) -> Expr:
    """`wp.untile(tile)`: this thread's element."""
    return _call("untile", _element(tile), tile.interval, tile)
