"""Endings through indices: of elements that a list names, of members of groups, of those that are kept."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.composition import Composition, array_name, elements
from weft.kernels.constants import LOWEST
from weft.kernels.endings import GROUPS, Style, asked, lowest, on_line
from weft.kernels.expressions import convert, ops
from weft.kernels.formulas import Domain, Formula, number
from weft.kernels.idioms.pairs import zero
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.kernels.words import plural
from weft.types import Vector


def _numeric(domain: Domain, goal: Formula) -> bool:
    return domain.things and on_line(domain, goal) and goal.result.kind is number and not goal.begins


def _kept(domain: Domain, goal: Formula) -> bool:
    return _numeric(domain, goal) and goal.result.updates is None


def _updating(domain: Domain, goal: Formula) -> bool:
    return domain.things and on_line(domain, goal) and not goal.begins


@asked(_updating)
def of_listed(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """A thread for each element that a list names stores the goal's value where the element lies."""
    word = k.rng.pick("active", "selected", "marked", "listed")
    made, things = Composition(k, domain), plural(domain.element).replace(" ", "_")
    k.sizes[f"num_{word}"] = k.rng.pick("(n + 1) // 2", "(n + 3) // 4", "(2 * n + 2) // 3")
    k.threads([f"num_{word}"], [k.rng.pick("t", "slot", "tid")])
    listed = k.array(f"{word}_{things}", I32, [f"num_{word}"], {"permutation": "n"})
    _element(k, domain, listed[k.index])
    k.target = k.index
    made.store(goal)
    k.notes.append(f"Only the {word} {plural(domain.element)} are visited")
    made.describe()


def _element(k: Builder, domain: Domain, index: Expr) -> None:
    """Let formulas be about the element of this index, which is looked up."""
    short = k.rng.pick(*domain.index)
    name = short if len(short) > 1 or short not in k.names else f"{short}_index"
    k.index = (k.let(name, index),)
    k.shape, k.axes = ("n",), (name,)


@asked(_numeric)
def over_members(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """A thread for each group goes through its members, which lie together in a list with offsets."""
    additive, extremal = goal.result.additive, goal.result.extremal
    how = k.rng.pick("mean", *(["sum"] * 2 if additive else []), *(["largest"] * 2 if extremal else []))
    group = k.rng.pick("group", "cluster", "batch", "bag", "segment")
    groups, stride = plural(group), k.rng.pick(4, 6, 8)
    k.sizes[groups] = k.rng.pick("(n + 3) // 4", "(n + 7) // 8", "min(n, 500)")
    (here,) = k.threads([groups], [group])
    starts = k.array(f"{group}_{k.rng.pick('starts', 'offsets')}", I32, [f"{groups} + 1"], _offsets(stride))
    k.sizes["num_members"] = f"{stride} * {groups} + {stride}"
    members = k.array(k.rng.pick("members", f"{group}_members"), I32, ["num_members"], {"integers": [0, "n"]})
    starts.interval = Interval(0, k.largest("num_members"), True)
    first, last = k.let("first", starts[here]), k.let("last", starts[here + 1])
    last.interval = Interval(0, k.largest("num_members"), True, "num_members", 0)
    made = Composition(k, domain)
    of = goal.result
    start = of.lowest if how == "largest" else 0.0
    kind = goal.result.kind(k)
    total = k.var(
        {"sum": "total", "mean": "total", "largest": "largest"}[how],
        zero(kind) if isinstance(kind, Vector) else start,
        bounds=None if how != "largest" else (max(of.lowest, LOWEST), max(1e6, of.limits[1])),
    )
    with k.loop("m", first, last, most=2 * stride) as m:
        _element(k, domain, members[m])
        value = made.named(goal.result.name, made.evaluate(goal))
        if how == "largest":
            k.set(total, ops.max(total, of.ranking(value)))
        else:
            k.add(total, value)
    name = array_name(goal.result.name, goal.result)
    out = k.array(f"{group}_{name if how == 'sum' else f'{how}_{name}'}", kind, [groups], None, "out")
    result: Expr = total
    if how == "mean":
        result = total / convert(k.real, ops.max(last - first, 1))
    k.store(out, here, result)
    word = {"sum": "Sum the", "mean": "Compute the mean", "largest": "Find the largest"}[how]
    told = of.ranked if how == "largest" else ""
    made.describe(f"{word} {{}} over the members of each {group}{told}")


def _offsets(stride: int) -> dict[str, list[int]]:
    """The recipe of where groups begin whose sizes differ."""
    return {"offsets": [stride, stride + 1]}


@asked(lambda domain, goal: goal.result.kind is number and goal.result.extremal and domain.things)
def extremes_of_groups(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The largest value of each group, by an atomic maximum each; of large groups, few values would show."""
    made = Composition(k, domain)
    elements(k, domain, goal.ranks)
    value = made.named(goal.result.name, made.evaluate(goal))
    group, ids = k.rng.pick(*GROUPS)
    size = plural(group)
    k.sizes[size] = k.rng.pick("(n + 3) // 4", "(n + 7) // 8", "max(n // 5, 1)")
    name = array_name(goal.result.name, goal.result)
    out = k.array(f"{group}_max_{name}", value.type, [size], lowest(goal), "inout")
    here = k.let(group, k.array(ids, I32, k.shape, {"integers": [0, size]})[k.index])
    k.atomic("max", out, here, goal.result.ranking(value))
    made.describe(
        f"Find the largest {{}} of each {group}{goal.result.ranked}",
        f"Find the maximum of the {{}} in each {group}{goal.result.ranked}",
    )


@asked(_kept, 0.6)
def packed(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The values of marked elements are appended to lists, whose length an atomic counts."""
    made, things = Composition(k, domain), plural(domain.element)
    k.threads(["n"], [k.rng.pick(*domain.index)])
    word = k.rng.pick("active", "valid", "selected", "visible")
    marks = k.array(k.rng.pick(word, f"is_{word}"), I32, ["n"], {"integers": [0, 2]})
    with k.when(marks[k.index].equals(0)):
        k.jump("return")
    kept = _append(k, domain, goal, made.named(goal.result.name, made.evaluate(goal)))
    k.notes.append(f"Values of {word} {things} are packed into `{kept}`, in no fixed order")
    made.describe()


def _append(k: Builder, domain: Domain, goal: Formula, value: Expr) -> str:
    """Append a value, and perhaps whose it is, to lists; the name of the first."""
    name = array_name(goal.result.name, goal.result)
    first = k.array(f"{k.rng.pick('kept', 'packed')}_{name}", value.type, ["n"], None, "out")
    lists = {first: value}
    if k.rng.chance(0.6):
        things = domain.element.replace(" ", "_")
        lists[k.array(f"{things}_ids", I32, ["n"], None, "out")] = k.index[0]
    counter = k.array(
        k.rng.pick("num_kept", "kept_count", "list_length"), I32, ["1"], {"constant": 0}, "inout"
    )
    slot = k.append("slot", counter, "n")
    for array, one in lists.items():
        k.store(array, slot, one)
    return first.parameter.name
