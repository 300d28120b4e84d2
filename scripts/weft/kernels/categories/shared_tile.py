"""Tiles: blocks load pieces of arrays into shared memory, work on them together, and store the result."""

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.program import Expr
from weft.kernels.results import describe
from weft.kernels.slabs import deliver, launch, single, slab, spread, touched
from weft.kernels.stores import unused
from weft.kernels.types import I32, scalar_of
from weft.kernels.words import told
from weft.types import Scalar

REVISION = 1
TEACHES = "tiles in shared memory: products, halos, transposition, reductions and broadcasts within a block"

_COMPASS: dict[tuple[int, ...], str] = {
    (-1,): "left", (1,): "right", (0, -1): "west", (0, 1): "east", (-1, 0): "north", (1, 0): "south",
}  # fmt: skip


def _grid(k: Builder, rows: int, columns: int) -> tuple[Expr, Expr]:
    """A block for each tile of a matrix of so many rows and columns a tile."""
    down, across = k.rng.pick(("tile_rows", "tile_columns"), ("row_tiles", "column_tiles"))
    k.sizes[down], k.sizes[across] = (
        k.rng.pick("(n + 63) // 64", "min(n, 12)", "(n + 255) // 256"),
        k.rng.pick("2", "3", "4"),
    )
    i, j = k.blocks(
        [down, across], k.rng.pick(("i", "j"), ("row", "column"), ("by", "bx")), k.rng.pick(32, 64, 64, 128)
    )
    return i, j


def matrix_product(k: Builder) -> None:
    """One tile of a product a block, step by step along the inner dimension."""
    m, n, depth = k.rng.pick(8, 16), k.rng.pick(8, 16), k.rng.pick(4, 8, 16)
    i, j = _grid(k, m, n)
    down, across = k.dims
    k.sizes["inner_tiles"] = str(steps := k.rng.pick(2, 3, 4))
    exact = k.rng.chance(0.3)
    values = {"integers": [-4, 5]} if exact else uniform(-1.0, 1.0)
    shapes = {
        "a": (f"{m} * {down}", f"{depth} * inner_tiles"),
        "b": (f"{depth} * inner_tiles", f"{n} * {across}"),
    }
    flip_a, flip_b = k.rng.pick((False, False), (False, False), (True, False), (False, True))
    names = k.rng.pick(("a", "b", "c"), ("left", "right", "product"), ("weights", "inputs", "outputs"))
    a = k.array(names[0], k.real, shapes["a"][::-1] if flip_a else shapes["a"], values)
    b = k.array(names[1], k.real, shapes["b"][::-1] if flip_b else shapes["b"], values)
    residual = k.rng.chance(0.25)
    c = k.array(
        names[2],
        k.real,
        [f"{m} * {down}", f"{n} * {across}"],
        values if residual else None,
        "inout" if residual else "out",
    )
    corner = (i * m, j * n)
    total = k.var(
        k.rng.pick("total", "acc", "sum_of_products"),
        tiles.load(c, (m, n), corner) if residual else tiles.filled("zeros", (m, n), k.real),
    )
    with k.loop(k.rng.pick("k", "step", "t"), 0, steps) as step:
        along = step * depth
        along = k.let("start", along) if k.rng.chance(0.4) else along
        left = (
            tiles.load(a, (depth, m), (along, i * m)) if flip_a else tiles.load(a, (m, depth), (i * m, along))
        )
        right = (
            tiles.load(b, (n, depth), (j * n, along)) if flip_b else tiles.load(b, (depth, n), (along, j * n))
        )
        left = k.let(f"{names[0]}_tile", left)
        right = k.let(f"{names[1]}_tile", right)
        kind = k.rng.pick("plain", "plain", "plain", "positive", "scaled") if not exact else "plain"
        if kind == "positive":
            right = k.let("rectified", tiles.mapped("max", right, 0.0))
            k.notes.append("Negative entries of the second matrix count as zero")
        elif kind == "scaled":
            factor = coefficient(k, "scale", 0.3, 2.0, kinds="lp")
            left = k.let("scaled", factor * left)
            k.notes.append(f"The first matrix is multiplied by {told(factor)}")
        left = tiles.transposed(left) if flip_a else left
        right = tiles.transposed(right) if flip_b else right
        k.evaluate(tiles.product(left, right, total, steps))
    factors = f"{'the transpose of ' * flip_a}a matrix and {'the transpose of ' * flip_b}another"
    doc = f"Product of {factors}, {m} by {n} elements a block"
    if residual:
        k.notes.append(f"It is added to {names[2]}")
    result: Expr = total
    result.interval = bounded(total, -500.0, 500.0).interval
    ending = k.rng.pick("none", "none", "bias", "relu", "scale", "column bias")
    if ending == "bias" or ending == "column bias":
        by_row = ending == "bias"
        bias = k.array("bias", k.real, [f"{n} * {across}" if by_row else f"{m} * {down}"], values)
        bias_tile = k.let(
            "bias_tile", tiles.load(bias, (n,), (j * n,)) if by_row else tiles.load(bias, (m,), (i * m,))
        )
        wide = tiles.broadcast(tiles.reshaped(bias_tile, (1, n) if by_row else (m, 1)), (m, n))
        result = total + wide
        k.notes.append(f"Each {'column' if by_row else 'row'} gets its bias")
    elif ending == "relu":
        result = tiles.mapped("max", total, 0.0)
        k.notes.append("Negative results become zero")
    elif ending == "scale":
        alpha = coefficient(k, "alpha", 0.2, 2.0, kinds="lp")
        result = alpha * total
        k.notes.append(f"The result is multiplied by {told(alpha)}")
    tiles.store(k, c, result, corner)
    describe(k, doc)


