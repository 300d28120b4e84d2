"""Reductions of a row by one thread: folds, moments, compensated sums."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.holes import term
from weft.kernels.idioms.rows import row, size_of
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.words import told


def row_fold(k: Builder) -> None:
    """One number from each row, element by element."""
    found = row(k, k.real)
    how = k.rng.pick("sum", "sum", "largest", "smallest", "product", "range", "count", "mean", "alternating")
    start = {"largest": -100.0, "smallest": 100.0, "product": 1.0, "range": -100.0}.get(how, 0.0)
    bounds = (-100.0, 100.0) if how in ("largest", "smallest", "range", "product") else None
    total = k.var(k.rng.pick("total", "acc", "result"), start, bounds=bounds)
    lowest = k.var("lowest", 100.0, bounds=(-100.0, 100.0)) if how == "range" else None
    number = k.var("number", 0, type=I32) if how == "count" else None
    cutoff: Expr | None = None
    with found.each() as (j, x):
        value, word = term(k, x, found.noun, strict=how in ("smallest", "largest", "range"))
        match how:
            case "largest" | "range":
                k.set(total, bounded(ops.max(total, value), -100.0, 100.0))
                if lowest is not None:
                    k.set(lowest, bounded(ops.min(lowest, value), -100.0, 100.0))
            case "smallest":
                k.set(total, bounded(ops.min(total, value), -100.0, 100.0))
            case "product":
                k.set(total, bounded(total * (1.0 + 0.1 * ops.tanh(value)), -100.0, 100.0))
            case "count":
                assert number is not None
                low, high = value.interval.lo, value.interval.hi
                cutoff = coefficient(k, "cutoff", 0.7 * low + 0.3 * high, 0.4 * low + 0.6 * high, kinds="lp")
                with k.when(value > cutoff):
                    k.add(number, 1)
                    k.add(total, value)
            case "alternating":
                k.add(total, conditional((j % 2).equals(0), value, -value))
            case _:
                k.add(total, value)
    if number is not None and cutoff is not None:
        share = total / (1.0 + convert(k.real, number))
        finish(
            k,
            "excess",
            share,
            f"Total of the {word} above {told(cutoff)} in each row, over one more than their number",
        )
        return
    result: Expr = total
    if how == "range" and lowest is not None:
        result = total - lowest
    if how == "mean":
        result = total / size_of(found, k.real)
    nouns = {"product": "Product of 1 plus a tenth of the tanh", "alternating": "Alternating sum"}
    noun = nouns.get(how, how.capitalize())
    finish(
        k,
        k.rng.pick("total_value", "summary", "row_value"),
        bounded(result, -5.0, 5.0),
        f"{noun} of the {word} in each row",
    )


def compensated_sum(k: Builder) -> None:
    """Sums that keep what rounding loses."""
    found = row(k, k.real)
    kind = k.rng.pick("Kahan", "Kahan", "Neumaier", "pairwise", "two halves")
    total = k.var("total", 0.0)
    lost = k.var(k.rng.pick("lost", "correction", "c"), 0.0)
    with found.each() as (j, x):
        value, word = term(k, x, found.noun)
        match kind:
            case "Kahan":
                corrected = k.let("corrected", value - lost)
                updated = k.let("updated", total + corrected)
                k.set(lost, updated - total - corrected)
                k.set(total, updated)
            case "Neumaier":
                value = value if isinstance(value, Name) else k.let("amount", value)
                updated = k.let("updated", total + value)
                with k.when(ops.abs(total) >= ops.abs(value)):
                    k.add(lost, total - updated + value)
                with k.otherwise():
                    k.add(lost, value - updated + total)
                k.set(total, updated)
            case "pairwise":
                with k.when((j % 2).equals(0)):
                    k.set(lost, value)
                with k.otherwise():
                    k.add(total, lost + value)
                    k.set(lost, lift(0.0, k.real))
            case _:
                with k.when(j < found.length // 2):
                    k.add(lost, value)
                with k.otherwise():
                    k.add(total, value)
    result = total if kind == "Kahan" else total + lost
    scaled = bounded(result, -5.0, 5.0)
    way = {"pairwise": "pair by pair", "two halves": "half by half"}.get(kind, f"by {kind}'s method")
    mean = k.rng.chance(0.3)
    name = k.rng.pick("precise_sum", "total_value", "balance")
    doc = f"{'Mean' if mean else 'Sum'} of the {word.rstrip(',')} of each row, added {way}"
    finish(k, name, scaled / size_of(found, k.real) if mean else scaled, doc)


def moments(k: Builder) -> None:
    """Mean and spread of a row in one pass."""
    found = row(k, k.real, uniform(*k.rng.pick((-1.0, 1.0), (0.0, 2.0), (1.0, 3.0))))
    how = k.rng.pick("online", "online", "two passes", "shifted", "weighted")
    mean, spread = k.var("mean", 0.0), k.var(k.rng.pick("m2", "spread", "deviations"), 0.0)
    seen = k.var("seen", 0.0)
    if how == "two passes":
        with found.each() as (_, x):
            value, word = term(k, x, found.noun, simple=True)
            k.add(mean, value)
            k.add(seen, 1.0)
        center = (
            k.let("center", mean / bounded(seen + 0.001, 0.5, 50.0))
            if found.skip is not None
            else k.let("center", mean / size_of(found, k.real))
        )
        with found.each() as (_, x):
            gap = k.let("gap", x - center)
            k.add(spread, k.rng.pick(gap * gap, ops.abs(gap)))
        doc = f"Spread of the {found.noun} of each row around the mean of the {word.rstrip(',')}"
    else:
        weights = (
            k.array("weights", k.real, [str(found.length)], uniform(0.5, 1.5)) if how == "weighted" else None
        )
        first = coefficient(k, "origin", 0.2, 1.0, kinds="lp") if how == "shifted" else None
        with found.each() as (j, x):
            value, word = term(k, x, found.noun, simple=True)
            if first is not None:
                gap = k.let("gap", value - first)
                k.add(mean, gap)
                k.add(spread, gap * gap)
                k.add(seen, 1.0)
            else:
                weight: Expr = weights[j] if weights is not None else lift(1.0, k.real)
                k.add(seen, weight)
                delta = k.let("delta", value - mean)
                step = (
                    delta * weight / bounded(seen, 0.5, 80.0)
                    if weights is not None
                    else delta / bounded(seen, 1.0, 80.0)
                )
                k.set(mean, mean + step)
                again = value - mean
                k.add(spread, (weight * delta if weights is not None else delta) * again)
        word = word.rstrip(",")
        doc = {
            "online": f"Spread of the {word} in each row, by Welford's method",
            "shifted": f"Spread of the {word} in each row around a fixed origin",
            "weighted": f"Weighted spread of the {word} in each row, by West's method",
        }[how]
    norm = bounded(seen + 0.001, 0.5, 80.0)
    variance = k.let("variance", bounded(spread, 0.0, 1e3) / norm)
    if how == "shifted":
        kept = mean / norm
        result = k.rng.pick(ops.sqrt(variance) + kept, variance + kept, variance - kept * kept)
    else:
        result = k.rng.pick(
            variance,
            ops.sqrt(variance + 0.01),
            variance / (1.0 + ops.abs(mean)) if how != "two passes" else ops.sqrt(variance + 0.05),
        )
    finish(
        k,
        k.rng.pick("dispersion", "volatility", "uncertainty"),
        bounded(result, -100.0, 1e3),
        doc,
    )


def log_sum_exp(k: Builder) -> None:
    """Sums of exponentials that cannot overflow."""
    found = row(k, k.real, uniform(-3.0, 3.0))
    how = k.rng.pick("two passes", "two passes", "online", "fixed")
    heat = coefficient(k, k.rng.pick("temperature", "sharpness", "beta"), 0.5, 2.0, kinds="lp")
    top = k.var("top", -50.0, bounds=(-50.0, 50.0)) if how != "fixed" else None
    total = k.var(k.rng.pick("total", "partition"), 0.0)
    first = k.var("weighted", 0.0) if k.rng.chance(0.35) else None
    if how == "two passes" and top is not None:
        with found.each() as (_, x):
            k.set(top, bounded(ops.max(top, heat * x), -50.0, 50.0))
        with found.each() as (_, x):
            share = k.let("share", ops.exp(bounded(heat * x - top, -40.0, 0.0)))
            k.add(total, share)
            if first is not None:
                k.add(first, share * x)
    elif top is not None:
        with found.each() as (_, x):
            level = k.let("level", heat * x)
            with k.when(level > top):
                fade = k.let("fade", ops.exp(bounded(top - level, -80.0, 0.0)))
                k.set(total, bounded(total * fade + 1.0, 0.0, 100.0))
                if first is not None:
                    k.set(first, bounded(first * fade + x, -300.0, 300.0))
                k.set(top, bounded(level, -50.0, 50.0))
            with k.otherwise():
                share = k.let("share", ops.exp(bounded(level - top, -40.0, 0.0)))
                k.add(total, share)
                if first is not None:
                    k.add(first, share * x)
    else:
        with found.each() as (_, x):
            share = k.let("share", ops.exp(bounded(heat * x - 6.0, -40.0, 0.0)))
            k.add(total, share)
            if first is not None:
                k.add(first, share * x)
    safe = bounded(total + 0.001, 1e-7, 1e4)
    passes = {"two passes": "in two passes", "online": "in one pass", "fixed": "below a fixed level"}[how]
    if first is not None:
        finish(
            k,
            "expected",
            bounded(first, -300.0, 300.0) / bounded(safe, 0.001, 100.0),
            f"Mean of the {found.noun} of each row, weighted by exponentials, {passes}",
        )
    elif top is not None:
        finish(
            k,
            "free_energy",
            top + ops.log(safe),
            f"Logarithm of the sum of exponentials of the {found.noun} of each row, {passes}",
        )
    else:
        finish(
            k,
            "free_energy",
            6.0 + ops.log(safe),
            f"Logarithm of the sum of exponentials of the {found.noun} of each row, {passes}",
        )
