"""Launches over a line of elements, and how a program of several launches ends."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.curves import curve
from weft.kernels.expressions import ops
from weft.kernels.grids import threads
from weft.kernels.holes import term
from weft.kernels.launched import Step, Zeroed
from weft.kernels.launches import Part, kernel, shared
from weft.kernels.program import Expr, Parameter
from weft.kernels.results import describe
from weft.kernels.types import I32
from weft.kernels.words import article, told


def on_line(part: Part, *names: str) -> Expr:
    """One thread for each element of a line."""
    k = part.k
    threads(k, 1, name=k.rng.pick(*(names or ("i", "cell", "item"))))
    return k.index[0]


def line_count(part: Part) -> Expr:
    """The number of elements of a line, as a parameter."""
    return part.k.size("count", "n")


def closing_steps(k: Builder, field: Parameter, levels: tuple[float, float] = (-0.2, 0.2)) -> list[Step]:
    """What is learnt from a field at the end, in one or two more launches; perhaps nothing.

    Some of its values lie above any level between `levels`, and some do not.
    """
    what = k.rng.pick(
        "nothing", "count", "extremes", "levels", "sign", "pairs", "mean", "weighted", "reference", "order"
    )
    if what == "nothing":
        return []
    if what == "count":
        total = shared(k, k.rng.pick("number_above", "crossings"), I32, ["1"], None, "out")

        def count(part: Part) -> None:
            i = on_line(part)
            values = part.use("values", field)
            level = coefficient(part.k, "level", *levels, kinds="lp")
            both = part.k.rng.chance(0.5)
            here = part.k.let("here", values[i])
            test = here > level
            if both:
                test = test & (values[(i + 1) % line_count(part)] <= level)
            with part.k.when(test):
                handle = part.use("total", total, "inout", {"constant": 0})
                part.k.atomic("add", handle, 0, 1)
            describe(part.k, f"How many values {'fall through' if both else 'lie above'} {told(level)}")

        return [Zeroed(total.name), kernel(k, "count_values", count)()]
    if what == "extremes":
        top = shared(k, k.rng.pick("largest", "peak"), k.real, ["1"], {"constant": -100.0}, "inout")

        def extreme(part: Part) -> None:
            i = on_line(part)
            values = part.use("values", field)
            best = part.use("best", top, "inout", {"constant": -100.0})
            value, word = term(part.k, values[i], "values", simple=True, strict=True)
            part.k.atomic("max", best, 0, value)
            describe(part.k, f"Largest of the {word.rstrip(',')}")

        return [kernel(k, "find_largest", extreme)()]
    out = shared(k, k.rng.pick("summary", "observed", "shown"), k.real, ["n"], None, "out")

    def observe(part: Part) -> None:
        i = on_line(part)
        values = part.use("values", field)
        if what == "levels":
            steps = float(part.k.rng.pick(4, 8, 16))
            value, doc = ops.round(values[i] * steps) / steps, f"Values in steps of 1/{steps:.0f}"
        elif what == "pairs":
            value, doc = (
                values[(i + 1) % line_count(part)] - values[i],
                "Differences between neighbors, around the end",
            )
        elif what == "mean":
            after = values[(i + 1) % line_count(part)]
            value, doc = part.k.rng.pick(
                (0.5 * (values[i] + after), "Mean of each value and the next, around the end"),
                (ops.max(values[i], after), "Larger of each value and the next, around the end"),
                (ops.abs(values[i] - after), "Distance of each value from the next, around the end"),
            )
        elif what == "weighted":
            weights = part.k.array("weights_in", part.k.real, ["n"], uniform(0.2, 2.0))
            value, doc = weights[i] * values[i], "Values with weights of their own"
        elif what == "reference":
            expected = part.k.array("expected", part.k.real, ["n"], uniform(-1.0, 1.0))
            gap = part.k.let("gap", values[i] - expected[i])
            value, doc = part.k.rng.pick(
                (gap * gap, "Squared differences from what is expected"),
                (ops.abs(gap), "Distances from what is expected"),
            )
        elif what == "order":
            order = part.k.array("report_order", I32, ["n"], {"integers": [0, "n"]})
            value, doc = values[order[i]], "Values in the order of a report"
        else:
            shaped, word = curve(part.k, values[i])
            value, doc = shaped, f"Values through {article(word)}"
        part.k.store(part.use("out", out, "out"), i, value)
        describe(part.k, doc)

    return [kernel(k, "observe", observe)()]
