"""Norms and distances."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.rows import row
from weft.kernels.program import Expr
from weft.kernels.results import finish


def vector_measures(k: Builder) -> None:
    """Norms, products and likenesses of pairs of rows."""
    found = row(k, k.real)
    how = k.rng.pick("dot", "cosine", "distance", "l1", "maximum", "canberra", "correlation", "angle")
    shared = k.rng.chance(0.4)
    partner = k.array(
        k.rng.pick("others", "references", "queries"),
        k.real,
        [str(found.length)] if shared else [k.shape[0], str(found.length)],
        uniform(-1.0, 1.0),
    )
    i = k.index[0]
    total = k.var(k.rng.pick("total", "product"), 0.0)
    own = k.var("own", 0.0) if how in ("cosine", "angle", "correlation") else None
    theirs = k.var("theirs", 0.0) if how in ("cosine", "angle", "correlation") else None
    weights = (
        k.array("weights", k.real, [str(found.length)], uniform(0.2, 1.0)) if k.rng.chance(0.35) else None
    )
    with found.each() as (j, x):
        y = k.let("y", partner[j] if shared else partner[i, j])
        if how in ("dot", "cosine", "angle", "correlation"):
            amount: Expr = x * y
        elif how == "distance":
            gap = k.let("gap", x - y)
            amount = gap * gap
        elif how == "canberra":
            amount = ops.abs(x - y) / (0.1 + ops.abs(x) + ops.abs(y))
        else:
            amount = ops.abs(x - y)
        if weights is not None:
            amount = weights[j] * amount
        if how == "maximum":
            k.set(total, ops.max(total, amount))
        else:
            k.add(total, amount)
        if own is not None and theirs is not None:
            k.add(own, x * x)
            k.add(theirs, y * y)
    result: Expr = bounded(total, -3.0, 3.0)
    if own is not None and theirs is not None:
        scale = ops.sqrt(bounded(own, 0.0, 100.0) * bounded(theirs, 0.0, 100.0)) + k.rng.number(0.05, 0.3)
        result = bounded(result / scale, -1.5, 1.5)
        if how == "angle":
            result = ops.acos(ops.clamp(k.let("cosine", 0.9 * result), -0.99, 0.99))
    elif how == "distance":
        result = bounded(ops.sqrt(bounded(total, 0.0, 400.0)), 0.0, 6.0)
    elif how == "maximum":
        result = bounded(total, 0.0, 4.0)
    nouns = {
        "dot": "Dot product",
        "cosine": "Damped cosine of the angle",
        "distance": "Distance",
        "l1": "Sum of the differences' magnitudes",
        "maximum": "Largest difference",
        "canberra": "Canberra distance, damped,",
        "correlation": "Likeness",
        "angle": "Angle, damped,",
    }
    whom = "a reference" if shared else "their partners"
    word = ", weighted by column" if weights is not None else ""
    finish(
        k,
        k.rng.pick("likeness", "measure", "affinity"),
        result,
        f"{nouns[how]} between the {found.noun} of each row and {whom}{word}",
    )
