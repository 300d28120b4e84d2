"""Holes that idioms share: how threads find their work, where numbers come from, where results go.

A category's idiom says what is computed; these decide, by the policy, whether a coefficient is a literal, a
parameter, a member of a struct or an array element, whether a launch is padded, masked or indirect, and how
the result is finished and stored. Each leaves a sentence for the docstring where it changes what is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.kernels.builder import Builder
from weft.kernels.emit import expression, number
from weft.kernels.expressions import conditional, lift, ops
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import Expr, Literal, Name, Parameter
from weft.kernels.types import F32, I32, scalar_of
from weft.types import Scalar, Struct, Type

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
    if len(word) == 1:
        return word + "s"
    if word.endswith("ed"):
        return f"{word}_values"
    if word.endswith("s") and not word.endswith("ss"):
        return word
    if word.endswith("y") and word[-2:] not in ("ay", "ey", "oy"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def threads(
    k: Builder,
    *dimensions: int,
    name: str = "i",
    plain: bool = False,
    indirect: bool = True,
    every: bool = False,
) -> tuple[Expr, ...]:
    """One thread for each element of a grid of one of these ranks (drawn from 1 to 3 if none is given).

    `plain` keeps the indices as they are; otherwise the launch may be padded, masked or, where `indirect`
    allows it, go through a permutation. With `every`, each element is visited: no mask, no permutation.
    """
    allowed = dimensions or (1, 2, 3)
    rank = k.rng.weighted({one: weight for one, weight in k.policy.dimensions.items() if one in allowed})
    prologue = "plain" if plain else k.rng.weighted(k.policy.prologue)
    if every and prologue in ("masked", "indirect"):
        prologue = "padded"
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
            k.notes.append(f"Thread tid works on element {order.parameter.name}[tid]")
        else:
            k.index, k.target = (thread,), (there,)
            k.notes.append(f"Thread tid stores its result at {order.parameter.name}[tid]")
        return k.index
    index = k.threads(["n"], [name])
    if prologue == "masked":
        _mask(k, index, ["n"])
    return index


def _mask(k: Builder, index: tuple[Expr, ...], shape: list[str]) -> None:
    """Threads whose flag is not set leave their outputs alone."""
    name, note = k.rng.pick(
        ("active", "Elements that are not active are skipped"),
        ("mask", "Elements outside the mask are skipped"),
        ("enabled", "Elements that are not enabled are skipped"),
    )
    flags = k.array(name, I32, shape, {"integers": [0, 2]})
    with k.when(flags[index].equals(0)):
        k.jump("return")
    k.notes.append(note)


def uniform(low: float, high: float) -> dict[str, Any]:
    """The recipe of floats in [low, high)."""
    return {"uniform": [float(low), float(high)]}


def whole(low: int, high: int) -> dict[str, Any]:
    """Integers in [low, high], as recipes have it: the upper bound is excluded."""
    return {"integers": [low, high + 1]}


def read(
    k: Builder,
    name: str,
    low: float,
    high: float,
    type: Type | None = None,
    *,
    array: str | None = None,
    inline: bool = False,
) -> Expr:
    """This thread's element of an input array with components in [low, high], named unless `inline`."""
    element = type or k.real
    values = uniform(low, high) if scalar_of(element).is_float else whole(int(low), int(high))
    handle = k.array(array or plural(name), element, k.shape, values)
    item = handle[k.index]
    if inline or (isinstance(element, Scalar) and k.rng.chance(k.policy.inline_load)):
        return item
    return k.let(_free(k, name), item)


def _free(k: Builder, name: str) -> str:
    """`name`, or another where an index of the thread is called so."""
    return name if name not in k.names else f"{name}_value"


def signal(k: Builder, name: str, low: float, high: float, *, spread: bool = False) -> Expr:
    """As `read` for a number, conditioned as raw data often are: calibrated, limited, rectified, …

    With `spread` the values still cover all of [low, high], as thresholds on them need.
    """
    kind = k.rng.weighted(k.policy.conditioning)
    if spread and kind != "difference":
        kind = "plain"
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
            if not isinstance(raw, Name):
                raw = k.let(_free(k, name), raw)
            tolerance = coefficient(k, f"{name}_tolerance", 0.05 * high, 0.2 * high)
            value = conditional(ops.abs(raw) > tolerance, raw - tolerance * ops.sign(raw), 0.0)
            k.notes.append(f"The dead zone of {words(name)} reaches to {told(tolerance)} on both sides")
        case "rectified" if low < 0.0 < high:
            value = ops.abs(raw)
        case "difference":
            other = read(k, f"{name}_baseline", 0.3 * low, 0.3 * high)
            value = raw - other
            k.notes.append(f"The baseline is subtracted from {words(name)}")
        case _:
            return raw
    return k.let(f"{kind.replace(' ', '_') if kind != 'difference' else 'relative'}_{name}", value)


def vector_signal(k: Builder, name: str, low: float, high: float, type: Type) -> Expr:
    """As `read` for a vector, seen from an origin, scaled, or as it is."""
    match k.rng.below(6):
        case 0:
            origin = k.scalar(f"{name}_origin", type, uniform(0.2 * low, 0.2 * high))
            return k.let(f"relative_{name}", read(k, name, low, high, type) - origin)
        case 1:
            scale = coefficient(k, f"{name}_scale", 0.5, 0.95)
            return k.let(f"scaled_{name}", scale * read(k, name, low, high, type, inline=True))
        case 2:
            other = read(k, f"previous_{name}", low, high, type, inline=True)
            return k.let(f"mean_{name}", 0.5 * (read(k, name, low, high, type, inline=True) + other))
        case _:
            return read(k, name, low, high, type)


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


def article(noun: str) -> str:
    """The noun with `a` or `an`; of squares there is but one."""
    if noun == "square":
        return "the square"
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def words(name: str) -> str:
    """A name as words of a sentence."""
    return name.replace("_", " ")


def noun(name: str) -> str:
    """A result's name as a noun: participles get one."""
    return f"{words(name)} value" if name.endswith("ed") else words(name)


def through(word: str) -> str:
    """What happens to a number under the curve of this name."""
    return "is squared" if word == "square" else f"goes through {article(word)}"


def told(value: Expr) -> str:
    """A coefficient as a docstring names it: its number, or the code that reads it."""
    return number(value.value) if isinstance(value, Literal) else expression(value)


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
        k.struct(title, "Settings that all threads share.", [])
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
