"""Helpers with several results, and colors."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.functions import several
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32
from weft.kernels.vocabulary import coefficient, enumerated, plural, read, threads
from weft.types import Type, Vector


def several_results(k: Builder) -> None:
    """Functions that return two or three values."""
    kind = k.rng.pick("polar", "roots", "axes", "split", "bounds", "wave")
    real = k.real
    ranges: dict[str, tuple[Type, Interval]] = {
        "x": (real, Interval(-5.0, 5.0)),
        "y": (real, Interval(-5.0, 5.0)),
    }
    small = k.rng.number(0.01, 0.5)

    def body(b: Builder, x: Expr, y: Expr) -> tuple[Expr, ...]:
        if kind == "polar":
            return ops.sqrt(x * x + y * y + small), ops.atan2(y, x)
        if kind == "roots":
            root = b.let("root", ops.sqrt(x * x + ops.abs(y) + small))
            return root - x, -root - x
        if kind == "axes":
            middle = b.let("middle", 0.5 * (x + y))
            half_gap = b.let("half_gap", 0.5 * (x - y))
            spread = b.let("spread", ops.sqrt(half_gap * half_gap + small))
            return middle + spread, middle - spread
        if kind == "split":
            whole = b.let("base", ops.floor(x))
            return whole, x - whole, whole * y
        if kind == "bounds":
            return ops.min(x, y), ops.max(x, y), ops.abs(x) + ops.abs(y)
        return ops.sin(x) * ops.cos(y), ops.cos(x) * ops.sin(y)

    names = {
        "polar": ("radius", "angle"), "roots": ("upper", "lower"), "axes": ("major", "minor"),
        "split": ("cell", "rest", "scaled"), "bounds": ("low", "high", "size"), "wave": ("even", "odd"),
    }[kind]  # fmt: skip
    doc = {
        "polar": "Radius and angle of a point.", "roots": "Both roots of a quadratic equation.",
        "axes": "Both eigenvalues of a symmetric matrix of which the other entry is fixed.",
        "split": "The whole part, what is left, and the whole part scaled.",
        "bounds": "The smaller and the larger, and their size.",
        "wave": "Two products of a sine and a cosine.",
    }[kind]  # fmt: skip
    call = several(k, f"{kind}_of", doc, ranges, body)
    threads(k)
    x, y = read(k, "x", -2.0, 2.0), read(k, "y", -2.0, 2.0)
    results = call(names, x, y)
    if k.rng.chance(0.4):
        for one in results[1:]:
            k.store(k.array(plural(one.name), real, k.shape, None, "out"), k.target, one)
        finish(k, "value", results[0] * k.rng.number(0.5, 2.0), f"{doc[:-1]}; all of them are stored")
        return
    weights = [lift(k.rng.number(0.2, 0.9), real)]
    weights += [coefficient(k, f"{one}_weight", 0.2, 1.5) for one in names[1:]]
    total = weights[0] * results[0]
    for weight, one in zip(weights[1:], results[1:], strict=True):
        total = k.rng.pick(total + weight * one, total - weight * one, total + weight * one * one)
    finish(k, "value", total, f"A sum from one function's results: {doc[0].lower()}{doc[1:-1]}")


def color_functions(k: Builder) -> None:
    """Functions from vectors to vectors."""
    k.real = F32
    space = Vector(3, F32)
    unit_box = Interval(-0.5, 2.0)
    steps = k.rng.shuffled(("gamma", "saturate", "tint", "curve", "rotate", "posterize"))[
        : k.rng.pick(2, 2, 3)
    ]
    calls = []
    for step in steps:
        power, amount = k.rng.number(0.4, 2.4), k.rng.number(0.3, 1.6)
        weights = [k.rng.number(0.1, 0.6) for _ in range(3)]

        def body(
            b: Builder,
            c: Expr,
            step: str = step,
            power: float = power,
            amount: float = amount,
            weights: list[float] = weights,
        ) -> Expr:
            if step == "gamma":
                return construct(
                    space, *(ops.pow(ops.clamp(c[n], 0.001, 1.0), lift(power, F32)) for n in range(3))
                )
            if step == "saturate":
                gray = b.let("gray", ops.dot(c, construct(space, *weights)))
                gray_color = construct(space, gray, gray, gray)
                return bounded(gray_color + amount * (c - gray_color), -8.0, 8.0)
            if step == "tint":
                return ops.cw_mul(c, construct(space, *weights)) + 0.2 * c
            if step == "curve":
                return construct(space, *(c[n] / bounded(c[n] * c[n] + amount, 0.3, 9.0) for n in range(3)))
            if step == "rotate":
                return construct(space, c[1], c[2], c[0]) * amount
            levels = float(round(amount * 10))
            return construct(
                space, *(ops.floor(ops.clamp(c[n], 0.0, 1.0) * levels) / levels for n in range(3))
            )

        parameters: dict[str, tuple[Type, Interval]] = {"c": (space, unit_box)}
        calls.append(k.function(f"{step}_color", f"A color after the step {step}.", parameters, body))
    threads(k)
    color = read(k, "color", 0.0, 1.0, space)
    for step, call in zip(steps, calls, strict=True):
        color = k.let("next_color" if step != steps[-1] else "final_color", call(color))
        color = (
            color
            if step == steps[-1]
            else k.let("limited", bounded(color * k.rng.number(0.4, 0.9), -0.5, 2.0))
        )
    finish(k, "graded_color", color, f"Colors after the steps {enumerated(steps)}, a function each")
