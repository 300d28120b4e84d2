"""Each thread's point against all sources, of which a block loads a tile at a time into shared memory."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.constants import TWO_PI
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.intervals import INFINITY, Interval
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

    def __getitem__(self, name: str) -> Expr:
        """A number that shapes the law."""
        return self.settings[name]

    def add(self, *values: Expr) -> None:
        """Add to the totals."""
        for total, value in zip(self.totals, values, strict=True):
            self.k.add(total, value)


Step = Callable[[Pair], None]
Result = Callable[[Sequence[Name]], dict[str, Expr]]


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
    weight: tuple[str, float, float] | None = None
    settings: tuple[tuple[str, float, float], ...] = ()
    among: bool | None = None
    apart: bool = False
    dimension: int | None = None
    result: Result | None = None


def interactions(k: Builder) -> None:
    """All pairs by a law, tile by tile."""
    law = k.rng.pick(*LAWS)
    k.formulas.append(f"pairs.{law.names[0]}")
    k.name, *k.other_names = k.rng.shuffled(law.names)
    k.equality = "bounded"
    among = law.among if law.among is not None else k.rng.chance(0.3)
    points, sources = (k.rng.pick(*BODIES),) * 2 if among else k.rng.pick(*NOUNS)
    width = k.rng.pick(64, 128, 128, 256)
    kind = Vector(law.dimension or k.rng.pick(2, 3, 3), k.real)
    # Whoever looks for the nearest of all others must not be alone.
    least = "n + 1" if among and law.apart else "n"
    k.sizes[sources] = f"min({least}, {k.rng.pick(300, 500, 700)})"
    if not among:
        k.sizes[points] = "(n + 7) // 8"
    (block,) = k.blocks([f"({points} + {width - 1}) // {width}"], ["block"], width, "thread")
    assert k.lane is not None
    i = k.let(k.rng.pick("i", "i", "index"), block * width + k.lane)
    i.interval = Interval(0, i.interval.hi, True)
    places = k.array("positions" if among else sources, kind, [sources], uniform(-1.0, 1.0))
    own = places if among else k.array(points, kind, [points], uniform(-1.0, 1.0))
    name, *span = law.weight or ("", 0.0, 1.0)
    weights = k.array(plural(name), k.real, [sources], uniform(*span)) if law.weight else None
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
        label, left = k.rng.pick(
            ("source_tile", "in_tile"), ("tile", "tile_count"), ("shared_sources", "remaining")
        )
        tile = k.let(label, tiles.load(places, (width,), (start,), shared=True))
        scales = tiles.load(weights, (width,), (start,), shared=True) if weights is not None else None
        scales = k.let(f"{name}_tile", scales) if scales is not None else None
        with k.loop("j", 0, k.let(left, ops.min(count - start, width))) as j:
            gap = k.let(k.rng.pick("gap", "offset", "difference"), tile[j] - position)
            square = bounded(ops.dot(gap, gap), 0.0, 4.0 * kind.length)
            square = k.let(k.rng.pick("square", "distance_squared", "r2"), square)
            pair = Pair(k, gap, square, square if scales is None else scales[j], start + j, totals, settings)
            if among and law.apart:
                with k.when((start + j).differs(i)):
                    law.step(pair)
            else:
                law.step(pair)
    results = law.result(totals) if law.result else {plural(law.totals[0][0]): totals[0]}
    with k.when(inside):
        k.index = k.target = (i,)
        for label, value in results.items():
            k.store(k.array(label, value.type, [points], None, "out"), i, value)
    what = {"of": f"each of the {points}", "all": "all others" if among and law.apart else f"all {sources}"}
    k.doc = f"{law.sentence.format(**what)}. Blocks load {width} {sources} at a time into shared memory."


def _total(k: Builder, one: tuple[str, str, float], kind: Vector) -> Name:
    name, of, start = one
    if of == "vector":
        return k.var(name, construct(kind, *[start] * kind.length))
    if of == "whole":
        return k.var(name, int(start), type=I32, bounds=(min(start, 0), 1e5))
    return k.var(name, start, bounds=(-math.inf, math.inf) if start else None)


def _near(pair: Pair, body: Callable[[], None]) -> None:
    """Do something for sources within the cutoff."""
    with pair.k.when(pair.square < pair["cutoff"] * pair["cutoff"]):
        body()


def _inverse_cube(pair: Pair) -> Expr:
    """The weight over the cube of the softened distance."""
    softened = pair.k.let("softened", pair.square + pair["softening"] * pair["softening"])
    return pair.weight / (softened * ops.sqrt(softened))


def _lennard_jones(pair: Pair) -> None:
    k, sigma = pair.k, pair["sigma"]

    def force() -> None:
        inverse = k.let("inverse", sigma * sigma / ops.max(pair.square, 0.04))
        cubed = k.let("cubed", inverse * inverse * inverse)
        pair.add(-24.0 * (2.0 * cubed * cubed - cubed) / ops.max(pair.square, 0.04) * pair.gap)

    _near(pair, force)


def _yukawa(pair: Pair) -> None:
    distance = pair.k.let("distance", ops.sqrt(pair.square + 1e-4))
    pair.add(pair.weight * ops.exp(-distance / pair["screening_length"]) / distance)


def _vortex(pair: Pair) -> None:
    core = pair["core_radius"]
    swirl = pair.k.let("swirl", pair.weight / (TWO_PI * (pair.square + core * core)))
    pair.add(construct(pair.gap.type, swirl * pair.gap[1], -swirl * pair.gap[0]))


def _poly6(pair: Pair) -> None:
    radius = pair["smoothing_radius"]
    rest = pair.k.let("rest", ops.max(radius * radius - pair.square, 0.0))
    pair.add(pair.weight * rest * rest * rest)


def _gaussian(pair: Pair) -> Expr:
    width = pair["bandwidth"]
    return ops.exp(-pair.square / (2.0 * width * width))


def _shared(pair: Pair, share: Expr, value: Expr) -> None:
    """Add a share, and the share of a value."""
    share = pair.k.let("share", share)
    pair.add(share, share * value)


def _nearest(pair: Pair) -> None:
    k = pair.k
    with k.when(pair.square < pair.totals[0]):
        k.set(pair.totals[0], pair.square)
        k.set(pair.totals[1], bounded(pair.number, 0, 1e5))


def _rooted(totals: Sequence[Name]) -> dict[str, Expr]:
    return {"distances": ops.sqrt(bounded(totals[0], 0.0, FAR))}


def _ratio(name: str, least: float = 1e-6) -> Result:
    """The second total over the first."""
    return lambda totals: {name: totals[1] / ops.max(bounded(totals[0], 0.0, FAR), least)}


MASS, CHARGE, VALUE = ("mass", 0.2, 1.0), ("charge", -1.0, 1.0), ("value", -1.0, 1.0)
SOFT, WIDTH = (("softening", 0.05, 0.3),), (("bandwidth", 0.1, 0.5),)
SHARES = (("share_sum", "number", 0.0), ("value_sum", "number", 0.0))
LAWS = (
    Law(("gravitational_acceleration", "nbody_gravity", "direct_gravity"),
        "Compute the gravitational acceleration of {of} under {all}, with Plummer softening",
        lambda p: p.add(_inverse_cube(p) * p.gap), (("acceleration", "vector", 0.0),), MASS, SOFT),
    Law(("gravitational_potential", "direct_potential"),
        "Compute the gravitational potential at {of} under {all}, with Plummer softening",
        lambda p: p.add(-p.weight / ops.sqrt(p.square + p["softening"] * p["softening"])),
        (("potential", "number", 0.0),), MASS, SOFT, apart=True),
    Law(("coulomb_field", "electric_field"),
        "Compute the electric field that {all} make at {of} by Coulomb's law, softened",
        lambda p: p.add(-_inverse_cube(p) * p.gap), (("field", "vector", 0.0),), CHARGE, SOFT, apart=True),
    Law(("lennard_jones_force", "lennard_jones_all_pairs"),
        "Compute the Lennard-Jones force on {of} from {all} within a cutoff", _lennard_jones,
        (("force", "vector", 0.0),), None, (("sigma", 0.1, 0.3), ("cutoff", 0.4, 0.9)), True, True),
    Law(("yukawa_potential", "screened_potential"),
        "Compute the screened Coulomb potential that {all} make at {of}",
        _yukawa, (("potential", "number", 0.0),), CHARGE, (("screening_length", 0.2, 0.8),), apart=True),
    Law(("vortex_velocity", "biot_savart_velocity"),
        "Compute the velocity that {all}, vortices with a core, induce at {of} by the law of Biot and Savart",
        _vortex, (("velocity", "vector", 0.0),), ("circulation", -1.0, 1.0), (("core_radius", 0.05, 0.2),),
        dimension=2),
    Law(("gaussian_density", "kernel_density"),
     "Estimate the density at {of} from {all} with a Gaussian kernel",
        lambda p: p.add(_gaussian(p)), (("density", "number", 0.0),), None, WIDTH),
    Law(("epanechnikov_density", "parzen_density"),
        "Estimate the density at {of} from {all} with Epanechnikov's kernel",
        lambda p: p.add(ops.max(1.0 - p.square / (p["radius"] * p["radius"]), 0.0)),
        (("density", "number", 0.0),), None, (("radius", 0.3, 0.9),)),
    Law(("poly6_density", "sph_density_all_pairs"),
        "Sum the density at {of} over {all} with the poly6 kernel, without the kernel's constant",
        _poly6, (("density", "number", 0.0),), MASS, (("smoothing_radius", 0.3, 0.9),)),
    Law(("radial_basis_sum", "multiquadric_interpolation"),
        "Evaluate at {of} an interpolant of multiquadrics around {all}",
        lambda p: p.add(p.weight * ops.sqrt(1.0 + p["shape"] * p["shape"] * p.square)),
        (("value", "number", 0.0),), ("coefficient", -1.0, 1.0), (("shape", 0.5, 2.0),), among=False),
    Law(("kernel_regression", "nadaraya_watson"),
        "Estimate a value at {of} from those of {all} by Nadaraya and Watson's kernel regression",
        lambda p: _shared(p, _gaussian(p), p.weight), SHARES, VALUE, WIDTH, False,
         result=_ratio("estimates")),
    Law(("shepard_interpolation", "inverse_distance_weighting"),
        "Interpolate a value at {of} from those of {all}, weighted by the inverse squared distance",
        lambda p: _shared(p, 1.0 / (p.square + 1e-3), p.weight), SHARES, VALUE, (), False,
        result=_ratio("estimates")),
    Law(("mean_shift", "mean_shift_step"),
     "Compute the mean shift of {of} under {all} with a Gaussian kernel",
        lambda p: _shared(p, _gaussian(p), p.gap), (SHARES[0], ("gap_sum", "vector", 0.0)), None, WIDTH,
        result=_ratio("shifts")),
    Law(("neighbor_count", "count_within_radius"), "Count for {of} how many of {all} lie within a radius",
        lambda p: _near(p, lambda: p.k.set(p.totals[0], bounded(p.totals[0] + 1, 0, 1e5))),
        (("near_count", "whole", 0),), None, (("cutoff", 0.2, 0.9),), apart=True),
    Law(("nearest_distance", "chamfer_distance", "distance_to_nearest"),
        "Compute the distance of {of} to the nearest of {all}",
        lambda p: p.k.set(p.totals[0], ops.min(p.totals[0], p.square)), (("smallest", "number", INFINITY),),
        apart=True, result=_rooted),
    Law(("nearest_source", "nearest_neighbor", "assign_to_nearest"),
        "Find for {of} the nearest of {all}, and the squared distance",
        _nearest, (("smallest", "number", INFINITY), ("nearest", "whole", -1)), apart=True,
        result=lambda totals: {"nearest_places": totals[1], "square_distances": totals[0]}),
    Law(("farthest_distance", "eccentricity"), "Compute the distance of {of} to the farthest of {all}",
        lambda p: p.k.set(p.totals[0], ops.max(p.totals[0], p.square)), (("largest", "number", 0.0),),
        result=_rooted),
    Law(("separation_steering", "boid_separation"),
        "Compute for {of} the steering away from {all} within a radius, as flocks have it",
        lambda p: _near(p, lambda: p.add(-p.gap / ops.max(p.square, 1e-3))), (("steering", "vector", 0.0),),
        None, (("cutoff", 0.2, 0.6),), True, True),
    Law(("cohesion_steering", "boid_cohesion"),
        "Compute for {of} the way to the center of {all} within a radius, as flocks have it",
        lambda p: _near(p, lambda: p.add(lift(1.0, p.square.type), p.gap)),
        (("near_count", "number", 0.0), ("gap_sum", "vector", 0.0)), None, (("cutoff", 0.3, 0.8),), True,
         True,
        result=_ratio("steerings", 1.0)),
)  # fmt: skip
