"""Functions of vectors with gradients of their own."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.custom_gradient.calls import called, own_argument, spoken, use_value
from weft.kernels.idioms.custom_gradient.derivatives import number_function
from weft.kernels.idioms.custom_gradient.derivatives_of_vectors import vector_map
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, read, threads
from weft.types import Vector


def vector_fields(k: Builder) -> None:
    """Maps from vectors to vectors."""
    function = vector_map(k)
    (_, (of, limits)), *others = function.parameters.items()
    threads(k)
    v = read(k, k.rng.pick("velocity", "heading"), limits.lo, limits.hi, of)
    rest = [own_argument(k, key, kind, bounds, varied=False) for key, (kind, bounds) in others]
    mapped = k.let("mapped", function.call(v, *rest))
    match k.rng.pick("map", "twice", "against", "moved"):
        case "twice":
            again = bounded(k.rng.number(0.3, 0.5) * mapped, -1.0, 1.0)
            finish(
                k,
                "mapped_vector",
                function.call(again, *rest),
                f"Applied twice: {spoken(function)}, with its own gradient",
            )
        case "against":
            other = read(k, "axis_hint", -1.0, 1.0, of)
            use_value(
                k,
                "component",
                ops.dot(mapped, other),
                f"Component along another vector of {spoken(function)}, with its own gradient",
            )
        case "moved":
            start = read(k, "start", -1.0, 1.0, of)
            finish(
                k,
                "moved_point",
                start + coefficient(k, "dt", 0.05, 0.5) * mapped,
                f"Each point moved by {spoken(function)}, with its own gradient",
            )
        case _:
            finish(k, "mapped_vector", mapped, f"For each element, {spoken(function)}, with its own gradient")


def measured_maps(k: Builder) -> None:
    """A map and a measure of what it gives, each with its gradient."""
    mapping, measure = vector_map(k), number_function(k)
    (_, (of, limits)), *others = mapping.parameters.items()
    threads(k, 1, 2)
    v = read(k, "state", limits.lo, limits.hi, of)
    rest = [own_argument(k, key, kind, bounds, varied=False) for key, (kind, bounds) in others]
    mapped = k.let("mapped", mapping.call(v, *rest))
    assert isinstance(of, Vector)
    part = mapped[k.rng.below(of.length)] if k.rng.chance(0.5) else mapped[0] + mapped[1]
    limited = k.let("measured", ops.clamp(part, -2.0, 2.0) if part.interval.magnitude > 2.0 else part)
    value = called(k, measure, limited)
    first = spoken(measure)
    doc = f"{first[0].upper()}{first[1:]} of {spoken(mapping)}; both have their own gradients"
    use_value(k, "measure", value, doc)
