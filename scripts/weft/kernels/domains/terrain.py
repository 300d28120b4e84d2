"""Height fields: slopes, shading, where water runs, and erosion."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.constants import SQRT_HALF
from weft.kernels.domains.cells import (
    Dt,
    Factor,
    Share,
    Small,
    centered,
    radius,
    second_order,
    window,
    window_size,
)
from weft.kernels.expressions import bounded, construct, lift, ops, within
from weft.kernels.formulas import Domain, Quantity, Setting, vector, whole
from weft.kernels.neighbors import around
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Vector

terrain = Domain("cell", ranks=(2,))

INSIDE = ("clamped",)

elevation = Quantity("elevation", 0.0, 10.0)
slope = Quantity("slope", -2.0, 2.0, vector(2))
steepness = Quantity("steepness", 0.0, 2.0, plural="steepness_values")
slope_angle = Quantity("slope_angle", 0.0, 1.4, most=1.5708)
aspect = Quantity("aspect", -3.14, 3.14, least=-3.2, most=3.2)
normal = Quantity("normal", -1.0, 1.0, vector(3))
shade = Quantity("shade", 0.0, 1.0)
mean_elevation = Quantity("mean_elevation", 0.0, 10.0, least=-1e5)
roughness = Quantity("roughness", 0.0, 3.0, plural="roughness_values", extremal=True, generic=True)
prominence = Quantity("prominence", -3.0, 3.0, least=-1e6, most=1e6, generic=True)
curvature = Quantity("curvature", -5.0, 5.0)
direction = Quantity("flow_direction", 0, 8, whole, most=8)
drop = Quantity("drop", 0.0, 5.0, extremal=True)
area = Quantity("drained_area", 1.0, 50.0)
new_area = Quantity("new_drained_area", 1.0, 50.0, least=0.0, updates=area)
wetness = Quantity("wetness_index", 0.0, 10.0, least=-100.0, plural="wetness_indices")
stream_power = Quantity("stream_power", 0.0, 20.0, most=1e6)
water = Quantity("water_depth", 0.0, 2.0)
new_elevation = Quantity("new_elevation", 0.0, 10.0, least=-1e7, most=1e7, updates=elevation)

Elevation = Annotated[Expr, elevation]
Elevations = Annotated[ArrayHandle, elevation]
Slope = Annotated[Expr, slope]
Steepness = Annotated[Expr, steepness]
SlopeAngle = Annotated[Expr, slope_angle]
Aspect = Annotated[Expr, aspect]
Normal = Annotated[Expr, normal]
Shade = Annotated[Expr, shade]
MeanElevation = Annotated[Expr, mean_elevation]
Roughness = Annotated[Expr, roughness]
Curvature = Annotated[Expr, curvature]
DrainedArea = Annotated[Expr, area]
StreamPower = Annotated[Expr, stream_power]
NewElevation = Annotated[Expr, new_elevation]

CellSize = Annotated[Expr, Setting(1.0, 5.0)]
Sun = Annotated[Expr, Setting(0.3, 1.2)]


@terrain.formula()
def central_slope(k: Builder, elevations: Elevations, cell_size: CellSize) -> Slope:
    """Slope by central differences. Components are along x, then y."""
    near = around(k, elevations, INSIDE)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    return construct(Vector(2, k.real), (right - left) / (2.0 * cell_size), (down - up) / (2.0 * cell_size))


def _weighted_slope(k: Builder, elevations: ArrayHandle, cell_size: Expr, middle: float) -> Expr:
    near = around(k, elevations, INSIDE)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    corner = {(a, b): near.corner(a, b) for a in (-1, 1) for b in (-1, 1)}
    east, west = corner[-1, 1] + middle * right + corner[1, 1], corner[-1, -1] + middle * left + corner[1, -1]
    south, north = corner[1, -1] + middle * down + corner[1, 1], corner[-1, -1] + middle * up + corner[-1, 1]
    across = (4.0 + 2.0 * middle) * cell_size
    return construct(Vector(2, k.real), (east - west) / across, (south - north) / across)


@terrain.formula(source="Horn 1981")
def horn_slope(k: Builder, elevations: Elevations, cell_size: CellSize) -> Slope:
    """Slope by Horn's method. The three neighbors on either side of an axis have weights of 1, 2 and 1."""
    return _weighted_slope(k, elevations, cell_size, 2.0)


@terrain.formula()
def steepness_of_slope(k: Builder, slope: Slope) -> Steepness:
    """Gradient magnitude. It is the rise per unit length."""
    return ops.length(slope)


