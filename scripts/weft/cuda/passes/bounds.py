"""Pass: prove that indices are not negative.

Before: every index of an array may be negative, and then counts from the end, as in Warp. After: each Element knows
which of its indices may be (`wraps`); indices into vectors and matrices that may be are wrapped; `floor_div` of
numbers that cannot be negative is a plain division.

The proof is an abstract interpretation: each variable has a lower bound, each condition that holds is a linear form
that is at least zero. Integer overflow is taken not to happen: in C++ it is undefined for signed numbers.
A launch description counts as proof, for it is the documented precondition of the kernel: the values of read-only
parameters are at least what their recipe draws.
"""

from __future__ import annotations

import math
from weft.cuda.passes.linear import Linear, constant, linear
from weft.cuda.sizes import size_expression
from weft.cuda.tree import (
    INT,
    Assign,
    Binary,
    Call,
    Cast,
    Component,
    Conditional,
    Declare,
    Element,
    Evaluate,
    Expression,
    Extent,
    For,
    Function,
    If,
    Jump,
    Literal,
    Member,
    Name,
    Return,
    Statement,
    Threads,
    Unary,
    Unpack,
    While,
    assigned_names,
    blocks,
    replace_children,
    root_name,
)
from weft.launch import Launch, Recipe
from weft.types import Matrix, Scalar, Vector

Number = int | float


class _State:
    """What is known at one point of the program."""

    def __init__(self) -> None:
        self.lower: dict[str, Number] = {}
        self.facts: list[Linear] = []

    def copy(self) -> _State:
        state = _State()
        state.lower = dict(self.lower)
        state.facts = list(self.facts)
        return state

    def forget(self, names: set[str]) -> None:
        for name in names:
            self.lower.pop(name, None)
        self.facts = [fact for fact in self.facts if not fact.names() & names]

    def assume(self, fact: Linear) -> None:
        if fact.terms and fact not in self.facts:
            self.facts.append(fact)


def _merge(one: _State | None, other: _State | None) -> _State | None:
    """What holds after either of two paths; None is a path that does not get there."""
    if one is None or other is None:
        return one or other
    state = _State()
    state.lower = {
        name: min(bound, other.lower[name]) for name, bound in one.lower.items() if name in other.lower
    }
    state.facts = [fact for fact in one.facts if fact in other.facts]
    return state


