"""Loops that end when something is found."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.results import finish, output
from weft.kernels.types import F64, I32
from weft.kernels.vocabulary import coefficient, read, row, threads, uniform


def escape_time(k: Builder) -> None:
    """Iterated maps that stop outside a circle of radius 4 at most, so that no step leads beyond 50.

    Each step may double what rounding did: single precision is for few steps.
    """
    k.real = F64 if k.rng.chance(0.6) else k.real
    threads(k)
    cx, cy = read(k, "re", -2.0, 0.6, array="re_values"), read(k, "im", -1.2, 1.2, array="im_values")
    limit = k.rng.pick(12, 16, 24, 32) if k.real == F64 else k.rng.pick(6, 8, 10)
    x, y = k.var("zr", 0.0, bounds=(-50.0, 50.0)), k.var("zi", 0.0, bounds=(-50.0, 50.0))
    bounded_steps = k.rng.chance(0.5)
    count = k.var("iterations", 0, type=I32, bounds=None if bounded_steps else (0, limit))
    bound = k.rng.pick(4.0, 8.0, 16.0)
    ship = k.rng.chance(0.3)
    new = bounded(x * x - y * y + cx, -50.0, 50.0)
    cross = 2.0 * ops.abs(x * y) + cy if ship else k.rng.pick(2.0, 2.0, -2.0) * x * y + cy
    if bounded_steps:
        with k.loop("step", 0, limit):
            with k.when(x * x + y * y > bound):
                k.jump("break")
            next_x = k.let("next_zr", new)
            k.set(y, bounded(cross, -50.0, 50.0))
            k.set(x, next_x)
            k.add(count, 1)
    else:
        with k.repeat((count < limit) & (x * x + y * y < bound), limit):
            next_x = k.let("next_zr", new)
            k.set(y, bounded(cross, -50.0, 50.0))
            k.set(x, next_x)
            k.add(count, 1)
    if k.rng.chance(0.5):
        finish(k, "escape", count, f"Escape time of a quadratic map, at most {limit}")
    else:
        finish(
            k,
            "shade",
            convert(k.real, count) + k.rng.pick(ops.tanh(x), ops.tanh(x * x + y * y)),
            f"Smooth shade from the escape time of a quadratic map, at most {limit}",
        )


def first_above(k: Builder) -> None:
    """Linear search along a row."""
    threads(k, 1, name=k.rng.pick("row", "series"))
    width = k.rng.pick(8, 10, 16)
    data = row(k, k.rng.pick("samples", "readings"), "width", width, uniform(-1.0, 1.0))
    level = coefficient(k, "level", 0.4, 0.85)
    found = k.var("found", -1, type=I32, bounds=(-1, width))
    total = k.var("total", 0.0) if k.rng.chance(0.5) else None
    word = "value"
    if k.rng.chance(0.5):
        with k.loop("j", 0, k.size("width", "width") if k.rng.chance(0.4) else width) as j:
            value, word = k.rng.pick((data(j), "value"), (ops.abs(data(j)), "magnitude"))
            with k.when(value > level):
                k.set(found, j)
                k.jump("break")
            if total is not None:
                k.add(total, value)
    else:
        j = k.var("j", 0, type=I32, bounds=(0, width))
        test = (j < width) & found.equals(-1)
        with k.repeat(test, width):
            here = k.let("here", data(j))
            with k.when(here > level):
                k.set(found, j)
            with k.otherwise():
                if total is not None:
                    k.add(total, here)
            k.add(j, 1)
    if total is not None:
        finish(
            k,
            "lead",
            total + convert(k.real, found),
            f"Sum of each row before its first {word} above a level, plus that position",
        )
    else:
        finish(k, "place", found, f"Position of the first {word} above a level in each row, or -1")


def bisect_root(k: Builder) -> None:
    """Bisection with an early end."""
    threads(k)
    goal, steepness = read(k, "goal", 0.2, 3.0), coefficient(k, "steepness", 0.5, 2.0)
    low, high = (
        k.var("low", 0.0, bounds=(0.0, 4.0)),
        k.var("high", k.rng.pick(2.0, 3.0, 4.0), bounds=(0.0, 4.0)),
    )
    steps = k.rng.integer(10, 24)
    tolerance = coefficient(k, "tolerance", 0.001, 0.02, kinds="l")
    with k.loop(k.rng.pick("step", "_"), 0, steps):
        middle = k.let("middle", 0.5 * (low + high))
        growth = k.rng.pick(
            middle * middle * middle + steepness * middle,
            steepness * middle + ops.sinh(middle),
            steepness * (ops.exp(middle) - 1.0),
            middle * middle * steepness,
        )
        error = k.let("error", growth - goal)
        with k.when(ops.abs(error) < tolerance):
            k.jump("break")
        with k.when(error > 0.0):
            k.set(high, middle)
        with k.otherwise():
            k.set(low, middle)
    finish(
        k,
        "root",
        k.rng.pick(0.5 * (low + high), low, high),
        f"Where a growing function reaches a goal, by at most {steps} bisections",
    )


def march_ray(k: Builder) -> None:
    """Steps along a ray until something is hit.

    A step starts at most at 8, where the gap is positive and below 13: t stays between 0 and 20. Gaps shrink
    by a factor a step: the smaller the one that counts as a hit, the more rays come to it by rounding.
    """
    k.real = F64 if k.rng.chance(0.5) else k.real
    near = k.rng.pick(0.001, 0.01) if k.real == F64 else k.rng.pick(0.05, 0.08)
    threads(k, name=k.rng.pick("ray", "i"))
    slope, start = read(k, "slope", -0.6, 0.6), read(k, "start", -1.0, 1.0)
    radius = coefficient(k, "radius", 0.4, 1.2)
    far = k.rng.pick(4.0, 6.0, 8.0)
    t = k.var("t", 0.0, bounds=(0.0, 20.0))
    hit = k.var("hit", 0, type=I32, bounds=(0, 100)) if k.rng.chance(0.6) else None
    with k.loop("step", 0, k.rng.pick(12, 16, 24)) as step:
        px, py = k.let("px", t - k.rng.number(1.5, 2.5)), k.let("py", start + slope * t)
        gap = k.let(
            "gap",
            k.rng.pick(
                ops.sqrt(px * px + py * py) - radius,
                ops.max(ops.abs(px), ops.abs(py)) - radius,
                0.7 * (ops.abs(px) + ops.abs(py) - radius),
            ),
        )
        with k.when(gap < near):
            if hit is not None:
                k.set(hit, step + 1)
            k.jump("break")
        k.set(t, bounded(t + k.rng.number(0.6, 0.9) * gap, 0.0, 20.0))
        with k.when(t > far):
            k.jump("break")
    if hit is not None:
        k.store(output(k, "hits", I32), k.target, hit)
    finish(k, "depth", t, "Distance along each ray to the first obstacle, by sphere tracing")
