"""All pairs, nearest prototypes, runs."""

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, read, row, threads, uniform, whole


def pairwise_energy(k: Builder) -> None:
    """All pairs within a thread's group."""
    threads(k, 1, name=k.rng.pick("group", "molecule"))
    atoms = k.rng.pick(4, 5, 6)
    positions = row(k, "positions", "atoms", atoms, uniform(0.0, 3.0))
    charges = row(k, "charges", "atoms", atoms, uniform(0.2, 1.0)) if k.rng.chance(0.4) else None
    inclusive = k.rng.chance(0.4)
    strength = coefficient(k, "strength", 0.5, 2.0)
    energy = k.var("energy", 0.0)
    with k.loop("a", 0, atoms) as a, k.loop("b", 0 if inclusive else a + 1, atoms) as b:
        if inclusive:
            with k.when(a.equals(b)):
                k.jump("continue")
        gap = k.let("gap", positions(a) - positions(b))
        near = k.let("near", gap * gap + k.rng.number(0.05, 0.5))
        term = k.rng.pick(
            strength / near,
            strength * ops.exp(-near),
            strength / ops.sqrt(near),
            strength * ops.log(1.0 + near),
        )
        if charges is not None:
            term = term * charges(a) * charges(b)
        if k.rng.chance(0.4):
            with k.when(near < k.rng.number(1.5, 4.0)):
                k.add(energy, term)
        else:
            k.add(energy, term)
    kind = "Pair energy" if charges is None else "Pair energy, by the product of charges,"
    twice = ", each pair counted twice" if inclusive else ""
    finish(k, "energy", energy, f"{kind} of {atoms} atoms on a line{twice}")


def nearest_prototype(k: Builder) -> None:
    """Distances to a few prototypes, feature by feature."""
    threads(k, 1, name=k.rng.pick("point", "item"))
    classes, features = k.rng.pick(3, 4, 5), k.rng.pick(3, 4, 6)
    k.sizes["classes"] = str(classes)
    items = row(k, "items", "features", features, uniform(-1.0, 1.0))
    prior = k.array("penalties", k.real, ["classes"], uniform(0.0, 0.5)) if k.rng.chance(0.4) else None
    importance = k.array("scales", k.real, ["features"], uniform(0.5, 2.0)) if k.rng.chance(0.4) else None
    runner_up = k.rng.chance(0.35)
    prototypes = k.array("prototypes", k.real, ["classes", "features"], uniform(-1.0, 1.0))
    best, label = (
        k.var("best", 1000.0, bounds=(0.0, 1000.0)),
        k.var("label", 0, type=I32, bounds=(0, classes)),
    )
    second = k.var("second", 1000.0, bounds=(0.0, 1000.0)) if runner_up else None
    with k.loop("c", 0, classes) as c:
        distance = k.var("distance", 0.0 if prior is None else prior[c])
        with k.loop("f", 0, features) as f:
            gap = k.let("gap", items(f) - prototypes[c, f])
            part = k.rng.pick(gap * gap, ops.abs(gap))
            k.add(distance, part if importance is None else importance[f] * part)
            if second is None and k.rng.chance(0.3):
                with k.when(distance > best):
                    k.jump("break")
        with k.when(distance < best):
            if second is not None:
                k.set(second, best)
            k.set(best, distance)
            k.set(label, c)
        if second is not None:
            with k.orwhen(distance < second):
                k.set(second, distance)
    if prior is not None:
        k.notes.append("Each prototype starts with a penalty")
    if importance is not None:
        k.notes.append("Features have scales")
    if second is not None:
        k.store(k.array("margins", k.real, ["n"], None, "out"), k.target, second - best)
        k.notes.append("How much farther the second one is, is stored as well")
    if k.rng.chance(0.5):
        k.store(k.array("labels", I32, ["n"], None, "out"), k.target, label)
        finish(k, "distance", best, f"Nearest of {classes} prototypes and the distance to it")
    else:
        finish(
            k,
            "score",
            best * read(k, "importance", 0.5, 2.0, array="importances") + 0.1 * convert(k.real, label),
            f"Weighted distance to the nearest of {classes} prototypes, with its label's offset",
        )


