"""Ranges of expressions, from the state at a point and from the launch description.

Every linear form is equal to the value that the program computes: sums and products are taken apart only
where their result is proved to fit into its type, and else are atoms of which nothing is known.
"""

from __future__ import annotations

import math

from weft.cuda import promises
from weft.cuda.contents import contents
from weft.cuda.passes.linear import Key, Linear, atom, combined, constant, names_in
from weft.cuda.passes.numbers import (
    UNKNOWN,
    Number,
    Range,
    binary_range,
    fitted,
    hull,
    limits,
    magnitude,
    negated,
    within,
)
from weft.cuda.passes.state import State
from weft.cuda.sizes import size_expression
from weft.cuda.traverse import LEAVES, clone, rewrite, walk
from weft.cuda.tree import (
    Binary,
    Call,
    Cast,
    Component,
    Conditional,
    Element,
    Expression,
    Extent,
    Function,
    Literal,
    Member,
    Name,
    Unary,
)
from weft.launch import Launch, Recipe
from weft.types import Array, Scalar, Type

_Part = Member | Component

_LEAST_POSITIVE = 1e-30

_NESTED = 3
"""Calls within calls whose ranges are looked for with facts."""

_DEPTH = 3
"""How many facts a proof puts together."""

_FUEL = 100
"""How many sums of facts one proof tries."""

_SMALL = 1 << 15
"""Numbers up to this have products that fit: no fact needs to be found that says more."""

_NATURAL: Range = (0, math.inf)
_INDEX: Range = (0, 2**31 - 2)


