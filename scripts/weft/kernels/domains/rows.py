"""Rows of numbers, one for each thread: softmax, statistics, attention, distances, filters."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.constants import TWO_PI
from weft.kernels.domains.along import at, each, extent, number_of, summed, summed_squares
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.intervals import INFINITY, Interval
from weft.kernels.program import Expr
from weft.kernels.types import I32

row = Domain(
    "row",
    index=("i", "row"),
    half=True,
    flexible=True,
    sizes={
        "classes": (10, 20, 32),
        "features": (32, 48, 64, 96),
        "taps": (3, 5, 7),
        "bins": (16, 32, 64),
        "clusters": (8, 16),
        "keys": (8, 16, 32),
        "degree": (4, 5, 6),
    },
    things=False,
)


def drawn_class(k: Builder, name: str) -> Expr:
    """The class that a row belongs to."""
    return k.input(f"{name}es", I32, k.shape, {"integers": [0, row.size(k, "classes")]})[k.index]


logit = Quantity("logit", -4.0, 4.0, trailing=("classes",))
max_logit = Quantity("max_logit", 1.0, 4.0, least=-4.0, most=4.0)
denominator = Quantity("softmax_denominator", 1.0, 9.0, least=1e-6, most=1e6)
log_sum_exp = Quantity("log_sum_exp", 1.0, 6.0, least=-20.0, most=20.0)
loss = Quantity("loss", 0.0, 5.0, plural="losses", least=-1e4, most=1e4, additive=True)
confidence = Quantity("confidence", 0.1, 1.0, least=0.0, most=1e3, generic=True)
entropy = Quantity("entropy", 0.0, 2.5, plural="entropies", least=-1e3, most=1e3, additive=True)
predicted_class = Quantity("predicted_class", 0, 7, whole, plural="predicted_classes", least=0, most=100)
true_class = Quantity("true_class", 0, 7, whole, load=drawn_class)
hit = Quantity("hit", 0, 1, whole)

feature = Quantity("feature", -2.0, 2.0, trailing=("features",))
coefficient = Quantity("coefficient", -1.0, 1.0, trailing=("degree",))
bin_share = Quantity("bin_share", 0.0, 0.2, trailing=("bins",))
argument = Quantity("argument", -1.0, 1.0)
polynomial_value = Quantity("polynomial_value", -3.0, 3.0)
histogram_distance = Quantity(
    "histogram_distance", 0.0, 1.0, least=-1e-3, most=1e3, extremal=True, generic=True
)
threshold = Quantity("threshold", 0.0, 1.0)
mean = Quantity("mean", -0.5, 0.5, least=-3.0, most=3.0)
variance = Quantity("variance", 0.3, 2.0, least=0.0, most=1e3, extremal=True)
norm = Quantity("norm", 0.5, 4.0, least=0.0, extremal=True)
other_norm = Quantity("other_norm", 0.5, 4.0)
dot_product = Quantity("dot_product", -4.0, 4.0)
similarity = Quantity("similarity", -1.0, 1.0, plural="similarities", least=-1e4, most=1e4, generic=True)
distance = Quantity("distance", 0.0, 4.0, least=0.0, extremal=True)
negative_distance = Quantity("negative_distance", 0.0, 4.0)
nearest = Quantity("nearest", 0, 3, whole, plural="nearest_clusters", least=0, most=100)
peak = Quantity("peak", -2.0, 2.0, least=-50.0, most=50.0, extremal=True, generic=True)
peak_place = Quantity("peak_place", 0, 5, whole, plural="peak_places", least=0, most=100, generic=True)
separation = Quantity("separation", -5.0, 5.0)
energy = Quantity("energy", 0.0, 10.0, plural="energies", least=0.0, additive=True, generic=True)
roughness = Quantity(
    "roughness", 0.0, 10.0, plural="roughness_values", least=0.0, additive=True, generic=True
)
count = Quantity("count", 0, 48, whole, least=0, most=5000, generic=True)

Logits = Annotated[ArrayHandle, logit]
MaxLogit = Annotated[Expr, max_logit]
Denominator = Annotated[Expr, denominator]
LogSumExp = Annotated[Expr, log_sum_exp]
RowLoss = Annotated[Expr, loss]
Confidence = Annotated[Expr, confidence]
RowEntropy = Annotated[Expr, entropy]
PredictedClass = Annotated[Expr, predicted_class]
TrueClass = Annotated[Expr, true_class]
Hit = Annotated[Expr, hit]
Features = Annotated[ArrayHandle, feature]
Coefficients = Annotated[ArrayHandle, coefficient]
Shares = Annotated[ArrayHandle, bin_share]
Argument = Annotated[Expr, argument]
PolynomialValue = Annotated[Expr, polynomial_value]
HistogramDistance = Annotated[Expr, histogram_distance]
MarginWidth = Annotated[Expr, Setting(0.2, 1.0)]
RowMean = Annotated[Expr, mean]
RowVariance = Annotated[Expr, variance]
RowNorm = Annotated[Expr, norm]
DotProduct = Annotated[Expr, dot_product]
Similarity = Annotated[Expr, similarity]
Distance = Annotated[Expr, distance]
Nearest = Annotated[Expr, nearest]
Peak = Annotated[Expr, peak]
PeakPlace = Annotated[Expr, peak_place]
Energy = Annotated[Expr, energy]
Roughness = Annotated[Expr, roughness]
Count = Annotated[Expr, count]


def table(k: Builder, name: str, *sizes: str, low: float = -1.0, high: float = 1.0) -> ArrayHandle:
    """An array that all rows share."""
    return k.input(name, k.real, [row.size(k, size) for size in sizes], uniform(low, high))


def gap_square(k: Builder, features: ArrayHandle, centers: ArrayHandle, c: Expr) -> Expr:
    """The squared distance of the thread's row to a row of a table."""
    square = k.var("square", 0.0)
    with each(k, "j", "features") as j:
        gap = k.let("diff", at(k, features, j) - centers[c, j])
        k.add(square, gap * gap)
    return square


