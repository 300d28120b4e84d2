"""How the result of a thread is finished and stored, and what the docstring says about it.

A category's idiom computes a value and hands it to `finish`, which stores it as it is, or scales, limits,
blends, compares or accumulates it, as the policy draws. Each choice leaves a note for the docstring.
"""

from __future__ import annotations

from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, convert, ops
from weft.kernels.idioms import article, coefficient, curve, plural, read, uniform, whole, words
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32, scalar_of
from weft.types import Matrix, Quaternion, Scalar, Type, Vector


def output(
    k: Builder, name: str, type: Type, role: str = "out", values: dict[str, Any] | None = None
) -> ArrayHandle:
    """An output array with one element for each thread."""
    return k.array(name, type, k.shape, values, role)


def finish(k: Builder, name: str, value: Expr, doc: str, *, measured: bool = True) -> None:
    """Store each thread's result, as it is or finished in a usual way; completes the docstring.

    `measured` allows the length or trace of a result beside it: false where that says nothing.
    """
    match value.type:
        case Scalar() if value.type.is_float:
            _finish_number(k, name, value)
        case Vector() | Matrix():
            _finish_vector(k, name, value, measured)
        case Quaternion():
            k.store(output(k, plural(name), value.type), k.target, value)
        case _:
            _finish_whole(k, name, value)
    describe(k, doc)


def describe(k: Builder, doc: str) -> None:
    """The docstring: a sentence about the idiom, and what the holes changed."""
    k.doc = "; ".join([doc, *dict.fromkeys(k.notes)]) + "."


def _result(k: Builder, name: str, value: Expr) -> Expr:
    """The value, named where a person would name it."""
    if isinstance(value, Name) or k.rng.chance(k.policy.inline_result):
        return value
    return k.let(name, value)


def _finish_number(k: Builder, name: str, value: Expr) -> None:
    kind = k.rng.weighted(k.policy.finish)
    out = plural(name)
    bounded = value.interval.magnitude < 1e6
    match kind:
        case "scaled":
            scale = coefficient(k, k.rng.pick("scale", "gain", "amplitude"), 0.2, 5.0)
            k.store(output(k, out, value.type), k.target, scale * value)
            k.notes.append("scaled")
        case "limited" if bounded and value.interval.hi > 0.1:
            top = value.interval.hi
            limit = coefficient(k, f"max_{name}", 0.5 * top, 0.8 * top)
            new = _result(k, name, value)
            if k.rng.chance(0.5):
                k.store(output(k, out, value.type), k.target, limit * ops.tanh(new / limit))
            else:
                k.store(output(k, out, value.type), k.target, new / (1.0 + ops.abs(new) / limit))
            k.notes.append("with a soft limit")
        case "blended":
            handle = output(k, out, value.type, "inout", uniform(-1.0, 1.0))
            rate = coefficient(k, k.rng.pick("blend", "rate", "smoothing"), 0.05, 0.6)
            old = handle[k.target]
            new = _result(k, name, value)
            if k.rng.chance(0.5):
                k.store(handle, k.target, ops.lerp(old, new, rate))
            else:
                k.store(handle, k.target, (1.0 - rate) * old + rate * new)
            k.notes.append("blended into the values of the step before")
        case "residual":
            expected = read(k, k.rng.pick("target", "expectation", "measurement"), -1.0, 1.0)
            new = _result(k, name, value)
            difference = k.rng.pick(new - expected, expected - new)
            if k.rng.chance(0.4) and difference.interval.magnitude < 1e6:
                difference = k.let("residual", difference)
                difference = difference * difference
                k.notes.append("stored as a squared residual")
            else:
                k.notes.append("stored as a difference from the expected value")
            k.store(output(k, f"{name}_residuals", value.type), k.target, difference)
        case "curved" if bounded:
            new = _result(k, name, value)
            shaped, word = curve(k, new)
            k.store(output(k, out, value.type), k.target, shaped)
            k.notes.append(f"the result passed through {article(word)}")
        case "leveled" if bounded:
            new = k.let(name, value) if not isinstance(value, Name) else value
            k.store(output(k, out, value.type), k.target, new)
            steps = float(k.rng.pick(8, 10, 16, 20, 32))
            levels = output(k, f"{name}_levels", I32)
            k.store(levels, k.target, convert(I32, k.rng.pick(ops.floor, ops.round, ops.ceil)(new * steps)))
            k.notes.append(f"with its level on a grid of {steps:.0f} steps per unit")
        case "accumulated":
            handle = output(k, f"{name}_totals", value.type, "inout", uniform(-1.0, 1.0))
            operator, word = k.rng.pick(("+", "added to"), ("-", "subtracted from"))
            k.store(handle, k.target, value, operator)
            k.notes.append(f"{word} a running total")
        case "weighted":
            weight = read(k, "weight", 0.1, 2.0)
            k.store(output(k, f"weighted_{out}", value.type), k.target, weight * value)
            k.notes.append("weighted per element")
        case _:
            k.store(output(k, out, value.type), k.target, _result(k, name, value))


