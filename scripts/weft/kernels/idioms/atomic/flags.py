"""Threads that set bits, claim places and join trees, by bitwise atomics, exchanges and extremes."""

from __future__ import annotations

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.expressions import construct, convert, lift, ops, within
from weft.kernels.intervals import EVERYTHING
from weft.kernels.program import Call, Expr
from weft.kernels.types import I32, U32
from weft.types import Vector


def _called(k: Builder, doc: str, *names: str) -> None:
    """Name the kernel by one of these, and describe it."""
    k.doc = f"{doc}."
    k.name, *k.other_names = k.rng.shuffled(names)


def _ends(k: Builder) -> tuple[Expr, Expr]:
    """The two nodes of the thread's edge."""
    (e,) = k.threads(["n"], [k.rng.pick("e", "edge")])
    k.sizes["num_nodes"] = k.rng.pick("max(n // 3, 1)", "max(n // 2, 2)", "500")
    recipe = {"integers": [0, "num_nodes"]}
    names = k.rng.pick(("sources", "source", "targets", "target"), ("tails", "tail", "heads", "head"))
    first, second = (k.let(names[at + 1], k.array(names[at], I32, ["n"], recipe)[e]) for at in (0, 2))
    return first, second


def _exchange(k: Builder, array: ArrayHandle, index: Expr, *values: Expr | int) -> None:
    """One `atomic_cas` or `atomic_exch` whose result nobody reads: every thread writes the same."""
    item = k.place(array, index)
    array.atomic = "mark"
    name = "wp.atomic_cas" if len(values) == 2 else "wp.atomic_exch"
    arguments = (item.value, *item.indices, *(lift(one, I32) for one in values))
    k.evaluate(Call(I32, EVERYTHING, name, arguments))


def group_flags(k: Builder) -> None:
    """Bitwise summaries of groups."""
    which, start, told, short = k.rng.pick(
        ("or", 0, "Combine the flag bits of each group's members by bitwise OR", "any"),
        ("and", 4095, "Combine the flag bits of each group's members by bitwise AND", "common"),
        ("xor", 0, "Combine the flag bits of each group's members by bitwise XOR", "odd"),
    )
    (i,) = k.threads(["n"], [k.rng.pick("i", "item")])
    k.sizes["groups"] = k.rng.pick("(n + 3) // 4", "(n + 7) // 8", "50")
    group = k.let("group", k.array("group_ids", I32, ["n"], {"integers": [0, "groups"]})[i])
    flags = k.array(k.rng.pick("flags", "item_flags", "tags"), U32, ["n"], whole(0, 4095))[i]
    summary = k.array(f"{short}_flags", U32, ["groups"], {"constant": start}, "inout")
    k.atomic(which, summary, group, k.let("bits", flags))
    _called(
        k,
        f"{told}. {short}_flags must start {'with every flag set' if which == 'and' else 'at zero'}",
        f"{short}_flags_of_groups",
        f"group_{which}",
        f"bitwise_{which}_by_group",
        f"{short}_flags",
    )


def visited_bitmap(k: Builder) -> None:
    """A set of ids as a bitmap of words."""
    (i,) = k.threads(["n"], [k.rng.pick("i", "item")])
    k.sizes["num_words"] = k.rng.pick("n // 32 + 1", "n // 8 + 1", "64")
    ids = k.array(k.rng.pick("ids", "frontier", "node_ids"), I32, ["n"], {"integers": [0, "32 * num_words"]})
    bitmap = k.array(k.rng.pick("visited", "bitmap", "present"), U32, ["num_words"], {"constant": 0}, "inout")

    def insert() -> None:
        one = k.let("member", ids[i])
        word = k.let("word", within(one >> 5, "num_words"))
        k.atomic("or", bitmap, word, lift(1, U32) << convert(U32, one & 31))

    if k.rng.chance(0.4):
        marked = k.array("marked", I32, ["n"], {"integers": [0, 2]})
        with k.when(marked[i].equals(1)):
            insert()
        doc = "Insert each id whose entry of marked is 1 into a set stored as a bitmap, 32 ids to a word"
    else:
        insert()
        doc = "Insert the ids into a set stored as a bitmap, 32 ids to a word"
    _called(k, doc, "visited_bitmap", "insert_into_bitmap", "set_bits", "mark_ids")


