"""Counts by bin, their prefix sums, and what they are for."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import convert, ops
from weft.kernels.idioms.multi_launch.lines import line_count, on_line
from weft.kernels.launched import Step, Zeroed
from weft.kernels.launches import Part, finish, kernel, shared
from weft.kernels.program import Expr, Parameter
from weft.kernels.results import describe
from weft.kernels.types import F32, I32


def count_and_place(k: Builder) -> None:
    """Counts by bin, their prefix sums, and where each element's bin begins."""
    bins = k.rng.pick(8, 10, 16, 32)
    integer = k.rng.chance(0.5)
    prepared = k.rng.chance(0.35)
    integer = integer or prepared
    keys = shared(
        k,
        k.rng.pick("keys", "cells", "labels"),
        I32 if integer else F32,
        ["n"],
        None if prepared else {"integers": [0, bins]} if integer else uniform(0.0, 1.0),
        "out" if prepared else "in",
    )
    counts = shared(k, "counts", I32, [str(bins)], None, "out")
    starts = shared(k, k.rng.pick("starts", "offsets"), I32, [str(bins)], None, "out")
    places = shared(k, k.rng.pick("places", "first_slots"), I32, ["n"], None, "out")

    def bin_of(b: Builder, value: Expr) -> Expr:
        return b.let("bin_index", value if integer else ops.min(convert(I32, value * float(bins)), bins - 1))

    given = {"integers": [0, bins]} if integer else uniform(0.0, 1.0)
    weights = shared(k, "sizes", I32, ["n"], {"integers": [1, 6]}) if k.rng.chance(0.4) else None

    def count(part: Part) -> None:
        b = part.k
        i = on_line(part)
        source, table = (
            part.use("source", keys, "in", given),
            part.use("table", counts, "inout", {"constant": 0}),
        )
        amount: Expr | int = 1 if weights is None else part.use("amounts", weights)[i]
        place = bin_of(b, source[i])
        if b.rng.chance(0.3):
            with b.when(place > 0):
                b.atomic("add", table, place, amount)
            b.notes.append("The first bin stays empty")
        else:
            b.atomic(b.rng.pick("add", "+="), table, place, amount)
        describe(b, f"Counts in {bins} bins{', weighted by size' if weights is not None else ''}")

    inclusive, parallel = k.rng.chance(0.3), k.rng.chance(0.5)

    def scan(part: Part) -> None:
        b = part.k
        source, out = (
            part.use("source", counts, "in", {"integers": [0, 500_000]}),
            part.use("out", starts, "out"),
        )
        if parallel:
            b.threads([str(bins)], ["bin_index"])
            i = b.index[0]
            total = b.var("total", 0, type=I32)
            with b.loop("j", 0, i + 1 if inclusive else bins) as j:
                if inclusive:
                    b.add(total, source[j])
                else:
                    with b.when(j < i):
                        b.add(total, source[j])
            b.store(out, i, total)
        else:
            b.threads(["1"], ["thread"])
            total = b.var("total", 0, type=I32)
            with b.loop("j", 0, bins) as j:
                if inclusive:
                    b.add(total, source[j])
                b.store(out, b.index[0] * bins + j, total)
                if not inclusive:
                    b.add(total, source[j])
        scope, by = "Inclusive" if inclusive else "Exclusive", "a thread a bin" if parallel else "one thread"
        describe(b, f"{scope} prefix sums of the counts, by {by}")

    def place(part: Part) -> None:
        b = part.k
        i = on_line(part)
        source = part.use("source", keys, "in", given)
        table = part.use("table", starts, "in", {"integers": [0, 500_000]})
        mine = bin_of(b, source[i])
        value: Expr = table[mine]
        doc = (
            "Where the bin of each element begins" if not inclusive else "Where the bin of each element ends"
        )
        if b.rng.chance(0.5):
            fill = part.use("filled", counts, "in", {"integers": [0, 500_000]})
            if b.rng.chance(0.5):
                value, doc = value + fill[mine], f"{doc}, plus how full it is"
            else:
                value, doc = ops.max(value, fill[mine]), f"{doc}, or how full it is if that is more"
        b.store(part.use("out", places, "out"), i, value)
        describe(b, doc)

    steps: list[Step] = (
        [kernel(k, "prepare_keys", lambda part: _prepare(part, keys, bins))()] if prepared else []
    )
    steps += [
        Zeroed(counts.name),
        kernel(k, "count_bins", count)(),
        kernel(k, "scan_bins", scan)(),
        kernel(k, "find_places", place)(),
    ]
    finish(k, "Count, scan, place", *steps, *_closing(k, counts, places, bins))


