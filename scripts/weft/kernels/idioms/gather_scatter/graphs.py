"""Sums over neighbours, differences over edges, totals over groups."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.idioms.gather_scatter.indices import named_count, own_index
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import coefficient, read, threads, uniform, whole
from weft.types import Vector


def adjacency_sum(k: Builder) -> None:
    """Sums, means and extremes over lists of neighbours that have gaps or a length."""
    threads(k, 1, name=k.rng.pick("node", "vertex", "i"))
    (i,) = k.index
    width = k.rng.pick(3, 4, 6, 8)
    k.sizes["slots"] = str(width)
    counted = k.rng.chance(0.5)
    recipe = {"integers": [0 if counted else -1, "n"]}
    links = k.array(k.rng.pick("neighbors", "adjacency"), I32, ["n", "slots"], recipe)
    values = k.array(k.rng.pick("values", "heights", "phases"), k.real, ["n"], uniform(-1.0, 1.0))
    degree = k.let("degree", k.array("degrees", I32, ["n"], whole(0, width))[i]) if counted else width
    kind = k.rng.pick("sum", "mean", "largest", "difference", "weighted")
    own = k.let("own", values[i]) if kind == "difference" else None
    weights = k.array("weights", k.real, ["n", "slots"], uniform(0.1, 1.0)) if kind == "weighted" else None
    total = k.var("best" if kind == "largest" else "total", -2.0 if kind == "largest" else 0.0)
    found = k.var("found", 0, type=I32) if kind == "mean" else None
    with k.loop("slot", 0, degree) as slot:
        other = k.let("other", links[i, slot])
        if not counted:
            with k.when(other < 0):
                k.jump("continue")
        value = values[other]
        if own is not None:
            value = value - own
        if weights is not None:
            value = weights[i, slot] * value
        if kind == "largest":
            k.set(total, ops.max(total, value))
        else:
            k.add(total, value)
        if found is not None:
            k.add(found, 1)
    result: Expr = total
    if found is not None:
        result = total / ops.max(convert(k.real, found), 1.0)
    words = {
        "sum": "Sum over the neighbours of each node",
        "mean": "Mean over the neighbours of each node, zero where there is none",
        "largest": "Largest value among the neighbours of each node, -2 where there is none",
        "difference": "Graph Laplacian: differences to the neighbours of each node, summed",
        "weighted": "Weighted sum over the neighbours of each node",
    }
    lists = "lists have a length" if counted else "-1 marks a gap in a list"
    finish(k, "aggregate", bounded(result, -20.0, 20.0), f"{words[kind]}; {lists}")


def edge_difference(k: Builder) -> None:
    """What the two ends of an edge have to do with each other."""
    threads(k, 1, name=k.rng.pick("edge", "e", "link"))
    size = named_count(k, k.rng.pick("nodes", "points"))
    wide = k.rng.chance(0.5)
    if wide:
        ends = k.array("edges", Vector(2, I32), k.shape, {"integers": [0, size]})
        pair = k.let("ends", ends[k.index])
        start, end = pair[0], pair[1]
    else:
        start = k.let("start", own_index(k, "tail", size))
        end = k.let("end", own_index(k, "head", size))
    values = k.array(k.rng.pick("potentials", "levels", "phases"), k.real, [size], uniform(-1.0, 1.0))
    a, b = k.let("from_value", values[start]), k.let("to_value", values[end])
    conductance = coefficient(k, k.rng.pick("conductance", "weight", "stiffness"), 0.2, 2.0)
    match k.rng.below(5):
        case 0:
            finish(k, "flow", conductance * (b - a), "Flow along each edge, from the difference of its ends")
        case 1:
            gap = k.let("gap", b - a)
            finish(k, "loss", conductance * (gap * gap), "Power that is lost in each edge")
        case 2:
            finish(k, "mean", 0.5 * conductance * (a + b), "Mean of the ends of each edge, weighted")
        case 3:
            finish(k, "flow", conductance * ops.sin(b - a), "Coupling of two oscillators along each edge")
        case _:
            upstream = ops.where(a > b, a, b)
            finish(
                k,
                "flow",
                conductance * upstream * (b - a),
                "Flow along each edge, carrying the upper end's value",
            )


def _amount(k: Builder) -> tuple[Expr, str]:
    """A small whole number for each element, from one array, two, or an index."""
    kind = k.rng.pick(I32, I32, F32)
    first = k.array(k.rng.pick("amounts", "units", "charges"), kind, k.shape, whole(-4, 9))[k.index]
    match k.rng.below(6):
        case 0:
            return first * k.array("prices", kind, k.shape, whole(1, 4))[
                k.index
            ], "its amount times its price"
        case 1:
            return first - k.array("losses", kind, k.shape, whole(0, 3))[k.index], "its amount less its loss"
        case 2:
            return ops.abs(first), "the magnitude of its amount"
        case 3:
            return ops.max(first, 0), "the positive part of its amount"
        case 4:
            size = k.rng.pick(8, 10, 16)
            rates = k.array("rates", kind, [str(size)], whole(1, 5))
            group = k.array("rate_of", I32, k.shape, whole(0, size - 1))[k.index]
            return first * rates[group], "its amount times the rate of its group"
        case _:
            return first, "its amount"


def scatter_totals(k: Builder) -> None:
    """Whole numbers that go to places which several threads share."""
    threads(k, 1, 2)
    size = named_count(k, k.rng.pick("buckets", "owners", "regions"))
    whose = k.rng.pick("bucket", "owner", "region")
    if k.rng.chance(0.3):
        first = k.let("cell", own_index(k, "cell_of", named_count(k, "cells")))
        place = k.let("place", k.array(f"{whose}_of_cell", I32, ["cells"], {"integers": [0, size]})[first])
        k.notes.append(f"An element's {whose} is that of its cell")
    else:
        place = k.let("place", own_index(k, f"{whose}_of", size))
    if k.rng.chance(0.25):
        with k.when(k.array("frozen", I32, k.shape, whole(0, 1))[k.index].equals(1)):
            k.jump("return")
        k.notes.append("Frozen elements take no part")
    value, what = _amount(k)
    amount = k.let("amount", value)
    totals = k.array(f"{whose}_totals", amount.type, [size], {"constant": 0}, "inout")
    add = k.rng.pick("add", "+=", "sub")
    doc = (
        f"Each element takes {what} from its {whose}"
        if add == "sub"
        else f"Each element adds {what} to its {whose}"
    )
    match k.rng.below(6):
        case 0:
            with k.when(amount > k.rng.integer(0, 3)):
                k.atomic(add, totals, place, amount)
            doc += " if that is large enough"
        case 1:
            k.atomic(add, totals, place, amount)
            k.atomic("add", k.array("members", I32, [size], {"constant": 0}, "inout"), place, 1)
            doc += ", which also counts its members"
        case 2:
            with k.when(amount.equals(0)):
                k.jump("return")
            k.atomic(add, totals, place, amount)
            k.atomic(
                "min", k.array("first_members", I32, [size], {"constant": 10**6}, "inout"), place, k.index[0]
            )
            doc += ", which also keeps the smallest index of those that are not zero"
        case 3:
            second = k.let("second", own_index(k, f"other_{whose}_of", size))
            with k.when(second.differs(place)):
                k.atomic(add, totals, place, amount)
                k.atomic("add" if add == "sub" else "sub", totals, second, amount)
            doc += f", and undoes it at a second {whose} unless both are the same"
        case 4:
            k.atomic(add, totals, place, amount)
            k.atomic("max", k.array("peaks", amount.type, [size], {"constant": -99}, "inout"), place, amount)
            doc += ", which also keeps the largest"
        case _:
            k.atomic(add, totals, place, amount)
    if k.rng.chance(0.5):
        reply = read(k, "weight", 0.5, 2.0)
        k.store(
            k.array("weighted_amounts", k.real, k.shape, None, "out"),
            k.target,
            reply * convert(k.real, amount),
        )
        k.notes.append("The amount times a weight is stored as well")
    describe(k, doc)
