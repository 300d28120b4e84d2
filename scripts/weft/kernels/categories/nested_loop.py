"""Loops within loops: windows, small matrix products, pairwise sums."""

from weft.kernels.builder import Builder
from weft.kernels.idioms import coefficient, finish, threads, uniform
from weft.kernels.operators import ops

REVISION = 1
TEACHES = "nested loops: windows, matrix products, pairwise interactions"
ALIASES = ("nested",)


def box_filter(k: Builder) -> None:
    row, col = threads(k, 2)
    rows, cols = k.shape
    height, width = k.size(rows, rows), k.size(cols, cols)
    image = k.array("image", k.real, k.shape, uniform(0.0, 1.0))
    radius = k.rng.pick(1, 2)
    total = k.var("total", 0.0)
    with k.loop("dy", -radius, radius + 1) as dy, k.loop("dx", -radius, radius + 1) as dx:
        y, x = k.let("yy", ops.clamp(row + dy, 0, height - 1)), k.let("xx", ops.clamp(col + dx, 0, width - 1))
        k.add(total, image[y, x])
    finish(
        k,
        "blurred",
        total / float((2 * radius + 1) ** 2),
        f"Box filter of radius {radius} with clamped borders",
    )


def pairwise_energy(k: Builder) -> None:
    (i,) = threads(k, 1)
    groups = k.rng.pick(4, 6)
    k.sizes["atoms"] = str(groups)
    positions = k.array("positions", k.real, ["n", "atoms"], uniform(0.0, 3.0))
    strength = coefficient(k, "strength", 0.5, 2.0)
    energy = k.var("energy", 0.0)
    with k.loop("a", 0, groups) as a, k.loop("b", a + 1, groups) as b:
        gap = k.let("gap", positions[i, a] - positions[i, b])
        k.add(energy, strength / (gap * gap + 0.1))
    finish(k, "energy", energy, f"Pair energy of {groups} atoms on a line")
