"""Programs of several launches: smoothing back and forth, sums in stages, count and scan, branches."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.curves import curve
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.grids import threads
from weft.kernels.holes import BOUNDARIES, boundary, neighbor, term
from weft.kernels.launches import Part, finish, kernel, shared
from weft.kernels.program import Expr, Parallel, Parameter, Repeated, Step, Zeroed
from weft.kernels.results import describe
from weft.kernels.types import F32, I32
from weft.kernels.words import article, told

REVISION = 1
TEACHES = "programs of several launches: ping-pong, stages, branches, and host steps between them"


def _line(part: Part, *names: str) -> Expr:
    """One thread for each element of a line."""
    k = part.k
    threads(k, 1, every=True, name=k.rng.pick(*(names or ("i", "cell", "item"))))
    return k.index[0]


def _count(part: Part) -> Expr:
    """The number of elements of a line, as a parameter."""
    return part.k.size("count", "n")


def _ending(k: Builder, field: Parameter) -> list[Step]:
    """What is learnt from a field at the end, in one or two more launches; perhaps nothing."""
    what = k.rng.pick("nothing", "count", "extremes", "levels", "sign", "pairs")
    if what == "nothing":
        return []
    if what == "count":
        total = shared(k, k.rng.pick("number_above", "crossings"), I32, ["1"], None, "out")

        def count(part: Part) -> None:
            i = _line(part)
            values = part.use("values", field)
            level = coefficient(part.k, "level", -0.2, 0.2, kinds="lp")
            both = part.k.rng.chance(0.5)
            here = part.k.let("here", values[i])
            test = here > level
            if both:
                test = test & (values[(i + 1) % _count(part)] <= level)
            with part.k.when(test):
                handle = part.use("total", total, "inout", {"constant": 0})
                part.k.atomic("add", handle, 0, 1)
            describe(part.k, f"How many values {'fall through' if both else 'lie above'} {told(level)}")

        return [Zeroed(total.name), kernel(k, "count_values", count)()]
    if what == "extremes":
        top = shared(k, k.rng.pick("largest", "peak"), k.real, ["1"], {"constant": -100.0}, "inout")

        def extreme(part: Part) -> None:
            i = _line(part)
            values = part.use("values", field)
            best = part.use("best", top, "inout", {"constant": -100.0})
            value, word = term(part.k, values[i], "values", simple=True, strict=True)
            part.k.atomic("max", best, 0, value)
            describe(part.k, f"Largest of the {word.rstrip(',')}")

        return [kernel(k, "find_largest", extreme)()]
    out = shared(k, k.rng.pick("summary", "observed", "shown"), k.real, ["n"], None, "out")

    def observe(part: Part) -> None:
        i = _line(part)
        values = part.use("values", field)
        if what == "levels":
            steps = float(part.k.rng.pick(4, 8, 16))
            value, doc = ops.floor(values[i] * steps) / steps, f"Values in steps of 1/{steps:.0f}"
        elif what == "pairs":
            value, doc = (
                values[(i + 1) % _count(part)] - values[i],
                "Differences between neighbors, around the end",
            )
        else:
            shaped, word = curve(part.k, values[i])
            value, doc = shaped, f"Values through {article(word)}"
        part.k.store(part.use("out", out, "out"), i, value)
        describe(part.k, doc)

    return [kernel(k, "observe", observe)()]


def ping_pong(k: Builder) -> None:
    """A field is smoothed or advanced back and forth between two arrays."""
    u = shared(k, k.rng.pick("u", "field", "temperature"), k.real, ["n"], uniform(-1.0, 1.0), "inout")
    v = shared(k, k.rng.pick("v", "scratch", "next_field"), k.real, ["n"], None, "out")
    how = k.rng.pick("smooth", "advect", "react", "median", "source", "smooth")

    def step(part: Part) -> None:
        b = part.k
        i = _line(part)
        before, after = part.use("before", u), part.use("after", v, "out")
        rate = coefficient(b, k.rng.pick("rate", "weight", "speed"), 0.1, 0.45, kinds="lp")
        edge = b.rng.pick("clamped", "periodic", "mirrored") if how == "advect" else boundary(b)
        radius = b.rng.pick(1, 1, 2)
        here = b.let("here", before[i])
        total = b.var("total", 0.0)
        if how == "advect":
            neighbor(b, edge, i - radius, _count(part), radius, lambda j: b.add(total, before[j]))
            value = here - rate * (here - total)
        else:
            for offset in (-radius, radius):
                neighbor(
                    b,
                    edge,
                    i + offset,
                    _count(part),
                    radius,
                    lambda j: b.add(total, before[j]),
                    "left" if offset < 0 else "right",
                )
            value = here + rate * (0.5 * total - here)
        if how == "react":
            shaped, word = curve(b, here)
            value = value + 0.1 * shaped
            b.notes.append(f"A tenth of {article(word)} of the value is added")
        elif how == "median":
            value = ops.clamp(value, -0.8, 0.8)
            b.notes.append("Values stay between -0.8 and 0.8")
        elif how == "source":
            sources = b.array("sources", b.real, ["n"], uniform(-0.1, 0.1))
            value = value + sources[i]
            b.notes.append("Each place has a source")
        b.store(after, i, value)
        names = {"advect": "An upwind step", "median": "A limited smoothing step"}
        name = names.get(how, "A smoothing step")
        describe(b, f"{name} by {told(rate)} with places {radius} away, {BOUNDARIES[edge]}")

    launch = kernel(k, k.rng.pick("smooth", "advance", "relax"), step)
    back = launch(before=v, after=u)
    steps: list[Step] = (
        [Repeated(k.rng.pick(2, 3, 4), [launch(), back])] if k.rng.chance(0.75) else [launch(), back]
    )
    finish(k, "A field goes back and forth between two arrays", *steps, *_ending(k, u))


def sum_in_stages(k: Builder) -> None:
    """Partial sums, their total, and what is made of it."""
    chunk = k.rng.pick(4, 8, 16)
    exact = k.rng.chance(0.5)
    values = {"integers": [-4, 6]} if exact else uniform(-1.0, 1.0)
    data = shared(k, k.rng.pick("values", "charges", "samples"), k.real, [f"{chunk} * n"], values)
    partial = shared(k, k.rng.pick("partials", "chunk_sums"), k.real, ["n"], None, "out")
    how = k.rng.pick("tree", "serial", "serial", "atomic") if exact else k.rng.pick("tree", "serial")

    def first(part: Part) -> None:
        b = part.k
        i = _line(part, "chunk", "group", "i")
        source, out = part.use("source", data), part.use("out", partial, "out")
        total = b.var("total", 0.0)
        spread = b.rng.chance(0.4)
        with b.loop("j", 0, chunk) as j:
            place = i * chunk + j
            if spread:
                bounds = place.interval
                place = j * _count(part) + i
                place.interval = bounds
            x = b.let("x", source[place])
            if how == "atomic":
                wholes = (
                    (x, "values"),
                    (x * x, "squares"),
                    (ops.abs(x), "magnitudes"),
                    (ops.max(x, 0.0), "positive parts"),
                )
                value, word = b.rng.pick(*wholes)
            else:
                value, word = term(b, x, "values", simple=True)
            b.add(total, value)
        b.store(out, i, total)
        describe(b, f"Sums of {chunk} {word.rstrip(',')} each")

    stages: list[Step] = [kernel(k, "sum_chunks", first)()]
    result = shared(
        k, k.rng.pick("total", "results"), k.real, ["1"] if how == "atomic" else ["(n + 7) // 8"], None, "out"
    )
    if how == "atomic":

        def second(part: Part) -> None:
            b = part.k
            i = _line(part)
            source = part.use("source", partial, "in", {"integers": [-64, 577]})
            handle = part.use("total", result, "inout", {"constant": 0.0})
            with b.when(source[i] > b.rng.integer(-3, 6)):
                b.atomic("add", handle, 0, ops.min(source[i], 100.0))
            describe(b, "Sum of the larger partial sums")

        stages += [Zeroed(result.name), kernel(k, "add_up", second)()]
    else:

        def second(part: Part) -> None:
            b = part.k
            b.threads(["(n + 7) // 8"], [b.rng.pick("group", "block")])
            group, count = b.index[0], b.size("count", "n")
            source, out = part.use("source", partial), part.use("out", result, "out")
            total = b.var("total", 0.0)
            with b.loop("j", group * 8, ops.min(count, group * 8 + 8)) as j:
                value: Expr = source[j]
                if how == "tree":
                    value = ops.abs(value) if b.rng.chance(0.4) else value * value
                b.add(total, value)
            b.store(out, group, total)
            describe(
                b, f"Sums of up to eight partial sums{', squared or without signs' if how == 'tree' else ''}"
            )

        stages.append(kernel(k, "sum_groups", second)())
    if k.rng.chance(0.6) and how != "atomic":
        shares = shared(k, "shares", k.real, ["n"], None, "out")

        def third(part: Part) -> None:
            b = part.k
            i = _line(part)
            pieces, sums = part.use("pieces", partial), part.use("sums", result)
            place = i // 8
            place.interval = b.axis("place", "(n + 7) // 8").interval
            total = b.let("total", ops.abs(sums[place]))
            value = pieces[i] / (coefficient(b, "floor", 0.5, 2.0, kinds="lp") + total)
            b.store(part.use("shares_out", shares, "out"), i, value)
            describe(b, "Partial sums over those of their group, damped")

        stages.append(kernel(k, "share_out", third)())
    finish(k, "Sums in stages", *stages)


def count_and_place(k: Builder) -> None:
    """Counts by bin, their prefix sums, and where each element's bin begins."""
    bins = k.rng.pick(8, 10, 16, 32)
    integer = k.rng.chance(0.5)
    keys = shared(
        k,
        k.rng.pick("keys", "cells", "labels"),
        I32 if integer else F32,
        ["n"],
        {"integers": [0, bins]} if integer else uniform(0.0, 1.0),
    )
    counts = shared(k, "counts", I32, [str(bins)], None, "out")
    starts = shared(k, k.rng.pick("starts", "offsets"), I32, [str(bins)], None, "out")
    places = shared(k, k.rng.pick("places", "first_slots"), I32, ["n"], None, "out")

    def bin_of(b: Builder, value: Expr) -> Expr:
        return b.let("bin_index", value if integer else ops.min(convert(I32, value * float(bins)), bins - 1))

    weights = shared(k, "sizes", I32, ["n"], {"integers": [1, 6]}) if k.rng.chance(0.4) else None

    def count(part: Part) -> None:
        b = part.k
        i = _line(part)
        source, table = part.use("source", keys), part.use("table", counts, "inout", {"constant": 0})
        amount: Expr | int = 1 if weights is None else part.use("amounts", weights)[i]
        place = bin_of(b, source[i])
        if b.rng.chance(0.3):
            with b.when(place > 0):
                b.atomic("add", table, place, amount)
            b.notes.append("The first bin stays empty")
        else:
            b.atomic(b.rng.pick("add", "+="), table, place, amount)
        describe(b, f"Counts in {bins} bins{', weighted by size' if weights is not None else ''}")

    inclusive, parallel = k.rng.chance(0.3), k.rng.chance(0.5)

    def scan(part: Part) -> None:
        b = part.k
        source, out = (
            part.use("source", counts, "in", {"integers": [0, 500_000]}),
            part.use("out", starts, "out"),
        )
        if parallel:
            b.threads([str(bins)], ["bin_index"])
            i = b.index[0]
            total = b.var("total", 0, type=I32)
            with b.loop("j", 0, i + 1 if inclusive else bins) as j:
                if inclusive:
                    b.add(total, source[j])
                else:
                    with b.when(j < i):
                        b.add(total, source[j])
            b.store(out, i, total)
        else:
            b.threads(["1"], ["thread"])
            total = b.var("total", 0, type=I32)
            with b.loop("j", 0, bins) as j:
                if inclusive:
                    b.add(total, source[j])
                b.store(out, b.index[0] * bins + j, total)
                if not inclusive:
                    b.add(total, source[j])
        scope, by = "Inclusive" if inclusive else "Exclusive", "a thread a bin" if parallel else "one thread"
        describe(b, f"{scope} prefix sums of the counts, by {by}")

    def place(part: Part) -> None:
        b = part.k
        i = _line(part)
        source, table = part.use("source", keys), part.use("table", starts, "in", {"integers": [0, 500_000]})
        mine = bin_of(b, source[i])
        value: Expr = table[mine]
        doc = (
            "Where the bin of each element begins" if not inclusive else "Where the bin of each element ends"
        )
        if b.rng.chance(0.5):
            fill = part.use("filled", counts, "in", {"integers": [0, 500_000]})
            value = value + fill[mine] if b.rng.chance(0.5) else ops.max(value, fill[mine])
            doc += ", set against how full it is"
        b.store(part.use("out", places, "out"), i, value)
        describe(b, doc)

    steps = [
        kernel(k, "count_bins", count)(),
        kernel(k, "scan_bins", scan)(),
        kernel(k, "find_places", place)(),
    ]
    finish(k, "Count, scan, place", Zeroed(counts.name), *steps)