def flag(condition: Expr) -> Expr:
    """1 where the condition holds, else 0."""
    return conditional(condition, lift(1, I32), 0)


# Scores of classes.


@row.formula(source="Milakov and Gimelshein 2018", teaches=("loop",), goal=False)
def largest_logit(k: Builder, logits: Logits) -> MaxLogit:
    """Largest logit."""
    best = k.var("max_logit", at(k, logits, 0), bounds=(-4.0, 4.0))
    with each(k, "j", "classes", 1) as j:
        k.set(best, ops.max(best, at(k, logits, j)))
    return best


@row.formula(teaches=("loop",))
def softmax_denominator(k: Builder, logits: Logits, max_logit: MaxLogit) -> Denominator:
    """Softmax denominator. The largest logit is subtracted first, so that no exponential overflows."""
    return bounded(
        summed(k, "denominator", "classes", lambda j: ops.exp(at(k, logits, j) - max_logit)), 1.0, 1e4
    )


@row.formula()
def stable_log_sum_exp(k: Builder, max_logit: MaxLogit, softmax_denominator: Denominator) -> LogSumExp:
    """Log-sum-exp. The largest logit is subtracted first, so that no exponential overflows."""
    return bounded(max_logit + ops.log(softmax_denominator), -20.0, 20.0)


@row.formula(source="Milakov and Gimelshein 2018", teaches=("loop", "branch", "iteration"))
def online_log_sum_exp(k: Builder, logits: Logits) -> LogSumExp:
    """Online log-sum-exp. One pass keeps the largest logit and rescales the sum."""
    best = k.var("running_max", at(k, logits, 0), bounds=(-4.0, 4.0))
    total = k.var("running_sum", 1.0, bounds=(1.0, 1e4))
    with each(k, "j", "classes", 1) as j:
        score = k.let("score", at(k, logits, j))
        with k.when(score > best):
            k.set(total, bounded(total * ops.exp(best - score) + 1.0, 1.0, 1e4))
            k.set(best, score)
        with k.otherwise():
            k.set(total, bounded(total + ops.exp(score - best), 1.0, 1e4))
    return bounded(best + ops.log(total), -4.0, 14.0)


@row.formula(source="torch.nn.CrossEntropyLoss")
def row_cross_entropy(k: Builder, logits: Logits, log_sum_exp: LogSumExp, true_class: TrueClass) -> RowLoss:
    """Cross-entropy loss. It is the log-sum-exp minus the logit of the true class."""
    return log_sum_exp - at(k, logits, true_class)


