"""Small tables that all threads read: filter taps, palettes, quadrature rules, lookup tables, permutations.

The launch description puts them into constant memory.
"""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, ops
from weft.kernels.holes import BOUNDARIES, boundary, neighbor, table
from weft.kernels.idioms import coefficient, curve, read, signal, threads, told, uniform, whole
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, U32, scalar_of
from weft.types import Type, Vector

REVISION = 1
TEACHES = "constant memory: filter taps, palettes, quadrature rules, permutations, lookup tables"


def filter_taps(k: Builder) -> None:
    """A short filter along a line or along the rows of an image."""
    rank = k.rng.pick(1, 1, 2)
    threads(k, rank, indirect=False)
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
    threads(k, 2, indirect=False)
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


def lookup(k: Builder) -> None:
    """A tabulated function: nearest entry or linear between two."""
    threads(k)
    size = k.rng.pick(12, 16, 32, 64)
    entries = table(k, k.rng.pick("lut", "curve_table", "samples", "entries"), k.real, (size,), -1.0, 1.0)
    x = read(k, k.rng.pick("x", "coordinate", "phase", "depth"), 0.0, 1.0)
    how = k.rng.pick("nearest", "linear", "linear", "smooth", "periodic", "hermite")
    if how == "nearest":
        cell = k.let("cell", ops.min(convert(I32, x * float(size)), size - 1))
        value: Expr = entries[cell]
    else:
        steps = size if how == "periodic" else size - 1
        spot = k.let(k.rng.pick("spot", "u"), x * float(steps))
        low = ops.min(convert(I32, spot), steps - 1)
        cell = k.let("cell", ops.max(low, 1) if how == "hermite" else low)
        t = k.let("t", bounded(spot - convert(k.real, cell), -1.0, 1.0))
        following = (cell + 1) % size if how == "periodic" else cell + 1
        if how == "smooth":
            t = k.let("eased", t * t * (3.0 - 2.0 * t))
        before, after = k.let("before", entries[cell]), k.let("after", entries[following])
        if how == "hermite":
            slope = k.let("slope", 0.5 * (after - entries[cell - 1]))
            value = before + t * (slope + t * (after - before - slope))
        else:
            value = k.rng.pick(
                ops.lerp(before, after, t), before + t * (after - before), (1.0 - t) * before + t * after
            )
    words = {
        "nearest": "the nearest entry below", "smooth": "eased between entries",
        "periodic": "linear between entries, wrapping around", "hermite": "quadratic between entries",
    }  # fmt: skip
    result = value
    if k.rng.chance(0.4):
        gains = table(k, "gains", k.real, (k.rng.pick(2, 3, 4),), 0.5, 2.0)
        kinds = k.array(
            k.rng.pick("kinds", "channels"), I32, k.shape, {"integers": [0, int(gains.parameter.shape[0])]}
        )
        result = gains[kinds[k.index]] * k.let("value", value)
        k.notes.append("Each element is scaled by the gain of its kind")
    finish(
        k,
        "level",
        result,
        f"Function from a table of {size} entries, {words.get(how, 'linear between entries')}",
    )


