"""Rows that a block normalises, turns into probabilities, or quantises, and the gradients of these."""

from __future__ import annotations

import math
from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient
from weft.kernels.domains.neural import ACTIVATIONS
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.idioms.blocks import Map, Operand, Rows, Total
from weft.kernels.program import Redraw, Undefined
from weft.kernels.types import I8, I32
from weft.kernels.words import lowered

CLASSES = (("row", "rows", "classes"), ("sample", "samples", "classes"), ("token", "tokens", "vocabulary"))
CHANNELS = (
    ("token", "tokens", "channels"),
    ("row", "rows", "features"),
    ("sample", "samples", "features"),
    ("position", "positions", "channels"),
)
KEYS = (("query", "queries", "keys"), ("row", "rows", "keys"))

SHIFTED_EXP = Map("shifted_exp", "Return the exponential of a logit relative to the largest of its row.",
    lambda b, logit, max_logit: ops.exp(bounded(logit - max_logit, -40.0, 0.0)), (0.0, 1.0))  # fmt: skip
LOG_SUM = Map("log_sum", "Return the logarithm of a sum of exponentials.",
    lambda b, max_logit, exp_sum: max_logit + ops.log(exp_sum), (-30.0, 30.0))  # fmt: skip
HIDDEN = Map("hide_masked", "Return the score, or a large negative number where it is masked out.",
    lambda b, score, visible: ops.where(visible.equals(1), score, lift(-30.0, score.type)))  # fmt: skip
THROUGH_LOG = Map("through_log_softmax", "Return the gradient of a logit behind the logarithm of a softmax.",
    lambda b, gradient, log_probability, total: gradient - ops.exp(log_probability) * total)  # fmt: skip
THROUGH_SOFTMAX = Map("through_softmax", "Return the gradient of a logit behind a softmax.",
    lambda b, gradient, probability, total: probability * (gradient - total))  # fmt: skip
TARGET_GAP = Map("target_gap", "Return the softmax probability less the target.",
    lambda b, exponential, exp_sum, target: exponential / exp_sum - target)  # fmt: skip
PERTURBED = Map("perturbed_logit", "Return the logit with Gumbel noise, over the temperature.",
    lambda b, logit, draw, scale: scale * (logit - ops.log(-ops.log(draw))), (-16.0, 16.0))  # fmt: skip
THROUGH_RMS = Map("through_norm", "Return the gradient of an element before the normalization.",
    lambda b, scaled, normalized, dot, inverse: inverse * (scaled - normalized * dot))  # fmt: skip
THROUGH_NORM = Map(
    "through_norm",
    "Return the gradient of an element before the normalization.",
    lambda b, scaled, normalized, mean, dot, inverse: inverse * (scaled - mean - normalized * dot),
)
RANGE = Map("value_range", "Return the range of a row, kept away from zero.",
    lambda b, lowest, highest: ops.max(highest - lowest, 1e-6))  # fmt: skip
NORM = Map("row_norm", "Return the Euclidean norm, kept away from zero.",
    lambda b, square_sum: ops.max(ops.sqrt(square_sum), 1e-6))  # fmt: skip
DEVIATION = Map("standard_deviation", "Return the standard deviation, kept away from zero.",
    lambda b, variance: ops.max(ops.sqrt(variance), 1e-6))  # fmt: skip
SQUASH = Map("squash", "Return the squared norm over one plus itself, over the norm.",
    lambda b, square_sum: ops.sqrt(square_sum) / (1.0 + square_sum))  # fmt: skip
CLIP = Map("shrinkage", "Return the factor that brings the norm of a row down to one.",
    lambda b, square_sum: 1.0 / ops.max(ops.sqrt(square_sum), 1.0))  # fmt: skip
STEP = Map("row_scale", "Return the step between two levels.",
    lambda b, absmax: ops.max(absmax, 1e-3) / 127.0, (7e-6, 0.024))  # fmt: skip
