"""Statistics: distributions of observations, scores, likelihoods, and streams of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import cases, either
from weft.kernels.constants import HALF_PI, INV_PI, Known
from weft.kernels.domains.elementary import normal_cdf, normal_pdf, square
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32

observation = Domain("observation", index=("i", "obs"))

value = Quantity("measurement", 0.2, 8.0)
center = Quantity("center", 2.0, 5.0)
spread = Quantity("spread", 0.5, 2.0)
score = Quantity("score", -3.0, 3.0, least=-100.0, most=100.0)
density = Quantity("density", 0.01, 0.5, plural="densities", least=0.0, most=1e3)
cumulative = Quantity("cumulative", 0.02, 0.98, plural="cumulative_shares", least=0.0, most=1.0)
p_value = Quantity("p_value", 0.0, 1.0)
log_density = Quantity(
    "log_density", -6.0, 0.0, plural="log_densities", least=-1e5, most=100.0, additive=True
)
quantile = Quantity("quantile", -4.0, 8.0, least=-1e6, most=1e6)
drawn_count = Quantity("drawn_count", 0, 12, whole, least=0, most=40)
uniform_draw = Quantity("uniform_draw", 0.01, 0.99)
weight = Quantity("observation_weight", 0.0, 2.0, least=0.0, most=1e4)
influence = Quantity("influence", 0.0, 2.0, least=-1e6, most=1e6, extremal=True)
prior_mean = Quantity("prior_mean", 2.0, 5.0)
prior_variance = Quantity("prior_variance", 0.2, 2.0)
posterior_mean = Quantity("posterior_mean", 2.0, 5.0, least=-1e3, most=1e3)
posterior_variance = Quantity("posterior_variance", 0.05, 1.0, least=0.0, most=1e3)
running_mean = Quantity("running_mean", 2.0, 5.0)
running_variance = Quantity("running_variance", 0.2, 3.0)
new_running_mean = Quantity("new_running_mean", 2.0, 5.0, least=-1e3, most=1e3, updates=running_mean)
new_running_variance = Quantity(
    "new_running_variance", 0.2, 3.0, least=0.0, most=1e4, updates=running_variance
)
seen = Quantity("seen", 2, 40, whole, plural="seen_counts")
event_count = Quantity("event_count", 0, 9, whole)
trials = Quantity("trials", 10, 20, whole, plural="trial_counts")
verdict = Quantity("verdict", 0, 2, whole, least=0, most=2)
divergence = Quantity("divergence", 0.0, 5.0, least=-1.0, most=1e5, additive=True)
fisher_term = Quantity("fisher_statistic", 0.0, 14.0, most=100.0, additive=True)
transformed = Quantity("transformed", -2.0, 4.0, plural="transformed_values", least=-1e4, most=1e5)

Measurement = Annotated[Expr, value]
Center = Annotated[Expr, center]
Spread = Annotated[Expr, spread]
Score = Annotated[Expr, score]
Density = Annotated[Expr, density]
Cumulative = Annotated[Expr, cumulative]
PValue = Annotated[Expr, p_value]
LogDensity = Annotated[Expr, log_density]
QuantileValue = Annotated[Expr, quantile]
Draw = Annotated[Expr, uniform_draw]
Weight = Annotated[Expr, weight]
Influence = Annotated[Expr, influence]
PriorMean = Annotated[Expr, prior_mean]
PriorVariance = Annotated[Expr, prior_variance]
PosteriorMean = Annotated[Expr, posterior_mean]
PosteriorVariance = Annotated[Expr, posterior_variance]
RunningMean = Annotated[Expr, running_mean]
RunningVariance = Annotated[Expr, running_variance]
NewRunningMean = Annotated[Expr, new_running_mean]
Seen = Annotated[Expr, seen]
EventCount = Annotated[Expr, event_count]
Transformed = Annotated[Expr, transformed]
Shape = Annotated[Expr, Setting(1.2, 4.0)]
Scale = Annotated[Expr, Setting(1.0, 5.0)]
Location = Annotated[Expr, Setting(-1.0, 3.0)]
Noise = Annotated[Expr, Setting(0.2, 1.0)]
FISHER = "Johnson, Kotz and Balakrishnan 1994"
_EXP, _BOTH = ("transcendental",), ("transcendental", "branch")
Curve = Callable[[Builder, Expr], Expr]


@observation.formula(goal=False)
def standard_score(k: Builder, measurement: Measurement, center: Center, spread: Spread) -> Score:
    """Standard score."""
    return (measurement - center) / spread


@observation.formula(teaches=_EXP)
def log_score(
    k: Builder,
    measurement: Measurement,
    log_center: Annotated[Expr, Setting(0.5, 1.2)],
    log_spread: Annotated[Expr, Setting(0.3, 0.8)],
) -> Score:
    """Standard score on a logarithmic scale."""
    return (ops.log(measurement) - log_center) / log_spread


NORMAL_MEDIAN_DEVIATION = Known("NORMAL_MEDIAN_DEVIATION", 0.6745)


@observation.formula(source="Iglewicz and Hoaglin 1993")
def robust_score(k: Builder, measurement: Measurement, median: Center, median_deviation: Spread) -> Score:
    """Robust z-score from median and MAD."""
    return NORMAL_MEDIAN_DEVIATION * (measurement - median) / median_deviation


def _laplace_cdf(k: Builder, z: Expr) -> Expr:
    tail = k.let("tail", 0.5 * ops.exp(-ops.abs(z)))
    return either(k, "share", z < 0.0, tail, 1.0 - tail)


def _logistic_pdf(k: Builder, z: Expr) -> Expr:
    decay = k.let("decay", ops.exp(-ops.abs(z)))
    return decay / square(k, 1.0 + decay, "below")


def _gumbel_pdf(k: Builder, z: Expr) -> Expr:
    decay = k.let("decay", ops.exp(ops.min(-z, 4.0)))
    return decay * ops.exp(-decay)


DENSITIES: tuple[tuple[str, str, tuple[str, ...], Curve], ...] = (
    ("normal", "normal", _EXP, normal_pdf),
    ("logistic", "logistic", _EXP, _logistic_pdf),
    ("laplace", "Laplace", _EXP, lambda k, z: 0.5 * ops.exp(-ops.abs(z))),
    ("cauchy", "Cauchy", (), lambda k, z: 0.3183099 / (1.0 + z * z)),
    ("gumbel", "Gumbel", _EXP, _gumbel_pdf),
    ("secant", "hyperbolic secant", _EXP, lambda k, z: 0.5 / ops.cosh(ops.clamp(HALF_PI * z, -30.0, 30.0))),
    ("epanechnikov", "Epanechnikov", (), lambda k, z: 0.75 * ops.max(1.0 - z * z, 0.0)),
    ("triangular", "triangular", (), lambda k, z: ops.max(1.0 - ops.abs(z), 0.0)),
)  # fmt: skip
SHARES: tuple[tuple[str, str, tuple[str, ...], Curve], ...] = (
    ("normal", "normal", _EXP, normal_cdf),
    ("logistic", "logistic", _EXP, lambda k, z: 1.0 / (1.0 + ops.exp(ops.min(-z, 30.0)))),
    ("laplace", "Laplace", _BOTH, _laplace_cdf),
    ("cauchy", "Cauchy", _EXP, lambda k, z: 0.5 + INV_PI * ops.atan(z)),
    ("gumbel", "Gumbel", _EXP, lambda k, z: ops.exp(-ops.exp(ops.min(-z, 4.0)))),
)  # fmt: skip


def _distribution(
    name: str, what: str, teaches: tuple[str, ...], density: Curve | None, share: Curve | None
) -> None:
    def density_at(k: Builder, score: Score, spread: Spread) -> Density:
        assert density is not None
        return bounded(density(k, score) / spread, 0.0, 1e3)

    def share_at(k: Builder, score: Score) -> Cumulative:
        assert share is not None
        return bounded(share(k, score), 0.0, 1.0)

    for function, end, noun in (
        (density_at, "density", "density"),
        (share_at, "share", "cumulative distribution"),
    ):
        if (density if function is density_at else share) is None:
            continue
        function.__name__ = f"{name}_{end}"
        function.__doc__ = f"{what[0].upper()}{what[1:]} {noun}."
        observation.formula(source=FISHER, teaches=teaches)(function)


for _name, _what, _teaches, _curve in DENSITIES:
    _distribution(_name, _what, _teaches, _curve, None)
for _name, _what, _teaches, _curve in SHARES:
    _distribution(_name, _what, _teaches, None, _curve)


@observation.formula(source="Student 1908", teaches=_EXP)
def student_density(
    k: Builder, score: Score, spread: Spread, freedom: Annotated[Expr, Setting(3.0, 10.0)]
) -> Density:
    """Unnormalized Student-t density."""
    tail = 1.0 + score * score / freedom
    return bounded(ops.pow(bounded(tail, 1.0, 1e4), -0.5 * (freedom + 1.0)) / spread, 0.0, 10.0)


@observation.formula(source="Weibull 1951", teaches=_EXP)
def weibull_density(k: Builder, measurement: Measurement, shape: Shape, scale: Scale) -> Density:
    """Weibull density."""
    ratio = k.let("ratio", measurement / scale)
    power = k.let("power", ops.pow(ratio, shape))
    return bounded(shape / measurement * power * ops.exp(-power), 0.0, 1e3)


@observation.formula(source="Weibull 1951", teaches=_EXP)
def weibull_share(k: Builder, measurement: Measurement, shape: Shape, scale: Scale) -> Cumulative:
    """Weibull cumulative distribution."""
    return bounded(1.0 - ops.exp(-ops.pow(measurement / scale, shape)), 0.0, 1.0)


@observation.formula(source="Rayleigh 1880", teaches=_EXP)
def rayleigh_density(k: Builder, measurement: Measurement, scale: Scale) -> Density:
    """Rayleigh density."""
    ratio = k.let("ratio", measurement / scale)
    return bounded(ratio / scale * ops.exp(-0.5 * (ratio * ratio)), 0.0, 1e3)


@observation.formula(source="Pareto 1896", teaches=_BOTH)
def pareto_density(
    k: Builder, measurement: Measurement, shape: Shape, smallest: Annotated[Expr, Setting(0.5, 1.5)]
) -> Density:
    """Pareto density."""
    inside = shape / measurement * ops.pow(smallest / measurement, shape)
    return bounded(either(k, "density", measurement >= smallest, inside, 0.0), 0.0, 1e3)


@observation.formula(source="Galton 1879", teaches=_EXP)
def lognormal_density(
    k: Builder,
    measurement: Measurement,
    log_center: Annotated[Expr, Setting(0.5, 1.2)],
    log_spread: Annotated[Expr, Setting(0.3, 0.8)],
) -> Density:
    """Log-normal density."""
    score = k.let("log_score", (ops.log(measurement) - log_center) / log_spread)
    return bounded(normal_pdf(k, score) / (measurement * log_spread), 0.0, 1e3)


@observation.formula(source="Erlang 1909", teaches=("loop", "transcendental"))
def erlang_share(
    k: Builder,
    measurement: Measurement,
    rate: Annotated[Expr, Setting(0.5, 2.0)],
    stages: Annotated[Expr, Setting(3, 6, kind=whole)],
) -> Cumulative:
    """Erlang cumulative distribution."""
    mean = k.let("mean_count", rate * measurement)
    term, total = k.var("term", 1.0, bounds=(0.0, 1e6)), k.var("total", 1.0)
    with k.loop("n", 1, stages) as n:
        k.set(term, bounded(term * mean / convert(k.real, n), 0.0, 1e6))
        k.add(total, term)
    return bounded(1.0 - ops.exp(-mean) * total, 0.0, 1.0)


@observation.formula(source="Poisson 1837", teaches=("loop", "transcendental"))
def poisson_share(
    k: Builder, event_count: EventCount, expected_count: Annotated[Expr, Setting(2.0, 6.0)]
) -> Cumulative:
    """Poisson cumulative distribution."""
    term = k.var("term", ops.exp(-expected_count), bounds=(0.0, 1.0))
    total = k.var("total", 0.0)
    with k.loop("n", 0, event_count + 1) as n:
        k.add(total, term)
        k.set(term, bounded(term * expected_count / (convert(k.real, n) + 1.0), 0.0, 1.0))
    return bounded(total, 0.0, 1.0)


@observation.formula(source="Bernoulli 1713", teaches=("loop", "transcendental"))
def binomial_share(
    k: Builder,
    event_count: EventCount,
    trials: Annotated[Expr, trials],
    chance: Annotated[Expr, Setting(0.2, 0.6)],
) -> Cumulative:
    """Binomial cumulative distribution."""
    count = k.let("trial_count", convert(k.real, trials))
    term = k.var("term", ops.exp(count * ops.log(1.0 - chance)), bounds=(0.0, 1.0))
    total, odds = k.var("total", 0.0), k.let("odds", chance / (1.0 - chance))
    with k.loop("n", 0, event_count + 1) as n:
        k.add(total, term)
        place = k.let("k", convert(k.real, n))
        k.set(term, bounded(term * odds * (count - place) / (place + 1.0), 0.0, 1.0))
    return bounded(total, 0.0, 1.0)


@observation.formula(teaches=_EXP, goal=False)
def logarithmic_density(k: Builder, density: Density) -> LogDensity:
    """Log-density."""
    return ops.log(ops.max(density, 1e-6))


@observation.formula(source="Pearson 1901", teaches=("transcendental",))
def mixture_density(
    k: Builder,
    density: Density,
    background_density: Density,
    contamination: Annotated[Expr, Setting(0.02, 0.2)],
) -> LogDensity:
    """Log-density with background contamination."""
    mixed = (1.0 - contamination) * density + contamination * background_density
    return ops.log(ops.max(mixed, 1e-6))


@observation.formula(source="Fisher 1925")
def two_sided_p_value(k: Builder, cumulative: Cumulative) -> PValue:
    """Two-sided p-value."""
    return bounded(2.0 * ops.min(cumulative, 1.0 - cumulative), 0.0, 1.0)


@observation.formula(source="Fisher 1925", teaches=("branches",))
def significance_verdict(
    k: Builder, p_value: PValue, strict_level: Annotated[Expr, Setting(0.01, 0.05)]
) -> Annotated[Expr, verdict]:
    """Significance verdict at two levels."""
    found = k.var("verdict", 0, type=I32)
    with k.when(p_value < strict_level):
        k.set(found, 2)
    with k.orwhen(p_value < 4.0 * strict_level):
        k.set(found, 1)
    return found


@observation.formula(source="Fisher 1932", teaches=_EXP)
def fisher_statistic(k: Builder, p_value: PValue) -> Annotated[Expr, fisher_term]:
    """Fisher combined statistic -2 ln p."""
    return -2.0 * ops.log(ops.max(p_value, 1e-3))


QUANTILES: tuple[tuple[str, str, tuple[str, ...], Curve], ...] = (
    ("logistic_quantile", "Logistic quantile", _EXP, lambda k, p: ops.log(p / (1.0 - p))),
    ("cauchy_quantile", "Cauchy quantile", _EXP,
     lambda k, p: ops.tan(bounded(3.1400000 * (p - 0.5), -1.5, 1.5))),
    ("gumbel_quantile", "Gumbel quantile", _EXP, lambda k, p: -ops.log(-ops.log(p))),
    ("exponential_quantile", "Exponential quantile", _EXP, lambda k, p: -ops.log(1.0 - p)),
    ("rayleigh_quantile", "Rayleigh quantile", _EXP, lambda k, p: ops.sqrt(-2.0 * ops.log(1.0 - p))),
    ("laplace_quantile", "Laplace quantile", _BOTH,
     lambda k, p: either(k, "score", p < 0.5, ops.log(2.0 * p), -ops.log(2.0 * (1.0 - p)))),
)  # fmt: skip


def _quantile(name: str, what: str, teaches: tuple[str, ...], curve: Curve) -> None:
    @observation.formula(
        name=name,
        doc=f"{what}.",
        source="Devroye 1986",
        teaches=teaches,
    )
    def quantile_of(k: Builder, uniform_draw: Draw, location: Location, scale: Scale) -> QuantileValue:
        return bounded(location + scale * curve(k, uniform_draw), -1e4, 1e4)


for _one in QUANTILES:
    _quantile(*_one)


@observation.formula(source="Hastings 1955", teaches=("branch", "transcendental"))
def hastings_quantile(k: Builder, uniform_draw: Draw) -> QuantileValue:
    """Normal quantile by Hastings' rational formula."""
    tail = k.let("tail", ops.min(uniform_draw, 1.0 - uniform_draw))
    t = k.let("t", ops.sqrt(-2.0 * ops.log(tail)))
    upper = 2.515517 + t * (0.802853 + t * 0.010328)
    lower = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))
    size = k.let("quantile", t - upper / lower)
    return bounded(either(k, "quantile", uniform_draw < 0.5, -size, size), -10.0, 10.0)


