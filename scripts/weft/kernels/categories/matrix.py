"""Small matrices: transforms, strains, rotations, solves."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.idioms.matrix.assembled import assembled_basis, implicit_step
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, read, threads, uniform
from weft.types import Matrix, Vector

REVISION = 5
TEACHES = "matrices of two to four rows: products, transposes, traces, determinants, solves"


def _square(k: Builder, *sizes: int) -> tuple[int, Matrix, Vector]:
    size = k.rng.pick(*sizes)
    return size, Matrix(size, size, k.real), Vector(size, k.real)


def _identity(k: Builder, size: int, scale: Expr) -> Expr:
    """A multiple of the identity matrix."""
    return ops.diag(construct(Vector(size, k.real), *[scale] * size))


def transform_point(k: Builder) -> None:
    """Points in frames."""
    threads(k)
    _, matrix, vector = _square(k, 2, 3, 3, 4)
    frame = (
        k.scalar("frame", matrix, uniform(-1.0, 1.0))
        if k.rng.chance(0.3)
        else read(k, "frame", -1.0, 1.0, matrix)
    )
    point, origin = read(k, "point", -2.0, 2.0, vector), read(k, "origin", -1.0, 1.0, vector)
    match k.rng.below(3):
        case 0:
            finish(
                k,
                "moved",
                k.rng.pick(frame, ops.transpose(frame)) @ point + origin,
                "Each point in the coordinates of a frame",
            )
        case 1:
            local = k.let("local", ops.transpose(frame) @ (point - origin))
            finish(k, "local_point", local, "Each point in the local coordinates of a frame")
        case _:
            there = k.let("there", frame @ (point - origin))
            finish(
                k,
                "mirrored",
                origin - coefficient(k, "scale", 0.5, 1.5) * there,
                "Each point mirrored through its origin in a frame",
            )


def elastic_element(k: Builder) -> None:
    """Strain measures and elastic energies."""
    threads(k, name=k.rng.pick("element", "i"))
    size, matrix, _ = _square(k, 2, 3)
    gradient = read(k, "gradient", -0.5, 0.5, matrix)
    mu, lam = coefficient(k, "mu", 0.5, 3.0), coefficient(k, "lam", 0.5, 3.0)
    small = 0.5 * (gradient + ops.transpose(gradient))
    if k.rng.chance(0.5):
        small = 0.5 * (gradient + ops.transpose(gradient) + ops.transpose(gradient) @ gradient)
    strain = k.let("strain", small)
    dilation = k.let("dilation", ops.trace(strain))
    if k.rng.chance(0.5):
        finish(
            k,
            "energy",
            mu * ops.ddot(strain, strain) + 0.5 * lam * dilation * dilation,
            "Elastic energy density of each element",
        )
    else:
        stress = 2.0 * mu * strain + _identity(k, size, lam * dilation)
        finish(k, "stress", stress, "Linear elastic stress of each element")


def second_moment(k: Builder) -> None:
    """Outer products of offsets: inertia, covariance, and the moment of a motion."""
    threads(k, name=k.rng.pick("body", "i"))
    size, _, vector = _square(k, 2, 3, 3)
    offset = read(k, "position", -1.0, 1.0, vector)
    if k.rng.chance(0.6):
        center = (
            k.scalar("center", vector, uniform(-0.5, 0.5))
            if k.rng.chance(0.5)
            else read(k, "center", -0.5, 0.5, vector)
        )
        offset = k.let("offset", offset - center)
    mass = coefficient(k, "mass", 0.5, 4.0)
    match k.rng.below(3):
        case 0:
            finish(
                k,
                "inertia",
                mass
                * (
                    _identity(k, size, k.let("squared_distance", ops.dot(offset, offset)))
                    - ops.outer(offset, offset)
                ),
                "Inertia tensor of each point mass",
            )
        case 1:
            finish(
                k,
                "covariance",
                mass * ops.outer(offset, offset),
                "Weighted contribution of each point to a covariance",
            )
        case _:
            other = read(k, "velocity", -1.0, 1.0, vector)
            mixed = k.let("mixed", ops.outer(offset, other))
            moment = mass * (mixed + ops.transpose(mixed))
            finish(k, "moment", moment, "Symmetric moment of each mass and its motion")


def solve_system(k: Builder) -> None:
    """Small linear systems with dominant diagonals, by Cramer's rule; their determinants exceed 1."""
    threads(k)
    size, matrix, vector = _square(k, 2, 2, 3)
    couplings, right = read(k, "coupling", -0.5, 0.5, matrix), read(k, "load", -2.0, 2.0, vector)
    system = k.let("system", couplings + _identity(k, size, coefficient(k, "stiffness", 3.0, 6.0)))
    determinant = k.let("determinant", bounded(ops.determinant(system), 1.0, 500.0))
    if size == 2:
        first = k.let("first", (right[0] * system[1, 1] - system[0, 1] * right[1]) / determinant)
        second = k.let("second", (system[0, 0] * right[1] - right[0] * system[1, 0]) / determinant)
        finish(
            k, "solution", construct(vector, first, second), "Solution of each 2 by 2 system by Cramer's rule"
        )
        return
    columns = [
        k.let(f"column_{'abc'[c]}", construct(vector, *(system[r, c] for r in range(3)))) for c in range(3)
    ]
    x = ops.dot(right, ops.cross(columns[1], columns[2])) / determinant
    y = ops.dot(columns[0], ops.cross(right, columns[2])) / determinant
    if k.rng.chance(0.5):
        z = ops.dot(columns[0], ops.cross(columns[1], right)) / determinant
        finish(k, "solution", construct(vector, x, y, z), "Solution of each 3 by 3 system by Cramer's rule")
    else:
        finish(
            k,
            "difference",
            k.let("first", x) - y,
            "Difference of the first two unknowns of each 3 by 3 system",
        )


