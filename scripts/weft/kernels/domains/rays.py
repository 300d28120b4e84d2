"""Rays that hit things, and distance fields of solids."""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Annotated

from weft.kernels import intervals
from weft.kernels.builder import Builder
from weft.kernels.coefficients import whole
from weft.kernels.constants import INV_SQRT_3, PI, TWO_PI
from weft.kernels.expressions import bounded, construct, convert, ops
from weft.kernels.formulas import Domain, Kind, Quantity, Setting, number, vector
from weft.kernels.idioms.pairs import zero
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.types import Vector

SPACE = vector(3)
PLANE = vector(2)

ray = Domain("ray", index=("i", "r", "ray"))

SHORTEST = 1e-6
"""The squared length of a direction that divides no less, so that one of no length gives no infinity."""


def on_lattice(name: str, low: int, high: int, kind: Kind = SPACE, *, shared: bool = False) -> Quantity:
    """An input of whole numbers, so that a ray exactly touches or clearly misses; perhaps a parameter."""

    def load(k: Builder, called: str) -> Expr:
        if shared:
            return k.scalar(called, kind(k), whole(low, high))
        return k.input(f"{called}s", kind(k), k.shape, whole(low, high))[k.index]

    return Quantity(name, low, high, kind, load=load)


Origin = Annotated[Expr, on_lattice("origin", -6, 6)]
Direction = Annotated[Expr, on_lattice("direction", -3, 3)]
BallCenter = Annotated[Expr, on_lattice("ball_center", -2, 2, shared=True)]
BallRadius = Annotated[Expr, on_lattice("ball_radius", 2, 5, number, shared=True)]
PlaneNormal = Annotated[Expr, on_lattice("plane_normal", -3, 3, shared=True)]
PlaneOffset = Annotated[Expr, on_lattice("plane_offset", -2, 2, number, shared=True)]
AxisPoint = Annotated[Expr, on_lattice("axis_point", -2, 2, PLANE, shared=True)]
AxisRadius = Annotated[Expr, on_lattice("axis_radius", 2, 5, number, shared=True)]
CornerA = Annotated[Expr, on_lattice("corner_a", -6, 6)]
CornerB = Annotated[Expr, on_lattice("corner_b", -6, 6)]
CornerC = Annotated[Expr, on_lattice("corner_c", -6, 6)]
Target = Annotated[Expr, on_lattice("target", -6, 6)]

SquaredLength = Annotated[Expr, Quantity("squared_length", 1.0, 27.0, least=0.0, computed=True)]
BallOffset = Annotated[Expr, Quantity("ball_offset", -8.0, 8.0, SPACE, computed=True)]
HalfSlope = Annotated[Expr, Quantity("half_slope", -50.0, 50.0, computed=True)]
Discriminant = Annotated[Expr, Quantity("discriminant", -50.0, 200.0)]
BallHit = Annotated[Expr, Quantity("ball_hit", -1.0, 6.0, least=-1e7, most=1e7)]
BallPoint = Annotated[Expr, Quantity("ball_point", -5.0, 5.0, SPACE, least=-1e9, most=1e9)]
BallNormal = Annotated[Expr, Quantity("ball_normal", -0.7, 0.7, SPACE, least=-1e9, most=1e9)]
Chord = Annotated[Expr, Quantity("chord", 0.0, 6.0, most=1e9, extremal=True)]
Transmittance = Annotated[Expr, Quantity("transmittance", 0.05, 1.0, least=0.0)]
Hit = Annotated[Expr, Quantity("hit", 0.1, 8.0, least=-1e7, most=1e7)]
HitPoint = Annotated[Expr, Quantity("hit_point", -6.0, 6.0, SPACE, least=-1e9, most=1e9)]
HitNormal = Annotated[Expr, Quantity("hit_normal", -0.7, 0.7, SPACE)]
UnitDirection = Annotated[Expr, Quantity("unit_direction", -0.7, 0.7, SPACE, least=-1.0, most=1.0)]
FacingNormal = Annotated[Expr, Quantity("facing_normal", -0.7, 0.7, SPACE, least=-1.0, most=1.0)]
Cosine = Annotated[Expr, Quantity("cosine", 0.0, 1.0)]
Reflected = Annotated[Expr, Quantity("reflected_direction", -0.9, 0.9, SPACE)]
Refracted = Annotated[Expr, Quantity("refracted_direction", -0.9, 0.9, SPACE)]
Reflectance = Annotated[Expr, Quantity("reflectance", 0.0, 1.0, most=2.0)]
Approach = Annotated[Expr, Quantity("approach", 0.0, 6.0, most=1e7)]
Gap = Annotated[Expr, Quantity("gap", 0.0, 8.0, most=1e9, extremal=True)]
Depth = Annotated[Expr, Quantity("depth", -8.0, 8.0, least=-1e9, most=1e9)]
Footprint = Annotated[Expr, Quantity("footprint", 0.0, 1.0, most=1e6)]
Visibility = Annotated[Expr, Quantity("visibility", 0.0, 1.0, plural="visibilities", additive=True)]

