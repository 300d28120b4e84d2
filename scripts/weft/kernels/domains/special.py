"""Special functions of numbers, roots of equations, and integrals: series, recurrences, iterations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import either
from weft.kernels.constants import HALF_PI, SQRT_TWO_PI
from weft.kernels.domains.elementary import as_float
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32

number = Domain("number", index=("i", "idx"), things=False)

argument = Quantity("x", 0.3, 4.0, plural="arguments", least=0.05, most=20.0)
small = Quantity("t", -1.0, 1.0, plural="t_values", least=-1.0, most=1.0)
order = Quantity("a", 0.5, 3.0, plural="orders")
function_value = Quantity("function_value", -2.0, 2.0, least=-1e6, most=1e6, generic=True)
root = Quantity("root", 0.3, 2.0, least=-10.0, most=100.0)
integral = Quantity("integral", 0.0, 3.0, least=-1e3, most=1e3)
polynomial = Quantity("polynomial", -2.0, 2.0, least=-1e6, most=1e6, generic=True)
steps_taken = Quantity("steps_taken", 1, 20, whole, plural="step_counts", least=0, most=200)
reynolds = Quantity("reynolds", 4000.0, 60000.0, plural="reynolds_numbers")
imaginary = Quantity("s", -1.2, 1.2, plural="s_values")
reference = Quantity("reference_value", -2.0, 2.0)
error = Quantity("approximation_error", 0.0, 0.1, least=0.0, most=1e6, extremal=True)
log_gamma = Quantity("log_gamma", -0.1, 5.0, plural="log_gammas", least=-10.0, most=200.0)

X = Annotated[Expr, argument]
T = Annotated[Expr, small]
A = Annotated[Expr, order]
Value = Annotated[Expr, function_value]
Root = Annotated[Expr, root]
Integral = Annotated[Expr, integral]
Polynomial = Annotated[Expr, polynomial]
Steps = Annotated[Expr, steps_taken]
LogGamma = Annotated[Expr, log_gamma]
Terms = Annotated[Expr, Setting(8, 20, kind=whole)]
Degree = Annotated[Expr, Setting(3, 8, kind=whole)]
Rounds = Annotated[Expr, Setting(3, 8, kind=whole)]
Halvings = Annotated[Expr, Setting(20, 26, kind=whole)]
Intervals = Annotated[Expr, Setting(8, 32, kind=whole)]
ABRAMOWITZ, RECIPES = "Abramowitz and Stegun 1964", "Press et al. 2007"
_LOOP = ("loop",)
_STEP = ("loop", "iteration")
WIDE = (-1e6, 1e6)

# Series: each term from the one before.

TermRatio = Callable[[Builder, Expr, Expr], Expr]
SERIES: tuple[tuple[str, str, float, TermRatio], ...] = (
    ("bessel_j0", "Bessel function J0", 1.0, lambda k, x, n: -0.25 * x * x / (n * n)),
    ("bessel_i0", "modified Bessel function I0", 1.0, lambda k, x, n: 0.25 * x * x / (n * n)),
    ("bessel_j1", "scaled Bessel function J1", 1.0,
     lambda k, x, n: -0.25 * x * x / (n * (n + 1.0))),
    ("exponential_series", "decaying exponential", 1.0, lambda k, x, n: -x / n),
    ("cosine_series", "cosine", 1.0, lambda k, x, n: -x * x / (2.0 * n * (2.0 * n - 1.0))),
    ("sinc_series", "sinc function", 1.0, lambda k, x, n: -x * x / (2.0 * n * (2.0 * n + 1.0))),
    ("dawson_series", "scaled Dawson integral", 1.0, lambda k, x, n: -2.0 * x * x / (2.0 * n + 1.0)),
)  # fmt: skip


def _series(name: str, what: str, start: float, ratio: TermRatio) -> None:
    @number.formula(
        name=name,
        doc=f"{what[0].upper()}{what[1:]} by its power series.",
        source=ABRAMOWITZ,
        teaches=_LOOP,
    )
    def summed_series(k: Builder, x: X, terms: Terms) -> Value:
        term, total = k.var("term", start, bounds=WIDE), k.var("total", start)
        with k.loop("n", 1, terms) as n:
            count = k.let("count", convert(k.real, n))
            k.set(term, bounded(term * ratio(k, x, count), *WIDE))
            k.add(total, term)
        return bounded(total, *WIDE)


for _one in SERIES:
    _series(*_one)


@number.formula(source=RECIPES, teaches=("loop", "iteration", "branch"))
def incomplete_gamma_series(k: Builder, x: X, a: A) -> Value:
    """Lower incomplete gamma function by its series."""
    term = k.var("term", 1.0 / a, bounds=(0.0, 1e6))
    total, below = k.var("total", 1.0 / a, bounds=(0.0, 1e6)), k.var("denominator", a, bounds=(0.1, 1e3))
    with k.loop("_", 0, 60):
        k.set(below, bounded(below + 1.0, 1.0, 1e3))
        k.set(term, bounded(term * x / below, 0.0, 1e6))
        k.set(total, bounded(total + term, 0.0, 1e6))
        with k.when(term < 1e-5 * total):
            k.jump("break")
    return bounded(total * ops.exp(a * ops.log(x) - x), 0.0, 1e6)


@number.formula(source=RECIPES, teaches=_STEP)
def exponential_integral(k: Builder, x: X, terms: Terms) -> Value:
    """Exponential integral by a continued fraction."""
    tail = k.var("tail", x, bounds=(0.0, 1e6))
    with k.loop("step", 0, terms) as step:
        n = k.let("n", bounded(as_float(k, terms) - convert(k.real, step), 1.0, 20.0))
        k.set(tail, bounded(x + n / (1.0 + n / ops.max(tail, 1e-3)), 0.01, 1e6))
    return ops.exp(-x) / ops.max(tail, 1e-3)


@number.formula(source="Gauss 1812", teaches=_LOOP)
def tangent_fraction(k: Builder, t: T, terms: Terms) -> Value:
    """Tangent by Lambert's continued fraction."""
    below = k.var("below", 2.0 * as_float(k, terms) + 1.0, bounds=(0.5, 1e3))
    square = k.let("square", t * t)
    with k.loop("step", 0, terms) as step:
        odd = 2.0 * (as_float(k, terms) - convert(k.real, step)) - 1.0
        k.set(below, bounded(odd - square / below, 0.5, 1e3))
    return t / below


