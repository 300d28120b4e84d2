"""What becomes of a goal's values where the threads of a block work together: halos, and totals of rows."""

from __future__ import annotations

import copy
import dataclasses
import functools
import math
from collections.abc import Mapping

from weft.kernels import tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.composition import Composition, array_name
from weft.kernels.domains.images import thinned
from weft.kernels.domains.views import cost, disparity, warped, warped_color
from weft.kernels.endings import Style, asked, on_line
from weft.kernels.expressions import convert, ops
from weft.kernels.formulas import Domain, Formula, Quantity, number
from weft.kernels.idioms.blocks import Moments
from weft.kernels.intervals import INFINITY
from weft.kernels.neighbors import Halo
from weft.kernels.program import Expr, Redraw
from weft.kernels.types import scalar_of
from weft.kernels.words import enumerated, plural, without_verb

SHAPES = ((16, 16), (8, 32), (8, 32), (8, 32), (8, 32))
"""Threads of a block, down and across."""
BLOCK_GRIDS = (
    (("y", "height"), ("x", "width")), (("row", "rows"), ("col", "cols")), (("i", "rows"), ("j", "cols")),
    (("j", "ny"), ("i", "nx")),
)  # fmt: skip


FAR = (thinned, cost, disparity, warped, warped_color)
"""What is made of elements anywhere, not of those around one."""


def _reads_own(formula: Formula) -> bool:
    """Does a formula take numbers of the element alone, wherever they lie?"""
    quantities = [one.of for one in formula.arguments if isinstance(one.of, Quantity)]
    return formula.is_pure and all(one.load is None for one in quantities)


def _has_own_numbers(_: Domain, goal: Formula) -> bool:
    """Does a goal give a number of each element, from numbers of the element alone?"""
    return (
        not goal.is_order and goal.result.updates is None and goal.result.kind is number and _reads_own(goal)
    )


@dataclasses.dataclass(slots=True)
class Haloed(Composition):
    """A composition whose arrays of all elements are tiles with a rim."""

    halos: dict[str, Halo] = dataclasses.field(default_factory=dict)
    staged: dict[str, Quantity] = dataclasses.field(default_factory=dict)
    sides: tuple[int, int] = (16, 16)
    origin: tuple[Expr, ...] = ()
    corner: tuple[Expr, ...] = ()
    reach: int = 1

    def array(self, name: str, of: Quantity, memory: str = "global") -> ArrayHandle:
        if name not in self.whole:
            return Composition.array(self, name, of, memory)
        if name not in self.halos:
            self.staged[name] = of
            k, kind, rim = self.k, of.kind(self.k), 2 * self.reach
            recipe = (
                uniform(of.low, of.high) if scalar_of(kind).is_float else whole(int(of.low), int(of.high))
            )
            array = k.array(name, kind, [f"{size} + {rim}" for size in k.shape], recipe)
            tile = tiles.load(array, [side + rim for side in self.sides], self.origin, shared=True)
            ending = k.once("halo", lambda: k.rng.pick("tile", "window", "halo", "patch"))
            label = f"{name.removesuffix('_values')}_{ending}"
            self.halos[name] = Halo(
                k,
                array.parameter,
                kind,
                array.interval,
                tile=k.let(label, tile),
                corner=self.corner,
                reach=self.reach,
            )
        return self.halos[name]

    def _read(self, name: str, of: Quantity, from_array: bool) -> Expr:
        if from_array:
            self.whole.add(array_name(name, of))
        return Composition._read(self, name, of, from_array)

    def _read_from_array(self, name: str, of: Quantity) -> bool:
        return array_name(name, of) in self.halos or Composition._read_from_array(self, name, of)


WIDEST = 4
"""How wide a tile's rim may be."""
COUNTED = ("no", "one", "two", "three", "four")