Eta = Annotated[Expr, Setting(0.6, 0.95)]


@ray.formula(goal=False)
def squared_length(k: Builder, direction: Direction) -> SquaredLength:
    """Squared length of the direction."""
    return ops.dot(direction, direction)


@ray.formula(goal=False)
def ball_offset(k: Builder, origin: Origin, ball_center: BallCenter) -> BallOffset:
    """Offset from the sphere center."""
    return origin - ball_center


@ray.formula(goal=False)
def half_slope(k: Builder, ball_offset: BallOffset, direction: Direction) -> HalfSlope:
    """Half the linear coefficient of the ray-sphere equation."""
    return ops.dot(ball_offset, direction)


@ray.formula(goal=False)
def ball_discriminant(
    k: Builder,
    ball_offset: BallOffset,
    ball_radius: BallRadius,
    half_slope: HalfSlope,
    squared_length: SquaredLength,
) -> Discriminant:
    """Discriminant of the ray-sphere equation."""
    rest = ops.dot(ball_offset, ball_offset) - ball_radius * ball_radius
    return half_slope * half_slope - squared_length * k.let("c", rest)


@ray.formula(source="Shirley, Ray Tracing in One Weekend, 6.2", teaches=("branch",))
def near_ball_hit(
    k: Builder, half_slope: HalfSlope, discriminant: Discriminant, squared_length: SquaredLength
) -> BallHit:
    """Ray-sphere entry distance, or -1."""
    near = (-half_slope - ops.sqrt(ops.max(discriminant, 0.0))) / ops.max(squared_length, SHORTEST)
    near = k.let("near", bounded(near, -1e6, 1e6))
    return ops.where((discriminant < 0.0) | (near < 0.0), -1.0, near)


@ray.formula(source="Haines, in Glassner, An Introduction to Ray Tracing, 1989", teaches=("branch",))
def nearest_ball_hit(
    k: Builder, half_slope: HalfSlope, discriminant: Discriminant, squared_length: SquaredLength
) -> BallHit:
    """Nearest ray-sphere intersection, or -1."""
    hit = k.var("hit", -1.0, bounds=(-1e6, 1e6))
    with k.when(discriminant >= 0.0):
        root = k.let("root", ops.sqrt(ops.max(discriminant, 0.0)))
        scale = k.let("scale", 1.0 / ops.max(squared_length, SHORTEST))
        k.set(hit, bounded((-half_slope - root) * scale, -1e6, 1e6))
        with k.when(hit < 0.0):
            k.set(hit, bounded((root - half_slope) * scale, -1e6, 1e6))
        with k.when(hit < 0.0):
            k.set(hit, -1.0)
    return hit


@ray.formula()
def chord_of_ball(k: Builder, discriminant: Discriminant, squared_length: SquaredLength) -> Chord:
    """Chord length of a ray in a ball."""
    return 2.0 * ops.sqrt(ops.max(discriminant, 0.0) / ops.max(squared_length, SHORTEST))


@ray.formula()
def point_on_ball(k: Builder, origin: Origin, direction: Direction, ball_hit: BallHit) -> BallPoint:
    """Hit point on a sphere."""
    return origin + ball_hit * direction


