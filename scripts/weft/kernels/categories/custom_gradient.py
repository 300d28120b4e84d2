"""Functions that bring their own gradient, and kernels that use them."""

from weft.kernels.builder import Builder
from weft.kernels.derivatives import Smooth, implicit_function, number_function
from weft.kernels.derivatives_of_vectors import vector_function, vector_map
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.functions import cached
from weft.kernels.idioms import article, coefficient, curve, read, threads, uniform, whole
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.types import Scalar, Type, Vector

REVISION = 1
TEACHES = (
    "gradients of one's own: func_grad for losses, potentials, maps, solutions; func_replay for cached work"
)


def _argument(k: Builder, name: str, of: Type, limits: Interval, *, varied: bool) -> Expr:
    """A value for a parameter: an element where it has to vary or is a vector, or a coefficient."""
    if isinstance(of, Scalar) and not varied:
        return coefficient(k, name, limits.lo + 0.02, limits.hi - 0.02)
    return read(k, name, limits.lo, limits.hi, of, inline=k.rng.chance(0.3))


def _called(k: Builder, function: Smooth, first: Expr | None = None, prefix: str = "") -> Expr:
    """A call with arguments of its own; the first may be given."""
    arguments = [] if first is None else [first]
    for name, (of, limits) in list(function.parameters.items())[len(arguments) :]:
        arguments.append(_argument(k, f"{prefix}{name}", of, limits, varied=not arguments))
    return function.call(*arguments)


def _told(function: Smooth) -> str:
    return f"the {function.about}" if "solution" in function.about else article(function.about)


def _use(k: Builder, name: str, value: Expr, doc: str) -> None:
    """Store the value, weighted or compared perhaps."""
    if isinstance(value.type, Scalar):
        match k.rng.pick("plain", "weighted", "squared", "shaped"):
            case "weighted":
                value = read(k, "importance", 0.2, 2.0) * value
                doc += ", weighted"
            case "squared":
                value = k.let("term", value)
                value = value * value
                doc += ", squared"
            case "shaped" if value.interval.magnitude < 50.0:
                shaped, word = curve(k, k.let("term", value))
                value = shaped
                doc += f", and {article(word)} of it"
    finish(k, name, value, doc)


def loss_terms(k: Builder) -> None:
    """Losses of differences between predictions and targets."""
    function = number_function(k)
    threads(k)
    prediction, target = read(k, "prediction", -1.0, 1.0), read(k, "goal", -1.0, 1.0)
    difference = prediction - target if k.rng.chance(0.5) else target - prediction
    if k.rng.chance(0.3):
        difference = coefficient(k, "sensitivity", 0.3, 1.0) * difference
    error = k.let("error", difference)
    _use(
        k,
        "loss",
        _called(k, function, error),
        f"Loss of each prediction by {_told(function)}, with its own gradient",
    )


def material_laws(k: Builder) -> None:
    """Laws of positive quantities."""
    function = number_function(k, signed=False)
    threads(k)
    stretch = read(k, k.rng.pick("stretch", "concentration", "temperature"), 0.2, 2.5)
    value = _called(k, function, stretch)
    if k.rng.chance(0.4):
        value = value - function.call(
            *(limits.lo + 0.3 * (limits.hi - limits.lo) for _, limits in function.parameters.values())
        )
        k.notes.append("The value of a reference state is subtracted")
    _use(k, "stress", value, f"Law of a material: {_told(function)}, with its own gradient")


def two_terms(k: Builder) -> None:
    """Two functions with gradients, together."""
    first = number_function(k)
    second = number_function(k, signed=False)
    threads(k)
    x, y = read(k, "x", -2.0, 2.0), read(k, "y", 0.2, 2.5)
    a, b = k.let("first_term", _called(k, first, x, "first_")), _called(k, second, y, "second_")
    how = k.rng.pick("sum", "product", "difference", "chain")
    if how == "chain":
        positive = k.let("positive", bounded(0.3 + 0.5 / (1.0 + a * a), 0.3, 0.8))
        value = _called(k, second, positive, "chain_") + k.rng.number(0.1, 0.5) * b
    else:
        share = k.rng.number(0.2, 0.9)
        value = {"sum": a + share * b, "product": a * b, "difference": a - share * b}[how]
    word = {"chain": "One function of another"}.get(how, f"{how.capitalize()} of two functions")
    _use(k, "objective", value, f"{word}, {_told(first)} and {_told(second)}, which have their own gradients")


