"""Batches of small matrices, one for each thread: norms, products, iterations, checks."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.along import at, each, number_of, summed, summed_squares
from weft.kernels.expressions import bounded, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.intervals import INFINITY
from weft.kernels.program import Expr
from weft.kernels.types import I32

matrix = Domain(
    "matrix",
    index=("i", "batch", "item"),
    half=True,
    flexible=True,
    sizes={"rows": (4, 5, 6, 8)},
    things=False,
)

entry = Quantity("entry", -1.0, 1.0, trailing=("rows", "rows"))
component = Quantity("component", -1.0, 1.0, trailing=("rows",))
norm = Quantity("norm", 0.5, 5.0, least=0.0, most=1e4, extremal=True)
frobenius = Quantity("frobenius_norm", 0.5, 5.0, least=0.0, most=100.0, extremal=True)
product_of_traces = Quantity("trace_of_product", -4.0, 4.0)
norm_of_product = Quantity("norm_of_product", 0.5, 9.0, least=0.0, most=1e4)
vector_norm = Quantity("vector_norm", 0.3, 2.5, least=0.0, most=100.0)
relative = Quantity("relative_residual", 0.0, 2.0, least=0.0, most=1e8, extremal=True)
solved = Quantity("solved", 0, 1, whole, plural="solved_flags", least=0, most=1)
form_value = Quantity("form_value", -2.0, 2.0, least=-1e4, most=1e4)
asymmetry = Quantity("asymmetry", 0.0, 4.0, plural="asymmetries", least=0.0, most=1e4, extremal=True)
dominance = Quantity("dominance", -4.0, 4.0, least=-1e4, most=1e4)
trace = Quantity("trace", -3.0, 3.0)
last_unknown = Quantity("last_unknown", -2.0, 2.0, least=-1e5, most=1e5)
residual = Quantity("residual", 0.0, 3.0, least=0.0, most=1e6, extremal=True)
eigenvalue = Quantity("eigenvalue", -4.0, 4.0, least=-1e4, most=1e4)
bound = Quantity("eigenvalue_bound", 0.5, 6.0, least=-1e4, most=1e4)
inner_product = Quantity("inner_product", -2.0, 2.0)
angle = Quantity("matrix_cosine", -1.0, 1.0, least=-1e5, most=1e5)
gap = Quantity("eigenvalue_gap", 0.0, 5.0, least=-1e5, most=1e5)
step_length = Quantity("step_length", 0.1, 2.0, least=0.0, most=1e6)
saddle_row = Quantity("saddle_row", 0, 5, whole, least=-1, most=100)
energy_share = Quantity("diagonal_fraction", 0.1, 0.9, least=0.0, most=1.0)
path_cost = Quantity("path_cost", 0.5, 5.0, least=-1e4, most=1e4, additive=True)
triangles = Quantity("triangle_count", 0, 10, whole, least=0, most=1000)

Matrices = Annotated[ArrayHandle, entry]
Vectors = Annotated[ArrayHandle, component]
Commutator = Annotated[Expr, Quantity("commutator_norm", 0.0, 5.0, most=1e3, extremal=True)]
Defect = Annotated[Expr, Quantity("orthogonality_defect", 0.0, 2.0, most=100.0, extremal=True)]
OffNorm = Annotated[Expr, Quantity("off_diagonal_norm", 0.0, 5.0, most=100.0, extremal=True)]
Bilinear = Annotated[Expr, Quantity("bilinear_form", -5.0, 5.0, least=-1e3, most=1e3)]
EigenGap = Annotated[Expr, Quantity("eigen_residual", 0.0, 5.0, most=1e6, extremal=True)]
LargestChange = Annotated[Expr, Quantity("largest_change", 0.0, 2.0, most=1e6, extremal=True)]
Departure = Annotated[Expr, Quantity("departure", 0.0, 1.0, most=1e4, extremal=True)]

Norm = Annotated[Expr, norm]
SolutionNorm = Annotated[Expr, Quantity("solution_norm", 0.5, 4.0, least=0.0, derived=True)]
Frobenius = Annotated[Expr, frobenius]
VectorNorm = Annotated[Expr, vector_norm]
Relative = Annotated[Expr, relative]
FormValue = Annotated[Expr, form_value]
Asymmetry = Annotated[Expr, asymmetry]
Dominance = Annotated[Expr, dominance]
Trace = Annotated[Expr, trace]
Residual = Annotated[Expr, residual]
Eigenvalue = Annotated[Expr, eigenvalue]
Bound = Annotated[Expr, bound]
InnerProduct = Annotated[Expr, inner_product]
GOLUB = "Golub and Van Loan 2013"
_NESTED = ("loop", "nested loop")


def of(k: Builder, entries: ArrayHandle, row: Expr | int, col: Expr | int) -> Expr:
    """An entry of the thread's matrix."""
    return at(k, entries, row, col)


