"""Values between samples, and the order of what is read."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops, within
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, threads, uniform
from weft.types import Vector


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