@number.formula(source="Lanczos 1964")
def lanczos_log_gamma(k: Builder, x: X) -> LogGamma:
    """Log-gamma function by Lanczos' approximation."""
    series = k.var("series", 1.0)
    for place, coefficient in enumerate((76.18009, -86.50532, 24.01410, -1.231740), 1):
        k.add(series, coefficient / (x + float(place)))
    shifted = k.let("shifted", x + 5.5)
    return bounded(
        (x + 0.5) * ops.log(shifted) - shifted + ops.log(SQRT_TWO_PI * bounded(series, 0.5, 1e3) / x),
        -1.0,
        100.0,
    )


@number.formula(source=ABRAMOWITZ, teaches=("loop", "iteration"))
def shifted_stirling(k: Builder, x: X) -> LogGamma:
    """Log-gamma function by Stirling's series."""
    y, product = k.var("y", x, bounds=(0.05, 40.0)), k.var("product", 1.0, bounds=(1e-3, 1e7))
    with k.repeat(y < 6.0, 6):
        k.set(product, bounded(product * y, 1e-3, 1e7))
        k.set(y, bounded(y + 1.0, 0.05, 40.0))
    large = k.let("large", bounded(y, 6.0, 40.0))
    series = 0.08333333 / large - 0.00277778 / (large * large * large)
    return bounded(
        (large - 0.5) * ops.log(large) - large + 0.9189385 + series - ops.log(product), -10.0, 200.0
    )


@number.formula(source=ABRAMOWITZ, teaches=("loop", "iteration"))
def digamma(k: Builder, x: X) -> Value:
    """Digamma function."""
    y, shift = k.var("y", x, bounds=(0.05, 40.0)), k.var("shift", 0.0, bounds=(-200.0, 0.0))
    with k.repeat(y < 6.0, 6):
        k.set(shift, bounded(shift - 1.0 / y, -200.0, 0.0))
        k.set(y, bounded(y + 1.0, 0.05, 40.0))
    inverse = k.let("inverse", 1.0 / bounded(y, 6.0, 40.0))
    return shift - ops.log(inverse) - 0.5 * inverse - inverse * inverse / 12.0


