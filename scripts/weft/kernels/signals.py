"""Where the numbers of a thread come from: elements of arrays in usual layouts, raw or conditioned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform, whole
from weft.kernels.expressions import bounded, conditional, ops
from weft.kernels.program import Expr, Item, Name
from weft.kernels.types import I32, scalar_of
from weft.kernels.words import opening, plural, the, told
from weft.types import Scalar, Type, Vector


def read(
    k: Builder,
    name: str,
    low: float,
    high: float,
    type: Type | None = None,
    *,
    array: str | None = None,
    inline: bool = False,
) -> Expr:
    """This thread's element of an input array with components in [low, high], named unless `inline`.

    Numbers may lie in a usual layout instead: a column of a table, every second element, behind an index.
    """
    element = type or k.real
    values = uniform(low, high) if scalar_of(element).is_float else whole(int(low), int(high))
    if isinstance(element, Scalar):
        item = _laid_out(k, name, array or plural(name), element, values)
    else:
        item = k.array(array or plural(name), element, k.shape, values)[k.index]
    simple = isinstance(item, Item) and all(isinstance(one, Name) for one in item.indices)
    if inline or (isinstance(element, Scalar) and simple and k.rng.chance(k.policy.inline_load)):
        return item
    return k.let(_free(k, name), item)


def _laid_out(k: Builder, name: str, array: str, element: Scalar, values: dict[str, Any]) -> Expr:
    """A number of this thread in an array of the layout that is drawn."""
    rank, index, shape = len(k.shape), k.index, k.shape
    layout = k.rng.weighted(k.policy.layout) if len(index) == rank else "plain"
    match layout:
        case "column" if 0 < rank < 4:
            width = k.rng.pick(2, 3, 4)
            column = k.rng.below(width)
            handle = k.array(array, element, [*shape, str(width)], values)
            k.notes.append(f"Only column {column} of {handle.parameter.name} is read")
            return handle[(*index, column)]
        case "strided" if rank == 1 and index[0].interval.size == shape[0]:
            stride = k.rng.pick(2, 3, 4)
            first = k.rng.below(stride)
            handle = k.array(array, element, [f"{stride} * {shape[0]}"], values)
            ordinal = {2: "second", 3: "third", 4: "fourth"}[stride]
            start = f", from number {first} on" if first else ""
            k.notes.append(f"Every {ordinal} element of {handle.parameter.name} is read{start}")
            place = k.rng.pick(index[0] * stride, stride * index[0])
            return handle[place + first if first else place]
        case "component" if element.name in ("float32", "float64", "int32"):
            width = k.rng.pick(2, 3, 4)
            component = k.rng.below(width)
            handle = k.array(array, Vector(width, element), shape, values)
            k.notes.append(f"Only component {component} of {handle.parameter.name} is read")
            return handle[index][component]
        case "gathered" if rank > 0:
            places = k.rng.pick(f"{name}_index", f"{name}_of", f"{name}_map")
            last = k.array(places, I32, shape[-1:], {"integers": [0, shape[-1]]})
            handle = k.array(array, element, shape, values)
            along = " along the last axis" if rank > 1 else ""
            k.notes.append(
                f"{last.parameter.name} says which element of {handle.parameter.name} is read{along}"
            )
            return handle[(*index[:-1], last[index[-1]])]
        case "broadcast" if rank > 1:
            axis = k.rng.pick(0, rank - 1)
            handle = k.array(array, element, [shape[axis]], values)
            label = k.axes[axis] if axis < len(k.axes) else shape[axis]
            k.notes.append(f"{handle.parameter.name} has one element for each {label}")
            return handle[index[axis]]
        case _:
            return k.array(array, element, shape, values)[index]


def _free(k: Builder, name: str) -> str:
    """`name`, or another where an index of the thread is called so."""
    return name if name not in k.names else f"{name}_value"


def signal(k: Builder, name: str, low: float, high: float, *, spread: bool = False) -> Expr:
    """As `read` for a number, conditioned as raw data often are: calibrated, limited, rectified, …

    With `spread` the values still cover all of [low, high], as thresholds on them need.
    """
    value, done = _source(k, name, low, high, spread)
    if spread:
        return value
    for _ in range(k.rng.weighted(k.policy.conditioning_steps)):
        kind = k.rng.weighted(k.policy.conditioning)
        if kind in done:
            continue
        done.add(kind)
        value = _conditioned(k, kind, name, value, high - low)
    return value


def _source(k: Builder, name: str, low: float, high: float, spread: bool) -> tuple[Expr, set[str]]:
    """A number read from one place or several, and what was done to it already."""
    kind = k.rng.weighted(k.policy.conditioning)
    match kind:
        case "difference":
            raw = read(k, name, low, high)
            other = read(k, f"{name}_baseline", 0.3 * low, 0.3 * high)
            k.notes.append(f"A baseline is subtracted from {the(name)}")
            return k.let(f"relative_{name}", raw - other), {kind}
        case "smoothed" if not spread and k.shape:
            return k.let(f"smooth_{name}", _smoothed(k, name, low, high)), {kind}
        case "mixed" if not spread:
            first, second = read(k, name, low, high), read(k, f"other_{name}", low, high)
            share = coefficient(k, "share", 0.2, 0.8)
            mixed = ops.lerp(first, second, share) if k.rng.chance(0.5) else first + share * (second - first)
            k.notes.append(f"{opening(the(name))} is a mix of two arrays")
            return k.let(f"mixed_{name}", bounded(mixed, low, high)), {kind}
        case "switched":
            flag = read(k, k.rng.pick("kind", "mode", "side"), 0, 1, I32)
            first = read(k, k.rng.pick(name, f"left_{name}"), low, high, inline=True)
            second = read(k, k.rng.pick(f"other_{name}", f"right_{name}"), low, high, inline=True)
            k.notes.append(f"{told(flag)} chooses between two arrays")
            return k.let(f"chosen_{name}", conditional(flag.equals(0), first, second)), {kind}
        case "repaired":
            flag = k.array(f"{name}_valid", I32, k.shape, whole(0, 1))[k.index]
            raw = read(k, name, low, high)
            kinds = "l" if spread else "lpe"
            lowest, highest = low + 0.61 * (high - low), low + 0.74 * (high - low)
            default = coefficient(k, f"default_{name}", lowest, highest, kinds=kinds)
            k.notes.append(f"Where {the(name)} is not valid, {told(default)} takes its place")
            return k.let(f"valid_{name}", ops.where(flag > 0, raw, default)), {kind}
        case _:
            return read(k, name, low, high), {"plain"}


def _smoothed(k: Builder, name: str, low: float, high: float) -> Expr:
    """The mean of an element and its neighbours along the last axis; the border has fewer."""
    handle = k.array(plural(name), k.real, k.shape, uniform(low, high))
    *rest, i = k.index
    here = handle[k.index]

    def before() -> Expr:
        return handle[(*rest, ops.max(i - 1, 0))]

    def after() -> Expr:
        size = int(k.shape[-1]) if k.shape[-1].isdigit() else k.size(_extent(k), k.shape[-1])
        return handle[(*rest, ops.min(i + 1, size - 1))]

    match k.rng.below(3):
        case 0:
            value, what = 0.5 * (before() + here), "is the mean of an element and the one before it"
        case 1:
            value, what = 0.5 * (here + after()), "is the mean of an element and the one after it"
        case _:
            value = 0.25 * before() + 0.5 * here + 0.25 * after()
            what = "is smoothed with weights 1/4, 1/2 and 1/4"
    k.notes.append(f"{opening(the(name))} {what}")
    return bounded(value, low, high)


def _extent(k: Builder) -> str:
    """The name of the parameter for the extent of the last axis."""
    return k.rng.pick("count", "length", "n") if k.shape[-1] == "n" else k.shape[-1]


def _conditioned(k: Builder, kind: str, name: str, raw: Expr, span: float) -> Expr:
    """`raw` after one more step; unchanged where its bounds make the step pointless."""
    low, high = raw.interval.lo, raw.interval.hi
    match kind:
        case "calibrated":
            offset = coefficient(k, f"{name}_offset", low * 0.1, low * 0.1 + span * 0.1)
            gain = coefficient(k, f"{name}_gain", 0.5, 0.95)
            value = (raw - offset) * gain
            k.notes.append(f"{opening(the(name))} is calibrated first")
        case "limited" if low < 0.0 < high:
            limit = coefficient(k, f"{name}_limit", 0.6 * high, 0.9 * high)
            both = k.rng.chance(0.5)
            value = ops.max(ops.min(raw, limit), -limit) if both else ops.min(raw, limit)
            sides = "on both sides" if both else "from above"
            k.notes.append(f"{opening(the(name))} is limited {sides}")
        case "dead zone" if low < 0.0 < high:
            if not isinstance(raw, Name):
                raw = k.let(_free(k, name), raw)
            tolerance = coefficient(k, f"{name}_tolerance", 0.05 * high, 0.2 * high)
            value = conditional(ops.abs(raw) > tolerance, raw - tolerance * ops.sign(raw), 0.0)
            k.notes.append(f"The dead zone of {the(name)} reaches to {told(tolerance)} on both sides")
        case "rectified" if low < 0.0 < high:
            value = ops.abs(raw)
            k.notes.append(f"The sign of {the(name)} does not count")
        case _:
            return raw
    return k.let(f"{kind.replace(' ', '_')}_{name}", value)


def row(
    k: Builder, name: str, size: str, width: int, values: dict[str, Any], type: Scalar | None = None
) -> Callable[[Expr | int], Expr]:
    """A row of `width` numbers for each thread of a line, in a usual layout: a function that reads one.

    `size` names the width; rows may lie side by side, as columns, in a flat array, or behind an index.
    """
    element, (i,) = type or k.real, k.index
    k.sizes[size] = str(width)
    layouts = ["rows", "rows", "columns", "flat", "gathered"]
    if i.interval.size != "n":
        layouts.remove("flat")
    match k.rng.pick(*layouts) if k.policy.difficulty != "easy" else "rows":
        case "columns":
            handle = k.array(name, element, [size, "n"], values)
            k.notes.append(f"{handle.parameter.name} has a column for each {k.axes[0]}")
            return lambda j: handle[j, i]
        case "flat":
            handle = k.array(name, element, [f"{width} * n"], values)
            k.notes.append(f"{handle.parameter.name} is flat, {width} numbers for each {k.axes[0]}")
            first = k.let(k.rng.pick("base", "first", "start"), i * width) if k.rng.chance(0.5) else i * width
            return lambda j: handle[first + j]
        case "gathered":
            places = k.array(f"{name}_row", I32, ["n"], {"integers": [0, "n"]})
            handle = k.array(name, element, ["n", size], values)
            source = k.let(k.rng.pick("source", "origin_row", "chosen"), places[i])
            k.notes.append(f"{places.parameter.name} says which row of {handle.parameter.name} is read")
            return lambda j: handle[source, j]
        case _:
            handle = k.array(name, element, ["n", size], values)
            return lambda j: handle[i, j]


def vector_signal(k: Builder, name: str, low: float, high: float, type: Type) -> Expr:
    """As `read` for a vector, seen from an origin, scaled, or as it is."""
    match k.rng.below(6):
        case 0:
            origin = k.scalar(f"{name}_origin", type, uniform(0.2 * low, 0.2 * high))
            return k.let(f"relative_{name}", read(k, name, low, high, type) - origin)
        case 1:
            scale = coefficient(k, f"{name}_scale", 0.5, 0.95)
            return k.let(f"scaled_{name}", scale * read(k, name, low, high, type, inline=True))
        case 2:
            other = read(k, f"previous_{name}", low, high, type, inline=True)
            return k.let(f"mean_{name}", 0.5 * (read(k, name, low, high, type, inline=True) + other))
        case _:
            return read(k, name, low, high, type)


def records(
    k: Builder, name: str, title: str, doc: str, fields: dict[str, tuple[Type, float, float]]
) -> tuple[Expr, Callable[[str], Expr]]:
    """This thread's element of an input array of structs, and a function that gives its members."""
    struct = k.struct(title, doc, [(field, of) for field, (of, _, _) in fields.items()])
    members = {
        field: uniform(low, high) if scalar_of(of).is_float else whole(int(low), int(high))
        for field, (of, low, high) in fields.items()
    }
    handle = k.array(plural(name), struct, k.shape, {"members": members})
    value = k.let(name, handle[k.index])
    assert handle.members is not None
    bounds = handle.members
    return value, lambda field: k.member(value, field, bounds[field])
