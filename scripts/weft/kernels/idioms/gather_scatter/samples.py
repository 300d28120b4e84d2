"""Values between samples, and the order of what is read."""

from collections.abc import Callable

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
    factor = k.rng.pick(2, 3, 4)
    kind = k.rng.pick("repeat", "skip", "pool", "peak", "blend", "weighted", "range", "image", "image")
    if kind == "image":
        _resample_image(k, factor)
        return
    threads(k, 1)
    (i,) = k.index
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
            value = _pooled(k, kind, factor, lambda s: data[factor * i + s])
            what = {"peak": "Largest", "pool": "Mean", "weighted": "Weighted sum", "range": "Range"}[kind]
            doc = f"{what} of each group of {factor} values"
    finish(k, "resampled", value, doc)


def _pooled(k: Builder, kind: str, count: int, at: Callable[[Expr], Expr]) -> Expr:
    """One number from a group of them."""
    if kind == "range":
        low, high = k.var("low", 1.0), k.var("high", -1.0)
        with k.loop("s", 0, count) as s:
            item = k.let("sample", at(s))
            k.set(low, ops.min(low, item))
            k.set(high, ops.max(high, item))
        return high - low
    total = k.var("best" if kind == "peak" else "total", -1.0 if kind == "peak" else 0.0)
    taps = k.array("taps", k.real, [str(count)], uniform(-0.2, 0.8)) if kind == "weighted" else None
    with k.loop("s", 0, count) as s:
        if kind == "peak":
            k.set(total, ops.max(total, at(s)))
        else:
            k.add(total, at(s) if taps is None else taps[s] * at(s))
    return total / float(count) if kind == "pool" else total


def _resample_image(k: Builder, factor: int) -> None:
    """An image at another resolution."""
    threads(k, 2)
    (row, col), (rows, cols) = k.index, k.shape
    name = k.rng.pick("image", "field", "heights")
    if k.rng.chance(0.3):
        k.sizes["small_rows"] = f"({rows} + {factor - 1}) // {factor}"
        k.sizes["small_cols"] = f"({cols} + {factor - 1}) // {factor}"
        image = k.array(name, k.real, ["small_rows", "small_cols"], uniform(-1.0, 1.0))
        value: Expr = image[within(row // factor, "small_rows"), within(col // factor, "small_cols")]
        if k.rng.chance(0.5):
            value = value * k.array("details", k.real, k.shape, uniform(0.5, 1.5))[row, col]
            k.notes.append("Each is multiplied by a detail of its own")
        finish(k, "resampled", value, f"Each pixel of a small image is repeated {factor} by {factor} times")
        return
    image = k.array(name, k.real, [f"{factor} * {rows}", f"{factor} * {cols}"], uniform(-1.0, 1.0))
    how = k.rng.pick("mean", "largest", "corner", "contrast")
    top, left = factor * row, factor * col
    if k.rng.chance(0.5):
        top, left = k.let("top", top), k.let("left", left)
    if how == "corner":
        value = 0.5 * (image[top, left] + image[top + (factor - 1), left + (factor - 1)])
        finish(k, "resampled", value, f"Mean of two opposite pixels of each block of {factor} by {factor}")
        return
    first = k.let("corner", image[top, left]) if how == "contrast" else None
    total = k.var("best" if how == "largest" else "total", -1.0 if how == "largest" else 0.0)
    with k.loop("dy", 0, factor) as dy, k.loop("dx", 0, factor) as dx:
        pixel = image[top + dy, left + dx]
        if first is not None:
            k.add(total, ops.abs(pixel - first))
        elif how == "largest":
            k.set(total, ops.max(total, pixel))
        else:
            k.add(total, pixel)
    value = total if how == "largest" else total / float(factor * factor)
    what = {"mean": "Mean", "largest": "Largest", "contrast": "Mean distance from the first pixel"}[how]
    finish(k, "resampled", value, f"{what} of each block of {factor} by {factor} pixels")


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
        if rows:
            return keys[i, j]
        return keys[i] if isinstance(j, int) and j == 0 else keys[ops.min(i + j, k.extent(0) - 1)]

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