@ray.formula()
def normal_of_ball(
    k: Builder, ball_point: BallPoint, ball_center: BallCenter, ball_radius: BallRadius
) -> BallNormal:
    """Normal of a sphere at the hit."""
    return (ball_point - ball_center) / ball_radius


@ray.formula()
def ball_coordinates(
    k: Builder, ball_normal: BallNormal
) -> Annotated[Expr, Quantity("texture_coordinates", 0.0, 1.0, PLANE, most=2.0, plural="texture_uvs")]:
    """Spherical texture coordinates of a hit."""
    u = 0.5 + ops.atan2(ball_normal[2], ball_normal[0]) / TWO_PI
    v = ops.acos(ops.clamp(ball_normal[1], -0.99, 0.99)) / PI
    return construct(PLANE(k), bounded(u, 0.0, 1.01), v)


@ray.formula(source="Beer 1852")
def absorbed_light(
    k: Builder, chord: Chord, absorption: Annotated[Expr, Setting(0.05, 0.5)]
) -> Transmittance:
    """Beer-Lambert transmittance through a ball."""
    return ops.exp(-(absorption * chord))


@ray.formula(source="Ericson, Real-Time Collision Detection, 5.3.1", teaches=("branch",))
def plane_hit(
    k: Builder, origin: Origin, direction: Direction, plane_normal: PlaneNormal, plane_offset: PlaneOffset
) -> Hit:
    """Ray-plane intersection, or -1."""
    slope = k.let("slope", ops.dot(plane_normal, direction))
    height = k.let("height", plane_offset - ops.dot(plane_normal, origin))
    steep = ops.max(ops.abs(slope), 1.0)
    return ops.where(slope.equals(0.0), -1.0, height * ops.sign(slope) / steep)


@ray.formula(source="Möller and Trumbore 1997", teaches=("branch",))
def triangle_hit(
    k: Builder, origin: Origin, direction: Direction, corner_a: CornerA, corner_b: CornerB, corner_c: CornerC
) -> Hit:
    """Möller-Trumbore ray-triangle intersection, or -1."""
    edge, other = k.let("edge", corner_b - corner_a), k.let("next_edge", corner_c - corner_a)
    across = k.let("p_vec", ops.cross(direction, other))
    determinant = k.let("determinant", ops.dot(edge, across))
    arm = k.let("arm", origin - corner_a)
    u, lift = k.let("u", ops.dot(arm, across)), k.let("lift", ops.cross(arm, edge))
    v = k.let("v", ops.dot(direction, lift))
    hit = k.var("hit", -1.0, bounds=(-1e6, 1e6))
    with k.when((determinant > 0.0) & (u >= 0.0) & (v >= 0.0) & (u + v <= determinant)):
        k.set(hit, ops.dot(other, lift) / ops.max(determinant, 1.0))
    return hit


@ray.formula(source="Shene, in Graphics Gems V, 1995", teaches=("branch",))
def cylinder_hit(
    k: Builder, origin: Origin, direction: Direction, axis_point: AxisPoint, axis_radius: AxisRadius
) -> Hit:
    """Ray-cylinder intersection, or -1."""
    flat = k.let("flat", construct(PLANE(k), direction[0], direction[2]))
    offset = k.let("flat_offset", construct(PLANE(k), origin[0], origin[2]) - axis_point)
    square, slope = k.let("flat_square", ops.dot(flat, flat)), k.let("flat_slope", ops.dot(offset, flat))
    inner = slope * slope - square * (ops.dot(offset, offset) - axis_radius * axis_radius)
    inner = k.let("radicand", inner)
    misses = (inner < 0.0) | square.equals(0.0)
    return ops.where(misses, -1.0, (-slope - ops.sqrt(ops.max(inner, 0.0))) / ops.max(square, 1.0))


@ray.formula(ranks=(1,), teaches=("loop", "branch"))
def nearest_of_balls(k: Builder, origin: Origin, direction: Direction, squared_length: SquaredLength) -> Hit:
    """Nearest hit among all spheres."""
    balls = _balls(k)
    nearest = k.var("nearest", 1000.0, bounds=(0.0, 1000.0))
    with k.loop("ball", 0, k.size("ball_count", "ball_count")) as one:
        near, inside = _enter(k, balls[one], origin, direction, squared_length)
        with k.when((inside >= 0.0) & (near > 0.0)):
            k.set(nearest, ops.min(nearest, near))
    return nearest


