"""Steps of parallel scans, and what their results are for: sampling, expansion, placing, box sums."""

from __future__ import annotations

import dataclasses
from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, conditional, convert, lift, ops, within
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32, U32
from weft.types import Scalar

_PLURALS = {"sum": "sums", "maximum": "maxima", "minimum": "minima"}


def _numbers(k: Builder) -> tuple[Scalar, dict[str, Any]]:
    """A type of numbers to scan, and their recipe."""
    kind: Scalar = k.rng.pick(k.real, k.real, I32)
    return kind, {"integers": [0, 10]} if kind == I32 else uniform(-1.0, 1.0)


def _called(k: Builder, *names: str) -> None:
    """Name the kernel by one of these."""
    k.name, *k.other_names = k.rng.shuffled(names)


def hillis_steele_step(k: Builder) -> None:
    """One step of the scan of Hillis and Steele (1986), from one array to the other."""
    how = k.rng.pick("sum", "sum", "maximum", "minimum")
    _called(k, "hillis_steele_step", f"doubling_{how}", f"scan_step_{how}", f"inclusive_{how}_step")
    (i,) = k.threads(["n"], ["i"])
    kind, values = _numbers(k)
    partial = k.array(k.rng.pick("partials", "source", "values_in"), kind, ["n"], values)
    offset = k.scalar("offset", I32, {"integers": [1, 64]})
    total = k.var("total", partial[i], type=kind, bounds=(-100, 100))
    heads = k.array("head_flags", I32, ["n"], {"integers": [0, 2]}) if k.rng.chance(0.35) else None
    head = None if heads is None else k.var("head", heads[i], bounds=(0, 1))
    with k.when(i >= offset if head is None else (i >= offset) & head.equals(0)):
        before = partial[within(i - offset, "n")]
        if how == "sum":
            k.add(total, bounded(before, 0, 0))
        else:
            joined = ops.max(total, before) if how == "maximum" else ops.min(total, before)
            k.set(total, bounded(joined, -100, 100))
        if heads is not None and head is not None:
            k.set(head, heads[within(i - offset, "n")])
    k.store(k.array(k.rng.pick("new_partials", "target", "values_out"), kind, ["n"], None, "out"), i, total)
    if head is not None:
        k.store(k.array("new_head_flags", I32, ["n"], None, "out"), i, head)
        k.notes.append("Nothing passes the head of a segment")
    _tell(
        k,
        f"Advance the inclusive scan of {_PLURALS[how]} by one step: "
        "each element meets the one offset places before",
    )


def _tell(k: Builder, doc: str) -> None:
    """The docstring, with what was noted."""
    k.doc = " ".join(f"{one}." for one in [doc, *dict.fromkeys(k.notes)])


def _pair(k: Builder, stride: int, how: str) -> tuple[ArrayHandle, Name, Name]:
    """The tree of a scan, and the last elements of two neighbouring subtrees of it."""
    (pair,) = k.threads(["n"], [k.rng.pick("pair", "node", "i")])
    kind, values = _numbers(k)
    tree = k.array(
        k.rng.pick("tree", "partials", _PLURALS[how]), kind, [f"{2 * stride} * n"], values, "inout"
    )
    left = k.let("left", pair * (2 * stride) + (stride - 1))
    right = k.let("right", pair * (2 * stride) + (2 * stride - 1))
    return tree, left, right


def up_sweep(k: Builder) -> None:
    """A level of the reduction in a work-efficient scan (Blelloch 1990)."""
    how = k.rng.pick("sum", "maximum", "minimum")
    _called(k, "up_sweep", f"{how}_up_sweep", f"reduce_{how}_pairs", f"upsweep_{how}_level")
    stride = 1 << k.rng.integer(0, 5)
    tree, left, right = _pair(k, stride, how)
    if how == "sum":
        k.store(tree, right, tree[left], "+")
    else:
        k.store(tree, right, (ops.max if how == "maximum" else ops.min)(tree[left], tree[right]))
    told = {"sum": "add", "maximum": "take the maximum of", "minimum": "take the minimum of"}[how]
    k.doc = f"Go up one level in the tree of a scan: {told} the ends of two subtrees of {stride} elements."
    if stride == 1:
        k.doc = f"Begin the tree of a scan: {told} each pair of neighbors."


