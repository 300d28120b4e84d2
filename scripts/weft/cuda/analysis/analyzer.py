"""The analyzer: what is known of values at a point of a program, for every pass that asks.

It answers from two-sided intervals and from constraints, linear forms that are not negative: `x <= y + c` and
the like, with extents among their atoms. Integers wrap around, as in Warp and in CUDA. Every linear form is
equal to the value that the program computes: sums and products are taken apart only where their result is
proved to fit into its type, and else are atoms of which nothing is known.

A launch description counts as proof, for it is the documented precondition of the kernel: parameters that the
kernel only reads hold what their recipe draws, and extents are ints.
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable, Iterator, Mapping

from weft.cuda import launch_assumptions
from weft.cuda.analysis.intervals import (
    UNKNOWN,
    Interval,
    Number,
    fitted,
    hull,
    limits,
    negated,
    of_binary,
    within,
)
from weft.cuda.analysis.linear import Key, Linear, atom, combined, constant, is_integer, names_in
from weft.cuda.analysis.state import State
from weft.cuda.contents import contents
from weft.cuda.device_functions import device_function
from weft.cuda.sizes import size_expression
from weft.cuda.traverse import LEAVES, clone, rewrite, walk
from weft.cuda.tree import (
    Binary,
    Call,
    Cast,
    Component,
    Conditional,
    Construct,
    Element,
    Expression,
    Extent,
    Function,
    Literal,
    Member,
    Name,
    Unary,
)
from weft.intrinsics import Effect
from weft.launch import Launch, Recipe
from weft.operator_symbols import OPPOSITE
from weft.sizes import size_names
from weft.types import Array, Scalar, Type, Vector

_LEAST_POSITIVE = 1e-30

_NESTED = 3
"""Calls within calls whose intervals are looked for with facts."""

_FUEL = 100
"""How many sums of facts one proof tries."""

_SMALL = 1 << 15
"""Numbers up to this have products that fit: no fact needs to be found that says more."""


_NATURAL: Interval = (0, math.inf)
_INDEX: Interval = (0, 2**31 - 2)


Results = Callable[[str, tuple[Interval, ...]], Interval]
"""The interval of the result of a function, by its key, for arguments in these intervals."""


def _no_result(function: str, arguments: tuple[Interval, ...]) -> Interval:
    return UNKNOWN


class Analyzer:
    """What is known in one function, for sizes within the limits `sizes`.

    `written` are the kernel's arrays that it writes; `contents` those of them whose elements are known never
    to be negative, with the greatest value that they may hold. `results` tells what functions give.
    Nothing is known of what the parameters in `ignored` hold; `asked` collects those of which it was asked,
    and `rounds` says whether floats became integers. `constants` are named integers of the file.
    """

    def __init__(
        self,
        launch: Launch,
        function: Function,
        written: set[str],
        sizes: launch_assumptions.Limits,
        ignored: frozenset[str] = frozenset(),
        results: Results = _no_result,
        constants: Mapping[str, int] = types.MappingProxyType({}),
    ) -> None:
        self.launch = launch
        self.sizes = sizes
        self.kernel = function.kernel
        self.parameters = dict(function.parameters)
        self.written = written
        self.ignored = ignored
        self.results = results
        self.contents: dict[str, Number] = {}
        found = contents(function)
        self.changed = found.changed
        own = found.assigned | set(self.parameters)
        self.constants = {name: value for name, value in constants.items() if name not in own}
        # What names stand for in every state: constants, and the sizes met so far.
        self._fixed: dict[str, Interval] = {name: (value, value) for name, value in self.constants.items()}
        self.asks_extents = any(node.__class__ is Extent for node in found.nodes)
        self.asked: set[str] = set()
        self.rounds = False
        self.nested = 0
        self.fuel = 0

    def recipe(self, name: str) -> Recipe | None:
        """The recipe of a kernel parameter that the kernel never changes."""
        if not self.kernel or name in self.launch.inferred:
            return None
        variable = name.partition(".")[0]
        parameter = self.launch.parameters.get(name) if variable in self.parameters else None
        if parameter is None or parameter.role == "out" or name in self.written or variable in self.changed:
            return None
        return parameter.values

    def size_of_parameter(self, name: str) -> Expression | None:
        """The named size that a by-value parameter holds: one that is computed is the caller's to choose."""
        recipe = self.recipe(name)
        if recipe is None or recipe.kind != "size":
            return None
        size = size_expression(recipe.arguments, self.launch.sizes)
        return size if isinstance(size, Name) else None

    def given(self, name: str) -> Interval:
        """The values of a parameter passed by value. The range of an integer tells its sign, and how large it
        is at most: whoever launches the kernel may choose another number.
        """
        recipe = None if name in self.ignored else self.recipe(name)
        low, high = self.drawn(recipe)
        if recipe is not None and recipe.kind == "size" and self.size_of_parameter(name) is None:
            # The launcher refuses more than a number.
            high = limits(self.parameters[name])[1] if size_names(recipe.arguments) else high
        if recipe is not None and recipe.kind != "size" and (low, high) != UNKNOWN:
            self.asked.add(name)
        return (low, high) if recipe is not None and recipe.kind == "uniform" else (min(low, 1), high)

    def drawn(self, recipe: Recipe | None, member: str | None = None) -> Interval:
        """The numbers that a recipe draws."""
        if recipe is None:
            return UNKNOWN
        if recipe.kind == "members" and member is not None:
            return self.drawn(recipe.arguments.get(member))
        match recipe.kind, recipe.arguments:
            case ("uniform", (low, high)):
                return float(low), float(high)
            case ("integers", (low, high)):
                return self._of_size(low)[0], self._of_size(high)[1] - 1
            case ("permutation", size):
                return 0, self._of_size(size)[1] - 1
            case ("offsets", _):
                return _NATURAL
            case ("constant", int() | float() as value):
                return value, value
            case ("size", size):
                return self._of_size(size)
            case ("list", [_, *_] as values):
                sizes = [self._of_size(value) for value in values]
                return functools.reduce(hull, sizes)
            case _:
                return UNKNOWN

    def _of_size(self, size: int | str) -> Interval:
        """Named sizes are at least one; of other expressions only what follows from that is known."""
        return self.interval(size_expression(size, self.launch.sizes), State())

    def assume(self, state: State, test: Expression, holds: bool) -> None:
        """Add what follows from a condition that holds (or does not)."""
        match test:
            case Name(name=name) if name in state.tests:
                self.assume(state, state.tests[name][0], holds)
            case Unary(operator="!", operand=operand):
                self.assume(state, operand, not holds)
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                if holds == (operator == "&&"):
                    self.assume(state, left, holds)
                    self.assume(state, right, holds)
            case Binary(operator=operator, left=left, right=right) if self._comparable(operator, left, right):
                difference = self.form(left, state) - self.form(right, state)
                self._compare(state, operator if holds else OPPOSITE[operator], difference)

    def under(self, state: State, test: Expression, holds: bool) -> State:
        """A state of its own with what follows from a condition that holds (or does not)."""
        found = state.copy()
        self.assume(found, test, holds)
        return found

    def _compare(self, state: State, operator: str, difference: Linear) -> None:
        """Add that a form compares so with zero."""
        opposite = difference.times(-1)
        match operator:
            case "<":
                self.know(state, opposite - constant(1))
            case "<=":
                self.know(state, opposite)
            case ">":
                self.know(state, difference - constant(1))
            case ">=":
                self.know(state, difference)
            case "==":
                self.equal(state, difference)
            case _:
                for form in (difference, opposite):
                    if self.least(form, state, 0) == 0:
                        self.know(state, form - constant(1))

    def equal(self, state: State, form: Linear) -> None:
        """Add that a form is zero."""
        self.know(state, form)
        self.know(state, form.times(-1))

    def know(self, state: State, fact: Linear) -> None:
        """Add that a form is at least zero, and what that says of the interval of each of its atoms."""
        most = {
            key: coefficient * self._atom(key, one, state)[coefficient > 0]
            for key, (coefficient, one) in fact.terms.items()
        }
        total = fact.constant + sum(most.values())
        for key, (coefficient, one) in fact.terms.items():
            # coefficient * atom >= -rest
            rest = total - most[key]
            if coefficient < 0:
                state.narrow(key, names_in(one), -math.inf, rest // -coefficient)
            else:
                state.narrow(key, names_in(one), -(rest // coefficient), math.inf)
        if len(fact.terms) > 1:
            state.assume(fact)

    def _comparable(self, operator: str, left: Expression, right: Expression) -> bool:
        if operator not in OPPOSITE or not (is_integer(left) and is_integer(right)):
            return False
        if not (self.stable(left) and self.stable(right)):
            return False
        # C++ compares a signed number with an unsigned one as if both were unsigned.
        signed = [one for one in (left, right) if limits(one.type)[0] < 0]
        natural = all(isinstance(one, Literal) and int(one.value) >= 0 for one in signed)
        return natural or len(signed) == 2

    def stable(self, expression: Expression) -> bool:
        """Whether the expression reads no memory that could change unseen."""
        return expression.__class__ in LEAVES or self.is_stable(walk(expression))

    def is_stable(self, nodes: list[Expression]) -> bool:
        """The same of all nodes of an expression."""
        for part in nodes:
            if isinstance(part, Element):
                array = part.array
                if not (self.kernel and isinstance(array, Name) and array.name in self.parameters):
                    return False
                if array.name in self.written:
                    return False
            elif isinstance(part, Call) and (part.effect or (part.user and _takes_array(part))):
                return False
        return True

    def form(self, expression: Expression, state: State) -> Linear:
        """The linear form of an integer. Shapes of the kernel's arrays are the sizes that they have."""
        return self._form(self._with_sizes(expression), state)

    def unlimited(self, expression: Expression, state: State) -> Linear:
        """The form of an integer as if there were room for every sum: that of its value, unless a sum
        overflows.
        """
        expression = self._with_sizes(expression)

        def part(operand: Expression) -> Linear:
            same = operand.type == expression.type and operand.__class__ is not Name
            return combined(operand, part) if same else self._form(operand, state)

        return part(expression)

    def _form(self, expression: Expression, state: State) -> Linear:
        if isinstance(expression, Name):
            value = self.constants.get(expression.name)
            return atom(expression) if value is None else constant(value)

        def part(operand: Expression) -> Linear:
            # What wraps around in a sum does not matter if the sum fits after all.
            if operand.type == expression.type and operand.__class__ not in LEAVES:
                return combined(operand, part)
            return self._form(operand, state)

        form = combined(expression, part)
        if form.is_atom(expression):
            return form
        low, high = limits(expression.type)
        fits = self.least(form, state, low) >= low and self.least(form.times(-1), state, -high) >= -high
        return form if fits else atom(expression)

    def has_extent(self, expression: Expression) -> bool:
        """Whether an expression of the function asks for the shape of an array."""
        return self.asks_extents and any(node.__class__ is Extent for node in walk(expression))

    def _with_sizes(self, expression: Expression) -> Expression:
        if self.kernel and self.has_extent(expression):
            return rewrite(clone(expression), self._size_of_extent)
        return expression

    def _size_of_extent(self, expression: Expression) -> Expression:
        if isinstance(expression, Extent) and isinstance(expression.array, Name):
            name = expression.array.name
            if name in self.launch.parameters and not expression.stride:
                size = launch_assumptions.extent_of(self.launch, name, expression.axis)
                return expression if size is None else size_expression(size, self.launch.sizes)
        return expression

    def natural(self, expression: Expression, state: State) -> bool:
        """Whether the expression is proved not to be negative."""
        if is_integer(expression):
            return limits(expression.type)[0] >= 0 or (
                self.least(self.form(expression, state), state, 0) >= 0
            )
        return self.interval(expression, state)[0] >= 0

    def positive(self, expression: Expression, state: State) -> bool:
        """Whether the expression is proved to be well above zero."""
        return self.interval(expression, state)[0] > _LEAST_POSITIVE

    def below(self, left: Expression, right: Expression, state: State) -> bool:
        """Whether one integer is proved to be less than another."""
        return self.least(self.form(right, state) - self.form(left, state), state, 1) >= 1

    def interval(self, expression: Expression, state: State) -> Interval:
        """Numbers between which the value of the expression lies."""
        if not is_integer(expression):
            return self._structural(expression, state)
        return self.interval_of_form(self.form(expression, state), expression.type, state)

    def interval_of_form(self, form: Linear, kind: Type, state: State) -> Interval:
        """Numbers between which a linear form of values of this type lies."""
        low, high = limits(kind)
        least = self.least(form, state, 0)
        most = -self.least(form.times(-1), state, -_SMALL)
        return _ordered(max(low, least), min(high, most))

    def least(self, form: Linear, state: State, wanted: Number) -> Number:
        """A lower bound of a linear form, from the intervals of its atoms and from facts. The search ends at
        a bound that is as good as `wanted`.
        """
        # A fact may speak of a call whose arguments lead to the fact again: within calls, facts run out.
        if self.nested == 0:
            self.fuel = _FUEL
        best = self._bound(form, state)
        if best >= wanted or self.nested > _NESTED:
            return best
        self.nested += 1
        forms, seen = [form], {form.key}
        for one in forms:
            for smaller in self.smaller(one, state):
                if smaller.key in seen:
                    continue
                self.fuel -= 1
                seen.add(smaller.key)
                forms.append(smaller)
                best = max(best, self._bound(smaller, state))
                if best >= wanted or self.fuel <= 0:
                    self.nested -= 1
                    return best
        self.nested -= 1
        return best

    def _bound(self, form: Linear, state: State) -> Number:
        """A lower bound of a linear form from the intervals of its atoms alone."""
        total: Number = form.constant
        for key, (coefficient, one) in form.terms.items():
            total += coefficient * self._atom(key, one, state)[coefficient < 0]
        return total

    def smaller(self, form: Linear, state: State) -> Iterator[Linear]:
        """Forms that are not above `form`: it without facts that speak of its atoms."""
        for key, (coefficient, one) in form.terms.items():
            positive = coefficient > 0
            facts = state.facts_with(key, positive)
            if one.__class__ not in LEAVES:
                place = key, positive, min(self.nested, _NESTED + 1)
                if place not in state.followed:
                    state.followed[place] = self._about(key, one, positive, state)
                facts = [*facts, *state.followed[place]]
            for fact in facts:
                if (found := fact.terms.get(key)) is not None:
                    yield form.plus(fact, -max(1, coefficient // found[0]))

    def _about(self, key: Key, one: Expression, positive: bool, state: State) -> list[Linear]:
        """What follows for an atom from what it is made of: forms that are at least zero in which it has a
        coefficient of this sign.
        """
        itself = Linear({key: (1, one)}, 0)
        match one:
            case Call(function="min" | "max" as function, arguments=arguments) if positive == (
                function == "max"
            ):
                sign = 1 if positive else -1
                return [(itself - self._form(argument, state)).times(sign) for argument in arguments]
            case (
                Binary(operator="/" | "//", left=left, right=right)
                | Call(function="floor_divide", arguments=[left, right])
            ) if (divisor := self._number(right)) > 0:
                rest = (dividend := self._form(left, state)) - itself.times(divisor)
                if isinstance(one, Call) or self.least(dividend, state, 0) >= 0:
                    return [constant(divisor - 1) - rest if positive else rest]
            case Binary(operator="%", left=left, right=right):
                dividend, last = self._form(left, state), self._form(right, state) - constant(1)
                if positive:
                    return [itself + last] if self._bound(last, state) >= 0 else []
                if self._bound(dividend, state) >= 0:
                    most = [dividend, last] if self._bound(last, state) >= 0 else [dividend]
                    return [form - itself for form in most]
            case Binary(operator="&", left=left, right=right) if not positive:
                # No number has bits that a natural one lacks.
                masks = [self._form(operand, state) for operand in (left, right)]
                return [form - itself for form in masks if self._bound(form, state) >= 0]
        return []

    def _number(self, expression: Expression) -> int:
        """A whole number of the source, or one that has a name; 0 for anything else."""
        match expression:
            case Literal(value=int(value)):
                return value
            case Name(name=name):
                return self.constants.get(name, 0)
            case _:
                return 0

    def _atom(self, key: Key, one: Expression, state: State) -> Interval:
        """The interval of an atom: what its form says, and what conditions say of it."""
        leaf = one.__class__ in LEAVES
        place = (key, 0 if leaf else min(self.nested, _NESTED + 1))
        found = state.known.get(place)
        if found is None:
            found = low, high = self._structural(one, state)
            if not leaf:
                told = state.intervals.get(key, UNKNOWN)
                found = _ordered(max(low, told[0]), min(high, told[1]))
            state.known[place] = found
        return found

    def _structural(self, expression: Expression, state: State) -> Interval:
        """An interval from the form of the expression alone."""
        low, high = limits(expression.type)
        if expression.__class__ is Name:
            found = self._of_name(expression.name, state)
        else:
            found = self._unlimited(expression, state)
        return _ordered(max(low, found[0]), min(high, found[1]))

    def _unlimited(self, expression: Expression, state: State) -> Interval:
        match expression:
            case Literal(value=bool() | int() | float() as value):
                return (value, value) if within((value, value), expression.type) else UNKNOWN
            case Name(name=name):
                return self._of_name(name, state)
            case Extent(stride=False, array=array):
                return self._extents(array, state)
            case Element(looked_up=True):
                return _INDEX
            case Binary(type=Vector(scalar=scalar) as kind, operator=operator, left=left, right=right):
                # All components of a vector lie in one interval.
                if not {left.type, right.type} <= {kind, scalar}:
                    return UNKNOWN
                return of_binary(operator, self.interval(left, state), self.interval(right, state), scalar)
            case Construct(type=Vector(), arguments=arguments) if arguments:
                return functools.reduce(hull, [self.interval(argument, state) for argument in arguments])
            case Binary(operator=operator, left=left, right=right) if _is_number(expression.type):
                if left.type != expression.type or (right.type != left.type and operator not in ("<<", ">>")):
                    return UNKNOWN
                return of_binary(operator, self.interval(left, state), self.interval(right, state), left.type)
            case Unary(operator="-", operand=operand):
                return fitted(negated(self.interval(operand, state)), expression.type)
            case Unary(operator="~", operand=operand):
                low, high = negated(self.interval(operand, state))
                return fitted((low - 1, high - 1), expression.type)
            case Conditional(test=test, then=then, otherwise=otherwise):
                cases = [(then, self.under(state, test, True)), (otherwise, self.under(state, test, False))]
                reached = [self.interval(one, known) for one, known in cases if not known.impossible]
                return functools.reduce(hull, reached) if reached else UNKNOWN
            case Cast(type=Scalar() as target, operand=operand):
                return self._of_cast(target, operand, state)
            case Call():
                return self._of_call(expression, state)
            case Element() | Member() | Component():
                return self._of_memory(expression, state)
            case _:
                return UNKNOWN

    def _of_name(self, name: str, state: State) -> Interval:
        found = self._fixed.get(name)
        if found is None and name.startswith("size:"):
            size = name.removeprefix("size:")
            known = launch_assumptions.spanned(self.launch, size)
            most = self.sizes.most.get(size, launch_assumptions.LARGEST_N)
            found = self._fixed[name] = known or self.sizes.least.get(size, 1), known or most
        return found or state.intervals.get(name, UNKNOWN)

    def _of_cast(self, target: Scalar, operand: Expression, state: State) -> Interval:
        if not isinstance(operand.type, Scalar) or target.name == "bool":
            return UNKNOWN
        found = self.interval(operand, state)
        if operand.type.is_float and not target.is_float:
            self.rounds = True
            if not all(map(math.isfinite, found)):
                return UNKNOWN
            found = math.trunc(found[0]), math.trunc(found[1])
        return fitted(found, target)

    def _of_call(self, call: Call, state: State) -> Interval:
        if call.effect & Effect.ATOMIC:
            place = call.arguments[0]
            root = getattr(getattr(place, "place", None), "array", None)
            return self._held(root)
        if call.user is not None:
            return self.results(call.user, tuple(self.arguments(call, state)))
        if call.helper is not None and call.helper[0] == "component":
            return self._of_memory(call, state)
        given = [self.interval(argument, state) for argument in call.arguments]
        range = device_function(call.function).range
        return range(call, given) if range is not None else UNKNOWN

    def arguments(self, call: Call, state: State) -> list[Interval]:
        """The intervals of a call's arguments; of an array, that of its extents."""
        return [
            self._extents(one, state) if isinstance(one.type, Array) else self.interval(one, state)
            for one in call.arguments
        ]

    def _extents(self, array: Expression, state: State) -> Interval:
        """An interval that holds all extents of an array."""
        if not isinstance(array, Name) or not isinstance(array.type, Array):
            return _NATURAL
        if not self.kernel or array.name not in self.launch.parameters:
            return state.intervals.get(array.name, _NATURAL)
        axes = range(array.type.ndim)
        found = [launch_assumptions.extent_of(self.launch, array.name, axis) for axis in axes]
        low, high = functools.reduce(hull, [_NATURAL if one is None else self._of_size(one) for one in found])
        return max(low, 0), max(high, 0)

    def _held(self, array: object) -> Interval:
        """The interval of an array's elements, if it is known never to hold a negative number."""
        if not isinstance(array, Name) or array.name not in self.contents:
            return UNKNOWN
        self.asked.add(array.name)
        return 0, self.contents[array.name]

    def _of_memory(self, expression: Expression, state: State) -> Interval:
        """What a recipe says about a component of a parameter that is only read, or of a copy."""
        member, whole = None, expression
        while True:
            match expression:
                case Member(value=value, path=path):
                    expression, member = value, path.removeprefix(".")
                case Component(value=value) | Call(helper=("component", _), arguments=[value, _]):
                    expression = value
                case Name(name=name) if name in state.copies:
                    expression = state.copies[name]
                case _:
                    break
        if isinstance(expression, Element):
            expression = expression.array
        if not isinstance(expression, Name):
            return UNKNOWN if expression is whole else self.interval(expression, state)
        if expression.name in state.intervals and not isinstance(expression.type, Array):
            return state.intervals[expression.name]
        if expression.name in self.ignored:
            return UNKNOWN
        if expression.name in self.contents:
            return self._held(expression)
        low, high = self.drawn(self.recipe(expression.name), member)
        if (low, high) != UNKNOWN and isinstance(expression.type, Array):
            self.asked.add(expression.name)
            # Whole numbers that are drawn tell their sign: whoever calls the kernel may have smaller ones.
            low = low if isinstance(low, float) else min(low, 1)
        return low, high


def _takes_array(call: Call) -> bool:
    return any(isinstance(argument.type, Array) for argument in call.arguments)


def _ordered(low: Number, high: Number) -> Interval:
    """An interval; of what cannot be reached, any."""
    return low, max(low, high)


def _is_number(type: Type) -> bool:
    return isinstance(type, Scalar) and (type.is_float or type.is_integer)