def product_row(k: Builder, name: str, entries: ArrayHandle, row: Expr, vectors: ArrayHandle) -> Expr:
    """A component of the thread's matrix times the thread's vector."""
    total = k.var(name, 0.0)
    with each(k, "col", "rows") as col:
        k.add(total, of(k, entries, row, col) * at(k, vectors, col))
    return total


@matrix.formula(source=GOLUB, teaches=_NESTED)
def entry_square_norm(k: Builder, entries: Matrices) -> Frobenius:
    """Frobenius norm."""
    total = k.var("square_sum", 0.0)
    with each(k, "row", "rows") as row, each(k, "col", "rows") as col:
        value = k.let("value", of(k, entries, row, col))
        k.add(total, value * value)
    return ops.sqrt(bounded(total, 0.0, 100.0))


@matrix.formula(source=GOLUB, teaches=_NESTED, law="maximum")
def largest_row_sum(k: Builder, entries: Matrices) -> Norm:
    """Induced infinity norm."""
    best = k.var("best", 0.0, bounds=(0.0, 100.0))
    with each(k, "row", "rows") as row:
        total = k.var("row_sum", 0.0)
        with each(k, "col", "rows") as col:
            k.add(total, ops.abs(of(k, entries, row, col)))
        k.set(best, bounded(ops.max(best, total), 0.0, 100.0))
    return best


@matrix.formula(source=GOLUB, teaches=_NESTED, law="taxicab")
def largest_column_sum(k: Builder, entries: Matrices) -> Norm:
    """Induced 1-norm."""
    best = k.var("best", 0.0, bounds=(0.0, 100.0))
    with each(k, "col", "rows") as col:
        total = k.var("column_sum", 0.0)
        with each(k, "row", "rows") as row:
            k.add(total, ops.abs(of(k, entries, row, col)))
        k.set(best, bounded(ops.max(best, total), 0.0, 100.0))
    return best


@matrix.formula(source=GOLUB, goal=False)
def summed_diagonal(k: Builder, entries: Matrices) -> Trace:
    """Trace."""
    total = k.var("trace", 0.0)
    with each(k, "row", "rows") as row:
        k.add(total, of(k, entries, row, row))
    return total


@matrix.formula(source=GOLUB, teaches=_NESTED)
def quadratic_form(k: Builder, entries: Matrices, vectors: Vectors) -> FormValue:
    """Quadratic form x^T A x."""
    total = k.var("total", 0.0)
    with each(k, "row", "rows") as row:
        inner = product_row(k, "inner", entries, row, vectors)
        k.add(total, at(k, vectors, row) * inner)
    return total


@matrix.formula(source=GOLUB, teaches=_NESTED)
def bilinear_form(k: Builder, entries: Matrices, vectors: Vectors, other_vectors: Vectors) -> Bilinear:
    """Bilinear form x^T A y."""
    total = k.var("total", 0.0)
    with each(k, "row", "rows") as row:
        inner = product_row(k, "inner", entries, row, vectors)
        k.add(total, at(k, other_vectors, row) * inner)
    return total


@matrix.formula(source=GOLUB, teaches=_NESTED)
def rayleigh_quotient(k: Builder, entries: Matrices, vectors: Vectors) -> Eigenvalue:
    """Rayleigh quotient."""
    total, square = k.var("total", 0.0), k.var("square", 0.0)
    with each(k, "row", "rows") as row:
        own = k.let("x_row", at(k, vectors, row))
        k.add(total, own * product_row(k, "inner", entries, row, vectors))
        k.add(square, own * own)
    return bounded(total / bounded(ops.max(square, 1e-6), 1e-6, 100.0), -100.0, 100.0)


@matrix.formula(source=GOLUB, teaches=_NESTED, law="euclidean")
def system_residual(k: Builder, entries: Matrices, solutions: Vectors, right_sides: Vectors) -> Residual:
    """Euclidean residual of a linear system."""
    total = k.var("square_sum", 0.0)
    with each(k, "row", "rows") as row:
        miss = k.let("residual", at(k, right_sides, row) - product_row(k, "ax", entries, row, solutions))
        k.add(total, miss * miss)
    return ops.sqrt(bounded(total, 0.0, 1e5))