class Bounds:
    """The proofs of one record. Functions are visited callers first, so that arguments bound parameters."""

    def __init__(self, launch: Launch, written: set[str]) -> None:
        self.launch = launch
        self.written = written
        self.arguments: dict[str, list[Number | None]] = {}
        self.kernel = False

    def run(self, function: Function) -> None:
        """Run the pass on one function."""
        self.kernel = function.kernel
        state = _State()
        if function.kernel:
            for name, type in function.parameters:
                if isinstance(type, Scalar) and (bound := self._recipe_bound(self._recipe(name))) is not None:
                    state.lower[name] = bound
                size = self._size_of_parameter(name)
                if size is not None and isinstance(type, Scalar):
                    difference = linear(Name(INT, name)) - linear(size)
                    state.assume(difference)
                    state.assume(difference.times(-1))
        else:
            bounds = self.arguments.get(function.key, [])
            for (name, _), bound in zip(function.parameters, bounds, strict=False):
                if bound is not None:
                    state.lower[name] = bound
        self._block(function.body, state)

    def _recipe(self, name: str) -> Recipe | None:
        parameter = self.launch.parameters.get(name)
        if parameter is None or parameter.role != "in" or name in self.written:
            return None
        return parameter.values

    def _size_of_parameter(self, name: str) -> Expression | None:
        recipe = self._recipe(name)
        if recipe is None or recipe.kind != "size":
            return None
        return size_expression(recipe.arguments, self.launch.sizes)

    def _recipe_bound(self, recipe: Recipe | None, member: str | None = None) -> Number | None:
        """The least number that a recipe draws."""
        if recipe is None:
            return None
        if recipe.kind == "members" and member is not None:
            return self._recipe_bound(recipe.arguments.get(member))
        match recipe.kind, recipe.arguments:
            case ("uniform", (low, _)):
                return float(low)
            case ("integers", (int(low), _)):
                return int(low)
            case ("integers", (str(low), _)):
                return self._size_bound(low)
            case ("permutation", _):
                return 0
            case ("constant", int() | float() as value):
                return value
            case ("size", size):
                return self._size_bound(size)
            case _:
                return None

    def _size_bound(self, size: int | str) -> int | None:
        """Named sizes are at least one; of other expressions only what follows from that is known."""
        bound = self._lower(size_expression(size, self.launch.sizes), _State())
        return None if bound is None else math.floor(bound)

    # statements

    def _block(self, block: list[Statement], state: _State | None) -> _State | None:
        for statement in block:
            if state is None:
                state = _State()
            state = self._statement(statement, state)
        return state

    def _statement(self, statement: Statement, state: _State) -> _State | None:
        if not isinstance(statement, While):
            self._visit(statement, state)
        match statement:
            case Threads(names=names):
                for name, dim in zip(names, self.launch.dims, strict=True):
                    state.lower[name] = 0
                    size = size_expression(dim, self.launch.sizes)
                    state.assume(linear(size) - linear(Name(INT, name)) - constant(1))
            case Declare(name=name, value=value):
                self._assign(state, name, value)
            case Assign(target=Name(name=name, type=type), operator=operator, value=value):
                new = Binary(type, operator, Name(type, name), value) if operator else value
                self._assign(state, name, new)
            case Assign(target=target):
                root = root_name(target)
                state.forget({root} if root else set())
            case Unpack(names=names):
                state.forget(set(names))
            case If(test=test, body=body, otherwise=otherwise):
                then, other = state.copy(), state.copy()
                self._assume(then, test, True)
                self._assume(other, test, False)
                return _merge(self._block(body, then), self._block(otherwise, other))
            case For() | While():
                return self._loop(statement, state)
            case Return() | Jump():
                return None
            case Evaluate():
                pass
            case _:
                pass
        return state

    def _assign(self, state: _State, name: str, value: Expression | None) -> None:
        bound = self._lower(value, state) if value is not None else None
        form = linear(value) if value is not None and _is_integer(value) else None
        state.forget({name})
        if bound is not None:
            state.lower[name] = bound
        if form is not None and name not in form.names():
            difference = linear(Name(INT, name)) - form
            state.assume(difference)
            state.assume(difference.times(-1))

    def _loop(self, statement: For | While, state: _State) -> _State | None:
        """Find bounds that hold on every iteration: first guess those before the loop, then zero, then none."""
        changed = assigned_names(statement.body)
        guess = {name: state.lower[name] for name in changed if name in state.lower}
        while True:
            entry = state.copy()
            entry.forget(changed)
            entry.lower |= guess
            if isinstance(statement, While):
                self._visit(statement, entry)
            inside = entry.copy()
            if isinstance(statement, For):
                self._loop_variable(statement, inside)
            else:
                self._assume(inside, statement.test, True)
            exits: list[_State] = []
            end = self._body(statement.body, inside, exits)
            ends = [one for one in (end, *exits) if one is not None]
            failed = [
                name
                for name, bound in guess.items()
                if any(one.lower.get(name, -math.inf) < bound for one in ends)
            ]
            if not failed:
                break
            for name in failed:
                if guess[name] > 0 and all(one.lower.get(name, -1) >= 0 for one in ends):
                    guess[name] = 0
                else:
                    del guess[name]
        if isinstance(statement, While) and not _breaks(statement.body):
            self._assume(entry, statement.test, False)
        return entry

    def _body(self, block: list[Statement], state: _State, exits: list[_State]) -> _State | None:
        """A loop's body; `exits` collects the states at continue and break."""
        return self._block_with_exits(block, state, exits)

    def _block_with_exits(
        self, block: list[Statement], state: _State | None, exits: list[_State]
    ) -> _State | None:
        for statement in block:
            if state is None:
                state = _State()
            if isinstance(statement, Jump):
                exits.append(state)
                state = None
            elif isinstance(statement, If):
                self._visit(statement, state)
                then, other = state.copy(), state.copy()
                self._assume(then, statement.test, True)
                self._assume(other, statement.test, False)
                state = _merge(
                    self._block_with_exits(statement.body, then, exits),
                    self._block_with_exits(statement.otherwise, other, exits),
                )
            else:
                state = self._statement(statement, state)
        return state

    def _loop_variable(self, loop: For, state: _State) -> None:
        state.forget({loop.name})
        variable = linear(Name(loop.type, loop.name))
        changed = assigned_names(loop.body) | {loop.name}
        for end, bound in ((loop.start, 0), (loop.stop, 1)):
            form = linear(end)
            if form.names() & changed:
                continue
            rising = loop.step > 0
            if bound == 0:
                state.assume(variable - form if rising else form - variable)
            else:
                state.assume((form - variable if rising else variable - form) - constant(1))
        first = self._lower(loop.start if loop.step > 0 else loop.stop, state)
        if first is not None:
            state.lower[loop.name] = first if loop.step > 0 else first + 1

    # conditions

    def _assume(self, state: _State, test: Expression, holds: bool) -> None:
        match test:
            case Unary(operator="!", operand=operand):
                self._assume(state, operand, not holds)
            case Binary(operator="&&", left=left, right=right) if holds:
                self._assume(state, left, True)
                self._assume(state, right, True)
            case Binary(operator="||", left=left, right=right) if not holds:
                self._assume(state, left, False)
                self._assume(state, right, False)
            case Binary(operator=operator, left=left, right=right) if _is_integer(left) and _is_integer(
                right
            ):
                self._assume_comparison(state, operator, left, right, holds)
            case _:
                pass

    def _assume_comparison(
        self, state: _State, operator: str, left: Expression, right: Expression, holds: bool
    ) -> None:
        opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
        if operator not in opposite:
            return
        operator = operator if holds else opposite[operator]
        difference = linear(left) - linear(right)
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

    # expressions

    def _visit(self, statement: Statement, state: _State) -> None:
        """Mark the elements in a statement's own expressions, and simplify them."""
        for field in vars(statement):
            value = getattr(statement, field)
            if isinstance(value, Expression):
                setattr(statement, field, self._mark(value, state))
            elif isinstance(value, list) and value and isinstance(value[0], Expression):
                setattr(statement, field, [self._mark(item, state) for item in value])

    def _mark(self, expression: Expression, state: _State) -> Expression:
        match expression:
            case Conditional(test=test):
                then, other = state.copy(), state.copy()
                self._assume(then, test, True)
                self._assume(other, test, False)
                expression.test = self._mark(test, state)
                expression.then = self._mark(expression.then, then if not expression.eager else state)
                expression.otherwise = self._mark(
                    expression.otherwise, other if not expression.eager else state
                )
                return expression
            case Binary(operator="&&" | "||" as operator, left=left):
                after = state.copy()
                self._assume(after, left, operator == "&&")
                expression.left = self._mark(left, state)
                expression.right = self._mark(expression.right, after)
                return expression
            case _:
                replace_children(expression, lambda part: self._mark(part, state))
        match expression:
            case Element(indices=indices):
                expression.wraps = [not self._nonnegative(index, state) for index in indices]
            case Component(value=value, indices=indices):
                sizes = _sizes(value)
                expression.indices = [
                    self._wrapped(index, size, state) for index, size in zip(indices, sizes, strict=True)
                ]
            case Call(
                helper=("component" | "component_ref" | "row" | "set_row", _), arguments=[value, index, *_]
            ):
                expression.arguments[1] = self._wrapped(index, _sizes(value)[0], state)
            case Call(helper=("floor_divide", _), arguments=[left, right]):
                if self._nonnegative(left, state) and self._nonnegative(right, state):
                    return Binary(expression.type, "/", left, right)
            case Call(user=str(key), arguments=arguments):
                bounds = [self._lower(argument, state) for argument in arguments]
                known = self.arguments.setdefault(key, bounds)
                self.arguments[key] = [
                    None if a is None or b is None else min(a, b) for a, b in zip(known, bounds, strict=True)
                ]
            case _:
                pass
        return expression

    def _wrapped(self, index: Expression, size: int, state: _State) -> Expression:
        if self._nonnegative(index, state) or isinstance(index, Call) and index.function == "wrap_index":
            return index
        return Call(INT, "wrap_index", [index, Literal(INT, size)], ("wrap_index", ()))

    def _nonnegative(self, expression: Expression, state: _State) -> bool:
        bound = self._lower(expression, state)
        return bound is not None and bound >= 0

    def _lower(self, expression: Expression, state: _State) -> Number | None:
        """A number that the expression is never below, or None."""
        if _is_integer(expression):
            if isinstance(expression.type, Scalar) and expression.type.is_unsigned:
                return max(0, self._structural(expression, state) or 0)
            return self._form(linear(expression), state, 3)
        return self._structural(expression, state)

    def _form(self, form: Linear, state: _State, depth: int) -> Number | None:
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

    def _reductions(self, form: Linear, state: _State) -> list[Linear]:
        """Forms that are not above `form`: without a fact, or with a minimum replaced by one of its arguments."""
        reduced = []
        for fact in state.facts:
            if any(
                key in fact.terms and (fact.terms[key][0] > 0) == (c > 0)
                for key, (c, _) in form.terms.items()
            ):
                reduced.append(form - fact)
        for key, (coefficient, atom) in form.terms.items():
            if coefficient < 0 and isinstance(atom, Call) and atom.function == "min":
                rest = Linear({k: v for k, v in form.terms.items() if k != key}, form.constant)
                reduced += [rest.plus(linear(argument), coefficient) for argument in atom.arguments]
        return reduced

    def _structural(self, expression: Expression, state: _State) -> Number | None:
        """A lower bound from the form of the expression alone."""
        lower = lambda part: self._lower(part, state)  # noqa: E731
        match expression:
            case Literal(value=bool() | int() | float() as value):
                return value
            case Name(name=name):
                if name.startswith("size:"):
                    return 1
                return state.lower.get(name)
            case Extent():
                return 0
            case Binary(operator=operator, left=left, right=right):
                return _binary_bound(operator, lower(left), lower(right))
            case Conditional(test=test, then=then, otherwise=otherwise):
                first, second = state.copy(), state.copy()
                self._assume(first, test, True)
                self._assume(second, test, False)
                a, b = self._lower(then, first), self._lower(otherwise, second)
                return None if a is None or b is None else min(a, b)
            case Cast(type=Scalar() as target, operand=operand):
                return self._cast_bound(target, operand, state)
            case Call():
                return self._call_bound(expression, state)
            case Element() | Member() | Component():
                return self._memory_bound(expression)
            case _:
                return None

    def _cast_bound(self, target: Scalar, operand: Expression, state: _State) -> Number | None:
        bound = self._lower(operand, state)
        source = operand.type
        if bound is None or not isinstance(source, Scalar) or target.name == "bool":
            return None
        if target.is_float:
            return bound
        if source.is_float:
            return math.floor(bound) if bound >= 0 else None
        widens = target.bytes > source.bytes or (target.bytes == source.bytes and source.is_signed)
        return bound if target.is_signed and widens else None

    def _call_bound(self, call: Call, state: _State) -> Number | None:
        bounds = [self._lower(argument, state) for argument in call.arguments]
        known = [bound for bound in bounds if bound is not None]
        match call.function:
            case "min" | "fminf" | "fmin":
                return min(known) if len(known) == len(bounds) else None
            case "max" | "fmaxf" | "fmax":
                return max(known) if known else None
            case "abs" | "fabsf" | "fabs" | "sqrtf" | "sqrt" | "expf" | "exp" | "__popc" | "__popcll":
                return 0
            case "floor_divide":
                return 0 if len(known) == 2 and min(known) >= 0 else None
            case "floorf" | "floor" | "ceilf" | "ceil" | "roundf" | "round" | "rintf" | "truncf" | "trunc":
                return math.floor(known[0]) if known else None
            case "fmodf" | "fmod":
                return 0 if bounds[0] is not None and bounds[0] >= 0 else None
            case "random_float":
                return 0 if len(bounds) == 1 else bounds[1]
            case "random_int":
                return bounds[1] if len(bounds) == 3 else None
            case _:
                return None

    def _memory_bound(self, expression: Expression) -> Number | None:
        """What a recipe says about a component of a read-only parameter."""
        if not self.kernel:
            return None
        member = None
        while isinstance(expression, Member | Component):
            if isinstance(expression, Member):
                member = expression.path.removeprefix(".")
            expression = expression.value
        if isinstance(expression, Element):
            expression = expression.array
        if isinstance(expression, Name):
            return self._recipe_bound(self._recipe(expression.name), member)
        return None


def _is_integer(expression: Expression) -> bool:
    return isinstance(expression.type, Scalar) and expression.type.is_integer


def _sizes(value: Expression) -> list[int]:
    """The sizes that indices of a vector or matrix may not reach."""
    match value.type:
        case Matrix(rows, columns, _):
            return [rows, columns]
        case Vector(length, _):
            return [length]
        case _:
            return [4]


def _breaks(block: list[Statement]) -> bool:
    """Whether a `break` leaves this loop."""
    for statement in block:
        if isinstance(statement, Jump) and statement.keyword == "break":
            return True
        if not isinstance(statement, For | While) and any(_breaks(inner) for inner in blocks(statement)):
            return True
    return False


def _binary_bound(operator: str, left: Number | None, right: Number | None) -> Number | None:
    both = left is not None and right is not None and left >= 0 and right >= 0
    match operator:
        case "+" if left is not None and right is not None:
            return left + right
        case "*" if both:
            return left * right  # type: ignore[operator]
        case "/" | "|" | "^" if both:
            return 0
        case "%" | ">>" if left is not None and left >= 0:
            return 0
        case "&" if (left is not None and left >= 0) or (right is not None and right >= 0):
            return 0
        case _:
            return None
