"""Lower bounds of expressions, from the state at a point and from the launch description."""

from __future__ import annotations

import math

from weft.cuda import promises
from weft.cuda.contents import contents
from weft.cuda.passes.linear import Linear, constant, hashes, linear
from weft.cuda.passes.numbers import binary_bound, is_exact
from weft.cuda.passes.state import Number, State
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
from weft.types import Array, Scalar

_Part = Member | Component

_LEAST_POSITIVE = 1e-30

# Calls within calls whose bounds are looked for with facts.
_NESTED = 3


class LowerBounds:
    """Lower bounds for one function.

    `written` are the kernel's arrays that it writes; `contents` those of them whose elements are known never
    to be negative. `used` collects the parameters whose recipes a proof relied on.
    """

    def __init__(self, launch: Launch, function: Function, written: set[str]) -> None:
        self.launch = launch
        self.kernel = function.kernel
        self.parameters = dict(function.parameters)
        self.written = written
        self.contents: set[str] = set()
        found = contents(function)
        self.changed = found.changed
        self.asks_extents = any(node.__class__ is Extent for node in found.nodes)
        self.used: set[str] = set()
        self.nested = 0

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

    def recipe_bound(self, recipe: Recipe | None, member: str | None = None) -> Number | None:
        """The least number that a recipe draws."""
        if recipe is None:
            return None
        if recipe.kind == "members" and member is not None:
            return self.recipe_bound(recipe.arguments.get(member))
        match recipe.kind, recipe.arguments:
            case ("uniform", (low, _)):
                return float(low)
            case ("integers", (int(low), _)):
                return int(low)
            case ("integers", (str(low), _)):
                return self._size_bound(low)
            case (("permutation" | "offsets"), _):
                return 0
            case ("constant", int() | float() as value):
                return value
            case ("size", size):
                return self._size_bound(size)
            case _:
                return None

    def _size_bound(self, size: int | str) -> int | None:
        """Named sizes are at least one; of other expressions only what follows from that is known."""
        bound = self.lower(size_expression(size, self.launch.sizes), State())
        return None if bound is None else math.floor(bound)

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
        difference = self.linear(left) - self.linear(right)
        match operator:
            case "<":
                state.assume(difference.times(-1) - constant(1))
            case "<=":
                state.assume(difference.times(-1))
            case ">":
                state.assume(difference - constant(1))
            case ">=":
                state.assume(difference)
            case "==":
                state.assume(difference)
                state.assume(difference.times(-1))
            case "!=":
                for form in (difference, difference.times(-1)):
                    if self._form(form, state, 2) == 0:
                        state.assume(form - constant(1))
            case _:
                pass

    def _comparable(self, left: Expression, right: Expression) -> bool:
        return is_integer(left) and is_integer(right) and self.stable(left) and self.stable(right)

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

    def linear(self, expression: Expression) -> Linear:
        """The linear form, with the shapes of the kernel's arrays as the sizes that they are."""
        if self.kernel and self.has_extent(expression):
            expression = rewrite(clone(expression), self._size_of_extent)
        return linear(expression)

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
        bound = self.lower(expression, state)
        return bound is not None and bound >= 0

    def positive(self, expression: Expression, state: State) -> bool:
        """Whether the expression is proved to be well above zero."""
        bound = self.lower(expression, state)
        return bound is not None and bound > _LEAST_POSITIVE

    def lower(self, expression: Expression, state: State, form: Linear | None = None) -> Number | None:
        """A number that the expression is never below, or None; `form` is its linear form, if that is at
        hand.
        """
        kind = expression.type
        if not isinstance(kind, Scalar) or kind.is_float:
            return self._structural(expression, state)
        if kind.is_unsigned:
            return max(0, self._structural(expression, state) or 0)
        if kind.is_signed:
            # A fact may speak of a call whose arguments lead to the fact again: within calls, facts run out.
            self.nested += 1
            try:
                form = self.linear(expression) if form is None else form
                return self._form(form, state, 3 if self.nested <= _NESTED else 0)
            finally:
                self.nested -= 1
        return self._structural(expression, state)

    def bound(self, form: Linear, state: State) -> Number | None:
        """A lower bound of a linear form from those of its atoms alone."""
        return self._form(form, state, 0)

    def _form(self, form: Linear, state: State, depth: int) -> Number | None:
        """A lower bound of a linear form, from those of its atoms and from facts."""
        total: Number = form.constant
        complete = True
        for coefficient, atom in form.terms.values():
            bound = self._structural(atom, state) if coefficient > 0 else None
            if bound is None:
                complete = False
                break
            total += coefficient * bound
        best: Number | None = total if complete else None
        if depth == 0 or (best is not None and best >= 0):
            return best
        for reduced in self._reductions(form, state):
            bound = self._form(reduced, state, depth - 1)
            if bound is not None and (best is None or bound > best):
                best = bound
                if best >= 0:
                    break
        return best

    def _reductions(self, form: Linear, state: State) -> list[Linear]:
        """Forms that are not above `form`: without a fact, or with a minimum replaced by one of its
        arguments.
        """
        reduced = []
        signs = [(key, coefficient > 0) for key, (coefficient, _) in form.terms.items()]
        for fact in state.facts:
            terms = fact.terms
            for key, positive in signs:
                if key in terms and (terms[key][0] > 0) == positive:
                    reduced.append(form - fact)
                    break
        for key, (coefficient, atom) in form.terms.items():
            if coefficient < 0 and isinstance(atom, Call) and atom.function == "min":
                rest = Linear({k: v for k, v in form.terms.items() if k != key}, form.constant)
                reduced += [rest.plus(linear(argument), coefficient) for argument in atom.arguments]
        return reduced

    def _structural(self, expression: Expression, state: State) -> Number | None:
        """A lower bound from the form of the expression alone."""
        match expression:
            case Literal(value=bool() | int() | float() as value):
                return value
            case Name(name=name):
                if name.startswith("size:"):
                    return 1
                self.used |= state.sources.get(name, frozenset())
                return state.lower.get(name)
            case Extent() | Element(looked_up=True):
                return 0
            case Binary() if hashes(expression):
                return None
            case Binary(operator=operator, left=left, right=right) if is_exact(expression.type):
                return binary_bound(operator, self.lower(left, state), self.lower(right, state))
            case Conditional(test=test, then=then, otherwise=otherwise):
                first, second = state.copy(), state.copy()
                self.assume(first, test, True)
                self.assume(second, test, False)
                a, b = self.lower(then, first), self.lower(otherwise, second)
                return None if a is None or b is None else min(a, b)
            case Cast(type=Scalar() as target, operand=operand):
                return self._cast_bound(target, operand, state)
            case Call():
                return self._call_bound(expression, state)
            case Element() | Member() | Component():
                return self._memory_bound(expression)
            case _:
                return None

    def _cast_bound(self, target: Scalar, operand: Expression, state: State) -> Number | None:
        bound = self.lower(operand, state)
        source = operand.type
        if bound is None or not isinstance(source, Scalar) or target.name == "bool":
            return None
        if target.is_float:
            return bound
        if source.is_float:
            return 0 if bound >= 0 else None
        widens = target.bytes > source.bytes or (target.bytes == source.bytes and source.is_signed)
        return bound if target.is_signed and widens else None

    def _call_bound(self, call: Call, state: State) -> Number | None:
        if call.effect == "old":
            place = call.arguments[0]
            root = getattr(getattr(place, "place", None), "array", None)
            return self._contents_bound(root)
        if call.function in ("max", "fmaxf", "fmax"):
            return self._largest(call, state)
        bounds = [self.lower(argument, state) for argument in call.arguments]
        known = [bound for bound in bounds if bound is not None]
        match call.function:
            case "min" | "fminf" | "fmin":
                return min(known) if len(known) == len(bounds) else None
            case "abs" | "fabsf" | "fabs" | "sqrtf" | "sqrt" | "expf" | "exp" | "__popc" | "__popcll":
                return 0
            case "look_up" | "place_in_buckets" | "wrap_index":
                return 0
            case "floor_divide":
                return 0 if len(known) == 2 and min(known) >= 0 else None
            case "floorf" | "floor" | "ceilf" | "ceil" | "roundf" | "round" | "rintf" | "truncf" | "trunc":
                return math.floor(known[0]) if known else None
            case "fmodf" | "fmod":
                return 0 if bounds[0] is not None and bounds[0] >= 0 else None
            case "random_float" if len(bounds) == 1:
                return 0
            case "random_float":
                low, high = call.arguments[1:]
                ordered = isinstance(low, Literal) and isinstance(high, Literal) and low.value <= high.value  # type: ignore[operator]
                return bounds[1] if ordered else None
            case "random_int":
                return bounds[1] if len(bounds) == 3 else None
            case _:
                return None

    def _largest(self, call: Call, state: State) -> Number | None:
        """The bound of a maximum: of the arguments that are not negative, that which relies on least."""
        before = self.used
        found: list[tuple[Number, set[str]]] = []
        for argument in call.arguments:
            self.used = set()
            bound = self.lower(argument, state)
            if bound is not None:
                found.append((bound, self.used))
        self.used = before
        if not found:
            return None
        enough = [one for one in found if one[0] >= 0]
        bound, used = (
            min(enough, key=lambda one: (len(one[1]), -one[0]))
            if enough
            else max(found, key=lambda one: one[0])
        )
        self.used = before | used
        return bound

    def _contents_bound(self, array: object) -> Number | None:
        """Zero for an array that is known never to hold a negative number."""
        if not isinstance(array, Name) or array.name not in self.contents:
            return None
        self.used.add(array.name)
        return 0

    def _memory_bound(self, expression: Expression) -> Number | None:
        """What a recipe says about a component of a parameter that is only read."""
        member = None
        while isinstance(expression, _Part):
            if isinstance(expression, Member):
                member = expression.path.removeprefix(".")
            expression = expression.value
        if isinstance(expression, Element):
            expression = expression.array
        if not isinstance(expression, Name):
            return None
        if expression.name in self.contents:
            return self._contents_bound(expression)
        bound = self.recipe_bound(self.recipe(expression.name), member)
        if bound is not None and isinstance(expression.type, Array):
            self.used.add(expression.name)
        return bound


def _takes_array(call: Call) -> bool:
    return any(isinstance(argument.type, Array) for argument in call.arguments)


def is_integer(expression: Expression) -> bool:
    """Whether the value is an integer."""
    return isinstance(expression.type, Scalar) and expression.type.is_integer
