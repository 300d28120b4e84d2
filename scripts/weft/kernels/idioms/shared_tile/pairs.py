"""Each thread's point against all sources, of which a block loads a tile at a time into shared memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32
from weft.kernels.words import plural
from weft.types import Vector

FAR = 1e6
NOUNS = (("targets", "sources"), ("queries", "points"), ("receivers", "sources"), ("points", "centers"))
BODIES = ("bodies", "particles", "points")


@dataclasses.dataclass(slots=True)
class Pair:
    """A thread's point and one source: the way from one to the other, and what is known of the source."""

    k: Builder
    gap: Expr
    square: Expr
    weight: Expr
    number: Expr
    totals: list[Name]
    settings: dict[str, Expr]


Step = Callable[[Pair], None]


@dataclasses.dataclass(frozen=True, slots=True)
class Law:
    """What a point takes from each source, and what it keeps of the totals.

    `weight` is the name and the range of a number of each source; `totals` are `vector`, `number` or `whole`,
    with what they begin with; `apart` leaves out a point's own place among the sources.
    """

    names: tuple[str, ...]
    sentence: str
    step: Step
    totals: tuple[tuple[str, str, float], ...]
    result: Callable[[Builder, Sequence[Name], Any], dict[str, Expr]]
    weight: tuple[str, float, float] | None = None
    settings: tuple[tuple[str, float, float], ...] = ()
    among: bool | None = None
    apart: bool = False
    dimension: int | None = None


def interactions(k: Builder) -> None:
    """All pairs by a law, tile by tile."""
    law = k.rng.pick(*LAWS)
    k.name, *k.other_names = k.rng.shuffled(law.names)
    k.equality = "bounded"
    among = law.among if law.among is not None else k.rng.chance(0.3)
    points, sources = (k.rng.pick(*BODIES),) * 2 if among else k.rng.pick(*NOUNS)
    width = k.rng.pick(64, 128, 128, 256)
    kind = Vector(law.dimension or k.rng.pick(2, 3, 3), k.real)
    k.sizes[sources] = f"min(n, {k.rng.pick(300, 500, 700)})"
    if not among:
        k.sizes[points] = "(n + 7) // 8"
    (block,) = k.blocks(
        [f"({points} + {width - 1}) // {width}"], ["block"], width, k.rng.pick("lane", "thread")
    )
    assert k.lane is not None
    i = k.let(k.rng.pick("i", "i", "index"), block * width + k.lane)
    i.interval = Interval(0, i.interval.hi, True)
    places = k.array("positions" if among else sources, kind, [sources], uniform(-1.0, 1.0))
    own = places if among else k.array(points, kind, [points], uniform(-1.0, 1.0))
    weights = (
        k.array(plural(law.weight[0]), k.real, [sources], uniform(*law.weight[1:])) if law.weight else None
    )
    settings = {name: coefficient(k, name, low, high, kinds="lp") for name, low, high in law.settings}
    inside = i < k.size(f"num_{points}", points)
    position = k.var(
        k.rng.pick("position", "own", "place"), construct(kind, *[0.0] * kind.length), bounds=(-1.0, 1.0)
    )
    with k.when(inside):
        k.set(position, own[i])
    totals = [_total(k, one, kind) for one in law.totals]
    count = k.size(f"num_{sources}", sources)
    with k.loop(k.rng.pick("start", "first", "base"), 0, count, width) as start:
        tile = k.let(
            k.rng.pick("source_tile", "tile", "shared_sources"),
            tiles.load(places, (width,), (start,), shared=True),
        )
        scales = (
            k.let(f"{law.weight[0]}_tile", tiles.load(weights, (width,), (start,), shared=True))
            if weights and law.weight
            else None
        )
        with k.loop(
            "j", 0, k.let(k.rng.pick("tile_count", "in_tile", "remaining"), ops.min(count - start, width))
        ) as j:
            gap = k.let(k.rng.pick("gap", "offset", "difference"), tile[j] - position)
            square = k.let(
                k.rng.pick("square", "distance_squared", "r2"),
                bounded(ops.dot(gap, gap), 0.0, 4.0 * kind.length),
            )
            pair = Pair(k, gap, square, square if scales is None else scales[j], start + j, totals, settings)
            if among and law.apart:
                with k.when((start + j).differs(i)):
                    law.step(pair)
            else:
                law.step(pair)
    with k.when(inside):
        k.index = k.target = (i,)
        for name, value in law.result(k, totals, settings).items():
            k.store(k.array(name, value.type, [points], None, "out"), i, value)
    k.doc = (
        law.sentence.format(
            of=f"each of the {points}", all="all others" if among and law.apart else f"all {sources}"
        )
        + f". Blocks load {width} {sources} at a time into shared memory."
    )


