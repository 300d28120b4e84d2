"""What scans are for: compaction."""

from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import construct, convert, ops
from weft.kernels.grids import threads
from weft.kernels.holes import term
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe
from weft.kernels.types import I32
from weft.types import Scalar, Vector


def compaction(k: Builder) -> None:
    """Elements that pass a test go to the places that an earlier scan has found for them."""
    threads(k, 1, name=k.rng.pick("i", "item", "particle"))
    (i,) = k.index
    kind: Scalar = k.rng.pick(k.real, k.real, I32)
    recipe: dict[str, Any] = {"integers": [-20, 21]} if kind == I32 else uniform(-1.0, 1.0)
    data = k.array(k.rng.pick("values", "items", "energies"), kind, [k.shape[0]], recipe)
    x = k.let("value", data[i])
    keep, what = _test(k, x, data)
    if k.rng.chance(0.3):
        alive = k.array("alive", I32, [k.shape[0]], {"integers": [0, 2]})[i].equals(1)
        keep, what = (k.rng.pick(keep & alive, alive & keep), f"are alive and {what}")
    slots = k.array(k.rng.pick("slots", "offsets", "scanned"), I32, [k.shape[0]], {"permutation": k.shape[0]})
    place = k.let(k.rng.pick("slot", "target_place"), slots[i])
    where = "the places that a scan has found"
    if k.rng.chance(0.25):
        last = k.let("last", k.extent(0) - 1) if k.rng.chance(0.5) else k.extent(0) - 1
        place = k.let("place_from_end", last - place)
        where = "places from the end on that a scan has found"
    outputs = _payload(k, x, kind, i, needed=what.split()[-1] == "marked" or "kind" in what or "key" in what)
    style = k.rng.pick("leave", "inside", "inside", "rejected", "mapped")
    counted = (
        k.array("number_kept", I32, ["1"], {"constant": 0}, "inout")
        if style != "leave" and k.rng.chance(0.4)
        else None
    )

    def move() -> None:
        for out, value in outputs:
            k.store(out, place, value)
        if counted is not None:
            k.atomic("+=", counted, 0, 1)

    if style == "leave":
        with k.when(~keep):
            k.jump("return")
        move()
    elif style == "mapped":
        moved = k.array(k.rng.pick("moved_to", "new_ids"), I32, [k.shape[0]], None, "out")
        with k.when(keep):
            move()
            k.store(moved, i, place)
        with k.otherwise():
            k.store(moved, i, -1)
        k.notes.append("Each learns its new place, or -1")
    else:
        with k.when(keep):
            move()
        if style == "rejected":
            with k.otherwise():
                k.store(k.array("rejected", kind, [k.shape[0]], None, "out"), place, x)
            k.notes.append("The others go to a list of their own")
    if counted is not None:
        k.notes.append("They are counted")
    describe(k, f"Values that {what} go to {where}")


def _test(k: Builder, x: Expr, data: ArrayHandle) -> tuple[Expr, str]:
    """Which values are kept, and what is said of them."""
    (i,), whole = k.index, x.type == I32
    match k.rng.pick("flag", "sign", "band", "kind", "bit", "head", *(["parity"] if whole else ["mean"])):
        case "flag":
            return k.array("keep", I32, [k.shape[0]], {"integers": [0, 2]})[i].equals(1), "are marked"
        case "kind":
            chosen = k.rng.below(3)
            kinds = k.array("kinds", I32, [k.shape[0]], {"integers": [0, 3]})
            return kinds[i].equals(chosen), f"are of kind {chosen}"
        case "band":
            edge = k.rng.integer(4, 12) if whole else k.rng.number(0.2, 0.6)
            return (x > -edge) & (x < edge), f"lie between -{edge} and {edge}"
        case "bit":
            bit = k.rng.integer(1, 5)
            keys = k.array("keys", I32, [k.shape[0]], {"integers": [0, 256]})
            side = k.rng.below(2)
            return ((keys[i] >> bit) & 1).equals(side), f"have a key whose bit {bit} is {side}"
        case "head":
            before = k.let("before", data[ops.max(i - 1, 0)])
            k.notes.append("The first one is taken as its own predecessor")
            return k.rng.pick(
                (x > before, "exceed the one before them"), (x < before, "are less than the one before them")
            )
        case "parity":
            rest = k.rng.below(2)
            return (ops.abs(x) % 2).equals(rest), f"are {'odd' if rest else 'even'}"
        case "mean":
            level = k.array("local_means", k.real, [k.shape[0]], uniform(-0.5, 0.5))[i]
            return ops.abs(x - level) > k.rng.number(0.1, 0.4), "lie off their local mean"
        case _:
            edge = k.rng.integer(-5, 8) if whole else k.rng.number(-0.4, 0.4)
            return k.rng.pick((x > edge, f"exceed {edge}"), (x < edge, f"lie below {edge}"))


def _payload(k: Builder, x: Name, kind: Scalar, i: Expr, *, needed: bool) -> list[tuple[ArrayHandle, Expr]]:
    """The arrays that what is kept goes to, and what goes there; `needed` if the test spares the value."""
    size = [k.shape[0]]
    match k.rng.pick("value", "value", "term", "body", "fields", *([] if needed else ["ids"])):
        case "ids":
            k.notes.append("Only the numbers of the elements are stored")
            return [(k.array(k.rng.pick("kept_ids", "source_ids"), I32, size, None, "out"), i)]
        case "body":
            space = Vector(k.rng.pick(2, 3), k.real)
            points = k.array(k.rng.pick("positions", "velocities"), space, size, uniform(-1.0, 1.0))
            k.notes.append(f"The {points.parameter.name} go with them")
            kept = k.array(f"kept_{points.parameter.name}", space, size, None, "out")
            outputs: list[tuple[ArrayHandle, Expr]] = [(kept, points[i])]
        case "fields":
            packed = Vector(2, k.real)
            value = construct(
                packed, convert(k.real, x), k.array("masses", k.real, size, uniform(0.5, 2.0))[i]
            )
            k.notes.append("Their mass goes with them in one vector")
            return [(k.array(k.rng.pick("compacted", "survivors"), packed, size, None, "out"), value)]
        case "term":
            value, word = term(k, x, "value", simple=True)
            if word != "value":
                k.notes.append(f"What goes there is the {word.replace('s of', ' of', 1)}")
            outputs = [(k.array(k.rng.pick("compacted", "survivors"), value.type, size, None, "out"), value)]
        case _:
            outputs = []
    if needed or not outputs or k.rng.chance(0.5):
        outputs.append((k.array(k.rng.pick("kept_values", "packed_values"), kind, size, None, "out"), x))
    if k.rng.chance(0.4):
        outputs.append((k.array("source_ids", I32, size, None, "out"), i))
        k.notes.append("Where each comes from is kept")
    return outputs