@observation.formula(source="Press et al. 2007", teaches=("loop", "iteration", "transcendental"))
def newton_quantile(
    k: Builder, uniform_draw: Draw, rounds: Annotated[Expr, Setting(3, 6, kind=whole)]
) -> QuantileValue:
    """Normal quantile by Newton's method."""
    guess = k.var("z", 0.0, bounds=(-4.0, 4.0))
    with k.loop("_", 0, rounds):
        miss = k.let("f", normal_cdf(k, guess) - uniform_draw)
        k.set(guess, ops.clamp(guess - miss / ops.max(normal_pdf(k, guess), 0.02), -4.0, 4.0))
    return guess


@observation.formula(source="Knuth 1969", teaches=("loop", "iteration", "branch", "transcendental"))
def inverted_poisson(
    k: Builder, uniform_draw: Draw, expected_count: Annotated[Expr, Setting(2.0, 6.0)]
) -> Annotated[Expr, drawn_count]:
    """Poisson sample by inversion."""
    term = k.var("term", ops.exp(-expected_count), bounds=(0.0, 1.0))
    reached = k.var("reached", term, bounds=(0.0, 100.0))
    count = k.var("count", 0, type=I32, bounds=(0, 40))
    with k.repeat((reached < uniform_draw) & (count < 40), 40):
        k.set(count, bounded(count + 1, 0, 40))
        k.set(term, bounded(term * expected_count / ops.max(convert(k.real, count), 1.0), 0.0, 1.0))
        k.set(reached, bounded(reached + term, 0.0, 100.0))
    return count


