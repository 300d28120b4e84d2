"""Norms of rows."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.linear_algebra.entries import inner_width
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import threads, uniform


def row_norm(k: Builder) -> None:
    """Norms of rows, and rows scaled by them."""
    threads(k, 1, name="row")
    (row,) = k.index
    cols, bound = inner_width(k, "cols", 4, 6, 8)
    kind = k.rng.pick("two", "one", "largest", "mean square", "spread")
    a = k.array("a", k.real, ["n", cols], uniform(0.1, 1.0))
    total = k.var("total", 0.0)
    mean = k.var("mean", 0.0) if kind == "spread" else None
    size = float(int(k.sizes[cols]))
    if mean is not None:
        with k.loop("j", 0, bound) as j:
            k.add(mean, a[row, j] / size)
    with k.loop("j", 0, bound) as j:
        entry = a[row, j]
        match kind:
            case "two" | "mean square":
                entry = k.let("entry", entry)
                k.add(total, entry * entry)
            case "one":
                k.add(total, ops.abs(entry - k.rng.number(0.2, 0.6)))
            case "largest":
                k.set(total, ops.max(total, entry))
            case _:
                assert mean is not None
                gap = k.let("gap", entry - mean)
                k.add(total, gap * gap)
    norm: Expr = total
    if kind in ("two", "mean square", "spread"):
        inside = total if kind == "two" else total / size
        norm = ops.sqrt(bounded(inside, 0.0, 100.0))
    words = {
        "two": "Euclidean norm",
        "one": "Sum of distances from a number",
        "largest": "Largest entry",
        "mean square": "Root mean square",
        "spread": "Standard deviation",
    }
    if k.rng.chance(0.5):
        norm = bounded(k.let("norm", norm), 0.0, 20.0)
        scaled = k.array("scaled", k.real, ["n", cols], None, "out")
        ease = k.rng.number(0.05, 0.5)
        with k.loop("j", 0, bound) as j:
            k.store(scaled, (row, j), a[row, j] / (norm + ease))
        k.notes.append(f"The row divided by it plus {ease} is stored as well")
    finish(k, "norm_value", norm, f"{words[kind]} of each row")
