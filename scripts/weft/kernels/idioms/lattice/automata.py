"""Cellular automata."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.idioms.lattice.cells import start
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import (
    read,
    whole,
)


def automaton(k: Builder, rank: int) -> None:
    """Cellular automata: cells that change by what their neighbours are."""
    start(k, rank)
    states = k.rng.pick(2, 2, 3, 4)
    cells = k.array(k.rng.pick("cells", "world", "grid_states"), I32, k.shape, whole(0, states - 1))
    own = k.let("own", cells[k.index])
    full = k.rng.chance(0.6)
    periodic = k.rng.chance(0.5)
    target = k.rng.integer(1, states - 1)
    what = k.rng.pick("count", "sum", "next") if states > 2 else "sum"
    total = k.var(k.rng.pick("alive", "neighbors", "around"), 0, type=I32)
    most = 3**rank - 1 if full else 2 * rank

    def see(places: list[Expr]) -> None:
        one = cells[tuple(places)]
        match what:
            case "count":
                with k.when(one.equals(target)):
                    k.add(total, 1)
            case "next":
                with k.when(one.equals((own + 1) % states)):
                    k.add(total, 1)
            case _:
                k.add(total, one)

    def place(axis: int, offset: Expr | int) -> Expr:
        size, here = k.extent(axis), k.index[axis]
        if periodic:
            return (here + offset + size) % size
        return ops.clamp(here + offset, 0, size - 1)

    if full:
        with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b:
            if rank == 3:
                with k.loop("c", -1, 2) as c:
                    see([place(0, a), place(1, b), place(2, c)])
            else:
                see([place(0, a), place(1, b)])
    else:
        for axis in k.rng.shuffled(range(rank)):
            with k.loop("side", -1, 2, 2) as side:
                see([place(axis, side) if one == axis else here for one, here in enumerate(k.index)])
    k.notes.append("The grid is periodic" if periodic else "Beyond the border the nearest cell counts")
    if full and what == "sum":
        k.add(total, own, "-")
    bounded(total, 0, most * (states - 1))
    typical = most * (states - 1) // 2 if what == "sum" else max(1, most // states)
    value, rule = _rule(k, own, total, states, typical, most * (states - 1))
    counted = {
        "count": f"neighbours in state {target}",
        "next": "neighbours in the next state",
        "sum": "sum of neighbours",
    }[what]
    if k.rng.chance(0.3):
        walls = k.array(k.rng.pick("walls", "frozen"), I32, k.shape, whole(0, 1))[k.index]
        value = ops.where(walls > 0, own, value)
        k.notes.append("Frozen cells keep their state")
    if k.rng.chance(0.3):
        k.store(k.array("neighbor_counts", I32, k.shape, None, "out"), k.target, total)
        k.notes.append(f"The {counted} is stored as well")
    if k.rng.chance(0.3):
        changed = k.array("changes", I32, ["1"], {"constant": 0}, "inout")
        value = k.let("final", value)
        with k.when(value.differs(own)):
            k.atomic(k.rng.pick("add", "+="), changed, 0, 1)
        k.notes.append("Changes are counted")
    doc = f"A cellular automaton of {states} states: a cell {rule}, by the {counted} among {most} cells"
    finish(k, "cell", value, doc)


def _rule(k: Builder, own: Expr, total: Expr, states: int, typical: int, most: int) -> tuple[Expr, str]:
    """What a cell becomes, from its state and what was counted around it; and the rule in words."""
    kind = k.rng.pick("life", "majority", "parity", "grow", "cycle", "table", "heat", "sand")
    low, high = max(1, typical - 1), max(2, typical)
    match kind:
        case "parity":
            return (own + total) % states, f"adds its neighbours modulo {states}"
        case "table":
            table = k.array("rules", I32, [str(states), str(most + 1)], whole(0, states - 1))
            return table[own, total], "looks its next state up in a table"
        case "heat":
            share = convert(k.real, total) / float(most)
            hot = share + read(k, "noise", -0.3, 0.3) > k.rng.number(0.4, 0.6)
            lit = lift(states - 1, I32)
            rule = "is lit where its neighbours' share and its noise suffice, and else fades by one"
            return ops.where(hot, lit, ops.max(own - 1, 0)), rule
        case "sand":
            gain = total // k.rng.pick(2, 3)
            return ops.max(
                ops.min(own + gain - 1, states - 1), 0
            ), "gains a share of its neighbours and loses one"
    value = k.var("next_state", own, bounds=(0, states - 1))
    match kind:
        case "life":
            with k.when((own > 0) & ((total < low) | (total > high))):
                k.set(value, 0)
            with k.orwhen(own.equals(0) & total.equals(high)):
                k.set(value, states - 1)
            return value, f"dies below {low} or above {high}, is born at {high}"
        case "majority":
            with k.when(total > high):
                k.set(value, states - 1)
            with k.orwhen(total < high):
                k.set(value, 0)
            return value, f"follows the majority at {high}"
        case "grow":
            with k.when(own.equals(0)):
                k.set(value, ops.where(total >= high, lift(1, I32), lift(0, I32)))
            with k.otherwise():
                k.set(value, (own + 1) % states)
            return value, f"wakes up at {high} and then ages"
        case _:
            with k.when(total >= high):
                k.set(value, (own + 1) % states)
            return value, f"advances where {high} or more push"
