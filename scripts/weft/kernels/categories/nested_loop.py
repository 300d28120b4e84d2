"""Loops within loops: windows, small matrix products, pairwise sums."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.idioms import coefficient, curve, read, row, threads, through, uniform, whole
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32

REVISION = 2
TEACHES = "nested loops: windows, matrix products, pairwise interactions"
ALIASES = ("nested",)


def _gap(k: Builder, value: Expr, other: Expr) -> Expr:
    """How far two values are apart."""
    gap = k.let("gap", value - other)
    return k.rng.pick(gap * gap, ops.abs(gap))


def image_filter(k: Builder) -> None:
    """A window around each pixel, which has the weight 1 itself."""
    threads(k, 2)
    (row, col), (rows, cols) = k.index, k.shape
    height, width = k.size(rows, rows), k.size(cols, cols)
    image = k.array(k.rng.pick("image", "field", "intensities"), k.real, k.shape, uniform(0.0, 1.0))
    radius = k.rng.pick(1, 1, 2)
    what = k.rng.pick("box", "distance", "range", "guarded", "contrast")
    here = k.let("center", image[row, col]) if what in ("range", "contrast") else None
    total = k.var("total", 0.0)
    norm = k.var("norm", 0.0) if what in ("distance", "range", "guarded") else None
    with k.loop("dy", -radius, radius + 1) as dy, k.loop("dx", -radius, radius + 1) as dx:
        y, x = row + dy, col + dx
        if what != "guarded":
            y, x = ops.clamp(y, 0, height - 1), ops.clamp(x, 0, width - 1)
        y, x = k.let("y_there", y), k.let("x_there", x)
        if norm is None:
            k.add(total, image[y, x] if here is None else _gap(k, image[y, x], here))
        elif what == "guarded":
            with k.when((y >= 0) & (y < height) & (x >= 0) & (x < width)):
                k.add(total, image[y, x])
                k.add(norm, 1.0)
        else:
            value: Expr = image[y, x]
            if here is None:
                near = convert(k.real, k.rng.pick(dy * dy + dx * dx, ops.abs(dy) + ops.abs(dx)))
            else:
                value = k.let("value", value)
                near = _gap(k, value, here)
            falloff = k.rng.number(0.3, 2.0)
            w = k.let("w", k.rng.pick(ops.exp(-falloff * near), 1.0 / (1.0 + falloff * near)))
            k.add(total, w * value)
            k.add(norm, w)
    doc = {
        "box": f"Box filter of radius {radius}",
        "distance": f"Distance-weighted filter of radius {radius}",
        "range": f"Range filter of radius {radius}, which weighs neighbours by likeness",
        "guarded": f"Mean over a window of radius {radius}, as far as it lies inside the image",
        "contrast": f"Local contrast in a window of radius {radius}",
    }
    result = total / float((2 * radius + 1) ** 2) if norm is None else total / bounded(norm, 1.0, 25.0)
    finish(k, "pixel", result, doc[what])


def pairwise_energy(k: Builder) -> None:
    """All pairs within a thread's group."""
    threads(k, 1, name=k.rng.pick("group", "molecule"))
    atoms = k.rng.pick(4, 5, 6)
    positions = row(k, "positions", "atoms", atoms, uniform(0.0, 3.0))
    charges = row(k, "charges", "atoms", atoms, uniform(0.2, 1.0)) if k.rng.chance(0.4) else None
    inclusive = k.rng.chance(0.4)
    strength = coefficient(k, "strength", 0.5, 2.0)
    energy = k.var("energy", 0.0)
    with k.loop("a", 0, atoms) as a, k.loop("b", 0 if inclusive else a + 1, atoms) as b:
        if inclusive:
            with k.when(a.equals(b)):
                k.jump("continue")
        gap = k.let("gap", positions(a) - positions(b))
        near = k.let("near", gap * gap + k.rng.number(0.05, 0.5))
        term = k.rng.pick(
            strength / near,
            strength * ops.exp(-near),
            strength / ops.sqrt(near),
            strength * ops.log(1.0 + near),
        )
        if charges is not None:
            term = term * charges(a) * charges(b)
        if k.rng.chance(0.4):
            with k.when(near < k.rng.number(1.5, 4.0)):
                k.add(energy, term)
        else:
            k.add(energy, term)
    kind = "Pair energy" if charges is None else "Pair energy, by the product of charges,"
    twice = ", each pair counted twice" if inclusive else ""
    finish(k, "energy", energy, f"{kind} of {atoms} atoms on a line{twice}")