def palette(k: Builder) -> None:
    """Colours by number."""
    k.real = F32
    threads(k)
    size, channels = k.rng.pick(8, 12, 16, 32), k.rng.pick(3, 3, 4)
    color = Vector(channels, F32)
    colors = table(k, k.rng.pick("palette", "colors", "color_table"), color, (size,), 0.0, 1.0)
    picked = k.rng.pick("number", "number", "level", "packed", "two", "escape")
    first: Expr
    if picked == "level":
        level = read(k, k.rng.pick("intensity", "height", "heat"), 0.0, 1.0, F32)
        first = colors[k.let("shade", ops.min(convert(I32, level * float(size)), size - 1))]
        word = "by level"
    elif picked == "packed":
        bits = {8: 3, 12: 3, 16: 4, 32: 5}[size]
        pixel = k.let("pixel", k.array("pixels", U32, k.shape, whole(0, 65535))[k.index])
        shift = k.rng.pick(0, 3, 4, 8)
        part = pixel >> shift if shift else pixel
        first = colors[k.let("number", convert(I32, part & ((1 << bits) - 1)))]
        word = f"by {bits} bits of a pixel"
    elif picked == "escape":
        steps = k.let("steps", k.array("steps", I32, k.shape, whole(0, 200))[k.index])
        first = colors[steps % size]
        word = "by the remainder of a count"
    else:
        numbers = k.array(k.rng.pick("indices", "labels", "codes"), I32, k.shape, {"integers": [0, size]})
        first = colors[k.let("number", numbers[k.index])]
        word = "by number"
    value = k.let("color", first)
    if picked == "two":
        other = k.array("other_indices", I32, k.shape, {"integers": [0, size]})
        share = read(k, "mix", 0.0, 1.0, F32, array="mixes")
        value = k.let("mixed", (1.0 - share) * value + share * colors[other[k.index]])
        word = "by number, two mixed"
    match k.rng.below(6):
        case 0:
            value = k.let("shaded", value * read(k, "light", 0.1, 1.0, F32))
            k.notes.append("Each color is dimmed by its light")
        case 1:
            tint = k.scalar("tint", color, uniform(0.2, 1.0))
            value = k.let("tinted", ops.cw_mul(value, tint))
            k.notes.append("All colors are tinted")
        case 2:
            back = k.array("background", color, k.shape, uniform(0.0, 1.0))[k.index]
            alpha = coefficient(k, "alpha", 0.2, 0.8)
            value = k.let("blended", alpha * value + (1.0 - alpha) * back)
            k.notes.append(f"The background shows through, by 1 - {told(alpha)}")
        case 3:
            gamma = coefficient(k, "contrast", 0.5, 0.95)
            value = k.let(
                "corrected", construct(color, *[ops.sqrt(value[c]) * gamma for c in range(channels)])
            )
            k.notes.append("The channels get their square roots, scaled")
        case _:
            pass
    kind = k.rng.pick("color", "color", "luminance", "largest", "channel")
    if kind == "color":
        finish(k, "pixel_color", value, f"Colors of a palette of {size}, {word}")
    elif kind == "luminance":
        weights = table(k, "luma", color, (1,), 0.1, 0.5)[0]
        finish(
            k, "luminance", ops.dot(value, weights), f"Luminance of the colors of a palette of {size}, {word}"
        )
    elif kind == "largest":
        top = ops.max(ops.max(value[0], value[1]), value[2])
        finish(k, "brightness", top, f"Brightest of the first three channels of a palette of {size}, {word}")
    else:
        chosen = k.rng.below(channels)
        finish(
            k,
            "channel_value",
            value[chosen],
            f"Channel {chosen} of the colors of a palette of {size}, {word}",
        )


def quadrature(k: Builder) -> None:
    """An integral over each thread's interval, by nodes and weights."""
    threads(k)
    points = k.rng.pick(3, 4, 5, 6, 8)
    nodes = table(k, k.rng.pick("nodes", "abscissas", "points"), k.real, (points,), -1.0, 1.0)
    weights = table(k, k.rng.pick("quadrature_weights", "weights"), k.real, (points,), 0.1, 0.6)
    how = k.rng.pick("interval", "interval", "unit", "plane")
    power = coefficient(k, k.rng.pick("rate", "steepness", "frequency"), 0.3, 1.5)
    total = k.var(k.rng.pick("integral", "total"), 0.0)
    if how == "interval":
        low = read(k, "low", -1.0, 0.0)
        high = read(k, "high", 0.2, 1.0)
        half, middle = k.let("half", 0.5 * (high - low)), k.let("middle", 0.5 * (high + low))
        with k.loop("q", 0, points) as q:
            x = k.let("x", middle + half * nodes[q])
            value, word = curve(k, power * x)
            k.add(total, weights[q] * value)
        result = half * total
        doc = f"Integral over each interval of a curve ({word}), by {points} nodes"
    elif how == "unit":
        scale = signal(k, "width", 0.2, 1.5)
        scale = scale if isinstance(scale, Name) else k.let("scale_here", scale)
        scale = scale if isinstance(scale, Name) else k.let("scale_here", scale)
        with k.loop("q", 0, points) as q:
            value, word = curve(k, scale * nodes[q])
            shaped = (
                value * (1.0 + power * nodes[q] * nodes[q]) if k.rng.chance(0.5) else value + power * nodes[q]
            )
            k.add(total, shaped * weights[q], "+")
        result, doc = total, f"Weighted sum of a curve ({word}) at {points} nodes, scaled by each width"
    else:
        a, b = read(k, "width", 0.2, 1.0), read(k, "height", 0.2, 1.0)
        with k.loop("p", 0, points) as p:
            x = k.let("x", a * nodes[p])
            with k.loop("q", 0, points) as q:
                y = b * nodes[q]
                spot = k.let(
                    "r", k.rng.pick(x * x + power * (y * y), power * x * y, ops.abs(x) + power * ops.abs(y))
                )
                value, word = curve(k, spot)
                k.add(total, weights[p] * weights[q] * value)
        result, doc = (
            a * b * total,
            f"Double integral over each box of a curve ({word}), by {points} times {points} nodes",
        )
    finish(k, "integral_value", result, doc)


