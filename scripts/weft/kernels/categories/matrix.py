"""Small matrices: transforms, strains, rotations."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import coefficient, finish, read, threads
from weft.kernels.operators import ops
from weft.types import Matrix, Vector

REVISION = 1
TEACHES = "matrices of two to four rows: products, transposes, traces, determinants"


def transform_point(k: Builder) -> None:
    threads(k)
    size = k.rng.pick(2, 3, 3, 4)
    matrix = read(k, "frame", -1.0, 1.0, Matrix(size, size, k.real), array="frames")
    point = read(k, "point", -2.0, 2.0, Vector(size, k.real))
    finish(
        k,
        "moved",
        k.rng.pick(matrix, ops.transpose(matrix)) @ point
        + read(k, "origin", -1.0, 1.0, Vector(size, k.real)),
        "Each point in the frame of its own matrix",
    )


def green_strain(k: Builder) -> None:
    threads(k)
    size = k.rng.pick(2, 3)
    type = Matrix(size, size, k.real)
    gradient = read(k, "gradient", -0.5, 0.5, type)
    strain = k.let("strain", 0.5 * (gradient + ops.transpose(gradient) + ops.transpose(gradient) @ gradient))
    mu, lam = coefficient(k, "mu", 0.5, 3.0), coefficient(k, "lam", 0.5, 3.0)
    finish(
        k,
        "energy",
        mu * ops.ddot(strain, strain) + 0.5 * lam * ops.trace(strain) * ops.trace(strain),
        "Saint Venant-Kirchhoff energy density of each element",
    )
