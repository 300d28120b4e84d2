"""What scans are for: compaction and inverse sampling."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, ops
from weft.kernels.grids import threads
from weft.kernels.holes import term
from weft.kernels.idioms.rows import row
from weft.kernels.program import Name
from weft.kernels.results import describe, finish
from weft.kernels.signals import read
from weft.kernels.types import I32


def compaction(k: Builder) -> None:
    """Elements that pass a test go to the places that an earlier scan has found for them."""
    threads(k, 1, indirect=False, name=k.rng.pick("i", "item", "particle"))
    (i,) = k.index
    slots = k.array(k.rng.pick("slots", "offsets", "scanned"), I32, [k.shape[0]], {"permutation": k.shape[0]})
    kind = k.rng.pick(k.real, k.real, I32)
    values = {"integers": [-20, 21]} if kind == I32 else uniform(-1.0, 1.0)
    x = k.let("value", k.array(k.rng.pick("values", "items", "energies"), kind, [k.shape[0]], values)[i])
    how = k.rng.pick("flag", "sign", "band", "parity", "kind")
    if how == "parity" and kind != I32:
        how = "sign"
    if how == "flag":
        keep, what = k.array("keep", I32, [k.shape[0]], {"integers": [0, 2]})[i].equals(1), "are marked"
    elif how == "kind":
        chosen = k.rng.below(3)
        keep, what = (
            k.array("kinds", I32, [k.shape[0]], {"integers": [0, 3]})[i].equals(chosen),
            f"are of kind {chosen}",
        )
    elif how == "band":
        edge = k.rng.integer(4, 12) if kind == I32 else k.rng.number(0.2, 0.6)
        keep, what = (x > -edge) & (x < edge), f"lie between -{edge} and {edge}"
    elif how == "parity":
        keep, what = (ops.abs(x) % 2).equals(k.rng.below(2)), "have one parity"
    else:
        edge = k.rng.integer(-5, 8) if kind == I32 else k.rng.number(-0.4, 0.4)
        keep, what = (x > edge, f"exceed {edge}") if k.rng.chance(0.5) else (x < edge, f"lie below {edge}")
    place = k.let(k.rng.pick("slot", "target_place"), slots[i])
    out = k.array(k.rng.pick("compacted", "survivors"), kind, [k.shape[0]], None, "out")
    sources = k.array("source_ids", I32, [k.shape[0]], None, "out") if k.rng.chance(0.5) else None
    counted = k.array("number_kept", I32, ["1"], {"constant": 0}, "inout") if k.rng.chance(0.4) else None
    stay = counted is None and k.rng.chance(0.5)
    value, word = term(k, x, "value", simple=True) if k.rng.chance(0.5) else (x, "value")
    if stay:
        with k.when(~keep):
            k.jump("return")
        k.store(out, place, value)
        if sources is not None:
            k.store(sources, place, i)
    else:
        with k.when(keep):
            k.store(out, place, value)
            if sources is not None:
                k.store(sources, place, i)
            if counted is not None:
                k.atomic("+=", counted, 0, 1)
        if k.rng.chance(0.5):
            with k.otherwise():
                k.store(k.array("rejected", kind, [k.shape[0]], None, "out"), place, x)
            k.notes.append("The others go to a list of their own")
    if sources is not None:
        k.notes.append("Where each comes from is kept")
    if counted is not None:
        k.notes.append("They are counted")
    describe(
        k,
        f"Values that {what} go to the places that a scan has found"
        + (f", as {word.rstrip(',')}" if word != "value" else ""),
    )


def inverse_sampling(k: Builder) -> None:
    """A running sum of weights is searched for a level."""
    kind = k.rng.pick(k.real, k.real, I32)
    values = {"integers": [1, 9]} if kind == I32 else uniform(0.1, 1.0)
    found = row(k, kind, values, whole_rows=True)
    most = found.length * (8 if kind == I32 else 1.0)
    level = read(
        k, k.rng.pick("level", "draw", "threshold"), 1.0 if kind == I32 else 0.05 * most, 0.5 * most, kind
    )
    level = level if isinstance(level, Name) else k.let("wanted", level)
    total = k.var("total", 0, type=kind, bounds=(0, 2 * most))
    way = k.rng.pick("break", "keep", "count")
    begin = 0 if way == "count" else found.length - 1
    place = k.var("chosen", begin, type=I32, bounds=(0, found.length - 1))
    rest = k.var("rest", 0, type=kind) if k.rng.chance(0.5) else None
    with k.loop("j", 0, found.length) as j:
        weight = k.let("weight", found.at(j))
        if way == "break":
            with k.when(total + weight > level):
                k.set(place, j)
                if rest is not None:
                    k.set(rest, level - total)
                k.jump("break")
            k.set(total, bounded(total + weight, 0, 2 * most))
        elif way == "keep":
            with k.when((total <= level) & (total + weight > level)):
                k.set(place, j)
                if rest is not None:
                    k.set(rest, level - total)
            k.set(total, bounded(total + weight, 0, 2 * most))
        else:
            k.set(total, bounded(total + weight, 0, 2 * most))
            with k.when(total <= level):
                k.set(place, bounded(ops.min(j + 1, found.length - 1), 0, found.length - 1))
                if rest is not None:
                    k.set(rest, level - total)
    if rest is not None:
        k.store(k.array("rests", kind, k.shape, None, "out"), k.target, rest)
        k.notes.append("What is left of the level there is stored as well")
    finish(
        k,
        "choice",
        place,
        f"The element of each row at which the running sum of the {found.noun} passes a level",
        counted=False,
    )
