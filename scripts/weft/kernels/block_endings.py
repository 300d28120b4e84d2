"""What becomes of a goal's values where the threads of a block work together: halos, and totals of rows."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping

from weft.kernels import tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.composition import Composition, array_name, total_name
from weft.kernels.domains.images import thinned
from weft.kernels.endings import Style, asked, on_line
from weft.kernels.formulas import Domain, Formula, Quantity
from weft.kernels.neighbors import Halo
from weft.kernels.program import Expr, Redraw
from weft.kernels.types import scalar_of
from weft.kernels.words import enumerated

SHAPES = ((16, 16), (8, 32), (8, 32), (8, 32), (8, 32))
"""Threads of a block, down and across."""
BLOCK_GRIDS = (
    (("y", "height"), ("x", "width")), (("row", "rows"), ("col", "cols")), (("i", "rows"), ("j", "cols")),
    (("j", "ny"), ("i", "nx")),
)  # fmt: skip


FAR = (thinned,)
"""What is made of elements anywhere, not of those around one."""


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


@asked(lambda domain, goal: goal.result.additive and on_line(domain, goal), weight=3.0)
def total_by_strides(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """A fixed number of blocks: each thread adds up elements that are a grid's width apart."""
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
    tiles.atomic_add(k, k.array(total_name(goal.result), own.type, ["1"], {"constant": 0.0}, "inout"), total)
    made.summed(f"Each of {blocks} blocks strides over the elements, and adds its sum to {{}}")
