"""Monte Carlo methods: each thread draws its own random numbers and estimates, walks, or samples."""

from collections.abc import Callable
from functools import partial

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, lift, ops, random_number
from weft.kernels.idioms import article, coefficient, curve, read, threads, told, uniform, whole
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.types import Vector

REVISION = 1
TEACHES = "Monte Carlo: integrals, walks, lattice models, prices of options, sampling, diffusion, bootstrap"


def _state(k: Builder) -> Expr:
    """The thread's random state, from its number and a seed; call it after `threads`."""
    number: Expr = k.index[0]
    for one, size in zip(k.index[1:], k.shape[1:], strict=True):
        number = number * k.size(size, size) + one
    match k.rng.below(4):
        case 0:
            seed: Expr | int = k.rng.integer(1, 99)
        case 1:
            seed = k.array("seeds", I32, k.shape, whole(0, 10_000))[k.index]
        case _:
            seed = k.scalar(k.rng.pick("seed", "rng_seed", "sweep"), I32, whole(0, 10_000))
    return k.let(k.rng.pick("state", "rng"), ops.rand_init(lift(seed, I32), number))


def _start(k: Builder, *ranks: int, name: str = "i") -> Expr:
    k.real = F32
    threads(k, *ranks, name=name)
    return _state(k)


def _uniform(state: Expr) -> Expr:
    return random_number("randf", state)


def _loop_name(k: Builder) -> str:
    return k.rng.pick("s", "sample", "draw", "trial")


def area_by_points(k: Builder) -> None:
    """Shares of random points that fall into a shape."""
    state = _start(k, 1, 2)
    samples = k.rng.pick(8, 12, 16, 24, 32)
    flat = k.rng.chance(0.6)
    size = coefficient(k, k.rng.pick("radius", "size"), 0.5, 0.95)
    shape = k.rng.pick("ball", "ball", "diamond", "ring", "lens", "under", "corner")
    counting = k.rng.chance(0.5)
    inside = k.var("hits", 0, type=I32) if counting else k.var("inside", 0.0)
    weight = k.rng.chance(0.3) and not counting
    with k.loop(_loop_name(k), 0, samples):
        if k.rng.chance(0.5):
            x, y = (k.let(one, random_number("randf", state, -1.0, 1.0)) for one in "xy")
            z = k.let("z", random_number("randf", state, -1.0, 1.0)) if not flat else None
            full = True
        else:
            x, y = (k.let(one, _uniform(state)) for one in "xy")
            z = k.let("z", _uniform(state)) if not flat else None
            full = False
        square = x * x + y * y
        match shape:
            case "ball":
                test = (square if z is None else square + z * z) < size * size
                doc = "a disk" if z is None else "a ball"
            case "diamond":
                reach = ops.abs(x) + ops.abs(y) if full else x + y
                test = (reach if z is None else reach + ops.abs(z)) < size
                doc = "a diamond" if z is None else "an octahedron"
            case "ring":
                r = k.let("r_squared", square if z is None else square + z * z)
                test = (r < size * size) & (r > k.rng.number(0.05, 0.2))
                doc = "a ring" if z is None else "a shell"
            case "lens":
                shift = k.rng.number(0.2, 0.5)
                other = (x - shift) * (x - shift) + y * y
                other, square = (other, square) if z is None else (other + z * z, square + z * z)
                test = (square < size * size) & (other < size * size)
                doc = "the overlap of two disks" if z is None else "the overlap of two balls"
            case "under":
                bound = size * (ops.sin(2.0 * x) if k.rng.chance(0.5) else x * x)
                test = (y if z is None else y + 0.5 * z) < bound
                doc = "what lies below a curve" if z is None else "what lies below a surface"
            case _:
                test = (x * y if z is None else x * y * z) > 0.4 * size
                doc = "a corner that a hyperbola cuts off"
        with k.when(test):
            if counting:
                k.add(inside, 1)
            else:
                k.add(inside, (1.0 + (x * x if z is None else z * z)) if weight else 1.0)
    where = ("square" if flat else "cube") + (" of side two" if full else " of side one")
    bounded(inside, 0, 2 * samples)
    value = convert(F32, inside) if counting else inside
    scale = {(True, True): 4.0, (True, False): 8.0}.get((full, flat), 1.0)
    if k.rng.chance(0.3) and counting:
        k.store(k.array("hit_counts", I32, k.shape, None, "out"), k.target, inside)
        k.notes.append("Hits are stored as well")
    if k.rng.chance(0.3) and counting:
        k.atomic("add", k.array("total_hits", I32, ["1"], {"constant": 0}, "inout"), 0, inside)
        k.notes.append("All threads together count their hits")
    what = "Weight" if weight else "Area" if flat else "Volume"
    finish(k, "estimate", value * (scale / samples), f"{what} of {doc} from {samples} points in a {where}")


