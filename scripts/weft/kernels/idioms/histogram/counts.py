"""Threads that vote into one set of bins."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import convert
from weft.kernels.grids import threads
from weft.kernels.holes import digit
from weft.kernels.idioms.histogram.votes import cast_vote, own_bin, own_sample
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe
from weft.kernels.types import F32, I32, U32


def value_bins(k: Builder) -> None:
    """Counts of values."""
    threads(k, 1, 2)
    bins = k.rng.pick(8, 10, 16, 32, 64)
    k.sizes["bins"] = str(bins)
    x, name, low, high = own_sample(k)
    x = k.let(name, x) if k.rng.chance(0.5) and not isinstance(x, Name) else x
    place, word = own_bin(k, x, low, high, bins)
    kind = k.rng.pick(I32, I32, U32, F32)
    rows = len(k.shape) == 2 and k.rng.chance(0.5)
    counts = k.array(
        k.rng.pick("counts", "histogram"),
        kind,
        [k.shape[0], "bins"] if rows else ["bins"],
        {"constant": 0},
        "inout",
    )
    cast_vote(k, counts, (k.index[0], place) if rows else (place,), kind)
    if k.rng.chance(0.35):
        k.store(k.array("bin_of", I32, k.shape, None, "out"), k.target, place)
        k.notes.append("The bin of each is stored as well")
    lines = " for each line" if rows else ""
    describe(k, f"Histogram of {name} values in {word}{lines}")


def joint_counts(k: Builder) -> None:
    """Counts of pairs."""
    threads(k, 1, 2)
    k.sizes["x_bins"], k.sizes["y_bins"] = (
        str(xs := k.rng.pick(4, 6, 8, 12)),
        str(ys := k.rng.pick(3, 5, 8, 16)),
    )
    first, name, low, high = own_sample(k)
    x_bin, x_word = own_bin(k, k.let("a", first), low, high, xs)
    if k.rng.chance(0.5):
        second = k.let(
            "c", k.array(k.rng.pick("angles", "distances"), F32, k.shape, uniform(0.0, 2.0))[k.index]
        )
        y_bin, y_word = own_bin(k, second, 0.0, 2.0, ys)
        what = f"{name} and another number"
    else:
        y_bin = k.let("label", k.array("labels", I32, k.shape, {"integers": [0, "y_bins"]})[k.index])
        y_word, what = f"{ys} labelled bins", f"{name} and label"
    flat = k.rng.chance(0.35)
    kind = k.rng.pick(I32, I32, F32, U32)
    counts = k.array(
        k.rng.pick("joint", "contingency", "counts"),
        kind,
        [str(xs * ys)] if flat else ["x_bins", "y_bins"],
        {"constant": 0},
        "inout",
    )
    cast_vote(k, counts, (x_bin * ys + y_bin,) if flat else (x_bin, y_bin), kind)
    if k.rng.chance(0.4):
        margin = k.array("margin", I32, ["x_bins"], {"constant": 0}, "inout")
        k.atomic("add", margin, x_bin, 1)
        k.notes.append("The first is counted by itself as well")
    describe(k, f"Joint histogram of {what}: {x_word} times {y_word}")


def digit_counts(k: Builder) -> None:
    """The counting pass of a radix sort."""
    threads(k, 1, name=k.rng.pick("i", "key_index"))
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
    cast_vote(k, counts, place, I32)
    if k.rng.chance(0.4):
        k.store(k.array("digits", I32, k.shape, None, "out"), k.target, part)
        k.notes.append("The digit of each is stored as well")
    describe(k, f"Counts of the digits of {bits} bits {word} of the keys{where}")
