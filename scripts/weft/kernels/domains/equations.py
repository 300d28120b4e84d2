"""Linear algebra on large arrays: equations of sparse systems, and entries of dense matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.constants import SQRT_3
from weft.kernels.domains.along import slots
from weft.kernels.expressions import bounded, conditional, lift, ops, within
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32

equation = Domain("equation", index=("i", "row"), things=False)
entry = Domain("entry", ranks=(2,), things=False)

unknown = Quantity("unknown", -1.0, 1.0)
direction = Quantity("direction", -1.0, 1.0, least=-1e3, most=1e3)
residual = Quantity("residual", -1.0, 1.0, least=-2e4, most=2e4, extremal=True, signed=True)
carried = Quantity("residual", -1.0, 1.0, least=-2e4, most=2e4)
"""The residual that an iteration carries along in place of computing it anew."""

Unknown = Annotated[Expr, unknown]
Unknowns = Annotated[ArrayHandle, unknown]
Direction = Annotated[Expr, direction]
Directions = Annotated[ArrayHandle, direction]
Residual = Annotated[Expr, residual]
CarriedResidual = Annotated[Expr, carried]
RightSide = Annotated[Expr, Quantity("right_side", -2.0, 2.0)]
Lower = Annotated[ArrayHandle, Quantity("lower", -1.0, 1.0, plural="lower_diagonal")]
Upper = Annotated[ArrayHandle, Quantity("upper", -1.0, 1.0, plural="upper_diagonal")]
Diagonal = Annotated[Expr, Quantity("diagonal", 2.0, 5.0, plural="main_diagonal")]
RowProduct = Annotated[Expr, Quantity("row_product", -3.0, 3.0, least=-1e3, most=1e3, derived=True)]
Image = Annotated[Expr, Quantity("ap", -3.0, 3.0, least=-1e4, most=1e4, plural="ap_vector", computed=True)]
NewDirection = Annotated[Expr, Quantity("new_direction", -1.0, 1.0, least=-1e3, most=1e3, updates=direction)]
"""No product follows in the same kernel: that would begin an iteration that nobody ends."""
NewUnknown = Annotated[Expr, Quantity("new_unknown", -2.0, 2.0, least=-1e5, most=1e5, updates=unknown)]
Preconditioned = Annotated[Expr, Quantity("preconditioned", -1.0, 1.0, least=-1e5, most=1e5)]
Norm = Annotated[Expr, Quantity("radius", 0.0, 5.0, plural="radii", most=100.0, extremal=True)]
StepLength = Annotated[Expr, Setting(0.1, 1.0, "p")]
Momentum = Annotated[Expr, Setting(0.1, 0.9, "p")]
Relaxation = Annotated[Expr, Setting(0.4, 0.95)]
SAAD, HESTENES = "Saad 2003", "Hestenes and Stiefel 1952"


def each_entry(k: Builder, visit: Callable[[Expr, Expr], None], *, by_column: bool = True) -> None:
    """Visit the entries of the thread's row: in compressed rows, in slots of a fixed number, or in bands.

    Visitors that do not go `by_column` get the row instead where a format needs no column.
    """
    (i,) = k.index
    assert isinstance(i, Name)
    forms = ("rows", "rows", "slots", "slots", "padded slots", "bands")
    form = k.once("sparse format", lambda: k.rng.pick(*forms))
    slot_name = k.once("slot", lambda: k.rng.pick("slot", "entry", "p"))
    name = k.once("column", lambda: k.rng.pick("col", "column", "j"))
    if form == "rows":
        k.sizes["nonzeros"] = "4 * n + 4"
        offsets = k.input("row_offsets", I32, ["n + 1"], {"offsets": [4, 4]})
        columns = k.input("columns", I32, ["nonzeros"], {"integers": [0, "n"]}) if by_column else None
        values = k.input("values", k.real, ["nonzeros"], uniform(-1.0, 1.0))
        here = Name(I32, Interval(0, i.interval.hi, True, "n + 1", -2), i.name)
        first = bounded(offsets[here], 0, 3e5)
        with k.loop(slot_name, first, bounded(offsets[within(i + 1, "n + 1")], 0, 3e5)) as slot:
            place = within(slot, "nonzeros")
            visit(k.let(name, columns[place]) if columns else i, values[place])
        return
    size = "bands" if form == "bands" else "slots"
    k.sizes[size] = str(k.once("slots", lambda: k.rng.pick(4, 5, 7)))
    entries = slots(k, "values", k.real, size, uniform(-1.0, 1.0))
    if form == "bands":
        offsets = k.input("band_offsets", I32, [size], {"integers": [-9, 10]})
        with k.loop("band", 0, k.size(f"num_{size}", size)) as slot:
            k.notes.append(f"`{entries.at('b')}` is the entry of row i in column i + `band_offsets[b]`")
            col = k.let(name, i + offsets[slot])
            with k.when((col >= 0) & (col < k.extent(0))):
                visit(col, entries[i, slot])
        return
    lowest = -1 if form == "padded slots" else 0
    placed = by_column or lowest < 0
    places = slots(k, "columns", I32, size, {"integers": [lowest, "n"]}) if placed else None
    where = f", in column `{places.at('k')}`" if places else ""
    k.notes.append(f"`{entries.at('k')}` is entry k of row i{where}{', and -1 ends a row' * (lowest < 0)}")
    with k.loop(slot_name, 0, k.size(f"num_{size}", size)) as slot:
        place = k.let(name, places[i, slot]) if places else i
        if lowest < 0:
            with k.when(place < 0):
                k.jump("break")
        visit(place, entries[i, slot])


def row_sum(
    k: Builder, name: str, term: Callable[[Expr, Expr], Expr], most: float = 20.0, *, by_column: bool = True
) -> Expr:
    """The sum of a term over the entries of the thread's row; `most` bounds it."""
    total = k.var(name, 0.0)
    each_entry(k, lambda col, value: k.add(total, term(col, value)), by_column=by_column)
    return bounded(total, -most, most)