@number.formula(source=ABRAMOWITZ, goal=False)
def beta_function(
    k: Builder, log_gamma: LogGamma, other_log_gamma: LogGamma, sum_log_gamma: LogGamma
) -> Value:
    """Beta function from three logarithms of the gamma function."""
    return bounded(ops.exp(ops.min(log_gamma + other_log_gamma - sum_log_gamma, 10.0)), 0.0, 3e4)


@number.formula(source="Abramowitz and Stegun 7.1.26")
def rational_error_function(k: Builder, x: X) -> Value:
    """Error function by a rational approximation."""
    step = k.let("step", 1.0 / (1.0 + 0.3275911 * x))
    tail = step * (
        0.2548296 + step * (-0.2844967 + step * (1.4214137 + step * (-1.4531520 + step * 1.0614054)))
    )
    return 1.0 - tail * ops.exp(-x * x)


@number.formula(source="Riemann 1859", teaches=("loop",))
def zeta_sum(k: Builder, a: A, terms: Terms) -> Value:
    """Alternating zeta function by a partial sum."""
    total, sign = k.var("total", 0.0), k.var("sign", 1.0, bounds=(-1.0, 1.0))
    with k.loop("n", 1, terms) as n:
        k.add(total, sign * ops.exp(-a * ops.log(convert(k.real, n))))
        k.set(sign, -sign)
    return bounded(total, -10.0, 10.0)


@number.formula(source="Gauss 1799", teaches=("loop", "iteration"))
def elliptic_integral(k: Builder, t: T, rounds: Annotated[Expr, Setting(3, 5, kind=whole)]) -> Value:
    """Complete elliptic integral by the arithmetic-geometric mean."""
    large = k.var("large", 1.0, bounds=(0.1, 1.0))
    lesser = k.var("b", ops.sqrt(1.0 - 0.9 * (t * t)), bounds=(0.1, 1.0))
    with k.loop("_", 0, rounds):
        mean = k.let("mean", bounded(0.5 * (large + lesser), 0.1, 1.0))
        k.set(lesser, bounded(ops.sqrt(large * lesser), 0.1, 1.0))
        k.set(large, mean)
    return HALF_PI / large


@number.formula(source="Volder 1959", teaches=("loop", "branch"))
def cordic_sine(k: Builder, t: T, rotations: Annotated[Expr, Setting(20, 24, kind=whole)]) -> Value:
    """Sine by CORDIC."""
    x, y = k.var("cosine", 0.6072529, bounds=(-4.0, 4.0)), k.var("sine", 0.0, bounds=(-4.0, 4.0))
    rest, power = k.var("remaining", t, bounds=(-8.0, 8.0)), k.var("power", 1.0, bounds=(0.0, 1.0))
    with k.loop("_", 0, rotations):
        turn = k.let("sign", ops.where(rest > 0.0, power, -power))
        old = k.let("old_cosine", x)
        k.set(x, bounded(x - turn * y, -4.0, 4.0))
        k.set(y, bounded(y + turn * old, -4.0, 4.0))
        k.set(rest, bounded(rest - ops.atan(turn), -8.0, 8.0))
        k.set(power, bounded(0.5 * power, 0.0, 1.0))
    return y


# Orthogonal polynomials by their recurrences of three terms.

Recurrence = Callable[[Expr, Expr, Expr, Expr], Expr]
POLYNOMIALS: tuple[tuple[str, str, float, Recurrence], ...] = (
    ("legendre", "Legendre polynomial", 1.0,
     lambda t, n, p, q: ((2.0 * n + 1.0) * t * p - n * q) / (n + 1.0)),
    ("chebyshev", "Chebyshev polynomial", 1.0, lambda t, n, p, q: 2.0 * t * p - q),
    ("second_chebyshev", "Chebyshev polynomial of the second kind", 2.0, lambda t, n, p, q: 2.0 * t * p - q),
    ("hermite", "Hermite polynomial", 1.0, lambda t, n, p, q: t * p - n * q),
    ("gegenbauer", "Gegenbauer polynomial", 3.0,
     lambda t, n, p, q: (2.0 * (n + 1.5) * t * p - (n + 2.0) * q) / (n + 1.0)),
)  # fmt: skip


