"""Reads and writes through indices: gathers, scatters, adjacency lists, lookups between samples."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops, within
from weft.kernels.idioms import coefficient, curve, plural, signal, threads, through, uniform, whole
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import F32, I32
from weft.types import Vector

REVISION = 1
TEACHES = "indirect access: gathers, scatters, adjacency lists with gaps, interpolated lookups, strides"


def _indices(k: Builder, name: str, size: str, *, gaps: bool = False) -> Expr:
    """This thread's index into something of `size` elements; with gaps, -1 means none."""
    array = name if name.endswith("_of") else plural(name)
    return k.array(array, I32, k.shape, {"integers": [-1 if gaps else 0, size]})[k.index]


def _count(k: Builder, name: str) -> str:
    """A named number of elements that grows with n in one way or another."""
    k.sizes[name] = k.rng.pick("n", "max(n // 2, 1)", "(n + 3) // 4", "2 * n", "64")
    return name


def indexed_read(k: Builder) -> None:
    """A gather, perhaps with gaps, from one array or two."""
    threads(k, 1, 2, indirect=False)
    size = _count(k, k.rng.pick("nodes", "entries", "vertices"))
    gaps = k.rng.chance(0.5)
    place = k.let(
        k.rng.pick("source", "src", "where"),
        _indices(k, k.rng.pick("index", "parent", "link"), size, gaps=gaps),
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
            default = coefficient(k, "default", -0.5, 0.5, kinds="lp")
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
    threads(k, 1, 2, indirect=False)
    first, second = _count(k, "cells"), "materials"
    k.sizes[second] = k.rng.pick("8", "16", "max(n // 8, 1)")
    cell = k.let("cell", _indices(k, k.rng.pick("cell_of", "owner"), first))
    kind = k.let("material", k.array("material_of", I32, [first], {"integers": [0, second]})[cell])
    table = k.array(k.rng.pick("densities", "stiffnesses", "albedo"), k.real, [second], uniform(0.5, 2.0))
    value = table[kind] * signal(k, k.rng.pick("volume", "strain", "weight"), 0.1, 1.0)
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
    value = signal(k, k.rng.pick("key", "value", "charge"), -1.0, 1.0)
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


def adjacency_sum(k: Builder) -> None:
    """Sums, means and extremes over lists of neighbours that have gaps or a length."""
    threads(k, 1, name=k.rng.pick("node", "vertex", "i"))
    (i,) = k.index
    width = k.rng.pick(3, 4, 6, 8)
    k.sizes["slots"] = str(width)
    counted = k.rng.chance(0.5)
    recipe = {"integers": [0 if counted else -1, "n"]}
    links = k.array(k.rng.pick("neighbors", "adjacency"), I32, ["n", "slots"], recipe)
    values = k.array(k.rng.pick("values", "heights", "phases"), k.real, ["n"], uniform(-1.0, 1.0))
    degree = k.let("degree", k.array("degrees", I32, ["n"], whole(0, width))[i]) if counted else width
    kind = k.rng.pick("sum", "mean", "largest", "difference", "weighted")
    own = k.let("own", values[i]) if kind == "difference" else None
    weights = k.array("weights", k.real, ["n", "slots"], uniform(0.1, 1.0)) if kind == "weighted" else None
    total = k.var("best" if kind == "largest" else "total", -2.0 if kind == "largest" else 0.0)
    found = k.var("found", 0, type=I32) if kind == "mean" else None
    with k.loop("slot", 0, degree) as slot:
        other = k.let("other", links[i, slot])
        if not counted:
            with k.when(other < 0):
                k.jump("continue")
        value = values[other]
        if own is not None:
            value = value - own
        if weights is not None:
            value = weights[i, slot] * value
        if kind == "largest":
            k.set(total, ops.max(total, value))
        else:
            k.add(total, value)
        if found is not None:
            k.add(found, 1)
    result: Expr = total
    if found is not None:
        result = total / ops.max(convert(k.real, found), 1.0)
    words = {
        "sum": "Sum over the neighbours of each node",
        "mean": "Mean over the neighbours of each node, zero where there is none",
        "largest": "Largest value among the neighbours of each node, -2 where there is none",
        "difference": "Graph Laplacian: differences to the neighbours of each node, summed",
        "weighted": "Weighted sum over the neighbours of each node",
    }
    lists = "lists have a length" if counted else "-1 marks a gap in a list"
    finish(k, "aggregate", bounded(result, -20.0, 20.0), f"{words[kind]}; {lists}")


def edge_difference(k: Builder) -> None:
    """What the two ends of an edge have to do with each other."""
    threads(k, 1, indirect=False, name=k.rng.pick("edge", "e", "link"))
    size = _count(k, k.rng.pick("nodes", "points"))
    wide = k.rng.chance(0.5)
    if wide:
        ends = k.array("edges", Vector(2, I32), k.shape, {"integers": [0, size]})
        pair = k.let("ends", ends[k.index])
        start, end = pair[0], pair[1]
    else:
        start = k.let("start", _indices(k, "tail", size))
        end = k.let("end", _indices(k, "head", size))
    values = k.array(k.rng.pick("potentials", "levels", "phases"), k.real, [size], uniform(-1.0, 1.0))
    a, b = k.let("from_value", values[start]), k.let("to_value", values[end])
    conductance = coefficient(k, k.rng.pick("conductance", "weight", "stiffness"), 0.2, 2.0)
    match k.rng.below(5):
        case 0:
            finish(k, "flow", conductance * (b - a), "Flow along each edge, from the difference of its ends")
        case 1:
            gap = k.let("gap", b - a)
            finish(k, "loss", conductance * (gap * gap), "Power that is lost in each edge")
        case 2:
            finish(k, "mean", 0.5 * conductance * (a + b), "Mean of the ends of each edge, weighted")
        case 3:
            finish(k, "flow", conductance * ops.sin(b - a), "Coupling of two oscillators along each edge")
        case _:
            upstream = ops.where(a > b, a, b)
            finish(
                k,
                "flow",
                conductance * upstream * (b - a),
                "Flow along each edge, carrying the upper end's value",
            )


def line_lookup(k: Builder) -> None:
    """A table that is read between its entries."""
    threads(k, 1, 2)
    length = k.rng.pick(8, 16, 17, 32, 64)
    table = k.array(k.rng.pick("table", "profile", "spectrum"), k.real, [str(length)], uniform(-1.0, 1.0))
    x = k.let("position", signal(k, k.rng.pick("x", "phase", "depth"), 0.0, 1.0) * float(length - 1))
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


def grid_sample(k: Builder) -> None:
    """Bilinear and nearest reads of a grid at points."""
    threads(k, 1, name=k.rng.pick("point", "particle", "i"))
    height, width = k.rng.pick((8, 8), (12, 16), (9, 7), (16, 16))
    k.sizes["height"], k.sizes["width"] = str(height), str(width)
    grid = k.array(
        k.rng.pick("grid", "velocity_x", "terrain"), k.real, ["height", "width"], uniform(-1.0, 1.0)
    )
    plane = Vector(2, k.real)
    spot = k.let("spot", k.array("points", plane, k.shape, uniform(0.0, 1.0))[k.index])
    x, y = k.let("x", spot[0] * float(width - 1)), k.let("y", spot[1] * float(height - 1))
    if k.rng.chance(0.25):
        row = k.let("row", ops.clamp(convert(I32, ops.round(y)), 0, height - 1))
        col = k.let("col", ops.clamp(convert(I32, ops.round(x)), 0, width - 1))
        finish(k, "sample", grid[row, col], "Nearest grid value at each point")
        return
    row = k.let("row", ops.min(convert(I32, y), height - 2))
    col = k.let("col", ops.min(convert(I32, x), width - 2))
    v = k.let("v", y - convert(k.real, row))
    way = k.rng.below(4)
    u = k.let("u", x - convert(k.real, col)) if way < 3 else v
    match way:
        case 0:
            top = ops.lerp(grid[row, col], grid[row, col + 1], u)
            bottom = ops.lerp(grid[row + 1, col], grid[row + 1, col + 1], u)
            value, doc = (
                ops.lerp(k.let("top", top), k.let("bottom", bottom), v),
                "Bilinear grid value at each point",
            )
        case 1:
            value = (
                (1.0 - u) * (1.0 - v) * grid[row, col]
                + u * (1.0 - v) * grid[row, col + 1]
                + (1.0 - u) * v * grid[row + 1, col]
                + u * v * grid[row + 1, col + 1]
            )
            doc = "Bilinear grid value at each point, from four weights"
        case 2:
            total = k.var("total", 0.0)
            with k.loop("dy", 0, 2) as dy, k.loop("dx", 0, 2) as dx:
                wx, wy = ops.where(dx.equals(1), u, 1.0 - u), ops.where(dy.equals(1), v, 1.0 - v)
                k.add(total, wx * wy * grid[row + dy, col + dx])
            value, doc = total, "Bilinear grid value at each point, summed over four corners"
        case _:
            value = (1.0 - v) * (grid[row, col + 1] - grid[row, col]) + v * (
                grid[row + 1, col + 1] - grid[row + 1, col]
            )
            doc = "Slope of the bilinear interpolant along x at each point"
    finish(k, "sample", value, doc)


def strided_access(k: Builder) -> None:
    """Interleaved records, channels, and rows of other layouts."""
    threads(k, 1)
    (i,) = k.index
    stride = k.rng.pick(3, 4, 5, 6)
    data = k.array(
        k.rng.pick("records", "interleaved", "packed"), k.real, [f"{stride} * n"], uniform(-1.0, 1.0)
    )
    base = k.let("base", i * stride)
    match k.rng.below(4):
        case 0:
            total = k.var("total", 0.0)
            with k.loop("c", 0, stride) as c:
                k.add(total, data[base + c])
            value, doc = total / float(stride), f"Mean of each record of {stride} numbers"
        case 1:
            first, last = data[base], data[base + (stride - 1)]
            value, doc = last - first, f"Last minus first number of each record of {stride}"
        case 2:
            weights = k.array("weights", k.real, [str(stride)], uniform(-1.0, 1.0))
            total = k.var("dot", 0.0)
            with k.loop("c", 0, stride) as c:
                k.add(total, weights[c] * data[base + c])
            value, doc = total, f"Each record of {stride} numbers times a row of weights"
        case _:
            best = k.var("best", data[base])
            with k.loop("c", 1, stride) as c:
                k.set(best, ops.max(best, ops.abs(data[base + c])))
            value, doc = (
                best,
                f"First number of each record of {stride}, or the largest magnitude of the others",
            )
    if k.rng.chance(0.4):
        value, doc = value * coefficient(k, "gain", 0.5, 2.0), f"{doc}, times a gain"
    finish(k, "value", value, doc)


def resample(k: Builder) -> None:
    """Reads at another resolution: repeated, skipped, or pooled."""
    threads(k, 1)
    (i,) = k.index
    factor = k.rng.pick(2, 3, 4)
    kind = k.rng.pick("repeat", "skip", "pool", "peak", "blend")
    if kind in ("repeat", "blend"):
        k.sizes["coarse"] = f"(n + {factor - 1}) // {factor} + 1"
        data = k.array("coarse_values", k.real, ["coarse"], uniform(-1.0, 1.0))
        place = k.let("place", within(i // factor, "coarse"))
        if kind == "repeat":
            value, doc = data[place], f"Each value of a coarse array is repeated {factor} times"
        else:
            t = k.let("t", convert(k.real, i % factor) / float(factor))
            after = k.size("coarse", "coarse") - 1
            value = ops.lerp(data[place], data[ops.min(place + 1, after)], t)
            doc = f"A coarse array is refined {factor} times by linear interpolation"
    else:
        data = k.array("fine_values", k.real, [f"{factor} * n"], uniform(-1.0, 1.0))
        if kind == "skip":
            first = k.rng.below(factor)
            value = data[factor * i + first] if first else data[factor * i]
            doc = f"One of {factor} values is kept, number {first} of each group"
        else:
            total = k.var("best" if kind == "peak" else "total", -1.0 if kind == "peak" else 0.0)
            with k.loop("s", 0, factor) as s:
                item = data[factor * i + s]
                if kind == "peak":
                    k.set(total, ops.max(total, item))
                else:
                    k.add(total, item)
            value = total if kind == "peak" else total / float(factor)
            doc = f"{'Largest' if kind == 'peak' else 'Mean'} of each group of {factor} values"
    finish(k, "resampled", value, doc)


def _amount(k: Builder) -> tuple[Expr, str]:
    """A small whole number for each element, from one array, two, or an index."""
    kind = k.rng.pick(I32, I32, F32)
    first = k.array(k.rng.pick("amounts", "units", "charges"), kind, k.shape, whole(-4, 9))[k.index]
    match k.rng.below(6):
        case 0:
            return first * k.array("prices", kind, k.shape, whole(1, 4))[
                k.index
            ], "its amount times its price"
        case 1:
            return first - k.array("losses", kind, k.shape, whole(0, 3))[k.index], "its amount less its loss"
        case 2:
            return ops.abs(first), "the magnitude of its amount"
        case 3:
            return ops.max(first, 0), "the positive part of its amount"
        case 4:
            size = k.rng.pick(8, 10, 16)
            rates = k.array("rates", kind, [str(size)], whole(1, 5))
            group = k.array("rate_of", I32, k.shape, whole(0, size - 1))[k.index]
            return first * rates[group], "its amount times the rate of its group"
        case _:
            return first, "its amount"


def scatter_totals(k: Builder) -> None:
    """Whole numbers that go to places which several threads share."""
    threads(k, 1, 2, indirect=False)
    size = _count(k, k.rng.pick("buckets", "owners", "regions"))
    whose = k.rng.pick("bucket", "owner", "region")
    place = k.let("place", _indices(k, f"{whose}_of", size))
    value, what = _amount(k)
    amount = k.let("amount", value)
    totals = k.array(f"{whose}_totals", amount.type, [size], {"constant": 0}, "inout")
    add = k.rng.pick("add", "+=", "sub")
    doc = (
        f"Each element takes {what} from its {whose}"
        if add == "sub"
        else f"Each element adds {what} to its {whose}"
    )
    match k.rng.below(6):
        case 0:
            with k.when(amount > k.rng.integer(0, 3)):
                k.atomic(add, totals, place, amount)
            doc += " if that is large enough"
        case 1:
            k.atomic(add, totals, place, amount)
            k.atomic("add", k.array("members", I32, [size], {"constant": 0}, "inout"), place, 1)
            doc += ", which also counts its members"
        case 2:
            with k.when(amount.equals(0)):
                k.jump("return")
            k.atomic(add, totals, place, amount)
            k.atomic(
                "min", k.array("first_members", I32, [size], {"constant": 10**6}, "inout"), place, k.index[0]
            )
            doc += ", which also keeps the smallest index of those that are not zero"
        case 3:
            second = k.let("second", _indices(k, f"other_{whose}_of", size))
            with k.when(second.differs(place)):
                k.atomic(add, totals, place, amount)
                k.atomic("add" if add == "sub" else "sub", totals, second, amount)
            doc += f", and undoes it at a second {whose} unless both are the same"
        case 4:
            k.atomic(add, totals, place, amount)
            k.atomic("max", k.array("peaks", amount.type, [size], {"constant": -99}, "inout"), place, amount)
            doc += ", which also keeps the largest"
        case _:
            k.atomic(add, totals, place, amount)
    if k.rng.chance(0.5):
        reply = signal(k, "weight", 0.5, 2.0)
        k.store(
            k.array("weighted_amounts", k.real, k.shape, None, "out"),
            k.target,
            reply * convert(k.real, amount),
        )
        k.notes.append("The amount times a weight is stored as well")
    describe(k, doc)


def order_in_row(k: Builder) -> None:
    """Ranks, selections and inversions among the few keys of a row or a window."""
    threads(k, 1)
    (i,) = k.index
    width = k.rng.pick(4, 5, 6, 8)
    k.sizes["width"] = str(width)
    rows = k.rng.chance(0.6)
    keys = k.array(
        k.rng.pick("keys", "scores", "times"),
        k.real,
        ["n", "width"] if rows else ["n"],
        uniform(-1.0, 1.0),
    )

    def key(j: Expr | int) -> Expr:
        return keys[i, j] if rows else keys[ops.min(i + j, k.extent(0) - 1)]

    where = (
        f"the {width} keys of each row"
        if rows
        else f"{width} keys in a row from each element on, the last one repeated"
    )
    what = k.rng.pick("rank", "inversions", "select", "spread", "near", "runs")
    if what in ("rank", "near"):
        pick = k.let("pick", k.array("chosen", I32, k.shape, {"integers": [0, "width"]})[k.index])
        mine = k.let("mine", key(pick))
        count = k.var("rank" if what == "rank" else "close", 0, type=I32)
        reach = coefficient(k, "reach", 0.1, 0.6) if what == "near" else None
        with k.loop("j", 0, width) as j:
            other = k.let("other", key(j))
            if reach is not None:
                with k.when(ops.abs(other - mine) < reach):
                    k.add(count, 1)
            else:
                with k.when(
                    k.rng.pick((other < mine) | (other.equals(mine) & (j < pick)), other < mine, other > mine)
                ):
                    k.add(count, 1)
        words = "Rank of a chosen one among" if what == "rank" else "How many lie near a chosen one among"
        finish(k, "rank" if what == "rank" else "neighbor_count", count, f"{words} {where}")
    elif what == "inversions":
        count = k.var("inversions", 0, type=I32)
        with k.loop("a", 0, width) as a, k.loop("b", a + 1, width) as b, k.when(key(a) > key(b)):
            k.add(count, 1)
        finish(k, "inversion_count", count, f"Number of pairs out of order among {where}")
    elif what == "runs":
        count, before = k.var("runs", 1, type=I32), k.var("before", key(0))
        with k.loop("j", 1, width) as j:
            now = k.let("now", key(j))
            with k.when(now < before):
                k.add(count, 1)
            k.set(before, now)
        finish(k, "run_count", count, f"Number of rising runs among {where}")
    elif what == "select":
        first, second = k.var("first", key(0)), k.var("second", -2.0)
        with k.loop("j", 1, width) as j:
            now = k.let("now", key(j))
            with k.when(now > first):
                k.set(second, first)
                k.set(first, now)
            with k.orwhen(now > second):
                k.set(second, now)
        finish(k, "margin", bounded(first - second, 0.0, 3.0), f"Largest minus second largest among {where}")
    else:
        low, high = k.var("low", key(0)), k.var("high", key(0))
        with k.loop("j", 1, width) as j:
            now = k.let("now", key(j))
            k.set(low, ops.min(low, now))
            k.set(high, ops.max(high, now))
        finish(k, "spread", bounded(high - low, 0.0, 2.0), f"Largest minus smallest among {where}")
