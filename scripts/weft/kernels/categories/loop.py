"""One loop per thread: over a row, a window, a series of terms, or until something is reached."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.program import Expr
from weft.kernels.results import finish, output
from weft.kernels.types import I32
from weft.kernels.vocabulary import article, coefficient, curve, read, row, threads, uniform

REVISION = 4
TEACHES = "a loop in each thread: sums, filters, windows, iterations, while, break and continue"


def _row(k: Builder, choices: tuple[int, ...], name: str = "row") -> tuple[Expr, int, Expr | int]:
    """Threads over rows of a table: the thread's row, the width, and the width as code writes it."""
    threads(k, 1, name=name)
    width = k.rng.pick(*choices)
    k.sizes["width"] = str(width)
    return k.index[0], width, k.size(k.rng.pick("width", "num_cols"), "width") if k.rng.chance(0.5) else width


def _length(k: Builder, bound: Expr | int) -> Expr | float:
    """The width of a row as a divisor, written as the loop writes it."""
    return float(bound) if isinstance(bound, int) else convert(k.real, bound)


def row_sum(k: Builder) -> None:
    """Sum or mean of a row."""
    _, width, bound = _row(k, (4, 6, 8, 12))
    values = row(k, k.rng.pick("table", "values", "features"), "width", width, uniform(-1.0, 1.0))
    total = k.var("total", 0.0)
    with k.loop(k.rng.pick("j", "col"), 0, bound) as j:
        item, word = values(j), "values"
        if k.rng.chance(0.3):
            with k.when(item < coefficient(k, "cutoff", -0.5, 0.2, kinds="lp")):
                k.jump("continue")
            word = "values above a cutoff"
        if k.rng.chance(0.6):
            shaped, shape = curve(k, k.let("value", item))
            item, word = shaped, f"{shape} of the {word}"
        k.add(total, item)
    if k.rng.chance(0.5):
        finish(
            k, "mean", total / _length(k, bound), f"Total over each row of the {word}, divided by its length"
        )
    else:
        finish(k, "row_sum", total, f"Sum over each row of the {word}")


def newton_root(k: Builder) -> None:
    """Square or cube root by Newton's iteration; from these starts, all guesses stay between 0.05 and 50."""
    threads(k)
    x = read(k, "value", 0.3, 4.0)
    if k.rng.chance(0.3):
        x = k.let("shifted", x + coefficient(k, "offset", 0.1, 1.0))
    guess = k.var("guess", k.rng.pick(x * 0.5 + 0.5, 0.4 * x + 0.6, ops.max(x, 1.0)), bounds=(0.05, 50.0))
    with k.loop(k.rng.pick("step", "iteration", "_"), 0, k.rng.integer(3, 6)):
        match kind := k.rng.pick("square", "square", "cube"):
            case "square":
                new = k.rng.pick(0.5 * (guess + x / guess), guess - (guess * guess - x) / (2.0 * guess))
            case _:
                new = k.rng.pick(
                    (2.0 * guess + x / (guess * guess)) / 3.0, guess - (guess - x / (guess * guess)) / 3.0
                )
        if k.rng.chance(0.5):
            new = k.let("improved", new)
        k.set(guess, bounded(new, 0.05, 50.0))
    finish(k, "root", guess, f"{kind.capitalize()} root by Newton's iteration")


def moving_average(k: Builder) -> None:
    """Weighted average of a window of a signal; its center has the weight 1."""
    (i,) = threads(k, 1)
    radius = k.rng.integer(2, 5)
    count = k.size("length", "n")
    data = k.array(k.rng.pick("signal", "samples", "series"), k.real, ["n"], uniform(-1.0, 1.0))
    total, weight = k.var("total", 0.0), k.var("weight", 0.0)
    if k.rng.chance(0.5):
        with k.loop("offset", -radius, radius + 1) as offset:
            j = k.let(
                "j",
                k.rng.pick(ops.clamp(i + offset, 0, count - 1), ops.max(ops.min(i + offset, count - 1), 0)),
            )
            reach = k.let("reach", convert(k.real, offset))
            distance = k.rng.pick(ops.abs(reach), reach * reach)
            w = k.let(
                "w",
                k.rng.pick(
                    1.0 / (1.0 + k.rng.number(0.2, 0.9) * distance),
                    ops.exp(-k.rng.number(0.1, 0.6) * distance),
                ),
            )
            k.add(total, w * data[j])
            k.add(weight, w)
        word = "weighted by distance"
    else:
        with k.loop("j", ops.max(i - radius, 0), ops.min(i + (radius + 1), count)) as j:
            item, what = k.rng.pick(
                (data[j], "values"), (ops.abs(data[j]), "magnitudes"), (data[j] * data[j], "squares")
            )
            k.add(total, item)
            k.add(weight, 1.0)
        word = f"of the {what}, clipped at the ends"
    finish(
        k, "average", total / bounded(weight, 1.0, 20.0), f"Average over a window of radius {radius}, {word}"
    )


