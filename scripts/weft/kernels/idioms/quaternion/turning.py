"""Rotations that turn, follow each other, and blend."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.idioms.quaternion.turns import store_turn, vector_part
from weft.kernels.idioms.rotations import axis_vector, rotation, space, unit
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, read, threads, uniform
from weft.types import Quaternion


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
        turned, doc = vector_part(k, product), f"{doc} by the product of quaternions"
    else:
        part = k.let("part", vector_part(k, q))
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
    store_turn(k, "combined_turn", q, f"Product of {len(parts)} rotations{way}")


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
    store_turn(k, "between", k.let("mixed", q), f"{doc} of two rotations")


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
        store_turn(k, "mean_turn", mean, f"{'Weighted mean' if weights else 'Mean'} of {count} rotations")
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
