"""Computations whose point is the precision of their numbers: steps for halves, long sums, fixed point."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import F16, F32, F64, I32, I64, LIMITS, U8
from weft.kernels.vocabulary import coefficient, curve, plural, read, threads, through, uniform, whole
from weft.types import Scalar


def mixed(k: Builder, x: Expr, other: Expr | None) -> Expr:
    """Some steps, at least one, on a number of any float type, small enough for a half."""
    given = x
    for step in k.rng.shuffled(("affine", "mix", "rectify", "limit", "gate", "curve"))[: k.rng.pick(1, 2, 3)]:
        match step:
            case "affine":
                x = x * coefficient(k, "gain", 0.4, 1.5) + coefficient(k, "bias", -0.5, 0.5)
            case "mix" if other is not None:
                x = x + coefficient(k, "share", 0.1, 0.9) * other
            case "rectify":
                x = k.let("input_value", x)
                slope = k.rng.number(0.01, 0.3)
                x = conditional(x > 0.0, x, slope * x) if k.rng.chance(0.5) else ops.max(x, slope * x)
            case "limit":
                top = coefficient(k, "limit", 0.5, 1.2, kinds="lp")
                x = ops.clamp(x, -top, top) if top.interval.is_constant else ops.min(x, top)
            case "gate" if other is not None:
                x = x / (1.0 + ops.abs(other))
            case "curve":
                x, word = curve(k, k.let("raw", x))
                k.notes.append(f"The value {through(word)}")
    return x if x is not given else x * coefficient(k, "gain", 0.4, 1.5)


def _index(index: Expr, length: int) -> Expr:
    """An index that its author has proved to be below a length."""
    return bounded(index, 0, length - 1)


def row_sum(k: Builder) -> tuple[Expr, str]:
    """Long sums of short numbers, with care for what rounds away."""
    source = k.rng.pick(F32, F32, F16)
    k.real = source
    (i,) = threads(k, 1, name=k.rng.pick("row", "channel", "i"))
    length = k.rng.pick(6, 8, 12, 24, 40)
    k.sizes["length"] = str(length)
    data = k.array(k.rng.pick("samples", "values", "rows"), source, ["n", "length"], uniform(-1.0, 1.0))
    how = k.rng.pick("double", "double", "compensated", "two", "blocks") if source == F32 else "float"
    wide = {"double": F64}.get(how, F32)
    term_kind = k.rng.pick("value", "square", "product", "magnitude", "weighted")
    others = None
    if term_kind in ("product", "weighted"):
        own = k.rng.chance(0.5)
        shape = ["n", "length"] if own else ["length"]
        others = k.array("others" if own else "weights", source, shape, uniform(-1.0, 1.0))

    def term(j: Expr) -> Expr:
        value = data[i, j] if wide == source else convert(wide, data[i, j])
        if others is None:
            if term_kind == "value":
                return value
            value = k.let("value", value)
            return value * value if term_kind == "square" else ops.abs(value)
        other = others[i, j] if len(others.parameter.shape) == 2 else others[j]
        return value * (other if wide == source else convert(wide, other))

    total = k.var("total", 0.0, type=wide)
    result: Expr = total
    match how:
        case "compensated":
            lost = k.var("lost", 0.0, type=wide)
            with k.loop("j", 0, length) as j:
                corrected = k.let("corrected", term(j) - lost)
                new = k.let("new_total", total + corrected)
                k.set(lost, (new - total) - corrected)
                k.set(total, new)
            result = bounded(total, -float(length), float(length))
        case "two":
            odd = k.var("odd_total", 0.0, type=wide)
            with k.loop("j", 0, length, 2) as j:
                k.add(total, term(j))
                k.add(odd, term(_index(j + 1, length)))
            result = total + odd
        case "blocks":
            with k.loop("block", 0, length, 2) as first:
                part = k.var("part", 0.0, type=wide)
                with k.loop("j", first, first + 2) as j:
                    k.add(part, term(_index(j, length)))
                k.add(total, part)
        case _:
            with k.loop("j", 0, length) as j:
                k.add(total, term(j))
    what = {
        "value": "Sum of the values",
        "square": "Sum of squares",
        "product": "Dot product",
        "magnitude": "Sum of magnitudes",
        "weighted": "Weighted sum",
    }[term_kind]
    way = {
        "double": "in double precision",
        "float": "of halves in single precision",
        "compensated": "with the rounding errors carried along",
        "two": "in two accumulators",
        "blocks": "in blocks of two",
    }[how]
    if k.rng.chance(0.4):
        result, what = result / float(length), f"{what}, divided by {length},"
    if wide != source and k.rng.chance(0.6):
        result = convert(source, result)
    return result, f"{what} of each row {way}"


def fixed_number(k: Builder) -> tuple[Expr, str, int]:
    """Numbers with a fixed number of binary places."""
    places = k.rng.pick(8, 12, 16)
    one = 2**places
    threads(k)
    top = 2**15 if places == 16 else one * 8
    a = read(k, "left", -top, top, I32, array="left_values")
    kind = k.rng.pick("product", "product", "lerp", "polynomial", "from float", "ratio")
    match kind:
        case "from float":
            k.real = F32
            real = k.let("x", read(k, "x", -4.0, 4.0, F32, inline=True))
            scaled = k.let("fixed", convert(I32, ops.round(real * float(one))))
            value, doc = scaled + a, f"Floats as numbers with {places} binary places, added to others"
        case "ratio":
            b = convert(I64, read(k, "right", 3, top, I32, inline=True, array="right_values"))
            positive = convert(I64, ops.abs(a)) << places
            value, doc = convert(I32, ops.min(positive / b, lift(2**30, I64))), "Ratio"
        case "lerp":
            b = read(k, "right", -top, top, I32, array="right_values")
            t = read(k, "blend", 0, one, I32)
            gap = convert(I64, b - a) * convert(I64, t)
            value, doc = a + convert(I32, k.let("part", gap) / one), "Interpolation between two numbers"
        case "polynomial":
            coefficients = [k.rng.integer(-one, one) for _ in range(3)]
            x = k.let("x", convert(I64, a))
            inner = k.let("inner", x * coefficients[0] / one + coefficients[1])
            value, doc = convert(I32, x * inner / one + coefficients[2]), "Quadratic polynomial"
        case _:
            b = read(k, "right", -top, top, I32, array="right_values")
            product = k.let("product", convert(I64, a) * convert(I64, b))
            rounded = k.rng.chance(0.5)
            value = convert(I32, (product + one // 2) / one if rounded else product / one)
            doc = "Rounded product" if rounded else "Product"
    if kind != "from float":
        doc = f"{doc} in fixed point with {places} binary places"
    return value, doc, one


def keep(k: Builder, name: str, value: Expr, doc: str) -> None:
    """Store a number of a narrow type, alone or with what a program wants to know of it."""
    of = value.type
    assert isinstance(of, Scalar)
    out = plural(name)
    kind = k.rng.pick("plain", "largest", "changed", "chosen", "real", "counted", "difference")
    match kind:
        case "largest":
            high = k.rng.chance(0.5)
            handle = k.array(out, of, k.shape, whole(*LIMITS[of.name]), "inout")
            k.store(handle, k.target, (ops.max if high else ops.min)(handle[k.target], value))
            k.notes.append(f"The {'larger' if high else 'smaller'} of it and what is stored is kept")
        case "changed" if of.bytes == 1:
            new = k.let(name, value)
            before = read(k, f"last_{name}", *LIMITS[of.name], of)
            k.store(k.array(out, of, k.shape, None, "out"), k.target, new)
            marks = k.array("changed", U8, k.shape, None, "out")
            k.store(marks, k.target, conditional(new.differs(before), lift(1, U8), lift(0, U8)))
            k.notes.append("Elements that differ from the last ones are marked")
        case "chosen":
            use = read(k, k.rng.pick("valid", "trusted", "ready"), 0, 1, k.rng.pick(U8, I32), inline=True)
            fallback = lift(0, of) if k.rng.chance(0.5) else k.scalar("fallback", of, whole(1, 100))
            k.store(
                k.array(out, of, k.shape, None, "out"), k.target, ops.where(use.differs(0), value, fallback)
            )
            k.notes.append("Elements whose flag is zero get a fallback")
        case "real":
            real = k.rng.pick(F32, F64) if of.bytes < 4 else F64
            k.real = real
            unit = coefficient(k, "unit", 0.01, 0.5)
            finish(k, name, convert(real, value) * unit, f"{doc}, stored as {real} in units")
            return
        case "counted":
            new = k.let(name, value)
            k.store(k.array(out, of, k.shape, None, "out"), k.target, new)
            parity = (new & 1).equals(1) if value.interval.lo >= 0 else new > 0
            with k.when(parity):
                k.atomic("add", k.array(f"{name}_count", I32, ["1"], {"constant": 0}, "inout"), 0, 1)
            k.notes.append(f"{'Odd' if value.interval.lo >= 0 else 'Positive'} results are counted")
        case "difference" if of.bytes < 4:
            goal = read(k, "expected", *LIMITS[of.name], of)
            gap = convert(I32, value) - convert(I32, goal)
            gap = ops.abs(gap) if k.rng.chance(0.5) else gap
            k.store(k.array(f"{name}_errors", I32, k.shape, None, "out"), k.target, gap)
            k.notes.append("The difference from what is expected is stored")
        case _:
            k.store(k.array(out, of, k.shape, None, "out"), k.target, value)
    describe(k, doc)
