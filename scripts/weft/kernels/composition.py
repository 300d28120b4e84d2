"""Composes a kernel from the formulas of a domain: a goal, and formulas for what the goal needs.

Whatever a formula takes is either read from an array or comes from another formula, as deep as the kernel's
length allows. So a chain of formulas is one that a person would write, its sentence follows from its
parts, and kernels differ by what they compute.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import Any

from weft.kernels import launches, telling
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import struct_member, uniform, whole
from weft.kernels.domains.along import are_columns, elements_last
from weft.kernels.expressions import convert, lift
from weft.kernels.formulas import Argument, Domain, Formula, Quantity, Setting, number
from weft.kernels.formulas import whole as wholes
from weft.kernels.functions import with_defaults
from weft.kernels.grids import threads
from weft.kernels.intervals import Interval
from weft.kernels.launched import Launched
from weft.kernels.program import (
    Constant,
    Expr,
    Literal,
    Member,
    Name,
    Number,
    Parameter,
    Redraw,
    StructDef,
    Undefined,
)
from weft.kernels.reserved import breaks_warp
from weft.kernels.statements import operations
from weft.kernels.types import F16, F32, I32, U8, is_texel, scalar_of
from weft.kernels.words import enumerated, lowered, plural, singular, without_superlative, without_verb, words
from weft.types import Struct, Type

CHAINED = {"short": 0.3, "medium": 0.5, "long": 0.65, "longest": 0.8}
"""How likely a value comes from a formula rather than from an array, by the length of the kernel."""
FORMULAS = {"short": 2, "medium": 3, "long": 3, "longest": 4}
"""How many formulas a kernel has at most, by its length."""
DEEPEST = 2
STEPS = ("step", "update", "iteration", "sweep", "sweeps", "equation", "automaton")
"""What the name of a method ends with that nothing is applied by."""
ROUND = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 50, 64, 100, 128, 200, 256)
NOTES = 3
"""How many other notes leave no room for that of the goal."""
LONGEST_DOC = 300
"""How long a docstring may be with the goal's note."""
LONGEST_SUM = 220
"""How long it may be where a sentence follows that says how the result comes about."""
MOST_TOLD = 4
"""How many members of a record its docstring lists at most."""
LEAST_OPERATIONS = 3
"""What a function must compute to be one."""
LAUNCHES = 3
NESTED = 0.6
"""How likely a function begins with a formula for what it takes, in place of being given its value."""
DEFAULTS = 0.3
"""How likely a number of a function's is one that callers may leave out."""


