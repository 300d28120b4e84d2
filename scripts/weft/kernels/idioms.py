"""Holes that idioms share: how threads find their work, where numbers come from, where results go.

A category's idiom says what is computed; these decide, by the policy, whether a coefficient is a literal, a
parameter, a member of a struct or an array element, whether a launch is padded, masked or indirect, and how
the result is finished and stored. Each leaves a note for the docstring where it changes what is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.kernels.builder import ArrayHandle, Builder
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.operators import conditional, construct, convert, lift, ops
from weft.kernels.program import Expr, Name, Parameter
from weft.kernels.types import F32, I32, scalar_of
from weft.types import Matrix, Quaternion, Scalar, Struct, Type, Vector

GRIDS: dict[int, list[tuple[tuple[str, str, str], ...]]] = {
    2: [
        (("i", "rows", "(n + 15) // 16"), ("j", "cols", "16")),
        (("y", "height", "(n + 7) // 8"), ("x", "width", "8")),
        (("row", "rows", "12"), ("col", "cols", "(n + 11) // 12")),
        (("j", "ny", "max(n // 10, 1)"), ("i", "nx", "10")),
    ],
    3: [
        (("i", "nx", "(n + 31) // 32"), ("j", "ny", "4"), ("k", "nz", "8")),
        (("z", "depth", "3"), ("y", "height", "(n + 14) // 15"), ("x", "width", "5")),
        (("b", "batch", "(n + 23) // 24"), ("i", "rows", "6"), ("j", "cols", "4")),
    ],
}


def plural(word: str) -> str:
    """The English plural that an array of such things is named by."""
    if word.endswith("s"):
        return word
    if word.endswith("y") and word[-2:] not in ("ay", "ey", "oy"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def threads(
    k: Builder, *dimensions: int, name: str = "i", plain: bool = False, indirect: bool = True
) -> tuple[Expr, ...]:
    """One thread for each element of a grid of one of these ranks (drawn from 1 to 3 if none is given).

    `plain` keeps the indices as they are; otherwise the launch may be padded, masked or, where `indirect`
    allows it, go through a permutation.
    """
    allowed = dimensions or (1, 2, 3)
    rank = k.rng.weighted({one: weight for one, weight in k.policy.dimensions.items() if one in allowed})
    prologue = "plain" if plain else k.rng.weighted(k.policy.prologue)
    if prologue == "indirect" and not indirect:
        prologue = "masked"
    if rank == 1:
        return _line(k, name, prologue)
    grid = k.rng.pick(*GRIDS[rank])
    for _, size, value in grid:
        k.sizes[size] = value
    shape = [size for _, size, _ in grid]
    names = [index for index, _, _ in grid]
    k.tags.append(f"{rank}d")
    if prologue != "padded":
        index = k.threads(shape, names)
        if prologue == "masked":
            _mask(k, index, shape)
        return index
    k.threads([f"{size} + {k.rng.pick(1, 2, 3)}" for size in shape], names)
    index = k.index
    outside = [one >= k.size(size, size) for one, size in zip(index, shape, strict=True)]
    condition = outside[0]
    for one in outside[1:]:
        condition = condition | one
    with k.when(condition):
        k.jump("return")
    k.shape = tuple(shape)
    return index


def _line(k: Builder, name: str, prologue: str) -> tuple[Expr, ...]:
    if prologue == "padded":
        block = k.rng.pick(32, 64, 128)
        index = k.threads([f"(n + {block - 1}) // {block} * {block}"], [name])
        count = k.size(k.rng.pick("count", "n", f"num_{plural(name)}" if len(name) > 2 else "num_items"), "n")
        with k.when(index[0] >= count):
            k.jump("return")
        k.shape = ("n",)
        return index
    if prologue == "indirect":
        order = k.array(
            k.rng.pick("order", "permutation", "sorted_indices"), I32, ["n"], {"permutation": "n"}
        )
        (thread,) = k.threads(["n"], ["tid"])
        there = k.let(name, order[thread])
        if k.rng.chance(0.5):
            k.index, k.target = (there,), (thread,)
            k.notes.append(f"gathered through {order.parameter.name}")
        else:
            k.index, k.target = (thread,), (there,)
            k.notes.append(f"scattered through {order.parameter.name}")
        return k.index
    index = k.threads(["n"], [name])
    if prologue == "masked":
        _mask(k, index, ["n"])
    return index


def _mask(k: Builder, index: tuple[Expr, ...], shape: list[str]) -> None:
    """Threads whose flag is not set leave their outputs alone."""
    flags = k.array(k.rng.pick("active", "mask", "enabled"), I32, shape, {"integers": [0, 2]})
    with k.when(flags[index].equals(0)):
        k.jump("return")
    k.notes.append(f"where {flags.parameter.name} is set")


def uniform(low: float, high: float) -> dict[str, Any]:
    """The recipe of floats in [low, high)."""
    return {"uniform": [float(low), float(high)]}


def whole(low: int, high: int) -> dict[str, Any]:
    """Integers in [low, high], as recipes have it: the upper bound is excluded."""
    return {"integers": [low, high + 1]}


def read(
    k: Builder, name: str, low: float, high: float, type: Type | None = None, *, array: str | None = None
) -> Expr:
    """This thread's element of an input array with components in [low, high]."""
    element = type or k.real
    values = uniform(low, high) if scalar_of(element).is_float else whole(int(low), int(high))
    handle = k.array(array or plural(name), element, k.shape, values)
    item = handle[k.index]
    if isinstance(element, Scalar) and k.rng.chance(k.policy.inline_load):
        return item
    return k.let(name if name not in k.names else f"{name}_here", item)


