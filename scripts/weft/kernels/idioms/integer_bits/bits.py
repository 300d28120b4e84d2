"""Holes that idioms on the bits of words share: where words come from, rounds of hashes, where words go."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, hexadecimal, lift
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, finish
from weft.kernels.types import I32, LIMITS, U32, U64
from weft.kernels.vocabulary import coefficient, plural, read, uniform, whole
from weft.types import Scalar

ODD_WORDS = (
    0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F, 0x165667B1, 0x7FEB352D, 0x846CA68B, 0x2C1B3C6D, 0x45D9F3B,
    0x119DE1F3, 0xCC9E2D51, 0x1B873593, 0x2545F491, 0xA2BFE8A1, 0x68E31DA4 | 1, 0xB5297A4D,
)  # fmt: skip
ODD_LONG_WORDS = (
    0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53,
    0xD6E8FEB86659FD93, 0x2545F4914F6CDD1D, 0x5851F42D4C957F2D,
)  # fmt: skip


def width(type: Scalar) -> int:
    """Bits of a word."""
    return 8 * type.bytes


def full(type: Scalar) -> Interval:
    """All values of a type of integers."""
    return Interval(*LIMITS[type.name], integral=True)


def magic(k: Builder, type: Scalar) -> Expr:
    """An odd constant whose multiples spread over the words."""
    return hexadecimal(k.rng.pick(*(ODD_LONG_WORDS if type == U64 else ODD_WORDS)), type)


def word_var(k: Builder, name: str, value: Expr | int, type: Scalar = U32) -> Name:
    """A variable that may hold any word."""
    return k.var(name, lift(value, type), bounds=LIMITS[type.name], type=type)


def rotated(x: Expr, places: Expr | int, left: bool = True) -> Expr:
    """The word turned round by so many places."""
    rest = width(_scalar(x)) - places
    return (x << places) | (x >> rest) if left else (x >> places) | (x << rest)


def _scalar(x: Expr) -> Scalar:
    assert isinstance(x.type, Scalar)
    return x.type


def source(k: Builder, name: str, type: Scalar, *, halves: bool = False) -> Expr:
    """This thread's word: an element, two mixed, an id with a salt, or a number of its own.

    `halves` allows two that are joined, where the whole word matters. Of long words, half may be empty.
    """
    top = 2**32 - 1
    kinds = ["element", "element", "mixed", "id", "counter", "salted"]
    kind = k.rng.pick(*kinds, *(["halves"] * 2 if halves else []))
    match kind:
        case "mixed":
            other = read(k, k.rng.pick("salt", "stream", "nonce"), 0, top, type, inline=True)
            word = read(k, name, 0, top, type, inline=True)
            k.notes.append("Two words are mixed into one")
            return k.let(name, k.rng.pick(word ^ other, word + other, word * magic(k, type) + other))
        case "id":
            number = read(k, k.rng.pick("id", "label", "object_id"), 0, 2**30, I32)
            return k.let(name, convert(type, number))
        case "counter":
            seed = k.scalar("seed", type, whole(0, top))
            number = k.index[0]
            for one, size in zip(k.index[1:], k.shape[1:], strict=True):
                number = number * k.size(size, size) + one
            k.notes.append("A seed and the element's number make the word")
            count = convert(type, number)
            odd = magic(k, type)
            return k.let(name, k.rng.pick(count * odd + seed, (count + seed) * odd, seed ^ (count * odd)))
        case "salted":
            salt = k.scalar(k.rng.pick("salt", "key_mask"), type, whole(0, top))
            return k.let(name, read(k, name, 0, top, type, array=plural(f"raw_{name}"), inline=True) ^ salt)
        case "halves" if type == U64:
            high, low = (
                convert(U64, read(k, f"{half}_word", 0, top, U32, inline=True)) for half in ("high", "low")
            )
            k.notes.append("Two words of 32 bits are joined into one of 64")
            return k.let(name, (high << 32) | low)
        case "halves":
            high, low = (
                read(k, f"{half}_half", 0, 2**16 - 1, U32, array=f"{half}_halves", inline=True)
                for half in ("high", "low")
            )
            return k.let(name, (high << 16) | low)
        case _:
            return read(k, name, 0, top, type)


def helper(
    k: Builder,
    name: str,
    doc: str,
    type: Scalar,
    body: Callable[[Builder, Expr], Expr],
) -> Callable[[Expr], Expr]:
    """`body` as a `@wp.func` of one word, or written out where it is used."""
    if k.rng.chance(0.5):
        return k.function(name, doc, {k.rng.pick("x", "word", "value"): (type, full(type))}, body)
    return lambda x: body(k, x)


def scramble(k: Builder, type: Scalar) -> Callable[[Builder, Expr], Expr]:
    """Rounds of an integer hash: shifts and products, folded into an expression or done in place."""
    bits = width(type)
    rounds = []
    for _ in range(k.rng.pick(2, 2, 3, 3, 4)):
        kind = k.rng.pick("multiply", "multiply", "add shift", "affine", "rotate", "complement")
        rounds.append((kind, k.rng.integer(bits // 4, bits // 2), k.rng.integer(3, 13), magic(k, type)))
    folded = any(kind in ("multiply", "add shift") for kind, *_ in rounds)
    last = k.rng.integer(bits // 3, bits // 2) if k.rng.chance(0.7) or not folded else 0
    in_place = k.rng.chance(0.5)

    def body(b: Builder, x: Expr) -> Expr:
        h = word_var(b, k.rng.pick("h", "hashed", "z"), x, type)
        for kind, fold, shift, odd in rounds:
            match kind:
                case "multiply" if in_place:
                    b.add(h, h >> fold, "^")
                    b.add(h, odd, "*")
                case "multiply":
                    b.set(h, (h ^ (h >> fold)) * odd)
                case "add shift":
                    b.add(h, h << shift)
                    b.add(h, h >> fold, "^")
                case "affine":
                    b.set(h, h * odd + (fold * shift + 1))
                case "rotate":
                    b.set(h, rotated(h, shift) * odd if in_place else rotated(h, shift) + odd)
                case _:
                    b.set(h, ~h + (h << shift))
        return h ^ (h >> last) if last else h

    return body


def use_word(k: Builder, name: str, word: Expr, doc: str, bits: int | None = None) -> None:
    """Store a word, or what programs make of one: a bucket, a number in [0, 1), a choice.

    Its lowest `bits` vary, or all of them.
    """
    type = _scalar(word)
    bits = bits or width(type)

    def some(places: int) -> Expr:
        if k.rng.chance(0.5):
            return word & ((1 << places) - 1)
        high = word >> (bits - places)
        return high if bits == width(type) else high & ((1 << places) - 1)

    match k.rng.pick("word", "bucket", "slot", "unit", "lookup", "tally", "jitter", "signs"):
        case "bucket":
            count = k.rng.pick(5, 7, 10, 12, 61, 100, 127)
            k.notes.append(f"The {name} chooses one of {count} buckets")
            finish(k, "bucket", convert(I32, word % count), doc)
        case "slot":
            places = k.rng.integer(4, min(12, bits))
            value = some(places)
            k.notes.append(f"The {name} chooses one of {2**places} slots")
            finish(k, "slot", convert(I32, value), doc)
        case "unit":
            places = min(24, bits)
            leading = word >> (bits - places) if bits > places else word
            leading = leading if bits == width(type) else leading & ((1 << places) - 1)
            unit = convert(k.real, leading) / float(2**places)
            k.notes.append(f"{places} bits of the {name} become a number in [0, 1)")
            finish(k, k.rng.pick("sample", "fraction"), bounded(unit, 0.0, 1.0), doc)
        case "lookup":
            places = k.rng.integer(3, 5)
            k.sizes["entries"] = str(2**places)
            table = k.array(k.rng.pick("palette", "table", "levels"), k.real, ["entries"], uniform(-1.0, 1.0))
            chosen = some(places)
            k.notes.append(f"The {name} chooses an entry of a table of {2**places}")
            finish(k, "entry", table[k.let("slot", convert(I32, chosen))], doc)
        case "tally":
            places = k.rng.integer(3, 5)
            k.sizes["buckets"] = str(2**places)
            counts = k.array(
                k.rng.pick("counts", "histogram", "loads"), I32, ["buckets"], whole(0, 9), "inout"
            )
            chosen = some(places)
            bucket = k.let("bucket", convert(I32, chosen))
            if k.target is not k.index or k.rng.chance(0.5):
                k.store(k.array(plural(name), type, k.shape, None, "out"), k.target, word)
            k.atomic(k.rng.pick("add", "+="), counts, bucket, 1)
            k.notes.append(f"Each {name} is counted in one of {2**places} buckets")
            describe(k, doc)
        case "jitter":
            low, high = k.let("low_half", word & 0xFFFF), k.let("high_half", (word >> 16) & 0xFFFF)
            scale = coefficient(k, "spread", 0.1, 0.9)
            value = (convert(k.real, low) + convert(k.real, high)) / 65536.0 - 1.0
            k.notes.append(f"Both halves of the {name} together make a number around zero")
            finish(k, "offset", scale * value, doc)
        case "signs":
            x = read(k, "amplitude", -1.0, 1.0)
            odd = some(3) < k.rng.pick(3, 4, 5)
            y = k.var("signed_number", x)
            with k.when(odd):
                k.set(y, -x)
            k.notes.append(f"Three bits of the {name} decide whether the amplitude changes its sign")
            finish(k, "output", y, doc)
        case _:
            finish(k, name, word, doc)