def _total(k: Builder, one: tuple[str, str, float], kind: Vector) -> Name:
    name, of, start = one
    if of == "vector":
        return k.var(name, construct(kind, *[start] * kind.length))
    if of == "whole":
        return k.var(name, int(start), type=I32, bounds=(min(start, 0), 1e5))
    return k.var(name, start, bounds=(-FAR, FAR) if start else None)


def _add(pair: Pair, value: Expr, at: int = 0) -> None:
    pair.k.add(pair.totals[at], value)


def _gravity(pair: Pair) -> None:
    softened = pair.k.let("softened", pair.square + pair.settings["softening"] * pair.settings["softening"])
    _add(pair, pair.weight / (softened * ops.sqrt(softened)) * pair.gap)


def _potential(pair: Pair) -> None:
    eps = pair.settings["softening"]
    pair.k.add(pair.totals[0], pair.weight / ops.sqrt(pair.square + eps * eps), "-")


def _coulomb(pair: Pair) -> None:
    softened = pair.k.let("softened", pair.square + pair.settings["softening"] * pair.settings["softening"])
    pair.k.add(pair.totals[0], pair.weight / (softened * ops.sqrt(softened)) * pair.gap, "-")


def _within_cutoff(pair: Pair, body: Callable[[], None]) -> None:
    cutoff = pair.settings["cutoff"]
    with pair.k.when(pair.square < cutoff * cutoff):
        body()


def _lennard_jones(pair: Pair) -> None:
    k, sigma = pair.k, pair.settings["sigma"]

    def force() -> None:
        inverse = k.let("inverse", sigma * sigma / ops.max(pair.square, 0.04))
        cubed = k.let("cubed", inverse * inverse * inverse)
        k.add(
            pair.totals[0], 24.0 * (2.0 * cubed * cubed - cubed) / ops.max(pair.square, 0.04) * pair.gap, "-"
        )

    _within_cutoff(pair, force)


def _yukawa(pair: Pair) -> None:
    distance = pair.k.let("distance", ops.sqrt(pair.square + 1e-4))
    _add(pair, pair.weight * ops.exp(-distance / pair.settings["screening_length"]) / distance)


def _vortex(pair: Pair) -> None:
    k = pair.k
    core = pair.settings["core_radius"]
    swirl = k.let("swirl", pair.weight / (6.2831855 * (pair.square + core * core)))
    _add(pair, construct(pair.gap.type, swirl * pair.gap[1], -swirl * pair.gap[0]))


def _gaussian(pair: Pair) -> None:
    width = pair.settings["bandwidth"]
    _add(pair, ops.exp(-pair.square / (2.0 * width * width)))


def _epanechnikov(pair: Pair) -> None:
    radius = pair.settings["radius"]
    _add(pair, ops.max(1.0 - pair.square / (radius * radius), 0.0))


def _poly6(pair: Pair) -> None:
    radius = pair.settings["smoothing_radius"]
    rest = pair.k.let("rest", ops.max(radius * radius - pair.square, 0.0))
    _add(pair, pair.weight * rest * rest * rest)


def _radial(pair: Pair) -> None:
    shape = pair.settings["shape"]
    _add(pair, pair.weight * ops.sqrt(1.0 + shape * shape * pair.square))


def _averaged(pair: Pair) -> None:
    width = pair.settings["bandwidth"]
    share = pair.k.let("share", ops.exp(-pair.square / (2.0 * width * width)))
    _add(pair, share)
    _add(pair, share * pair.weight, 1)


