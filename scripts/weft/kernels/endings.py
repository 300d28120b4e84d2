"""What becomes of a goal's values: stored for each element, added up, or made in several launches."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping

from weft.kernels import launches, tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.composition import (
    Composition,
    Program,
    array_name,
    beginning,
    elements,
    largest_name,
    total_name,
)
from weft.kernels.constants import LOWEST
from weft.kernels.emit import expression
from weft.kernels.formulas import Domain, Formula, Quantity, number, whole
from weft.kernels.intervals import Interval
from weft.kernels.launched import Launched, Repeated, Step
from weft.kernels.program import Expr, Name, Redraw, Undefined
from weft.kernels.telling import after, noted, noun, of_each, repeated
from weft.kernels.types import F16, F32, I32, scalar_of
from weft.kernels.words import enumerated, plural, without_superlative
from weft.types import Array, Type


@dataclasses.dataclass(frozen=True)
class Style:
    """What a category wants: which endings, how elements lie in memory, how likely a formula is a function.

    Storage is an array a quantity, `records` (an array of structs), `state` (a struct of arrays), `settings`
    (a struct of those), `half` precision, or `bytes`. `needs` is what each program must have some of:
    functions, structs. With `texture` as `memory`, arrays of which a formula reads other elements than the
    thread's are textures; in `constant` memory lie tables of a known size. Where a category `seeks` what it
    teaches, kernels may have it in a formula on the way to their goal. Where it `tells_half`, a docstring
    says that numbers are stored in half precision. `shows` is true of kernels that have what the category is
    about.
    """

    endings: tuple[Ending, ...] = ()
    storage: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {"arrays": 7.0, "records": 1.5, "half": 2.0, "bytes": 3.0}
    )
    functions: float | None = None
    needs: tuple[str, ...] = ()
    memory: str = "global"
    seeks: bool = False
    tells_half: bool = False
    shows: Callable[[Builder], bool] = lambda _: True


GROUPS = (("group", "group_ids"), ("cluster", "cluster_ids"), ("segment", "segment_ids"))
"""What elements may be divided into, and the array that says which of them each element is in."""

Ending = Callable[[Builder, Domain, Formula, Style], None]


Applies = Callable[[Domain, Formula], bool]
_ASKED: dict[Ending, tuple[Applies, float]] = {}


def asked(applies: Applies, weight: float = 1.0) -> Callable[[Ending], Ending]:
    """An ending that goals of some kind have, in categories only that ask for it by their style."""

    def add(ending: Ending) -> Ending:
        _ASKED[ending] = applies, weight
        return ending

    return add


def possible(domain: Domain, goal: Formula, style: Style) -> dict[Ending, float]:
    """What may become of a goal's values in a style, and how likely."""
    usual = endings(domain, goal)
    if not style.endings:
        return usual
    found = {one: weight for one, (applies, weight) in _ASKED.items() if applies(domain, goal)} | usual
    return {one: found[one] for one in style.endings if one in found}


def on_line(domain: Domain, goal: Formula) -> bool:
    """Do the goal's elements lie on a line?"""
    return 1 in domain.ranks and 1 in (goal.ranks or (1,))


def per_element(k: Builder, domain: Domain, goal: Formula, style: Style) -> None:
    """One thread for each element stores the goal's value, perhaps in the place of the old one."""
    storage = k.rng.weighted(style.storage)
    k.real = F32 if style.memory == "texture" else k.real
    k.in_struct = storage == "settings" or (k.in_struct and storage == "arrays")
    plain = not any(one.array for one in goal.arguments)
    made = Composition(
        k,
        domain,
        records=storage == "records" and plain and domain.things,
        state=storage == "state",
        half=storage == "half" and domain.half and k.real == F32,
        bytes=storage == "bytes" and domain.bytes and k.real == F32,
        textures=style.memory == "texture",
    )
    elements(k, domain, goal.ranks, records=made.records)
    made.store(goal)
    if all(one.memory != style.memory for one in k.parameters):
        raise Redraw(f"nothing lies in {style.memory} memory")
    if style.tells_half and made.half:
        if any(scalar_of(one.element).is_float and one.element != F16 for one in k.inputs.values()):
            raise Redraw("some numbers are not stored in half precision")
        arrays = {one.name: one.type.element for one in k.parameters if isinstance(one.type, Array)}
        halves = [f"`{name}`" for name, element in arrays.items() if element == F16]
        if not halves:
            raise Redraw("no array is stored in half precision")
        what = "Arrays" if len(halves) == len(arrays) else enumerated(halves)
        verb = "is" if what.startswith("`") and len(halves) == 1 else "are"
        k.notes.append(f"{what} {verb} stored in half precision, and arithmetic is in single precision")
    made.describe()