@row.formula(source="Szegedy et al. 2016", teaches=("loop",))
def smoothed_cross_entropy(
    k: Builder,
    logits: Logits,
    log_sum_exp: LogSumExp,
    true_class: TrueClass,
    smoothing: Annotated[Expr, Setting(0.05, 0.3)],
) -> RowLoss:
    """Cross-entropy with label smoothing. The target shares some probability with the other classes."""
    mean = k.let(
        "mean_logit", summed(k, "logit_sum", "classes", lambda j: at(k, logits, j)) / number_of(k, "classes")
    )
    own = at(k, logits, true_class)
    return log_sum_exp - (1.0 - smoothing) * own - smoothing * mean


@row.formula(teaches=("loop", "branch"))
def top_class(k: Builder, logits: Logits) -> PredictedClass:
    """Argmax class. The first of equal logits wins."""
    best = k.var("best", at(k, logits, 0), bounds=(-4.0, 4.0))
    found = k.var("best_class", 0, type=I32, bounds=(0, 100))
    with each(k, "j", "classes", 1) as j:
        score = k.let("score", at(k, logits, j))
        with k.when(score > best):
            k.set(best, score)
            k.set(found, j)
    return found


@row.formula(teaches=("loop", "branch", "iteration"))
def sampled_class(
    k: Builder,
    logits: Logits,
    max_logit: MaxLogit,
    softmax_denominator: Denominator,
    threshold: Annotated[Expr, threshold],
) -> PredictedClass:
    """Sample a class from a softmax. The class is the first at which the cumulative probability reaches the
    threshold.
    """
    goal = k.let("goal", threshold * softmax_denominator)
    reached = k.var("cumulative", 0.0)
    found = k.var("chosen", 0, type=I32, bounds=(0, 100))
    with each(k, "j", "classes") as j:
        k.add(reached, ops.exp(at(k, logits, j) - max_logit))
        with k.when(reached >= goal):
            k.set(found, j)
            k.jump("break")
    return found


@row.formula(source="Krizhevsky, Sutskever and Hinton 2012", teaches=("loop", "branch"))
def top_k_hit(
    k: Builder, logits: Logits, true_class: TrueClass, top_k: Annotated[Expr, Setting(2, 5, kind=whole)]
) -> Hit:
    """Top-k hit indicator. It is 1 if few classes have a larger logit than the true one."""
    own = k.let("true_logit", at(k, logits, true_class))
    better = k.var("better", 0, type=I32)
    with each(k, "j", "classes") as j, k.when(at(k, logits, j) > own):
        k.add(better, 1)
    return flag(better < top_k)


@row.formula(source="Hendrycks and Gimpel 2017")
def softmax_confidence(k: Builder, softmax_denominator: Denominator) -> Confidence:
    """Largest softmax probability. It is one over the sum of exponentials relative to the largest logit."""
    return bounded(1.0 / softmax_denominator, 0.0, 1.0)


@row.formula(source="Scheffer, Decomain and Wrobel 2001", teaches=("loop", "branches"))
def margin_confidence(k: Builder, logits: Logits) -> Confidence:
    """Margin between the two largest logits."""
    best = k.var("best", at(k, logits, 0), bounds=(-5.0, 5.0))
    second = k.var("second", -math.inf, bounds=(-math.inf, 5.0))
    with each(k, "j", "classes", 1) as j:
        score = k.let("score", at(k, logits, j))
        with k.when(score > best):
            k.set(second, best)
            k.set(best, score)
        with k.orwhen(score > second):
            k.set(second, score)
    return bounded(best - second, 0.0, 10.0)


@row.formula(source="Shannon 1948", teaches=("loop",))
def softmax_entropy(
    k: Builder, logits: Logits, max_logit: MaxLogit, softmax_denominator: Denominator
) -> RowEntropy:
    """Entropy of a softmax. It is in nats."""
    total = k.var("mean_logit", 0.0)
    with each(k, "j", "classes") as j:
        relative = k.let("relative", at(k, logits, j) - max_logit)
        k.add(total, relative * ops.exp(relative))
    return bounded(ops.log(softmax_denominator) - total / softmax_denominator, -100.0, 100.0)


# Statistics of features.


@row.formula(goal=False, teaches=("loop",))
def feature_mean(k: Builder, features: Features) -> RowMean:
    """Mean."""
    return summed(k, "row_sum", "features", lambda j: at(k, features, j)) / number_of(k, "features")