@observation.formula(source="Box and Cox 1964", teaches=_EXP)
def box_cox(
    k: Builder, measurement: Measurement, exponent: Annotated[Expr, Setting(0.2, 0.8)]
) -> Transformed:
    """Box-Cox transform."""
    return (ops.pow(measurement, exponent) - 1.0) / exponent


@observation.formula(source="Yeo and Johnson 2000", teaches=_BOTH)
def yeo_johnson(k: Builder, score: Score, exponent: Annotated[Expr, Setting(0.2, 0.8)]) -> Transformed:
    """Yeo-Johnson transform."""
    size = k.let("shifted", ops.abs(score) + 1.0)
    positive = (ops.pow(size, exponent) - 1.0) / exponent
    negative = (1.0 - ops.pow(size, 2.0 - exponent)) / (2.0 - exponent)
    return bounded(either(k, "transformed", score >= 0.0, positive, negative), -1e4, 1e4)


@observation.formula(source="Anscombe 1948")
def anscombe_root(k: Builder, event_count: EventCount) -> Transformed:
    """Anscombe transform."""
    return 2.0 * ops.sqrt(convert(k.real, event_count) + 0.375)


@observation.formula(source="Hampel 1974", teaches=("branches",))
def hampel_weight(k: Builder, score: Score, knee: Annotated[Expr, Setting(0.5, 0.9)]) -> Weight:
    """Hampel weight."""
    size = k.let("abs_score", ops.max(ops.abs(score), 0.01))
    near, middle = (size < knee, 1.0), (size < 2.0 * knee, knee / size)
    far = (size < 4.0 * knee, knee * (4.0 * knee - size) / (2.0 * knee * size))
    return bounded(cases(k, "weight", near, middle, far, rest=0.0), 0.0, 1.0)


