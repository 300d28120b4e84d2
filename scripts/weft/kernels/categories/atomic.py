"""Threads that meet in one place: sums, counts and extremes by atomics."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import threads, whole
from weft.kernels.operators import convert, ops
from weft.kernels.types import F32, I32

REVISION = 1
TEACHES = "atomic adds, subtractions, minima and maxima into shared places"


def histogram(k: Builder) -> None:
    threads(k)
    bins = k.rng.pick(8, 16, 32)
    k.sizes["bins"] = str(bins)
    values = k.array("values", F32, k.shape, {"uniform": [0.0, 1.0]})
    counts = k.array("counts", I32, ["bins"], {"constant": 0}, "inout")
    bin = k.let("bin", ops.min(convert(I32, values[k.index] * float(bins)), bins - 1))
    k.atomic(k.rng.pick("add", "+="), counts, bin, 1)
    k.doc = f"Histogram of values in {bins} bins."


def weighted_total(k: Builder) -> None:
    threads(k)
    values = k.array("values", F32, k.shape, whole(-8, 8))
    weights = k.array("weights", F32, k.shape, whole(0, 8))
    total = k.array("total", F32, ["1"], {"constant": 0.0}, "inout")
    k.atomic("add", total, 0, values[k.index] * weights[k.index])
    k.doc = "Weighted sum of all values."
