"""The data flow of integers: what the analyzer knows at each statement of a function.

Each variable has an interval, each condition that holds is a linear form that is at least zero. Of a loop,
intervals are guessed that hold on every iteration: from one iteration, from how far an iteration moves a
variable and how often there is one, by widening what fails, and where there are few iterations, from one
after another.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import math
import operator
from collections.abc import Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.analysis.analyzer import Analyzer
from weft.cuda.analysis.dataflow import Dataflow, Exits
from weft.cuda.analysis.intervals import UNKNOWN, Interval, Number, common, hull
from weft.cuda.analysis.linear import (
    Key,
    Linear,
    atom,
    constant,
    elements_of,
    is_integer,
    key_of,
    linear,
    names_in,
)
from weft.cuda.analysis.state import State, merge
from weft.cuda.c_types import component_names
from weft.cuda.contents import changed_in, changed_in_block, changed_names, root_name
from weft.cuda.sizes import size_expression
from weft.cuda.traverse import LEAVES, blocks, expressions, replace_children, rewrite_own, statements, walk
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Conditional,
    Construct,
    Declare,
    Element,
    Expression,
    For,
    Function,
    Jump,
    Literal,
    Member,
    Name,
    Native,
    Statement,
    Threads,
    Unpack,
    While,
)
from weft.launch import Launch
from weft.types import Scalar, Vector

_Place = Element | Member

_LARGEST = 2**31 - 1
_LARGEST_BLOCK = 1024
_INT64 = Scalar("int64")

TRUE = Literal(BOOL, True)

_ROUNDS = 6
"""How often the intervals of a loop are tried before nothing is taken to be known."""

_FEW = 32
"""The most iterations that are looked at one after another, with those of the loops around them."""


@dataclasses.dataclass
class _Guess:
    """Intervals of variables at a loop's head, and how far an iteration moves some of them, if the body runs
    at most `times`. Where the loop ends by itself, some lie in narrower ones that are their `last`.
    """

    times: Number
    intervals: dict[str, Interval] = dataclasses.field(default_factory=dict)
    drift: dict[str, Interval] = dataclasses.field(default_factory=dict)
    last: dict[str, Interval] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class _Counter:
    """What a loop over a range says of its variable, and how often it runs at most; `exact` if just so often,
    unless it is left before.
    """

    interval: Interval
    facts: tuple[Linear, ...]
    times: Number
    exact: bool


class IntegerFlow(Dataflow[State]):
    """The flow in one function. `visit` sees each statement once, with what is known there. `repeats` is how
    often all threads of the launch together execute the statement, at most.
    """

    def __init__(self, analyzer: Analyzer, launch: Launch, function: Function) -> None:
        self.analyzer = analyzer
        self.launch = launch
        self.function = function
        # What a store may change, though it goes through another array.
        self.overlapping = {
            elements_of(leaf)
            for leaf in launch.parameters
            if launch_assumptions.may_overlap(launch, leaf, analyzer.written)
        }
        self.repeats: Number = launch_assumptions.largest_launch(launch, analyzer.sizes)
        self.trials = 0
        self.turns = _FEW
        # With the state, so that no expression comes to lie where one of the key has been.
        self.guesses: dict[tuple[object, ...], tuple[_Guess, State]] = {}

    def visit(self, statement: Statement, state: State) -> None:
        """Look at a statement before it is executed."""

    def run(self, arguments: Sequence[Interval]) -> None:
        """Follow the function from its beginning, where its parameters lie in these intervals."""
        self.guesses.clear()
        state = State()
        state.set("threadIdx.x", 0, (self.launch.block_dim or _LARGEST_BLOCK) - 1)
        parameters = dict(self.function.parameters)
        if self.function.kernel:
            for name, kind in parameters.items():
                if isinstance(kind, Scalar | Vector):
                    state.set(name, *self.analyzer.given(name))
                    if (size := self.analyzer.size_of_parameter(name)) is not None:
                        self.analyzer.equal(state, atom(Name(INT, name)) - linear(size))
            if len(self.launch.dims) > 1 and not self.launch.inferred_dims:
                dims = [linear(size_expression(dim, self.launch.sizes)) for dim in self.launch.dims]
                most = constant(launch_assumptions.largest_sum(self.launch))
                self.analyzer.know(state, functools.reduce(operator.sub, dims, most))
        for name, argument in zip(parameters, arguments, strict=False):
            state.set(name, *argument)
        self.block(self.function.body, state, Exits())

    def join(self, one: State, other: State) -> State:
        return merge(one, other)

    def assume(self, state: State, test: Expression, holds: bool) -> State | None:
        if isinstance(test, Literal) and bool(test.value) != holds:
            return None
        return self.analyzer.under(state, test, holds)

    def transfer(self, statement: Statement, state: State) -> State:
        if not self.trials:
            self.visit(statement, state)
        match statement:
            case Threads(names=names):
                self._threads(names, state)
            case Declare(name=name, value=value, below=below):
                self._assign(state, name, value)
                if below is not None:
                    state.set(name, -math.inf, below - 1)
            case Assign(target=Name(name=name), value=Conditional(test=Binary(right=length)), cyclic=True):
                # A remainder is less than what it is divided by, and so is the place after it.
                low, high = (
                    state.intervals.get(name, UNKNOWN)[0],
                    self.analyzer.interval(length, state)[1] - 1,
                )
                state.forget({name})
                state.set(name, min(0, low), high)
            case Assign(target=Name(name=name, type=kind), operator=operator, value=value):
                self._assign(
                    state, name, Binary(kind, operator, Name(kind, name), value) if operator else value
                )
            case Unpack(names=names):
                state.forget(set(names) | changed_names([statement]))
            case _ if not blocks(statement):
                state.forget(changed_names([statement]))
            case _:
                return state
        if self.overlapping and _stores(statement):
            state.forget(self.overlapping)
        return state

    def _threads(self, names: list[str], state: State) -> None:
        state.forget(set(names))
        # A kernel with tiles may also ask for the thread within its block.
        if len(names) > len(self.launch.dims):
            state.set(names[-1], 0, (self.launch.block_dim or 1) - 1)
        for name, dim in zip(names, self.launch.dims, strict=False):
            state.set(name, 0, launch_assumptions.largest_coordinate(self.launch, self.analyzer.sizes))
            if not self.launch.inferred_dims:
                size = size_expression(dim, self.launch.sizes)
                self.analyzer.know(state, linear(size) - linear(Name(INT, name)) - constant(1))

    def _assign(self, state: State, name: str, value: Expression | None) -> None:
        if value is None:
            state.forget({name})
            return
        form = None
        if is_integer(value):
            form = self.analyzer.form(value, state)
            found = self.analyzer.interval_of_form(form, value.type, state)
        else:
            found = self.analyzer.interval(value, state)
        drift = self._drift(state, name, form, value)
        nodes = walk(value)
        stable = self.analyzer.is_stable(nodes)
        parts = self._components(name, value, state)
        state.forget({name} | changed_in((), nodes))
        state.set(name, *found)
        for key, part in parts.items():
            state.narrow(key, frozenset({name}), *part)
        if drift is not None:
            state.drift[name] = drift
        if not stable:
            return
        if form is not None and name not in form.names:
            self.analyzer.equal(state, linear(Name(INT, name)) - form)
            if isinstance(value, Binary) and value.operator == "%" and name not in names_in(value.left):
                # A remainder is no more than what is divided, if neither is negative.
                rest = self.analyzer.form(value.left, state) - linear(Name(INT, name))
                if self.analyzer.natural(value, state) and self.analyzer.natural(value.left, state):
                    self.analyzer.know(state, rest)
        elif isinstance(value, _Place):
            state.copies[name] = value
        elif value.type == BOOL and name not in (about := names_in(value)):
            state.tests[name] = value, about | {name}

    def _components(self, name: str, value: Expression, state: State) -> dict[Key, Interval]:
        """The intervals of the components of a vector of integers that is made of them."""
        match value:
            case Construct(type=Vector(scalar=scalar) as kind, arguments=arguments) if (
                scalar.is_integer and len(arguments) == kind.length
            ):
                whole = Name(kind, name)
                return {
                    key_of(Member(scalar, whole, path)): self.analyzer.interval(argument, state)
                    for path, argument in zip(component_names(kind), arguments, strict=True)
                }
            case _:
                return {}

    def _drift(self, state: State, name: str, form: Linear | None, value: Expression) -> Interval | None:
        """How far a variable has moved since the loop's head after it is given a value; None if unknown."""
        before = state.drift.get(name)
        if before is None or form is None:
            return None
        low, high = self.analyzer.interval(Name(value.type, name), state)
        if low > 0 and _is_quotient(value, name):
            return before[0] - high, before[1] - 1
        moved = form - linear(Name(INT, name))
        if name in moved.names:
            return None
        low, high = self.analyzer.interval_of_form(moved, _INT64, state)
        return before[0] + low, before[1] + high

    def loop(self, loop: For | While, state: State) -> State | None:
        counter = None
        if isinstance(loop, For):
            state = self.transfer(loop, state)
            counter = self._counter(loop, state)
        changed = changed_in_block(loop.body)
        if self.overlapping and any(map(_stores, statements(loop.body))):
            changed |= self.overlapping
        times = counter.times if counter is not None else math.inf
        # A loop around this one comes back with the same state: once it has its own guess, for one.
        key = (id(loop), self.turns, state.key)
        if key not in self.guesses:
            self.trials += 1
            self.guesses[key] = self._inductive(loop, state, changed, counter, times), state.copy()
            self.trials -= 1
        guess, _ = self.guesses[key]
        repeats, self.repeats = self.repeats, self.repeats * times
        head, _, breaks = self._iteration(loop, state, changed, counter, guess)
        self.repeats = repeats
        left = self.leave(loop, head)
        if left is not None:
            for name, found in guess.last.items():
                left.set(name, *found)
        after = self.joined([left, *breaks])
        if after is not None:
            after.drift = {
                name: moved
                for name, before in state.drift.items()
                if (
                    moved := _moved(before, guess.drift.get(name) if name in changed else (0, 0), guess.times)
                )
                is not None
            }
        return after

    def _inductive(
        self, loop: For | While, state: State, changed: set[str], counter: _Counter | None, times: Number
    ) -> _Guess:
        """What holds at the head of a loop, on every iteration."""
        first = {name: state.intervals.get(name, UNKNOWN) for name in changed}
        if all(found == UNKNOWN for found in first.values()):
            return _Guess(times)
        _, ends, breaks = self._iteration(loop, state, changed, counter, _Guess(math.inf, first))
        moves = {name: found for name in changed if (found := _all_drift(name, ends + breaks)) is not None}
        tested = self._tested(loop, state, changed)
        counts = [*_counts(first, tested, moves), *_bits_taken(loop, tested)]
        times, counting = min([(times, None), *counts], key=lambda found: found[0])
        reached = {name: _reached(before, name, ends) for name, before in first.items()}
        guess = _Guess(times, dict(reached))
        for name, before in first.items():
            moved = _moved(before, moves.get(name), times)
            if moved is not None and reached[name] != before:
                guess.intervals[name] = moved
            if guess.intervals[name] != reached[name] or name == counting:
                guess.drift[name] = moves[name]
        held: _Guess | None = None
        for _ in range(_ROUNDS):
            _, ends, breaks = self._iteration(loop, state, changed, counter, guess)
            failed = {name for name in first if not _holds(name, guess, ends, breaks)}
            if failed and held is not None:
                break
            if not failed:
                held = _Guess(guess.times, guess.intervals, dict(guess.drift))
                guess.intervals = {
                    name: _narrowed(found, _reached(first[name], name, ends))
                    for name, found in held.intervals.items()
                }
                if guess.intervals == held.intervals:
                    # What begins at zero or above may stay there, though it moves down as well.
                    natural = {
                        name: (0, found[1])
                        for name, found in held.intervals.items()
                        if found[0] < 0 <= reached[name][0] and name != counting
                    }
                    if not natural:
                        break
                    guess.intervals = held.intervals | natural
                    guess.drift = {name: one for name, one in guess.drift.items() if name not in natural}
                continue
            if counting in failed:
                # How often the loop runs is not known after all.
                guess.times, counting = math.inf, None
                failed |= set(guess.drift)
            for name in failed:
                if guess.drift.pop(name, None) is not None:
                    guess.intervals[name] = reached[name]
                else:
                    ended = [end.intervals.get(name, UNKNOWN) for end in ends]
                    guess.intervals[name] = _widened(guess.intervals[name], ended)
        held = held if held is not None else _Guess(math.inf)
        known = [held.intervals.get(name, UNKNOWN)[0] < 0 <= found[0] for name, found in first.items()]
        if guess.times <= self.turns and any(known):
            exact = counter is not None and counter.exact and guess.times == counter.times
            counted = {counting: moves[counting]} if counting is not None else {}
            steps = self._steps(loop, state, changed, counter, first, int(guess.times), counted)
            for name in first if steps else ():
                found = functools.reduce(hull, (one[name] for one in steps))
                held.intervals[name] = common(held.intervals.get(name, UNKNOWN), found)
            held.last = steps[-1] if steps and exact else {}
        return held

    def _steps(
        self,
        loop: For | While,
        before: State,
        changed: set[str],
        counter: _Counter | None,
        first: dict[str, Interval],
        times: int,
        counted: Mapping[str, Interval],
    ) -> list[dict[str, Interval]]:
        """The intervals at a loop's head before each iteration and after the last; empty if one moves what is
        `counted` by more than that.
        """
        # Loops within are taken apart, too, as long as the work does not grow with every loop around another.
        turns, self.turns = self.turns, self.turns // max(times, 1)
        steps = [first]
        while len(steps) <= times:
            _, ends, breaks = self._iteration(loop, before, changed, counter, _Guess(math.inf, steps[-1]))
            if not all(_holds(name, _Guess(math.inf, drift={**counted}), ends, breaks) for name in counted):
                steps = []
                break
            if not ends:
                break
            steps.append(
                {
                    name: functools.reduce(hull, (end.intervals.get(name, UNKNOWN) for end in ends))
                    for name in first
                }
            )
        self.turns = turns
        return steps

    def _iteration(
        self,
        loop: For | While,
        before: State,
        changed: set[str],
        counter: _Counter | None,
        guess: _Guess,
    ) -> tuple[State, list[State], list[State]]:
        """The states at the head of the loop, at the ends of its body, and where it is left, if the guess
        holds.
        """
        head = before.copy()
        head.forget(changed)
        for name, found in guess.intervals.items():
            head.set(name, *found)
        if isinstance(loop, While):
            self.transfer(loop, head)
        inside = head.copy()
        for name, moves in guess.drift.items():
            moved = _moved(before.intervals.get(name, UNKNOWN), moves, guess.times - 1)
            if moved is not None:
                inside.set(name, *moved)
        inside.drift = dict.fromkeys(changed, (0, 0))
        begin: State | None = inside
        if isinstance(loop, While):
            begin = self.assume(inside, loop.test, True)
        else:
            inside.forget({loop.name})
            if counter is not None:
                inside.set(loop.name, *counter.interval)
                for fact in counter.facts:
                    if fact.names.isdisjoint(changed):
                        self.analyzer.know(inside, fact)
        exits: Exits[State] = Exits()
        end = self.block(loop.body, begin, exits)
        if isinstance(loop, For):
            for state in exits.breaks:
                state.forget({loop.name})
        return head, [*exits.continues, *([end] if end is not None else [])], exits.breaks

    def _tested(self, loop: For | While, before: State, changed: set[str]) -> Mapping[str, Interval]:
        """What a loop's test alone says where the body begins, whatever the body did to variables."""
        if not isinstance(loop, While):
            return {}
        state = before.copy()
        state.forget(changed)
        self.analyzer.assume(state, loop.test, True)
        return state.intervals

    def _counter(self, loop: For, state: State) -> _Counter | None:
        """What is known of a loop's variable; None where it may rise or fall."""
        step = loop.step or int(self.rises(loop, state))
        if not step:
            return None
        start, stop = self.analyzer.form(loop.start, state), self.analyzer.form(loop.stop, state)
        first, last = self.analyzer.interval(loop.start, state), self.analyzer.interval(loop.stop, state)
        variable = linear(Name(loop.type, loop.name))
        if step > 0:
            interval, facts = (first[0], last[1] - 1), (variable - start, stop - variable - constant(1))
        else:
            interval, facts = (last[0] + 1, first[1]), (start - variable, variable - stop - constant(1))
        interval = _steps_within(first, interval, step)
        distance = self.analyzer.interval_of_form((stop - start).times(1 if step > 0 else -1), _INT64, state)
        exact = first[0] == first[1] and last[0] == last[1] and distance[0] > 0
        return _Counter(interval, facts, max(1, -(-distance[1] // abs(step))), exact)

    def rises(self, loop: For, state: State) -> bool:
        """Whether a loop's stride is proved to be positive."""
        return loop.stride is not None and self.analyzer.below(Literal(INT, 0), loop.stride, state)


class Simplifier(IntegerFlow, abc.ABC):
    """Puts simpler expressions in place of others, each with what is known where it is evaluated."""

    @abc.abstractmethod
    def simplified(self, expression: Expression, state: State) -> Expression:
        """What is put in place of an expression whose parts are simplified."""

    def visit(self, statement: Statement, state: State) -> None:
        rewrite_own(statement, lambda expression: self._simpler(expression, state))

    def _simpler(self, expression: Expression, state: State) -> Expression:
        """The expression with what is proved of its parts, which are evaluated under their conditions."""
        if expression.__class__ in LEAVES:
            return expression
        match expression:
            case Conditional(test=test, eager=eager):
                then, other = (
                    state if eager else self.analyzer.under(state, test, holds) for holds in (True, False)
                )
                expression.test = self._simpler(test, state)
                expression.then = self._simpler(expression.then, then)
                expression.otherwise = self._simpler(expression.otherwise, other)
                return expression.then if expression.test == TRUE else expression
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                after = self.analyzer.under(state, left, operator == "&&")
                expression.left = self._simpler(left, state)
                expression.right = self._simpler(right, after)
                if operator == "&&" and expression.left == TRUE:
                    return expression.right
                return expression.left if operator == "&&" and expression.right == TRUE else expression
            case _:
                replace_children(expression, lambda part: self._simpler(part, state))
                return self.simplified(expression, state)


def _steps_within(first: Interval, interval: Interval, step: int) -> Interval:
    """The numbers of an interval that whole steps from its one first number reach."""
    low, high = interval
    if first[0] != first[1] or not all(map(math.isfinite, interval)) or high < low:
        return interval
    rest = (high - low) % abs(step)
    return (low, high - rest) if step > 0 else (low + rest, high)


def _stores(statement: Statement) -> bool:
    """Whether a statement itself may write to memory."""
    if isinstance(statement, Native) or (
        isinstance(statement, Assign) and root_name(statement.target) is None
    ):
        return True
    nodes = [node for root in expressions(statement) for node in walk(root)]
    return any(isinstance(node, Call) and bool(node.effect or node.user) for node in nodes)


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
    before: Mapping[str, Interval], inside: Mapping[str, Interval], moves: Mapping[str, Interval]
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


def _bits_taken(loop: For | While, inside: Mapping[str, Interval]) -> list[tuple[Number, None]]:
    """How often a body can run at most that takes bits from a positive number each time, once and first of
    all that it does to the number.
    """
    found: list[tuple[Number, None]] = []
    if any(isinstance(one, Jump) and one.keyword == "continue" for one in statements(loop.body)):
        return found
    for one in loop.body:
        match one:
            case Assign(target=Name(name=name, type=Scalar() as kind), value=value):
                only = sum(name in changed_names([other]) for other in statements(loop.body)) == 1
                before = Name(kind, name)
                fewer = one.operator == "" and (
                    value == Binary(kind, "&", before, Binary(kind, "-", before, Literal(kind, 1)))
                    or _is_quotient(value, name)
                )
                if only and fewer and inside.get(name, UNKNOWN)[0] > 0:
                    found.append((8 * kind.bytes, None))
    return found


def _reached(before: Interval, name: str, ends: list[State]) -> Interval:
    """The interval of a variable before an iteration and after it."""
    return functools.reduce(hull, (end.intervals.get(name, UNKNOWN) for end in ends), before)


def _all_drift(name: str, ends: list[State]) -> Interval | None:
    """How far an iteration may move a variable, whichever way it ends."""
    found = [end.drift.get(name) for end in ends]
    known = [moves for moves in found if moves is not None]
    if len(known) < len(found):
        return None
    return min((low for low, _ in known), default=0), max((high for _, high in known), default=0)


def _moved(before: Interval, moves: Interval | None, times: Number) -> Interval | None:
    """Where a variable may be that moves so far in each of at most so many iterations."""
    if moves is None or times == math.inf:
        return before if moves == (0, 0) else None
    return before[0] + min(0, moves[0]) * times, before[1] + max(0, moves[1]) * times


def _holds(name: str, guess: _Guess, ends: list[State], breaks: list[State]) -> bool:
    """Whether what is guessed of a variable at a loop's head is so after an iteration."""
    if (moves := guess.drift.get(name)) is not None:
        found = _all_drift(name, ends + breaks)
        return found is not None and moves[0] <= found[0] and found[1] <= moves[1]
    low, high = guess.intervals[name]
    after = [end.intervals.get(name, UNKNOWN) for end in ends]
    return all(low <= least and most <= high for least, most in after)


def _widened(guess: Interval, ends: list[Interval]) -> Interval:
    """An interval for another try, after `guess` failed."""
    low, high = guess
    least, most = min(end[0] for end in ends), max(end[1] for end in ends)
    if least < low:
        low = 0 if low > 0 and least >= 0 else -math.inf
    return low, high if most <= high else math.inf


def _narrowed(guess: Interval, reached: Interval) -> Interval:
    """An interval with ends where widening left none."""
    low, high = guess
    return reached[0] if low == -math.inf else low, reached[1] if high == math.inf else high