@dataclasses.dataclass(slots=True)
class Composition:
    """A kernel under construction: what is read so far, what is computed, and by which formulas.

    What is `moving` changes between launches: it is never read from an array if a formula gives it.
    """

    k: Builder
    domain: Domain
    program: Program | None = None
    part: launches.Part | None = None
    values: dict[str, Expr] = dataclasses.field(default_factory=dict)
    used: list[Formula] = dataclasses.field(default_factory=list)
    told: list[tuple[Formula, int]] = dataclasses.field(default_factory=list)
    whole: set[str] = dataclasses.field(default_factory=set)
    read: dict[str, Quantity] = dataclasses.field(default_factory=dict)
    advanced: dict[str, Quantity] = dataclasses.field(default_factory=dict)
    hidden: set[str] = dataclasses.field(default_factory=set)
    elements: ArrayHandle | None = None
    record: Expr | None = None
    moving: frozenset[Quantity] = frozenset()
    records: bool = False
    state: bool = False
    half: bool = False
    bytes: bool = False
    textures: bool = False

    def evaluate(self, formula: Formula, depth: int = 0, name: str = "") -> Expr:
        """The value of a formula for this thread's element. Its result keeps what its quantity promises."""
        k = self.k
        self.note(formula)
        if (
            formula.is_pure
            and not formula.is_slight
            and k.rng.chance(k.policy.helper if depth else k.policy.goal_helper)
        ):
            value = self._called(formula, depth, name)
        else:
            read_whole = {one.of for one in formula.arguments if one.array}
            given = {one.name: self.supply(one, depth, one.of in read_whole) for one in formula.arguments}
            value = formula.function(k, **given)
        self.tell(formula, depth)
        least, most = formula.result.limits
        if not value.interval.within(least, most):
            raise Undefined(
                f"{formula.name} gives {value.interval}, not {formula.result.name} in [{least}, {most}]"
            )
        return value

    def tell(self, formula: Formula, depth: int) -> None:
        """Keep in mind what the docstring may tell: by which formulas the goal's values come about."""
        if depth and formula.goal and telling.is_asked(formula, self.domain.giving(formula.result)):
            self.told.append((formula, depth))

    def note(self, formula: Formula) -> None:
        """Keep in mind that a formula is used."""
        self.used.append(formula)
        whole = self.k if self.program is None else self.program.k
        whole.tags += formula.teaches
        whole.formulas.append(formula.full_name)
        if self.program is not None:
            self.program.used.append(formula)

    def _called(self, formula: Formula, depth: int, name: str) -> Expr:
        """The formula as a function of the program's, called; what leads to it may be within."""
        clear = formula.name not in (name, formula.result.name)
        called = formula.name if clear else f"evaluate_{formula.name}"
        inside = Inside(self.k, self.domain, used=self.used, outer=self)

        def body(builder: Builder) -> Expr:
            inside.k = builder
            given = {one.name: inside.supply(one, depth) for one in formula.arguments}
            inside.parameters.update(inside.defaulted)
            return formula.function(builder, **given)

        doc = telling.explained(formula) if depth else telling.returned(formula)
        call = with_defaults(self.k, called, doc, inside.parameters, inside.defaults, body)
        if operations(self.k.functions[-1].body) < LEAST_OPERATIONS:
            raise Redraw(f"hardly anything is in the function {called}")
        return call(*inside.given)

    def supply(self, argument: Argument, depth: int, from_array: bool = False) -> Expr | ArrayHandle:
        """What a formula takes under this name; `from_array` where it reads the whole array, too."""
        k, name, of = self.k, argument.name, argument.of
        if name in self.hidden:
            raise Redraw(f"only a function knows {name}")
        if isinstance(of, Setting):
            return self._setting(name, of)
        if argument.array:
            if self.computes(of) or (self.elements is not None and self._in_record(of)):
                raise Redraw(f"the kernel knows of its own element what it would read of others from {name}")
            self.whole.add(name)
            self.prepare(name, of)
            handle = self.array(name, of, self._memory(True))
            if handle.parameter.role == "inout":
                raise Redraw(f"other threads change {name}")
            return handle
        if name not in self.values:
            producer = None if from_array else self._producer(name, of, depth)
            value = (
                self._read(name, of, from_array)
                if producer is None
                else self.evaluate(producer, depth + 1, name)
            )
            inline = isinstance(value, Member) and k.once("members inline", lambda: k.rng.chance(0.6))
            self.values[name] = value if inline else self.named(name, value)
            if producer is not None and of.updates is not None:
                self.advanced[name] = of
        return self.values[name]

    def _read(self, name: str, of: Quantity, from_array: bool) -> Expr:
        """The thread's own element, of an array or of a record."""
        k, self.read[name] = self.k, of
        if of.updates is not None:
            raise Redraw(f"{name} is what a step gives, and no input")
        if of.load is not None:
            return of.load(k, name)
        if self.records and not from_array and array_name(name, of) not in k.inputs:
            return self._member(name, of)
        return self.array(array_name(name, of), of, self._memory(from_array))[k.index]

    def _memory(self, whole: bool) -> str:
        """Where an array lies, of which a formula reads the whole or the thread's element alone."""
        return "texture" if self.textures and whole else "global"

    def _title(self) -> str:
        """What a struct about the elements is called."""
        return "".join(part.capitalize() for part in self.domain.element.split())

    def _settings(self) -> tuple[str, str]:
        """What a struct of the settings is called, and its docstring: it is about the goal."""
        things = plural(self.domain.element)
        if not self.used:
            return self._title(), f"Parameters of all {things}."
        goal = self.used[0]
        name = goal.name if goal.is_order else telling.short(goal.title).removesuffix("_step") or goal.name
        title = "".join(part.capitalize() for part in name.split("_"))
        of = goal.result.words if goal.is_order else lowered(goal.noun)
        return title, f"Parameters of {telling.the(of)}, the same for all {things}."

    def _member(self, name: str, of: Quantity) -> Expr:
        """A member of the record of the thread's element."""
        k, element = self.k, self.domain.element
        title = self._title()
        of_kind = of.kind(k)
        key = element.replace(" ", "_")
        if name == key:
            raise Redraw(f"a {element} with a member of that name")
        if breaks_warp(name):
            return self.array(array_name(name, of), of)[k.index]
        if self.record is None or self.elements is None:
            k.struct(title, "", [])
            self.elements = k.array(plural(key), Struct(title), k.shape, {"members": {}})
            self.record = k.let(key if key not in k.names else f"this_{key}", self.elements[k.index])
        recipe = self.elements.parameter.values
        assert recipe is not None
        record = self._record_type()
        record.fields.append((name, of_kind))
        record.doc = _told([one.replace("_", " ") for one, _ in record.fields], element)
        recipe["members"][name] = _recipe(of, of_kind)
        return k.member(self.record, name, Interval(of.low, of.high, not scalar_of(of_kind).is_float))

    def _in_record(self, of: Quantity) -> bool:
        """Is the quantity a member of the records?"""
        return any(name == of.name for name, _ in self._record_type().fields)

    def _record_type(self) -> StructDef:
        return next(one for one in self.k.structs if one.name == self._title())

    def prepare(self, name: str, of: Quantity) -> None:
        """Let a kernel before this one compute an array that all threads read, if a formula gives it."""
        program = self.program
        if program is None or name in program.workspaces or name in self.k.inputs or program.is_full:
            return
        rank = len(self.k.shape)
        fitting = [
            one
            for one in self.domain.giving(of)
            if one not in program.used and (not one.ranks or rank in one.ranks) and self.agrees(one)
        ]
        if fitting:
            program.add(self.k.rng.pick(*fitting), name, self.domain)

    def named(self, name: str, value: Expr) -> Name:
        """The value under a name; a variable that a formula has filled gets it too."""
        if not isinstance(value, Name):
            return self.k.let(name, value)
        if value.mutable:
            self.k.rename(value, name)
            self.k.settle(value)
        return value

    def store(self, goal: Formula) -> None:
        """Store a goal's value for the thread's element, and next values that it is made of, of each quantity
        the last.
        """
        name = goal.result.name
        self.values[name] = self.named(name, self.evaluate(goal))
        self._keep(name, goal.result)
        kept = [goal.result.updates]
        while self.advanced:
            name, of = self.advanced.popitem()
            if of.updates not in kept:
                self._keep(name, of)
                kept.append(of.updates)

    def _keep(self, name: str, of: Quantity) -> None:
        """Store a value for the thread's element, perhaps in the place of what it updates."""
        k, value, old = self.k, self.values[name], of.updates
        if old is not None and self._updated(old, value):
            return
        stored = convert(F16, value) if self.half and value.type == F32 else value
        handle = k.inputs.get(array_name(old.name, old)) if old is not None else None
        fits = handle is not None and handle.name not in self.whole and handle.element != U8
        if handle is not None and fits and k.rng.chance(0.5):
            handle.parameter.role = "inout"
            k.store(handle, k.target, convert(F16, value) if handle.element == F16 else value)
            return
        out = array_name(name, of)
        out = out if out not in k.names else f"computed_{out}"
        k.store(self._array(out, stored.type, k.shape, None, "out"), k.target, stored)

    def _updated(self, old: Quantity, value: Expr) -> bool:
        """Store a next value in the record that the old one was read from, if it was."""
        k = self.k
        if self.elements is None or not self._in_record(old):
            return False
        self.elements.parameter.role = "inout"
        k.fill(self.elements, k.target, {old.name: value}, in_place=True)
        return True

    def hide(self, name: str) -> None:
        """Let what a function computes be asked of nothing else."""
        self.hidden.add(name)

    def computes(self, quantity: Quantity) -> bool:
        """Does a formula give the quantity in this kernel?"""
        return any(one.result is quantity for one in self.used)

    def agrees(self, formula: Formula) -> bool:
        """Is the formula of the kernel's law, or of a kind of it, whose name begins with that of the law, and
        no inverse of another?
        """
        law, used = formula.law, self.used if self.program is None else self.program.used
        return all(
            (one.law.startswith(law) or law.startswith(one.law))
            and one.name not in formula.undoes
            and formula.name not in one.undoes
            for one in used
        )

    def lacks(self, quantity: Quantity) -> bool:
        """Is the quantity neither computed in the kernel nor read by it?"""
        known = quantity.name in self.values or self._read_from_array(quantity.name, quantity)
        return not known and not self.computes(quantity)

    def _setting(self, name: str, of: Setting) -> Expr:
        k = self.k
        if name not in self.values and of.kind is not number and of.kind is not wholes:
            self.values[name] = k.scalar(name, of.kind(k), _recipe(of, of.kind(k)))
        if name not in self.values and of.kind is wholes:
            first, last = int(of.low), int(of.high)
            literal = "l" in of.kinds and k.once(f"kind of {name}", lambda: k.rng.chance(0.4))
            chosen = k.once(f"value of {name}", lambda: _round_number(k, first, last))
            self.values[name] = lift(chosen, I32) if literal else k.scalar(name, I32, whole(first, last))
        if name not in self.values:
            low, high = of.low, of.high
            if "p" not in of.kinds:
                value = k.once(f"value of {name}", lambda: k.rng.number(low, high))
                self.values[name] = k.constant(name, k.real, value)
            elif k.in_struct:
                title, doc = self._settings()
                self.values[name] = struct_member(k, title, doc, name, low, high)
            else:
                self.values[name] = k.scalar(name, k.real, uniform(low, high))
        return self.values[name]

    def array(self, name: str, of: Quantity, memory: str = "global") -> ArrayHandle:
        """The array of a quantity over all elements, perhaps in half precision; always the same."""
        k = self.k
        kind = of.kind(k)
        stands_for = None
        if self.half and kind == F32:
            kind, stands_for = F16, _widened
        elif self.bytes and kind == F32 and (of.low, of.high) == (0.0, 1.0):
            kind, stands_for = U8, _share
        if self.program is not None and self.part is not None and name in self.program.workspaces:
            if name not in k.inputs:
                shared, bounds = self.program.workspaces[name]
                k.inputs[name] = self.part.use(name, shared, "in", uniform(bounds.lo, bounds.hi))
            return k.inputs[name]
        shape = [*k.shape, *(self.domain.size(k, size) for size in of.trailing)]
        if of.trailing and self.domain.flexible and elements_last(k):
            shape = [*shape[len(k.shape) :], *k.shape]
        recipe = whole(0, 255) if stands_for is _share else _recipe(of, kind)
        if memory == "texture" and not (is_texel(kind) and len(shape) <= 2):
            memory = "global"
        if name not in k.inputs:
            k.inputs[name] = self._array(name, kind, shape, recipe, "in", memory)
        handle = k.inputs[name]
        handle.stands_for = stands_for
        return handle

    def _array(
        self,
        name: str,
        kind: Type,
        shape: Sequence[str],
        values: dict[str, Any] | None,
        role: str,
        memory: str = "global",
    ) -> ArrayHandle:
        """An array of one's own, or one of the struct that holds all arrays."""
        if not self.state or memory != "global":
            return self.k.array(name, kind, shape, values, role, memory)
        return self.k.array_in_struct(name, kind, shape, values, role, self._title())

    def _read_from_array(self, name: str, of: Quantity) -> bool:
        """Is the quantity in an array that this kernel reads, or a kernel before it has filled?"""
        made = self.program.workspaces if self.program is not None else {}
        return array_name(name, of) in self.k.inputs or array_name(name, of) in made

    def _producer(self, name: str, of: Quantity, depth: int) -> Formula | None:
        """A formula that gives the quantity, if the kernel is to have another one."""
        k = self.k
        length = k.policy.length
        if self._read_from_array(name, of):
            return None
        free = of not in self.moving and not of.computed
        if free and (depth >= DEEPEST or len(self.used) >= FORMULAS[length]):
            return None
        used = [one.function for one in self.used]
        fitting = [
            one
            for one in self.domain.giving(of)
            if one.function not in used
            and not one.begins
            and (not one.ranks or len(k.shape) in one.ranks)
            and self.agrees(one)
        ]
        if k.sought is not None and k.sought not in k.tags:
            leading = [one for one in fitting if self.domain.leads(one, k.sought)]
            if leading:
                return k.rng.pick(*leading)
        if free and not of.derived and not k.rng.chance(CHAINED[length]):
            return None
        return k.rng.pick(*fitting) if fitting else None

    def independent(self) -> None:
        """Nothing is drawn at random that follows from what else the kernel reads."""
        made = self.program.workspaces if self.program is not None else {}
        for name, of in self.read.items():
            for one in self.domain.giving(of) if array_name(name, of) not in made else ():
                fits = not one.ranks or len(self.k.shape) in one.ranks
                if fits and not one.begins and self.agrees(one) and all(map(self._knows, one.arguments)):
                    raise Redraw(f"{name} follows from what else is read")

    def steady(self) -> None:
        """A step that reads old values of all elements computes nothing that is the same in every step."""
        goal, old = self.used[0], self.used[0].result.updates
        read = {one.of for each in self.used for one in each.arguments if one.array}
        moving = {old} & read if old is not None else {one.of for one in goal.arguments if one.array}
        if not moving or (old is None and not goal.head & telling.TAKEN):
            return
        for _ in self.used:
            moving |= {one.result for one in self.used if any(each.of in moving for each in one.arguments)}
        for one in self.used:
            others = self.domain.giving(one.result)
            if one.result not in moving and telling.is_asked(one, others):
                raise Redraw(f"each step computes anew what {one.name} gives")

    def _knows(self, argument: Argument) -> bool:
        """Does the kernel know what a formula takes, without a number that is still to be chosen?"""
        name, of = argument.name, argument.of
        known = self.whole if argument.array else self.values
        return name in known and isinstance(of, Quantity)

    def describe(self, *forms: str) -> None:
        """Name the kernel, and write its docstring: the goal, and models that it rests on.

        One of the forms is the sentence, with `{}` for the goal's noun; without one, it tells of each.
        """
        self.independent()
        self.steady()
        k, goal = self.k, self.used[0]
        quantity = goal.result.name.removeprefix("new_")
        k.other_names += [f"{quantity}_by_{one.name}" for one, depth in self.told if depth == 1]
        sentence = (
            telling.put(k.rng.pick(*forms), goal)
            if forms
            else telling.of_each(k.rng, goal, self.domain.element)
        )
        if self.domain.flexible and are_columns(k):
            k.notes.append(self._layout())
        if not forms:
            self._named_by_steps()
        notes = list(dict.fromkeys(k.notes))
        others = "".join(f" {note}." for note in notes)
        whole = telling.with_steps(sentence, goal, self.told, noting=len(notes) < NOTES)
        fits = len(whole + others) <= (LONGEST_SUM if forms else LONGEST_DOC)
        k.doc = (whole if fits else telling.with_steps(sentence, goal, self.told, noting=False)) + others

    def _layout(self) -> str:
        """How arrays lie in which each element has a column: `features[j, i]` is feature j of row i."""
        k, element = self.k, self.domain.element
        found = [one for one in k.parameters if len(one.shape) > 1 and one.shape[-1:] == k.shape]
        place = ", ".join([*"jkl"[: len(found[0].shape) - 1], "i"])
        if len(found) > 1:
            return (
                f"Elements [{place}] of {enumerated(f'`{one.name}`' for one in found)} belong to {element} i"
            )
        (one,) = found
        return f"`{one.name}[{place}]` is {words(singular(one.name))} {place[:-3]} of {element} i"

    def _named_by_steps(self) -> None:
        """Name a kernel that applies several methods after all of them, or the last two."""
        k, goal = self.k, self.used[0]
        done = [one for one in telling.models(self.told) if telling.is_done(one)]
        for several in (done, done[-1:]):
            *before, last = (telling.label(one) for one in (*several, goal))
            verb = before[0].partition("_")[0] if before else ""
            name = f"{'_'.join(before)}_and_{last.removeprefix(f'{verb}_')}"
            fits = len(name.split("_")) <= telling.LONG and all((*before, last))
            if before and fits and telling.is_done(goal):
                k.name, k.other_names = name, [*k.other_names, k.name]
                return

    def renamed(self, *forms: str) -> None:
        """Say in the kernel's name what becomes of the goal's values."""
        k = self.k
        made = [without_verb(one) for one in (k.name, *k.other_names)]
        names = [form.format(one) for one in made for form in forms]
        k.name, *k.other_names = sorted(dict.fromkeys(names), key=lambda one: one.count("_") >= telling.LONG)

    def renamed_largest(self, *forms: str) -> None:
        """Say so in the name of a kernel that finds the largest of the goal's values."""
        k, of = self.k, self.used[0].result
        several = array_name(of.name, of)
        names = [one for one in (k.name, *k.other_names) if not one.endswith(several)]
        names = [without_superlative(without_verb(one)) for one in (*names, of.name)]
        k.name, *k.other_names = dict.fromkeys(names)
        self.renamed(*forms)

    def summed(self, how: str = "The sum is added to {}") -> None:
        """Describe a kernel that adds the goal's values up, and `how` it comes to the total."""
        goal, things = self.used[0], plural(self.domain.element)
        self.renamed("sum_{}")
        forms = [f"Sum the {{}} over all {things}", f"Add up the {{}} of all {things}"]
        self.describe(*forms[: 1 if telling.is_long(goal) else 2])
        self.k.doc += f" {how.format(f'`{total_name(goal.result)}[0]`')}, which must start at zero."

    def largest(self, how: str = "The maximum goes to {}") -> None:
        """Describe a kernel that finds the largest of the goal's values, and `how` it is found."""
        goal, things = self.used[0], plural(self.domain.element)
        found = largest_name(goal.result)
        self.renamed_largest(self.k.rng.pick("find_max_{}", "find_largest_{}", "largest_{}"))
        ranked = goal.result.ranked
        whose = "over" if telling.is_long(goal) else "of"
        self.describe(
            f"Find the largest {{}} {whose} all {things}{ranked}",
            f"Find the maximum of the {{}} over all {things}{ranked}",
        )
        self.k.doc += f" {how.format(f'`{found}[0]`')}, which must start {beginning(goal.result)}."


