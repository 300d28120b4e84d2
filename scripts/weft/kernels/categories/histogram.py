"""Counting into bins: by value, by digit, by place, jointly, privately and with weights."""

from weft.kernels import intervals, tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.grids import threads
from weft.kernels.holes import digit
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, finish
from weft.kernels.rows import row
from weft.kernels.slabs import launch
from weft.kernels.types import F32, I32, U32
from weft.kernels.words import told
from weft.types import Scalar

REVISION = 1
TEACHES = "histograms: bins, joint and private counts, digits, weights, votes, lookups in cumulative counts"


def _bin(k: Builder, x: Expr, low: float, high: float, bins: int) -> tuple[Expr, str]:
    """The bin of a float in [low, high), and how it is found."""
    how = k.rng.pick("linear", "linear", "floor", "log", "root", "squashed", "wrapped")
    x = x if isinstance(x, Name) else k.let("x", x)
    span = high - low
    match how:
        case "linear":
            unit = (x - low) * (1.0 / span) if low else x * round(1.0 / span, 4)
            place, word = convert(I32, bounded(unit, 0.0, 1.0) * float(bins)), "linear"
        case "floor":
            place, word = convert(I32, ops.floor((x - low) / span * float(bins))), "linear"
        case "log":
            level = k.let("level", ops.log2(1.0 + ops.abs(x)))
            place, word = convert(I32, level * float(bins) / 2.4), "logarithmic"
        case "root":
            place, word = (
                convert(I32, ops.sqrt(ops.abs(x) / max(abs(low), high)) * float(bins)),
                "by square roots of magnitudes,",
            )
        case "squashed":
            place, word = convert(I32, (0.5 + 0.5 * ops.tanh(x)) * float(bins)), "squashed"
        case _:
            width = k.rng.number(0.05, 0.2)
            turns = k.let("turns", convert(I32, ops.floor(bounded(x - low, 0.0, 100.0) / width)))
            return k.let(k.rng.pick("bin_index", "slot"), turns % bins), f"of width {width}, wrapping around,"
    last = bins - 1
    place = ops.clamp(place, 0, last) if k.rng.chance(0.5) else ops.min(ops.max(place, 0), last)
    return k.let(k.rng.pick("bin_index", "slot", "b"), place), word


def _samples(k: Builder, kind: Scalar = F32) -> tuple[Expr, str, float, float]:
    """A number of each thread, what it is, and its bounds."""
    k.real = F32
    low, high = k.rng.pick((0.0, 1.0), (-1.0, 1.0), (0.0, 4.0), (-3.0, 3.0))
    name = k.rng.pick("sample", "intensity", "energy", "speed", "residual")
    x: Expr = k.array(f"{name}s", kind, k.shape, uniform(low, high))[k.index]
    if k.rng.chance(0.3):
        other = k.array("baselines", kind, k.shape, uniform(0.4 * low, 0.4 * high))[k.index]
        gain = coefficient(k, "gain", 0.5, 0.95, kinds="lp")
        x = k.let("shifted", bounded(x - gain * other, low, high))
        k.notes.append(f"{told(gain)} times a baseline is subtracted first")
    return x, name, low, high


def _vote(k: Builder, counts: ArrayHandle, place: tuple[Expr | int, ...] | Expr, kind: Scalar) -> None:
    """One vote, a weight, or a vote under a condition."""
    amount: Expr | int = 1
    match k.rng.pick("one", "one", "weight", "tested", "square", "marked"):
        case "weight":
            amount = k.array(k.rng.pick("weights", "charges"), kind, k.shape, {"integers": [1, 9]})[k.index]
            k.notes.append("Each counts with its weight")
        case "square":
            size = k.let("size", k.array("sizes", kind, k.shape, {"integers": [1, 7]})[k.index])
            amount = size * size
            k.notes.append("Each counts with the square of its size")
        case "tested":
            level = k.rng.number(0.2, 0.8)
            scores = k.array(k.rng.pick("scores", "confidences"), F32, k.shape, uniform(0.0, 1.0))
            with k.when(scores[k.index] > level):
                k.atomic(k.rng.pick("add", "+="), counts, place, 1)
            k.notes.append(f"Only those with a score above {level} count")
            return
        case "marked":
            group = k.rng.below(3)
            with k.when(k.array("groups", I32, k.shape, {"integers": [0, 3]})[k.index].equals(group)):
                k.atomic("add", counts, place, 1)
            k.notes.append(f"Only those of group {group} count")
            return
        case _:
            pass
    k.atomic(k.rng.pick("add", "add", "+="), counts, place, amount)


