"""Segments of a line, found by a binary search for an element."""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.intervals import Interval
from weft.kernels.program import Call, Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import read, threads, uniform, whole

SPLITS = (
    ["n // 4", "n // 2", "n"],
    ["n // 3", "2 * n // 3", "n"],
    ["n // 8", "n // 4", "n // 2", "n"],
    ["n // 5", "n // 2", "4 * n // 5", "n"],
)


def segment_of(k: Builder) -> None:
    """Each element finds the segment that it lies in, and what belongs to that."""
    (i,) = threads(k, 1)
    splits = k.rng.pick(*SPLITS)
    count = len(splits)
    k.sizes["segments"] = str(count)
    name = k.rng.pick("segment_ends", "row_ends", "offsets")
    ends = k.array(name, I32, ["segments"], {"list": list(splits)})
    handle = Name(ends.parameter.type, Interval(0, 0), ends.parameter.name)
    place: Expr = i
    who = "element"
    if k.rng.chance(0.5):
        place = k.let(
            "place", k.array(k.rng.pick("places", "queries"), I32, ["n"], {"integers": [0, "n"]})[i]
        )
        who = "query"
        k.notes.append("Each query asks for a place of its own")
    name = k.rng.pick("segment", "row_of_place", "owner")
    match k.rng.pick("library", "bisection", "scan"):
        case "bisection":
            segment: Expr = _bisected(k, name, ends, place, count)
        case "scan":
            segment = k.var(name, 0, type=I32, bounds=(0, count - 1))
            with k.loop("s", 0, count - 1) as s, k.when(place >= ends[s]):
                k.set(segment, bounded(s + 1, 0, count - 1))
        case _:
            found = Call(I32, Interval(0, count - 1, True), "wp.lower_bound", (handle, place + 1))
            segment = bounded(k.let(name, found), 0, count - 1)
    if k.rng.chance(0.4):
        kind = k.rng.pick("count", "sum", "largest")
        amount: Expr | int = 1
        if kind != "count":
            amount = k.array("amounts", I32, ["n"], whole(0, 9))[i]
        totals = k.array(
            "segment_peaks" if kind == "largest" else "segment_totals",
            I32,
            ["segments"],
            {"constant": 0},
            "inout",
        )
        k.atomic("max" if kind == "largest" else k.rng.pick("add", "+="), totals, segment, amount)
        what = {"count": "How many there are", "sum": "The sum of amounts", "largest": "The largest amount"}
        k.notes.append(f"{what[kind]} in each segment is kept as well")
    match k.rng.pick("scaled", "label", "place", "shifted"):
        case "scaled":
            scales = k.array("scales", k.real, ["segments"], uniform(0.2, 2.0))
            value = scales[segment] * read(k, "value", -1.0, 1.0)
            doc = "Each value times the scale of its segment"
            if k.rng.chance(0.5):
                value = value + k.array("shifts", k.real, ["segments"], uniform(-0.5, 0.5))[segment]
                doc += ", and a shift"
            finish(k, "scaled_value", value, doc)
        case "label":
            finish(k, "segment_id", segment, f"Which segment each {who} lies in")
        case "place":
            rest = k.let("rest", bounded(ends[segment], 0, 70_000) - place)
            share = convert(k.real, rest) * k.rng.number(0.01, 0.1)
            finish(
                k, "share", ops.tanh(share), f"How far each {who} is from the end of its segment, squashed"
            )
        case _:
            levels = k.array("levels", k.real, ["segments"], uniform(-1.0, 1.0))
            value = read(k, "sample", -1.0, 1.0) - levels[segment]
            finish(k, "deviation", value, "Difference of each sample from the level of its segment")


def _bisected(k: Builder, name: str, ends: ArrayHandle, place: Expr, count: int) -> Name:
    """The first segment that ends behind a place, by halving what is left."""
    low = k.var(name, 0, type=I32, bounds=(0, count - 1))
    high = k.var("high", count - 1, type=I32, bounds=(0, count - 1))
    with k.repeat(low < high, 4):
        middle = k.let("middle", bounded((low + high) // 2, 0, count - 1))
        with k.when(ends[middle] > place):
            k.set(high, middle)
        with k.otherwise():
            k.set(low, bounded(middle + 1, 0, count - 1))
    return low