def integrate(k: Builder) -> None:
    """Integrals by plain, stratified, antithetic, importance and control sampling."""
    state = _start(k, 1, 2)
    samples = k.rng.pick(6, 8, 10, 16)
    way = k.rng.pick("plain", "stratified", "antithetic", "importance", "control", "lattice")
    end = coefficient(k, k.rng.pick("upper", "limit"), 0.5, 2.0)
    total = k.var("total", 0.0)
    squares = k.var("squares", 0.0) if way != "antithetic" and k.rng.chance(0.25) else None
    jitter = k.let("shift", _uniform(state)) if way == "lattice" else None
    words: list[str] = []

    def sampled(x: Expr) -> Expr:
        value, word = curve(k, x)
        words.append(word)
        return value

    rate = k.rng.number(0.5, 1.5)
    with k.loop("s", 0, samples) as s:
        match way:
            case "stratified":
                u: Expr = k.let("u", (convert(F32, s) + _uniform(state)) / float(samples))
            case "lattice":
                assert jitter is not None
                raw = jitter + convert(F32, s) * k.rng.pick(0.618, 0.4142)
                u = bounded(
                    k.let("u", raw - ops.floor(raw)) if k.rng.chance(0.4) else ops.frac(raw), 0.0, 1.0
                )
            case _:
                u = k.let("u", _uniform(state))
        if way == "importance":
            x = k.let("x", -ops.log(1.0 - 0.95 * u) / rate)
            density = k.let("density", rate * ops.exp(-rate * x))
            term = sampled(x) / bounded(density, 0.02, 1.5)
        elif way == "control":
            x = k.let("x", end * u)
            slope = k.rng.number(0.2, 0.8)
            term = sampled(x) - slope * (x - 0.5 * end)
        elif way == "antithetic":
            x, mirror = k.let("x", end * u), k.let("mirror", end - end * u)
            first = sampled(x)
            term = 0.5 * (first + (mirror * mirror if words[-1] == "square" else ops.cos(mirror)))
        else:
            x = k.let("x", end * u)
            term = sampled(x)
        if squares is not None:
            term = k.let("term", term)
            k.add(squares, term * term)
        k.add(total, term)
    bounded(total, -60.0 * samples, 60.0 * samples)
    kind = {
        "plain": "by plain sampling",
        "stratified": "by stratified sampling",
        "antithetic": "by pairs of mirrored points; the mirrored ones contribute a cosine or a square",
        "importance": "by sampling of an exponential density",
        "control": "with a linear control variate",
        "lattice": "on a randomly shifted lattice",
    }[way]
    name = article(words[0])
    value = total / float(samples) if way == "importance" else end * total / float(samples)
    if squares is not None:
        mean = k.let("mean", total / float(samples))
        spread = bounded(squares, 0.0, 1e4) / float(samples) - mean * mean
        handle = k.array("variances", F32, k.shape, None, "out")
        k.store(handle, k.target, ops.max(spread, 0.0))
        k.notes.append("The variance of the samples is stored as well")
        value = mean if way == "importance" else end * mean
    if way == "importance":
        value = end * value
        k.notes.append(f"The integral is multiplied by {told(end)}")
    finish(k, "integral", value, f"Integral of {name} from {samples} samples {kind}")