def permutation_noise(k: Builder) -> None:
    """Lattice noise by a permutation table and a table of values."""
    rank = k.rng.pick(1, 2, 2)
    threads(k, rank, indirect=False)
    size = k.rng.pick(16, 32, 64)
    order = k.array(
        k.rng.pick("permutation", "hashes"), I32, [str(size)], {"permutation": str(size)}, memory="constant"
    )
    levels = table(k, k.rng.pick("lattice_values", "gradients", "levels"), k.real, (size,), -1.0, 1.0)
    step = coefficient(k, k.rng.pick("frequency", "zoom", "cell_size"), 0.1, 0.45, kinds="lp")
    if k.rng.chance(0.3):
        spots = [read(k, name, 0.0, 12.0, inline=False) * step for name in ("x", "y")[:rank]]
    else:
        spots = [convert(k.real, one) * step for one in k.index[::-1]]
    cells, parts = [], []
    for name, spot in zip("xy", spots, strict=False):
        here = k.let(f"f{name}", spot)
        whole_part = k.let(f"c{name}", convert(I32, ops.floor(here)))
        cells.append(whole_part)
        parts.append(k.let(f"t{name}", bounded(here - convert(k.real, whole_part), 0.0, 1.0)))

    def hashed(b: Builder, *cell: Expr) -> Expr:
        place: Expr = order_in(b, cell[0])
        for one in cell[1:]:
            place = order_in(b, place + one)
        return place

    def order_in(b: Builder, value: Expr) -> Expr:
        return order[value & (size - 1)]

    corners = []
    for dy in range(2 if rank == 2 else 1):
        for dx in range(2):
            cell = [
                cells[0] + dx if dx else cells[0],
                *([cells[1] + dy if dy else cells[1]] if rank == 2 else []),
            ]
            corners.append(k.let(f"v{dx}{dy}" if rank == 2 else f"v{dx}", levels[hashed(k, *cell)]))
    ease = k.rng.pick("linear", "cubic", "quintic")
    eased = []
    for name, t in zip("xy", parts, strict=False):
        if ease == "cubic":
            eased.append(k.let(f"s{name}", t * t * (3.0 - 2.0 * t)))
        elif ease == "quintic":
            eased.append(k.let(f"s{name}", t * t * t * (t * (t * 6.0 - 15.0) + 10.0)))
        else:
            eased.append(t)
    value: Expr = ops.lerp(corners[0], corners[1], bounded(eased[0], 0.0, 1.0))
    if rank == 2:
        value = k.let("lower", value)
        upper = k.let("upper", ops.lerp(corners[2], corners[3], bounded(eased[0], 0.0, 1.0)))
        value = ops.lerp(value, upper, bounded(eased[1], 0.0, 1.0))
    if k.rng.chance(0.5):
        value = k.rng.pick(ops.abs(value), 0.5 + 0.5 * value, value * value)
    finish(k, k.rng.pick("noise", "height", "density"), value,
           f"{ease.capitalize()} value noise in {('one dimension', 'two dimensions')[rank - 1]}")  # fmt: skip


