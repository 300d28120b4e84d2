"""Spin, and errors of orientation."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.idioms.quaternion.turns import store_turn, vector_part
from weft.kernels.idioms.rotations import rotation, space, unit
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, read, threads
from weft.types import Quaternion


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
    store_turn(k, "new_orientation", result, f"Integrates an angular velocity in the {frame} {method}{many}")


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
    part = k.let("part", vector_part(k, gap))
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