_OUTCOMES = ("end", "farthest", "returns", "first", "visits")


def walk_on_grid(k: Builder) -> None:
    """Walks on whole numbers: walls, traps, first passages, visits."""
    state = _start(k, 1, 2, name=k.rng.pick("i", "walker"))
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
            with k.when(_uniform(state) < lazy):
                k.jump("continue")
        if y is None:
            assert drift is not None
            if k.rng.chance(0.5):
                k.set(x, moved(x, ops.where(_uniform(state) < drift, lift(1, I32), lift(-1, I32))))
            else:
                jump = k.let("jump", random_number("randi", state, -1, 2))
                with k.when(_uniform(state) < drift):
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
    finish(k, "outcome", result, title, counted=what not in ("returns", "end"))


def _alike(first: Expr, second: Expr) -> Expr:
    """One where two states are the same, else zero."""
    return ops.where(first.equals(second), lift(1.0, F32), lift(0.0, F32))


def flip_spins(k: Builder) -> None:
    """Metropolis, Glauber and heat-bath steps of spins on a checkerboard."""
    k.real = F32
    threads(k, 1, 2, indirect=False)
    rank = len(k.shape)
    periodic = k.rng.chance(0.6)
    kind = k.rng.pick("ising", "ising", "potts", "clock")
    states = 2 if kind == "ising" else k.rng.pick(3, 4, 5)
    spins = k.array(k.rng.pick("spins", "lattice"), I32, k.shape, whole(0, states - 1))
    state = _state(k)
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
            value = ops.where(_uniform(state) < up, lift(1, I32), lift(0, I32))
            k.set(new, value)
        else:
            cost = k.let("cost", 2.0 * convert(F32, sign) * pull)
            if rule == "glauber":
                with k.when(_uniform(state) < 1.0 / (1.0 + ops.exp(beta * cost))):
                    k.set(new, bounded(1 - own, 0, 1))
            elif k.rng.chance(0.5):
                with k.when((cost <= 0.0) | (_uniform(state) < ops.exp(-beta * cost))):
                    k.set(new, bounded(1 - own, 0, 1))
            else:
                odds = k.let("odds", ops.min(ops.exp(-beta * cost), 1.0))
                with k.when(_uniform(state) < odds):
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
        with k.when(_uniform(state) < ops.exp(bounded(beta * gain, -9.0, 9.0))):
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
    finish(k, "spin", new, doc, counted=False)


