"""Composes a kernel from the formulas of a domain: a goal, and formulas for what the goal needs.

Whatever a formula takes is either read from an array or comes from another formula, as deep as the kernel's
difficulty allows. So a chain of formulas is one that a person would write, its sentence follows from its
parts, and kernels differ by what they compute.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

from weft.kernels import launches, tiles
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.expressions import convert, lift
from weft.kernels.formulas import Argument, Domain, Formula, Quantity, Setting, number
from weft.kernels.formulas import whole as wholes
from weft.kernels.intervals import Interval
from weft.kernels.launched import Step
from weft.kernels.program import Expr, Name, Parameter, Redraw, Undefined
from weft.kernels.reserved import breaks_warp
from weft.kernels.types import F16, F32, I32, scalar_of
from weft.kernels.words import plural
from weft.types import Struct, Type

CHAINED = {"easy": 0.4, "medium": 0.7, "hard": 0.85, "expert": 0.95}
"""How likely a value comes from a formula rather than from an array, by difficulty."""
FORMULAS = {"easy": 2, "medium": 4, "hard": 7, "expert": 12}
"""How many formulas a kernel has at most, by difficulty."""
DEEPEST = 5
LAUNCHES = 3
MOST_WAYS = 24.0
RELATED = {"easy": 0.1, "medium": 0.15, "hard": 0.3, "expert": 0.4}
"""How likely each goal that takes what a kernel knows is stored by it as well, by difficulty."""
STORAGE = {"arrays": 7.0, "records": 1.5, "half": 2.0}
SETTINGS = {"literal": 2.0, "literal of the module": 0.7, "parameter": 4.0}

GRIDS: dict[int, tuple[tuple[tuple[str, str, str], ...], ...]] = {
    1: ((("i", "n", ""),),),
    2: (
        (("i", "rows", "(n + 63) // 64"), ("j", "cols", "64")),
        (("y", "height", "(n + 95) // 96"), ("x", "width", "96")),
        (("row", "rows", "(n + 36) // 37"), ("col", "cols", "37")),
        (("y", "height", "48"), ("x", "width", "(n + 47) // 48")),
        (("j", "ny", "(n + 60) // 61"), ("i", "nx", "61")),
    ),
    3: (
        (("i", "nx", "(n + 255) // 256"), ("j", "ny", "16"), ("k", "nz", "16")),
        (("z", "depth", "8"), ("y", "height", "(n + 199) // 200"), ("x", "width", "25")),
        (("k", "nz", "(n + 383) // 384"), ("j", "ny", "12"), ("i", "nx", "32")),
    ),
}
"""Elements in two and three dimensions: each axis with its index, its size, and that size by n."""

_PAST = {"Find": "found", "Sum": "summed", "Set": "set", "Take": "taken", "Give": "given", "Read": "read"}


def participle(verb: str) -> str:
    """`Compute` as a later sentence has it: computed."""
    return _PAST.get(verb) or verb.lower() + ("d" if verb.endswith("e") else "ed")


Ending = Callable[[Builder, Domain, Formula], None]


@dataclasses.dataclass(slots=True)
class Composition:
    """A kernel under construction: what is read so far, what is computed, and by which formulas."""

    k: Builder
    domain: Domain
    program: Program | None = None
    part: launches.Part | None = None
    values: dict[str, Expr] = dataclasses.field(default_factory=dict)
    used: list[Formula] = dataclasses.field(default_factory=list)
    direct: list[Formula] = dataclasses.field(default_factory=list)
    whole: set[str] = dataclasses.field(default_factory=set)
    record: Expr | None = None
    records: bool = False
    half: bool = False

    def evaluate(self, formula: Formula, depth: int = 0) -> Expr:
        """The value of a formula for this thread's element. Its result keeps what its quantity promises."""
        k = self.k
        self.used.append(formula)
        if self.program is not None:
            self.program.used.append(formula)
        if depth == 1 and formula.goal:
            self.direct.append(formula)
        read_whole = {one.of for one in formula.arguments if one.array}
        given = {one.name: self.supply(one, depth, one.of in read_whole) for one in formula.arguments}
        if depth and formula.is_pure and k.rng.chance(k.policy.helper):
            value = self._called(formula, given)
        else:
            value = formula.function(k, **given)
        least, most = formula.result.limits
        if not value.interval.within(least, most):
            raise Undefined(
                f"{formula.name} gives {value.interval}, not {formula.result.name} in [{least}, {most}]"
            )
        return value

    def _called(self, formula: Formula, given: dict[str, Expr | ArrayHandle]) -> Expr:
        """The formula as a function of the program's, called."""
        values = {name: one for name, one in given.items() if isinstance(one, Expr)}
        limits = {
            name: Interval(one.interval.lo, one.interval.hi, one.interval.integral)
            for name, one in values.items()
        }
        parameters = {name: (one.type, limits[name]) for name, one in values.items()}
        doc = f"{formula.words[0].upper()}{formula.words[1:]} {formula.how}".strip() + "."
        function = self.k.function(
            formula.name,
            doc,
            parameters,
            lambda b, *names: formula.function(b, **dict(zip(values, names, strict=True))),
        )
        return function(*values.values())

    def supply(self, argument: Argument, depth: int, from_array: bool) -> Expr | ArrayHandle:
        """What a formula takes under this name; `from_array` where it reads the whole array, too."""
        name, of = argument.name, argument.of
        if isinstance(of, Setting):
            return self._setting(name, of)
        if argument.array:
            self.whole.add(name)
            self.prepare(name, of)
            return self.array(name, of)
        if name not in self.values:
            producer = None if from_array else self._producer(name, of, depth)
            value = (
                self._read(name, of, from_array) if producer is None else self.evaluate(producer, depth + 1)
            )
            self.values[name] = self.named(name, value)
        return self.values[name]

    def _read(self, name: str, of: Quantity, from_array: bool) -> Expr:
        """The thread's own element, of an array or of a record."""
        k = self.k
        if of.load is not None:
            return of.load(k, name)
        element = of.kind(k)
        if self.records and not from_array and array_name(name, of) not in k.inputs:
            return self._member(name, of)
        if self.half and element == F32 and not from_array:
            return convert(F32, self.array(array_name(name, of), of, F16)[k.index])
        return self.array(array_name(name, of), of)[k.index]

    def _member(self, name: str, of: Quantity) -> Expr:
        """A member of the record of the thread's element."""
        k, element = self.k, self.domain.element
        title = "".join(part.capitalize() for part in element.split())
        of_kind = of.kind(k)
        key = element.replace(" ", "_")
        if self.record is None:
            k.struct(title, f"State of one {element}.", [])
            handle = k.array(plural(key), Struct(title), k.shape, {"members": {}})
            self.record = k.let(key if key not in k.names else f"this_{key}", handle[k.index])
        definition = next(one for one in k.structs if one.name == title)
        parameter = next(one for one in k.parameters if one.name == plural(key))
        assert parameter.values is not None
        if breaks_warp(name):
            return self.array(array_name(name, of), of)[k.index]
        definition.fields.append((name, of_kind))
        parameter.values["members"][name] = _recipe(of, of_kind)
        return k.member(self.record, name, Interval(of.low, of.high, not scalar_of(of_kind).is_float))

    def prepare(self, name: str, of: Quantity) -> None:
        """Let a kernel before this one compute an array that all threads read, if a formula gives it."""
        program = self.program
        if program is None or name in program.workspaces or name in self.k.inputs or program.is_full:
            return
        fitting = [one for one in self.domain.giving(of) if one not in program.used]
        if fitting:
            program.add(self.k.rng.pick(*fitting), name, self.domain)

    def named(self, name: str, value: Expr) -> Name:
        """The value under a name; a variable that a formula has filled gets it too."""
        if not isinstance(value, Name):
            return self.k.let(name, value)
        if value.mutable:
            self.k.rename(value, name)
        return value

    def store(self, goal: Formula) -> None:
        """Store a goal's value for the thread's element, perhaps in the place of what it updates."""
        k, name = self.k, goal.result.name
        self.values[name] = value = self.named(name, self.evaluate(goal))
        old = goal.result.updates
        handle = k.inputs.get(array_name(old.name, old)) if old is not None else None
        if handle is not None and handle.parameter.name not in self.whole and k.rng.chance(0.5):
            handle.parameter.role = "inout"
            k.store(handle, k.target, value)
            return
        stored = convert(F16, value) if self.half and value.type == F32 else value
        out = array_name(name, goal.result)
        out = out if out not in k.names else f"computed_{out}"
        k.store(k.array(out, stored.type, k.shape, None, "out"), k.target, stored)

    def related(self) -> list[Formula]:
        """Other goals that take something that is known by now, in a drawn order."""
        made = {one.result for one in self.used}
        found = []
        for one in self.domain.formulas:
            needs = [each for each in one.arguments if isinstance(each.of, Quantity)]
            known = sum(each.name in self.values and not each.array for each in needs)
            fits = not one.ranks or len(self.k.shape) in one.ranks
            seen = one.result.name in self.values or self._read_from_array(one.result.name, one.result)
            new = one.goal and one.result not in made and not seen
            if new and fits and known and 2 * known >= len(needs):
                found.append(one)
        return self.k.rng.shuffled(found)

    def _setting(self, name: str, of: Setting) -> Expr:
        k = self.k
        if name not in self.values and of.kind is not number and of.kind is not wholes:
            self.values[name] = k.scalar(name, of.kind(k), uniform(of.low, of.high))
        if name not in self.values and of.kind is wholes:
            first, last = int(of.low), int(of.high)
            literal = "l" in of.kinds and k.once(f"kind of {name}", lambda: k.rng.chance(0.4))
            chosen = k.once(f"value of {name}", lambda: k.rng.integer(first, last))
            self.values[name] = lift(chosen, I32) if literal else k.scalar(name, I32, whole(first, last))
        if name not in self.values:
            kinds = {kind: weight for kind, weight in SETTINGS.items() if kind[0] in of.kinds}
            kind = k.once(f"kind of {name}", lambda: k.rng.weighted(kinds))
            low, high = of.low, of.high
            if kind == "parameter":
                self.values[name] = k.scalar(name, k.real, uniform(low, high))
            else:
                value = k.once(f"value of {name}", lambda: k.rng.number(low, high))
                module = kind == "literal of the module"
                self.values[name] = k.constant(name, k.real, value) if module else lift(value, k.real)
        return self.values[name]

    def array(self, name: str, of: Quantity, stored: Type | None = None) -> ArrayHandle:
        """The array of a quantity over all elements, of its own type or `stored` so; always the same."""
        k = self.k
        kind = stored or of.kind(k)
        if self.program is not None and self.part is not None and name in self.program.workspaces:
            if name not in k.inputs:
                shared, bounds = self.program.workspaces[name]
                k.inputs[name] = self.part.use(name, shared, "in", uniform(bounds.lo, bounds.hi))
            return k.inputs[name]
        for size in of.trailing:
            extents = self.domain.sizes[size]
            k.sizes[size] = str(k.once(f"extent of {size}", functools.partial(k.rng.pick, *extents)))
        return k.input(name, kind, [*k.shape, *of.trailing], _recipe(of, kind))

    def _read_from_array(self, name: str, of: Quantity) -> bool:
        """Is the quantity in an array that this kernel reads, or a kernel before it has filled?"""
        made = self.program.workspaces if self.program is not None else {}
        return array_name(name, of) in self.k.inputs or array_name(name, of) in made

    def _producer(self, name: str, of: Quantity, depth: int) -> Formula | None:
        """A formula that gives the quantity, if the kernel is to have another one."""
        k = self.k
        level = k.policy.difficulty
        if self._read_from_array(name, of):
            return None
        if depth >= DEEPEST or len(self.used) >= FORMULAS[level] or not k.rng.chance(CHAINED[level]):
            return None
        fitting = [
            one
            for one in self.domain.giving(of)
            if one not in self.used and (not one.ranks or len(k.shape) in one.ranks)
        ]
        return k.rng.pick(*fitting) if fitting else None

    def describe(self, what: str, *, verb: str = "", also: Sequence[Formula] = ()) -> None:
        """Name the kernel, and write its docstring: what it is for, and what it computes on the way."""
        k, goal = self.k, self.used[0]
        verb = verb or goal.verb
        said = verb if k.rng.chance(0.6) else third_person(verb)
        k.doc = f"{said} {what} {goal.how}".strip() + "."
        steps = [f"the {one.words} is {participle(one.verb)} {one.how}".strip() for one in self.direct[:2]]
        if steps:
            told = " and ".join(steps)
            k.doc += f" {told[0].upper()}{told[1:]}."
        for one in also:
            k.doc += f" The {one.words} is {participle(one.verb)} as well, {one.how}".rstrip(", ") + "."
        for note in dict.fromkeys(k.notes):
            k.doc += f" {note}."


