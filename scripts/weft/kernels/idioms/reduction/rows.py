"""One number, or a few, from each row: norms, distances, moments, likelihoods, by all threads of a block."""

from __future__ import annotations

import dataclasses
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, lift, ops
from weft.kernels.idioms.blocks import Map, Rows, Total

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

    Operands are rows of `(name, low, high)`; one with a fourth member is a row that all share. `finish` takes the
    totals, of which sums are divided by the number of elements first where `mean` says so.
    """

    names: tuple[str, ...]
    sentence: str
    operands: tuple[tuple[str, float, float] | tuple[str, float, float, str], ...]
    terms: tuple[Term, ...]
    result: str
    finish: Map | None = None
    mean: bool = False


def row_statistic(k: Builder) -> None:
    """A statistic of each row, or of each row and another one."""
    one = k.rng.pick(*STATISTICS)
    k.name, *k.other_names = k.rng.shuffled([*one.names, f"blocked_{one.names[0]}"])
    w = Rows(k, k.rng.pick(*ROWS), k.rng.pick("row", "panel", "stride", "stride"))
    operands = []
    for name, low, high, *shared in one.operands:
        read = w.column if shared else w.read
        operands.append(read(name, low, high, plural_name=name if len(name) == 1 else ""))  # type: ignore[operator]
    wanted = []
    for term in one.terms:
        taken = [operands[at] for at in term.of]
        made = taken[0] if term.by == "own" else w.element(term.name, term.by, *taken)
        reach = 1.0 if term.how != "sum" else float(w.length)
        bounds = tuple(reach * edge for edge in term.bounds) if term.bounds else None
        label = (
            f"{term.name}_sum"
            if term.how == "sum"
            else f"{'largest' if term.how == 'max' else 'smallest'}_{term.name}"
        )
        if one.finish is None and not one.mean:
            label = one.result
        wanted.append(Total(label, term.how, made, bounds))  # type: ignore[arg-type]
    totals = w.totals(*wanted)
    if one.mean:
        named = [
            one.result if one.finish is None else total.name.replace("_sum", "_mean") for total in totals
        ]
        totals = tuple(w.mean(name, total) for name, total in zip(named, totals, strict=True))
    result = w.of_rows(one.result, one.finish, *totals) if one.finish is not None else totals[0]
    w.keep(**{one.result: result})
    k.doc = f"{one.sentence}. {w.blocks}."


SQUARED = Map("squared_gap", "Square of a difference.", lambda b, x, y: (x - y) * (x - y), (0.0, 100.0))
GAP = Map("gap_size", "Magnitude of a difference.", lambda b, x, y: ops.abs(x - y))
ROOT = Map("rooted", "Square root of a sum.", lambda b, total: ops.sqrt(bounded(total, 0.0, 1e6)))
SIGNED, SHARES = (("value", -2.0, 2.0),), (("p", 0.001, 0.05), ("q", 0.001, 0.05))
PAIR = (("value", -2.0, 2.0), ("other", -2.0, 2.0))
PREDICTED = (("prediction", -2.0, 2.0), ("target", -2.0, 2.0))
POSITIVE = (("amount", 0.1, 3.0),)

STATISTICS: tuple[Statistic, ...] = (
    Statistic(("euclidean_norms", "row_norms", "l2_norms"), "Compute the Euclidean norm of each row", SIGNED,
              (Term("square", "mul", (0, 0)),), "norm", ROOT),
    Statistic(("manhattan_norms", "l1_norms"), "Compute the sum of magnitudes of each row", SIGNED,
              (Term("magnitude", "abs"),), "norm"),
    Statistic(("maximum_norms", "absmax_of_rows", "peak_magnitudes"), "Find the largest magnitude of each row", SIGNED,
              (Term("magnitude", "abs", how="max"),), "peak"),
    Statistic(("row_ranges", "peak_to_peak"), "Compute the range of each row, the largest value less the smallest", SIGNED,
              (Term("value", "own", how="max"), Term("value", "own", how="min")), "extent",
              Map("value_range", "Largest less smallest.", lambda b, high, low: high - low)),
    Statistic(("midranges", "row_midranges"), "Compute the middle between the largest and the smallest value of each row", SIGNED,
              (Term("value", "own", how="max"), Term("value", "own", how="min")), "midrange",
              Map("middle", "Mean of largest and smallest.", lambda b, high, low: 0.5 * (high + low))),
    Statistic(("root_mean_squares", "rms_of_rows"), "Compute the root mean square of each row", SIGNED,
              (Term("square", "mul", (0, 0)),), "rms", ROOT, mean=True),
    Statistic(("crest_factors", "peak_to_rms"), "Compute the crest factor of each row, the peak over the root mean square",
              (("sample", -1.0, 1.0),), (Term("magnitude", "abs", how="max"), Term("square", "mul", (0, 0))), "crest_factor",
              Map("peak_over_rms", "Peak over the root of a sum of squares.",
                  lambda b, peak, squares: peak / ops.max(ops.sqrt(bounded(squares, 0.0, 1e6)), 1e-6))),
    Statistic(("geometric_means", "row_geometric_means"), "Compute the geometric mean of each row", POSITIVE,
              (Term("logarithm", "log"),), "geometric_mean",
              Map("exponential", "Exponential of a mean.", lambda b, mean: ops.exp(bounded(mean, -3.0, 2.0))), mean=True),
    Statistic(("harmonic_means", "row_harmonic_means"), "Compute the harmonic mean of each row", POSITIVE,
              (Term("reciprocal", Map("reciprocal_of", "One over a value.", lambda b, x: 1.0 / x)),), "harmonic_mean",
              Map("inverse", "One over a mean.", lambda b, mean: 1.0 / bounded(mean, 0.3, 10.1)), mean=True),
    Statistic(("mean_and_square", "row_variances", "one_pass_variance"),
              "Compute the variance of each row in one pass, from the sums of values and squares", SIGNED,
              (Term("value", "own"), Term("square", "mul", (0, 0))), "variance",
              Map("variance_of", "Mean square less squared mean.",
                  lambda b, mean, square: ops.max(square - mean * mean, 0.0)), mean=True),
    Statistic(("gini_simpson", "quadratic_entropies", "simpson_diversity"), "Compute the Gini-Simpson index of each row of shares",
              SHARES[:1], (Term("square", "mul", (0, 0)),), "diversity",
              Map("complement", "One less a sum.", lambda b, total: 1.0 - total)),
    Statistic(("shannon_entropies", "entropy_of_rows"), "Compute the entropy of each row of probabilities", SHARES[:1],
              (Term("surprise", Map("weighted_surprise", "A probability times minus its logarithm.",
                                    lambda b, p: -p * ops.log(p))),), "entropy"),
    Statistic(("perplexities", "row_perplexity"), "Compute the perplexity of each row of log likelihoods",
              (("log_likelihood", -6.0, -0.1),), (Term("log_likelihood", "own"),), "perplexity",
              Map("perplexity_of", "Exponential of minus a mean.", lambda b, mean: ops.exp(-bounded(mean, -6.0, 0.0))), mean=True),
    Statistic(("participation_ratios", "effective_number"), "Compute the effective number of members of each row, "
              "the squared sum over the sum of squares", POSITIVE, (Term("amount", "own"), Term("square", "mul", (0, 0))),
              "effective_number", Map("participation", "Squared sum over the sum of squares.",
                                      lambda b, total, squares: total * total / bounded(squares, 0.01, 1e6))),
    Statistic(("dot_products", "row_dot_products", "inner_products"), "Compute the dot products of the rows of two matrices", PAIR,
              (Term("product", "mul", (0, 1)),), "dot_product"),
    Statistic(("euclidean_distances", "row_distances"), "Compute the Euclidean distance between the rows of two matrices", PAIR,
              (Term("squared", SQUARED, (0, 1)),), "distance", ROOT),
    Statistic(("manhattan_distances", "city_block_distance"), "Compute the Manhattan distance between the rows of two matrices", PAIR,
              (Term("gap", GAP, (0, 1)),), "distance"),
    Statistic(("chebyshev_distances", "largest_gaps"), "Find the largest difference between the rows of two matrices", PAIR,
              (Term("gap", GAP, (0, 1), "max"),), "distance"),
    Statistic(("canberra_distances",), "Compute the Canberra distance between the rows of two matrices",
              (("amount", 0.1, 3.0), ("other", 0.1, 3.0)),
              (Term("ratio", Map("relative_gap", "Difference over the sum.", lambda b, x, y: ops.abs(x - y) / (x + y)), (0, 1)),),
              "distance"),
    Statistic(("bray_curtis_dissimilarity",), "Compute the Bray-Curtis dissimilarity of each row of abundances to a row of another site",
              (("abundance", 0.1, 9.0), ("other", 0.1, 9.0)), (Term("gap", GAP, (0, 1)), Term("both", "add", (0, 1))), "dissimilarity",
              Map("ratio_of_sums", "One sum over another.", lambda b, gaps, both: gaps / bounded(both, 0.2, 1e6))),
    Statistic(("cosine_similarities", "row_cosines"), "Compute the cosine of the angle between the rows of two matrices", PAIR,
              (Term("product", "mul", (0, 1)), Term("square", "mul", (0, 0)), Term("other_square", "mul", (1, 1))), "cosine",
              Map("cosine_of", "Dot product over both norms.",
                  lambda b, dot, own, other: dot / ops.max(ops.sqrt(bounded(own, 0.0, 1e6) * bounded(other, 0.0, 1e6)), 1e-6))),
    Statistic(("tanimoto_similarity", "tanimoto_of_rows"), "Compute the Tanimoto similarity of the rows of two matrices",
              (("amount", 0.1, 3.0), ("other", 0.1, 3.0)),
              (Term("product", "mul", (0, 1)), Term("square", "mul", (0, 0)), Term("other_square", "mul", (1, 1))), "similarity",
              Map("tanimoto", "Dot product over what both have together.",
                  lambda b, dot, own, other: dot / bounded(own + other - dot, 0.01, 1e6))),
    Statistic(("pearson_correlations", "row_correlations"), "Compute the correlation of the rows of two matrices in one pass", PAIR,
              (Term("value", "own"), Term("other", "own", (1,)), Term("product", "mul", (0, 1)), Term("square", "mul", (0, 0)),
               Term("other_square", "mul", (1, 1))), "correlation",
              Map("correlation_of", "Covariance over both deviations.",
                  lambda b, x, y, xy, xx, yy: (xy - x * y) / ops.sqrt(
                      ops.max(xx - x * x, 1e-6) * ops.max(yy - y * y, 1e-6))), mean=True),
    Statistic(("row_covariances", "covariance_of_pairs"), "Compute the covariance of the rows of two matrices in one pass", PAIR,
              (Term("value", "own"), Term("other", "own", (1,)), Term("product", "mul", (0, 1))), "covariance",
              Map("covariance_of", "Mean product less product of means.", lambda b, x, y, xy: xy - x * y), mean=True),
    Statistic(("kl_divergences", "relative_entropies"), "Compute the Kullback-Leibler divergence of each row of p from that of q",
              SHARES, (Term("gain", Map("information_gain", "A probability times the logarithm of the ratio.",
                                        lambda b, p, q: p * ops.log(p / q)), (0, 1)),), "divergence"),
    Statistic(("jensen_shannon_divergences",), "Compute the Jensen-Shannon divergence of the rows of two matrices of probabilities",
              SHARES, (Term("gain", Map("shared_gain", "What both probabilities gain over their mean.",
                                        lambda b, p, q: 0.5 * (p * ops.log(2.0 * p / (p + q)) + q * ops.log(2.0 * q / (p + q)))), (0, 1)),),
              "divergence"),
    Statistic(("chi_square_distances",), "Compute the chi-square distance between the histograms p and q of each row",
              SHARES, (Term("share", Map("chi_square_term", "Squared difference over the sum.",
                                         lambda b, p, q: (p - q) * (p - q) / (p + q)), (0, 1)),), "distance"),
    Statistic(("hellinger_distances",), "Compute the Hellinger distance between the distributions p and q of each row", SHARES,
              (Term("square", Map("root_gap", "Squared difference of the roots.",
                                  lambda b, p, q: (ops.sqrt(p) - ops.sqrt(q)) * (ops.sqrt(p) - ops.sqrt(q)), (0.0, 0.05)), (0, 1)),),
              "distance", Map("scaled_root", "Root of half a sum.", lambda b, total: ops.sqrt(0.5 * bounded(total, 0.0, 60.0)))),
    Statistic(("bhattacharyya_distances",), "Compute the Bhattacharyya distance between the histograms p and q of each row", SHARES,
              (Term("overlap", Map("root_product", "Root of the product.", lambda b, p, q: ops.sqrt(p * q)), (0, 1), bounds=(0.001, 0.05)),),
              "distance", Map("minus_log", "Minus the logarithm.", lambda b, total: -ops.log(total))),
    Statistic(("histogram_intersections",), "Compute the intersection of the histograms p and q of each row", SHARES,
              (Term("shared", "min", (0, 1)),), "intersection"),
    Statistic(("mean_squared_errors", "mse_of_rows"), "Compute the mean squared error of each row of predictions", PREDICTED,
              (Term("squared", SQUARED, (0, 1)),), "error", mean=True),
    Statistic(("mean_absolute_errors", "mae_of_rows"), "Compute the mean absolute error of each row of predictions", PREDICTED,
              (Term("gap", GAP, (0, 1)),), "error", mean=True),
    Statistic(("root_mean_squared_errors", "rmse_of_rows"), "Compute the root mean squared error of each row of predictions", PREDICTED,
              (Term("squared", SQUARED, (0, 1)),), "error", ROOT, mean=True),
    Statistic(("peak_signal_to_noise", "psnr_of_rows"), "Compute the peak signal-to-noise ratio of each row in decibels",
              (("pixel", 0.0, 1.0), ("reference", 0.0, 1.0)), (Term("squared", SQUARED, (0, 1)),), "decibel",
              Map("decibels", "Minus ten times the decimal logarithm.",
                  lambda b, error: -10.0 * ops.log10(ops.max(error, 1e-8))), mean=True),
    Statistic(("coefficients_of_determination", "r_squared"), "Compute the coefficient of determination of each row of predictions",
              PREDICTED, (Term("squared", SQUARED, (0, 1)), Term("target", "own", (1,)), Term("target_square", "mul", (1, 1))), "score",
              Map("determination", "One less the error over the variance.",
                  lambda b, error, mean, square: 1.0 - error / ops.max(square - mean * mean, 1e-6)), mean=True),
    Statistic(("huber_losses", "row_huber_losses"), "Compute the mean of Huber's loss of each row of predictions", PREDICTED,
              (Term("loss", Map("huber", "Quadratic near zero, linear beyond one.",
                                lambda b, x, y: ops.where(ops.abs(x - y) < 1.0, 0.5 * (x - y) * (x - y), ops.abs(x - y) - 0.5)), (0, 1)),),
              "loss", mean=True),
    Statistic(("poisson_deviances",), "Compute the Poisson deviance of each row of rates",
              (("count", 0.5, 9.0), ("rate", 0.5, 9.0)),
              (Term("deviance", Map("unit_deviance", "Deviance of one count under a rate.",
                                    lambda b, y, mu: 2.0 * (y * ops.log(y / mu) - (y - mu))), (0, 1)),), "deviance"),
    Statistic(("binary_cross_entropies", "bernoulli_losses"), "Compute the mean binary cross-entropy of each row of probabilities",
              (("probability", 0.02, 0.98), ("label", 0.0, 1.0)),
              (Term("loss", Map("bernoulli_loss", "Minus the log likelihood of a label.",
                                lambda b, p, y: -(y * ops.log(p) + (1.0 - y) * ops.log(1.0 - p))), (0, 1)),), "loss", mean=True),
    Statistic(("soft_dice_scores", "dice_of_rows"), "Compute the soft Dice score of each row of a mask",
              (("probability", 0.01, 0.99), ("label", 0.01, 1.0)), (Term("product", "mul", (0, 1)), Term("both", "add", (0, 1))), "dice",
              Map("dice_score", "Twice the overlap over the sum.", lambda b, overlap, both: 2.0 * overlap / bounded(both, 0.02, 1e6))),
    Statistic(("matrix_vector_product", "gemv", "row_times_vector"), "Multiply a matrix by a vector",
              (("entry", -1.0, 1.0), ("x", -1.0, 1.0, "shared")), (Term("term", "mul", (0, 1)),), "product"),
    Statistic(("weighted_means", "column_weighted_means"), "Compute the mean of each row under weights of the columns",
              (("value", -2.0, 2.0), ("weight", 0.1, 1.0, "shared")),
              (Term("product", "mul", (0, 1)), Term("weight", "own", (1,), bounds=(0.1, 1.0))), "weighted_mean",
              Map("ratio_of_sums", "One sum over another.", lambda b, total, weights: total / weights)),
    Statistic(("template_distances", "distance_to_template"), "Compute the distance of each row to a template that all share",
              (("value", -2.0, 2.0), ("pattern", -2.0, 2.0, "shared")), (Term("squared", SQUARED, (0, 1)),), "distance", ROOT),
    Statistic(("scaled_distances", "diagonal_mahalanobis"), "Compute the Mahalanobis distance of each row under a diagonal precision",
              (("gap", -2.0, 2.0), ("precision", 0.2, 2.0, "shared")),
              (Term("term", Map("weighted_square", "Square times a precision.", lambda b, x, precision: x * x * precision, (0.0, 8.0)), (0, 1)),),
              "distance", ROOT),
    Statistic(("logistic_scores", "logistic_probabilities"), "Compute the logistic regression's probability of each row",
              (("feature", -1.0, 1.0), ("weight", -0.05, 0.05, "shared")), (Term("product", "mul", (0, 1), bounds=(-0.05, 0.05)),), "probability",
              Map("logistic", "The logistic function.", lambda b, x: 1.0 / (1.0 + ops.exp(bounded(-x, -40.0, 40.0))))),
    Statistic(("outlier_counts", "count_large_values"), "Count how many elements of each row lie more than 1.5 from zero", SIGNED,
              (Term("outlier", Map("is_outlier", "One for a value far from zero.",
                                   lambda b, x: ops.where(ops.abs(x) > 1.5, lift(1.0, x.type), 0.0)),),), "outlier_count"),
)  # fmt: skip