def option_price(k: Builder) -> None:
    """Prices of options by simulated paths."""
    state = _start(k, 1, name=k.rng.pick("i", "option", "path"))
    spot, strike = read(k, "spot", 0.6, 1.4), coefficient(k, "strike", 0.8, 1.2)
    sigma = coefficient(k, k.rng.pick("volatility", "sigma"), 0.1, 0.5)
    rate = coefficient(k, "rate", 0.01, 0.08, kinds="lp")
    style = k.rng.pick("european", "asian", "barrier", "lookback", "digital", "basket")
    right = k.rng.pick("call", "put")
    steps = 1 if style in ("european", "digital") else k.rng.pick(4, 6, 8)
    paths = k.rng.pick(6, 8, 12, 16) if steps == 1 else 1
    dt = round(1.0 / steps, 4)
    drift = k.let("drift", (rate - 0.5 * sigma * sigma) * dt if steps > 1 else rate - 0.5 * sigma * sigma)
    scale = k.let("scale_of_noise", sigma * round(dt**0.5, 6)) if steps > 1 else sigma

    def payoff(price: Expr) -> Expr:
        gain = price - strike if right == "call" else strike - price
        return ops.max(gain, 0.0)

    if steps == 1:
        total = k.var("total", 0.0)
        mirrored = k.rng.chance(0.4)
        with k.loop(_loop_name(k), 0, paths):
            noise = k.let("noise", random_number("randn", state))
            price = k.let("price", spot * ops.exp(bounded(drift + scale * noise, -4.0, 4.0)))
            if style == "digital":
                with k.when(price > strike if right == "call" else price < strike):
                    k.add(total, 1.0)
            else:
                k.add(total, payoff(price))
                if mirrored:
                    other = k.let("other_price", spot * ops.exp(bounded(drift - scale * noise, -4.0, 4.0)))
                    k.add(total, payoff(other))
        count = paths * (2 if mirrored and style != "digital" else 1)
        value: Expr = bounded(total, 0.0, 200.0 * paths) / float(count)
        words = f"{paths} paths" + (", each with its mirror image" if count > paths else "")
    else:
        price = k.var("price", spot, bounds=(0.001, 1e6))
        name = {"asian": "sum_of_prices", "barrier": "alive", "lookback": "best", "basket": "other_price"}[
            style
        ]
        first: Expr | float = {"asian": 0.0, "barrier": 1.0, "basket": 1.0}.get(style, 0.0)
        track = k.var(name, spot if style == "lookback" else first, bounds=(0.0, 1e7))
        level = coefficient(k, "barrier", 1.3, 1.8, kinds="lp") if style == "barrier" else None
        with k.loop("step", 0, steps):
            grow = ops.exp(bounded(drift + scale * random_number("randn", state), -4.0, 4.0))
            k.set(price, bounded(price * grow, 0.001, 1e6))
            match style:
                case "asian":
                    k.set(track, bounded(track + price, 0.0, 1e7))
                case "barrier":
                    assert level is not None
                    with k.when(price > level):
                        k.set(track, 0.0)
                        k.jump("break")
                case "lookback":
                    k.set(track, ops.max(track, price) if right == "call" else ops.min(track, price))
                case _:
                    second = ops.exp(bounded(drift + scale * random_number("randn", state), -4.0, 4.0))
                    k.set(track, bounded(track * second, 0.001, 1e6))
        if style == "asian":
            value = payoff(bounded(track / float(steps), 0.0, 60.0))
        elif style == "barrier":
            value = track * payoff(bounded(price, 0.001, 60.0))
        elif style == "lookback":
            value = payoff(bounded(track, 0.001, 60.0))
        else:
            value = payoff(bounded(0.5 * (price + track), 0.001, 60.0))
        value = bounded(value, 0.0, 60.0)
        words = f"one path of {steps} steps"
    discounted = value * ops.exp(-rate) if k.rng.chance(0.6) else value
    if discounted is not value:
        k.notes.append("The price is discounted")
    kinds = {
        "european": f"a European {right}",
        "asian": f"an Asian {right}",
        "barrier": f"an up-and-out {right}",
        "lookback": f"a lookback {right}",
        "digital": f"a digital {right}",
        "basket": f"a {right} on the mean of two assets",
    }
    finish(k, "price_estimate", discounted, f"Price of {kinds[style]} from {words}")


def accept_or_reject(k: Builder) -> None:
    """Rejection sampling with a bounded number of tries."""
    state = _start(k, 1, 2)
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
        level = _uniform(state)
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


def diffuse_walkers(k: Builder) -> None:
    """Particles that diffuse, drift, branch or are absorbed."""
    k.real = F32
    threads(k, 1, indirect=False, name=k.rng.pick("i", "walker"))
    space = Vector(k.rng.pick(2, 3), F32)
    begin = read(k, "position", -0.8, 0.8, space)
    state = _state(k)
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
            scaled = (x[0] + 1.5) * (bins / 3.0)
            place = k.let("bin", ops.clamp(convert(I32, ops.floor(scaled)), 0, bins - 1))
            k.atomic("add", k.array("histogram", I32, [str(bins)], {"constant": 0}, "inout"), place, 1)
            finish(k, "new_position", x, f"{doc}; a histogram of {bins} bins counts them along axis 0")


