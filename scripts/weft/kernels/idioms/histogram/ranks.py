"""What counts tell: equalized levels, ranks."""

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.grids import threads
from weft.kernels.idioms.histogram.votes import cast_vote, own_bin, own_sample
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, finish
from weft.kernels.types import F32, I32
from weft.kernels.words import told


def equalized(k: Builder) -> None:
    """A histogram's cumulative counts map values."""
    threads(k)
    bins = k.rng.pick(8, 16, 32)
    k.sizes["bins"] = str(bins)
    k.real = F32
    x, name, low, high = own_sample(k)
    place, word = own_bin(k, k.let("x_value", x), low, high, bins)
    cumulative = k.array(k.rng.pick("cumulative", "cdf"), F32, ["bins"], uniform(0.0, 1.0))
    how = k.rng.pick("plain", "mixed", "midpoint", "excess", "tile")
    value: Expr = cumulative[place]
    if how == "mixed":
        value = ops.lerp(
            value, k.array("originals", F32, k.shape, uniform(0.0, 1.0))[k.index], k.rng.number(0.2, 0.8)
        )
    elif how == "midpoint":
        value = 0.5 * (value + cumulative[ops.max(place - 1, 0)])
    elif how == "excess":
        value = value - (convert(F32, place) + 1.0) / float(bins)
    elif how == "tile":
        second = k.array("local_cdf", F32, ["4", "bins"], uniform(0.0, 1.0))
        region = k.array("regions", I32, k.shape, {"integers": [0, 4]})[k.index]
        share = coefficient(k, "local_share", 0.2, 0.8, kinds="lp")
        value = (1.0 - share) * value + share * second[region, place]
    words = {
        "plain": "Cumulative share of the bin",
        "mixed": "Cumulative share of the bin, mixed with an original,",
        "midpoint": "Mean of the cumulative shares of the bin and the one before",
        "excess": "Cumulative share of the bin less that of a flat histogram",
        "tile": "Cumulative shares of the bin, global and regional,",
    }  # fmt: skip
    finish(k, "equalized_value", value, f"{words[how]} for each {name}, {word}")


def _seen(
    k: Builder, x: Name, low: float, high: float, count: int
) -> tuple[Name, Callable[[Expr], Expr], str]:
    """The number that is compared, how to read an edge, and what was done to the number."""
    name = k.rng.pick("edges", "thresholds", "quantiles")
    groups = k.rng.pick(1, 1, 3, 4)
    changed = ""
    match k.rng.pick("as it is", "as it is", "between", "shifted", "pulled"):
        case "between":
            other = k.array("previous_values", F32, k.shape, uniform(low, high))[k.index]
            x, changed = k.let("middle", 0.5 * (x + other)), ", each in the middle of two,"
        case "shifted":
            shift = k.scalar("shift", F32, uniform(-0.2 * (high - low), 0.2 * (high - low)))
            x, changed = k.let("shifted", x + shift), ", shifted,"
        case "pulled":
            center = k.rng.number(low + 0.3 * (high - low), low + 0.6 * (high - low))
            x, changed = k.let("pulled", x + 0.5 * (center - x)), f", pulled towards {center},"
    if groups == 1:
        line = k.array(name, F32, ["edges"], uniform(low, high))
        return x, lambda e: line[e], changed
    k.notes.append(f"Each of {groups} kinds has edges of its own")
    kind = k.let("kind", k.array("kinds", I32, k.shape, {"integers": [0, groups]})[k.index])
    table = k.array(name, F32, [str(groups), "edges"], uniform(low, high))
    return x, lambda e: table[kind, e], changed


def _count_passed(k: Builder, place: Name, x: Name, limit: Expr, how: str, most: int) -> None:
    """One more edge, if the number passes it."""
    passed = ops.abs(x) > ops.abs(limit) if how == "outside" else x > limit
    match k.rng.below(3):
        case 0:
            with k.when(passed):
                k.set(place, bounded(place + 1, 0, most))
        case 1:
            one = ops.where(passed, lift(1, I32), lift(0, I32))
            k.set(place, bounded(place + one, 0, most))
        case _:
            with k.when(~passed):
                k.jump("continue")
            k.set(place, bounded(place + 1, 0, most))


def rank_votes(k: Builder) -> None:
    """Each element counts how many of a row of edges it exceeds, and votes there."""
    threads(k, 1, 2)
    edges_count = k.rng.pick(5, 7, 9, 12)
    k.sizes["edges"] = str(edges_count)
    x, name, low, high = own_sample(k)
    x = x if isinstance(x, Name) else k.let(name, x)
    x, edges, changed = _seen(k, x, low, high, edges_count)
    how = k.rng.pick("rank", "nearest", "rank", "weighted", "outside")
    place = k.var("rank", 0, type=I32, bounds=(0, edges_count))
    gap = k.var("closest", 100.0, type=F32, bounds=(0.0, 100.0)) if how == "nearest" else None
    slack = coefficient(k, "slack", 0.02, 0.2, kinds="lp") if how == "weighted" and k.real == F32 else None
    with k.loop("e", 0, edges_count) as e:
        edge = edges(e)
        edge = k.let("edge", edge) if k.rng.chance(0.4) else edge
        if gap is not None:
            distance = k.let("distance", ops.abs(x - edge))
            with k.when(distance < gap):
                k.set(gap, bounded(distance, 0.0, 100.0))
                k.set(place, e)
        else:
            _count_passed(k, place, x, edge if slack is None else edge + slack, how, edges_count)
    kind = k.rng.pick(I32, F32)
    counts = k.array(
        k.rng.pick("rank_counts", "votes"), kind, [str(edges_count + 1)], {"constant": 0}, "inout"
    )
    cast_vote(k, counts, (place,), kind)
    if k.rng.chance(0.5):
        k.store(k.array("ranks", I32, k.shape, None, "out"), k.target, place)
        k.notes.append("The place of each is stored as well")
    what = {
        "nearest": "the one nearest to it",
        "outside": "the number of those nearer to zero than it",
    }.get(how, "the number of those that it exceeds")
    what += f" by {told(slack)}" if slack is not None else ""
    describe(k, f"Histogram of {name} values{changed} over {edges_count} edges, by {what}")
