"""Reads through indices, of lines, strides and chains."""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, construct, convert, ops
from weft.kernels.idioms.gather_scatter.indices import named_count, own_index
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, curve, read, threads, through, uniform
from weft.types import Vector


def indexed_read(k: Builder) -> None:
    """A gather, perhaps with gaps, from one array or two."""
    threads(k, 1, 2)
    size = named_count(k, k.rng.pick("nodes", "entries", "vertices"))
    gaps = k.rng.chance(0.5)
    place = k.let(
        k.rng.pick("source", "src", "where"),
        own_index(k, k.rng.pick("index", "parent", "link"), size, gaps=gaps),
    )
    data = k.array(k.rng.pick("values", "samples", "heights"), k.real, [size], uniform(-1.0, 1.0))
    doc = "Each element gathers a value through its index"
    second = k.array("others", k.real, [size], uniform(-1.0, 1.0)) if k.rng.chance(0.4) else None

    def fetched() -> Expr:
        if second is None:
            return data[place]
        return data[place] + coefficient(k, "mix", 0.2, 0.8, kinds="lp") * second[place]

    if second is not None:
        doc = "Each element gathers from two arrays through one index"
    match k.rng.below(4) if gaps else 3:
        case 0:
            default = coefficient(k, "absent_value", -0.5, 0.5, kinds="lp")
            value = k.guarded(place >= 0, fetched, default)
            doc += "; a default stands in where there is none"
        case 1:
            with k.when(place < 0):
                k.jump("return")
            value = k.let("value", fetched())
            doc += "; elements without one are skipped"
        case 2:
            found = k.var("found", 0.0)
            with k.when(place >= 0):
                k.set(found, fetched())
            value = found
            doc += "; elements without one get zero"
        case _:
            safe = k.let("safe", ops.max(place, 0)) if gaps else place
            value = data[safe] if second is None else data[safe] - second[safe]
            doc += "; a missing index counts as the first" if gaps else ""
            doc = doc if second is None else doc.replace("gathers from two arrays", "gathers a difference")
    finish(k, "gathered", value, doc)


def chained_read(k: Builder) -> None:
    """Two or three levels of indices."""
    threads(k, 1, 2)
    first, second = named_count(k, "cells"), "materials"
    k.sizes[second] = k.rng.pick("8", "16", "max(n // 8, 1)")
    cell = k.let("cell", own_index(k, k.rng.pick("cell_of", "owner"), first))
    kind = k.let("material", k.array("material_of", I32, [first], {"integers": [0, second]})[cell])
    table = k.array(k.rng.pick("densities", "stiffnesses", "albedo"), k.real, [second], uniform(0.5, 2.0))
    value = table[kind] * read(k, k.rng.pick("volume", "strain", "weight"), 0.1, 1.0)
    doc = "Each element finds its material through its cell and scales a number by the material's property"
    if k.rng.chance(0.5):
        level = k.array("cell_levels", k.real, [first], uniform(-0.5, 0.5))
        value, doc = value + level[cell], doc + "; the cell's level is added"
    if k.rng.chance(0.4):
        shaped, word = curve(k, k.let("scaled", value))
        value = shaped
        k.notes.append(f"The product {through(word)}")
    finish(k, "property", value, doc)


def permuted_write(k: Builder) -> None:
    """A scatter to places that a permutation makes distinct."""
    (i,) = threads(k, 1, plain=True)
    slots = k.array(k.rng.pick("slots", "ranks", "destinations"), I32, ["n"], {"permutation": "n"})
    slot = k.let(k.rng.pick("slot", "place"), slots[i])
    value = read(k, k.rng.pick("key", "value", "charge"), -1.0, 1.0)
    if k.rng.chance(0.5):
        shaped, word = curve(k, k.let("item", value))
        value = shaped
        k.notes.append(f"The value {through(word)} on its way")
    if k.rng.chance(0.5):
        origin = k.array(k.rng.pick("origins", "came_from"), I32, ["n"], None, "out")
        k.store(origin, slot, i)
        k.notes.append("Each place also learns which thread wrote it")
    k.target = (slot,)
    finish(k, "sorted_value", value, "Each thread writes its value to the place that a permutation gives it")


