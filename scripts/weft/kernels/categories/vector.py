"""Small vectors: positions, velocities, normals, colors."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import coefficient, finish, read, threads
from weft.kernels.operators import construct, ops
from weft.types import Vector

REVISION = 1
TEACHES = "vectors of two to four components: dot, cross, length, normalize, componentwise work"


def integrate_particle(k: Builder) -> None:
    threads(k, 1, name="particle")
    type = Vector(k.rng.pick(2, 3, 3), k.real)
    position, velocity = read(k, "position", -1.0, 1.0, type), read(k, "velocity", -2.0, 2.0, type)
    step = coefficient(k, "dt", 0.01, 0.1, kinds="lp")
    drag = coefficient(k, "drag", 0.1, 0.9)
    pull = [0.0] * type.length
    pull[1] = -9.8
    new = k.let(
        "new_velocity",
        k.rng.pick(velocity + step * construct(type, *_lifted(k, pull)), velocity) * (1.0 - drag * step),
    )
    finish(k, "new_position", position + step * new, "Symplectic Euler step of each particle with drag")


def _lifted(k: Builder, numbers: list[float]) -> list[float]:
    return numbers


def reflect_direction(k: Builder) -> None:
    threads(k)
    type = Vector(3, k.real)
    incoming = read(k, "incoming", -1.0, 1.0, type)
    normal = k.let("normal", ops.normalize(read(k, "raw_normal", 0.1, 1.0, type)))
    bounce = coefficient(k, "restitution", 0.3, 0.9)
    along = k.let("along", ops.dot(incoming, normal))
    finish(
        k,
        "outgoing",
        incoming - (1.0 + bounce) * along * normal,
        "Incoming direction reflected at a surface with losses",
    )