@terrain.formula()
def angle_of_slope(k: Builder, steepness: Steepness) -> SlopeAngle:
    """Slope angle. It is in radians."""
    return bounded(ops.atan(steepness), 0.0, 1.5708)


@terrain.formula()
def aspect_of_slope(k: Builder, slope: Slope) -> Aspect:
    """Aspect. It is the direction of the steepest descent in radians."""
    rise = k.let("rise", ops.where(ops.abs(slope[1]) < 1e-4, lift(0.0, k.real), slope[1]))
    return ops.atan2(rise, -slope[0])


@terrain.formula()
def normal_of_slope(k: Builder, slope: Slope, exaggeration: Factor) -> Normal:
    """Terrain normal. The z axis points up, and slopes are exaggerated."""
    upright = construct(Vector(3, k.real), -exaggeration * slope[0], -exaggeration * slope[1], 1.0)
    return ops.normalize(upright)


@terrain.formula(source="Horn 1981")
def hillshade(k: Builder, slope_angle: SlopeAngle, aspect: Aspect, sun_angle: Sun, sun_azimuth: Sun) -> Shade:
    """Hillshade. It is the cosine of the sun's angle to the normal, or 0."""
    lit = ops.sin(sun_angle) * ops.cos(slope_angle)
    lit = lit + ops.cos(sun_angle) * ops.sin(slope_angle) * ops.cos(sun_azimuth - aspect)
    return bounded(ops.max(lit, 0.0), 0.0, 1.0)


@terrain.formula()
def stepped_shade(
    k: Builder,
    elevation: Elevation,
    elevations: Elevations,
    rise: Annotated[Expr, Setting(0.2, 0.8)],
    softness: Annotated[Expr, Setting(0.2, 1.0)],
    steps: Annotated[Expr, Setting(6, 16, "lp", whole)],
) -> Shade:
    """Soft terrain shadow by ray marching. It is the share of sunlight that remains, from 0.3 to 1. The ray
    rises from the cell along its row towards the sun, and terrain above it dims the light in proportion.
    """
    row, col = k.index
    lit = k.var("lit", 1.0, (0.0, 1.0))
    ray = k.var("ray_height", elevation, (0.0, 1e4))
    with k.loop("step", 1, steps) as step:
        place = ops.min(col + step, k.extent(1) - 1)
        k.set(ray, ops.min(ray + rise, 1e4))
        k.set(lit, ops.min(lit, ops.clamp(1.0 - (elevations[row, place] - ray) / softness, 0.3, 1.0)))
    return lit


@terrain.formula()
def window_mean_elevation(k: Builder, elevations: Elevations) -> MeanElevation:
    """Mean elevation of the window."""
    summed = k.var("elevation_sum", 0.0)
    near = around(k, elevations, INSIDE)
    reach = radius(k, "cells", 1, 2, 3)
    window(k, near, reach, lambda a, b, one: k.add(summed, one))
    return bounded(summed / window_size(k, reach), -1e5, 1e5)


@terrain.formula(source="Weiss 2001")
def position_index(
    k: Builder, elevation: Elevation, mean_elevation: MeanElevation
) -> Annotated[Expr, prominence]:
    """Topographic position index. It is positive on ridges and negative in valleys."""
    return elevation - mean_elevation


@terrain.formula(source="Riley, DeGloria and Elliot 1999")
def ruggedness(k: Builder, elevation: Elevation, elevations: Elevations) -> Roughness:
    """Terrain ruggedness index. It is the root of the summed squared differences to the neighbors."""
    near = around(k, elevations, INSIDE)
    squares = k.var("squares", 0.0)
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b:
        rise = k.let("rise", near.moved(a, b) - elevation)
        k.add(squares, rise * rise)
    return bounded(ops.sqrt(bounded(squares, 0.0, 1e10)), 0.0, 1e5)


@terrain.formula()
def laplacian_curvature(
    k: Builder, elevation: Elevation, elevations: Elevations, cell_size: CellSize
) -> Curvature:
    """Laplacian curvature. It is positive in valleys."""
    around(k, elevations, INSIDE)
    return second_order(k, elevations, elevation, cell_size)


@terrain.formula(source="O'Callaghan and Mark 1984")
def steepest_drop(k: Builder, elevation: Elevation, elevations: Elevations) -> Annotated[Expr, drop]:
    """Height above the lowest neighbor. Where none of the eight is lower, it is zero."""
    near = around(k, elevations, INSIDE)
    lowest = k.var("lowest", elevation, (-1e5, 1e5))
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b:
        k.set(lowest, ops.min(lowest, near.moved(a, b)))
    return bounded(elevation - lowest, 0.0, 1e5)