def line_lookup(k: Builder) -> None:
    """A table that is read between its entries."""
    threads(k, 1, 2)
    length = k.rng.pick(8, 16, 17, 32, 64)
    table = k.array(k.rng.pick("table", "profile", "spectrum"), k.real, [str(length)], uniform(-1.0, 1.0))
    x = k.let("position", read(k, k.rng.pick("x", "phase", "depth"), 0.0, 1.0) * float(length - 1))
    kind = k.rng.pick("nearest", "linear", "smooth", "wrapped", "cubic")
    if kind == "nearest":
        place = k.let("nearest", ops.clamp(convert(I32, ops.round(x)), 0, length - 1))
        finish(k, "value", table[place], f"Nearest entry of a table of {length}")
        return
    left = k.let("left", ops.clamp(convert(I32, ops.floor(x)), 0, length - 2))
    t = k.let("t", x - convert(k.real, left))
    if kind == "wrapped":
        right = k.let("right", (left + 1) % length)
        value = table[left] * (1.0 - t) + table[right] * t
    elif kind == "smooth":
        s = k.let("s", t * t * (3.0 - 2.0 * t))
        value = table[left] + s * (table[left + 1] - table[left])
    elif kind == "cubic":
        before = table[ops.max(left - 1, 0)]
        after = table[ops.min(left + 2, length - 1)]
        a, b = k.let("a", table[left]), k.let("b", table[left + 1])
        slope_a, slope_b = k.let("slope_a", 0.5 * (b - before)), k.let("slope_b", 0.5 * (after - a))
        value = (
            a
            + t * slope_a
            + t * t * (3.0 * (b - a) - 2.0 * slope_a - slope_b)
            + t * t * t * (2.0 * (a - b) + slope_a + slope_b)
        )
    else:
        value = ops.lerp(table[left], table[left + 1], t)
    words = {
        "linear": "linear interpolation",
        "smooth": "smooth interpolation",
        "wrapped": "linear interpolation around a ring",
        "cubic": "cubic interpolation (Catmull and Rom)",
    }
    finish(k, "value", value, f"Lookup in a table of {length} by {words[kind]}")


def strided_access(k: Builder) -> None:
    """Interleaved records, channels, and rows of other layouts."""
    threads(k, 1)
    (i,) = k.index
    stride = k.rng.pick(3, 4, 5, 6)
    data = k.array(
        k.rng.pick("records", "interleaved", "packed"), k.real, [f"{stride} * n"], uniform(-1.0, 1.0)
    )
    base = k.let("base", i * stride)
    value, doc = _of_record(k, data, base, stride)
    if k.rng.chance(0.4):
        value, doc = value * coefficient(k, "gain", 0.5, 2.0), f"{doc}, times a gain"
    finish(k, "value", value, doc)


def _of_record(k: Builder, data: ArrayHandle, base: Expr, stride: int) -> tuple[Expr, str]:
    """A number from the record of `stride` numbers that begins at `base`."""
    match k.rng.below(8):
        case 0:
            total = k.var("total", 0.0)
            with k.loop("c", 0, stride) as c:
                k.add(total, data[base + c])
            return total / float(stride), f"Mean of each record of {stride} numbers"
        case 1:
            first, last = data[base], data[base + (stride - 1)]
            return last - first, f"Last minus first number of each record of {stride}"
        case 2:
            weights = k.array("weights", k.real, [str(stride)], uniform(-1.0, 1.0))
            total = k.var("dot", 0.0)
            with k.loop("c", 0, stride) as c:
                k.add(total, weights[c] * data[base + c])
            return total, f"Each record of {stride} numbers times a row of weights"
        case 3:
            best = k.var("best", data[base])
            with k.loop("c", 1, stride) as c:
                k.set(best, ops.max(best, ops.abs(data[base + c])))
            return best, f"First number of each record of {stride}, or the largest magnitude of the others"
        case 4:
            triple = construct(Vector(3, k.real), data[base], data[base + 1], data[base + 2])
            part = k.let(k.rng.pick("part", "triple", "position"), triple)
            axis = k.scalar("axis", part.type, uniform(-1.0, 1.0))
            return ops.dot(part, axis), f"First three of each {stride} numbers, along an axis"
        case 5:
            field = k.let("field", k.array("fields", I32, k.shape, {"integers": [0, stride]})[k.index])
            return data[base + field], f"The field that each element asks for, of records of {stride} numbers"
        case 6:
            value = k.var("value", coefficient(k, "absent_value", -0.5, 0.5, kinds="lp"))
            other = data[base + 1] - data[base + 2] if k.rng.chance(0.5) else data[base + (stride - 1)]
            with k.when(data[base] > k.rng.number(-0.4, 0.3)):
                k.set(value, other)
            return (
                value,
                f"What records of {stride} numbers hold if their first passes a level, or a default",
            )
        case _:
            key = k.let("key", data[base])
            below, above = k.rng.pick((1, 2), (2, 1))
            chosen = conditional(key < 0.0, data[base + below], data[base + above])
            return chosen, f"The second or third of each {stride} numbers, by the sign of the first"
