"""Which arrays of a kernel hold together what one slot got, for the class `permutation` (weft.slots).

An array has slots where everything that is stored in it stands at an index that an atomic's old value is a
part of, and does not depend on the order of the threads otherwise. Two arrays belong together where that part
is the same. Of other arrays nothing is claimed: each of their elements may come anywhere.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from weft.array_parts import is_plain
from weft.intrinsics import intrinsic
from weft.ir.kernel_sources import KernelSources
from weft.ir.slot_run import Noted, Touch, run_kernel
from weft.ir.slot_terms import Atom, Term, View, atom, constant, divided, end
from weft.launch import Launch
from weft.launch_sequence import KernelStep, ParallelStep, RepeatStep, Step, ZeroStep
from weft.sizes import Size
from weft.slots import SlotArray, SlotGroup, alone
from weft.types import Array


@dataclasses.dataclass(frozen=True)
class _Placed:
    """How the slots of an array lie; arrays with the same `key` belong together. `known` says whether the
    counter, at the end, tells which slots were handed out."""

    key: tuple[Any, ...]
    layout: SlotArray
    counter: str
    element: tuple[int | None, ...]
    base: str | None
    known: bool


def slot_groups(sources: KernelSources, launch: Launch) -> tuple[SlotGroup, ...]:
    """The groups of a kernel's outputs; none if the code shows none whose order is that of the threads."""
    if sources.uses_tiles:
        return ()
    names = {name: name for name in sources.types}
    return _groups(_Kernel(run_kernel(sources), sources, launch, names).unordered())


def slot_groups_of_steps(sources: Mapping[str, KernelSources], launch: Launch) -> tuple[SlotGroup, ...]:
    """The same of a program of several launches; slots are known of arrays that one launch alone writes once
    threads have an order in them."""
    found: dict[str, _Placed | None] = {}
    written: dict[str, int] = {}
    for number, step in enumerate(_in_order(launch.steps)):
        if isinstance(step, ZeroStep):
            found.pop(step.array, None)
            written[step.array] = number
            continue
        names = step.named
        if sources[step.kernel].uses_tiles:
            return ()
        tainted = [parameter for parameter, name in names.items() if name in found]
        kernel = _Kernel(run_kernel(sources[step.kernel], tainted), sources[step.kernel], launch, names)
        now = kernel.unordered()
        for parameter in kernel.noted.written:
            name = names[parameter]
            if name in found:
                found[name] = None
            elif name in now:
                one = now[name]
                found[name] = one and dataclasses.replace(one, key=(number, *one.key))
            written[name] = number
    for name, one in found.items():
        if one is not None and written[one.counter] > one.key[0]:
            found[name] = dataclasses.replace(one, known=False)
    return _groups(found)


def _in_order(steps: tuple[Step, ...]) -> Iterator[KernelStep | ZeroStep]:
    """Launches and zeros in an order in which they may run; what is repeated runs twice, which shows what
    changes something that it has changed before."""
    for step in steps:
        match step:
            case RepeatStep(times, inner):
                for _ in range(min(times, 2)):
                    yield from _in_order(inner)
            case ParallelStep(branches):
                for branch in branches:
                    yield from _in_order(branch)
            case KernelStep() | ZeroStep():
                yield step


def _groups(found: Mapping[str, _Placed | None]) -> tuple[SlotGroup, ...]:
    groups: dict[tuple[Any, ...], dict[str, _Placed]] = {}
    result = []
    for name, one in sorted(found.items()):
        if one is None:
            result.append(alone(name))
        else:
            groups.setdefault(one.key, {})[name] = one
    for members in groups.values():
        first = next(iter(members.values()))
        layouts = {name: one.layout for name, one in members.items()}
        known = (first.counter, first.element, first.base) if first.known else ()
        result.append(SlotGroup(layouts, *known))
    return tuple(sorted(result, key=lambda group: sorted(group.arrays)))