@matrix.formula(source=GOLUB, teaches=_NESTED, law="maximum")
def largest_residual(k: Builder, entries: Matrices, solutions: Vectors, right_sides: Vectors) -> Residual:
    """Maximum-norm residual of a linear system."""
    best = k.var("largest", 0.0, bounds=(0.0, 1e4))
    with each(k, "row", "rows") as row:
        miss = k.let("residual", at(k, right_sides, row) - product_row(k, "ax", entries, row, solutions))
        k.set(best, bounded(ops.max(best, ops.abs(miss)), 0.0, 1e4))
    return best


@matrix.formula(source=GOLUB, teaches=_NESTED, law="taxicab")
def summed_residual(k: Builder, entries: Matrices, solutions: Vectors, right_sides: Vectors) -> Residual:
    """1-norm residual of a linear system."""
    total = k.var("total", 0.0)
    with each(k, "row", "rows") as row:
        image = product_row(k, "ax", entries, row, solutions)
        k.add(total, ops.abs(at(k, right_sides, row) - image))
    return bounded(total, 0.0, 1e4)


@matrix.formula(source=GOLUB, teaches=_NESTED)
def eigen_residual(k: Builder, entries: Matrices, vectors: Vectors, eigenvalue: Eigenvalue) -> EigenGap:
    """Eigenpair residual ||A v - lambda v||."""
    total = k.var("square_sum", 0.0)
    with each(k, "row", "rows") as row:
        image = product_row(k, "ax", entries, row, vectors)
        miss = k.let("residual", image - eigenvalue * at(k, vectors, row))
        k.add(total, miss * miss)
    return bounded(ops.sqrt(bounded(total, 0.0, 1e10)), 0.0, 1e6)


@matrix.formula(source=GOLUB, teaches=_NESTED)
def jacobi_residual(k: Builder, entries: Matrices, solutions: Vectors, right_sides: Vectors) -> LargestChange:
    """Largest change in a Jacobi step."""
    best = k.var("best", 0.0, bounds=(0.0, 1e6))
    with each(k, "row", "rows") as row:
        image = product_row(k, "ax", entries, row, solutions)
        diagonal = k.let("diagonal", ops.max(ops.abs(of(k, entries, row, row)), 0.1))
        change = (at(k, right_sides, row) - image) / diagonal
        k.set(best, bounded(ops.max(best, ops.abs(change)), 0.0, 1e6))
    return best


@matrix.formula(source=GOLUB, teaches=_NESTED)
def skew_norm(k: Builder, entries: Matrices) -> Asymmetry:
    """Norm of the skew-symmetric part."""
    total = k.var("square_sum", 0.0)
    with each(k, "row", "rows", 1) as row, k.loop("col", 0, row) as col:
        gap = k.let("diff", of(k, entries, row, col) - of(k, entries, col, row))
        k.add(total, gap * gap)
    return ops.sqrt(bounded(total, 0.0, 500.0))


@matrix.formula(source="Jacobi 1846", teaches=("loop", "nested loop", "branch"))
def off_diagonal_norm(k: Builder, entries: Matrices) -> OffNorm:
    """Off-diagonal Frobenius norm."""
    total = k.var("square_sum", 0.0)
    with each(k, "row", "rows") as row, each(k, "col", "rows") as col, k.when(row.differs(col)):
        value = k.let("value", of(k, entries, row, col))
        k.add(total, value * value)
    return ops.sqrt(bounded(total, 0.0, 100.0))


@matrix.formula(source="Varga 1962", teaches=("loop", "nested loop", "branch"))
def diagonal_dominance(k: Builder, entries: Matrices) -> Dominance:
    """Diagonal dominance of the weakest row."""
    worst = k.var("worst", INFINITY, bounds=(-100.0, 100.0))
    with each(k, "row", "rows") as row:
        others = k.var("others", 0.0)
        with each(k, "col", "rows") as col, k.when(col.differs(row)):
            k.add(others, ops.abs(of(k, entries, row, col)))
        k.set(worst, bounded(ops.min(worst, ops.abs(of(k, entries, row, row)) - others), -100.0, 100.0))
    return worst


