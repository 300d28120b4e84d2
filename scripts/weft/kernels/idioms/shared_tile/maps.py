"""Tables of pairs, and functions of elements."""

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, lift, ops
from weft.kernels.idioms.shared_tile.endings import conclude
from weft.kernels.idioms.shared_tile.grids import tile_grid
from weft.kernels.idioms.slabs import Slab, slab, touched
from weft.kernels.program import Expr
from weft.kernels.results import describe, unused
from weft.kernels.words import told


def pairwise_table(k: Builder) -> None:
    """Every element of one tile with every element of another, by broadcasting."""
    m, n = k.rng.pick((8, 8), (8, 16), (16, 16), (4, 32), (16, 8))
    i, j = tile_grid(k, m, n)
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
    piece = Slab(k, (f"{m} * {down}", f"{n} * {across}"), (m, n), (i * m, j * n))
    doc = f"The {kind} of every pair from {first} and {second}, times {told(length)}"
    if k.rng.chance(0.4):
        best = k.array(
            f"row_{(edge := k.rng.pick('max', 'min'))}ima", k.real, [f"{m} * {down}", across], None, "out"
        )
        result = k.let("pair_values", result)
        extremes = tiles.reshaped(tiles.reduced(edge, result, 1), (m, 1))
        tiles.store(k, best, extremes, (i * m, j))
        k.notes.append(f"The {edge}imum of each row of a tile is stored as well")
    conclude(k, piece, k.rng.pick("table", "pair_table", "affinity"), result)
    describe(k, doc)


def fused_map(k: Builder) -> None:
    """Elementwise work on whole tiles, with a function of the program's."""
    piece = slab(k)
    first = k.rng.pick("x", "position", "price", "signal", "gradient")
    x = piece.read(first, k.real, -1.0, 1.0)
    second = k.rng.pick("y", "velocity", "volume", "noise", "momentum")
    y = piece.read(second, k.real, -1.0, 1.0)
    # Of a tile_map of three arguments, Warp 1.19's CUDA adjoint does not compile with a number in the text.
    rate = coefficient(k, k.rng.pick("rate", "step_size", "decay"), 0.1, 0.9, kinds="p")
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
        "update": f"The {first}, moved against the {second}.",
        "blend": f"A mixture of the {first} and the square of the {second}.",
        "gate": f"The {first}, gated by the {second}.",
        "clip": f"The {first}, moved by the {second}, which is clipped.",
        "wave": f"The {first} and the {second}, mixed by waves of each other.",
        "hinge": f"What the product of {first} and {second} lacks to a margin.",
    }
    result = tiles.applied(k, kind, docs[kind], {first: x, second: y, "r": rate}, body)
    conclude(k, piece, unused(k, "outcome", "updated"), result)
    describe(k, f"{docs[kind].rstrip('.')}, element by element for {piece.size} elements a tile")
