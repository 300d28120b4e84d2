"""Bits and flags that threads set in words that they share."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, lift
from weft.kernels.idioms.atomic.amounts import gathered, skip_some
from weft.kernels.intervals import EVERYTHING
from weft.kernels.program import Call, Expr
from weft.kernels.results import describe
from weft.kernels.types import I32, U32
from weft.kernels.vocabulary import threads, whole
from weft.types import Scalar


def shared_masks(k: Builder) -> None:
    """Masks of words that threads join, cut or flip: what a group has, has all of, has an odd number of."""
    threads(k, indirect=False)
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
    threads(k, indirect=False)
    cells = k.rng.pick("2 * n", "max(n // 2, 4)", "64")
    k.sizes["cells"] = cells
    cell = k.let(
        "cell", k.array(k.rng.pick("cell_of", "targets"), I32, k.shape, {"integers": [0, "cells"]})[k.index]
    )
    skip_some(k)
    mark = k.rng.pick(1, 1, 2, 7)
    marks = k.array(k.rng.pick("visited", "touched", "dirty"), I32, ["cells"], {"constant": 0}, "inout")
    item = k.place(marks, cell)
    marks.atomic = "mark"
    if k.rng.chance(0.5):
        arguments: tuple[Expr, ...] = (item.value, *item.indices, lift(mark, I32))
        name, how = "wp.atomic_exch", "marked"
    else:
        arguments = (item.value, *item.indices, lift(0, I32), lift(mark, I32))
        name, how = "wp.atomic_cas", "claimed, if nobody has before,"
    k.evaluate(Call(I32, EVERYTHING, name, arguments))
    if k.rng.chance(0.6):
        loads = k.array("loads", I32, ["cells"], {"constant": 0}, "inout")
        weight = k.array("weights", I32, k.shape, whole(1, 9))[k.index]
        k.atomic(k.rng.pick("add", "+=", "max"), loads, cell, weight)
        k.notes.append("A number for each cell comes from the weights of its visitors")
    else:
        k.store(
            k.array("own_cells", I32, k.shape, None, "out"),
            k.target,
            cell + k.rng.integer(1, 3) if k.rng.chance(0.5) else cell * 2,
        )
        k.notes.append("A number made of its cell is stored for each thread")
    describe(k, f"Cells that are visited are {how} with {mark}")
