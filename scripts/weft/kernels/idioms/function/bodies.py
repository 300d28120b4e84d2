"""Functions that hide loops, branches, arrays and other functions, and kernels that use them."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops
from weft.kernels.functions import array_parameter, within
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import article, coefficient, curve, read, threads, uniform
from weft.types import Type, Vector

WIDE = Interval(-1000.0, 1000.0)


def shape_of(k: Builder, name: str = "shape") -> tuple[Callable[..., Expr], str]:
    """A function of one number, smooth and bounded, and what it is."""
    told: list[str] = []

    def body(b: Builder, x: Expr) -> Expr:
        value, word = curve(b, x)
        told.append(word)
        if k.rng.chance(0.4):
            value = value * k.rng.number(0.3, 1.7) + k.rng.number(-0.5, 0.5)
        return value

    limits = Interval(-4.0, 4.0)
    call = k.function(name, "How strongly a number counts.", {"x": (k.real, limits)}, body)
    return call, told[0]


def early_returns(k: Builder) -> None:
    """Piecewise functions that return early."""
    real = k.real
    cuts = sorted({k.rng.number(-1.5, 1.5) for _ in range(k.rng.pick(2, 3, 4))})
    pieces: list[str] = []

    def body(b: Builder, x: Expr) -> Expr:
        for cut in cuts:
            with b.when(x < cut):
                kind = k.rng.pick("line", "parabola", "constant", "curve")
                pieces.append(kind)
                match kind:
                    case "line":
                        b.jump("return", x * k.rng.number(0.2, 1.5) + k.rng.number(-0.5, 0.5))
                    case "parabola":
                        b.jump("return", k.rng.number(0.1, 0.8) * (x - cut) * (x - cut))
                    case "constant":
                        b.jump("return", lift(k.rng.number(-0.9, 0.9), real))
                    case _:
                        b.jump("return", curve(b, x)[0])
        return k.rng.pick(k.rng.number(0.2, 0.9) * x, ops.tanh(x), x / (1.0 + ops.abs(x)))

    name = k.rng.pick("piecewise", "tariff", "characteristic")
    call = k.function(
        name, f"A function of {len(cuts) + 1} pieces.", {"x": (real, Interval(-6.0, 6.0))}, body
    )
    threads(k)
    x = read(k, "level", -2.0, 2.0)
    value = call(ops.clamp(x, -6.0, 6.0) if x.interval.magnitude > 6.0 else x)
    if k.rng.chance(0.4):
        value = value - call(read(k, "baseline", -2.0, 2.0, inline=True))
        k.notes.append("Its value for a baseline is subtracted")
    finish(k, "result", value, f"A function of {len(cuts) + 1} pieces, which returns early")


def loops_in_functions(k: Builder) -> None:
    """Iterations that a function hides."""
    real = k.real
    kind = k.rng.pick("newton", "series", "horner", "fraction", "search", "mean")
    steps = k.rng.pick(3, 4, 6, 8)
    factors = [k.rng.number(-0.9, 0.9) for _ in range(4)]

    def body(b: Builder, x: Expr) -> Expr:
        match kind:
            case "newton":
                root = b.var("root", 0.5 * (1.0 + x), bounds=(0.0, 100.0), type=real)
                with b.loop("_", 0, steps):
                    b.set(root, bounded(0.5 * (root + x / (root + k.rng.pick(0.0001, 0.001))), 0.0, 100.0))
                return root
            case "series":
                term = b.var("term", 1.0, bounds=(-1e6, 1e6), type=real)
                total = b.var("total", 1.0, bounds=(-1e6, 1e6), type=real)
                with b.loop("n", 1, steps + 1) as n:
                    b.set(term, bounded(term * x * k.rng.number(-0.9, -0.2) / convert(real, n), -1e6, 1e6))
                    b.set(total, bounded(total + term, -1e6, 1e6))
                return total
            case "horner":
                total = b.var("total", factors[0], bounds=(-1e6, 1e6), type=real)
                for factor in factors[1:]:
                    b.set(total, bounded(total * x + factor, -1e6, 1e6))
                return total
            case "fraction":
                value = b.var("value", 1.0, bounds=(0.1, 100.0), type=real)
                with b.loop("_", 0, steps):
                    b.set(value, bounded(1.0 + x / (1.0 + value), 0.1, 100.0))
                return value
            case "search":
                low = b.var("low", 0.0, bounds=(0.0, 10.0), type=real)
                high = b.var("high", 5.0, bounds=(0.0, 10.0), type=real)
                with b.loop("_", 0, steps):
                    middle = b.let("middle", 0.5 * (low + high))
                    with b.when(middle * middle * middle < x):
                        b.set(low, middle)
                    with b.otherwise():
                        b.set(high, middle)
                return 0.5 * (low + high)
            case _:
                a = b.var("a", x + 0.1, bounds=(0.0, 100.0), type=real)
                g = b.var("g", k.rng.number(0.5, 2.0), bounds=(0.0, 100.0), type=real)
                with b.loop("_", 0, steps):
                    mean = b.let("mean", 0.5 * (a + g))
                    b.set(g, bounded(ops.sqrt(a * g), 0.0, 100.0))
                    b.set(a, mean)
                return a

    what = {
        "newton": "A square root by Newton's method.", "series": "The first terms of a power series.",
        "horner": "A polynomial by Horner's rule.", "fraction": "A continued fraction, cut off.",
        "search": "A cube root by bisection.",
        "mean": "The arithmetic-geometric mean of a number and a fixed one.",
    }[kind]  # fmt: skip
    call = k.function(f"{kind}_value", what, {"x": (real, Interval(0.0, 30.0))}, body)
    threads(k)
    x = read(k, "x", 0.2, 3.0)
    value = call(x)
    if k.rng.chance(0.5):
        match k.rng.below(3):
            case 0:
                value = value - call(0.5 * x)
            case 1:
                value = value * coefficient(k, "weight", 0.2, 1.5)
            case _:
                value = value + call(x + 1.0)
    finish(k, "value", value, f"{what[:-1]}, in a function")


def array_arguments(k: Builder) -> None:
    """Functions that read arrays."""
    (i,) = threads(k, 1, name=k.rng.pick("i", "cell"), plain=k.rng.chance(0.6))
    name = k.rng.pick("field", "samples", "data")
    shape = k.shape
    data = k.array(name, k.real, shape, uniform(-1.0, 1.0))
    of, seen = array_parameter(k, data, "values")
    count = k.size(k.rng.pick("count", "length"), shape[0])
    edge = k.rng.pick("clamped", "periodic")
    index = Interval(-4, i.interval.hi + 4, True, i.interval.size, 3)

    def body(b: Builder, values: Expr, at: Expr, length: Expr) -> Expr:
        array = seen(b, values)
        place = ops.clamp(at, 0, length - 1) if edge == "clamped" else (at + 4 * length) % length
        return array[place]

    parameters: dict[str, tuple[Type, Interval]] = {
        "values": (of, EVERYTHING),
        "at": (I32, index),
        "length": (I32, count.interval),
    }
    at = k.function("value_at", f"An element, with {edge} ends.", parameters, body)
    owner = Name(of, EVERYTHING, data.parameter.name)
    reach = k.rng.pick(1, 2, 3)
    kind = k.rng.pick("difference", "smooth", "second", "extreme", "roughness")

    def here(offset: int) -> Expr:
        return at(owner, i + offset if offset >= 0 else i - (-offset), count)

    if kind == "difference":
        value = (here(reach) - here(-reach)) * coefficient(k, "inverse_width", 0.5, 2.0)
    elif kind == "second":
        value = here(-reach) - 2.0 * here(0) + here(reach)
    elif kind == "extreme":
        value = ops.max(ops.max(here(-reach), here(0)), here(reach))
    else:
        total = k.var("total", 0.0)
        with k.loop("d", -reach, reach + 1) as d:
            one = k.let("one", at(owner, within(i + d, index), count))
            k.add(total, one if kind == "smooth" else one * one)
        value = total / float(2 * reach + 1)
    what = {
        "difference": "Central difference",
        "smooth": "Mean over a window",
        "second": "Second difference",
        "extreme": "Largest of three values",
        "roughness": "Mean square over a window",
    }[kind]
    finish(k, "result", value, f"{what}, {reach} to each side, read by a function with {edge} ends")


def shape_functions(k: Builder) -> None:
    """Distance functions of shapes, joined by other functions."""
    k.real = F32
    space = Vector(k.rng.pick(2, 3), F32)
    size = space.length
    box = Interval(-9.0, 9.0)

    def make(kind: str) -> Callable[..., Expr]:
        def body(b: Builder, p: Expr, r: Expr) -> Expr:
            if kind == "ball":
                return ops.length(p) - r
            if kind == "box":
                over = construct(space, *(ops.max(ops.abs(p[n]) - r, 0.0) for n in range(size)))
                return ops.length(over) - k.rng.number(0.01, 0.1)
            if kind == "slab":
                return ops.abs(p[k.rng.below(size)]) - r
            total = ops.abs(p[0])
            for n in range(1, size):
                total = total + ops.abs(p[n])
            return (total - r) * 0.577

        parameters: dict[str, tuple[Type, Interval]] = {"p": (space, box), "r": (F32, Interval(0.0, 3.0))}
        return k.function(f"{kind}_distance", f"Distance from {article(kind)}.", parameters, body)

    kinds = k.rng.shuffled(("ball", "box", "slab", "diamond"))[: k.rng.pick(2, 2, 3)]
    calls = [make(kind) for kind in kinds]
    join = k.rng.pick("union", "smooth_union", "difference", "common")
    softness = k.rng.number(0.1, 0.5)

    def joined(b: Builder, a: Expr, c: Expr) -> Expr:
        if join == "union":
            return ops.min(a, c)
        if join == "common":
            return ops.max(a, c)
        if join == "difference":
            return ops.max(a, -c)
        h = b.let("h", ops.clamp(0.5 + 0.5 * (c - a) / softness, 0.0, 1.0))
        return c + h * (a - c) - softness * h * (1.0 - h)

    two: dict[str, tuple[Type, Interval]] = {"a": (F32, WIDE), "b": (F32, WIDE)}
    combine = k.function(f"{join}_of", "Distance from two shapes together.", two, joined)
    threads(k)
    point = read(k, "point", -1.5, 1.5, space)
    distance = calls[0](point, coefficient(k, f"{kinds[0]}_size", 0.3, 0.9))
    for kind, call in zip(kinds[1:], calls[1:], strict=True):
        shift = construct(space, *(k.rng.number(-0.6, 0.6) for _ in range(size)))
        other = call(point - shift, coefficient(k, f"{kind}_size", 0.2, 0.8))
        distance = k.let("joined", bounded(combine(distance, other), -20.0, 20.0))
    listed = " and ".join(f"{article(kind)}" for kind in kinds)
    value = (
        distance
        if k.rng.chance(0.6)
        else conditional(distance < 0.0, lift(1.0, F32), ops.exp(-ops.clamp(4.0 * distance, 0.0, 30.0)))
    )
    finish(k, "distance", value, f"Distance of each point from {listed}, joined as {join.replace('_', ' ')}")


def quadrature(k: Builder) -> None:
    """Integrals of a function, evaluated at points."""
    integrand, word = shape_of(k, "integrand")
    rule = k.rng.pick("trapezoid", "midpoint", "simpson", "gauss")
    panels = k.rng.pick(4, 6, 8, 20)
    inside = k.rng.chance(0.5)

    def body(b: Builder, low: Expr, high: Expr) -> Expr:
        total = b.var("total", 0.0, type=k.real)
        if rule == "gauss":
            middle, half = b.let("middle", 0.5 * (low + high)), b.let("half", 0.5 * (high - low))
            for sign in (-1.0, 1.0):
                b.add(total, integrand(bounded(middle + (sign * 0.57735) * half, -4.0, 4.0)))
            return half * total
        step = b.let("step", (high - low) / float(panels))
        with b.loop("n", 0, panels) as n:
            left = b.let("left", low + step * convert(k.real, n))

            def at(share: float, left: Expr = left, step: Expr = step) -> Expr:
                return integrand(bounded(left + share * step if share else left, -4.0, 4.0))

            if rule == "midpoint":
                b.add(total, step * at(0.5))
            elif rule == "trapezoid":
                b.add(total, 0.5 * step * (at(0.0) + at(1.0)))
            else:
                b.add(total, step * (at(0.0) + 4.0 * at(0.5) + at(1.0)) / 6.0)
        return total

    limits: dict[str, tuple[Type, Interval]] = {
        "low": (k.real, Interval(-4.0, 4.0)),
        "high": (k.real, Interval(-4.0, 4.0)),
    }
    integrate = k.function("integrate", f"Integral by the {rule} rule.", limits, body) if inside else None
    threads(k)
    start = coefficient(k, "start", -1.5, 0.0) if k.rng.chance(0.5) else read(k, "start", -1.5, 0.0)
    end = read(k, "end", 0.2, 2.0)
    value = integrate(start, end) if integrate else body(k, k.let("low", start), k.let("high", end))
    points = "two points" if rule == "gauss" else f"{panels} panels"
    finish(k, "integral", value, f"Integral of {article(word)} by the {rule} rule with {points}")