def value_bins(k: Builder) -> None:
    """Counts of values."""
    threads(k, 1, 2, indirect=False)
    bins = k.rng.pick(8, 10, 16, 32, 64)
    k.sizes["bins"] = str(bins)
    x, name, low, high = _samples(k)
    x = k.let(name, x) if k.rng.chance(0.5) and not isinstance(x, Name) else x
    place, word = _bin(k, x, low, high, bins)
    kind = k.rng.pick(I32, I32, U32, F32)
    rows = len(k.shape) == 2 and k.rng.chance(0.5)
    counts = k.array(
        k.rng.pick("counts", "histogram"),
        kind,
        [k.shape[0], "bins"] if rows else ["bins"],
        {"constant": 0},
        "inout",
    )
    _vote(k, counts, (k.index[0], place) if rows else (place,), kind)
    if k.rng.chance(0.35):
        k.store(k.array("bin_of", I32, k.shape, None, "out"), k.target, place)
        k.notes.append("The bin of each is stored as well")
    lines = " for each line" if rows else ""
    describe(k, f"Histogram of {name} values in {bins} {word.rstrip(',')} bins{lines}")


def joint_counts(k: Builder) -> None:
    """Counts of pairs."""
    threads(k, 1, 2, indirect=False)
    k.sizes["x_bins"], k.sizes["y_bins"] = (
        str(xs := k.rng.pick(4, 6, 8, 12)),
        str(ys := k.rng.pick(3, 5, 8, 16)),
    )
    first, name, low, high = _samples(k)
    x_bin, x_word = _bin(k, k.let("a", first), low, high, xs)
    if k.rng.chance(0.5):
        second = k.let(
            "c", k.array(k.rng.pick("angles", "distances"), F32, k.shape, uniform(0.0, 2.0))[k.index]
        )
        y_bin, y_word = _bin(k, second, 0.0, 2.0, ys)
        what = f"{name} and another number"
    else:
        y_bin = k.let("label", k.array("labels", I32, k.shape, {"integers": [0, "y_bins"]})[k.index])
        y_word, what = "labelled", f"{name} and label"
    flat = k.rng.chance(0.35)
    kind = k.rng.pick(I32, I32, F32, U32)
    counts = k.array(
        k.rng.pick("joint", "contingency", "counts"),
        kind,
        [str(xs * ys)] if flat else ["x_bins", "y_bins"],
        {"constant": 0},
        "inout",
    )
    _vote(k, counts, (x_bin * ys + y_bin,) if flat else (x_bin, y_bin), kind)
    if k.rng.chance(0.4):
        margin = k.array("margin", I32, ["x_bins"], {"constant": 0}, "inout")
        k.atomic("add", margin, x_bin, 1)
        k.notes.append("The first is counted by itself as well")
    describe(k, f"Joint histogram of {what}, {xs} {x_word.rstrip(',')} by {ys} {y_word.rstrip(',')} bins")


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
            place, word = _bin(k, x, -1.0, 1.0, bins)
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


