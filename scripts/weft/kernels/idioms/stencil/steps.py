"""Steps in time: diffusion, advection, waves, reactions, relaxation."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, construct, ops
from weft.kernels.neighbors import Field, field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, plural, read, threads
from weft.types import Vector


def _laplacian(k: Builder, u: Field, center: Expr, spread: str = "") -> Expr:
    """Sum of the second differences, written in one of the usual ways."""
    rank = len(k.shape)
    if k.rng.chance(0.5):
        total: Expr | None = None
        for axis in k.rng.shuffled(range(rank)):
            for side in u.pair(axis, spread):
                total = side if total is None else total + side
        assert total is not None
        return k.let(f"{spread}laplacian", total - 2.0 * rank * center)
    parts = []
    for axis in range(rank):
        before, after = u.pair(axis, spread)
        parts.append(
            k.rng.pick(before - 2.0 * center + after, (after - center) - (center - before))
            if axis or k.rng.chance(0.7)
            else coefficient(k, "anisotropy", 0.3, 0.9) * (before + after - 2.0 * center)
        )
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return k.let(f"{spread}laplacian", total)


def diffusion(k: Builder) -> None:
    """Heat and diffusion, one explicit step."""
    threads(k, 1, 2, 3)
    name = k.rng.pick("temperature", "concentration", "density", "u")
    u = field(k, name, 0.0, 1.0)
    center = k.let("center", u.array[k.index])
    lap = _laplacian(k, u, center)
    rate = coefficient(k, k.rng.pick("alpha", "diffusivity", "rate"), 0.02, 0.9 / (2 * len(k.shape)))
    new = center + rate * lap
    doc = "One explicit step of diffusion"
    match k.rng.below(4):
        case 0:
            new = new + read(k, k.rng.pick("source", "heating"), -0.1, 0.1)
            doc += " with a source"
        case 1:
            new = new - coefficient(k, "decay", 0.01, 0.1) * center
            doc += " with linear decay"
        case 2:
            growth = coefficient(k, "growth", 0.05, 0.4)
            new = new + growth * center * (1.0 - center)
            doc += " with logistic growth"
        case _:
            pass
    finish(k, f"new_{name}", new, doc)


def advection(k: Builder) -> None:
    """Transport along a line or an axis by a velocity: upwind and its relatives."""
    threads(k, 1, 2)
    axis = k.rng.below(len(k.shape))
    name = k.rng.pick("tracer", "density", "moisture", "q")
    f = field(k, plural(name) if name != "q" else "q", 0.0, 1.0)
    way = k.rng.pick("branch", "split", "friedrichs", "wendroff", "where")
    before, after = f.pair(axis)
    here = f.array[k.index] if way == "friedrichs" else k.let("here", f.array[k.index])
    courant = k.let("courant", read(k, "velocity", -1.0, 1.0) * coefficient(k, "dt", 0.1, 0.8, kinds="lp"))
    match way:
        case "branch":
            change = k.var("change", 0.0)
            with k.when(courant > 0.0):
                k.set(change, courant * (here - before))
            with k.otherwise():
                k.set(change, courant * (after - here))
            new = here - change
        case "where":
            new = here - courant * ops.where(courant > 0.0, here - before, after - here)
        case "split":
            forth, back = k.let("forth", ops.max(courant, 0.0)), k.let("back", ops.min(courant, 0.0))
            new = here - forth * (here - before) - back * (after - here)
        case "friedrichs":
            new = 0.5 * (before + after) - 0.5 * courant * (after - before)
        case _:
            new = (
                here
                - 0.5 * courant * (after - before)
                + 0.5 * courant * courant * (after - 2.0 * here + before)
            )
    title = {"friedrichs": "Lax and Friedrichs", "wendroff": "Lax and Wendroff"}.get(way, "the upwind scheme")
    finish(k, f"new_{name}", new, f"One step of advection by {title}")


def relaxation(k: Builder) -> None:
    """Jacobi and red-black relaxation of Poisson's equation."""
    threads(k, 1, 2, 3)
    rank = len(k.shape)
    u = field(k, k.rng.pick("u", "potential", "guess"), -1.0, 1.0)
    total: Expr | None = None
    for axis in range(rank):
        pair = u.beside(axis, -1) + u.beside(axis, 1)
        total = pair if total is None else total + pair
    assert total is not None
    around: Expr = k.let(k.rng.pick("neighbors", "around"), total)
    if k.rng.chance(0.7):
        around = around - read(k, k.rng.pick("rhs", "charge", "load"), -0.5, 0.5)
        equation = "Poisson's equation"
    else:
        equation = "Laplace's equation"
    goal = k.let("relaxed", around * round(0.5 / rank, 6))
    omega = coefficient(k, "omega", 0.4, 1.6) if k.rng.chance(0.6) else None
    use = k.rng.pick("plain", "fixed", "colored" if rank > 1 else "plain")
    if omega is None and use == "plain":
        finish(k, "value", goal, f"One Jacobi step for {equation}")
        return
    here = k.let("here", u.array[k.index])
    step = goal if omega is None else here + omega * (goal - here)
    if use == "colored":
        parity = k.index[0] + k.index[1]
        for one in k.index[2:]:
            parity = parity + one
        color = k.rng.pick(0, 1)
        value = k.var("value", here)
        with k.when((parity % 2).equals(color)):
            k.set(value, step)
        finish(
            k, "value", value, f"Half a sweep of red-black relaxation for {equation}: parity {color} moves"
        )
    elif use == "fixed":
        fixed = k.array("fixed", I32, k.shape, {"integers": [0, 2]})[k.index]
        finish(
            k,
            "value",
            conditional(fixed.equals(1), here, step),
            f"One relaxation step for {equation}; fixed elements stay",
        )
    else:
        finish(k, "value", step, f"One relaxation step for {equation}")


