"""Analysis: the numbers that a launcher has to refuse, because the kernel would do what is undefined.

An integer is not divided by zero, nor shifted by a negative number or by all of its bits, an array of which
every launch accesses an element has one, and an extent that has a number in the description, and a name by
which a caller may choose another, reaches as far as the numbers do that index it. Nor do numbers that a
caller passes, other extents among them, lead beyond the extent of an array, or a loop's variable beyond all
ints. What a thread
does only where its data say so is no reason to refuse an empty array.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterator, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.analysis.analyzer import Analyzer
from weft.cuda.analysis.integers import IntegerFlow
from weft.cuda.analysis.intervals import UNKNOWN, Interval, Number
from weft.cuda.analysis.linear import Linear, constant, is_integer, linear, names_in
from weft.cuda.analysis.state import State
from weft.cuda.launch_assumptions import Bound, Limits
from weft.cuda.passes.prove import results_of
from weft.cuda.sizes import canonical_size, size_expression
from weft.cuda.traverse import LEAVES, all_expressions, blocks, children, expressions, statements, walk
from weft.cuda.tree import (
    INT,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    For,
    Function,
    Jump,
    Literal,
    Name,
    Return,
    Statement,
)
from weft.launch import Launch, Recipe
from weft.sizes import Size
from weft.types import Array, Scalar

_LEAST = -(2**30)
"""What a size is at least: room for `cols - 1`, which tests of borders compare with."""
_FEW = 64
"""What a step within a window is below."""
_BASES = (*range(1, 130), 1000, 2**17, launch_assumptions.LARGEST_N)
"""Base sizes of described launches that are asked: more than one round of any remainder."""
_FORMS = 12
"""How many forms are looked at to find the two names that bound an index."""

_DIVISIONS, _SHIFTS = ("/", "%", "//"), ("<<", ">>")


@dataclasses.dataclass(frozen=True)
class Demands:
    """Between which numbers sizes (`size:rows`) and numbers passed by value have to lie, by name, and what
    bounds some of them from above.
    """

    intervals: dict[str, Interval]
    bounds: tuple[Bound, ...] = ()


def demands(
    functions: Sequence[Function],
    launch: Launch,
    written: set[str],
    limits: Limits,
    relied_on: set[str],
    constants: Mapping[str, int],
) -> Demands:
    """What has to hold for what the kernel does to be defined. `functions` have the kernel last. `relied_on`
    are the parameters whose described values the kernel's comment asks for, `constants` named integers of
    the file.

    No described launch is refused: where a description itself gives other numbers, nothing is demanded.
    """
    kernel = functions[-1]
    described = Analyzer(launch, kernel, written, limits, constants=constants)
    sure = {*_sure(kernel.body, described)}
    if not _may_demand(functions, launch, sure):
        return Demands({})
    # A caller may choose any size, and any number that is passed by value.
    unknown = dict.fromkeys(("n", *launch.sizes), _LEAST)
    chosen = dataclasses.replace(limits, least={**unknown, **limits.least})
    arrays = {name for name, kind in kernel.parameters if isinstance(kind, Array)}
    ignored = frozenset(launch.parameters) - (relied_on & arrays)
    results = results_of(functions, launch, written, chosen, ignored, constants)
    found: dict[str, dict[str, Interval]] = {}
    by_position: dict[str, dict[int, Interval]] = {}
    for function in functions:
        analyzer = Analyzer(launch, function, written, chosen, ignored, results, constants)
        finder = _Finder(analyzer, launch, function, by_position, sure)
        finder.run([])
        found[function.key] = finder.found
        names = [name for name, _ in function.parameters]
        by_position[function.key] = {
            names.index(name): one for name, one in finder.found.items() if name in names
        }
    intervals = {
        name: wanted
        for name, wanted in found[kernel.key].items()
        if all(_lies(_described(described, name, n), wanted) for n in _BASES)
    }
    bounds = {
        (one.name, one.other, one.room is None, one.factor): one
        for one in sorted(finder.bounds, key=lambda one: one.room or 0)
        if one.room is None or all(_keeps(described, one, n) for n in _BASES)
    }
    return Demands(
        intervals,
        tuple(one for one in bounds.values() if not any(_implies(other, one) for other in bounds.values())),
    )


def _implies(one: Bound, other: Bound) -> bool:
    """Whether a bound leaves nothing to another, of a smaller multiple of a number that is not negative."""
    if one.room is None or other.room is None or (one.name, one.other) != (other.name, other.other):
        return False
    return one.factor > other.factor and one.room >= other.room


def _keeps(described: Analyzer, bound: Bound, n: int) -> bool:
    """Whether the described launch with the base size `n` is within a bound."""
    most, least = _described(described, bound.name, n)[1], _described(described, bound.other, n)[0]
    return bound.factor * most <= least - (bound.room or 0)


def _described(described: Analyzer, name: str, n: int) -> Interval:
    """What a size, or a number passed by value, may be in the described launch with the base size `n`."""
    launch = described.launch

    def value(size: Size) -> int:
        return launch_assumptions.at_base(launch, size, n)

    if name.startswith("size:"):
        size = value(name.removeprefix("size:"))
        return size, size
    match described.recipe(name):
        case Recipe("integers", (low, high)):
            return value(low), value(high) - 1
        case Recipe("size", size):
            return value(size), value(size)
        case recipe:
            return described.drawn(recipe)


def _may_demand(functions: Sequence[Function], launch: Launch, sure: Collection[int]) -> bool:
    """Whether there is anything to ask about; most kernels have no need of the analysis."""
    if any(map(_is_partial, all_expressions([one for function in functions for one in function.body]))):
        return True
    numbers = {name for name, kind in functions[-1].parameters if kind == INT}
    loops = [one for one in statements(functions[-1].body) if isinstance(one, For)]
    if any(
        numbers & {*names_in(one.start), *names_in(one.stop), *names_in(one.stride or one.stop)}
        for one in loops
    ):
        return True
    own = {one for dim in launch.dims if isinstance(one := canonical_size(dim, launch.sizes), str)}
    accessed = {
        (size, id(statement) in sure)
        for statement in statements(functions[-1].body)
        for root in expressions(statement)
        for node in walk(root)
        if isinstance(node, Element) and isinstance(node.array, Name)
        for size in _extents(launch, node.array.name, len(node.indices))
    }
    if any(_named_number(launch, size) is not None for size, _ in accessed):
        return True
    extents = {size for size, always in accessed if always}
    return any(
        launch_assumptions.spanned(launch, size) is None
        and size not in launch.dims
        and canonical_size(size, launch.sizes) not in own
        for size in extents
    )


def _extents(launch: Launch, name: str, axes: int) -> list[Size]:
    """The described extents of an array, along as many axes as it is indexed."""
    if name not in launch.parameters or launch.parameters[name].null:
        return []
    sizes = [launch_assumptions.extent_of(launch, name, axis) for axis in range(axes)]
    return [size for size in sizes if size is not None]


def _named_number(launch: Launch, size: Size) -> int | None:
    """The number that the description gives a size of which a caller may choose another."""
    number = canonical_size(size, launch.sizes)
    return number if isinstance(number, int) and launch_assumptions.spanned(launch, size) is None else None


def _is_partial(node: Expression) -> bool:
    """Whether this is an operation that is not defined for all numbers, and for which no number is given."""
    match node:
        case Call(helper=("floor_divide", _), arguments=[left, right]):
            pass
        case Call(function="random_int"):
            return True
        case Binary(operator=operator, left=left, right=right) if operator in (*_DIVISIONS, *_SHIFTS):
            pass
        case _:
            return False
    return is_integer(left) and is_integer(right) and not isinstance(right, Literal)


def _lies(values: Interval, wanted: Interval) -> bool:
    return wanted[0] <= values[0] and values[1] <= wanted[1]


def _sure(block: Sequence[Statement], described: Analyzer) -> Iterator[int]:
    """The statements, by their ids, that some thread of every described launch executes; of a branch or a
    loop that may be left out, what is asked first.
    """
    for statement in block:
        if isinstance(statement, Return | Jump):
            return
        yield id(statement)
        if isinstance(statement, For) and _runs(statement, described):
            yield from _sure(statement.body, described)
        if blocks(statement) and any(isinstance(one, Return | Jump) for one in statements([statement])):
            return


def _runs(loop: For, described: Analyzer) -> bool:
    """Whether a loop takes a turn in every described launch, whatever the thread."""
    state = State()
    for name, kind in described.parameters.items():
        if isinstance(kind, Scalar):
            state.set(name, *described.drawn(described.recipe(name)))
    return loop.step > 0 and described.below(loop.start, loop.stop, state)


class _Finder(IntegerFlow):
    """Finds what one function demands, given what those that it calls demand (`known`)."""

    def __init__(
        self,
        analyzer: Analyzer,
        launch: Launch,
        function: Function,
        known: Mapping[str, Mapping[int, Interval]],
        sure: Collection[int],
    ) -> None:
        super().__init__(analyzer, launch, function)
        self.known = known
        self.sure = sure
        self.found: dict[str, Interval] = {}
        self.bounds: list[Bound] = []

    def visit(self, statement: Statement, state: State) -> None:
        if isinstance(statement, For) and statement.stride is not None and self.function.kernel:
            stop, stride = (self._named(one, state) for one in (statement.stop, statement.stride))
            if stop and stride:
                self.bounds.append(Bound(stop, stride))
        for root in expressions(statement):
            self._look(root, state, id(statement) in self.sure)
        if isinstance(statement, Assign) and statement.operator:
            self._operation(statement.operator, statement.target, statement.value, state)

    def _look(self, expression: Expression, state: State, sure: bool) -> None:
        """Look at all that is evaluated, under its conditions. `sure` if every launch evaluates it."""
        if expression.__class__ in LEAVES:
            return
        match expression:
            case Conditional(test=test, then=then, otherwise=otherwise, eager=False):
                self._look(test, state, sure)
                self._look(then, self.analyzer.under(state, test, True), False)
                self._look(otherwise, self.analyzer.under(state, test, False), False)
                return
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                self._look(left, state, sure)
                self._look(right, self.analyzer.under(state, left, operator == "&&"), False)
                return
            case Binary(operator=operator, left=left, right=right):
                self._operation(operator, left, right, state)
            case Call(helper=("floor_divide", _), arguments=[left, right]):
                self._operation("/", left, right, state)
            case Call(function="random_int", arguments=[_, first, end]):
                self._need(Binary(INT, "-", end, first), 1, math.inf, state)
            case Call(user=str(user), arguments=arguments):
                for position, (low, high) in self.known[user].items():
                    self._need(arguments[position], low, high, state)
            case Element(array=Name(name=name), indices=indices, wraps=wraps):
                extents = _extents(self.launch, name, len(indices))
                for index, size, wrapped in zip(indices, extents, wraps, strict=False):
                    extent = size_expression(size, self.launch.sizes)
                    if sure:
                        least = self.analyzer.interval(index, state)[0]
                        self._need(extent, max(1, least + 1), math.inf, state)
                    if (number := _named_number(self.launch, size)) is not None:
                        self._reach(index, extent, number, state)
                    if self.function.kernel and not wrapped:
                        self._stay_within(index, extent, state)
        for part in children(expression):
            self._look(part, state, sure)

    def _operation(self, operator: str, left: Expression, right: Expression, state: State) -> None:
        if not (is_integer(left) and is_integer(right)):
            return
        if operator in _DIVISIONS:
            self._need(right, 1, math.inf, state)
        elif operator in _SHIFTS:
            assert isinstance(left.type, Scalar)
            self._need(right, 0, 8 * max(left.type.bytes, 4) - 1, state)

    def _reach(self, index: Expression, extent: Expression, number: int, state: State) -> None:
        """Demand that an extent reaches as far as an index may, if only numbers keep it below its number."""
        if self.analyzer.below(index, extent, state):
            return
        form = self.analyzer.form(index, state).times(-1)
        most = -self.analyzer.least(form, state, 1 - number)
        if 0 <= most < number:
            self._need(extent, most + 1, math.inf, state)

    def _stay_within(self, index: Expression, extent: Expression, state: State) -> None:
        """Demand what keeps an index within an extent of which nothing but numbers that the caller passes
        says so. A sum that overflows is a number that an array does not have.
        """
        first = self.analyzer.unlimited(index, state)
        if not self.analyzer.below(index, extent, state):
            self._leave_room(self.analyzer.unlimited(extent, state) - first - constant(1), state)
        if not self.analyzer.natural(index, state):
            self._leave_room(first, state)

    def _leave_room(self, room: Linear, state: State) -> None:
        """Demand of numbers that the caller passes that a form is at least zero, if no more than they say so:
        that one of them, or a multiple, is not above another.
        """
        forms, seen = [room], {room.key}
        multiples: list[Bound] = []
        for form in forms:
            flat = sum((linear(one).times(c) for c, one in form.terms.values()), constant(form.constant))
            flat = self._without_steps(flat, state)
            match sorted(flat.terms.values(), key=lambda term: term[0]):
                case [(1 | -1, Name(name=name))] if flat.constant >= 0 and self._is_given(name):
                    return self._demand(flat, 0, math.inf, state)
                case [(-1, Name(name=name)), (1, Name(name=other))] if (
                    flat.constant <= 0 and self._is_given(name) and self._is_given(other)
                ):
                    self.bounds.append(Bound(name, other, -flat.constant))
                    return None
                case [(factor, Name(name=name)), (1, Name(name=other))] if (
                    factor < -1 and self._is_given(name) and self._is_given(other)
                ):
                    multiples.append(Bound(name, other, -flat.constant, -factor))
            for one in self.analyzer.smaller(form, state):
                if len(forms) < _FORMS and one.key not in seen:
                    seen.add(one.key)
                    forms.append(one)
        # Each of them is enough: the least that is asked.
        self.bounds += sorted(multiples, key=lambda one: (one.factor, one.room))[:1]
        return None

    def _without_steps(self, form: Linear, state: State) -> Linear:
        """A form that is not above another: with the least or most that variables are which take few numbers,
        such as steps within a window.
        """
        found = constant(form.constant)
        for coefficient, one in form.terms.values():
            low, high = self.analyzer.interval(one, state)
            given = isinstance(one, Name) and self._is_given(one.name)
            if not given and 0 <= low <= high < _FEW:
                found += constant(coefficient * int(high if coefficient < 0 else low))
            else:
                found += linear(one).times(coefficient)
        return found

    def _need(self, value: Expression, low: Number, high: Number, state: State) -> None:
        """Demand that a number lies between two, unless it is proved to."""
        while isinstance(value, Cast) and is_integer(value.operand):
            value = value.operand
        form = self.analyzer.form(value, state)
        least = self.analyzer.least(form, state, low)
        most = -self.analyzer.least(form.times(-1), state, -high)
        # One number follows from the other though integers wrap around.
        form = linear(value) if form.is_atom(value) else form
        if least < low or most > high:
            self._demand(form, low, high, state)
        if most > high:
            self._leave_room(constant(int(high)) - form, state)

    def _demand(self, form: Linear, low: Number, high: Number, state: State) -> None:
        """Demand that the number from which a form follows is such that the form lies between two."""
        match [*self._in_given(form, state).terms.values()]:
            case [(1 | -1 as coefficient, Name(name=name))] if self._is_given(name):
                ends = [coefficient * (end - self._in_given(form, state).constant) for end in (low, high)]
                before = self.found.get(name, UNKNOWN)
                self.found[name] = max(before[0], min(ends)), min(before[1], max(ends))

    def _in_given(self, form: Linear, state: State) -> Linear:
        """The form, with the size or number that a variable holds in place of the variable."""
        for one in self.analyzer.smaller(form, state) if len(form.terms) == 1 else ():
            names = [name.name for _, name in one.terms.values() if isinstance(name, Name)]
            own = len(names) == len(one.terms) and all(map(self._is_given, names))
            if own and self.analyzer.least(one - form, state, 0) >= 0:
                return one
        return form

    def _named(self, value: Expression, state: State) -> str:
        """The name of a size, or of a number passed by value, that a value is; else ''."""
        form = self._in_given(self.analyzer.form(value, state), state)
        match [*form.terms.values()]:
            case [(1, Name(name=name))] if not form.constant and self._is_given(name):
                return name
            case _:
                return ""

    def _is_given(self, name: str) -> bool:
        """Whether this is a size, or a parameter that keeps the value that the caller gave it."""
        own = name in self.analyzer.parameters and name not in self.analyzer.changed
        return name.startswith("size:") or own