def small_matrix_product(k: Builder) -> None:
    """Products with a small dense matrix, written out as loops."""
    threads(k, 1, name=k.rng.pick("batch", "item"))
    rows, cols = k.rng.pick((3, 4), (4, 4), (4, 6), (5, 3))
    k.sizes["rows"], k.sizes["cols"] = str(rows), str(cols)
    shared = k.rng.chance(0.5)
    m = k.array(
        k.rng.pick("coefficients", "matrix"),
        k.real,
        ["rows", "cols"] if shared else ["n", "rows", "cols"],
        uniform(-1.0, 1.0),
    )
    v = row(k, k.rng.pick("vectors", "inputs"), "cols", cols, uniform(-1.0, 1.0))
    product = k.array("products", k.real, ["n", "rows"], None, "out") if k.rng.chance(0.6) else None
    norm = k.var("norm", 0.0)
    with k.loop("r", 0, rows) as r:
        total = k.var("total", coefficient(k, "bias", -0.5, 0.5, kinds="lp") if k.rng.chance(0.4) else 0.0)
        with k.loop("c", 0, cols) as c:
            entry = m[r, c] if shared else m[k.index[0], r, c]
            k.add(total, entry * v(c))
        value = total
        if k.rng.chance(0.5):
            shaped, word = curve(k, total)
            value = k.let("shaped", shaped)
            k.notes.append(f"Each entry of the product {through(word)}")
        if product is not None:
            k.store(product, (k.target[0], r), value)
        measure, word = k.rng.pick((value * value, "squares"), (ops.abs(value), "magnitudes"))
        k.add(norm, measure)
    finish(k, "norm", norm, f"Sum of the {word} in the product of a {rows} by {cols} matrix with each vector")


def polynomial_product(k: Builder) -> None:
    """Convolution of two short rows."""
    threads(k, 1)
    left, right = k.rng.pick((3, 4), (4, 4), (5, 3))
    a = row(k, k.rng.pick("a", "left"), "p", left, uniform(-1.0, 1.0))
    b = row(k, k.rng.pick("b", "right"), "q", right, uniform(-1.0, 1.0))
    x = coefficient(k, "x", 0.3, 0.9) if k.rng.chance(0.7) else None
    checksum, power = (
        k.var("checksum", 0.0),
        k.var("power", 1.0, bounds=(0.0, 1.0)) if x is not None else None,
    )
    with k.loop("d", 0, left + right - 1) as d:
        total = k.var("total", 0.0)
        if k.rng.chance(0.5):
            with k.loop("j", ops.max(d - (right - 1), 0), ops.min(d + 1, left)) as j:
                k.add(total, a(j) * b(bounded(d - j, 0, right - 1)))
        else:
            with k.loop("j", 0, left) as j:
                m = k.let("m", d - j)
                with k.when((m >= 0) & (m < right)):
                    k.add(total, a(j) * b(m))
        if power is not None and x is not None:
            k.add(checksum, total * power)
            k.set(power, bounded(power * x, 0.0, 1.0))
        else:
            k.add(checksum, k.rng.pick(total * total, ops.abs(total)))
    finish(
        k,
        "value",
        checksum,
        "Value at a point of the product of two polynomials"
        if x is not None
        else "Size of the product of two polynomials",
    )


