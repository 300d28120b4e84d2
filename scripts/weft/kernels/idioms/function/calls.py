"""Helpers that call helpers, are generic, overloaded, or have default arguments."""

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.functions import generic, overloaded, with_defaults
from weft.kernels.idioms.function.bodies import shape_of
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32
from weft.kernels.vocabulary import article, coefficient, opening, read, threads
from weft.types import Matrix, Type, Vector

WIDE = Interval(-1000.0, 1000.0)


def nested_helpers(k: Builder) -> None:
    """Functions that call functions."""
    inner, word = shape_of(k, k.rng.pick("shape", "response", "profile"))
    twice = k.rng.pick("difference", "slope", "mean", "chain")
    step = k.rng.number(0.1, 0.5)

    def body(b: Builder, x: Expr, w: Expr) -> Expr:
        if twice == "difference":
            return inner(x) - w * inner(k.rng.number(0.3, 0.9) * x)
        if twice == "slope":
            return (inner(x + step) - inner(x - step)) * w
        if twice == "mean":
            left, right = b.let("left", inner(x - step)), b.let("right", inner(x + step))
            return w * 0.5 * (left + right)
        once = b.let("once", ops.tanh(inner(x)))
        return w * inner(2.0 * once)

    parameters: dict[str, tuple[Type, Interval]] = {
        "x": (k.real, Interval(-3.0, 3.0)),
        "w": (k.real, Interval(0.0, 3.0)),
    }
    outer = k.function(
        k.rng.pick("contrast", "detail", "combine"),
        f"{opening(f'the {word}')} of itself, with a tanh between."
        if twice == "chain"
        else f"What {article(word)} at two places comes to.",
        parameters,
        body,
    )
    threads(k)
    x = read(k, "x", -2.0, 2.0)
    if x.interval.magnitude > 3.0:
        x = ops.clamp(x, -3.0, 3.0)
    weight = coefficient(k, "weight", 0.3, 2.0)
    value = outer(x, weight)
    if k.rng.chance(0.4):
        value = value + k.rng.number(0.1, 0.8) * inner(x)
    finish(
        k,
        "value",
        value,
        f"Combines values of {article(word)} by functions that call each other, as a {twice}",
    )


def generic_blend(k: Builder) -> None:
    """One function for numbers and vectors."""
    k.real = F32
    kind = k.rng.pick("blend", "ease", "weigh", "push", "triple")
    number = k.rng.number(0.2, 0.9)
    bodies: dict[str, tuple[str, tuple[str, ...], Callable[..., Expr]]] = {
        "blend": ("Between two values.", ("a", "b", "t"), lambda b, a, c, t: a + t * (c - a)),
        "ease": (
            "Between two values, slowly at both ends.",
            ("a", "b", "t"),
            lambda b, a, c, t: a + (t * t * (3.0 - 2.0 * t)) * (c - a),
        ),
        "weigh": (
            "Two values, one by what the other lacks.",
            ("a", "b", "w"),
            lambda b, a, c, w: (w * a + c) / (w + 1.0),
        ),
        "push": ("A value with a share of another.", ("a", "b", "s"), lambda b, a, c, s: a + s * number * c),
        "triple": (
            "A value, counted twice, and another.",
            ("a", "b", "s"),
            lambda b, a, c, s: s * (a + a - c),
        ),
    }
    doc, names, body = bodies[kind]
    call = generic(k, kind, doc, {names[0]: None, names[1]: None, names[2]: F32}, body)
    threads(k)
    t = coefficient(k, "share", 0.1, 0.9)
    space = Vector(k.rng.pick(2, 3, 4), F32)
    first, second = read(k, "first", -1.0, 1.0, space), read(k, "second", -1.0, 1.0, space)
    mixed = k.let("mixed", call(first, second, t))
    x = read(k, "x", -1.0, 1.0)
    other = k.let("other", call(x, mixed[0], k.rng.number(0.1, 0.9)))
    doc = f"Uses one generic function, {kind}, for vectors and for numbers"
    match k.rng.pick("vector", "number", "both"):
        case "vector":
            finish(k, "mixture", mixed * (1.0 + ops.abs(other)), doc)
        case "number":
            finish(k, "size", other + ops.length(mixed), doc)
        case _:
            third = k.let("third", call(mixed, first, k.rng.number(0.1, 0.9)))
            finish(k, "mixture", third - other * second, doc)