def truncated_series(k: Builder) -> None:
    """A truncated power or Fourier series; no factor of a power series exceeds 1.2."""
    threads(k)
    x, terms = read(k, "x", -1.0, 1.0), k.rng.integer(4, 8)
    total = k.var("total", 0.0)
    if k.rng.chance(0.5):
        term = k.var("term", 1.0, bounds=(-100.0, 100.0))
        ratio = coefficient(k, "ratio", 0.3, 0.9, kinds="lp")
        with k.loop("order", 1, terms) as order:
            k.set(
                term,
                bounded(
                    k.rng.pick(term * x * ratio / convert(k.real, order), -term * x * ratio), -100.0, 100.0
                ),
            )
            k.add(total, term)
        finish(k, "series", total, f"Power series in x, truncated after {terms - 1} terms")
    else:
        wave = k.rng.pick(ops.sin, ops.cos)
        with k.loop(k.rng.pick("harmonic", "m"), 1, terms) as m:
            order = k.let("order", convert(k.real, m))
            k.add(total, wave(order * x) / k.rng.pick(order, order * order, 1.0 + order))
        finish(
            k,
            "wave",
            coefficient(k, "amplitude", 0.5, 2.0) * total,
            f"Fourier series of {terms - 1} harmonics",
        )


def row_extreme(k: Builder) -> None:
    """Largest or smallest element of a row, and where it is."""
    _, width, bound = _row(k, (5, 8, 10))
    scores = row(k, k.rng.pick("scores", "costs", "distances"), "width", width, uniform(-1.0, 1.0))
    least = k.rng.chance(0.5)
    best = k.var("best", scores(0), bounds=(-2.0, 2.0))
    where = k.var("best_index", 0, type=I32, bounds=(0, width))
    with k.loop("j", 1, bound) as j:
        penalty = k.rng.number(0.01, 0.1) * convert(k.real, j)
        raw = scores(j)
        score = k.let("score", k.rng.pick(raw, ops.abs(raw), raw * raw, raw - penalty, raw + penalty))
        with k.when(score < best if least else score > best):
            k.set(best, score)
            k.set(where, j)
    word = "Smallest" if least else "Largest"
    if k.rng.chance(0.5):
        finish(
            k,
            "position",
            where,
            f"Position of the {word.lower()} score in each row, the first one taken as it is",
        )
        k.store(k.array("best_scores", k.real, ["n"], None, "out"), k.target, best)
    else:
        gap = best - scores(0) + 0.01 * convert(k.real, where)
        finish(
            k, "margin", gap, f"{word} score of each row against its first, with a small bonus per position"
        )


def exponential_filter(k: Builder) -> None:
    """A recursive low-pass filter along a row; means of samples stay between -1 and 1."""
    _, width, bound = _row(k, (6, 8, 10), k.rng.pick("channel", "row"))
    data = row(k, "samples", "width", width, uniform(-1.0, 1.0))
    rate = coefficient(k, "rate", 0.1, 0.6, kinds="lp")
    start = data(0)
    state = k.var("state", start, bounds=(-1.0, 1.0))
    trace = k.array("filtered", k.real, ["n", "width"], None, "out") if k.rng.chance(0.5) else None
    power = k.var("power", 0.0) if trace is None or k.rng.chance(0.5) else None
    with k.loop("t", 0, bound) as t:
        new = k.rng.pick(
            state + rate * (data(t) - state),
            (1.0 - rate) * state + rate * data(t),
            ops.lerp(state, data(t), rate),
        )
        k.set(state, bounded(new, -1.0, 1.0))
        if trace is not None:
            k.store(trace, (k.target[0], t), state)
        if power is not None:
            square = k.rng.chance(0.5)
            k.add(power, state * state if square else ops.abs(state))
            word = "square" if square else "magnitude"
    if power is None:
        finish(k, "level", state, "Final level of a recursive low-pass filter along each row")
        return
    finish(
        k,
        "loudness",
        power / _length(k, bound),
        f"Mean {word} of each row behind a recursive low-pass filter",
    )


