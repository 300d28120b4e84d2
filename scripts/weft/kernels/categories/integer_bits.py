"""Bits of integers: hashes, counts, codes that interleave or pack, random streams, checksums."""

from collections.abc import Callable

from weft.kernels.bit_streams import CHECKSUMS, STREAMS, checksum_of, stream, stream_type
from weft.kernels.bit_tricks import (
    PLACES,
    counter,
    gray_decoding,
    highest_bit,
    reversal,
    spreading,
    squeezing,
    subject,
)
from weft.kernels.bits import helper, magic, rotated, scramble, source, use_word, width, word_var
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, construct, convert, hexadecimal, lift, ops
from weft.kernels.idioms import article, coefficient, read, threads, uniform, whole
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import I32, U8, U32, U64
from weft.types import Scalar, Vector

REVISION = 1
TEACHES = "bits of words: hashes, population counts, Gray and Morton codes, packed fields, streams, checksums"


def _word_type(k: Builder) -> Scalar:
    return k.rng.pick(U32, U32, U32, U64)


def hash_words(k: Builder) -> None:
    """Hashes of one word, or of a row of words."""
    type = _word_type(k)
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


def count_bits(k: Builder) -> None:
    """Population counts, and what is made of them."""
    type = _word_type(k)
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
            finish(k, "parity", count & 1, f"{doc}, modulo 2", counted=False)
        case "majority" if type == U32:
            yes, no = k.rng.pick((1, 0), (1, -1))
            vote = conditional(count > round(bits * share) - k.rng.pick(0, 1), lift(yes, I32), no)
            finish(k, "vote", vote, f"{doc}, as a vote of the majority", counted=False)
        case "weight":
            weight = coefficient(k, "weight", 0.1, 0.9)
            finish(k, "score", weight * convert(k.real, count), f"{doc}, times a weight")
        case _:
            finish(k, "count", count, doc)


def find_bit(k: Builder) -> None:
    """The first or last bit that is set: logarithms, priorities, levels of a tree."""
    type = _word_type(k)
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
    type = _word_type(k)
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
    (i,) = threads(k, 1, name=k.rng.pick("row", "batch", "i"), indirect=False)
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
    type = _word_type(k)
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


def morton_code(k: Builder) -> None:
    """Interleaved coordinates."""
    dimensions = k.rng.pick(2, 2, 3)
    axes = "xyz"[:dimensions]
    expand = spreading(k, dimensions)
    threads(k, 1, name=k.rng.pick("particle", "point", "i"))
    cells: list[Expr] = []
    top = PLACES[dimensions]
    if k.rng.chance(0.6):
        about = "position"
        point = read(k, "position", 0.0, 1.0, Vector(dimensions, k.real))
        top -= k.rng.pick(0, 1, 3)
        side = float(2**top)
        for n, axis in enumerate(axes):
            cells.append(k.let(f"cell_{axis}", convert(U32, ops.clamp(point[n] * side, 0.0, side - 1.0))))
    else:
        about = "cell"
        for axis in axes:
            cells.append(
                convert(U32, read(k, f"cell_{axis}", 0, 2**top - 1, I32, array=f"cells_{axis}", inline=True))
            )
    order = k.rng.shuffled(range(dimensions))
    code = expand(cells[order[0]])
    for n in range(1, dimensions):
        further = expand(cells[order[n]]) << n
        code = code | further if k.rng.chance(0.5) else code + further
    doc = f"Morton code of each {about} in {dimensions} dimensions, {axes[order[0]]} in the lowest bits"
    use_word(k, "code", k.let("morton", code), doc, top * dimensions)


def morton_cell(k: Builder) -> None:
    """Coordinates of Morton codes."""
    dimensions = k.rng.pick(2, 2, 3)
    compact = squeezing(k, dimensions)
    threads(k, 1, 2)
    code = source(k, "code", U32)
    cells = [
        k.let(f"cell_{axis}", convert(I32, compact(code >> n if n else code)))
        for n, axis in enumerate("xyz"[:dimensions])
    ]
    doc = f"coordinates of each Morton code in {dimensions} dimensions"
    match k.rng.pick("sum", "vector", "widest", "plane"):
        case "vector":
            side = k.rng.pick(0.5, 0.25, 0.1)
            corner = [convert(k.real, one) * side for one in cells]
            finish(k, "corner", construct(Vector(dimensions, k.real), *corner), f"Corner at the {doc}")
        case "plane":
            slope = coefficient(k, "slope", 0.1, 0.9)
            height = convert(k.real, cells[0]) - slope * convert(k.real, cells[1])
            if dimensions == 3:
                height = height + coefficient(k, "tilt", 0.1, 0.9) * convert(k.real, cells[2])
            finish(k, "height", height, f"Height over a plane at the {doc}")
        case "widest":
            value = ops.max(cells[0], cells[1])
            finish(
                k, "reach", ops.max(value, cells[2]) if dimensions == 3 else value, f"Largest of the {doc}"
            )
        case _:
            value = cells[0] + cells[1]
            finish(k, "distance", value + cells[2] if dimensions == 3 else value, f"Sum of the {doc}")


