"""Random numbers in every thread, and what is computed from them."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, convert, ops, random_number
from weft.kernels.idioms.random_math.samples import event_counts, field_noise, points_in_bodies, random_words
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import article, coefficient, curve, read, threads, uniform
from weft.types import Vector

REVISION = 4
TEACHES = "random numbers per thread: noise, sampling, walks, small Monte Carlo estimates"


def _start(k: Builder, *ranks: int) -> Expr:
    """The thread's random state, seeded by a parameter and the thread's number."""
    k.real = F32
    threads(k, *ranks)
    seed = k.scalar(k.rng.pick("seed", "seed", "rng_seed"), I32, {"integers": [0, 10000]})
    number = k.index[0]
    for one, size in zip(k.index[1:], k.shape[1:], strict=True):
        number = number * k.size(size, size) + one
    return k.let(k.rng.pick("state", "rng"), ops.rand_init(seed, number))


def _noise(k: Builder, state: Expr) -> tuple[Expr, str]:
    """One random number around zero, and its distribution."""
    return k.rng.pick(
        (random_number("randf", state, -0.5, 0.5), "uniform"),
        (random_number("randn", state), "normal"),
        (random_number("randf", state) - 0.5, "uniform"),
        (2.0 * random_number("randf", state) - 1.0, "uniform"),
    )


def noisy_signal(k: Builder) -> None:
    """Data with noise of a chosen kind."""
    state = _start(k, 1, 2)
    x = read(k, "x", -1.0, 1.0)
    noise, word = _noise(k, state)
    sigma = coefficient(k, "sigma", 0.05, 0.4)
    match k.rng.below(3):
        case 0:
            finish(k, "noisy_value", x + sigma * noise, f"Signal with {word} noise")
        case 1:
            finish(k, "noisy_value", x * (1.0 + sigma * noise), f"Signal with multiplicative {word} noise")
        case _:
            shaped, shape = curve(k, k.let("disturbed", x + sigma * noise))
            finish(k, "response", shaped, f"Response by {article(shape)} to a signal with {word} noise")


def estimate_area(k: Builder) -> None:
    """Monte Carlo areas and integrals."""
    state = _start(k, 1)
    samples = k.rng.pick(12, 16, 24, 32)
    if k.rng.chance(0.5):
        inside = k.var("inside", 0.0)
        bound = coefficient(k, "radius", 0.5, 0.95)
        with k.loop(k.rng.pick("s", "_"), 0, samples):
            x, y = k.let("x", random_number("randf", state)), k.let("y", random_number("randf", state))
            test = k.rng.pick(
                x * x + y * y < bound * bound, x + y < bound, x * y < bound * 0.5, ops.max(x, y) < bound
            )
            with k.when(test):
                k.add(inside, 1.0)
        finish(
            k,
            "area",
            inside / float(samples),
            f"Monte Carlo area of a shape in the unit square from {samples} points",
        )
        return
    total = k.var("total", 0.0)
    end = read(k, "limit", 0.5, 2.0)
    with k.loop(k.rng.pick("s", "_"), 0, samples):
        x = k.let("x", end * random_number("randf", state))
        shaped, word = curve(k, x)
        k.add(total, shaped)
    finish(
        k,
        "integral",
        end * total / float(samples),
        f"Monte Carlo integral of {article(word)} up to each limit from {samples} points",
    )


def random_walk(k: Builder) -> None:
    """Walks with steps, walls and drift."""
    state = _start(k, 1)
    steps = k.rng.pick(6, 8, 12, 20)
    wall = k.rng.pick(2.0, 3.0, 5.0)
    place = k.var(k.rng.pick("position", "x"), read(k, "start", -0.5, 0.5, inline=True), bounds=(-wall, wall))
    size = coefficient(k, "step_size", 0.05, 0.3, kinds="lp")
    high = k.var("highest", -wall, bounds=(-wall, wall)) if k.rng.chance(0.4) else None
    with k.loop(k.rng.pick("step", "t"), 0, steps):
        match k.rng.below(3):
            case 0:
                with k.when(random_number("randf", state) < k.rng.number(0.3, 0.7)):
                    k.set(place, ops.clamp(place + size, -wall, wall))
                with k.otherwise():
                    k.set(place, ops.clamp(place - size, -wall, wall))
            case 1:
                noise, _ = _noise(k, state)
                k.set(place, ops.clamp(place + size * noise, -k.rng.pick(1.0, 2.0), k.rng.pick(1.0, 2.0)))
            case _:
                noise, _ = _noise(k, state)
                pull = k.rng.number(0.05, 0.4)
                k.set(
                    place,
                    ops.clamp(
                        k.rng.pick(place - pull * place + size * noise, (1.0 - pull) * place + size * noise),
                        -wall,
                        wall,
                    ),
                )
        if high is not None:
            k.set(high, ops.max(high, place))
        if k.rng.chance(0.25):
            with k.when(ops.abs(place) > k.rng.number(0.6, 0.9)):
                k.jump("break")
    result: Expr = place
    word = "End"
    if high is not None:
        result, word = k.rng.pick(
            (high - place, "Highest point less the end"), (high + place, "Highest point plus the end")
        )
    finish(
        k,
        "end",
        result,
        f"{word} of a random walk of {steps} steps",
    )


def transformed_sample(k: Builder) -> None:
    """Samples of a distribution from uniform numbers."""
    state = _start(k, 1, 2)
    scale = coefficient(k, "scale", 0.5, 2.0)
    u = k.let("u", random_number("randf", state))
    match k.rng.below(6):
        case 0:
            finish(k, "wait", -ops.log(1.0 - u) * scale, "Exponential waiting time by inversion")
        case 1:
            angle = k.let("angle", 6.2832 * random_number("randf", state))
            radius = ops.sqrt(-2.0 * ops.log(1.0 - u))
            finish(
                k,
                "deviate",
                scale * radius * k.rng.pick(ops.cos, ops.sin)(angle),
                "Normal deviate by the Box-Muller transform",
            )
        case 2:
            finish(
                k,
                "deviate",
                scale * ops.tan(k.rng.number(2.0, 2.8) * (u - 0.5)),
                "Deviate with heavy tails, by inversion of a truncated Cauchy distribution",
            )
        case 3:
            v = random_number("randf", state)
            finish(
                k,
                "deviate",
                scale * k.rng.pick(u + v - 1.0, ops.max(u, v), ops.min(u, v), u * v),
                "Deviate from two uniform numbers",
            )
        case 4:
            power = coefficient(k, "power", 1.5, 3.0)
            finish(
                k, "size", scale / ops.pow(1.0 - 0.9 * u, power), "Size from a bounded power law by inversion"
            )
        case _:
            finish(k, "speed", scale * ops.sqrt(-ops.log(1.0 - u)), "Rayleigh-distributed speed by inversion")


def roll_dice(k: Builder) -> None:
    """Integer random numbers: dice, coins, choices."""
    state = _start(k, 1, 2)
    sides, dice = k.rng.pick(6, 8, 10, 20), k.rng.integer(2, 6)
    total = k.var("total", 0, type=I32)
    best = k.var("best", 0, type=I32, bounds=(0, sides)) if k.rng.chance(0.5) else None
    bonus = read(k, "bonus", 0, 4, I32, array="bonuses") if k.rng.chance(0.5) else None
    with k.loop("die", 0, dice):
        roll = k.let("roll", random_number("randi", state, 1, sides + 1))
        if k.rng.chance(0.4):
            with k.when(k.rng.pick(roll.equals(1), roll < sides // 3, (roll % 2).equals(0))):
                k.jump(k.rng.pick("continue", "break"))
        k.add(total, roll if best is not None else k.rng.pick(roll, roll * roll))
        if best is not None:
            k.set(best, ops.max(best, roll))
    result: Expr = total
    if best is not None:
        result, word = k.rng.pick((total - best, "is left out"), (total + best, "counts once more"))
        k.notes.append(f"The largest roll {word}")
    if bonus is not None:
        result = result + bonus
    finish(k, "score", result, f"Score of up to {dice} dice with {sides} sides")


def dropout(k: Builder) -> None:
    """Elements dropped or replaced at random."""
    state = _start(k)
    x, rate = read(k, "x", -1.0, 1.0), coefficient(k, "rate", 0.2, 0.6)
    value = k.var("value", k.rng.pick(x / (1.0 - rate), x))
    match k.rng.below(3):
        case 0:
            with k.when(random_number("randf", state) < rate):
                k.set(value, k.rng.pick(0.1, 0.25) * x)
        case 1:
            with k.when(random_number("randf", state) < rate):
                noise, _ = _noise(k, state)
                k.set(value, noise)
        case _:
            with k.when(random_number("randf", state) < 0.5 * rate):
                k.set(value, k.rng.pick(1.0, 0.5))
            with k.orwhen(random_number("randf", state) < rate):
                k.set(value, -x if k.rng.chance(0.5) else -1.0)
    shaped, word = curve(k, value)
    if k.rng.chance(0.5):
        finish(
            k, "kept_value", shaped, f"Elements dropped or replaced at random, then through {article(word)}"
        )
    else:
        finish(k, "kept_value", value, "Elements dropped or replaced at random")


def rejection_sample(k: Builder) -> None:
    """Sampling by trial until something is accepted."""
    state = _start(k, 1)
    tries = k.rng.pick(8, 12, 16)
    x = k.var("x", 0.0, bounds=(-1.0, 1.0))
    fixed = k.rng.chance(0.5)
    used = k.var("used", 0, type=I32, bounds=None if fixed else (0, tries))
    sharp = coefficient(k, "sharpness", 0.5, 3.0)
    if fixed:
        with k.loop(k.rng.pick("attempt", "trial"), 0, tries):
            k.set(x, random_number("randf", state, -1.0, 1.0))
            k.add(used, 1)
            density = k.rng.pick(1.0 / (1.0 + sharp * (x * x)), 1.0 - x * x, ops.cos(1.5 * x) * ops.abs(x))
            with k.when(random_number("randf", state) < density):
                k.jump("break")
    else:
        accepted = k.var("accepted", 0, type=I32, bounds=(0, 1))
        with k.repeat(accepted.equals(0) & (used < tries), tries):
            k.set(x, random_number("randf", state, -1.0, 1.0))
            y = k.let("y", random_number("randf", state))
            with k.when(k.rng.pick(y * (1.0 + sharp * (x * x)) < 1.0, x * x + y * y < 1.0)):
                k.set(accepted, 1)
            k.add(used, 1)
    result = k.rng.pick(sharp * x + 0.01 * convert(F32, used), x * sharp - 0.05 * convert(F32, used))
    finish(
        k, "sample", result, f"Sample by rejection within {tries} tries, with a small term for the tries used"
    )


def scatter_points(k: Builder) -> None:
    """Random vectors: jittered points and directions."""
    state = _start(k, 1)
    space = Vector(k.rng.pick(2, 3), F32)
    center = (
        read(k, "center", -1.0, 1.0, space)
        if k.rng.chance(0.6)
        else k.scalar("center", space, uniform(-1.0, 1.0))
    )
    spread = coefficient(k, "spread", 0.1, 0.8)
    angle = k.let("angle", random_number("randf", state, 0.0, 6.2832))
    if space.length == 2:
        match k.rng.below(2):
            case 0:
                radius = k.let(
                    "radius",
                    k.rng.pick(ops.sqrt(random_number("randf", state)), random_number("randf", state)),
                )
                offset = construct(space, radius * ops.cos(angle), radius * ops.sin(angle))
            case _:
                offset = construct(space, ops.cos(angle), ops.sin(angle)) * (
                    0.5 + random_number("randf", state)
                )
        finish(k, "point", center + spread * offset, "Random point in a disk around each center")
        return
    z = k.let("z", random_number("randf", state, -1.0, 1.0))
    ring = k.let("ring", ops.sqrt(ops.max(1.0 - z * z, 0.0)))
    direction = k.let("direction", construct(space, ring * ops.cos(angle), ring * ops.sin(angle), z))
    if k.rng.chance(0.5):
        finish(k, "point", center + spread * direction, "Random point on a sphere around each center")
    else:
        finish(
            k,
            "cosine",
            spread * ops.dot(direction, center) + 0.1 * z,
            "Component of a random direction along each center, with a bias upwards",
        )


IDIOMS = (
    noisy_signal,
    estimate_area,
    random_walk,
    transformed_sample,
    roll_dice,
    dropout,
    rejection_sample,
    scatter_points,
    points_in_bodies,
    event_counts,
    random_words,
    field_noise,
)