def transposition(k: Builder) -> None:
    """Tiles of a matrix, turned."""
    rows, columns = k.rng.pick((8, 8), (16, 16), (8, 16), (16, 4), (32, 8))
    i, j = _grid(k, rows, columns)
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
        data, _ = touched(k, data, name)
        data = k.let("prepared", data)
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
    result.interval = bounded(result, -40.0, 40.0).interval
    deliver(
        k,
        piece,
        unused(k, "normalized", "relative", "scaled"),
        k.let("result", result) if k.rng.chance(0.4) else result,
    )
    describe(k, f"{doc}, {size} elements a block")


def axis_totals(k: Builder) -> None:
    """Rows or columns of a panel, reduced."""
    rows, columns = k.rng.pick((4, 16), (8, 8), (8, 16), (16, 8), (4, 32), (2, 48))
    i = launch(k, k.rng.pick("panel", "batch", "frame"))
    (count,) = k.dims
    stacked = k.rng.chance(0.4)
    exact = k.rng.chance(0.6)
    element = k.rng.pick(k.real, k.real, I32) if exact else k.real
    values = {"integers": [-9, 10]} if exact else uniform(-1.0, 1.0)
    shape = [count, str(rows), str(columns)] if stacked else [f"{rows} * {count}", str(columns)]
    data = k.array(k.rng.pick("data", "matrix", "readings"), element, shape, values)
    panel: Expr = k.let(
        k.rng.pick("panel_tile", "block_values", "tile"),
        tiles.load(data, (rows, columns), (0, 0), row=(i,))
        if stacked
        else tiles.load(data, (rows, columns), (i * rows, 0)),
    )
    panel, word = touched(k, panel, "entry")
    if word != "entry" and k.rng.chance(0.6):
        panel = k.let("touched", panel)
    kinds = ("sum", "add", "max", "min") if panel.interval.integral or element == I32 else ("max", "min")
    for number, axis in enumerate(k.rng.pick((0,), (1,), (1,), (0, 1), (1, 0))):
        kind = k.rng.pick(*kinds)
        totals = tiles.summed(panel, axis) if kind == "sum" else tiles.reduced(kind, panel, axis)
        length, one = (rows, "row") if axis == 1 else (columns, "column")
        verb = {"sum": "Sum", "add": "Sum", "max": "Largest", "min": "Smallest"}[kind]
        sentence = f"{verb} {word} of each {one} of a panel of {rows} by {columns}"
        if kind in ("sum", "add") and scalar_of(totals.type).is_float and k.rng.chance(0.4):
            totals = (1.0 / (columns if axis == 1 else rows)) * totals
            sentence = f"Mean {word} of each {one} of a panel of {rows} by {columns}"
        out = k.array(
            f"{one}_{'totals' if kind in ('sum', 'add') else 'extremes'}",
            element,
            [count, str(length)],
            None,
            "out",
        )
        if k.rng.chance(0.4):
            totals = k.let(f"by_{one}", totals)
        tiles.store(k, out, totals, (0,), row=(i,))
        if number:
            k.notes.append(sentence)
        else:
            doc = sentence
    describe(k, doc)


