"""Rows that a block sorts or scans in shared memory, and what is taken from them."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.program import Expr
from weft.kernels.types import F32, I32, scalar_of
from weft.kernels.words import plural

NOUNS = (("row", "rows", "score"), ("query", "queries", "distance"), ("sample", "samples", "logit"),
         ("ray", "rays", "depth"), ("channel", "channels", "reading"))  # fmt: skip
BLOCKS = ("(n + 63) // 64", "(n + 31) // 32")


def sorted_rows(k: Builder) -> None:
    """Rows in order: all of them, the largest few with their places, medians, quantiles."""
    kind = k.rng.pick(*_SORTS)
    (*names, sentence), k.real = _SORTS[kind], F32
    k.name, *k.other_names = k.rng.shuffled(names)
    index, rows, noun = k.rng.pick(*NOUNS)
    length, few = k.rng.pick(32, 64, 128, 128, 256), k.rng.pick(4, 8, 16)
    k.sizes[rows] = k.rng.pick(*BLOCKS)
    (row,) = k.blocks([rows], [index], min(128, length))
    shape, several = [rows, str(length)], plural(noun)
    keys = k.array(several, k.real, shape, uniform(0.5, 9.0))
    key = k.let(f"{noun}_tile", tiles.load(keys, (length,), row=(row,)))
    if kind == "pairs":
        labels = k.array("labels", I32, shape, whole(0, 999))
        value = k.let("label_tile", tiles.load(labels, (length,), row=(row,)))
    else:
        value = k.let("place_tile", tiles.arange(length, I32))
    tiles.sort(k, key, value)

    def keep(name: str, tile: Expr, size: int = length) -> None:
        out = k.array(name, scalar_of(tile.type), [rows, str(size)], None, "out")
        tiles.store(k, out, tile, row=(row,))

    start = length - few if kind == "largest" else 0
    low = k.rng.pick(length // 8, length // 4)
    high = length - low
    match kind:
        case "pairs":
            keep(f"sorted_{several}", key)
            keep("sorted_labels", value)
        case "order":
            keep("order", value)
        case "largest" | "smallest":
            keep(f"{kind}_{several}", tiles.view(key, (start,), (few,)), few)
            keep("places", tiles.view(value, (start,), (few,)), few)
        case _:
            k.equality = "bounded"
            if kind == "median":
                number = 0.5 * (key[length // 2 - 1] + key[length // 2])
            elif kind == "spread":
                number = key[high - 1] - key[low]
            else:
                middle = tiles.view(key, (low,), (high - low,))
                number = tiles.summed(middle, free_order=True)[0] / float(high - low)
            number = k.let(kind, number)
            with k.when(k.in_block().equals(0)):
                k.store(k.array(plural(kind), k.real, [rows], None, "out"), row, number)
    k.doc = (
        f"{sentence.format(noun=several, few=few)}. One block sorts each row of {length} in shared memory."
    )


_SORTS = {
    "pairs": ("sort_pairs", "sort_by_key", "sort_labels_by_key",
        "Sort the {noun} of each row together with the labels"),
    "order": ("argsort_rows", "rank_order", "Find the order that sorts the {noun} of each row"),
    "largest": ("top_k", "largest_of_rows", "top_candidates",
        "Find the {few} largest {noun} of each row and where they are, in ascending order"),
    "smallest": ("k_smallest", "nearest_k", "smallest_of_rows",
        "Find the {few} smallest {noun} of each row and where they are"),
    "median": ("row_medians", "median_of_rows", "Find the median of the {noun} of each row"),
    "spread": ("interquantile_range", "robust_spread",
        "Find the distance between two symmetric quantiles of the {noun} of each row"),
    "trimmed_mean": ("trimmed_means", "trimmed_mean_of_rows",
        "Average the {noun} of each row without the largest and smallest ones"),
}  # fmt: skip


def scanned_rows(k: Builder) -> None:
    """Running sums and extremes of rows, and what is made of them."""
    scan, (*names, sentence), (noun, low, high), label, finish = k.rng.pick(*_SCANS)
    k.name, *k.other_names = k.rng.shuffled(names)
    k.equality, k.real = "bounded", F32
    length, kind = k.rng.pick(64, 128, 256, 256), I32 if noun == "count" else k.real
    series = (("row", "rows"), ("series", "num_series"), ("channel", "channels"))
    index, rows = k.rng.pick(*series) if noun != "absorption" else ("ray", "rays")
    k.sizes[rows] = k.rng.pick(*BLOCKS)
    (row,) = k.blocks([rows], [index], min(128, length))
    values = whole(int(low), int(high)) if kind == I32 else uniform(low, high)
    data = k.array(plural(noun), kind, [rows, str(length)], values)
    tile = k.let(f"{noun}_tile", tiles.load(data, (length,), row=(row,)))
    result = tiles.scanned(scan, tile)
    if finish is not None:
        result = finish(k, tile, k.let("running", result), length)
    out = k.array(label, kind, [rows, str(length)], None, "out")
    tiles.store(k, out, result, row=(row,))
    k.doc = f"{sentence}. One block scans each row of {length} in shared memory."


def _shares(k: Builder, tile: Expr, running: Expr, length: int) -> Expr:
    return tiles.mapped("div", running, k.let("total", bounded(running[length - 1], 0.1, 1e4)))


def _transmitted(k: Builder, tile: Expr, running: Expr, length: int) -> Expr:
    doc = "Share of light that comes through an optical depth."
    return tiles.applied(k, "transmitted", doc, {"depth": running}, lambda b, depth: ops.exp(-depth))


def _averaged(k: Builder, tile: Expr, running: Expr, length: int) -> Expr:
    operands = {"total": running, "place": k.let("place", tiles.arange(length, I32))}
    doc = "A running sum over the number of its terms."

    def average(b: Builder, total: Expr, place: Expr) -> Expr:
        return total / convert(scalar_of(total.type), place + 1)

    return tiles.applied(k, "average_so_far", doc, operands, average)


Finish = Callable[[Builder, Expr, Expr, int], Expr]
_SCANS: tuple[tuple[str, tuple[str, ...], tuple[str, float, float], str, Finish | None], ...] = (
    ("inclusive", ("row_prefix_sums", "cumulative_sums", "Compute the running sums of each row"),
     ("value", -1.0, 1.0), "prefix_sums", None),
    ("exclusive", ("exclusive_sums", "exclusive_scan_rows",
     "Compute for each element the sum of those before it in the row"), ("weight", 0.0, 1.0),
     "sums_before", None),
    ("exclusive", ("row_offsets", "offsets_from_counts",
     "Compute where each bucket of a row begins, from the counts"), ("count", 0, 9), "offsets", None),
    ("max_inclusive", ("running_maximum", "cumulative_maximum", "Compute the running maximum of each row"),
     ("level", -1.0, 1.0), "running_maxima", None),
    ("inclusive", ("cumulative_distribution", "row_cdf",
     "Compute the cumulative distribution of each row of weights"), ("weight", 0.1, 1.0), "cumulative_shares",
     _shares),
    ("max_inclusive", ("drawdowns", "below_running_peak",
     "Compute how far each price of a row lies below the highest so far"), ("price", 50.0, 150.0),
     "drawdowns",
     lambda k, tile, running, length: running - tile),
    ("exclusive", ("ray_transmittance", "light_along_rays",
     "Compute by Beer and Lambert's law the light that comes to each sample of a ray through those before"),
     ("absorption", 0.0, 0.1), "transmittances", _transmitted),
    ("inclusive", ("running_averages", "cumulative_means",
     "Compute the mean of each row up to every element"),
     ("value", -1.0, 1.0), "running_means", _averaged),
)  # fmt: skip
