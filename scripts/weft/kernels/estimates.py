"""The ending of a Monte Carlo estimate: samples of all threads, their mean, and its standard error."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels import launches
from weft.kernels.builder import Builder
from weft.kernels.composition import Composition, array_name, elements
from weft.kernels.endings import Style, asked, on_line
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Formula, number, whole
from weft.kernels.launched import Zeroed
from weft.kernels.program import Expr, Parameter
from weft.kernels.words import plural

LARGEST_SUM = 1e12
"""No sum of samples or of squared deviations is larger."""
THREADS = 64
"""So many threads sum the samples."""


def _averaged(domain: Domain, goal: Formula) -> bool:
    plain = goal.result.kind in (number, whole) and goal.result.updates is None
    return plain and goal.result.additive and on_line(domain, goal)


@asked(_averaged, 2.0)
def estimated(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Every thread stores a sample; kernels after it sum them, sum their squared deviations, and divide."""
    name, things = goal.result.name, plural(domain.element)
    forms = ("estimate_{}", "mean_{}", "{}_with_error", "monte_carlo_{}")
    k.name, *k.other_names = k.rng.shuffled([one.format(name.removeprefix("mean_")) for one in forms])
    k.equality = "bounded"
    k.once("rank", lambda: 1)
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

    def added(part: launches.Part, into: Parameter, term: Callable[[Builder, Expr], Expr]) -> None:
        """Each of some threads sums a term over every so-manieth sample, and adds its sum by an atomic."""
        b = part.k
        b.equality = "bounded"
        (thread,) = b.threads([str(THREADS)], ["thread"])
        values = part.use(samples.name, samples, "in", limits)
        result = b.var("subtotal", 0.0, bounds=(0.0, LARGEST_SUM))
        with b.loop("i", thread, b.size("count", "n"), THREADS) as i:
            b.add(result, bounded(term(b, values[i]), 0.0, 0.0))
        b.atomic("add", part.use(into.name, into, "inout"), 0, bounded(result, 0.0, 1e8))

    def add(part: launches.Part) -> None:
        added(part, total, lambda b, value: value)
        part.k.doc = f"Sum all samples. A thread adds up every {THREADS}th of them before its atomic."

    def spread(part: launches.Part) -> None:
        def square(b: Builder, value: Expr) -> Expr:
            deviation = b.let("deviation", bounded(value - average(b, part), -1e4, 1e4))
            return deviation * deviation

        added(part, deviations, square)
        part.k.doc = "Sum the squared deviations of the samples from their mean, in the same way."

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
