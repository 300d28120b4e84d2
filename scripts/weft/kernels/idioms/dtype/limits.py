"""Integers that saturate, wrap or are widened."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.idioms.dtype.precision import keep
from weft.kernels.operators import is_float
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, F64, I8, I16, I32, I64, LIMITS, U8, U16, U32, U64
from weft.kernels.vocabulary import coefficient, read, threads, whole
from weft.types import Scalar


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
        value, doc = _rounded(k, low, high)
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


def _rounded(k: Builder, low: int, high: int) -> tuple[Expr, str]:
    """Counts times a gain, rounded; what the docstring calls them.

    The product is exact in any float type from float32 on: a value beside the middle between two numbers
    would go to another of them in another precision.
    """
    top = high * 3 // 4
    count = read(k, "count", -top if low < 0 else -top // 4, top, I32, inline=True, array="counts")
    name, word = k.rng.pick(
        ("round", "rounded"),
        ("rint", "rounded to the nearest, halves to even,"),
        ("floor", "rounded down"),
        ("ceil", "rounded up"),
    )
    gains = (1.25, 1.5, 1.625, 1.75, 2.25, 2.5)
    match k.rng.pick("literal", "literal", "constant", "shared", "own", "bias"):
        case "constant":
            product = convert(k.real, count) * k.constant("gain", k.real, k.rng.pick(*gains))
        case "shared":
            k.notes.append("The gain is given in sixteenths")
            product = convert(k.real, count * k.scalar("gain", I32, whole(20, 40))) / 16.0
        case "own":
            k.notes.append("Each gain is given in eighths")
            product = convert(k.real, count * read(k, "gain", 10, 20, I32, inline=True)) / 8.0
        case "bias":
            bias = k.rng.pick(0.5, 1.5, 2.5, 4.5)
            product = convert(k.real, count) * k.rng.pick(*gains) + bias
            k.notes.append(f"{bias} is added before they are rounded")
        case _:
            product = convert(k.real, count) * k.rng.pick(*gains)
    return getattr(ops, name)(product), f"counts, scaled in {k.real} and {word}"


def saturating_add(k: Builder) -> None:
    """Sums, differences and means of narrow integers, computed in wider ones."""
    narrow = _narrow(k)
    low, high = LIMITS[narrow.name]
    wide = k.rng.pick(I32, I32, I64)
    kind, k.name = k.rng.pick(
        ("sum", "saturating_add"), ("difference", "saturating_subtract"), ("blend", "blend_of_pairs"),
        ("distance", "absolute_difference"), ("mean", "rounded_mean"), ("multiple", "saturating_muladd"),
    )  # fmt: skip
    if kind == "mean" and low < 0:
        kind, k.name = "distance", "absolute_difference"
    threads(k)
    a = convert(wide, read(k, "left", low, high, narrow, inline=True, array="left_values"))
    b = convert(wide, read(k, "right", low, high, narrow, inline=True, array="right_values"))
    if k.rng.chance(0.5):
        a, b = k.let("first", a), k.let("second", b)
    match kind:
        case "sum":
            value, doc = a + b, "Sum"
        case "difference":
            value, doc = a - b, "Left number less right"
        case "blend":
            weight = k.rng.integer(20, 230)
            mix = k.let("mix", a * weight + b * (256 - weight))
            value = mix >> 8 if low == 0 else mix / 256
            doc = f"Blend with {weight} parts in 256 of the left number"
        case "distance":
            value, doc = ops.abs(a - b), "Distance"
        case "mean":
            value, doc = (a + b + 1) >> 1, "Mean, rounded up,"
        case _:
            times = k.rng.pick(2, 3, 4)
            value, doc = a + b * times, f"Left number plus {times} times the right"
    saturated = ""
    if value.interval.within(low, high):
        result = convert(narrow, value)
    elif k.rng.chance(0.5):
        result = convert(narrow, ops.clamp(value, low, high))
        saturated = ", with saturation"
    else:
        wide_result = k.var("total", value, bounds=(value.interval.lo, value.interval.hi), type=wide)
        with k.when(wide_result > high):
            k.set(wide_result, high)
        if value.interval.lo < low:
            with k.when(wide_result < low):
                k.set(wide_result, low)
        result = convert(narrow, bounded(wide_result, low, high))
        saturated = ", with saturation"
    keep(k, "result", result, f"{doc} of each pair of {narrow} values{saturated}, computed in {wide}")


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
    exact = convert(wide, a) * convert(wide, b)
    match k.rng.pick("alone", "alone", "added", "carried"):
        case "added":
            exact = exact + convert(wide, read(k, "addend", low, high, narrow))
            k.notes.append("An addend is added to the product")
        case "carried":
            exact = exact + k.scalar("carry", wide, whole(0, 2**31 - 1))
            k.notes.append("The product is increased by carry")
    product = k.let("product", exact)
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
