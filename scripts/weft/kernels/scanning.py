"""Endings that scan: sums in stretches, offsets and lists of blocks."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.composition import Composition
from weft.kernels.endings import Style, asked, on_line
from weft.kernels.formulas import Domain, Formula, whole
from weft.kernels.intervals import Interval
from weft.kernels.program import Name
from weft.kernels.types import I32


def _counting(domain: Domain, goal: Formula) -> bool:
    least, most = goal.result.limits
    plain = goal.result.kind is whole and least >= 0 and most <= 255 and goal.result.updates is None
    return plain and on_line(domain, goal) and goal.result.additive


def _named(k: Builder, goal: Formula, *forms: str) -> None:
    """Name the kernel after what it scans."""
    k.name, *k.other_names = k.rng.shuffled([one.format(goal.name) for one in forms])


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
    k.notes.append(
        f"`{name}` holds the sum of the counts before each {domain.element} in its block of {k.block_dim}, "
        "and `block_totals` the sum of each block"
    )
    made.describe()
