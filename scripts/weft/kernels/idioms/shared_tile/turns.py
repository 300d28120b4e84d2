"""Tiles that are transposed or shared between threads."""

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, conditional, convert, ops
from weft.kernels.idioms.shared_tile.grids import tile_grid
from weft.kernels.idioms.slabs import launch, touched
from weft.kernels.program import Expr
from weft.kernels.results import describe
from weft.kernels.types import I32
from weft.kernels.words import told
from weft.types import Scalar


def transposition(k: Builder) -> None:
    """Tiles of a matrix, turned."""
    rows, columns = k.rng.pick((8, 8), (16, 16), (8, 16), (16, 4), (32, 8))
    i, j = tile_grid(k, rows, columns)
    down, across = k.dims
    element = k.rng.pick(k.real, k.real, I32)
    values = {"integers": [-9, 10]} if element == I32 or k.rng.chance(0.2) else uniform(-1.0, 1.0)
    source = k.array(
        k.rng.pick("matrix", "image", "source"),
        element,
        [f"{rows} * {down}", f"{columns} * {across}"],
        values,
    )
    turned_shape = [f"{columns} * {across}", f"{rows} * {down}"]
    tile: Expr = k.let(
        k.rng.pick("tile", "piece"), tiles.load(source, (rows, columns), (i * rows, j * columns))
    )
    before, after = k.rng.chance(0.4), k.rng.chance(0.6)
    word = "entry"
    if before:
        tile, word = touched(k, tile, "entry")
        tile = k.let("touched", tile) if k.rng.chance(0.5) else tile
    turned: Expr = k.let(k.rng.pick("turned", "flipped"), tiles.transposed(tile))
    doc = "The transpose of a matrix, tile by tile" + (f": the {word}" if word != "entry" else "")
    place = (j * columns, i * rows)
    if after:
        other = k.array(k.rng.pick("other", "addend", "mask"), element, turned_shape, values)
        second = k.let("second", tiles.load(other, (columns, rows), place))
        how = k.rng.pick("sum", "difference", "product", "larger", "mean")
        if how == "mean" and element == I32:
            how = "sum"
        combined = {
            "sum": lambda: turned + second, "difference": lambda: turned - second,
            "product": lambda: turned * second,
            "larger": lambda: tiles.mapped("max", turned, second), "mean": lambda: 0.5 * (turned + second),
        }[how]()  # fmt: skip
        turned = combined
        k.notes.append(f"The {how} of it and a second matrix is stored")
    out = k.array(k.rng.pick("transposed", "result"), element, turned_shape, None, "out")
    if k.rng.chance(0.3):
        total = k.array("total", element, ["1"], {"constant": 0}, "inout") if tile.interval.integral else None
        if total is not None:
            tiles.atomic_add(k, total, tiles.summed(tile))
            k.notes.append("All entries are summed as well")
    tiles.store(k, out, turned, place)
    describe(k, doc)


def neighbor_exchange(k: Builder) -> None:
    """Each thread puts a value into a tile and reads those of others."""
    i = launch(k, k.rng.pick("row", "group", "segment"), lane=True)
    assert k.lane is not None and k.block_dim is not None
    lane, width, (count,) = k.lane, k.block_dim, k.dims
    element: Scalar = k.rng.pick(k.real, k.real, I32)
    values = {"integers": [-20, 21]} if element == I32 else uniform(-1.0, 1.0)
    flat = k.rng.chance(0.4)
    data = k.array(
        k.rng.pick("data", "samples", "readings"),
        element,
        [f"{width} * {count}"] if flat else [count, str(width)],
        values,
    )
    shared = k.let(
        k.rng.pick("shared", "row_tile", "cache"),
        tiles.load(data, (width,), (i * width if flat else 0,), row=() if flat else (i,), shared=True),
    )
    how = k.rng.pick("mirror", "shift", "butterfly", "window", "stride", "pair")
    own: Expr = shared[lane]
    if how in ("mirror", "shift", "butterfly", "pair"):
        own = k.let("own", own)
    result: Expr
    if how == "mirror":
        result, doc = k.rng.pick(
            (own - shared[width - 1 - lane], "Difference from the mirrored element"),
            (ops.max(own, shared[width - 1 - lane]), "Larger of an element and the mirrored one"),
        )
    elif how == "shift":
        by = k.rng.integer(1, 5)
        other = k.let("other", shared[(lane + by) % width])
        result, doc = k.rng.pick(
            (own + other, "Sum with"),
            (other - own, "Step to"),
            (ops.min(own, other), "Smaller of the element and"),
        )
        doc = f"{doc} the element {by} further in its row, around the end"
    elif how == "butterfly":
        bit = k.rng.pick(1, 2, 4, 8)
        partner = k.let("partner", bounded(lane ^ bit, 0, width - 1))
        upper = (lane & bit).differs(0)
        other = k.let("other", shared[partner])
        if k.rng.chance(0.5):
            result, doc = (
                conditional(upper, other - own, own + other),
                "Sums in one half of the pairs, differences in the other,",
            )
        else:
            mine = k.var("kept", ops.min(own, other), type=element)
            with k.when(upper):
                k.set(mine, ops.max(own, other))
            result, doc = mine, "Smaller ones in one half of the pairs, larger ones in the other,"
        doc = f"{doc} of elements {bit} apart"
    elif how == "window":
        radius = k.rng.pick(1, 2, 3)
        total = k.var("total", 0, type=element)
        weigh = element != I32 and k.rng.chance(0.5)
        falloff = coefficient(k, "falloff", 0.2, 0.8, kinds="lp") if weigh and element == k.real else None
        with k.loop("d", -radius, radius + 1) as d:
            place = k.rng.pick(ops.clamp(lane + d, 0, width - 1), (lane + d + width) % width)
            value: Expr = shared[place]
            if falloff is not None:
                value = value / (1.0 + falloff * ops.abs(convert(element, d)))
            k.add(total, value)
        result, doc = (
            total,
            f"Sum over a window of radius {radius} within each row"
            + (", weighted by distance" if falloff is not None else ""),
        )
    elif how == "stride":
        step, terms = k.rng.pick((2, 4), (4, 4), (3, 5), (8, 3))
        total = k.var("total", 0, type=element)
        with k.loop("m", 0, terms) as m:
            k.add(total, shared[(lane + m * step) % width])
        result, doc = total, f"Sum of {terms} elements, {step} apart, around the end of the row"
    else:
        partner_value = k.let("partner", shared[width - 1 - lane])
        result, doc = own * partner_value + own, "Each element times one more than the mirrored one"
    if element == k.real and k.rng.chance(0.5):
        weight = coefficient(k, "weight", 0.3, 2.0, kinds="lp")
        result = weight * result
        k.notes.append(f"The result is multiplied by {told(weight)}")
    out = k.array(
        k.rng.pick("result", "exchanged", "outputs"),
        element,
        [f"{width} * {count}"] if flat else [count, str(width)],
        None,
        "out",
    )
    k.store(out, i * width + lane if flat else (i, lane), result)
    describe(k, doc)
