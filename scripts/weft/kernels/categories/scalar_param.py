"""Kernels steered by scalar parameters: rates, limits, modes, strides, time steps."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, ops
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, U32
from weft.kernels.vocabulary import article, curve, read, signal, threads, through, uniform, whole
from weft.types import Vector

REVISION = 4
TEACHES = "scalar parameters of several types beside arrays: rates, limits, modes, strides"


def _knob(k: Builder, name: str, low: float, high: float) -> Name:
    """A float parameter."""
    return k.scalar(name, k.real, uniform(low, high))


def linear_combination(k: Builder) -> None:
    """Scaled sums of arrays."""
    threads(k)
    names = k.rng.pick(("x", "y"), ("x", "y", "z"), ("u", "v", "w"), ("a", "b"))
    scales = k.rng.pick(("alpha", "beta", "gamma"), ("c0", "c1", "c2"), ("wa", "wb", "wc"))
    total: Expr | None = None
    for position, name in enumerate(names):
        part = signal(k, name, -1.0, 1.0) if position == 0 else read(k, name, -1.0, 1.0)
        if position == len(names) - 1 and k.rng.chance(0.4):
            part, word = curve(k, part)
            k.notes.append(f"The last array {through(word)}")
        term = _knob(k, scales[position], -2.0, 2.0) * part
        total = term if total is None else k.rng.pick(total + term, total - term)
    assert total is not None
    finish(k, "combination", total, f"Linear combination of {len(names)} arrays")


def remap_range(k: Builder) -> None:
    """Values carried from one range to another."""
    threads(k)
    value = read(k, "value", 0.0, 1.0)
    low, high = _knob(k, "low", -2.0, -1.0), _knob(k, "high", 1.0, 3.0)
    match k.rng.below(4):
        case 0:
            unit = ops.pow(k.let("unit", ops.clamp(value, 0.01, 1.0)), _knob(k, "gamma", 0.5, 2.5))
        case 1:
            unit = ops.smoothstep(0.0, 1.0, value + _knob(k, "shift", -0.3, 0.3))
        case 2:
            steps = k.scalar("steps", I32, whole(3, 12))
            unit = ops.floor(value * convert(k.real, steps)) / convert(k.real, steps)
        case _:
            scale = _knob(k, "steepness", 2.0, 8.0)
            unit = 1.0 / (1.0 + ops.exp(-scale * (value - 0.5)))
    finish(
        k,
        "mapped",
        k.rng.pick(low + (high - low) * unit, ops.lerp(low, high, unit)),
        "Values carried to a new range",
    )


def growth_step(k: Builder) -> None:
    """One time step of a growth or decay law."""
    threads(k)
    amount = read(k, "population", 0.1, 3.0)
    dt, rate = _knob(k, "dt", 0.01, 0.2), _knob(k, "rate", 0.2, 1.5)
    match k.rng.below(4):
        case 0:
            change = rate * amount * (1.0 - amount / _knob(k, "capacity", 2.0, 5.0))
            doc = "Logistic growth of each population over one step"
        case 1:
            change = rate * amount / (amount + _knob(k, "half_saturation", 0.3, 2.0))
            doc = "Saturating growth of each population over one step"
        case 2:
            change = _knob(k, "inflow", 0.1, 1.0) - rate * amount
            doc = "Inflow and decay of each quantity over one step"
        case _:
            prey = read(k, "prey", 0.1, 2.0, array="prey_counts")
            change = rate * prey * amount - _knob(k, "mortality", 0.1, 0.8) * amount
            doc = "Predators of a predator-prey model over one step"
    if k.rng.chance(0.4):
        change = k.let("change", change)
    finish(k, "next_value", k.rng.pick(amount + dt * change, amount + change * dt), doc)


def select_mode(k: Builder) -> None:
    """An int parameter that picks the computation for the whole launch."""
    threads(k)
    x = signal(k, "x", -2.0, 2.0)
    mode = k.scalar(k.rng.pick("mode", "kind", "boundary_mode"), I32, whole(0, 2))
    scale, offset = _knob(k, "scale", 0.5, 3.0), _knob(k, "offset", -0.5, 0.5)
    result = k.var("result", scale * x + offset)
    first, one = curve(k, x)
    second, two = curve(k, x)
    with k.when(mode.equals(1)):
        k.set(result, k.rng.pick(scale * first + offset, scale * first - offset, offset - scale * first))
    with k.orwhen(mode.equals(2)):
        k.set(
            result,
            k.rng.pick(scale * (second - offset), scale * second + offset * x, offset + second / scale),
        )
    finish(
        k,
        "result",
        result,
        f"A line, {article(one)} or {article(two)} of each x, by a mode for the whole launch",
    )


def strided_difference(k: Builder) -> None:
    """Neighbours at a distance that is a parameter."""
    threads(k, 1)
    (i,) = k.index
    stride = k.scalar(k.rng.pick("stride", "lag", "shift"), I32, whole(1, 5))
    data = k.array(k.rng.pick("data", "signal", "prices"), k.real, ["n"], uniform(-1.0, 1.0))
    match k.rng.below(3):
        case 0:
            j = k.let("j", (i + stride) % k.size("count", "n"))
        case 1:
            j = k.let("j", ops.min(i + stride, k.size("length", "n") - 1))
        case _:
            j = k.let("j", ops.max(i - stride, 0))
    here, there = data[i], data[j]
    scale = _knob(k, k.rng.pick("scale", "inverse_spacing"), 0.5, 4.0)
    match k.rng.below(4):
        case 0:
            finish(
                k,
                "slope",
                k.rng.pick((there - here) * scale, scale * (there - here)),
                "Difference quotient of elements a stride apart",
            )
        case 1:
            finish(k, "product", scale * here * there, "Product of elements a stride apart, times a factor")
        case 2:
            finish(
                k,
                "echo",
                here + 0.2 * scale * there,
                "Signal with an echo from a stride away",
            )
        case _:
            gap = k.let("gap", ops.abs(there - here))
            finish(
                k, "roughness", gap / (gap + scale), "Saturating roughness between elements a stride apart"
            )


def schedule(k: Builder) -> None:
    """Integer progress turned into a factor."""
    threads(k)
    value = signal(k, "value", -1.0, 1.0)
    step, total = (
        k.scalar("step", I32, whole(5, 40)),
        k.scalar(k.rng.pick("total_steps", "num_steps"), I32, whole(50, 100)),
    )
    progress = k.let("progress", convert(k.real, step) / convert(k.real, total))
    start, end = _knob(k, "start", 0.5, 1.0), _knob(k, "end", 0.05, 0.3)
    match k.rng.below(4):
        case 0:
            factor = start + (end - start) * progress
        case 1:
            factor = end + 0.5 * (start - end) * (1.0 + ops.cos(3.1416 * progress))
        case 2:
            factor = end + (start - end) * ops.exp(-_knob(k, "decay", 1.0, 4.0) * progress)
        case _:
            factor = end + (start - end) * progress / (progress + _knob(k, "warmup", 0.15, 0.4))
    gradient = read(k, "gradient", -1.0, 1.0)
    rate = k.let("factor", factor)
    moved, doc = k.rng.pick(
        (value - rate * gradient, "Each value moved against its gradient at a scheduled rate"),
        ((1.0 - rate) * value + rate * gradient, "Running mean of each gradient at a scheduled rate"),
    )
    finish(k, "update", moved, doc)


def uniform_field(k: Builder) -> None:
    """Vector parameters passed by value."""
    threads(k)
    space = Vector(k.rng.pick(2, 3, 3), k.real)
    velocity = read(k, "velocity", -1.0, 1.0, space)
    wind = k.scalar(k.rng.pick("wind", "flow"), space, uniform(-2.0, 2.0))
    drag, dt = _knob(k, "drag", 0.1, 1.0), _knob(k, "dt", 0.02, 0.2)
    relative = k.let("relative", wind - velocity)
    match k.rng.below(3):
        case 0:
            push = drag * relative
        case 1:
            push = drag * ops.length(relative) * relative
        case _:
            push = drag * ops.dot(relative, wind) * wind
    result = velocity + dt * push
    if k.rng.chance(0.4):
        result = result + dt * k.scalar("gravity", space, uniform(-9.8, 0.0))
    finish(k, "new_velocity", result, "Velocity of each particle after one step in a uniform flow")


def bit_options(k: Builder) -> None:
    """Unsigned parameters as masks and shifts."""
    threads(k)
    word = k.let("word", convert(U32, read(k, "code", 0, 1_000_000, I32)))
    mask = k.scalar("bit_mask", U32, whole(1, 65535))
    key = k.scalar("key", U32, whole(1, 1_000_000))
    shift = k.rng.integer(3, 13)
    mixed = k.let("mixed", k.rng.pick(word ^ key, word * key, word + key, (word >> 2) ^ key))
    match k.rng.below(3):
        case 0:
            finish(
                k,
                "field",
                convert(I32, k.rng.pick((mixed >> shift) & mask, (mixed & mask) ^ (word & mask)) & 65535),
                "Bit field of each code under a key and a mask",
                counted=False,
            )
        case 1:
            folded = (mixed ^ (mixed >> shift)) & mask
            tag = convert(I32, folded & 65535)
            finish(k, "tag", tag, "Folded tag of each code under a key and a mask", counted=False)
        case _:
            unit = convert(F32, (mixed ^ mask) & 65535) / 65536.0
            k.real = F32
            finish(
                k, "unit", unit * _knob(k, "scale", 0.5, 2.0), "Number from the low bits of each keyed code"
            )


IDIOMS = (
    linear_combination,
    remap_range,
    growth_step,
    select_mode,
    strided_difference,
    schedule,
    uniform_field,
    bit_options,
)
