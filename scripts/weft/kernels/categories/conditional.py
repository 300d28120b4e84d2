"""One decision per thread: an `if`, an `if`/`else`, a ternary or `wp.where` on the thread's own data."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, convert, lift, ops
from weft.kernels.program import Expr, Number
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import article, coefficient, curve, read, threads, threshold, through

REVISION = 4
TEACHES = "one branch on data per thread: if and else, ternaries, where, guards"

ORDINALS = {2: "second", 3: "third", 4: "fourth"}


def _choose(k: Builder, name: str, condition: Expr, yes: Expr, no: Expr | Number) -> Expr:
    """One of two values, written in one of the four ways in which people write it."""
    other = lift(no, yes.type)
    match k.rng.below(3 if isinstance(no, float) and no == 0.0 else 4):
        case 0:
            return k.let(name, conditional(condition, yes, other))
        case 1:
            return k.let(name, ops.where(condition, yes, other))
        case 2:
            result = k.var(name, other, type=k.real)
            with k.when(condition):
                k.set(result, yes)
            return result
        case _:
            result = k.var(name, 0.0)
            with k.when(condition):
                k.set(result, yes)
            with k.otherwise():
                k.set(result, other)
            return result


def leaky_rectifier(k: Builder) -> None:
    """Activation functions with a knee."""
    threads(k)
    x = read(k, "x", -2.0, 2.0)
    slope = coefficient(k, "negative_slope", 0.01, 0.3)
    low = slope * x
    if k.rng.chance(0.4):
        low = slope * (ops.exp(x) - 1.0)
    high, word = x, "x"
    if k.rng.chance(0.5):
        high, word = curve(k, x)
        word = f"{article(word)} of x"
    result = _choose(k, "activated", x > threshold(k, "knee", x), high, low)
    finish(
        k,
        "activation",
        result,
        f"Activation that is {word} above a knee and leaks below it",
    )


def huber_loss(k: Builder) -> None:
    """Losses that change from square to linear."""
    threads(k)
    error = k.let("error", read(k, "prediction", -2.0, 2.0) - read(k, "label", -2.0, 2.0))
    size = k.let("size", ops.abs(error))
    delta = coefficient(k, "delta", 0.4, 1.2)
    inside, outside = 0.5 * error * error, delta * (size - 0.5 * delta)
    if k.rng.chance(0.3):
        inside, outside = 0.5 * error * error / delta, size - 0.5 * delta
    finish(
        k,
        "loss",
        _choose(k, "huber", k.rng.pick(size <= delta, size < delta), inside, outside),
        "Huber loss of each prediction",
    )


def contact_force(k: Builder) -> None:
    """A force that acts only in contact."""
    threads(k)
    height, speed = read(k, "height", -0.6, 0.6), read(k, "speed", -2.0, 2.0)
    stiffness = coefficient(k, "stiffness", 20.0, 90.0)
    damping = coefficient(k, "damping", 0.1, 2.0)
    depth = k.let("overlap", threshold(k, "margin", height) - height)
    push = k.rng.pick(
        stiffness * depth - damping * speed, stiffness * depth * depth - damping * depth * speed
    )
    force = _choose(k, "force", depth > 0.0, push, 0.0)
    if k.rng.chance(0.4):
        force = force / coefficient(k, "mass", 0.5, 2.0)
    finish(k, "push", force, "Penalty force of a body that touches the ground")


def safe_ratio(k: Builder) -> None:
    """A quotient with a fallback."""
    threads(k)
    top = read(k, "numerator", -3.0, 3.0)
    bottom = k.let("denominator", read(k, "denominator", -0.5, 1.0, inline=True))
    floor = coefficient(k, "epsilon", 0.05, 0.3, kinds="l")
    fallback = coefficient(k, "fallback", -1.0, 1.0)
    scale = coefficient(k, "unit", 0.5, 2.0, kinds="lp") if k.rng.chance(0.4) else None
    early = k.rng.chance(0.5)
    ratio = k.var("quotient", fallback if early else 0.0)
    with k.when(bottom > floor):
        quotient = top / bottom
        if k.rng.chance(0.3):
            quotient, word = curve(k, k.let("raw", quotient))
            k.notes.append(f"The quotient {through(word)}")
        k.set(ratio, quotient if scale is None else scale * quotient)
    if not early:
        with k.otherwise():
            k.set(ratio, fallback)
    finish(k, "ratio", ratio, "Ratio with a fallback for small or negative denominators")


def threshold_crossing(k: Builder) -> None:
    """A level crossed between neighbours."""
    (i,) = threads(k, 1)
    count = k.size("length", "n")
    samples = k.array("samples", k.real, ["n"], {"uniform": [-1.0, 1.0]})
    level = coefficient(k, "level", -0.4, 0.4)
    here = k.let("here", samples[i])
    there = k.let("there", samples[k.rng.pick(ops.min(i + 1, count - 1), (i + 1) % count)])
    rising = (here < level) & (there >= level)
    either = ((here - level) * (there - level)) < 0.0
    crossed, how = k.rng.pick((rising, "rises through"), (either, "crosses"))
    change, word = k.rng.pick((there - here, "Jump"), (ops.abs(there - here), "Size of the jump"))
    weight = _choose(k, "jump", crossed, change, 0.0)
    finish(k, "crossing", weight, f"{word} of a signal between neighbours where it {how} a level")


def alternating_update(k: Builder) -> None:
    """Different updates for different sites."""
    index = threads(k)
    total = index[0]
    for one in index[1:]:
        total = total + one
    value = read(k, "value", -1.0, 1.0)
    period = k.rng.pick(2, 2, 3, 4)
    gain, bias = coefficient(k, "gain", 1.5, 3.0), coefficient(k, "bias", -0.5, 0.5)
    first, second = k.rng.pick(
        (gain * value, value + bias), (value + bias, gain * value), (gain * value + bias, -value)
    )
    finish(
        k,
        "new_value",
        _choose(k, "updated", (total % period).equals(0), first, second),
        f"Update that treats every {ORDINALS[period]} site differently",
    )


def wrapped_angle(k: Builder) -> None:
    """Angles and distances brought back into their range."""
    threads(k)
    half = k.rng.pick(3.1416, 180.0, 0.5)
    name = "distance" if half == 0.5 else "angle"
    raw = read(k, name, -1.8 * half, 1.8 * half)
    other = read(k, f"reference_{name}", -half, half)
    turned = k.let("turned", raw - 0.1 * other)
    upper = k.rng.chance(0.5)
    far = turned > half if upper else turned < -half
    back = turned - 2.0 * half if upper else turned + 2.0 * half
    wrapped = _choose(k, "wrapped", far, back, turned)
    scale = coefficient(k, "stiffness", 0.2, 2.0)
    shaped, word = curve(k, k.let("turn", wrapped / half)) if k.rng.chance(0.5) else (wrapped / half, "share")
    side = "above" if upper else "below"
    finish(
        k,
        "torque",
        scale * shaped,
        f"{word.capitalize()} of each {name} in half turns, wrapped once from {side}",
    )


def hysteresis(k: Builder) -> None:
    """A switch that remembers its side."""
    threads(k)
    value = read(k, "level", -1.0, 1.0)
    state = read(k, k.rng.pick("state", "relay"), 0, 1, I32)
    low, high = coefficient(k, "low", -0.5, -0.2), coefficient(k, "high", 0.2, 0.5)
    bound = k.let("bound", conditional(state.equals(0), high, low))
    if k.rng.chance(0.5):
        on, off = coefficient(k, "on_value", 0.5, 1.0), k.rng.number(0.05, 0.3)
        shaped, word = curve(k, value)
        result = _choose(k, "driven", value > bound, on * shaped, off * value)
        finish(k, "drive", result, f"Output that follows {article(word)} of its level while a switch is on")
    else:
        new = k.var("new_state", 0, type=I32)
        with k.when(value > bound):
            k.set(new, 1)
        k.store(k.array("new_states", I32, k.shape, None, "out"), k.target, new)
        finish(
            k,
            "margin",
            k.rng.pick(value - bound, ops.abs(value - bound)),
            "Switch with hysteresis, and its margin",
        )


def occupied_only(k: Builder) -> None:
    """Work that is done for some elements, and a default for the rest."""
    threads(k)
    weight = read(k, k.rng.pick("count", "occupancy"), 0, 4, I32, array=k.rng.pick("counts", "occupancies"))
    total = read(k, "sum", -3.0, 3.0)
    share = k.let("share", convert(k.real, ops.max(weight, 1)))
    found: Expr = k.let("mean_value", total / share)
    default = coefficient(k, "empty_value", -1.0, 1.0)
    kind = k.rng.pick("mean", "variance", "ratio")
    if kind != "mean":
        spread = read(k, "sum_of_squares", 0.1, 9.0, array="sums_of_squares")
        found = spread / share + found * found if kind == "variance" else found / (1.0 + spread)
    least = k.rng.pick(0, 0, 1)
    result = _choose(k, f"{kind}_here", weight > least, found, default)
    what = {"mean": "Mean", "variance": "Mean square, plus the square of the mean,", "ratio": "Damped mean"}[
        kind
    ]
    members = "1 member" if least == 1 else f"{least} members"
    finish(k, kind, result, f"{what} of each cell with more than {members}, a default for others")


IDIOMS = (
    leaky_rectifier,
    huber_loss,
    contact_force,
    safe_ratio,
    threshold_crossing,
    alternating_update,
    wrapped_angle,
    hysteresis,
    occupied_only,
)
