"""Sums, counts and extremes that the next launch uses."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.curves import curve
from weft.kernels.expressions import bounded, lift, ops
from weft.kernels.holes import term
from weft.kernels.idioms.multi_launch.lines import closing_steps, line_count, on_line
from weft.kernels.idioms.multi_launch.openings import prepared
from weft.kernels.launched import Parallel, Step, Zeroed
from weft.kernels.launches import Part, finish, kernel, shared
from weft.kernels.program import Expr
from weft.kernels.results import describe
from weft.kernels.types import F32, I32
from weft.kernels.words import article


def sum_in_stages(k: Builder) -> None:
    """Partial sums, their total, and what is made of it."""
    chunk = k.rng.pick(4, 8, 16)
    exact = k.rng.chance(0.5)
    values = {"integers": [-4, 6]} if exact else uniform(-1.0, 1.0)
    data = shared(k, k.rng.pick("values", "charges", "samples"), k.real, [f"{chunk} * n"], values)
    start = prepared(k, data, *((-4, 5) if exact else (-1.0, 1.0)))
    weights = None
    if k.rng.chance(0.3):
        weights = shared(k, k.rng.pick("weights", "factors"), k.real, [str(chunk)], {"integers": [0, 3]})
    order = k.rng.pick("along", "along", "spread", "backwards")
    partial = shared(k, k.rng.pick("partials", "chunk_sums"), k.real, ["n"], None, "out")
    how = k.rng.pick("tree", "serial", "serial", "atomic") if exact else k.rng.pick("tree", "serial")

    def first(part: Part) -> None:
        b = part.k
        i = on_line(part, "chunk", "group", "i")
        source, out = start.read(part, "source"), part.use("out", partial, "out")
        total = b.var("total", 0.0)
        factors = None if weights is None else part.use("factors_in", weights)
        skipped = b.rng.chance(0.25)
        with b.loop("j", 0, chunk) as j:
            bounds = (i * chunk + j).interval
            match order:
                case "spread":
                    place = j * line_count(part) + i
                case "backwards":
                    place = (i + 1) * chunk - 1 - j
                case _:
                    place = i * chunk + j
            place.interval = bounds
            value_here: Expr = source[place]
            if factors is not None:
                value_here = value_here * factors[j]
            x = b.let("x", value_here)
            if skipped:
                with b.when(x < (0.0 if not exact else -2.0)):
                    b.jump("continue")
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
        weighted = ", weighted" if weights is not None else ""
        left_out = ", low ones left out" if skipped else ""
        describe(b, f"Sums of {chunk} {word.rstrip(',')} each{weighted}{left_out}")

    stages: list[Step] = [*start.steps, kernel(k, "sum_chunks", first)()]
    result = shared(
        k, k.rng.pick("total", "results"), k.real, ["1"] if how == "atomic" else ["(n + 7) // 8"], None, "out"
    )
    if how == "atomic":

        def second(part: Part) -> None:
            b = part.k
            i = on_line(part)
            source = part.use("source", partial, "in", {"integers": [-192, 1729]})
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
            i = on_line(part)
            pieces, sums = part.use("pieces", partial), part.use("sums", result)
            place = i // 8
            place.interval = b.axis("place", "(n + 7) // 8").interval
            total = b.let("total", ops.abs(sums[place]))
            value = pieces[i] / (coefficient(b, "floor", 0.5, 2.0, kinds="lp") + total)
            b.store(part.use("shares_out", shares, "out"), i, value)
            describe(b, "Partial sums over those of their group, damped")

        stages.append(kernel(k, "share_out", third)())
        stages += closing_steps(k, shares)
    elif how != "atomic":
        stages += closing_steps(k, partial)
    finish(k, "Sums in stages", *stages)


def group_normalise(k: Builder) -> None:
    """Totals of groups are gathered, then every element is set against its group's."""
    k.real = F32
    k.sizes["groups"] = k.rng.pick("(n + 7) // 8", "12", "max(n // 5, 1)")
    data = shared(k, k.rng.pick("masses", "votes", "incomes"), F32, ["n"], {"integers": [1, 9]})
    start = prepared(k, data, 1, 8)
    ids = shared(k, "group_ids", I32, ["n"], {"integers": [0, "groups"]})
    totals = shared(k, "group_totals", F32, ["groups"], None, "out")
    shares = shared(k, k.rng.pick("shares", "normalized"), F32, ["n"], None, "out")
    squares = k.rng.chance(0.4)
    members = shared(k, "members", F32, ["groups"], None, "out") if k.rng.chance(0.5) else None

    def gather(part: Part) -> None:
        b = part.k
        i = on_line(part)
        values, groups = start.read(part, "values"), part.use("groups_of", ids)
        sums = part.use("sums", totals, "inout", {"constant": 0.0})
        x = b.let("x", values[i])
        group = b.let("group", groups[i])
        b.atomic(b.rng.pick("add", "+="), sums, group, x * x if squares else x)
        if members is not None:
            b.atomic("add", part.use("sizes_out", members, "inout", {"constant": 0.0}), group, lift(1.0, F32))
        describe(b, f"Totals of the {'squares of the ' if squares else ''}values of each group")

    def divide(part: Part) -> None:
        b = part.k
        i = on_line(part)
        values, groups = start.read(part, "values"), part.use("groups_of", ids)
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

    steps: list[Step] = [*start.steps, Zeroed(totals.name)]
    if members is not None:
        steps.append(Zeroed(members.name))
    finish(
        k,
        "Totals by group, then shares",
        *steps,
        kernel(k, "gather_totals", gather)(),
        kernel(k, "set_against", divide)(),
        *closing_steps(k, shares, (0.1, 0.3)),
    )


def rescale(k: Builder) -> None:
    """Extremes of all values, then the values between them."""
    data = shared(k, k.rng.pick("heights", "values", "readings"), k.real, ["n"], uniform(-1.0, 1.0))
    start = prepared(k, data, -1.0, 1.0)
    low = shared(k, "lowest", k.real, ["1"], {"constant": 50.0}, "inout")
    high = shared(k, "highest", k.real, ["1"], {"constant": -50.0}, "inout")
    out = shared(k, k.rng.pick("rescaled", "stretched"), k.real, ["n"], None, "out")
    apart = k.rng.chance(0.4)
    factor = k.rng.pick(1.0, 1.0, 2.0, 0.5)

    def search(which: str, part: Part) -> None:
        b = part.k
        i = on_line(part)
        values = start.read(part, "values")
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
        i = on_line(part)
        values = start.read(part, "values")
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
                ops.round(share * steps) / steps,
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
        k,
        "Extremes, then what lies between them",
        *start.steps,
        *found,
        kernel(k, "stretch", stretch)(),
        *closing_steps(k, out, (0.3, 0.6)),
    )