def _shepard(pair: Pair) -> None:
    share = pair.k.let("share", 1.0 / (pair.square + 1e-3))
    _add(pair, share)
    _add(pair, share * pair.weight, 1)


def _mean_shift(pair: Pair) -> None:
    width = pair.settings["bandwidth"]
    share = pair.k.let("share", ops.exp(-pair.square / (2.0 * width * width)))
    _add(pair, share)
    _add(pair, share * pair.gap, 1)


def _counted(pair: Pair) -> None:
    cutoff = pair.settings["cutoff"]
    with pair.k.when(pair.square < cutoff * cutoff):
        pair.k.set(pair.totals[0], bounded(pair.totals[0] + 1, 0, 1e5))


def _nearest(pair: Pair) -> None:
    k = pair.k
    with k.when(pair.square < pair.totals[0]):
        k.set(pair.totals[0], pair.square)
        if len(pair.totals) > 1:
            k.set(pair.totals[1], bounded(pair.number, 0, 1e5))


def _closest(pair: Pair) -> None:
    pair.k.set(pair.totals[0], ops.min(pair.totals[0], pair.square))


def _farthest(pair: Pair) -> None:
    pair.k.set(pair.totals[0], ops.max(pair.totals[0], pair.square))


def _separation(pair: Pair) -> None:
    _within_cutoff(pair, lambda: pair.k.add(pair.totals[0], pair.gap / ops.max(pair.square, 1e-3), "-"))


def _cohesion(pair: Pair) -> None:
    def drawn() -> None:
        pair.k.add(pair.totals[0], pair.gap)
        pair.k.add(pair.totals[1], 1.0)

    _within_cutoff(pair, drawn)


def _total_as(name: str) -> Callable[[Builder, Sequence[Name], Any], dict[str, Expr]]:
    return lambda k, totals, settings: {name: totals[0]}


def _ratio(name: str, at: int = 1) -> Callable[[Builder, Sequence[Name], Any], dict[str, Expr]]:
    return lambda k, totals, settings: {
        name: bounded(totals[at], -FAR, FAR) / ops.max(bounded(totals[1 - at], 0.0, FAR), 1e-6)
    }


def _rooted(name: str) -> Callable[[Builder, Sequence[Name], Any], dict[str, Expr]]:
    return lambda k, totals, settings: {name: ops.sqrt(bounded(totals[0], 0.0, FAR))}


