"""How the result of a thread is finished, and what the docstring says about it.

A category's idiom computes a value and hands it to `finish`, which takes it through a few usual steps
(scaled, limited, compared, …), as the policy draws, and has `stores` put it away. Each choice leaves a
sentence.
"""

from __future__ import annotations

from weft.kernels import stores
from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, convert, ops
from weft.kernels.program import Expr
from weft.kernels.stores import named, output, result, unused
from weft.kernels.types import F32, F64, I32, scalar_of
from weft.kernels.vocabulary import coefficient, curve, opening, plural, read, the, through, told, whole
from weft.types import Matrix, Scalar, Vector

__all__ = ["describe", "finish", "output"]


WIDEST_LIMITED = 64.0
"""Beyond it the bounds that are proved lie far from the values that occur, and a soft limit does nothing."""


def finish(
    k: Builder, name: str, value: Expr, doc: str, *, measured: bool = True, counted: bool = True
) -> None:
    """Store each thread's result, as it is or finished in a usual way; completes the docstring.

    `measured` allows the length or trace of a result beside it, `counted` arithmetic on a whole number: false
    where that says nothing, as for the trace of a deviator or the sum of two labels.
    """
    match value.type:
        case Scalar() if value.type in (F32, F64):
            stores.store_number(k, name, *_steps(k, name, value))
        case Vector() | Matrix() if scalar_of(value.type) in (F32, F64):
            _finish_vector(k, name, value, measured)
        case Scalar() if counted and value.type.is_integer:
            _finish_whole(k, name, value)
        case _:
            k.store(output(k, plural(name), value.type), k.target, value)
    describe(k, doc)


def describe(k: Builder, doc: str) -> None:
    """The docstring: a sentence about the idiom, and one for each thing that the holes changed."""
    k.doc = " ".join(f"{one}." for one in [doc, *dict.fromkeys(k.notes)])


def _steps(k: Builder, name: str, value: Expr) -> tuple[Expr, str]:
    """The number after a few steps, each of another kind, and how the docstring calls it."""
    it = the(name)
    done: set[str] = set()
    for _ in range(k.rng.weighted(k.policy.finish_steps)):
        kind = k.rng.weighted(k.policy.finish)
        if kind in done or value.interval.magnitude > 1e6:
            continue
        done.add(kind)
        before = value
        value = _step(k, kind, name, value, it)
        if value is not before:
            it = "the result"
    return value, it


def _step(k: Builder, kind: str, name: str, value: Expr, it: str) -> Expr:
    """One step; the same expression where its bounds make the step pointless."""
    high = value.interval.hi
    match kind:
        case "scaled":
            scale = coefficient(k, unused(k, "scale", "gain", "factor"), 0.2, 5.0)
            k.notes.append(f"{opening(it)} is multiplied by {told(scale)}")
            return k.rng.pick(scale * value, value * scale)
        case "shifted":
            shift = coefficient(k, unused(k, "offset", "bias", "shift"), 0.1, 1.0)
            k.notes.append(f"{opening(it)} is increased by {told(shift)}")
            return value + shift
        case "limited" if 0.1 < high < WIDEST_LIMITED:
            lowest, highest = (float(f"{share * high:.2g}") for share in (0.5, 0.8))
            limit = coefficient(k, unused(k, f"max_{name}", "bound"), lowest, highest)
            k.notes.append(f"A soft limit keeps {it} within {told(limit)} of zero")
            if k.rng.chance(0.5):
                return limit * ops.tanh(result(k, name, value) / limit)
            new = named(k, name, value)
            return new / (1.0 + ops.abs(new) / limit)
        case "residual":
            goal = unused(k, "target", "expectation", "measurement")
            expected = read(k, goal, -1.0, 1.0)
            actual = result(k, name, value)
            above = k.rng.chance(0.5)
            difference: Expr = k.let(unused(k, "residual"), actual - expected if above else expected - actual)
            if k.rng.chance(0.4):
                k.notes.append(f"The squared difference between {it} and the {goal} is taken")
                return difference * difference
            first, second = (f"the {goal}", it) if above else (it, f"the {goal}")
            k.notes.append(f"{opening(first)} is subtracted from {second}")
            return difference
        case "curved":
            shaped, word = curve(k, named(k, name, value))
            k.notes.append(f"{opening(it)} {through(word)}")
            return shaped
        case "weighted":
            factor = unused(k, "weight", "importance")
            k.notes.append(f"{opening(it)} is multiplied by its {factor}")
            return read(k, factor, 0.1, 2.0) * value
        case "gated":
            gate = _flag(k, "open", "present", "alive")
            rest = coefficient(k, unused(k, "fallback", "default_value"), 0.1, 0.9, kinds="lp")
            k.notes.append(f"Where {told(gate)} is zero, {told(rest)} takes the place of {it}")
            return k.let(unused(k, f"gated_{name}"), ops.where(gate.equals(0), rest, result(k, name, value)))
        case "mirrored":
            top = coefficient(k, unused(k, "ceiling", "base_level"), 0.5, 2.0)
            k.notes.append(f"{opening(it)} is subtracted from {told(top)}")
            return top - value
        case _:
            return value


