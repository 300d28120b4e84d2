"""Holes that categories about memory and cooperation share: neighbours, terms of a sum, tables.

Each draws one of several ways to write the same step, and says in the notes what it changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, convert, ops
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32, scalar_of
from weft.kernels.vocabulary import coefficient, curve, plural, told, uniform
from weft.types import Scalar, Type

BOUNDARIES = {
    "clamped": "ends repeated",
    "periodic": "wrapping around",
    "zero": "nothing beyond the ends",
    "mirrored": "mirrored at the ends",
}


def boundary(k: Builder) -> str:
    """One of the ways to treat what lies beyond an end."""
    return k.rng.pick(*BOUNDARIES)


def neighbor(
    k: Builder, kind: str, place: Expr, count: Expr, reach: int, use: Callable[[Expr], None], name: str = "j"
) -> None:
    """`use` the place, which lies at most `reach` beyond the ends, as a boundary of this kind has it."""
    match kind:
        case "clamped":
            if k.rng.chance(0.5):
                use(k.let(name, ops.clamp(place, 0, count - 1)))
            else:
                use(k.let(name, ops.min(ops.max(place, 0), count - 1)))
        case "periodic":
            use(k.let(name, (place + (count if reach == 1 else reach * count)) % count))
        case "mirrored":
            span = place.interval
            if (
                k.rng.chance(0.4)
                and span.lo < 0
                and not (span.size == count.interval.size and span.offset < 0)
            ):
                j = k.var(name, place, bounds=(-reach, 300_000))
                with k.when(j < 0):
                    k.set(j, -j)
                with k.when(j >= count):
                    k.set(j, ops.max(2 * count - 2 - j, 0))
                use(k.let(f"{name}_inside", ops.clamp(j, 0, count - 1)))
            else:
                last = k.let(f"last_{name}", count - 1)
                use(k.let(name, ops.max(last - ops.abs(last - ops.abs(place)), 0)))
        case _:
            j = k.let(name, place)
            below, size = j.interval.lo < 0, count.interval.size
            inside = j >= 0 if below else j < count
            if below and not (j.interval.size == size and j.interval.offset < 0):
                inside = inside & (j < count)
            with k.when(inside):
                use(j)


def table(
    k: Builder, name: str, element: Type, shape: tuple[int, ...], low: float, high: float
) -> ArrayHandle:
    """A small array of constant shape that all threads read."""
    values: dict[str, Any] = (
        uniform(low, high) if scalar_of(element).is_float else {"integers": [int(low), int(high) + 1]}
    )
    return k.array(name, element, [str(one) for one in shape], values, memory="constant")


def term(k: Builder, x: Expr, noun: str, *, simple: bool = False, strict: bool = False) -> tuple[Expr, str]:
    """What a sum or a maximum takes of each element, and its name: `squares of the samples`.

    The value of a float in [-4, 4], or of an integer in [-64, 64]; `simple` ones call no function;
    `strict` ones suit the search for where an extreme is: other elements have other values, which round to
    different ones (no bell curve is flat at its top), and no factor leaves their order as it is.
    """
    kinds = ["plain", "plain", "square", "magnitude", "shifted"] + ["positive", "scaled"] * (not strict)
    if not simple and scalar_of(x.type).is_float:
        kinds += ["sine"] + ["curved", "curved", "function"] * (not strict)
    if scalar_of(x.type).is_unsigned:
        kinds = ["plain", "square", "scaled"]
    match k.rng.pick(*kinds):
        case "square":
            x = x if isinstance(x, Name) else k.let("x", x)
            return x * x, f"squares of the {noun}"
        case "magnitude":
            return ops.abs(x), f"magnitudes of the {noun}"
        case "scaled":
            if scalar_of(x.type).is_float:
                factor = coefficient(k, "weight", 0.3, 2.0, kinds="lp")
                return factor * x, f"{noun} times {told(factor)}"
            factor_of = k.rng.integer(2, 4)
            return x * factor_of, f"{noun} times {factor_of}"
        case "shifted":
            if scalar_of(x.type).is_float:
                offset = coefficient(k, "offset", -0.5, 0.5, kinds="lp")
                return ops.abs(x - offset), f"distances of the {noun} from {told(offset)}"
            base = k.rng.integer(1, 3)
            return ops.abs(x - base), f"distances of the {noun} from {base}"
        case "positive":
            return ops.max(x, 0), f"positive parts of the {noun}"
        case "sine":
            return ops.sin(x), f"sines of the {noun}"
        case "curved":
            shaped, word = curve(k, x)
            return shaped, f"{plural(word).replace('tanhs', 'hyperbolic tangents')} of the {noun}"
        case "function":
            return _function_term(k, x, noun)
        case _:
            return x, noun


def _function_term(k: Builder, x: Expr, noun: str) -> tuple[Expr, str]:
    """A helper of the program's does it."""
    width = k.rng.number(0.2, max(0.3, min(1.5, 0.7 * x.interval.magnitude)))
    kind = k.rng.pick("huber", "clipped", "soft_threshold", "hat")
    limits = Interval(x.interval.lo, x.interval.hi, x.interval.integral)

    def body(b: Builder, value: Expr) -> Expr:
        size = b.let("size", ops.abs(value))
        match kind:
            case "huber":
                with b.when(size <= width):
                    b.jump("return", 0.5 * value * value)
                return width * (size - 0.5 * width)
            case "clipped":
                return ops.min(size, width)
            case "soft_threshold":
                return conditional(size > width, value - width * ops.sign(value), 0.0)
            case _:
                return ops.max(1.0 - size / width, 0.0)

    docs = {
        "huber": ("huber_loss", f"Quadratic up to {width}, linear beyond.", "Huber losses"),
        "clipped": ("clipped_size", f"The magnitude, at most {width}.", "clipped magnitudes"),
        "soft_threshold": ("soft_threshold", f"Shrinks by {width} towards zero.", "shrunk values"),
        "hat": ("hat", f"A hat function of the width {width}.", "hat functions"),
    }
    name, doc, word = docs[kind]
    return k.function(name, doc, {"value": (x.type, limits)}, body)(x), f"{word} of the {noun}"


def number_of(k: Builder, value: Expr, like: Scalar) -> Expr:
    """A whole number as another scalar type, as it is if it has the type."""
    return value if value.type == like else convert(like, value)


def digit(k: Builder, value: Expr, bits: int, shift: Expr | int) -> Expr:
    """Some bits of a key, as an index below 2 ** bits."""
    part = (value >> shift) & ((1 << bits) - 1)
    return part if part.type == I32 else convert(I32, part)


def proved(place: Expr, like: Interval) -> Expr:
    """A place that is known to lie within bounds by other means than interval arithmetic."""
    place.interval = Interval(0, like.hi, True, like.size, like.offset)
    return place