def longest_run(k: Builder) -> None:
    """Runs of elements that go together in short rows."""
    threads(k, 1, name=k.rng.pick("row", "strand"))
    width, kinds = k.rng.pick(8, 10, 12), k.rng.pick(2, 3, 4)
    like = k.rng.pick("equal", "wanted", "rising", "near", "forgiving")
    if like in ("equal", "rising", "near") and k.rng.chance(0.6):
        _run_by_run(k, like, width, kinds if like == "equal" else 8)
        return
    kinds = kinds if like in ("equal", "wanted") else 8
    data = row(k, k.rng.pick("symbols", "labels", "levels"), "width", width, whole(0, kinds - 1), I32)
    target = k.scalar("wanted", I32, whole(0, kinds - 1)) if like == "wanted" else None
    goal = k.rng.pick("place", "code", "number", "weight")
    longest = k.var("number" if goal == "number" else "longest", 0, type=I32, bounds=(0, width))
    where = k.var("start", 0, type=I32, bounds=(0, width)) if goal in ("place", "code") else None
    weights = k.array("weights", k.real, ["n", "width"], uniform(-1.0, 1.0)) if goal == "weight" else None
    heaviest = k.var("heaviest", 0.0) if goal == "weight" else None
    least = k.rng.integer(2, 3) + (2 if like == "forgiving" else 0)
    positive = k.rng.chance(0.4)
    how = k.rng.pick("rising", "near", "equal", "floor") if like == "forgiving" else like
    allowed: Expr | int = k.rng.pick(1, 2)
    if like == "forgiving":
        allowed = k.scalar("allowed", I32, whole(1, 2)) if k.rng.chance(0.5) else allowed
        number = (
            {1: "one element", 2: "two elements"}[allowed] if isinstance(allowed, int) else "allowed elements"
        )
        k.notes.append(f"In a run {number} may break the rule")
    with k.loop("first", 0, width) as first:
        if target is not None:
            with k.when(data(first).differs(target)):
                k.jump("continue")
        base = (
            k.let("base", data(first))
            if how in ("equal", "wanted", "floor") and k.rng.chance(0.5)
            else data(first)
        )
        length = k.var("length", 1, type=I32, bounds=(0, width))
        weight = k.var("weight", weights[k.index[0], first]) if weights is not None else None
        misses = k.var("misses", 0, type=I32) if like == "forgiving" else None

        def lengthen(at: Expr, length: Name = length, weight: Name | None = weight) -> None:
            k.set(length, bounded(length + 1, 0, width))
            if weight is not None and weights is not None:
                k.add(weight, weights[k.index[0], at])

        with k.loop("last", first + 1, width) as following:
            ends, word = _run_ends(k, how, data, base, following)
            if misses is not None:
                with k.when(ends):
                    k.add(misses, 1)
                    with k.when(misses > allowed):
                        k.jump("break")
                lengthen(following)
            elif positive:
                with k.when(~ends):
                    lengthen(following)
                with k.otherwise():
                    k.jump("break")
            else:
                with k.when(ends):
                    k.jump("break")
                lengthen(following)
        if goal == "number":
            with k.when(length >= least):
                k.set(longest, bounded(longest + 1, 0, width))
        else:
            with k.when(length > longest if k.rng.chance(0.6) else length >= longest):
                k.set(longest, length)
                if where is not None:
                    k.set(where, first)
                if heaviest is not None and weight is not None:
                    k.set(heaviest, weight)
    if goal == "number":
        doc = f"Number of places in each row where a run {word} of {least} elements or more begins"
        finish(k, "run_count", longest, doc)
    elif heaviest is not None:
        finish(k, "run_weight", heaviest, f"Weight of the longest run {word} in each row")
    elif where is not None and goal == "place":
        k.store(k.array("starts", I32, ["n"], None, "out"), k.target, where)
        finish(k, "length", longest, f"Longest run {word} in each row, and where it starts")
    elif where is not None:
        doc = f"Length and start of the longest run {word}, in one number"
        finish(k, "code", longest * 16 + where, doc)


def _run_by_run(k: Builder, like: str, width: int, kinds: int) -> None:
    """Runs one after the other: the end of one is the start of the next."""
    data = row(k, k.rng.pick("symbols", "labels", "levels"), "width", width, whole(0, kinds - 1), I32)
    goal = k.rng.pick("longest", "number", "squares", "place")
    first = k.var("first", 0, type=I32, bounds=(0, width))
    found = k.var(
        {"longest": "longest", "place": "longest"}.get(goal, "total"), 0, type=I32, bounds=(0, 1000)
    )
    where = k.var("start", 0, type=I32, bounds=(0, width)) if goal == "place" else None
    least = k.rng.integer(2, 3)
    word = ""
    with k.repeat(first < width, width):
        end = k.var("end", bounded(first + 1, 1, width), type=I32, bounds=(1, width))
        with k.repeat(end < width, width):
            here = bounded(end, 1, width - 1)
            ends, word = _run_ends(k, like, data, data(bounded(first, 0, width - 1)), here)
            with k.when(ends):
                k.jump("break")
            k.set(end, bounded(end + 1, 1, width))
        length = k.let("length", bounded(end - first, 1, width))
        match goal:
            case "longest":
                k.set(found, ops.max(found, length))
            case "number":
                with k.when(length >= least):
                    k.set(found, bounded(found + 1, 0, 1000))
            case "squares":
                k.set(found, bounded(found + length * length, 0, 1000))
            case _:
                with k.when(length > found):
                    k.set(found, length)
                    if where is not None:
                        k.set(where, first)
        k.set(first, end)
    if where is not None:
        k.store(k.array("starts", I32, ["n"], None, "out"), k.target, where)
    docs = {
        "longest": f"Longest run {word} in each row, run by run",
        "number": f"Number of runs {word} of {least} elements or more in each row, run by run",
        "squares": f"Sum of the squared lengths of the runs {word} in each row",
        "place": f"Longest run {word} in each row and where it starts, run by run",
    }
    finish(k, "run_number" if goal == "number" else "run_length", found, docs[goal])


def _run_ends(
    k: Builder, like: str, data: Callable[[Expr | int], Expr], base: Expr, following: Expr
) -> tuple[Expr, str]:
    """When a run that began with `base` ends before another element, and what runs are of."""
    before = following - 1
    match like:
        case "wanted":
            return data(following).differs(base), "of a wanted symbol"
        case "rising":
            falls = data(following) < data(before) if k.rng.chance(0.5) else data(following) <= data(before)
            return falls, "of rising elements"
        case "near":
            return ops.abs(data(following) - data(before)) > k.rng.integer(2, 3), "of small steps"
        case "floor":
            return data(following) < base, "of elements not below its first"
        case _:
            return data(following).differs(base), "of equal symbols"