@equation.formula(source=SAAD, teaches=("loop",), law="full")
def sparse_row_product(k: Builder, unknowns: Unknowns) -> RowProduct:
    """Sparse matrix-vector product. Each thread multiplies one row."""
    return row_sum(k, "product", lambda col, value: value * unknowns[col])


@equation.formula(source="Chung 1997", teaches=("loop",), law="laplacian")
def graph_laplacian_product(k: Builder, unknown: Unknown, unknowns: Unknowns) -> RowProduct:
    """Multiply the weighted graph Laplacian by a vector. Weights are the magnitudes of the matrix entries."""
    return row_sum(k, "product", lambda col, value: ops.abs(value) * (unknown - unknowns[col]))


@equation.formula(source="Thomas 1949", teaches=("branches",), law="tridiagonal")
def tridiagonal_row_product(
    k: Builder, unknown: Unknown, unknowns: Unknowns, diagonal: Diagonal,
    lower_diagonal: Lower, upper_diagonal: Upper,
) -> RowProduct:  # fmt: skip
    """Tridiagonal matrix-vector product. The first row has no lower entry, and the last no upper one."""
    (i,) = k.index
    total = k.var("product", diagonal * unknown)
    with k.when(i > 0):
        k.add(total, lower_diagonal[i] * unknowns[i - 1])
    with k.when(i < k.extent(0) - 1):
        k.add(total, upper_diagonal[i] * unknowns[i + 1])
    return bounded(total, -20.0, 20.0)


@equation.formula(source=SAAD)
def equation_residual(k: Builder, right_side: RightSide, row_product: RowProduct) -> Residual:
    """Residual of the linear system. It is b - Ax."""
    return bounded(right_side - row_product, -1e3, 1e3)