def launched(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The arrays that the goal needs of all elements come from kernels before it."""
    program = Program(k)
    program.add(goal, array_name(goal.result.name, goal.result), domain)
    if len(program.steps) < 2:
        raise Redraw("nothing that the goal needs comes from another kernel")
    told = after(program.goals[:-1], of_each(k.rng, goal, domain.element))
    told = noted(f"{told}.", goal).removesuffix(".") if len(program.goals) <= TOLD else told
    launches.finish(k, told, *program.steps)


def launched_total(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The arrays that the goal needs come from kernels before it; its values are added up."""
    program = Program(k)
    name = total_name(goal.result)
    k.equality = "bounded"

    def keep(part: launches.Part, made: Composition, value: Name) -> None:
        part.k.equality = "bounded"
        total = launches.shared(k, name, value.type, ["1"], {"constant": 0.0}, "inout")
        part.k.atomic("add", part.use(name, total, "inout"), 0, value)
        made.summed()

    program.add(goal, name, domain, keep)
    if len(program.steps) < 2:
        raise Redraw("nothing that the goal needs comes from another kernel")
    told = after(program.goals[:-1], f"Sum the {noun(goal)} over all {plural(domain.element)}")
    launches.finish(k, f"{told}. The sum is added to `{name}[0]`, which must start at zero", *program.steps)


def stepped(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The next values become the old ones, back and forth between two arrays."""
    program = Program(k)
    old = goal.result.updates
    assert old is not None
    name, following = array_name(old.name, old), f"next_{array_name(old.name, old)}"

    def keep(part: launches.Part, made: Composition, value: Name) -> None:
        after = launches.shared(k, following, value.type, list(part.k.shape), None, "out")
        part.k.store(part.use(following, after, "out"), part.k.target, value)
        made.describe()

    least, most, span = *old.limits, old.high - old.low
    bounds = Interval(max(least, old.low - span), min(most, old.high + span))
    program.begin(name, old, bounds, domain, goal.ranks)
    try:
        program.add(goal, following, domain, keep)
    except Undefined as error:
        raise Redraw("a step leads out of the range of inputs") from error
    if name not in program.whole:
        raise Redraw("each element goes on by itself")
    if any("seed" in one.arguments for one in program.steps):
        raise Redraw("every step would draw the same numbers")
    taking_turns = {name: following, following: name}
    back = [
        Launched(one.part, {key: taking_turns.get(array, array) for key, array in one.arguments.items()})
        for one in program.steps
    ]
    times = k.rng.pick(1, 2, 3, 5)
    steps: list[Step] = [*program.steps, *back]
    told = (
        f"{repeated(goal, 2 * times)}. The steps alternate between `{name}` and `{following}`, and the last "
        f"one writes to `{name}`"
    )
    launches.finish(k, told, *(steps if times == 1 else [Repeated(times, steps)]))


def total_by_atomics(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The values of all elements are added up, by an atomic addition each."""
    made, value = _value(k, domain, goal)
    k.equality = "bounded"
    total = k.array(total_name(goal.result), value.type, ["1"], {"constant": 0.0}, "inout")
    k.atomic("add", total, 0, value)
    made.summed()


@asked(lambda domain, goal: goal.result.additive and domain.things)
def totals_of_groups(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The values of the elements of each group are added up."""
    made, value = _value(k, domain, goal)
    k.equality = "bounded"
    group, ids = k.rng.pick(*GROUPS)
    k.sizes[plural(group)] = str(k.rng.pick(8, 16, 64))
    groups = k.array(ids, I32, k.shape, {"integers": [0, plural(group)]})
    out = f"{group}_{array_name(goal.result.name, goal.result)}"
    totals = k.array(out, value.type, [plural(group)], {"constant": 0.0}, "inout")
    k.atomic("add", totals, k.let(group, groups[k.index]), value)
    made.renamed(f"sum_{{}}_by_{group}", f"{group}_{{}}")
    made.describe(f"Sum the {{}} over the {plural(domain.element)} of each {group}")
    k.doc += f" `{out}` must start at zero."


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
    name = f"{group}_max_{without_superlative(name)}"
    out = k.array(name, value.type, [size], lowest(goal), "inout")
    here = k.let(group, k.array(ids, I32, k.shape, {"integers": [0, size]})[k.index])
    k.atomic("max", out, here, goal.result.ranking(value))
    made.renamed_largest(f"max_{{}}_by_{group}", f"find_largest_{{}}_by_{group}")
    things = plural(domain.element)
    made.describe(
        f"Find the largest {{}} among the {things} of each {group}{goal.result.ranked}",
        f"Find the maximum of the {{}} over the {things} of each {group}{goal.result.ranked}",
    )
    k.doc += f" `{name}` must start {beginning(goal.result)}."


def largest(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The largest value of all elements, by an atomic maximum each."""
    made, value = _value(k, domain, goal)
    out = k.array(largest_name(goal.result), value.type, ["1"], lowest(goal), "inout")
    k.atomic("max", out, 0, goal.result.ranking(value))
    made.largest()


def scattered(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """Each element adds its shares to the nodes that it joins, by atomic additions."""
    k.real = F32
    what = goal.result.name.removeprefix("nodal_")
    names = (f"scatter_{what}", f"assemble_{what}", f"scatter_{goal.name}", f"assemble_{goal.name}")
    k.name, *k.other_names = k.rng.shuffled(names)
    made, value = _value(k, domain, goal)
    out = f"{domain.node}_{plural(what.removeprefix(f'{domain.element}_'))}"
    add_to_nodes(
        k, domain, goal, value, lambda of, size: k.array(out, of, [size], {"constant": 0.0}, "inout")
    )
    made.describe()


def add_to_nodes(
    k: Builder, domain: Domain, goal: Formula, value: Expr, into: Callable[[Type, str], ArrayHandle]
) -> None:
    """Add the shares of the thread's element to an array of so many nodes, and say so."""
    scatter = goal.result.scatter
    if scatter is None or domain.nodes is None:
        raise Undefined(f"the {goal.result.name} has no shares for nodes")
    nodes, size = domain.nodes(k)
    shares = scatter.shares(k, value, len(nodes))
    k.equality = "bounded"
    array = into(shares[0].type, size)
    for node, share in zip(nodes, shares, strict=True):
        k.atomic("add", array, node, share)
    k.notes.append(scatter.told.format(words=goal.words))


def _value(k: Builder, domain: Domain, goal: Formula) -> tuple[Composition, Expr]:
    """The goal's value for the thread's element, under a name unless it is short."""
    made = Composition(k, domain)
    elements(k, domain, goal.ranks)
    value = made.evaluate(goal)
    short = not isinstance(value, Name) and len(expression(value)) <= SHORT
    return made, value if short else made.named(goal.result.name, value)


SHORT = 32
"""How many letters an expression has at most that needs no name."""


TOLD = 2
"""Of how many kernels at most a program tells what a reader should know of the last."""
SUMMED_BY_BLOCKS = ("Each block adds its sum to {}", "Each block sums its elements and adds the result to {}")
LARGEST_BY_BLOCKS = (
    "By one atomic maximum, each block updates {}",
    "Each block finds its own maximum, and compares it with {}",
)


def total_by_blocks(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The values of all elements are added up in each block first, in shared memory."""
    made, value = _value_in_block(k, domain, goal, 0.0)
    k.equality = "bounded"
    total = k.let("block_total", tiles.summed(tiles.of_threads(k, value), free_order=True))
    out = k.array(total_name(goal.result), value.type, ["1"], {"constant": 0.0}, "inout")
    tiles.atomic_add(k, out, total)
    made.summed(k.rng.pick(*SUMMED_BY_BLOCKS))


def largest_by_blocks(k: Builder, domain: Domain, goal: Formula, _: Style) -> None:
    """The largest value of each block is found first, in shared memory."""
    of = goal.result
    made, value = _value_in_block(k, domain, goal, of.lowest, of.ranking)
    assert k.lane is not None
    largest_of_block = k.let("block_largest", tiles.extreme("max", tiles.of_threads(k, value)))
    out = k.array(largest_name(goal.result), value.type, ["1"], lowest(goal), "inout")
    with k.when(k.lane.equals(0)):
        k.atomic("max", out, 0, largest_of_block[0])
    made.largest(k.rng.pick(*LARGEST_BY_BLOCKS))


def lowest(goal: Formula) -> dict[str, float]:
    """The recipe of an array in which the largest of a goal's values is sought."""
    least = max(float(goal.result.lowest), LOWEST)
    return {"constant": int(least) if goal.result.kind is whole else least}


def _value_in_block(
    k: Builder, domain: Domain, goal: Formula, rest: float, part: Callable[[Expr], Expr] = lambda value: value
) -> tuple[Composition, Name]:
    """What a part says of the goal's value for the element of each thread of a block; `rest` for threads
    without one.
    """
    made = Composition(k, domain)
    width = k.rng.pick(64, 128, 256, 256)
    (block,) = k.blocks([f"(n + {width - 1}) // {width}"], ["block"], width, "thread")
    assert k.lane is not None
    index = k.let(k.rng.pick(*domain.index), block * width + k.lane)
    index.interval = Interval(0, index.interval.hi, True)
    kind = goal.result.kind(k)
    value = k.var(goal.result.name, rest if scalar_of(kind).is_float else int(rest), type=kind)
    with k.when(index < k.size("count", "n")):
        k.index = k.target = (index,)
        k.shape, k.axes = ("n",), (index.name,)
        k.set(value, part(made.evaluate(goal)))
    if all("n" not in one.shape for one in k.parameters):
        raise Redraw("no array has an element for each thread")
    return made, value


def endings(domain: Domain, goal: Formula) -> dict[Ending, float]:
    """What may become of a goal's values, and how likely."""
    found: dict[Ending, float] = {per_element: 4.0}
    if _reads_made(domain, goal):
        found |= {launched: 3.0}
    if goal.result.additive and _reads_made(domain, goal):
        found |= {launched_total: 1.0}
    if goal.result.updates is not None and _reads_all(domain, goal, goal.result.updates):
        found |= {stepped: 2.0}
    if goal.result.scatter is not None and domain.nodes is not None:
        found |= {scattered: 3.0}
    if goal.result.additive:
        found |= {total_by_atomics: 1.0}
        found |= {total_by_blocks: 2.0} if on_line(domain, goal) and goal.result.kind is number else {}
    if goal.result.extremal:
        found |= {largest: 1.0}
        found |= {largest_by_blocks: 1.0} if on_line(domain, goal) else {}
    return found


@functools.cache
def _reads_made(domain: Domain, goal: Formula, depth: int = 0) -> bool:
    """Does a goal, or what leads to it, read an array that another formula fills?"""
    needs = [(one.array, domain.giving(one.of)) for one in goal.arguments if isinstance(one.of, Quantity)]
    if any(array and made for array, made in needs):
        return True
    return depth < 2 and any(_reads_made(domain, one, depth + 1) for _, made in needs for one in made)


@functools.cache
def _reads_all(domain: Domain, goal: Formula, of: Quantity, depth: int = 0) -> bool:
    """Does a goal, or what leads to it, read a quantity of all elements?"""
    needs = [one for one in goal.arguments if isinstance(one.of, Quantity)]
    if any(one.array and one.of is of for one in needs):
        return True
    made = [each for one in needs if isinstance(one.of, Quantity) for each in domain.giving(one.of)]
    return depth < 2 and any(_reads_all(domain, one, of, depth + 1) for one in made)
