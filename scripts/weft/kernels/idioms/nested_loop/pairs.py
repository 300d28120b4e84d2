"""All pairs, nearest prototypes, runs."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
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
    """Runs of like elements in short rows."""
    threads(k, 1, name=k.rng.pick("row", "strand"))
    width, kinds = k.rng.pick(8, 10, 12), k.rng.pick(2, 3, 4)
    data = row(k, k.rng.pick("symbols", "labels"), "width", width, whole(0, kinds - 1), I32)
    target = k.scalar("wanted", I32, whole(0, kinds - 1)) if k.rng.chance(0.5) else None
    longest, where = (
        k.var("longest", 0, type=I32, bounds=(0, width)),
        k.var("start", 0, type=I32, bounds=(0, width)),
    )
    with k.loop("first", 0, width) as first:
        if target is not None:
            with k.when(data(first).differs(target)):
                k.jump("continue")
        length = k.var("length", 1, type=I32, bounds=(0, width))
        with k.loop("next", first + 1, width) as following:
            with k.when(data(following).differs(data(first))):
                k.jump("break")
            k.set(length, bounded(length + 1, 0, width))
        with k.when(length > longest if k.rng.chance(0.6) else length >= longest):
            k.set(longest, length)
            k.set(where, first)
    what = "of a wanted symbol" if target is not None else "of equal symbols"
    if k.rng.chance(0.5):
        k.store(k.array("starts", I32, ["n"], None, "out"), k.target, where)
        finish(k, "length", longest, f"Longest run {what} in each row, and where it starts")
    else:
        finish(k, "code", longest * 16 + where, f"Length and start of the longest run {what}, in one number")