def row_sums(k: Builder) -> None:
    """Sums over rows of terms with a gradient of their own."""
    signed = k.rng.chance(0.5)
    function = number_function(k, signed=signed)
    (i,) = threads(k, 1, name=k.rng.pick("row", "batch", "i"))
    length = k.rng.pick(4, 6, 8, 20)
    k.sizes["length"] = str(length)
    low, high = (-1.0, 1.0) if signed else (0.2, 2.5)
    data = k.array(k.rng.pick("residuals", "samples"), k.real, ["n", "length"], uniform(low, high))
    settings: list[Expr] = []
    for name, (of, limits) in list(function.parameters.items())[1:]:
        setting = _argument(k, name, of, limits, varied=False)
        settings.append(k.let(f"row_{name}", setting) if k.rng.chance(0.3) else setting)
    masked = k.rng.chance(0.3)
    flags = k.array("used", I32, ["n", "length"], whole(0, 1)) if masked else None
    total = k.var("total", 0.0)
    with k.loop("j", 0, length) as j:
        if flags is not None:
            with k.when(flags[i, j].equals(0)):
                k.jump("continue")
        term = function.call(data[i, j], *settings)
        k.add(total, term * convert(k.real, j + 1) if k.rng.chance(0.25) else term)
    if masked:
        k.notes.append("Entries that are not used do not count")
    _use(
        k,
        "total",
        total / float(length) if k.rng.chance(0.5) else total,
        f"Sum over each row of {_told(function)}, with its own gradient",
    )


def pair_energies(k: Builder) -> None:
    """Energies of pairs of points."""
    function = vector_function(k)
    of, limits = next(iter(function.parameters.values()))
    threads(k, 1, name=k.rng.pick("pair", "edge", "i"))
    rest = [
        _argument(k, name, kind, bounds, varied=False)
        for name, (kind, bounds) in list(function.parameters.items())[2:]
    ]
    if k.rng.chance(0.5):
        points = k.array(k.rng.pick("points", "positions"), of, ["n"], uniform(limits.lo, limits.hi))
        ends = [k.array(name, I32, ["n"], {"integers": [0, "n"]})[k.index] for name in ("heads", "tails")]
        a, b = (points[one] for one in ends)
        k.notes.append("The ends are found by index")
    else:
        a, b = (
            read(k, "first_point", limits.lo, limits.hi, of),
            read(k, "second_point", limits.lo, limits.hi, of),
        )
    _use(k, "energy", function.call(a, b, *rest), f"For each pair, {_told(function)}, with its own gradient")


def field_of_sources(k: Builder) -> None:
    """Sums over a few sources."""
    function = vector_function(k)
    of, limits = next(iter(function.parameters.values()))
    threads(k, 1, 2)
    sources = k.rng.pick(3, 4, 6, 18)
    k.sizes["sources"] = str(sources)
    places = k.array("sources_at", of, ["sources"], uniform(limits.lo, limits.hi))
    strengths = k.array("strengths", k.real, ["sources"], uniform(0.2, 1.5)) if k.rng.chance(0.6) else None
    rest = [
        _argument(k, name, kind, bounds, varied=False)
        for name, (kind, bounds) in list(function.parameters.items())[2:]
    ]
    point = read(k, "point", limits.lo, limits.hi, of)
    total = k.var("total", 0.0)
    with k.loop("s", 0, sources) as s:
        term = function.call(point, places[s], *rest)
        k.add(total, term if strengths is None else strengths[s] * term)
    _use(k, "potential", total, f"Sum over {sources} sources of {_told(function)}, with its own gradient")


