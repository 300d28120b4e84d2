"""Pass: prove that indices are not negative.

Before: every index of an array may be negative, and then counts from the end, as in Warp. After: each Element
knows which of its indices may be (`wraps`); indices into vectors and matrices that may be are wrapped; `//`
of numbers that cannot be negative is a plain division, 0 - x of a positive x a plain -x, and a loop whose
stride is positive counts up.

The proof is an abstract interpretation: each variable has a range, each condition that holds is a linear form
that is at least zero. Integers wrap around, as in Warp and in CUDA: nothing is known of a result that may not
fit. A launch description counts as proof, for it is the documented precondition of the kernel: parameters
that the kernel only reads hold what their recipe draws, and extents are ints.
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Mapping, Sequence

from weft.cuda import promises
from weft.cuda.contents import changed_in, changed_in_block, changed_names, root_name
from weft.cuda.passes.index_forms import beginning, breaks, index_limits, used_whole
from weft.cuda.passes.linear import Key, Linear, atom, constant, elements_of, linear
from weft.cuda.passes.numbers import UNKNOWN, Number, Range, binary_range, hull
from weft.cuda.passes.state import State, add_sources, merge
from weft.cuda.passes.value_ranges import ValueRanges, is_integer
from weft.cuda.sizes import size_expression
from weft.cuda.tiles.in_range import TRUE, holds, joined
from weft.cuda.traverse import (
    LEAVES,
    all_expressions,
    blocks,
    expressions,
    replace_children,
    rewrite_own,
    statements,
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
    Native,
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


# Operators by which natural numbers stay natural, and the atomics that change an element so.
_NATURAL = frozenset({"", "+", "/", "%", "&", "|", "^", ">>"})
_ATOMICS = {"atomicAdd": "+", "atomicMin": "&", "atomicAnd": "&", "atomicExch": "", "atomicCAS": ""} | (
    dict.fromkeys(("atomicMax", "atomicOr", "atomicXor"), "|")
)

_LARGEST = 2**31 - 1
_LARGEST_BLOCK = 1024
INT64 = Scalar("int64")

# How often the ranges of a loop are tried before nothing is taken to be known.
_ROUNDS = 6


class Bounds:
    """The proofs of one record, for base sizes up to `base`. Functions are visited callers first, so that
    arguments bound parameters.

    `preconditions` are the kernel's integer arrays that have to hold no negative number for the result to be
    right.
    """

    def __init__(
        self, launch: Launch, written: set[str], constants: Mapping[str, Expression], base: int
    ) -> None:
        self.launch = launch
        self.written = written
        self.constants = {
            name: literal.value
            for name, literal in constants.items()
            if isinstance(literal, Literal) and isinstance(literal.value, int)
        }
        self.arguments: dict[str, list[Range]] = {}
        self.preconditions: set[str] = set()
        self.base = base
        self.threads = promises.largest_launch(launch, base)

    def run(self, function: Function) -> None:
        """Run the pass on one function."""
        self.bounds = ValueRanges(self.launch, function, self.written, self.base)
        # What a store may change, though it goes through another array.
        self.overlapping = {
            elements_of(leaf)
            for leaf in self.launch.parameters
            if promises.may_overlap(self.launch, leaf, self.written)
        }
        contents = self._candidates(function)
        self.final = False
        # First that no element is ever negative, whatever they hold; then what they may hold at most.
        unlimited = dict.fromkeys(contents, math.inf)
        while unlimited:
            most = self._interpret(function, unlimited, contents)
            kept = {name for name, limit in most.items() if limit <= _LARGEST}
            if len(kept) == len(unlimited):
                contents = most
                break
            unlimited = dict.fromkeys(kept, math.inf)
        self.final = True
        self._interpret(function, {name: contents[name] for name in unlimited}, {})

    def _candidates(self, function: Function) -> dict[str, Number]:
        """Integer arrays that the kernel updates and that hold no negative number at first, with the greatest
        number that they then hold.
        """
        if not function.kernel:
            return {}
        found = {}
        for name, kind in function.parameters:
            parameter = self.launch.parameters.get(name)
            if parameter is None or name in self.launch.inferred:
                continue
            if name in self.written and isinstance(kind, Array) and parameter.role == "inout":
                integer = isinstance(kind.element, Scalar) and kind.element == INT
                low, high = self.bounds.recipe_range(parameter.values)
                if integer and low >= 0 and name not in used_whole(function):
                    found[name] = high
        return found

    def _interpret(
        self, function: Function, contents: dict[str, Number], first: dict[str, Number]
    ) -> dict[str, Number]:
        """Interpret the function, where the arrays in `contents` hold no negative number and none above the
        limit there. Returns what they hold at most if they hold at most `first` before.
        """
        self.bounds.contents = contents
        self.most = {name: first.get(name, math.inf) for name in contents}
        self.repeats: Number = self.threads
        state = State()
        state.set("threadIdx.x", 0, (self.launch.block_dim or _LARGEST_BLOCK) - 1)
        own = dict(function.parameters)
        for name, value in self.constants.items():
            if name not in own:
                state.set(name, value, value)
        if function.kernel:
            for name, kind in function.parameters:
                if not isinstance(kind, Scalar):
                    continue
                state.set(name, *self.bounds.recipe_range(self.bounds.recipe(name)))
                if (size := self.bounds.size_of_parameter(name)) is not None:
                    self._equal(state, atom(Name(INT, name)), linear(size))
        else:
            for (name, _), argument in zip(
                function.parameters, self.arguments.get(function.key, []), strict=False
            ):
                state.set(name, *argument)
        self._block(function.body, state, [])
        return self.most

    def _equal(self, state: State, left: Linear, right: Linear) -> None:
        self.bounds.know(state, left - right)
        self.bounds.know(state, right - left)

    def _block(self, block: list[Statement], state: State | None, exits: list[State]) -> State | None:
        """Interpret a block; `exits` collects the states at `break` and `continue`."""
        for statement in block:
            # What follows a jump is never reached; nothing is known there.
            state = self._statement(statement, state or State(), exits)
            if state is not None and not blocks(statement) and _stores(statement):
                state.forget(self.overlapping)
        return state

    def _statement(self, statement: Statement, state: State, exits: list[State]) -> State | None:
        if not isinstance(statement, While):
            self._visit(statement, state)
            if not blocks(statement):
                self._watch(statement, state)
        match statement:
            case Threads(names=names):
                state.forget(set(names))
                # A kernel with tiles may also ask for the thread within its block.
                if len(names) > len(self.launch.dims):
                    state.set(names[-1], 0, (self.launch.block_dim or 1) - 1)
                for name, dim in zip(names, self.launch.dims, strict=False):
                    state.set(name, 0, _LARGEST - 1)
                    if self.launch.inferred_dims:
                        continue
                    size = size_expression(dim, self.launch.sizes)
                    self.bounds.know(state, linear(size) - linear(Name(INT, name)) - constant(1))
            case Declare(name=name, value=value, below=below):
                self._assign(state, name, value)
                if below is not None:
                    state.set(name, -math.inf, below - 1)
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
                state.forget(set(names) | changed_names([statement]))
            case _:
                state.forget(changed_names([statement]))
        return state

    def _assign(self, state: State, name: str, value: Expression | None) -> None:
        if value is None:
            state.forget({name})
            return
        self.bounds.used = set()
        form = self.bounds.form(value, state) if is_integer(value) else None
        found = self.bounds.range(value, state)
        used = frozenset(self.bounds.used)
        drift = self._drift(state, name, form, value)
        nodes = walk(value)
        if form is not None and not self.bounds.is_stable(nodes):
            form = None
        state.forget({name} | changed_in((), nodes))
        state.sources[name] = used
        state.set(name, *found)
        if drift is not None:
            state.drift[name] = drift
        if form is not None and name not in form.names:
            self._equal(state, linear(Name(INT, name)), form)

    def _drift(self, state: State, name: str, form: Linear | None, value: Expression) -> Range | None:
        """How far a variable has moved since the loop's head after it is given a value; None if unknown."""
        before = state.drift.get(name)
        if before is None or form is None:
            return None
        low, high = self.bounds.range(Name(value.type, name), state)
        if low > 0 and _is_quotient(value, name):
            return before[0] - high, before[1] - 1
        moved = form - linear(Name(INT, name))
        if name in moved.names:
            return None
        low, high = self.bounds.form_range(moved, INT64, state)
        return before[0] + low, before[1] + high

    def _loop(self, statement: For | While, state: State) -> State:
        """Find ranges that hold on every iteration: guess them from one iteration, widen those that fail."""
        changed = changed_in_block(statement.body)
        if any(map(_stores, statements(statement.body))):
            changed |= self.overlapping
        times = self._iterations(statement, state)
        repeats, self.repeats = self.repeats, self.repeats * times
        final, self.final = self.final, False
        most = dict(self.most)
        guess = {name: state.ranges.get(name, UNKNOWN) for name in changed}
        drift: dict[str, Range] = {}
        if any(found != UNKNOWN for found in guess.values()):
            times, guess, drift = self._inductive(statement, state, changed, times)
        self.final, self.most = final, most
        after, ends = self._iteration(statement, state, changed, guess, drift, times)
        self.repeats = repeats
        for end in ends:
            add_sources(after, end)
        after.drift = {
            name: moved
            for name, before in state.drift.items()
            if (moved := _moved(before, drift.get(name) if name in changed else (0, 0), times)) is not None
        }
        if isinstance(statement, While) and not breaks(statement.body):
            self.bounds.assume(after, statement.test, False)
        return after

    def _inductive(
        self, loop: For | While, state: State, changed: set[str], times: Number
    ) -> tuple[Number, dict[str, Range], dict[str, Range]]:
        """How often a loop runs at most, ranges of variables that hold at its head, and how far an iteration
        moves some of them.
        """
        first = {name: state.ranges.get(name, UNKNOWN) for name in changed}
        _, ends = self._iteration(loop, state, changed, first)
        moves = {name: found for name in changed if (found := _all_drift(name, ends)) is not None}
        counts = _counts(first, self._tested(loop, state, changed), moves)
        times, counter = min([(times, None), *counts], key=lambda found: found[0])
        reached = {name: _reached(before, name, ends) for name, before in first.items()}
        guess = dict(reached)
        drift: dict[str, Range] = {}
        for name, before in first.items():
            moved = _moved(before, moves.get(name), times)
            if moved is not None and reached[name] != before:
                guess[name] = moved
            if guess[name] != reached[name] or name == counter:
                drift[name] = moves[name]
        held: dict[str, Range] = {}
        for _ in range(_ROUNDS):
            _, ends = self._iteration(loop, state, changed, guess, drift, times)
            failed = {name for name in guess if not _holds(name, guess[name], drift.get(name), ends)}
            if failed and held:
                break
            if not failed:
                held = guess
                seen = {name: _reached(before, name, ends) for name, before in first.items()}
                guess = {name: _narrowed(found, seen[name]) for name, found in held.items()}
                if guess == held:
                    break
                continue
            if counter in failed:
                # How often the loop runs is not known after all.
                times, counter = math.inf, None
                failed |= set(drift)
            for name in failed:
                if drift.pop(name, None) is not None:
                    guess[name] = reached[name]
                else:
                    guess[name] = _widened(guess[name], [end.ranges.get(name, UNKNOWN) for end in ends])
        return (times, held, drift) if held else (math.inf, {}, {})

    def _iterations(self, loop: For | While, state: State) -> Number:
        """How often a loop's body runs at most."""
        if not isinstance(loop, For) or not (loop.step or self._direction(loop, state)):
            return math.inf
        step = loop.step or 1
        start, stop = self.bounds.form(loop.start, state), self.bounds.form(loop.stop, state)
        distance = self.bounds.form_range(stop - start if step > 0 else start - stop, INT64, state)[1]
        return max(1, -(-distance // abs(step)))

    def _iteration(
        self,
        statement: For | While,
        before: State,
        changed: set[str],
        guess: Mapping[str, Range],
        drift: Mapping[str, Range] = types.MappingProxyType({}),
        times: Number = math.inf,
    ) -> tuple[State, list[State]]:
        """The states at the head of the loop and at the ends of its body, if `guess` holds at the head, and
        no iteration moves the variables in `drift` farther than it says.
        """
        head = before.copy()
        head.forget(changed)
        for name, found in guess.items():
            head.set(name, *found)
        if isinstance(statement, While):
            self._visit(statement, head)
        inside = head.copy()
        for name, moves in drift.items():
            if (moved := _moved(before.ranges.get(name, UNKNOWN), moves, times - 1)) is not None:
                inside.set(name, *moved)
        inside.drift = dict.fromkeys(changed, (0, 0))
        if isinstance(statement, For):
            self._loop_variable(statement, inside, changed)
        else:
            self.bounds.assume(inside, statement.test, True)
        exits: list[State] = []
        end = self._block(statement.body, inside, exits)
        return head, [*exits, *([end] if end is not None else [])]

    def _tested(self, loop: For | While, before: State, changed: set[str]) -> dict[Key, Range]:
        """What a loop's test alone says where the body begins, whatever the body did to variables."""
        state = before.copy()
        state.forget(changed)
        if isinstance(loop, While):
            self.bounds.assume(state, loop.test, True)
        return state.ranges

    def _loop_variable(self, loop: For, state: State, changed: set[str]) -> None:
        """What is known of the variable in the body, which changes the names in `changed`."""
        start, stop = self.bounds.form(loop.start, state), self.bounds.form(loop.stop, state)
        step = loop.step or self._direction(loop, state)
        rising = step > 0
        highest = self.bounds.range(loop.stop if rising else loop.start, state)[1]
        self.bounds.used = set()
        lowest = self.bounds.range(loop.start if rising else loop.stop, state)[0]
        state.forget({loop.name})
        if step == 0:
            return
        variable = linear(Name(loop.type, loop.name))
        changed = changed | {loop.name}
        state.set(loop.name, *((lowest, highest - 1) if rising else (lowest + 1, highest)))
        state.sources[loop.name] = frozenset(self.bounds.used)
        if not start.names & changed:
            self.bounds.know(state, variable - start if rising else start - variable)
        if not stop.names & changed:
            self.bounds.know(state, (stop - variable if rising else variable - stop) - constant(1))

    def _direction(self, loop: For, state: State) -> int:
        """1 if a loop's stride is proved to be positive, which the loop then says; else 0."""
        if loop.stride is None:
            return 0
        rises = self.bounds.nonnegative(Binary(INT, "-", loop.stride, Literal(INT, 1)), state)
        if rises and self.final:
            loop.step = 1
        return int(rises)

    def _watch(self, statement: Statement, state: State) -> None:
        """Note what arrays may hold after this statement, whose elements are not negative before."""
        if not self.bounds.contents:
            return
        if isinstance(statement, Assign) and isinstance(statement.target, Element):
            self._note(statement.target.array, statement.operator, statement.value, state)
        for root in expressions(statement):
            for part in walk(root):
                if isinstance(part, Call) and part.effect == "old":
                    address, *values = part.arguments
                    place = address.place if isinstance(address, AddressOf) else None
                    if isinstance(place, Element):
                        self._note(place.array, _ATOMICS.get(part.function, "-"), values[-1], state)

    def _note(self, array: Expression, operator: str, value: Expression, state: State) -> None:
        """Note that the kernel gives elements of an array a value, or changes them by it."""
        if not isinstance(array, Name) or array.name not in self.most:
            return
        low, high = self.bounds.range(value, state)
        before = self.most[array.name]
        if low < 0 or operator not in _NATURAL:
            after: Number = math.inf
        elif operator == "+":
            after = before + (self.repeats * high if high else 0)
        elif operator == "":
            after = max(before, high)
        elif operator in "|^" and before < math.inf:
            after = binary_range("|", (0, before), (low, high), INT64)[1]
        else:
            after = before
        self.most[array.name] = after

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
                found = [self.bounds.range(argument, state) for argument in arguments]
                known = self.arguments.setdefault(key, found)
                self.arguments[key] = [hull(a, b) for a, b in zip(known, found, strict=True)]
            case _:
                pass
        return expression

    def _with_an_element(self, element: Element, state: State) -> State:
        """What is known where an element is asked for: the array has one, so `shape[k] - 1` is an index."""
        if not any(self.bounds.has_extent(index) for index in element.indices):
            return state
        known = state.copy()
        for axis in range(len(element.indices)):
            extent = self.bounds.form(Extent(INT, element.array, axis), known)
            self.bounds.know(known, extent - constant(1))
        return known

    def _in_range(self, test: Expression, state: State) -> bool:
        assert isinstance(test, Binary)
        return holds(
            test,
            state,
            lambda operand: self.bounds.form(operand, state),
            lambda form: self.bounds.bound(form, state),
        )

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


def _stores(statement: Statement) -> bool:
    """Whether a statement itself may write to memory."""
    if isinstance(statement, Native) or (
        isinstance(statement, Assign) and root_name(statement.target) is None
    ):
        return True
    nodes = [node for root in expressions(statement) for node in walk(root)]
    return any(isinstance(node, Call) and bool(node.effect or node.user) for node in nodes)


def unproved(functions: Sequence[Function]) -> int:
    """How many operations there are that a proof would make simpler: indices that may be negative, divisions
    that round down.
    """
    nodes = [node for function in functions for node in all_expressions(function.body)]
    wraps = sum(sum(node.wraps) for node in nodes if isinstance(node, Element))
    return wraps + sum(
        node.helper is not None and node.helper[0] in ("wrap_index", "floor_divide")
        for node in nodes
        if isinstance(node, Call)
    )


def _holds_integers(bounds: ValueRanges, name: str) -> bool:
    kind = bounds.parameters.get(name)
    return isinstance(kind, Array) and isinstance(kind.element, _Numbers)


def _is_quotient(value: Expression, name: str) -> bool:
    """Whether the value is that of a variable divided by a number, which makes it less if it is positive."""
    match value:
        case Binary(operator="/" | "//", left=Name(name=divided), right=Literal(value=int(divisor))):
            return divided == name and divisor > 1
        case Call(helper=("floor_divide", _), arguments=[Name(name=divided), Literal(value=int(divisor))]):
            return divided == name and divisor > 1
        case Binary(operator=">>", left=Name(name=divided), right=Literal(value=int(shift))):
            return divided == name and 0 < shift < 31
        case _:
            return False


def _counts(
    before: dict[str, Range], inside: dict[Key, Range], moves: dict[str, Range]
) -> list[tuple[Number, str | None]]:
    """How often a body can run at most, by each variable that it moves on and that its beginning limits."""
    found: list[tuple[Number, str | None]] = []
    for name, (least, most) in sorted(moves.items()):
        if name not in inside:
            continue
        if least > 0:
            found.append(((inside[name][1] - before[name][0]) // least + 1, name))
        elif most < 0:
            found.append(((before[name][1] - inside[name][0]) // -most + 1, name))
    return [(max(1, times), name) for times, name in found if times < math.inf]


def _reached(before: Range, name: str, ends: list[State]) -> Range:
    """The range of a variable before an iteration and after it."""
    return functools.reduce(hull, (end.ranges.get(name, UNKNOWN) for end in ends), before)


def _all_drift(name: str, ends: list[State]) -> Range | None:
    """How far an iteration may move a variable, whichever way it ends."""
    found = [end.drift.get(name) for end in ends]
    known = [moves for moves in found if moves is not None]
    if len(known) < len(found):
        return None
    return min((low for low, _ in known), default=0), max((high for _, high in known), default=0)


def _moved(before: Range, moves: Range | None, times: Number) -> Range | None:
    """Where a variable may be that moves so far in each of at most so many iterations."""
    if moves is None or times == math.inf:
        return before if moves == (0, 0) else None
    return before[0] + min(0, moves[0]) * times, before[1] + max(0, moves[1]) * times


def _holds(name: str, guess: Range, moves: Range | None, ends: list[State]) -> bool:
    """Whether a range that holds at a loop's head does so after an iteration."""
    if moves is not None:
        found = _all_drift(name, ends)
        return found is not None and moves[0] <= found[0] and found[1] <= moves[1]
    return all(
        guess[0] <= low and high <= guess[1] for low, high in (end.ranges.get(name, UNKNOWN) for end in ends)
    )


def _widened(guess: Range, ends: list[Range]) -> Range:
    """A range for another try, after `guess` failed."""
    low, high = guess
    least, most = min(end[0] for end in ends), max(end[1] for end in ends)
    if least < low:
        low = 0 if low > 0 and least >= 0 else -math.inf
    return low, high if most <= high else math.inf


def _narrowed(guess: Range, reached: Range) -> Range:
    """A range with ends where widening left none."""
    low, high = guess
    return reached[0] if low == -math.inf else low, reached[1] if high == math.inf else high
