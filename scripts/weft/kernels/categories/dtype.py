"""Numbers of every width: halves, doubles, narrow and wide integers, and the ways from one to another."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.idioms import coefficient, read, threads, whole
from weft.kernels.operators import is_float
from weft.kernels.precision import fixed_number, keep, mixed, row_sum
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F16, F32, F64, I8, I16, I32, I64, LIMITS, U8, U16, U32, U64
from weft.types import Scalar

REVISION = 1
TEACHES = (
    "conversions, halves, double accumulators, saturating casts, fixed point, quantization, wide products"
)


def _finish(k: Builder, name: str, value: Expr, doc: str, **options: bool) -> None:
    """As `finish`, with numbers of the result's own type."""
    if isinstance(value.type, Scalar) and value.type.is_float:
        k.real = value.type
    finish(k, name, value, doc, **options)


def half_storage(k: Builder) -> None:
    """Data stored as halves, computed with as floats."""
    k.real = k.rng.pick(F32, F32, F64)
    threads(k)
    x = k.let("x", convert(k.real, read(k, "input", -2.0, 2.0, F16, inline=True)))
    other = None
    if k.rng.chance(0.6):
        narrow = k.rng.chance(0.5)
        y = read(k, "other", -2.0, 2.0, F16 if narrow else k.real, inline=True)
        other = k.let("y", convert(k.real, y) if narrow else y)
    value = mixed(k, x, other)
    if other is not None:
        value = value + k.rng.number(0.1, 0.9) * other * k.rng.pick(x, other, lift(1, k.real))
    wide = "doubles" if k.real == F64 else "floats"
    if k.rng.chance(0.3):
        finish(k, "output", value, f"Computes with halves as {wide}, and stores them too")
    else:
        _finish(k, "output", convert(F16, value), f"Computes with halves as {wide}, and stores halves")


def half_math(k: Builder) -> None:
    """Arithmetic on halves."""
    k.real = F16
    threads(k)
    x = read(k, "x", -2.0, 2.0)
    y = read(k, "y", -2.0, 2.0) if k.rng.chance(0.7) else None
    value = mixed(k, x, y)
    if k.rng.chance(0.5):
        value = value * k.rng.number(0.5, 1.5) + k.rng.pick(x * x, ops.abs(x), x)
    if y is not None:
        value = k.rng.pick(value + y, value - y, ops.max(value, y), value * y)
    if k.rng.chance(0.4):
        _finish(k, "result", convert(F32, value), "Arithmetic in half precision, stored as floats")
    else:
        finish(k, "result", value, "Arithmetic in half precision")


def precise_sum(k: Builder) -> None:
    """Long sums of short numbers, with care for what rounds away."""
    total, doc = row_sum(k)
    _finish(k, "total", total, doc)


def _narrow(k: Builder) -> Scalar:
    return k.rng.pick(I8, I16, U8, U16)


