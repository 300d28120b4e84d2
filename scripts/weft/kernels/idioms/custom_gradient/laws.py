"""Laws whose derivative is known: losses, activations, potentials, margins, and models of two parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from weft.kernels.builder import Builder
from weft.kernels.constants import INV_SQRT_TWO_PI, SQRT_HALF
from weft.kernels.domains.elementary import sigmoid, softplus
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.functions import with_gradient
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.types import Vector

Body = Callable[[Builder, Expr, Expr], Expr]
Call = Callable[..., Expr]
Partials = Callable[..., tuple[Expr, ...]]


@dataclasses.dataclass(frozen=True)
class Law:
    """A function of one number x in [low, high], its derivative, and the setting that shapes it: a constant
    with a usual value, so that all programs of a shard share the function.
    """

    name: str
    words: str
    value: Body
    slope: Body
    setting: tuple[str, float, float] = ("", 1.0, 1.0)
    source: str = ""


@dataclasses.dataclass(frozen=True)
class Family:
    """Laws of one kind: what their argument is called, and its range."""

    argument: str
    low: float
    high: float
    laws: tuple[Law, ...]

    def pick(self, k: Builder) -> Law:
        """One of the laws."""
        return k.rng.pick(*self.laws)

    def functions(self, k: Builder, law: Law) -> tuple[Call, Call]:
        """A law as a `@wp.func` whose gradient is another, and that other, its slope."""
        name, low, high = law.setting
        number = round(0.5 * (low + high), 1)
        setting = k.constant(f"{law.name}_{name}", k.real, number) if name else lift(number, k.real)
        parameters = {self.argument: (k.real, Interval(self.low, self.high))}
        slope = k.function(
            f"{law.name}_slope",
            f"Return the derivative of {law.words}.",
            parameters,
            lambda b, x: law.slope(b, x, setting),
        )
        value = with_gradient(
            k,
            law.name,
            f"Evaluate {law.words}.",
            parameters,
            lambda b, x: law.value(b, x, setting),
            lambda b, x, adjoint: {self.argument: adjoint * slope(x)},
            f"Pass the adjoint back through {law.words} by {law.name}_slope.",
        )
        return value, slope


def _square(k: Builder, name: str, x: Expr) -> Expr:
    """A value, which gets a name, times itself."""
    named = k.let(name, x)
    return named * named


def _ratio(k: Builder, x: Expr, s: Expr) -> Expr:
    return _square(k, "ratio", x / s)


def _inside(k: Builder, x: Expr, s: Expr) -> Expr:
    """One less the square of x / s, and nothing beyond s."""
    return k.let("inside", ops.max(1.0 - _ratio(k, x, s), 0.0))


def _tukey(k: Builder, x: Expr, s: Expr) -> Expr:
    inside = _inside(k, x, s)
    return s * s / 6.0 * (1.0 - inside * inside * inside)


def _tukey_slope(k: Builder, x: Expr, s: Expr) -> Expr:
    inside = _inside(k, x, s)
    return x * inside * inside


def _geman(k: Builder, x: Expr, s: Expr) -> Expr:
    share = k.let("share", s * s / (s * s + x * x))
    return x * share * share


def _mish_slope(k: Builder, x: Expr, _: Expr) -> Expr:
    gate = k.let("gate", ops.tanh(softplus(x)))
    return gate + x * (1.0 - gate * gate) * sigmoid(x)


def _silu_slope(k: Builder, x: Expr, _: Expr) -> Expr:
    share = k.let("share", sigmoid(x))
    return share * (1.0 + x * (1.0 - share))


def _gelu_slope(k: Builder, x: Expr, _: Expr) -> Expr:
    share = k.let("share", 0.5 * (1.0 + ops.erf(SQRT_HALF * x)))
    return share + INV_SQRT_TWO_PI * x * ops.exp(-0.5 * (x * x))


def _logistic_slope(k: Builder, x: Expr, _: Expr) -> Expr:
    share = k.let("share", sigmoid(x))
    return share * (1.0 - share)


LOSSES = Family(
    "residual", -60.0, 60.0,
    (
        Law("huber", "Huber's loss",
            lambda k, x, s: ops.where(ops.abs(x) <= s, 0.5 * x * x, s * (ops.abs(x) - 0.5 * s)),
            lambda k, x, s: ops.max(ops.min(x, s), -s), ("delta", 0.3, 1.2), "Huber 1964"),
        Law("pseudo_huber", "the pseudo-Huber loss",
            lambda k, x, s: s * s * (ops.sqrt(1.0 + _ratio(k, x, s)) - 1.0),
            lambda k, x, s: x / ops.sqrt(1.0 + _ratio(k, x, s)), ("delta", 0.3, 1.2),
            "Charbonnier et al. 1994"),
        Law("cauchy", "the Cauchy loss", lambda k, x, s: 0.5 * s * s * ops.log(1.0 + _ratio(k, x, s)),
            lambda k, x, s: x / (1.0 + _ratio(k, x, s)), ("scale", 0.3, 1.5), "Ceres Solver, CauchyLoss"),
        Law("geman_mcclure", "the Geman-McClure loss",
            lambda k, x, s: 0.5 * x * x * (s * s) / (s * s + x * x), _geman, ("scale", 0.4, 1.5),
            "Geman and McClure 1985"),
        Law("welsch", "Welsch's loss", lambda k, x, s: 0.5 * s * s * (1.0 - ops.exp(-_ratio(k, x, s))),
            lambda k, x, s: x * ops.exp(-_ratio(k, x, s)), ("scale", 0.5, 1.5), "Dennis and Welsch 1978"),
        Law("tukey", "Tukey's biweight loss", _tukey, _tukey_slope, ("cutoff", 2.5, 4.5),
            "Beaton and Tukey 1974"),
        Law("log_cosh", "the log-cosh loss",
            lambda k, x, s: ops.abs(x) + ops.log(0.5 + 0.5 * ops.exp(-2.0 * ops.abs(x))),
            lambda k, x, s: ops.tanh(x)),
        Law("expectile", "the expectile loss", lambda k, x, s: ops.where(x > 0.0, s, 1.0 - s) * x * x,
            lambda k, x, s: 2.0 * ops.where(x > 0.0, s, 1.0 - s) * x, ("level", 0.6, 0.9),
            "Newey and Powell 1987"),
    ),
)  # fmt: skip
ACTIVATIONS = Family(
    "x", -20.0, 20.0,
    (
        Law("softplus", "softplus", lambda k, x, s: softplus(x), lambda k, x, s: sigmoid(x),
            source="Dugas et al. 2001"),
        Law("silu", "SiLU", lambda k, x, s: x * sigmoid(x), _silu_slope, source="Elfwing et al. 2018"),
        Law("gelu", "GELU", lambda k, x, s: 0.5 * x * (1.0 + ops.erf(SQRT_HALF * x)),
            _gelu_slope,
            source="Hendrycks and Gimpel 2016"),
        Law("celu", "CELU", lambda k, x, s: ops.max(x, 0.0) + s * (ops.exp(ops.min(x, 0.0) / s) - 1.0),
            lambda k, x, s: ops.exp(ops.min(x, 0.0) / s), ("alpha", 0.5, 1.5), "Barron 2017"),
        Law("mish", "Mish", lambda k, x, s: x * ops.tanh(softplus(x)), _mish_slope, source="Misra 2019"),
        Law("squareplus", "squareplus", lambda k, x, s: 0.5 * (x + ops.sqrt(x * x + s)),
            lambda k, x, s: 0.5 * (1.0 + x / ops.sqrt(x * x + s)), ("bend", 0.5, 4.0), "Barron 2021"),
        Law("logistic", "the logistic function", lambda k, x, s: sigmoid(x), _logistic_slope),
        Law("hyperbolic_tangent", "the hyperbolic tangent", lambda k, x, s: ops.tanh(x),
            lambda k, x, s: 1.0 - _square(k, "value", ops.tanh(x))),
        Law("softsign", "softsign", lambda k, x, s: x / (1.0 + ops.abs(x)),
            lambda k, x, s: 1.0 / _square(k, "reach", 1.0 + ops.abs(x))),
    ),
)  # fmt: skip


def _lennard_jones(k: Builder, r: Expr, s: Expr) -> Expr:
    q = k.let("q", s * s / (r * r))
    sixth = k.let("sixth", q * q * q)
    return 4.0 * sixth * (sixth - 1.0)


def _lennard_jones_slope(k: Builder, r: Expr, s: Expr) -> Expr:
    q = k.let("q", s * s / (r * r))
    sixth = k.let("sixth", q * q * q)
    return -24.0 * sixth * (2.0 * sixth - 1.0) / r


def _morse_slope(k: Builder, r: Expr, s: Expr) -> Expr:
    decay = k.let("decay", ops.exp(-s * (r - 1.0)))
    return 2.0 * s * (1.0 - decay) * decay


def _buckingham(k: Builder, r: Expr, s: Expr) -> Expr:
    cube = k.let("cube", r * r * r)
    return 8.0 * ops.exp(-s * r) - 0.05 / (cube * cube)


def _buckingham_slope(k: Builder, r: Expr, s: Expr) -> Expr:
    cube = k.let("cube", r * r * r)
    return -8.0 * s * ops.exp(-s * r) + 0.3 / (cube * cube * r)


def _soft_coulomb_slope(k: Builder, r: Expr, s: Expr) -> Expr:
    square = k.let("square", r * r + s * s)
    return -r / (square * ops.sqrt(square))


POTENTIALS = Family(
    "r", 0.6, 8.0,
    (
        Law("lennard_jones", "the Lennard-Jones potential", _lennard_jones, _lennard_jones_slope,
            ("sigma", 0.5, 0.9), "Jones 1924"),
        Law("morse", "the Morse potential",
            lambda k, r, s: _square(k, "gap", 1.0 - ops.exp(-s * (r - 1.0))), _morse_slope,
            ("stiffness", 0.8, 2.0), "Morse 1929"),
        Law("yukawa", "the Yukawa potential", lambda k, r, s: ops.exp(-s * r) / r,
            lambda k, r, s: -ops.exp(-s * r) * (s * r + 1.0) / (r * r), ("screening", 0.3, 2.0),
            "Yukawa 1935"),
        Law("buckingham", "the Buckingham potential", _buckingham, _buckingham_slope, ("hardness", 2.0, 3.0),
            "Buckingham 1938"),
        Law("spring", "the harmonic potential",
            lambda k, r, s: 0.5 * s * (r - 1.0) * (r - 1.0), lambda k, r, s: s * (r - 1.0),
            ("stiffness", 0.5, 4.0)),
        Law("fene", "the FENE potential", lambda k, r, s: -0.5 * s * s * ops.log(1.0 - _ratio(k, r, s)),
            lambda k, r, s: r / (1.0 - _ratio(k, r, s)), ("extent", 9.0, 12.0), "Kremer and Grest 1990"),
        Law("soft_coulomb", "the softened Coulomb potential", lambda k, r, s: 1.0 / ops.sqrt(r * r + s * s),
            _soft_coulomb_slope, ("softening", 0.1, 0.6)),
        Law("gaussian_core", "the Gaussian core potential", lambda k, r, s: ops.exp(-_ratio(k, r, s)),
            lambda k, r, s: -2.0 * r / (s * s) * ops.exp(-_ratio(k, r, s)), ("width", 1.5, 3.0),
            "Stillinger 1976"),
    ),
)  # fmt: skip
BARRIERS = Family(
    "gap", 0.02, 40.0,
    (
        Law("log_barrier", "a logarithmic barrier", lambda k, x, s: -s * ops.log(x), lambda k, x, s: -s / x,
            ("strength", 0.02, 0.2), "Boyd and Vandenberghe 2004"),
        Law("inverse_barrier", "an inverse barrier", lambda k, x, s: s / x, lambda k, x, s: -s / (x * x),
            ("strength", 0.01, 0.1)),
    ),
)  # fmt: skip
FAMILIES = (LOSSES, ACTIVATIONS, POTENTIALS, BARRIERS)


@dataclasses.dataclass(frozen=True)
class Map:
    """A function of several numbers: its value, and what that changes by with each of them.

    `limits` has the range of each number by name; the last two are parameters to be found.
    """

    name: str
    words: str
    limits: Mapping[str, tuple[float, float]]
    value: Callable[..., Expr]
    partials: Partials

    def functions(self, k: Builder) -> tuple[Call, Call]:
        """The function with a gradient of its own, and the function of its derivatives, a vector."""
        parameters = {key: (k.real, Interval(*limits)) for key, limits in self.limits.items()}
        kind = Vector(len(parameters), k.real)

        def derivatives(b: Builder, *given: Expr) -> Expr:
            return bounded(construct(kind, *self.partials(b, *given)), -60.0, 60.0)

        enumerated = ", ".join(list(parameters)[:-1]) + f" and {list(parameters)[-1]}"
        doc = f"Return the derivatives of {self.words} with respect to {enumerated}."
        slopes = k.function(f"{self.name}_slopes", doc, parameters, derivatives)

        def gradient(b: Builder, *given: Expr) -> Mapping[str, Expr]:
            *numbers, adjoint = given
            parts = b.let("slopes", slopes(*numbers))
            return {key: adjoint * parts[at] for at, key in enumerate(parameters)}

        value = with_gradient(
            k,
            self.name,
            f"Evaluate {self.words}.",
            parameters,
            lambda b, *given: bounded(self.value(b, *given), -25.0, 25.0),
            gradient,
            f"Pass the adjoint back through {self.words} by {self.name}_slopes.",
        )
        return value, slopes


def _model(name: str, words: str, first: str, second: str, value: Call, partials: Partials) -> Map:
    return Map(name, words, {"t": (0.0, 2.0), first: (0.5, 2.0), second: (0.4, 1.6)}, value, partials)


def _decay(k: Builder, t: Expr, b: Expr) -> Expr:
    return k.let("decay", ops.exp(-b * t))


def _growth_parts(k: Builder, t: Expr, a: Expr, b: Expr) -> tuple[Expr, ...]:
    decay = _decay(k, t, b)
    return a * b * decay, 1.0 - decay, a * t * decay


def _decay_parts(k: Builder, t: Expr, a: Expr, b: Expr) -> tuple[Expr, ...]:
    decay = _decay(k, t, b)
    return -a * b * decay, decay, -a * t * decay


def _half_parts(k: Builder, t: Expr, a: Expr, b: Expr) -> tuple[Expr, ...]:
    total = k.let("total", b + t)
    return a * b / (total * total), t / total, -a * t / (total * total)


def _peak_parts(k: Builder, t: Expr, a: Expr, b: Expr) -> tuple[Expr, ...]:
    offset = k.let("offset", t - b)
    bell = k.let("bell", ops.exp(-(offset * offset)))
    return -2.0 * a * offset * bell, bell, 2.0 * a * offset * bell


def _line_parts(k: Builder, t: Expr, a: Expr, b: Expr) -> tuple[Expr, ...]:
    offset = k.let("offset", t - b)
    reach = k.let("reach", 1.0 + offset * offset)
    along = k.let("along", -2.0 * a * offset / (reach * reach))
    return along, 1.0 / reach, -along


def _wave_parts(k: Builder, t: Expr, a: Expr, b: Expr) -> tuple[Expr, ...]:
    phase = k.let("phase", 3.0 * b * t)
    swing = k.let("swing", 3.0 * a * ops.cos(phase))
    return b * swing, ops.sin(phase), t * swing


def _power_parts(k: Builder, t: Expr, a: Expr, b: Expr) -> tuple[Expr, ...]:
    power = k.let("power", ops.pow(1.0 + t, b))
    return a * b * power / (1.0 + t), power, a * power * ops.log(1.0 + t)


def _step_parts(k: Builder, t: Expr, a: Expr, b: Expr) -> tuple[Expr, ...]:
    share = k.let("share", sigmoid(4.0 * (t - b)))
    rate = k.let("rate", 4.0 * a * share * (1.0 - share))
    return rate, share, -rate


TRENDS = (
    _model("exponential_decay", "an exponential decay", "initial_level", "rate",
           lambda k, t, a, b: a * ops.exp(-b * t), _decay_parts),
    _model("saturating_growth", "a saturating growth", "plateau", "rate",
           lambda k, t, a, b: a * (1.0 - ops.exp(-b * t)), _growth_parts),
    _model("michaelis_menten", "the Michaelis-Menten rate", "max_rate", "half_level",
           lambda k, t, a, b: a * t / (b + t), _half_parts),
    _model("power_law", "a power law", "factor", "exponent",
           lambda k, t, a, b: a * ops.pow(1.0 + t, b), _power_parts),
)  # fmt: skip
SIGNALS = (
    _model("gaussian_peak", "a Gaussian peak", "height", "center",
           lambda k, t, a, b: a * ops.exp(-_square(k, "offset", t - b)), _peak_parts),
    _model("lorentzian_peak", "a Lorentzian peak", "height", "center",
           lambda k, t, a, b: a / (1.0 + _square(k, "offset", t - b)), _line_parts),
    _model("sine_wave", "a sine wave", "amplitude", "frequency",
           lambda k, t, a, b: a * ops.sin(3.0 * b * t), _wave_parts),
    _model("logistic_step", "a logistic step", "height", "midpoint",
           lambda k, t, a, b: a * sigmoid(4.0 * (t - b)), _step_parts),
)  # fmt: skip
MODELS = TRENDS + SIGNALS


@dataclasses.dataclass(frozen=True)
class Equation:
    """left(y, a) = x, solved for y; the gradient follows from the implicit function theorem.

    `response` is what `left` loses as a grows.
    """

    name: str
    words: str
    second: str
    limits: tuple[float, float]
    left: Callable[[Expr, Expr], Expr]
    by_solution: Callable[[Expr, Expr], Expr]
    response: Callable[[Expr, Expr], Expr]

    def functions(self, k: Builder) -> tuple[Call, Call]:
        """The solution as a function of x and a, and its derivatives by both as a function of y and a."""
        second = {self.second: (k.real, Interval(*self.limits))}
        given = {"x": (k.real, Interval(-1.5, 1.5))} | second

        def newton(b: Builder, x: Expr, a: Expr) -> Expr:
            y = b.var("y", x, bounds=(-4.0, 4.0))
            with b.loop("_", 0, k.rng.pick(4, 4, 5)):
                slope = bounded(self.by_solution(y, a), 0.3, 100.0)
                b.set(y, bounded(y - (self.left(y, a) - x) / slope, -4.0, 4.0))
            return y

        def sensitivity(b: Builder, y: Expr, a: Expr) -> Expr:
            slope = b.let("slope", bounded(self.by_solution(y, a), 0.3, 100.0))
            parts = 1.0 / slope, self.response(y, a) / slope
            return bounded(construct(Vector(2, k.real), *parts), -30.0, 30.0)

        solve = k.function(f"newton_{self.name}", f"Solve {self.words} by Newton's method.", given, newton)
        slopes = k.function(
            f"{self.name}_slopes",
            f"Return the derivatives of the solution y with respect to x and {self.second}.",
            {"y": (k.real, Interval(-4.0, 4.0))} | second,
            sensitivity,
        )

        def gradient(b: Builder, x: Expr, a: Expr, adjoint: Expr) -> Mapping[str, Expr]:
            parts = b.let("slopes", slopes(b.let("y", solve(x, a)), a))
            return {"x": adjoint * parts[0], self.second: adjoint * parts[1]}

        value = with_gradient(
            k, f"solve_{self.name}", f"Return the solution y of {self.words}.", given,
            lambda b, x, a: solve(x, a), gradient, "Adjoint by the implicit function theorem.",
        )  # fmt: skip
        return value, slopes


EQUATIONS = (
    Equation("kepler", "Kepler's equation y - eccentricity * sin(y) = x", "eccentricity", (0.1, 0.6),
             lambda y, a: y - a * ops.sin(y), lambda y, a: 1.0 - a * ops.cos(y), lambda y, a: ops.sin(y)),
    Equation("cubic", "the cubic equation y * y * y + stiffness * y = x", "stiffness", (0.5, 2.0),
             lambda y, a: y * y * y + a * y, lambda y, a: 3.0 * (y * y) + a, lambda y, a: -y),
    Equation("duffing", "the balance y + hardening * y * y * y = x", "hardening", (0.1, 0.8),
             lambda y, a: y + a * y * y * y, lambda y, a: 1.0 + 3.0 * a * (y * y), lambda y, a: -y * y * y),
    Equation("diode", "the circuit equation exp(y) - 1 + conductance * y = x", "conductance", (0.8, 2.0),
             lambda y, a: ops.exp(y) - 1.0 + a * y, lambda y, a: ops.exp(y) + a, lambda y, a: -y),
    Equation("buckling", "the balance y + softening * tanh(y) = x", "softening", (0.2, 1.5),
             lambda y, a: y + a * ops.tanh(y), lambda y, a: 1.0 + a * (1.0 - ops.tanh(y) * ops.tanh(y)),
             lambda y, a: -ops.tanh(y)),
    Equation("sinh", "the rate law gain * sinh(y) = x", "gain", (0.6, 1.8),
             lambda y, a: a * ops.sinh(y), lambda y, a: a * ops.cosh(y), lambda y, a: -ops.sinh(y)),
)  # fmt: skip