def greatest_common_divisor(k: Builder) -> None:
    """Euclid's algorithm in a while loop."""
    threads(k)
    a = k.var("p", read(k, "width", 1, 600, I32, inline=True), bounds=(0, 1000))
    b = k.var("q", read(k, "height", 1, 600, I32, inline=True), bounds=(0, 1000))
    steps = k.var("steps", 0, type=I32) if k.rng.chance(0.5) else None
    way = k.rng.pick("remainders", "remainders", "differences", "at most ten steps")
    if way == "differences":
        k.set(a, a // 8 + 1)
        k.set(b, b // 8 + 1)
        k.notes.append("Both are divided by 8 and rounded up before")
        with k.repeat(a.differs(b), 160):
            with k.when(a > b):
                k.set(a, bounded(a - b, 0, 1000))
            with k.otherwise():
                k.set(b, bounded(b - a, 0, 1000))
            if steps is not None:
                k.add(steps, 1)
    elif way == "remainders":
        with k.repeat(k.rng.pick(b > 0, b.differs(0)), 20):
            rest = k.let("rest", a % b)
            k.set(a, b)
            k.set(b, rest)
            if steps is not None:
                k.add(steps, 1)
    else:
        with k.loop("_", 0, 10):
            with k.when(b.equals(0)):
                k.jump("break")
            rest = k.let("rest", a % b)
            k.set(a, b)
            k.set(b, rest)
            if steps is not None:
                k.add(steps, 1)
    name = "Greatest common divisor by Euclid's algorithm"
    if way != "remainders":
        name += f", with {way}"
    if steps is None:
        finish(k, "divisor", a, name)
    elif k.rng.chance(0.5):
        k.store(output(k, "step_counts", I32), k.target, steps)
        finish(k, "divisor", a, f"{name}, and the number of steps")
    else:
        finish(k, "divisor", a * 256 + steps, f"{name}, with the number of steps in the low bits")


def digit_checksum(k: Builder) -> None:
    """Digits of a number, from the last to the first."""
    threads(k)
    base = k.rng.pick(2, 3, 8, 10)
    rest = k.var("rest", read(k, "number", 0, 99999, I32, inline=True), bounds=(0, 99999))
    total = k.var("digit_sum", 0, type=I32)
    with k.repeat(rest > 0, 17):
        digit = k.let("digit", rest % base)
        k.add(total, k.rng.pick(digit, digit * digit, digit * 2 + 1))
        k.set(rest, rest // base)
    finish(k, "checksum", total, f"Checksum over the digits of each number in base {base}")


def integrate_curve(k: Builder) -> None:
    """Numerical integration of a function up to the thread's limit."""
    threads(k)
    end, steps = read(k, "limit", 0.2, 2.0), k.rng.pick(8, 10, 16, 20)
    width = k.let(k.rng.pick("h", "dx"), end / float(steps))
    area = k.var("area", 0.0)
    with k.loop("s", 0, steps) as s:
        x = k.let("at", (convert(k.real, s) + k.rng.pick(0.5, 0.5, 1.0)) * width)
        shape, word = curve(k, k.rng.pick(x, x * coefficient(k, "frequency", 0.5, 1.5, kinds="l")))
        k.add(area, k.rng.pick(shape * width, width * shape))
    finish(k, "area", area, f"Area under {article(word)} from 0 to each limit, by {steps} rectangles")


IDIOMS = (
    row_sum,
    newton_root,
    moving_average,
    truncated_series,
    row_extreme,
    exponential_filter,
    greatest_common_divisor,
    digit_checksum,
    integrate_curve,
)
