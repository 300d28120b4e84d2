"""Rays that hit things, and distance fields of solids."""

from __future__ import annotations

import re
import typing
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.coefficients import whole
from weft.kernels.expressions import bounded, construct, convert, ops
from weft.kernels.formulas import Domain, Kind, Quantity, Setting, number, vector
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
        several = re.sub(r"(_[abc])?$", r"s\1", called, count=1)
        return k.input(several, kind(k), k.shape, whole(low, high))[k.index]

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

SquaredLength = Annotated[Expr, Quantity("squared_length", 1.0, 27.0, least=0.0, computed=True)]
BallOffset = Annotated[Expr, Quantity("ball_offset", -8.0, 8.0, SPACE, computed=True)]
HalfSlope = Annotated[Expr, Quantity("half_slope", -50.0, 50.0, computed=True)]
Discriminant = Annotated[Expr, Quantity("discriminant", -50.0, 200.0, computed=True)]
BallHit = Annotated[Expr, Quantity("ball_hit", -1.0, 6.0, least=-1e7, most=1e7)]
BallPoint = Annotated[Expr, Quantity("ball_point", -5.0, 5.0, SPACE, least=-1e9, most=1e9)]
BallNormal = Annotated[Expr, Quantity("ball_normal", -0.7, 0.7, SPACE, least=-1e9, most=1e9)]
Hit = Annotated[Expr, Quantity("hit", 0.1, 8.0, least=-1e7, most=1e7)]
HitPoint = Annotated[Expr, Quantity("hit_point", -6.0, 6.0, SPACE, least=-1e9, most=1e9)]
HitNormal = Annotated[Expr, Quantity("hit_normal", -0.7, 0.7, SPACE)]
UnitDirection = Annotated[Expr, Quantity("unit_direction", -0.7, 0.7, SPACE, least=-1.0, most=1.0)]
FacingNormal = Annotated[Expr, Quantity("facing_normal", -0.7, 0.7, SPACE, least=-1.0, most=1.0)]
Cosine = Annotated[Expr, Quantity("cosine", 0.0, 1.0)]
Reflected = Annotated[Expr, Quantity("reflected_direction", -0.9, 0.9, SPACE)]
Refracted = Annotated[Expr, Quantity("refracted_direction", -0.9, 0.9, SPACE)]
Reflectance = Annotated[Expr, Quantity("reflectance", 0.0, 1.0, most=2.0)]
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
    """Distance to where the ray enters a sphere. It is in units of the direction's length, or -1 if the ray
    misses or starts beyond that point.
    """
    near = (-half_slope - ops.sqrt(ops.max(discriminant, 0.0))) / ops.max(squared_length, SHORTEST)
    near = k.let("near", bounded(near, -1e6, 1e6))
    return ops.where((discriminant < 0.0) | (near < 0.0), -1.0, near)


@ray.formula(source="Haines, in Glassner, An Introduction to Ray Tracing, 1989", teaches=("branch",))
def nearest_ball_hit(
    k: Builder, half_slope: HalfSlope, discriminant: Discriminant, squared_length: SquaredLength
) -> BallHit:
    """Distance to the nearest hit on a sphere. It is in units of the direction's length, or -1 if the ray
    misses or the sphere lies behind it.
    """
    hit = k.var("hit", -1.0, bounds=(-1e6, 1e6))
    with k.when(discriminant >= 0.0):
        root = k.let("root", ops.sqrt(bounded(discriminant, 0.0, 1e9)))
        scale = k.let("scale", 1.0 / ops.max(squared_length, SHORTEST))
        k.set(hit, bounded((-half_slope - root) * scale, -1e6, 1e6))
        with k.when(hit < 0.0):
            k.set(hit, bounded((root - half_slope) * scale, -1e6, 1e6))
            with k.when(hit < 0.0):
                k.set(hit, -1.0)
    return hit


@ray.formula()
def point_on_ball(k: Builder, origin: Origin, direction: Direction, ball_hit: BallHit) -> BallPoint:
    """Hit point on a sphere. It is the origin plus the hit times the direction, and has no meaning where the
    ray misses.
    """
    return origin + ball_hit * direction


@ray.formula()
def normal_of_ball(
    k: Builder, origin: Origin, direction: Direction, ball_hit: BallHit, ball_center: BallCenter,
    ball_radius: BallRadius,
) -> BallNormal:  # fmt: skip
    """Outward unit normal of a sphere at the hit. It is zero where the ray misses the sphere."""
    normal = k.let("normal", (origin + ball_hit * direction - ball_center) / ball_radius)
    return ops.where(ball_hit < 0.0, construct(Vector(3, k.real), 0.0, 0.0, 0.0), normal)


