"""One number from each row: norms, distances, moments, likelihoods, by all threads of a block."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, lift, ops
from weft.kernels.idioms.blocks import Map, Rows, Total
from weft.kernels.program import Expr

ROWS = (("row", "rows", "columns"), ("sample", "samples", "features"), ("channel", "channels", "steps"),
        ("series", "num_series", "steps"), ("vector", "vectors", "dimensions"))  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class Term:
    """What is added up, or sought the largest or smallest of: by which function of which operands."""

    name: str
    by: Map | str
    of: tuple[int, ...] = (0,)
    how: str = "sum"
    bounds: tuple[float, float] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Statistic:
    """A number of each row: from which operands, by which terms, and what becomes of the totals.

    Operands are rows of `(name, low, high)`; of a `shared` statistic the last is a row that all share.
    `finish` takes the totals, of which sums are divided by the number of elements first for a `mean`.
    """

    names: tuple[str, ...]
    sentence: str
    operands: tuple[tuple[str, float, float], ...]
    terms: tuple[Term, ...]
    result: str
    finish: Map | None = None
    mean: bool = False
    shared: bool = False


def row_statistic(k: Builder) -> None:
    """A statistic of each row, or of each row and another one."""
    one = k.rng.pick(*STATISTICS)
    k.formulas.append(f"rows.{one.names[0]}")
    k.name, *k.other_names = k.rng.shuffled([*one.names, f"blocked_{one.names[0]}"])
    w = Rows(k, k.rng.pick(*ROWS), k.rng.pick("row", "panel", "stride", "stride"))
    operands = []
    for name, low, high in one.operands:
        read = w.column if one.shared and name == one.operands[-1][0] else w.read
        operands.append(read(name, low, high, plural_name=name if len(name) == 1 else ""))
    wanted = []
    for term in one.terms:
        taken = [operands[at] for at in term.of]
        made = taken[0] if term.by == "own" else w.element(term.name, term.by, *taken)
        least, most = (w.least, w.length) if term.how == "sum" else (1, 1)
        bounds = (least * term.bounds[0], most * term.bounds[1]) if term.bounds else None
        label = {"sum": f"{term.name}_sum", "max": f"largest_{term.name}"}.get(
            term.how, f"smallest_{term.name}"
        )
        label = one.result if one.finish is None and not one.mean else label
        wanted.append(Total(label, term.how, made, bounds))
    totals = w.totals(*wanted)
    if one.mean:
        names = [one.result if one.finish is None else each.name.replace("_sum", "_mean") for each in totals]
        totals = tuple(w.mean(name, total) for name, total in zip(names, totals, strict=True))
    w.keep(**{one.result: totals[0] if one.finish is None else w.of_rows(one.result, one.finish, *totals)})
    k.doc = f"{one.sentence}. {w.blocks}."


SIGNED, POSITIVE = (("value", -2.0, 2.0),), (("amount", 0.1, 3.0),)
PAIR, AMOUNTS = (*SIGNED, ("other", -2.0, 2.0)), (*POSITIVE, ("other", 0.1, 3.0))
SHARES, PREDICTED = (
    (("p", 0.001, 0.05), ("q", 0.001, 0.05)),
    (("prediction", -2.0, 2.0), ("target", -2.0, 2.0)),
)

BOTH = (0, 1)
VALUE, OTHER, TARGET = Term("value", "own"), Term("other", "own", (1,)), Term("target", "own", (1,))
SQUARE, OTHER_SQUARE = Term("square", "mul", (0, 0)), Term("other_square", "mul", (1, 1))
PRODUCT, MAGNITUDE, SUM = Term("product", "mul", BOTH), Term("magnitude", "abs"), Term("both", "add", BOTH)
LARGEST, SMALLEST = Term("value", "own", how="max"), Term("value", "own", how="min")
GAP_SIZE = Map("gap_size", "Return the magnitude of a difference.", lambda b, x, y: ops.abs(x - y))
GAP = Term("gap", GAP_SIZE, BOTH)
SQUARED_GAP = Map("squared_gap", "Square a difference.", lambda b, x, y: (x - y) * (x - y), (0.0, 100.0))
SQUARED = Term("squared", SQUARED_GAP, BOTH)

RATIO = Map(
    "ratio_of_sums", "One sum over another.", lambda b, total, parts: total / bounded(parts, 0.02, 1e6)
)
ROOT = Map("rooted", "Return the square root of a sum.", lambda b, total: ops.sqrt(bounded(total, 0.0, 1e6)))


def _term(
    name: str, doc: str, *of: int, bounds: tuple[float, float] | None = None
) -> Callable[[Callable[..., Expr]], Term]:
    """A term of its own function, which has the term's name."""
    return lambda body: Term(name, Map(f"{name}_of", doc, body), of or BOTH, bounds=bounds)


