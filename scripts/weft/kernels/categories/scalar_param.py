"""Kernels steered by scalar parameters: rates, limits, modes, strides, time steps."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, ops
from weft.kernels.holes import proved
from weft.kernels.idioms.scalar_param.bits import bit_options
from weft.kernels.idioms.scalar_param.flows import uniform_field
from weft.kernels.idioms.scalar_param.knobs import knob
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import article, curve, read, threads, through, uniform, whole

REVISION = 4
TEACHES = "scalar parameters of several types beside arrays: rates, limits, modes, strides"


def linear_combination(k: Builder) -> None:
    """Scaled sums of arrays."""
    threads(k)
    names = k.rng.pick(("x", "y"), ("x", "y", "z"), ("u", "v", "w"), ("a", "b"))
    scales = k.rng.pick(("alpha", "beta", "gamma"), ("c0", "c1", "c2"), ("wa", "wb", "wc"))
    total: Expr | None = None
    for position, name in enumerate(names):
        part = read(k, name, -1.0, 1.0)
        if position == len(names) - 1 and k.rng.chance(0.4):
            part, word = curve(k, part)
            k.notes.append(f"The last array {through(word)}")
        term = knob(k, scales[position], -2.0, 2.0) * part
        total = term if total is None else k.rng.pick(total + term, total - term)
    assert total is not None
    finish(k, "combination", total, f"Linear combination of {len(names)} arrays")


def remap_range(k: Builder) -> None:
    """Values carried from one range to another."""
    threads(k)
    value = read(k, "value", 0.0, 1.0)
    low, high = knob(k, "low", -2.0, -1.0), knob(k, "high", 1.0, 3.0)
    match k.rng.below(4):
        case 0:
            unit = ops.pow(k.let("unit", ops.clamp(value, 0.01, 1.0)), knob(k, "gamma", 0.5, 2.5))
            how = "by a power law"
        case 1:
            unit = ops.smoothstep(0.0, 1.0, value + knob(k, "shift", -0.3, 0.3))
            how = "by a smooth step"
        case 2:
            steps = k.scalar("steps", I32, whole(3, 12))
            unit = ops.floor(value * convert(k.real, steps)) / convert(k.real, steps)
            how = "in equal steps"
        case _:
            scale = knob(k, "steepness", 2.0, 8.0)
            unit = 1.0 / (1.0 + ops.exp(-scale * (value - 0.5)))
            how = "by a logistic curve"
    finish(
        k,
        "mapped",
        k.rng.pick(low + (high - low) * unit, ops.lerp(low, high, unit)),
        f"Values carried to the range from low to high {how}",
    )


def growth_step(k: Builder) -> None:
    """One time step of a growth or decay law."""
    threads(k)
    amount = read(k, "population", 0.1, 3.0)
    dt, rate = knob(k, "dt", 0.01, 0.2), knob(k, "rate", 0.2, 1.5)
    match k.rng.below(4):
        case 0:
            change = rate * amount * (1.0 - amount / knob(k, "capacity", 2.0, 5.0))
            doc = "Logistic growth of each population over one step"
        case 1:
            change = rate * amount / (amount + knob(k, "half_saturation", 0.3, 2.0))
            doc = "Saturating growth of each population over one step"
        case 2:
            change = knob(k, "inflow", 0.1, 1.0) - rate * amount
            doc = "Inflow and decay of each quantity over one step"
        case _:
            prey = read(k, "prey", 0.1, 2.0, array="prey_counts")
            change = rate * prey * amount - knob(k, "mortality", 0.1, 0.8) * amount
            doc = "Predators of a predator-prey model over one step"
    if k.rng.chance(0.4):
        change = k.let("change", change)
    finish(k, "next_value", k.rng.pick(amount + dt * change, amount + change * dt), doc)


def select_mode(k: Builder) -> None:
    """An int parameter that picks the computation for the whole launch."""
    threads(k)
    x = read(k, "x", -2.0, 2.0)
    mode = k.scalar(k.rng.pick("mode", "kind", "boundary_mode"), I32, whole(0, 2))
    scale, offset = knob(k, "scale", 0.5, 3.0), knob(k, "offset", -0.5, 0.5)
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
    ends = k.rng.pick("around", "held")

    def ahead(times: int = 1) -> Expr:
        place = i + stride if times == 1 else i + times * stride
        if ends == "around":
            return data[k.let("j" if times == 1 else "second_j", place % k.size("count", "n"))]
        return data[k.let("j" if times == 1 else "second_j", ops.min(place, k.size("length", "n") - 1))]

    def behind() -> Expr:
        return data[k.let("before", ops.max(i - stride, 0))]

    here = data[i]
    scale = knob(k, k.rng.pick("scale", "inverse_spacing"), 0.5, 4.0)
    match k.rng.below(7):
        case 0:
            there = ahead()
            slope = k.rng.pick((there - here) * scale, scale * (there - here))
            finish(k, "slope", slope, "Difference quotient of elements a stride apart")
        case 1:
            other = k.rng.pick(ahead, behind)()
            finish(k, "product", scale * here * other, "Product of elements a stride apart, times a factor")
        case 2:
            finish(k, "echo", here + 0.2 * scale * behind(), "Signal with an echo from a stride before")
        case 3:
            curvature = scale * (behind() - 2.0 * here + ahead())
            finish(k, "curvature", curvature, "Second difference of elements a stride apart on both sides")
        case 4:
            slope = scale * (4.0 * ahead() - 3.0 * here - ahead(2))
            finish(
                k, "slope", slope, "One-sided slope of second order from elements one and two strides ahead"
            )
        case 5:
            echo = k.var("echo", here)
            with k.when(i >= stride):
                k.add(echo, knob(k, "feedback", 0.2, 0.8) * data[proved(i - stride, i.interval)])
            finish(k, "echo", scale * echo, "Signal with an echo from a stride before, where there is one")
        case _:
            gap = k.let("gap", ops.abs(k.rng.pick(ahead, behind)() - here))
            finish(
                k, "roughness", gap / (gap + scale), "Saturating roughness between elements a stride apart"
            )


def schedule(k: Builder) -> None:
    """Integer progress turned into a factor."""
    threads(k)
    value = read(k, "value", -1.0, 1.0)
    step, total = (
        k.scalar("step", I32, whole(5, 40)),
        k.scalar(k.rng.pick("total_steps", "num_steps"), I32, whole(50, 100)),
    )
    progress = k.let("progress", convert(k.real, step) / convert(k.real, total))
    start, end = knob(k, "start", 0.5, 1.0), knob(k, "end", 0.05, 0.3)
    match k.rng.below(4):
        case 0:
            factor = start + (end - start) * progress
        case 1:
            factor = end + 0.5 * (start - end) * (1.0 + ops.cos(3.1416 * progress))
        case 2:
            factor = end + (start - end) * ops.exp(-knob(k, "decay", 1.0, 4.0) * progress)
        case _:
            factor = end + (start - end) * progress / (progress + knob(k, "warmup", 0.15, 0.4))
    gradient = read(k, "gradient", -1.0, 1.0)
    rate = k.let("factor", factor)
    moved, doc = k.rng.pick(
        (value - rate * gradient, "Each value moved against its gradient at a scheduled rate"),
        ((1.0 - rate) * value + rate * gradient, "Running mean of each gradient at a scheduled rate"),
    )
    finish(k, "update", moved, doc)


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