def group_normalise(k: Builder) -> None:
    """Totals of groups are gathered, then every element is set against its group's."""
    k.real = F32
    k.sizes["groups"] = k.rng.pick("(n + 7) // 8", "12", "max(n // 5, 1)")
    data = shared(k, k.rng.pick("masses", "votes", "incomes"), F32, ["n"], {"integers": [1, 9]})
    ids = shared(k, "group_ids", I32, ["n"], {"integers": [0, "groups"]})
    totals = shared(k, "group_totals", F32, ["groups"], None, "out")
    shares = shared(k, k.rng.pick("shares", "normalized"), F32, ["n"], None, "out")
    squares = k.rng.chance(0.4)
    members = shared(k, "members", F32, ["groups"], None, "out") if k.rng.chance(0.5) else None

    def gather(part: Part) -> None:
        b = part.k
        i = _line(part)
        values, groups = part.use("values", data), part.use("groups_of", ids)
        sums = part.use("sums", totals, "inout", {"constant": 0.0})
        x = b.let("x", values[i])
        group = b.let("group", groups[i])
        b.atomic(b.rng.pick("add", "+="), sums, group, x * x if squares else x)
        if members is not None:
            b.atomic("add", part.use("sizes_out", members, "inout", {"constant": 0.0}), group, lift(1.0, F32))
        describe(b, f"Totals of the {'squares of the ' if squares else ''}values of each group")

    def divide(part: Part) -> None:
        b = part.k
        i = _line(part)
        values, groups = part.use("values", data), part.use("groups_of", ids)
        sums = part.use("sums", totals, "in", uniform(0.0, 1e5))
        group = b.let("group", groups[i])
        norm: Expr = sums[group]
        doc = "Each value over the total of its group, damped"
        if members is not None:
            norm = norm / (1.0 + part.use("sizes_in", members, "in", uniform(0.0, 1e5))[group])
            doc = "Each value over the mean of its group, damped"
        if squares:
            norm = ops.sqrt(norm)
            doc = doc.replace("the ", "the root of the ", 1)
        floor = coefficient(b, "floor", 0.5, 2.0, kinds="lp")
        value = values[i] / (floor + norm)
        if b.rng.chance(0.4):
            value, word = term(b, b.let("share", bounded(value, 0.0, 18.0)), "shares", simple=True)
            doc = f"{doc}; the {word.rstrip(',')}"
        b.store(part.use("out", shares, "out"), i, value)
        describe(b, doc)

    steps: list[Step] = [Zeroed(totals.name)]
    if members is not None:
        steps.append(Zeroed(members.name))
    finish(
        k,
        "Totals by group, then shares",
        *steps,
        kernel(k, "gather_totals", gather)(),
        kernel(k, "set_against", divide)(),
        *_ending(k, shares),
    )


