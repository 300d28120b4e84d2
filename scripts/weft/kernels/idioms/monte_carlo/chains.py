"""Markov chains: spins, Metropolis steps, annealing."""

from collections.abc import Callable
from functools import partial

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, lift, ops, random_number
from weft.kernels.idioms.monte_carlo.streams import random_state, started, uniform_number
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import article, coefficient, read, threads, whole
from weft.types import Vector


def _alike(first: Expr, second: Expr) -> Expr:
    """One where two states are the same, else zero."""
    return ops.where(first.equals(second), lift(1.0, F32), lift(0.0, F32))


def flip_spins(k: Builder) -> None:
    """Metropolis, Glauber and heat-bath steps of spins on a checkerboard."""
    k.real = F32
    threads(k, 1, 2)
    rank = len(k.shape)
    periodic = k.rng.chance(0.6)
    kind = k.rng.pick("ising", "ising", "potts", "clock")
    states = 2 if kind == "ising" else k.rng.pick(3, 4, 5)
    spins = k.array(k.rng.pick("spins", "lattice"), I32, k.shape, whole(0, states - 1))
    state = random_state(k)
    own = k.let("own", spins[k.index])
    others: list[Expr] = []
    for axis in range(rank):
        size = k.extent(axis)
        here = k.index[axis]
        for step in (-1, 1):
            if periodic:
                place = (here + step + size) % size if step < 0 else (here + step) % size
            else:
                place = ops.max(here - 1, 0) if step < 0 else ops.min(here + 1, size - 1)
            where = [place if at == axis else one for at, one in enumerate(k.index)]
            others.append(spins[tuple(where)])
    beta = coefficient(k, k.rng.pick("beta", "inverse_temperature"), 0.2, 1.0)
    if kind == "ising":
        total = others[0]
        for other in others[1:]:
            total = total + other
        half = len(others)
        around = k.let("around", 2 * total - half)
        pull: Expr = convert(F32, around)
        if k.rng.chance(0.4):
            pull = pull + coefficient(k, "field", -0.5, 0.5)
            k.notes.append("A field acts on all spins")
        sign = 2 * own - 1
        rule = k.rng.pick("metropolis", "glauber", "heat bath")
        new = k.var("new_spin", own, bounds=(0, 1))
        if rule == "heat bath":
            up = k.let("up", 1.0 / (1.0 + ops.exp(-2.0 * beta * pull)))
            value = ops.where(uniform_number(state) < up, lift(1, I32), lift(0, I32))
            k.set(new, value)
        else:
            cost = k.let("cost", 2.0 * convert(F32, sign) * pull)
            if rule == "glauber":
                with k.when(uniform_number(state) < 1.0 / (1.0 + ops.exp(beta * cost))):
                    k.set(new, bounded(1 - own, 0, 1))
            elif k.rng.chance(0.5):
                with k.when((cost <= 0.0) | (uniform_number(state) < ops.exp(-beta * cost))):
                    k.set(new, bounded(1 - own, 0, 1))
            else:
                odds = k.let("odds", ops.min(ops.exp(-beta * cost), 1.0))
                with k.when(uniform_number(state) < odds):
                    k.set(new, bounded(1 - own, 0, 1))
        doc = f"One {rule} step of Ising spins stored as 0 and 1"
    else:
        trial = k.let("trial", random_number("randi", state, 0, states))
        if kind == "potts":
            same = k.var("gain", 0.0)
            for other in others:
                near = k.let("near", other)
                k.add(same, _alike(near, trial) - _alike(near, own))
            gain: Expr = bounded(same, -8.0, 8.0)
        else:
            angle = round(6.2831853 / states, 4)

            def bond(spin: Expr, other: Expr) -> Expr:
                return ops.cos(angle * convert(F32, spin - other))

            gain = bond(trial, others[0]) - bond(own, others[0])
            for other in others[1:]:
                near = k.let("near", other)
                gain = gain + (bond(trial, near) - bond(own, near))
            gain = k.let("gain", gain)
        new = k.var("new_spin", own, bounds=(0, states - 1))
        with k.when(uniform_number(state) < ops.exp(bounded(beta * gain, -9.0, 9.0))):
            k.set(new, trial)
        doc = f"One Metropolis step of {'Potts' if kind == 'potts' else 'clock'} spins with {states} states"
    if rank == 2 and k.rng.chance(0.7):
        color = k.rng.pick(0, 1)
        final = k.var("value", own, bounds=(0, states - 1))
        with k.when(((k.index[0] + k.index[1]) % 2).equals(color)):
            k.set(final, new)
        k.notes.append(f"Only elements of parity {color} move")
        new = final
    k.notes.append("The lattice is periodic" if periodic else "Beyond the border the nearest spin counts")
    if k.rng.chance(0.3):
        k.atomic("add", k.array("magnetization", I32, ["1"], {"constant": 0}, "inout"), 0, new)
        k.notes.append("The sum of all new spins is kept")
    finish(k, "spin", new, doc)


