"""One loop per thread: over a row, a window, a list of taps, or until something is reached."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import coefficient, curve, finish, read, signal, threads, uniform
from weft.kernels.operators import convert, ops
from weft.kernels.types import I32

REVISION = 1
TEACHES = "a loop in each thread: sums, scans, windows, iterations, while, break and continue"


def row_sum(k: Builder) -> None:
    (row,) = threads(k, 1, name="row")
    width = k.rng.pick(4, 6, 8, 12)
    k.sizes["width"] = str(width)
    values = k.array(k.rng.pick("table", "values", "features"), k.real, ["n", "width"], uniform(-1.0, 1.0))
    bound = k.size("width", "width") if k.rng.chance(0.5) else width
    total = k.var("total", 0.0)
    with k.loop(k.rng.pick("j", "col"), 0, bound) as j:
        item, word = values[row, j], "values"
        if k.rng.chance(0.6):
            item, word = curve(k, k.let("value", item))
            word = f"{word} of the values"
        if k.rng.chance(0.3):
            with k.when(values[row, j] < coefficient(k, "cutoff", -0.5, 0.2, kinds="lp")):
                k.jump("continue")
            word += " above a cutoff"
        k.add(total, item)
    if k.rng.chance(0.5):
        finish(k, "mean", total / width, f"Mean over each row of the {word}")
    else:
        finish(k, "row_sum", total, f"Sum over each row of the {word}")


def newton_square_root(k: Builder) -> None:
    threads(k)
    x = read(k, "value", 0.2, 4.0)
    steps = k.rng.integer(4, 7)
    guess = k.var("guess", x * 0.5 + 0.5, bounds=(0.1, 20.0))
    count = k.scalar("iterations", I32, {"integers": [3, steps + 1]}) if k.rng.chance(0.5) else steps
    with k.loop(k.rng.pick("step", "iteration", "_"), 0, count):
        half = k.rng.pick(0.5 * (guess + x / guess), guess - (guess * guess - x) / (2.0 * guess))
        k.set(guess, ops.clamp(half, 0.1, 20.0))
    finish(k, "root", guess, "Square root by Newton's iteration")


def moving_average(k: Builder) -> None:
    (i,) = threads(k, 1)
    radius = k.rng.integer(2, 5)
    count = k.size("length", "n")
    data = k.array("signal", k.real, ["n"], uniform(-1.0, 1.0))
    total, weight = k.var("total", 0.0), k.var("weight", 0.0)
    if k.rng.chance(0.5):
        with k.loop("offset", -radius, radius + 1) as offset:
            j = k.let(
                "j",
                ops.clamp(i + offset, 0, count - 1)
                if k.rng.chance(0.5)
                else ops.max(ops.min(i + offset, count - 1), 0),
            )
            w = 1.0 / (1.0 + k.rng.number(0.2, 0.9) * ops.abs(convert(k.real, offset)))
            if k.rng.chance(0.5):
                w = k.let("w", w)
            k.add(total, w * data[j])
            k.add(weight, 1.0)
    else:
        with k.loop("j", ops.max(i - radius, 0), ops.min(i + radius + 1, count)) as j:
            k.add(total, data[j])
            k.add(weight, 1.0)
    finish(
        k,
        "smooth",
        total / ops.max(weight, 1.0),
        f"Average of each signal value's neighbours within {radius} steps",
    )