@dataclasses.dataclass(slots=True, kw_only=True)
class Inside(Composition):
    """A function under construction: what it does not compute, its caller's composition gives it."""

    outer: Composition
    parameters: dict[str, tuple[Type, Interval]] = dataclasses.field(default_factory=dict)
    given: list[Expr] = dataclasses.field(default_factory=list)
    defaults: dict[str, Number] = dataclasses.field(default_factory=dict)
    defaulted: dict[str, tuple[Type, Interval]] = dataclasses.field(default_factory=dict)

    def note(self, formula: Formula) -> None:
        self.outer.note(formula)

    def tell(self, formula: Formula, depth: int) -> None:
        self.outer.tell(formula, depth)

    def supply(self, argument: Argument, depth: int, from_array: bool = False) -> Expr | ArrayHandle:
        """What a formula takes: computed here, a number, or a parameter."""
        name, of = argument.name, argument.of
        if name in self.values:
            return self.values[name]
        producer = self._within(name, of, depth) if isinstance(of, Quantity) else None
        if producer is not None:
            self.outer.hide(name)
            self.values[name] = self.named(name, self.evaluate(producer, depth + 1, name))
            return self.values[name]
        value = self.outer.supply(argument, depth)
        assert isinstance(value, Expr)
        plain = isinstance(value, Literal) and value.type in (F32, I32)
        if plain and isinstance(of, Setting) and self.k.rng.chance(DEFAULTS):
            default = Name(value.type, value.interval, self.k.fresh(name))
            assert isinstance(value, Literal)
            self.defaults[default.name] = value.value
            self.defaulted[default.name] = (value.type, value.interval)
            value = default
        elif not isinstance(value, (Literal, Constant)):
            bounds = Interval(value.interval.lo, value.interval.hi, value.interval.integral)
            self.given.append(value)
            value = Name(value.type, bounds, self.k.fresh(name))
            self.parameters[value.name] = (value.type, bounds)
        self.values[name] = value
        return value

    def _within(self, name: str, of: Quantity, depth: int) -> Formula | None:
        """A value's formula that the function itself begins with, where its caller knows nothing of it."""
        if of.updates is not None or not self.outer.lacks(of) or not self.k.rng.chance(NESTED):
            return None
        producer = self._producer(name, of, depth)
        return producer if producer is not None and producer.is_pure and producer.is_value else None

    def hide(self, name: str) -> None:
        self.hidden.add(name)
        self.outer.hide(name)

    def _read_from_array(self, name: str, of: Quantity) -> bool:
        return self.outer._read_from_array(name, of)

    def lacks(self, quantity: Quantity) -> bool:
        return quantity.name not in self.values and self.outer.lacks(quantity)


