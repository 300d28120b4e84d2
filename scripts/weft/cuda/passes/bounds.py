"""Pass: prove that indices are not negative.

Before: every index of an array may be negative, and then counts from the end, as in Warp. After: each Element
knows which of its indices may be (`wraps`); indices into vectors and matrices that may be are wrapped; `//`
of numbers that cannot be negative is a plain division, 0 - x of a positive x a plain -x, and a loop whose
stride is positive counts up.

The proof is an abstract interpretation: each variable has a lower bound, each condition that holds is a
linear form that is at least zero. Integer overflow is taken not to happen: in C++ it is undefined for signed
numbers. A launch description counts as proof, for it is the documented precondition of the kernel: parameters
that the kernel only reads hold at least what their recipe draws.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from weft.cuda.contents import changed_in, changed_in_block, changed_names
from weft.cuda.passes.index_forms import beginning, breaks, index_limits, used_whole
from weft.cuda.passes.linear import constant, linear
from weft.cuda.passes.lower_bounds import LowerBounds, is_integer
from weft.cuda.passes.state import Number, State, add_sources, merge
from weft.cuda.sizes import size_expression
from weft.cuda.tiles.in_range import TRUE, holds, joined
from weft.cuda.traverse import (
    LEAVES,
    blocks,
    expressions,
    replace_children,
    rewrite_own,
    walk,
)
from weft.cuda.tree import (
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Component,
    Conditional,
    Declare,
    Element,
    Expression,
    Extent,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Return,
    Statement,
    Threads,
    Unary,
    Unpack,
    While,
)
from weft.launch import Launch
from weft.types import Array, Scalar, Tile, Vector

_Loop = For | While
_Numbers = Scalar | Vector

# Functions that give the same for 0 and for -0.
_EVEN_AT_ZERO = {"expf", "exp", "cosf", "cos", "coshf", "cosh", "fabsf", "fabs"}


class Bounds:
    """The proofs of one record. Functions are visited callers first, so that arguments bound parameters.

    `preconditions` are the kernel's integer arrays that have to hold no negative number for the result to be
    right.
    """

    def __init__(self, launch: Launch, written: set[str], constants: Mapping[str, Expression]) -> None:
        self.launch = launch
        self.written = written
        self.constants = {
            name: literal.value
            for name, literal in constants.items()
            if isinstance(literal, Literal) and isinstance(literal.value, int)
        }
        self.arguments: dict[str, list[Number | None]] = {}
        self.preconditions: set[str] = set()

    def run(self, function: Function) -> None:
        """Run the pass on one function."""
        self.bounds = LowerBounds(self.launch, function, self.written)
        contents = self._candidates(function)
        self.final = False
        while contents:
            self.broken: set[str] = set()
            self._interpret(function, contents)
            if not self.broken:
                break
            contents -= self.broken
        self.final = True
        self.broken = set()
        self._interpret(function, contents)

    def _candidates(self, function: Function) -> set[str]:
        """Integer arrays that the kernel updates and that hold no negative number at first."""
        if not function.kernel:
            return set()
        found = set()
        for name, kind in function.parameters:
            parameter = self.launch.parameters.get(name)
            if parameter is None or name in self.launch.inferred:
                continue
            if name in self.written and isinstance(kind, Array) and parameter.role == "inout":
                integer = isinstance(kind.element, Scalar) and kind.element.is_integer
                low = self.bounds.recipe_bound(parameter.values)
                if integer and low is not None and low >= 0 and name not in used_whole(function):
                    found.add(name)
        return found

    def _interpret(self, function: Function, contents: set[str]) -> None:
        self.bounds.contents = contents
        state = State()
        state.lower["threadIdx.x"] = 0
        own = dict(function.parameters)
        state.lower |= {name: value for name, value in self.constants.items() if name not in own}
        if function.kernel:
            for name, kind in function.parameters:
                if not isinstance(kind, Scalar):
                    continue
                if (bound := self.bounds.recipe_bound(self.bounds.recipe(name))) is not None:
                    state.lower[name] = bound
                if (size := self.bounds.size_of_parameter(name)) is not None:
                    difference = linear(Name(INT, name)) - linear(size)
                    state.assume(difference)
                    state.assume(difference.times(-1))
        else:
            known = self.arguments.get(function.key, [])
            for (name, _), argument in zip(function.parameters, known, strict=False):
                if argument is not None:
                    state.lower[name] = argument
        self._block(function.body, state, [])

    def _block(self, block: list[Statement], state: State | None, exits: list[State]) -> State | None:
        """Interpret a block; `exits` collects the states at `break` and `continue`."""
        for statement in block:
            # What follows a jump is never reached; nothing is known there.
            state = self._statement(statement, state or State(), exits)
        return state

    def _statement(self, statement: Statement, state: State, exits: list[State]) -> State | None:
        if not isinstance(statement, While):
            self._visit(statement, state)
            if not blocks(statement):
                self._watch(statement, state)
        match statement:
            case Threads(names=names):
                # A kernel with tiles may also ask for the thread within its block.
                if len(names) > len(self.launch.dims):
                    state.lower[names[-1]] = 0
                    state.assume(constant((self.launch.block_dim or 1) - 1) - linear(Name(INT, names[-1])))
                for name, dim in zip(names, self.launch.dims, strict=False):
                    state.lower[name] = 0
                    if self.launch.inferred_dims:
                        continue
                    size = size_expression(dim, self.launch.sizes)
                    state.assume(linear(size) - linear(Name(INT, name)) - constant(1))
            case Declare(name=name, value=value, below=below):
                self._assign(state, name, value)
                if below is not None:
                    state.assume(constant(below - 1) - linear(Name(INT, name)))
            case Assign(target=Name(name=name, type=kind), operator=operator, value=value):
                self._assign(
                    state, name, Binary(kind, operator, Name(kind, name), value) if operator else value
                )
            case If(test=test, body=body, otherwise=otherwise):
                then, other = state.copy(), state.copy()
                self.bounds.assume(then, test, True)
                self.bounds.assume(other, test, False)
                return merge(self._block(body, then, exits), self._block(otherwise, other, exits))
            case For() | While():
                return self._loop(statement, state)
            case Return():
                return None
            case Jump():
                exits.append(state)
                return None
            case Unpack(names=names):
                state.forget(set(names))
            case _:
                state.forget(changed_names([statement]))
        return state

    def _assign(self, state: State, name: str, value: Expression | None) -> None:
        if value is None:
            state.forget({name})
            return
        self.bounds.used = set()
        form = self.bounds.linear(value) if is_integer(value) else None
        bound = self.bounds.lower(value, state, form)
        nodes = walk(value)
        if form is not None and not self.bounds.is_stable(nodes):
            form = None
        state.forget({name} | changed_in((), nodes))
        if bound is not None:
            state.lower[name] = bound
            state.sources[name] = frozenset(self.bounds.used)
        if form is not None and name not in form.names:
            difference = linear(Name(INT, name)) - form
            state.assume(difference)
            state.assume(difference.times(-1))

    def _loop(self, statement: For | While, state: State) -> State:
        """Find bounds that hold on every iteration: guess those before the loop, then zero, then none."""
        changed = changed_in_block(statement.body)
        guess = {name: state.lower[name] for name in changed if name in state.lower}
        final, self.final = self.final, False
        while True:
            # Where nothing is guessed, or the iteration is a guess itself, this one is the last.
            self.final = final and not guess
            after, ends = self._iteration(statement, state, changed, guess)
            failed = [n for n, bound in guess.items() if any(e.lower.get(n, -math.inf) < bound for e in ends)]
            if not failed:
                break
            for name in failed:
                if guess[name] > 0 and all(end.lower.get(name, -1) >= 0 for end in ends):
                    guess[name] = 0
                else:
                    del guess[name]
        if final and not self.final:
            self.final = True
            after, ends = self._iteration(statement, state, changed, guess)
        for end in ends:
            add_sources(after, end)
        if isinstance(statement, While) and not breaks(statement.body):
            self.bounds.assume(after, statement.test, False)
        return after

    def _iteration(
        self, statement: For | While, before: State, changed: set[str], guess: dict[str, Number]
    ) -> tuple[State, list[State]]:
        """The states at the head of the loop and at the ends of its body, if `guess` holds at the head."""
        head = before.copy()
        head.forget(changed)
        head.lower |= guess
        if isinstance(statement, While):
            self._visit(statement, head)
        inside = head.copy()
        if isinstance(statement, For):
            self._loop_variable(statement, inside, changed)
        else:
            self.bounds.assume(inside, statement.test, True)
        exits: list[State] = []
        end = self._block(statement.body, inside, exits)
        return head, [*exits, *([end] if end is not None else [])]

    def _loop_variable(self, loop: For, state: State, changed: set[str]) -> None:
        """What is known of the variable in the body, which changes the names in `changed`."""
        state.forget({loop.name})
        step = loop.step or self._direction(loop, state)
        if step == 0:
            return
        variable = linear(Name(loop.type, loop.name))
        changed = changed | {loop.name}
        rising = step > 0
        start, stop = self.bounds.linear(loop.start), self.bounds.linear(loop.stop)
        if not start.names & changed:
            state.assume(variable - start if rising else start - variable)
        if not stop.names & changed:
            state.assume((stop - variable if rising else variable - stop) - constant(1))
        self.bounds.used = set()
        first = self.bounds.lower(loop.start if rising else loop.stop, state)
        if first is not None:
            state.lower[loop.name] = first if rising else first + 1
            state.sources[loop.name] = frozenset(self.bounds.used)

    def _direction(self, loop: For, state: State) -> int:
        """1 if a loop's stride is proved to be positive, which the loop then says; else 0."""
        if loop.stride is None:
            return 0
        rises = self.bounds.nonnegative(Binary(INT, "-", loop.stride, Literal(INT, 1)), state)
        if rises and self.final:
            loop.step = 1
        return int(rises)

    def _watch(self, statement: Statement, state: State) -> None:
        """Note arrays whose elements may become negative by this statement."""
        contents = self.bounds.contents
        if not contents:
            return
        if isinstance(statement, Assign) and isinstance(statement.target, Element):
            array = statement.target.array
            if isinstance(array, Name) and array.name in contents:
                harmless = statement.operator in ("", "+", "*", "/", "%", "&", "|", "^", ">>")
                if not harmless or not self.bounds.nonnegative(statement.value, state):
                    self.broken.add(array.name)
        for root in expressions(statement):
            for part in walk(root):
                self._watch_atomic(part, state)

    def _watch_atomic(self, expression: Expression, state: State) -> None:
        if isinstance(expression, Call) and expression.effect == "old":
            address, *values = expression.arguments
            place = address.place if isinstance(address, AddressOf) else None
            array = place.array if isinstance(place, Element) else None
            if isinstance(array, Name) and array.name in self.bounds.contents:
                subtracts = expression.function == "atomicSub"
                if subtracts or not all(self.bounds.nonnegative(value, state) for value in values[-1:]):
                    self.broken.add(array.name)

    def _visit(self, statement: Statement, state: State) -> None:
        """Mark the elements in a statement's own expressions, and simplify them."""
        rewrite_own(statement, lambda expression: self._mark(expression, state))

    def _mark(self, expression: Expression, state: State) -> Expression:
        if expression.__class__ in LEAVES:
            return expression
        match expression:
            case Conditional(test=test):
                then, other = state.copy(), state.copy()
                self.bounds.assume(then, test, True)
                self.bounds.assume(other, test, False)
                expression.test = self._mark(test, state)
                expression.then = self._mark(expression.then, then if not expression.eager else state)
                expression.otherwise = self._mark(
                    expression.otherwise, other if not expression.eager else state
                )
                return expression.then if expression.test == TRUE else expression
            case Binary(operator="&&" | "||" as operator, left=left):
                after = state.copy()
                self.bounds.assume(after, left, operator == "&&")
                expression.left = self._mark(left, state)
                expression.right = self._mark(expression.right, after)
                if operator == "||":
                    return expression
                return joined(expression.left, expression.right, expression)
            case _:
                replace_children(expression, lambda part: self._mark(part, state))
        match expression:
            case Element(indices=indices, exact=exact):
                asked = indices[: len(indices) - exact]
                inside = self._with_an_element(expression, state)
                wraps = [not self._is_index(beginning(index), inside) for index in asked]
                expression.wraps = wraps + [False] * exact
            case Component(value=value, indices=indices) if self.final and not isinstance(value.type, Tile):
                sizes = index_limits(value)
                expression.indices = [
                    self._wrapped(index, size, state) for index, size in zip(indices, sizes, strict=True)
                ]
            case Call(
                helper=("component" | "component_ref" | "row" | "set_row", _), arguments=[value, index, *_]
            ):
                expression.arguments[1] = self._wrapped(index, index_limits(value)[0], state)
            case Call(helper=("floor_divide", _), arguments=[left, right]) if self.final:
                if self.bounds.nonnegative(left, state) and self.bounds.nonnegative(right, state):
                    return Binary(expression.type, "/", left, right)
            case Call(helper=("wrap_index", _), arguments=[index, _]) if self.final:
                return index if self._is_index(index, state) else expression
            case Binary(in_range=True) if self.final:
                return TRUE if self._in_range(expression, state) else expression
            case Binary(negates=True, right=right) if self.final:
                if self.bounds.positive(right, state):
                    return Unary(expression.type, "-", right)
            case Call(function=function, arguments=[Binary(negates=True, right=right)]) if self.final:
                if function in _EVEN_AT_ZERO:
                    expression.arguments[0] = Unary(right.type, "-", right)
            case Call(user=str(key), arguments=arguments):
                bounds = [self.bounds.lower(argument, state) for argument in arguments]
                known = self.arguments.setdefault(key, bounds)
                self.arguments[key] = [
                    None if a is None or b is None else min(a, b) for a, b in zip(known, bounds, strict=True)
                ]
            case _:
                pass
        return expression

    def _with_an_element(self, element: Element, state: State) -> State:
        """What is known where an element is asked for: the array has one, so `shape[k] - 1` is an index."""
        if not any(self.bounds.has_extent(index) for index in element.indices):
            return state
        known = state.copy()
        for axis in range(len(element.indices)):
            known.assume(self.bounds.linear(Extent(INT, element.array, axis)) - constant(1))
        return known

    def _in_range(self, test: Expression, state: State) -> bool:
        assert isinstance(test, Binary)
        return holds(test, state, self.bounds.linear, lambda form: self.bounds.bound(form, state))

    def _wrapped(self, index: Expression, size: int, state: State) -> Expression:
        wrapped = isinstance(index, Call) and index.function == "wrap_index"
        if wrapped or self._is_index(index, state):
            return index
        return Call(INT, "wrap_index", [index, Literal(INT, size)], ("wrap_index", ()))

    def _is_index(self, index: Expression, state: State) -> bool:
        """Whether an index is proved not to be negative; notes the arrays that the proof relies on."""
        self.bounds.used = set()
        proved = self.bounds.nonnegative(index, state)
        if proved and self.final:
            self.preconditions |= {name for name in self.bounds.used if _holds_integers(self.bounds, name)}
        return proved


def _holds_integers(bounds: LowerBounds, name: str) -> bool:
    kind = bounds.parameters.get(name)
    return isinstance(kind, Array) and isinstance(kind.element, _Numbers)
