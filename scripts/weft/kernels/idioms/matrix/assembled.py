"""Matrices put together from rows, columns and diagonals, and their inverses."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import Call, Callee, Expr, Literal
from weft.kernels.results import finish
from weft.kernels.types import I32, warp_name
from weft.kernels.vocabulary import coefficient, read, threads
from weft.types import Matrix, Vector


def assembled_basis(k: Builder) -> None:
    """Bases from vectors as rows or columns: coordinates, areas, mappings between them."""
    threads(k)
    size = k.rng.pick(2, 3)
    space = Vector(size, k.real)
    names = k.rng.pick(("tangent", "bitangent", "normal"), ("edge_a", "edge_b", "edge_c"), ("u", "v", "w"))[
        :size
    ]
    vectors = [read(k, name, -1.0, 1.0, space, array=f"{name}_vectors") for name in names]
    rows = k.rng.chance(0.5)
    basis = k.let("basis", (ops.matrix_from_rows if rows else ops.matrix_from_cols)(*vectors))
    word = "rows" if rows else "columns"
    match k.rng.pick("image", "volume", "gram", "diagonal"):
        case "image":
            point = read(k, "point", -1.0, 1.0, space)
            finish(
                k, "image", basis @ point, f"Image of a point under a matrix with {size} vectors as {word}"
            )
        case "volume":
            value, what = k.rng.pick(
                (ops.abs(ops.determinant(basis)), "Magnitude of the determinant"),
                (ops.determinant(basis), "Determinant"),
            )
            finish(k, "volume", value, f"{what} of a matrix with {size} vectors as {word}")
        case "gram":
            gram = k.let("gram", ops.transpose(basis) @ basis)
            finish(k, "spread", ops.get_diag(gram), f"Diagonal of the Gram matrix of {size} vectors")
        case _:
            scale = coefficient(k, "shear", 0.2, 0.9)
            trace = ops.trace(basis) + scale * ops.dot(ops.get_diag(basis), vectors[0])
            finish(
                k,
                "measure",
                trace,
                f"Trace of a matrix of {size} vectors, with a share of its diagonal along the first",
            )


def _identity(k: Builder, size: int) -> Expr:
    """`wp.identity(n=3, dtype=float)`."""
    kind = Matrix(size, size, k.real)
    name = "float" if k.real.name == "float32" else warp_name(k.real)
    length = Literal(I32, Interval(size, size, True), size)
    keywords = (("n", length), ("dtype", Callee(k.real, EVERYTHING, name)))
    return Call(kind, Interval(0.0, 1.0), "wp.identity", (), keywords)


def implicit_step(k: Builder) -> None:
    """Linear steps that solve with a matrix near the identity: implicit Euler, smoothing, rotation."""
    threads(k, 1, 2)
    size = k.rng.pick(2, 3)
    kind, space = Matrix(size, size, k.real), Vector(size, k.real)
    step = coefficient(k, k.rng.pick("dt", "step"), 0.05, 0.3, kinds="lp")
    spin = size == 3 and k.rng.chance(0.4)
    rate = ops.skew(read(k, "spin", -1.0, 1.0, space)) if spin else read(k, "coupling", -0.5, 0.5, kind)
    one = _identity(k, size)
    matrix: Expr = k.let("system", one - step * rate)
    matrix = bounded(matrix, -2.0, 2.0)
    state = read(k, "state", -1.0, 1.0, space, array="states")
    solved = Call(kind, Interval(-8.0, 8.0), "wp.inverse", (matrix,))
    what = "a spin" if spin else "a coupling of components"
    match k.rng.pick("implicit", "midpoint", "explicit"):
        case "midpoint":
            half = k.let("half_step", state + 0.5 * step * (rate @ state))
            finish(k, "next_state", bounded(solved, -8.0, 8.0) @ half, f"Semi-implicit step of {what}")
        case "explicit":
            both = (one + step * rate) @ state
            finish(
                k,
                "next_state",
                both - matrix @ read(k, "previous_state", -1.0, 1.0, space),
                f"Two-step update by {what}",
            )
        case _:
            finish(k, "next_state", solved @ state, f"Implicit step of {what}")
