"""Segments of a line, found by a binary search for an element."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.intervals import Interval
from weft.kernels.program import Call, Name
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import read, threads, uniform

SPLITS = (
    ["n // 4", "n // 2", "n"],
    ["n // 3", "2 * n // 3", "n"],
    ["n // 8", "n // 4", "n // 2", "n"],
    ["n // 5", "n // 2", "4 * n // 5", "n"],
)


def segment_of(k: Builder) -> None:
    """Each element finds the segment that it lies in, and what belongs to that."""
    (i,) = threads(k, 1, indirect=False)
    splits = k.rng.pick(*SPLITS)
    count = len(splits)
    k.sizes["segments"] = str(count)
    name = k.rng.pick("segment_ends", "row_ends", "offsets")
    ends = k.array(name, I32, ["segments"], {"list": list(splits)})
    handle = Name(ends.parameter.type, Interval(0, 0), ends.parameter.name)
    found = Call(I32, Interval(0, count - 1, True), "wp.lower_bound", (handle, i + 1))
    segment = bounded(k.let("segment", found), 0, count - 1)
    match k.rng.pick("scaled", "label", "place", "shifted"):
        case "scaled":
            scales = k.array("scales", k.real, ["segments"], uniform(0.2, 2.0))
            value = scales[segment] * read(k, "value", -1.0, 1.0)
            finish(k, "scaled_value", value, "Each value times the scale of its segment")
        case "label":
            finish(k, "segment_id", segment, "Which segment each element lies in", counted=False)
        case "place":
            rest = k.let("rest", bounded(ends[segment], 0, 70_000) - i)
            share = convert(k.real, rest) * k.rng.number(0.01, 0.1)
            finish(
                k, "share", ops.tanh(share), "How far each element is from the end of its segment, squashed"
            )
        case _:
            levels = k.array("levels", k.real, ["segments"], uniform(-1.0, 1.0))
            value = read(k, "sample", -1.0, 1.0) - levels[segment]
            finish(k, "deviation", value, "Difference of each sample from the level of its segment")
