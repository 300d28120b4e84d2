"""Counts and sums that many threads add to."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, convert, lift, ops
from weft.kernels.idioms.atomic.amounts import drawn_amount, gathered, kept_beside, skip_some
from weft.kernels.program import Expr
from weft.kernels.results import describe
from weft.kernels.types import F32, F64, I32, I64, U32
from weft.kernels.vocabulary import threads, uniform, whole


def histogram(k: Builder) -> None:
    """Counts per bin."""
    threads(k)
    bins = k.rng.pick(8, 10, 16, 32)
    k.sizes["bins"] = str(bins)
    low, high = k.rng.pick((0.0, 1.0), (-1.0, 1.0), (0.0, 4.0))
    value = k.array(k.rng.pick("values", "samples", "intensities"), F32, k.shape, uniform(low, high))[k.index]
    scaled = value * float(bins) if (low, high) == (0.0, 1.0) else (value - low) * (bins / (high - low))
    slot = k.let(
        k.rng.pick("bin_index", "slot"),
        k.rng.pick(
            ops.min(convert(I32, scaled), bins - 1), ops.clamp(convert(I32, ops.floor(scaled)), 0, bins - 1)
        ),
    )
    kind = k.rng.pick(I32, I32, U32, F32)
    counts = k.array("counts", kind, ["bins"], {"constant": 0}, "inout")
    if k.rng.chance(0.5):
        amount: Expr | int = 1
        word = "Histogram"
    else:
        amount, what = drawn_amount(k, kind)
        word = f"Histogram, weighted by {what},"
    if k.rng.chance(0.3):
        k.store(k.array("own_bins", I32, k.shape, None, "out"), k.target, slot)
        k.notes.append("The bin of each element is stored as well")
    else:
        amount = kept_beside(k, amount)
    where = gathered(k, counts, slot, amount, k.rng.pick("add", "+="))
    describe(k, f"{word} in {bins} bins{where}")


def grand_total(k: Builder) -> None:
    """One sum over all threads, and a count beside it."""
    threads(k)
    kind = k.rng.pick(F32, F32, F64, I32, I64)
    amount: Expr | int
    amount, what = drawn_amount(k, kind)
    total = k.array(k.rng.pick("total", "accumulator"), kind, ["1"], {"constant": 0}, "inout")
    if amount.interval.lo <= 0 < amount.interval.hi and k.rng.chance(0.4):
        named = k.let("contribution", amount)
        count = k.array("number", I32, ["1"], {"constant": 0}, "inout")
        with k.when(named > 0):
            k.atomic("add", total, 0, named)
            k.atomic(k.rng.pick("add", "+="), count, 0, 1)
        describe(k, f"Sum and number of the positive ones among all {what}")
    else:
        kind_of_atomic, word = k.rng.pick(
            ("add", "Total"), ("+=", "Total"), ("sub", "Negated total"), ("-=", "Negated total")
        )
        where = gathered(k, total, 0, kept_beside(k, amount), kind_of_atomic)
        describe(k, f"{word} of the {what}{where}")


def segment_sum(k: Builder) -> None:
    """Sums by group."""
    threads(k)
    groups = k.rng.pick("(n + 7) // 8", "(n + 31) // 32", "16", "max(n // 4, 1)")
    name = k.rng.pick("groups", "segments", "cells")
    k.sizes[name] = groups
    kind = k.rng.pick(F32, F32, F64, I32)
    ids = k.array(k.rng.pick("ids", f"{name[:-1]}_ids", "owners"), I32, k.shape, {"integers": [0, name]})
    group = k.let(k.rng.pick(name[:-1], "g"), ids[k.index])
    amount: Expr | int
    amount, what = drawn_amount(k, kind)
    sums = k.array(k.rng.pick("sums", "totals", f"{name[:-1]}_sums"), kind, [name], {"constant": 0}, "inout")
    counted = k.rng.chance(0.4)
    amount = amount if counted else kept_beside(k, amount)
    where = gathered(k, sums, group, amount, k.rng.pick("add", "add", "+="))
    if counted:
        counts = k.array("counts", I32, [name], {"constant": 0}, "inout")
        k.atomic("add", counts, group, 1)
        k.notes.append("All elements are counted as well")
    describe(k, f"Total of the {what} per {name[:-1]}{where}")


def confusion_matrix(k: Builder) -> None:
    """Pairs of labels, counted in a table."""
    threads(k)
    classes = k.rng.pick(3, 4, 5, 8)
    k.sizes["classes"] = str(classes)
    truth = k.array(k.rng.pick("truths", "labels"), I32, k.shape, whole(0, classes - 1))[k.index]
    guess = k.array(k.rng.pick("guesses", "predictions"), I32, k.shape, whole(0, classes - 1))[k.index]
    kind = k.rng.pick(I32, F32)
    amount, what = (1, "") if k.rng.chance(0.5) else drawn_amount(k, kind)
    weighted = f", weighted by {what}" if what else ""
    amount = kept_beside(k, amount)
    if k.rng.chance(0.3):
        agreed = k.array("agreed", I32, k.shape, None, "out")
        k.store(
            agreed,
            k.target,
            conditional(truth.equals(guess), lift(k.rng.pick(1, 2), I32), lift(k.rng.pick(0, -1), I32)),
        )
        k.notes.append("Whether both labels agree is stored as well")
    elif k.rng.chance(0.3):
        skip_some(k)
    shape = k.rng.pick("table", "flat", "hits")
    if shape == "table":
        table = k.array("confusion", kind, ["classes", "classes"], {"constant": 0}, "inout")
        where = gathered(k, table, (truth, guess), amount, k.rng.pick("add", "+="))
        describe(k, f"Confusion matrix of {classes} classes{weighted}{where}")
    elif shape == "flat":
        table = k.array("confusion", kind, [str(classes * classes)], {"constant": 0}, "inout")
        where = gathered(k, table, truth * classes + guess, amount, k.rng.pick("add", "+="))
        describe(k, f"Flat confusion matrix of {classes} classes{weighted}{where}")
    else:
        hits = k.array("hits", kind, ["classes"], {"constant": 0}, "inout")
        misses = k.array("misses", kind, ["classes"], {"constant": 0}, "inout")
        with k.when(truth.equals(guess)):
            k.atomic("add", hits, truth, amount)
        with k.otherwise():
            k.atomic("add", misses, k.rng.pick(truth, guess), amount)
        describe(k, f"Hits and misses for each of {classes} classes{weighted}")