def third_person(verb: str) -> str:
    """`Compute` as a docstring in the third person begins: Computes."""
    return f"{verb}{'es' if verb.endswith(('s', 'sh', 'ch', 'x')) else 's'}"


@dataclasses.dataclass(slots=True)
class Program:
    """Kernels that run one after the other, and what they leave for those after them."""

    k: Builder
    workspaces: dict[str, tuple[Parameter, Interval]] = dataclasses.field(default_factory=dict)
    used: list[Formula] = dataclasses.field(default_factory=list)
    steps: list[Step] = dataclasses.field(default_factory=list)

    @property
    def is_full(self) -> bool:
        return len(self.workspaces) >= LAUNCHES - 1

    def add(self, goal: Formula, name: str, domain: Domain) -> None:
        """Append a kernel that stores a formula's values in an array of this name."""

        def write(part: launches.Part) -> None:
            k = part.k
            made = Composition(k, domain, self, part)
            elements(k, domain, goal.ranks)
            value = made.named(goal.result.name, made.evaluate(goal))
            shared = launches.shared(self.k, name, value.type, list(k.shape), None, "out")
            k.store(part.use(name, shared, "out"), k.target, value)
            made.describe(f"the {goal.words} of each {domain.element}")
            self.workspaces[name] = (shared, value.interval)

        self.steps.append(launches.kernel(self.k, kernel_names(self.k, domain, goal)[0], write)())


