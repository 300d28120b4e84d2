"""Where the extreme lies."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.grids import threads
from weft.kernels.holes import term
from weft.kernels.idioms.rows import row
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, finish
from weft.kernels.signals import read
from weft.kernels.types import I32, I64
from weft.types import Scalar


def place_of_extreme(k: Builder) -> None:
    """Where the best element of a row is, and perhaps how good."""
    found = row(k, k.real)
    largest = k.rng.chance(0.5)
    best = k.var("best", -1000.0 if largest else 1000.0, bounds=(-1000.0, 1000.0))
    place = k.var(k.rng.pick("place", "best_index", "winner"), 0, type=I32, bounds=(0, found.length - 1))
    second = (
        k.var("second", -1000.0 if largest else 1000.0, bounds=(-1000.0, 1000.0))
        if k.rng.chance(0.35)
        else None
    )
    late = k.rng.chance(0.3)
    with found.each() as (j, x):
        value, word = term(k, x, found.noun, strict=True)
        value = bounded(value if isinstance(value, Name) else k.let("key", value), -1000.0, 1000.0)
        better = (
            (value >= best if late else value > best)
            if largest
            else (value <= best if late else value < best)
        )
        with k.when(better):
            if second is not None:
                k.set(second, best)
            k.set(best, value)
            k.set(place, bounded(j, 0, found.length - 1))
        if second is not None:
            with k.orwhen(value > second if largest else value < second):
                k.set(second, value)
    word = word.rstrip(",")
    adjective = "largest" if largest else "smallest"
    tie = ", the last of equal ones" if late else ""
    what = k.rng.pick("place", "both", "lead" if second is not None else "both", "value")
    if second is not None:
        gap = best - second if largest else second - best
        k.store(k.array("places", I32, k.shape, None, "out"), k.target, place)
        finish(
            k,
            "lead",
            gap,
            f"Where the {adjective} of the {word} is in each row{tie}, and its lead over the next",
        )
    elif what == "place":
        other = read(k, "base_index", 0, 50, I32, array="base_indices")
        finish(
            k,
            "position",
            place + other,
            f"Where the {adjective} of the {word} is in each row{tie}, from the row's base",
        )
    else:
        k.store(k.array("places", I32, k.shape, None, "out"), k.target, place)
        finish(k, "extreme", best, f"The {adjective} of the {word} of each row, and where it is{tie}")


def packed_extreme(k: Builder) -> None:
    """The best value of a group and its owner in one integer, so that one atomic decides."""
    threads(k, name=k.rng.pick("i", "item", "candidate"))
    groups = k.rng.pick("(n + 15) // 16", "8", "(n + 31) // 32", "1")
    k.sizes["groups"] = groups
    wide = k.rng.chance(0.6)
    kind = I64 if wide else I32
    low, high = (0, 4000) if wide else (0, 300)
    bits = 20 if wide else 10
    name = k.rng.pick("keys", "distances", "priorities")
    key: Expr
    place: Expr
    largest = k.rng.chance(0.5)
    serial = k.rng.pick(0, 0, 3, 4, 6)
    if len(k.shape) == 4:  # Warp has no axis left for the candidates
        serial = 0
    if serial:
        key, place = _best_of_own(k, name, serial, (low, high), largest)
        word = "key"
        k.notes.append(f"Each thread goes through {serial} candidates of its own first")
    else:
        key = k.array(name, I32, k.shape, {"integers": [low, high]})[k.index]
        place = k.array("labels", I32, k.shape, {"integers": [0, 1 << (bits - 1)]})[k.index]
        word = "key"
    if not serial and k.rng.chance(0.5):
        extra = k.array(k.rng.pick("penalties", "offsets"), I32, k.shape, {"integers": [low, high]})[k.index]
        key, word = k.rng.pick(
            (key + extra, "key plus penalty"),
            (ops.max(key, extra), "larger of key and penalty"),
            (key + 2 * extra, "key plus twice its penalty"),
        )
    key = key if isinstance(key, Name) else k.let("key", key)
    group: Expr | int = (
        0
        if groups == "1"
        else k.let("group", k.array("group_ids", I32, k.shape, {"integers": [0, "groups"]})[k.index])
    )
    packed = k.let("packed", _packed(k, key, place, kind, bits))
    best = k.array(
        "best", kind, ["groups"], {"constant": 0 if largest else (1 << (45 if wide else 30))}, "inout"
    )
    if k.rng.chance(0.4):
        limit = k.rng.integer(low + (high - low) // 4, high // 2)
        with k.when(key > limit if largest else key < limit + (high - low) // 3):
            k.atomic("max" if largest else "min", best, group, packed)
        edge = f"above {limit}" if largest else f"below {limit + (high - low) // 3}"
        k.notes.append(f"Only keys {edge} take part")
    else:
        k.atomic("max" if largest else "min", best, group, packed)
    if k.rng.chance(0.25):
        k.store(k.array("own_entries", kind, k.shape, None, "out"), k.target, packed)
        k.notes.append("Each thread's number is stored as well")
    elif k.rng.chance(0.2):
        worst = k.array(
            "worst", kind, ["groups"], {"constant": (1 << (45 if wide else 30)) if largest else 0}, "inout"
        )
        k.atomic("min" if largest else "max", worst, group, packed)
        k.notes.append("The other extreme is kept as well")
    if groups != "1" and k.rng.chance(0.4):
        votes = k.array("members", I32, ["groups"], {"constant": 0}, "inout")
        k.atomic("add", votes, group, 1)
        k.notes.append("The elements of each group are counted as well")
    whose = "of all" if groups == "1" else "of each group"
    adjective = "Largest" if largest else "Smallest"
    describe(k, f"{adjective} {word} {whose}, packed with the label in the lower {bits} bits")


def _best_of_own(
    k: Builder, name: str, count: int, bounds: tuple[int, int], largest: bool
) -> tuple[Name, Expr]:
    """The best of a thread's own candidates, and which it is: the number of the candidate."""
    low, high = bounds
    keys = k.array(name, I32, [*k.shape, str(count)], {"integers": [low, high]})
    key = k.var("key", keys[(*k.index, 0)], type=I32, bounds=(low, high))
    place = k.var(k.rng.pick("place", "own_best"), 0, type=I32, bounds=(0, count - 1))
    with k.loop("c", 1, count) as c:
        other = k.let("other", keys[(*k.index, c)])
        with k.when(other > key if largest else other < key):
            k.set(key, other)
            k.set(place, c)
    first = k.array("first_labels", I32, k.shape, {"integers": [0, 256]})[k.index]
    return key, k.let("label", first + place)


def _packed(k: Builder, key: Expr, label: Expr, kind: Scalar, bits: int) -> Expr:
    """Key and label in one number, here or by a function of the program's."""

    def joined(first: Expr, second: Expr) -> Expr:
        top, rest = (one if one.type == kind else convert(kind, one) for one in (first, second))
        return k.rng.pick(top * (1 << bits) + rest, (top << bits) | rest)

    if k.rng.chance(0.65):
        return joined(key, label)
    doc = f"The key above {bits} bits of the label."
    parameters = {"key": (I32, key.interval), "label": (I32, label.interval)}
    return k.function(
        k.rng.pick("pack", "packed_entry"), doc, parameters, lambda _, first, second: joined(first, second)
    )(key, label)