def _prepare(part: Part, keys: Parameter, bins: int) -> None:
    """Keys of raw data: hashed, quantized, or found by steps."""
    b = part.k
    i = on_line(part)
    out = part.use("keys_out", keys, "out")
    match b.rng.pick("hash", "quantized", "pair", "steps"):
        case "hash":
            code = b.let("code", b.array("codes", I32, ["n"], {"integers": [0, 5000]})[i])
            b.store(out, i, b.rng.pick((code ^ (code >> 4)) % bins, (code * 7 + code // 16) % bins))
            describe(b, f"A code's bin, of {bins}, by a hash")
        case "quantized":
            x = b.array("readings", F32, ["n"], uniform(-1.0, 1.0))[i]
            b.store(out, i, ops.clamp(convert(I32, (0.5 + 0.5 * x) * float(bins)), 0, bins - 1))
            describe(b, f"A reading's bin, of {bins}")
        case "pair":
            first = b.array("rows_of", I32, ["n"], {"integers": [0, 90]})[i]
            second = b.array("columns_of", I32, ["n"], {"integers": [0, 90]})[i]
            b.store(out, i, (first * b.rng.integer(2, 5) + second) % bins)
            describe(b, f"The bin of a pair of numbers, of {bins}")
        case _:
            x = b.let("x", b.array("heights", F32, ["n"], uniform(0.0, 1.0))[i])
            level = b.var("level", 0, type=I32, bounds=(0, bins - 1))
            with b.loop("s", 1, bins) as s, b.when(x > convert(F32, s) / float(bins)):
                b.set(level, s)
            b.store(out, i, level)
            describe(b, f"The last of {bins} steps that a height exceeds")


def _closing(k: Builder, counts: Parameter, places: Parameter, bins: int) -> list[Step]:
    """What is learnt from the bins at the end; perhaps nothing."""
    what = k.rng.pick("nothing", "shares", "fullest", "gaps", "crowded")
    if what == "nothing":
        return []
    of, size = {"shares": (F32, str(bins)), "fullest": (I32, "1"), "gaps": (I32, "n"), "crowded": (I32, "1")}[
        what
    ]
    out = shared(
        k,
        {"shares": "bin_shares", "fullest": "height", "gaps": "gaps", "crowded": "crowded_bins"}[what],
        of,
        [size],
        {"constant": 0} if size == "1" else None,
        "inout" if size == "1" else "out",
    )

    def close(part: Part) -> None:
        b = part.k
        if what == "gaps":
            i = on_line(part)
            first = part.use("places_in", places, "in", {"integers": [0, 500_000]})
            b.store(part.use("gaps_out", out, "out"), i, first[(i + 1) % line_count(part)] - first[i])
            describe(b, "From each element's place to that of the next element")
            return
        b.threads([str(bins)], ["bin_index"])
        number = b.let("number", part.use("counts_in", counts, "in", {"integers": [0, 500_000]})[b.index[0]])
        match what:
            case "shares":
                share = convert(F32, number) / convert(F32, ops.max(b.size("count", "n"), 1))
                b.store(part.use("shares_out", out, "out"), b.index[0], share)
                describe(b, "How full each bin is, for each element")
            case "fullest":
                b.atomic("max", part.use("height_out", out, "inout", {"constant": 0}), 0, number)
                describe(b, "How full the fullest bin is")
            case _:
                with b.when(number > b.rng.integer(2, 6)):
                    b.atomic("add", part.use("crowded_out", out, "inout", {"constant": 0}), 0, number)
                describe(b, "What crowded bins hold, added up")

    return [kernel(k, "look_at_bins", close)()]
