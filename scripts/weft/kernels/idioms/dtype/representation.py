"""The bits that floats are made of."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, hexadecimal, lift, ops
from weft.kernels.intervals import EVERYTHING, whole
from weft.kernels.program import Call, Callee, Expr
from weft.kernels.results import finish
from weft.kernels.types import ANY, F32, I32, U32
from weft.kernels.vocabulary import read, threads


def bits_of(x: Expr) -> Expr:
    """The word that a float32 is stored as: `wp.cast(x, wp.uint32)`."""
    target = Callee(ANY, EVERYTHING, "wp.uint32")
    return Call(U32, whole(0, 2**32 - 1), "wp.cast", (x, target))


def float_bits(k: Builder) -> None:
    """Signs, exponents and significands of floats, and keys that sort as they do."""
    k.real = F32
    threads(k)
    span = k.rng.pick(2.0, 100.0, 1000.0)
    x = read(k, k.rng.pick("sample", "reading", "weight"), -span, span)
    word = k.let(k.rng.pick("bits", "word"), bits_of(x))
    match k.rng.pick("exponent", "key", "significand", "rounded", "parity", "pair"):
        case "exponent":
            bias = k.rng.pick(127, 127, 126)
            exponent = bounded(convert(I32, (word >> 23) & 255), 0, 255) - bias
            finish(k, "exponent", exponent, f"Exponent of each float, less {bias}", counted=False)
        case "key":
            negative = (word >> 31).equals(1)
            all_bits, top = hexadecimal(2**32 - 1, U32), hexadecimal(2**31, U32)
            flip = k.let("flip", ops.where(negative, all_bits, top))
            finish(k, "sort_key", word ^ flip, "Words that sort as the floats do", counted=False)
        case "significand":
            places = k.rng.pick(8, 10, 12)
            part = (word & hexadecimal(2**23 - 1, U32)) >> (23 - places)
            finish(k, "significand", part, f"First {places} bits of each float's significand", counted=False)
        case "rounded":
            kept = word & hexadecimal(2**32 - 2 ** k.rng.pick(13, 16), U32)
            k.notes.append("The rest of the significand is cut off")
            finish(k, "short_word", kept, "Leading bits of each float", counted=False)
        case "parity":
            ones = Call(I32, whole(0, 32), "wp.bit_count", (word,))
            finish(k, "ones", ones, "Number of bits set in each float", counted=False)
        case _:
            other = read(k, "reference", -span, span)
            apart = k.let("apart", word ^ bits_of(other))
            same = ops.where(apart < lift(2**23, U32), lift(1, I32), lift(0, I32))
            finish(k, "same_scale", same, "Whether two floats have the same sign and exponent", counted=False)
