"""Differences: of high order, gradients, fluxes."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, ops
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, plural, read, threads, told
from weft.types import Vector


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
