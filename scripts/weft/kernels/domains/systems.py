"""Small matrices, one a thread: linear systems and decompositions, and Kalman filters of tracks."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, lift, ops
from weft.kernels.expressions import identity as identity_matrix
from weft.kernels.formulas import Domain, Quantity, Setting, matrix, space, vector, whole
from weft.kernels.program import Expr, Redraw
from weft.types import Matrix, Type

system = Domain("system", index=("i", "s", "system"), things=False)
track = Domain("track", index=("i", "t", "track"))


def square(k: Builder) -> Type:
    """A matrix of as many rows as the kernel's plane or space has dimensions."""
    return Matrix(k.dimension, k.dimension, k.real)


def three_only(k: Builder) -> None:
    """The formula is about matrices of three rows."""
    if k.dimension != 3:
        raise Redraw("three rows are needed")


Coefficients = Annotated[Expr, Quantity("coefficients", -0.5, 0.5, square, plural="coefficient_matrices")]
SystemMatrix = Annotated[
    Expr, Quantity("system_matrix", -0.5, 0.5, square, least=-40.0, most=40.0, computed=True)
]
Observation = Annotated[Expr, Quantity("observation", -1.0, 1.0, space)]
RowWeight = Annotated[Expr, Quantity("row_weight", 0.1, 1.0, space)]
RightSide = Annotated[Expr, Quantity("right_side", -1.0, 1.0, space, least=-10.0, most=10.0, computed=True)]
DisplacementGradient = Annotated[Expr, Quantity("displacement_gradient", -0.25, 0.25, square)]
"""So small that the deformation, which adds it to the identity, is far from singular."""
Solution = Annotated[Expr, Quantity("solution", -1.0, 1.0, space, least=-1e4, most=1e4)]
Guess = Annotated[Expr, Quantity("guess", -1.0, 1.0, space, plural="guesses")]
Residual = Annotated[Expr, Quantity("residual", -1.0, 1.0, space, least=-1e5, most=1e5)]
ResidualNorm = Annotated[Expr, Quantity("residual_norm", 0.0, 1.0, most=1e5, extremal=True)]
Inverse = Annotated[Expr, Quantity("inverse", -1.0, 1.0, square, least=-1e4, most=1e4, computed=True)]
Determinant = Annotated[Expr, Quantity("determinant", 0.5, 3.0, least=-1e4, most=1e4)]
Eigenvalue = Annotated[Expr, Quantity("eigenvalue", 0.5, 4.0, least=-1e3, most=1e3)]
LargestEigenvalue = Annotated[
    Expr, Quantity("largest_eigenvalue", 0.5, 4.0, least=-1e3, most=1e3, extremal=True)
]
Direction = Annotated[Expr, Quantity("direction", -1.0, 1.0, space, generic=True)]
Triangle = Annotated[Expr, Quantity("triangular_factor", -1.0, 1.0, square, derived=True)]
Orthogonal = Annotated[Expr, Quantity("orthogonal_factor", -1.0, 1.0, square)]
Exponential = Annotated[Expr, Quantity("exponential", -1.0, 1.0, square)]
GOLUB = "Golub and Van Loan 2013"


def identity(k: Builder) -> Expr:
    """The matrix that changes nothing."""
    return identity_matrix(Matrix(k.dimension, k.dimension, k.real))


def damped(k: Builder, coefficients: Expr, damping: Expr) -> Expr:
    """The transposed matrix times itself, with the damping on the diagonal."""
    normal = k.var("normal", ops.transpose(coefficients) @ coefficients, bounds=(-40.0, 40.0))
    with k.loop("d", 0, k.dimension) as d:
        k.set(normal[d, d], bounded(normal[d, d] + damping, -40.0, 40.0))
    return normal


def columns(k: Builder, of: Expr) -> tuple[Expr, Expr, Expr]:
    """The columns of a matrix of three rows."""
    three_only(k)
    a, b, c = (construct(space(k), *(of[row, at] for row in range(3))) for at in range(3))
    return k.let("column_a", a), k.let("column_b", b), k.let("column_c", c)


@system.formula(source="Levenberg 1944", law="normal plain")
def normal_equations_matrix(
    k: Builder, coefficients: Coefficients, damping: Annotated[Expr, Setting(0.5, 2.0)]
) -> SystemMatrix:
    """Normal equations with damping. Their matrix is the transposed matrix times itself, plus the damping on
    the diagonal.
    """
    return damped(k, coefficients, damping)