def accept_or_reject(k: Builder) -> None:
    """Rejection sampling with a bounded number of tries."""
    state = started(k, 1, 2)
    tries = k.rng.pick(6, 8, 12, 16)
    target = k.rng.pick("triangle", "bell", "cosine", "power", "mixture", "disk", "band")
    plane = target in ("disk", "band")
    sharp = coefficient(k, k.rng.pick("sharpness", "steepness"), 0.6, 3.0)
    x = k.var("x", 0.0, bounds=(-1.0, 1.0))
    y = k.var("y", 0.0, bounds=(-1.0, 1.0)) if plane else None
    used = k.var("tries", 0, type=I32, bounds=(0, tries))
    kind = k.rng.pick("while", "break", "flag")

    def test() -> Expr:
        k.set(x, random_number("randf", state, -1.0, 1.0))
        if y is not None:
            k.set(y, random_number("randf", state, -1.0, 1.0))
            r = x * x + y * y
            edge = 0.3 * sharp
            return r <= edge if target == "disk" else (r <= 1.0) & (r > 0.2 * sharp)
        level = uniform_number(state)
        match target:
            case "triangle":
                return level < 1.0 - ops.abs(x)
            case "bell":
                return level < ops.exp(-sharp * x * x)
            case "cosine":
                return level < ops.cos(1.5708 * x)
            case "power":
                return level < ops.pow(bounded(ops.abs(x) + 0.01, 0.01, 1.1), sharp)
            case _:
                left, right = x - 0.5, x + 0.5
                return level < 0.5 * ops.exp(-4.0 * sharp * (left * left)) + 0.5 * ops.exp(
                    -9.0 * right * right
                )

    if kind == "while":
        done = k.var("accepted", 0, type=I32, bounds=(0, 1))
        with k.repeat(done.equals(0) & (used < tries), tries):
            k.set(used, bounded(used + 1, 0, tries))
            with k.when(test()):
                k.set(done, 1)
    elif kind == "break":
        with k.loop(k.rng.pick("attempt", "trial"), 0, tries):
            k.set(used, bounded(used + 1, 0, tries))
            with k.when(test()):
                k.jump("break")
    else:
        with k.repeat(used < tries, tries):
            k.set(used, bounded(used + 1, 0, tries))
            good = k.let("good", test())
            with k.when(good):
                k.jump("break")
    words = {
        "triangle": "a triangular density",
        "bell": "a bell curve that is cut off",
        "cosine": "a cosine density",
        "power": "a density that grows from zero",
        "mixture": "two bell curves",
        "disk": "a disk",
        "band": "a ring",
    }[target]
    cost = convert(F32, used)
    result: Expr = x
    if y is not None:
        result = k.rng.pick(construct(Vector(2, F32), x, y), x + 2.0 * y, ops.sqrt(x * x + y * y + 0.01))
    if target in ("triangle", "cosine"):
        result = sharp * result
    match k.rng.below(3):
        case 0 if y is None:
            result = result + 0.05 * cost
            k.notes.append("A small term tells how many tries it took")
        case 1:
            k.store(k.array("used_tries", I32, k.shape, None, "out"), k.target, used)
            k.notes.append("The number of tries is stored as well")
        case _:
            handle = k.array("total_tries", I32, ["1"], {"constant": 0}, "inout")
            k.atomic("add", handle, 0, used)
            k.notes.append("All threads together count their tries")
    finish(k, "sample", result, f"A sample of {words} by rejection, after at most {tries} tries")


def anneal(k: Builder) -> None:
    """A thread for each chain: Metropolis steps of a continuous variable, cooling or not."""
    state = started(k, 1, 2)
    steps = k.rng.pick(6, 8, 10, 12)
    x = k.var("x", read(k, "start", -1.0, 1.0, array="starts"), bounds=(-9.0, 9.0))
    width = coefficient(k, "step_size", 0.1, 0.8, kinds="lp")
    beta = cold = coefficient(k, "inverse_temperature", 0.5, 2.0)
    cools = k.rng.chance(0.5)
    if cools:
        beta = k.var("beta", cold, bounds=(0.1, 500.0))
    shape = k.rng.pick("double well", "quadratic", "washboard", "quartic", "soft")
    well = k.rng.number(0.3, 1.2)

    def energy(b: Builder, place: Expr) -> Expr:
        square = place * place
        match shape:
            case "double well":
                off = b.let("off", square - well)
                return off * off
            case "quadratic":
                return well * (place - 0.3) * (place - 0.3)
            case "washboard":
                return 0.5 * square + well * ops.cos(4.0 * place)
            case "quartic":
                return square * (well + 0.25 * square)
            case _:
                return ops.sqrt(square + well)

    inline = k.rng.chance(0.4)
    call: Callable[[Expr], Expr] = partial(energy, k)
    if not inline:
        doc = f"The energy of {article(shape)}."
        call = k.function("energy", doc, {"place": (F32, Interval(-20.0, 20.0))}, energy)
    accepted = k.var("accepted", 0, type=I32, bounds=(0, steps))
    kept = k.var("sum_of_squares", 0.0) if k.rng.chance(0.4) else None
    cooling = k.rng.number(1.05, 1.4)
    with k.loop("step", 0, steps):
        trial = k.let("trial", x + width * random_number("randf", state, -1.0, 1.0))
        own = k.let("own_energy", call(x)) if inline or k.rng.chance(0.4) else call(x)
        rise = k.let("rise", call(trial) - own)
        with k.when(uniform_number(state) < ops.exp(bounded(-beta * ops.max(rise, 0.0), -60.0, 0.0))):
            k.set(x, bounded(trial, -9.0, 9.0))
            k.set(accepted, bounded(accepted + 1, 0, steps))
        if cools:
            k.set(beta, bounded(beta * cooling, 0.1, 500.0))
        if kept is not None:
            k.add(kept, x * x)
    words = f"{steps} {'cooling ' if cools else ''}Metropolis steps in the energy of {article(shape)}"
    k.store(k.array("accepted_steps", I32, k.shape, None, "out"), k.target, accepted)
    if kept is not None:
        result = bounded(kept, 0.0, 300.0) / float(steps)
        finish(k, "second_moment", result, f"Mean square over {words}")
    else:
        finish(k, "place", x, f"Where {words} end")
