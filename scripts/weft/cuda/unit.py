"""One record on its way through the translator."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from weft.cuda.analysis.intervals import Number
from weft.cuda.calls import ModuleContext
from weft.cuda.contents import Contents
from weft.cuda.grid import LINEAR, ExtentNames, Grid
from weft.cuda.helpers.text import Helper, Request
from weft.cuda.launch_assumptions import Limits
from weft.cuda.passes.demands import Demands
from weft.cuda.passes.extent_parameters import ExtentParameter
from weft.cuda.passes.memory import Table
from weft.cuda.passes.points_to import PointsTo
from weft.cuda.passes.rename import Names
from weft.cuda.passes.shapes import Needs
from weft.cuda.preconditions import Axes
from weft.cuda.tiles.block_size import Work
from weft.cuda.tree import Expression, Function
from weft.function_source import FunctionSource
from weft.launch import Launch
from weft.sizes import Size
from weft.types import Structs


@dataclasses.dataclass
class Unit:
    """One record on its way through the passes: what was read, and what each pass adds. The kernel is the
    last function. `constants` are named whole numbers of its program. The threads of a block share the `work`
    on a tile. With several `warps`, each has a tile of its own.
    """

    record: dict[str, Any]
    launch: Launch
    structs: Structs
    sources: list[FunctionSource]
    module: ModuleContext
    constants: Mapping[str, int] = dataclasses.field(default_factory=dict)
    work: Work | None = None
    warps: int = 1
    functions: list[Function] = dataclasses.field(default_factory=list)
    points_to: PointsTo = dataclasses.field(init=False)
    preconditions: set[str] = dataclasses.field(default_factory=set)
    indexed: Axes = dataclasses.field(default_factory=dict)
    clamped: set[str] = dataclasses.field(default_factory=set)
    extents: dict[str, list[ExtentParameter]] = dataclasses.field(default_factory=dict)
    needs: Needs = dataclasses.field(default_factory=Needs)
    shaped: Structs = dataclasses.field(default_factory=dict)
    grid: Grid = LINEAR
    extent_names: ExtentNames = dataclasses.field(default_factory=ExtentNames)
    covered_dims: tuple[Size, ...] = ()
    limits: Limits = dataclasses.field(default_factory=Limits)
    overflowing: tuple[tuple[str, Expression], ...] = ()
    held: Mapping[str, Number] = dataclasses.field(default_factory=dict)
    demands: Demands = dataclasses.field(default_factory=lambda: Demands({}))
    contents: list[Contents] = dataclasses.field(default_factory=list)
    helpers: dict[Request, Helper] = dataclasses.field(default_factory=dict)
    tables: list[Table] = dataclasses.field(default_factory=list)
    names: Names = dataclasses.field(default_factory=lambda: Names({}, {}, {}, {}))

    @property
    def kernel(self) -> Function:
        return self.functions[-1]

    @property
    def written(self) -> set[str]:
        """The leaves that the kernel writes."""
        return self.points_to.written_leaves()

    @property
    def has_any_blocks(self) -> bool:
        """Whether the kernel may have blocks of any size."""
        return self.launch.block_dim is None and not self.module.block_dim

    @property
    def has_block_a_tile(self) -> bool:
        """Whether each block of the launch works on a tile of its own."""
        return self.launch.tiled and self.launch.block_dim is not None and self.warps == 1

    @property
    def tiled(self) -> list[Function]:
        """The functions that may work on tiles: all of them, or none."""
        return [] if self.module.blocks is None else self.functions