def polynomial(k: Builder) -> None:
    """Polynomials or series whose coefficients are a table, perhaps one row for each kind."""
    threads(k)
    degree, rows = k.rng.pick(3, 4, 5, 7), k.rng.pick(1, 1, 2, 4)
    shape = (rows, degree + 1) if rows > 1 else (degree + 1,)
    factors = table(k, k.rng.pick("coefficients", "series", "weights"), k.real, shape, -1.0, 1.0)
    row: tuple[Expr, ...] = ()
    if rows > 1:
        kind = k.rng.pick("kinds", "species", "segments")
        row = (
            k.let(k.rng.pick("kind", "which"), k.array(kind, I32, k.shape, {"integers": [0, rows]})[k.index]),
        )
    x = signal(k, k.rng.pick("x", "temperature", "distance"), -1.0, 1.0)
    x = bounded(x if isinstance(x, Name) else k.let("x_here", x), -1.5, 1.5)
    how = k.rng.pick("horner", "powers", "chebyshev", "fourier", "derivative", "ratio")
    total = k.var(
        k.rng.pick("value", "total"), factors[(*row, degree)] if how in ("horner", "ratio") else 0.0
    )
    if how in ("horner", "ratio"):
        with k.loop("d", 1, degree + 1) as d:
            k.set(total, bounded(total * x + factors[(*row, degree - d)], -1e4, 1e4))
    elif how == "fourier":
        with k.loop("m", 0, degree + 1) as m:
            k.add(total, factors[(*row, m)] * k.rng.pick(ops.cos, ops.sin)((1.0 + convert(k.real, m)) * x))
    elif how == "chebyshev":
        before, here = k.var("before", 1.0, bounds=(-300, 300)), k.var("here", 0.0, bounds=(-300.0, 300.0))
        k.set(here, x)
        with k.loop("m", 0, degree + 1) as m:
            k.add(total, factors[(*row, m)] * before)
            following = k.let("following", 2.0 * x * here - before)
            k.set(before, here)
            k.set(here, bounded(following, -300.0, 300.0))
    else:
        power = k.var("power", 1.0, bounds=(-300.0, 300.0))
        with k.loop("m", 1 if how == "derivative" else 0, degree + 1) as m:
            factor = convert(k.real, m) * factors[(*row, m)] if how == "derivative" else factors[(*row, m)]
            k.add(total, factor * power)
            k.set(power, bounded(power * x, -300.0, 300.0))
    result: Expr = bounded(total, -1e4, 1e4)
    if how == "ratio":
        result = result / (1.0 + coefficient(k, "pole", 0.2, 2.0) * (x * x))
    words = {
        "horner": "Polynomial of degree {} by Horner's rule", "powers": "Polynomial of degree {}",
        "chebyshev": "Chebyshev series up to degree {}", "fourier": "Trigonometric series, degree {}",
        "derivative": "Derivative of a polynomial of degree {}",
        "ratio": "Rational function with a numerator of degree {}",
    }  # fmt: skip
    where = ", with coefficients by kind" if rows > 1 else ""
    finish(
        k, k.rng.pick("response", "polynomial_value", "estimate"), result, words[how].format(degree) + where
    )


def lattice_stencil(k: Builder) -> None:
    """Neighbours listed in tables of offsets, with weights."""
    threads(k, 2, indirect=False)
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


def state_machine(k: Builder) -> None:
    """Symbols of a row drive a transition table."""
    threads(k, 1, indirect=False, name=k.rng.pick("row", "word", "stream"))
    states, symbols, steps = k.rng.pick(3, 4, 6), k.rng.pick(2, 3, 4), k.rng.pick(6, 8, 12)
    k.sizes["steps"] = str(steps)
    moves = table(k, k.rng.pick("transitions", "next_states"), I32, (states, symbols), 0, states - 1)
    text = k.array(k.rng.pick("symbols", "inputs", "tokens"), I32, ["n", "steps"], {"integers": [0, symbols]})
    start = (
        k.array("start_states", I32, ["n"], {"integers": [0, states]})[k.index] if k.rng.chance(0.5) else 0
    )
    state = k.var("state", start, bounds=(0, states - 1), type=I32)
    what = k.rng.pick("end", "score", "visits", "score", "changes", "longest")
    rewards = (
        table(k, "rewards", k.real, (states, symbols) if k.rng.chance(0.5) else (states,), -1.0, 1.0)
        if what == "score"
        else None
    )
    score = k.var("score", 0.0) if rewards is not None else None
    number = k.var("number", 0, type=I32) if what in ("visits", "changes") else None
    run, best = (
        (k.var("run", 0, type=I32, bounds=(0, steps)), k.var("best", 0, type=I32, bounds=(0, steps)))
        if what == "longest"
        else (None, None)
    )
    marked = k.rng.below(states)
    with k.loop("t", 0, steps) as t:
        symbol = k.let("symbol", text[k.index[0], t])
        if what == "changes" and number is not None:
            following = k.let("following", moves[state, symbol])
            with k.when(following.differs(state)):
                k.add(number, 1)
            k.set(state, following)
        else:
            if rewards is not None and score is not None and len(rewards.parameter.shape) == 2:
                k.add(score, rewards[state, symbol])
            k.set(state, moves[state, symbol])
            if rewards is not None and score is not None and len(rewards.parameter.shape) == 1:
                k.add(score, rewards[state])
        if what == "visits" and number is not None:
            with k.when(state.equals(marked)):
                k.add(number, 1)
        if run is not None and best is not None:
            with k.when(state.equals(marked)):
                k.set(run, bounded(run + 1, 0, steps))
                k.set(best, ops.max(best, run))
            with k.otherwise():
                k.set(run, 0)
    rest = f"{steps} steps of a machine with {states} states"
    if score is not None:
        finish(k, "reward", score, f"Rewards collected in {rest}")
    elif best is not None:
        finish(k, "longest_run", best, f"Longest stay in state {marked} in {rest}")
    elif number is not None:
        doc = f"Visits to state {marked} in {rest}" if what == "visits" else f"Changes of state in {rest}"
        finish(k, "visit", number, doc)
    else:
        finish(k, "last_state", state, f"State after {rest}", counted=False)
