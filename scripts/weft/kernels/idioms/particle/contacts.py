"""Edges and triangles that come close or cut each other."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import lift, ops
from weft.kernels.idioms.particle.corners import corner
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import coefficient, threads


def edge_contacts(k: Builder) -> None:
    """Closest points of pairs of edges: gaps, pushes, places."""
    k.real = F32
    threads(k, 1, name=k.rng.pick("pair", "contact", "i"))
    p, q, r, s = corner(k, 4, shared=True)
    close = k.let("closest", ops.closest_point_edge_edge(p, q, r, s, lift(k.rng.pick(1e-4, 1e-3), F32)))
    match k.rng.pick("gap", "push", "place", "middle"):
        case "gap":
            finish(k, "gap", close[2], "Distance of two edges")
        case "push":
            reach = coefficient(k, "thickness", 0.5, 1.5)
            depth = ops.max(reach - close[2], 0.0)
            stiffness = coefficient(k, "stiffness", 1.0, 20.0)
            finish(k, "push", stiffness * depth * depth, "Penalty for edges nearer than a thickness")
        case "place":
            share = k.let("share", close[0])
            finish(
                k,
                "point",
                p + share * (q - p),
                "Point of the first of two edges closest to the second",
            )
        case _:
            first = k.let("on_first", p + close[0] * (q - p))
            second = k.let("on_second", r + close[1] * (s - r))
            finish(k, "middle", 0.5 * (first + second), "Middle between the closest points of two edges")


def triangle_hits(k: Builder) -> None:
    """Which triangles cut each other.

    Two with a corner in common touch or not by rounding, so none are drawn.
    """
    k.real = F32
    threads(k, 1, name=k.rng.pick("pair", "i"))
    a, b, c, d, e, f = corner(k, 6, shared=False)
    hit = k.let("hit", ops.intersect_tri_tri(a, b, c, d, e, f))
    if k.rng.chance(0.5):
        total = k.array("hit_total", I32, ["1"], {"constant": 0}, "inout")
        k.atomic(k.rng.pick("add", "+="), total, 0, hit)
        k.notes.append("They are counted")
    if k.rng.chance(0.5):
        finish(k, "hit", hit, "Whether two triangles cut each other")
    else:
        across = k.let("across", ops.cross(b - a, c - a))
        area = k.let("area", 0.5 * ops.length(across))
        finish(
            k,
            "hit_area",
            ops.where(hit.equals(1), area, lift(k.rng.pick(0.0, -1.0), F32)),
            "Area of each first triangle where it cuts the second",
        )
