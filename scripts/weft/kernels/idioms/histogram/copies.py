"""Bins of a thread, of a block, and what is made of copies."""

from weft.kernels import intervals
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, ops
from weft.kernels.grids import threads
from weft.kernels.idioms.histogram.votes import own_bin
from weft.kernels.idioms.rows import row
from weft.kernels.results import describe, finish
from weft.kernels.types import F32, I32


def private_rows(k: Builder) -> None:
    """One thread counts a row of its own, without atomics."""
    k.real = F32
    integer = k.rng.chance(0.4)
    bins = k.rng.pick(4, 5, 8)
    found = row(k, I32 if integer else F32, {"integers": [0, 4 * bins]} if integer else uniform(-1.0, 1.0))
    i = k.target[0]
    how = k.rng.pick("array", "array", "mode", "spread", "one")
    counts = k.array(
        "row_counts",
        I32,
        [k.shape[0], str(bins)],
        {"constant": 0} if k.rng.chance(0.5) else {"integers": [0, 5]},
        "inout",
    )
    if k.rng.chance(0.5):
        with k.loop("b", 0, bins) as b:
            k.store(counts, (i, b), 0)
    with found.each() as (_, x):
        if integer:
            groupings = (
                (x % bins, "remainders"),
                (x // 4, "quarters"),
                (ops.min(x, bins - 1), "values, large ones together"),
            )
            # The bin of the large ones is hardly ever empty: it would always be the last that is not.
            place, word = k.rng.pick(*(groupings[:2] if how == "spread" else groupings))
            place, by = k.let("slot", place), f"{bins} {word}"
        else:
            place, by = own_bin(k, x, -1.0, 1.0, bins)
        k.store(counts, (i, place), 1, "+")
    doc = f"Counts of the {found.noun} of each row by {by}"
    if how == "array":
        describe(k, doc)
        return
    counts.interval = intervals.whole(0, 60)
    best = k.var("best", 0, type=I32, bounds=(0, 100))
    mode = k.var("mode", 0, type=I32, bounds=(0, bins - 1))
    with k.loop("b", 0, bins) as b:
        number = k.let("number", counts[i, b])
        if how == "spread":
            with k.when(number > 0):
                k.set(best, bounded(best + 1, 0, 100))
                k.set(mode, b)
        else:
            with k.when(number > best if how == "mode" else number.equals(1)):
                k.set(best, bounded(number, 0, 100) if how == "mode" else bounded(best + 1, 0, 100))
                k.set(mode, b)
    extra = {
        "mode": "the fullest bin, and how full it is",
        "spread": "the last bin that is not empty, and how many are not",
        "one": "the last bin with one element, and how many such there are",
    }[how]
    k.store(k.array("places", I32, k.shape, None, "out"), k.target, mode)
    finish(k, "fill", best, f"{doc}; {extra}")


def merged_copies(k: Builder) -> None:
    """Private copies of a histogram become one."""
    k.real = F32
    threads(k, 1, 2)
    copies = k.rng.pick(4, 8, 12, 16)
    kind = k.rng.pick(I32, I32, F32)
    layout = k.rng.pick("rows", "columns")
    shape = [str(copies), *k.shape] if layout == "rows" else [*k.shape, str(copies)]
    parts = k.array(
        k.rng.pick("copies", "partial_counts", "private_counts"), kind, shape, {"integers": [0, 40]}
    )
    total = k.var(
        "total",
        k.array("base_counts", kind, k.shape, {"integers": [0, 100]})[k.index] if k.rng.chance(0.3) else 0,
        type=kind,
    )
    fullest = k.var("fullest", 0, type=kind, bounds=(0, 40)) if k.rng.chance(0.4) else None
    with k.loop("c", 0, copies) as c:
        count = k.let("count", parts[(c, *k.index) if layout == "rows" else (*k.index, c)])
        if k.rng.chance(0.35):
            k.notes.append("Counts below 3 are noise and left out")
            with k.when(count >= 3):
                k.add(total, count)
        else:
            k.add(total, count)
        if fullest is not None:
            k.set(fullest, ops.max(fullest, count))
    if fullest is not None:
        k.store(k.array("fullest_copies", kind, k.shape, None, "out"), k.target, fullest)
        k.notes.append("The largest single count is stored as well")
    if kind == F32 and k.rng.chance(0.5):
        share = bounded(total, 0.0, 1000.0) / float(40 * copies)
        finish(k, "share", share, f"Share of each bin, merged from {copies} copies of a histogram")
    else:
        if kind == I32:
            total.interval = bounded(total, 0, 1000).interval
        finish(k, "merged_count", total, f"Counts of each bin, merged from {copies} copies of a histogram")