@equation.formula(source="Young 1971", law="split")
def relaxed_jacobi_unknown(
    k: Builder, unknown: Unknown, residual: Residual, diagonal: Diagonal, relaxation: Relaxation
) -> NewUnknown:
    """Weighted Jacobi iteration. It reads the old unknowns alone, so that all equations are independent."""
    return bounded(unknown + relaxation * residual / diagonal, -1e4, 1e4)


@equation.formula(source="Adams and Ortega 1982", teaches=("branch",), law="tridiagonal")
def two_color_unknown(
    k: Builder, unknown: Unknown, unknowns: Unknowns, right_side: RightSide, diagonal: Diagonal,
    lower_diagonal: Lower, upper_diagonal: Upper,
    color: Annotated[Expr, Setting(0, 1, "p", whole)],
) -> NewUnknown:  # fmt: skip
    """Red-black Gauss-Seidel sweep of one color. The system is tridiagonal, and unknowns of the other
    color keep their value.
    """
    (i,) = k.index
    found = k.var("improved", unknown, bounds=(-20.0, 20.0))
    with k.when((i % 2).equals(color)):
        rest = k.var("remainder", right_side)
        with k.when(i > 0):
            k.add(rest, lower_diagonal[i] * unknowns[i - 1], "-")
        with k.when(i < k.extent(0) - 1):
            k.add(rest, upper_diagonal[i] * unknowns[i + 1], "-")
        k.set(found, bounded(rest / diagonal, -20.0, 20.0))
    return found


@equation.formula(source="Anderson and Saad 1989", teaches=("loop", "branch"), law="triangular")
def level_unknown(
    k: Builder, unknown: Unknown, unknowns: Unknowns, right_side: RightSide, diagonal: Diagonal,
    row_level: Annotated[Expr, Quantity("row_level", 0, 3, whole)],
    level: Annotated[Expr, Setting(0, 3, "p", whole)],
) -> NewUnknown:  # fmt: skip
    """Solve one level of a sparse triangular system. Rows of one level depend on earlier levels only."""
    (i,) = k.index
    found = k.var("solved", unknown, bounds=(-20.0, 20.0))
    with k.when(row_level.equals(level)):
        rest = k.var("remainder", right_side)

        def visit(col: Expr, value: Expr) -> None:
            with k.when(col < i):
                k.add(rest, value * unknowns[col], "-")

        each_entry(k, visit)
        k.set(found, bounded(rest / diagonal, -20.0, 20.0))
    return found


@equation.formula(source=HESTENES)
def stepped_unknown(
    k: Builder, unknown: Unknown, direction: Direction, step_length: StepLength
) -> NewUnknown:
    """Update the conjugate gradient solution to x + alpha p. The step length is the same for all unknowns."""
    return unknown + step_length * direction


@equation.formula(source="Jacobi 1845", law="split")
def diagonal_preconditioned(k: Builder, residual: CarriedResidual, diagonal: Diagonal) -> Preconditioned:
    """Jacobi preconditioner. It divides the residual by the diagonal."""
    return residual / diagonal


@equation.formula(source=HESTENES)
def conjugate_direction(
    k: Builder, preconditioned: Preconditioned, direction: Direction, beta: Momentum
) -> NewDirection:
    """Conjugate gradient direction update. The old direction is scaled by beta and added to the
    preconditioned residual.
    """
    return bounded(preconditioned + beta * direction, -1e3, 1e3)


@equation.formula(source=HESTENES, teaches=("loop",), law="full")
def direction_image(k: Builder, directions: Directions) -> Image:
    """Multiply a sparse matrix by the search direction. Each thread multiplies one row."""
    return row_sum(k, "ap", lambda col, value: value * directions[col], 1e4)


@equation.formula(source=HESTENES)
def updated_residual(
    k: Builder, residual: CarriedResidual, ap: Image, step_length: StepLength
) -> Annotated[Expr, Quantity("new_residual", -2.0, 2.0, least=-1e5, most=1e5, updates=carried)]:
    """Update the conjugate gradient residual to r - alpha Ap. No product with the new solution is needed."""
    return residual - step_length * ap


