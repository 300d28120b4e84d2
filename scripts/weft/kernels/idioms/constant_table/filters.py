"""Constant weights of filters and stencils."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.holes import BOUNDARIES, boundary, neighbor, table
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, scalar_of
from weft.kernels.vocabulary import coefficient, threads, uniform
from weft.types import Type, Vector


def filter_taps(k: Builder) -> None:
    """A short filter along a line or along the rows of an image."""
    rank = k.rng.pick(1, 1, 2)
    threads(k, rank)
    size = k.shape[-1]
    count = k.size(k.rng.pick("count", "length", "samples") if rank == 1 else size, size)
    name = k.rng.pick("signal", "samples_in", "trace", "readings")
    data = k.array(name, k.real, k.shape, uniform(-1.0, 1.0))
    radius = k.rng.pick(1, 2, 2, 3, 4)
    kind, shape = boundary(k), k.rng.pick("full", "full", "symmetric", "causal", "dilated")
    if shape == "dilated":
        radius = min(radius, 2)
    taps_name = k.rng.pick("taps", "weights", "filter_taps", "kernel")
    many = {"full": 2 * radius + 1, "dilated": 2 * radius + 1, "symmetric": radius + 1, "causal": radius + 1}[
        shape
    ]
    taps = table(k, taps_name, k.real, (many,), -1.0, 1.0)
    total = k.var(
        k.rng.pick("total", "acc", "response"),
        coefficient(k, "bias", -0.3, 0.3, kinds="lp") if k.rng.chance(0.3) else 0.0,
    )
    norm = k.var("norm", 0.1) if kind == "zero" and k.rng.chance(0.5) else None
    i = k.index[-1]
    stretch = 2 if shape == "dilated" else 1

    def visit(tap: Expr, offset: Expr) -> None:
        def use(j: Expr) -> None:
            value: Expr = data[(*k.index[:-1], j)]
            if norm is not None:
                value, weight = value, k.let("weight", taps[tap])
                k.add(total, weight * value)
                k.add(norm, ops.abs(weight))
            else:
                k.add(total, taps[tap] * value)

        neighbor(k, kind, i + offset, count, stretch * radius, use)

    if shape == "causal":
        with k.loop("lag", 0, radius + 1) as lag:
            visit(lag, -lag)
    elif shape == "symmetric":
        with k.loop("d", -radius, radius + 1) as d:
            visit(ops.abs(d), d)
    elif k.rng.chance(0.5):
        with k.loop("t", 0, many) as t:
            visit(t, (t - radius) * stretch if stretch > 1 else t - radius)
    else:
        with k.loop("d", -radius, radius + 1) as d:
            visit(d + radius, d * stretch if stretch > 1 else d)
    result: Expr = total
    if norm is not None:
        result = total / bounded(norm, 0.1, 20.0)
        k.notes.append("The result is divided by the sum of the magnitudes of the taps used")
    word = {
        "full": "Filter",
        "dilated": "Dilated filter",
        "symmetric": "Symmetric filter",
        "causal": "Causal filter",
    }
    line = "a line" if rank == 1 else "the last axis"
    finish(k, k.rng.pick("filtered", "response_value", "smooth"), result,
           f"{word[shape]} with {many} taps along {line}, {BOUNDARIES[kind]}")  # fmt: skip


def image_weights(k: Builder) -> None:
    """A small weight matrix over the neighbourhood of a pixel."""
    k.real = F32
    threads(k, 2)
    (row, col), (rows, cols) = k.index, k.shape
    height, width = k.size(rows, rows), k.size(cols, cols)
    pixel: Type = F32 if k.rng.chance(0.65) else Vector(3, F32)
    image = k.array(k.rng.pick("image", "picture", "heights", "field"), pixel, k.shape, uniform(0.0, 1.0))
    radius, flat = k.rng.pick(1, 1, 2), k.rng.chance(0.4)
    side = 2 * radius + 1
    name = k.rng.pick("stencil", "weights", "mask_weights", "kernel")
    scalar = scalar_of(pixel)
    shape = (side * side,) if flat else (side, side)
    stencil = table(k, name, scalar, shape, -1.0, 1.0)
    second = (
        table(k, "cross_weights", scalar, shape, -1.0, 1.0) if pixel == k.real and k.rng.chance(0.4) else None
    )
    total = k.var("total", construct(pixel, 0.0, 0.0, 0.0) if isinstance(pixel, Vector) else 0.0, type=pixel)
    other = k.var("cross_total", 0.0) if second is not None else None
    rows_kind, cols_kind = boundary(k), boundary(k)
    with k.loop("dy", -radius, radius + 1) as dy:

        def use_row(y: Expr) -> None:
            with k.loop("dx", -radius, radius + 1) as dx:

                def use(x: Expr) -> None:
                    place = ((dy + radius) * side + dx + radius,) if flat else (dy + radius, dx + radius)
                    value: Expr = image[y, x]
                    if second is not None and other is not None:
                        value = k.let("value", value)
                        k.add(other, second[place] * value)
                    k.add(total, stencil[place] * value)

                neighbor(k, cols_kind, col + dx, width, radius, use, "x")

        neighbor(k, rows_kind, row + dy, height, radius, use_row, "y")
    where = BOUNDARIES[rows_kind]
    if cols_kind != rows_kind:
        where = f"in y {where}, in x {BOUNDARIES[cols_kind]}"
    result: Expr = total
    doc = f"Weighted sum over {side} by {side} pixels, {where}"
    if other is not None:
        measure = k.rng.pick("size", "sum of magnitudes", "larger")
        pair = {
            "size": ops.sqrt(bounded(total * total + other * other, 0.0, 1e4)),
            "sum of magnitudes": ops.abs(total) + ops.abs(other),
            "larger": ops.max(ops.abs(total), ops.abs(other)),
        }[measure]
        result = pair
        doc = f"The {measure} of two weighted sums over {side} by {side} pixels, {where}"
    if isinstance(pixel, Vector) and k.rng.chance(0.4):
        result = bounded(total, -30.0, 30.0)
        result = ops.dot(result, k.scalar("luma", pixel, uniform(0.1, 0.6)))
        k.notes.append("The channels are combined by luma")
    finish(k, k.rng.pick("edge", "pixel_value", "activation"), result, doc)


def lattice_stencil(k: Builder) -> None:
    """Neighbours listed in tables of offsets, with weights."""
    threads(k, 2)
    (row, col), (rows, cols) = k.index, k.shape
    height, width = k.size(rows, rows), k.size(cols, cols)
    links = k.rng.pick(4, 5, 8, 9)
    field = k.array(k.rng.pick("field", "density", "concentration"), k.real, k.shape, uniform(0.0, 1.0))
    joint = k.rng.chance(0.5)
    if joint:
        pairs = table(k, k.rng.pick("offsets", "directions"), Vector(2, I32), (links,), -1, 1)
    else:
        xs, ys = (
            table(k, k.rng.pick("dx", "ex"), I32, (links,), -1, 1),
            table(k, k.rng.pick("dy", "ey"), I32, (links,), -1, 1),
        )
    weights = table(k, k.rng.pick("weights", "link_weights"), k.real, (links,), 0.05, 0.4)
    total = k.var("total", 0.0)
    what = k.rng.pick("sum", "difference", "largest", "square", "upwind")
    here = None if what == "sum" else k.let("here", field[row, col])
    first, second = boundary(k), boundary(k)
    with k.loop("q", 0, links) as q:
        pair = k.let("offset", pairs[q]) if joint else None
        dx, dy = (pair[0], pair[1]) if pair is not None else (xs[q], ys[q])

        def use_row(y: Expr) -> None:
            def use(x: Expr) -> None:
                value: Expr = field[y, x]
                if here is not None:
                    value = value - here
                match what:
                    case "largest":
                        k.set(total, ops.max(total, weights[q] * ops.abs(value)))
                    case "square":
                        gap = k.let("gap", value)
                        k.add(total, weights[q] * gap * gap)
                    case "upwind":
                        k.add(total, weights[q] * ops.max(value, 0.0))
                    case _:
                        k.add(total, weights[q] * value)

            neighbor(k, second, col + dx, width, 1, use, "x")

        neighbor(k, first, row + dy, height, 1, use_row, "y")
    phrase = {
        "sum": "Weighted sum over", "difference": "Weighted differences from",
        "largest": "Largest weighted difference from",
        "square": "Weighted squared differences from", "upwind": "Inflow from higher values at",
    }[what]  # fmt: skip
    where = BOUNDARIES[first] if first == second else f"in y {BOUNDARIES[first]}, in x {BOUNDARIES[second]}"
    finish(k, k.rng.pick("flux", "update", "tension"), bounded(total, -20.0, 20.0),
           f"{phrase} {links} neighbors listed in a table, {where}")  # fmt: skip
