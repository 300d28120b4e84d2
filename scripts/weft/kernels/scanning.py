"""Endings that scan: sums in stretches, offsets and lists of blocks."""

from __future__ import annotations

import dataclasses

from weft.kernels import launches, tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.composition import Composition, array_name
from weft.kernels.endings import Style, asked, on_line
from weft.kernels.expressions import ops
from weft.kernels.formulas import Domain, Formula, number, whole
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.telling import noun
from weft.kernels.types import I32
from weft.kernels.words import plural

MOST = 1e6


def _number(domain: Domain, goal: Formula) -> bool:
    return goal.result.kind is number and goal.result.updates is None and not goal.begins


def _counting(domain: Domain, goal: Formula) -> bool:
    least, most = goal.result.limits
    plain = goal.result.kind is whole and least >= 0 and most <= 255 and goal.result.updates is None
    return plain and on_line(domain, goal) and goal.result.additive


def _named(k: Builder, goal: Formula, *forms: str) -> None:
    """Name the kernel after what it scans."""
    k.name, *k.other_names = k.rng.shuffled([one.format(goal.name) for one in forms])


def _proved(value: Expr) -> Expr:
    """What may be added to a variable without that it leaves its bounds."""
    return dataclasses.replace(value, interval=Interval(0.0, 0.0))


