"""Bits and flags that threads set in words that they share."""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, lift, ops, within
from weft.kernels.idioms.atomic.amounts import gathered, skip_some
from weft.kernels.intervals import EVERYTHING
from weft.kernels.program import Call, Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import I32, U32
from weft.kernels.vocabulary import threads, whole
from weft.types import Scalar


def shared_masks(k: Builder) -> None:
    """Masks of words that threads join, cut or flip: what a group has, has all of, has an odd number of."""
    threads(k)
    kind: Scalar = k.rng.pick(I32, U32, U32)
    k.sizes["groups"] = k.rng.pick("(n + 3) // 4", "(n + 1) // 2", "max(n // 3, 1)")
    group = k.array(k.rng.pick("group_ids", "owners"), I32, k.shape, {"integers": [0, "groups"]})[k.index]
    group = k.let("group", group) if k.rng.chance(0.5) else group
    how = k.rng.pick("as they are", "one bit", "shifted", "joined")
    word = "flags"
    name = k.rng.pick("flags", "labels", "traits")
    flags = lift(1, kind) if how == "one bit" else k.array(name, kind, k.shape, whole(0, 255))[k.index]
    bits: Expr = flags
    match how:
        case "one bit":
            places = k.array("bit_places", I32, k.shape, whole(0, 15))[k.index]
            bits, word = flags << (places if kind == I32 else convert(kind, places)), "one bit each"
        case "shifted":
            shift = k.rng.integer(2, 8)
            bits, word = flags << shift, f"flags moved by {shift} places"
        case "joined":
            other = k.array("own_flags", kind, k.shape, whole(0, 1023))[k.index]
            bits, word = flags | (other & 768), "flags and two bits of their own"
    value = k.let(k.rng.pick("bits", "mask_bits"), bits)
    if k.rng.chance(0.2):
        skip_some(k)
    which, start, what = k.rng.pick(
        ("or", 0, "What the members of each group have between them"),
        ("and", 4095, "What all members of each group have in common"),
        ("xor", 0, "What an odd number of members of each group have"),
    )
    shared = k.array(k.rng.pick("group_bits", "summary"), kind, ["groups"], {"constant": start}, "inout")
    where = gathered(k, shared, group, value, which)
    if k.rng.chance(0.5):
        k.store(k.array("own_bits", kind, k.shape, None, "out"), k.target, value)
        k.notes.append("Each thread's bits are stored as well")
    describe(k, f"{what}: {word}{where}")


def touched_cells(k: Builder) -> None:
    """Cells that some thread visits are marked by an exchange, or claimed once."""
    threads(k)
    flat = k.rng.chance(0.6)
    k.sizes["cells"] = k.rng.pick("2 * n", "max(n // 2, 4)", "64", "300")
    if not flat:
        k.sizes["lanes"] = str(k.rng.pick(4, 6, 8))
    skip_some(k)
    cell = _visited(k)
    place: tuple[Expr, ...] = (cell,)
    if not flat:
        lane = k.array(k.rng.pick("lane_of", "layers"), I32, k.shape, {"integers": [0, "lanes"]})[k.index]
        place = (cell, k.let("lane", lane)) if k.rng.chance(0.5) else (cell, lane)
    shape = ["cells", *(["lanes"] * (not flat))]
    mark = k.rng.pick(1, 1, 2, 7)
    marks = k.array(k.rng.pick("visited", "touched", "dirty"), I32, shape, {"constant": 0}, "inout")
    claimed = k.rng.chance(0.5)
    _mark(k, marks, place, mark, claimed)
    match k.rng.pick("weights", "largest", "own", "masks", "own"):
        case "weights":
            loads = k.array("loads", I32, shape, {"constant": 0}, "inout")
            weight = k.array("weights", I32, k.shape, whole(1, 9))[k.index]
            k.atomic(k.rng.pick("add", "+="), loads, place, weight)
            k.notes.append("The weights of its visitors are added up in each cell")
        case "largest":
            ages = k.array("ages", I32, k.shape, whole(0, 99))[k.index]
            oldest = k.array("oldest", I32, ["cells"], {"constant": -1}, "inout")
            k.atomic("max", oldest, cell, ages)
            k.notes.append("The age of the oldest visitor is kept for each cell")
        case "masks":
            bits = k.array("kind_bits", U32, k.shape, whole(1, 15))[k.index]
            k.atomic("or", k.array("kinds_seen", U32, ["cells"], {"constant": 0}, "inout"), cell, bits)
            k.notes.append("What kinds its visitors have is joined in each cell")
        case _:
            finish(k, "cell_number", cell, "")
    how = "claimed, if nobody has before," if claimed else "marked"
    describe(k, f"Cells that are visited are {how} with {mark}")


def _visited(k: Builder) -> Expr:
    """The cell that a thread visits, under a name."""
    match k.rng.pick("given", "given", "middle", "either"):
        case "middle":
            first, last = (
                k.array(name, I32, k.shape, {"integers": [0, "cells"]})[k.index]
                for name in ("from_cell", "to_cell")
            )
            middle = within((first + last) // 2, "cells")
            k.notes.append("Each visits the cell in the middle of its way")
            return within(k.let("cell", middle), "cells")
        case "either":
            here, there = (
                k.array(name, I32, k.shape, {"integers": [0, "cells"]})[k.index]
                for name in ("homes", "targets")
            )
            moving = k.array(k.rng.pick("moving", "awake"), I32, k.shape, whole(0, 1))[k.index]
            k.notes.append("Those that do not move visit their home")
            return k.let("cell", ops.where(moving > 0, there, here))
        case _:
            return k.let(
                "cell",
                k.array(k.rng.pick("cell_of", "targets"), I32, k.shape, {"integers": [0, "cells"]})[k.index],
            )


def _mark(k: Builder, marks: ArrayHandle, place: tuple[Expr, ...], mark: int, claimed: bool) -> None:
    """One atomic whose result nobody reads; every thread writes the same, so that no order shows."""
    item = k.place(marks, place)
    marks.atomic = "mark"
    before = (lift(0, I32),) if claimed else ()
    name = "wp.atomic_cas" if claimed else "wp.atomic_exch"
    arguments = (item.value, *item.indices, *before, lift(mark, I32))
    k.evaluate(Call(I32, EVERYTHING, name, arguments))