@ray.formula(source="Ericson, Real-Time Collision Detection, 5.3.1", teaches=("branch",))
def plane_hit(
    k: Builder, origin: Origin, direction: Direction, plane_normal: PlaneNormal, plane_offset: PlaneOffset
) -> Hit:
    """Distance to a plane along the ray. It is -1 if the ray is parallel to the plane."""
    slope = k.let("slope", ops.dot(plane_normal, direction))
    height = k.let("height", plane_offset - ops.dot(plane_normal, origin))
    steep = ops.max(ops.abs(slope), 1.0)
    return ops.where(slope.equals(0.0), -1.0, height * ops.sign(slope) / steep)


@ray.formula(source="Möller and Trumbore 1997", teaches=("branch",))
def triangle_hit(
    k: Builder, origin: Origin, direction: Direction, corner_a: CornerA, corner_b: CornerB, corner_c: CornerC
) -> Hit:
    """Distance to a triangle by the Möller-Trumbore method. It is -1 if the ray misses or meets the back."""
    edge, other = k.let("edge1", corner_b - corner_a), k.let("edge2", corner_c - corner_a)
    across = k.let("p_vec", ops.cross(direction, other))
    determinant = k.let("determinant", ops.dot(edge, across))
    arm = k.let("t_vec", origin - corner_a)
    u, lift = k.let("u", ops.dot(arm, across)), k.let("q_vec", ops.cross(arm, edge))
    v = k.let("v", ops.dot(direction, lift))
    hit = k.var("hit", -1.0, bounds=(-1e6, 1e6))
    with k.when((determinant > 0.0) & (u >= 0.0) & (v >= 0.0) & (u + v <= determinant)):
        k.set(hit, ops.dot(other, lift) / bounded(determinant, 1.0, 1e9))
    return hit


@ray.formula(source="Shene, in Graphics Gems V, 1995", teaches=("branch",))
def cylinder_hit(
    k: Builder, origin: Origin, direction: Direction, axis_point: AxisPoint, axis_radius: AxisRadius
) -> Hit:
    """Distance to where the ray enters a cylinder along y. It is -1 if the line of the ray misses."""
    flat = k.let("flat", construct(PLANE(k), direction[0], direction[2]))
    offset = k.let("flat_offset", construct(PLANE(k), origin[0], origin[2]) - axis_point)
    square, slope = k.let("flat_square", ops.dot(flat, flat)), k.let("flat_slope", ops.dot(offset, flat))
    inner = slope * slope - square * (ops.dot(offset, offset) - axis_radius * axis_radius)
    inner = k.let("radicand", inner)
    misses = (inner < 0.0) | square.equals(0.0)
    return ops.where(misses, -1.0, (-slope - ops.sqrt(ops.max(inner, 0.0))) / ops.max(square, 1.0))


@ray.formula(ranks=(1,), teaches=("loop", "branch"))
def nearest_of_balls(k: Builder, origin: Origin, direction: Direction, squared_length: SquaredLength) -> Hit:
    """Nearest hit among all spheres. It is the distance along the ray, and 1000 if the ray misses all."""
    balls = _balls(k)
    nearest = k.var("nearest", 1000.0, bounds=(0.0, 1000.0))
    with k.loop("s", 0, k.size("sphere_count", "sphere_count")) as one:
        b, discriminant = _meet(k, balls[one], origin, direction, squared_length)
        with k.when(discriminant >= 0.0):
            root = ops.sqrt(bounded(discriminant + 0.0, 0.0, 1e12))
            near = (-b - root) / ops.max(squared_length, SHORTEST)
            near = k.let("near", bounded(near, -1000.0, 1000.0))
            with k.when(near > 0.0):
                k.set(nearest, ops.min(nearest, near))
    return nearest


@ray.formula(ranks=(1,), teaches=("loop", "branch"))
def shadow_ray_visibility(
    k: Builder, origin: Origin, direction: Direction, squared_length: SquaredLength
) -> Visibility:
    """Visibility of a shadow ray. It is 0 where the ray hits a sphere in front of its origin, else 1."""
    balls = _balls(k)
    visible = k.var("visible", 1.0, bounds=(0.0, 1.0))
    with k.loop("s", 0, k.size("sphere_count", "sphere_count")) as one:
        b, discriminant = _meet(k, balls[one], origin, direction, squared_length)
        with k.when((b < 0.0) & (discriminant >= 0.0) & (discriminant < b * b)):
            k.set(visible, 0.0)
            k.jump("break")
    return visible