def default_arguments(k: Builder) -> None:
    """Parameters that may be left out."""
    k.real = F32
    kind = k.rng.pick("falloff", "soft_step", "wave", "clip")
    parameters: dict[str, tuple[Type, Interval]] = {"x": (F32, Interval(-9.0, 9.0))}
    defaults: dict[str, float] = {}
    for key, low, high in {
        "falloff": (("width", 0.5, 2.0), ("floor", 0.05, 0.4)),
        "soft_step": (("edge", -0.5, 0.5), ("width", 0.2, 1.0)),
        "wave": (("frequency", 1.0, 4.0), ("phase", 0.0, 1.5)),
        "clip": (("low", -0.9, -0.2), ("high", 0.3, 0.9)),
    }[kind]:
        parameters[key] = (F32, Interval(low, high + 0.5))
        defaults[key] = k.rng.number(low + 0.05, high)

    def body(b: Builder, x: Expr, p: Expr, q: Expr) -> Expr:
        match kind:
            case "falloff":
                return q + 1.0 / (1.0 + bounded((x / p) * (x / p), 0.0, 1e3))
            case "soft_step":
                return 1.0 / (1.0 + ops.exp(-ops.clamp((x - p) / q, -30.0, 30.0)))
            case "wave":
                return ops.sin(p * x + q)
            case _:
                return ops.min(ops.max(x, p), q)

    call = with_defaults(
        k, kind, "A response with settings that may be left out.", parameters, defaults, body
    )
    threads(k)
    x, y = read(k, "x", -2.0, 2.0), read(k, "y", -2.0, 2.0)
    given = k.rng.pick("first", "second", "both")
    settings: dict[str, Expr] = {}
    for key, place in zip(defaults, ("first", "second"), strict=True):
        if given in (place, "both"):
            limits = parameters[key][1]
            settings[key] = coefficient(k, key, limits.lo + 0.05, limits.hi - 0.05)
    plain = call(x)
    other = call(y, **settings) if given == "second" or k.rng.chance(0.3) else call(y, *settings.values())
    total = k.rng.pick(plain - other, plain * other, plain + k.rng.number(0.2, 0.8) * other)
    finish(k, "response", total, f"Uses {kind.replace('_', ' ')} with and without its defaults")


def overloads(k: Builder) -> None:
    """Functions of one name for different types."""
    k.real = F32
    space = Vector(k.rng.pick(2, 3), F32)
    square = Matrix(2, 2, F32)
    kind = k.rng.pick("size", "energy", "damp")
    keep = k.rng.number(0.3, 0.95)
    one: dict[str, tuple[Type, Interval]] = {"x": (F32, WIDE)}
    vector: dict[str, tuple[Type, Interval]] = {"v": (space, WIDE)}
    matrix: dict[str, tuple[Type, Interval]] = {"m": (square, WIDE)}
    variants = {
        "size": [
            ("Magnitude of a number.", one, lambda b, x: ops.abs(x)),
            ("Length of a vector.", vector, lambda b, v: ops.length(v)),
            ("Size of a matrix.", matrix, lambda b, m: ops.sqrt(bounded(ops.ddot(m, m), 0.0, 1e5))),
        ],
        "energy": [
            ("Half the square of a number.", one, lambda b, x: 0.5 * x * x),
            ("Half the square of a vector.", vector, lambda b, v: 0.5 * ops.dot(v, v)),
            ("Half the squared entries of a matrix.", matrix, lambda b, m: 0.5 * ops.ddot(m, m)),
        ],
        "damp": [
            ("A number, drawn towards zero.", one, lambda b, x: keep * x / (1.0 + ops.abs(x))),
            ("A vector, drawn towards zero.", vector, lambda b, v: keep * v / (1.0 + ops.length(v))),
            ("A matrix, drawn towards zero.", matrix, lambda b, m: keep * m / (1.0 + ops.abs(ops.trace(m)))),
        ],
    }[kind]
    chosen = k.rng.shuffled(variants)[: k.rng.pick(2, 3)]
    call = overloaded(k, f"{kind}_of", chosen)
    threads(k)
    total: Expr | None = None
    for _, parameters, _ in chosen:
        ((of, _),) = parameters.values()
        name = next(iter(parameters))
        value = read(
            k, {"x": "number", "v": "direction", "m": "tensor"}[name], -1.0, 1.0, of, inline=k.rng.chance(0.5)
        )
        part = call(value)
        if isinstance(part.type, Vector):
            part = k.let("damped_vector", part)[k.rng.below(space.length)]
        elif isinstance(part.type, Matrix):
            part = ops.trace(part)
        scaled = k.rng.number(0.2, 1.8) * part
        total = (
            scaled if total is None else k.rng.pick(total + scaled, total - scaled, total * (1.5 + scaled))
        )
    assert total is not None
    finish(k, "measure", total, f"Combines {len(chosen)} overloads of one function, {kind}")
