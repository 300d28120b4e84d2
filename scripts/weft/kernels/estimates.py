"""The ending of a Monte Carlo estimate: samples of all threads, their mean, and its standard error."""

from __future__ import annotations

from weft.kernels import launches
from weft.kernels.builder import Builder
from weft.kernels.composition import Composition, array_name, elements
from weft.kernels.endings import Style, asked
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Formula, number, whole
from weft.kernels.launched import Zeroed
from weft.kernels.program import Expr
from weft.kernels.words import plural

LARGEST_SUM = 1e12
"""No sum of samples or of squared deviations is larger."""


def _averaged(domain: Domain, goal: Formula) -> bool:
    return goal.result.additive and goal.result.kind in (number, whole) and goal.result.updates is None


@asked(_averaged, 2.0)
def estimated(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Every thread stores a sample; kernels after it sum them, sum their squared deviations, and divide."""
    name, things = goal.result.name, plural(domain.element)
    forms = ("estimate_{}", "mean_{}", "{}_with_error", "monte_carlo_{}")
    k.name, *k.other_names = k.rng.shuffled([one.format(name.removeprefix("mean_")) for one in forms])
    k.equality = "bounded"
    samples = launches.shared(k, array_name(name, goal.result), k.real, ["n"], None, "out")
    total, deviations = (
        launches.shared(k, one, k.real, ["1"], {"constant": 0.0}, "inout")
        for one in ("total", "square_total")
    )
    mean, error = (launches.shared(k, one, k.real, ["1"], None, "out") for one in ("mean", "standard_error"))
    limits = {"uniform": [float(goal.result.low), float(goal.result.high)]}
    known = {"uniform": [0.0, LARGEST_SUM]}

    def draw(part: launches.Part) -> None:
        b = part.k
        made = Composition(b, domain)
        elements(b, domain, goal.ranks)
        value = made.named(name, made.evaluate(goal))
        sample = convert(b.real, value) if goal.result.kind is whole else value
        b.store(part.use(samples.name, samples, "out"), b.index, sample)
        made.describe()

    def average(b: Builder, part: launches.Part) -> Expr:
        return part.use(total.name, total, "in", known)[0] / convert(b.real, b.size("count", "n"))

    def add(part: launches.Part) -> None:
        b = part.k
        b.equality = "bounded"
        (i,) = b.threads(["n"], ["i"])
        value = part.use(samples.name, samples, "in", limits)[i]
        b.atomic("add", part.use(total.name, total, "inout"), 0, value)
        b.doc = "Sum all samples."

    def spread(part: launches.Part) -> None:
        b = part.k
        b.equality = "bounded"
        (i,) = b.threads(["n"], ["i"])
        value = part.use(samples.name, samples, "in", limits)[i]
        deviation = b.let("deviation", bounded(value - average(b, part), -1e4, 1e4))
        b.atomic("add", part.use(deviations.name, deviations, "inout"), 0, deviation * deviation)
        b.doc = "Sum the squared deviations of the samples from their mean."

    def divide(part: launches.Part) -> None:
        b = part.k
        b.dims = ["1"]
        count = convert(b.real, b.size("count", "n"))
        b.store(part.use(mean.name, mean, "out"), 0, average(b, part))
        squares = part.use(deviations.name, deviations, "in", known)[0]
        variance = b.let("variance", squares / ops.max(count - 1.0, 1.0))
        b.store(part.use(error.name, error, "out"), 0, ops.sqrt(variance / count))
        b.doc = "Divide the sums by the number of samples, for the mean and its standard error."

    names = ("draw_samples", "sum_samples", "sum_deviations", "finish_estimate")
    steps = [
        launches.kernel(k, one, write)()
        for one, write in zip(names, (draw, add, spread, divide), strict=True)
    ]
    launches.finish(
        k,
        f"{k.parts[0].doc} Then estimate the mean over all {things} and its standard error",
        Zeroed(total.name),
        Zeroed(deviations.name),
        *steps,
    )