def _round_number(k: Builder, first: int, last: int) -> int:
    """A number that a person would write: few are as good as 16 or 50."""
    usual = [one for one in ROUND if first <= one <= last]
    return k.rng.pick(*usual) if usual else k.rng.integer(first, last)


def _widened(value: Expr) -> Expr:
    """What a number of half precision stands for."""
    return convert(F32, value)


def _share(value: Expr) -> Expr:
    """What a byte stands for: a share of 255."""
    return convert(F32, value) / 255.0


Keep = Callable[[launches.Part, Composition, Name], None]
"""What becomes of the values of a program's kernel."""


@dataclasses.dataclass(slots=True)
class Program:
    """Kernels that run one after the other, and what they leave for those after them."""

    k: Builder
    workspaces: dict[str, tuple[Parameter, Interval]] = dataclasses.field(default_factory=dict)
    used: list[Formula] = dataclasses.field(default_factory=list)
    whole: set[str] = dataclasses.field(default_factory=set)
    steps: list[Launched] = dataclasses.field(default_factory=list)
    goals: list[Formula] = dataclasses.field(default_factory=list)

    @property
    def is_full(self) -> bool:
        return len(self.workspaces) >= LAUNCHES - 1

    def begin(
        self, name: str, of: Quantity, bounds: Interval, domain: Domain, ranks: tuple[int, ...]
    ) -> None:
        """Fill an array before the first kernel; what kernels leave in it lies within the bounds."""
        probe = Builder("probe", self.k.rng, self.k.policy)
        probe.real, probe.dimension, probe.sizes, probe.drawn = (
            self.k.real,
            self.k.dimension,
            self.k.sizes,
            self.k.drawn,
        )
        elements(probe, domain, ranks)
        kind = of.kind(probe)
        shared = launches.shared(self.k, name, kind, list(probe.shape), _recipe(of, kind), "inout")
        self.workspaces[name] = (shared, bounds)

    def add(self, goal: Formula, name: str, domain: Domain, keep: Keep | None = None) -> None:
        """Append a kernel that stores a formula's values in an array of this name, or does with them what
        `keep` does.
        """

        def write(part: launches.Part) -> None:
            k = part.k
            made = Composition(k, domain, self, part)
            elements(k, domain, goal.ranks)
            value = made.named(goal.result.name, made.evaluate(goal))
            self.whole |= made.whole
            if keep is not None:
                keep(part, made, value)
                return
            shared = launches.shared(self.k, name, value.type, list(k.shape), None, "out")
            k.store(part.use(name, shared, "out"), k.target, value)
            made.describe()
            self.workspaces[name] = (shared, value.interval)

        self.steps.append(launches.kernel(self.k, kernel_names(self.k, domain, goal)[0], write)())
        self.goals.append(goal)