@equation.formula(source="Gershgorin 1931", teaches=("loop",))
def gershgorin_radius(k: Builder) -> Norm:
    """Gershgorin radius. It bounds the distance of an eigenvalue from the diagonal, which is stored apart."""
    total = row_sum(k, "radius", lambda col, value: ops.abs(value), by_column=False)
    return bounded(total, 0.0, 20.0)


@equation.formula(source="Varga 1962", goal=False)
def diagonal_excess(k: Builder, diagonal: Diagonal, radius: Norm) -> Annotated[
    Expr, Quantity("dominance", -1.0, 4.0, extremal=True)
]:  # fmt: skip
    """Diagonal dominance of a row."""
    return diagonal - radius


# Dense matrices, an entry for each thread.

OldEntry = Annotated[Expr, Quantity("matrix_entry", -1.0, 1.0, plural="matrix_entries")]
SquaredDistance = Annotated[Expr, Quantity("squared_distance", 0.0, 20.0, most=100.0)]
Gram = Annotated[
    Expr, Quantity("gram_entry", -2.0, 2.0, plural="gram_entries", least=-1e4, most=1e4, derived=True)
]
Inner = Annotated[Expr, Quantity("inner_product", -2.0, 2.0, least=-200.0, most=200.0, derived=True)]
Width = Annotated[Expr, Setting(1.0, 4.0)]
SCHOLKOPF, RASMUSSEN = "Schölkopf and Smola 2002", "Rasmussen and Williams 2006"
Product = Annotated[Expr, Quantity("product", -2.0, 2.0, least=-1e4, most=1e4, derived=True)]
Update = Annotated[Expr, Quantity("update", -2.0, 2.0, least=-1e4, most=1e4, derived=True)]
NewEntry = Annotated[Expr, Quantity("new_entry", -5.0, 5.0, plural="new_entries")]
Alpha = Annotated[Expr, Setting(0.3, 2.0, "p")]
BLAS = "Dongarra et al. 1990, BLAS"


def row_of(k: Builder, name: str, low: float = -1.0) -> Expr:
    """The element of a vector at the thread's row."""
    return k.input(name, k.real, [k.shape[0]], uniform(low, 1.0))[k.index[0]]


def column_of(k: Builder, name: str, low: float = -1.0) -> Expr:
    """The element of a vector at the thread's column."""
    return k.input(name, k.real, [k.shape[1]], uniform(low, 1.0))[k.index[1]]


def inner_sum(k: Builder, name: str, transposed: bool, term: Callable[[Expr, Expr], Expr]) -> Expr:
    """The sum of a term over a row of the left matrix and a column, or row, of the right one."""
    row, col = k.index
    k.sizes["inner"] = str(k.once("inner", lambda: k.rng.pick(8, 12, 16, 24)))
    left = k.input("left_rows" if transposed else "left", k.real, [k.shape[0], "inner"], uniform(-1.0, 1.0))
    shape = [k.shape[1], "inner"] if transposed else ["inner", k.shape[1]]
    right = k.input("right_rows" if transposed else "right", k.real, shape, uniform(-1.0, 1.0))
    total = k.var(name, 0.0)
    with k.loop("mid", 0, k.size("num_inner", "inner")) as mid:
        k.add(total, term(left[row, mid], right[(col, mid) if transposed else (mid, col)]))
    return bounded(total, -100.0, 100.0)


@entry.formula(source=BLAS, teaches=("loop",))
def product_entry(k: Builder) -> Product:
    """Multiply two dense matrices. Each thread computes one entry."""
    return inner_sum(k, "total", False, lambda a, b: a * b)


@entry.formula(source="Gram 1883", goal=False, law="covariance")
def gram_entry(k: Builder, inner_product: Inner) -> Gram:
    """Gram matrix."""
    return bounded(1.0 * inner_product, -100.0, 100.0)