@system.formula(source="Marquardt 1963", law="normal plain")
def scaled_normal_equations(
    k: Builder, coefficients: Coefficients, damping: Annotated[Expr, Setting(0.5, 2.0)]
) -> SystemMatrix:
    """Normal equations with Marquardt's damping. The damping scales with the diagonal, which counts as 0.5 if
    it is less.
    """
    normal = k.let("normal", ops.transpose(coefficients) @ coefficients)
    return normal + damping * ops.diag(
        ops.max(ops.get_diag(normal), construct(space(k), *[0.5] * k.dimension))
    )


@system.formula(source=GOLUB, law="normal plain", goal=False)
def normal_equations_side(k: Builder, coefficients: Coefficients, observation: Observation) -> RightSide:
    """Right-hand side of normal equations."""
    return ops.transpose(coefficients) @ observation


@system.formula(source="Aitken 1935", law="normal weighted")
def weighted_normal_equations(
    k: Builder, coefficients: Coefficients, row_weight: RowWeight, damping: Annotated[Expr, Setting(0.5, 2.0)]
) -> SystemMatrix:
    """Normal equations of weighted least squares with damping. Each row of the coefficients has a weight."""
    normal = k.var("normal", damping * identity(k), bounds=(-40.0, 40.0))
    with k.loop("row", 0, k.dimension) as r:
        row = k.let("equation", coefficients[r])
        k.set(normal, bounded(normal + row_weight[r] * ops.outer(row, row), -40.0, 40.0))
    return normal


@system.formula(source="Aitken 1935", law="normal weighted", goal=False)
def weighted_normal_equations_side(
    k: Builder, coefficients: Coefficients, row_weight: RowWeight, observation: Observation
) -> RightSide:
    """Right-hand side of weighted normal equations."""
    return ops.transpose(coefficients) @ ops.cw_mul(row_weight, observation)


@system.formula(source="Cramer 1750")
def cramer_solution(k: Builder, system_matrix: SystemMatrix, right_side: RightSide) -> Solution:
    """Solve a small linear system by Cramer's rule. Each unknown is a quotient of two determinants."""
    a, b, c = columns(k, system_matrix)
    across = k.let("b_cross_c", ops.cross(b, c))
    determinant = k.let("determinant", bounded(ops.dot(a, across), 0.05, 1e3))
    x = ops.dot(right_side, across)
    y = ops.dot(a, ops.cross(right_side, c))
    z = ops.dot(a, ops.cross(b, right_side))
    return bounded(construct(space(k), x, y, z) / determinant, -100.0, 100.0)


@system.formula(source=GOLUB, teaches=("nested loop",))
def gauss_solution(k: Builder, system_matrix: SystemMatrix, right_side: RightSide) -> Solution:
    """Solve a small linear system by Gaussian elimination without pivoting. The matrix is positive definite,
    so that no pivoting is needed.
    """
    three_only(k)
    rest = k.var("reduced", system_matrix, bounds=(-1e3, 1e3))
    side = k.var("side", right_side, bounds=(-1e4, 1e4))
    with k.loop("pivot", 0, 2) as pivot, k.loop("row", pivot + 1, 3) as row:
        ratio = k.let("ratio", bounded(rest[row, pivot] / bounded(rest[pivot, pivot], 0.1, 1e3), -10.0, 10.0))
        with k.loop("col", pivot, 3) as col:
            k.set(rest[row, col], bounded(rest[row, col] - ratio * rest[pivot, col], -1e3, 1e3))
        k.set(side[row], bounded(side[row] - ratio * side[pivot], -1e4, 1e4))
    z = k.let("z", side[2] / bounded(rest[2, 2], 0.1, 1e3))
    y = k.let("y", (side[1] - rest[1, 2] * z) / bounded(rest[1, 1], 0.1, 1e3))
    x = (side[0] - rest[0, 1] * y - rest[0, 2] * z) / bounded(rest[0, 0], 0.1, 1e3)
    return bounded(construct(space(k), x, y, z), -1e3, 1e3)