def live_neighbors(k: Builder) -> None:
    """Cellular automata and counts on a grid."""
    threads(k, 2)
    (row, col), (rows, cols) = k.index, k.shape
    height, width = k.size(rows, rows), k.size(cols, cols)
    kinds = k.rng.pick(1, 1, 1, 2, 3)
    cells = k.array(k.rng.pick("cells", "board", "state"), I32, k.shape, whole(0, kinds))
    own = k.let("own", cells[row, col]) if kinds > 1 else None
    alive = k.var("neighbors", 0, type=I32)
    others, reach = k.rng.chance(0.6), k.rng.pick(1, 1, 1, 2)
    edge = k.rng.pick(
        "wrapping around", "with open borders", "with open borders", "with mirrored borders", "turning over"
    )
    form, near = k.rng.pick("square", "square", "diamond", "cross"), k.rng.chance(0.3)
    with k.loop("dy", -reach, reach + 1) as dy, k.loop("dx", -reach, reach + 1) as dx:
        if others:
            with k.when(dy.equals(0) & dx.equals(0)):
                k.jump("continue")
        if form != "square":
            outside = (
                ops.abs(dy) + ops.abs(dx) > reach if form == "diamond" else dy.differs(0) & dx.differs(0)
            )
            with k.when(outside):
                k.jump("continue")
        inside = None
        if edge == "wrapping around":
            y, x = (row + dy + 2 * height) % height, (col + dx + 2 * width) % width
        elif edge == "with mirrored borders":
            y, x = ops.clamp(row + dy, 0, height - 1), ops.clamp(col + dx, 0, width - 1)
        elif edge == "turning over":
            y, x = ops.min(ops.abs(row + dy), height - 1), ops.min(ops.abs(col + dx), width - 1)
        else:
            y, x = k.let("yy", row + dy), k.let("xx", col + dx)
            inside = (y >= 0) & (y < height) & (x >= 0) & (x < width)
            if k.rng.chance(0.4):
                with k.when((y < 0) | (y >= height) | (x < 0) | (x >= width)):
                    k.jump("continue")
                inside = None
        weight = k.let("weight", reach * 2 + 1 - ops.abs(dy) - ops.abs(dx)) if near else 1

        def count(y: Expr, x: Expr, weight: Expr | int = weight) -> None:
            if own is not None:
                with k.when(cells[y, x].equals(own)):
                    k.add(alive, weight)
            else:
                k.add(alive, cells[y, x] if isinstance(weight, int) else weight * cells[y, x])

        if inside is None:
            count(y, x)
        else:
            with k.when(inside):
                count(y, x)
    if edge == "turning over":
        edge = "mirrored at the first row and column, held at the last"
    if form != "square":
        where = "within a diamond" if form == "diamond" else "in the same row or column"
        k.notes.append(f"Only cells {where} count")
    if near:
        k.notes.append("Near cells count more than far ones")
    if own is not None:
        k.notes.append("Cells count as live where they are of the same kind")
    if not others:
        k.notes.append("A cell is one of its own neighbours")
    if k.rng.chance(0.5):
        rules = {
            "square": ((3, 4), (4, 3), (5, 4)),
            "far": ((12, 11), (13, 12)),
            "few": ((2, 1), (1, 2), (2, 3)),
        }
        size = "few" if form != "square" or own is not None else "square" if reach == 1 else "far"
        born, low = k.rng.pick(*rules[size])
        here = k.let("here", cells[row, col])
        state = k.var("new_state", 0, type=I32)
        with k.when((alive.equals(born)) | (here.equals(1) & alive.equals(low))):
            new, note = k.rng.pick(
                (lift(1, I32), ""),
                (here + 1, "Cells that stay alive become 2"),
                (alive, "Live cells hold their number of neighbours"),
            )
            k.set(state, new)
        if note:
            k.notes.append(note)
        finish(k, "next_cell", state, f"One step of a cellular automaton on a board, {edge}", counted=False)
    else:
        finish(k, "count", alive, f"Number of live neighbours of each cell, {edge}")


def spectral_power(k: Builder) -> None:
    """Discrete Fourier sums over a short row."""
    threads(k, 1, name=k.rng.pick("channel", "row"))
    samples, bands = k.rng.pick(6, 8, 10), k.rng.pick(2, 3, 4)
    data = row(k, k.rng.pick("signals", "waves"), "samples", samples, uniform(-1.0, 1.0))
    window, shape = k.rng.pick("plain", "plain", "cosine", "triangle"), k.rng.pick("power", "amplitude")
    power = k.var("power", 0.0)
    with k.loop("band", 1, bands + 1) as band:
        re, im = k.var("re", 0.0), k.var("im", 0.0)
        step = k.let("omega", convert(k.real, band) * (6.2832 / samples))
        with k.loop("t", 0, samples) as t:
            phase = k.let("phase", step * convert(k.real, t))
            value = data(t)
            if window == "cosine":
                taper = 0.5 - 0.5 * ops.cos((6.2832 / (samples - 1)) * convert(k.real, t))
                value = k.let("tapered", value * taper)
            elif window == "triangle":
                middle = (samples - 1) / 2.0
                value = k.let(
                    "tapered", value * (1.0 - ops.abs(convert(k.real, t) - middle) / (middle + 1.0))
                )
            k.add(re, value * ops.cos(phase))
            k.add(im, value * ops.sin(phase), k.rng.pick("+", "-"))
        weighted = k.rng.chance(0.5)
        square = re * re + im * im
        if shape == "amplitude":
            square = ops.sqrt(bounded(square, 0.0, 1000.0) + 0.01)
        k.add(power, convert(k.real, band) * square if weighted else square / float(samples))
    word = ", weighted by their number" if weighted else ""
    if window != "plain":
        k.notes.append(f"Rows have a {window} window")
    if shape == "amplitude":
        k.notes.append("Of each band the softened amplitude counts, not its square")
    finish(k, "power", power, f"Power of each row in its {bands} lowest bands{word}")