LEVEL = Map("quantized", "Round to a number of steps that eight bits hold.",
    lambda b, value, scale: convert(I8, ops.rint(bounded(value / scale, -127.4, 127.4))))  # fmt: skip
NEAREST = Map("nearest_level", "Return the nearest value that eight bits can hold.",
    lambda b, value, scale: scale * ops.rint(bounded(value / scale, -128.0, 128.0)), (-3.1, 3.1))  # fmt: skip
PEAK_GAIN = Map("peak_gain", "Return the gain that brings the peak to one.",
    lambda b, peak: 1.0 / ops.max(peak, 1e-6))  # fmt: skip


def _rooted(epsilon: float) -> Map:
    """One over the root of a mean square that is kept away from zero."""
    doc = "Return one over the root of a mean square, which is kept away from zero."
    return Map(
        "inverse_root", doc, lambda b, mean_square: 1.0 / ops.sqrt(mean_square + epsilon), (0.05, 1200.0)
    )


def _affine(w: Rows, name: str, doc: str, body: Callable[..., object]) -> Map:
    """A gain of at most 1.5 and a shift of a half, of elements that are normalised."""
    reach = 1.5 * math.sqrt(w.length) + 0.5
    return Map(name, doc, body, (-reach, reach))  # type: ignore[arg-type]


def _named(k: Builder, *names: str) -> None:
    k.name, *k.other_names = k.rng.shuffled(names)


def softmax_parts(w: Rows, logit: Operand) -> tuple[Operand, Operand, Operand]:
    """Exponentials of logits, and for each row the largest logit and the sum of exponentials."""
    (top,) = w.totals(Total("max_logit", "max", logit))
    exponential = w.element("exponential", SHIFTED_EXP, logit, top)
    (total,) = w.totals(Total("exp_sum", "sum", exponential, (1.0, float(w.length))))
    return exponential, top, total


def log_sum_exp(w: Rows, logit: Operand) -> Operand:
    """The logarithm of the sum of a row's exponentials."""
    _, top, total = softmax_parts(w, logit)
    return w.of_rows("log_sum_exp", LOG_SUM, top, total)


def _squares(w: Rows, value: Operand, reach: float) -> Operand:
    """The sum of squares of each row."""
    square = w.element("square", "mul", value, value)
    (total,) = w.totals(Total("square_sum", "sum", square, (0.0, reach * reach * w.length)))
    return total


def variance_parts(w: Rows, value: Operand) -> tuple[Operand, Operand, Operand]:
    """Differences from the mean of the row, the mean and the variance."""
    (total,) = w.totals(Total("total", "sum", value))
    mean = w.mean("mean", total)
    centered = w.element("centered", "sub", value, mean)
    return centered, mean, w.mean("variance", _squares(w, centered, 10.0))


def _softmax(k: Builder, w: Rows) -> str:
    kind = k.rng.pick("", "tempered_", "biased_", "masked_", "log_", "log_", "tempered_log_")
    _named(k, f"{kind}softmax", f"{kind}softmax_rows", f"row_{kind}softmax")
    logit = w.read("logit" if kind != "masked_" else "score", -4.0, 4.0)
    how = ""
    if "tempered" in kind:
        inverse = k.let("inverse_temperature", 1.0 / coefficient(k, "temperature", 0.5, 2.0, kinds="p"))
        logit = w.element("scaled_logit", "mul", logit, w.number(inverse))
        how = " under a temperature"
    elif kind == "biased_":
        logit = w.element("biased_logit", "add", logit, w.column("bias", -1.0, 1.0, plural_name="biases"))
        how = " with a bias for each class"
    elif kind == "masked_":
        mask = w.read("visible", 0, 1, element=I32, plural_name="mask")
        logit = w.element("masked_score", HIDDEN, logit, mask)
        how = " over what the mask leaves"
    if "log" in kind:
        w.write("log_probability", "sub", logit, log_sum_exp(w, logit))
        return f"Compute the logarithm of the softmax of each row{how}"
    exponential, _, total = softmax_parts(w, logit)
    w.write("probability", "div", exponential, total)
    return f"Compute the softmax of each row{how}"