def _polynomial(name: str, whose: str, slope: float, recurrence: Recurrence) -> None:
    @number.formula(
        name=f"{name}_polynomial",
        doc=f"{whose} by recurrence.",
        source=ABRAMOWITZ,
        teaches=_LOOP,
    )
    def orthogonal(k: Builder, t: T, degree: Degree) -> Polynomial:
        last, before = k.var("last", slope * t, bounds=WIDE), k.var("before", 1.0, bounds=WIDE)
        with k.loop("_" if "chebyshev" in name else "n", 1, degree) as n:
            following = bounded(recurrence(t, convert(k.real, n), last, before), *WIDE)
            following = k.let("next_value", following)
            k.set(before, last)
            k.set(last, following)
        return last


for _family in POLYNOMIALS:
    _polynomial(*_family)


@number.formula(source="Laguerre 1879", teaches=_LOOP)
def laguerre_polynomial(k: Builder, x: X, degree: Degree) -> Polynomial:
    """Laguerre polynomial by recurrence."""
    last, before = k.var("last", 1.0 - x, bounds=WIDE), k.var("before", 1.0, bounds=WIDE)
    with k.loop("n", 1, degree) as n:
        count = k.let("count", convert(k.real, n))
        following = ((2.0 * count + 1.0 - x) * last - count * before) / (count + 1.0)
        following = k.let("next_value", bounded(following, *WIDE))
        k.set(before, last)
        k.set(last, following)
    return last


@number.formula(source="Bernstein 1912", teaches=("loop", "nested loop"))
def bernstein_sum(k: Builder, t: T, degree: Degree) -> Polynomial:
    """Bernstein polynomial of a square."""
    share = k.let("share", bounded(0.5 * (t + 1.0), 0.0, 1.0))
    total = k.var("total", 0.0)
    with k.loop("j", 0, degree) as j:
        weight = k.var("weight", 1.0, bounds=(0.0, 1e4))
        with k.loop("m", 0, degree) as m:
            count, place = convert(k.real, m) + 1.0, convert(k.real, j)
            with k.when(m < j):
                k.set(
                    weight,
                    bounded(weight * share * (as_float(k, degree) - convert(k.real, m)) / count, 0.0, 1e4),
                )
            with k.otherwise():
                k.set(weight, bounded(weight * (1.0 - share), 0.0, 1e4))
        level = k.let("level", place / as_float(k, degree))
        k.add(total, weight * level * level)
    return bounded(total, 0.0, 1e5)


# Roots.

NEWTON: tuple[tuple[str, str, Callable[[Expr, Expr], Expr]], ...] = (
    ("newton_square_root", "Square root by Newton's method", lambda g, x: 0.5 * (g + x / g)),
    ("newton_cube_root", "Cube root by Newton's method", lambda g, x: (2.0 * g + x / (g * g)) / 3.0),
    ("halley_cube_root", "Cube root by Halley's method",
     lambda g, x: g * (g * g * g + 2.0 * x) / (2.0 * g * g * g + x)),
    ("newton_fifth_root", "Fifth root by Newton's method",
     lambda g, x: (4.0 * g + x / (g * g * g * g)) / 5.0),
    ("bakhshali_square_root", "Square root by the Bakhshali method",
     lambda g, x: g * (g * g + 3.0 * x) / (3.0 * g * g + x)),
)  # fmt: skip


def _newton(name: str, title: str, improved: Callable[[Expr, Expr], Expr]) -> None:
    @number.formula(name=name, doc=f"{title}.", source=RECIPES, teaches=_STEP)
    def iterated(k: Builder, x: X, rounds: Rounds) -> Root:
        guess = k.var("root", 0.5 * (x + 1.0), bounds=(0.1, 30.0))
        with k.loop("_", 0, rounds):
            k.set(guess, bounded(improved(guess, x), 0.1, 30.0))
        return guess


for _method in NEWTON:
    _newton(*_method)


@number.formula(source="Corless et al. 1996", teaches=_STEP)
def lambert_w(k: Builder, x: X, rounds: Rounds) -> Root:
    """Lambert W function by Newton's method."""
    guess = k.var("w", ops.log(1.0 + x), bounds=(0.0, 5.0))
    with k.loop("_", 0, rounds):
        power = k.let("power", ops.exp(guess))
        k.set(guess, ops.clamp(guess - (guess * power - x) / (power * (guess + 1.0)), 0.0, 5.0))
    return guess