def kernel_names(k: Builder, domain: Domain, goal: Formula) -> list[str]:
    """What a kernel for a goal may be called: a verb and what it is done to. The first free one is taken."""
    several = (goal.result.plural or plural(goal.result.name)).removeprefix("new_")
    short = telling.short(goal.title) or goal.name
    whole = telling.whole(goal.title) or short
    if goal.is_order:
        own = _doing(short.partition("_")[0], goal.name)
        if whole == short:
            return k.rng.shuffled([short, own])
        shorter = [] if goal.title.startswith("Convert ") else [short]
        return [*k.rng.shuffled([*shorter, whole]), own]
    if goal.title.startswith("Number of "):
        counted = (telling.short(goal.title[10:]), telling.whole(goal.title[10:]), goal.name)
        return [*dict.fromkeys(_doing("count", one) for one in counted if one)]
    if both := re.match(r"(\w[\w ]*) to (\w+) conversion", goal.title):
        both_named = "_to_".join(one.lower().replace(" ", "_") for one in both.groups())
        return k.rng.shuffled([both_named, f"convert_{both_named}"])
    if not goal.is_value:
        is_step = short.endswith(STEPS)
        does = [] if is_step else [_doing(telling.doing(goal), short)]
        several = _doing("update" if is_step else "compute", several)
        return [*dict.fromkeys([*k.rng.shuffled([short, *does]), whole, several, goal.name])]
    verb = k.rng.weighted({"compute": 0.85, "eval": 0.15})
    verb = telling.seeking(goal) or verb
    names = [_doing(verb, one) for one in (short, whole, goal.name)]
    first = names.pop(k.rng.weighted({0: 0.45, 1: 0.35, 2: 0.2}))
    names = [first, *names]
    names.insert(2, _doing(verb, several))
    return list(dict.fromkeys(names))