@ray.formula(ranks=(1,), teaches=("loop", "branch"))
def unoccluded(k: Builder, origin: Origin, direction: Direction, squared_length: SquaredLength) -> Visibility:
    """Shadow ray visibility."""
    balls = _balls(k)
    visible = k.var("visible", 1.0, bounds=(0.0, 1.0))
    with k.loop("ball", 0, k.size("ball_count", "ball_count")) as one:
        near, inside = _enter(k, balls[one], origin, direction, squared_length)
        with k.when((inside >= 0.0) & (near > 0.0)):
            k.set(visible, 0.0)
            k.jump("break")
    return visible


def _balls(k: Builder) -> typing.Any:
    k.sizes["ball_count"] = k.once("ball_count", lambda: k.rng.pick("6", "16", "40"))
    return k.input("balls", Vector(4, k.real), ["ball_count"], whole(-5, 3))


def _enter(k: Builder, ball: Expr, origin: Expr, direction: Expr, squared_length: Expr) -> tuple[Expr, Expr]:
    """Where a ray enters a ball, center and radius in four numbers, and its discriminant."""
    ball = k.let("sphere", ball)
    offset = k.let("offset", origin - construct(SPACE(k), ball[0], ball[1], ball[2]))
    slope = k.let("slope", ops.dot(offset, direction))
    inner = slope * slope - squared_length * (ops.dot(offset, offset) - ball[3] * ball[3])
    inner = k.let("inside", inner)
    near = (-slope - ops.sqrt(ops.max(inner, 0.0))) / ops.max(squared_length, SHORTEST)
    return k.let("near", bounded(near, -1000.0, 1000.0)), inner


@ray.formula()
def point_of_hit(k: Builder, origin: Origin, direction: Direction, hit: Hit) -> HitPoint:
    """Hit point of a ray."""
    return origin + hit * direction


@ray.formula()
def view_depth(
    k: Builder,
    hit_point: HitPoint,
    eye: Annotated[Expr, Setting(-1.0, 1.0, kind=SPACE)],
    view_direction: Annotated[Expr, Setting(0.2, 1.0, kind=SPACE)],
) -> Depth:
    """View depth of a hit."""
    return ops.dot(hit_point - eye, ops.normalize(view_direction))


@ray.formula(source="Amanatides 1984")
def cone_footprint(k: Builder, hit: Hit, spread_angle: Annotated[Expr, Setting(0.001, 0.02)]) -> Footprint:
    """Ray-cone footprint at the hit."""
    return spread_angle * ops.max(hit, 0.0)


@ray.formula()
def unit_direction(k: Builder, direction: Direction) -> UnitDirection:
    """Normalize ray directions."""
    return ops.normalize(direction)


@ray.formula(ranks=(1,), source="Shirley and Marschner, Fundamentals of Computer Graphics, 4.3")
def pinhole_direction(
    k: Builder,
    image_width: Annotated[Expr, on_lattice("image_width", 64, 640, number, shared=True)],
    focal_length: Annotated[Expr, Setting(0.8, 2.0)],
) -> UnitDirection:
    """Pinhole camera ray direction."""
    (i,) = k.index
    place = k.let("column", convert(k.real, i))
    row = k.let("row", ops.floor(place / image_width))
    column = k.let("column", bounded(place - row * image_width, -1.0, 641.0))
    x, y = (column + 0.5) / image_width - 0.5, 0.5 - (row + 0.5) / image_width
    return ops.normalize(construct(SPACE(k), x, y, -focal_length))


@ray.formula(source="GLSL specification, faceforward", teaches=("branch",))
def facing_normal(k: Builder, hit_normal: HitNormal, unit_direction: UnitDirection) -> FacingNormal:
    """Normal that faces the ray."""
    unit = k.let("unit_normal", ops.normalize(hit_normal))
    return ops.where(ops.dot(unit, unit_direction) > 0.0, -unit, unit)