def _softmax_backward(k: Builder, w: Rows) -> str:
    log = "log_" * k.rng.chance(0.4)
    _named(k, f"{log}softmax_backward", f"{log}softmax_gradient")
    gradient = w.read("gradient", -1.0, 1.0, plural_name="output_gradients")
    if log:
        value = w.read("log_probability", -6.0, -0.1)
        (total,) = w.totals(Total("gradient_sum", "sum", gradient))
    else:
        value = w.read("probability", 0.0, 0.1)
        (total,) = w.totals(Total("weighted_sum", "sum", w.element("weighted", "mul", gradient, value)))
    w.write("logit_gradient", THROUGH_LOG if log else THROUGH_SOFTMAX, gradient, value, total)
    return f"Backpropagate through the {'logarithm of the ' if log else ''}softmax of each row"


def _distillation(k: Builder, w: Rows) -> str:
    _named(k, "distillation_gradient", "soft_target_gradient")
    logit, target = w.read("logit", -4.0, 4.0), w.read("target", 0.0, 0.1)
    exponential, _, total = softmax_parts(w, logit)
    w.write("logit_gradient", TARGET_GAP, exponential, total, target)
    return "Compute the gradient of the cross-entropy of each row with soft targets"


def _gumbel(k: Builder, w: Rows) -> str:
    _named(k, "gumbel_softmax", "relaxed_categorical_sample")
    logit, draw = w.read("logit", -3.0, 3.0), w.read("uniform_draw", 0.01, 0.99)
    sharpness = k.let("sharpness", 1.0 / coefficient(k, "temperature", 0.7, 2.0, kinds="p"))
    perturbed = w.element("perturbed", PERTURBED, logit, draw, w.number(sharpness))
    exponential, _, total = softmax_parts(w, perturbed)
    w.write("relaxed_sample", "div", exponential, total)
    return "Draw a relaxed sample of each row's categories by the Gumbel softmax"


def _activated(k: Builder, w: Rows, value: Operand) -> str:
    """Store normalised elements, perhaps with an activation; its words."""
    if not k.rng.chance(0.35):
        if value.made is not None:
            w.write("normalized", value.made[0], *value.made[1])
        else:
            w.keep(normalized=value)
        return ""
    label, how, _, curve = k.rng.pick(*ACTIVATIONS)
    try:
        w.write("activation", Map(label, f"Apply {lowered(how)}.", lambda b, x: curve(b, x)), value)
    except Undefined as error:
        raise Redraw(str(error)) from error
    return f", and then apply {lowered(how)}"


def _residual(k: Builder, w: Rows, stem: str, *words: str) -> tuple[Operand, str]:
    """What is normalised: an input, or an input plus the residual stream, which may be kept."""
    adds = w.form != "stride" and k.rng.chance(0.4)
    prefix = "residual_" * adds
    _named(k, f"{prefix}{stem}", f"{prefix}{stem}_rows", *(f"{prefix}{one}" for one in words))
    value = w.read(k.rng.pick("feature", "hidden", "embedding"), -2.0, 2.0)
    if not adds:
        return value, ""
    value = w.element("residual_sum", "add", value, w.read("residual", -2.0, 2.0))
    if k.rng.chance(0.6):
        w.keep(residual_sum=value)
        return value, " after adding the residual, which is stored as well"
    return value, " after adding the residual"