@number.formula(source="Colebrook 1939", teaches=_STEP)
def friction_factor(
    k: Builder,
    reynolds: Annotated[Expr, reynolds],
    roughness: Annotated[Expr, Setting(0.0001, 0.02)],
    rounds: Rounds,
) -> Root:
    """Colebrook friction factor."""
    inverse = k.var("inverse_root", 7.0, bounds=(1.0, 30.0))
    with k.loop("_", 0, rounds):
        inside = roughness / 3.7 + 2.51 * inverse / reynolds
        k.set(inverse, bounded(-2.0 * ops.log10(inside), 1.0, 30.0))
    return 1.0 / (inverse * inverse)


@number.formula(source=RECIPES, teaches=("loop", "iteration", "branch"))
def bisected_cubic(k: Builder, x: X, halvings: Halvings) -> Root:
    """Root of a cubic by bisection."""
    low, high = k.var("low", 0.0, bounds=(0.0, 4.0)), k.var("high", 4.0, bounds=(0.0, 4.0))
    with k.loop("_", 0, halvings):
        middle = k.let("mid", bounded(0.5 * (low + high), 0.0, 4.0))
        with k.when(middle * middle * middle + middle < x):
            k.set(low, middle)
        with k.otherwise():
            k.set(high, middle)
    return bounded(0.5 * (low + high), 0.0, 4.0)


@number.formula(source=RECIPES, teaches=("loop", "iteration", "branch"))
def false_position(k: Builder, x: X, rounds: Rounds) -> Root:
    """Root by false position."""
    low, high = k.var("low", 0.0, bounds=(0.0, 4.0)), k.var("high", 3.5, bounds=(0.0, 4.0))
    low_miss = k.var("f_low", 0.5 - x, bounds=(-1e3, 1e3))
    high_miss = k.var("f_high", 40.0 - x, bounds=(-1e3, 1e3))
    with k.loop("_", 0, rounds):
        middle = k.let(
            "middle", ops.clamp(low - low_miss * (high - low) / ops.max(high_miss - low_miss, 0.01), 0.0, 4.0)
        )
        miss = k.let("residual", ops.exp(middle) + middle - 0.5 - x)
        with k.when(miss < 0.0):
            k.set(low, middle)
            k.set(low_miss, bounded(miss, -1e3, 1e3))
        with k.otherwise():
            k.set(high, middle)
            k.set(high_miss, bounded(miss, -1e3, 1e3))
    return bounded(0.5 * (low + high), 0.0, 4.0)


@number.formula(source="Dottie", teaches=("loop", "iteration", "branch"))
def fixed_point_steps(k: Builder, t: T, tolerance: Annotated[Expr, Setting(0.005, 0.05)]) -> Steps:
    """Number of fixed-point iterations of the cosine until it settles, at most 30."""
    value, count = k.var("value", t, bounds=(-1.0, 1.0)), k.var("count", 0, type=I32, bounds=(0, 30))
    with k.loop("_", 0, 30):
        following = k.let("next_value", ops.cos(value))
        with k.when(ops.abs(following - value) < tolerance):
            k.jump("break")
        k.set(value, following)
        k.set(count, bounded(count + 1, 0, 30))
    return count


@number.formula(source="Mandelbrot 1980", teaches=("loop", "iteration", "branch"))
def escape_steps(
    k: Builder, t: T, s: Annotated[Expr, imaginary], limit: Annotated[Expr, Setting(16, 40, kind=whole)]
) -> Steps:
    """Mandelbrot escape time."""
    real, imag = k.var("re", 0.0, bounds=(-100.0, 100.0)), k.var("im", 0.0, bounds=(-100.0, 100.0))
    count = k.var("count", 0, type=I32, bounds=(0, 100))
    with k.loop("_", 0, limit):
        with k.when(real * real + imag * imag > 4.0):
            k.jump("break")
        old = k.let("old_real", real)
        k.set(real, bounded(real * real - imag * imag + (1.5 * t - 0.5), -100.0, 100.0))
        k.set(imag, bounded(2.0 * old * imag + s, -100.0, 100.0))
        k.set(count, bounded(count + 1, 0, 100))
    return count


# Integrals from zero to the argument.