@system.formula(source=GOLUB, teaches=("nested loop", "branch"))
def cholesky_factor(
    k: Builder, coefficients: Coefficients, damping: Annotated[Expr, Setting(0.5, 2.0)]
) -> Triangle:
    """Cholesky factor of damped normal equations. It is the lower triangular factor of A^T A + damping I for
    the matrix A, with pivots kept above zero.
    """
    normal = damped(k, coefficients, damping)
    lower = k.var("lower", construct(square(k), *[0.0] * k.dimension**2), bounds=(-10.0, 10.0))
    with k.loop("row", 0, k.dimension) as row, k.loop("col", 0, row + 1) as col:
        rest = k.var("remainder", normal[row, col], bounds=(-100.0, 100.0))
        with k.loop("mid", 0, col) as mid:
            k.set(rest, bounded(rest - lower[row, mid] * lower[col, mid], -100.0, 100.0))
        with k.when(row.equals(col)):
            k.set(lower[row, col], bounded(ops.sqrt(ops.max(rest, 1e-6)), 0.0, 10.0))
        with k.otherwise():
            k.set(lower[row, col], bounded(rest / bounded(lower[col, col], 0.5, 10.0), -10.0, 10.0))
    return lower


@system.formula(source=GOLUB, law="normal plain")
def factored_solution(
    k: Builder, coefficients: Coefficients, right_side: RightSide, damping: Annotated[Expr, Setting(0.5, 2.0)]
) -> Solution:
    """Solve damped normal equations by LDL factorization. No square roots are needed."""
    normal = damped(k, coefficients, damping)
    three_only(k)
    d0 = k.let("d0", bounded(normal[0, 0], 0.4, 10.0))
    l10, l20 = k.let("l10", normal[1, 0] / d0), k.let("l20", normal[2, 0] / d0)
    d1 = k.let("d1", bounded(normal[1, 1] - l10 * normal[1, 0], 0.4, 10.0))
    l21 = k.let("l21", (normal[2, 1] - l20 * normal[1, 0]) / d1)
    d2 = k.let("d2", bounded(normal[2, 2] - l20 * normal[2, 0] - l21 * l21 * d1, 0.4, 10.0))
    y1 = k.let("y1", right_side[1] - l10 * right_side[0])
    y2 = k.let("y2", right_side[2] - l20 * right_side[0] - l21 * y1)
    z = k.let("z", y2 / d2)
    y = k.let("y", y1 / d1 - l21 * z)
    return bounded(construct(space(k), right_side[0] / d0 - l10 * y - l20 * z, y, z), -1e3, 1e3)


@system.formula(source="Jacobi 1845", teaches=("loop", "iteration"))
def jacobi_solution(
    k: Builder, system_matrix: SystemMatrix, right_side: RightSide, guess: Guess,
    sweeps: Annotated[Expr, Setting(3, 8, kind=whole)],
) -> Solution:  # fmt: skip
    """Solve a small linear system by Jacobi sweeps. Sweeps start at a guess, and each computes all unknowns
    from those of the sweep before.
    """
    diagonal = k.let("diagonal", bounded(ops.get_diag(system_matrix), 0.3, 40.0))
    x = k.var("x", guess, bounds=(-1e3, 1e3))
    with k.loop("sweep", 0, sweeps):
        k.set(x, bounded(x + ops.cw_div(right_side - system_matrix @ x, diagonal), -1e3, 1e3))
    return x


@system.formula(source="Seidel 1874", teaches=("nested loop", "branch", "iteration"))
def gauss_seidel_solution(
    k: Builder, system_matrix: SystemMatrix, right_side: RightSide, guess: Guess,
    sweeps: Annotated[Expr, Setting(3, 6, kind=whole)],
) -> Solution:  # fmt: skip
    """Gauss-Seidel sweeps on a linear system. They start at a guess, and each unknown is computed from the
    newest values of the others.
    """
    x = k.var("x", guess, bounds=(-1e3, 1e3))
    with k.loop("sweep", 0, sweeps), k.loop("row", 0, k.dimension) as row:
        rest = k.var("remainder", right_side[row])
        with k.loop("col", 0, k.dimension) as col, k.when(col.differs(row)):
            k.add(rest, system_matrix[row, col] * x[col], "-")
        k.set(x[row], bounded(rest / bounded(system_matrix[row, row], 0.3, 40.0), -1e3, 1e3))
    return x


