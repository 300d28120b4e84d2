"""Rows and panels that are normalized and reduced."""

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.shared_tile.beginnings import prepared
from weft.kernels.idioms.shared_tile.endings import conclude
from weft.kernels.idioms.slabs import Slab, launch, single, slab, spread, touched
from weft.kernels.program import Expr
from weft.kernels.results import describe, unused
from weft.kernels.types import I32, scalar_of
from weft.kernels.words import told


def normalized_rows(k: Builder) -> None:
    """Elements relative to what their whole piece has in common."""
    how = k.rng.pick(
        "largest",
        "range",
        "mean",
        "deviation",
        "share",
        "root mean square",
        "exponential",
        "smallest",
        "midrange",
    )
    exact = how in ("mean", "deviation", "share", "root mean square")
    piece = slab(k, ragged=False)
    name = k.rng.pick("score", "sample", "logit", "value", "feature")
    low, high = (0, 12) if how == "share" else (-8, 8)
    data: Expr = piece.read(name, k.real, *((low, high) if exact else (-2.0, 2.0)), whole=exact)
    if not exact and k.rng.chance(0.5):
        raw = data
        data, word = touched(k, data, name)
        if data is not raw:
            data = k.let("prepared", data)
            k.notes.append(f"The {word} counts")
    size = piece.size

    result: Expr

    def everywhere(value: Expr) -> Expr:
        return spread(k, value, piece.shape)

    def shifted(by: Expr) -> Expr:
        if k.rng.chance(0.5):
            return tiles.mapped("sub", data, k.let("level", single(by)))
        return data - everywhere(by)

    if how in ("largest", "smallest", "exponential"):
        edge = k.let("edge", tiles.extreme("min" if how == "smallest" else "max", data))
        result = k.let("relative", shifted(edge))
        result.interval = bounded(
            result, -8.0 if how != "smallest" else 0.0, 8.0 if how == "smallest" else 0.0
        ).interval
        if how == "exponential":
            result = tiles.mapped("exp", result)
        doc = {"exponential": "Exponentials of the differences from the largest"}.get(
            how, f"Differences from the {how}"
        )
    elif how in ("range", "midrange"):
        lowest, highest = (
            k.let("lowest", tiles.extreme("min", data)),
            k.let("highest", tiles.extreme("max", data)),
        )
        if how == "range":
            width = k.let(
                "width", bounded(single(highest) - single(lowest), 0.0, 16.0) + k.rng.number(0.05, 0.5)
            )
            result = tiles.mapped("div", tiles.mapped("sub", data, single(lowest)), width)
            doc = "Place between smallest and largest"
        else:
            result = data - everywhere(0.5 * (lowest + highest))
            doc = "Differences from the middle of smallest and largest"
    else:
        total = k.let("total", tiles.summed(data))
        mean: Expr = single(total) / float(size)
        mean = mean if how == "share" else k.let("mean", mean)
        if how == "mean":
            result, doc = tiles.mapped("sub", data, mean), "Differences from the mean"
        elif how == "share":
            norm = k.let("norm", single(total) + k.rng.number(0.5, 2.0))
            result, doc = tiles.mapped("div", data, norm), "Shares of the sum"
        else:
            squares = k.let("squares", tiles.summed(data * data))
            mean_square = bounded(single(squares) / float(size), 0.0, 64.0)
            if how == "deviation":
                spread_out = k.let("variance", bounded(mean_square - mean * mean, 0.0, 64.0))
                scale = k.let("deviation", ops.sqrt(spread_out + k.rng.number(0.1, 0.9)))
                result = tiles.mapped("div", tiles.mapped("sub", data, mean), scale)
                doc = "Differences from the mean in standard deviations"
            else:
                scale = k.let("scale", ops.sqrt(mean_square + k.rng.number(0.1, 0.9)))
                shift = coefficient(k, "shift", -0.3, 0.3, kinds="lp")
                result = tiles.mapped("add", tiles.mapped("div", data, scale), shift * mean)
                doc = f"Values over their root mean square, plus {told(shift)} times the mean"
    # What is known of the sign keeps out endings that would take the magnitude of what has none.
    least, most = {
        "largest": (-8.0, 0.0), "smallest": (0.0, 8.0), "exponential": (0.0, 1.0), "range": (0.0, 1.0),
        "share": (0.0, 1.0), "midrange": (-4.0, 4.0),
    }.get(how, (-40.0, 40.0))  # fmt: skip
    result.interval = bounded(result, least, most).interval
    relative = how in ("largest", "smallest", "exponential", "range")
    conclude(k, piece, unused(k, "normalized", "relative", "scaled"), result, relative=relative)
    describe(k, f"{doc}, {size} elements a tile")


def axis_totals(k: Builder) -> None:
    """Rows or columns of a panel, reduced."""
    rows, columns = k.rng.pick((4, 16), (8, 8), (8, 16), (16, 8), (4, 32), (2, 48))
    i = launch(k, k.rng.pick("panel", "batch", "frame"))
    (count,) = k.dims
    stacked = k.rng.chance(0.4)
    exact = k.rng.chance(0.6)
    element = k.rng.pick(k.real, k.real, I32) if exact else k.real
    axes = k.rng.pick((0,), (1,), (1,), (0, 1), (1, 0))
    kinds = [k.rng.pick("sum", "add", "max", "min") if exact else k.rng.pick("max", "min") for _ in axes]
    # The extreme of many whole numbers from a short range is nearly always the end of the range.
    bounds = (-1.0, 1.0) if not exact else (-9, 9) if {*kinds} <= {"sum", "add"} else (-99, 99)
    if stacked:
        piece = Slab(k, (count, str(rows), str(columns)), (rows, columns), (0, 0), (i,))
    else:
        piece = Slab(k, (f"{rows} * {count}", str(columns)), (rows, columns), (i * rows, 0))
    name = k.rng.pick("entry", "reading", "score")
    panel, word = prepared(k, piece, name, element, *bounds, whole=exact)
    natural = panel.interval.lo >= 0
    doc = ""
    for axis, drawn in zip(axes, kinds, strict=True):
        kind = "max" if drawn == "min" and natural else drawn
        totals = tiles.summed(panel, axis) if kind == "sum" else tiles.reduced(kind, panel, axis)
        length, one = (rows, "row") if axis == 1 else (columns, "column")
        verb = {"sum": "Sum", "add": "Sum", "max": "Largest", "min": "Smallest"}[kind]
        if kind in ("sum", "add") and scalar_of(totals.type).is_float and k.rng.chance(0.4):
            totals, verb = (1.0 / (columns if axis == 1 else rows)) * totals, "Mean"
        sentence = f"{verb} {word} of each {one} of a panel of {rows} by {columns}"
        totals = k.let(f"by_{one}", totals) if k.rng.chance(0.4) else totals
        label = f"{one}_{'total' if kind in ('sum', 'add') else 'extreme'}"
        target = Slab(k, (count, str(length)), (length,), (0,), (i,))
        if doc:
            target.write(label, totals)
            k.notes.append(f"{sentence} is stored as well")
        else:
            conclude(k, target, label, totals, spread_out=kind in ("sum", "add"))
            doc = sentence
    describe(k, doc)
