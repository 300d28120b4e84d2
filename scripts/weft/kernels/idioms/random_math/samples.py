"""Samples that Warp draws itself: points in bodies, counts of events, random words, lattice noise."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, lift, ops
from weft.kernels.idioms.monte_carlo.streams import started
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, U32, VEC2, VEC3
from weft.kernels.vocabulary import coefficient, read, uniform

BODIES = {
    "sample_unit_ring": "on a circle",
    "sample_unit_disk": "in a disk",
    "sample_unit_square": "in a square",
    "sample_triangle": "in a triangle, by two barycentric coordinates,",
    "sample_unit_cube": "in a cube",
    "sample_unit_sphere": "in a ball",
    "sample_unit_sphere_surface": "on a sphere",
    "sample_unit_hemisphere": "in half a ball",
    "sample_unit_hemisphere_surface": "on half a sphere",
}


def _word(value: Expr) -> Expr:
    """A number that is not negative, as a word."""
    return convert(U32, value)


def points_in_bodies(k: Builder) -> None:
    """Random points in a body around a center, alone or as a mean over several."""
    state = started(k, 1, 2)
    body, where = k.rng.pick(*BODIES.items())
    draw = getattr(ops, body)
    space = draw(state).type
    doc = f"Random point {where}"
    if k.rng.chance(0.5):
        count = k.rng.pick(4, 8, 12, 16)
        total = k.var("total", construct(space, *[0.0] * space.length), bounds=(-64.0, 64.0))
        kind = k.rng.pick("mean", "hits", "squares")
        hits = k.var("hits", 0, type=I32) if kind == "hits" else None
        weights = k.scalar("weights", space, uniform(0.3, 1.0)) if kind == "squares" else None
        level = k.rng.number(0.1, 0.4)
        with k.loop(k.rng.pick("s", "sample", "draw"), 0, count):
            point = k.let("point", draw(state))
            added = point if weights is None else ops.cw_mul(weights, ops.cw_mul(point, point))
            k.set(total, bounded(total + added, -64.0, 64.0))
            if hits is not None:
                with k.when(point[0] + point[1] > level):
                    k.add(hits, 1)
        if hits is not None:
            k.store(k.array("hit_counts", I32, k.shape, None, "out"), k.target, hits)
            k.notes.append(f"Points whose first two coordinates have a sum above {level} are counted")
        what = "Mean of squared coordinates, with weights," if kind == "squares" else "Mean"
        finish(k, "center", total / float(count), f"{what} of {count} random points {where}")
        return
    scale = coefficient(k, k.rng.pick("radius", "extent"), 0.3, 2.0)
    point = k.let("point", draw(state))
    match k.rng.pick("around", "around", "along", "distance", "pushed"):
        case "along":
            axis = read(k, "direction", -1.0, 1.0, space)
            finish(
                k,
                "component",
                scale * ops.dot(point, axis),
                f"Component of a random point {where} along a direction",
            )
        case "distance":
            target = read(k, "goal", -2.0, 2.0, space)
            finish(
                k,
                "gap",
                ops.length(scale * point - target),
                f"Distance of a goal from a random point {where}",
            )
        case "pushed":
            other = read(k, "position", -1.0, 1.0, space)
            share = k.rng.number(0.2, 0.8)
            finish(
                k,
                "position_after",
                other + share * (scale * point - other),
                f"Positions pulled towards a random point {where}",
            )
        case _:
            center = read(k, "center", -1.0, 1.0, space)
            finish(k, "point_around", center + scale * point, f"{doc} around each center")


def event_counts(k: Builder) -> None:
    """Numbers of events with a Poisson distribution: arrivals, photons, decays."""
    state = started(k, 1, 2)
    name, word = k.rng.pick(("arrival", "arrivals"), ("photon", "photons"), ("decay", "decays"))
    rate = coefficient(k, "rate", 0.5, 6.0)
    if k.rng.chance(0.5):
        exposure = read(k, "exposure", 0.3, 1.2)
        rate = k.let("expected", rate * exposure)
    number: Expr = k.let(f"{name}_count", convert(I32, ops.poisson(state, rate)))
    number = bounded(number, 0, 200)
    match k.rng.pick("count", "signal", "idle", "steps"):
        case "signal":
            dark = read(k, "dark_level", 0.0, 0.5)
            value = coefficient(k, "gain", 0.2, 1.5) * convert(F32, number) + dark
            finish(k, "signal", value, f"Signal of a random number of {word} over a dark level")
        case "idle":
            patience = k.rng.integer(1, 3)
            extra = k.var("extra", 0, type=I32, bounds=(0, 1))
            with k.when(number < patience):
                k.set(extra, 1)
            finish(
                k,
                "busy",
                number + extra,
                f"Random number of {word}, one more where there are fewer than {patience}",
            )
        case "steps":
            steps = k.rng.pick(4, 6, 8)
            total = k.var("total", number, type=I32)
            with k.loop("step", 1, steps):
                k.add(total, bounded(convert(I32, ops.poisson(state, rate)), 0, 200))
            finish(k, "total_count", total, f"Random number of {word} in {steps} steps")
        case _:
            finish(k, name, number, f"Random number of {word} for each rate")


def random_words(k: Builder) -> None:
    """Random words and what is made of their bits."""
    state = started(k, 1, 2)
    word = k.let("word", ops.randu(state))
    match k.rng.pick("mask", "choice", "coin", "key"):
        case "mask":
            bits = k.let("bits", word & _word(read(k, "allowed", 1, 2**30, I32)))
            finish(k, "mask", bits, "Random choice of the bits of a mask")
        case "choice":
            sides = k.rng.pick(5, 6, 10, 12)
            options = k.array("options", F32, [str(sides)], uniform(-1.0, 1.0))
            chosen = k.let("choice", convert(I32, word % sides))
            finish(k, "option", options[chosen], f"One of {sides} options, chosen at random")
        case "coin":
            shift = k.rng.pick(3, 7, 12)
            heads = ((word >> shift) & 1).equals(1)
            x, y = read(k, "first", -1.0, 1.0), read(k, "second", -1.0, 1.0)
            finish(
                k, "outcome", ops.where(heads, x, y), f"One of two numbers, by bit {shift} of a random word"
            )
        case _:
            key = _word(read(k, "id", 0, 10_000, I32))
            finish(k, "session_key", word ^ (key << k.rng.integer(3, 12)), "Random keys, mixed with an id")


def field_noise(k: Builder) -> None:
    """Gradient noise of Warp's: plain, periodic, or the curl of one."""
    state = started(k, 1, 2)
    kind = k.rng.pick("noise", "noise", "pnoise", "curl")
    rank = (
        k.rng.pick(2, 3) if kind == "curl" else k.rng.pick(1, 2) if kind == "pnoise" else k.rng.pick(1, 2, 3)
    )
    names = ("x", "y", "z")[:rank]
    scale = coefficient(k, k.rng.pick("frequency", "zoom"), 0.3, 2.0, kinds="lp")
    if rank > 1 and k.rng.chance(0.5):
        spot: Expr = read(k, "position", -4.0, 4.0, {2: VEC2, 3: VEC3}[rank])
        spot = k.let("spot", spot * scale)
    else:
        parts = [read(k, f"{name}_position", -4.0, 4.0) * scale for name in names]
        spot = k.let("spot", parts[0] if rank == 1 else construct({2: VEC2, 3: VEC3}[rank], *parts))
    match kind:
        case "noise":
            value, doc = ops.noise(state, spot), f"Noise in {rank} dimension{'s' * (rank > 1)}"
        case "pnoise":
            period = lift(k.rng.pick(2, 3, 4, 8), I32)
            value = ops.pnoise(state, spot, *[period] * rank)
            doc = f"Noise that repeats itself every {period.interval.lo:.0f} cells"
        case _:
            speed = coefficient(k, "speed", 0.1, 0.8)
            flow = k.let("flow", ops.curlnoise(state, spot))
            start = read(k, "tracer", -1.0, 1.0, flow.type)
            finish(k, "moved_tracer", start + speed * flow, "Tracers carried by the curl of a noise field")
            return
    amplitude = coefficient(k, "amplitude", 0.2, 1.5)
    base = read(k, "base", -1.0, 1.0) if k.rng.chance(0.4) else None
    layered = amplitude * value if base is None else base + amplitude * value
    finish(
        k, "level", layered, f"{doc}{', over a base' if base is not None else ''}, a field for each thread"
    )