def rescale(k: Builder) -> None:
    """Extremes of all values, then the values between them."""
    data = shared(k, k.rng.pick("heights", "values", "readings"), k.real, ["n"], uniform(-1.0, 1.0))
    low = shared(k, "lowest", k.real, ["1"], {"constant": 50.0}, "inout")
    high = shared(k, "highest", k.real, ["1"], {"constant": -50.0}, "inout")
    out = shared(k, k.rng.pick("rescaled", "stretched"), k.real, ["n"], None, "out")
    apart = k.rng.chance(0.4)
    factor = k.rng.pick(1.0, 1.0, 2.0, 0.5)

    def search(which: str, part: Part) -> None:
        b = part.k
        i = _line(part)
        values = part.use("values", data)
        x: Expr = values[i] if factor == 1.0 else factor * values[i]
        x = b.let("x", x) if which == "both" or b.rng.chance(0.4) else x
        if which != "max":
            b.atomic("min", part.use("lowest_out", low, "inout"), 0, x)
        if which != "min":
            b.atomic("max", part.use("highest_out", high, "inout"), 0, x)
        what = {"min": "Smallest", "max": "Largest", "both": "Smallest and largest"}[which]
        describe(b, f"{what} of all values" + (f", times {factor}" if factor != 1.0 else ""))

    def stretch(part: Part) -> None:
        b = part.k
        i = _line(part)
        values = part.use("values", data)
        bottom = b.let("bottom", part.use("lowest_in", low, "in", uniform(-2.0, 2.0))[0])
        top = part.use("highest_in", high, "in", uniform(-2.0, 2.0))[0]
        width = b.let("width", bounded(top - bottom, 0.0, 4.0) + b.rng.number(0.1, 0.5))
        x: Expr = values[i] if factor == 1.0 else factor * values[i]
        share = b.let("share", bounded((x - bottom) / width, 0.0, 1.0))
        how = b.rng.pick("plain", "gamma", "levels", "smooth", "curve")
        value: Expr = share
        doc = "Each value's place between the extremes"
        if how == "gamma":
            value, doc = ops.sqrt(share), "Root of each value's place between the extremes"
        elif how == "levels":
            steps = float(b.rng.pick(4, 8, 16))
            value, doc = (
                ops.floor(share * steps) / steps,
                f"Each value's place between the extremes in steps of 1/{steps:.0f}",
            )
        elif how == "smooth":
            value, doc = share * share * (3.0 - 2.0 * share), "Each value's place between the extremes, eased"
        elif how == "curve":
            shaped, word = curve(b, share)
            value, doc = shaped, f"Each value's place between the extremes, through {article(word)}"
        b.store(part.use("out", out, "out"), i, value)
        describe(b, doc)

    if apart:
        branches: list[list[Step]] = [
            [kernel(k, "find_lowest", lambda part: search("min", part))()],
            [kernel(k, "find_highest", lambda part: search("max", part))()],
        ]
        found: list[Step] = (
            [Parallel(branches)] if k.rng.chance(0.6) else [one for branch in branches for one in branch]
        )
    else:
        found = [kernel(k, "find_extremes", lambda part: search("both", part))()]
    finish(
        k, "Extremes, then what lies between them", *found, kernel(k, "stretch", stretch)(), *_ending(k, out)
    )