@dataclasses.dataclass(frozen=True)
class _Kernel:
    """One launch of a kernel: what it does, and which parameter of the `launch` each of its own is."""

    noted: Noted
    sources: KernelSources
    launch: Launch
    names: Mapping[str, str]

    def unordered(self) -> dict[str, _Placed | None]:
        """The outputs whose elements depend on the order of the threads, and their slots as far as known."""
        touches: dict[str, list[Touch]] = {}
        for touch in self.noted.touches:
            touches.setdefault(touch.view.name, []).append(touch)
        found: dict[str, _Placed | None] = {}
        for parameter in sorted(self.noted.written):
            name = self.names.get(parameter, "")
            if name not in self.launch.parameters or self.launch.parameters[name].role == "in":
                continue
            those = touches.get(parameter, [])
            if parameter in self.noted.unknown:
                found[name] = None
            elif len({touch.builtin for touch in those}) > 1 or any(map(_depends_on_order, those)):
                placed = {self._placed(touch) for touch in those}
                found[name] = placed.pop() if len(placed) == 1 else None
        return found

    def _placed(self, touch: Touch) -> _Placed | None:
        """The slots of the array that a store touches."""
        view = touch.view
        kind, described = self.sources.types[view.name], self.launch.parameters[self.names[view.name]]
        part_of_slot = any(isinstance(one, Term) and one.tainted for one in view.part)
        if touch.builtin or touch.tainted or described.strides or part_of_slot:
            return None
        if not isinstance(kind, Array) or not is_plain(kind):
            return None
        slots = {one for index in view.indices for one in index.atoms() if one.tainted}
        axes = [axis for axis, index in enumerate(view.indices) if index.tainted]
        if len(slots) != 1 or len(axes) != 1 or (slot := slots.pop()).kind != "slot":
            return None
        (axis,), counter = axes, slot.label[0]
        if counter.tainted or counter.part or counter.name in self.noted.unknown:
            return None
        cut = self._cut(view.indices[axis], slot)
        if cut is None:
            return None
        stride, rest = cut
        return self._laid(touch, axis, stride, rest, counter)

    def _cut(self, index: Term, slot: Atom) -> tuple[Size, Term] | None:
        """How many elements each slot has, and what is added to it, if an index is in the slot's elements."""
        of_slot = Term(frozenset((product, factor) for product, factor in index.factors if slot in product))
        one = Term(frozenset([((slot,), 1)]))
        stride, left = divided(of_slot, one)
        size = self._size(stride)
        if left.factors or size is None:
            return None
        rest, within = divided(index - of_slot, stride)
        length = end(within, self.noted.below)
        if length is None or not _is_at_most(length, stride):
            return None
        return size, rest

    def _size(self, term: Term) -> Size | None:
        """A term that is a positive number, or the value of a parameter that a description tells."""
        if (number := term.number) is not None:
            return number if number > 0 else None
        ((product, factor), *more) = term.factors
        if more or factor != 1 or len(product) != 1 or product[0].kind != "parameter":
            return None
        name = self.names.get(product[0].label[0])
        recipe = self.launch.parameters[name].values if name else None
        if recipe is None or recipe.kind not in ("size", "constant") or recipe.arguments == 0:
            return None
        return recipe.arguments if isinstance(recipe.arguments, int | str) else None

    def _laid(self, touch: Touch, axis: int, stride: Size, rest: Term, counter: View) -> _Placed | None:
        others = [index for place, index in enumerate(touch.view.indices) if place != axis]
        element = tuple(index.number for index in counter.indices)
        buckets = [index for index in counter.indices if index.number is None]
        known = self._tells(counter)
        apart: tuple[int, ...] = ()
        length: Size | None = None
        base: str | None = None
        form: tuple[Any, ...] = ("at", rest)
        if buckets and all(index in others for index in buckets):
            apart = tuple(touch.view.indices.index(index) for index in buckets)
            form = ("lists", rest)
        elif len(buckets) == 1 and (size := self._times(rest, buckets[0])) is not None:
            length, form = size, ("lists", constant(0))
        elif others and buckets:
            return None
        elif (array := self._based(rest, counter)) is not None:
            base = array
        if rest.factors and length is None and base is None:
            known = False
        layout = SlotArray(axis, stride, apart, length)
        key = (counter, form, touch.conditions)
        return _Placed(key, layout, self.names[counter.name], element, base, known)

    def _times(self, term: Term, index: Term) -> Size | None:
        """How many slots each list has, if a term is the list's number times that."""
        if not term.factors or len(index.factors) != 1 or index.tainted:
            return None
        ((product, factor),) = index.factors
        if factor != 1 or not product:
            return None
        length, left = divided(term, index)
        return None if left.factors else self._size(length)

    def _based(self, term: Term, counter: View) -> str | None:
        """The array whose element at the counter's index a term is, if that is known before the launch."""
        for name in self.sources.types:
            is_input = name in self.names and self.launch.parameters[self.names[name]].role == "in"
            if is_input and term == atom("element", View(name, counter.ndim, counter.indices)):
                return self.names[name]
        return None

    def _tells(self, counter: View) -> bool:
        """Whether what a counter holds in the end is where the slots end that it handed out."""
        element = [index.number for index in counter.indices]
        for touch in self.noted.touches:
            if touch.view.name != counter.name:
                continue
            other = [index.number for index in touch.view.indices]
            apart = any(None not in (a, b) and a != b for a, b in zip(element, other, strict=True))
            counts = touch.builtin == "atomic_add" and (touch.step or 0) > 0 and not touch.view.tainted
            if not apart and not counts:
                return False
        return True


def _depends_on_order(touch: Touch) -> bool:
    """Whether the order of the threads decides where a store goes, what it stores, or whether it does."""
    decided = touch.tainted or touch.view.tainted or bool(touch.conditions)
    return decided or intrinsic(touch.builtin).replaces


def _is_at_most(term: Term, limit: Term) -> bool:
    """Whether one term is no greater than another that is positive, as far as their difference shows it."""
    difference = (limit - term).number
    return term == constant(1) or (difference is not None and difference >= 0)
