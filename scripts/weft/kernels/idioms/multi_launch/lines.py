"""Launches over a line of elements, and how a program of several launches ends."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient
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
    threads(k, 1, every=True, name=k.rng.pick(*(names or ("i", "cell", "item"))))
    return k.index[0]


def line_count(part: Part) -> Expr:
    """The number of elements of a line, as a parameter."""
    return part.k.size("count", "n")


def closing_steps(k: Builder, field: Parameter) -> list[Step]:
    """What is learnt from a field at the end, in one or two more launches; perhaps nothing."""
    what = k.rng.pick("nothing", "count", "extremes", "levels", "sign", "pairs")
    if what == "nothing":
        return []
    if what == "count":
        total = shared(k, k.rng.pick("number_above", "crossings"), I32, ["1"], None, "out")

        def count(part: Part) -> None:
            i = on_line(part)
            values = part.use("values", field)
            level = coefficient(part.k, "level", -0.2, 0.2, kinds="lp")
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
            value, doc = ops.floor(values[i] * steps) / steps, f"Values in steps of 1/{steps:.0f}"
        elif what == "pairs":
            value, doc = (
                values[(i + 1) % line_count(part)] - values[i],
                "Differences between neighbors, around the end",
            )
        else:
            shaped, word = curve(part.k, values[i])
            value, doc = shaped, f"Values through {article(word)}"
        part.k.store(part.use("out", out, "out"), i, value)
        describe(part.k, doc)

    return [kernel(k, "observe", observe)()]
