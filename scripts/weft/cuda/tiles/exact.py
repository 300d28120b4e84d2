"""Sums of floats that no order changes, because no partial sum is rounded.

A launch description that promises whole numbers in an array promises, of what is computed from them without
divisions, multiples of a power of two that are not too large.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from weft.cuda.device_functions import device_function
from weft.cuda.tiles.values import TileValue
from weft.cuda.tree import (
    INT,
    Binary,
    Call,
    Component,
    Conditional,
    Element,
    Expression,
    Literal,
    Name,
    Unary,
)
from weft.types import Scalar, Tile

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder

_DIGITS = {"float32": 24, "float64": 53}


@dataclasses.dataclass(frozen=True)
class Grid:
    """Multiples of 2 ** -`fraction`, none farther from zero than `most`."""

    fraction: int
    most: float

    def fits(self, kind: Scalar) -> bool:
        return self.most * 2.0**self.fraction <= 2.0 ** _DIGITS.get(kind.name, 0)


def is_exact_sum(builder: TileBuilder, tile: TileValue) -> bool:
    """Whether all, or any selection, of a tile's elements add up without rounding."""
    grid = grid_of(builder, tile)
    kind = tile.element
    return (
        grid is not None
        and isinstance(kind, Scalar)
        and Grid(grid.fraction, grid.most * tile.size).fits(kind)
    )


def grid_of(builder: TileBuilder, tile: TileValue) -> Grid | None:
    """What is known of every element of a tile."""
    return _grid(builder, tile.at([Name(INT, "")] * len(tile.shape)))


def _grid(builder: TileBuilder, value: Expression) -> Grid | None:
    """What is known of a value; None if it may be rounded, or anything."""
    match value:
        case Literal(value=int() | float() as number) if math.isfinite(number):
            numerator, denominator = float(number).as_integer_ratio()
            found: Grid | None = Grid(denominator.bit_length() - 1, abs(numerator / denominator))
        case Element(array=Name(name=name)):
            found = _described(builder, name)
        case Component(value=Name(name=name, type=Tile())):
            found = builder.grids.get(name)
        case Conditional(then=then, otherwise=otherwise):
            found = _joined(builder, then, otherwise)
        case Call(function=function, arguments=arguments) if device_function(function).chooses:
            found = _joined(builder, *arguments)
        case Unary(operator="-", operand=operand):
            found = _grid(builder, operand)
        case Binary(operator="+" | "-", left=left, right=right):
            found = _joined(builder, left, right, added=True)
        case Binary(operator="*", left=left, right=right):
            one, other = _grid(builder, left), _grid(builder, right)
            found = Grid(one.fraction + other.fraction, one.most * other.most) if one and other else None
        case _:
            return None
    return found if found and isinstance(value.type, Scalar) and found.fits(value.type) else None


def _joined(builder: TileBuilder, *values: Expression, added: bool = False) -> Grid | None:
    """One of the values, or their sum."""
    grids = [_grid(builder, value) for value in values]
    known = [grid for grid in grids if grid is not None]
    if len(known) < len(grids):
        return None
    most = sum(grid.most for grid in known) if added else max(grid.most for grid in known)
    return Grid(max(grid.fraction for grid in known), most)


def _described(builder: TileBuilder, name: str) -> Grid | None:
    """What a launch description promises of an array that the kernel only reads."""
    launch = builder.module.launch
    parameter = launch.parameters.get(name) if launch and builder.source is builder.module.kernel else None
    if launch is None or parameter is None or name in launch.inferred or parameter.role != "in":
        return None
    recipe = parameter.values
    if recipe is None or recipe.kind != "integers" or not all(isinstance(n, int) for n in recipe.arguments):
        return None
    low, high = (int(number) for number in recipe.arguments)
    return Grid(0, float(max(abs(low), abs(high - 1))))
