"""Functions of vectors with their gradients: energies of pairs, maps from vectors to vectors."""

from __future__ import annotations

from collections.abc import Mapping

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.idioms.custom_gradient.derivatives import Smooth, smooth
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.types import Type, Vector


def _pair(k: Builder) -> dict[str, tuple[Type, Interval]]:
    space = Vector(k.rng.pick(2, 3, 3), k.real)
    return {one: (space, Interval(-1.0, 1.0)) for one in ("a", "b")}


def _apart(b: Builder, a: Expr, c: Expr, small: float) -> tuple[Expr, Expr]:
    gap = b.let("gap", a - c)
    return gap, b.let("size", ops.sqrt(bounded(ops.dot(gap, gap) + small, 0.009, 20.0)))


def _spring(k: Builder) -> Smooth:
    small = k.rng.number(0.01, 0.2)
    pair = {**_pair(k), "rest": (k.real, Interval(0.3, 1.0))}
    stiffness = k.rng.number(1.0, 9.0)

    def body(b: Builder, a: Expr, c: Expr, rest: Expr) -> Expr:
        stretch = b.let("stretch", _apart(b, a, c, small)[1] - rest)
        return 0.5 * stiffness * stretch * stretch

    def gradient(b: Builder, a: Expr, c: Expr, rest: Expr, g: Expr) -> Mapping[str, Expr]:
        gap, size = _apart(b, a, c, small)
        force = b.let("force", g * stiffness * (size - rest))
        return {"a": force / size * gap, "b": -(force / size) * gap, "rest": -force}

    return smooth(k, "spring", "energy of a spring", pair, body, gradient)


def _distance(k: Builder) -> Smooth:
    pair = _pair(k)
    small = k.rng.number(0.01, 0.2)

    def body(b: Builder, a: Expr, c: Expr) -> Expr:
        return _apart(b, a, c, small)[1]

    def gradient(b: Builder, a: Expr, c: Expr, g: Expr) -> Mapping[str, Expr]:
        gap, size = _apart(b, a, c, small)
        direction = b.let("direction", g / size * gap)
        return {"a": direction, "b": -direction}

    return smooth(k, "distance", "distance that is smooth at zero", pair, body, gradient)


def _kernel(k: Builder) -> Smooth:
    pair = _pair(k)
    sharp = k.rng.number(0.3, 1.5)

    def body(b: Builder, a: Expr, c: Expr) -> Expr:
        gap = b.let("gap", a - c)
        return ops.exp(-sharp * bounded(ops.dot(gap, gap), 0.0, 12.0))

    def gradient(b: Builder, a: Expr, c: Expr, g: Expr) -> Mapping[str, Expr]:
        gap = b.let("gap", a - c)
        value = b.let("value", ops.exp(-sharp * bounded(ops.dot(gap, gap), 0.0, 12.0)))
        pull = b.let("pull", 2.0 * sharp * g * value * gap)
        return {"a": -pull, "b": pull}

    return smooth(k, "kernel", "Gaussian kernel of two points", pair, body, gradient)


def _cosine(k: Builder) -> Smooth:
    pair = _pair(k)
    small = k.rng.number(0.01, 0.2)

    def body(b: Builder, a: Expr, c: Expr) -> Expr:
        return ops.dot(a, c) / (small + bounded(ops.dot(c, c), 0.0, 3.0))

    def gradient(b: Builder, a: Expr, c: Expr, g: Expr) -> Mapping[str, Expr]:
        square = b.let("square", small + bounded(ops.dot(c, c), 0.0, 3.0))
        share = b.let("share", ops.dot(a, c) / square)
        return {"a": g / square * c, "b": g / square * (a - 2.0 * share * c)}

    return smooth(k, "cosine", "share of one vector along another", pair, body, gradient)


def _work(k: Builder) -> Smooth:
    pair = {**_pair(k), "scale": (k.real, Interval(0.5, 2.0))}

    def body(b: Builder, a: Expr, c: Expr, scale: Expr) -> Expr:
        return scale * ops.dot(a, c) + 0.5 * ops.dot(a, a)

    def gradient(b: Builder, a: Expr, c: Expr, scale: Expr, g: Expr) -> Mapping[str, Expr]:
        return {"a": g * (scale * c + a), "b": g * scale * a, "scale": g * ops.dot(a, c)}

    return smooth(k, "work", "work along a way and the energy of its speed", pair, body, gradient)