@terrain.formula(source="O'Callaghan and Mark 1984")
def d8_direction(k: Builder, elevation: Elevation, elevations: Elevations) -> Annotated[Expr, direction]:
    """D8 flow direction. It is that of the steepest descent, over sqrt(2) cells along diagonals. Neighbors
    count row by row from 0 to 8, and 4 is a pit.
    """
    near = around(k, elevations, INSIDE)
    steepest = k.var("steepest", 0.0, (0.0, 1e5))
    chosen = k.var("chosen", lift(4, I32), (0, 8))
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b:
        fall = k.var("fall", bounded(elevation - near.moved(a, b), -1e5, 1e5), (-1e5, 1e5))
        with k.when(a.differs(0) & b.differs(0)):
            k.set(fall, fall * SQRT_HALF)
        with k.when(fall > steepest):
            k.set(steepest, bounded(fall, 0.0, 1e5))
            k.set(chosen, bounded(3 * a + b + 4, 0, 8))
    return chosen


@terrain.formula(source="Jenson and Domingue 1988")
def gathered_area(
    k: Builder,
    drained_areas: Annotated[ArrayHandle, area],
    flow_directions: Annotated[ArrayHandle, direction],
) -> Annotated[Expr, new_area]:
    """D8 flow accumulation step. A cell gets 1 plus the previous areas of the neighbors that drain into it.
    Directions number the cells of the 3 x 3 neighborhood from 0 to 8, row by row, and 4 is no flow. The areas
    are final after as many steps as the longest flow path has cells.
    """
    i, j = k.index
    gathered = k.var("gathered", 1.0)
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b:
        y, x = k.let("near_row", i + a), k.let("near_col", j + b)
        outside = (y < 0) | (y >= k.extent(0)) | (x < 0) | (x >= k.extent(1))
        with k.when(outside | (a.equals(0) & b.equals(0))):
            k.jump("continue")
        neighbor = within(y, k.shape[0]), within(x, k.shape[1])
        with k.when(flow_directions[neighbor].equals(4 - 3 * a - b)):
            k.add(gathered, drained_areas[neighbor])
    return bounded(gathered, 0.0, 1e5)


@terrain.formula(source="Beven and Kirkby 1979")
def topographic_wetness(
    k: Builder, drained_area: DrainedArea, steepness: Steepness
) -> Annotated[Expr, wetness]:
    """Topographic wetness index. It is the logarithm of drained area over slope."""
    return ops.log(drained_area / ops.max(steepness, 1e-3))


@terrain.formula(source="Whipple and Tucker 1999")
def stream_power_law(
    k: Builder, drained_area: DrainedArea, steepness: Steepness, erodibility: Small
) -> StreamPower:
    """Stream power. It is erodibility times slope times the root of the drained area."""
    return erodibility * ops.sqrt(drained_area) * steepness


@terrain.formula(source="Culling 1960")
def crept_elevation(
    k: Builder, elevation: Elevation, elevations: Elevations, creep: Share, cell_size: CellSize, dt: Dt
) -> NewElevation:
    """Soil creep. Soil moves down the slope like heat."""
    around(k, elevations, INSIDE)
    return elevation + dt * creep * second_order(k, elevations, elevation, cell_size)


@terrain.formula(source="Musgrave, Kolb and Mace 1989")
def slumped_elevation(
    k: Builder,
    elevation: Elevation,
    elevations: Elevations,
    talus: Factor,
    rate: Annotated[Expr, Setting(0.02, 0.06)],
) -> NewElevation:
    """Thermal erosion. Material slides where the slope exceeds the angle of repose."""
    near = around(k, elevations, INSIDE)
    moved = k.var("shifted", 0.0)
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b:
        rise = k.let("rise", near.moved(a, b) - elevation)
        with k.when(rise > talus):
            k.add(moved, rise - talus)
        with k.orwhen(rise < -talus):
            k.add(moved, rise + talus)
    return bounded(elevation + rate * moved, -1e5, 1e5)


@terrain.formula(ranks=(2,))
def cone_elevation(k: Builder, summit: Annotated[Expr, Setting(4.0, 9.0)]) -> Elevation:
    """Initialize the terrain with a cone. The summit is in the middle of the grid."""
    y, x = centered(k, 0), centered(k, 1)
    return ops.max(summit * (1.0 - 2.0 * ops.sqrt(x * x + y * y)), 0.0)
