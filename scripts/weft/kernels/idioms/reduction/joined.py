"""Reductions whose parts are more than sums: places, running moments, rescaled sums, classes of each row."""

from __future__ import annotations

import math

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.blocks import Rows, Total
from weft.kernels.idioms.reduction.rows import ROWS
from weft.kernels.idioms.shared_tile.rows import CLASSES, log_sum_exp, softmax_parts
from weft.kernels.intervals import INFINITY
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32
from weft.kernels.words import plural


def _start(k: Builder, names: tuple[str, ...], nouns: tuple[tuple[str, str, str], ...], *forms: str) -> Rows:
    k.name, *k.other_names = k.rng.shuffled(names)
    return Rows(k, k.rng.pick(*nouns), k.rng.pick(*forms))


def _stored(k: Builder, w: Rows, **values: Expr) -> None:
    """Numbers of the block's row, stored by one thread."""
    named = {name: value if isinstance(value, Name) else k.let(name, value) for name, value in values.items()}
    with k.when(k.in_block().equals(0)):
        for name, value in named.items():
            k.store(k.array(plural(name), value.type, [w.count], None, "out"), w.place, value)


def row_losses(k: Builder) -> None:
    """What a classifier's logits cost, or how sure they are."""
    kind = k.rng.pick("entropy", "cross", "cross", "smoothed", "z", "lse", "expected", "margin", "confidence")
    w = _start(k, _LOSSES[kind][0], CLASSES, "row", "stride")
    logit = w.read("logit", -4.0, 4.0)
    assert logit.array is not None
    if kind in ("cross", "smoothed", "margin"):
        labels = k.array(
            "labels", I32, [w.count], {"integers": [0, w.columns if w.form == "stride" else w.length]}
        )
        label = k.let("label", labels[w.place])
    if kind in ("entropy", "expected"):
        exponential, top, total = softmax_parts(w, logit)
        other = (
            w.element("shifted", "sub", logit, top)
            if kind == "entropy"
            else w.column("class_value", 0.0, 5.0)
        )
        (weighted,) = w.totals(Total("weighted_sum", "sum", w.element("weighted", "mul", exponential, other)))
        assert total.value is not None and weighted.value is not None
        mean = weighted.value / total.value
        result: Expr = ops.log(total.value) - mean if kind == "entropy" else mean
    elif kind == "confidence":
        _, _, total = softmax_parts(w, logit)
        assert total.value is not None
        result = 1.0 / total.value
    else:
        lse = log_sum_exp(w, logit).value
        assert lse is not None
        result = lse
        if kind == "cross":
            result = lse - logit.array[w.place, label]
        elif kind == "margin":
            result = ops.exp(bounded(logit.array[w.place, label] - lse, -30.0, 0.0))
        elif kind == "smoothed":
            smoothing = k.rng.number(0.05, 0.2)
            (total,) = w.totals(Total("logit_sum", "sum", logit))
            mean_logit = w.mean("mean_logit", total).value
            assert mean_logit is not None
            result = lse - (1.0 - smoothing) * logit.array[w.place, label] - smoothing * mean_logit
        elif kind == "z":
            result = k.rng.number(0.0001, 0.01) * (lse * lse)
    _stored(k, w, **{_LOSSES[kind][2]: result})
    k.doc = f"{_LOSSES[kind][1]}. {w.blocks}."


_LOSSES = {
    "entropy": (("softmax_entropies", "prediction_entropies"),
     "Compute the entropy of the softmax of each row", "entropy"),
    "cross": (("cross_entropy_rows", "negative_log_likelihood", "label_losses"),
     "Compute the cross-entropy of each row with the true class", "loss"),
    "smoothed": (("label_smoothing_losses", "smoothed_losses"),
     "Compute the cross-entropy of each row with smoothed labels", "loss"),
    "margin": (("true_class_probabilities", "label_probabilities"),
     "Compute the softmax probability of the true class of each row", "true_probability"),
    "z": (("z_losses", "logit_penalties"),
     "Penalise the logarithm of each row's sum of exponentials by the square", "penalty"),
    "lse": (("log_sum_exp_rows", "log_partition", "free_energies"),
     "Compute the logarithm of the sum of exponentials of each row", "log_partition"),
    "expected": (("expected_values", "distributional_values"),
     "Compute the mean of the class values of each row under the softmax", "expected_value"),
    "confidence": (("softmax_confidences", "top_probabilities"),
     "Compute the largest softmax probability of each row", "confidence"),
}  # fmt: skip


