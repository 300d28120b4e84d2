"""Fixed-point numbers, quantized numbers, bytes."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.idioms.dtype.precision import fixed_number, keep
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F16, F32, F64, I8, I16, I32, I64, LIMITS, U8
from weft.kernels.vocabulary import coefficient, read, threads, whole


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
            if narrow == other == U8:
                # Nothing is negative, so the sums grow with the length.
                scale = 0.004 / length
            level = ops.clamp(ops.round(convert(F32, total) * scale), -128.0, 127.0)
            keep(k, "code", convert(I8, convert(I32, level)), f"{doc} and quantized again")
        case "rectified":
            finish(k, "activation", ops.max(total, 0), f"{doc} and cut off at zero")
        case _:
            finish(k, "total", total, doc)


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