def wave(k: Builder) -> None:
    """The wave equation, two levels of time."""
    threads(k, 1, 2, 3)
    u = field(k, k.rng.pick("displacement", "height", "current"), -1.0, 1.0)
    center = k.let("center", u.array[k.index])
    lap = _laplacian(k, u, center)
    earlier = read(k, "earlier", -1.0, 1.0, array="earlier_values")
    speed = coefficient(k, k.rng.pick("speed", "courant"), 0.1, 0.5)
    new: Expr = k.let("next_value", 2.0 * center - earlier + speed * speed * lap)
    doc = "One leapfrog step of the wave equation"
    match k.rng.below(4):
        case 0:
            loss = coefficient(k, "loss", 0.9, 0.99)
            new, doc = loss * new, f"{doc} with losses"
        case 1:
            friction = coefficient(k, "friction", 0.01, 0.2)
            new, doc = new - friction * (center - earlier), f"{doc} with friction"
        case 2:
            new, doc = new + read(k, "forcing", -0.2, 0.2), f"{doc} with forcing"
        case _:
            pass
    finish(k, "next_displacement", new, doc)


def reaction_diffusion(k: Builder) -> None:
    """Two substances that react and spread."""
    threads(k, 1, 2)
    boundary = k.rng.pick("clamped", "periodic")
    model = k.rng.below(3)
    names = k.rng.pick(("u", "v"), ("activator", "inhibitor")) if model != 1 else ("prey", "predator")
    a, b = (field(k, name, 0.0, 1.0, boundary=boundary) for name in names)
    here_a, here_b = k.let("a", a.array[k.index]), k.let("b", b.array[k.index])
    spread_a = _laplacian(k, a, here_a, "a_")
    both = k.rng.chance(0.5)
    match model:
        case 0:
            title = "the Gray-Scott model"
            reaction = k.let("reaction", here_a * here_b * here_b)
            feed = coefficient(k, "feed", 0.02, 0.06)
            gain_a = feed * (1.0 - here_a) - reaction
            gain_b = reaction - (feed + coefficient(k, "kill", 0.04, 0.07)) * here_b
        case 1:
            title = "two species, hunter and hunted"
            meet = k.let("meetings", coefficient(k, "appetite", 0.2, 0.9) * here_a * here_b)
            gain_a = coefficient(k, "birth", 0.2, 0.8) * here_a - meet
            gain_b = 0.5 * meet - coefficient(k, "death", 0.1, 0.5) * here_b
        case _:
            title = "an excitable medium"
            gain_a = here_a - here_a * here_a * here_a - here_b
            gain_b = coefficient(k, "recovery", 0.02, 0.2) * (
                here_a - coefficient(k, "ratio", 0.2, 0.8) * here_b
            )
    dt = coefficient(k, "dt", 0.05, 0.5, kinds="lp")
    rate = coefficient(k, "spread", 0.05, 0.2, kinds="lp")
    new_a = k.let("new_a", here_a + dt * (rate * spread_a + gain_a))
    if both:
        spread_b = _laplacian(k, b, here_b, "b_")
        new_b = here_b + dt * (0.5 * rate * spread_b + gain_b)
        pair = construct(Vector(2, k.real), new_a, new_b)
        finish(k, "next_pair", pair, f"One step of {title}, both substances in one vector")
    else:
        other = k.let("new_b", here_b + dt * gain_b)
        finish(
            k,
            "balance",
            new_a - other,
            f"Difference of the substances after one step of {title}; the second does not spread",
        )
