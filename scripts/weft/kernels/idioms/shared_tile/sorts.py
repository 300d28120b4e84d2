"""Rows that a block sorts or scans in shared memory, and what is taken from them."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.types import F32, I32
from weft.kernels.words import plural
from weft.types import Scalar

NOUNS = (("row", "rows", "score"), ("query", "queries", "distance"), ("sample", "samples", "logit"),
         ("ray", "rays", "depth"), ("channel", "channels", "reading"))  # fmt: skip


def sorted_rows(k: Builder) -> None:
    """Rows in order: all of them, the largest few with their places, medians, quantiles, gaps."""
    kind = k.rng.pick("sorted", "order", "largest", "smallest", "median", "trimmed", "range", "pairs", "hits")
    k.name, *k.other_names = k.rng.shuffled(_SORTS[kind][0])
    index, rows, noun = k.rng.pick(*NOUNS)
    k.real = F32
    length = k.rng.pick(32, 64, 128, 128, 256)
    k.sizes[rows] = k.rng.pick("(n + 63) // 64", "(n + 127) // 128")
    (row,) = k.blocks([rows], [index], min(128, length))
    few = k.rng.pick(4, 8, 16)
    keys = k.array(
        plural(noun),
        k.real,
        [rows, str(length)],
        uniform(-1.0, 1.0) if noun != "depth" else uniform(0.5, 9.0),
    )
    key = k.let(f"{noun}_tile", tiles.load(keys, (length,), row=(row,)))
    if kind == "pairs":
        payload = k.array("labels", I32, [rows, str(length)], {"integers": [0, 1000]})
        value = k.let("label_tile", tiles.load(payload, (length,), row=(row,)))
    else:
        value = k.let("place_tile", tiles.arange(length, I32))
    tiles.sort(k, key, value)

    def keep(name: str, element: Scalar, tile: object, size: int) -> None:
        out = k.array(name, element, [rows, str(size)], None, "out")
        tiles.store(k, out, tile, row=(row,))  # type: ignore[arg-type]

    if kind in ("sorted", "pairs"):
        keep(f"sorted_{plural(noun)}", k.real, key, length)
        if kind == "pairs":
            keep("sorted_labels", I32, value, length)
    elif kind == "order":
        keep("order", I32, value, length)
    elif kind in ("largest", "smallest", "hits"):
        start = length - few if kind != "smallest" else 0
        keep(
            f"{kind if kind != 'hits' else 'top'}_{plural(noun)}",
            k.real,
            tiles.view(key, (start,), (few,)),
            few,
        )
        keep("places", I32, tiles.view(value, (start,), (few,)), few)
    else:
        k.equality = "bounded"
        low, high = k.rng.pick((length // 8, length - length // 8), (length // 4, length - length // 4))
        if kind == "median":
            result, name = 0.5 * (key[length // 2 - 1] + key[length // 2]), "median"
        elif kind == "range":
            result, name = key[high - 1] - key[low], "spread"
        else:
            middle = tiles.view(key, (low,), (high - low,))
            result, name = tiles.summed(middle, free_order=True)[0] / float(high - low), "trimmed_mean"
        result = k.let(name, result)
        with k.when(k.in_block().equals(0)):
            k.store(k.array(plural(name), k.real, [rows], None, "out"), row, result)
    sentence = _SORTS[kind][1].format(noun=plural(noun), few=few, low="quarter" if kind else "")
    k.doc = f"{sentence}. One block sorts each row of {length} in shared memory."


_SORTS = {
    "sorted": (("sort_rows", "row_sort", "sort_each_row"), "Sort the {noun} of each row"),
    "pairs": (("sort_pairs", "sort_by_key", "sort_labels_by_key"), "Sort the {noun} of each row together with the labels"),
    "order": (("argsort_rows", "rank_order"), "Find the order that sorts the {noun} of each row"),
    "largest": (("top_k", "largest_of_rows", "top_k_rows"), "Find the {few} largest {noun} of each row and where they are, in ascending order"),
    "hits": (("top_candidates", "beam_candidates"), "Keep the {few} largest {noun} of each row and where they are, as candidates"),
    "smallest": (("k_smallest", "nearest_k", "smallest_of_rows"), "Find the {few} smallest {noun} of each row and where they are"),
    "median": (("row_medians", "median_of_rows"), "Find the median of the {noun} of each row"),
    "range": (("interquantile_range", "robust_spread"), "Find the distance between two symmetric quantiles of the {noun} of each row"),
    "trimmed": (("trimmed_means", "trimmed_mean_of_rows"), "Average the {noun} of each row without the largest and smallest ones"),
}  # fmt: skip


def scanned_rows(k: Builder) -> None:
    """Running sums and extremes of rows, and what is chosen by them."""
    kind = k.rng.pick("sum", "exclusive", "max", "cdf", "offsets", "drawdown", "transmittance", "average")
    k.name, *k.other_names = k.rng.shuffled(_SCANS[kind][0])
    k.equality = "bounded"
    length = k.rng.pick(64, 128, 256, 256)
    index, rows = k.rng.pick(("row", "rows"), ("series", "num_series"), ("channel", "channels"))
    if kind == "transmittance":
        index, rows = "ray", "rays"
    k.sizes[rows] = k.rng.pick("(n + 63) // 64", "(n + 127) // 128")
    (row,) = k.blocks([rows], [index], min(128, length))
    noun, element, low, high = _SCANS[kind][2]
    values = {"integers": [int(low), int(high) + 1]} if element else uniform(low, high)
    kind_of = I32 if element else k.real
    data = k.array(plural(noun), kind_of, [rows, str(length)], values)
    tile = k.let(f"{noun}_tile", tiles.load(data, (length,), row=(row,)))
    match kind:
        case "max":
            result = tiles.scanned("max_inclusive", tile)
        case "exclusive" | "offsets":
            result = tiles.scanned("exclusive", tile)
        case "cdf":
            running = k.let("running", tiles.scanned("inclusive", tile))
            total = k.let("total", bounded(running[length - 1], low * length, high * length))
            result = tiles.mapped("div", running, total)
        case "drawdown":
            result = k.let("peak_tile", tiles.scanned("max_inclusive", tile)) - tile
        case "transmittance":
            depth = k.let("optical_depth", tiles.scanned("exclusive", tile))
            result = tiles.applied(k, "transmitted", "Share of light that comes through an optical depth.", {"depth": depth},
                                   lambda b, depth: ops.exp(-depth))  # fmt: skip
        case "average":
            running = k.let("running", tiles.scanned("inclusive", tile))
            place = k.let("place", tiles.arange(length, I32))
            result = tiles.applied(k, "average_so_far", "A running sum over the number of its terms.", {"total": running, "place": place},
                                   lambda b, total, place: total / convert(k.real, place + 1))  # fmt: skip
        case _:
            result = tiles.scanned("inclusive", tile)
    out = k.array(_SCANS[kind][3], kind_of, [rows, str(length)], None, "out")
    tiles.store(k, out, result, row=(row,))
    k.doc = f"{_SCANS[kind][1]}. One block scans each row of {length} in shared memory."


_SCANS = {
    "sum": (("row_prefix_sums", "cumulative_sums"), "Compute the running sums of each row", ("value", False, -1.0, 1.0), "prefix_sums"),
    "exclusive": (("exclusive_sums", "exclusive_scan_rows"), "Compute for each element the sum of those before it in the row", ("weight", False, 0.0, 1.0), "sums_before"),
    "offsets": (("row_offsets", "offsets_from_counts"), "Compute where each bucket of a row begins, from the counts", ("count", True, 0, 9), "offsets"),
    "max": (("running_maximum", "cumulative_maximum"), "Compute the running maximum of each row", ("level", False, -1.0, 1.0), "running_maxima"),
    "cdf": (("cumulative_distribution", "row_cdf"), "Compute the cumulative distribution of each row of weights", ("weight", False, 0.1, 1.0), "cumulative_shares"),
    "drawdown": (("drawdowns", "below_running_peak"), "Compute how far each price lies below the highest before it", ("price", False, 50.0, 150.0), "drawdowns"),
    "transmittance": (("ray_transmittance", "light_along_rays"), "Compute the light that reaches each sample of a ray through those before it, by the law of Beer and Lambert", ("absorption", False, 0.0, 0.1), "transmittances"),
    "average": (("running_averages", "cumulative_means"), "Compute the mean of each row up to every element", ("value", False, -1.0, 1.0), "running_means"),
}  # fmt: skip
