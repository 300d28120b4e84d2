"""Sums over the points of a small grid within each cell."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import article, coefficient, curve, read, threads, uniform


def cell_quadrature(k: Builder) -> None:
    """Integrals, shares and extremes of a function over each thread's cell, point by point."""
    threads(k, 1, 2)
    across, down = k.rng.pick((3, 3), (4, 4), (5, 3), (4, 6), (8, 2))
    left, low = read(k, "left", -1.0, 1.0, inline=True), read(k, "bottom", -1.0, 1.0, inline=True)
    left, low = k.let("x_start", left), k.let("y_start", low)
    width = coefficient(k, "cell_width", 0.2, 1.0, kinds="lp")
    goal = k.rng.pick("mean", "mean", "largest", "moment", "share", "work")
    rule = k.rng.pick("middle", "corners", "table") if goal == "mean" else k.rng.pick("middle", "corners")
    weights = (
        k.array("weights", k.real, [str(down), str(across)], uniform(0.2, 1.0)) if rule == "table" else None
    )
    radius = coefficient(k, "radius", 0.4, 1.2, kinds="lp") if goal == "share" else None
    weight_sum = k.var("weight_sum", 0.0) if weights is not None else None
    total = k.var(
        "inside" if goal == "share" else "largest" if goal == "largest" else "total",
        -20.0 if goal == "largest" else 0.0,
    )
    offset = 0.0 if rule == "corners" else 0.5
    early = k.rng.chance(0.5)
    names = k.rng.pick(("a", "b"), ("sy", "sx"), ("q", "p"))

    def place(start: Expr, at: Expr, count: int) -> Expr:
        steps = count - 1 if rule == "corners" else count
        share = (convert(k.real, at) + offset) if offset else convert(k.real, at)
        return (
            start + width * share / float(steps)
            if k.rng.chance(0.5)
            else start + share * (width / float(steps))
        )

    word = ""
    with k.loop(names[0], 0, down) as a:
        y = k.let("y_there", place(low, a, down)) if early else None
        with k.loop(names[1], 0, across) as b:
            x = k.let("x_there", place(left, b, across))
            y_here = y if y is not None else k.let("y_there", place(low, a, down))
            if radius is not None:
                with k.when(x * x + y_here * y_here < radius * radius):
                    k.add(total, 1.0)
                continue_with: Expr | None = None
            else:
                argument, formula = k.rng.pick(
                    (x * y_here, "x y"), (x * x - y_here * y_here, "x² - y²"), (x + 2.0 * y_here, "x + 2 y"),
                    (x * x + y_here * y_here, "x² + y²"), (x - y_here, "x - y"),
                )  # fmt: skip
                shaped, name = curve(k, k.let("argument", argument))
                word = f"{article(name)} of {formula}"
                continue_with = shaped
            if continue_with is not None:
                if goal == "largest":
                    k.set(total, ops.max(total, continue_with))
                elif goal == "moment":
                    k.add(total, continue_with * k.rng.pick(x, y_here))
                elif goal == "work":
                    value = k.let("value", continue_with)
                    k.add(total, value * value)
                elif weights is not None and weight_sum is not None:
                    w = k.let("w", weights[a, b])
                    k.add(total, w * continue_with)
                    k.add(weight_sum, w)
                elif rule == "corners" and k.rng.chance(0.5):
                    edge = a.equals(0) | a.equals(down - 1) | b.equals(0) | b.equals(across - 1)
                    k.add(total, ops.where(edge, lift(0.5, k.real), 1.0) * continue_with)
                else:
                    k.add(total, continue_with)
    points = f"{down} by {across} points"
    if radius is not None:
        share = total / float(across * down)
        finish(k, "coverage", share, f"Share of each cell within a circle, from {points}")
    elif goal == "largest":
        finish(k, "peak", total, f"Largest value of {word} in each cell, from {points}")
    else:
        result: Expr = total / float(across * down)
        if weight_sum is not None:
            result = total / bounded(weight_sum, 0.5, 64.0)
        what = {"mean": "Mean", "moment": "First moment", "work": "Mean square"}[goal]
        finish(k, "cell_value", result, f"{what} of {word} over each cell, from {points}")
