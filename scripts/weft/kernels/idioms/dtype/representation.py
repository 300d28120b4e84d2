"""The bits that floats are made of."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, hexadecimal, lift, ops
from weft.kernels.idioms.integer_bits.bits import use_word
from weft.kernels.intervals import EVERYTHING, whole
from weft.kernels.program import Call, Callee, Expr
from weft.kernels.results import finish
from weft.kernels.types import ANY, F32, I32, U32
from weft.kernels.vocabulary import coefficient, read, row, threads, uniform


def bits_of(x: Expr) -> Expr:
    """The word that a float32 is stored as: `wp.cast(x, wp.uint32)`."""
    target = Callee(ANY, EVERYTHING, "wp.uint32")
    return Call(U32, whole(0, 2**32 - 1), "wp.cast", (x, target))


def float_bits(k: Builder) -> None:
    """Signs, exponents and significands of floats, and keys that sort as they do."""
    k.real = F32
    span = k.rng.pick(2.0, 100.0, 1000.0)
    if k.rng.chance(0.2):
        _shared_exponent(k, span)
        return
    threads(k)
    x = read(k, k.rng.pick("sample", "reading", "weight"), -span, span)
    match k.rng.pick("as it is", "as it is", "difference", "scaled"):
        case "difference":
            x = k.let("change", x - read(k, "previous", -span, span))
            k.notes.append("It is the change since the previous value that counts")
        case "scaled":
            x = k.let("scaled", x * coefficient(k, "gain", 0.3, 3.0))
            k.notes.append("Values are scaled first")
    word = k.let(k.rng.pick("bits", "word"), bits_of(x))
    match k.rng.pick("exponent", "key", "significand", "rounded", "parity", "pair"):
        case "exponent":
            bias = k.rng.pick(127, 127, 126)
            exponent = bounded(convert(I32, (word >> 23) & 255), 0, 255) - bias
            finish(k, "exponent", exponent, f"Exponent of each float, less {bias}")
        case "key":
            negative = (word >> 31).equals(1)
            all_bits, top = hexadecimal(2**32 - 1, U32), hexadecimal(2**31, U32)
            flip = k.let("flip", ops.where(negative, all_bits, top))
            use_word(k, "key", k.let("sort_key", word ^ flip), "Words that sort as the floats do")
        case "significand":
            places = k.rng.pick(8, 10, 12)
            part = (word & hexadecimal(2**23 - 1, U32)) >> (23 - places)
            finish(k, "significand", part, f"First {places} bits of each float's significand")
        case "rounded":
            kept = word + k.rng.pick(hexadecimal(0x8000, U32), (word >> 16) & 1)
            k.notes.append("What is cut off decides about the last of them")
            use_word(k, "half", k.let("leading", kept >> 16), "Leading bits of each float", 16)
        case "parity":
            ones = Call(I32, whole(0, 32), "wp.bit_count", (word,))
            finish(k, "ones", ones, "Number of bits set in each float")
        case _:
            other = read(k, "reference", -span, span)
            apart = k.let("apart", word ^ bits_of(other))
            same = ops.where(apart < lift(2**23, U32), lift(1, I32), lift(0, I32))
            finish(k, "same_scale", same, "Whether two floats have the same sign and exponent")


def _shared_exponent(k: Builder, span: float) -> None:
    """The largest exponent of a row, as numbers with an exponent in common have it."""
    threads(k, 1, name=k.rng.pick("row", "block_row"))
    width = k.rng.pick(4, 6, 8, 16)
    data = row(k, k.rng.pick("samples", "weights"), "width", width, uniform(-span, span))
    which = k.rng.pick("largest", "largest", "smallest", "range")
    top = k.var("top", 0, type=I32, bounds=(0, 255)) if which != "smallest" else None
    low = k.var("low", 255, type=I32, bounds=(0, 255)) if which != "largest" else None
    with k.loop("j", 0, width) as j:
        exponent = convert(I32, (bits_of(data(j)) >> 23) & 255)
        exponent = k.let("exponent", bounded(exponent, 0, 255))
        if top is not None:
            k.set(top, ops.max(top, exponent))
        if low is not None:
            k.set(low, ops.min(low, exponent))
    if top is not None and low is not None:
        finish(k, "exponent_range", top - low, f"How far the exponents of {width} floats lie apart")
    elif top is not None:
        finish(k, "shared_exponent", top - 127, f"Largest exponent of {width} floats")
    elif low is not None:
        finish(k, "least_exponent", low - 127, f"Smallest exponent of {width} floats")