class ValueRanges:
    """Ranges in one function.

    `written` are the kernel's arrays that it writes; `contents` those of them whose elements are known never
    to be negative, with the greatest value that they may hold. `base` is the largest base size. `used`
    collects the parameters whose recipes a proof relied on.
    """

    def __init__(self, launch: Launch, function: Function, written: set[str], base: int) -> None:
        self.launch = launch
        self.base = base
        self.kernel = function.kernel
        self.parameters = dict(function.parameters)
        self.written = written
        self.contents: dict[str, Number] = {}
        found = contents(function)
        self.changed = found.changed
        self.asks_extents = any(node.__class__ is Extent for node in found.nodes)
        self.used: set[str] = set()
        self.nested = 0
        self.fuel = 0

    def recipe(self, name: str) -> Recipe | None:
        """The recipe of a kernel parameter that the kernel never changes."""
        if not self.kernel or name in self.launch.inferred:
            return None
        variable = name.partition(".")[0]
        parameter = self.launch.parameters.get(name) if variable in self.parameters else None
        if parameter is None or parameter.role != "in" or name in self.written or variable in self.changed:
            return None
        return parameter.values

    def size_of_parameter(self, name: str) -> Expression | None:
        """The size that a by-value parameter holds."""
        recipe = self.recipe(name)
        if recipe is None or recipe.kind != "size":
            return None
        return size_expression(recipe.arguments, self.launch.sizes)

    def recipe_range(self, recipe: Recipe | None, member: str | None = None) -> Range:
        """The numbers that a recipe draws."""
        if recipe is None:
            return UNKNOWN
        if recipe.kind == "members" and member is not None:
            return self.recipe_range(recipe.arguments.get(member))
        match recipe.kind, recipe.arguments:
            case ("uniform", (low, high)):
                return float(low), float(high)
            case ("integers", (low, high)):
                return self._size_range(low)[0], self._size_range(high)[1] - 1
            case ("permutation", size):
                return 0, self._size_range(size)[1] - 1
            case ("offsets", _):
                return _NATURAL
            case ("constant", int() | float() as value):
                return value, value
            case ("size", size):
                return self._size_range(size)
            case _:
                return UNKNOWN

    def _size_range(self, size: int | str) -> Range:
        """Named sizes are at least one; of other expressions only what follows from that is known."""
        return self.range(size_expression(size, self.launch.sizes), State())

    def assume(self, state: State, test: Expression, holds: bool) -> None:
        """Add what follows from a condition that holds (or does not)."""
        match test:
            case Unary(operator="!", operand=operand):
                self.assume(state, operand, not holds)
            case Binary(operator="&&", left=left, right=right) if holds:
                self.assume(state, left, True)
                self.assume(state, right, True)
            case Binary(operator="||", left=left, right=right) if not holds:
                self.assume(state, left, False)
                self.assume(state, right, False)
            case Binary(operator=operator, left=left, right=right) if self._comparable(left, right):
                self._assume_comparison(state, operator, left, right, holds)
            case _:
                pass

    def _assume_comparison(
        self, state: State, operator: str, left: Expression, right: Expression, holds: bool
    ) -> None:
        opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
        if operator not in opposite:
            return
        operator = operator if holds else opposite[operator]
        difference = self.form(left, state) - self.form(right, state)
        match operator:
            case "<":
                self.know(state, difference.times(-1) - constant(1))
            case "<=":
                self.know(state, difference.times(-1))
            case ">":
                self.know(state, difference - constant(1))
            case ">=":
                self.know(state, difference)
            case "==":
                self.know(state, difference)
                self.know(state, difference.times(-1))
            case "!=":
                for form in (difference, difference.times(-1)):
                    if self._least(form, state, 0) == 0:
                        self.know(state, form - constant(1))
            case _:
                pass

    def know(self, state: State, fact: Linear) -> None:
        """Add that a form is at least zero, and what that says of the range of each of its atoms."""
        used, self.used = self.used, set()
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
            elif -(rest // coefficient) > self._atom(key, one, state)[0]:
                state.narrow(key, names_in(one), -(rest // coefficient), math.inf)
                state.sources[key] = frozenset(self.used)
        self.used = used
        if len(fact.terms) > 1:
            state.assume(fact)

    def _comparable(self, left: Expression, right: Expression) -> bool:
        if not (is_integer(left) and is_integer(right) and self.stable(left) and self.stable(right)):
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
        if self.kernel and self.has_extent(expression):
            expression = rewrite(clone(expression), self._size_of_extent)
        return self._form(expression, state)

    def _form(self, expression: Expression, state: State) -> Linear:
        if expression.__class__ is Name:
            return atom(expression)

        def part(operand: Expression) -> Linear:
            # What wraps around in a sum does not matter if the sum fits after all.
            if operand.type == expression.type and operand.__class__ not in LEAVES:
                return combined(operand, part)
            return self._form(operand, state)

        form = combined(expression, part)
        if form.is_atom(expression):
            return form
        low, high = limits(expression.type)
        fits = self._least(form, state, low) >= low and self._least(form.times(-1), state, -high) >= -high
        return form if fits else atom(expression)

    def has_extent(self, expression: Expression) -> bool:
        """Whether an expression of the function asks for the shape of an array."""
        return self.asks_extents and any(node.__class__ is Extent for node in walk(expression))

    def _size_of_extent(self, expression: Expression) -> Expression:
        if isinstance(expression, Extent) and isinstance(expression.array, Name):
            name = expression.array.name
            if name in self.launch.parameters and not expression.stride:
                size = promises.extent_of(self.launch, name, expression.axis)
                return expression if size is None else size_expression(size, self.launch.sizes)
        return expression

    def nonnegative(self, expression: Expression, state: State) -> bool:
        """Whether the expression is proved not to be negative."""
        if isinstance(expression.type, Scalar) and expression.type.is_integer:
            return limits(expression.type)[0] >= 0 or (
                self._least(self.form(expression, state), state, 0) >= 0
            )
        return self.range(expression, state)[0] >= 0

    def positive(self, expression: Expression, state: State) -> bool:
        """Whether the expression is proved to be well above zero."""
        return self.range(expression, state)[0] > _LEAST_POSITIVE

    def range(self, expression: Expression, state: State) -> Range:
        """Numbers between which the value of the expression lies."""
        kind = expression.type
        if not isinstance(kind, Scalar) or not kind.is_integer:
            return self._structural(expression, state)
        return self.form_range(self.form(expression, state), kind, state)

    def form_range(self, form: Linear, kind: Type, state: State) -> Range:
        """Numbers between which a linear form of values of this type lies."""
        low, high = limits(kind)
        least = self._least(form, state, 0)
        used = set(self.used)
        most = -self._least(form.times(-1), state, -_SMALL)
        self.used = used
        return _ordered(max(low, least), min(high, most))

    def bound(self, form: Linear, state: State) -> Number:
        """A lower bound of a linear form from the ranges of its atoms alone."""
        total: Number = form.constant
        for key, (coefficient, one) in form.terms.items():
            total += coefficient * self._atom(key, one, state)[coefficient < 0]
        return total

    def _least(self, form: Linear, state: State, wanted: Number) -> Number:
        """A lower bound of a linear form, from the ranges of its atoms and from facts. The search ends at a
        bound that is as good as `wanted`.
        """
        # A fact may speak of a call whose arguments lead to the fact again: within calls, facts run out.
        if self.nested == 0:
            self.fuel = _FUEL
        self.nested += 1
        try:
            return self._search(form, state, wanted, _DEPTH if self.nested <= _NESTED else 0)
        finally:
            self.nested -= 1

    def _search(self, form: Linear, state: State, wanted: Number, depth: int) -> Number:
        best = self.bound(form, state)
        if depth == 0 or best >= wanted:
            return best
        for reduced in self._reductions(form, state):
            if self.fuel <= 0:
                break
            self.fuel -= 1
            best = max(best, self._search(reduced, state, wanted, depth - 1))
            if best >= wanted:
                break
        return best

    def _reductions(self, form: Linear, state: State) -> list[Linear]:
        """Forms that are not above `form`: without a fact, or with an argument in place of a minimum or
        maximum.
        """
        reduced = []
        signs = [(key, coefficient > 0) for key, (coefficient, _) in form.terms.items()]
        for fact in state.facts:
            terms = fact.terms
            for key, positive in signs:
                if key in terms and (terms[key][0] > 0) == positive:
                    reduced.append(form - fact)
                    break
        for key, (coefficient, one) in form.terms.items():
            if isinstance(one, Call) and one.function == ("min" if coefficient < 0 else "max"):
                rest = Linear({k: v for k, v in form.terms.items() if k != key}, form.constant)
                reduced += [rest.plus(self._form(each, state), coefficient) for each in one.arguments]
        return reduced

    def _atom(self, key: Key, one: Expression, state: State) -> Range:
        """The range of an atom: what its form says, and what conditions say of it."""
        if one.__class__ in LEAVES:
            return self._structural(one, state)
        depth = min(self.nested, _NESTED + 1)
        if (key, depth) not in state.known:
            used, self.used = self.used, set()
            low, high = self._structural(one, state)
            told = state.ranges.get(key, UNKNOWN)
            state.known[key, depth] = _ordered(max(low, told[0]), min(high, told[1])), frozenset(self.used)
            self.used = used
        found, relied = state.known[key, depth]
        self.used |= relied
        return found

    def _structural(self, expression: Expression, state: State) -> Range:
        """A range from the form of the expression alone."""
        low, high = limits(expression.type)
        found = self._unlimited(expression, state)
        return _ordered(max(low, found[0]), min(high, found[1]))

    def _unlimited(self, expression: Expression, state: State) -> Range:
        match expression:
            case Literal(value=bool() | int() | float() as value):
                return (value, value) if within((value, value), expression.type) else UNKNOWN
            case Name(name=name):
                if name.startswith("size:"):
                    return 1, promises.greatest(self.launch, name.removeprefix("size:"), self.base)
                self.used |= state.sources.get(name, frozenset())
                return state.ranges.get(name, UNKNOWN)
            case Extent(stride=False):
                return _NATURAL
            case Element(looked_up=True):
                return _INDEX
            case Binary(operator=operator, left=left, right=right) if _is_number(expression.type):
                if left.type != expression.type or (right.type != left.type and operator not in ("<<", ">>")):
                    return UNKNOWN
                return binary_range(operator, self.range(left, state), self.range(right, state), left.type)
            case Unary(operator="-", operand=operand):
                return fitted(negated(self.range(operand, state)), expression.type)
            case Unary(operator="~", operand=operand):
                low, high = negated(self.range(operand, state))
                return fitted((low - 1, high - 1), expression.type)
            case Conditional(test=test, then=then, otherwise=otherwise):
                first, second = state.copy(), state.copy()
                self.assume(first, test, True)
                self.assume(second, test, False)
                return hull(self.range(then, first), self.range(otherwise, second))
            case Cast(type=Scalar() as target, operand=operand):
                return self._cast_range(target, operand, state)
            case Call():
                return self._call_range(expression, state)
            case Element() | Member() | Component():
                return self._memory_range(expression)
            case _:
                return UNKNOWN

    def _cast_range(self, target: Scalar, operand: Expression, state: State) -> Range:
        if not isinstance(operand.type, Scalar) or target.name == "bool":
            return UNKNOWN
        found = self.range(operand, state)
        if operand.type.is_float and not target.is_float:
            if not all(map(math.isfinite, found)):
                return UNKNOWN
            found = math.trunc(found[0]), math.trunc(found[1])
        return fitted(found, target)

    def _call_range(self, call: Call, state: State) -> Range:
        if call.effect == "old":
            place = call.arguments[0]
            root = getattr(getattr(place, "place", None), "array", None)
            return self._contents_range(root)
        if call.function in ("max", "fmaxf", "fmax"):
            return self._largest(call, state)
        found = [self.range(argument, state) for argument in call.arguments]
        match call.function:
            case "min" | "fminf" | "fmin":
                return min(low for low, _ in found), min(high for _, high in found)
            case "abs" | "fabsf" | "fabs":
                return fitted(magnitude(found[0]), call.type)
            case "sqrtf" | "sqrt" | "expf" | "exp":
                return _NATURAL
            case "__popc" | "__popcll":
                return 0, 64
            case "look_up" | "place_in_buckets" | "wrap_index":
                return _INDEX
            case "floor_divide":
                return binary_range("//", found[0], found[1], call.type)
            case "floorf" | "floor" | "ceilf" | "ceil" | "roundf" | "round" | "rintf" | "truncf" | "trunc":
                low, high = found[0]
                return math.floor(low) if math.isfinite(low) else low, (
                    math.ceil(high) if math.isfinite(high) else high
                )
            case "fmodf" | "fmod":
                return (0, found[0][1]) if found[0][0] >= 0 else UNKNOWN
            case "random_float" if len(found) == 1:
                return 0, 1
            case "random_float":
                ends = call.arguments[1:]
                ordered = all(isinstance(end, Literal) for end in ends) and found[1][0] <= found[2][1]
                return fitted((found[1][0], found[2][1]), call.type) if ordered else UNKNOWN
            case "random_int" if len(found) == 3:
                return found[1][0], max(found[1][0], found[2][1] - 1)
            case _:
                return UNKNOWN

    def _largest(self, call: Call, state: State) -> Range:
        """The range of a maximum. From below it is that of the argument that relies on least, of those that
        are not negative.
        """
        before = self.used
        found: list[tuple[Range, set[str]]] = []
        for argument in call.arguments:
            self.used = set()
            found.append((self.range(argument, state), self.used))
        enough = [one for one in found if one[0][0] >= 0]
        (low, _), used = (
            min(enough, key=lambda one: (len(one[1]), -one[0][0]))
            if enough
            else max(found, key=lambda one: one[0][0])
        )
        self.used = before | used
        return low, max(high for (_, high), _ in found)

    def _contents_range(self, array: object) -> Range:
        """The range of an array that is known never to hold a negative number."""
        if not isinstance(array, Name) or array.name not in self.contents:
            return UNKNOWN
        self.used.add(array.name)
        return 0, self.contents[array.name]

    def _memory_range(self, expression: Expression) -> Range:
        """What a recipe says about a component of a parameter that is only read."""
        member = None
        while isinstance(expression, _Part):
            if isinstance(expression, Member):
                member = expression.path.removeprefix(".")
            expression = expression.value
        if isinstance(expression, Element):
            expression = expression.array
        if not isinstance(expression, Name):
            return UNKNOWN
        if expression.name in self.contents:
            return self._contents_range(expression)
        found = self.recipe_range(self.recipe(expression.name), member)
        if found != UNKNOWN and isinstance(expression.type, Array):
            self.used.add(expression.name)
        return found


def _takes_array(call: Call) -> bool:
    return any(isinstance(argument.type, Array) for argument in call.arguments)


def _ordered(low: Number, high: Number) -> Range:
    """A range; of what cannot be reached, any."""
    return low, max(low, high)


def _is_number(type: Type) -> bool:
    return isinstance(type, Scalar) and (type.is_float or type.is_integer)


def is_integer(expression: Expression) -> bool:
    """Whether the value is an integer."""
    return isinstance(expression.type, Scalar) and expression.type.is_integer