@system.formula(source="Hestenes and Stiefel 1952", teaches=("loop", "iteration"), law="normal plain")
def conjugate_gradient_solution(
    k: Builder, coefficients: Coefficients, right_side: RightSide, damping: Annotated[Expr, Setting(0.5, 2.0)]
) -> Solution:
    """Damped least-squares solution by conjugate gradients. There are as many steps as unknowns."""
    normal = damped(k, coefficients, damping)
    x = k.var("x", construct(space(k), *[0.0] * k.dimension), bounds=(-1e3, 1e3))
    rest = k.var("residual", right_side, bounds=(-1e3, 1e3))
    search = k.var("search", right_side, bounds=(-1e3, 1e3))
    square = k.var("residual_square", ops.dot(rest, rest), bounds=(0.0, 1e8))
    with k.loop("step", 0, k.dimension):
        image = k.let("image", normal @ search)
        length = k.let("length", bounded(square / ops.max(ops.dot(search, image), 1e-6), 0.0, 10.0))
        k.set(x, bounded(x + length * search, -1e3, 1e3))
        k.set(rest, bounded(rest - length * image, -1e3, 1e3))
        following = k.let("new_square", bounded(ops.dot(rest, rest), 0.0, 1e7))
        k.set(search, bounded(rest + following / ops.max(square, 1e-6) * search, -1e3, 1e3))
        k.set(square, following)
    return x


@system.formula(source=GOLUB)
def direct_inverse(k: Builder, system_matrix: SystemMatrix) -> Inverse:
    """Matrix inverse."""
    return bounded(ops.inverse(system_matrix), -100.0, 100.0)


@system.formula(source=GOLUB, law="shifted")
def warp_determinant(k: Builder, system_matrix: SystemMatrix) -> Determinant:
    """Determinant."""
    return bounded(ops.determinant(system_matrix), -1e4, 1e4)


@system.formula(source=GOLUB)
def linear_system_residual(
    k: Builder, system_matrix: SystemMatrix, guess: Guess, right_side: RightSide
) -> Residual:
    """Residual of a small linear system. It is the right-hand side minus the matrix times the guess."""
    return bounded(right_side - system_matrix @ guess, -1e5, 1e5)


@system.formula(source=GOLUB)
def norm_of_residual(k: Builder, residual: Residual) -> ResidualNorm:
    """Residual norm."""
    return bounded(ops.length(residual), 0.0, 1e5)


@system.formula(source="von Mises and Pollaczek-Geiringer 1929", teaches=("loop", "iteration"), law="shifted")
def power_iteration_eigenvector(
    k: Builder, system_matrix: SystemMatrix, guess: Guess, steps: Annotated[Expr, Setting(3, 8, kind=whole)]
) -> Direction:
    """Dominant eigenvector by power iteration. Each step multiplies the direction by the matrix and
    normalizes it, and the first direction is the guess.
    """
    found = k.var("direction", ops.normalize(guess), bounds=(-1.0, 1.0))
    with k.loop("step", 0, steps):
        k.set(found, ops.normalize(system_matrix @ found))
    return found


@system.formula(source="Wielandt 1944", teaches=("loop", "iteration"))
def inverse_iteration_eigenvector(
    k: Builder, system_matrix: SystemMatrix, guess: Guess, steps: Annotated[Expr, Setting(3, 8, kind=whole)]
) -> Direction:
    """Eigenvector of the smallest eigenvalue by inverse iteration. Each step multiplies the direction by
    the inverse and normalizes it, and the first direction is the guess.
    """
    inverse = k.let("inverse", bounded(ops.inverse(system_matrix), -100.0, 100.0))
    found = k.var("direction", ops.normalize(guess), bounds=(-1.0, 1.0))
    with k.loop("step", 0, steps):
        k.set(found, ops.normalize(inverse @ found))
    return found


@system.formula(source="Rayleigh 1877", law="shifted")
def rayleigh_eigenvalue(k: Builder, system_matrix: SystemMatrix, direction: Direction) -> Eigenvalue:
    """Rayleigh quotient. It estimates the eigenvalue whose eigenvector the direction approximates."""
    square = k.let("square", ops.max(ops.dot(direction, direction), 0.01))
    return bounded(ops.dot(direction, system_matrix @ direction) / square, -100.0, 100.0)


@system.formula(source="Smith 1961")
def largest_symmetric_eigenvalue(k: Builder, coefficients: Coefficients) -> LargestEigenvalue:
    """Largest eigenvalue of the symmetric part of a 3 x 3 matrix. It is found by the trigonometric solution
    of the characteristic cubic.
    """
    three_only(k)
    symmetric = k.let("symmetric", 0.5 * (coefficients + ops.transpose(coefficients)))
    mean = k.let("mean", ops.trace(symmetric) / 3.0)
    shifted = k.let("shifted", symmetric - mean * identity(k))
    spread = k.let("spread", ops.max(ops.sqrt(bounded(ops.ddot(shifted, shifted), 0.0, 20.0) / 6.0), 1e-6))
    ratio = bounded(0.5 * ops.determinant(shifted / spread), -1.1, 1.1)
    return bounded(mean + 2.0 * spread * ops.cos(ops.acos(ops.clamp(ratio, -1.0, 1.0)) / 3.0), -10.0, 10.0)


