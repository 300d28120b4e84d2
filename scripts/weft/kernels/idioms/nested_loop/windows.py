"""Windows around a cell."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, row, threads, uniform, whole


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
    what = k.rng.pick("box", "distance", "range", "guarded", "contrast", "table", "extreme")
    edge = "" if what == "guarded" else k.rng.pick("edges repeat", "edges wrap around", "edges are mirrored")
    spread = k.rng.pick(1, 1, 2) if what != "guarded" else 1
    size = str(2 * radius + 1)
    table = k.array("weights", k.real, [size, size], uniform(-0.3, 0.6)) if what == "table" else None
    here = k.let("center", image[row, col]) if what in ("range", "contrast") else None
    total = k.var("total", 0.0)
    norm = k.var("norm", 0.0) if what in ("distance", "range", "guarded") else None

    def there(name: str, at: Expr, step: Expr, count: Expr) -> Expr:
        place = at + step if spread == 1 else at + spread * step
        if edge == "edges repeat":
            place = ops.clamp(place, 0, count - 1)
        elif edge == "edges wrap around":
            place = (place + 4 * count) % count
        elif edge:
            place = ops.min(ops.abs(place), count - 1)
        return k.let(name, place)

    def visit(dy: Expr, dx: Expr, y: Expr, x: Expr) -> None:
        if table is not None:
            k.add(total, table[dy + radius, dx + radius] * image[y, x])
        elif what == "extreme":
            k.set(total, ops.max(total, image[y, x]))
        elif norm is None:
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

    early, names = k.rng.chance(0.5), k.rng.pick(("y_there", "x_there"), ("yy", "xx"), ("v", "u"))
    with k.loop("dy", -radius, radius + 1) as dy:
        y_early = there(names[0], row, dy, height) if early else None
        with k.loop("dx", -radius, radius + 1) as dx:
            y_there = y_early if y_early is not None else there(names[0], row, dy, height)
            visit(dy, dx, y_there, there(names[1], col, dx, width))
    doc = {
        "box": f"Box filter of radius {radius}",
        "distance": f"Distance-weighted filter of radius {radius}",
        "range": f"Range filter of radius {radius}, which weighs neighbours by likeness",
        "guarded": f"Mean over a window of radius {radius}, as far as it lies inside the image",
        "contrast": f"Local contrast in a window of radius {radius}",
        "table": f"Filter of radius {radius} with weights from a table",
        "extreme": f"Largest pixel in a window of radius {radius}",
    }
    result: Expr = total
    if what not in ("table", "extreme"):
        result = total / float((2 * radius + 1) ** 2) if norm is None else total / bounded(norm, 1.0, 25.0)
    if edge == "edges are mirrored":
        edge = "the first edges mirror, the last repeat"
    if spread > 1:
        k.notes.append("The window takes every second pixel")
    if edge:
        k.notes.append(f"{edge[0].upper()}{edge[1:]}")
    finish(k, "pixel", result, doc[what])


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
        finish(k, "next_cell", state, f"One step of a cellular automaton on a board, {edge}")
    else:
        finish(k, "count", alive, f"Number of live neighbours of each cell, {edge}")


def smoothing_sweeps(k: Builder) -> None:
    """Several sweeps over a short row that a thread keeps to itself."""
    threads(k, 1, name=k.rng.pick("row", "chain"))
    width, sweeps = k.rng.pick(5, 6, 8), k.rng.integer(2, 4)
    data = row(k, "values", "width", width, uniform(-1.0, 1.0))
    out = k.array("relaxed", k.real, ["n", "width"], None, "out") if k.rng.chance(0.5) else None
    rate = coefficient(k, "rate", 0.1, 0.45)
    total = k.var("total", 0.0)
    pull_to, held = k.rng.pick("around", "around", "before", "smooth"), k.rng.chance(0.3)
    if held:
        k.notes.append("The first and the last one are left out")
    with k.loop("j", 0, width) as j:
        if held:
            with k.when(j.equals(0) | j.equals(width - 1)):
                k.jump("continue")
        value = k.var("value", data(j), bounds=(-4.0, 4.0))
        left, right = data(ops.max(j - 1, 0)), data(ops.min(j + 1, width - 1))
        if pull_to == "around":
            around = k.let("around", 0.5 * (left + right))
        elif pull_to == "before":
            around = k.let("before", left)
        else:
            around = k.let("smooth", 0.25 * left + 0.5 * data(j) + 0.25 * right)
        with k.loop("sweep", 0, sweeps) as sweep:
            pull = k.rng.pick(around - value, around - value * value * 0.2)
            if k.rng.chance(0.4):
                pull = pull / (1.0 + convert(k.real, sweep))
            k.set(value, bounded(value + rate * pull, -4.0, 4.0))
        if out is not None:
            k.store(out, (k.target[0], j), value)
        k.add(total, k.rng.pick(value * value, ops.abs(value), value))
    goal = {
        "around": "the mean of its neighbours", "before": "the one before it", "smooth": "its smoothed value"
    }[pull_to]  # fmt: skip
    finish(k, "energy", total, f"{sweeps} steps of each element towards {goal}, and a sum over the row")
