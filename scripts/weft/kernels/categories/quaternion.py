"""Rotations as quaternions: composed, interpolated, integrated, taken apart."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.idioms import coefficient, read, threads, uniform
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.rotations import axis_vector, identity, rotation, space, unit
from weft.types import Matrix, Quaternion

REVISION = 1
TEACHES = "rotations by quaternions: composition, interpolation, integration, axes and angles, matrices"


def _parts(k: Builder, q: Expr) -> Expr:
    """The vector part of a quaternion."""
    return construct(space(k), q[0], q[1], q[2])


def _applied(k: Builder, name: str, q: Expr, doc: str) -> None:
    """Store a rotation, or a vector that it turns, or something that it is measured by."""
    match k.rng.pick("rotation", "vector", "vector", "axis", "angle", "height"):
        case "vector":
            v = read(k, "arm", -1.0, 1.0, space(k))
            turned, way = k.rng.pick(
                (ops.quat_rotate(q, v), "turned"), (ops.quat_rotate_inv(q, v), "turned back")
            )
            finish(k, "turned_arm", turned, f"{doc}; the output is an arm that it has {way}")
        case "axis":
            at = k.rng.below(3)
            turned = ops.quat_rotate(q, axis_vector(k, at))
            finish(k, "direction", turned, f"{doc}; the output is where it turns the {'xyz'[at]} axis")
        case "angle":
            sine = k.let("sine", ops.length(_parts(k, q)))
            finish(k, "angle", 2.0 * ops.atan2(sine, ops.abs(q[3])), f"{doc}; the output is its angle")
        case "height":
            level = 1.0 - 2.0 * (q[0] * q[0] + q[1] * q[1])
            finish(k, "tilt", level, f"{doc}; the output is the cosine of its tilt")
        case _:
            finish(k, name, q, doc)


def turn_points(k: Builder) -> None:
    """Points turned about a center."""
    threads(k)
    q = rotation(k, "rotation", shared=True)
    point = read(k, "point", -2.0, 2.0, space(k))
    doc = "Each point turned"
    center = None
    if k.rng.chance(0.5):
        center = (
            read(k, "center", -1.0, 1.0, space(k))
            if k.rng.chance(0.5)
            else k.scalar("pivot", space(k), uniform(-1.0, 1.0))
        )
        point = point - center
        doc += " about a center"
    if k.rng.chance(0.3):
        point = k.let("stretched", ops.cw_mul(k.scalar("stretch", space(k), uniform(0.5, 2.0)), point))
        doc += ", stretched first"
    how = k.rng.pick("rotate", "inverse", "conjugate", "sandwich", "formula")
    if how == "rotate":
        turned = ops.quat_rotate(q, point)
    elif how == "inverse":
        turned, doc = ops.quat_rotate_inv(q, point), f"{doc} backwards"
    elif how == "conjugate":
        turned, doc = ops.quat_rotate(ops.quat_inverse(q), point), f"{doc} backwards"
    elif how == "sandwich":
        pure = k.let("pure", construct(Quaternion(k.real), point[0], point[1], point[2], lift(0.0, k.real)))
        product = k.let("product", q * pure * ops.quat_inverse(q))
        turned, doc = _parts(k, product), f"{doc} by the product of quaternions"
    else:
        part = k.let("part", _parts(k, q))
        cross = k.let("cross", 2.0 * ops.cross(part, point))
        turned = point + q[3] * cross + ops.cross(part, cross)
    finish(k, "turned_point", turned + center if center is not None and k.rng.chance(0.7) else turned, doc)


def compose_turns(k: Builder) -> None:
    """Products of rotations."""
    threads(k, 1, 2)
    parts = [
        rotation(k, name, shared=n > 0)
        for n, name in enumerate(k.rng.shuffled(("body", "joint", "view"))[: k.rng.pick(2, 2, 3)])
    ]
    back = [k.rng.chance(0.3) for _ in parts]
    product = ops.quat_inverse(parts[0]) if back[0] else parts[0]
    for one, inverse in zip(parts[1:], back[1:], strict=True):
        product = unit(product * (ops.quat_inverse(one) if inverse else one))
    q = k.let("total", ops.normalize(product) if k.rng.chance(0.4) else product)
    way = ", some of them reversed" if any(back) else ""
    _applied(k, "combined_turn", q, f"Product of {len(parts)} rotations{way}")


def integrate_spin(k: Builder) -> None:
    """Orientations that follow an angular velocity."""
    threads(k, 1)
    q = rotation(k, "orientation")
    spin = read(k, "angular_velocity", -3.0, 3.0, space(k), array="angular_velocities")
    dt = coefficient(k, "dt", 0.01, 0.1, kinds="lp")
    steps = k.rng.pick(1, 1, 3, 4)
    how = k.rng.pick("derivative", "derivative", "exponential", "middle")
    local = k.rng.chance(0.5)
    damped = k.rng.chance(0.4)
    drag = coefficient(k, "drag", 0.1, 0.9) if damped else None

    def step(now: Expr, rate: Expr) -> Expr:
        if how == "exponential":
            speed = k.let("speed", ops.length(rate) + 1e-4)
            change = k.let("change", ops.quat_from_axis_angle(bounded(rate / speed, -1.0, 1.0), speed * dt))
            return unit(now * change if local else change * now)
        pure = k.let("pure", construct(Quaternion(k.real), rate[0], rate[1], rate[2], lift(0.0, k.real)))
        slope = now * pure if local else pure * now
        if how == "middle":
            half = k.let("half_way", ops.normalize(now + 0.25 * dt * slope))
            slope = half * pure if local else pure * half
        return ops.normalize(now + 0.5 * dt * slope)

    if steps == 1:
        rate = spin if drag is None else k.let("slowed", spin * (1.0 - drag * dt))
        result: Expr = k.let("new_orientation", step(q, rate))
    else:
        now = k.var("now", q, bounds=(-1.0, 1.0), type=q.type)
        rate = k.var("rate", spin, bounds=(-3.0, 3.0), type=spin.type)
        with k.loop("step", 0, steps):
            k.set(now, step(now, rate))
            if drag is not None:
                k.set(rate, bounded(rate * (1.0 - drag * dt), -3.0, 3.0))
        result = now
    frame = "body's own frame" if local else "world's frame"
    method = {
        "derivative": "by its derivative",
        "exponential": "by the turn of each step",
        "middle": "by the midpoint rule",
    }[how]
    many = f" in {steps} steps" if steps > 1 else ""
    _applied(k, "new_orientation", result, f"Integrates an angular velocity in the {frame} {method}{many}")


def interpolate_turns(k: Builder) -> None:
    """Between two rotations or more."""
    threads(k, 1, 2)
    first = rotation(k, "first", shared=True)
    second = rotation(k, "second")
    t = k.let("t", coefficient(k, "blend", 0.05, 0.95) if k.rng.chance(0.5) else read(k, "phase", 0.0, 1.0))
    if k.rng.chance(0.4):
        t = k.let("eased", bounded(k.rng.pick(t * t * (3.0 - 2.0 * t), t * t, t * (2.0 - t)), 0.0, 1.0))
        k.notes.append("The blend is eased")
    how = k.rng.pick("slerp", "slerp", "linear", "aligned", "cubic")
    if how == "slerp":
        q, doc = ops.quat_slerp(first, second, t), "Spherical interpolation"
    elif how == "linear":
        q, doc = ops.normalize((1.0 - t) * first + t * second), "Normalized linear interpolation"
    elif how == "aligned":
        side = k.let("side", ops.dot(first, second))
        near = k.var("near", second, type=second.type)
        with k.when(side < 0.0):
            k.set(near, -1.0 * second)
        q, doc = (
            ops.normalize((1.0 - t) * first + t * near),
            "Normalized linear interpolation on the shorter way",
        )
    else:
        inner = [k.let(f"guide_{n}", rotation(k, f"tangent_{n}", shared=True)) for n in "ab"]
        direct, bent = (
            k.let("direct", ops.quat_slerp(first, second, t)),
            k.let("bent", ops.quat_slerp(*inner, t)),
        )
        q, doc = ops.quat_slerp(direct, bent, 2.0 * t * (1.0 - t)), "Spherical cubic interpolation"
    _applied(k, "between", k.let("mixed", q), f"{doc} of two rotations")


def matrix_forms(k: Builder) -> None:
    """Rotations as matrices, and back."""
    threads(k, 1, 2)
    q = rotation(k, "rotation", shared=True)
    square = Matrix(3, 3, k.real)
    if k.rng.chance(0.4):
        x, y, z, w = (q[n] for n in range(4))
        rows = [
            1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w),
            2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w),
            2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y),
        ]  # fmt: skip
        m = k.let("m", bounded(construct(square, *rows), -1.0, 1.0))
        k.notes.append("The matrix is written out")
    else:
        m = k.let("m", ops.quat_to_matrix(q))
    match k.rng.pick("matrix", "inertia", "column", "trace", "back", "point"):
        case "inertia":
            diagonal = read(k, "moments", 0.2, 2.0, space(k), array="principal_moments")
            world = m @ ops.diag(diagonal) @ ops.transpose(m)
            finish(k, "inertia", world, "Inertia of each body in the frame of the world")
        case "column":
            at = k.rng.below(3)
            column = construct(space(k), m[0, at], m[1, at], m[2, at])
            finish(k, "axis", column, f"Column {at} of the matrix of each rotation")
        case "trace":
            cosine = k.let("cosine", ops.clamp(0.5 * (ops.trace(m) - 1.0), -1.0, 1.0))
            finish(
                k,
                "angle",
                ops.acos(k.rng.number(0.9, 0.99) * cosine),
                "Angle of each rotation, a little flattened, from the trace of its matrix",
            )
        case "back":
            other = k.let("other", ops.quat_to_matrix(rotation(k, "second", shared=True)))
            product = bounded(m @ (ops.transpose(other) if k.rng.chance(0.5) else other), -1.0, 1.0)
            _applied(
                k,
                "relative",
                k.let("relative", ops.quat_from_matrix(product)),
                "Rotation of a product of two matrices",
            )
        case "point":
            point = read(k, "point", -2.0, 2.0, space(k))
            back = k.rng.chance(0.4)
            finish(
                k,
                "image",
                (ops.transpose(m) if back else m) @ point,
                f"Each point times the {'transposed ' if back else ''}matrix of a rotation",
            )
        case _:
            finish(k, "matrix", m, "Matrix of each rotation", measured=False)


def euler_angles(k: Builder) -> None:
    """Roll, pitch and yaw."""
    threads(k, 1, 2)
    if k.rng.chance(0.5):
        q = rotation(k, "attitude", shared=True)
        x, y, z, w = (q[n] for n in range(4))
        choices = k.rng.shuffled(("roll", "pitch", "yaw"))[: k.rng.pick(1, 2, 3)]
        formulas = {
            "roll": lambda: ops.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
            "pitch": lambda: ops.asin(ops.clamp(k.rng.number(0.9, 0.99) * 2.0 * (w * y - z * x), -1.0, 1.0)),
            "yaw": lambda: ops.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)),
        }
        for name in choices[1:]:
            k.store(k.array(f"{name}s", k.real, k.shape, None, "out"), k.target, formulas[name]())
            k.notes.append(f"The {name} is stored as well")
        finish(k, choices[0], formulas[choices[0]](), f"The {choices[0]} of each attitude")
        return
    angles = {one: read(k, one, -1.2, 1.2) for one in ("roll", "pitch", "yaw")}
    if k.rng.chance(0.4):
        q = ops.quat_rpy(*(angles[one] for one in ("roll", "pitch", "yaw")))
        doc = "Rotation from roll, pitch and yaw"
    elif k.rng.chance(0.5):
        order = k.rng.shuffled(("roll", "pitch", "yaw"))
        turns = {
            one: k.let(f"turn_{one}", ops.quat_from_axis_angle(axis_vector(k, n), angles[one]))
            for n, one in enumerate(angles)
        }
        q = unit(unit(turns[order[0]] * turns[order[1]]) * turns[order[2]])
        doc = f"Rotation from turns by {order[0]}, {order[1]} and {order[2]}, the last one first"
    else:
        c = {one: k.let(f"c_{one}", ops.cos(0.5 * angles[one])) for one in angles}
        s = {one: k.let(f"s_{one}", ops.sin(0.5 * angles[one])) for one in angles}
        r, p, h = "roll", "pitch", "yaw"
        q = unit(
            construct(
                Quaternion(k.real),
                s[r] * c[p] * c[h] - c[r] * s[p] * s[h],
                c[r] * s[p] * c[h] + s[r] * c[p] * s[h],
                c[r] * c[p] * s[h] - s[r] * s[p] * c[h],
                c[r] * c[p] * c[h] + s[r] * s[p] * s[h],
            )
        )
        doc = "Rotation from roll, pitch and yaw, written out"
    _applied(k, "attitude", k.let("q", q), doc)


def look_at(k: Builder) -> None:
    """The rotation from one direction to another, or one that faces a target."""
    threads(k, 1, 2)
    eye = read(k, "eye", -1.0, 0.0, space(k))
    goal = (
        read(k, "goal", 0.2, 2.0, space(k))
        if k.rng.chance(0.6)
        else k.scalar("goal", space(k), uniform(0.2, 2.0))
    )
    if k.rng.chance(0.4):
        motion = read(k, "goal_velocity", -0.1, 0.1, space(k), array="goal_velocities")
        goal = k.let("led_goal", goal + coefficient(k, "lead", 0.1, 0.9) * motion)
        k.notes.append("The goal is led by its motion")
    if k.rng.chance(0.3):
        eye = k.let("raised_eye", eye - coefficient(k, "height", 0.02, 0.2) * axis_vector(k, 2))
        k.notes.append("The eye is lower by a height")
    forward = k.let("forward", ops.normalize(goal - eye))
    if k.rng.chance(0.5):
        start = (
            axis_vector(k, k.rng.below(3))
            if k.rng.chance(0.5)
            else k.let("start", ops.normalize(read(k, "heading", 0.1, 1.0, space(k))))
        )
        axis = k.let("axis", ops.cross(start, forward))
        q = construct(Quaternion(k.real), axis[0], axis[1], axis[2], 1.0 + ops.dot(start, forward))
        doc = "Shortest turn from a heading to a goal"
    else:
        up = axis_vector(k, 1)
        side = k.let("side", ops.normalize(ops.cross(up, forward)))
        top = k.let("top", bounded(ops.cross(forward, side), -1.0, 1.0))
        columns = [side, top, forward]
        m = construct(
            Matrix(3, 3, k.real), *(columns[column][row] for row in range(3) for column in range(3))
        )
        q = ops.quat_from_matrix(k.let("m", m))
        doc = "Orientation that faces a goal with the top up"
    q = k.let("q", ops.normalize(q))
    match k.rng.pick("whole", "whole", "part", "rolled", "limited"):
        case "part":
            q = k.let("part", ops.quat_slerp(identity(k), q, coefficient(k, "share", 0.2, 0.9)))
            doc = f"A share of the {doc[0].lower()}{doc[1:]}"
        case "rolled":
            roll = ops.quat_from_axis_angle(forward, read(k, "roll", -1.0, 1.0))
            q = k.let("rolled", unit(roll * q))
            doc += ", rolled about the line of sight"
        case "limited":
            q = k.let("limited", ops.normalize(q + coefficient(k, "stiffness", 0.2, 2.0) * identity(k)))
            doc += ", held back by a spring"
    _applied(k, "facing", q, doc)


def swing_twist(k: Builder) -> None:
    """A rotation as a twist about an axis and a swing of it."""
    threads(k, 1, 2)
    q = rotation(k, "rotation")
    at = k.rng.below(3)
    if k.rng.chance(0.6):
        values = [lift(0.0, k.real)] * 3
        values[at] = q[at]
        twist = k.let("twist", ops.normalize(construct(Quaternion(k.real), *values, q[3])))
        about = f"the {'xyz'[at]} axis"
    else:
        axis = k.let("axis", ops.normalize(read(k, "axis", 0.1, 1.0, space(k), array="hinge_axes")))
        along = k.let("along", ops.dot(_parts(k, q), axis))
        twist = k.let(
            "twist", ops.normalize(construct(Quaternion(k.real), *(along * axis[n] for n in range(3)), q[3]))
        )
        about = "a hinge"
    match k.rng.pick("twist", "swing", "limited", "angle"):
        case "swing":
            swing = k.let("swing", unit(q * ops.quat_inverse(twist)))
            _applied(
                k, "swing", swing, f"Swing of each rotation that remains without its twist about {about}"
            )
        case "limited":
            share = coefficient(k, "kept_share", 0.2, 0.8)
            swing = k.let("swing", unit(q * ops.quat_inverse(twist)))
            less = k.let("less", ops.normalize((1.0 - share) * identity(k) + share * twist))
            _applied(
                k,
                "limited_turn",
                k.let("limited", unit(swing * less)),
                f"Each rotation with less twist about {about}",
            )
        case "angle":
            sine = ops.length(_parts(k, twist))
            finish(
                k,
                "twist_angle",
                2.0 * ops.atan2(sine, ops.abs(twist[3])),
                f"Angle of the twist of each rotation about {about}",
            )
        case _:
            _applied(k, "twist", twist, f"Twist of each rotation about {about}")


def orientation_error(k: Builder) -> None:
    """How far two orientations are apart, and the torque that closes the gap."""
    threads(k, 1, 2)
    now, goal = rotation(k, "now"), rotation(k, "goal", shared=True)
    how = k.rng.pick("angle", "torque", "torque", "chord", "share")
    if how == "chord":
        side = k.let("side", ops.abs(ops.dot(now, goal)))
        finish(
            k,
            "distance",
            k.rng.pick(1.0 - side, 1.0 - side * side),
            "Distance of two orientations from their dot product",
        )
        return
    gap = k.let("gap", unit(k.rng.pick(ops.quat_inverse(now) * goal, goal * ops.quat_inverse(now))))
    part = k.let("part", _parts(k, gap))
    if how == "angle":
        finish(
            k, "angle", 2.0 * ops.atan2(ops.length(part), ops.abs(gap[3])), "Angle between two orientations"
        )
    elif how == "share":
        finish(
            k,
            "mismatch",
            ops.length_sq(part) * coefficient(k, "weight", 0.5, 4.0),
            "Squared sine of half the angle between two orientations, weighted",
        )
    else:
        torque = coefficient(k, "stiffness", 1.0, 20.0) * part * k.rng.pick(2.0 * gap[3], lift(2.0, k.real))
        if k.rng.chance(0.6):
            torque = torque - coefficient(k, "damping", 0.1, 2.0) * read(
                k, "angular_velocity", -1.0, 1.0, space(k), array="angular_velocities"
            )
        finish(k, "torque", torque, "Torque of a spring that turns each body towards its goal")


def average_turns(k: Builder) -> None:
    """Means of several rotations, and chains of them."""
    (i,) = threads(k, 1, name=k.rng.pick("group", "limb", "i"))
    count = k.rng.pick(3, 4, 6, 20)
    k.sizes["members"] = str(count)
    turns = k.array("turns", Quaternion(k.real), ["n", "members"], uniform(0.1, 1.0))
    weights = k.array("weights", k.real, ["members"], uniform(0.2, 1.0)) if k.rng.chance(0.5) else None
    kind = k.rng.pick("mean", "mean", "chain", "spread")
    zero = construct(Quaternion(k.real), 0.0, 0.0, 0.0, lift(1.0 if kind == "chain" else 0.0, k.real))
    total = k.var("total", zero, bounds=(-1.0, 1.0) if kind == "chain" else None, type=zero.type)
    reach = k.var("tip", construct(space(k), 0.0, 0.0, 0.0), type=space(k)) if kind == "chain" else None
    with k.loop("m", 0, count) as m:
        one = k.let("one", ops.normalize(turns[i, m]))
        if reach is not None:
            k.set(total, unit(total * one))
            length = weights[m] if weights else k.rng.number(0.2, 1.0)
            k.add(reach, ops.quat_rotate(total, length * axis_vector(k, 0)))
        else:
            k.add(total, weights[m] * one if weights else one)
    if reach is not None:
        finish(k, "tip", reach, f"Tip of a limb of {count} links, each turned against the one before")
        return
    mean = k.let("mean", ops.normalize(total))
    if kind == "mean":
        _applied(k, "mean_turn", mean, f"{'Weighted mean' if weights else 'Mean'} of {count} rotations")
        return
    spread = k.var("spread", 0.0)
    with k.loop("other", 0, count) as m:
        side = k.let("match", ops.dot(mean, ops.normalize(turns[i, m])))
        k.add(spread, 1.0 - side * side)
    finish(
        k,
        "spread",
        spread / float(count),
        f"Spread of {count} rotations around their {'weighted ' if weights else ''}mean",
    )