def staggered(k: Builder) -> None:
    """Two fields on staggered places drive each other: red and black, or velocity and pressure."""
    a = shared(k, k.rng.pick("red", "pressure", "electric"), k.real, ["n"], uniform(-1.0, 1.0), "inout")
    c = shared(k, k.rng.pick("black", "velocity", "magnetic"), k.real, ["n"], uniform(-1.0, 1.0), "inout")
    relax = k.rng.chance(0.5)

    def half(part: Part, ahead: bool) -> None:
        b = part.k
        i = _line(part)
        own = part.use("own", c if ahead else a, "inout")
        other = part.use("other", a if ahead else c)
        rate = coefficient(b, "rate" if relax else "courant", 0.1, 0.5, kinds="lp")
        edge = b.rng.pick("clamped", "periodic", "mirrored")
        far = b.var("far", 0.0)
        neighbor(b, edge, i + 1 if ahead else i - 1, _count(part), 1, lambda j: b.set(far, other[j]))
        near = b.let("near", other[i])
        if relax:
            goal = b.let("goal", 0.5 * (near + far))
            value = k.rng.pick(own[i] + rate * (goal - own[i]), ops.lerp(own[i], goal, rate))
            doc = f"Half of the places move towards the mean of their neighbors, by {told(rate)}"
        else:
            value = own[i] - rate * (far - near if ahead else near - far)
            doc = f"One field is driven by the differences of the other, by {told(rate)}"
        if b.rng.chance(0.3):
            loss = coefficient(b, "loss", 0.8, 0.98, kinds="lp")
            value = loss * value
            b.notes.append(f"It fades by {told(loss)}")
        b.store(own, i, value)
        describe(b, f"{doc}, {BOUNDARIES[edge]}")

    first = kernel(k, k.rng.pick("update_first", "red_step"), lambda part: half(part, False))
    second = kernel(k, k.rng.pick("update_second", "black_step"), lambda part: half(part, True))
    finish(
        k, "Two fields drive each other", Repeated(k.rng.pick(2, 3, 4), [first(), second()]), *_ending(k, a)
    )