def signal(k: Builder, name: str, low: float, high: float) -> Expr:
    """As `read` for a number, conditioned as raw data often are: calibrated, limited, rectified, …"""
    kind = k.rng.weighted(k.policy.conditioning)
    raw = read(k, name, low, high)
    span = high - low
    match kind:
        case "calibrated":
            offset = coefficient(k, f"{name}_offset", low * 0.1, low * 0.1 + span * 0.1)
            gain = coefficient(k, f"{name}_gain", 0.5, 0.95)
            value = (raw - offset) * gain
        case "limited" if low < 0.0:
            limit = coefficient(k, f"{name}_limit", 0.6 * high, 0.9 * high)
            value = ops.max(ops.min(raw, limit), -limit) if k.rng.chance(0.5) else ops.min(raw, limit)
        case "dead zone" if low < 0.0 < high:
            tolerance = coefficient(k, f"{name}_tolerance", 0.05 * high, 0.2 * high)
            value = conditional(ops.abs(raw) > tolerance, raw, 0.0)
            k.notes.append(f"with a dead zone in the {words(name)}")
        case "rectified" if low < 0.0 < high:
            value = ops.abs(raw)
        case "difference":
            other = read(k, f"{name}_baseline", 0.3 * low, 0.3 * high)
            value = raw - other
            k.notes.append(f"relative to the baseline {words(name)}")
        case _:
            return raw
    return k.let(f"{kind.replace(' ', '_') if kind != 'difference' else 'relative'}_{name}", value)


def records(
    k: Builder, name: str, title: str, doc: str, fields: dict[str, tuple[Type, float, float]]
) -> tuple[Expr, Callable[[str], Expr]]:
    """This thread's element of an input array of structs, and a function that gives its members."""
    struct = k.struct(title, doc, [(field, of) for field, (of, _, _) in fields.items()])
    members = {
        field: uniform(low, high) if scalar_of(of).is_float else whole(int(low), int(high))
        for field, (of, low, high) in fields.items()
    }
    handle = k.array(plural(name), struct, k.shape, {"members": members})
    value = k.let(name, handle[k.index])
    assert handle.members is not None
    bounds = handle.members
    return value, lambda field: k.member(value, field, bounds[field])


def words(name: str) -> str:
    """A name as words of a sentence."""
    return name.replace("_", " ")


def coefficient(k: Builder, name: str, low: float, high: float, *, kinds: str = "lpe") -> Expr:
    """A number that shapes the computation: a literal, a parameter, a member of a struct, or an element.

    `kinds` limits the choice: any of l(iteral), p(arameter), e(lement).
    """
    allowed = {kind: weight for kind, weight in k.policy.coefficient.items() if kind[0] in kinds}
    if k.in_struct and "p" in kinds and k.real == F32:
        return _struct_member(k, name, low, high)
    match k.rng.weighted(allowed):
        case "literal":
            return lift(k.rng.number(low, high), k.real)
        case "element" if k.shape:
            handle = k.array(plural(name), k.real, k.shape, uniform(low, high))
            return handle[k.index]
        case _:
            return k.scalar(name, k.real, uniform(low, high))


def _struct_member(k: Builder, name: str, low: float, high: float) -> Expr:
    title = "".join(part.capitalize() for part in k.name.split("_")) + "Params"
    if not k.structs or k.structs[-1].name != title:
        k.struct(title, f"Settings of {k.name}.", [])
        k.parameters.append(Parameter(k.fresh("params"), Struct(title), "in", (), {"members": {}}))
        k.params = Name(Struct(title), EVERYTHING, "params")
    definition = next(one for one in k.structs if one.name == title)
    field, number = name, 2
    while field in dict(definition.fields):
        field, number = f"{name}_{number}", number + 1
    definition.fields.append((field, k.real))
    parameter = next(one for one in k.parameters if one.name == "params")
    assert parameter.values is not None and k.params is not None
    parameter.values["members"][field] = uniform(low, high)
    return k.member(k.params, field, Interval(low, high))


def output(
    k: Builder, name: str, type: Type, role: str = "out", values: dict[str, Any] | None = None
) -> ArrayHandle:
    """An output array with one element for each thread."""
    return k.array(name, type, k.shape, values, role)


