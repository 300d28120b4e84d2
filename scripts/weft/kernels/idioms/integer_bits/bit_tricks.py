"""Ways to count, find and turn round the bits of a word, and the words that they are asked about."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, hexadecimal
from weft.kernels.idioms.integer_bits.bits import full, source, width, word_var
from weft.kernels.intervals import Interval
from weft.kernels.program import Call, Expr
from weft.kernels.types import I32, U32, U64
from weft.kernels.vocabulary import read, whole
from weft.types import Scalar


def repeated(byte_mask: int, type: Scalar) -> Expr:
    """The word with the same eight bits in every byte."""
    return hexadecimal(sum(byte_mask << (8 * n) for n in range(type.bytes)), type)


def subject(k: Builder, type: Scalar, *, halves: bool = False) -> tuple[Expr, str, float]:
    """A word to look at, what a docstring calls it, and the share of its bits that are set."""
    word = source(k, k.rng.pick("word", "bitmap"), type, halves=halves)
    match k.rng.pick("word", "distance", "masked", "runs", "common", "edges"):
        case "distance":
            other = read(k, "other", 0, 2**32 - 1, type)
            return k.let("differing", word ^ other), "the exclusive or of two words", 0.5
        case "masked":
            keep = k.scalar("keep", type, whole(2**28, 2**32 - 1))
            return k.let("kept", word & keep), "each word as far as a mask keeps it", 0.25
        case "common":
            other = read(k, "other", 0, 2**32 - 1, type, inline=True)
            if k.rng.chance(0.5):
                return k.let("joint", word & other), "what two words have in common", 0.25
            return k.let("joint", word | other), "the union of two words", 0.75
        case "runs":
            return k.let("doubled", word & (word >> 1)), "each word where the next bit is set too", 0.25
        case "edges":
            return k.let("changes", word ^ (word << 1)), "each word where it changes from bit to bit", 0.5
        case _:
            return word, "each word", 0.5


def counter(k: Builder, type: Scalar) -> Callable[[Expr], Expr]:
    """A function that counts the bits which are set."""
    bits = width(type)
    if k.rng.chance(0.25):
        return lambda x: Call(I32, Interval(0, bits, True), "wp.bit_count", (x,))
    method = k.rng.pick("clear lowest", "every bit", "parallel", "pairs", "nibbles", "table")

    def body(b: Builder, x: Expr) -> Expr:
        match method:
            case "clear lowest":
                rest, count = word_var(b, "rest", x, type), b.var("count", 0, type=I32)
                with b.repeat(rest.differs(0), bits):
                    b.set(rest, rest & (rest - 1))
                    b.add(count, 1)
            case "every bit":
                count = b.var("count", 0, type=I32)
                with b.loop("bit", 0, bits) as bit:
                    b.add(count, bounded(convert(I32, (x >> convert(type, bit)) & 1), 0, 1))
            case "nibbles" | "table":
                count = b.var("count", 0, type=I32)
                with b.loop("shift", 0, bits, 4) as shift:
                    nibble = b.let("nibble", (x >> convert(type, shift)) & 15)
                    if method == "nibbles":
                        pairs = b.let("pairs", bounded(nibble - ((nibble >> 1) & 5), 0, 15))
                        ones = (pairs & 3) + (pairs >> 2)
                    else:
                        ones = (
                            hexadecimal(0x4332322132212110, U64)
                            >> ((nibble if type == U64 else convert(U64, nibble)) << 2)
                        ) & 7
                    b.add(count, bounded(convert(I32, ones), 0, 4))
            case _:
                v = word_var(b, "v", x, type)
                if method == "parallel":
                    b.set(v, v - ((v >> 1) & repeated(0x55, type)))
                else:
                    b.set(v, (v & repeated(0x55, type)) + ((v >> 1) & repeated(0x55, type)))
                b.set(v, (v & repeated(0x33, type)) + ((v >> 2) & repeated(0x33, type)))
                b.set(v, (v + (v >> 4)) & repeated(0x0F, type))
                return bounded(convert(I32, (v * repeated(0x01, type)) >> (bits - 8)), 0, bits)
        return bounded(count, 0, bits)

    return k.function("count_ones", "Number of bits that are set.", {"x": (type, full(type))}, body)


def highest_bit(k: Builder, type: Scalar) -> tuple[Callable[[Expr], Expr], str]:
    """A function that finds one bit of a word which is not zero, and what it finds."""
    bits = width(type)
    method = k.rng.pick("halves", "steps", "from below", "from above")
    halves = [1 << n for n in reversed(range(bits.bit_length() - 1))]
    leading = method != "from below"

    def body(b: Builder, x: Expr) -> Expr:
        rest, place = word_var(b, "rest", x, type), b.var("place", 0, type=I32)
        match method:
            case "halves":
                for half in halves:
                    with b.when((rest >> half).differs(0) if half > 1 else rest > 1):
                        b.add(place, half)
                        if half > 1:
                            b.set(rest, rest >> half)
            case "steps":
                with b.repeat(rest > 1, bits):
                    b.set(rest, rest >> 1)
                    b.add(place, 1)
            case "from below":
                with b.repeat((rest & 1).equals(0), bits):
                    b.set(rest, rest >> 1)
                    b.add(place, 1)
            case _:
                with b.repeat((rest >> (bits - 1)).equals(0), bits):
                    b.set(rest, rest << 1)
                    b.add(place, 1)
        return bounded(place, 0, bits - 1)

    name, doc, what = {
        "halves": (
            "floor_log2",
            "Place of the highest bit, by halves.",
            "place of the highest bit",
        ),
        "steps": ("floor_log2", "Place of the highest bit that is set.", "place of the highest bit"),
        "from below": ("trailing_zeros", "Number of zeros below the lowest bit.", "number of trailing zeros"),
        "from above": ("leading_zeros", "Number of zeros above the highest bit.", "number of leading zeros"),
    }[method]
    assert leading or "trailing" in what
    return k.function(name, doc, {"x": (type, full(type))}, body), what


def reversal(k: Builder, type: Scalar) -> tuple[Callable[[Builder, Expr], Expr], str]:
    """A body that turns the bits or bytes of a word round, and what it does."""
    bits = width(type)
    loop = k.rng.chance(0.4)
    smallest = k.rng.pick(1, 1, 1, 8, 4, 2)
    unit = {1: "bits", 2: "pairs of bits", 4: "nibbles", 8: "bytes"}[smallest]
    masks = {1: 0x55, 2: 0x33, 4: 0x0F}

    def body(b: Builder, x: Expr) -> Expr:
        if loop:
            rest, result = word_var(b, "rest", x, type), word_var(b, "reversed_word", 0, type)
            with b.loop("step", 0, bits // smallest):
                b.set(result, (result << smallest) | (rest & ((1 << smallest) - 1)))
                b.set(rest, rest >> smallest)
            return result
        v = word_var(b, "v", x, type)
        step = smallest
        while step < bits // 2:
            if step in masks:
                mask = repeated(masks[step], type)
            else:
                mask = hexadecimal(sum(((1 << step) - 1) << n for n in range(0, bits, 2 * step)), type)
            b.set(v, ((v >> step) & mask) | ((v & mask) << step))
            step *= 2
        return (v >> step) | (v << step)

    return body, unit


def gray_decoding(k: Builder, type: Scalar) -> Callable[[Builder, Expr], Expr]:
    """A body that gives the number of a Gray code, by a loop or by doubling shifts."""
    loop = k.rng.chance(0.5)

    def body(b: Builder, x: Expr) -> Expr:
        decoded = word_var(b, "decoded", x, type)
        if loop:
            shifted = word_var(b, "shifted", x >> 1, type)
            with b.repeat(shifted.differs(0), width(type)):
                b.add(decoded, shifted, "^")
                b.set(shifted, shifted >> 1)
            return decoded
        step = 1
        while step < width(type):
            b.add(decoded, decoded >> step, "^")
            step *= 2
        return decoded

    return body


SPREADS = {
    2: ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)),
    3: ((16, 0x30000FF), (8, 0x300F00F), (4, 0x30C30C3), (2, 0x9249249)),
}
PLACES = {2: 16, 3: 10}


def spreading(k: Builder, dimensions: int) -> Callable[[Expr], Expr]:
    """A function that leaves room between bits for those of the other coordinates."""
    loop = k.rng.chance(0.4)

    def body(b: Builder, x: Expr) -> Expr:
        if loop:
            v = word_var(b, "v", 0)
            with b.loop("bit", 0, PLACES[dimensions]) as bit:
                place = b.let("place", convert(U32, bit))
                b.add(v, ((x >> place) & 1) << (place * dimensions), "|")
            return v
        v = word_var(b, "v", x & (2 ** PLACES[dimensions] - 1))
        for shift, mask in SPREADS[dimensions]:
            b.set(v, (v | (v << shift)) & hexadecimal(mask, U32))
        return v

    doc = f"The bits of x, {dimensions} places apart."
    return k.function("expand_bits", doc, {"x": (U32, full(U32))}, body)


def squeezing(k: Builder, dimensions: int) -> Callable[[Expr], Expr]:
    """A function that undoes what `spreading` does."""
    steps = SPREADS[dimensions]
    lowest = 2 ** PLACES[dimensions] - 1

    def body(b: Builder, x: Expr) -> Expr:
        v = word_var(b, "v", x & hexadecimal(steps[-1][1], U32))
        for n in reversed(range(len(steps))):
            mask = steps[n - 1][1] if n else lowest
            b.set(v, (v ^ (v >> steps[n][0])) & hexadecimal(mask, U32))
        return v

    doc = f"Each bit of x at a multiple of {dimensions}, side by side."
    compact = k.function("compact_bits", doc, {"x": (U32, full(U32))}, body)
    return lambda x: bounded(compact(x), 0, lowest)
