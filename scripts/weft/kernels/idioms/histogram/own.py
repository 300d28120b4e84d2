"""Counts in an array of the thread's own, and what is read off them."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.effects import OwnArray, zeros
from weft.kernels.expressions import bounded, convert
from weft.kernels.idioms.histogram.votes import own_bin
from weft.kernels.idioms.rows import Row, row
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import F32, I32
from weft.kernels.words import told


def own_counts(k: Builder) -> None:
    """Each thread counts its row in its own memory: the fullest bin, the spread, the median."""
    k.real = F32
    labels = k.rng.chance(0.5)
    bins = k.rng.pick(4, 6, 8, 10)
    found = row(k, I32 if labels else F32, {"integers": [0, bins]} if labels else uniform(-1.0, 1.0))
    weighted = k.rng.chance(0.4)
    kind = k.rng.pick(I32, F32) if weighted else I32
    usual, largest = (1, 1) if not weighted else (5, 9) if kind == I32 else (1, 2)
    most = found.length * largest
    counts = zeros(k, k.rng.pick("counts", "tally", "votes"), kind, bins, 0, most)
    amounts = {"integers": [1, 9]} if kind == I32 else uniform(0.1, 2.0)
    weights = k.array("weights", kind, [str(found.length)], amounts) if weighted else None
    with found.each() as (j, x):
        if labels:
            place, by = x, f"{bins} labels"
        else:
            place, by = own_bin(k, x, -1.0, 1.0, bins)
        counts.put(place, bounded(counts[place] + (1 if weights is None else weights[j]), 0, most))
    doc = f"{'Weights' if weighted else 'Counts'} of the {found.noun} of each row by {by}"
    _read_off(k, counts, found, found.length * usual, doc)


def _read_off(k: Builder, counts: OwnArray, found: Row, total: int, doc: str) -> None:
    """`total` is about what the bins of a full row hold together: levels lie where some rows reach them."""
    kind, bins, most = counts.element, counts.length, counts.variable.interval.hi
    match k.rng.pick("table", "fullest", "fullest", "used", "squares", "median", "moment"):
        case "table":
            shape = [k.shape[0], str(bins)]
            share = coefficient(k, "unit", 0.05, 0.5, kinds="lp") if k.rng.chance(0.5) else None
            out = k.array("row_counts", kind if share is None else F32, shape, None, "out")
            with k.loop("at", 0, bins) as at:
                number: Expr = counts[at]
                if share is not None:
                    number = share * (convert(F32, number) if kind == I32 else number)
                k.store(out, (k.target[0], at), number)
            describe(k, doc if share is None else f"{doc}, times {told(share)}")
        case "fullest":
            best = k.var("best", 0, type=I32, bounds=(0, bins - 1))
            first = k.rng.chance(0.5)
            with k.loop("at", 1, bins) as at:
                fuller = counts[at] > counts[best] if first else counts[at] >= counts[best]
                with k.when(fuller):
                    k.set(best, at)
            k.notes.append(f"Of bins that hold the same the {'first' if first else 'last'} is taken")
            if k.rng.chance(0.5):
                finish(k, "mode", best, f"{doc}; the output is the fullest bin")
                return
            k.store(k.array("modes", I32, k.shape, None, "out"), k.target, best)
            finish(k, "height", counts[best], f"{doc}; the outputs are the fullest bin and what is in it")
        case "used":
            least = max(1, total // bins)
            used = k.var("used", 0, type=I32, bounds=(0, bins))
            with k.loop("at", 0, bins) as at, k.when(counts[at] >= least):
                k.set(used, bounded(used + 1, 0, bins))
            finish(k, "spread", used, f"{doc}; the output is how many bins hold {least} or more")
        case "squares":
            squares = k.var("squares", 0, type=kind)
            with k.loop("at", 0, bins) as at:
                k.add(squares, counts[at] * counts[at])
            squares.interval = Interval(0, most * most, kind == I32)
            finish(k, "concentration", squares, f"{doc}; the output is the sum of their squares")
        case "median":
            level = total // k.rng.pick(2, 3, 4)
            below = k.var("below", 0, type=kind, bounds=(0, most))
            middle = k.var("middle", bins - 1, type=I32, bounds=(0, bins - 1))
            with k.loop("at", 0, bins) as at:
                k.set(below, bounded(below + counts[at], 0, most))
                with k.when(below >= level):
                    k.set(middle, at)
                    k.jump("break")
            k.notes.append("Where it never does, the last bin is the output")
            finish(k, "rank_bin", middle, f"{doc}; the output is the bin where their sum reaches {level}")
        case _:
            moment = k.var("moment", 0, type=kind)
            with k.loop("at", 0, bins) as at:
                k.add(moment, (at if kind == I32 else convert(F32, at)) * counts[at])
            moment.interval = Interval(0, (bins - 1) * most, kind == I32)
            finish(k, "moment", moment, f"{doc}; the output is the sum of bins times what they hold")