@system.formula(source="Higham 1986", teaches=("loop", "iteration"), law="shifted")
def polar_rotation(
    k: Builder, displacement_gradient: DisplacementGradient, steps: Annotated[Expr, Setting(3, 6, kind=whole)]
) -> Orthogonal:
    """Rotation matrix of a deformation by Newton's polar decomposition. The deformation is the identity plus
    the displacement gradient, and each step averages the matrix with its inverse transpose.
    """
    turn = k.var("rotation", identity(k) + displacement_gradient, bounds=(-100.0, 100.0))
    with k.loop("step", 0, steps):
        k.set(turn, bounded(0.5 * (turn + ops.transpose(ops.inverse(turn))), -100.0, 100.0))
    return turn


@system.formula(source="Gram 1883, Schmidt 1907", law="shifted")
def gram_schmidt_factor(k: Builder, displacement_gradient: DisplacementGradient) -> Orthogonal:
    """Orthonormal factor of a deformation by the Gram-Schmidt process. The deformation gradient is the
    identity plus the displacement gradient, and its first column keeps its direction.
    """
    a, b, c = columns(k, k.let("deformation", identity(k) + displacement_gradient))
    first = k.let("first", ops.normalize(a))
    second = k.let("second", ops.normalize(b - ops.dot(first, b) * first))
    rest = k.let("orthogonal", c - ops.dot(first, c) * first)
    return ops.matrix_from_cols(first, second, ops.normalize(rest - ops.dot(second, rest) * second))


@system.formula(source="Moler and Van Loan 2003", teaches=("loop",))
def taylor_exponential(
    k: Builder, coefficients: Coefficients, terms: Annotated[Expr, Setting(4, 8, kind=whole)]
) -> Exponential:
    """Matrix exponential by its Taylor series. The series has `terms` terms, of which the identity is one."""
    total = k.var("total", identity(k), bounds=(-100.0, 100.0))
    term = k.var("term", identity(k), bounds=(-100.0, 100.0))
    with k.loop("order", 1, terms) as order:
        k.set(term, bounded(term @ coefficients / convert(k.real, order), -100.0, 100.0))
        k.set(total, bounded(total + term, -100.0, 100.0))
    return total


# Tracks: a Kalman filter of position and velocity along a line.

PAIR, PAIRS = vector(2), matrix(2, 2)
state = Quantity("state", -2.0, 2.0, PAIR, least=-100.0, most=100.0)
covariance = Quantity("covariance", 0.1, 1.0, PAIRS, least=-100.0, most=100.0)

State = Annotated[Expr, state]
Covariance = Annotated[Expr, covariance]
PredictedState = Annotated[Expr, Quantity("predicted_state", -2.0, 2.0, PAIR, least=-100.0, most=100.0)]
PredictedCovariance = Annotated[
    Expr, Quantity("predicted_covariance", 0.1, 1.0, PAIRS, least=0.0, most=100.0)
]
Measurement = Annotated[Expr, Quantity("measurement", -2.0, 2.0)]
Innovation = Annotated[Expr, Quantity("innovation", -2.0, 2.0, least=-1e3, most=1e3)]
InnovationVariance = Annotated[Expr, Quantity("innovation_variance", 0.2, 2.0, least=0.01, most=1e3)]
Gain = Annotated[Expr, Quantity("gain", 0.1, 0.9, PAIR, least=0.0, most=1e4)]
NewState = Annotated[Expr, Quantity("new_state", -2.0, 2.0, PAIR, least=-1e8, most=1e8, updates=state)]
NewCovariance = Annotated[
    Expr, Quantity("new_covariance", 0.1, 1.0, PAIRS, least=-1e12, most=1e12, updates=covariance)
]
Surprise = Annotated[Expr, Quantity("surprise", 0.0, 12.0, most=1e8, extremal=True, generic=True)]
Dt = Annotated[Expr, Setting(0.01, 0.2, "p")]
Noise = Annotated[Expr, Setting(0.1, 1.0)]
KALMAN, BAR_SHALOM = "Kalman 1960", "Bar-Shalom, Li and Kirubarajan 2001"