@asked(lambda _, goal: goal.result not in FAR and any(one.array for one in goal.arguments))
def in_halo_tiles(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The threads of a block read what lies around them from a tile in shared memory.

    A first attempt finds out which arrays need a tile, and how wide the rim is.
    """
    tried = _written(copy.deepcopy(k), domain, goal, WIDEST, {})
    reach = max((one.used for one in tried.halos.values()), default=0)
    if reach == 0:
        raise Redraw("nothing that the goal needs lies around the elements")
    _written(k, domain, goal, reach, tried.staged)


def _written(k: Builder, domain: Domain, goal: Formula, reach: int, tiled: Mapping[str, Quantity]) -> Haloed:
    """Write the kernel, for a rim of some width; tiles of some arrays are loaded before anything is read."""
    names = k.rng.pick(*BLOCK_GRIDS)
    (down, rows), (across, columns) = names
    k.dimension = 2
    sides = high, wide = k.rng.pick(*SHAPES)
    k.sizes[rows] = f"{high} * min(n // 200 + 1, n // {256 * high} + 3)"
    k.sizes[columns] = f"{wide} * min(n // 16 + 1, {k.rng.pick(192, 224, 256) // wide})"
    blocks = k.blocks(
        [f"{rows} // {high}", f"{columns} // {wide}"], [f"block_{down}", f"block_{across}"], high * wide
    )
    inner = k.rng.pick("tile", "local", "thread")
    corner = k.in_square(wide, (f"{inner}_{down}", f"{inner}_{across}"))
    k.shape, k.axes = (rows, columns), (down, across)
    origin = tuple(block * side for block, side in zip(blocks, sides, strict=True))
    k.index = k.target = tuple(
        k.within(name, first + part, size)
        for name, first, part, size in zip((down, across), origin, corner, k.shape, strict=True)
    )
    k.drawn["boundary"] = "ghost"
    made = Haloed(k, domain, whole={*tiled}, sides=sides, origin=origin, corner=corner, reach=reach)
    for name, of in tiled.items():
        made.array(name, of)
    made.store(goal)
    made.describe()
    named = [f"`{one.parameter.name}`" for one in made.halos.values()]
    cells = f"{COUNTED[reach]} ghost cell{'s' * (reach > 1)}"
    k.doc += f" {enumerated(named)} {'have' if len(named) > 1 else 'has'} {cells} on each side."
    return made


BATCHES = (("batch", "batches"), ("group", "groups"), ("ensemble", "ensembles"), ("replica", "replicas"))


@asked(lambda domain, goal: goal.result.additive and on_line(domain, goal), weight=3.0)
def total_by_strides(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """A fixed number of blocks: each thread adds up elements that are a grid's width apart."""
    _renamed(k, k.rng.pick("total", "strided_total", "sum_of"))
    blocks, width = k.rng.pick((16, 256), (32, 256), (64, 128), (32, 128))
    k.equality = "bounded"
    (block,) = k.blocks([str(blocks)], ["block"], width, "thread")
    assert k.lane is not None
    name = goal.result.name
    own = k.var(f"own_{name}", 0.0)
    first = k.let("first", block * width + k.lane)
    made = Composition(k, domain)
    with k.loop(k.rng.pick(*domain.index), first, k.size("count", "n"), blocks * width) as i:
        k.index, k.shape, k.axes = (i,), ("n",), (i.name,)
        k.add(own, made.named(name, made.evaluate(goal)))
    total = k.let("block_total", tiles.summed(tiles.of_threads(k, own), free_order=True))
    tiles.atomic_add(k, k.array(f"total_{name}", own.type, ["1"], {"constant": 0.0}, "inout"), total)
    made.summed()
    k.doc += f" Each of {blocks} blocks strides over the elements and makes one atomic addition."


def _renamed(k: Builder, prefix: str) -> None:
    """Say in the kernel's name what becomes of the goal's values."""
    names = [without_verb(one) for one in (k.name, *k.other_names)]
    k.name, *k.other_names = dict.fromkeys(f"{prefix}_{one}" for one in names)


@asked(lambda domain, goal: goal.result.additive and _has_own_numbers(domain, goal))
def total_of_batches(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The elements of each batch are added up by a block."""
    _of_batches(k, domain, goal, ("sum",), "Sum the {}")


@asked(lambda domain, goal: goal.result.extremal and _has_own_numbers(domain, goal))
def largest_of_batches(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The largest value of each batch, or both extremes, are found by a block."""
    # The smallest of many losses or energies is nearly always nothing.
    of = goal.result
    both = not (of.additive or of.signed or goal.words.startswith("largest ")) and k.rng.chance(0.4)
    what = "Find the smallest and largest {}" if both else f"Find the largest {{}}{of.ranked}"
    _of_batches(k, domain, goal, ("min", "max") if both else ("max",), what)


@asked(_has_own_numbers)
def moments_of_batches(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The mean of each batch, perhaps with the variance, by a block."""
    both = k.rng.chance(0.6)
    what = f"Compute the mean{' and variance' * both} of the {{}}"
    _of_batches(k, domain, goal, ("mean", "variance") if both else ("mean",), what)


@functools.cache
def _of_own_numbers(domain: Domain) -> Domain:
    return dataclasses.replace(domain, formulas=[one for one in domain.formulas if _reads_own(one)])


_EDGES = ("max", "min")


def _of_batches(k: Builder, domain: Domain, goal: Formula, kinds: tuple[str, ...], what: str) -> None:
    """Numbers of each row of elements, which the threads of a block take a block's width apart."""
    _renamed(k, {"sum": "total", "max": "largest", "min": "extreme"}.get(kinds[0], "mean"))
    width, elements = k.rng.pick(64, 128, 128, 256), plural(domain.element.replace(" ", "_"))
    batch, batches = k.rng.pick(*BATCHES)
    k.equality = "bounded"
    k.sizes |= {batches: k.rng.pick("(n + 63) // 64", "(n + 31) // 32", "min(n, 150)")}
    k.sizes[elements] = f"min(n // 2 + {width}, {width * k.rng.pick(2, 3) + k.rng.pick(0, 44, 61)})"
    (row,) = k.blocks([batches], [batch], width, "thread")
    assert k.lane is not None
    name = goal.result.name
    starts = {"max": goal.result.lowest, "min": INFINITY}
    moments = Moments(k) if "variance" in kinds else None
    own = [] if moments else [
        k.var(f"own_{kind if kind in _EDGES else 'sum'}", starts.get(kind, 0.0),
              bounds=(-math.inf, math.inf) if kind in _EDGES else None)
        for kind in kinds
    ]  # fmt: skip
    made = Composition(k, _of_own_numbers(domain))
    count = k.size(f"num_{elements}", elements)
    with k.loop(k.rng.pick(*domain.index), k.lane, count, width) as i:
        k.index, k.shape, k.axes = (row, i), (batches, elements), (row.name, i.name)
        value = made.named(name, made.evaluate(goal))
        if moments is not None:
            moments.add(value)
        for kind, variable in zip(kinds, own, strict=False):
            if kind in _EDGES:
                k.set(variable, getattr(ops, kind)(variable, goal.result.ranking(value)))
            else:
                k.add(variable, value)
    number_of = convert(k.real, count)
    found = list(moments.joined(batch, number_of)) if moments is not None else []
    for kind, variable in zip(kinds, own, strict=False):
        lanes = tiles.of_threads(k, variable)
        total = (tiles.extreme(kind, lanes) if kind in _EDGES else tiles.summed(lanes, free_order=True))[0]
        found.append(
            k.let(
                f"{batch}_{'total' if kind == 'sum' else kind}",
                total / number_of if kind == "mean" else total,
            )
        )
    with k.when(k.lane.equals(0)):
        for kind, value in zip(kinds, found, strict=True):
            label = f"{'total' if kind == 'sum' else kind}_{array_name(name, goal.result)}"
            label = f"{name}_variances" if kind == "variance" else label
            k.store(k.array(label, value.type, [batches], None, "out"), row, value)
    made.describe(f"{what} of each {batch}", f"{what} per {batch}")
    method = " by Welford's method" if moments is not None else ""
    k.doc += k.rng.pick(
        f" A block of {width} threads reduces each {batch}{method}.",
        f" A block reduces each {batch}{method}.",
    )