def pack_fields(k: Builder) -> None:
    """Small numbers packed into one word."""
    type = _word_type(k)
    names = k.rng.pick(
        ("red", "green", "blue"), ("x", "y", "z"), ("kind", "layer", "age"), ("hour", "minute")
    )
    widths = [k.rng.integer(4, width(type) // len(names) - 1) for _ in names]
    threads(k, 1, 2)
    how = k.rng.pick("clamped", "masked", "quantized")
    shift, packed = 0, word_var(k, "packed", 0, type) if k.rng.chance(0.4) else None
    parts: list[Expr] = []
    for name, bits in zip(names, widths, strict=True):
        top = 2 ** min(bits, 20) - 1
        if how == "quantized":
            real = read(k, name, 0.0, 1.0)
            field = convert(type, real * float(top) + 0.5 if k.rng.chance(0.5) else real * float(top))
        elif how == "clamped":
            raw = read(k, name, -top // 4, top + top // 3 + 1, I32)
            field = convert(type, ops.clamp(raw, 0, top))
        else:
            field = convert(type, read(k, name, 0, 2**30, I32)) & hexadecimal(2**bits - 1, type)
        field = field if how == "masked" or k.rng.chance(0.4) else k.let(f"{name}_bits", field)
        part = field << shift if shift else field
        if packed is not None:
            k.add(packed, part, "|")
        parts.append(part)
        shift += bits
    word: Expr = packed if packed is not None else parts[0]
    if packed is None:
        for part in k.rng.shuffled(parts[1:]):
            word = word | part
    if k.rng.chance(0.4) and shift < width(type):
        word = (word if isinstance(word, Name) else k.let("fields", word)) | hexadecimal(1 << shift, type)
        k.notes.append("The bit above the fields is set")
    fields = ", ".join(f"{name} in {bits} bits" for name, bits in zip(names, widths, strict=True))
    verb = {
        "clamped": "limited to its range",
        "masked": "cut to its lowest bits",
        "quantized": "rounded from a share",
    }
    finish(k, "packed_word", word, f"Packs {fields}; each field is {verb[how]}")


def unpack_fields(k: Builder) -> None:
    """Fields of packed words, signed or not, read or changed."""
    type = _word_type(k)
    threads(k, 1, 2)
    word = source(k, k.rng.pick("packed_word", "record"), type)
    bits, low = k.rng.integer(5, 12), k.rng.integer(2, 14)
    mask = 2**bits - 1
    match k.rng.pick("signed", "scaled", "changed", "counted", "compared", "moved"):
        case "signed":
            field = k.let("field", convert(I32, (word >> low) & mask))
            half = 2 ** (bits - 1)
            value: Expr
            if k.rng.chance(0.5):
                value = k.let("value", (field ^ half) - half)
            else:
                number = k.var("value", field, type=I32, bounds=(-half, mask))
                with k.when(field >= half):
                    k.set(number, bounded(field - 2 * half, -half, -1))
                value = number
            finish(k, "value", bounded(value, -half, half - 1), f"Signed field of {bits} bits from bit {low}")
        case "scaled":
            field, upper = k.let("field", (word >> low) & mask), k.let("upper", (word >> (low + bits)) & 15)
            value = convert(k.real, field) / float(mask) * (1.0 + convert(k.real, upper))
            finish(k, "reading", value, f"Share of {bits} bits from bit {low}, scaled by the four bits above")
        case "changed":
            step = k.rng.pick(1, 3, 5)
            field = k.let("field", (word >> low) & mask)
            cleared = word & ~(hexadecimal(mask, type) << low)
            new, how = k.rng.pick(
                ((field + step) & mask, f"raised by {step}, wrapping round"),
                (ops.min(field + step, lift(mask, type)), f"raised by {step} as far as it has room"),
                (field ^ (field >> 1), "turned into its Gray code"),
                (mask - field, "complemented"),
            )
            finish(
                k,
                "updated_record",
                cleared | (new << low),
                f"The field of {bits} bits from bit {low} is {how}",
            )
        case "counted":
            step = k.rng.pick(3, 4, 5, 6)
            total = k.var("total", 0, type=I32)
            with k.loop("field", 0, 32 // step) as field:
                one = (word >> convert(type, step * field)) & (2**step - 1)
                k.add(total, convert(I32, one))
            finish(k, "total", total, f"Sum of the {32 // step} fields of {step} bits in each word")
        case "compared":
            other = (word >> (low + bits)) & mask
            first, second = k.let("first", (word >> low) & mask), k.let("second", other)
            large = k.rng.chance(0.5)
            chosen = conditional(first > second if large else first < second, first, second)
            finish(
                k,
                "winner",
                convert(I32, chosen),
                f"{'Larger' if large else 'Smaller'} of two fields of {bits} bits",
            )
        case _:
            target = k.rng.integer(16, 31 - bits) if bits < 15 else 16
            field = k.let("field", (word >> low) & mask)
            kept = word & ~(hexadecimal(mask, type) << target)
            finish(k, "moved", kept | (field << target), f"Copies {bits} bits from bit {low} to bit {target}")


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