@row.formula(teaches=("loop",))
def weighted_mean(k: Builder, features: Features) -> RowMean:
    """Weighted mean. All rows share the weights."""
    weights = table(k, "weights", "features", low=0.1, high=1.0)
    total, weight_sum = k.var("weighted_sum", 0.0), k.var("weight_sum", 0.0)
    with each(k, "j", "features") as j:
        k.add(total, weights[j] * at(k, features, j))
        k.add(weight_sum, weights[j])
    return bounded(total / bounded(weight_sum, 0.1, 100.0), -2.0, 2.0)


@row.formula(teaches=("loop",))
def centered_variance(k: Builder, features: Features, mean: RowMean) -> RowVariance:
    """Variance. The squared deviations are averaged over all features."""
    total = summed_squares(k, "deviation", "features", lambda j: at(k, features, j) - mean)
    return total / number_of(k, "features")


@row.formula(source="Welford 1962", teaches=("loop",))
def welford_variance(k: Builder, features: Features) -> RowVariance:
    """Variance by Welford's method. One pass updates mean and squared deviations."""
    mean = k.var("mean", 0.0, bounds=(-2.0, 2.0))
    spread = k.var("spread", 0.0, bounds=(0.0, 400.0))
    with each(k, "j", "features") as j:
        entry = k.let("entry", at(k, features, j))
        delta = k.let("delta", entry - mean)
        k.set(mean, bounded(mean + delta / (convert(k.real, j) + 1.0), -2.0, 2.0))
        k.set(spread, bounded(spread + delta * (entry - mean), 0.0, 400.0))
    return spread / number_of(k, "features")


@row.formula(teaches=("loop",))
def pair_product(k: Builder, features: Features, other_features: Features) -> DotProduct:
    """Dot product of two rows."""
    return summed(k, "dot_product", "features", lambda j: at(k, features, j) * at(k, other_features, j))


@row.formula(source="BLAS", teaches=("loop",))
def matrix_vector_row(
    k: Builder, features: Features, bias: Annotated[Expr, Setting(-1.0, 1.0, "p")]
) -> DotProduct:
    """Linear unit. It is the dot product of the features and the weights, plus a bias."""
    weights = table(k, "weights", "features")
    return summed(k, "total", "features", lambda j: at(k, features, j) * weights[j]) + bias


@row.formula(teaches=("loop",))
def euclidean_norm(k: Builder, features: Features) -> RowNorm:
    """Euclidean norm. It is the root of the sum of squares."""
    return ops.sqrt(summed_squares(k, "entry", "features", lambda j: at(k, features, j)))


@row.formula(teaches=("loop",))
def manhattan_norm(k: Builder, features: Features) -> RowNorm:
    """L1 norm. It is the sum of magnitudes."""
    return summed(k, "magnitude_sum", "features", lambda j: ops.abs(at(k, features, j)))


@row.formula(teaches=("loop",))
def maximum_norm(k: Builder, features: Features) -> RowNorm:
    """Maximum norm. It is the largest magnitude."""
    best = k.var("best", ops.abs(at(k, features, 0)), bounds=(0.0, 2.0))
    with each(k, "j", "features", 1) as j:
        k.set(best, ops.max(best, ops.abs(at(k, features, j))))
    return best


# Two rows, or a row and what all rows share.


@row.formula(source="sklearn.metrics.pairwise", goal=False)
def cosine_similarity(
    k: Builder, dot_product: DotProduct, norm: RowNorm, other_norm: Annotated[Expr, other_norm]
) -> Similarity:
    """Cosine similarity of two rows."""
    return bounded(dot_product / ops.max(norm * other_norm, 1e-4), -1e4, 1e4)


@row.formula(source="Pearson 1895", teaches=("loop",))
def pearson_correlation(
    k: Builder,
    features: Features,
    other_features: Features,
) -> Similarity:
    """Pearson correlation of two rows. It is 1 or -1 for rows that are linear in each other."""
    left_sum, right_sum = k.var("feature_sum", 0.0), k.var("other_sum", 0.0)
    with each(k, "j", "features") as j:
        k.add(left_sum, at(k, features, j))
        k.add(right_sum, at(k, other_features, j))
    mean = k.let("mean", left_sum / number_of(k, "features"))
    other_mean = k.let("other_mean", right_sum / number_of(k, "features"))
    product, own, other = k.var("covariance", 0.0), k.var("own_spread", 0.0), k.var("other_spread", 0.0)
    with each(k, "j", "features") as j:
        left = k.let("left", at(k, features, j) - mean)
        right = k.let("right", at(k, other_features, j) - other_mean)
        k.add(product, left * right)
        k.add(own, left * left)
        k.add(other, right * right)
    squares = bounded(own * other, 0.0, 1e6)
    return bounded(product / ops.max(ops.sqrt(squares), 1e-4), -1.001, 1.001)