def halo_stencil(k: Builder) -> None:
    """A tile with a rim is loaded once; shifted views of it are combined."""
    flat, radius = k.rng.chance(0.5), k.rng.pick(1, 1, 2)
    name = k.rng.pick("field", "temperature", "heights", "signal" if flat else "image")
    rate = coefficient(k, k.rng.pick("rate", "strength", "diffusivity"), 0.1, 0.6, kinds="lp")
    if flat:
        width = k.rng.pick(32, 64, 96)
        i = launch(k, k.rng.pick("tile", "segment"))
        data = k.array(name, k.real, [f"{width} * {k.dims[0]} + {2 * radius}"], uniform(-1.0, 1.0))
        halo = k.let(k.rng.pick("halo", "padded"), tiles.load(data, (width + 2 * radius,), (i * width,)))
        shape: tuple[int, ...] = (width,)
        moves: list[tuple[int, ...]] = [(d,) for d in range(-radius, radius + 1)]
        corner: tuple[Expr, ...] = (i * width,)
        extents = [f"{width} * {k.dims[0]}"]
    else:
        rows, columns = k.rng.pick((8, 8), (8, 16), (16, 16), (4, 16))
        i, j = _grid(k, rows, columns)
        extents = [f"{rows} * {k.dims[0]}", f"{columns} * {k.dims[1]}"]
        data = k.array(name, k.real, [f"{one} + {2 * radius}" for one in extents], uniform(-1.0, 1.0))
        corner = (i * rows, j * columns)
        halo = k.let(
            k.rng.pick("halo", "padded"), tiles.load(data, (rows + 2 * radius, columns + 2 * radius), corner)
        )
        shape = (rows, columns)
        cross: list[tuple[int, ...]] = [
            (0, 0),
            *[(0, d) for d in (-radius, radius)],
            *[(d, 0) for d in (-radius, radius)],
        ]
        corners: list[tuple[int, ...]] = [
            (-radius, -radius),
            (-radius, radius),
            (radius, -radius),
            (radius, radius),
        ]
        moves = k.rng.pick(
            cross, cross, cross + corners, [*corners, (0, 0)], [(0, 0), (0, radius), (radius, 0)]
        )
    rests = [one for one in moves if any(one)]
    center: Expr = tiles.view(halo, [radius] * len(shape), shape)
    what = k.rng.pick("laplacian", "mean", "weighted", "largest", "gradient", "smallest", "sharpened")
    if (what != "mean" and k.rng.chance(0.6)) or what in ("sharpened", "gradient"):
        center = k.let("center", center)

    def shifted(move: tuple[int, ...]) -> Expr:
        return tiles.view(halo, [radius + d for d in move], shape)

    views: list[Expr] = []
    if k.rng.chance(0.5):
        signs = [tuple((d > 0) - (d < 0) for d in one) for one in rests]
        views += [k.let(_COMPASS.get(s, "corner"), shifted(one)) for s, one in zip(signs, rests, strict=True)]
    else:
        views += [shifted(one) for one in rests]
    total = views[0]
    if what in ("largest", "smallest"):
        for number, one in enumerate(views[1:], 1):
            total = tiles.mapped("max" if what == "largest" else "min", total, one)
            if number % 2 == 0 or number == len(views) - 1:
                total = k.let("extreme", total)
        total = tiles.mapped("max" if what == "largest" else "min", total, center)
        result: Expr = total if k.rng.chance(0.4) else (1.0 - rate) * center + rate * total
        doc = f"The {what} value around each place" + (
            "" if result is total else f", mixed in by {told(rate)}"
        )
    elif what == "gradient":
        result = tiles.mapped("abs", views[0] - center)
        for one in views[1:]:
            result = result + tiles.mapped("abs", one - center)
        doc = "Sum of the magnitudes of the differences from the neighbors"
    elif what == "weighted":
        for one in views[1:]:
            total = total + k.rng.pick(
                one, coefficient(k, unused(k, "weight", "share", "factor"), 0.2, 1.5, kinds="l") * one
            )
        result, doc = (
            rate * total + center,
            f"Each value plus {told(rate)} times a weighted sum of its neighbors",
        )
    else:
        for one in views[1:]:
            total = total + one
        total = k.let("around", total) if k.rng.chance(0.5) else total
        if what == "mean":
            result, doc = lift(round(1.0 / len(rests), 6), k.real) * total, "Mean of the neighbors"
        elif what == "sharpened":
            result, doc = center + rate * (float(len(rests)) * center - total), f"Sharpened by {told(rate)}"
        else:
            result, doc = (
                center + rate * (total - float(len(rests)) * center),
                f"One step of diffusion by {told(rate)}",
            )
    if (
        what in ("mean", "largest", "gradient", "smallest")
        and rate.type
        and "rate" not in doc
        and told(rate) not in doc
    ):
        result = rate * result
        k.notes.append(f"The result is multiplied by {told(rate)}")
    out = k.array(k.rng.pick("result", "updated", f"next_{name}"), k.real, extents, None, "out")
    tiles.store(k, out, k.let("stencil_result", result) if k.rng.chance(0.3) else result, corner)
    describe(
        k,
        f"{doc}, in {'one dimension' if flat else 'two dimensions'}, {len(rests)} neighbors, {radius} away",
    )


