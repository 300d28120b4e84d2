"""Hashes, checksums, random streams."""

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.idioms.integer_bits.bit_streams import CHECKSUMS, STREAMS, checksum_of, stream, stream_type
from weft.kernels.idioms.integer_bits.bits import (
    helper,
    magic,
    rotated,
    scramble,
    source,
    use_word,
    width,
    word_var,
)
from weft.kernels.idioms.integer_bits.words import word_type
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32, U8, U32
from weft.kernels.vocabulary import article, read, threads, whole


def hash_words(k: Builder) -> None:
    """Hashes of one word, or of a row of words."""
    type = word_type(k)
    rounds = scramble(k, type)
    name = k.rng.pick("hash", "digest")
    if k.rng.chance(0.55):
        threads(k, 1, 2)
        mix = helper(k, "mix", "Rounds of shifts and products that spread every bit.", type, rounds)
        use_word(k, name, k.let("hashed", mix(source(k, "key", type, halves=True))), "Hash of each key")
        return
    (i,) = threads(k, 1, name=k.rng.pick("row", "record", "i"))
    count = k.rng.pick(3, 4, 6, 8, 20)
    k.sizes["words"] = str(count)
    words = k.array(k.rng.pick("words", "keys", "fields"), type, ["n", "words"], whole(0, 2**32 - 1))
    mix = helper(k, "absorb", "One round of a hash.", type, rounds)
    fixed = k.rng.chance(0.5)
    h = word_var(k, "state", magic(k, type) if fixed else k.scalar("seed", type, whole(0, 2**32 - 1)), type)
    with k.loop("j", 0, count) as j:
        one = words[i, j]
        k.set(h, mix(k.rng.pick(h ^ one, h + one, rotated(h, 5) ^ one)))
    if k.rng.chance(0.5):
        k.add(h, h >> (width(type) // 2 - 1), "^")
    use_word(k, name, h, f"Hash of each row of {count} words")


def random_stream(k: Builder) -> None:
    """A generator of random words of each thread's own."""
    kind = k.rng.pick(*STREAMS)
    type = stream_type(k, kind)
    threads(k, 1)
    draw = stream(k, kind, source(k, "seed_word", type, halves=True), type)
    steps = k.rng.pick(3, 5, 8, 20)
    use = k.rng.pick("mean", "hits", "walk", "largest", "mix")
    real = use in ("mean", "walk")
    if real:
        total = k.var({"mean": "total", "walk": "position"}[use], 0.0)
    elif use == "hits":
        total = k.var("hits", 0, type=I32)
    else:
        total = word_var(k, "best" if use == "largest" else "mixed", 0, type)
    with k.loop("step", 0, steps):
        out = draw()
        if real:
            unit = bounded(convert(k.real, out >> (width(type) - 24)) / 16777216.0, 0.0, 1.0)
            k.add(total, unit if use == "mean" else k.rng.number(0.1, 0.9) * (unit - 0.5))
        elif use == "hits":
            with k.when(out >> (width(type) - 8) < k.rng.integer(60, 200)):
                k.add(total, 1)
        elif use == "largest":
            k.set(total, ops.max(total, out >> 4 if k.rng.chance(0.5) else out))
        else:
            k.add(total, out, k.rng.pick("^", "+"))
    doc = f"of {steps} words from {article(kind)} generator"
    match use:
        case "mean":
            finish(k, "mean", total / float(steps), f"Mean {doc}, each as a number in [0, 1)")
        case "walk":
            finish(k, "position", total, f"End of a random walk {doc}")
        case "hits":
            finish(k, "count", total, f"Number {doc} that fall below a level")
        case "largest":
            finish(k, "record", total, f"Largest {doc}")
        case _:
            finish(k, "mixture", total, f"Mixture {doc}")


def checksum(k: Builder) -> None:
    """Checksums of rows of bytes."""
    kind = k.rng.pick(*CHECKSUMS)
    length = k.rng.pick(4, 6, 8, 12, 20)
    (i,) = threads(k, 1, name=k.rng.pick("packet", "row", "i"))
    k.sizes["bytes"] = str(length)
    stored = k.rng.pick(U8, U8, I32, U32)
    data = k.array(k.rng.pick("packets", "payloads", "data"), stored, ["n", "bytes"], whole(0, 255))
    keyed = k.scalar("key", U32, whole(0, 255)) if kind != "parity" and k.rng.chance(0.25) else None
    if keyed is not None:
        k.notes.append("A key is mixed into every byte")

    def each(absorb: Callable[[Expr, Expr], None]) -> None:
        with k.loop("j", 0, length) as j:
            byte = data[i, j] if stored == U32 else convert(U32, data[i, j])
            absorb(byte if keyed is None else byte ^ keyed, j)

    word = k.let("digest", checksum_of(k, kind, each))
    if k.rng.chance(0.3):
        expected = read(k, "expected", 0, 2**32 - 1, U32)
        doc = f"Where the {kind} checksum of {length} bytes differs from the expected one"
        finish(k, "difference", word ^ expected, doc)
    elif kind == "parity":
        finish(k, "parity", word, f"Parity byte of {length} bytes")
    else:
        few = {"Fletcher": 8, "rotating": 16}.get(kind)
        use_word(k, "checksum", word, f"{kind[0].upper()}{kind[1:]} checksum of {length} bytes", few)
