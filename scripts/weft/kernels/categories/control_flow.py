"""Jumps: early returns, break, continue, while loops with several exits."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.idioms import article, coefficient, curve, read, row, signal, threads, uniform, whole
from weft.kernels.results import describe, finish, output
from weft.kernels.types import I32

REVISION = 2
TEACHES = "early returns, break, continue, while loops and guards"


def escape_time(k: Builder) -> None:
    """Iterated maps that stop outside a circle of radius 4 at most, so that no step leads beyond 50."""
    threads(k)
    cx, cy = read(k, "re", -2.0, 0.6, array="re_values"), read(k, "im", -1.2, 1.2, array="im_values")
    limit = k.rng.pick(12, 16, 24, 32)
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
        finish(
            k, "place", found, f"Position of the first {word} above a level in each row, or -1", counted=False
        )


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


def even_odd_steps(k: Builder) -> None:
    """Integer loops with a data-dependent end."""
    threads(k)
    limit = k.rng.pick(30, 50, 80)
    value = k.var("value", read(k, "start", 1, 500, I32, inline=True), bounds=(1, 100000))
    steps = k.var("steps", 0, type=I32, bounds=(0, limit))
    peak = k.var("peak", 0, type=I32, bounds=(0, 100000)) if k.rng.chance(0.5) else None
    odd = k.var("odd_values", 0, type=I32) if k.rng.chance(0.3) else None
    thirds = k.rng.chance(0.3)
    with k.repeat((value > 1) & (steps < limit), limit):
        if thirds:
            with k.when((value % 3).equals(0)):
                k.set(value, ops.max(value // 3, 1))
        with (k.orwhen if thirds else k.when)((value % 2).equals(0)):
            k.set(value, ops.max(value // 2, 1) if thirds else value // 2)
        with k.otherwise():
            grown = k.rng.pick(3 * value + 1, value + 3, value + 7, 5 * value + 1, (3 * value + 1) // 2)
            k.set(value, k.rng.pick(ops.min(grown, 99999), grown % 99991 + 1))
        k.add(steps, 1)
        if odd is not None:
            with k.when((value % 2).equals(1)):
                k.add(odd, 1)
        if peak is not None:
            k.set(peak, ops.max(peak, value))
        if k.rng.chance(0.3):
            with k.when(value > k.rng.pick(200, 500, 1000)):
                k.jump("break")
    if thirds:
        k.notes.append("Multiples of three are divided by three")
    if odd is not None:
        k.store(output(k, "odd_counts", I32), k.target, odd)
        k.notes.append("Odd values on the way are counted as well")
    if peak is not None:
        k.store(output(k, "peaks", I32), k.target, peak)
    finish(k, "length", steps, f"Number of steps of an even-odd iteration, at most {limit}")


def guarded_update(k: Builder) -> None:
    """Early returns for invalid or idle elements."""
    threads(k)
    value, age = signal(k, "value", -2.0, 2.0), read(k, "age", 0, 20, I32)
    handle = output(k, k.rng.pick("states", "levels"), k.real, "inout", uniform(-1.0, 1.0))
    with k.when(age > k.rng.integer(12, 17)):
        cleared = k.rng.chance(0.5)
        if cleared:
            k.store(handle, k.target, 0.0)
        k.jump("return")
    k.notes.append(f"Old elements are {'set to zero' if cleared else 'left alone'}")
    old = handle[k.target]
    if k.rng.chance(0.6):
        near = k.rng.number(0.1, 0.5)
        with k.when(ops.abs(value - old) < near):
            decays = k.rng.chance(0.5)
            if decays:
                k.store(handle, k.target, old * k.rng.number(0.8, 0.98))
            k.jump("return")
        k.notes.append(f"States close to their value {'decay' if decays else 'stay as they are'}")
    shaped, word = curve(k, value)
    if value.interval.lo < 0.0 and k.rng.chance(0.5):
        with k.when((value < 0.0) & (age < k.rng.integer(4, 9))):
            other, what = k.rng.pick(
                (old - shaped, f"lose the {word} of their value"),
                (-old, "change their sign"),
                (0.5 * old, "are halved"),
            )
            k.store(handle, k.target, other)
            k.jump("return")
        k.notes.append(f"Young ones with a negative value {what}")
    rate = coefficient(k, "rate", 0.1, 0.5)
    new, verb = k.rng.pick(
        (old + rate * (shaped - old), "Move each state towards"),
        ((1.0 - rate) * old + rate * shaped, "Move each state towards"),
        (old + rate * shaped, "Add to each state a share of"),
    )
    k.store(handle, k.target, new)
    describe(k, f"{verb} {article(word)} of its value")


def sum_valid(k: Builder) -> None:
    """Skipping entries and stopping at a marker."""
    threads(k, 1, name=k.rng.pick("row", "node"))
    width = k.rng.pick(6, 8, 12)
    marks = row(k, k.rng.pick("marks", "status"), "width", width, whole(0, 9), I32)
    data = row(k, k.rng.pick("data", "loads"), "width", width, uniform(-1.0, 1.0))
    total, used = k.var("total", 0.0), k.var("used", 0, type=I32)
    stop, skip = k.rng.integer(7, 9), k.rng.integer(1, 3)
    with k.loop("j", 0, width) as j:
        mark = k.let("mark", marks(j))
        for kind in k.rng.shuffled(["stop", "skip"]):
            with k.when(mark.equals(stop) if kind == "stop" else mark < skip):
                k.jump("break" if kind == "stop" else "continue")
        value, word = curve(k, k.let("value", data(j))) if k.rng.chance(0.5) else (data(j), "value")
        if k.rng.chance(0.4):
            with k.when(mark > k.rng.integer(4, 6)):
                changed, how = k.rng.pick(
                    (value * 2.0, "twice"), (value * 0.5, "half"), (-value, "with the other sign")
                )
                k.add(total, changed)
            with k.otherwise():
                k.add(total, value)
            k.notes.append(f"Entries with large marks count {how}")
        else:
            k.add(total, value)
        k.add(used, 1)
    mean = total / convert(k.real, ops.max(used, 1))
    finish(k, "mean", mean, f"Mean {word} of the valid entries of each row, up to a stop mark")


def march_ray(k: Builder) -> None:
    """Steps along a ray until something is hit.

    A step starts at most at 8, where the gap is positive and below 13: t stays between 0 and 20.
    """
    threads(k, name=k.rng.pick("ray", "i"))
    slope, start = signal(k, "slope", -0.6, 0.6), read(k, "start", -1.0, 1.0)
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
        with k.when(gap < k.rng.pick(0.001, 0.01)):
            if hit is not None:
                k.set(hit, step + 1)
            k.jump("break")
        k.set(t, bounded(t + k.rng.number(0.6, 0.9) * gap, 0.0, 20.0))
        with k.when(t > far):
            k.jump("break")
    if hit is not None:
        k.store(output(k, "hits", I32), k.target, hit)
    finish(k, "depth", t, "Distance along each ray to the first obstacle, by sphere tracing")


def collect_budget(k: Builder) -> None:
    """Items taken until something runs out."""
    threads(k, 1, name=k.rng.pick("agent", "row"))
    width = k.rng.pick(6, 8, 10)
    costs = row(k, k.rng.pick("costs", "prices"), "width", width, uniform(0.05, 1.0))
    gains = row(k, "gains", "width", width, uniform(-0.5, 1.0)) if k.rng.chance(0.7) else None
    budget = k.var("budget", read(k, "allowance", 0.8, 3.0, inline=True))
    taken, gain = k.var("taken", 0, type=I32), k.var("gain", 0.0)
    greedy = k.rng.chance(0.5)
    with k.loop(k.rng.pick("j", "item"), 0, width) as j:
        cost = k.let("cost", costs(j))
        with k.when(cost > budget):
            k.jump("continue" if greedy else "break")
        if gains is not None:
            worth = k.let("worth", gains(j))
            if k.rng.chance(0.5):
                with k.when(worth < k.rng.number(0.05, 0.3)):
                    k.jump("continue")
                k.notes.append("Items of little worth are passed over")
            k.add(gain, worth)
        else:
            k.add(gain, k.rng.pick(cost * cost, 1.0 - cost))
        k.add(budget, cost, "-")
        k.add(taken, 1)
        if k.rng.chance(0.3):
            with k.when(taken.equals(k.rng.integer(3, 5))):
                k.jump("break")
            k.notes.append("Only a few items are taken")
    end = "skipping what is too dear" if greedy else "up to the first that is too dear"
    if k.rng.chance(0.5):
        k.store(output(k, "numbers_taken", I32), k.target, taken)
        finish(k, "gain", gain, f"Gain from items bought in order, {end}")
    else:
        value = gain + k.rng.number(0.1, 0.5) * convert(k.real, taken)
        finish(k, "score", value, f"Gain and number of items bought in order, {end}")
