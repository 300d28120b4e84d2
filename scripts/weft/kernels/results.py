"""How the result of a thread is finished and stored, and what the docstring says about it.

A category's idiom computes a value and hands it to `finish`, which stores it as it is, or scales, limits,
blends, compares or accumulates it, as the policy draws. Each choice leaves a sentence for the docstring.
"""

from __future__ import annotations

from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, convert, ops
from weft.kernels.idioms import coefficient, curve, noun, plural, read, through, told, uniform, whole, words
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32, scalar_of
from weft.types import Matrix, Scalar, Type, Vector


def output(
    k: Builder, name: str, type: Type, role: str = "out", values: dict[str, Any] | None = None
) -> ArrayHandle:
    """An output array with one element for each thread."""
    return k.array(name, type, k.shape, values, role)


def finish(
    k: Builder, name: str, value: Expr, doc: str, *, measured: bool = True, counted: bool = True
) -> None:
    """Store each thread's result, as it is or finished in a usual way; completes the docstring.

    `measured` allows the length or trace of a result beside it, `counted` arithmetic on a whole number: false
    where that says nothing, as for the trace of a deviator or the sum of two labels.
    """
    match value.type:
        case Scalar() if value.type.is_float:
            _finish_number(k, name, value)
        case Vector() | Matrix():
            _finish_vector(k, name, value, measured)
        case Scalar() if counted:
            _finish_whole(k, name, value)
        case _:
            k.store(output(k, plural(name), value.type), k.target, value)
    describe(k, doc)


def describe(k: Builder, doc: str) -> None:
    """The docstring: a sentence about the idiom, and one for each thing that the holes changed."""
    k.doc = " ".join(f"{one}." for one in [doc, *dict.fromkeys(k.notes)])


def _result(k: Builder, name: str, value: Expr) -> Expr:
    """The value, named where a person would name it."""
    if isinstance(value, Name) or name in k.names or k.rng.chance(k.policy.inline_result):
        return value
    return k.let(name, value)


def _unused(k: Builder, *names: str) -> str:
    """One of the names that nothing in the kernel has yet, alone, in the plural, or as a setting."""
    taken = k.names | {field for one in k.structs for field, _ in one.fields}
    free = [one for one in names if one not in taken and plural(one) not in taken]
    return k.rng.pick(*free) if free else f"output_{names[0]}"


def _named(k: Builder, name: str, value: Expr) -> Name:
    """The value under a name, as it is used more than once."""
    if isinstance(value, Name):
        return value
    return k.let(name if name not in k.names else f"final_{name}", value)


def _finish_number(k: Builder, name: str, value: Expr) -> None:
    kind = k.rng.weighted(k.policy.finish)
    out, it = plural(name), f"the {noun(name)}"
    bounded = value.interval.magnitude < 1e6
    match kind:
        case "scaled":
            scale = coefficient(k, _unused(k, "scale", "gain", "factor"), 0.2, 5.0)
            k.store(output(k, out, value.type), k.target, scale * value)
            k.notes.append(f"T{it[1:]} is multiplied by {told(scale)}")
        case "limited" if bounded and value.interval.hi > 0.1:
            top = value.interval.hi
            limit = coefficient(k, f"max_{name}", 0.5 * top, 0.8 * top)
            if k.rng.chance(0.5):
                new = _result(k, name, value)
                k.store(output(k, out, value.type), k.target, limit * ops.tanh(new / limit))
            else:
                new = _named(k, name, value)
                k.store(output(k, out, value.type), k.target, new / (1.0 + ops.abs(new) / limit))
            k.notes.append(f"A soft limit keeps {it} within {told(limit)} of zero")
        case "blended":
            handle = output(k, out, value.type, "inout", uniform(-1.0, 1.0))
            rate = coefficient(k, _unused(k, "blend", "rate", "smoothing"), 0.05, 0.6)
            old = handle[k.target]
            new = _result(k, name, value)
            if k.rng.chance(0.5):
                k.store(handle, k.target, ops.lerp(old, new, rate))
            else:
                k.store(handle, k.target, (1.0 - rate) * old + rate * new)
            k.notes.append(f"The stored value moves towards {it} by the factor {told(rate)}")
        case "residual":
            goal = _unused(k, "target", "expectation", "measurement")
            expected = read(k, goal, -1.0, 1.0)
            new = _result(k, name, value)
            above = k.rng.chance(0.5)
            difference = new - expected if above else expected - new
            if k.rng.chance(0.4) and difference.interval.magnitude < 1e6:
                difference = k.let("residual", difference)
                difference = difference * difference
                k.notes.append(f"The output is the squared difference between {it} and the {goal}")
            elif above:
                k.notes.append(f"The {goal} is subtracted from {it}")
            else:
                k.notes.append(f"T{it[1:]} is subtracted from the {goal}")
            k.store(output(k, f"{name}_residuals", value.type), k.target, difference)
        case "curved" if bounded:
            new = _named(k, name, value)
            shaped, word = curve(k, new)
            k.store(output(k, out, value.type), k.target, shaped)
            k.notes.append(f"T{it[1:]} {through(word)}")
        case "leveled" if bounded:
            new = _named(k, name, value)
            k.store(output(k, out, value.type), k.target, new)
            steps = float(k.rng.pick(8, 10, 16, 20, 32))
            levels = output(k, f"{name}_levels", I32)
            rounded, word = k.rng.pick(
                (ops.floor, "rounded down"), (ops.round, "rounded"), (ops.ceil, "rounded up")
            )
            k.store(levels, k.target, convert(I32, rounded(new * steps)))
            k.notes.append(f"The level of {it} in steps of 1/{steps:.0f}, {word}, is stored as well")
        case "accumulated":
            handle = output(k, f"{name}_totals", value.type, "inout", uniform(-1.0, 1.0))
            operator, word = k.rng.pick(("+", "added to"), ("-", "subtracted from"))
            k.store(handle, k.target, value, operator)
            k.notes.append(f"T{it[1:]} is {word} a running total")
        case "weighted":
            factor = _unused(k, "weight", "importance")
            weight = read(k, factor, 0.1, 2.0)
            k.store(output(k, f"weighted_{out}", value.type), k.target, weight * value)
            k.notes.append(f"T{it[1:]} is multiplied by its {factor}")
        case _:
            k.store(output(k, out, value.type), k.target, _result(k, name, value))