def _balls(k: Builder) -> typing.Any:
    k.sizes["sphere_count"] = k.once("sphere_count", lambda: k.rng.pick("6", "16", "40"))
    k.notes.append("A sphere is its center and its radius")
    return k.input("spheres", Vector(4, k.real), ["sphere_count"], whole(-5, 3))


def _meet(k: Builder, ball: Expr, origin: Expr, direction: Expr, squared_length: Expr) -> tuple[Expr, Expr]:
    """Half the linear coefficient of the equation for the hits of a ball, center and radius in four numbers,
    and its discriminant.
    """
    ball = k.let("sphere", ball)
    offset = k.let("offset", origin - construct(SPACE(k), ball[0], ball[1], ball[2]))
    b = k.let("b", ops.dot(offset, direction))
    square = b * b - squared_length * (ops.dot(offset, offset) - ball[3] * ball[3])
    return b, k.let("discriminant", square)


@ray.formula()
def point_of_hit(k: Builder, origin: Origin, direction: Direction, hit: Hit) -> HitPoint:
    """Hit point of a ray. It lies at the origin plus the distance to the hit, in lengths of the direction,
    times the direction.
    """
    return origin + hit * direction


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
    """Pinhole camera ray direction. The camera looks along -z, and rays go through the centers of pixels."""
    (i,) = k.index
    place = k.let("column", convert(k.real, i))
    row = k.let("row", ops.floor(place / image_width))
    column = k.let("column", bounded(place - row * image_width, -1.0, 641.0))
    x, y = (column + 0.5) / image_width - 0.5, 0.5 - (row + 0.5) / image_width
    return ops.normalize(construct(SPACE(k), x, y, -focal_length))


@ray.formula(source="GLSL specification, faceforward", teaches=("branch",))
def facing_normal(k: Builder, hit_normal: HitNormal, unit_direction: UnitDirection) -> FacingNormal:
    """Normal that faces the ray. A normal that points along the ray is turned around."""
    unit = k.let("unit_normal", ops.normalize(hit_normal))
    return ops.where(ops.dot(unit, unit_direction) > 0.0, -unit, unit)


@ray.formula()
def incidence_cosine(k: Builder, hit_normal: HitNormal, unit_direction: UnitDirection) -> Cosine:
    """Cosine of the angle of incidence. Both sides of the surface are alike, and rounding may not lead
    above 1.
    """
    return ops.min(ops.abs(ops.dot(ops.normalize(hit_normal), unit_direction)), 1.0)


@ray.formula(source="GLSL specification, reflect")
def mirror_reflection(k: Builder, unit_direction: UnitDirection, hit_normal: HitNormal) -> Reflected:
    """Reflect rays at a surface. Incident directions point to the surface, whose normal may lie on either
    side.
    """
    normal = k.let("normal", ops.normalize(hit_normal))
    return unit_direction - 2.0 * ops.dot(unit_direction, normal) * normal


@ray.formula(source="GLSL specification, refract", teaches=("branch",))
def snell_refraction(
    k: Builder, unit_direction: UnitDirection, facing_normal: FacingNormal, cosine: Cosine, eta: Eta
) -> Refracted:
    """Refract the ray by Snell's law. The ratio of refractive indices eta, incident over transmitted, is at
    most 1, so that no total reflection occurs.
    """
    bent = k.let("cos_t", ops.sqrt(ops.max(1.0 - eta * eta * (1.0 - cosine * cosine), 0.01)))
    return eta * unit_direction + (eta * cosine - bent) * facing_normal


@ray.formula(source="Schlick 1994")
def schlick_reflectance(k: Builder, cosine: Cosine, eta: Eta) -> Reflectance:
    """Schlick reflectance. It approximates Fresnel's equations by a fifth power of 1 - cosine."""
    base = k.let("base", (1.0 - eta) / (1.0 + eta))
    rest, base = k.let("grazing", 1.0 - cosine), k.let("normal_reflectance", base * base)
    return base + (1.0 - base) * (rest * rest * rest * rest * rest)


@ray.formula(source="Fresnel 1823")
def dielectric_reflectance(k: Builder, cosine: Cosine, eta: Eta) -> Reflectance:
    """Unpolarized Fresnel reflectance. It is the mean of both polarizations."""
    bent = k.let("bent_cosine", ops.sqrt(ops.max(1.0 - eta * eta * (1.0 - cosine * cosine), 0.01)))
    across = k.let("r_s", (eta * cosine - bent) / (eta * cosine + bent))
    along = k.let("r_p", (cosine - eta * bent) / (cosine + eta * bent))
    return bounded(0.5 * (across * across + along * along), 0.0, 1.0)