def _flag(k: Builder, *names: str) -> Expr:
    """This thread's element of an array of flags."""
    name = unused(k, *(f"{one}_flags" for one in names))
    return k.array(name, I32, k.shape, whole(0, 1))[k.index]


def _finish_vector(k: Builder, name: str, value: Expr, measured: bool) -> None:
    it = the(name)
    done: set[str] = set()
    for _ in range(k.rng.weighted(k.policy.finish_steps)):
        choice = k.rng.pick("scaled", "difference", "component", "gated", "kept")
        if value.interval.magnitude > 1e6:
            break
        if choice in done:
            continue
        done.add(choice)
        match choice:
            case "scaled":
                scale = coefficient(k, unused(k, "scale", "gain", "factor"), 0.1, 3.0)
                value = k.rng.pick(scale * value, value * scale)
                k.notes.append(f"{opening(it)} is multiplied by {told(scale)}")
            case "difference":
                goal, word = k.rng.pick(("reference", "reference"), ("previous", "previous value"))
                other = read(k, unused(k, goal), -1.0, 1.0, value.type)
                if k.rng.chance(0.5):
                    value = value - other
                    k.notes.append(f"The {word} is subtracted from {it}")
                else:
                    value = other - value
                    k.notes.append(f"{opening(it)} is subtracted from the {word}")
            case "component" if isinstance(value.type, Vector):
                value = _shaped_component(k, name, value)
            case "gated":
                gate = _flag(k, "present", "alive", "enabled")
                new = named(k, name, value)
                value = k.let(unused(k, f"gated_{name}"), ops.where(gate > 0, new, 0.5 * new))
                k.notes.append(f"Where {told(gate)} is zero, {it} is halved")
            case _:
                continue
        it = "the result"
    stores.store_vector(k, name, value, it, measured)


def _shaped_component(k: Builder, name: str, value: Expr) -> Expr:
    assert isinstance(value.type, Vector)
    new = named(k, name, value)
    shaped = [new[c] for c in range(value.type.length)]
    c = k.rng.below(value.type.length)
    limit = k.rng.number(0.2, 0.6)
    shaped[c], word = k.rng.pick(
        (ops.abs(shaped[c]), "loses its sign"),
        (ops.max(shaped[c], -limit), f"is at least {-limit}"),
        (-shaped[c], "changes its sign"),
        (ops.min(shaped[c], limit), f"is at most {limit}"),
    )
    k.notes.append(f"Component {c} of the output {word}")
    return k.let(unused(k, f"adjusted_{name}"), construct(value.type, *shaped))


def _finish_whole(k: Builder, name: str, value: Expr) -> None:
    it = the(name)
    scalar = value.type
    assert isinstance(scalar, Scalar)
    small = value.interval.magnitude < 1e6
    kind = k.rng.pick("plain", "offset", "real", "stepped", "plain")
    if kind == "offset" and small:
        base = k.scalar(unused(k, "base", "start_value"), scalar, whole(1, 50))
        value = base + value
        k.notes.append(f"{opening(it)} is added to {told(base)}")
    elif kind == "real" and value.interval.magnitude < 2**24:
        scale = coefficient(k, unused(k, "scale", "unit"), 0.01, 0.5)
        k.notes.append(f"{opening(it)} is taken as a float, multiplied by {told(scale)}")
        stores.store_number(k, name, convert(k.real, value) * scale, "the result")
        return
    elif kind == "stepped" and small and value.interval.lo >= 0 and value.interval.hi >= 8:
        step = k.rng.pick(2, 3, 4, 5)
        value, word = k.rng.pick(
            (value // step, "divided by"), (value // step * step, "rounded down to a multiple of")
        )
        k.notes.append(f"{opening(it)} is {word} {step}")
    stores.store_whole(k, name, value, "the result" if kind != "plain" else it)
