"""Constant coefficients of quadrature rules and polynomials."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.holes import table
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, curve, read, threads


def quadrature(k: Builder) -> None:
    """An integral over each thread's interval, by nodes and weights."""
    threads(k)
    points = k.rng.pick(3, 4, 5, 6, 8)
    nodes = table(k, k.rng.pick("nodes", "abscissas", "points"), k.real, (points,), -1.0, 1.0)
    weights = table(k, k.rng.pick("quadrature_weights", "weights"), k.real, (points,), 0.1, 0.6)
    how = k.rng.pick("interval", "interval", "unit", "plane")
    power = coefficient(k, k.rng.pick("rate", "steepness", "frequency"), 0.3, 1.5)
    total = k.var(k.rng.pick("integral", "total"), 0.0)
    if how == "interval":
        low = read(k, "low", -1.0, 0.0)
        high = read(k, "high", 0.2, 1.0)
        half, middle = k.let("half", 0.5 * (high - low)), k.let("middle", 0.5 * (high + low))
        with k.loop("q", 0, points) as q:
            x = k.let("x", middle + half * nodes[q])
            value, word = curve(k, power * x)
            k.add(total, weights[q] * value)
        result = half * total
        doc = f"Integral over each interval of a curve ({word}), by {points} nodes"
    elif how == "unit":
        scale = read(k, "width", 0.2, 1.5)
        scale = scale if isinstance(scale, Name) else k.let("scale_here", scale)
        scale = scale if isinstance(scale, Name) else k.let("scale_here", scale)
        with k.loop("q", 0, points) as q:
            value, word = curve(k, scale * nodes[q])
            shaped = (
                value * (1.0 + power * nodes[q] * nodes[q]) if k.rng.chance(0.5) else value + power * nodes[q]
            )
            k.add(total, shaped * weights[q], "+")
        result, doc = total, f"Weighted sum of a curve ({word}) at {points} nodes, scaled by each width"
    else:
        a, b = read(k, "width", 0.2, 1.0), read(k, "height", 0.2, 1.0)
        with k.loop("p", 0, points) as p:
            x = k.let("x", a * nodes[p])
            with k.loop("q", 0, points) as q:
                y = b * nodes[q]
                spot = k.let(
                    "r", k.rng.pick(x * x + power * (y * y), power * x * y, ops.abs(x) + power * ops.abs(y))
                )
                value, word = curve(k, spot)
                k.add(total, weights[p] * weights[q] * value)
        result, doc = (
            a * b * total,
            f"Double integral over each box of a curve ({word}), by {points} times {points} nodes",
        )
    finish(k, "integral_value", result, doc)


def polynomial(k: Builder) -> None:
    """Polynomials or series whose coefficients are a table, perhaps one row for each kind."""
    threads(k)
    degree, rows = k.rng.pick(3, 4, 5, 7), k.rng.pick(1, 1, 2, 4)
    shape = (rows, degree + 1) if rows > 1 else (degree + 1,)
    factors = table(k, k.rng.pick("coefficients", "series", "weights"), k.real, shape, -1.0, 1.0)
    row: tuple[Expr, ...] = ()
    if rows > 1:
        kind = k.rng.pick("kinds", "species", "segments")
        row = (
            k.let(k.rng.pick("kind", "which"), k.array(kind, I32, k.shape, {"integers": [0, rows]})[k.index]),
        )
    x = read(k, k.rng.pick("x", "temperature", "distance"), -1.0, 1.0)
    x = bounded(x if isinstance(x, Name) else k.let("x_here", x), -1.5, 1.5)
    how = k.rng.pick("horner", "powers", "chebyshev", "fourier", "derivative", "ratio")
    total = k.var(
        k.rng.pick("value", "total"), factors[(*row, degree)] if how in ("horner", "ratio") else 0.0
    )
    if how in ("horner", "ratio"):
        with k.loop("d", 1, degree + 1) as d:
            k.set(total, bounded(total * x + factors[(*row, degree - d)], -1e4, 1e4))
    elif how == "fourier":
        with k.loop("m", 0, degree + 1) as m:
            k.add(total, factors[(*row, m)] * k.rng.pick(ops.cos, ops.sin)((1.0 + convert(k.real, m)) * x))
    elif how == "chebyshev":
        before, here = k.var("before", 1.0, bounds=(-300, 300)), k.var("here", 0.0, bounds=(-300.0, 300.0))
        k.set(here, x)
        with k.loop("m", 0, degree + 1) as m:
            k.add(total, factors[(*row, m)] * before)
            following = k.let("following", 2.0 * x * here - before)
            k.set(before, here)
            k.set(here, bounded(following, -300.0, 300.0))
    else:
        power = k.var("power", 1.0, bounds=(-300.0, 300.0))
        with k.loop("m", 1 if how == "derivative" else 0, degree + 1) as m:
            factor = convert(k.real, m) * factors[(*row, m)] if how == "derivative" else factors[(*row, m)]
            k.add(total, factor * power)
            k.set(power, bounded(power * x, -300.0, 300.0))
    result: Expr = bounded(total, -1e4, 1e4)
    if how == "ratio":
        result = result / (1.0 + coefficient(k, "pole", 0.2, 2.0) * (x * x))
    words = {
        "horner": "Polynomial of degree {} by Horner's rule", "powers": "Polynomial of degree {}",
        "chebyshev": "Chebyshev series up to degree {}", "fourier": "Trigonometric series, degree {}",
        "derivative": "Derivative of a polynomial of degree {}",
        "ratio": "Rational function with a numerator of degree {}",
    }  # fmt: skip
    where = ", with coefficients by kind" if rows > 1 else ""
    finish(
        k, k.rng.pick("response", "polynomial_value", "estimate"), result, words[how].format(degree) + where
    )