def bootstrap(k: Builder) -> None:
    """Statistics of samples that are drawn again with replacement."""
    state = _start(k, 1, name=k.rng.pick("i", "replicate"))
    size = k.rng.pick(8, 12, 16, 20, 32)
    shared = k.rng.chance(0.5)
    k.sizes["observed"] = str(size)
    name = k.rng.pick("data", "samples", "measurements")
    data = k.array(name, F32, ["observed"] if shared else [k.shape[0], "observed"], uniform(-1.0, 2.0))
    weights = k.array("weights", F32, ["observed"], uniform(0.2, 1.0)) if k.rng.chance(0.3) else None
    what = k.rng.pick("mean", "variance", "largest", "above", "trimmed", "ratio")
    draws = size if k.rng.chance(0.6) else max(4, size // 2)
    total = k.var("best" if what == "largest" else "total", -3.0 if what == "largest" else 0.0)
    squares = k.var("squares", 0.0) if what in ("variance", "ratio") else None
    mass = k.var("mass", 0.0) if weights is not None else None
    level = coefficient(k, "level", 0.2, 0.9) if what == "above" else None
    cut = k.rng.number(0.9, 1.5)
    other = None
    if what == "ratio":
        other = k.array("others", F32, ["observed"], uniform(0.5, 2.0))
    with k.loop(_loop_name(k), 0, draws):
        if k.rng.chance(0.7):
            place = k.let("j", random_number("randi", state, 0, size))
        else:
            spot = convert(I32, _uniform(state) * float(size))
            place = k.let("j", ops.min(spot, size - 1))
        x: Expr = k.let("x", data[place] if shared else data[k.index[0], place])
        share: Expr | None = None
        if weights is not None and mass is not None:
            share = k.let("w", weights[place]) if what != "largest" else weights[place]
            k.add(mass, share)
        match what:
            case "largest":
                k.set(total, ops.max(total, x))
            case "above":
                assert level is not None
                with k.when(x > level):
                    k.add(total, share if share is not None else 1.0)
            case "trimmed":
                limited = ops.clamp(x, -0.6, cut)
                k.add(total, share * limited if share is not None else limited)
            case "ratio":
                assert other is not None and squares is not None
                k.add(total, share * x if share is not None else x)
                k.add(squares, other[place])
            case _:
                value = share * x if share is not None else x
                k.add(total, value)
                if squares is not None:
                    k.add(squares, value * x)
    bounded(total, -3.0, 2.0) if what == "largest" else bounded(total, -40.0, 70.0)
    count: Expr | float = float(draws)
    if mass is not None:
        count = bounded(mass, 0.2 * draws, float(draws))
        k.notes.append("Observations have weights")
    match what:
        case "largest":
            result: Expr = total if mass is None else total + 0.01 * mass
            doc = "Largest value" if mass is None else "Largest value, plus a hundredth of the weights,"
        case "variance":
            assert squares is not None
            mean = k.let("mean", total / count)
            result = bounded(squares, 0.0, 140.0) / count - mean * mean
            doc = "Variance"
        case "ratio":
            assert squares is not None
            result = total / bounded(squares, 0.5 * draws, 2.0 * draws)
            doc = "Ratio to a second variable"
            if mass is not None:
                result = result + 0.01 * count
                doc += ", plus a hundredth of the weights,"
        case "above":
            assert level is not None
            result, doc = total / count, f"Share above {told(level)}"
        case _:
            result = total / count
            doc = "Mean" if what == "mean" else f"Mean of values between -0.6 and {cut}"
    source = "a sample that all threads share" if shared else "the thread's own sample"
    finish(k, "statistic", result, f"{doc} of {draws} values drawn with replacement from {source}")


def sample_distribution(k: Builder) -> None:
    """Discrete choices: from a table of weights, by inversion, alias, or a race."""
    state = _start(k, 1, 2)
    choices = k.rng.pick(4, 5, 6, 8)
    k.sizes["choices"] = str(choices)
    own = k.rng.chance(0.4)
    shape = [*k.shape, "choices"] if own else ["choices"]
    weights = k.array(k.rng.pick("weights", "odds"), F32, shape, uniform(0.1, 1.0))
    values = k.array("values", F32, ["choices"], uniform(-1.0, 1.0)) if k.rng.chance(0.5) else None

    def weight(c: Expr) -> Expr:
        return weights[(*k.index, c)] if own else weights[c]

    way = k.rng.pick("inversion", "race", "reservoir", "alias", "thinning")
    chosen = k.var("chosen", 0, type=I32, bounds=(0, choices - 1))
    if way == "inversion":
        total = k.var("total", 0.0)
        with k.loop("c", 0, choices) as c:
            k.add(total, weight(c))
        rest = k.var(
            "rest", _uniform(state) * bounded(total, 0.1 * choices, float(choices)), bounds=(-9.0, 9.0)
        )
        if k.rng.chance(0.5):
            with k.loop("d", 0, choices) as c:
                k.set(rest, bounded(rest - weight(c), -9.0, 9.0))
                k.set(chosen, c)
                with k.when(rest < 0.0):
                    k.jump("break")
        else:
            with k.repeat((rest > 0.0) & (chosen < choices - 1), choices):
                k.set(rest, bounded(rest - weight(chosen), -9.0, 9.0))
                with k.when(rest > 0.0):
                    k.set(chosen, bounded(chosen + 1, 0, choices - 1))
        title = "by inversion"
    elif way == "race":
        best = k.var("earliest", 1000.0)
        with k.loop("c", 0, choices) as c:
            time = k.let("time", -ops.log(1.0 - _uniform(state)) / weight(c))
            with k.when(time < best):
                k.set(best, time)
                k.set(chosen, c)
        title = "by a race of exponential clocks"
    elif way == "reservoir":
        total = k.var("seen", 0.0)
        with k.loop("c", 0, choices) as c:
            w = k.let("w", weight(c))
            k.add(total, w)
            with k.when(_uniform(state) * total < w):
                k.set(chosen, c)
        title = "in one pass"
    elif way == "alias":
        alias = k.array("alias", I32, ["choices"], whole(0, choices - 1))
        column = k.let("column", random_number("randi", state, 0, choices))
        k.set(chosen, ops.where(_uniform(state) < weight(column), column, alias[column]))
        title = "from an alias table"
    else:
        tries = k.rng.pick(4, 6, 8)
        with k.loop("trial", 0, tries):
            k.set(chosen, random_number("randi", state, 0, choices))
            with k.when(_uniform(state) < weight(chosen)):
                k.jump("break")
        title = f"by rejection within {tries} tries"
    counted = k.rng.chance(0.5)
    if counted:
        counts = k.array("counts", I32, ["choices"], {"constant": 0}, "inout")
        k.atomic(k.rng.pick("add", "+="), counts, chosen, 1)
        k.notes.append("All threads together count the choices")
    doc = f"A choice among {choices} by their {weights.parameter.name}, {title}"
    if values is not None:
        finish(k, "picked_value", values[chosen], f"{doc}; the value of the choice is given")
    else:
        finish(k, "choice", chosen, doc, counted=not counted)


def anneal(k: Builder) -> None:
    """A thread for each chain: Metropolis steps of a continuous variable, cooling or not."""
    state = _start(k, 1, 2)
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
        with k.when(_uniform(state) < ops.exp(bounded(-beta * ops.max(rise, 0.0), -60.0, 0.0))):
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
