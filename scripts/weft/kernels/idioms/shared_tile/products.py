"""Products of matrices, of matrices and vectors."""

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded
from weft.kernels.idioms.shared_tile.grids import tile_grid
from weft.kernels.idioms.slabs import launch
from weft.kernels.program import Expr
from weft.kernels.results import describe
from weft.kernels.words import told


def matrix_product(k: Builder) -> None:
    """One tile of a product a block, step by step along the inner dimension."""
    m, n, depth = k.rng.pick(8, 16), k.rng.pick(8, 16), k.rng.pick(4, 8, 16)
    i, j = tile_grid(k, m, n)
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
