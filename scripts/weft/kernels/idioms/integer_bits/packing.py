"""Morton codes, and fields of words."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, construct, convert, hexadecimal, lift, ops
from weft.kernels.idioms.integer_bits.bit_tricks import (
    PLACES,
    spreading,
    squeezing,
)
from weft.kernels.idioms.integer_bits.bits import source, use_word, width, word_var
from weft.kernels.idioms.integer_bits.words import word_type
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import I32, U32
from weft.kernels.vocabulary import coefficient, read, threads
from weft.types import Vector


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
    type = word_type(k)
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
            field = convert(type, bounded(real * float(top + 1), 0.0, float(top)))
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
        "quantized": "a share of its range, rounded down",
    }
    finish(k, "packed_word", word, f"Packs {fields}; each field is {verb[how]}")


def unpack_fields(k: Builder) -> None:
    """Fields of packed words, signed or not, read or changed."""
    type = word_type(k)
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
