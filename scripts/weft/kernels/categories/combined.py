"""Loops, branches, vectors and helpers together, as in real kernels."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import coefficient, finish, read, threads, uniform
from weft.kernels.intervals import Interval
from weft.kernels.operators import ops
from weft.kernels.types import VEC3, F32, I32

REVISION = 1
TEACHES = "loops, branches, vectors, helper functions and indirect reads in one kernel"


def neighbor_force(k: Builder) -> None:
    k.real = F32
    (i,) = threads(k, 1, name="particle")
    slots = k.rng.pick(4, 6, 8)
    k.sizes["slots"] = str(slots)
    positions = k.array("positions", VEC3, ["n"], uniform(-1.0, 1.0))
    neighbors = k.array("neighbors", I32, ["n", "slots"], {"integers": [0, "n"]})
    falloff = k.function(
        "falloff",
        "Weight that vanishes at the cutoff.",
        {"r": (F32, Interval(0.0, 100.0)), "cutoff": (F32, Interval(0.1, 10.0))},
        lambda f, r, cutoff: ops.max(1.0 - r / cutoff, 0.0),
    )
    cutoff = coefficient(k, "cutoff", 1.0, 2.0, kinds="lp")
    here = k.let("position", positions[i])
    force = k.var("force", 0.0 * here)
    with k.loop("slot", 0, slots) as slot:
        j = k.let("j", neighbors[i, slot])
        with k.when(j.equals(i)):
            k.jump("continue")
        offset = k.let("offset", here - positions[j])
        k.add(force, falloff(ops.length(offset), cutoff) * ops.normalize(offset))
    finish(k, "force", force, "Repulsion from the neighbours of each particle")


def relu_layer(k: Builder) -> None:
    (i,) = threads(k, 1)
    width = k.rng.pick(4, 8)
    k.sizes["inputs"] = str(width)
    x = k.array("features", k.real, ["n", "inputs"], uniform(-1.0, 1.0))
    w = k.array("weights", k.real, ["inputs"], uniform(-1.0, 1.0))
    total = k.var("total", read(k, "bias", -0.5, 0.5) * 1.5)
    with k.loop("j", 0, width) as j:
        k.add(total, x[i, j] * w[j])
    with k.when(total < 0.0):
        k.set(total, coefficient(k, "leak", 0.05, 0.3, kinds="lp") * total)
    finish(k, "activation", total, "Dense unit with a leaky rectifier")
