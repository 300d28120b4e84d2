"""What programs make of a word: a bucket, a number in [0, 1), a choice."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, plural, read, uniform, whole
from weft.types import Scalar


def _scalar(x: Expr) -> Scalar:
    assert isinstance(x.type, Scalar)
    return x.type


def use_word(k: Builder, name: str, word: Expr, doc: str, bits: int | None = None) -> None:
    """Store a word, or what programs make of one: a bucket, a number in [0, 1), a choice.

    Its lowest `bits` vary, or all of them.
    """
    type = _scalar(word)
    bits = bits or 8 * type.bytes

    def some(places: int) -> Expr:
        if k.rng.chance(0.5):
            return word & ((1 << places) - 1)
        high = word >> (bits - places)
        return high if bits == 8 * type.bytes else high & ((1 << places) - 1)

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
            leading = leading if bits == 8 * type.bytes else leading & ((1 << places) - 1)
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