def saturating_cast(k: Builder) -> None:
    """Wide numbers narrowed without wrapping round."""
    narrow = _narrow(k)
    low, high = LIMITS[narrow.name]
    threads(k)
    if k.rng.chance(0.5):
        wide = k.rng.pick(I32, I32, I64)
        raw = read(k, "sample", 2 * low - 100, 2 * high, wide)
        value: Expr = raw
        if k.rng.chance(0.5):
            value = value + k.scalar("offset", wide, whole(-high // 4, high // 4))
        if k.rng.chance(0.4):
            gain = k.rng.pick(3, 5, 7)
            value = value * gain / 4 if value.interval.lo >= 0 else value * gain
        doc = f"{wide!s} values"
    else:
        scale = coefficient(k, "scale", 0.6 * high, 1.6 * high)
        raw = read(k, "signal", -1.0, 1.0)
        rounding, word = k.rng.pick(
            (ops.round, "rounded"), (ops.floor, "rounded down"), (ops.ceil, "rounded up")
        )
        value = rounding(raw * scale)
        doc = f"{k.real} values, scaled and {word},"
    if is_float(value.type):
        value = ops.clamp(value, float(low), float(high))
    elif k.rng.chance(0.5):
        value = ops.clamp(value, low, high)
    else:
        value = ops.min(ops.max(value, low), high)
    limited = k.let("level", value)
    result = convert(narrow, convert(I32, limited) if is_float(limited.type) else limited)
    if k.rng.chance(0.4):
        hit, which = k.rng.pick(
            (limited.equals(lift(high, limited.type)), "upper"),
            (limited.equals(lift(low, limited.type)), "lower"),
        )
        flags = k.array("saturated", U8, k.shape, None, "out")
        k.store(flags, k.target, conditional(hit, lift(1, U8), lift(0, U8)))
        k.notes.append(f"Values that reach the {which} limit are marked")
    keep(k, "narrow_value", result, f"{doc[0].upper()}{doc[1:]} as {narrow} with saturation")


def saturating_add(k: Builder) -> None:
    """Sums, differences and means of narrow integers, computed in wider ones."""
    narrow = _narrow(k)
    low, high = LIMITS[narrow.name]
    wide = k.rng.pick(I32, I32, I64)
    threads(k)
    a = convert(wide, read(k, "left", low, high, narrow, inline=True, array="left_values"))
    b = convert(wide, read(k, "right", low, high, narrow, inline=True, array="right_values"))
    if k.rng.chance(0.5):
        a, b = k.let("first", a), k.let("second", b)
    kind = k.rng.pick("sum", "difference", "blend", "distance", "mean", "scaled")
    if kind == "mean" and low < 0:
        kind = "distance"
    match kind:
        case "sum":
            value, doc = a + b, "Sum"
        case "difference":
            value, doc = a - b, "Difference"
        case "blend":
            weight = k.rng.integer(20, 230)
            value, doc = (a * weight + b * (256 - weight)), f"Blend by {weight} of 256"
            value = k.let("mix", value) >> 8 if low == 0 else k.let("mix", value)
            if low < 0:
                doc = f"Sum, weighted by {weight} and {256 - weight},"
        case "distance":
            value, doc = ops.abs(a - b), "Distance"
        case "mean":
            value, doc = (a + b + 1) >> 1, "Mean, rounded up,"
        case _:
            value, doc = a + b * k.rng.pick(2, 3, 4), "Sum with a multiple"
    if value.interval.within(low, high):
        result = convert(narrow, value)
    elif k.rng.chance(0.5):
        result = convert(narrow, ops.clamp(value, low, high))
        doc = f"{doc} with saturation"
    else:
        wide_result = k.var("total", value, bounds=(value.interval.lo, value.interval.hi), type=wide)
        with k.when(wide_result > high):
            k.set(wide_result, high)
        if value.interval.lo < low:
            with k.when(wide_result < low):
                k.set(wide_result, low)
        result = convert(narrow, bounded(wide_result, low, high))
        doc = f"{doc} with saturation"
    keep(k, "result", result, f"{doc} of pairs of {narrow} values, computed in {wide}")


def wrapping_counter(k: Builder) -> None:
    """Counters that wrap round, and what has passed between two of their readings."""
    type = k.rng.pick(U8, U16, U32)
    top = LIMITS[type.name][1]
    threads(k)
    now, before = read(k, "now", 0, top, type), read(k, "before", 0, top, type)
    kind = k.rng.pick("raw", "rate", "late", "signed", "next")
    elapsed = k.let("elapsed", now - before)
    match kind:
        case "rate":
            ticks = coefficient(k, "tick_length", 0.001, 0.1)
            finish(
                k, "seconds", convert(k.real, elapsed) * ticks, f"Time between readings of a {type} counter"
            )
        case "late":
            limit = k.rng.integer(top // 4, top // 2)
            overdue = conditional(elapsed > limit, elapsed - limit, lift(0, type))
            keep(k, "delay", overdue, f"How far a {type} counter is beyond {limit} ticks")
        case "signed":
            half = top // 2 + 1
            ahead = conditional(elapsed < half, convert(F32, elapsed), convert(F32, elapsed) - float(top + 1))
            k.real = F32
            finish(k, "offset", ahead, f"Signed distance of two readings of a {type} counter")
        case "next":
            step = k.rng.integer(3, 100)
            rest = elapsed + (step - elapsed % step)
            keep(
                k,
                "deadline",
                rest,
                f"Ticks between readings of a {type} counter, taken to the next multiple of {step}",
            )
        case _:
            keep(k, "elapsed", elapsed, f"Ticks between two readings of a {type} counter")


def fixed_point(k: Builder) -> None:
    """Numbers with a fixed number of binary places."""
    value, doc, one = fixed_number(k)
    if k.rng.chance(0.5):
        k.real = k.rng.pick(F32, F64)
        finish(k, "number", convert(k.real, value) / float(one), f"{doc}, as a float")
    else:
        finish(k, "fixed_number", value, doc)


def quantize(k: Builder) -> None:
    """Floats as small integers with a scale and a zero point."""
    narrow = k.rng.pick(I8, U8, U8, I16)
    low, high = LIMITS[narrow.name]
    k.real = k.rng.pick(F32, F32, F16) if narrow != I16 else F32
    threads(k)
    x = read(k, "value", -1.0, 1.0)
    step = coefficient(k, "step", 0.004, 0.02) if k.real == F32 else coefficient(k, "step", 0.008, 0.03)
    zero = k.scalar("zero_point", I32, whole(low // 4, high // 3)) if k.rng.chance(0.6) else None
    scaled = x / step
    if k.real == F16:
        scaled = convert(F32, scaled)
    level = convert(I32, ops.round(scaled) if k.rng.chance(0.7) else ops.floor(scaled + 0.5))
    level = level if zero is None else level + zero
    if low == 0 and zero is None:
        level = level + 128
        k.notes.append("The level 128 stands for zero")
    level = k.let("level", ops.clamp(level, low, high))
    if k.rng.chance(0.4):
        center = zero if zero is not None else (128 if low == 0 else 0)
        near = convert(F32, level - center if zero is not None or low == 0 else level)
        k.store(k.array("codes", narrow, k.shape, None, "out"), k.target, convert(narrow, level))
        k.real, step = F32, step if step.type == F32 else convert(F32, step)
        difference = (x if x.type == F32 else convert(F32, x)) - near * step
        finish(
            k, "quantization_error", difference, f"Quantizes each value to {narrow}, and stores the error too"
        )
    else:
        keep(k, "code", convert(narrow, level), f"Quantizes each value to {narrow}")


def quantized_dot(k: Builder) -> None:
    """Dot products of small integers."""
    narrow = k.rng.pick(I8, U8, I16)
    other = k.rng.pick(I8, narrow)
    wide = I64 if narrow == I16 else I32
    (i,) = threads(k, 1, name=k.rng.pick("row", "i"))
    length = k.rng.pick(4, 8, 16, 20)
    k.sizes["length"] = str(length)
    data = k.array("activations", narrow, ["n", "length"], whole(*LIMITS[narrow.name]))
    shared = k.rng.chance(0.5)
    weights = k.array("weights", other, ["length"] if shared else ["n", "length"], whole(*LIMITS[other.name]))
    zero = k.scalar("zero_point", wide, whole(1, 20)) if k.rng.chance(0.5) else None
    total = k.var("total", k.scalar("bias", wide, whole(-500, 500)) if k.rng.chance(0.4) else 0, type=wide)
    with k.loop("j", 0, length) as j:
        a, b = convert(wide, data[i, j]), convert(wide, weights[j] if shared else weights[i, j])
        k.add(total, (a if zero is None else a - zero) * b)
    doc = f"Dot product of {length} {narrow} and {other} values, summed in {wide}"
    match k.rng.pick("real", "requantized", "plain", "rectified"):
        case "real":
            finish(
                k,
                "score",
                convert(k.real, total) * coefficient(k, "scale", 0.0001, 0.001),
                f"{doc} and scaled",
            )
        case "requantized":
            scale = k.rng.pick(0.002, 0.004, 0.0005) if wide == I32 else (2e-8 if other == I16 else 5e-6)
            level = ops.clamp(ops.round(convert(F32, total) * scale), -128.0, 127.0)
            keep(k, "code", convert(I8, convert(I32, level)), f"{doc} and quantized again")
        case "rectified":
            finish(k, "activation", ops.max(total, 0), f"{doc} and cut off at zero")
        case _:
            finish(k, "total", total, doc)


def wide_product(k: Builder) -> None:
    """Products of 32-bit numbers that need 64 bits."""
    threads(k)
    signed = k.rng.chance(0.4)
    narrow, wide = (I32, I64) if signed else (U32, U64)
    low, high = (-(2**31), 2**31 - 1) if signed else (0, 2**32 - 1)
    a, b = (
        read(k, "left", low, high, narrow, array="left_values"),
        read(k, "right", low, high, narrow, array="right_values"),
    )
    product = k.let("product", convert(wide, a) * convert(wide, b))
    match k.rng.pick("high", "modulo", "scaled", "real", "folded"):
        case "modulo" if not signed:
            modulus = k.rng.pick(1000003, 2147483647, 998244353, 65537)
            finish(k, "residue", convert(U32, product % modulus), f"Product modulo {modulus}")
        case "scaled" if not signed:
            count = k.rng.integer(10, 500)
            scaled = convert(U32, (convert(U64, a) * count) >> 32)
            doc = f"Scales each word to a number below {count}, and adds the high word of a product"
            finish(k, "choice", scaled + convert(U32, product >> 32), doc)
        case "real":
            scale = k.rng.pick(1e-12, 1e-10, 1e-15)
            k.real = k.rng.pick(F32, F64)
            finish(
                k,
                "area",
                convert(k.real, product) * scale,
                "Exact product of two integers, as a scaled float",
            )
        case "folded" if not signed:
            folded = convert(U32, product ^ (product >> 32))
            finish(k, "mixture", folded, "Both halves of a 64-bit product, mixed")
        case _:
            if signed:
                finish(
                    k,
                    "high_part",
                    convert(I32, product / 2**32),
                    "Product divided by 2 to the power of 32",
                )
            else:
                finish(k, "high_word", convert(U32, product >> 32), "High word of a product of words")


def color_bytes(k: Builder) -> None:
    """Bytes of colors, blended as floats or as integers."""
    threads(k)
    front, back = read(k, "front", 0, 255, U8), read(k, "back", 0, 255, U8)
    alpha = read(k, "alpha", 0, 255, U8, inline=True)
    kind = k.rng.pick("integers", "floats", "floats", "squares", "difference")
    mix: Expr
    match kind:
        case "integers":
            a = k.let("opacity", convert(I32, alpha))
            mix = k.let("mix", convert(I32, front) * a + convert(I32, back) * (255 - a) + 128)
            value = convert(U8, bounded((mix + (mix >> 8)) >> 8, 0, 255))
            doc = "Blends bytes with integers, rounding to nearest"
        case "difference":
            gap = ops.abs(convert(I32, front) - convert(I32, back))
            value = convert(U8, bounded(gap * convert(I32, alpha) / 255, 0, 255))
            doc = "Distance of two bytes, scaled by an opacity"
        case _:
            parts = [convert(k.real, one) / 255.0 for one in (front, back)]
            a = k.let("opacity", convert(k.real, alpha) / 255.0)
            if kind == "squares":
                light = k.let("light", parts[0] * parts[0] * a + parts[1] * parts[1] * (1.0 - a))
                mix = ops.sqrt(bounded(light, 0.0, 1.0))
            else:
                mix = k.rng.pick(parts[0] * a + parts[1] * (1.0 - a), ops.lerp(parts[1], parts[0], a))
            mix = k.let("mix", mix)
            if k.rng.chance(0.4):
                finish(
                    k,
                    "intensity",
                    mix,
                    f"Blends bytes {'in squared' if kind == 'squares' else 'as'} {k.real}",
                )
                return
            value = convert(U8, convert(I32, bounded(mix, 0.0, 1.0) * 255.0 + 0.5))
            how = "as squares of" if kind == "squares" else "as"
            doc = f"Blends bytes {how} {k.real} values, and stores bytes"
    keep(k, "blended", value, doc)


def split_double(k: Builder) -> None:
    """Doubles and what is left of them in single or half precision."""
    k.real = F64
    threads(k)
    narrow = k.rng.pick(F32, F32, F16)
    x = k.let("x", read(k, "x", -3.0, 3.0, inline=True) * coefficient(k, "unit", 0.3, 1.7))
    high = k.let("high", convert(narrow, x))
    back = convert(F64, high)
    error: Expr
    match k.rng.pick("pair", "pair", "error", "product", "sum"):
        case "pair":
            low = k.let("low", convert(narrow, x - back))
            k.store(k.array("leading_parts", narrow, k.shape, None, "out"), k.target, high)
            _finish(k, "remainder", low, f"Splits each double into two {narrow} values")
        case "product":
            other = k.let("y", convert(narrow, read(k, "y", -1.0, 1.0, inline=True)))
            wide = back * convert(F64, other)
            difference = wide - convert(F64, high * other)
            error = difference * (1000.0 if narrow == F16 else 1e6)
            finish(k, "product_error", error, f"Rounding error of products of {narrow} values, scaled")
        case "sum":
            offset = read(k, "offset", -1.0, 1.0, F32)
            finish(
                k, "total", back + convert(F64, offset), f"Sum of a {narrow} and a float32 value as doubles"
            )
        case _:
            error = ops.abs(x - back) * (1000.0 if narrow == F16 else 1e6)
            finish(k, "rounding_error", error, f"Rounding error of doubles stored as {narrow}, scaled")


def rounding_modes(k: Builder) -> None:
    """Floats on their way to integers."""
    threads(k)
    target = k.rng.pick(I8, I16, I32, I64)
    span = {I8: 100.0, I16: 3e4, I32: 1e6, I64: 1e6}[target]
    x = read(k, "measurement", -span, span)
    rounding, word = k.rng.pick(
        (ops.floor, "down"), (ops.ceil, "up"), (ops.round, "to nearest"), (ops.trunc, "towards zero")
    )
    whole_part = k.let("rounded", rounding(x * coefficient(k, "scale", 0.2, 0.9)))
    level = convert(target, whole_part) if target in (I32, I64) else convert(target, convert(I32, whole_part))
    match k.rng.pick("level", "both", "digit", "even"):
        case "both":
            k.store(k.array("levels", target, k.shape, None, "out"), k.target, level)
            finish(
                k,
                "remainder",
                x - whole_part,
                f"Rounds {word} to {target}, and tells what is left of the value",
            )
        case "digit":
            digit = (ops.abs(convert(I32, whole_part))) % 10
            keep(k, "digit", convert(I8, digit), f"Last decimal digit of values that are rounded {word}")
        case "even":
            parity = (
                convert(I32, whole_part) & 1
                if whole_part.interval.lo >= 0
                else ops.abs(convert(I32, whole_part)) & 1
            )
            moved = convert(I32, whole_part) + parity
            keep(k, "even_level", moved, f"Rounds {word} and on to even numbers above")
        case _:
            keep(k, "level", level, f"Rounds scaled measurements {word} to {target}")