def particle_steps(k: Builder) -> None:
    """Forces, then motion, several times."""
    x = shared(k, k.rng.pick("positions", "angles"), k.real, ["n"], uniform(-1.0, 1.0), "inout")
    v = shared(k, "velocities", k.real, ["n"], uniform(-0.5, 0.5), "inout")
    f = shared(k, k.rng.pick("forces", "accelerations"), k.real, ["n"], None, "out")

    def push(part: Part) -> None:
        b = part.k
        i = _line(part, "particle", "p", "i")
        places, out = part.use("places", x), part.use("out", f, "out")
        here = b.let("here", places[i])
        stiff = coefficient(b, "stiffness", 0.2, 1.5, kinds="lp")
        how = b.rng.pick("chain", "well", "pairs", "pendulum")
        total = b.var("total", lift(0.0, b.real))
        if how == "chain":
            edge = boundary(b)
            for offset, name in ((-1, "left"), (1, "right")):
                neighbor(
                    b,
                    edge,
                    i + offset,
                    _count(part),
                    1,
                    lambda j: b.add(total, stiff * (places[j] - here)),
                    name,
                )
            doc = f"Springs to both neighbors, {BOUNDARIES[edge]}"
        elif how == "pairs":
            links = b.array("partners", I32, ["n", "3"], {"integers": [0, "n"]})
            with b.loop("m", 0, 3) as m:
                gap = b.let("gap", places[links[i, m]] - here)
                b.add(total, stiff * gap / (0.2 + gap * gap))
            doc = "Attraction to three partners"
        elif how == "pendulum":
            b.set(total, -(stiff * ops.sin(here)))
            doc = "Forces of a pendulum"
        else:
            shaped, word = curve(b, here)
            b.set(total, -(stiff * shaped))
            doc = f"Forces towards the middle, through {article(word)}"
        b.store(out, i, total)
        describe(b, doc)

    def move(part: Part) -> None:
        b = part.k
        i = _line(part, "particle", "p", "i")
        places, speeds, forces = (
            part.use("places", x, "inout"),
            part.use("speeds", v, "inout"),
            part.use("forces_in", f),
        )
        dt = coefficient(b, "dt", 0.01, 0.1, kinds="lp")
        damping = coefficient(b, "damping", 0.9, 0.99, kinds="lp") if b.rng.chance(0.5) else None
        speed: Expr = speeds[i] + dt * forces[i]
        speed = b.let("speed", damping * speed if damping is not None else speed)
        b.store(speeds, i, speed)
        place = places[i] + dt * speed
        walls = b.rng.chance(0.4)
        b.store(places, i, ops.clamp(place, -1.5, 1.5) if walls else place)
        describe(
            b,
            f"A step of {told(dt)}"
            + (", between walls" if walls else "")
            + (f", damped by {told(damping)}" if damping is not None else ""),
        )

    body: list[Step] = [
        kernel(k, k.rng.pick("compute_forces", "push"), push)(),
        kernel(k, k.rng.pick("integrate", "move"), move)(),
    ]
    finish(k, "Forces and motion", Repeated(k.rng.pick(2, 3, 5), body), *_ending(k, x))