def _layer_norm(k: Builder, w: Rows) -> str:
    value, told = _residual(k, w, "layer_norm", "layer_normalization")
    centered, mean, variance = variance_parts(w, value)
    inverse = w.of_rows("inverse_std", _rooted(k.rng.pick(1e-5, 1e-6, 1e-3)), variance)
    gained = k.rng.chance(0.7)
    if gained:
        gamma, beta = w.column("gamma", 0.5, 1.5), w.column("beta", -0.5, 0.5)
        rule = _affine(w, "affine_normalized", "Apply the layer's gain and shift to a normalized value.",
                       lambda b, centered, inverse_std, gamma,
                        beta: centered * inverse_std * gamma + beta)  # fmt: skip
        result = w.element("normalized", rule, centered, inverse, gamma, beta)
    else:
        result = w.element("normalized", "mul", centered, inverse)
    how = _activated(k, w, result)
    if k.rng.chance(0.3):
        w.keep(mean=mean, inverse_std=inverse)
        told += ", and keep the means and inverse deviations for the backward pass"
    return f"Normalize each row to mean 0 and variance 1{' with gain and shift' * gained}{told}{how}"


def _rms_norm(k: Builder, w: Rows) -> str:
    value, told = _residual(k, w, "rms_norm", "root_mean_square_norm")
    mean_square = w.mean("mean_square", _squares(w, value, 4.0))
    inverse = w.of_rows("inverse_rms", _rooted(k.rng.pick(1e-5, 1e-6)), mean_square)
    doc = "Value over the root mean square of the row, weighted."
    if k.rng.chance(0.25):
        weight, what = w.column("weight", -0.5, 0.5), "weights relative to one"
        rule = _affine(w, "weighted_norm", doc, lambda b, value, rms, weight: value * rms * (1.0 + weight))
    else:
        weight, what = w.column("weight", 0.5, 1.5), "weights"
        rule = _affine(w, "weighted_norm", doc, lambda b, value, rms, weight: value * rms * weight)
    how = _activated(k, w, w.element("normalized", rule, value, inverse, weight))
    return f"Divide each row by the root mean square, with {what} for the columns{told}{how}"


def _norm_backward(k: Builder, w: Rows) -> str:
    root = k.rng.chance(0.5)
    stem = "rms_norm" if root else "layer_norm"
    _named(k, f"{stem}_backward", f"{stem}_gradient")
    normalized = w.read("normalized", -2.0, 2.0)
    gradient = w.read("gradient", -1.0, 1.0, plural_name="output_gradients")
    gamma, inverse = w.column("gamma", 0.5, 1.5), w.row("inverse_std", 0.3, 2.0)
    scaled = w.element("scaled_gradient", "mul", gradient, gamma)
    along = Total("dot", "sum", w.element("along", "mul", scaled, normalized))
    if root:
        (dot,) = w.totals(along)
        w.write("input_gradient", THROUGH_RMS, scaled, normalized, w.mean("mean_dot", dot), inverse)
        return "Backpropagate through the root mean square normalization of each row"
    total, dot = w.totals(Total("gradient_sum", "sum", scaled), along)
    means = w.mean("mean_gradient", total), w.mean("mean_dot", dot)
    w.write("input_gradient", THROUGH_NORM, scaled, normalized, *means, inverse)
    return "Backpropagate through the layer normalization of each row"


def _scaled_to(k: Builder, w: Rows) -> str:
    """Rows over a norm, a sum or an extent."""
    kind = k.rng.pick("unit", "unit", "clipped", "shares", "peak", "range", "standard", "reward", "squashed")
    names, noun, sentence = _SCALES[kind]
    _named(k, *names)
    value = w.read(noun, 0.05 if kind == "shares" else -2.0, 2.0)
    if kind in ("standard", "reward"):
        centered, _, variance = variance_parts(w, value)
        if kind == "reward":
            w.write("advantage", "div", centered, w.of_rows("deviation", DEVIATION, variance))
        else:
            w.write("standardized", "mul", centered, w.of_rows("inverse_std", _rooted(1e-4), variance))
    elif kind == "shares":
        (total,) = w.totals(Total("total", "sum", value, (0.05 * w.least, 2.0 * w.length)))
        w.write("share", "div", value, total)
    elif kind == "range":
        low, high = w.totals(Total("lowest", "min", value), Total("highest", "max", value))
        extent = w.of_rows("extent", RANGE, low, high)
        w.write("rescaled", "div", w.element("offset", "sub", value, low), extent)
    elif kind == "peak":
        (peak,) = w.totals(Total("peak", "max", w.element("magnitude", "abs", value), (0.0, 2.0)))
        w.write("leveled", "mul", value, w.of_rows("gain", PEAK_GAIN, peak))
    else:
        squares = _squares(w, value, 2.0)
        if kind == "unit":
            w.write("direction", "div", value, w.of_rows("norm", NORM, squares))
        elif kind == "squashed":
            w.write("squashed", "mul", value, w.of_rows("squash_factor", SQUASH, squares))
        else:
            w.write("clipped_gradient", "mul", value, w.of_rows("clip_factor", CLIP, squares))
    return sentence


