"""Products of matrices, of matrices and vectors."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded
from weft.kernels.idioms.shared_tile.endings import conclude
from weft.kernels.idioms.shared_tile.grids import tile_grid
from weft.kernels.idioms.slabs import Slab, launch, touched
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, unused
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
    names = k.rng.pick(("a", "b"), ("left", "right"), ("weights", "inputs"))
    a = k.array(names[0], k.real, shapes["a"][::-1] if flip_a else shapes["a"], values)
    b = k.array(names[1], k.real, shapes["b"][::-1] if flip_b else shapes["b"], values)
    piece = Slab(k, (f"{m} * {down}", f"{n} * {across}"), (m, n), (i * m, j * n))
    total = k.var(k.rng.pick("total", "acc", "sum_of_products"), _start(k, piece, exact))
    with k.loop(k.rng.pick("k", "step", "t"), 0, steps) as step:
        along = step * depth
        along = k.let("start", along) if k.rng.chance(0.4) else along
        left = tiles.load(a, *(((depth, m), (along, i * m)) if flip_a else ((m, depth), (i * m, along))))
        right = tiles.load(b, *(((n, depth), (j * n, along)) if flip_b else ((depth, n), (along, j * n))))
        left, right = k.let(f"{names[0]}_tile", left), k.let(f"{names[1]}_tile", right)
        left, right = _factors(k, left, right, exact)
        left = tiles.transposed(left) if flip_a else left
        right = tiles.transposed(right) if flip_b else right
        if k.rng.chance(0.25):
            k.add(total, bounded(tiles.product(left, right), -500.0, 500.0))
        else:
            k.evaluate(tiles.product(left, right, total, steps))
    factors = f"{'the transpose of ' * flip_a}a matrix and {'the transpose of ' * flip_b}another"
    total.interval = bounded(total, -500.0, 500.0).interval
    conclude(k, piece, k.rng.pick("product", "output"), total)
    describe(k, f"Product of {factors}, {m} by {n} elements a tile")


def _start(k: Builder, piece: Slab, exact: bool) -> Expr:
    """What products are added to: nothing, a constant, or what is given."""
    match k.rng.pick("zeros", "zeros", "given", "given", "constant"):
        case "given":
            k.notes.append("It is added to what is given")
            array = piece.array("given", k.real, *((-4, 4) if exact else (-1.0, 1.0)), whole=exact)
            return piece.take(array)
        case "constant" if not exact:
            level = coefficient(k, "level", 0.1, 1.0, kinds="lp")
            k.notes.append(f"It is added to {told(level)}")
            return tiles.filled("full", piece.shape, k.real, level)
        case _:
            return tiles.filled("zeros", piece.shape, k.real)


def _factors(k: Builder, left: Expr, right: Expr, exact: bool) -> tuple[Expr, Expr]:
    """The factors of one step, of which one may be changed first."""
    kind = k.rng.pick("plain", "plain", "positive", "scaled", "magnitude")
    if kind == "positive":
        right = k.let("rectified", tiles.mapped("max", right, 0.0))
        k.notes.append("Negative entries of the second matrix count as zero")
    elif kind == "magnitude":
        left = k.let("magnitudes", tiles.mapped("abs", left))
        k.notes.append("Of the entries of the first matrix, the magnitudes count")
    elif kind == "scaled" and not exact:
        factor = coefficient(k, "scale", 0.3, 2.0, kinds="lp")
        left = k.let("scaled", factor * left)
        k.notes.append(f"The first matrix is multiplied by {told(factor)}")
    return left, right


def matrix_vector(k: Builder) -> None:
    """Rows of a matrix times a vector that is loaded once."""
    rows, columns = k.rng.pick((8, 16), (16, 16), (4, 32), (8, 32), (2, 64))
    steps, exact = k.rng.pick(1, 2, 3), k.rng.chance(0.5)
    batched, turned = k.rng.chance(0.3), k.rng.chance(0.35)
    row: list[Expr] = []
    i: Expr
    if batched:
        k.sizes["batches"], k.sizes["panels"] = (
            k.rng.pick("(n + 15) // 16", "(n + 63) // 64", "min(n, 100)"),
            k.rng.pick("2", "3"),
        )
        batch, i = k.blocks(
            ["batches", "panels"], k.rng.pick(("batch", "panel"), ("b", "i")), k.rng.pick(32, 64)
        )
        count = "panels"
        row.append(batch)
    else:
        i = launch(k, k.rng.pick("panel", "block_row"))
        count = k.dims[0]
    values = {"integers": [-5, 6]} if exact else uniform(-1.0, 1.0)
    long, wide = f"{rows} * {count}", str(columns * steps)
    leading = ["batches"] * batched
    own_vector = batched and k.rng.chance(0.5)
    matrix = k.array(
        k.rng.pick("table", "weights", "a"),
        k.real,
        [*leading, *((wide, long) if turned else (long, wide))],
        values,
    )
    vector = k.array(
        k.rng.pick("vector", "x", "state"), k.real, [*(leading if own_vector else []), wide], values
    )

    change = k.rng.pick("none", "none", "vector", "matrix")

    def part(start: Expr | int) -> tuple[Expr, Expr]:
        """A panel of rows and the stretch of the vector that it meets."""
        shape, place = (
            ((columns, rows), (start, i * rows)) if turned else ((rows, columns), (i * rows, start))
        )
        panel: Expr = k.let("panel_tile", tiles.load(matrix, shape, place, row=row))
        line: Expr = k.let("piece", tiles.load(vector, (columns,), (start,), row=row if own_vector else ()))
        if change == "vector":
            line = _changed(k, line, "entry of the vector", "prepared")
        elif change == "matrix":
            panel = _changed(k, panel, "entry of the matrix", "entries")
        return tiles.transposed(panel) if turned else panel, line

    def partial(panel: Expr, line: Expr) -> Expr:
        """Sums of products, element by element."""
        terms = panel * tiles.broadcast(tiles.reshaped(line, (1, columns)), (rows, columns))
        terms = k.let("terms", terms) if k.rng.chance(0.5) else terms
        return tiles.summed(terms, 1) if k.rng.chance(0.7) else tiles.reduced("add", terms, 1)

    by_product = not exact or k.rng.chance(0.4)
    if by_product:
        total = k.var("total", tiles.filled("zeros", (rows, 1), k.real))

        def step_by_step(start: Expr | int) -> None:
            panel, line = part(start)
            k.evaluate(tiles.product(panel, tiles.reshaped(line, (columns, 1)), total, steps))

        _in_steps(k, steps, columns, step_by_step)
        result: Expr = tiles.reshaped(total, (rows,))
    elif steps == 1:
        result = partial(*part(0))
    else:
        total = k.var("total", tiles.filled("zeros", (rows,), k.real))
        _in_steps(k, steps, columns, lambda start: k.add(total, partial(*part(start))))
        result = total
    result = result if isinstance(result, Name) else k.let("product", result)
    result.interval = bounded(result, -1e4, 1e4).interval
    if by_product:
        result.interval = bounded(result, -1e3, 1e3).interval
    piece = Slab(k, (*leading, long), (rows,), (i * rows,), tuple(row))
    conclude(k, piece, k.rng.pick("output", "image", "row_sum"), result)
    of = "The transpose of a matrix" if turned else "A matrix"
    batches = ", of which every batch has its own" if batched else ""
    describe(k, f"{of} times a vector, {rows} rows a tile, {columns * steps} columns{batches}")


def _in_steps(k: Builder, steps: int, columns: int, body: Callable[[Expr | int], None]) -> None:
    """The columns at once, or so many at a time."""
    if steps == 1:
        body(0)
        return
    with k.loop(k.rng.pick("step", "k"), 0, steps) as step:
        body(step * columns)


def _changed(k: Builder, tile: Expr, what: str, name: str) -> Expr:
    """Entries as they are, or after a step."""
    result, word = touched(k, tile, what)
    if result is tile:
        return tile
    k.notes.append(f"The {word} counts")
    return k.let(unused(k, name), result) if k.rng.chance(0.6) else result
