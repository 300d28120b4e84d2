"""Amounts that move along edges or spread over the cells of a grid."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, ops
from weft.kernels.idioms.atomic.amounts import drawn_amount, kept_beside, skip_some
from weft.kernels.results import describe
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import threads, uniform
from weft.types import Vector


def edge_flow(k: Builder) -> None:
    """Both ends of every edge receive something."""
    threads(k, name=k.rng.pick("edge", "e"))
    k.sizes["nodes"] = k.rng.pick("n", "(n + 3) // 4", "max(n // 2, 1)")
    first = k.array(k.rng.pick("sources", "heads"), I32, k.shape, {"integers": [0, "nodes"]})
    second = k.array(k.rng.pick("destinations", "tails"), I32, k.shape, {"integers": [0, "nodes"]})
    a, b = k.let("first", first[k.index]), k.let("second", second[k.index])
    kind = k.rng.pick(I32, F32, F32)
    amount, what = drawn_amount(k, kind)
    flow = k.let("flow", amount)
    target = k.array(k.rng.pick("degrees", "balances", "inflows"), kind, ["nodes"], {"constant": 0}, "inout")
    kept_beside(k, flow)
    if k.rng.chance(0.4):
        with k.when(a.equals(b)):
            k.jump("return")
        k.notes.append("Edges from a node to itself are left out")
    match k.rng.below(6):
        case 0:
            k.atomic("add", target, a, flow)
            k.atomic("add", target, b, flow)
            describe(k, f"Both ends of each edge receive the {what}")
        case 1:
            outgoing = k.array("outflows", kind, ["nodes"], {"constant": 0}, "inout")
            k.atomic("add", outgoing, a, flow)
            k.atomic(k.rng.pick("add", "+="), target, b, flow)
            describe(k, f"The {what} of edges are added up by where they begin and by where they end")
        case 2 if flow.interval.lo < 0:
            with k.when(flow > 0):
                k.atomic("add", target, b, flow)
            with k.otherwise():
                k.atomic("sub", target, a, flow)
            describe(k, f"The {what} flow along each edge, or against it where they are not positive")
        case 3:
            degrees = k.array("upper_degrees", I32, ["nodes"], {"constant": 0}, "inout")
            with k.when(a < b):
                k.atomic("add", target, a, flow)
                k.atomic("add", degrees, b, 1)
            with k.otherwise():
                k.atomic("add", target, b, flow)
            describe(
                k, f"The end of an edge with the smaller number receives the {what}, and edges up are counted"
            )
        case 4:
            k.atomic("sub", target, a, flow)
            k.atomic("add", target, b, flow)
            describe(k, f"Each edge moves the {what} from one end to the other")
        case _:
            k.atomic("+=", target, a, flow)
            k.atomic("-=", target, b, flow * 2)
            describe(k, f"One end of each edge receives the {what}, the other loses twice as much")


def splat_to_grid(k: Builder) -> None:
    """Particles deposit on the nodes of a grid."""
    threads(k, 1, name=k.rng.pick("particle", "p"))
    size = k.rng.pick(8, 12, 16)
    k.sizes["cells"] = str(size)
    plane = Vector(2, F32)
    skip_some(k)
    spot = k.let("position", k.array("positions", plane, ["n"], uniform(0.0, 1.0))[k.index])
    x = k.let("x", ops.min(convert(I32, spot[0] * float(size)), size - 1))
    y = k.let("y", ops.min(convert(I32, spot[1] * float(size)), size - 1))
    kind = k.rng.pick(F32, I32)
    amount, what = drawn_amount(k, kind)
    grid = k.array(
        k.rng.pick("density", "grid", "deposits"), kind, ["cells", "cells"], {"constant": 0}, "inout"
    )
    match k.rng.below(3):
        case 0:
            k.atomic(k.rng.pick("add", "+="), grid, k.rng.pick((x, y), (y, x)), kept_beside(k, amount))
            describe(k, f"Particles deposit their {what} in the cells of a grid")
        case 1:
            share = k.let("share", amount)
            k.atomic("add", grid, (y, x), share * k.rng.integer(2, 4))
            k.atomic(
                "add", grid, k.rng.pick((y, ops.min(x + 1, size - 1)), (ops.max(y - 1, 0), x), (x, y)), share
            )
            describe(k, f"Particles deposit their {what} in their cell and another one")
        case _:
            share = k.let("share", amount)
            with k.loop("dy", 0, 2) as dy, k.loop("dx", 0, 2) as dx:
                k.atomic("add", grid, (ops.min(y + dy, size - 1), ops.min(x + dx, size - 1)), share)
            describe(k, f"Particles deposit their {what} in four cells of a grid")