def place_of_extreme(k: Builder) -> None:
    """The largest or smallest element of each row, and where it is."""
    edge = k.rng.pick("max", "min")
    word = {"max": "largest", "min": "smallest"}[edge]
    names = (f"arg{edge}_rows", f"{word}_with_place", f"place_of_{word}", f"row_arg{edge}")
    w = _start(k, names, ROWS + CLASSES, "row", "stride", "stride")
    noun = k.rng.pick("score", "distance", "cost", "reading", "response")
    operand = w.read(noun, -9.0, 9.0)
    assert operand.array is not None
    if w.form == "row":
        assert operand.value is not None
        place = k.let("place", tiles.place_of(edge, operand.value)[0])
        _stored(k, w, **{f"{word}_{noun}": operand.value[place], "place": place})
    else:
        limit = -INFINITY if edge == "max" else INFINITY
        own, at = (
            k.var(f"own_{word}", limit, bounds=(-math.inf, math.inf)),
            k.var("own_place", 0, type=I32, bounds=(0, w.length)),
        )
        with w.each() as j:
            value = k.let(noun, operand.array[w.place, j])
            with k.when(value > own if edge == "max" else value < own):
                k.set(own, value)
                k.set(at, bounded(j, 0, w.length))
        lanes = k.let(f"thread_{word}", tiles.of_threads(k, own))
        places = k.let("thread_places", tiles.of_threads(k, at))
        winner = k.let("winner", tiles.place_of(edge, lanes)[0])
        _stored(k, w, **{f"{word}_{noun}": lanes[winner], "place": places[winner]})
    k.doc = f"Find the {word} {noun} of each row and where it is. {w.blocks}."


def compensated_rows(k: Builder) -> None:
    """Sums of long rows by Kahan's or Neumaier's method in each thread."""
    neumaier, squares = k.rng.chance(0.4), k.rng.chance(0.3)
    who = "neumaier" if neumaier else "kahan"
    names = (
        f"{who}_{'energies' if squares else 'sums'}",
        f"compensated_row_{'squares' if squares else 'sums'}",
        f"{who}_row_totals",
    )
    w = _start(k, names, ROWS, "stride")
    values = w.read(k.rng.pick("value", "sample", "charge"), -1.0, 1.0)
    assert values.array is not None
    total, lost = k.var("own_total", 0.0), k.var("lost", 0.0)
    with w.each() as j:
        value = k.let("value", values.array[w.place, j])
        value = k.let("square", value * value) if squares else value
        if neumaier:
            updated = k.let("updated", total + value)
            with k.when(ops.abs(total) >= ops.abs(value)):
                k.add(lost, total - updated + value)
            with k.otherwise():
                k.add(lost, value - updated + total)
            k.set(total, bounded(updated, -1e4, 1e4))
        else:
            corrected = k.let("corrected", value - lost)
            updated = k.let("updated", total + corrected)
            k.set(lost, bounded(updated - total - corrected, -1.0, 1.0))
            k.set(total, bounded(updated, -1e4, 1e4))
    own = total + lost if neumaier else total
    _stored(k, w, row_total=bounded(tiles.summed(tiles.of_threads(k, own), free_order=True)[0], -1e5, 1e5))
    what = "squares of the elements" if squares else "elements"
    k.doc = f"Sum the {what} of each row, in each thread by {who.capitalize()}'s method. {w.blocks}."


def summaries(k: Builder) -> None:
    """Several statistics of each row in one pass."""
    picked = k.rng.shuffled(["total", "square_sum", "min_value", "max_value", "magnitude_sum"])[
        : k.rng.pick(3, 4, 4, 5)
    ]
    w = _start(
        k,
        ("row_summaries", "summarize_rows", "several_statistics", "row_profile"),
        ROWS,
        "row",
        "panel",
        "stride",
        "stride",
    )
    value = w.read(k.rng.pick("value", "reading", "sample", "price"), -2.0, 2.0)
    of = {
        "total": lambda: Total("total", "sum", value),
        "square_sum": lambda: Total("square_sum", "sum", w.element("square", "mul", value, value)),
        "min_value": lambda: Total("min_value", "min", value),
        "max_value": lambda: Total("max_value", "max", value),
        "magnitude_sum": lambda: Total("magnitude_sum", "sum", w.element("magnitude", "abs", value)),
    }
    totals = w.totals(*(of[one]() for one in picked))
    w.keep(**{one.name: one for one in totals})
    words = {"total": "sum", "square_sum": "sum of squares", "min_value": "smallest value",
     "max_value": "largest value",
             "magnitude_sum": "sum of magnitudes"}  # fmt: skip
    *first, last = (words[one] for one in picked)
    k.doc = f"Compute the {', '.join(first)} and {last} of each row in one pass. {w.blocks}."