def pairwise_table(k: Builder) -> None:
    """Every element of one tile with every element of another, by broadcasting."""
    m, n = k.rng.pick((8, 8), (8, 16), (16, 16), (4, 32), (16, 8))
    i, j = _grid(k, m, n)
    down, across = k.dims
    first, second = k.rng.pick(
        ("xs", "ys"), ("queries", "keys"), ("sources", "receivers"), ("rows_in", "columns_in")
    )
    a = k.array(first, k.real, [f"{m} * {down}"], uniform(-1.0, 1.0))
    b = k.array(second, k.real, [f"{n} * {across}"], uniform(-1.0, 1.0))
    x: Expr = k.let("x", tiles.load(a, (m,), (i * m,)))
    y = k.let("y", tiles.load(b, (n,), (j * n,)))
    if k.rng.chance(0.3):
        x = k.let("x_touched", touched(k, x, "x")[0])
    wide_x = k.let("wide_x", tiles.broadcast(tiles.reshaped(x, (m, 1)), (m, n)))
    wide_y: Expr = tiles.broadcast(tiles.reshaped(y, (1, n)) if k.rng.chance(0.7) else y, (m, n))
    wide_y = k.let("wide_y", wide_y) if k.rng.chance(0.6) else wide_y
    gap: Expr = wide_x - wide_y
    result: Expr
    kind = k.rng.pick("product", "distance", "squared distance", "kernel", "larger", "sum", "attenuation")
    length = coefficient(k, "scale", 0.3, 2.0, kinds="lp")
    match kind:
        case "product":
            result = wide_x * wide_y
        case "distance":
            result = tiles.mapped("abs", gap)
        case "squared distance":
            gap = k.let("gap", gap)
            result = gap * gap
        case "kernel":
            gap = k.let("gap", gap)
            result = tiles.mapped("exp", -(gap * gap))
        case "larger":
            result = tiles.mapped(k.rng.pick("max", "min"), wide_x, wide_y)
            kind = "extreme of the two"
        case "attenuation":
            gap = k.let("gap", gap)
            result = tiles.filled("ones", (m, n), k.real) / (tiles.filled("ones", (m, n), k.real) + gap * gap)
        case _:
            result = wide_x + wide_y
    result.interval = bounded(result, -1e3, 1e3).interval
    result = length * result
    out = k.array(
        k.rng.pick("table", "pairs", "gram", "affinity"),
        k.real,
        [f"{m} * {down}", f"{n} * {across}"],
        None,
        "out",
    )
    doc = f"The {kind} of every pair from {first} and {second}, times {told(length)}"
    if k.rng.chance(0.4):
        best = k.array(
            f"row_{(edge := k.rng.pick('max', 'min'))}ima", k.real, [f"{m} * {down}", across], None, "out"
        )
        result = k.let("pair_values", result)
        extremes = tiles.reshaped(tiles.reduced(edge, result, 1), (m, 1))
        tiles.store(k, best, extremes, (i * m, j))
        k.notes.append(f"The {edge}imum of each row of a tile is stored as well")
    tiles.store(k, out, result, (i * m, j * n))
    describe(k, doc)


