"""Strands and ropes."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.pairs import along, space_of
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.vocabulary import coefficient, threads, told, uniform


def strand_energy(k: Builder) -> None:
    """A thread for each strand of points: energy, length, largest stretch."""
    what = k.rng.pick("energy", "energy", "length", "stretch", "end", "count")
    k.name = "strand_energy" if what == "energy" else "strand_length"
    threads(k, 1, 2, name=k.rng.pick("strand", "i", "hair"))
    space = space_of(k)
    nodes = k.rng.pick(4, 5, 6, 8, 10)
    k.sizes["nodes"] = str(nodes)
    points = k.array("positions", space, [*k.shape, "nodes"], uniform(-1.0, 1.0))
    rest = coefficient(k, "rest_length", 0.3, 1.0, kinds="lp")
    stiffness = coefficient(k, "stiffness", 0.5, 5.0) if what == "energy" else None
    bend, weight = None, None
    if what == "energy" and k.rng.chance(0.4):
        bend = coefficient(k, "bending", 0.1, 1.0, kinds="lp")
    if what == "energy" and k.rng.chance(0.4):
        weight = coefficient(k, "weight", 0.2, 2.0, kinds="lp")
    carry = k.rng.chance(0.5)
    before = k.var("before", points[(*k.index, 0)]) if carry else None
    total = k.var("longest" if what == "stretch" else "total", 0.0)
    number = k.var("count", 0.0) if what == "count" else None
    with k.loop("s", 1 if carry else 0, nodes if carry else nodes - 1) as s:
        if before is not None:
            point = k.let("point", points[(*k.index, s)])
            d = k.let("d", point - before)
        else:
            d = k.let("d", points[(*k.index, s + 1)] - points[(*k.index, s)])
        length = k.let("length", ops.length(d))
        match what:
            case "energy":
                assert stiffness is not None
                stretch = k.let("stretch", length - rest)
                term = 0.5 * stiffness * stretch * stretch
                if weight is not None:
                    term = term + weight * (point if before is not None else points[(*k.index, s)])[1]
                k.add(total, term)
                if bend is not None:
                    with k.when(s > (1 if carry else 0)):
                        here, last = points[(*k.index, s)], points[(*k.index, s - 1)]
                        if before is None:
                            k.add(total, bend * ops.length_sq(here - last - d))
                        else:
                            turn = point + points[(*k.index, s - 2)] - 2.0 * before
                            k.add(total, bend * ops.length_sq(turn))
            case "stretch":
                k.set(total, ops.max(total, length / bounded(rest, 0.3, 1.0)))
            case "count":
                assert number is not None
                with k.when(length > rest):
                    k.add(number, 1.0)
                k.add(total, length)
            case "end":
                k.add(total, length - rest)
            case _:
                k.add(total, ops.sqrt(length * length + rest * rest))
        if before is not None:
            k.set(before, point)
    bounded(total, -40.0, 800.0)
    words = {
        "energy": "Energy",
        "length": "Smoothed length",
        "stretch": "Largest stretch",
        "end": "Excess length",
        "count": "Length",
    }[what]
    if bend is not None:
        k.notes.append("Bending counts as well")
    if weight is not None:
        k.notes.append("Weight counts as well")
    value: Expr = total
    if number is not None:
        value = total + 0.1 * number
        k.notes.append(f"Each segment longer than {told(rest)} adds a tenth")
    names = {"length": "smoothed_length", "end": "excess", "count": "length_score"}
    finish(k, names.get(what, what), value, f"{words} of strands of {nodes} points")


def rope_relaxation(k: Builder) -> None:
    """A thread for each rope: sweeps over its segments, in place."""
    threads(k, 1, name=k.rng.pick("rope", "strand"))
    (i,) = k.index
    space = space_of(k)
    nodes = k.rng.pick(4, 5, 6, 8)
    k.sizes["nodes"] = str(nodes)
    name = k.rng.pick("positions", "ropes")
    rope = k.array(name, space, [k.shape[0], "nodes"], uniform(-1.0, 1.0), "inout")
    kind = k.rng.pick("follow", "both", "gravity", "smooth")
    share = coefficient(k, "smoothing", 0.1, 0.5, kinds="lp") if kind == "smooth" else None
    rest = coefficient(k, "segment", 0.2, 0.6, kinds="lp") if share is None else share
    sweeps = k.rng.pick(1, 1, 2, 3)

    def sweep() -> None:
        if share is not None:
            with k.loop("s", 1, nodes - 1) as s:
                middle = 0.5 * (rope[i, s - 1] + rope[i, s + 1])
                k.store(rope, (i, s), rope[i, s] + share * (middle - rope[i, s]))
            return
        with k.loop("s", 0, nodes - 1) as s:
            a, b = k.let("a", rope[i, s]), k.let("b", rope[i, s + 1])
            d = k.let("d", b - a)
            length = bounded(k.let("length", ops.max(ops.length(d), 0.05)), 0.05, 4.0)
            excess = k.let("excess", (length - rest) / length)
            if kind == "both":
                k.store(rope, (i, s), a + 0.5 * excess * d)
                k.store(rope, (i, s + 1), b - 0.5 * excess * d)
            else:
                k.store(rope, (i, s + 1), b - excess * d)

    if kind == "gravity" or k.rng.chance(0.3):
        drop = coefficient(k, "drop", 0.05, 0.3, kinds="lp")
        with k.loop("c", 1, nodes) as c:
            k.store(rope, (i, c), rope[i, c] + along(space, 1, -drop))
        k.notes.append("All points but the first sink first")
    if sweeps > 1:
        with k.loop("sweep", 0, sweeps):
            sweep()
    else:
        sweep()
    docs = {
        "follow": "Each point of a rope follows the one before at a fixed distance",
        "gravity": "Hanging ropes: each point follows the one before at a fixed distance",
        "both": "Relaxes the segments of ropes one after the other, moving both ends",
        "smooth": "Smooths ropes between their ends, point after point",
    }
    times = "" if sweeps == 1 else f", {sweeps} times"
    if k.rng.chance(0.5):
        tip = k.let("tip", rope[i, nodes - 1])
        reach = tip - k.array("targets", space, k.shape, uniform(-1.0, 1.0))[i]
        finish(k, "miss", reach, f"{docs[kind]}{times}. How far the tip is from its target is stored")
        return
    describe(k, f"{docs[kind]}{times}")
