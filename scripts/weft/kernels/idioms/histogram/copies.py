"""Bins of a thread, of a block, and what is made of copies."""

from weft.kernels import intervals, tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, lift, ops
from weft.kernels.grids import threads
from weft.kernels.idioms.histogram.votes import own_bin
from weft.kernels.idioms.rows import row
from weft.kernels.idioms.slabs import launch
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import F32, I32


def private_rows(k: Builder) -> None:
    """One thread counts a row of its own, without atomics."""
    k.real = F32
    integer = k.rng.chance(0.4)
    bins = k.rng.pick(4, 5, 8)
    found = row(k, I32 if integer else F32, {"integers": [0, 4 * bins]} if integer else uniform(-1.0, 1.0))
    i = k.index[0]
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
            place, word = k.rng.pick(
                (x % bins, "remainders"),
                (x // 4, "quarters"),
                (ops.min(x, bins - 1), "values, large ones together"),
            )
            place = k.let("slot", place)
        else:
            place, word = own_bin(k, x, -1.0, 1.0, bins)
            word = f"{word.rstrip(',')} bins"
        k.store(counts, (i, place), 1, "+")
    doc = f"Counts of the {found.noun} of each row by {bins} {word}"
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
    threads(k, 1, 2, indirect=True)
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


def shared_counts(k: Builder) -> None:
    """A block counts in shared memory and adds its counts to the global ones once."""
    width = k.rng.pick(32, 64)
    i = launch(k, k.rng.pick("chunk", "segment"), lane=True, width=width)
    assert k.lane is not None
    lane, (count,) = k.lane, k.dims
    bins = k.rng.pick(8, 10, 16)
    kind = k.rng.pick(I32, F32)
    rows = k.rng.chance(0.5)
    integer = k.rng.chance(0.5)
    element = I32 if integer else F32
    values = {"integers": [0, 200]} if integer else uniform(0.0, 1.0)
    data = k.array(
        k.rng.pick("samples", "codes"),
        element,
        [count, str(width)] if rows else [f"{width} * {count}"],
        values,
    )
    x = k.let("x", data[(i, lane) if rows else (i * width + lane,)])
    if integer:
        place, word = k.rng.pick(
            (x % bins, "remainders"),
            (ops.min(x // 16, bins - 1), "sixteenths"),
            ((x ^ (x >> 3)) % bins, "hashes"),
        )
        place = k.let("slot", place)
    else:
        place, word = own_bin(k, x, 0.0, 1.0, bins)
        word = f"{word.rstrip(',')} bins"
    shared = k.let(
        k.rng.pick("shared_counts", "local"), tiles.filled("zeros", (bins,), kind, storage="shared")
    )
    tested = k.rng.pick("all", "flag", "even", "large")
    if tested == "flag":
        counted = k.array("valid", I32, [count, str(width)], {"integers": [0, 2]})[i, lane].equals(1)
    elif tested == "even":
        counted = (lane % 2).equals(0)
    elif tested == "large":
        counted = x > (60 if integer else 0.3)
    else:
        counted = None
    amount: Expr = lift(1, kind)
    if k.rng.chance(0.4):
        amount = k.array("weights", kind, [count, str(width)], {"integers": [1, 6]})[i, lane]
        k.notes.append("Each counts with its weight")
    tiles.scatter_add(k, shared, place, amount, counted)
    notes = {
        "flag": "Only valid ones count",
        "even": "Every second one counts",
        "large": f"Only those above {60 if integer else 0.3} count",
    }
    if tested in notes:
        k.notes.append(notes[tested])
    ending = k.rng.pick("merge", "rows", "merge", "both")
    if ending in ("merge", "both"):
        tiles.atomic_add(k, k.array("counts", kind, [str(bins)], {"constant": 0}, "inout"), shared)
    if ending in ("rows", "both"):
        tiles.store(k, k.array("chunk_counts", kind, [count, str(bins)], None, "out"), shared, (0,), row=(i,))
        k.notes.append("The counts of each block are stored")
    describe(k, f"Counts by {bins} {word}, first in shared memory, {width} elements a block")
