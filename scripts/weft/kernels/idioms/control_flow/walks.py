"""Loops that skip, branch and stop on what they read."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.results import describe, finish, output
from weft.kernels.types import I32
from weft.kernels.vocabulary import article, coefficient, curve, read, row, threads, uniform, whole


def even_odd_steps(k: Builder) -> None:
    """Integer loops with a data-dependent end.

    Some values pass the ceiling, some iterations reach the limit, and others end before it.
    """
    threads(k)
    limit = k.rng.pick(12, 20, 30)
    value = k.var("value", read(k, "start", 1, 500, I32, inline=True), bounds=(1, 100000))
    times, more, ceiling = k.rng.pick((3, 1, 1000), (1, 3, 400), (1, 7, 420), (5, 1, 1500), (3, 5, 900))
    wraps = k.rng.chance(0.5)
    stop = ceiling * k.rng.pick(3, 4) // 5 if k.rng.chance(0.3) else None
    steps = k.var("steps", 0, type=I32, bounds=(0, limit))
    peak = k.var("peak", 0, type=I32, bounds=(0, 100000)) if k.rng.chance(0.5) else None
    odd = k.var("odd_values", 0, type=I32) if k.rng.chance(0.3) else None
    thirds = k.rng.chance(0.3)
    with k.repeat((value > 1) & (steps < limit), limit):
        if thirds:
            with k.when((value % 3).equals(0)):
                k.set(value, bounded(value // 3, 1, 100000))
        with (k.orwhen if thirds else k.when)((value % 2).equals(0)):
            k.set(value, bounded(value // 2, 1, 100000))
        with k.otherwise():
            grown = (times * value if times > 1 else value) + more
            k.set(value, grown % ceiling + 1 if wraps else ops.min(grown, ceiling))
        k.add(steps, 1)
        if odd is not None:
            with k.when((value % 2).equals(1)):
                k.add(odd, 1)
        if peak is not None:
            k.set(peak, ops.max(peak, value))
        if stop is not None:
            with k.when(value > stop):
                k.jump("break")
    end = "begin again" if wraps else "stay there"
    k.notes.append(f"Values that would pass {ceiling} {end}")
    if stop is not None:
        k.notes.append(f"It ends early above {stop}")
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
    value, age = read(k, "value", -2.0, 2.0), read(k, "age", 0, 20, I32)
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
