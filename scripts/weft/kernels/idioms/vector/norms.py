"""Norms of vectors, and the largest of their components."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import coefficient, read, threads, uniform
from weft.types import Vector


def vector_norms(k: Builder) -> None:
    """Lengths by several norms, and directions that are smooth at zero."""
    k.real = F32
    threads(k)
    length = k.rng.pick(2, 3, 4)
    space = Vector(length, F32)
    offset: Expr = read(k, k.rng.pick("offset", "residual", "error"), -2.0, 2.0, space)
    if k.rng.chance(0.5):
        offset = k.let("difference", offset - read(k, "expected", -1.0, 1.0, space))
    delta = k.rng.pick(0.5, 0.8, 1.2)
    match k.rng.pick("l1", "l2", "huber", "pseudo", "direction", "ratio"):
        case "l1":
            value, doc = ops.norm_l1(offset), "Sum of the magnitudes of each vector's components"
        case "l2":
            value, doc = ops.norm_l2(offset), "Euclidean length of each vector"
        case "huber":
            value, doc = ops.norm_huber(offset, delta), f"Huber norm of each vector, quadratic up to {delta}"
        case "pseudo":
            value, doc = (
                ops.norm_pseudo_huber(offset, delta),
                f"Smooth Huber norm of each vector, with {delta} as its width",
            )
        case "direction":
            turned = ops.smooth_normalize(offset, lift(delta, F32))
            speed = coefficient(k, "speed", 0.2, 2.0)
            finish(
                k, "push", speed * turned, f"Push along each vector, smooth where it is shorter than {delta}"
            )
            return
        case _:
            value = ops.norm_l1(offset) / (ops.norm_l2(offset) + k.rng.number(0.1, 0.5))
            doc = "Ratio of two norms of each vector, which tells how sparse it is"
    finish(k, "size", bounded(value, 0.0, 64.0), doc)


def leading_component(k: Builder) -> None:
    """Which component of a vector is the largest or smallest, and what follows from it."""
    k.real = F32
    threads(k)
    length = k.rng.pick(2, 3, 4)
    space = Vector(length, F32)
    scores: Expr = read(
        k, k.rng.pick("scores", "weights", "extents"), -1.0, 1.0, space, array="score_vectors"
    )
    if k.rng.chance(0.4):
        bias = k.scalar("bias", space, uniform(-0.3, 0.3))
        scores = k.let("biased", scores + bias)
    which, word = k.rng.pick(("argmax", "largest"), ("argmin", "smallest"))
    place: Expr = k.let(k.rng.pick("choice", "axis", "winner"), convert(I32, getattr(ops, which)(scores)))
    place = bounded(place, 0, length - 1)
    match k.rng.pick("label", "gain", "split", "margin"):
        case "gain":
            gains = k.array("gains", F32, [str(length)], uniform(0.2, 2.0))
            finish(
                k,
                "gain",
                gains[place] * scores[k.rng.below(length)],
                f"Gain of the {word} of {length} scores, times one of them",
            )
        case "split":
            center = read(k, "center", -1.0, 1.0, space)
            point = read(k, "point", -1.0, 1.0, space)
            side = ops.where(point[0] > center[0], lift(1, I32), lift(0, I32))
            finish(
                k,
                "child_id",
                2 * place + side,
                f"Child of a cell that is split: twice the {word} axis, and a side",
            )
        case "margin":
            spread = ops.norm_l2(scores)
            finish(
                k,
                "margin",
                convert(F32, place) + 0.25 * spread,
                f"The {word} component's number, with a part of the vector's length",
            )
        case _ if k.rng.chance(0.7):
            least = k.rng.number(0.3, 0.8) * length**0.5
            sure = ops.norm_l2(scores) > round(least, 2)
            rest = k.rng.pick(-1, length)
            k.notes.append(f"Vectors shorter than {round(least, 2)} get {rest}")
            finish(
                k,
                "label",
                ops.where(sure, place, lift(rest, I32)),
                f"Number of the {word} component",
            )
        case _:
            finish(k, "label", place, f"Number of the {word} component of each vector")