@observation.formula(source="Huber 1964")
def huber_influence(
    k: Builder, score: Score, observation_weight: Weight, knee: Annotated[Expr, Setting(0.5, 0.9)]
) -> Influence:
    """Huber influence function."""
    return bounded(observation_weight * ops.clamp(score, -knee, knee), -1e6, 1e6)


@observation.formula(source="Gelman et al. 2013", goal=False)
def normal_posterior_variance(
    k: Builder, prior_variance: PriorVariance, noise_variance: Noise
) -> PosteriorVariance:
    """Posterior variance under normal noise."""
    return prior_variance * noise_variance / (prior_variance + noise_variance)


@observation.formula(source="Gelman et al. 2013")
def normal_posterior_mean(
    k: Builder,
    prior_mean: PriorMean,
    prior_variance: PriorVariance,
    measurement: Measurement,
    posterior_variance: PosteriorVariance,
    noise_variance: Noise,
) -> PosteriorMean:
    """Posterior mean under normal noise."""
    return bounded(
        posterior_variance * (prior_mean / prior_variance + measurement / noise_variance), 0.0, 1e3
    )


@observation.formula(source="Kalman 1960", teaches=("parameters",))
def kalman_mean(
    k: Builder,
    prior_mean: PriorMean,
    prior_variance: PriorVariance,
    measurement: Measurement,
    noise_variance: Noise,
    process_noise: Annotated[Expr, Setting(0.01, 0.3)],
    transition: Annotated[Expr, Setting(0.8, 1.0)],
) -> PosteriorMean:
    """Scalar Kalman filter step."""
    predicted = k.let("predicted", transition * prior_mean)
    variance = k.let("variance", transition * transition * prior_variance + process_noise)
    return predicted + variance / (variance + noise_variance) * (measurement - predicted)


