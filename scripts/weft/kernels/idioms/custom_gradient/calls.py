"""How a kernel calls a function that has its own gradient, and what becomes of its value."""

from weft.kernels.builder import Builder
from weft.kernels.idioms.custom_gradient.derivatives import Smooth
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import article, coefficient, curve, read
from weft.types import Scalar, Type


def own_argument(k: Builder, name: str, of: Type, limits: Interval, *, varied: bool) -> Expr:
    """A value for a parameter: an element where it has to vary or is a vector, or a coefficient."""
    if isinstance(of, Scalar) and not varied:
        return coefficient(k, name, limits.lo + 0.02, limits.hi - 0.02)
    return read(k, name, limits.lo, limits.hi, of, inline=k.rng.chance(0.3))


def called(k: Builder, function: Smooth, first: Expr | None = None, prefix: str = "") -> Expr:
    """A call with arguments of its own; the first may be given."""
    arguments = [] if first is None else [first]
    for name, (of, limits) in list(function.parameters.items())[len(arguments) :]:
        arguments.append(own_argument(k, f"{prefix}{name}", of, limits, varied=not arguments))
    return function.call(*arguments)


def spoken(function: Smooth) -> str:
    """A function with its article, as the docstring calls it."""
    return f"the {function.about}" if "solution" in function.about else article(function.about)


def use_value(k: Builder, name: str, value: Expr, doc: str) -> None:
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