def launched(k: Builder, domain: Domain, goal: Formula) -> None:
    """The arrays that the goal needs of all elements come from kernels before it."""
    program = Program(k)
    program.add(goal, array_name(goal.result.name, goal.result), domain)
    if len(program.steps) < 2:
        raise Redraw("nothing that the goal needs comes from another kernel")
    launches.finish(
        k, f"{goal.verb} the {goal.words} of each {domain.element} {goal.how}".strip(), *program.steps
    )


def kernel_names(k: Builder, domain: Domain, goal: Formula) -> list[str]:
    """What a kernel for a goal may be called; the first that is free is taken."""
    quantity = goal.result.name.removeprefix("new_")
    verb, element = goal.verb.lower(), domain.element.replace(" ", "_")
    names = [
        goal.name,
        f"{verb}_{goal.name}",
        f"{verb}_{quantity}",
        f"{goal.name}_kernel",
        f"{element}_{quantity}",
    ]
    return k.rng.shuffled(list(dict.fromkeys(names)))


def array_name(name: str, of: Quantity) -> str:
    """What the array is called whose elements have this name."""
    return of.plural if of.plural and name == of.name else plural(name)


def _recipe(of: Quantity, kind: Type) -> dict[str, Any]:
    if scalar_of(kind).is_float:
        return uniform(of.low, of.high)
    return whole(int(of.low), int(of.high))


