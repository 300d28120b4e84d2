"""Programs of several launches that are no formula of an element: clusters, and grids of two levels."""

from __future__ import annotations

import math

from weft.kernels import launches
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, within
from weft.kernels.intervals import INFINITY
from weft.kernels.launched import Launched, Repeated, Step, Zeroed
from weft.kernels.program import Expr, Parameter
from weft.kernels.types import F32, I32


def k_means(k: Builder) -> None:
    """One step of Lloyd's algorithm (1982), or of its form for batches (Sculley 2010)."""
    k.real, k.equality = F32, "bounded"
    batch, inertia = k.rng.chance(0.4), k.rng.chance(0.4)
    k.sizes |= {"features": str(k.rng.pick(2, 3, 4, 6, 8)), "clusters": str(k.rng.pick(4, 6, 8, 12, 16))}
    points = launches.shared(k, "samples", k.real, ["n", "features"], uniform(-2.0, 2.0))
    centroids = launches.shared(k, "centroids", k.real, ["clusters", "features"], uniform(-2.0, 2.0), "inout")
    sums = launches.shared(k, "sums", k.real, ["clusters", "features"], None, "out")
    counts = launches.shared(k, k.rng.pick("counts", "members"), k.real, ["clusters"], None, "out")
    labels = launches.shared(k, "labels", I32, ["n"], None, "out") if k.rng.chance(0.6) else None
    total = launches.shared(k, "inertia", k.real, ["1"], {"constant": 0.0}, "inout") if inertia else None

    def assign(part: launches.Part) -> None:
        b = part.k
        b.equality = "bounded"
        (i,) = b.threads(["n"], [b.rng.pick("i", "sample")])
        samples, centers = part.use("samples", points), part.use("centroids", centroids)
        best, chosen = (
            b.var("best", INFINITY, bounds=(0.0, math.inf)),
            b.var("nearest", 0, type=I32, bounds=(0, 3)),
        )
        with b.loop("c", 0, b.size("num_clusters", "clusters")) as c:
            square = b.var("square", 0.0)
            with b.loop("j", 0, b.size("num_features", "features")) as j:
                gap = b.let("gap", samples[i, j] - centers[c, j])
                b.add(square, gap * gap)
            with b.when(square < best):
                b.set(best, bounded(square, 0.0, 1e3))
                b.set(chosen, bounded(c + 0, 0, 3))
        with b.loop("j", 0, b.size("num_features", "features")) as j:
            b.atomic("add", part.use("sums", sums, "inout", {"constant": 0.0}), (chosen, j), samples[i, j])
        b.atomic("add", part.use(counts.name, counts, "inout", {"constant": 0.0}), chosen, 1.0)
        if labels is not None:
            b.store(part.use("labels", labels, "out"), i, chosen)
        if total is not None:
            b.atomic("add", part.use("inertia", total, "inout"), 0, bounded(best, 0.0, 1e3))
        more = ", and the squared distance to the total" if inertia else ""
        b.doc = f"Add each sample to the sums of the nearest centroid{more}."

    def update(part: launches.Part) -> None:
        b = part.k
        c, j = b.threads(["clusters", "features"], ["c", "j"])
        size = b.let("size", part.use(counts.name, counts, "in", uniform(0.0, 1e5))[c])
        centers = part.use("centroids", centroids, "inout")
        with b.when(size >= 1.0):
            mean = part.use("sums", sums, "in", uniform(-1e5, 1e5))[c, j] / size
            if batch:
                rate = b.scalar("rate", b.real, uniform(0.05, 0.5))
                old = b.let("old", centers[c, j])
                b.store(centers, (c, j), old + rate * (mean - old))
            else:
                b.store(centers, (c, j), mean)
        how = "towards" if batch else "to"
        b.doc = f"Move each centroid that samples chose {how} their mean."

    names = (f"{'mini_batch_' if batch else ''}k_means_step", "cluster_samples", "lloyd_iteration")
    k.name, *k.other_names = names[:2] if batch else k.rng.shuffled(names)
    steps: list[Step] = [Zeroed(sums.name), Zeroed(counts.name)]
    steps.append(launches.kernel(k, k.rng.pick("assign_samples", "accumulate_clusters"), assign)())
    steps.append(launches.kernel(k, k.rng.pick("update_centroids", "move_centroids"), update)())
    by = "a step of k-means on a batch" if batch else "one step of Lloyd's k-means"
    launches.finish(k, f"Move the centroids of clusters by {by}", *steps)


def _near(b: Builder, of: ArrayHandle) -> Expr:
    """The sum over the neighbours along the axes; beyond the border there is nothing."""
    total = b.var("around", 0.0, bounds=(-100.0, 100.0))
    for axis, place in enumerate(b.index):
        for offset in (-1, 1):
            inside = place > 0 if offset < 0 else place < b.extent(axis) - 1
            with b.when(inside):
                beside = tuple(one + offset if at == axis else one for at, one in enumerate(b.index))
                b.set(total, bounded(total + of[beside], -100.0, 100.0))
    return total