def rotate_frame(k: Builder) -> None:
    """Rotation matrices from angles."""
    threads(k, name=k.rng.pick("joint", "i"))
    angle = coefficient(k, "angle", -1.5, 1.5, kinds="pe")
    c, s = k.let("c", ops.cos(angle)), k.let("s", ops.sin(angle))
    rows: dict[str, tuple[Expr | float, ...]] = {
        "x": (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c),
        "y": (c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c),
        "z": (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0),
    }
    axis = k.rng.pick("x", "y", "z")
    rotation = k.let("rotation", construct(Matrix(3, 3, k.real), *rows[axis]))
    match k.rng.below(3):
        case 0:
            finish(
                k,
                "turned",
                rotation @ read(k, "point", -1.0, 1.0, Vector(3, k.real)),
                f"Each point rotated about the {axis} axis",
            )
        case 1:
            frame = read(k, "frame", -1.0, 1.0, Matrix(3, 3, k.real))
            finish(
                k,
                "new_frame",
                k.rng.pick(rotation @ frame, frame @ rotation),
                f"Each frame rotated about the {axis} axis",
            )
        case _:
            tensor = read(k, "tensor", -1.0, 1.0, Matrix(3, 3, k.real))
            finish(
                k,
                "turned_tensor",
                rotation @ tensor @ ops.transpose(rotation),
                f"Each tensor in axes rotated about {axis}",
            )


def split_matrix(k: Builder) -> None:
    """Symmetric, skew and deviatoric parts and their invariants."""
    threads(k)
    size, matrix, _ = _square(k, 2, 3, 3, 4)
    m = read(k, "tensor", -1.0, 1.0, matrix)
    match k.rng.below(4):
        case 0:
            mean = k.let("mean", ops.trace(m) / float(size))
            finish(k, "deviator", m - _identity(k, size, mean), "Deviatoric part of each tensor")
        case 1:
            skew = k.let("spin", 0.5 * (m - ops.transpose(m)))
            finish(k, "vorticity", ops.ddot(skew, m), "Product of each tensor with its skew part")
        case 2:
            second = 0.5 * (ops.trace(m) * ops.trace(m) - ops.trace(m @ m))
            finish(k, "invariant", second, "Second invariant of each tensor")
        case _:
            part = k.let("symmetric", 0.5 * (m + ops.transpose(m)))
            finish(
                k,
                "blend",
                part + coefficient(k, "swirl", 0.1, 0.9) * (m - part),
                "Each tensor with a reduced skew part",
            )


def power_iteration(k: Builder) -> None:
    """Repeated products with a matrix: dominant directions and quadratic forms."""
    threads(k)
    _, matrix, vector = _square(k, 2, 3)
    m: Expr = read(k, "matrix", 0.1, 1.0, matrix, array="matrices")
    if k.rng.chance(0.4):
        m = k.let("coupling", m + _identity(k, vector.length, coefficient(k, "shift", 0.2, 1.5)))
    direction = k.var("direction", read(k, "guess", 0.1, 1.0, vector, array="guesses"), bounds=(-10.0, 10.0))
    count = k.rng.integer(3, 6)
    with k.loop(k.rng.pick("step", "_"), 0, count):
        product = m @ direction
        if k.rng.chance(0.5):
            product = k.let("product", product)
        k.set(direction, ops.normalize(product))
    match k.rng.below(3):
        case 0:
            finish(
                k,
                "eigenvalue",
                ops.dot(direction, m @ direction),
                f"Dominant eigenvalue estimate after {count} power iterations",
            )
        case 1:
            finish(k, "direction", direction, f"Dominant direction after {count} power iterations")
        case _:
            error = k.let("error", m @ direction - ops.dot(direction, m @ direction) * direction)
            finish(
                k,
                "residual",
                ops.length_sq(error),
                f"Squared residual of the dominant direction after {count} power iterations",
            )


def covariance_update(k: Builder) -> None:
    """Rank-one updates of symmetric matrices."""
    threads(k)
    _, matrix, vector = _square(k, 2, 3, 3)
    old = read(k, "covariance", -1.0, 1.0, matrix)
    delta = read(k, "deviation", -1.0, 1.0, vector)
    rate = coefficient(k, "rate", 0.05, 0.5)
    match k.rng.below(4):
        case 0:
            finish(k, "updated", (1.0 - rate) * old + rate * ops.outer(delta, delta), "Moving covariance")
        case 1:
            other = read(k, "direction", -1.0, 1.0, vector)
            k.notes.append("The update is made symmetric")
            part = k.let("part", ops.outer(delta, other))
            finish(
                k,
                "updated",
                old + 0.5 * rate * (part + ops.transpose(part)),
                "Rank-two update of each matrix",
            )
        case 2:
            gain = k.let("image", old @ delta)
            energy = 1.0 + ops.dot(delta, delta)
            finish(
                k, "updated", old - ops.outer(gain, gain) * (rate / energy), "Damped removal of one direction"
            )
        case _:
            image = k.let("image", old @ delta)
            finish(k, "energy", 0.5 * rate * ops.dot(delta, image), "Quadratic form of each matrix")


IDIOMS = (
    transform_point,
    elastic_element,
    second_moment,
    solve_system,
    rotate_frame,
    split_matrix,
    power_iteration,
    covariance_update,
    assembled_basis,
    implicit_step,
)
