"""Walks on a grid, diffusing walkers."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, lift, ops, random_number
from weft.kernels.idioms.monte_carlo.streams import random_state, started, uniform_number
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import coefficient, read, threads, whole
from weft.types import Vector

_OUTCOMES = ("end", "farthest", "returns", "first", "visits")


def walk_on_grid(k: Builder) -> None:
    """Walks on whole numbers: walls, traps, first passages, visits."""
    state = started(k, 1, 2, name=k.rng.pick("i", "walker"))
    steps = k.rng.pick(8, 10, 12, 16, 20)
    flat = k.rng.chance(0.5)
    half = k.rng.pick(6, 8, 10, 12)
    border = k.rng.pick("solid", "periodic", "absorbing")
    begin = read(k, "start", -3, 3, I32, array="starts")
    x = k.var("x", begin, bounds=(-half, half))
    y = k.var("y", 0, type=I32, bounds=(-half, half)) if flat else None
    what = k.rng.pick("end", "farthest", "returns", "first") if flat else k.rng.pick(*_OUTCOMES)
    names = {"farthest": "farthest", "returns": "returns", "first": "passage", "visits": "seen"}
    most = {"farthest": 2 * half, "visits": 5 * steps}.get(what, steps)
    extra = k.var(names[what], 0, type=I32, bounds=(0, most)) if what != "end" else None
    lazy = k.rng.number(0.1, 0.4) if k.rng.chance(0.4) else None
    drift = coefficient(k, "bias", 0.4, 0.6, kinds="lp") if not flat else None
    level = k.rng.pick(2, 3, 4)
    traps = None
    if what == "visits":
        traps = k.array("rewards", I32, [str(2 * half + 1)], whole(0, 5))

    def moved(place: Expr, change: Expr) -> Expr:
        if border == "periodic":
            size = 2 * half + 1
            return bounded((place + change + (half + size)) % size - half, -half, half)
        return ops.clamp(place + change, -half, half)

    with k.loop(k.rng.pick("step", "t"), 0, steps):
        if lazy is not None:
            with k.when(uniform_number(state) < lazy):
                k.jump("continue")
        if y is None:
            assert drift is not None
            if k.rng.chance(0.5):
                k.set(x, moved(x, ops.where(uniform_number(state) < drift, lift(1, I32), lift(-1, I32))))
            else:
                jump = k.let("jump", random_number("randi", state, -1, 2))
                with k.when(uniform_number(state) < drift):
                    k.set(x, moved(x, jump))
        else:
            way = k.let("way", random_number("randi", state, 0, 4))
            if k.rng.chance(0.5):
                with k.when(way.equals(0)):
                    k.set(x, moved(x, lift(1, I32)))
                with k.orwhen(way.equals(1)):
                    k.set(x, moved(x, lift(-1, I32)))
                with k.orwhen(way.equals(2)):
                    k.set(y, moved(y, lift(1, I32)))
                with k.otherwise():
                    k.set(y, moved(y, lift(-1, I32)))
            else:
                step = k.let("turn", 1 - 2 * (way % 2))
                with k.when(way < 2):
                    k.set(x, moved(x, step))
                with k.otherwise():
                    k.set(y, moved(y, step))
        far = ops.abs(x) if y is None else ops.abs(x) + ops.abs(y)
        if extra is not None:
            match what:
                case "farthest":
                    k.set(extra, ops.max(extra, far))
                case "returns":
                    with k.when(far.equals(0)):
                        k.set(extra, bounded(extra + 1, 0, most))
                case "first":
                    k.set(extra, bounded(extra + 1, 0, most))
                    with k.when(far >= level):
                        k.jump("break")
                case _:
                    assert traps is not None
                    k.set(extra, bounded(extra + traps[bounded(x + half, 0, 2 * half)], 0, most))
        if border == "absorbing" and what != "first":
            with k.when(far >= half if y is None else (ops.abs(x) >= half) | (ops.abs(y) >= half)):
                k.jump("break")
    words = {
        "end": "where it ends",
        "farthest": "how far it came",
        "returns": "how often it came back to the origin",
        "first": f"steps until it is {level} away, or all",
        "visits": "what it collected from the places it was at",
    }[what]
    plane = "in the plane" if y is not None else "on a line"
    result: Expr = x if y is None else x + 100 * y
    if y is not None and what == "end":
        words = "where it ends, as x + 100 y"
    if extra is not None:
        result = extra
    title = f"A walk of {steps} steps {plane} between {border} walls; {words}"
    finish(k, "outcome", result, title)


def diffuse_walkers(k: Builder) -> None:
    """Particles that diffuse, drift, branch or are absorbed."""
    k.real = F32
    threads(k, 1, name=k.rng.pick("i", "walker"))
    space = Vector(k.rng.pick(2, 3), F32)
    begin = read(k, "position", -0.8, 0.8, space)
    state = random_state(k)
    steps = k.rng.pick(1, 4, 6, 8)
    sigma = coefficient(k, k.rng.pick("spread", "sigma"), 0.05, 0.3)
    kind = k.rng.pick("free", "trap", "swirl", "shear", "absorbed", "reflected", "weighted")
    limit = k.rng.number(0.9, 1.4)
    x = k.var("x", begin, bounds=(-80.0, 80.0))
    extra = k.var("weight", 1.0, bounds=(0.0, 1.0)) if kind == "weighted" else None
    life = k.var("age", 0, type=I32, bounds=(0, 8)) if kind == "absorbed" else None
    pull = None
    if kind in ("trap", "swirl", "shear", "weighted"):
        pull = coefficient(k, k.rng.pick("drift", "rate"), 0.05, 0.4, kinds="lp")

    def noise() -> Expr:
        if k.rng.chance(0.6):
            return construct(space, *(random_number("randn", state) for _ in range(space.length)))
        return construct(space, *(random_number("randf", state, -1.7, 1.7) for _ in range(space.length)))

    def step() -> None:
        kick = k.let("kick", noise())
        new = x + sigma * kick
        if kind in ("trap", "weighted"):
            assert pull is not None
            new = new - pull * x if kind == "trap" else new
        elif kind == "swirl":
            assert pull is not None
            new = new + pull * construct(space, -x[1], x[0], *([0.0] if space.length == 3 else []))
        elif kind == "shear":
            assert pull is not None
            new = new + construct(space, pull * x[1], *[0.0] * (space.length - 1))
        k.set(x, bounded(new, -80.0, 80.0))
        if kind == "reflected":
            with k.loop("c", 0, space.length) as c, k.when(ops.abs(x[c]) > limit):
                k.set(x[c], bounded(2.0 * limit * ops.sign(x[c]) - x[c], -80.0, 80.0))
        if extra is not None:
            assert pull is not None
            k.set(extra, bounded(extra * ops.exp(bounded(-pull * ops.dot(x, x), -60.0, 0.0)), 0.0, 1.0))
        if life is not None:
            k.set(life, bounded(life + 1, 0, 8))

    if steps > 1:
        with k.loop("step", 0, steps):
            step()
            if life is not None:
                with k.when(ops.length_sq(x) > limit):
                    k.jump("break")
    else:
        step()
    words = {
        "free": "diffuse freely",
        "trap": "diffuse in a trap",
        "swirl": "diffuse in a swirl",
        "shear": "diffuse in a shear flow",
        "absorbed": f"diffuse until their squared distance exceeds {limit}",
        "reflected": f"diffuse between walls at {limit}, each of which they meet once",
        "weighted": "diffuse and lose weight away from the origin",
    }[kind]
    doc = f"Walkers that {words}, {steps} steps" if steps > 1 else f"Walkers that {words}, one step"
    if life is not None:
        k.store(k.array("ages", I32, k.shape, None, "out"), k.target, life)
    if extra is not None:
        k.store(k.array("weights", F32, k.shape, None, "out"), k.target, extra)
    match k.rng.pick("end", "square", "path", "histogram"):
        case "end":
            finish(k, "new_position", x, doc)
        case "square":
            off = k.let("moved", x - begin)
            finish(k, "square", ops.dot(off, off), f"{doc}; the squared displacement is given")
        case "path":
            finish(k, "displacement", x - begin, f"{doc}; how far they came is given")
        case _:
            bins = k.rng.pick(8, 10, 16)
            scaled = (x[0] + 1.5) / 3.0 * float(bins)
            place = k.let("bin", ops.clamp(convert(I32, ops.floor(scaled)), 0, bins - 1))
            k.atomic("add", k.array("histogram", I32, [str(bins)], {"constant": 0}, "inout"), place, 1)
            finish(k, "new_position", x, f"{doc}; a histogram of {bins} bins counts them along axis 0")