@matrix.formula(source="Gershgorin 1931", teaches=("loop", "nested loop", "branch"))
def gershgorin_bound(k: Builder, entries: Matrices) -> Bound:
    """Gershgorin eigenvalue bound."""
    best = k.var("best", -INFINITY, bounds=(-100.0, 100.0))
    with each(k, "row", "rows") as row:
        radius = k.var("radius", 0.0)
        with each(k, "col", "rows") as col:
            with k.when(col.equals(row)):
                k.jump("continue")
            k.add(radius, ops.abs(of(k, entries, row, col)))
        k.set(best, bounded(ops.max(best, of(k, entries, row, row) + radius), -100.0, 100.0))
    return best


@matrix.formula(source="Schur 1909")
def schur_bound(k: Builder, entries: Matrices, frobenius_norm: Frobenius) -> Bound:
    """Schur bound of the eigenvalues."""
    trace = summed(k, "trace", "rows", lambda row: of(k, entries, row, row))
    mean = k.let("mean", trace / number_of(k, "rows"))
    return bounded(mean + ops.sqrt(ops.max(frobenius_norm * frobenius_norm - trace * mean, 0.0)), -1e4, 1e4)


@matrix.formula(source=GOLUB, teaches=_NESTED)
def matrix_inner_product(k: Builder, entries: Matrices, other_entries: Matrices) -> InnerProduct:
    """Frobenius inner product."""
    total = k.var("total", 0.0)
    with each(k, "row", "rows") as row, each(k, "col", "rows") as col:
        k.add(total, of(k, entries, row, col) * of(k, other_entries, row, col))
    return total


@matrix.formula(source=GOLUB, teaches=_NESTED)
def product_trace(
    k: Builder, entries: Matrices, other_entries: Matrices
) -> Annotated[Expr, product_of_traces]:
    """Trace of a matrix product."""
    total = k.var("total", 0.0)
    with each(k, "row", "rows") as row, each(k, "col", "rows") as col:
        k.add(total, of(k, entries, row, col) * of(k, other_entries, col, row))
    return total


@matrix.formula(source=GOLUB, teaches=_NESTED)
def product_norm(k: Builder, entries: Matrices, other_entries: Matrices) -> Annotated[Expr, norm_of_product]:
    """Frobenius norm of a matrix product."""
    total = k.var("square_sum", 0.0)
    with each(k, "row", "rows") as row, each(k, "col", "rows") as col:
        value = k.var("value", 0.0)
        with each(k, "mid", "rows") as mid:
            k.add(value, of(k, entries, row, mid) * of(k, other_entries, mid, col))
        k.add(total, value * value)
    return ops.sqrt(bounded(total, 0.0, 1e5))


@matrix.formula(source="Strang 2006", teaches=_NESTED)
def commutator_norm(k: Builder, entries: Matrices, other_entries: Matrices) -> Commutator:
    """Norm of the commutator of two matrices."""
    total = k.var("square_sum", 0.0)
    with each(k, "row", "rows") as row, each(k, "col", "rows") as col:
        value = k.var("value", 0.0)
        with each(k, "mid", "rows") as mid:
            k.add(value, of(k, entries, row, mid) * of(k, other_entries, mid, col))
            k.add(value, of(k, other_entries, row, mid) * of(k, entries, mid, col), "-")
        k.add(total, value * value)
    return ops.sqrt(bounded(total, 0.0, 1e5))


@matrix.formula(source="Strang 2006", teaches=_NESTED)
def orthogonality_defect(k: Builder, entries: Matrices) -> Defect:
    """Largest inner product of two columns."""
    best = k.var("best", 0.0, bounds=(0.0, 100.0))
    with each(k, "row", "rows", 1) as row, k.loop("other", 0, row) as other:
        product = k.var("product", 0.0)
        with each(k, "mid", "rows") as mid:
            k.add(product, of(k, entries, mid, row) * of(k, entries, mid, other))
        k.set(best, bounded(ops.max(best, ops.abs(product)), 0.0, 100.0))
    return best


@matrix.formula(source="Harary 1969", teaches=("loop", "nested loop", "branch"))
def triangle_number(
    k: Builder, entries: Matrices, edge_level: Annotated[Expr, Setting(-0.3, 0.3)]
) -> Annotated[Expr, triangles]:
    """Number of triangles in an adjacency matrix."""
    count = k.var("count", 0, type=I32)
    with each(k, "a", "rows", 2) as a, k.loop("b", 1, a) as b:
        with k.when(of(k, entries, a, b) <= edge_level):
            k.jump("continue")
        with k.loop("c", 0, b) as c:
            closed = (of(k, entries, a, c) > edge_level) & (of(k, entries, b, c) > edge_level)
            with k.when(closed):
                k.add(count, 1)
    return bounded(count, 0, 1000)


