"""Functions of numbers with gradients of their own: losses, laws, sums of them."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert
from weft.kernels.idioms.custom_gradient.calls import called, own_argument, spoken, use_value
from weft.kernels.idioms.custom_gradient.derivatives import number_function
from weft.kernels.idioms.custom_gradient.derivatives_of_vectors import vector_function
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, read, threads, uniform, whole


def loss_terms(k: Builder) -> None:
    """Losses of differences between predictions and targets."""
    function = number_function(k)
    threads(k)
    prediction, target = read(k, "prediction", -1.0, 1.0), read(k, "goal", -1.0, 1.0)
    difference = prediction - target if k.rng.chance(0.5) else target - prediction
    if k.rng.chance(0.3):
        difference = coefficient(k, "sensitivity", 0.3, 1.0) * difference
    error = k.let("error", difference)
    use_value(
        k,
        "loss",
        called(k, function, error),
        f"Loss of each prediction by {spoken(function)}, with its own gradient",
    )


def material_laws(k: Builder) -> None:
    """Laws of positive quantities."""
    function = number_function(k, signed=False)
    threads(k)
    stretch = read(k, k.rng.pick("stretch", "concentration", "temperature"), 0.2, 2.5)
    value = called(k, function, stretch)
    if k.rng.chance(0.4):
        value = value - function.call(
            *(limits.lo + 0.3 * (limits.hi - limits.lo) for _, limits in function.parameters.values())
        )
        k.notes.append("The value of a reference state is subtracted")
    use_value(k, "stress", value, f"Law of a material: {spoken(function)}, with its own gradient")


def two_terms(k: Builder) -> None:
    """Two functions with gradients, together."""
    first = number_function(k)
    second = number_function(k, signed=False)
    threads(k)
    x, y = read(k, "x", -2.0, 2.0), read(k, "y", 0.2, 2.5)
    a, b = k.let("first_term", called(k, first, x, "first_")), called(k, second, y, "second_")
    how = k.rng.pick("sum", "product", "difference", "chain")
    if how == "chain":
        positive = k.let("positive", bounded(0.3 + 0.5 / (1.0 + a * a), 0.3, 0.8))
        value = called(k, second, positive, "chain_") + k.rng.number(0.1, 0.5) * b
    else:
        share = k.rng.number(0.2, 0.9)
        value = {"sum": a + share * b, "product": a * b, "difference": a - share * b}[how]
    word = {"chain": "One function of another"}.get(how, f"{how.capitalize()} of two functions")
    use_value(
        k, "objective", value, f"{word}, {spoken(first)} and {spoken(second)}, which have their own gradients"
    )


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
        setting = own_argument(k, name, of, limits, varied=False)
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
    use_value(
        k,
        "total",
        total / float(length) if k.rng.chance(0.5) else total,
        f"Sum over each row of {spoken(function)}, with its own gradient",
    )


def pair_energies(k: Builder) -> None:
    """Energies of pairs of points."""
    function = vector_function(k)
    of, limits = next(iter(function.parameters.values()))
    threads(k, 1, name=k.rng.pick("pair", "edge", "i"))
    rest = [
        own_argument(k, name, kind, bounds, varied=False)
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
    use_value(
        k, "energy", function.call(a, b, *rest), f"For each pair, {spoken(function)}, with its own gradient"
    )


def field_of_sources(k: Builder) -> None:
    """Sums over a few sources."""
    function = vector_function(k)
    of, limits = next(iter(function.parameters.values()))
    threads(k, 1, 2)
    sources = k.rng.pick(3, 4, 6, 18)
    k.sizes["sources"] = str(sources)
    places = k.array("source_places", of, ["sources"], uniform(limits.lo, limits.hi))
    strengths = k.array("strengths", k.real, ["sources"], uniform(0.2, 1.5)) if k.rng.chance(0.6) else None
    rest = [
        own_argument(k, name, kind, bounds, varied=False)
        for name, (kind, bounds) in list(function.parameters.items())[2:]
    ]
    point = read(k, "point", limits.lo, limits.hi, of)
    total = k.var("total", 0.0)
    with k.loop("s", 0, sources) as s:
        term = function.call(point, places[s], *rest)
        k.add(total, term if strengths is None else strengths[s] * term)
    use_value(
        k, "potential", total, f"Sum over {sources} sources of {spoken(function)}, with its own gradient"
    )