def digit_counts(k: Builder) -> None:
    """The counting pass of a radix sort."""
    threads(k, 1, indirect=False, name=k.rng.pick("i", "key_index"))
    (i,) = k.index
    bits = k.rng.pick(2, 3, 4, 4)
    kind = k.rng.pick(U32, U32, I32)
    key: Expr = k.array("keys", kind, k.shape, {"integers": [0, 65536]})[i]
    how = k.rng.pick("plain", "plain", "flipped", "mixed", "descending")
    key = k.let("key", key)
    if how == "flipped":
        key = k.let("mixed_key", key ^ (key >> k.rng.integer(3, 9)))
        k.notes.append("The key's upper bits are mixed in first")
    elif how == "mixed":
        salt = k.array("salts", kind, k.shape, {"integers": [0, 65536]})[i]
        key = k.let("mixed_key", key ^ salt)
        k.notes.append("A salt is mixed in first")
    parameter = k.rng.chance(0.45)
    shift: Expr | int
    if parameter:
        shift = k.scalar("shift", kind, {"integers": [0, 13]})
        word = "from bit shift on"
    else:
        shift = k.rng.pick(0, 4, 8, 12)
        word = f"from bit {shift} on"
    part: Expr = (
        digit(k, key, bits, shift)
        if not isinstance(shift, int) or shift
        else convert(I32, key & ((1 << bits) - 1))
        if kind == U32
        else key & ((1 << bits) - 1)
    )
    if how == "descending":
        part = (1 << bits) - 1 - part
        k.notes.append("Large digits come first")
    part = k.let("digit", part)
    layout = k.rng.pick("global", "blocks", "blocks", "columns")
    if layout == "global":
        counts = k.array(
            k.rng.pick("digit_counts", "counts"), I32, [str(1 << bits)], {"constant": 0}, "inout"
        )
        place: tuple[Expr | int, ...] = (part,)
        where = ""
    else:
        size = k.rng.pick(16, 32, 64)
        copies = k.rng.pick(4, 8, 16)
        block = k.let("block", i // size % copies if k.rng.chance(0.5) else i % copies)
        counts = k.array(
            "block_counts",
            I32,
            [str(copies), str(1 << bits)][:: 1 if layout == "blocks" else -1],
            {"constant": 0},
            "inout",
        )
        place = (block, part) if layout == "blocks" else (part, block)
        where = f", in {copies} tables"
    _vote(k, counts, place, I32)
    if k.rng.chance(0.4):
        k.store(k.array("digits", I32, k.shape, None, "out"), k.target, part)
        k.notes.append("The digit of each is stored as well")
    describe(k, f"Counts of the digits of {bits} bits {word} of the keys{where}")


def color_channels(k: Builder) -> None:
    """Packed pixels, one histogram for each channel."""
    threads(k, 1, 2, indirect=False)
    bits = k.rng.pick(2, 3, 4)
    bins = 1 << bits
    packed = k.rng.chance(0.6)
    channels = k.rng.pick(3, 4) if packed else 3
    counts = k.array(
        k.rng.pick("channel_counts", "histograms"), I32, [str(channels), str(bins)], {"constant": 0}, "inout"
    )
    how = k.rng.pick("loop", "loop", "written", "luma")
    pixels = k.array("pixels", U32, k.shape, {"integers": [0, 2**30]}) if packed else None
    colors = (
        None
        if packed
        else [k.array(name, F32, k.shape, uniform(0.0, 1.0)) for name in ("reds", "greens", "blues")]
    )
    pixel = k.let("pixel", pixels[k.index]) if pixels is not None else None

    def channel(c: Expr | int) -> Expr:
        if pixel is not None:
            shift = c * 8 + (8 - bits) if isinstance(c, int) else convert(U32, c) * 8 + (8 - bits)
            return convert(I32, (pixel >> shift) & (bins - 1))
        assert colors is not None and isinstance(c, int)
        return ops.min(convert(I32, colors[c][k.index] * float(bins)), bins - 1)

    if how == "luma":
        parts = [k.let(name, channel(at)) for at, name in enumerate(("red", "green", "blue"))]
        wr, wg, wb = k.rng.pick((1, 2, 1), (2, 5, 1), (3, 4, 1), (1, 1, 2))
        luma = k.let("luma", (parts[0] * wr + parts[1] * wg + parts[2] * wb) // (wr + wg + wb))
        k.atomic("add", counts, (0, luma), 1)
        for extra in k.rng.pick((1,), (2,), (1, 2)):
            k.atomic("add", counts, (extra, parts[extra]), 1)
        doc = f"Histograms of the luma, weighted {wr}:{wg}:{wb}, and of other channels"
    elif how == "loop" and pixel is not None:
        with k.loop("c", 0, channels) as c:
            level = k.let("level", channel(c))
            k.atomic(k.rng.pick("add", "+="), counts, (c, level), 1)
        doc = f"Histograms of the {channels} channels of packed pixels"
    else:
        for one in range(channels):
            k.atomic("add", counts, (one, channel(one)), 1)
        doc = f"Histograms of {channels} channels, one by one"
    if k.rng.chance(0.4):
        mask = k.array("visible", I32, k.shape, {"integers": [0, 2]})
        seen = k.array("number_visible", I32, ["1"], {"constant": 0}, "inout")
        with k.when(mask[k.index] > 0):
            k.atomic("add", seen, 0, 1)
        k.notes.append("Visible pixels are counted")
    describe(k, f"{doc}, {bins} bins each")


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


def equalized(k: Builder) -> None:
    """A histogram's cumulative counts map values."""
    threads(k)
    bins = k.rng.pick(8, 16, 32)
    k.sizes["bins"] = str(bins)
    k.real = F32
    x, name, low, high = _samples(k)
    place, word = _bin(k, k.let("x_value", x), low, high, bins)
    cumulative = k.array(k.rng.pick("cumulative", "cdf"), F32, ["bins"], uniform(0.0, 1.0))
    how = k.rng.pick("plain", "mixed", "midpoint", "excess", "tile")
    value: Expr = cumulative[place]
    if how == "mixed":
        value = ops.lerp(
            value, k.array("originals", F32, k.shape, uniform(0.0, 1.0))[k.index], k.rng.number(0.2, 0.8)
        )
    elif how == "midpoint":
        value = 0.5 * (value + cumulative[ops.max(place - 1, 0)])
    elif how == "excess":
        value = value - (convert(F32, place) + 1.0) / float(bins)
    elif how == "tile":
        second = k.array("local_cdf", F32, ["4", "bins"], uniform(0.0, 1.0))
        region = k.array("regions", I32, k.shape, {"integers": [0, 4]})[k.index]
        share = coefficient(k, "local_share", 0.2, 0.8, kinds="lp")
        value = (1.0 - share) * value + share * second[region, place]
    words = {
        "plain": "Cumulative share of the bin",
        "mixed": "Cumulative share of the bin, mixed with an original,",
        "midpoint": "Mean of the cumulative shares of the bin and the one before",
        "excess": "Cumulative share of the bin less that of a flat histogram",
        "tile": "Cumulative shares of the bin, global and regional,",
    }  # fmt: skip
    finish(k, "equalized_value", value, f"{words[how]} for each {name}, {bins} {word.rstrip(',')} bins")


def rank_votes(k: Builder) -> None:
    """Each element counts how many of a row of edges it exceeds, and votes there."""
    threads(k, 1, 2, indirect=False)
    edges_count = k.rng.pick(5, 7, 9, 12)
    k.sizes["edges"] = str(edges_count)
    x, name, low, high = _samples(k)
    x = x if isinstance(x, Name) else k.let(name, x)
    edges = k.array(k.rng.pick("edges", "thresholds", "quantiles"), F32, ["edges"], uniform(low, high))
    how = k.rng.pick("rank", "nearest", "rank", "weighted")
    place = k.var("rank", 0, type=I32, bounds=(0, edges_count))
    gap = k.var("closest", 100.0, type=F32, bounds=(0.0, 100.0)) if how == "nearest" else None
    slack = coefficient(k, "slack", 0.02, 0.2, kinds="lp") if how == "weighted" and k.real == F32 else None
    with k.loop("e", 0, edges_count) as e:
        if gap is not None:
            distance = k.let("distance", ops.abs(x - edges[e]))
            with k.when(distance < gap):
                k.set(gap, bounded(distance, 0.0, 100.0))
                k.set(place, e)
        else:
            with k.when(x > (edges[e] + slack if slack is not None else edges[e])):
                k.set(place, bounded(place + 1, 0, edges_count))
    kind = k.rng.pick(I32, F32)
    counts = k.array(
        k.rng.pick("rank_counts", "votes"), kind, [str(edges_count + 1)], {"constant": 0}, "inout"
    )
    _vote(k, counts, (place,), kind)
    if k.rng.chance(0.5):
        k.store(k.array("ranks", I32, k.shape, None, "out"), k.target, place)
        k.notes.append("The place of each is stored as well")
    what = "the one nearest to it" if how == "nearest" else "the number of those that it exceeds"
    what += f" by {told(slack)}" if slack is not None else ""
    describe(k, f"Histogram of {name} values over {edges_count} edges, by {what}")


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
        place, word = _bin(k, x, 0.0, 1.0, bins)
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