@ray.formula()
def incidence_cosine(k: Builder, facing_normal: FacingNormal, unit_direction: UnitDirection) -> Cosine:
    """Cosine of the angle of incidence."""
    return ops.clamp(-ops.dot(facing_normal, unit_direction), 0.0, 1.0)


@ray.formula(source="GLSL specification, reflect")
def mirror_reflection(k: Builder, unit_direction: UnitDirection, facing_normal: FacingNormal) -> Reflected:
    """Mirror reflection."""
    return unit_direction - 2.0 * ops.dot(unit_direction, facing_normal) * facing_normal


@ray.formula()
def glossy_reflection(
    k: Builder,
    unit_direction: UnitDirection,
    facing_normal: FacingNormal,
    jitter: Annotated[Expr, Quantity("jitter", -0.5, 0.5, SPACE)],
    roughness: Annotated[Expr, Setting(0.05, 0.4)],
) -> Reflected:
    """Glossy reflection."""
    mirrored = unit_direction - 2.0 * ops.dot(unit_direction, facing_normal) * facing_normal
    return ops.normalize(mirrored + roughness * jitter)


@ray.formula(source="GLSL specification, refract", teaches=("branch",))
def snell_refraction(
    k: Builder, unit_direction: UnitDirection, facing_normal: FacingNormal, cosine: Cosine, eta: Eta
) -> Refracted:
    """Refraction by Snell's law."""
    bent = k.let("cos_t", ops.sqrt(ops.max(1.0 - eta * eta * (1.0 - cosine * cosine), 0.01)))
    return eta * unit_direction + (eta * cosine - bent) * facing_normal


@ray.formula(source="Schlick 1994")
def schlick_reflectance(k: Builder, cosine: Cosine, eta: Eta) -> Reflectance:
    """Schlick reflectance."""
    base = k.let("base", (1.0 - eta) / (1.0 + eta))
    rest, base = k.let("grazing", 1.0 - cosine), k.let("normal_reflectance", base * base)
    return base + (1.0 - base) * (rest * rest * rest * rest * rest)


@ray.formula(source="Fresnel 1823")
def dielectric_reflectance(k: Builder, cosine: Cosine, eta: Eta) -> Reflectance:
    """Unpolarized Fresnel reflectance."""
    bent = k.let("bent_cosine", ops.sqrt(ops.max(1.0 - eta * eta * (1.0 - cosine * cosine), 0.01)))
    across = k.let("r_s", (eta * cosine - bent) / (eta * cosine + bent))
    along = k.let("r_p", (cosine - eta * bent) / (cosine + eta * bent))
    return bounded(0.5 * (across * across + along * along), 0.0, 1.0)


@ray.formula(source="Ericson, Real-Time Collision Detection, 5.1.2")
def closest_approach(
    k: Builder, origin: Origin, direction: Direction, target: Target, squared_length: SquaredLength
) -> Approach:
    """Ray parameter at the closest approach."""
    return bounded(
        ops.max(ops.dot(target - origin, direction), 0.0) / ops.max(squared_length, SHORTEST), 0.0, 1e7
    )


@ray.formula()
def approach_gap(k: Builder, origin: Origin, direction: Direction, target: Target, approach: Approach) -> Gap:
    """Distance of a ray from a target point."""
    return ops.length(origin + approach * direction - target)


@ray.formula()
def skew_gap(
    k: Builder,
    origin: Origin,
    direction: Direction,
    target: Target,
    line: Annotated[Expr, on_lattice("line", -3, 3)],
) -> Gap:
    """Distance between a ray and a line."""
    across = k.let("common_normal", ops.cross(direction, line))
    return ops.abs(ops.dot(target - origin, across)) / ops.max(ops.length(across), 1.0)


solid = Domain("point", index=("i", "p"))