INTEGRANDS: tuple[tuple[str, str, Callable[[Expr], Expr]], ...] = (
    ("gaussian", "Gaussian integral", lambda s: ops.exp(-s * s)),
    ("debye", "Debye integral", lambda s: s / bounded(ops.exp(s) - 1.0, 1e-4, 1e10)),
    ("fresnel", "Fresnel cosine integral", lambda s: ops.cos(HALF_PI * s * s)),
    ("lorentz", "Lorentzian integral", lambda s: 1.0 / (1.0 + s * s)),
    ("planck", "Planck integral", lambda s: s * s * s / bounded(ops.exp(s) - 1.0, 1e-4, 1e10)),
)
RULES: tuple[tuple[str, str, Callable[[Callable[[Expr], Expr], Expr, Expr], Expr]], ...] = (
    ("midpoint", "the midpoint rule", lambda f, s, h: f(s + 0.5 * h) * h),
    ("trapezoid", "the trapezoidal rule", lambda f, s, h: 0.5 * h * (f(s) + f(s + h))),
    ("simpson", "Simpson's rule", lambda f, s, h: h / 6.0 * (f(s) + 4.0 * f(s + 0.5 * h) + f(s + h))),
    ("gauss", "two-point Gauss quadrature",
     lambda f, s, h: 0.5 * h * (f(s + 0.2113249 * h) + f(s + 0.7886751 * h))),
)  # fmt: skip


def _integral(
    integrand: tuple[str, str, Callable[[Expr], Expr]],
    rule: tuple[str, str, Callable[[Callable[[Expr], Expr], Expr, Expr], Expr]],
) -> None:
    (name, what, f), (rule_name, how, piece) = integrand, rule

    @number.formula(
        name=f"{name}_{rule_name}",
        doc=f"{what} by {how}.",
        source=RECIPES,
        teaches=("loop",),
    )
    def integrated(k: Builder, x: X, intervals: Intervals) -> Integral:
        width = k.let("width", x / as_float(k, intervals))
        total = k.var("total", 0.0)
        with k.loop("s", 0, intervals) as s:
            start = k.let("start", bounded(convert(k.real, s) * width, 0.0, 20.0))
            k.add(total, piece(f, start, bounded(width, 0.001, 3.0)))
        return bounded(total, -100.0, 100.0)


OPEN_RULES = (RULES[0], RULES[3])
"""Rules without the ends of an interval, where an integrand may be 0 / 0."""

for _place, _integrand in enumerate(INTEGRANDS):
    for _shift in range(2):
        _is_open = _integrand[0] in ("debye", "planck")
        _integral(_integrand, OPEN_RULES[_shift] if _is_open else RULES[(_place + 2 * _shift) % 4])


@number.formula(source="Romberg 1955", teaches=("loop", "nested loop"))
def refined_trapezoid(k: Builder, x: X, levels: Annotated[Expr, Setting(3, 5, kind=whole)]) -> Integral:
    """Gaussian integral by refined trapezoids."""
    width, count = (
        k.var("width", x, bounds=(0.001, 20.0)),
        k.var("pieces", 1, type=I32, bounds=(1, 64)),
    )
    total = k.var("total", 0.5 * x * (1.0 + ops.exp(-x * x)), bounds=(0.0, 100.0))
    with k.loop("_", 0, levels):
        inside = k.var("inside", 0.0)
        with k.loop("s", 0, count) as s:
            place = k.let("x", bounded((convert(k.real, s) + 0.5) * width, 0.0, 20.0))
            k.add(inside, ops.exp(-place * place))
        k.set(total, bounded(0.5 * (total + width * bounded(inside, 0.0, 100.0)), 0.0, 100.0))
        k.set(width, bounded(0.5 * width, 0.001, 20.0))
        k.set(count, bounded(count * 2, 1, 64))
    return total


@number.formula()
def value_error(
    k: Builder, function_value: Value, reference_value: Annotated[Expr, reference]
) -> Annotated[Expr, error]:
    """Approximation error against a reference."""
    return bounded(ops.abs(function_value - reference_value), 0.0, 1e6)


@number.formula(source=ABRAMOWITZ, teaches=("branch",))
def langevin_function(k: Builder, t: T) -> Value:
    """Langevin function."""
    scaled = k.let("scaled", 3.0 * t)
    size = k.let("magnitude", ops.max(ops.abs(scaled), 0.05))
    far = ops.sign(scaled) * ((1.0 + ops.exp(-2.0 * size)) / (1.0 - ops.exp(-2.0 * size)) - 1.0 / size)
    return either(k, "value", ops.abs(scaled) < 0.05, scaled / 3.0, far)