@entry.formula(source="Gower 1985", teaches=("loop",))
def squared_distance_entry(k: Builder) -> SquaredDistance:
    """Squared distance of two rows. Entry (i, j) compares row i of the left matrix with row j of the right
    one.
    """

    def term(a: Expr, b: Expr) -> Expr:
        gap = k.let("diff", a - b)
        return gap * gap

    return bounded(inner_sum(k, "total", True, term), 0.0, 100.0)


ROWS = "Entry (i, j) compares row i of the left matrix with row j of the right one"
SHAPES: tuple[tuple[str, str, str, Callable[[Expr], Expr]], ...] = (
    ("gaussian_kernel_value",
     "Gaussian (RBF) kernel value of two rows. It is exp(-d^2 / (2 width^2)) at distance d",
     SCHOLKOPF,
     lambda x: ops.exp(bounded(-0.5 * x, -40.0, 0.0))),
    ("laplacian_kernel_value", "Laplacian kernel value of two rows. It is exp(-d / width) at distance d",
     SCHOLKOPF, lambda x: ops.exp(-ops.sqrt(x))),
    ("rational_quadratic_kernel_value",
     "Rational quadratic kernel value of two rows. It is (1 + d^2 / (4 width^2))^-2 at distance d",
     RASMUSSEN,
     lambda x: 1.0 / (1.0 + 0.25 * x) / (1.0 + 0.25 * x)),
    ("inverse_multiquadric_kernel_value",
     "Inverse multiquadric kernel value of two rows. It is 1 / sqrt(1 + d^2 / width^2) at distance d",
     "Hardy 1971",
     lambda x: 1.0 / ops.sqrt(1.0 + x)),
    ("cauchy_kernel_value", "Cauchy kernel value of two rows. It is 1 / (1 + d^2 / width^2) at distance d",
     SCHOLKOPF, lambda x: 1.0 / (1.0 + x)),
)  # fmt: skip


def _kernel(name: str, how: str, source: str, shape: Callable[[Expr], Expr]) -> None:
    @entry.formula(name=name, doc=f"{how}. {ROWS}.", source=source, law="kernel")
    def kernel(k: Builder, squared_distance: SquaredDistance, width: Width) -> Gram:
        return bounded(shape(k.let("scaled", squared_distance / (width * width))), 0.0, 1.0)


for _one in SHAPES:
    _kernel(*_one)


@entry.formula(source=RASMUSSEN, law="kernel")
def matern_kernel_value(k: Builder, squared_distance: SquaredDistance, width: Width) -> Gram:
    """Matérn kernel value of two rows. It is (1 + r) exp(-r) at distance d, where r is sqrt(3) d / width.
    Entry (i, j) compares row i of the left matrix with row j of the right one.
    """
    reach = k.let("r", SQRT_3 * ops.sqrt(squared_distance) / width)
    return bounded((1.0 + reach) * ops.exp(-reach), 0.0, 1.0)


@entry.formula(source=SCHOLKOPF, law="kernel")
def polynomial_entry(k: Builder, inner_product: Inner, offset: Annotated[Expr, Setting(0.2, 1.5)]) -> Gram:
    """Compute the quadratic polynomial kernel matrix. Entry (i, j) is the square of the inner product plus an
    offset.
    """
    level = k.let("level", inner_product + offset)
    return bounded(level * level, 0.0, 1e4)


@entry.formula(source="Salton and McGill 1983", law="kernel")
def cosine_entry(k: Builder, inner_product: Inner) -> Gram:
    """Cosine similarity matrix. Entry (i, j) is the cosine of the angle between two rows."""
    norms = k.let("norms", row_of(k, "row_norms", 0.2) * column_of(k, "column_norms", 0.2))
    return bounded(inner_product / norms, -1e4, 1e4)


@entry.formula(source=BLAS)
def rank_one_update(k: Builder) -> Product:
    """Rank-one matrix x y^T. Entry (i, j) is x[i] y[j]."""
    return row_of(k, "x") * column_of(k, "y")


