"""Areas, integrals, and samples of distributions."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops, random_number
from weft.kernels.idioms.monte_carlo.streams import loop_name, started, uniform_number
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import article, coefficient, curve, told, uniform, whole


def area_by_points(k: Builder) -> None:
    """Shares of random points that fall into a shape."""
    state = started(k, 1, 2)
    samples = k.rng.pick(8, 12, 16, 24, 32)
    flat = k.rng.chance(0.6)
    size = coefficient(k, k.rng.pick("radius", "size"), 0.5, 0.95)
    shape = k.rng.pick("ball", "ball", "diamond", "ring", "lens", "under", "corner")
    counting = k.rng.chance(0.5)
    inside = k.var("hits", 0, type=I32) if counting else k.var("inside", 0.0)
    weight = k.rng.chance(0.3) and not counting
    with k.loop(loop_name(k), 0, samples):
        if k.rng.chance(0.5):
            x, y = (k.let(one, random_number("randf", state, -1.0, 1.0)) for one in "xy")
            z = k.let("z", random_number("randf", state, -1.0, 1.0)) if not flat else None
            full = True
        else:
            x, y = (k.let(one, uniform_number(state)) for one in "xy")
            z = k.let("z", uniform_number(state)) if not flat else None
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
    finish(
        k, "estimate", value / (samples / scale), f"{what} of {doc} within a {where}, from {samples} points"
    )


def integrate(k: Builder) -> None:
    """Integrals by plain, stratified, antithetic, importance and control sampling."""
    state = started(k, 1, 2)
    samples = k.rng.pick(6, 8, 10, 16)
    way = k.rng.pick("plain", "stratified", "antithetic", "importance", "control", "lattice")
    end = coefficient(k, k.rng.pick("upper", "limit"), 0.5, 2.0)
    total = k.var("total", 0.0)
    squares = k.var("squares", 0.0) if way != "antithetic" and k.rng.chance(0.25) else None
    jitter = k.let("shift", uniform_number(state)) if way == "lattice" else None
    words: list[str] = []

    def sampled(x: Expr) -> Expr:
        value, word = curve(k, x)
        words.append(word)
        return value

    rate = k.rng.number(0.5, 1.5)
    with k.loop("s", 0, samples) as s:
        match way:
            case "stratified":
                u: Expr = k.let("u", (convert(F32, s) + uniform_number(state)) / float(samples))
            case "lattice":
                assert jitter is not None
                raw = jitter + convert(F32, s) * k.rng.pick(0.618, 0.4142)
                u = bounded(
                    k.let("u", raw - ops.floor(raw)) if k.rng.chance(0.4) else ops.frac(raw), 0.0, 1.0
                )
            case _:
                u = k.let("u", uniform_number(state))
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


def sample_distribution(k: Builder) -> None:
    """Discrete choices: from a table of weights, by inversion, alias, or a race."""
    state = started(k, 1, 2)
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
            "rest", uniform_number(state) * bounded(total, 0.1 * choices, float(choices)), bounds=(-9.0, 9.0)
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
            time = k.let("time", -ops.log(1.0 - uniform_number(state)) / weight(c))
            with k.when(time < best):
                k.set(best, time)
                k.set(chosen, c)
        title = "by a race of exponential clocks"
    elif way == "reservoir":
        total = k.var("seen", 0.0)
        with k.loop("c", 0, choices) as c:
            w = k.let("w", weight(c))
            k.add(total, w)
            with k.when(uniform_number(state) * total < w):
                k.set(chosen, c)
        title = "in one pass"
    elif way == "alias":
        alias = k.array("alias", I32, ["choices"], whole(0, choices - 1))
        column = k.let("column", random_number("randi", state, 0, choices))
        k.set(chosen, ops.where(uniform_number(state) < weight(column), column, alias[column]))
        title = "from an alias table"
    else:
        tries = k.rng.pick(4, 6, 8)
        with k.loop("trial", 0, tries):
            k.set(chosen, random_number("randi", state, 0, choices))
            with k.when(uniform_number(state) < weight(chosen)):
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
        finish(k, "choice", chosen, doc)