def transition(k: Builder, dt: Expr) -> Expr:
    """How position and velocity go on over a time step."""
    one, zero = lift(1.0, k.real), lift(0.0, k.real)
    return k.let("transition", construct(PAIRS(k), one, dt, zero, one))


@track.formula(source=BAR_SHALOM)
def constant_velocity_state(k: Builder, state: State, dt: Dt) -> PredictedState:
    """Constant-velocity prediction. The state is position and velocity."""
    return bounded(transition(k, dt) @ state, -50.0, 50.0)


@track.formula(source=BAR_SHALOM)
def white_acceleration_covariance(
    k: Builder, covariance: Covariance, acceleration_variance: Noise, dt: Dt
) -> PredictedCovariance:
    """Covariance prediction under white-noise acceleration. The state is position and velocity."""
    step = transition(k, dt)
    spread = k.let("noise_gain", construct(PAIR(k), 0.5 * dt * dt, dt))
    noise = acceleration_variance * ops.outer(spread, spread)
    return bounded(step @ covariance @ ops.transpose(step) + noise, 0.0, 20.0)


@track.formula(source=KALMAN, goal=False)
def measured_innovation(k: Builder, predicted_state: PredictedState, measurement: Measurement) -> Innovation:
    """Kalman innovation."""
    return measurement - predicted_state[0]


@track.formula(source=KALMAN, goal=False)
def variance_of_innovation(
    k: Builder, predicted_covariance: PredictedCovariance, sensor_variance: Noise
) -> InnovationVariance:
    """Innovation variance."""
    return predicted_covariance[0, 0] + sensor_variance


@track.formula(source=KALMAN)
def kalman_gain(
    k: Builder, predicted_covariance: PredictedCovariance, innovation_variance: InnovationVariance
) -> Gain:
    """Kalman gain. It weighs the measurement against the prediction."""
    column = construct(PAIR(k), predicted_covariance[0, 0], predicted_covariance[1, 0])
    return bounded(column / innovation_variance, 0.0, 1e3)


@track.formula(source=KALMAN)
def corrected_state(
    k: Builder, predicted_state: PredictedState, gain: Gain, innovation: Innovation
) -> NewState:
    """Kalman state correction. The prediction moves towards the measurement by the gain."""
    return predicted_state + innovation * gain


@track.formula(source=KALMAN)
def corrected_covariance(k: Builder, predicted_covariance: PredictedCovariance, gain: Gain) -> NewCovariance:
    """Kalman covariance correction. The measurement lowers the uncertainty."""
    return predicted_covariance - ops.outer(gain, predicted_covariance[0])


@track.formula(source="Bucy and Joseph 1968")
def joseph_covariance(
    k: Builder, predicted_covariance: PredictedCovariance, gain: Gain, sensor_variance: Noise
) -> NewCovariance:
    """Joseph-form covariance correction. The state is position and velocity, and the position is measured.
    The covariance stays symmetric and positive semidefinite for any gain.
    """
    one, zero = lift(1.0, k.real), lift(0.0, k.real)
    kept = k.let("i_minus_kh", construct(PAIRS(k), one - gain[0], zero, -gain[1], one))
    return kept @ predicted_covariance @ ops.transpose(kept) + sensor_variance * ops.outer(gain, gain)


@track.formula(source="Mahalanobis 1936")
def innovation_surprise(
    k: Builder, innovation: Innovation, innovation_variance: InnovationVariance
) -> Surprise:
    """Normalized squared innovation. For each track, it is chi-square distributed if the filter is
    consistent.
    """
    return bounded(innovation * innovation / innovation_variance, 0.0, 1e6)


@track.formula(source="Bar-Shalom, Li and Kirubarajan 2001")
def error_ellipse(k: Builder, covariance: Covariance) -> Annotated[
    Expr, Quantity("error_axis", 0.1, 2.0, plural="error_axes", least=0.0, extremal=True)
]:  # fmt: skip
    """Longest axis of the error ellipse. It is the root of the larger eigenvalue of the covariance."""
    mean = k.let("mean", 0.5 * (covariance[0, 0] + covariance[1, 1]))
    half = k.let("half", 0.5 * (covariance[0, 0] - covariance[1, 1]))
    spread = ops.sqrt(half * half + covariance[0, 1] * covariance[1, 0])
    return ops.sqrt(bounded(mean + spread, 0.0, 300.0))
