"""Stencils: each element becomes a function of its neighbours."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, construct, convert, lift, ops
from weft.kernels.idioms import coefficient, plural, read, threads, told, uniform
from weft.kernels.neighbors import Field, field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.types import Vector

REVISION = 1
TEACHES = "stencils in one to three dimensions: neighbours, boundaries, explicit time steps, relaxation"


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


def high_order_difference(k: Builder) -> None:
    """Derivatives along one axis to fourth order, or one-sided."""
    threads(k, 1, 2)
    f = field(k, k.rng.pick("pressure", "signal", "field"), -1.0, 1.0)
    axis = k.rng.below(len(k.shape))
    spacing = coefficient(k, k.rng.pick("inverse_spacing", "scale"), 0.5, 4.0, kinds="lp")

    def u(offset: int) -> Expr:
        return f.beside(axis, offset)

    kind = k.rng.pick("first", "second", "forward", "backward", "compact", "fourth")
    order = "fourth-order " if kind in ("first", "second") else ""
    match kind:
        case "first":
            near, far = k.let("near", u(1) - u(-1)), k.let("far", u(2) - u(-2))
            value = (8.0 * near - far) / 12.0
        case "second":
            near, far = k.let("near", u(-1) + u(1)), k.let("far", u(-2) + u(2))
            value = k.rng.pick(
                (16.0 * near - far - 30.0 * u(0)) / 12.0, 1.3333 * near - 0.0833 * far - 2.5 * u(0)
            )
        case "forward":
            value = 2.0 * u(1) - 1.5 * u(0) - 0.5 * u(2)
        case "backward":
            value = 1.5 * u(0) - 2.0 * u(-1) + 0.5 * u(-2)
        case "compact":
            value = 0.25 * (u(1) - u(-1)) + 0.125 * (u(2) - u(-2))
        case _:
            value = u(-2) - 4.0 * u(-1) + 6.0 * u(0) - 4.0 * u(1) + u(2)
    words = {
        "first": "first derivative by central differences",
        "second": "second derivative",
        "forward": "first derivative by forward differences",
        "backward": "first derivative by backward differences",
        "compact": "smoothed slope",
        "fourth": "fourth difference",
    }
    where = "" if len(k.shape) == 1 else f" along axis {axis}"
    finish(k, "derivative", k.let("difference", value) * spacing, f"The {order}{words[kind]}{where}")


def weighted_box(k: Builder) -> None:
    """Nine or twenty-seven points with weights by distance or from a table."""
    threads(k, 2, 3)
    rank = len(k.shape)
    f = field(
        k, k.rng.pick("field", "density", "image", "volume"), 0.0, 1.0, boundaries=("clamped", "periodic")
    )
    tabled = k.rng.chance(0.5)
    weights = k.array("weights", k.real, ["3"] * rank, uniform(0.0, 0.2)) if tabled else None
    center, edge = (k.rng.number(0.2, 0.5), k.rng.number(0.02, 0.15)) if not tabled else (0.0, 0.0)
    total = k.var("total", 0.0)

    def visit(offsets: list[Expr]) -> None:
        value = f.moved(*offsets)
        if weights is not None:
            places = tuple(one + 1 for one in offsets)
            k.add(total, weights[places] * value)
            return
        steps = ops.abs(offsets[0])
        for one in offsets[1:]:
            steps = steps + ops.abs(one)
        match shape:
            case "where":
                k.add(total, ops.where(steps.equals(0), lift(center, k.real), lift(edge, k.real)) * value)
            case "falloff":
                k.add(total, value * (center / (1.0 + convert(k.real, steps))))
            case _:
                with k.when(steps <= 1):
                    k.add(total, edge * value)

    shape = k.rng.pick("where", "falloff", "star")
    with (
        k.loop("a" if rank == 3 else "dy", -1, 2) as first,
        k.loop("b" if rank == 3 else "dx", -1, 2) as second,
    ):
        if rank == 3:
            with k.loop("c", -1, 2) as third:
                visit([first, second, third])
        else:
            visit([first, second])
    how = (
        "with weights from a table"
        if tabled
        else {
            "where": "with one weight for the center and one for the others",
            "falloff": "with weights that fall with the distance",
            "star": "over the center and its nearest neighbours",
        }[shape]
    )
    finish(k, "filtered", total, f"Sum over {3**rank} points {how}")


def gradient(k: Builder) -> None:
    """Differences along all axes, as a vector, a magnitude, or a direction."""
    threads(k, 2, 3)
    rank = len(k.shape)
    name = k.rng.pick("height", "potential", "intensity", "level")
    f = field(k, plural(name), -1.0, 1.0)
    kind = k.rng.pick("central", "forward", "backward", "sobel" if rank == 2 else "central")
    here = k.let("here", f.array[k.index]) if kind in ("forward", "backward") else None
    parts: list[Expr] = []
    for axis in range(rank):
        label = k.axes[axis] if axis < len(k.axes) else "xyz"[axis]
        if kind == "central":
            difference = 0.5 * (f.beside(axis, 1) - f.beside(axis, -1))
        elif kind == "sobel":
            across = 1 - axis

            def side(step: int, axis: int = axis, across: int = across) -> Expr:
                places = [[step if one == axis else shift for one in range(2)] for shift in (-1, 1)]
                return f.at(*places[0]) + 2.0 * f.beside(axis, step) + f.at(*places[1])

            difference = 0.125 * (side(1) - side(-1))
        elif here is not None and kind == "forward":
            difference = f.beside(axis, 1) - here
        else:
            assert here is not None
            difference = here - f.beside(axis, -1)
        parts.append(k.let(f"slope_{label}", difference))
    square = parts[0] * parts[0]
    for part in parts[1:]:
        square = square + part * part
    way = {"sobel": "Sobel's weights"}.get(kind, f"{kind} differences")
    match k.rng.pick("magnitude", "vector", "square", "largest", "angle" if rank == 2 else "vector"):
        case "magnitude":
            finish(k, "steepness", ops.sqrt(square), f"Magnitude of the gradient, by {way}")
        case "vector":
            finish(k, "slope", construct(Vector(rank, k.real), *parts), f"Gradient of the {name}, by {way}")
        case "largest":
            best = ops.abs(parts[0])
            for part in parts[1:]:
                best = ops.max(best, ops.abs(part))
            finish(k, "steepness", best, f"The largest slope along an axis, by {way}")
        case "angle":
            ease = k.rng.number(0.05, 0.3)
            finish(
                k,
                "share",
                parts[0] / (ops.sqrt(square) + ease),
                f"Direction cosine of the gradient, by {way}, softened at zero",
            )
        case _:
            finish(
                k,
                "energy",
                coefficient(k, "stiffness", 0.5, 2.0) * square,
                f"Energy of the gradient, by {way}",
            )


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
    a = field(k, k.rng.pick("u", "prey", "activator"), 0.0, 1.0, boundary=boundary)
    b = field(k, k.rng.pick("v", "predator", "inhibitor"), 0.0, 1.0, boundary=boundary)
    here_a, here_b = k.let("a", a.array[k.index]), k.let("b", b.array[k.index])
    spread_a = _laplacian(k, a, here_a, "a_")
    both = k.rng.chance(0.5)
    match k.rng.below(3):
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


def line_filter(k: Builder) -> None:
    """One pass of a separable filter along an axis."""
    threads(k, 1, 2, 3)
    axis = k.rng.below(len(k.shape))
    f = field(k, k.rng.pick("image", "samples", "field"), -1.0, 1.0, boundaries=("clamped", "periodic"))
    radius = k.rng.integer(1, 4)
    width = 2 * radius + 1
    normal = k.rng.chance(0.4)
    total = k.var("total", 0.0)
    norm = k.var("norm", 0.0, bounds=(0.0, 10.0)) if normal else None
    taps = k.array("taps", k.real, [str(width)], uniform(0.05, 0.3)) if k.rng.chance(0.5) else None
    falloff = k.rng.number(0.1, 0.8)
    squared = k.rng.chance(0.5)
    with k.loop(k.rng.pick("t", "offset", "tap"), -radius, radius + 1) as t:
        value = f.along(axis, t)
        if taps is not None:
            w = taps[t + radius]
        else:
            distance = convert(k.real, k.rng.pick(t * t, ops.abs(t)))
            w = ops.exp(-falloff * distance) if squared else 1.0 / (1.0 + falloff * distance)
        if norm is not None:
            w = k.let("w", w)
        k.add(total, w * value)
        if norm is not None:
            k.set(norm, ops.min(norm + w, 10.0))
    result: Expr = total / ops.max(norm, 0.05) if norm is not None else total
    form = (
        "taps from a table"
        if taps is not None
        else "a bell-shaped window"
        if squared
        else "a rational window"
    )
    divided = ", divided by the sum of the weights" if norm is not None else ""
    finish(
        k, "smooth", result, f"Filter of {width} points along {_axis_words(k, axis)}, with {form}{divided}"
    )


def _axis_words(k: Builder, axis: int) -> str:
    return "the line" if len(k.shape) == 1 else f"axis {axis}"


def morphology(k: Builder) -> None:
    """Minima, maxima, medians and ranges of neighbourhoods."""
    threads(k, 1, 2)
    f = field(
        k, k.rng.pick("elevation", "mask_values", "brightness"), 0.0, 1.0, boundaries=("clamped", "periodic")
    )
    here = k.let("here", f.array[k.index])
    kind = k.rng.pick("dilation", "erosion", "range", "median", "peak", "top hat")
    axes = list(range(len(k.shape)))
    sides = [one for axis in (axes[:1] if kind == "median" else axes) for one in f.pair(axis)]
    low, high = ops.min(here, sides[0]), ops.max(here, sides[0])
    for one in sides[1:]:
        low, high = ops.min(low, one), ops.max(high, one)
    weight = coefficient(k, "weight", 0.5, 2.0)
    match kind:
        case "dilation":
            value, doc = k.let("top", high) * weight, "Dilation: the largest value around"
        case "erosion":
            value, doc = k.let("bottom", low) * weight, "Erosion: the smallest value around"
        case "range":
            value, doc = weight * (high - low), "Range of the values around"
        case "median":
            a, b = sides[0], sides[1]
            middle = ops.max(ops.min(a, b), ops.min(ops.max(a, b), here))
            value, doc = weight * middle, "Median of three values along the first axis"
        case "peak":
            value, doc = (
                weight * (here - k.let("mean", sum(sides[1:], sides[0]) / float(len(sides)))),
                "How far each value rises above its neighbours' mean",
            )
        case _:
            value, doc = weight * (here - low), "Top hat: how far each value rises above the lowest around"
    finish(k, "shaped", value, doc)


def conductive_flux(k: Builder) -> None:
    """Diffusion in a medium that varies, written with fluxes through faces."""
    threads(k, 1, 2)
    boundary = k.rng.pick("clamped", "periodic")
    u = field(k, k.rng.pick("temperature", "head", "potential"), 0.0, 1.0, boundary=boundary)
    c = field(k, k.rng.pick("conductivity", "permeability"), 0.2, 2.0, boundary=boundary)
    here, mine = k.let("here", u.array[k.index]), k.let("mine", c.array[k.index])
    mean = k.rng.pick("harmonic", "arithmetic", "smaller", "geometric")
    net: Expr | None = None
    for axis in range(len(k.shape)):
        for step, label in zip((-1, 1), ("in", "out"), strict=True):
            other = c.beside(axis, step)
            match mean:
                case "harmonic":
                    other = k.let(f"c_{label}", other)
                    face = 2.0 * mine * other / (mine + other)
                case "arithmetic":
                    face = 0.5 * (mine + other)
                case "geometric":
                    face = ops.sqrt(mine * other)
                case _:
                    face = ops.min(mine, other)
            flux = k.let(f"flux_{label}", face * (u.beside(axis, step) - here))
            net = flux if net is None else net + flux
    assert net is not None
    dt = coefficient(k, "dt", 0.01, 0.1, kinds="lp")
    if k.rng.chance(0.3):
        capacity = read(k, "capacity", 0.5, 2.0)
        net = net / capacity
    word = {"smaller": "the smaller"}.get(mean, f"the {mean} mean")
    finish(
        k,
        "updated",
        here + dt * net,
        f"Conduction with fluxes through faces, whose conductivity is {word} of both sides",
    )


def edge_stopping(k: Builder) -> None:
    """Diffusion that stops at edges (Perona and Malik, 1990)."""
    threads(k, 2)
    u = field(k, k.rng.pick("image", "depth_map", "field"), 0.0, 1.0, boundaries=("clamped", "periodic"))
    here = k.let("here", u.array[k.index])
    contrast = coefficient(k, "contrast", 0.5, 3.0, kinds="lp")
    form = k.rng.pick("exponential", "rational", "limited")
    total = k.var("total", 0.0)
    for axis in range(2):
        for side in u.pair(axis):
            gap = k.let("gap", side - here)
            match form:
                case "exponential":
                    k.add(total, ops.exp(-(gap * gap * contrast)) * gap)
                case "rational":
                    k.add(total, gap / (1.0 + gap * gap * contrast))
                case _:
                    k.add(total, ops.tanh(contrast * gap) / contrast)
    rate = coefficient(k, "rate", 0.05, 0.24)
    words = {"exponential": "an exponential", "rational": "a rational", "limited": "a limiting"}
    finish(
        k,
        "denoised",
        here + rate * total,
        f"One step of diffusion that stops at edges by {words[form]} response; contrast {told(contrast)}",
    )