def _gravity(k: Builder) -> Smooth:
    small = k.rng.number(0.01, 0.2)
    pair = {**_pair(k), "mass": (k.real, Interval(0.5, 2.0))}

    def body(b: Builder, a: Expr, c: Expr, mass: Expr) -> Expr:
        return -mass / _apart(b, a, c, small)[1]

    def gradient(b: Builder, a: Expr, c: Expr, mass: Expr, g: Expr) -> Mapping[str, Expr]:
        gap, size = _apart(b, a, c, small)
        pull = b.let("pull", g * mass / (size * size * size) * gap)
        return {"a": pull, "b": -pull, "mass": -g / size}

    return smooth(k, "gravity", "softened potential of gravity", pair, body, gradient)


PAIRS = (_spring, _distance, _kernel, _cosine, _work, _gravity)


def vector_function(k: Builder) -> Smooth:
    """A number that depends on two vectors."""
    return k.rng.pick(*PAIRS)(k)


def _turn(k: Builder) -> Smooth:
    space = Vector(2, k.real)
    box = Interval(-1.0, 1.0)
    parameters: dict[str, tuple[Type, Interval]] = {
        "v": (space, box),
        "angle": (k.real, Interval(-1.5, 1.5)),
    }

    def body(b: Builder, v: Expr, angle: Expr) -> Expr:
        c, s = b.let("c", ops.cos(angle)), b.let("s", ops.sin(angle))
        return construct(space, c * v[0] - s * v[1], s * v[0] + c * v[1])

    def gradient(b: Builder, v: Expr, angle: Expr, g: Expr) -> Mapping[str, Expr]:
        c, s = b.let("c", ops.cos(angle)), b.let("s", ops.sin(angle))
        back = construct(space, c * g[0] + s * g[1], c * g[1] - s * g[0])
        turned = b.let("turned", construct(space, -s * v[0] - c * v[1], c * v[0] - s * v[1]))
        return {"v": back, "angle": ops.dot(g, turned)}

    return smooth(k, "turn", "vector turned by an angle", parameters, body, gradient)


def _stretch(k: Builder) -> Smooth:
    space = Vector(k.rng.pick(2, 3), k.real)
    box = Interval(-1.0, 1.0)
    parameters: dict[str, tuple[Type, Interval]] = {"v": (space, box), "factor": (k.real, Interval(0.3, 2.0))}

    def body(b: Builder, v: Expr, factor: Expr) -> Expr:
        return factor * (1.0 + bounded(ops.dot(v, v), 0.0, 3.0)) * v

    def gradient(b: Builder, v: Expr, factor: Expr, g: Expr) -> Mapping[str, Expr]:
        grown = b.let("grown", 1.0 + bounded(ops.dot(v, v), 0.0, 3.0))
        along = b.let("along", ops.dot(g, v))
        return {"v": factor * (grown * g + 2.0 * along * v), "factor": grown * along}

    return smooth(k, "stretch", "vector that grows with its own length", parameters, body, gradient)


def _direction(k: Builder) -> Smooth:
    space = Vector(k.rng.pick(2, 3), k.real)
    box = Interval(-1.0, 1.0)
    small = k.rng.number(0.05, 0.4)
    parameters: dict[str, tuple[Type, Interval]] = {"v": (space, box)}

    def body(b: Builder, v: Expr) -> Expr:
        return v / ops.sqrt(bounded(ops.dot(v, v) + small, 0.05, 4.0))

    def gradient(b: Builder, v: Expr, g: Expr) -> Mapping[str, Expr]:
        length = b.let("length", ops.sqrt(bounded(ops.dot(v, v) + small, 0.05, 4.0)))
        n = b.let("n", v / length)
        return {"v": (g - ops.dot(g, n) * n) / length}

    return smooth(k, "soft_direction", "direction of a vector, shorter near zero", parameters, body, gradient)


def _squash(k: Builder) -> Smooth:
    space = Vector(k.rng.pick(2, 3), k.real)
    box = Interval(-1.0, 1.0)
    parameters: dict[str, tuple[Type, Interval]] = {"v": (space, box)}

    def body(b: Builder, v: Expr) -> Expr:
        return v / (1.0 + bounded(ops.dot(v, v), 0.0, 3.0))

    def gradient(b: Builder, v: Expr, g: Expr) -> Mapping[str, Expr]:
        total = b.let("total", 1.0 + bounded(ops.dot(v, v), 0.0, 3.0))
        along = b.let("along", 2.0 * ops.dot(g, v) / total)
        return {"v": (g - along * v) / total}

    return smooth(
        k, "squash", "vector that is the more shortened, the longer it is", parameters, body, gradient
    )


MAPS = (_turn, _stretch, _direction, _squash)


def vector_map(k: Builder) -> Smooth:
    """A vector that depends on a vector."""
    return k.rng.pick(*MAPS)(k)