Point = Annotated[Expr, Quantity("point", -1.5, 1.5, SPACE)]
LocalPoint = Annotated[Expr, Quantity("local_point", -1.2, 1.2, SPACE)]
SolidDistance = Annotated[Expr, Quantity("solid_distance", -0.5, 2.0, computed=True)]
ToolDistance = Annotated[Expr, Quantity("tool_distance", -0.5, 2.0, computed=True)]
SceneDistance = Annotated[Expr, Quantity("scene_distance", -0.5, 2.0)]
Occupancy = Annotated[Expr, Quantity("occupancy", 0.0, 1.0, plural="occupancies", additive=True)]
SolidNormal = Annotated[Expr, Quantity("solid_normal", -0.7, 0.7, SPACE, least=-1.0, most=1.0)]
Shade = Annotated[Expr, Quantity("shade", 0.0, 1.0)]
Radius = Annotated[Expr, Setting(0.4, 0.9)]
TubeRadius = Annotated[Expr, Setting(0.1, 0.3)]
HalfHeight = Annotated[Expr, Setting(0.3, 0.8)]
HalfSize = Annotated[Expr, Setting(0.3, 0.8, kind=SPACE)]
Blend = Annotated[Expr, Setting(0.1, 0.4)]


@solid.formula(goal=False)
def centered(k: Builder, point: Point, center: Annotated[Expr, Setting(-0.4, 0.4, kind=SPACE)]) -> LocalPoint:
    """Point relative to the center."""
    return point - center


@solid.formula(goal=False, source="Quilez, domain repetition")
def repeated(k: Builder, point: Point, spacing: Annotated[Expr, Setting(1.5, 3.0)]) -> LocalPoint:
    """Repeat in a grid."""
    return point - spacing * construct(SPACE(k), *(ops.rint(point[at] / spacing) for at in range(3)))


@solid.formula(goal=False)
def mirrored(k: Builder, point: Point, center: Annotated[Expr, Setting(-0.4, 0.4, kind=SPACE)]) -> LocalPoint:
    """Fold into one octant."""
    return ops.abs(point) - center


@solid.formula(goal=False, source="Quilez, distance functions, twist")
def twisted(k: Builder, point: Point, twist: Annotated[Expr, Setting(0.5, 3.0)]) -> LocalPoint:
    """Twist about the y axis."""
    c, s = k.let("c", ops.cos(twist * point[1])), k.let("s", ops.sin(twist * point[1]))
    return construct(SPACE(k), c * point[0] - s * point[2], point[1], s * point[0] + c * point[2])


def _flat(k: Builder, x: Expr, y: Expr) -> Expr:
    return ops.length(construct(PLANE(k), x, y))


def solid_shape(distance: Callable[..., Expr]) -> None:
    """Add a distance function of the local point, as the solid and as the tool, its normals and its shadow.

    Its docstring names the solid.
    """
    hints = typing.get_type_hints(distance, include_extras=True)
    name, noun = distance.__name__, distance.__doc__
    settings = {key: hint for key, hint in hints.items() if key not in ("k", "p", "return")}

    def add(
        formula: Callable[..., Expr], suffix: str, told: str, point: typing.Any, result: typing.Any
    ) -> None:
        formula.__name__ = f"{name}_{suffix}"
        formula.__annotations__ = {"local_point": point} | settings | {"return": result}
        formula.__doc__ = told
        solid.formula(source="Quilez, distance functions")(formula)

    def as_solid(k: Builder, local_point: Expr, **sizes: Expr) -> Expr:
        return distance(k, local_point, **sizes)

    def as_tool(k: Builder, local_point: Expr, **sizes: Expr) -> Expr:
        return distance(k, local_point, **sizes)

    def normal(k: Builder, local_point: Expr, **sizes: Expr) -> Expr:
        kinds = {"p": (local_point.type, intervals.add(local_point.interval, Interval(-0.05, 0.05)))}
        kinds |= {key: (one.type, one.interval) for key, one in sizes.items()}
        around = k.function(
            f"{name}_distance_at", f"Distance from {noun}.", kinds, lambda b, p, *s: distance(b, p, *s)
        )
        total = k.var("slopes", zero(Vector(3, k.real)))
        for corner in ((1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)):
            e = construct(SPACE(k), *(0.05 * one for one in corner))
            k.add(total, around(local_point + e, *sizes.values()) * construct(SPACE(k), *map(float, corner)))
        return ops.normalize(total)

    add(as_solid, "distance", f"Signed distance of {noun}.", hints["p"], SolidDistance)
    add(as_tool, "tool", f"Signed distance of the tool, {noun}.", hints["p"], ToolDistance)
    told = f"Normal of {noun} by tetrahedral differences."
    add(normal, "normal", told, hints["p"], SolidNormal)