_SCALES = {
    "unit": (("normalize_rows", "unit_rows", "l2_normalize"), "embedding", "Scale each row to unit length"),
    "clipped": (("clip_row_norms", "clip_sample_gradients"), "gradient",
                "Scale each row down to a norm of at most one"),
    "shares": (("row_shares", "normalize_to_distribution"), "weight",
               "Divide each row by the sum, so that it is a distribution"),
    "peak": (("peak_normalize", "level_peaks"), "sample",
     "Scale each row so that the largest magnitude is one"),
    "range": (("min_max_scale", "rescale_rows"), "feature", "Rescale each row to the range from 0 to 1"),
    "standard": (("standardize_rows", "standard_scores"), "feature",
                 "Compute the standard score of each element within the row"),
    "reward": (("group_advantages", "reward_advantages", "relative_advantages"), "reward",
               "Compute the advantages of each row of rewards, in standard deviations from the mean"),
    "squashed": (("squash_capsules", "capsule_squash"), "capsule",
                 "Squash each row, the vector of a capsule, to a length below one"),
}  # fmt: skip


def _quantized(k: Builder, w: Rows) -> str:
    """Dynamic quantisation with a scale for each row."""
    rounded = k.rng.chance(0.3)
    exact, near = ("quantize_rows", "absmax_quantize"), ("fake_quantize_rows", "quantization_round_trip")
    _named(k, *(near if rounded else exact))
    value = w.read(k.rng.pick("weight", "activation", "feature"), -3.0, 3.0)
    (top,) = w.totals(Total("absmax", "max", w.element("magnitude", "abs", value), (0.0, 3.0)))
    scale = w.of_rows("scale", STEP, top)
    if rounded:
        w.write("rounded", NEAREST, value, scale)
        return "Round each row to the levels that eight bits can hold under the largest magnitude"
    w.write("level", LEVEL, value, scale)
    w.keep(scale=scale)
    return "Quantize each row to eight bits with a scale from the largest magnitude"


CORES: dict[Callable[[Builder, Rows], str], tuple[int, tuple[tuple[str, str, str], ...]]] = {
    _softmax: (5, CLASSES + KEYS),
    _softmax_backward: (2, CLASSES),
    _distillation: (1, CLASSES),
    _gumbel: (1, CLASSES),
    _layer_norm: (6, CHANNELS),
    _rms_norm: (6, CHANNELS),
    _norm_backward: (3, CHANNELS),
    _scaled_to: (6, CHANNELS),
    _quantized: (3, CHANNELS),
}
"""What is done to rows: how likely, and what the rows and columns are."""


def normalized_rows(k: Builder) -> None:
    """Rows over what they have in common, each row by a block or several rows by one."""
    core = k.rng.weighted({one: share for one, (share, _) in CORES.items()})
    k.formulas.append(f"rows.{core.__name__}")
    w = Rows(k, k.rng.pick(*CORES[core][1]), k.rng.pick("row", "panel", "stride"))
    k.doc = f"{core(k, w)}. {w.blocks}."