STATISTICS: tuple[Statistic, ...] = (
    Statistic(("euclidean_norms", "row_norms", "l2_norms"), "Compute the Euclidean norm of each row",
        SIGNED, (SQUARE,), "norm", ROOT),
    Statistic(("manhattan_norms", "l1_norms"), "Compute the sum of magnitudes of each row",
        SIGNED, (MAGNITUDE,), "norm"),
    Statistic(("maximum_norms", "absmax_of_rows", "peak_magnitudes"),
        "Find the largest magnitude of each row", SIGNED, (Term("magnitude", "abs", how="max"),), "peak"),
    Statistic(("row_ranges", "peak_to_peak"),
        "Compute the range of each row, the largest value less the smallest",
        SIGNED, (LARGEST, SMALLEST), "extent",
        Map("value_range", "Return the largest less the smallest.", lambda b, high, low: high - low)),
    Statistic(("midranges", "row_midranges"),
        "Compute the middle between the largest and the smallest value of each row",
        SIGNED, (LARGEST, SMALLEST), "midrange",
        Map("middle", "Return the middle of two extremes.", lambda b, high, low: 0.5 * (high + low))),
    Statistic(("root_mean_squares", "rms_of_rows"), "Compute the root mean square of each row",
        SIGNED, (SQUARE,), "rms", ROOT, mean=True),
    Statistic(("geometric_means", "row_geometric_means"), "Compute the geometric mean of each row",
        POSITIVE, (Term("logarithm", "log"),), "geometric_mean",
        Map("exponential", "Exponentiate a mean.", lambda b, mean: ops.exp(bounded(mean, -3.0, 2.0))),
        mean=True),
    Statistic(("harmonic_means", "row_harmonic_means"), "Compute the harmonic mean of each row",
        POSITIVE, (_term("reciprocal", "Invert a value.", 0)(lambda b, x: 1.0 / x),), "harmonic_mean",
        Map("inverse", "Invert a mean.", lambda b, mean: 1.0 / bounded(mean, 0.3, 10.1)), mean=True),
    Statistic(("gini_simpson", "quadratic_entropies", "simpson_diversity"),
        "Compute the Gini-Simpson index of each row of shares", SHARES[:1], (SQUARE,), "diversity",
        Map("complement", "Return one less a sum.", lambda b, total: 1.0 - total)),
    Statistic(("shannon_entropies", "entropy_of_rows"), "Compute the entropy of each row of probabilities",
        SHARES[:1], (_term("surprise", "Return a probability times minus its logarithm.", 0)(
            lambda b, p: -p * ops.log(p)),), "entropy"),
    Statistic(("perplexities", "row_perplexity"), "Compute the perplexity of each row of log likelihoods",
        (("log_likelihood", -6.0, -0.1),), (Term("log_likelihood", "own"),), "perplexity",
        Map("perplexity_of", "Return the exponential of minus a mean.",
            lambda b, mean: ops.exp(-bounded(mean, -6.0, 0.0))), mean=True),
    Statistic(("participation_ratios", "effective_number"),
        "Compute the effective number of members of each row, the squared sum over the sum of squares",
        POSITIVE, (Term("amount", "own"), SQUARE), "effective_number",
        Map("participation", "Return the squared sum over the sum of squares.",
            lambda b, total, squares: total * total / bounded(squares, 0.01, 1e6))),
    Statistic(("dot_products", "row_dot_products", "inner_products"),
        "Compute the dot products of the rows of two matrices", PAIR, (PRODUCT,), "dot_product"),
    Statistic(("euclidean_distances", "row_distances"),
        "Compute the Euclidean distance between the rows of two matrices", PAIR, (SQUARED,), "distance",
        ROOT),
    Statistic(("manhattan_distances", "city_block_distance"),
        "Compute the Manhattan distance between the rows of two matrices", PAIR, (GAP,), "distance"),
    Statistic(("chebyshev_distances", "largest_gaps"),
        "Find the largest difference between the rows of two matrices", PAIR,
        (Term("gap", GAP_SIZE, BOTH, "max"),), "distance"),
    Statistic(("canberra_distances", "canberra_of_rows"),
        "Compute the Canberra distance between the rows of two matrices", AMOUNTS,
        (_term("ratio", "Divide the difference by the sum.")(
            lambda b, x, y: ops.abs(x - y) / (x + y)),), "distance"),
    Statistic(("bray_curtis_dissimilarity", "bray_curtis"),
        "Compute the Bray-Curtis dissimilarity of each row of abundances to a row of another site",
        AMOUNTS, (GAP, SUM), "dissimilarity", RATIO),
    Statistic(("cosine_similarities", "row_cosines"),
        "Compute the cosine of the angle between the rows of two matrices",
        PAIR, (PRODUCT, SQUARE, OTHER_SQUARE), "cosine", Map(
            "cosine_of", "Dot product over both norms.", lambda b, dot, own, other: dot / ops.max(
                ops.sqrt(bounded(own, 0.0, 1e6) * bounded(other, 0.0, 1e6)), 1e-6))),
    Statistic(("tanimoto_similarity", "tanimoto_of_rows"),
        "Compute the Tanimoto similarity of the rows of two matrices",
        AMOUNTS, (PRODUCT, SQUARE, OTHER_SQUARE), "similarity",
        Map("tanimoto", "Return the dot product over what both have together.",
            lambda b, dot, own, other: dot / bounded(own + other - dot, 0.01, 1e6))),
    Statistic(("pearson_correlations", "row_correlations"),
        "Compute the correlation of the rows of two matrices in one pass",
        PAIR, (VALUE, OTHER, PRODUCT, SQUARE, OTHER_SQUARE), "correlation", Map(
            "correlation_of", "Covariance over both deviations.", lambda b, x, y, xy, xx, yy: (xy - x * y)
            / ops.sqrt(ops.max(xx - x * x, 1e-6) * ops.max(yy - y * y, 1e-6))), mean=True),
    Statistic(("row_covariances", "covariance_of_pairs"),
        "Compute the covariance of the rows of two matrices in one pass", PAIR, (VALUE, OTHER, PRODUCT),
        "covariance", Map("covariance_of", "Return the mean product less the product of the means.",
                                lambda b, x, y, xy: xy - x * y), mean=True),
    Statistic(("kl_divergences", "relative_entropies"),
        "Compute the Kullback-Leibler divergence of each row of p from that of q", SHARES,
        (_term("gain", "Return a probability times the logarithm of the ratio.")(
            lambda b, p, q: p * ops.log(p / q)),), "divergence"),
    Statistic(("jensen_shannon_divergences", "jensen_shannon"),
        "Compute the Jensen-Shannon divergence of the distributions p and q of each row", SHARES,
        (_term("gain", "Return what both probabilities gain over their mean.")(lambda b, p, q: 0.5 * (
            p * ops.log(2.0 * p / (p + q)) + q * ops.log(2.0 * q / (p + q)))),), "divergence"),
    Statistic(("chi_square_distances", "chi_square_of_rows"),
        "Compute the chi-square distance between the histograms p and q of each row", SHARES,
        (_term("share", "Return the squared difference over the sum.")(
            lambda b, p, q: (p - q) * (p - q) / (p + q)),), "distance"),
    Statistic(("bhattacharyya_distances", "bhattacharyya"),
        "Compute the Bhattacharyya distance between the histograms p and q of each row", SHARES,
        (_term("overlap", "Return the root of the product.", bounds=(0.001, 0.05))(
            lambda b, p, q: ops.sqrt(p * q)),),
        "distance", Map("minus_log", "Return minus the logarithm.", lambda b, total: -ops.log(total))),
    Statistic(("histogram_intersections", "histogram_overlap"),
        "Compute the intersection of the histograms p and q of each row", SHARES,
        (Term("shared", "min", BOTH),), "intersection"),
    Statistic(("mean_squared_errors", "mse_of_rows"),
        "Compute the mean squared error of each row of predictions", PREDICTED, (SQUARED,), "error",
        mean=True),
    Statistic(("mean_absolute_errors", "mae_of_rows"),
        "Compute the mean absolute error of each row of predictions", PREDICTED, (GAP,), "error", mean=True),
    Statistic(("root_mean_squared_errors", "rmse_of_rows"),
        "Compute the root mean squared error of each row of predictions", PREDICTED, (SQUARED,), "error",
        ROOT, mean=True),
    Statistic(("peak_signal_to_noise", "psnr_of_rows"),
        "Compute the peak signal-to-noise ratio of each row in decibels",
        (("pixel", 0.0, 1.0), ("reference", 0.0, 1.0)), (SQUARED,), "decibel",
        Map("decibels", "Return minus ten times the decimal logarithm.",
            lambda b, error: -10.0 * ops.log10(ops.max(error, 1e-8))), mean=True),
    Statistic(("coefficients_of_determination", "r_squared"),
        "Compute the coefficient of determination of each row of predictions",
        PREDICTED, (SQUARED, TARGET, OTHER_SQUARE), "score", Map(
            "determination", "One less the error over the variance.",
            lambda b, error, mean, square: 1.0 - error / ops.max(square - mean * mean, 1e-6)), mean=True),
    Statistic(("huber_losses", "row_huber_losses"),
        "Compute the mean of Huber's loss of each row of predictions",
        PREDICTED, (_term("loss", "Evaluate Huber's loss.")(lambda b, x, y: ops.where(
            ops.abs(x - y) < 1.0, 0.5 * (x - y) * (x - y), ops.abs(x - y) - 0.5)),), "loss", mean=True),
    Statistic(("poisson_deviances", "deviance_of_rows"), "Compute the Poisson deviance of each row of rates",
        (("count", 0.5, 9.0), ("rate", 0.5, 9.0)), (_term("deviance", "Return the deviance of a count.")(
            lambda b, y, mu: 2.0 * (y * ops.log(y / mu) - (y - mu))),), "deviance"),
    Statistic(("binary_cross_entropies", "bernoulli_losses"),
        "Compute the mean binary cross-entropy of each row of probabilities",
        (("probability", 0.02, 0.98), ("label", 0.0, 1.0)), (_term("loss", "Evaluate the cross-entropy.")(
            lambda b, p, y: -(y * ops.log(p) + (1.0 - y) * ops.log(1.0 - p))),), "loss", mean=True),
    Statistic(("soft_dice_scores", "dice_of_rows"), "Compute the soft Dice score of each row of a mask",
        (("probability", 0.01, 0.99), ("label", 0.01, 1.0)), (PRODUCT, SUM), "dice", Map(
            "dice_score", "Return twice the overlap over the sum.",
            lambda b, overlap, both: 2.0 * overlap / bounded(both, 0.02, 1e6))),
    Statistic(("matrix_vector_product", "gemv", "row_times_vector"), "Multiply a matrix by a vector",
        (("entry", -1.0, 1.0), ("x", -1.0, 1.0)), (Term("term", "mul", BOTH),), "product", shared=True),
    Statistic(("weighted_means", "column_weighted_means"),
        "Compute the mean of each row under weights of the columns",
        (*SIGNED, ("weight", 0.1, 1.0)), (PRODUCT, Term("weight", "own", (1,))), "weighted_mean", RATIO,
        shared=True),
    Statistic(("pattern_distances", "distance_to_pattern"),
        "Compute the distance of each row to a pattern that all share", (*SIGNED, ("pattern", -2.0, 2.0)),
        (SQUARED,), "distance", ROOT, shared=True),
    Statistic(("scaled_distances", "diagonal_mahalanobis"),
        "Compute the Mahalanobis length of each row under a diagonal precision",
        (("gap", -2.0, 2.0), ("precision", 0.2, 2.0)), (_term("term", "Return the square times a precision.")(
            lambda b, x, precision: x * x * precision),), "distance", ROOT, shared=True),
    Statistic(("logistic_scores", "logistic_probabilities"),
        "Compute the logistic regression's probability of each row",
        (("feature", -1.0, 1.0), ("weight", -0.05, 0.05)), (PRODUCT,), "probability",
        Map("logistic", "Return the logistic function.",
            lambda b, x: 1.0 / (1.0 + ops.exp(bounded(-x, -40.0, 40.0)))), shared=True),
    Statistic(("outlier_counts", "count_large_values"),
        "Count how many elements of each row lie more than 1.5 from zero", SIGNED,
        (_term("outlier", "Return one for a value far from zero, and else zero.", 0)(
            lambda b, x: ops.where(ops.abs(x) > 1.5, lift(1.0, x.type), 0.0)),), "outlier_count"),
)  # fmt: skip