@observation.formula(source="Kullback and Leibler 1951", teaches=_EXP)
def normal_divergence(
    k: Builder,
    posterior_mean: PosteriorMean,
    posterior_variance: PosteriorVariance,
    prior_mean: PriorMean,
    prior_variance: PriorVariance,
) -> Annotated[Expr, divergence]:
    """Kullback-Leibler divergence of two normal distributions."""
    ratio = k.let("ratio", ops.max(posterior_variance, 0.001) / prior_variance)
    gap = k.let("diff", posterior_mean - prior_mean)
    return bounded(0.5 * (ratio - 1.0 - ops.log(ratio) + gap * gap / prior_variance), -0.01, 1e5)


@observation.formula(source="Welford 1962", goal=False)
def streamed_mean(
    k: Builder, running_mean: RunningMean, measurement: Measurement, seen: Seen
) -> NewRunningMean:
    """Welford update of the mean."""
    return running_mean + (measurement - running_mean) / (convert(k.real, seen) + 1.0)


@observation.formula(source="Welford 1962")
def streamed_variance(
    k: Builder,
    running_variance: RunningVariance,
    running_mean: RunningMean,
    new_running_mean: NewRunningMean,
    measurement: Measurement,
    seen: Seen,
) -> Annotated[Expr, new_running_variance]:
    """Welford update of the variance."""
    change = (measurement - running_mean) * (measurement - new_running_mean) - running_variance
    return bounded(ops.max(running_variance + change / (convert(k.real, seen) + 1.0), 0.0), 0.0, 1e4)


@observation.formula(source="Roberts 1959", teaches=("branch", "parameters"))
def control_chart_mean(
    k: Builder,
    running_mean: RunningMean,
    measurement: Measurement,
    smoothing: Annotated[Expr, Setting(0.1, 0.4)],
    tolerance: Annotated[Expr, Setting(1.0, 3.0)],
) -> NewRunningMean:
    """Running mean that skips outliers."""
    gap = k.let("diff", measurement - running_mean)
    moved = running_mean + smoothing * gap
    return either(k, "running_mean", ops.abs(gap) < tolerance, moved, running_mean)