def down_sweep(k: Builder) -> None:
    """A level of the way back in a work-efficient scan (Blelloch 1990)."""
    how = k.rng.pick("sum", "maximum", "minimum")
    _called(k, "down_sweep", f"{how}_down_sweep", f"distribute_{_PLURALS[how]}", f"downsweep_{how}_level")
    stride = 1 << k.rng.integer(0, 5)
    tree, left, right = _pair(k, stride, how)
    kept = k.let(k.rng.pick(f"left_{how}", "kept"), tree[left])
    above = k.let("above", tree[right])
    k.store(tree, left, above)
    if how == "sum":
        k.store(tree, right, kept + above)
    else:
        k.store(tree, right, (ops.max if how == "maximum" else ops.min)(kept, above))
    size = "1 element" if stride == 1 else f"{stride} elements"
    k.doc = (
        f"Go down one level in the tree of an exclusive scan of {_PLURALS[how]}: the left subtree takes the "
        f"value from above, and the right one the {how} of that and what the left one held, {size} each."
    )


def add_block_offsets(k: Builder) -> None:
    """The last pass of a scan in blocks."""
    _called(k, "add_block_offsets", "propagate_block_sums", "uniform_add", "finish_block_scan")
    size = k.rng.pick(64, 128, 256, 512, 1024)
    (i,) = k.threads(["n"], ["i"])
    kind, values = _numbers(k)
    k.sizes["blocks"] = f"(n + {size - 1}) // {size}"
    local = k.array(k.rng.pick("prefixes", "scanned"), kind, ["n"], values, "inout")
    inclusive = k.rng.chance(0.5)
    sums = k.array("scanned_block_sums" if inclusive else "block_offsets", kind, ["blocks"], values)
    block = k.let("block", i // size)
    block.interval = Interval(0, k.largest("blocks") - 1, True, "blocks", -1)
    if not inclusive:
        k.store(local, i, sums[block], "+")
        k.doc = (
            f"Complete a prefix sum over blocks of {size} elements: add to each element the offset of its "
            "block, the sum of all earlier blocks."
        )
        return
    with k.when(block > 0):
        before = block - 1
        before.interval = dataclasses.replace(block.interval)
        k.store(local, i, sums[before], "+")
    k.doc = (
        f"Complete a prefix sum over blocks of {size} elements: add to each element the sum of all blocks "
        "before its own, read from the inclusive scan of the block sums."
    )


def _searched(k: Builder, name: str, starts: ArrayHandle, wanted: Expr, size: str) -> Name:
    """The last place whose entry is not above a number, or the first of all, by binary search."""
    count, top = k.size("count" if size == "n" else size, size), k.largest(size)
    low = k.var(name, 0, type=I32, bounds=(0, top - 1))
    high = k.var("high", count, bounds=(0, top))
    with k.repeat(high - low > 1, 18):
        middle = k.let("middle", within((low + high) // 2, size))
        with k.when(starts[middle] <= wanted):
            k.set(low, bounded(middle, 0, top - 1))
            middle.interval = Interval(0, top - 1, True, size, -1)
        with k.otherwise():
            k.set(high, middle)
    return dataclasses.replace(low, interval=Interval(0, top - 1, True, size, -1))


def _rising(k: Builder, name: str, size: str, stride: int) -> ArrayHandle:
    """Whole numbers that rise by `stride` on average."""
    array = k.array(name, I32, [size], {"offsets": [stride, stride]})
    array.interval = Interval(0, stride * k.largest(size), True)
    return array


def inverse_sampling(k: Builder) -> None:
    """Draws in proportion to weights, whose running sums are given."""
    _called(
        k, "inverse_sampling", "sample_from_cumulative", "draw_by_weight", "roulette_selection", "resample"
    )
    (i,) = k.threads(["n"], [k.rng.pick("i", "draw")])
    k.sizes["bins"] = k.rng.pick("max(n // 2, 2)", "64", "1000")
    stride = k.rng.pick(3, 8, 20)
    cumulative = _rising(k, k.rng.pick("cumulative_weights", "cumulative"), "bins", stride)
    wanted = k.let("wanted", k.array("draws", I32, ["n"], {"integers": [0, f"{stride} * bins"]})[i])
    found = _searched(k, "chosen", cumulative, wanted, "bins")
    if k.rng.chance(0.5):
        values = k.array("values", k.real, ["bins"], uniform(-1.0, 1.0))
        k.store(k.array("samples", k.real, ["n"], None, "out"), i, values[found])
        k.doc = "Draw values in proportion to weights, by a binary search of the running sums of the weights."
    else:
        k.store(k.array("chosen_bins", I32, ["n"], None, "out"), i, found)
        k.doc = "Draw bins in proportion to weights, by a binary search of the running sums of the weights."


def expand_runs(k: Builder) -> None:
    """Run-length decoding: every output finds its run."""
    _called(k, "expand_runs", "run_length_decode", "decode_runs", "repeat_values")
    stride = k.rng.pick(3, 5, 8)
    k.sizes["num_outputs"] = f"{stride} * n"
    (place,) = k.threads(["num_outputs"], [k.rng.pick("i", "place")])
    starts = _rising(k, "run_starts", "n", stride)
    run = _searched(k, "run", starts, place, "n")
    kind, values = _numbers(k)
    given = k.array("run_values", kind, ["n"], values)
    k.store(k.array("decoded", kind, ["num_outputs"], None, "out"), place, given[run])
    if k.rng.chance(0.4):
        k.store(k.array("run_places", I32, ["num_outputs"], None, "out"), place, place - starts[run])
        k.notes.append("The place in the run is stored as well")
    _tell(k, "Decode runs of equal values: each output finds the run that it lies in by binary search")


def edge_sources(k: Builder) -> None:
    """Load balancing over the rows of a sparse matrix: every entry finds its row."""
    stride = k.rng.pick(4, 6)
    k.sizes["num_entries"] = f"{stride} * n"
    (entry,) = k.threads(["num_entries"], [k.rng.pick("e", "entry")])
    row = _searched(k, "row", _rising(k, "row_starts", "n", stride), entry, "n")
    if k.rng.chance(0.5):
        _called(k, "edge_sources", "expand_row_starts", "rows_of_entries")
        k.store(k.array("row_of_entry", I32, ["num_entries"], None, "out"), entry, row)
        k.doc = "Find the row of each entry of a sparse matrix in CSR by binary search of the row starts."
        return
    _called(k, "scale_sparse_rows", "scale_rows_by_entry", "row_scaling")
    entries = k.array("entries", k.real, ["num_entries"], uniform(-1.0, 1.0), "inout")
    scale = k.array("row_scales", k.real, ["n"], uniform(0.2, 2.0))
    k.store(entries, entry, scale[row], "*")
    k.doc = "Scale the rows of a sparse matrix in CSR, whose entries find their row by binary search."


def sorted_lookup(k: Builder) -> None:
    """A join: keys are looked up in sorted ones."""
    (i,) = k.threads(["n"], [k.rng.pick("i", "query")])
    k.sizes["num_keys"] = k.rng.pick("max(n // 2, 2)", "100", "2 * n")
    stride = k.rng.pick(2, 3)
    keys = _rising(k, "sorted_keys", "num_keys", stride)
    wanted = k.let("key", k.array("query_keys", I32, ["n"], {"integers": [0, f"{stride} * num_keys"]})[i])
    place = _searched(k, "place", keys, wanted, "num_keys")
    found = keys[place].equals(wanted)
    if k.rng.chance(0.5):
        _called(k, "sorted_lookup", "lookup_sorted_keys", "find_keys")
        k.store(k.array("matches", I32, ["n"], None, "out"), i, conditional(found, place, -1))
        k.doc = "Find the place of each key among sorted keys by binary search, or -1 where there is none."
        return
    _called(k, "join_by_key", "merge_by_key", "join_sorted")
    kind, values = _numbers(k)
    table = k.array("table_values", kind, ["num_keys"], values)
    with k.when(found):
        k.store(k.array("joined", kind, ["n"], {"constant": 0}, "inout"), i, table[place])
    k.doc = "Join each key with the value of the same one among sorted keys, by binary search."


def alias_sampling(k: Builder) -> None:
    """Draws in constant time (Walker 1977; Vose 1991)."""
    _called(k, "alias_sampling", "draw_by_alias", "walker_alias", "alias_draw")
    (i,) = k.threads(["n"], [k.rng.pick("i", "draw")])
    k.sizes["columns"] = k.rng.pick("32", "200", "max(n // 4, 2)")
    column = k.let("column", k.array("drawn_columns", I32, ["n"], {"integers": [0, "columns"]})[i])
    coin = k.array("coins", k.real, ["n"], uniform(0.0, 1.0))[i]
    keep = k.array("thresholds", k.real, ["columns"], uniform(0.0, 1.0))[column]
    alias = k.array("aliases", I32, ["columns"], {"integers": [0, "columns"]})[column]
    k.store(k.array("samples", I32, ["n"], None, "out"), i, conditional(coin < keep, column, alias))
    k.doc = "Draw from a discrete distribution by the alias method: a column, or the alias of it by a coin."


def range_sum(k: Builder) -> None:
    """Sums of ranges from prefix sums."""
    _called(k, "range_sum", "sum_by_prefixes", "segment_sums_from_prefixes")
    (i,) = k.threads(["n"], [k.rng.pick("i", "query")])
    kind, _ = _numbers(k)
    recipe = {"integers": [0, 1000]} if kind == I32 else uniform(-50.0, 50.0)
    prefixes = k.array("prefix_sums", kind, ["n + 1"], recipe)
    ends = [k.array(name, I32, ["n"], {"integers": [0, "n"]})[i] for name in ("range_starts", "range_ends")]
    first = k.let("first", ops.min(*ends))
    last = k.let("last", ops.max(*ends))
    for one in (first, last):
        one.interval = Interval(0, k.largest("n") - 1, True, "n", -1)
    total = k.let("total", prefixes[last + 1] - prefixes[first])
    k.store(k.array("range_sums", kind, ["n"], None, "out"), i, total)
    k.doc = "Sum the elements of each range as the difference of two prefix sums, with both ends in it."


def box_sum(k: Builder) -> None:
    """Means of boxes from a summed-area table (Crow 1984)."""
    _called(k, "box_mean", "summed_area_lookup", "integral_image_mean", "box_filter_by_sums")
    k.sizes["height"], k.sizes["width"] = "min(n // 30 + 2, n // 300 + 29)", "min(n // 32 + 11, 255)"
    y, x = k.threads(["height", "width"], ["y", "x"])
    table = k.array("integral_image", k.real, ["height + 1", "width + 1"], uniform(0.0, 900.0))
    height, width = k.size("height", "height"), k.size("width", "width")
    radius = k.scalar("radius", I32, {"integers": [1, 6]})
    top, left = (k.let(name, ops.max(one - radius, 0)) for name, one in (("top", y), ("left", x)))
    low, right = (
        k.let(name, ops.min(one + radius + 1, size))
        for name, one, size in (("bottom", y, height), ("right", x, width))
    )
    for one, size in ((top, "height"), (left, "width")):
        one.interval = Interval(0, k.largest(size) - 1, True, size, -1)
    for one, size in ((low, "height"), (right, "width")):
        one.interval = Interval(1, k.largest(size), True, size, 0)
    total = k.let("total", table[low, right] - table[top, right] - table[low, left] + table[top, left])
    area = k.let("area", bounded((low - top) * (right - left), 1, 169))
    k.store(
        k.array("box_means", k.real, ["height", "width"], None, "out"), (y, x), total / convert(k.real, area)
    )
    k.doc = "Compute the mean of the box around each pixel from four entries of the integral image."


def bit_rank_query(k: Builder) -> None:
    """Rank in a bit vector with counts of all words before (Jacobson 1989)."""
    _called(k, "bit_rank_query", "rank_in_bit_vector", "succinct_rank", "count_ones_before")
    (i,) = k.threads(["n"], [k.rng.pick("i", "query")])
    k.sizes["num_words"] = k.rng.pick("max(n // 8, 2)", "500")
    ones = _rising(k, "ones_before", "num_words", 16)
    words = k.array("bit_words", U32, ["num_words"], {"integers": [0, 2**31 - 1]})
    word = k.let("word", k.array("query_words", I32, ["n"], {"integers": [0, "num_words"]})[i])
    bit = k.let("bit", k.array("query_bits", I32, ["n"], {"integers": [1, 32]})[i])
    rest = k.var("rest", words[word] & ((lift(1, U32) << convert(U32, bit)) - 1), bounds=(0, 2**32 - 1))
    rank = k.var("rank", ones[word], bounds=(0, 2**30))
    with k.repeat(rest > 0, 32):
        k.set(rest, bounded(rest & (rest - 1), 0, 2**32 - 1))
        k.set(rank, bounded(rank + 1, 0, 2**30))
    k.store(k.array("ranks", I32, ["n"], None, "out"), i, rank)
    k.doc = "Count the ones of a bit vector before each queried bit: of the words before, and in the word."


STEPS = (
    hillis_steele_step,
    up_sweep,
    down_sweep,
    add_block_offsets,
    inverse_sampling,
    expand_runs,
    edge_sources,
    sorted_lookup,
    alias_sampling,
    range_sum,
    box_sum,
    bit_rank_query,
)