@entry.formula(source="Golub and Van Loan 2013")
def elimination_update(k: Builder, pivot: Annotated[Expr, Setting(1.0, 4.0, "p")]) -> Update:
    """Rank-one update of Gaussian elimination. It subtracts the pivot row times the multiplier of each
    row.
    """
    return row_of(k, "pivot_column") / pivot * column_of(k, "pivot_row")


@entry.formula(source=BLAS)
def accumulated_entry(
    k: Builder, matrix_entry: OldEntry, product: Product, alpha: Alpha, beta: Alpha
) -> NewEntry:
    """GEMM epilogue with two scales. It is alpha * AB + beta * C for the old matrix C."""
    return beta * matrix_entry + alpha * product


@entry.formula(source="Golub and Van Loan 2013", teaches=("branch",), law="covariance")
def lower_triangle_entry(k: Builder, matrix_entry: OldEntry, gram_entry: Gram, alpha: Alpha) -> NewEntry:
    """Symmetric rank-k update of the lower triangle. Entries above the diagonal become 0."""
    below = k.index[1] <= k.index[0]
    return conditional(below, matrix_entry - alpha * gram_entry, lift(0.0, k.real))


PreviousUnknown = Annotated[Expr, Quantity("previous_unknown", -1.0, 1.0)]


@equation.formula(source="Polyak 1964")
def heavy_ball_unknown(
    k: Builder, unknown: Unknown, previous_unknown: PreviousUnknown, residual: Residual,
    step_length: StepLength, momentum: Momentum,
) -> NewUnknown:  # fmt: skip
    """Heavy-ball iteration. The last change is repeated in part, as momentum."""
    return unknown + step_length * residual + momentum * (unknown - previous_unknown)


@equation.formula(source="Golub and Varga 1961")
def chebyshev_unknown(
    k: Builder, unknown: Unknown, previous_unknown: PreviousUnknown, preconditioned: Preconditioned,
    weight: Annotated[Expr, Setting(1.0, 1.9, "p")],
) -> NewUnknown:  # fmt: skip
    """Chebyshev iteration. Its coefficients need bounds of the spectrum, but no dot products."""
    return bounded(weight * (unknown + preconditioned - previous_unknown) + previous_unknown, -1e5, 1e5)


Cost = Annotated[Expr, Quantity("cost", 0.0, 2.0)]


@entry.formula(source=BLAS)
def rank_two_update(k: Builder) -> Product:
    """Rank-two matrix x y^T + u v^T. Entry (i, j) is x[i] y[j] + u[i] v[j]."""
    return row_of(k, "x") * column_of(k, "y") + row_of(k, "u") * column_of(k, "v")


@entry.formula(source="Ruiz 2001")
def equilibrated_entry(k: Builder, matrix_entry: OldEntry) -> NewEntry:
    """Row and column equilibration of a matrix. It evens out the norms."""
    scale = ops.sqrt(row_of(k, "row_norms", 0.2) * column_of(k, "column_norms", 0.2))
    return bounded(matrix_entry / scale, -10.0, 10.0)


@entry.formula(source="Pearson 1901")
def centered_entry(k: Builder, matrix_entry: OldEntry) -> NewEntry:
    """Center the columns of a matrix. The mean of each column is given, and subtracted."""
    return matrix_entry - column_of(k, "column_means")


@entry.formula(source="Sinkhorn 1967")
def transport_entry(
    k: Builder, cost: Cost, sharpness: Annotated[Expr, Setting(1.0, 5.0)]
) -> Annotated[Expr, Quantity("transport_plan", 0.0, 1.0, most=1e3)]:
    """Sinkhorn transport plan. It scales the Gibbs kernel by the factors of its row and its column."""
    scales = k.let("scales", row_of(k, "row_scales", 0.1) * column_of(k, "column_scales", 0.1))
    return bounded(scales * ops.exp(-sharpness * cost), 0.0, 200.0)