def two_grid_cycle(k: Builder) -> None:
    """A multigrid cycle on two grids (Briggs, Henson and McCormick 2000) for Poisson's equation."""
    k.real = F32
    rank = k.rng.pick(1, 2, 2)
    grid = (
        [("rows", "min(n // 24 + 1, n // 256 + 29)", "i"), ("cols", "min(n // 40 + 9, 127)", "j")][-rank:]
        if rank == 2
        else [("cells", "n", "i")]
    )
    for size, value, _ in grid:
        k.sizes |= {f"coarse_{size}": value, size: f"2 * ({value})"}
    fine, coarse = [one for one, _, _ in grid], [f"coarse_{one}" for one, _, _ in grid]
    axes = [one for _, _, one in grid]
    given = uniform(-1.0, 1.0)
    source = launches.shared(k, "source", k.real, fine, given)
    potential = launches.shared(k, "potential", k.real, fine, given, "inout")
    smoothed, rest = (launches.shared(k, one, k.real, fine, None, "out") for one in ("smoothed", "residual"))
    coarse_rest = launches.shared(k, "coarse_residual", k.real, coarse, None, "out")
    first = launches.shared(k, "correction", k.real, coarse, None, "out")
    second = launches.shared(k, "next_correction", k.real, coarse, None, "out")
    wide = uniform(-8.0, 8.0)
    damped = k.rng.chance(0.6)

    def relax(part: launches.Part, shape: list[str], names: tuple[str, str, str]) -> None:
        b, (old, right, new) = part.k, names
        b.threads(shape, axes)
        of = part.use(old, arrays[old], "in", wide)
        total = _near(b, of) + part.use(right, arrays[right], "in", wide)[b.index]
        value = b.let("relaxed", bounded(total / (2.0 * rank), -8.0, 8.0))
        if damped:
            weight = b.scalar("weight", b.real, uniform(0.6, 0.9))
            value = b.let("damped", bounded(of[b.index] + weight * (value - of[b.index]), -8.0, 8.0))
        b.store(part.use(new, arrays[new], "out"), b.index, value)
        b.doc = f"Relax the {old} of each cell by {'damped ' if damped else ''}Jacobi iteration."

    def subtract(part: launches.Part) -> None:
        b = part.k
        b.threads(fine, axes)
        of = part.use("smoothed", smoothed, "in", wide)
        right = part.use("source", source)[b.index]
        value = right - 2.0 * rank * of[b.index] + _near(b, of)
        b.store(part.use("residual", rest, "out"), b.index, value)
        b.doc = "Compute the residual of each cell from the source and the differences to the neighbors."

    def children(b: Builder) -> list[tuple[Expr, ...]]:
        places: list[tuple[Expr, ...]] = [()]
        for axis, here in enumerate(b.index):
            low = b.let(f"fine_{axes[axis]}", within(2 * here, fine[axis]))
            places = [(*one, within(end, fine[axis])) for one in places for end in (low, low + 1)]
        return places

    def restrict(part: launches.Part) -> None:
        b = part.k
        b.threads(coarse, axes)
        of = part.use("residual", rest, "in", wide)
        total: Expr | None = None
        for place in children(b):
            total = of[place] if total is None else total + of[place]
        assert total is not None
        share = 2.0 * total if rank == 1 else total
        b.store(part.use("coarse_residual", coarse_rest, "out"), b.index, share)
        b.doc = (
            "Restrict the residual to each coarse cell: the mean, times the squared ratio of the spacings."
        )

    def prolong(part: launches.Part) -> None:
        b = part.k
        b.threads(fine, axes)
        parent = tuple(
            b.let(f"coarse_{name}", within(one // 2, size))
            for name, one, size in zip(axes, b.index, coarse, strict=True)
        )
        value = part.use("smoothed", smoothed, "in", wide)[b.index]
        correction = part.use("correction", first, "in", wide)[parent]
        b.store(part.use("potential", potential, "out"), b.index, value + correction)
        b.doc = "Add the correction of the coarser grid to each cell."

    arrays: dict[str, Parameter] = {
        "potential": potential, "source": source, "smoothed": smoothed, "coarse_residual": coarse_rest,
        "correction": first, "next_correction": second,
    }  # fmt: skip
    smooth = launches.kernel(
        k, "smooth", lambda part: relax(part, fine, ("potential", "source", "smoothed"))
    )()
    below = ("correction", "coarse_residual", "next_correction")
    solve = launches.kernel(k, "relax_coarse", lambda part: relax(part, coarse, below))()
    turns = {"correction": "next_correction", "next_correction": "correction"}
    back = Launched(solve.part, {key: turns.get(of, of) for key, of in solve.arguments.items()})
    k.name, *k.other_names = k.rng.shuffled(("two_grid_cycle", "multigrid_cycle", "coarse_grid_correction"))
    steps: list[Step] = [smooth, launches.kernel(k, "compute_residual", subtract)()]
    steps += [launches.kernel(k, "restrict_residual", restrict)(), Zeroed("correction")]
    steps.append(Repeated(k.rng.pick(2, 4, 6, 8), [solve, back]))
    steps.append(launches.kernel(k, k.rng.pick("prolong", "add_correction"), prolong)())
    how = "smooth, restrict the residual, relax on the coarser grid, and correct"
    launches.finish(k, f"Solve Poisson's equation by a multigrid cycle on two grids: {how}", *steps)