def vector_fields(k: Builder) -> None:
    """Maps from vectors to vectors."""
    function = vector_map(k)
    (_, (of, limits)), *others = function.parameters.items()
    threads(k)
    v = read(k, k.rng.pick("velocity", "heading"), limits.lo, limits.hi, of)
    rest = [_argument(k, key, kind, bounds, varied=False) for key, (kind, bounds) in others]
    mapped = k.let("mapped", function.call(v, *rest))
    match k.rng.pick("map", "twice", "against", "moved"):
        case "twice":
            again = bounded(k.rng.number(0.3, 0.5) * mapped, -1.0, 1.0)
            finish(
                k,
                "mapped_vector",
                function.call(again, *rest),
                f"Applied twice: {_told(function)}, with its own gradient",
            )
        case "against":
            other = read(k, "axis_hint", -1.0, 1.0, of)
            _use(
                k,
                "component",
                ops.dot(mapped, other),
                f"Component along another vector of {_told(function)}, with its own gradient",
            )
        case "moved":
            start = read(k, "start", -1.0, 1.0, of)
            finish(
                k,
                "moved_point",
                start + coefficient(k, "dt", 0.05, 0.5) * mapped,
                f"Each point moved by {_told(function)}, with its own gradient",
            )
        case _:
            finish(k, "mapped_vector", mapped, f"For each element, {_told(function)}, with its own gradient")


def measured_maps(k: Builder) -> None:
    """A map and a measure of what it gives, each with its gradient."""
    mapping, measure = vector_map(k), number_function(k)
    (_, (of, limits)), *others = mapping.parameters.items()
    threads(k, 1, 2)
    v = read(k, "state", limits.lo, limits.hi, of)
    rest = [_argument(k, key, kind, bounds, varied=False) for key, (kind, bounds) in others]
    mapped = k.let("mapped", mapping.call(v, *rest))
    assert isinstance(of, Vector)
    part = mapped[k.rng.below(of.length)] if k.rng.chance(0.5) else mapped[0] + mapped[1]
    limited = k.let("measured", ops.clamp(part, -2.0, 2.0) if part.interval.magnitude > 2.0 else part)
    value = _called(k, measure, limited)
    _use(k, "measure", value, f"Measures {_told(mapping)} by {_told(measure)}; both have their own gradients")


def solutions(k: Builder) -> None:
    """Solutions of equations, with the gradient of the equation."""
    function = implicit_function(k)
    threads(k, 1, 2)
    x = read(k, "right_side", -1.5, 1.5)
    if k.rng.chance(0.3):
        x = k.let("shifted", x + coefficient(k, "load", -0.4, 0.4))
    y = _called(k, function, x)
    match k.rng.pick("plain", "residual", "function"):
        case "residual":
            observed = read(k, "observation", -1.0, 1.0)
            gap = k.let("gap", y - observed)
            finish(
                k,
                "misfit",
                0.5 * gap * gap,
                f"Misfit of {_told(function)}, whose gradient comes from the equation",
            )
        case "function":
            y = k.let("y", y)
            finish(
                k,
                "response",
                y / (1.0 + y * y),
                f"Response to {_told(function)}, whose gradient comes from the equation",
            )
        case _:
            finish(
                k, "solution", y, f"{_told(function).capitalize()}, whose gradient comes from the equation"
            )


def replayed_work(k: Builder) -> None:
    """Values that are stored in the forward pass and read again when it is replayed."""
    real = k.real
    threads(k, 1)
    steps = k.rng.pick(3, 4, 6)
    scale = k.rng.number(0.3, 0.9)
    kind = k.rng.pick("iteration", "curve", "average")

    def work(b: Builder, x: Expr) -> Expr:
        if kind == "curve":
            return curve(b, x)[0] + scale * x
        y = b.var("y", x, bounds=(-10.0, 10.0), type=real)
        with b.loop("_", 0, steps):
            if kind == "iteration":
                b.set(y, bounded(ops.sin(y) + scale * x, -10.0, 10.0))
            else:
                b.set(y, bounded(0.5 * (y + x / (1.0 + y * y)), -10.0, 10.0))
        return y

    name = k.rng.pick("costly", "remembered", "settle")
    call = cached(
        k, name, "A value that takes some work; it is kept in a cache.", real, Interval(-3.0, 3.0), work
    )
    x = read(k, "x", -1.5, 1.5)
    if k.rng.chance(0.5):
        x = k.let("scaled", coefficient(k, "gain", 0.4, 1.6) * x)
    value: Expr = k.let("value", call(x))
    if k.rng.chance(0.5):
        other = read(k, "other", -1.0, 1.0)
        value = k.rng.pick(value * other, value - other, value + scale * other * other)
    finish(
        k,
        "output",
        value,
        f"Computes a costly value once, and keeps it for the replay: the {kind} of each number",
    )
