"""Solutions of equations, and work that is replayed, with gradients of their own."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.functions import cached
from weft.kernels.idioms.custom_gradient.calls import called, spoken
from weft.kernels.idioms.custom_gradient.derivatives import implicit_function
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import article, coefficient, curve, read, threads


def solutions(k: Builder) -> None:
    """Solutions of equations, with the gradient of the equation."""
    function = implicit_function(k)
    threads(k, 1, 2)
    x = read(k, "right_side", -1.5, 1.5)
    if k.rng.chance(0.3):
        x = k.let("shifted", x + coefficient(k, "load", -0.4, 0.4))
    y = called(k, function, x)
    match k.rng.pick("plain", "residual", "function"):
        case "residual":
            observed = read(k, "observation", -1.0, 1.0)
            gap = k.let("gap", y - observed)
            finish(
                k,
                "misfit",
                0.5 * gap * gap,
                f"Misfit of {spoken(function)}, whose gradient comes from the equation",
            )
        case "function":
            y = k.let("y", y)
            finish(
                k,
                "response",
                y / (1.0 + y * y),
                f"Response to {spoken(function)}, whose gradient comes from the equation",
            )
        case _:
            finish(
                k, "solution", y, f"{spoken(function).capitalize()}, whose gradient comes from the equation"
            )


def replayed_work(k: Builder) -> None:
    """Values that are stored in the forward pass and read again when it is replayed."""
    real = k.real
    threads(k, 1)
    steps = k.rng.pick(3, 4, 6)
    scale = k.rng.number(0.3, 0.9)
    kind = k.rng.pick("iteration", "curve", "average")

    def work(b: Builder, x: Expr) -> Expr:
        if kind == "curve":
            return curve(b, x)[0] + scale * x
        y = b.var("y", x, bounds=(-10.0, 10.0), type=real)
        with b.loop("_", 0, steps):
            if kind == "iteration":
                b.set(y, bounded(ops.sin(y) + scale * x, -10.0, 10.0))
            else:
                b.set(y, bounded(0.5 * (y + x / (1.0 + y * y)), -10.0, 10.0))
        return y

    name = k.rng.pick("costly", "remembered", "settle")
    call = cached(
        k, name, "A value that takes some work; it is kept in a cache.", real, Interval(-3.0, 3.0), work
    )
    x = read(k, "x", -1.5, 1.5)
    if k.rng.chance(0.5):
        x = k.let("scaled", coefficient(k, "gain", 0.4, 1.6) * x)
    value: Expr = k.let("value", call(x))
    if k.rng.chance(0.5):
        other = read(k, "other", -1.0, 1.0)
        value = k.rng.pick(value * other, value - other, value + scale * other * other)
    finish(
        k,
        "output",
        value,
        f"Computes a costly value once by {article(kind)}, and keeps it for the replay",
    )
