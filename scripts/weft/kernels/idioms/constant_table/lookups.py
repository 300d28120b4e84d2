"""Constant tables that are indexed by data: curves, palettes, permutations, transitions."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, ops
from weft.kernels.holes import table
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import F32, I32, U32
from weft.kernels.vocabulary import coefficient, read, threads, told, uniform, whole
from weft.types import Vector


def lookup(k: Builder) -> None:
    """A tabulated function: nearest entry or linear between two."""
    threads(k)
    size = k.rng.pick(12, 16, 32, 64)
    entries = table(k, k.rng.pick("lut", "curve_table", "samples", "entries"), k.real, (size,), -1.0, 1.0)
    x = read(k, k.rng.pick("x", "coordinate", "phase", "depth"), 0.0, 1.0)
    how = k.rng.pick("nearest", "linear", "linear", "smooth", "periodic", "hermite")
    if how == "nearest":
        cell = k.let("cell", ops.min(convert(I32, x * float(size)), size - 1))
        value: Expr = entries[cell]
    else:
        steps = size if how == "periodic" else size - 1
        spot = k.let(k.rng.pick("spot", "u"), x * float(steps))
        low = ops.min(convert(I32, spot), steps - 1)
        cell = k.let("cell", ops.max(low, 1) if how == "hermite" else low)
        t = k.let("t", bounded(spot - convert(k.real, cell), -1.0, 1.0))
        following = (cell + 1) % size if how == "periodic" else cell + 1
        if how == "smooth":
            t = k.let("eased", t * t * (3.0 - 2.0 * t))
        before, after = k.let("before", entries[cell]), k.let("after", entries[following])
        if how == "hermite":
            slope = k.let("slope", 0.5 * (after - entries[cell - 1]))
            value = before + t * (slope + t * (after - before - slope))
        else:
            value = k.rng.pick(
                ops.lerp(before, after, t), before + t * (after - before), (1.0 - t) * before + t * after
            )
    words = {
        "nearest": "the nearest entry below", "smooth": "eased between entries",
        "periodic": "linear between entries, wrapping around", "hermite": "quadratic between entries",
    }  # fmt: skip
    result = value
    if k.rng.chance(0.4):
        gains = table(k, "gains", k.real, (k.rng.pick(2, 3, 4),), 0.5, 2.0)
        kinds = k.array(
            k.rng.pick("kinds", "channels"), I32, k.shape, {"integers": [0, int(gains.parameter.shape[0])]}
        )
        result = gains[kinds[k.index]] * k.let("value", value)
        k.notes.append("Each element is scaled by the gain of its kind")
    finish(
        k,
        "level",
        result,
        f"Function from a table of {size} entries, {words.get(how, 'linear between entries')}",
    )


def palette(k: Builder) -> None:
    """Colours by number."""
    k.real = F32
    threads(k)
    size, channels = k.rng.pick(8, 12, 16, 32), k.rng.pick(3, 3, 4)
    color = Vector(channels, F32)
    colors = table(k, k.rng.pick("palette", "colors", "color_table"), color, (size,), 0.0, 1.0)
    picked = k.rng.pick("number", "number", "level", "packed", "two", "escape")
    first: Expr
    if picked == "level":
        level = read(k, k.rng.pick("intensity", "height", "heat"), 0.0, 1.0, F32)
        first = colors[k.let("shade", ops.min(convert(I32, level * float(size)), size - 1))]
        word = "by level"
    elif picked == "packed":
        bits = {8: 3, 12: 3, 16: 4, 32: 5}[size]
        pixel = k.let("pixel", k.array("pixels", U32, k.shape, whole(0, 65535))[k.index])
        shift = k.rng.pick(0, 3, 4, 8)
        part = pixel >> shift if shift else pixel
        first = colors[k.let("number", convert(I32, part & ((1 << bits) - 1)))]
        word = f"by {bits} bits of a pixel"
    elif picked == "escape":
        steps = k.let("steps", k.array("steps", I32, k.shape, whole(0, 200))[k.index])
        first = colors[steps % size]
        word = "by the remainder of a count"
    else:
        numbers = k.array(k.rng.pick("indices", "labels", "codes"), I32, k.shape, {"integers": [0, size]})
        first = colors[k.let("number", numbers[k.index])]
        word = "by number"
    value = k.let("color", first)
    if picked == "two":
        other = k.array("other_indices", I32, k.shape, {"integers": [0, size]})
        share = read(k, "mix", 0.0, 1.0, F32, array="mixes")
        value = k.let("mixed", (1.0 - share) * value + share * colors[other[k.index]])
        word = "by number, two mixed"
    match k.rng.below(6):
        case 0:
            value = k.let("shaded", value * read(k, "light", 0.1, 1.0, F32))
            k.notes.append("Each color is dimmed by its light")
        case 1:
            tint = k.scalar("tint", color, uniform(0.2, 1.0))
            value = k.let("tinted", ops.cw_mul(value, tint))
            k.notes.append("All colors are tinted")
        case 2:
            back = k.array("background", color, k.shape, uniform(0.0, 1.0))[k.index]
            alpha = coefficient(k, "alpha", 0.2, 0.8)
            value = k.let("blended", alpha * value + (1.0 - alpha) * back)
            k.notes.append(f"The background shows through, by 1 - {told(alpha)}")
        case 3:
            gamma = coefficient(k, "contrast", 0.5, 0.95)
            value = k.let(
                "corrected", construct(color, *[ops.sqrt(value[c]) * gamma for c in range(channels)])
            )
            k.notes.append("The channels get their square roots, scaled")
        case _:
            pass
    kind = k.rng.pick("color", "color", "luminance", "largest", "channel")
    if kind == "color":
        finish(k, "pixel_color", value, f"Colors of a palette of {size}, {word}")
    elif kind == "luminance":
        weights = table(k, "luma", color, (1,), 0.1, 0.5)[0]
        finish(
            k, "luminance", ops.dot(value, weights), f"Luminance of the colors of a palette of {size}, {word}"
        )
    elif kind == "largest":
        top = ops.max(ops.max(value[0], value[1]), value[2])
        finish(k, "brightness", top, f"Brightest of the first three channels of a palette of {size}, {word}")
    else:
        chosen = k.rng.below(channels)
        finish(
            k,
            "channel_value",
            value[chosen],
            f"Channel {chosen} of the colors of a palette of {size}, {word}",
        )


def permutation_noise(k: Builder) -> None:
    """Lattice noise by a permutation table and a table of values."""
    rank = k.rng.pick(1, 2, 2)
    threads(k, rank)
    size = k.rng.pick(16, 32, 64)
    order = k.array(
        k.rng.pick("permutation", "hashes"), I32, [str(size)], {"permutation": str(size)}, memory="constant"
    )
    levels = table(k, k.rng.pick("lattice_values", "gradients", "levels"), k.real, (size,), -1.0, 1.0)
    cells, parts = _lattice_place(k, rank)

    def hashed(b: Builder, *cell: Expr) -> Expr:
        place: Expr = order_in(b, cell[0])
        for one in cell[1:]:
            place = order_in(b, place + one)
        return place

    def order_in(b: Builder, value: Expr) -> Expr:
        return order[value & (size - 1)]

    corners: list[Expr] = []
    for dy in range(2 if rank == 2 else 1):
        for dx in range(2):
            cell = [
                cells[0] + dx if dx else cells[0],
                *([cells[1] + dy if dy else cells[1]] if rank == 2 else []),
            ]
            corners.append(k.let(f"v{dx}{dy}" if rank == 2 else f"v{dx}", levels[hashed(k, *cell)]))
    ease = k.rng.pick("linear", "cubic", "quintic")
    eased: list[Expr] = []
    for name, t in zip("xy", parts, strict=False):
        if ease == "cubic":
            eased.append(k.let(f"s{name}", t * t * (3.0 - 2.0 * t)))
        elif ease == "quintic":
            eased.append(k.let(f"s{name}", t * t * t * (t * (t * 6.0 - 15.0) + 10.0)))
        else:
            eased.append(t)
    value: Expr = ops.lerp(corners[0], corners[1], bounded(eased[0], 0.0, 1.0))
    if rank == 2:
        value = k.let("lower", value)
        upper = k.let("upper", ops.lerp(corners[2], corners[3], bounded(eased[0], 0.0, 1.0)))
        value = ops.lerp(value, upper, bounded(eased[1], 0.0, 1.0))
    if k.rng.chance(0.5):
        value = k.rng.pick(ops.abs(value), 0.5 + 0.5 * value, value * value)
    finish(k, k.rng.pick("noise", "height", "density"), value,
           f"{ease.capitalize()} value noise in {('one dimension', 'two dimensions')[rank - 1]}")  # fmt: skip


def _lattice_place(k: Builder, rank: int) -> tuple[list[Expr], list[Expr]]:
    """The cell of a lattice in which a thread is, and its place there from 0 to 1, along each axis.

    Of indices both are found in integers: an index of many digits times a frequency has few digits left for
    the place.
    """
    cells: list[Expr] = []
    parts: list[Expr] = []
    if k.rng.chance(0.35):
        step = coefficient(k, k.rng.pick("frequency", "zoom"), 0.1, 0.45, kinds="lp")
        for name in ("x", "y")[:rank]:
            here = k.let(f"f{name}", read(k, name, 0.0, 12.0, inline=False) * step)
            cells.append(k.let(f"c{name}", convert(I32, ops.floor(here))))
            parts.append(k.let(f"t{name}", bounded(here - convert(k.real, cells[-1]), 0.0, 1.0)))
        k.notes.append("Places are read from arrays")
        return cells, parts
    per_cell: Expr | int = k.rng.integer(3, 14)
    if k.rng.chance(0.5):
        per_cell = k.scalar(k.rng.pick("spacing", "cell_size", "period"), I32, whole(3, 14))
    centered = k.rng.chance(0.4)
    if centered:
        k.notes.append("Samples are taken at the centers of elements")
    for name, one in zip("xy", k.index[::-1], strict=False):
        cells.append(k.let(f"c{name}", one // per_cell))
        offset = convert(k.real, one % per_cell if k.rng.chance(0.5) else one - cells[-1] * per_cell)
        width = float(per_cell) if isinstance(per_cell, int) else convert(k.real, per_cell)
        place = (offset + 0.5 if centered else offset) / width
        parts.append(k.let(f"t{name}", bounded(place, 0.0, 1.0)))
    return cells, parts


def state_machine(k: Builder) -> None:
    """Symbols of a row drive a transition table."""
    threads(k, 1, name=k.rng.pick("row", "word", "stream"))
    states, symbols, steps = k.rng.pick(3, 4, 6), k.rng.pick(2, 3, 4), k.rng.pick(6, 8, 12)
    k.sizes["steps"] = str(steps)
    moves = table(k, k.rng.pick("transitions", "next_states"), I32, (states, symbols), 0, states - 1)
    text = k.array(k.rng.pick("symbols", "inputs", "tokens"), I32, ["n", "steps"], {"integers": [0, symbols]})
    start = (
        k.array("start_states", I32, ["n"], {"integers": [0, states]})[k.index] if k.rng.chance(0.5) else 0
    )
    state = k.var("state", start, bounds=(0, states - 1), type=I32)
    what = k.rng.pick("end", "score", "visits", "score", "changes", "longest")
    rewards = (
        table(k, "rewards", k.real, (states, symbols) if k.rng.chance(0.5) else (states,), -1.0, 1.0)
        if what == "score"
        else None
    )
    score = k.var("score", 0.0) if rewards is not None else None
    number = k.var("number", 0, type=I32) if what in ("visits", "changes") else None
    run, best = (
        (k.var("run", 0, type=I32, bounds=(0, steps)), k.var("best", 0, type=I32, bounds=(0, steps)))
        if what == "longest"
        else (None, None)
    )
    marked = k.rng.below(states)
    with k.loop("t", 0, steps) as t:
        symbol = k.let("symbol", text[k.index[0], t])
        if what == "changes" and number is not None:
            following = k.let("following", moves[state, symbol])
            with k.when(following.differs(state)):
                k.add(number, 1)
            k.set(state, following)
        else:
            if rewards is not None and score is not None and len(rewards.parameter.shape) == 2:
                k.add(score, rewards[state, symbol])
            k.set(state, moves[state, symbol])
            if rewards is not None and score is not None and len(rewards.parameter.shape) == 1:
                k.add(score, rewards[state])
        if what == "visits" and number is not None:
            with k.when(state.equals(marked)):
                k.add(number, 1)
        if run is not None and best is not None:
            with k.when(state.equals(marked)):
                k.set(run, bounded(run + 1, 0, steps))
                k.set(best, ops.max(best, run))
            with k.otherwise():
                k.set(run, 0)
    rest = f"{steps} steps of a machine with {states} states"
    if score is not None:
        finish(k, "reward", score, f"Rewards collected in {rest}")
    elif best is not None:
        finish(k, "longest_run", best, f"Longest stay in state {marked} in {rest}")
    elif number is not None:
        doc = f"Visits to state {marked} in {rest}" if what == "visits" else f"Changes of state in {rest}"
        finish(k, "visit_count" if what == "visits" else "change_count", number, doc)
    else:
        finish(k, "last_state", state, f"State after {rest}")