def matrix_vector(k: Builder) -> None:
    """Rows of a matrix times a vector that is loaded once."""
    rows, columns = k.rng.pick((8, 16), (16, 16), (4, 32), (8, 32), (2, 64))
    i = launch(k, k.rng.pick("panel", "block_row"))
    (count,) = k.dims
    values, exact = {"integers": [-5, 6]}, k.rng.chance(0.5)
    use_product = not exact or k.rng.chance(0.4)
    steps = k.rng.pick(1, 2, 3)
    matrix = k.array(
        k.rng.pick("matrix", "weights", "a"),
        k.real,
        [f"{rows} * {count}", str(columns * steps)],
        values if exact else uniform(-1.0, 1.0),
    )
    vector = k.array(
        k.rng.pick("vector", "x", "state"),
        k.real,
        [str(columns * steps)],
        values if exact else uniform(-1.0, 1.0),
    )

    def part(start: Expr | int) -> tuple[Expr, Expr]:
        panel = k.let("panel_tile", tiles.load(matrix, (rows, columns), (i * rows, start)))
        piece = k.let("piece", tiles.load(vector, (columns,), (start,)))
        return panel, piece

    def partial(panel: Expr, piece: Expr) -> Expr:
        wide = tiles.broadcast(tiles.reshaped(piece, (1, columns)), (rows, columns))
        return tiles.summed(k.let("terms", panel * wide) if k.rng.chance(0.5) else panel * wide, 1)

    if use_product:
        total = k.var("total", tiles.filled("zeros", (rows, 1), k.real))
        if steps == 1:
            panel, piece = part(0)
            k.evaluate(tiles.product(panel, tiles.reshaped(piece, (columns, 1)), total))
        else:
            with k.loop("step", 0, steps) as step:
                panel, piece = part(step * columns)
                k.evaluate(tiles.product(panel, tiles.reshaped(piece, (columns, 1)), total, steps))
        result: Expr = tiles.reshaped(total, (rows,))
    elif steps == 1:
        result = partial(*part(0))
    else:
        total = k.var("total", tiles.filled("zeros", (rows,), k.real))
        with k.loop("step", 0, steps) as step:
            k.add(total, partial(*part(step * columns)))
        result = total
    result.interval = bounded(result, -1e4, 1e4).interval
    doc = f"A matrix times a vector, {rows} rows a block, {columns * steps} columns"
    out = k.array(k.rng.pick("result", "y", "outputs"), k.real, [f"{rows} * {count}"], None, "out")
    ending = k.rng.pick("plain", "bias", "residual", "scaled", "positive")
    if ending in ("bias", "residual"):
        other = k.array(ending, k.real, [f"{rows} * {count}"], values if exact else uniform(-1.0, 1.0))
        extra = k.let("extra", tiles.load(other, (rows,), (i * rows,)))
        result = result + extra if ending == "bias" else extra - result
        k.notes.append(
            "A bias is added" if ending == "bias" else "The product is subtracted from what is given"
        )
    elif ending == "scaled":
        alpha = coefficient(k, "alpha", 0.2, 2.0, kinds="lp")
        result = alpha * result
        k.notes.append(f"The result is multiplied by {told(alpha)}")
    elif ending == "positive":
        result = tiles.mapped("max", result, 0.0)
        k.notes.append("Negative results become zero")
    tiles.store(k, out, result, (i * rows,))
    describe(k, doc)


def fused_map(k: Builder) -> None:
    """Elementwise work on whole tiles, with a function of the program's."""
    piece = slab(k)
    first = k.rng.pick("x", "position", "price", "signal", "gradient")
    x = piece.read(first, k.real, -1.0, 1.0)
    second = k.rng.pick("y", "velocity", "volume", "noise", "momentum")
    y = piece.read(second, k.real, -1.0, 1.0)
    rate = coefficient(k, k.rng.pick("rate", "step_size", "decay"), 0.1, 0.9, kinds="lp")
    kind = k.rng.pick("update", "blend", "gate", "clip", "wave", "hinge")

    def body(b: Builder, a: Expr, c: Expr, r: Expr) -> Expr:
        match kind:
            case "update":
                return a - r * c
            case "blend":
                return (1.0 - r) * a + r * c * c
            case "gate":
                return a / (1.0 + ops.exp(-(c / (r + 0.1))))
            case "clip":
                return a + ops.clamp(c, -0.5, 0.5) * r
            case "wave":
                return a * ops.cos(r * c) - c * ops.sin(r * a)
            case _:
                with b.when(a * c > r):
                    b.jump("return", lift(0.0, a.type))
                return r - a * c

    docs = {
        "update": "A step against the second.",
        "blend": "A mixture with the square of the second.",
        "gate": "Gated by the second.",
        "clip": "Moved by the second, which is clipped.",
        "wave": "A rotation by each other's phases.",
        "hinge": "What is missing to a margin.",
    }
    result = tiles.applied(k, kind, docs[kind], {first: x, second: y, "r": rate}, body)
    if k.rng.chance(0.5):
        result = k.let("mapped", result)
        result, word = touched(k, result, "result")
        if word != "result":
            k.notes.append(f"Its {word.replace(' of the result', '')} is what counts")
    deliver(k, piece, unused(k, "outcome", "updated"), result)
    describe(k, f"{docs[kind].rstrip('.')}, element by element for {piece.size} elements a block")


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