def per_element(k: Builder, domain: Domain, goal: Formula) -> None:
    """One thread for each element stores the goal's value, perhaps in the place of the old one."""
    storage = k.rng.weighted(STORAGE)
    k.in_struct = k.in_struct and storage == "arrays"
    half = storage == "half" and domain.half and k.real == F32
    plain = not any(one.array for one in goal.arguments)
    made = Composition(k, domain, records=storage == "records" and plain, half=half)
    elements(k, domain, goal.ranks)
    made.store(goal)
    drawn = [one for one in made.related() if k.rng.chance(RELATED[k.policy.difficulty])]
    also = list({one.result: one for one in drawn}.values())[:2]
    for one in also:
        made.store(one)
    if made.record is not None and len(k.structs[0].fields) < 2:
        raise Redraw("a record of one member")
    made.describe(f"the {goal.words} of each {domain.element}", also=also)


def elements(k: Builder, domain: Domain, ranks: tuple[int, ...]) -> None:
    """A launch over all elements, on a line or on a grid."""
    rank = k.rng.pick(*[one for one in domain.ranks if not ranks or one in ranks])
    if rank == 1:
        k.axes = (k.rng.pick(*domain.index),)
        k.threads(["n"], k.axes)
        return
    grid = k.rng.pick(*GRIDS[rank])
    for _, size, value in grid:
        k.sizes[size] = value
    k.axes = tuple(index for index, _, _ in grid)
    k.threads([size for _, size, _ in grid], k.axes)