def threshold(k: Builder, name: str, x: Expr, *, kinds: str = "lpe") -> Expr:
    """A level that some values of x exceed and some do not, if x spreads over its bounds."""
    low, span = x.interval.lo, x.interval.hi - x.interval.lo
    return coefficient(k, name, low + 0.3 * span, low + 0.7 * span, kinds=kinds)


def curve(k: Builder, x: Expr) -> tuple[Expr, str]:
    """A smooth response to x, in the domain of its function, and its name."""
    span = x.interval
    options = ["tanh", "rational", "sine", "bell", "lorentz", "square", "soft", "atan"]
    if span.within(0.0, 1e4):
        options += ["root", "log", "saturating", "decay"] * 2
    if span.within(-20.0, 20.0):
        options += ["sigmoid", "cosine", "softplus"]
    if span.within(-3.0, 3.0):
        options += ["cubic", "exponential"]
    match k.rng.pick(*options):
        case "tanh":
            return ops.tanh(x), "tanh"
        case "rational":
            return x / (1.0 + ops.abs(x)), "softsign"
        case "sine":
            if not span.within(-100.0, 100.0):
                return ops.atan(x), "arctangent"
            return ops.sin(x), "sine"
        case "cosine":
            return 0.5 * (1.0 - ops.cos(x)), "raised cosine"
        case "bell":
            if span.magnitude > 8.0:
                return 1.0 / (1.0 + x * x), "Lorentzian"
            return ops.exp(-(x * x)), "Gaussian"
        case "lorentz":
            return 1.0 / (1.0 + x * x), "Lorentzian"
        case "square":
            if span.magnitude > 1e6:
                return ops.tanh(x), "tanh"
            return x * x, "square"
        case "soft":
            if span.magnitude > 1e6:
                return ops.tanh(x), "tanh"
            return ops.sqrt(x * x + k.rng.number(0.01, 0.5)), "soft absolute value"
        case "atan":
            return ops.atan(x), "arctangent"
        case "root":
            return ops.sqrt(x), "square root"
        case "log":
            return ops.log(1.0 + x), "logarithm"
        case "saturating":
            return x / (x + k.rng.number(0.2, 2.0)), "saturation"
        case "decay":
            if span.hi > 30.0:
                return 1.0 / (1.0 + x), "hyperbolic decay"
            return 1.0 - ops.exp(-x), "exponential approach"
        case "sigmoid":
            return 1.0 / (1.0 + ops.exp(-x)), "logistic function"
        case "softplus":
            return ops.log(1.0 + ops.exp(x)), "softplus"
        case "cubic":
            return x * (1.0 - x * x * k.rng.number(0.1, 0.3)), "cubic"
        case _:
            return ops.exp(x) - 1.0, "exponential"


def finish(k: Builder, name: str, value: Expr, doc: str) -> None:
    """Store each thread's result, as it is or finished in a usual way; completes the docstring."""
    match value.type:
        case Scalar() if value.type.is_float:
            _finish_number(k, name, value)
        case Vector() | Matrix():
            _finish_vector(k, name, value)
        case Quaternion():
            k.store(output(k, plural(name), value.type), k.target, value)
        case _:
            _finish_whole(k, name, value)
    describe(k, doc)


def describe(k: Builder, doc: str) -> None:
    """The docstring: a sentence about the idiom, and what the holes changed."""
    notes = list(dict.fromkeys(k.notes))
    text = doc
    if notes:
        text += ", " + (notes[0] if len(notes) == 1 else ", ".join(notes[:-1]) + " and " + notes[-1])
    k.doc = text + "."


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
            expected = read(k, k.rng.pick("target", "expected", "measured"), -1.0, 1.0)
            new = _result(k, name, value)
            difference = k.rng.pick(new - expected, expected - new)
            if k.rng.chance(0.4) and difference.interval.magnitude < 1e6:
                difference = k.let("residual", difference)
                difference = difference * difference
                k.notes.append("as a squared residual")
            else:
                k.notes.append("as a difference from the expected value")
            k.store(output(k, f"{name}_residuals", value.type), k.target, difference)
        case "curved" if bounded:
            new = _result(k, name, value)
            shaped, word = curve(k, new)
            k.store(output(k, out, value.type), k.target, shaped)
            k.notes.append(f"passed through a {word}")
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


def _finish_vector(k: Builder, name: str, value: Expr) -> None:
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
        case "extra":
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
            k.notes.append("as a difference from a reference")
        case "component" if isinstance(value.type, Vector) and value.interval.magnitude < 1e6:
            new = k.let(name, value) if not isinstance(value, Name) else value
            shaped = [new[c] for c in range(value.type.length)]
            c = k.rng.below(value.type.length)
            shaped[c] = k.rng.pick(
                ops.abs(shaped[c]), ops.max(shaped[c], 0.0), -shaped[c], ops.min(shaped[c], 0.0)
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