@solid_shape
def sphere(k: Builder, p: LocalPoint, radius: Radius) -> Expr:
    """a sphere"""
    return ops.length(p) - radius


@solid_shape
def cuboid(k: Builder, p: LocalPoint, half_size: HalfSize) -> Expr:
    """a cuboid"""
    excess = k.let("excess", ops.abs(p) - half_size)
    outside = ops.length(ops.max(excess, zero(Vector(3, k.real))))
    return outside + ops.min(ops.max(ops.max(excess[0], excess[1]), excess[2]), 0.0)


@solid_shape
def torus(k: Builder, p: LocalPoint, radius: Radius, tube_radius: TubeRadius) -> Expr:
    """a torus"""
    return _flat(k, _flat(k, p[0], p[2]) - radius, p[1]) - tube_radius


@solid_shape
def capsule(k: Builder, p: LocalPoint, half_height: HalfHeight, tube_radius: TubeRadius) -> Expr:
    """an upright capsule"""
    above = p[1] - ops.max(ops.min(p[1], half_height), -half_height)
    return ops.length(construct(SPACE(k), p[0], above, p[2])) - tube_radius


@solid_shape
def cylinder(k: Builder, p: LocalPoint, radius: Radius, half_height: HalfHeight) -> Expr:
    """an upright cylinder"""
    beside, above = (
        k.let("beside", _flat(k, p[0], p[2]) - radius),
        k.let("above", ops.abs(p[1]) - half_height),
    )
    return ops.min(ops.max(beside, above), 0.0) + _flat(k, ops.max(beside, 0.0), ops.max(above, 0.0))


@solid_shape
def octahedron(k: Builder, p: LocalPoint, radius: Radius) -> Expr:
    """an octahedron"""
    return (ops.abs(p[0]) + ops.abs(p[1]) + ops.abs(p[2]) - radius) * INV_SQRT_3


@solid_shape
def ellipsoid(k: Builder, p: LocalPoint, half_size: HalfSize) -> Expr:
    """an ellipsoid"""
    outer, slope = ops.length(ops.cw_div(p, half_size)), ops.cw_div(p, ops.cw_mul(half_size, half_size))
    outer = k.let("outer", outer)
    return bounded(outer * (outer - 1.0) / ops.max(ops.length(slope), 0.05), -10.0, 1e4)


@solid_shape
def link(k: Builder, p: LocalPoint, half_height: HalfHeight, radius: Radius, tube_radius: TubeRadius) -> Expr:
    """a chain link"""
    above = k.let("above", ops.max(ops.abs(p[1]) - half_height, 0.0))
    return _flat(k, _flat(k, p[0], above) - radius, p[2]) - tube_radius


@solid_shape
def cone(k: Builder, p: LocalPoint, radius: Radius, half_height: HalfHeight) -> Expr:
    """an infinite cone"""
    slant = k.let("slant", ops.sqrt(radius * radius + half_height * half_height))
    return (_flat(k, p[0], p[2]) * half_height + p[1] * radius) / slant


JOINS: dict[str, tuple[str, Callable[[Expr, Expr], Expr]]] = {
    "union": ("CSG union of two distance fields", ops.min),
    "intersection": ("CSG intersection of two distance fields", ops.max),
    "subtraction": ("CSG subtraction of two distance fields", lambda a, b: ops.max(a, -b)),
}


def _joined(name: str, what: str, join: Callable[[Expr, Expr], Expr]) -> None:
    @solid.formula(
        name=f"{name}_distance",
        doc=f"{what}.",
        source="Hart 1996",
    )
    def formula(k: Builder, solid_distance: SolidDistance, tool_distance: ToolDistance) -> SceneDistance:
        return join(solid_distance, tool_distance)


for _name, (_what, _join) in JOINS.items():
    _joined(_name, _what, _join)