def total_by_atomics(k: Builder, domain: Domain, goal: Formula) -> None:
    """The values of all elements are added up, by an atomic addition each."""
    made = Composition(k, domain)
    elements(k, domain, goal.ranks)
    value = made.named(goal.result.name, made.evaluate(goal))
    k.equality = "bounded"
    total = k.array(f"total_{goal.result.name}", value.type, ["1"], {"constant": 0.0}, "inout")
    k.atomic("add", total, 0, value)
    made.describe(f"the total {goal.words} of all {plural(domain.element)}", verb="Sum")


def total_by_blocks(k: Builder, domain: Domain, goal: Formula) -> None:
    """The values of all elements are added up in each block first, in shared memory."""
    made = Composition(k, domain)
    width = k.rng.pick(64, 128, 256, 256)
    k.blocks([f"(n + {width - 1}) // {width}"], ["block"], width, "lane")
    assert k.lane is not None
    (block,) = k.index
    count = k.size("count", "n")
    index = k.let(k.rng.pick(*domain.index), block * width + k.lane)
    index.interval = Interval(0, index.interval.hi, True)
    k.equality = "bounded"
    total = k.var(goal.result.name, 0.0)
    with k.when(index < count):
        k.index = k.target = (index,)
        k.shape = ("n",)
        k.axes = (index.name,)
        k.set(total, made.evaluate(goal))
    threads_total = k.let("block_total", tiles.summed(tiles.of_threads(k, total), free_order=True))
    out = k.array(f"total_{goal.result.name}", total.type, ["1"], {"constant": 0.0}, "inout")
    tiles.atomic_add(k, out, threads_total)
    made.describe(f"the total {goal.words} of all {plural(domain.element)}, a block at a time", verb="Sum")


def largest(k: Builder, domain: Domain, goal: Formula) -> None:
    """The largest value of all elements, by an atomic maximum each."""
    made = Composition(k, domain)
    elements(k, domain, goal.ranks)
    value = made.named(goal.result.name, made.evaluate(goal))
    out = k.array(f"max_{goal.result.name}", value.type, ["1"], {"constant": -1e6}, "inout")
    k.atomic("max", out, 0, value)
    made.describe(f"the largest {goal.words} of all {plural(domain.element)}", verb="Find")


def _endings(goal: Formula) -> dict[Ending, float]:
    """What may be done with a goal's values, and how likely."""
    found: dict[Ending, float] = {per_element: 4.0}
    if any(one.array for one in goal.arguments):
        found |= {launched: 2.0}
    if goal.result.additive:
        found |= {total_by_atomics: 1.0, total_by_blocks: 2.0 if 1 in (goal.ranks or (1,)) else 0.0}
    if goal.result.extremal:
        found |= {largest: 1.0}
    return found


def idioms(*domains: Domain, teaching: str | None = None) -> tuple[Callable[[Builder], None], ...]:
    """The idioms of some domains, one each: it draws a goal, the more likely the more ways lead to it.

    With `teaching`, goals are those whose formulas teach it.
    """
    return tuple(_idiom(one, teaching) for one in domains)


def _idiom(domain: Domain, teaching: str | None) -> Callable[[Builder], None]:
    goals = {
        one: ways(domain, one)
        for one in domain.formulas
        if one.goal and (teaching is None or teaching in one.teaches)
    }

    def compose(k: Builder) -> None:
        goal = k.rng.weighted(goals)
        k.dimension = k.rng.pick(2, 3, 3)
        k.name, *k.other_names = kernel_names(k, domain, goal)
        k.rng.weighted(_endings(goal))(k, domain, goal)

    compose.__name__ = f"{domain.element} formulas".replace(" ", "_")
    return compose


def ways(domain: Domain, goal: Formula, depth: int = 0) -> float:
    """In how many ways a goal can be composed, as far as it matters."""
    total = 1.0
    for one in goal.arguments:
        if isinstance(one.of, Quantity) and depth < 3:
            total *= 1 + sum(
                ways(domain, each, depth + 1) for each in domain.giving(one.of) if each is not goal
            )
    return min(total, MOST_WAYS)
