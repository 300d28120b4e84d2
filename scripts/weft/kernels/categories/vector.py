"""Small vectors: positions, velocities, normals, colors."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, ops
from weft.kernels.idioms.vector.norms import leading_component, vector_norms
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, VEC3
from weft.kernels.vocabulary import article, coefficient, curve, read, threads, uniform
from weft.types import Vector

REVISION = 6
TEACHES = "vectors of two to four components: dot, cross, length, normalize, componentwise work"


def integrate_particle(k: Builder) -> None:
    """One step of a particle under gravity and drag."""
    threads(k, 1, name="particle")
    space = Vector(k.rng.pick(2, 3, 3), k.real)
    position, velocity = read(k, "position", -1.0, 1.0, space), read(k, "velocity", -2.0, 2.0, space)
    step = coefficient(k, "dt", 0.01, 0.1, kinds="lp")
    down = [0.0] * space.length
    down[1] = -9.8
    gravity = construct(space, *down) if k.rng.chance(0.5) else k.scalar("gravity", space, uniform(-9.8, 1.0))
    pushed = velocity + step * gravity
    if k.rng.chance(0.6):
        pushed = pushed * (1.0 - coefficient(k, "drag", 0.1, 0.9) * step)
    new = k.let("new_velocity", pushed)
    if k.rng.chance(0.5):
        k.store(k.array("new_velocities", space, k.shape, None, "out"), k.target, new)
    move, doc = k.rng.pick(
        (step * new, "Euler step of each particle"),
        (0.5 * step * (velocity + new), "Step of each particle at the mean of its old and new velocity"),
    )
    finish(k, "new_position", position + move, doc)


def surface_response(k: Builder) -> None:
    """Reflection, refraction and sliding at a surface."""
    threads(k)
    space = Vector(k.rng.pick(2, 3, 3), k.real)
    incoming = read(k, "incoming", -1.0, 1.0, space)
    normal = k.let("normal", ops.normalize(read(k, "surface_normal", 0.1, 1.0, space)))
    along = k.let("along", ops.dot(incoming, normal))
    match k.rng.below(3):
        case 0:
            bounce = coefficient(k, "restitution", 0.3, 0.9)
            finish(
                k,
                "reflection",
                incoming - (1.0 + bounce) * along * normal,
                "Direction reflected at a surface with losses",
            )
        case 1:
            friction = coefficient(k, "friction", 0.1, 0.6)
            tangent = k.let("tangent", incoming - along * normal)
            finish(k, "slide", (1.0 - friction) * tangent, "Motion along a surface, slowed by friction")
        case _:
            shape, word = curve(k, along)
            finish(
                k,
                "lobe",
                shape * normal + k.rng.number(0.1, 0.5) * incoming,
                f"Normal weighted by {article(word)} of the cosine, with a part of the direction",
            )


def spring_force(k: Builder) -> None:
    """Force of a spring between two particles found by index."""
    threads(k, 1, name=k.rng.pick("edge", "spring", "i"))
    space = Vector(k.rng.pick(2, 3, 3), k.real)
    positions = k.array(k.rng.pick("positions", "points"), space, ["n"], uniform(-1.0, 1.0))
    first = k.array(k.rng.pick("heads", "start"), I32, ["n"], {"integers": [0, "n"]})
    second = k.array(k.rng.pick("tails", "end"), I32, ["n"], {"integers": [0, "n"]})
    a, b = first[k.index], second[k.index]
    offset = k.let("offset", positions[b] - positions[a])
    length = k.let("length", ops.length(offset))
    rest, stiffness = coefficient(k, "rest_length", 0.2, 1.0), coefficient(k, "stiffness", 5.0, 40.0)
    pull = stiffness * (length - rest)
    if k.rng.chance(0.4):
        stretch = k.let("stretch", length - rest)
        pull = stiffness * stretch + coefficient(k, "hardening", 0.5, 5.0) * stretch * stretch * stretch
    if k.rng.chance(0.5):
        finish(k, "force", pull * ops.normalize(offset), "Force of each spring between two particles")
    else:
        finish(
            k,
            "force",
            pull / ops.max(length, k.rng.pick(0.001, 0.01)) * offset,
            "Force of each spring, safe at zero length",
        )


def triangle_geometry(k: Builder) -> None:
    """Normals, areas and centers of triangles."""
    threads(k, name=k.rng.pick("face", "triangle", "i"))
    space = Vector(3, k.real)
    a, b, c = (read(k, f"vertex_{letter}", -1.0, 1.0, space, array=f"vertices_{letter}") for letter in "abc")
    match k.rng.below(4):
        case 0:
            normal = k.let("normal", ops.cross(b - a, c - a))
            finish(
                k,
                "area",
                k.rng.pick(0.5 * ops.length(normal), ops.length(normal) * 0.5),
                "Area of each triangle",
            )
        case 1:
            finish(k, "normal", ops.normalize(ops.cross(b - a, c - a)), "Unit normal of each triangle")
        case 2:
            u = coefficient(k, "u", 0.1, 0.4)
            v = coefficient(k, "v", 0.1, 0.4)
            finish(
                k,
                "point",
                (1.0 - u - v) * a + u * b + v * c,
                "Point of each triangle at barycentric coordinates",
            )
        case _:
            edge, other = k.let("edge", b - a), k.let("other", c - a)
            height = ops.length(ops.cross(edge, other)) / ops.max(ops.length(edge), k.rng.number(0.01, 0.1))
            finish(k, "height", height, "Height of each triangle over its first edge")


def blend_colors(k: Builder) -> None:
    """Compositing and grading of colors."""
    threads(k)
    size = k.rng.pick(3, 4)
    space = Vector(size, k.real)
    front, back = read(k, "front", 0.0, 1.0, space), read(k, "back", 0.0, 1.0, space)
    match k.rng.below(4):
        case 0:
            alpha = front[3] if size == 4 else coefficient(k, "alpha", 0.2, 0.8)
            finish(k, "composite", alpha * front + (1.0 - alpha) * back, "Front color over back color")
        case 1:
            weights = k.rng.pick((0.299, 0.587, 0.114), (0.2126, 0.7152, 0.0722), (0.25, 0.5, 0.25))
            luma = k.let("luma", ops.dot(front, construct(space, *weights, *[0.0] * (size - 3))))
            finish(
                k,
                "graded",
                luma * back + coefficient(k, "tint", 0.1, 0.6) * front,
                "Back color lit by the luma of the front color, with a tint of the front color",
            )
        case 2:
            finish(
                k,
                "product",
                ops.cw_mul(front, back) * coefficient(k, "exposure", 0.5, 3.0),
                "Multiplied colors at an exposure",
            )
        case _:
            mapped = ops.cw_div(front, front + construct(space, *[k.rng.number(0.2, 1.0)] * size))
            finish(
                k,
                "tone",
                mapped + coefficient(k, "mix", 0.1, 0.5) * back,
                "Tone-mapped color with a share of the back color",
            )


def axis_geometry(k: Builder) -> None:
    """Angles, projections and rotations against an axis."""
    threads(k)
    space = Vector(3, k.real)
    v = read(k, "direction", -1.0, 1.0, space)
    axis = k.let(
        "axis",
        ops.normalize(
            k.scalar("axis_hint", space, uniform(0.2, 1.0))
            if k.rng.chance(0.5)
            else read(k, "axis_hint", 0.2, 1.0, space)
        ),
    )
    match k.rng.below(4):
        case 0:
            cosine = k.let("cosine", ops.clamp(ops.dot(ops.normalize(v), axis), -1.0, 1.0))
            finish(k, "angle", ops.acos(cosine), "Angle between each direction and an axis")
        case 1:
            finish(k, "projection", ops.dot(v, axis) * axis, "Part of each direction along an axis")
        case 2:
            angle = coefficient(k, "angle", -1.5, 1.5)
            c, s = k.let("c", ops.cos(angle)), k.let("s", ops.sin(angle))
            turned = c * v + s * ops.cross(axis, v) + (1.0 - c) * ops.dot(axis, v) * axis
            finish(k, "turned", turned, "Each direction rotated about an axis by Rodrigues' formula")
        case _:
            torque = ops.cross(v, axis) * coefficient(k, "strength", 0.5, 4.0)
            finish(k, "torque", torque, "Torque that turns each direction towards an axis")


def plane_rotation(k: Builder) -> None:
    """Rotating and scaling points of the plane."""
    threads(k)
    plane = Vector(2, k.real)
    point, angle = read(k, "point", -2.0, 2.0, plane), coefficient(k, "angle", -3.0, 3.0)
    center = (
        k.scalar("center", plane, uniform(-1.0, 1.0))
        if k.rng.chance(0.5)
        else read(k, "center", -1.0, 1.0, plane)
    )
    local = k.let("local", point - center)
    c, s = k.let("c", ops.cos(angle)), k.let("s", ops.sin(angle))
    turned = construct(plane, c * local[0] - s * local[1], s * local[0] + c * local[1])
    match k.rng.below(3):
        case 0:
            finish(k, "rotated", center + turned, "Each point rotated about a center")
        case 1:
            zoom = coefficient(k, "zoom", 0.5, 2.0)
            finish(k, "image", center + zoom * turned, "Each point rotated and scaled about a center")
        case _:
            swirl = ops.exp(-ops.length_sq(local) * k.rng.number(0.2, 0.9))
            finish(
                k,
                "swirled",
                center + ops.lerp(swirl, 1.0, k.rng.number(0.1, 0.5)) * turned,
                "Each point swirled about a center",
            )


def quaternion_turn(k: Builder) -> None:
    """Rotations by quaternions from an axis and an angle."""
    k.real = F32
    threads(k)
    axis = ops.normalize(read(k, "axis", 0.1, 1.0, VEC3, array="axes"))
    q = k.let("q", ops.quat_from_axis_angle(k.let("unit_axis", axis), coefficient(k, "angle", -3.0, 3.0)))
    arm = read(k, "arm", -1.0, 1.0, VEC3)
    rotated = ops.quat_rotate(ops.quat_inverse(q) if k.rng.chance(0.3) else q, arm)
    finish(
        k,
        "tip",
        rotated + read(k, "joint", -1.0, 1.0, VEC3) if k.rng.chance(0.5) else rotated,
        "End of each arm, turned by a quaternion",
    )


IDIOMS = (
    integrate_particle,
    surface_response,
    spring_force,
    triangle_geometry,
    blend_colors,
    axis_geometry,
    plane_rotation,
    quaternion_turn,
    vector_norms,
    leading_component,
)
