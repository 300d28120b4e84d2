"""Special functions of statistics, and steps and signs."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32
from weft.kernels.vocabulary import coefficient, read, threads


def normal_quantiles(k: Builder) -> None:
    """Error functions and their inverses: tails, quantiles, scores."""
    k.real = F32
    threads(k)
    sigma = coefficient(k, k.rng.pick("sigma", "spread"), 0.5, 2.0)
    match k.rng.pick("tail", "cdf", "quantile", "upper", "between"):
        case "tail":
            z = k.let("z", read(k, "deviation", 0.0, 2.5) / sigma)
            finish(
                k,
                "tail",
                0.5 * ops.erfc(z * 0.7071),
                "Probability beyond each deviation of a normal distribution",
            )
        case "cdf":
            z = k.let("z", read(k, "sample", -2.5, 2.5) / sigma)
            finish(
                k, "rank", 0.5 * (1.0 + ops.erf(z * 0.7071)), "Rank of each sample in a normal distribution"
            )
        case "quantile":
            p = read(k, "probability", 0.05, 0.95, array="probabilities")
            score = k.let("score", 1.4142 * ops.erfinv(2.0 * p - 1.0))
            finish(
                k,
                "quantile",
                coefficient(k, "mean", -1.0, 1.0) + sigma * score,
                "Quantile of a normal distribution at each probability",
            )
        case "upper":
            p = read(k, "tail_share", 0.05, 1.9)
            finish(k, "threshold", sigma * ops.erfcinv(p), "Threshold beyond which a share of the tails lies")
        case _:
            low, high = read(k, "low", -2.0, 0.0), read(k, "high", 0.0, 2.0)
            between = k.let("between", ops.erf(high / sigma) - ops.erf(low / sigma))
            finish(k, "share", 0.5 * between, "Share of a distribution between two limits")


def signed_response(k: Builder) -> None:
    """Responses that keep a sign: signed roots, cube roots, copied signs, switches."""
    k.real = F32
    threads(k)
    x = read(k, "drive", -2.0, 2.0)
    x = x if x.interval.lo >= -100.0 else k.let("limited", x)
    gain = coefficient(k, "gain", 0.3, 2.0)
    match k.rng.pick("cube root", "signed root", "copied", "switch", "mask", "angle"):
        case "cube root":
            value: Expr = gain * ops.cbrt(x)
            doc = "Cube root of each drive, times a gain"
        case "signed root":
            value = ops.copysign(ops.sqrt(gain * ops.abs(x)), x)
            doc = "Square root of each drive's magnitude, with its sign"
        case "copied":
            other = read(k, "direction", -1.0, 1.0)
            value = ops.copysign(gain * ops.abs(x) + 0.1, other)
            doc = "Magnitude of each drive, scaled, with the sign of its direction"
        case "switch":
            level = coefficient(k, "level", -0.5, 0.5, kinds="lp")
            value = ops.step(level - x) * gain * (x - level) + 0.1 * x
            doc = "A tenth of each drive, and a gain above a level"
        case "mask":
            flags = read(k, "presence", 0.0, 1.0, inline=True)
            kept = ops.nonzero(ops.max(flags - k.rng.number(0.2, 0.6), 0.0))
            value = kept * x + (1.0 - kept) * gain
            doc = "Each drive where it is present, elsewhere a default"
        case _:
            value = ops.sin(ops.radians(gain * read(k, "angle", -90.0, 90.0)) + x)
            doc = "Sine of each drive shifted by an angle in degrees"
    finish(k, "response", bounded(value, -100.0, 100.0), doc)