def bloom_insert(k: Builder) -> None:
    """Insertion into a Bloom filter (Bloom 1970; Kirsch and Mitzenmacher 2006)."""
    (i,) = k.threads(["n"], [k.rng.pick("i", "key_index")])
    width, hashes = k.rng.pick(7, 8, 10), k.rng.pick(2, 3, 4)
    k.sizes["num_words"] = str(1 << width)
    words = k.array(k.rng.pick("bloom_filter", "filter_words"), U32, ["num_words"], {"constant": 0}, "inout")
    key = k.let("key", k.array("keys", U32, ["n"], {"integers": [0, 2**31 - 1]})[i])
    first = k.let("first_hash", key * 2654435769)
    second = k.let("second_hash", (key ^ (key >> 15)) * 2246822519)
    with k.loop("turn", 0, hashes) as turn:
        state = k.let("state", first + convert(U32, turn) * second)
        word = k.let("word", within(convert(I32, state >> (32 - width)), "num_words"))
        k.atomic("or", words, word, lift(1, U32) << (state & 31))
    doc = f"Insert each key into a Bloom filter of {1 << width} words: set {hashes} bits by double hashing"
    _called(k, doc, "bloom_insert", "bloom_filter_add", "insert_into_bloom_filter")


def hook_roots(k: Builder) -> None:
    """The hooking step of connected components (Shiloach and Vishkin 1982)."""
    first, second = _ends(k)
    labels = k.array(k.rng.pick("labels", "roots"), I32, ["num_nodes"], {"integers": [0, "num_nodes"]})
    a, b = (k.let(name, labels[one]) for name, one in (("first_label", first), ("second_label", second)))
    low, high = k.let("low", ops.min(a, b)), k.let("high", within(ops.max(a, b), "num_nodes"))
    parents = k.array("parents", I32, ["num_nodes"], {"constant": 1_000_000}, "inout")
    with k.when(a.differs(b)):
        k.atomic("min", parents, high, low)
    doc = "Hook the larger label of both ends of each edge to the smaller one"
    _called(k, doc, "hook_roots", "hook_components", "union_by_minimum", "hooking_step")


def claim_frontier(k: Builder) -> None:
    """A top-down step of breadth-first search, which claims nodes."""
    source, target = _ends(k)
    levels = k.array("levels", I32, ["num_nodes"], {"integers": [-1, 4]})
    current = k.scalar("current_level", I32, {"integers": [0, 4]})
    marks = k.array("next_levels", I32, ["num_nodes"], {"constant": -1}, "inout")
    with k.when(levels[source].equals(current) & (levels[target] < 0)):
        if k.rng.chance(0.5):
            _exchange(k, marks, target, -1, current + 1)
        else:
            _exchange(k, marks, target, current + 1)
    doc = "Give the next level to all nodes without one that an edge reaches from the current level"
    _called(k, doc, "claim_frontier", "top_down_step", "expand_frontier", "bfs_push")


def edge_degrees(k: Builder) -> None:
    """Degrees from a list of edges."""
    source, target = _ends(k)
    outgoing, incoming = (
        k.array(name, I32, ["num_nodes"], {"constant": 0}, "inout") for name in ("out_degrees", "in_degrees")
    )
    k.atomic("add", outgoing, source, 1)
    k.atomic("add", incoming, target, 1)
    doc = "Count the edges that leave and those that enter each node"
    _called(k, doc, "edge_degrees", "count_degrees", "in_and_out_degrees")


def bounding_boxes(k: Builder) -> None:
    """The boxes around the points of groups."""
    dimension = k.rng.pick(2, 3)
    kind = Vector(dimension, k.real)
    (i,) = k.threads(["n"], [k.rng.pick("i", "p")])
    grouped = k.rng.chance(0.6)
    group = k.rng.pick("part", "cluster", "leaf")
    k.sizes["num_groups"] = k.rng.pick("16", "max(n // 16, 1)") if grouped else "1"
    point = k.let("point", k.array("points", kind, ["n"], uniform(-5.0, 5.0))[i])
    at: Expr | int = 0
    if grouped:
        at = k.let(group, k.array(f"{group}_ids", I32, ["n"], {"integers": [0, "num_groups"]})[i])
    reach: Expr | None = None
    if k.rng.chance(0.4):
        radius = k.let("radius", k.array("radii", k.real, ["n"], uniform(0.05, 0.5))[i])
        reach = k.let("reach", construct(kind, *[radius] * dimension))
    lower, upper = (
        k.array(name, kind, ["num_groups"], {"constant": start}, "inout")
        for name, start in (("lower_corners", 1e6), ("upper_corners", -1e6))
    )
    k.atomic("min", lower, at, point if reach is None else point - reach)
    k.atomic("max", upper, at, point if reach is None else point + reach)
    things = "points" if reach is None else "spheres"
    whose = f" of each {group}" if grouped else ""
    names = (
        ("bounding_boxes", f"{group}_bounds", "box_corners") if grouped else ("bounding_box", "scene_bounds")
    )
    _called(k, f"Find the corners of the box around the {things}{whose}", *names)


FLAGS = (
    group_flags,
    visited_bitmap,
    bloom_insert,
    hook_roots,
    claim_frontier,
    edge_degrees,
    bounding_boxes,
)
