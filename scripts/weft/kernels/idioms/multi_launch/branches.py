"""Steps of particles, and branches that join."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.curves import curve
from weft.kernels.expressions import lift, ops
from weft.kernels.holes import BOUNDARIES, boundary, neighbor, term
from weft.kernels.idioms.multi_launch.lines import closing_steps, line_count, on_line
from weft.kernels.launched import Parallel, Repeated, Step
from weft.kernels.launches import Part, finish, kernel, shared
from weft.kernels.program import Expr, Parameter
from weft.kernels.results import describe
from weft.kernels.types import I32
from weft.kernels.words import article, told


def particle_steps(k: Builder) -> None:
    """Forces, then motion, several times."""
    x = shared(k, k.rng.pick("positions", "angles"), k.real, ["n"], uniform(-1.0, 1.0), "inout")
    v = shared(k, "velocities", k.real, ["n"], uniform(-0.5, 0.5), "inout")
    f = shared(k, k.rng.pick("forces", "accelerations"), k.real, ["n"], None, "out")

    def push(part: Part) -> None:
        b = part.k
        i = on_line(part, "particle", "p", "i")
        places, out = part.use("places", x), part.use("out", f, "out")
        here = b.let("here", places[i])
        stiff = coefficient(b, "stiffness", 0.2, 1.5, kinds="lp")
        how = b.rng.pick("chain", "well", "pairs", "pendulum")
        total = b.var("total", lift(0.0, b.real))
        if how == "chain":
            edge = boundary(b)
            for offset, name in ((-1, "left"), (1, "right")):
                neighbor(
                    b,
                    edge,
                    i + offset,
                    line_count(part),
                    1,
                    lambda j: b.add(total, stiff * (places[j] - here)),
                    name,
                )
            doc = f"Springs to both neighbors, {BOUNDARIES[edge]}"
        elif how == "pairs":
            links = b.array("partners", I32, ["n", "3"], {"integers": [0, "n"]})
            with b.loop("m", 0, 3) as m:
                gap = b.let("gap", places[links[i, m]] - here)
                b.add(total, stiff * gap / (0.2 + gap * gap))
            doc = "Attraction to three partners"
        elif how == "pendulum":
            b.set(total, -(stiff * ops.sin(here)))
            doc = "Forces of a pendulum"
        else:
            shaped, word = curve(b, here)
            b.set(total, -(stiff * shaped))
            doc = f"Forces towards the middle, through {article(word)}"
        match b.rng.pick("alone", "alone", "field", "pull", "source"):
            case "field":
                b.add(total, b.array("field", b.real, ["n"], uniform(-0.5, 0.5))[i])
                doc += ", and a field"
            case "pull":
                b.add(total, b.rng.number(0.05, 0.4) * here, "-")
                doc += ", and a weak pull to the middle"
            case "source":
                spot = b.scalar("spot", b.real, uniform(-0.8, 0.8))
                gap = b.let("to_spot", spot - here)
                b.add(total, gap / (b.rng.number(0.2, 0.6) + ops.abs(gap)))
                doc += ", and a pull to a spot"
        b.store(out, i, total)
        describe(b, doc)

    def move(part: Part) -> None:
        b = part.k
        i = on_line(part, "particle", "p", "i")
        places, speeds, forces = (
            part.use("places", x, "inout"),
            part.use("speeds", v, "inout"),
            part.use("forces_in", f),
        )
        dt = coefficient(b, "dt", 0.01, 0.1, kinds="lp")
        damping = coefficient(b, "damping", 0.9, 0.99, kinds="lp") if b.rng.chance(0.5) else None
        speed: Expr = speeds[i] + dt * forces[i]
        speed = b.let("speed", damping * speed if damping is not None else speed)
        b.store(speeds, i, speed)
        place = places[i] + dt * speed
        walls = b.rng.chance(0.4)
        b.store(places, i, ops.clamp(place, -1.5, 1.5) if walls else place)
        describe(
            b,
            f"A step of {told(dt)}"
            + (", between walls" if walls else "")
            + (f", damped by {told(damping)}" if damping is not None else ""),
        )

    body: list[Step] = [
        kernel(k, k.rng.pick("compute_forces", "push"), push)(),
        kernel(k, k.rng.pick("integrate", "move"), move)(),
    ]
    finish(k, "Forces and motion", Repeated(k.rng.pick(2, 3, 5), body), *closing_steps(k, x))


def branches_that_join(k: Builder) -> None:
    """Two features of the same data on branches of their own, then one result of both."""
    data = shared(k, k.rng.pick("signal", "image_row", "trace"), k.real, ["n"], uniform(-1.0, 1.0))
    results = [
        shared(k, name, k.real, ["n"], None, "out")
        for name in k.rng.pick(("smooth", "sharp"), ("mean", "spread"), ("low", "high"))
    ]
    joined = shared(k, k.rng.pick("joined", "features"), k.real, ["n"], None, "out")

    def feature(part: Part, target: Parameter) -> None:
        b = part.k
        i = on_line(part)
        values, out = part.use("values", data), part.use("out", target, "out")
        how = b.rng.pick("window", "difference", "curve", "largest", "far")
        edge = boundary(b)
        total = b.var("total", 0.0)
        radius = b.rng.pick(1, 2, 3)
        if how in ("window", "largest"):
            with b.loop("d", -radius, radius + 1) as d:
                neighbor(
                    b,
                    edge,
                    i + d,
                    line_count(part),
                    radius,
                    lambda j: (
                        b.add(total, values[j])
                        if how == "window"
                        else b.set(total, ops.max(total, values[j]))
                    ),
                )
            value: Expr = total / float(2 * radius + 1) if how == "window" else total
            noun = "Mean" if how == "window" else "Largest, at least 0,"
            doc = f"{noun} over {2 * radius + 1} places, {BOUNDARIES[edge]}"
        elif how == "curve":
            b.set(total, values[i])
            value, word = term(b, b.let("x", values[i]), "values", simple=False)
            value, doc = value + 0.1 * total, f"The {word.rstrip(',')}, plus a tenth of the values"
        else:
            neighbor(b, edge, i + radius, line_count(part), radius, lambda j: b.set(total, values[j]))
            value, doc = total - values[i], f"Differences to the value {radius} further, {BOUNDARIES[edge]}"
        b.store(out, i, value)
        describe(b, doc)

    def join(part: Part) -> None:
        b = part.k
        i = on_line(part)
        first, second = (part.use(name, one) for name, one in zip(("first", "second"), results, strict=True))
        share = coefficient(b, "share", 0.2, 0.8, kinds="lp")
        x, y = b.let("x", first[i]), b.let("y", second[i])
        value, doc = b.rng.pick(
            (share * x + (1.0 - share) * y, "Mixture of both features"),
            (x * y + share, "Product of both features and an offset"),
            (ops.max(x, share * y), "Larger of the first and a part of the second"),
            (x / (share + ops.abs(y)), "First feature over the size of the second, damped"),
            (ops.sqrt(share + x * x + y * y), "Length of both features and an offset"),
        )
        b.store(part.use("out", joined, "out"), i, value)
        describe(b, doc)

    first = kernel(
        k, k.rng.pick("first_feature", f"make_{results[0].name}"), lambda part: feature(part, results[0])
    )
    second = kernel(
        k, k.rng.pick("second_feature", f"make_{results[1].name}"), lambda part: feature(part, results[1])
    )
    finish(
        k,
        "Two features, then both",
        Parallel([[first()], [second()]]),
        kernel(k, "join", join)(),
        *closing_steps(k, joined),
    )
