"""Mathematical functions of one or two numbers, each within its domain."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import coefficient, curve, finish, read, signal, threads
from weft.kernels.operators import ops

REVISION = 1
TEACHES = "mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation"


def damped_oscillation(k: Builder) -> None:
    threads(k)
    time = read(k, "time", 0.0, 4.0)
    decay, frequency = coefficient(k, "decay", 0.1, 1.0), coefficient(k, "frequency", 1.0, 6.0)
    wave = k.rng.pick(ops.sin, ops.cos)(frequency * time + signal(k, "phase", -1.5, 1.5))
    envelope = k.rng.pick(ops.exp(-decay * time), 1.0 / (1.0 + decay * time), 1.0 / ops.cosh(decay * time))
    if k.rng.chance(0.5):
        envelope = k.let("envelope", envelope)
    finish(k, "displacement", envelope * wave, "Displacement of a damped oscillator")


def polar_coordinates(k: Builder) -> None:
    threads(k)
    x, y = signal(k, "x", -2.0, 2.0), read(k, "y", 0.1, 2.0)
    radius = ops.sqrt(x * x + y * y)
    angle = ops.atan2(y, x)
    match k.rng.below(3):
        case 0:
            finish(
                k,
                "bearing",
                ops.degrees(angle) * coefficient(k, "unit", 0.5, 2.0),
                "Bearing of each point in scaled degrees",
            )
        case 1:
            finish(
                k,
                "spiral",
                radius + coefficient(k, "pitch", 0.1, 0.8) * angle,
                "Radius of each point in spiral coordinates",
            )
        case _:
            lobes = k.rng.integer(2, 5)
            shape, word = curve(k, k.let("radius", radius))
            finish(
                k,
                "petal",
                shape * ops.cos(float(lobes) * angle),
                f"Rose pattern with {lobes} lobes and a {word} profile",
            )
