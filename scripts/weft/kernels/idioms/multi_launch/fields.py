"""Two fields that take turns."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.curves import curve
from weft.kernels.expressions import ops
from weft.kernels.holes import BOUNDARIES, boundary, neighbor
from weft.kernels.idioms.multi_launch.lines import closing_steps, line_count, on_line
from weft.kernels.launched import Repeated, Step
from weft.kernels.launches import Part, finish, kernel, shared
from weft.kernels.results import describe
from weft.kernels.words import article, told


def ping_pong(k: Builder) -> None:
    """A field is smoothed or advanced back and forth between two arrays."""
    u = shared(k, k.rng.pick("u", "field", "temperature"), k.real, ["n"], uniform(-1.0, 1.0), "inout")
    v = shared(k, k.rng.pick("v", "scratch", "next_field"), k.real, ["n"], None, "out")
    how = k.rng.pick("smooth", "advect", "react", "median", "source", "smooth")

    def step(part: Part) -> None:
        b = part.k
        i = on_line(part)
        before, after = part.use("before", u), part.use("after", v, "out")
        rate = coefficient(b, k.rng.pick("rate", "weight", "speed"), 0.1, 0.45, kinds="lp")
        edge = b.rng.pick("clamped", "periodic", "mirrored") if how == "advect" else boundary(b)
        radius = b.rng.pick(1, 1, 2)
        here = b.let("here", before[i])
        total = b.var("total", 0.0)
        if how == "advect":
            neighbor(b, edge, i - radius, line_count(part), radius, lambda j: b.add(total, before[j]))
            value = here - rate * (here - total)
        else:
            for offset in (-radius, radius):
                neighbor(
                    b,
                    edge,
                    i + offset,
                    line_count(part),
                    radius,
                    lambda j: b.add(total, before[j]),
                    "left" if offset < 0 else "right",
                )
            value = here + rate * (0.5 * total - here)
        if how == "react":
            shaped, word = curve(b, here)
            value = value + 0.1 * shaped
            b.notes.append(f"A tenth of {article(word)} of the value is added")
        elif how == "median":
            value = ops.clamp(value, -0.8, 0.8)
            b.notes.append("Values stay between -0.8 and 0.8")
        elif how == "source":
            sources = b.array("sources", b.real, ["n"], uniform(-0.1, 0.1))
            value = value + sources[i]
            b.notes.append("Each place has a source")
        b.store(after, i, value)
        names = {"advect": "An upwind step", "median": "A limited smoothing step"}
        name = names.get(how, "A smoothing step")
        describe(b, f"{name} by {told(rate)} with places {radius} away, {BOUNDARIES[edge]}")

    launch = kernel(k, k.rng.pick("smooth", "advance", "relax"), step)
    back = launch(before=v, after=u)
    steps: list[Step] = (
        [Repeated(k.rng.pick(2, 3, 4), [launch(), back])] if k.rng.chance(0.75) else [launch(), back]
    )
    finish(k, "A field goes back and forth between two arrays", *steps, *closing_steps(k, u))


def staggered(k: Builder) -> None:
    """Two fields on staggered places drive each other: red and black, or velocity and pressure."""
    a = shared(k, k.rng.pick("red", "pressure", "electric"), k.real, ["n"], uniform(-1.0, 1.0), "inout")
    c = shared(k, k.rng.pick("black", "velocity", "magnetic"), k.real, ["n"], uniform(-1.0, 1.0), "inout")
    relax = k.rng.chance(0.5)

    def half(part: Part, ahead: bool) -> None:
        b = part.k
        i = on_line(part)
        own = part.use("own", c if ahead else a, "inout")
        other = part.use("other", a if ahead else c)
        rate = coefficient(b, "rate" if relax else "courant", 0.1, 0.5, kinds="lp")
        edge = b.rng.pick("clamped", "periodic", "mirrored")
        far = b.var("far", 0.0)
        neighbor(b, edge, i + 1 if ahead else i - 1, line_count(part), 1, lambda j: b.set(far, other[j]))
        near = b.let("near", other[i])
        if relax:
            goal = b.let("goal", 0.5 * (near + far))
            value = k.rng.pick(own[i] + rate * (goal - own[i]), ops.lerp(own[i], goal, rate))
            doc = f"Half of the places move towards the mean of their neighbors, by {told(rate)}"
        else:
            value = own[i] - rate * (far - near if ahead else near - far)
            doc = f"One field is driven by the differences of the other, by {told(rate)}"
        if b.rng.chance(0.3):
            loss = coefficient(b, "loss", 0.8, 0.98, kinds="lp")
            value = loss * value
            b.notes.append(f"It fades by {told(loss)}")
        b.store(own, i, value)
        describe(b, f"{doc}, {BOUNDARIES[edge]}")

    first = kernel(k, k.rng.pick("update_first", "red_step"), lambda part: half(part, False))
    second = kernel(k, k.rng.pick("update_second", "black_step"), lambda part: half(part, True))
    finish(
        k,
        "Two fields drive each other",
        Repeated(k.rng.pick(2, 3, 4), [first(), second()]),
        *closing_steps(k, a),
    )