@matrix.formula(source="Hotelling 1933", teaches=("loop", "nested loop"))
def diagonal_fraction(k: Builder, entries: Matrices) -> Annotated[Expr, energy_share]:
    """Fraction of the squared norm on the diagonal."""
    inside, total = k.var("diagonal_sum", 0.0), k.var("total", 0.0)
    with each(k, "row", "rows") as row:
        diagonal = k.let("diagonal", of(k, entries, row, row))
        k.add(inside, diagonal * diagonal)
        with each(k, "col", "rows") as col:
            value = k.let("value", of(k, entries, row, col))
            k.add(total, value * value)
    return bounded(inside / bounded(ops.max(total, 1e-6), 1e-6, 100.0), 0.0, 1.0)


# What follows from norms, residuals and forms.


@matrix.formula(source=GOLUB, goal=False)
def euclidean_vector_norm(k: Builder, vectors: Vectors) -> VectorNorm:
    """Euclidean norm of the vector."""
    return ops.sqrt(summed_squares(k, "value", "rows", lambda row: at(k, vectors, row)))


@matrix.formula(source=GOLUB, goal=False, law="euclidean")
def euclidean_solution_norm(k: Builder, solutions: Vectors) -> SolutionNorm:
    """Euclidean norm of the solution."""
    return ops.sqrt(summed_squares(k, "value", "rows", lambda row: at(k, solutions, row)))


@matrix.formula(source=GOLUB, goal=False, law="maximum")
def largest_solution_entry(k: Builder, solutions: Vectors) -> SolutionNorm:
    """Maximum norm of the solution."""
    best = k.var("largest", 0.0, bounds=(0.0, 1e3))
    with each(k, "row", "rows") as row:
        k.set(best, bounded(ops.max(best, ops.abs(at(k, solutions, row))), 0.0, 1e3))
    return best


@matrix.formula(source=GOLUB, goal=False, law="taxicab")
def summed_solution_norm(k: Builder, solutions: Vectors) -> SolutionNorm:
    """1-norm of the solution."""
    return bounded(summed(k, "total", "rows", lambda row: ops.abs(at(k, solutions, row))), 0.0, 1e3)


@matrix.formula(source="Rigal and Gaches 1967")
def backward_error(k: Builder, residual: Residual, norm: Norm, solution_norm: SolutionNorm) -> Relative:
    """Normwise backward error of a linear system."""
    return bounded(residual / ops.max(norm * solution_norm, 1e-3), 0.0, 1e8)


@matrix.formula(source=GOLUB, law="euclidean")
def scaled_residual(
    k: Builder, residual: Residual, frobenius_norm: Frobenius, solution_norm: SolutionNorm
) -> Relative:
    """Residual relative to the norms of matrix and solution."""
    return bounded(residual / ops.max(frobenius_norm * solution_norm, 1e-3), 0.0, 1e8)


@matrix.formula(source="Henrici 1962")
def relative_asymmetry(k: Builder, asymmetry: Asymmetry, frobenius_norm: Frobenius) -> Departure:
    """Relative departure from symmetry."""
    return bounded(asymmetry / ops.max(frobenius_norm, 1e-3), 0.0, 1e4)


@matrix.formula(source=GOLUB)
def matrix_angle(
    k: Builder, inner_product: InnerProduct, frobenius_norm: Frobenius, other_norm: VectorNorm
) -> Annotated[Expr, angle]:
    """Cosine of the angle between two matrices."""
    return bounded(inner_product / ops.max(frobenius_norm * other_norm, 1e-3), -1e5, 1e5)


@matrix.formula(source=GOLUB)
def eigenvalue_gap(k: Builder, eigenvalue: Eigenvalue, eigenvalue_bound: Bound) -> Annotated[Expr, gap]:
    """Gap between an estimated eigenvalue and the bound."""
    return eigenvalue_bound - eigenvalue


@matrix.formula(source=GOLUB)
def steepest_step(k: Builder, vector_norm: VectorNorm, form_value: FormValue) -> Annotated[Expr, step_length]:
    """Exact step length of steepest descent."""
    return bounded(vector_norm * vector_norm / ops.max(ops.abs(form_value), 0.3), 0.0, 1e6)
