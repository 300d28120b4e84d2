"""Draws from weights: a running sum that is searched for a level, and the tables that spare the search."""

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.grids import threads
from weft.kernels.idioms.rows import Row, row
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, finish
from weft.kernels.signals import read
from weft.kernels.types import I32
from weft.kernels.words import plural
from weft.types import Scalar

Weight = Callable[[Expr | int], Expr]


def inverse_sampling(k: Builder) -> None:
    """A running sum of weights is searched for a level, as particle filters and roulette wheels do."""
    kind: Scalar = k.rng.pick(k.real, k.real, I32)
    values = {"integers": [1, 9]} if kind == I32 else uniform(0.1, 1.0)
    found = row(k, kind, values, whole_rows=True)
    weight, mean, noun = _weights(k, found, kind)
    way = k.rng.pick("break", "keep", "count", "less", "draws", "draws")
    if way == "draws":
        if kind != I32:
            _systematic(k, found, weight, noun)
            return
        way = "less"
    level = _level(k, found, kind, weight, mean)
    place = k.var(
        k.rng.pick("chosen", "winner", "pick"),
        0 if way == "count" else found.length - 1,
        type=I32,
        bounds=(0, found.length - 1),
    )
    beside = k.rng.pick("nothing", "nothing", "rest", "share" if way != "count" else "rest")
    extra = k.var(beside, 0, type=kind) if beside != "nothing" else None

    def keep(chosen: Expr, rest: Expr, x: Expr) -> None:
        k.set(place, chosen)
        if extra is not None:
            k.set(extra, rest if beside == "rest" else x)

    most = found.length * (8 if kind == I32 else 1)
    bounds = (-most, most) if kind == I32 else None
    total = (
        k.var("left", level, type=kind, bounds=bounds)
        if way == "less"
        else k.var("total", 0, type=kind, bounds=bounds)
    )

    def passed(x: Expr) -> None:
        if kind == I32:
            k.set(total, bounded(total - x if way == "less" else total + x, -most, most))
        else:
            k.add(total, x, "-" if way == "less" else "+")

    with k.loop("j", 0, found.length) as j:
        x = k.let("weight", weight(j))
        match way:
            case "less":
                with k.when(total < x):
                    keep(j, total, x)
                    k.jump("break")
                passed(x)
            case "break":
                with k.when(total + x > level):
                    keep(j, level - total, x)
                    k.jump("break")
                passed(x)
            case "keep":
                with k.when((total <= level) & (total + x > level)):
                    keep(j, level - total, x)
                passed(x)
            case _:
                passed(x)
                with k.when(total <= level):
                    after = bounded(ops.min(j + 1, found.length - 1), 0, found.length - 1)
                    keep(after, level - total, x)
    if extra is not None:
        k.store(k.array(plural(beside), kind, k.shape, None, "out"), k.target, extra)
        k.notes.append(
            "What is left of the level there is stored as well"
            if beside == "rest"
            else "The weight of that element is stored as well"
        )
    if k.rng.chance(0.3) and len(k.shape) == 1:
        k.atomic("add", k.array("tally", I32, [str(found.length)], {"constant": 0}, "inout"), place, 1)
        k.notes.append("How often each element is chosen is counted")
    doc = f"The element of each row at which the running sum of the {noun} passes a level"
    finish(k, "choice", place, doc)


def _weights(k: Builder, found: Row, kind: Scalar) -> tuple[Weight, float, str]:
    """The weight of each element of a row, about how large it is, and what it is called."""
    mean = 4.5 if kind == I32 else 0.55
    match k.rng.pick("plain", "masked", "allowed", *([] if kind == I32 else ["squared", "boltzmann"])):
        case "masked":
            mask = k.array(
                k.rng.pick("allowed", "open_slots"), I32, [str(found.length)], {"integers": [0, 2]}
            )
            k.notes.append("Elements that are not allowed weigh nothing")
            return lambda j: found.at(j) * convert(kind, mask[j]), 0.5 * mean, found.noun
        case "allowed":
            worn = k.array("taken", I32, [k.shape[0]], {"integers": [0, found.length]})[k.index[0]]
            taken = k.let("taken_element", worn)
            k.notes.append("The element that is taken already weighs nothing")
            return (
                lambda j: conditional(taken.equals(j), lift(0, kind), found.at(j)),
                0.8 * mean,
                found.noun,
            )
        case "squared":
            return lambda j: found.at(j) * found.at(j), 0.37, f"squares of the {found.noun}"
        case "boltzmann":
            beta = coefficient(k, "inverse_temperature", 0.5, 2.0, kinds="lp")
            return lambda j: ops.exp(-beta * found.at(j)), 0.5, f"Boltzmann factors of the {found.noun}"
        case _:
            return found.at, mean, found.noun