Pair = Callable[[Builder, Expr, Expr], Expr]
DISTANCES: tuple[tuple[str, str, Pair, bool], ...] = (
    ("manhattan_distance", "Manhattan distance of two rows. "
                           "It is the sum of absolute differences", lambda k, a, b: ops.abs(a - b), False),
    ("canberra_distance", "Canberra distance of two rows. "
                          "Each difference is divided by the sum of both magnitudes",
     lambda k, a, b: bounded(ops.abs(a - b) / ops.max(ops.abs(a) + ops.abs(b), 1e-6), 0.0, 1.0), False),
    ("euclidean_distance", "Euclidean distance of two rows. It is the root of the summed squared differences",
     lambda k, a, b: (d := k.let("difference", a - b)) * d, True),
)  # fmt: skip


def _distance(name: str, how: str, term: Pair, root: bool) -> None:
    @row.formula(
        name=name,
        doc=f"{how}.",
        source="scipy.spatial.distance",
        teaches=("loop",),
    )
    def between(k: Builder, features: Features, other_features: Features) -> Distance:
        total = k.var("total", 0.0)
        with each(k, "j", "features") as j:
            k.add(total, term(k, at(k, features, j), at(k, other_features, j)))
        total.interval = Interval(0.0, max(total.interval.hi, 1.0))
        return ops.sqrt(total) if root else total


for _each in DISTANCES:
    _distance(*_each)


@row.formula(source="Schroff, Kalenichenko and Philbin 2015", goal=False)
def triplet_loss(
    k: Builder,
    distance: Distance,
    negative_distance: Annotated[Expr, negative_distance],
    margin_width: MarginWidth,
) -> RowLoss:
    """Triplet loss."""
    return ops.max(distance - negative_distance + margin_width, 0.0)


@row.formula(source="Lloyd 1982", teaches=("loop", "nested loop", "branch"))
def nearest_centroid(k: Builder, features: Features) -> Nearest:
    """Nearest centroid. This is the assignment step of k-means."""
    centroids = table(k, "centroids", "clusters", "features", low=-2.0, high=2.0)
    best, found = k.var("best", INFINITY, bounds=(0.0, 1e6)), k.var("cluster", 0, type=I32, bounds=(0, 100))
    with each(k, "c", "clusters") as c:
        square = gap_square(k, features, centroids, c)
        with k.when(square < best):
            k.set(best, bounded(square, 0.0, 1e6))
            k.set(found, c)
    return found


@row.formula(source="Arthur and Vassilvitskii 2007", teaches=("loop", "nested loop"))
def cluster_inertia(k: Builder, features: Features) -> Energy:
    """Squared distance to the nearest centroid. K-means minimizes the sum over all rows, called the
    inertia.
    """
    centroids = table(k, "centroids", "clusters", "features", low=-2.0, high=2.0)
    best = k.var("best", INFINITY, bounds=(0.0, 1e6))
    with each(k, "c", "clusters") as c:
        square = gap_square(k, features, centroids, c)
        k.set(best, bounded(ops.min(best, square), 0.0, 1e6))
    return bounded(best, 0.0, 1e4)


# Rows as signals.


@row.formula(source="Goertzel 1958", teaches=("loop",))
def goertzel_power(k: Builder, features: Features, frequency: Annotated[Expr, Setting(0.3, 2.5)]) -> Energy:
    """Power at one frequency by Goertzel's recurrence. It needs one multiplication a sample."""
    factor = k.let("factor", 2.0 * ops.cos(frequency))
    last, before = k.var("last", 0.0, bounds=(-1e3, 1e3)), k.var("before", 0.0, bounds=(-1e3, 1e3))
    with each(k, "j", "features") as j:
        state = k.let("state", bounded(at(k, features, j) + factor * last - before, -1e3, 1e3))
        k.set(before, last)
        k.set(last, state)
    return bounded(last * last + before * before - factor * last * before, 0.0, 1e5)