def nearest_prototype(k: Builder) -> None:
    """Distances to a few prototypes, feature by feature."""
    threads(k, 1, name=k.rng.pick("point", "item"))
    classes, features = k.rng.pick(3, 4, 5), k.rng.pick(3, 4, 6)
    k.sizes["classes"] = str(classes)
    items = row(k, "items", "features", features, uniform(-1.0, 1.0))
    prior = k.array("penalties", k.real, ["classes"], uniform(0.0, 0.5)) if k.rng.chance(0.4) else None
    importance = k.array("scales", k.real, ["features"], uniform(0.5, 2.0)) if k.rng.chance(0.4) else None
    runner_up = k.rng.chance(0.35)
    prototypes = k.array("prototypes", k.real, ["classes", "features"], uniform(-1.0, 1.0))
    best, label = (
        k.var("best", 1000.0, bounds=(0.0, 1000.0)),
        k.var("label", 0, type=I32, bounds=(0, classes)),
    )
    second = k.var("second", 1000.0, bounds=(0.0, 1000.0)) if runner_up else None
    with k.loop("c", 0, classes) as c:
        distance = k.var("distance", 0.0 if prior is None else prior[c])
        with k.loop("f", 0, features) as f:
            gap = k.let("gap", items(f) - prototypes[c, f])
            part = k.rng.pick(gap * gap, ops.abs(gap))
            k.add(distance, part if importance is None else importance[f] * part)
            if second is None and k.rng.chance(0.3):
                with k.when(distance > best):
                    k.jump("break")
        with k.when(distance < best):
            if second is not None:
                k.set(second, best)
            k.set(best, distance)
            k.set(label, c)
        if second is not None:
            with k.orwhen(distance < second):
                k.set(second, distance)
    if prior is not None:
        k.notes.append("Each prototype starts with a penalty")
    if importance is not None:
        k.notes.append("Features have scales")
    if second is not None:
        k.store(k.array("margins", k.real, ["n"], None, "out"), k.target, second - best)
        k.notes.append("How much farther the second one is, is stored as well")
    if k.rng.chance(0.5):
        k.store(k.array("labels", I32, ["n"], None, "out"), k.target, label)
        finish(k, "distance", best, f"Nearest of {classes} prototypes and the distance to it")
    else:
        finish(
            k,
            "score",
            best * read(k, "importance", 0.5, 2.0, array="importances") + 0.1 * convert(k.real, label),
            f"Weighted distance to the nearest of {classes} prototypes, with its label's offset",
        )


def smoothing_sweeps(k: Builder) -> None:
    """Several sweeps over a short row that a thread keeps to itself."""
    threads(k, 1, name=k.rng.pick("row", "chain"))
    width, sweeps = k.rng.pick(5, 6, 8), k.rng.integer(2, 4)
    data = row(k, "values", "width", width, uniform(-1.0, 1.0))
    out = k.array("relaxed", k.real, ["n", "width"], None, "out") if k.rng.chance(0.5) else None
    rate = coefficient(k, "rate", 0.1, 0.45)
    total = k.var("total", 0.0)
    with k.loop("j", 0, width) as j:
        value = k.var("value", data(j), bounds=(-4.0, 4.0))
        left, right = data(ops.max(j - 1, 0)), data(ops.min(j + 1, width - 1))
        around = k.let("around", 0.5 * (left + right))
        with k.loop("sweep", 0, sweeps) as sweep:
            pull = k.rng.pick(around - value, around - value * value * 0.2)
            if k.rng.chance(0.4):
                pull = pull / (1.0 + convert(k.real, sweep))
            k.set(value, bounded(value + rate * pull, -4.0, 4.0))
        if out is not None:
            k.store(out, (k.target[0], j), value)
        k.add(total, k.rng.pick(value * value, ops.abs(value), value))
    finish(
        k, "energy", total, f"{sweeps} steps of each element towards its neighbours, and a sum over the row"
    )


def longest_run(k: Builder) -> None:
    """Runs of like elements in short rows."""
    threads(k, 1, name=k.rng.pick("row", "strand"))
    width, kinds = k.rng.pick(8, 10, 12), k.rng.pick(2, 3, 4)
    data = row(k, k.rng.pick("symbols", "labels"), "width", width, whole(0, kinds - 1), I32)
    target = k.scalar("wanted", I32, whole(0, kinds - 1)) if k.rng.chance(0.5) else None
    longest, where = (
        k.var("longest", 0, type=I32, bounds=(0, width)),
        k.var("start", 0, type=I32, bounds=(0, width)),
    )
    with k.loop("first", 0, width) as first:
        if target is not None:
            with k.when(data(first).differs(target)):
                k.jump("continue")
        length = k.var("length", 1, type=I32, bounds=(0, width))
        with k.loop("next", first + 1, width) as following:
            with k.when(data(following).differs(data(first))):
                k.jump("break")
            k.set(length, bounded(length + 1, 0, width))
        with k.when(length > longest if k.rng.chance(0.6) else length >= longest):
            k.set(longest, length)
            k.set(where, first)
    what = "of a wanted symbol" if target is not None else "of equal symbols"
    if k.rng.chance(0.5):
        k.store(k.array("starts", I32, ["n"], None, "out"), k.target, where)
        finish(k, "length", longest, f"Longest run {what} in each row, and where it starts")
    else:
        finish(k, "code", longest * 16 + where, f"Length and start of the longest run {what}, in one number")