def _finish_vector(k: Builder, name: str, value: Expr, measured: bool) -> None:
    out = plural(name)
    scalar = scalar_of(value.type)
    choice = k.rng.pick("plain", "plain", "scaled", "inout", "extra", "difference", "component")
    match choice:
        case "scaled":
            scale = coefficient(k, k.rng.pick("scale", "gain", "time_step"), 0.1, 3.0)
            k.store(output(k, out, value.type), k.target, k.rng.pick(scale * value, value * scale))
            k.notes.append("scaled")
        case "inout":
            handle = output(k, out, value.type, "inout", uniform(-1.0, 1.0))
            if k.rng.chance(0.5):
                k.store(handle, k.target, handle[k.target] + value)
                k.notes.append("added to what is there")
            else:
                keep = coefficient(k, k.rng.pick("damping", "decay"), 0.5, 0.98)
                k.store(handle, k.target, keep * handle[k.target] + value)
                k.notes.append("added to what is there after damping")
        case "extra" if measured:
            new = k.let(name, value) if not isinstance(value, Name) else value
            k.store(output(k, out, value.type), k.target, new)
            if isinstance(value.type, Vector):
                measure, word = k.rng.pick(("length", "magnitude"), ("length_sq", "squared_magnitude"))
                k.store(output(k, f"{plural(word)}", scalar), k.target, getattr(ops, measure)(new))
                k.notes.append(f"with its {words(word)}")
            elif isinstance(value.type, Matrix) and value.type.rows == value.type.columns:
                k.store(output(k, "traces", scalar), k.target, ops.trace(new))
                k.notes.append("with its trace")
        case "difference":
            other = read(k, k.rng.pick("reference", "previous"), -1.0, 1.0, value.type)
            k.store(output(k, out, value.type), k.target, k.rng.pick(value - other, other - value))
            k.notes.append("stored as a difference from a reference")
        case "component" if isinstance(value.type, Vector) and value.interval.magnitude < 1e6:
            new = k.let(name, value) if not isinstance(value, Name) else value
            shaped = [new[c] for c in range(value.type.length)]
            c = k.rng.below(value.type.length)
            limit = k.rng.number(0.2, 0.6)
            shaped[c] = k.rng.pick(
                ops.abs(shaped[c]), ops.max(shaped[c], -limit), -shaped[c], ops.min(shaped[c], limit)
            )
            k.store(output(k, out, value.type), k.target, construct(value.type, *shaped))
            k.notes.append(f"with component {c} adjusted")
        case _:
            k.store(output(k, out, value.type), k.target, _result(k, name, value))


def _finish_whole(k: Builder, name: str, value: Expr) -> None:
    out = plural(name)
    scalar = value.type
    assert isinstance(scalar, Scalar)
    match k.rng.pick("plain", "plain", "offset", "extreme", "parity", "real"):
        case "offset" if value.interval.magnitude < 1e6:
            base = k.scalar("base", scalar, whole(1, 50))
            k.store(output(k, out, scalar), k.target, base + value)
            k.notes.append("counted from a base")
        case "extreme" if value.interval.magnitude < 1e6:
            handle = output(k, f"best_{out}", scalar, "inout", whole(0, max(1, int(value.interval.hi))))
            k.store(handle, k.target, k.rng.pick(ops.max, ops.min)(handle[k.target], value))
            k.notes.append("kept where it beats what is there")
        case "parity" if value.interval.lo >= 0:
            new = k.let(name, value) if not isinstance(value, Name) else value
            k.store(output(k, out, scalar), k.target, new)
            modulus = k.rng.pick(2, 3, 4, 5)
            k.store(output(k, f"{name}_classes", scalar), k.target, new % modulus)
            k.notes.append(f"with its class modulo {modulus}")
        case "real" if value.interval.magnitude < 2**24:
            scale = coefficient(k, "scale", 0.01, 0.5)
            k.store(output(k, out, k.real), k.target, convert(k.real, value) * scale)
            k.notes.append("scaled to a float")
        case _:
            k.store(output(k, out, scalar), k.target, _result(k, name, value))