MASS, CHARGE = ("mass", 0.2, 1.0), ("charge", -1.0, 1.0)
SOFT = (("softening", 0.05, 0.3),)
WIDTH = (("bandwidth", 0.1, 0.5),)
LAWS = (
    Law(("gravitational_acceleration", "nbody_gravity", "direct_gravity"),
        "Compute the gravitational acceleration of {of} under {all}, with Plummer softening",
        _gravity, (("acceleration", "vector", 0.0),), _total_as("accelerations"), MASS, SOFT),
    Law(("gravitational_potential", "direct_potential"),
        "Compute the gravitational potential at {of} under {all}, with Plummer softening",
        _potential, (("potential", "number", 0.0),), _total_as("potentials"), MASS, SOFT, apart=True),
    Law(("coulomb_field", "electric_field"), "Compute the electric field that {all} make at {of} by Coulomb's law, softened",
        _coulomb, (("field", "vector", 0.0),), _total_as("fields"), CHARGE, SOFT, apart=True),
    Law(("lennard_jones_force", "lennard_jones_all_pairs"),
        "Compute the Lennard-Jones force on {of} from {all} within a cutoff",
        _lennard_jones, (("force", "vector", 0.0),), _total_as("forces"),
        settings=(("sigma", 0.1, 0.3), ("cutoff", 0.4, 0.9)), among=True, apart=True),
    Law(("yukawa_potential", "screened_potential"), "Compute the screened Coulomb potential that {all} make at {of}",
        _yukawa, (("potential", "number", 0.0),), _total_as("potentials"), CHARGE,
        (("screening_length", 0.2, 0.8),), apart=True),
    Law(("vortex_velocity", "biot_savart_velocity"),
        "Compute the velocity at {of} that {all}, point vortices with a core, induce by the law of Biot and Savart",
        _vortex, (("velocity", "vector", 0.0),), _total_as("velocities"), ("circulation", -1.0, 1.0),
        (("core_radius", 0.05, 0.2),), dimension=2),
    Law(("gaussian_density", "kernel_density"), "Estimate the density at {of} from {all} with a Gaussian kernel",
        _gaussian, (("density", "number", 0.0),), _total_as("densities"), settings=WIDTH),
    Law(("epanechnikov_density", "parzen_density"),
        "Estimate the density at {of} from {all} with Epanechnikov's kernel",
        _epanechnikov, (("density", "number", 0.0),), _total_as("densities"), settings=(("radius", 0.3, 0.9),)),
    Law(("poly6_density", "sph_density_all_pairs"),
        "Sum the density at {of} over {all} with the poly6 kernel, without the kernel's constant",
        _poly6, (("density", "number", 0.0),), _total_as("densities"), MASS,
        (("smoothing_radius", 0.3, 0.9),)),
    Law(("radial_basis_sum", "multiquadric_interpolation"),
        "Evaluate at {of} an interpolant of multiquadrics around {all}",
        _radial, (("value", "number", 0.0),), _total_as("values"), ("coefficient", -1.0, 1.0),
        (("shape", 0.5, 2.0),), among=False),
    Law(("kernel_regression", "nadaraya_watson"),
        "Estimate a value at {of} from those of {all} by Nadaraya and Watson's kernel regression",
        _averaged, (("share_sum", "number", 0.0), ("value_sum", "number", 0.0)), _ratio("estimates"),
        ("value", -1.0, 1.0), (("bandwidth", 0.2, 0.6),), among=False),
    Law(("shepard_interpolation", "inverse_distance_weighting"),
        "Interpolate a value at {of} from those of {all}, weighted by the inverse squared distance",
        _shepard, (("share_sum", "number", 0.0), ("value_sum", "number", 0.0)), _ratio("estimates"),
        ("value", -1.0, 1.0), among=False),
    Law(("mean_shift", "mean_shift_step"), "Compute the mean shift of {of} under {all} with a Gaussian kernel",
        _mean_shift, (("share_sum", "number", 0.0), ("gap_sum", "vector", 0.0)), _ratio("shifts"), settings=WIDTH),
    Law(("neighbor_count", "count_within_radius"), "Count for {of} how many of {all} lie within a radius",
        _counted, (("near_count", "whole", 0),), _total_as("near_counts"), settings=(("cutoff", 0.2, 0.9),), apart=True),
    Law(("nearest_distance", "chamfer_distance", "distance_to_nearest"),
        "Compute the distance of {of} to the nearest of {all}",
        _closest, (("smallest", "number", FAR),), _rooted("distances"), apart=True),
    Law(("nearest_source", "nearest_neighbor", "assign_to_nearest"),
        "Find for {of} the nearest of {all}, and the squared distance",
        _nearest, (("smallest", "number", FAR), ("nearest", "whole", -1)),
        lambda k, totals, settings: {"nearest_places": totals[1], "square_distances": totals[0]}, apart=True),
    Law(("farthest_distance", "eccentricity"), "Compute the distance of {of} to the farthest of {all}",
        _farthest, (("largest", "number", 0.0),), _rooted("distances")),
    Law(("separation_steering", "boid_separation"),
        "Compute for {of} the steering away from {all} within a radius, as flocks have it",
        _separation, (("steering", "vector", 0.0),), _total_as("steerings"), settings=(("cutoff", 0.2, 0.6),),
        among=True, apart=True),
    Law(("cohesion_steering", "boid_cohesion"),
        "Compute for {of} the way to the center of {all} within a radius, as flocks have it",
        _cohesion, (("gap_sum", "vector", 0.0), ("near_count", "number", 0.0)), 
        lambda k, totals, settings: {"steerings": totals[0] / ops.max(bounded(totals[1], 0.0, FAR), 1.0)},
        settings=(("cutoff", 0.3, 0.8),), among=True, apart=True),
)  # fmt: skip
