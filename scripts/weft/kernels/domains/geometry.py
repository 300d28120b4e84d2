"""Triangles of a mesh, and axis-aligned boxes: measures, distances, quality, attributes, collision."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.constants import SQRT_3
from weft.kernels.domains.along import Slots, slots
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.formulas import Domain, Kind, Quantity, Setting, number, vector
from weft.kernels.idioms.pairs import zero
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Vector

triangle = Domain("triangle", index=("i", "t", "face"))


def at_corner(name: str, array: str, slot: int, low: float, high: float, kind: Kind) -> Quantity:
    """What a triangle finds at one of its corners, through the indices of a mesh or in a row of its own.

    Positions lie on a lattice: a triangle is either exactly degenerate or far from it.
    """
    values = whole(int(low), int(high)) if array == "positions" else uniform(low, high)

    def load(k: Builder, _: str) -> Expr:
        (i,) = k.index
        layout = k.once("layout of corners", lambda: k.rng.pick("rows", "rows", "triples", "soup"))
        if layout == "soup":
            return k.input(f"corner_{array}", kind(k), ["n", "3"], values)[i, slot]
        k.sizes["vertex_count"] = "n // 2 + 2"
        places = {"integers": [0, "vertex_count"]}
        if layout == "rows":
            vertex = k.input("faces", I32, ["n", "3"], places)[i, slot]
        else:
            vertex = k.input("faces", Vector(3, I32), ["n"], places)[i][slot]
        return k.input(array, kind(k), ["vertex_count"], values)[vertex]

    return Quantity(name, low, high, kind, load=load)


SPACE = vector(3)
A = Annotated[Expr, at_corner("a", "positions", 0, -4.0, 4.0, SPACE)]
B = Annotated[Expr, at_corner("b", "positions", 1, -4.0, 4.0, SPACE)]
C = Annotated[Expr, at_corner("c", "positions", 2, -4.0, 4.0, SPACE)]
UvA = Annotated[Expr, at_corner("uv_a", "uvs", 0, 0.0, 1.0, vector(2))]
UvB = Annotated[Expr, at_corner("uv_b", "uvs", 1, 0.0, 1.0, vector(2))]
UvC = Annotated[Expr, at_corner("uv_c", "uvs", 2, 0.0, 1.0, vector(2))]
ValueA = Annotated[Expr, at_corner("value_a", "values", 0, -1.0, 1.0, number)]
ValueB = Annotated[Expr, at_corner("value_b", "values", 1, -1.0, 1.0, number)]
ValueC = Annotated[Expr, at_corner("value_c", "values", 2, -1.0, 1.0, number)]

area = Quantity("area", 0.5, 20.0, least=0.0, additive=True, extremal=True)
unit_normal = Quantity("unit_normal", -0.7, 0.7, SPACE, least=-1.0, most=1.0)
center = Quantity("center", -3.0, 3.0, SPACE, least=-1e8, most=1e8)

Area = Annotated[Expr, area]
Areas = Annotated[ArrayHandle, area]
UnitNormal = Annotated[Expr, unit_normal]
UnitNormals = Annotated[ArrayHandle, unit_normal]
Center = Annotated[Expr, center]
Edge = Annotated[Expr, Quantity("edge", -6.0, 6.0, SPACE, computed=True)]
NextEdge = Annotated[Expr, Quantity("next_edge", -6.0, 6.0, SPACE, computed=True)]
AreaVector = Annotated[Expr, Quantity("area_vector", -12.0, 12.0, SPACE)]
SideLengths = Annotated[
    Expr, Quantity("side_lengths", 2.0, 8.0, SPACE, least=0.0, plural="side_length_triples")
]
Perimeter = Annotated[Expr, Quantity("perimeter", 6.0, 24.0, least=0.0, additive=True)]
Quality = Annotated[Expr, Quantity("quality", 0.05, 1.0, least=0.0, most=1e12)]
SmallestAngle = Annotated[Expr, Quantity("smallest_angle", 0.05, 1.0, least=0.0)]
Cotangent = Annotated[Expr, Quantity("cotangent", -2.0, 2.0)]
Query = Annotated[Expr, Quantity("query", -5.0, 5.0, SPACE)]
Weights = Annotated[
    Expr, Quantity("weights", -0.3, 1.2, SPACE, plural="corner_weights", least=-1e8, most=1e8)
]
ClosestPoint = Annotated[Expr, Quantity("closest_point", -4.0, 4.0, SPACE)]
Distance = Annotated[Expr, Quantity("distance", 0.0, 8.0, extremal=True)]
Volume = Annotated[Expr, Quantity("volume", -20.0, 20.0, least=-1e12, most=1e12, additive=True)]
Attribute = Annotated[Expr, Quantity("attribute", -1.0, 1.0, least=-1e9, most=1e9)]
Tangent = Annotated[Expr, Quantity("tangent", -0.7, 0.7, SPACE, least=-1.0, most=1.0)]
CreaseAngle = Annotated[Expr, Quantity("crease_angle", 0.0, 3.0, extremal=True)]
SmoothNormal = Annotated[Expr, Quantity("smooth_normal", -0.7, 0.7, SPACE, least=-1.0, most=1.0)]


def spread(point: Expr) -> tuple[Expr, Expr, Expr]:
    """The components of a vector in space."""
    return point[0], point[1], point[2]


def total(v: Expr) -> Expr:
    """The sum of the components of a vector in space."""
    return v[0] + v[1] + v[2]


def product(v: Expr) -> Expr:
    """The product of the components of a vector in space."""
    return v[0] * v[1] * v[2]


def longer_sides(k: Builder, sides: Expr) -> tuple[Expr, Expr]:
    """The longest and the middle of three lengths."""
    x, y, z = spread(sides)
    longest = k.let("longest", ops.max(ops.max(x, y), z))
    return longest, k.let("mid_side", ops.max(ops.min(x, y), ops.min(ops.max(x, y), z)))


@triangle.formula(goal=False)
def first_edge(k: Builder, a: A, b: B) -> Edge:
    """First edge of a triangle."""
    return b - a


@triangle.formula(goal=False)
def last_edge(k: Builder, a: A, c: C) -> NextEdge:
    """Last edge of a triangle."""
    return c - a


@triangle.formula()
def half_cross_product(k: Builder, edge: Edge, next_edge: NextEdge) -> AreaVector:
    """Area vector of a triangle. Its length is the area, and its direction the normal."""
    return 0.5 * ops.cross(edge, next_edge)


@triangle.formula()
def face_normal(k: Builder, area_vector: AreaVector) -> UnitNormal:
    """Unit face normal. Corners are counterclockwise as seen from its side."""
    return ops.normalize(area_vector)


@triangle.formula()
def vector_area(k: Builder, area_vector: AreaVector) -> Area:
    """Triangle area. It is the length of the area vector, which is half the cross product of two edges."""
    return ops.length(area_vector)


@triangle.formula()
def lengths_of_sides(k: Builder, a: A, b: B, c: C) -> SideLengths:
    """Side lengths of a triangle. Each side has the number of the opposite corner."""
    return construct(SPACE(k), ops.length(c - b), ops.length(a - c), ops.length(b - a))


@triangle.formula()
def perimeter(k: Builder, side_lengths: SideLengths) -> Perimeter:
    """Perimeter of a triangle."""
    return total(side_lengths)


@triangle.formula(source="Knupp 2003")
def mean_ratio_quality(k: Builder, area: Area, side_lengths: SideLengths) -> Quality:
    """Mean-ratio quality of a triangle. It is 1 for an equilateral triangle and falls to 0 for degenerate or
    tiny ones.
    """
    return 4.0 * (SQRT_3 * area) / ops.max(ops.dot(side_lengths, side_lengths), 1e-3)


@triangle.formula()
def sharpest_angle(k: Builder, side_lengths: SideLengths, area: Area) -> SmallestAngle:
    """Smallest angle of a triangle. It is in radians. The product of the two longer sides counts as at least
    1e-6, so that degenerate triangles have the angle zero.
    """
    longest, middle = longer_sides(k, side_lengths)
    return ops.asin(ops.min(2.0 * area / ops.max(longest * middle, 1e-6), 1.0))


@triangle.formula(source="Pinkall and Polthier 1993")
def corner_cotangent(k: Builder, edge: Edge, next_edge: NextEdge) -> Cotangent:
    """Cotangent weight of a triangle corner. Such weights make up the cotangent Laplacian."""
    return ops.dot(edge, next_edge) / ops.max(ops.length(ops.cross(edge, next_edge)), 0.1)


@triangle.formula()
def centroid(k: Builder, a: A, b: B, c: C) -> Center:
    """Triangle centroid. It is the mean of the three corners."""
    return (a + b + c) / 3.0


@triangle.formula(source="Ericson, Real-Time Collision Detection, 3.4")
def cramer_weights(k: Builder, a: A, edge: Edge, next_edge: NextEdge, query: Query) -> Weights:
    """Barycentric coordinates of a query point by Cramer's rule. The point is projected onto the plane of the
    triangle, and the denominator is at least 0.01, so that degenerate triangles have finite coordinates.
    """
    arm = k.let("arm", query - a)
    d00, d01 = k.let("d00", ops.dot(edge, edge)), k.let("d01", ops.dot(edge, next_edge))
    d11 = k.let("d11", ops.dot(next_edge, next_edge))
    d20, d21 = k.let("d20", ops.dot(arm, edge)), k.let("d21", ops.dot(arm, next_edge))
    denominator = k.let("denominator", ops.max(d00 * d11 - d01 * d01, 0.01))
    v = k.let("v", (d11 * d20 - d01 * d21) / denominator)
    w = k.let("w", (d00 * d21 - d01 * d20) / denominator)
    return construct(SPACE(k), 1.0 - v - w, v, w)


@triangle.formula(source="Ericson, Real-Time Collision Detection, 5.1.5", teaches=("branch",))
def closest_on_triangle(k: Builder, a: A, b: B, c: C, query: Query) -> ClosestPoint:
    """Closest point on a triangle to a query point. It is on a corner, an edge or the face, whichever is
    nearest.
    """
    ab, ac = k.let("ab", b - a), k.let("ac", c - a)
    d1, d2 = k.let("d1", ops.dot(ab, query - a)), k.let("d2", ops.dot(ac, query - a))
    d3, d4 = k.let("d3", ops.dot(ab, query - b)), k.let("d4", ops.dot(ac, query - b))
    d5, d6 = k.let("d5", ops.dot(ab, query - c)), k.let("d6", ops.dot(ac, query - c))
    va, vb, vc = (
        k.let("va", d3 * d6 - d5 * d4), k.let("vb", d5 * d2 - d1 * d6), k.let("vc", d1 * d4 - d3 * d2),
    )  # fmt: skip

    def along(base: Expr, edge: Expr, part: Expr, rest: Expr) -> Expr:
        return base + bounded(part / ops.max(part + rest, 1e-6), 0.0, 1.0) * edge

    closest = k.var("closest", a)
    with k.when((d1 <= 0.0) & (d2 <= 0.0)):
        k.set(closest, a)
    with k.orwhen((d3 >= 0.0) & (d4 <= d3)):
        k.set(closest, b)
    with k.orwhen((d6 >= 0.0) & (d5 <= d6)):
        k.set(closest, c)
    with k.orwhen((vc <= 0.0) & (d1 >= 0.0) & (d3 <= 0.0)):
        k.set(closest, along(a, ab, d1, -d3))
    with k.orwhen((vb <= 0.0) & (d2 >= 0.0) & (d6 <= 0.0)):
        k.set(closest, along(a, ac, d2, -d6))
    with k.orwhen((va <= 0.0) & (d4 >= d3) & (d5 >= d6)):
        k.set(closest, along(b, c - b, d4 - d3, d5 - d6))
    with k.otherwise():
        scale = k.let("scale", 1.0 / ops.max(va + vb + vc, 1e-6))
        k.set(closest, a + bounded(vb * scale, 0.0, 1.0) * ab + bounded(vc * scale, 0.0, 1.0) * ac)
    return closest


@triangle.formula()
def point_distance(k: Builder, query: Query, closest_point: ClosestPoint) -> Distance:
    """Distance to a query point."""
    return ops.length(query - closest_point)


@triangle.formula()
def interpolated_attribute(
    k: Builder, weights: Weights, value_a: ValueA, value_b: ValueB, value_c: ValueC
) -> Attribute:
    """Interpolate a vertex attribute with barycentric weights."""
    return weights[0] * value_a + weights[1] * value_b + weights[2] * value_c


@triangle.formula(source="Lengyel, Mathematics for 3D Game Programming, 7.8")
def uv_tangent(k: Builder, edge: Edge, next_edge: NextEdge, uv_a: UvA, uv_b: UvB, uv_c: UvC) -> Tangent:
    """Unit tangent from texture coordinates. It is the direction in which the coordinate u grows."""
    e, f = k.let("uv_edge", uv_b - uv_a), k.let("uv_next_edge", uv_c - uv_a)
    side = k.let("side", ops.sign(e[0] * f[1] - e[1] * f[0]))
    return ops.normalize(side * (f[1] * edge - e[1] * next_edge))


def each_adjacent(k: Builder) -> tuple[Expr, Slots]:
    """The number of a triangle, and the array of those beside its sides; -1 where there is none."""
    (i,) = k.index
    beside = slots(k, "adjacent", I32, "3", {"integers": [-1, "n"]})
    k.notes.append(f"`{beside.at('e')}` is the triangle across edge e of triangle i, -1 at a border")
    return i, beside


@triangle.formula(teaches=("loop", "branch"))
def crease_angle(k: Builder, unit_normal: UnitNormal, unit_normals: UnitNormals) -> CreaseAngle:
    """Crease angle. It is the largest angle to an adjacent triangle, in radians."""
    i, adjacent = each_adjacent(k)
    smallest = k.var("smallest_cosine", 1.0, bounds=(-1.0, 1.0))
    with k.loop("side", 0, 3) as side:
        j = k.let("j", adjacent[i, side])
        with k.when(j >= 0):
            cosine = ops.clamp(ops.dot(unit_normal, unit_normals[j]), -1.0, 1.0)
            k.set(smallest, ops.min(smallest, cosine))
    return ops.acos(smallest)


@triangle.formula(teaches=("loop", "branch"))
def smooth_normal(
    k: Builder, unit_normal: UnitNormal, unit_normals: UnitNormals, areas: Areas
) -> SmoothNormal:
    """Smooth unit normal. It is the sum of the normals of a triangle and its neighbors, weighted by area and
    normalized.
    """
    i, adjacent = each_adjacent(k)
    normal = k.var("normal_sum", areas[i] * unit_normal)
    with k.loop("edge", 0, 3) as edge:
        j = k.let("j", adjacent[i, edge])
        with k.when(j >= 0):
            k.add(normal, areas[j] * unit_normals[j])
    return ops.normalize(normal)


box = Domain("box", index=("i", "b", "box"))

lower = Quantity("lower", -1.0, 0.0, SPACE, plural="lowers")
upper = Quantity("upper", 0.1, 1.0, SPACE, plural="uppers", least=-1e5)

Lower = Annotated[Expr, lower]
Upper = Annotated[Expr, upper]
Extent = Annotated[Expr, Quantity("extent", 0.1, 2.0, SPACE, least=0.0)]
BoxCenter = Annotated[Expr, Quantity("center", -0.5, 0.5, SPACE)]
BoxVolume = Annotated[Expr, Quantity("volume", 0.05, 4.0, least=0.0, most=1e10, additive=True)]
SurfaceArea = Annotated[Expr, Quantity("surface_area", 0.1, 12.0, least=0.0, most=1e10, additive=True)]
ObjectLower = Annotated[Expr, Quantity("object_lower", -1.0, 0.0, SPACE)]
ObjectUpper = Annotated[Expr, Quantity("object_upper", 0.1, 1.0, SPACE)]
CommonVolume = Annotated[Expr, Quantity("common_volume", 0.0, 1.0, most=1e10, additive=True)]
Overlap = Annotated[Expr, Quantity("overlap", 0.0, 1.0, generic=True)]
SplitCost = Annotated[Expr, Quantity("split_cost", 1.0, 20.0, least=0.0, most=1e12)]
Point = Annotated[Expr, Quantity("point", -1.5, 1.5, SPACE)]
NearestPoint = Annotated[Expr, Quantity("nearest_point", -1.0, 1.0, SPACE)]
BoxDistance = Annotated[Expr, Quantity("distance", -1.0, 2.0)]
Entry = Annotated[Expr, Quantity("entry", -5.0, 5.0, plural="entries", least=-1e9, most=1e9)]
Exit = Annotated[Expr, Quantity("exit_distance", -5.0, 5.0, least=-1e9, most=1e9)]
BoxMass = Annotated[Expr, Quantity("mass", 0.1, 4.0, plural="masses", most=1e12, additive=True)]
Inertia = Annotated[Expr, Quantity("inertia", 0.01, 2.0, SPACE, plural="inertias", least=0.0, most=1e24)]


@box.formula()
def box_extent(k: Builder, lower: Lower, upper: Upper) -> Extent:
    """Extents of a box. They are the sizes along the axes."""
    return bounded(upper - lower, 0.0, 1e3)


@box.formula()
def box_midpoint(k: Builder, lower: Lower, upper: Upper) -> BoxCenter:
    """Center of a bounding box. It is the mean of both corners."""
    return 0.5 * (lower + upper)


@box.formula()
def extent_volume(k: Builder, extent: Extent) -> BoxVolume:
    """Volume of a box."""
    return product(extent)


@box.formula()
def extent_surface(k: Builder, extent: Extent) -> SurfaceArea:
    """Surface area of a box."""
    return 2.0 * (extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0])


@box.formula(source="Everingham et al. 2010")
def intersection_over_union(
    k: Builder, common_volume: CommonVolume, volume: BoxVolume, object_lower: ObjectLower,
    object_upper: ObjectUpper,
) -> Overlap:  # fmt: skip
    """Intersection over union of two boxes. Boxes apart have 0, and equal ones 1."""
    other = k.let("object_volume", product(object_upper - object_lower))
    joint = k.let("joint_volume", ops.max(volume + other - common_volume, 1e-3))
    return ops.min(common_volume / joint, 1.0)


@box.formula(source="MacDonald and Booth 1990")
def surface_area_heuristic(
    k: Builder,
    surface_area: SurfaceArea,
    left_area: Annotated[Expr, Quantity("left_area", 0.1, 6.0)],
    right_area: Annotated[Expr, Quantity("right_area", 0.1, 6.0)],
    left_count: Annotated[Expr, Quantity("left_count", 1.0, 64.0)],
    right_count: Annotated[Expr, Quantity("right_count", 1.0, 64.0)],
    traversal_cost: Annotated[Expr, Setting(0.5, 2.0)],
) -> SplitCost:
    """Surface area heuristic cost of a BVH split. It weighs the triangle counts of both children by their
    surface areas.
    """
    expected = left_area * left_count + right_area * right_count
    return traversal_cost + expected / ops.max(surface_area, 1e-3)


@box.formula(source="Ericson, Real-Time Collision Detection, 5.1.3")
def clamped_point(k: Builder, point: Point, lower: Lower, upper: Upper) -> NearestPoint:
    """Point of a box nearest to a query point. Points inside stay where they are."""
    return ops.min(ops.max(point, lower), upper)


@box.formula(source="Quilez, distance functions")
def signed_box_distance(k: Builder, point: Point, center: BoxCenter, extent: Extent) -> BoxDistance:
    """Signed distance to an axis-aligned box. It is negative inside, and the extent is the edge lengths."""
    gap = k.let("offset", ops.abs(point - center) - 0.5 * extent)
    outside = ops.max(gap, zero(Vector(3, k.real)))
    x, y, z = spread(gap)
    return ops.length(outside) + ops.min(ops.max(ops.max(x, y), z), 0.0)


RayOrigin = Annotated[Expr, Setting(-3.0, -1.5, kind=SPACE)]
InverseDirection = Annotated[Expr, Setting(-4.0, 4.0, kind=SPACE)]


@box.formula(source="Kay and Kajiya 1986")
def slab_entry(
    k: Builder, lower: Lower, upper: Upper, ray_origin: RayOrigin, inverse_direction: InverseDirection
) -> Entry:
    """Ray-box entry distance by the slab method. It is the largest entry distance of the three pairs of
    planes.
    """
    near = k.let("to_lower", ops.cw_mul(lower - ray_origin, inverse_direction))
    far = k.let("to_upper", ops.cw_mul(upper - ray_origin, inverse_direction))
    x, y, z = (ops.min(near[at], far[at]) for at in range(3))
    return ops.max(ops.max(x, y), z)


@box.formula(source="Kay and Kajiya 1986")
def slab_exit(
    k: Builder, lower: Lower, upper: Upper, ray_origin: RayOrigin, inverse_direction: InverseDirection
) -> Exit:
    """Ray-box exit distance by the slab method. It is the smallest exit distance of the three pairs of
    planes.
    """
    near = ops.cw_mul(lower - ray_origin, inverse_direction)
    far = ops.cw_mul(upper - ray_origin, inverse_direction)
    near, far = k.let("from_lower", near), k.let("from_upper", far)
    x, y, z = (ops.max(near[at], far[at]) for at in range(3))
    return ops.min(ops.min(x, y), z)


@box.formula()
def cuboid_inertia(k: Builder, mass: BoxMass, extent: Extent) -> Inertia:
    """Principal moments of inertia of a solid cuboid. They are about the center, along the edges."""
    x, y, z = (k.let(name, extent[at] * extent[at]) for at, name in enumerate(("xx", "yy", "zz")))
    return mass / 12.0 * construct(SPACE(k), y + z, z + x, x + y)