def _doing(verb: str, name: str) -> str:
    """A verb and what it is done to, which does not say it again: `count_runs` of a run count."""
    parts = name.split("_")
    others = [one for one in parts if one[:4] != verb[:4]]
    if len(others) in (0, len(parts)):
        return name if not others else f"{verb}_{name}"
    what = "_".join(others)
    return f"{verb}_{plural(what) if verb == 'count' and others[-1] != parts[-1] else what}"


def total_name(of: Quantity) -> str:
    """What the sum of a quantity's values is called."""
    return f"{of.name}_sum" if "total" in of.name.split("_") else f"total_{of.name}"


def largest_name(of: Quantity) -> str:
    """What the largest of a quantity's values is called."""
    return f"max_{without_superlative(of.name)}"


def beginning(of: Quantity) -> str:
    """Where a search for the largest must begin, as a sentence says it."""
    return "at zero" if of.lowest == 0 else "below all values"


def array_name(name: str, of: Quantity) -> str:
    """What the array is called whose elements have this name."""
    return of.plural if of.plural and name == of.name else plural(name)


def _recipe(of: Quantity | Setting, kind: Type) -> dict[str, Any]:
    if scalar_of(kind).is_float:
        return uniform(of.low, of.high)
    return whole(int(of.low), int(of.high))


def elements(
    k: Builder, domain: Domain, ranks: tuple[int, ...], *, records: bool = False, size: str = "n"
) -> None:
    """A launch over all elements, on a line of this size or on a grid; the same for all kernels of a program.

    The index of `records` is not called what the record is.
    """
    fitting = [one for one in domain.ranks if not ranks or one in ranks]
    rank = k.once("rank", lambda: k.rng.pick(*fitting))
    if rank > 1:
        k.dimension = rank
    names = [one for one in domain.index if not (records and one == domain.element)]
    threads(k, rank, name=k.rng.pick(*names), grids=domain.grids, size=size)


def _told(fields: Sequence[str], element: str) -> str:
    """The docstring of a record: what it holds, if that is a few things."""
    if len(fields) > MOST_TOLD:
        return f"State of one {element}."
    listed = enumerated(fields)
    return f"{listed[0].upper()}{listed[1:]} of {telling.an(element)}."