@solid.formula(source="Quilez, smooth minimum")
def smooth_union(
    k: Builder, solid_distance: SolidDistance, tool_distance: ToolDistance, blend: Blend
) -> SceneDistance:
    """Smooth CSG union."""
    near = k.let("near", ops.max(blend - ops.abs(solid_distance - tool_distance), 0.0))
    return ops.min(solid_distance, tool_distance) - near * near / (4.0 * blend)


@solid.formula(source="Quilez, smooth minimum")
def smooth_subtraction(
    k: Builder, solid_distance: SolidDistance, tool_distance: ToolDistance, blend: Blend
) -> SceneDistance:
    """Smooth CSG subtraction."""
    share = k.let("share", ops.clamp(0.5 - 0.5 * (tool_distance + solid_distance) / blend, 0.0, 1.0))
    return ops.lerp(solid_distance, -tool_distance, share) + blend * share * (1.0 - share)


@solid.formula(source="Quilez, distance functions, onion")
def shell_distance(
    k: Builder, solid_distance: SolidDistance, thickness: Annotated[Expr, Setting(0.05, 0.2)]
) -> SceneDistance:
    """Shell (onion) of a distance field."""
    return ops.abs(solid_distance) - thickness


@solid.formula()
def rounded_distance(
    k: Builder, solid_distance: SolidDistance, rounding: Annotated[Expr, Setting(0.05, 0.2)]
) -> SceneDistance:
    """Rounded distance field."""
    return solid_distance - rounding


@solid.formula()
def morphed_distance(
    k: Builder, solid_distance: SolidDistance, tool_distance: ToolDistance, blend: Blend
) -> SceneDistance:
    """Linear morph of two distance fields."""
    return ops.lerp(solid_distance, tool_distance, blend)


@solid.formula(source="Quilez, distance functions, displacement")
def displaced_distance(
    k: Builder,
    solid_distance: SolidDistance,
    local_point: LocalPoint,
    frequency: Annotated[Expr, Setting(2.0, 8.0)],
    amplitude: Annotated[Expr, Setting(0.02, 0.1)],
) -> SceneDistance:
    """Signed distance with a wavy displacement."""
    x, y, z = (ops.sin(frequency * local_point[at]) for at in range(3))
    return solid_distance + amplitude * x * y * z


@solid.formula()
def soft_occupancy(
    k: Builder, scene_distance: SceneDistance, width: Annotated[Expr, Setting(0.05, 0.4)]
) -> Occupancy:
    """Occupancy with a soft border."""
    return ops.clamp(0.5 - scene_distance / width, 0.0, 1.0)


@solid.formula(source="Mildenhall et al. 2020; Yariv et al. 2021")
def laplace_density(
    k: Builder, scene_distance: SceneDistance, sharpness: Annotated[Expr, Setting(0.1, 0.5)]
) -> Occupancy:
    """VolSDF density from a signed distance."""
    tail = k.let("tail", bounded(0.5 * ops.exp(-(ops.abs(scene_distance) / sharpness)), 0.0, 0.5))
    return ops.where(scene_distance > 0.0, tail, 1.0 - tail)


@solid.formula()
def distance_shade(k: Builder, scene_distance: SceneDistance, occupancy: Occupancy) -> Shade:
    """Contour lines of a distance field."""
    lines = 0.5 + 0.5 * ops.cos(12.0 * ops.clamp(scene_distance, -5.0, 5.0))
    return bounded(ops.lerp(lines, 0.2, occupancy), 0.0, 1.0)


@solid.formula()
def lit_shade(
    k: Builder, solid_normal: SolidNormal, light: Annotated[Expr, Setting(0.1, 1.0, kind=SPACE)]
) -> Shade:
    """Wrapped Lambert shading."""
    wrapped = 0.5 + 0.5 * ops.dot(solid_normal, ops.normalize(light))
    return ops.clamp(wrapped * wrapped, 0.0, 1.0)


@solid.formula()
def pushed_out(
    k: Builder, local_point: LocalPoint, scene_distance: SceneDistance, solid_normal: SolidNormal
) -> Annotated[Expr, Quantity("resolved_point", -1.5, 1.5, SPACE)]:
    """Push a point out of a solid."""
    return local_point - ops.min(scene_distance, 0.0) * solid_normal
