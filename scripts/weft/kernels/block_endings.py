"""What becomes of a goal's values where the threads of a block work together: halos, and totals of rows."""

from __future__ import annotations

import dataclasses

from weft.kernels import tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.composition import Composition, array_name
from weft.kernels.endings import Style
from weft.kernels.formulas import Domain, Formula, Quantity
from weft.kernels.neighbors import Halo
from weft.kernels.program import Expr, Redraw
from weft.kernels.coefficients import uniform, whole
from weft.kernels.types import scalar_of

SIDE = 16
BLOCK_GRIDS = (
    (("y", "height"), ("x", "width")), (("row", "rows"), ("col", "cols")), (("i", "rows"), ("j", "cols")),
    (("j", "ny"), ("i", "nx")),
)  # fmt: skip


@dataclasses.dataclass(slots=True)
class Haloed(Composition):
    """A composition whose arrays of all elements are tiles with a rim."""

    halos: dict[str, Halo] = dataclasses.field(default_factory=dict)
    origin: tuple[Expr, ...] = ()
    corner: tuple[Expr, ...] = ()
    reach: int = 1

    def array(self, name: str, of: Quantity) -> ArrayHandle:
        if name not in self.whole:
            return Composition.array(self, name, of)
        if name not in self.halos:
            k, kind, rim = self.k, of.kind(self.k), 2 * self.reach
            recipe = uniform(of.low, of.high) if scalar_of(kind).is_float else whole(int(of.low), int(of.high))
            array = k.array(name, kind, [f"{size} + {rim}" for size in k.shape], recipe)
            tile = tiles.load(array, (SIDE + rim, SIDE + rim), self.origin, shared=True)
            label = f"{name.removesuffix('_values')}_tile"
            self.halos[name] = Halo(
                k, array.parameter, kind, array.interval, tile=k.let(label, tile), corner=self.corner, reach=self.reach
            )
        return self.halos[name]

    def _read(self, name: str, of: Quantity, from_array: bool) -> Expr:
        if from_array:
            self.whole.add(array_name(name, of))
        return Composition._read(self, name, of, from_array)

    def _read_from_array(self, name: str, of: Quantity) -> bool:
        return array_name(name, of) in self.halos or Composition._read_from_array(self, name, of)


def in_halo_tiles(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Blocks of 16 by 16 threads read what lies around them from a tile in shared memory."""
    names = k.rng.pick(*BLOCK_GRIDS)
    (down, rows), (across, columns) = names
    k.dimension = 2
    k.sizes[rows] = f"{SIDE} * ((n + 2047) // 2048)"
    k.sizes[columns] = f"{SIDE} * min(n // 64 + 1, {k.rng.pick(3, 5, 6)})"
    blocks = k.blocks([f"{rows} // {SIDE}", f"{columns} // {SIDE}"], [f"block_{down}", f"block_{across}"], SIDE * SIDE)
    corner = k.in_square(SIDE, (f"tile_{down}", f"tile_{across}"))
    k.shape, k.axes = (rows, columns), (down, across)
    k.index = k.target = tuple(
        k.within(name, block * SIDE + inner, size)
        for name, block, inner, size in zip((down, across), blocks, corner, k.shape, strict=True)
    )
    k.drawn["boundary"] = "ghost"
    origin = tuple(block * SIDE for block in blocks)
    made = Haloed(k, domain, origin=origin, corner=corner, reach=k.rng.pick(1, 1, 1, 2))
    made.store(goal)
    if not made.halos:
        raise Redraw("nothing that the goal needs lies around the elements")
    if max(one.used for one in made.halos.values()) < made.reach:
        raise Redraw("the rim is wider than what is read")
    made.describe(f"the {goal.words} of each {domain.element}")
    k.doc += f" Blocks of {SIDE} by {SIDE} threads share a tile with a rim."