def _level(k: Builder, found: Row, kind: Scalar, weight: Weight, mean: float) -> Name:
    """The level that is searched for: given, or a share of all weights."""
    top = 0.9 * mean * found.length
    name = k.rng.pick("level", "draw", "threshold")
    if kind == I32 or k.rng.chance(0.5):
        level = read(k, name, 1 if kind == I32 else 0.05 * top, int(top) if kind == I32 else top, kind)
        return level if isinstance(level, Name) else k.let("wanted", level)
    everything = k.var("sum_of_weights", 0.0)
    with k.loop("j", 0, found.length) as j:
        k.add(everything, weight(j))
    k.notes.append("The level is a share of the sum of all weights")
    return k.let(name, read(k, f"{name}_share", 0.05, 0.95) * everything)


def _systematic(k: Builder, found: Row, weight: Weight, noun: str) -> None:
    """Several draws from a row at levels of equal distance, in one sweep or in a search each."""
    draws = k.rng.pick(2, 3, 4, 6)
    total = k.var("total", 0.0)
    with k.loop("j", 0, found.length) as j:
        k.add(total, weight(j))
    offset = read(k, "offset", 0.05, 0.95)
    spacing = k.let("spacing", total / float(draws))
    choices = k.array(
        k.rng.pick("choices", "survivors", "parents"), I32, [k.shape[0], str(draws)], None, "out"
    )
    sweep = k.rng.chance(0.5)
    last = found.length - 1
    source = k.var("source", 0, type=I32, bounds=(0, last)) if sweep else None
    passed = k.var("passed", weight(0)) if sweep else None
    with k.loop("d", 0, draws) as d:
        level = k.let("level", (convert(k.real, d) + offset) * spacing)
        if source is not None and passed is not None:
            with k.repeat((passed < level) & (source < last), found.length):
                k.set(source, bounded(source + 1, 0, last))
                k.add(passed, weight(source))
            k.store(choices, (*k.target, d), source)
        else:
            running = k.var("running", 0.0)
            chosen = k.var("chosen", last, type=I32, bounds=(0, last))
            with k.loop("j", 0, found.length) as j:
                k.add(running, weight(j))
                with k.when(running >= level):
                    k.set(chosen, j)
                    k.jump("break")
            k.store(choices, (*k.target, d), chosen)
    how = "in one sweep" if sweep else "with a search for each"
    describe(k, f"Systematic resampling: {draws} draws from each row by its {noun}, {how}")


def alias_sampling(k: Builder) -> None:
    """Walker's alias method: a table of thresholds and aliases gives a draw without a search."""
    threads(k, 1, 2)
    length = k.rng.pick(6, 8, 12, 16, 32)
    count = str(length)
    tables = k.rng.pick("one", "one", "several", "flat")
    many = k.rng.pick(3, 4, 5)
    shape = {"one": [count], "several": [str(many), count], "flat": [str(many * length)]}[tables]
    cuts = k.array(k.rng.pick("thresholds", "cutoffs", "alias_shares"), k.real, shape, uniform(0.1, 0.9))
    aliases = k.array(k.rng.pick("aliases", "alias_of"), I32, shape, {"integers": [0, length]})
    u = read(k, k.rng.pick("draw", "u"), 0.0, 1.0, array="draws")
    if k.rng.chance(0.5):
        scaled = k.let("scaled", u * float(length))
        slot = k.let("slot", bounded(ops.min(convert(I32, scaled), length - 1), 0, length - 1))
        second = scaled - convert(k.real, slot)
        k.notes.append("The fraction that is left of the draw decides")
    else:
        slot = k.let("slot", bounded(ops.min(convert(I32, u * float(length)), length - 1), 0, length - 1))
        second = read(k, k.rng.pick("coin", "second_draw"), 0.0, 1.0, inline=True)
        k.notes.append("A second draw decides")
    where: tuple[Expr, ...] = (slot,)
    if tables != "one":
        which = k.array("table_ids", I32, k.shape, {"integers": [0, many]})[k.index]
        where = (which, slot) if tables == "several" else (k.let("entry", which * length + slot),)
        k.notes.append(f"Each thread has one of {many} tables")
    alias = aliases[where]
    taken = second < cuts[where]
    match k.rng.below(3):
        case 0:
            choice: Expr = ops.where(taken, slot, alias)
        case 1:
            choice = conditional(taken, slot, alias)
        case _:
            choice = k.var("choice", slot, type=I32, bounds=(0, length - 1))
            with k.when(second >= cuts[where]):
                k.set(choice, alias)
    if k.rng.chance(0.5):
        choice = choice if isinstance(choice, Name) else k.let("element", choice)
        values = k.array(k.rng.pick("values", "payoffs", "energies"), k.real, [count], uniform(-1.0, 1.0))
        k.store(k.array("choices", I32, k.shape, None, "out"), k.target, choice)
        k.notes.append("The draw is stored as well")
        finish(
            k, "outcome", values[choice], f"The value of one of {length} elements, drawn by the alias method"
        )
        return
    finish(k, "choice", choice, f"A draw of one of {length} elements by the alias method")
