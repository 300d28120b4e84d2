"""Bits that are counted, found and reversed; Gray codes."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.idioms.integer_bits.bit_tricks import (
    counter,
    gray_decoding,
    highest_bit,
    reversal,
    subject,
)
from weft.kernels.idioms.integer_bits.bits import helper, magic, source, use_word, width
from weft.kernels.idioms.integer_bits.words import word_type
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32, U32
from weft.kernels.vocabulary import coefficient, threads, uniform, whole


def count_bits(k: Builder) -> None:
    """Population counts, and what is made of them."""
    type = word_type(k)
    rowwise = k.rng.chance(0.4)
    count_of = counter(k, type)
    bits = width(type)
    if rowwise:
        (i,) = threads(k, 1, name=k.rng.pick("row", "item", "i"))
        length = k.rng.pick(3, 4, 5, 20)
        k.sizes["words"] = str(length)
        rows = k.array(k.rng.pick("bitmaps", "signatures"), type, ["n", "words"], whole(0, 2**32 - 1))
        masks = k.array("query", type, ["words"], whole(0, 2**32 - 1)) if k.rng.chance(0.6) else None
        how = k.rng.pick("differ", "share", "lack")
        total = k.var("total", 0, type=I32)
        with k.loop("w", 0, length) as w:
            one, other = rows[i, w], masks[w] if masks else None
            word = one
            if other is not None:
                word = {"differ": one ^ other, "share": one & other, "lack": one & ~other}[how]
            word = k.let("word", word)
            k.add(total, count_of(word))
        what = {
            "differ": "in which each row of words differs from the query",
            "share": "that each row of words shares with the query",
            "lack": "of each row of words that the query lacks",
        }[how]
        doc = f"Number of bits {what if masks else 'set in each row of words'}"
        share = 0.25 if masks and how != "differ" else 0.5
        count, bits = total, bits * length
    else:
        threads(k, 1, 2)
        word, what, share = subject(k, type, halves=True)
        count, doc = k.let("ones", count_of(word)), f"Number of bits set in {what}"
    match k.rng.pick("count", "share", "parity", "majority", "weight"):
        case "share":
            finish(k, "share", convert(k.real, count) / float(bits), f"{doc}, as a share of {bits}")
        case "parity" if "changes" not in doc:
            finish(k, "parity", count & 1, f"{doc}, modulo 2")
        case "majority" if type == U32:
            yes, no = k.rng.pick((1, 0), (1, -1))
            vote = conditional(count > round(bits * share) - k.rng.pick(0, 1), lift(yes, I32), no)
            finish(k, "vote", vote, f"{doc}, as a vote of the majority")
        case "weight":
            weight = coefficient(k, "weight", 0.1, 0.9)
            finish(k, "score", weight * convert(k.real, count), f"{doc}, times a weight")
        case _:
            finish(k, "count", count, doc)


def find_bit(k: Builder) -> None:
    """The first or last bit that is set: logarithms, priorities, levels of a tree."""
    type = word_type(k)
    find, what = highest_bit(k, type)
    threads(k, 1, 2)
    word, about, _ = subject(k, type)
    guarded = k.rng.chance(0.5)
    place: Expr
    if guarded:
        place = k.var("place", -1, type=I32, bounds=(-1, 63))
        with k.when(word.differs(0)):
            k.set(place, find(word))
        doc = f"The {what} of {about}, or -1 where none is set"
    else:
        place = k.let("place", find(word | (4096 if "trailing" in what else k.rng.pick(1, 2, 16))))
        doc = f"The {what} of {about}, in which at least one bit is set"
    match k.rng.pick("place", "level", "isolated", "rank"):
        case "level":
            finish(k, "height", 1.0 / (2.0 + convert(k.real, place)), f"{doc}; the output falls with it")
        case "isolated" if not guarded:
            one = lift(1, type) << convert(type, place)
            changed, how = k.rng.pick(
                (word ^ one, "turned over"), (word | one, "set"), (word & ~one, "cleared")
            )
            finish(k, "changed_word", changed, f"{doc}; the output has the bit at this place {how}")
        case "rank":
            base = k.scalar("base", I32, whole(1, 9))
            finish(k, "rank", base * place, f"{doc}, times a base")
        case _:
            finish(k, "place", place, doc)


def reverse_bits(k: Builder) -> None:
    """Words turned round."""
    type = word_type(k)
    body, unit = reversal(k, type)
    threads(k, 1, 2)
    turn = helper(k, "reverse_word", f"The word with its {unit} in reverse order.", type, body)
    word, about, _ = subject(k, type, halves=True)
    turned = k.let("turned", turn(word))
    match k.rng.pick("plain", "plain", "mirror", "mixed", "inverse"):
        case "mirror":
            doc = f"Where {about} differs from itself with its {unit} reversed"
            finish(k, "mismatch", turned ^ word, doc)
        case "mixed":
            doc = f"Sum of {about}, scrambled, and its {unit} reversed"
            finish(k, "mixture", turned + word * magic(k, type), doc)
        case "inverse" if type == U32:
            value = bounded(convert(k.real, turned >> 8) / 16777216.0, 0.0, 1.0)
            finish(k, "point", value, f"Radical inverse of {about}, made by reversing its {unit}")
        case _:
            finish(k, "reversed_word", turned, f"The {unit} of {about} in reverse order")


def reversed_order(k: Builder) -> None:
    """Rows read in the order that a Fourier transform asks for."""
    places = k.rng.pick(3, 4, 5, 6)
    block = 2**places
    (i,) = threads(k, 1, name=k.rng.pick("row", "batch", "i"))
    k.sizes["points"] = str(block)
    samples = k.array(k.rng.pick("samples", "signals"), k.real, ["n", "points"], uniform(-1.0, 1.0))
    kind = k.rng.pick("damped", "squares", "halves", "peak")
    total = k.var("total", 0.0)
    with k.loop("p", 0, block) as p:
        rest = k.var("rest", p, bounds=(0, block - 1), type=I32)
        place = k.var("place", 0, bounds=(0, block - 1), type=I32)
        with k.loop("_", 0, places):
            bit = rest & 1
            k.set(place, bounded((place << 1) | bit if k.rng.chance(0.5) else 2 * place + bit, 0, block - 1))
            k.set(rest, rest >> 1 if k.rng.chance(0.5) else rest / 2)
        value = samples[i, place]
        match kind:
            case "damped":
                k.add(total, value / (1.0 + k.rng.number(0.2, 2.0) * convert(k.real, p)))
            case "squares":
                k.add(total, value * value * convert(k.real, p))
            case "halves":
                with k.when(p < block // 2):
                    k.add(total, value)
                with k.otherwise():
                    k.add(total, value, "-")
            case _:
                with k.when(ops.abs(value) > k.rng.number(0.2, 0.8)):
                    k.add(total, convert(k.real, p + 1))
    what = {
        "damped": "Sum, weighted less and less,",
        "squares": "Sum of squares, weighted by place,",
        "halves": "First half less second half",
        "peak": "Sum of the places of the strong samples",
    }[kind]
    finish(k, "sum", total, f"{what} over {block} samples of each row in bit-reversed order")


def gray_code(k: Builder) -> None:
    """Codes in which neighbours differ by one bit."""
    type = word_type(k)
    threads(k, 1, 2)
    number = source(k, k.rng.pick("number", "tick"), type)
    encode = helper(k, "to_gray", "The Gray code of a number.", type, lambda _, x: x ^ (x >> 1))
    kind = k.rng.pick("encode", "decode", "decode", "neighbor", "advance", "angle")
    if kind in ("decode", "advance", "angle"):
        decode = helper(k, "from_gray", "The number of a Gray code.", type, gray_decoding(k, type))
    match kind:
        case "encode":
            use_word(k, "code", k.let("gray", encode(number)), "Gray code of each number", 30)
        case "decode":
            use_word(k, "index", k.let("plain", decode(number)), "Number that each Gray code stands for", 30)
        case "neighbor":
            steps = k.rng.pick(2, 3, 4, 7)
            changed = k.let("changed", encode(number) ^ encode(number + steps))
            finish(k, "change", changed, f"Bits of the Gray code that change in {steps} steps")
        case "advance":
            steps = k.rng.pick(2, 3, 5)
            ahead = k.let("ahead", decode(number) + steps)
            finish(k, "next_code", ahead ^ (ahead >> 1), f"Gray code {steps} steps ahead of each Gray code")
        case _:
            places = k.rng.integer(8, 16)
            reading = k.let("reading", decode(number & (2**places - 1)) & (2**places - 1))
            turn = convert(k.real, reading) * round(6.2832 / 2**places, 8)
            k.notes.append(f"The encoder has {places} tracks")
            doc = "of the angle that an encoder reads in Gray code"
            shape, word = k.rng.pick((turn, ""), (ops.sin(turn), "Sine "), (ops.cos(turn), "Cosine "))
            finish(k, "angle", shape, f"{word}{doc}" if word else "Angle that an encoder reads in Gray code")
