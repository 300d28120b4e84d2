"""Functions whose derivatives are known, to be written beside them: of numbers, of vectors, of solutions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, ops
from weft.kernels.functions import with_gradient
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.types import Type

Gradient = Callable[..., Mapping[str, Expr]]


@dataclasses.dataclass(frozen=True, slots=True)
class Smooth:
    """A function: its call, what it is, and the type and bounds of each parameter."""

    call: Callable[..., Expr]
    about: str
    parameters: Mapping[str, tuple[Type, Interval]]


def smooth(
    k: Builder,
    name: str,
    about: str,
    parameters: Mapping[str, tuple[Type, Interval]],
    body: Callable[..., Expr],
    gradient: Gradient,
) -> Smooth:
    """A function with its gradient."""
    name = k.rng.pick(name, f"{name}_value", f"evaluate_{name}")
    how = f"Gradient of {name}."
    call = with_gradient(k, name, f"{about[0].upper()}{about[1:]}.", parameters, body, gradient, how)
    return Smooth(call, about, parameters)


def _with_setting(
    k: Builder, x_range: Interval, name: str, low: float, high: float
) -> dict[str, tuple[Type, Interval]]:
    return {"x": (k.real, x_range), name: (k.real, Interval(low, high))}


def _soft_abs(k: Builder, x_range: Interval) -> Smooth:
    scale = k.rng.number(0.3, 2.5)
    parameters = _with_setting(k, x_range, "width", 0.1, 1.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return scale * ops.sqrt(x * x + w * w)

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        size = b.let("size", ops.sqrt(x * x + w * w))
        return {"x": g * scale * x / size, "width": g * scale * w / size}

    return smooth(k, "soft_abs", "absolute value with a rounded corner", parameters, body, gradient)


def _bell(k: Builder, x_range: Interval) -> Smooth:
    scale = k.rng.number(0.3, 2.5)
    parameters = _with_setting(k, x_range, "sharpness", 0.3, 2.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return scale * ops.exp(-w * (x * x))

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        value = b.let("value", scale * ops.exp(-w * (x * x)))
        return {"x": -2.0 * g * w * x * value, "sharpness": -g * (x * x) * value}

    return smooth(k, "bell", "bell around zero", parameters, body, gradient)


def _softplus(k: Builder, x_range: Interval) -> Smooth:
    parameters = _with_setting(k, x_range, "sharpness", 0.5, 3.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return ops.log(1.0 + ops.exp(w * x)) / w

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        z = b.let("z", w * x)
        share = b.let("share", 1.0 / (1.0 + ops.exp(-z)))
        return {"x": g * share, "sharpness": g * (share * x - ops.log(1.0 + ops.exp(z)) / w) / w}

    return smooth(k, "softplus", "softplus of adjustable sharpness", parameters, body, gradient)


def _swish(k: Builder, x_range: Interval) -> Smooth:
    parameters = _with_setting(k, x_range, "slope", 0.5, 2.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return x / (1.0 + ops.exp(-w * x))

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        share = b.let("share", 1.0 / (1.0 + ops.exp(-w * x)))
        rate = b.let("rate", share * (1.0 - share))
        return {"x": g * (share + w * x * rate), "slope": g * (x * x) * rate}

    return smooth(k, "swish", "number times its logistic function", parameters, body, gradient)


def _huber(k: Builder, x_range: Interval) -> Smooth:
    parameters = _with_setting(k, x_range, "limit", 0.3, 1.2)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        size = b.let("size", ops.abs(x))
        return conditional(size < w, 0.5 * (x * x), w * (size - 0.5 * w))

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        beyond = b.let("beyond", ops.max(ops.abs(x) - w, 0.0))
        return {"x": g * ops.min(ops.max(x, -w), w), "limit": g * beyond}

    return smooth(k, "huber", "Huber loss", parameters, body, gradient)


def _smooth_clip(k: Builder, x_range: Interval) -> Smooth:
    parameters = _with_setting(k, x_range, "limit", 0.5, 2.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return w * ops.tanh(x / w)

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        t = b.let("t", ops.tanh(x / w))
        rate = b.let("rate", 1.0 - t * t)
        return {"x": g * rate, "limit": g * (t - x / w * rate)}

    return smooth(k, "smooth_clip", "soft limit", parameters, body, gradient)


def _arctan(k: Builder, x_range: Interval) -> Smooth:
    scale = k.rng.number(0.3, 2.5)
    parameters = _with_setting(k, x_range, "gain", 0.5, 3.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return scale * ops.atan(w * x)

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        z = b.let("z", w * x)
        rate = b.let("rate", scale * g / (1.0 + z * z))
        return {"x": rate * w, "gain": rate * x}

    return smooth(k, "arctan", "arctangent with a gain", parameters, body, gradient)


def _morse(k: Builder, x_range: Interval) -> Smooth:
    parameters = {
        "x": (k.real, x_range),
        "depth": (k.real, Interval(0.5, 2.0)),
        "middle": (k.real, Interval(0.2, 1.0)),
    }
    stiff = k.rng.number(0.5, 1.5)

    def body(b: Builder, x: Expr, depth: Expr, middle: Expr) -> Expr:
        gap = b.let("gap", 1.0 - ops.exp(-stiff * (x - middle)))
        return depth * gap * gap

    def gradient(b: Builder, x: Expr, depth: Expr, middle: Expr, g: Expr) -> Mapping[str, Expr]:
        decay = b.let("decay", ops.exp(-stiff * (x - middle)))
        gap = b.let("gap", 1.0 - decay)
        slope = b.let("slope", 2.0 * stiff * depth * gap * decay)
        return {"x": g * slope, "depth": g * gap * gap, "middle": -g * slope}

    return smooth(k, "morse", "Morse potential", parameters, body, gradient)


def _root(k: Builder, x_range: Interval) -> Smooth:
    scale = k.rng.number(0.3, 2.5)
    parameters = _with_setting(k, x_range, "offset", 0.05, 0.5)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return scale * ops.sqrt(x + w)

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        slope = b.let("slope", 0.5 * scale * g / ops.sqrt(x + w))
        return {"x": slope, "offset": slope}

    return smooth(k, "root", "square root with an offset", parameters, body, gradient)


def _power(k: Builder, x_range: Interval) -> Smooth:
    parameters = _with_setting(k, x_range, "exponent", 0.5, 3.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return ops.pow(x, w)

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        value = b.let("value", ops.pow(x, w))
        return {"x": g * w * value / x, "exponent": g * value * ops.log(x)}

    return smooth(k, "power", "power of a positive number", parameters, body, gradient)


def _saturation(k: Builder, x_range: Interval) -> Smooth:
    scale = k.rng.number(0.3, 2.5)
    parameters = _with_setting(k, x_range, "half", 0.2, 2.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return scale * x / (x + w)

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        total = b.let("total", x + w)
        factor = b.let("factor", scale * g / (total * total))
        return {"x": factor * w, "half": -factor * x}

    return smooth(k, "saturation", "saturation with a half value", parameters, body, gradient)


def _entropy(k: Builder, x_range: Interval) -> Smooth:
    parameters = _with_setting(k, x_range, "weight", 0.3, 2.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return -w * x * ops.log(x)

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        log = b.let("log_x", ops.log(x))
        return {"x": -g * w * (log + 1.0), "weight": -g * x * log}

    return smooth(k, "entropy", "weighted entropy term", parameters, body, gradient)


def _well(k: Builder, x_range: Interval) -> Smooth:
    parameters = _with_setting(k, x_range, "size", 0.5, 1.2)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        near = b.let("near", w / (x + 0.5))
        return near * near - near

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        apart = b.let("apart", x + 0.5)
        near = b.let("near", w / apart)
        slope = b.let("slope", g * (2.0 * near - 1.0) / apart)
        return {"x": -slope * near, "size": slope}

    return smooth(k, "well", "potential well that repels close by", parameters, body, gradient)


def _rate(k: Builder, x_range: Interval) -> Smooth:
    scale = k.rng.number(0.3, 2.5)
    parameters = _with_setting(k, x_range, "barrier", 0.5, 2.0)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        return scale * ops.exp(-w / x)

    def gradient(b: Builder, x: Expr, w: Expr, g: Expr) -> Mapping[str, Expr]:
        value = b.let("value", scale * g * ops.exp(-w / x))
        return {"x": value * w / (x * x), "barrier": -value / x}

    return smooth(k, "rate", "rate of a process over a barrier", parameters, body, gradient)


SIGNED = (_soft_abs, _bell, _softplus, _swish, _huber, _smooth_clip, _morse, _arctan)
POSITIVE = (_root, _power, _saturation, _entropy, _morse, _well, _rate)


def number_function(k: Builder, *, signed: bool = True) -> Smooth:
    """A function of a number and of one or two settings."""
    if signed:
        return k.rng.pick(*SIGNED)(k, Interval(-2.0, 2.0))
    return k.rng.pick(*POSITIVE)(k, Interval(0.1, 3.0))


def implicit_function(k: Builder) -> Smooth:
    """The solution of an equation, whose gradient comes from the equation and not from the iteration."""
    real = k.real
    kind = k.rng.pick("cubic", "kepler", "exponential", "quintic")
    steps = k.rng.pick(14, 15, 16) if kind == "quintic" else k.rng.pick(8, 10, 12)
    parameters: dict[str, tuple[Type, Interval]] = {
        "x": (real, Interval(-2.0, 2.0)),
        "a": (real, Interval(0.1, 0.6) if kind == "kepler" else Interval(0.8, 2.0)),
    }

    def slope_of(b: Builder, y: Expr, a: Expr) -> Expr:
        match kind:
            case "cubic":
                return bounded(3.0 * (y * y) + a, 0.4, 100.0)
            case "kepler":
                return bounded(1.0 - a * ops.cos(y), 0.3, 2.0)
            case "quintic":
                return bounded(5.0 * (y * y) * (y * y) + a, 0.4, 1e4)
            case _:
                return bounded(ops.exp(y) + a, 0.4, 100.0)

    def left_side(y: Expr, a: Expr) -> Expr:
        match kind:
            case "cubic":
                return y * y * y + a * y
            case "kepler":
                return y - a * ops.sin(y)
            case "quintic":
                return y * y * y * y * y + a * y
            case _:
                return ops.exp(y) + a * y

    def body(b: Builder, x: Expr, a: Expr) -> Expr:
        first = k.rng.pick(0.0, 0.5) if kind != "kepler" else x
        y = b.var("y", first, bounds=(-4.0, 4.0), type=real)
        with b.loop("_", 0, steps):
            b.set(y, bounded(y - (left_side(y, a) - x) / slope_of(b, y, a), -4.0, 4.0))
        return y

    name = f"solve_{kind}"

    def gradient(b: Builder, x: Expr, a: Expr, g: Expr) -> Mapping[str, Expr]:
        y = b.let("y", forward[0](x, a))
        share = b.let("share", g / slope_of(b, y, a))
        return {"x": share, "a": share * ops.sin(y) if kind == "kepler" else -share * y}

    forward: list[Callable[..., Expr]] = []
    about = {
        "cubic": "solution y of y * y * y + a * y = x", "kepler": "solution y of y - a * sin(y) = x",
        "quintic": "real solution y of y to the power of five + a * y = x",
        "exponential": "solution y of exp(y) + a * y = x",
    }[kind]  # fmt: skip
    iterate = k.function(f"iterate_{kind}", f"Newton's method in {steps} steps.", parameters, body)
    forward.append(iterate)
    return smooth(k, name, about, parameters, lambda b, x, a: iterate(x, a), gradient)