@asked(lambda domain, goal: _number(domain, goal) and on_line(domain, goal) and goal.result.additive, 0.2)
def in_stretches(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Running totals of a long line: of stretches by a thread each, of their totals, and both together."""
    _named(k, goal, "cumulative_{}", "running_{}", "prefix_sum_{}", "scan_{}")
    length = k.rng.pick(16, 32, 64)
    k.sizes["stretches"] = f"(n + {length - 1}) // {length}"
    name = f"cumulative_{array_name(goal.result.name, goal.result)}"
    things = plural(domain.element)
    sums = launches.shared(k, name, k.real, ["n"], None, "out")
    totals, before = (
        launches.shared(k, one, k.real, ["stretches"], None, "out") for one in ("stretch_totals", "carries")
    )
    bounds = uniform(-MOST, MOST)

    def within_stretch(part: launches.Part) -> None:
        b = part.k
        (stretch,) = b.threads(["stretches"], ["stretch"])
        first = b.let("first", stretch * length)
        last = b.let("last", ops.min(first + length, b.size("count", "n")))
        last.interval = Interval(0, b.largest("n"), True, "n", 0)
        made = Composition(b, domain)
        total = b.var("total", 0.0, bounds=(-1e9, 1e9))
        index = b.rng.pick(*domain.index)
        with b.loop(index, first, last, most=length) as i:
            b.give(i, stretch)
            b.index = b.target = (i,)
            b.shape, b.axes = ("n",), (index,)
            b.add(total, _proved(made.named(goal.result.name, made.evaluate(goal))))
            b.store(part.use(sums.name, sums, "out"), i, total)
        b.store(part.use(totals.name, totals, "out"), stretch, total)
        made.describe("Compute the running total of the {} in each stretch")

    def carry(part: launches.Part) -> None:
        b = part.k
        b.dims = ["1"]
        given = part.use(totals.name, totals, "in", bounds)
        out = part.use(before.name, before, "out")
        total = b.var("total", 0.0)
        with b.loop("s", 0, b.size("num_stretches", "stretches")) as s:
            b.store(out, s, total)
            b.add(total, given[s])
        b.doc = "Sum the totals of all stretches before each one, by one thread."

    def add(part: launches.Part) -> None:
        b = part.k
        (i,) = b.threads(["n"], ["i"])
        stretch = b.let("stretch", i // length)
        stretch.interval = Interval(0, b.largest("stretches") - 1, True, "stretches", -1)
        carried = part.use(before.name, before, "in", bounds)[stretch]
        b.store(part.use(sums.name, sums, "inout", bounds), i, carried, "+")
        b.doc = f"Add to each running total what came before the stretch of the {domain.element}."

    steps = [
        launches.kernel(k, k.rng.pick(f"scan_{goal.result.name}", "scan_stretches"), within_stretch)(),
        launches.kernel(k, k.rng.pick("carry_totals", "scan_totals"), carry)(),
        launches.kernel(k, k.rng.pick("add_carries", "propagate_carries"), add)(),
    ]
    launches.finish(k, f"Compute the prefix sums of the {noun(goal)} over all {things}", *steps)


def _block(k: Builder, domain: Domain) -> tuple[Name, Name, Name]:
    """A block of threads for a stretch of elements, the lane, and an element that may lie beyond the last."""
    width = k.rng.pick(64, 128, 256)
    k.sizes["blocks"] = f"(n + {width - 1}) // {width}"
    (block,) = k.blocks(["blocks"], ["block"], width, "thread")
    assert k.lane is not None
    index = k.let(k.rng.pick(*domain.index), block * width + k.lane)
    index.interval = Interval(0, index.interval.hi, True)
    return block, k.lane, index


def _inside(k: Builder, index: Name) -> None:
    """Let formulas be about the thread's element."""
    k.shape, k.axes = ("n",), (index.name,)
    k.index = (index,)


@asked(_counting, 4.0)
def offsets_in_blocks(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Counts become offsets within blocks, by a scan in shared memory; each block stores its total."""
    _named(k, goal, "{}_offsets", "scan_{}", "offsets_by_{}", "block_scan_{}")
    made = Composition(k, domain)
    block, lane, index = _block(k, domain)
    assert k.block_dim is not None
    count = k.var(goal.result.name, 0, type=I32, bounds=(0, 255))
    with k.when(index < k.size("count", "n")):
        _inside(k, index)
        k.set(count, made.evaluate(goal))
    scanned = k.let("scanned", tiles.scanned("exclusive", tiles.of_threads(k, count)))
    offset = k.let("offset", tiles.own(scanned))
    name = k.rng.pick("offsets", "block_offsets", "starts")
    k.store(k.array(name, I32, ["blocks", str(k.block_dim)], None, "out"), (block, lane), offset)
    with k.when(lane.equals(k.block_dim - 1)):
        k.store(k.array("block_totals", I32, ["blocks"], None, "out"), block, offset + count)
    k.notes.append(f"The offset of each {domain.element} is the sum of all counts before it in the block")
    made.describe()


@asked(lambda domain, goal: _number(domain, goal) and on_line(domain, goal) and domain.things)
def packed_in_blocks(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Values of marked elements move to the front of their block, in order, by a scan of the marks."""
    _named(k, goal, "compact_{}", "pack_{}", "filter_{}", "{}_compaction")
    made = Composition(k, domain)
    block, lane, index = _block(k, domain)
    assert k.lane is not None and k.block_dim is not None
    of = goal.result
    value = k.var(of.name, 0.0, bounds=(min(of.limits[0], 0.0), max(of.limits[1], 0.0)))
    keep = k.var("keep", 0, type=I32, bounds=(0, 1))
    word = k.rng.pick("active", "valid", "selected", "visible")
    with k.when(index < k.size("count", "n")):
        _inside(k, index)
        k.set(value, made.evaluate(goal))
        k.set(keep, k.array(f"is_{word}", I32, ["n"], {"integers": [0, 2]})[index])
    slots = k.let("destinations", tiles.scanned("exclusive", tiles.of_threads(k, keep)))
    slot = k.let("destination", tiles.own(slots))
    slot.interval = Interval(0, k.block_dim - 1, True)
    k.give(slot, lane)
    packed = f"{k.rng.pick('packed', 'kept')}_{array_name(of.name, of)}"
    with k.when(keep.equals(1)):
        k.store(k.array(packed, value.type, ["blocks", str(k.block_dim)], None, "out"), (block, slot), value)
    with k.when(lane.equals(k.block_dim - 1)):
        k.store(k.array("kept_counts", I32, ["blocks"], None, "out"), block, slot + keep)
    things = plural(domain.element)
    k.notes.append(f"A block packs the values of its {word} {things} at the front of its row of `{packed}`")
    made.describe()