@row.formula(source="Cooley and Tukey 1965", teaches=("loop",))
def fourier_power(k: Builder, features: Features, frequency: Annotated[Expr, Setting(0.3, 2.5)]) -> Energy:
    """Power at one frequency of the discrete Fourier transform. The frequency is in radians per sample."""
    real, imaginary = k.var("real_part", 0.0), k.var("imaginary_part", 0.0)
    with each(k, "j", "features") as j:
        angle = k.let("angle", frequency * convert(k.real, j))
        k.add(real, at(k, features, j) * ops.cos(angle))
        k.add(imaginary, at(k, features, j) * ops.sin(angle))
    return bounded(real * real + imaginary * imaginary, 0.0, 1e5)


@row.formula(source="Cooley and Tukey 1965", teaches=("loop", "nested loop", "branch"))
def dominant_frequency(k: Builder, features: Features) -> PeakPlace:
    """Dominant frequency of the discrete Fourier transform. It counts periods per row, and the mean is left
    out.
    """
    best, found = (
        k.var("best", -INFINITY, bounds=(-1.0, 1e5)),
        k.var("frequency_found", 0, type=I32, bounds=(0, 100)),
    )
    size = extent(k, "features")
    with k.loop("m", 1, size // 2 + 1) as m:
        real, imaginary = k.var("real_part", 0.0), k.var("imaginary_part", 0.0)
        with each(k, "j", "features") as j:
            angle = k.let("angle", TWO_PI / number_of(k, "features") * convert(k.real, m * j))
            k.add(real, at(k, features, j) * ops.cos(angle))
            k.add(imaginary, at(k, features, j) * ops.sin(angle))
        power = k.let("power", real * real + imaginary * imaginary)
        with k.when(power > best):
            k.set(best, bounded(power, 0.0, 1e5))
            k.set(found, m)
    return found


@row.formula(source="Rudin, Osher and Fatemi 1992", teaches=("loop",))
def total_variation(k: Builder, features: Features) -> Roughness:
    """Total variation. It is the sum of absolute differences of neighbors."""
    return summed(
        k, "variation", "features", lambda j: ops.abs(at(k, features, j) - at(k, features, j - 1)), 1
    )


@row.formula(source="Kedem 1986", teaches=("loop", "branch"))
def zero_crossings(k: Builder, features: Features) -> Count:
    """Number of zero crossings. Neighbors of opposite sign count, and zeros do not."""
    crossings = k.var("crossings", 0, type=I32)
    with each(k, "j", "features", 1) as j, k.when(at(k, features, j) * at(k, features, j - 1) < 0.0):
        k.add(crossings, 1)
    return crossings


@row.formula(source="Kadane 1984", teaches=("loop",))
def largest_subarray_sum(k: Builder, features: Features) -> Peak:
    """Maximum subarray sum by Kadane's algorithm. The subarray has at least one element."""
    ending = k.var("ending_here", at(k, features, 0), bounds=(-2.0, 50.0))
    best = k.var("best", ending, bounds=(-2.0, 50.0))
    with each(k, "j", "features", 1) as j:
        entry = k.let("entry", at(k, features, j))
        k.set(ending, bounded(ops.max(ending + entry, entry), -2.0, 50.0))
        k.set(best, ops.max(best, ending))
    return best


@row.formula(source="Magdon-Ismail and Atiya 2004", teaches=("loop",))
def largest_drawdown(k: Builder, features: Features) -> Peak:
    """Maximum drawdown. It is the largest loss from any peak before."""
    top = k.var("maximum_so_far", at(k, features, 0), bounds=(-2.0, 2.0))
    drop = k.var("drop", 0.0, bounds=(0.0, 4.0))
    with each(k, "j", "features", 1) as j:
        entry = k.let("entry", at(k, features, j))
        k.set(top, ops.max(top, entry))
        k.set(drop, bounded(ops.max(drop, top - entry), 0.0, 4.0))
    return drop


# Polynomials and histograms.


@row.formula(source="Horner 1819", teaches=("loop",))
def horner_value(k: Builder, coefficients: Coefficients, argument: Argument) -> PolynomialValue:
    """Polynomial by Horner's scheme. Coefficients begin with the highest power."""
    value = k.var("value", 0.0, bounds=(-100.0, 100.0))
    with each(k, "j", "degree") as j:
        k.set(value, bounded(value * argument + at(k, coefficients, j), -100.0, 100.0))
    return value


BINS: tuple[tuple[str, str, tuple[str, ...], Pair], ...] = (
    ("chi_square_distance", "Chi-square distance of two histograms. "
                            "It is the sum of (p - q)^2 / (p + q), with 1e-4 added for empty bins", ("loop",),
     lambda k, a, b: (d := k.let("difference", a - b)) * d / (a + b + 1e-4)),
    ("total_variation_distance", "Total variation distance of two histograms. "
                                 "It is half the sum of absolute differences", ("loop",),
     lambda k, a, b: 0.5 * ops.abs(a - b)),
    ("hellinger_square", "Squared Hellinger distance of two histograms. "
                         "It is the sum of the squared differences of the roots", ("loop",),
     lambda k, a, b: (d := k.let("difference", ops.sqrt(a) - ops.sqrt(b))) * d),
    ("kullback_leibler",
     "Kullback-Leibler divergence of two histograms. "
     "It is zero for equal histograms, and 1e-4 is added for empty bins",
     ("loop",),
     lambda k, a, b: a * ops.log((a + 1e-4) / (b + 1e-4))),
    ("histogram_intersection", "Histogram intersection. It is the sum of the smaller share of each bin",
     ("loop",),
     lambda k, a, b: ops.min(a, b)),
)  # fmt: skip


def _bins(name: str, how: str, teaches: tuple[str, ...], term: Pair) -> None:
    @row.formula(
        name=name,
        doc=f"{how}.",
        source="Cha 2007",
        teaches=teaches,
    )
    def between(k: Builder, shares: Shares, other_shares: Shares) -> HistogramDistance:
        total = k.var("total", 0.0)
        with each(k, "b", "bins") as b:
            own, other = k.let("p", at(k, shares, b)), k.let("q", at(k, other_shares, b))
            k.add(total, term(k, own, other))
        return bounded(total, -1e-3, 1e3)


for _histogram in BINS:
    _bins(*_histogram)


@row.formula(source="Rubner, Tomasi and Guibas 2000", teaches=("loop",))
def earth_mover_distance(k: Builder, shares: Shares, other_shares: Shares) -> HistogramDistance:
    """Earth mover's distance of two histograms. It adds up the differences of the cumulative histograms."""
    carried, total = k.var("carry", 0.0, bounds=(-10.0, 10.0)), k.var("total", 0.0)
    with each(k, "b", "bins") as b:
        k.set(carried, bounded(carried + at(k, shares, b) - at(k, other_shares, b), -10.0, 10.0))
        k.add(total, ops.abs(carried))
    return bounded(total, 0.0, 200.0)


@row.formula(source="Otsu 1979", teaches=("loop", "branch"))
def otsu_bin(k: Builder, shares: Shares) -> PeakPlace:
    """Otsu threshold. It splits the histogram so that the variance between both classes is largest."""
    mass, moment = k.var("mass", 0.0), k.var("moment", 0.0)
    with each(k, "b", "bins") as b:
        k.add(mass, at(k, shares, b))
        k.add(moment, at(k, shares, b) * convert(k.real, b))
    below, below_moment = (
        k.var("below", 0.0, bounds=(0.0, 10.0)),
        k.var("below_moment", 0.0, bounds=(0.0, 100.0)),
    )
    best, found = (
        k.var("best", -INFINITY, bounds=(-1.0, 1e9)),
        k.var("bin_found", 0, type=I32, bounds=(0, 100)),
    )
    with each(k, "b", "bins") as b:
        k.set(below, bounded(below + at(k, shares, b), 0.0, 10.0))
        k.set(below_moment, bounded(below_moment + at(k, shares, b) * convert(k.real, b), 0.0, 100.0))
        above = k.let("above", ops.max(mass - below, 1e-3))
        gap = below_moment / ops.max(below, 1e-3) - (moment - below_moment) / above
        gap = k.let("mean_diff", bounded(gap, -100.0, 100.0))
        separation = k.let("separation", below * above * gap * gap)
        with k.when(separation > best):
            k.set(best, bounded(separation, 0.0, 1e9))
            k.set(found, b)
    return found


# What follows from distances, similarities and scores.