def _finish_vector(k: Builder, name: str, value: Expr, measured: bool) -> None:
    out, it = plural(name), f"the {noun(name)}"
    scalar = scalar_of(value.type)
    choice = k.rng.pick("plain", "plain", "scaled", "inout", "extra", "difference", "component")
    match choice:
        case "scaled":
            scale = coefficient(k, _unused(k, "scale", "gain", "factor"), 0.1, 3.0)
            k.store(output(k, out, value.type), k.target, k.rng.pick(scale * value, value * scale))
            k.notes.append(f"T{it[1:]} is multiplied by {told(scale)}")
        case "inout":
            handle = output(k, out, value.type, "inout", uniform(-1.0, 1.0))
            if k.rng.chance(0.5):
                k.store(handle, k.target, handle[k.target] + value)
                k.notes.append(f"T{it[1:]} is added to what is stored")
            else:
                keep = coefficient(k, _unused(k, "damping", "decay", "retention"), 0.5, 0.98)
                k.store(handle, k.target, keep * handle[k.target] + value)
                k.notes.append(f"T{it[1:]} is added to {told(keep)} times what is stored")
        case "extra" if measured:
            new = _named(k, name, value)
            k.store(output(k, out, value.type), k.target, new)
            if isinstance(value.type, Vector):
                measure, word = k.rng.pick(("length", "magnitude"), ("length_sq", "squared_magnitude"))
                k.store(output(k, f"{plural(word)}", scalar), k.target, getattr(ops, measure)(new))
                k.notes.append(f"The {words(word)} of {it} is stored as well")
            elif isinstance(value.type, Matrix) and value.type.rows == value.type.columns:
                k.store(output(k, "traces", scalar), k.target, ops.trace(new))
                k.notes.append(f"The trace of {it} is stored as well")
        case "difference":
            goal = k.rng.pick("reference", "previous")
            other = read(k, goal, -1.0, 1.0, value.type)
            word = "reference" if goal == "reference" else "previous value"
            difference, told_so = k.rng.pick(
                (value - other, f"The {word} is subtracted from {it}"),
                (other - value, f"T{it[1:]} is subtracted from the {word}"),
            )
            k.store(output(k, out, value.type), k.target, difference)
            k.notes.append(told_so)
        case "component" if isinstance(value.type, Vector) and value.interval.magnitude < 1e6:
            new = _named(k, name, value)
            shaped = [new[c] for c in range(value.type.length)]
            c = k.rng.below(value.type.length)
            limit = k.rng.number(0.2, 0.6)
            shaped[c], word = k.rng.pick(
                (ops.abs(shaped[c]), "loses its sign"),
                (ops.max(shaped[c], -limit), f"is at least {-limit}"),
                (-shaped[c], "changes its sign"),
                (ops.min(shaped[c], limit), f"is at most {limit}"),
            )
            k.store(output(k, out, value.type), k.target, construct(value.type, *shaped))
            k.notes.append(f"Component {c} of the output {word}")
        case _:
            k.store(output(k, out, value.type), k.target, _result(k, name, value))


def _finish_whole(k: Builder, name: str, value: Expr) -> None:
    out, it = plural(name), f"the {noun(name)}"
    scalar = value.type
    assert isinstance(scalar, Scalar)
    match k.rng.pick("plain", "plain", "offset", "extreme", "parity", "real"):
        case "offset" if value.interval.magnitude < 1e6:
            base = k.scalar("base", scalar, whole(1, 50))
            k.store(output(k, out, scalar), k.target, base + value)
            k.notes.append(f"T{it[1:]} is added to {told(base)}")
        case "extreme" if value.interval.magnitude < 1e6:
            largest = k.rng.chance(0.5)
            best = f"{'largest' if largest else 'smallest'}_{name}"
            handle = output(k, plural(best), scalar, "inout", whole(0, max(1, int(value.interval.hi))))
            choose, word = (ops.max, "larger") if largest else (ops.min, "smaller")
            k.store(handle, k.target, choose(handle[k.target], value))
            k.notes.append(f"The {word} of {it} and what is stored is kept")
        case "parity" if value.interval.lo >= 0:
            new = _named(k, name, value)
            k.store(output(k, out, scalar), k.target, new)
            modulus = k.rng.pick(2, 3, 4, 5)
            k.store(output(k, f"{name}_remainders", scalar), k.target, new % modulus)
            k.notes.append(f"The remainder of {it} modulo {modulus} is stored as well")
        case "real" if value.interval.magnitude < 2**24:
            scale = coefficient(k, _unused(k, "scale", "unit"), 0.01, 0.5)
            k.store(output(k, out, k.real), k.target, convert(k.real, value) * scale)
            k.notes.append(f"T{it[1:]} is stored as a float, multiplied by {told(scale)}")
        case _:
            k.store(output(k, out, scalar), k.target, _result(k, name, value))