def branches_that_join(k: Builder) -> None:
    """Two features of the same data on branches of their own, then one result of both."""
    data = shared(k, k.rng.pick("signal", "image_row", "trace"), k.real, ["n"], uniform(-1.0, 1.0))
    results = [
        shared(k, name, k.real, ["n"], None, "out")
        for name in k.rng.pick(("smooth", "sharp"), ("mean", "spread"), ("low", "high"))
    ]
    joined = shared(k, k.rng.pick("joined", "features"), k.real, ["n"], None, "out")

    def feature(part: Part, target: Parameter) -> None:
        b = part.k
        i = _line(part)
        values, out = part.use("values", data), part.use("out", target, "out")
        how = b.rng.pick("window", "difference", "curve", "largest", "far")
        edge = boundary(b)
        total = b.var("total", 0.0)
        radius = b.rng.pick(1, 2, 3)
        if how in ("window", "largest"):
            with b.loop("d", -radius, radius + 1) as d:
                neighbor(
                    b,
                    edge,
                    i + d,
                    _count(part),
                    radius,
                    lambda j: (
                        b.add(total, values[j])
                        if how == "window"
                        else b.set(total, ops.max(total, values[j]))
                    ),
                )
            value: Expr = total / float(2 * radius + 1) if how == "window" else total
            noun = "Mean" if how == "window" else "Largest, at least 0,"
            doc = f"{noun} over {2 * radius + 1} places, {BOUNDARIES[edge]}"
        elif how == "curve":
            b.set(total, values[i])
            value, word = term(b, b.let("x", values[i]), "values", simple=False)
            value, doc = value + 0.1 * total, f"The {word.rstrip(',')}, plus a tenth of the values"
        else:
            neighbor(b, edge, i + radius, _count(part), radius, lambda j: b.set(total, values[j]))
            value, doc = total - values[i], f"Differences to the value {radius} further, {BOUNDARIES[edge]}"
        b.store(out, i, value)
        describe(b, doc)

    def join(part: Part) -> None:
        b = part.k
        i = _line(part)
        first, second = (part.use(name, one) for name, one in zip(("first", "second"), results, strict=True))
        share = coefficient(b, "share", 0.2, 0.8, kinds="lp")
        x, y = b.let("x", first[i]), b.let("y", second[i])
        value, doc = b.rng.pick(
            (share * x + (1.0 - share) * y, "Mixture of both features"),
            (x * y + share, "Product of both features and an offset"),
            (ops.max(x, share * y), "Larger of the first and a part of the second"),
            (x / (share + ops.abs(y)), "First feature over the size of the second, damped"),
            (ops.sqrt(share + x * x + y * y), "Length of both features and an offset"),
        )
        b.store(part.use("out", joined, "out"), i, value)
        describe(b, doc)

    first = kernel(
        k, k.rng.pick("first_feature", f"make_{results[0].name}"), lambda part: feature(part, results[0])
    )
    second = kernel(
        k, k.rng.pick("second_feature", f"make_{results[1].name}"), lambda part: feature(part, results[1])
    )
    finish(
        k,
        "Two features, then both",
        Parallel([[first()], [second()]]),
        kernel(k, "join", join)(),
        *_ending(k, joined),
    )
