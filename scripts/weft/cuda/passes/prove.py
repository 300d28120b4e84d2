"""Pass: prove what integers cannot be, and leave out what then changes nothing.

Before: every index of an array may be negative, and then counts from the end, as in Warp. After: each Element
knows which of its indices may be (`wraps`); indices into vectors and matrices that may be are wrapped; `//`
of numbers that cannot be negative is a plain division, and `% 2` of them `& 1`; 0 - x of a positive x is a
plain -x, and a loop whose stride is positive counts up; a test that a tile lies within its array is gone
where it always does.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.analysis.analyzer import Analyzer, Results
from weft.cuda.analysis.integers import TRUE, IntegerFlow, Simplifier
from weft.cuda.analysis.intervals import UNKNOWN, Interval, Number, hull, of_binary
from weft.cuda.analysis.linear import constant, key_of
from weft.cuda.analysis.state import State
from weft.cuda.device_functions import BY_FUNCTION
from weft.cuda.helpers.text import scalar_of
from weft.cuda.launch_assumptions import Limits
from weft.cuda.passes.points_to import asked_extents
from weft.cuda.traverse import (
    all_expressions,
    blocks,
    copy_function,
    expressions,
    statements,
    walk,
)
from weft.cuda.tree import (
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Component,
    Declare,
    Element,
    Evaluate,
    Expression,
    Extent,
    For,
    Function,
    If,
    Literal,
    Name,
    Return,
    Slice,
    Statement,
    Unary,
)
from weft.intrinsics import Effect
from weft.launch import Launch
from weft.types import Array, Matrix, Scalar, Struct, Tile, Transform, Type, Vector

# Operators by which natural numbers stay natural.
_NATURAL = frozenset({"", "+", "/", "%", "&", "|", "^", ">>"})

_WORDS = frozenset({INT, Scalar("uint32")})
_LARGEST = 2**31 - 1
_INT64 = Scalar("int64")


@dataclasses.dataclass(frozen=True)
class Proved:
    """Functions after the pass. `left` counts the operations that a proof would simplify: indices that may be
    negative, divisions that round down. `inexact` counts those without which a launch could go wrong: these,
    tests that a tile lies within its array, loops whose direction is unknown. `open` counts all that the pass
    looks for.

    `preconditions` are the kernel's parameters whose described values the proofs rely on; they hold for sizes
    within `limits`. `contents` are the arrays that the kernel writes and that hold no negative number
    afterwards, with the greatest that they may hold. `overflowing` is what could be too large for an int
    beyond the limits, by the function that computes it.
    """

    functions: list[Function]
    left: int
    inexact: int
    open: int
    limits: Limits
    preconditions: frozenset[str]
    contents: Mapping[str, Number]
    overflowing: tuple[tuple[str, Expression], ...] = ()


def prove(
    functions: Sequence[Function], launch: Launch, written: set[str], constants: Mapping[str, Expression]
) -> Proved:
    """Run the pass on copies of the functions, the kernel last. Where too little is proved for all sizes, as
    much as sizes that leave room for sums allow.
    """
    known = named_integers(constants)

    def attempt(limits: Limits, ignored: frozenset[str]) -> Proved:
        return _attempt(functions, launch, written, known, limits, ignored)

    largest, *smaller = launch_assumptions.size_limits(launch, asked_extents(functions))
    described = _described(functions[-1], launch)
    without = attempt(largest, described)
    if not without.open:
        if written.isdisjoint(described):
            return without
        return dataclasses.replace(without, contents=attempt(largest, frozenset()).contents)
    found = unlimited = attempt(largest, frozenset()) if described else without
    if found.left and smaller:
        # What the smallest does not prove, no other does.
        *others, smallest = smaller
        best = attempt(smallest, frozenset())
        if best.left < found.left:
            # What some limits prove, smaller ones do, too.
            while others:
                middle = len(others) // 2
                tried = attempt(others[middle], frozenset())
                if tried.left == best.left:
                    best, others = tried, others[:middle]
                else:
                    others = others[middle + 1 :]
            found = best
            for name in sorted(found.limits.refused):
                allowing = attempt(found.limits.allowing(name, largest), frozenset())
                found = allowing if allowing.left == found.left else found
            found = dataclasses.replace(found, overflowing=_overflowing(unlimited, found))
    if found.left and (sizes := launch_assumptions.least_sizes(launch)):
        found = _with_lengths(found, sizes, attempt)
    if described and found.limits != largest:
        without = attempt(found.limits, described)
    if found.inexact == without.inexact:
        return dataclasses.replace(found, preconditions=frozenset())
    # A parameter that no proof needs is no precondition. Without all of them, less is proved.
    kinds = dict(functions[-1].parameters)
    ignored: frozenset[str] = frozenset()
    for name in sorted(found.preconditions, key=lambda name: (str(kinds[name]), name)):
        less = ignored | {name}
        if less != found.preconditions and attempt(found.limits, less).inexact == found.inexact:
            ignored = less
    return dataclasses.replace(found, preconditions=found.preconditions - ignored)


def named_integers(constants: Mapping[str, Expression]) -> dict[str, int]:
    """The integers among a file's constants."""
    return {
        name: literal.value
        for name, literal in constants.items()
        if isinstance(literal, Literal) and isinstance(literal.value, int)
    }


def _with_lengths(
    found: Proved, sizes: Mapping[str, int], attempt: Callable[[Limits, frozenset[str]], Proved]
) -> Proved:
    """What is proved where sizes are at least so large, but no larger than the proofs need."""

    def within(least: Mapping[str, int]) -> Proved:
        needed = {size: number for size, number in least.items() if number > 1}
        return attempt(dataclasses.replace(found.limits, least=needed), frozenset())

    best = within(sizes)
    if best.left == found.left:
        return found
    least = dict(sizes)
    for size, number in sizes.items():
        for least[size] in range(1, number + 1):
            if within(least).left == best.left:
                break
    return dataclasses.replace(within(least), overflowing=found.overflowing)


def _attempt(
    functions: Sequence[Function],
    launch: Launch,
    written: set[str],
    constants: Mapping[str, int],
    limits: Limits,
    ignored: frozenset[str],
) -> Proved:
    """Prove what can be, callers first: the arguments of calls bound parameters. Nothing is known of what the
    parameters in `ignored` hold.
    """
    copies = [copy_function(function) for function in functions]
    arguments: dict[str, list[Interval]] = {}
    asked: set[str] = set()
    rounds = False
    held: Mapping[str, Number] = {}
    results = results_of(functions, launch, written, limits, ignored, constants)
    for function in reversed(copies):
        analyzer = Analyzer(launch, function, written, limits, ignored, results, constants)
        held = {**held, **_prove(_Prover(analyzer, launch, function, arguments))}
        asked |= analyzer.asked
        rounds |= analyzer.rounds
        _drop_known_tests(function.body)
    if not rounds:
        # Floats that nobody makes integers of say nothing of any.
        asked = {name for name in asked if not _holds_floats(dict(functions[-1].parameters)[name])}
    return Proved(copies, *_count(copies), limits, frozenset(asked), held)


def results_of(
    functions: Sequence[Function],
    launch: Launch,
    written: set[str],
    limits: Limits,
    ignored: frozenset[str],
    constants: Mapping[str, int],
) -> Results:
    """What functions give for arguments in some intervals."""
    by_key = {function.key: function for function in functions}

    @functools.cache
    def results(key: str, given: tuple[Interval, ...]) -> Interval:
        function = by_key[key]
        if not isinstance(function.result, Scalar) or not function.result.is_integer:
            return UNKNOWN
        analyzer = Analyzer(launch, function, written, limits, ignored, results, constants)
        return _Result(analyzer, launch, function).interval(given)

    return results


def _prove(prover: _Prover) -> Mapping[str, Number]:
    """Prove first that no element of the arrays that the kernel updates is ever negative, whatever they hold;
    then what they may hold at most; then the rest with both. Gives what they hold.
    """
    candidates = prover.candidates()
    limits = candidates
    while limits:
        most = prover.limits(dict.fromkeys(limits, math.inf), candidates)
        kept = {name: limit for name, limit in most.items() if limit <= _LARGEST}
        if len(kept) == len(limits):
            limits = kept
            break
        limits = kept
    prover.rewrite(limits)
    return limits


class _Result(IntegerFlow):
    """What a function gives for arguments in some intervals."""

    def interval(self, given: Sequence[Interval]) -> Interval:
        self.found: list[Interval] = []
        self.run(given)
        return functools.reduce(hull, self.found) if self.found else UNKNOWN

    def visit(self, statement: Statement, state: State) -> None:
        if isinstance(statement, Return):
            self.found += [self.analyzer.interval(value, state) for value in statement.values]


class _Prover(Simplifier):
    """The pass on one function. `arguments` has the intervals of the arguments of calls, by function."""

    def __init__(
        self,
        analyzer: Analyzer,
        launch: Launch,
        function: Function,
        arguments: dict[str, list[Interval]],
    ) -> None:
        super().__init__(analyzer, launch, function)
        self.arguments = arguments
        self.rewrites = False
        self.most: dict[str, Number] = {}
        self.appends = _appends(function.body) if function.kernel else set()

    def candidates(self) -> dict[str, Number]:
        """Integer arrays that the kernel updates and that hold no negative number at first, with the greatest
        number that they then hold.
        """
        if not self.function.kernel:
            return {}
        found = {}
        whole = _used_whole(self.function)
        for name, kind in self.function.parameters:
            parameter = self.launch.parameters.get(name)
            if parameter is None or name in self.launch.inferred or name in self.analyzer.ignored:
                continue
            if name in self.analyzer.written and isinstance(kind, Array) and parameter.role == "inout":
                low, high = self.analyzer.drawn(parameter.values)
                if kind.element == INT and low >= 0 and name not in whole:
                    found[name] = high
        return found

    def limits(self, contents: dict[str, Number], first: Mapping[str, Number]) -> dict[str, Number]:
        """What the arrays in `contents` hold at most if they hold at most `first` before, and never more than
        `contents` says nor a negative number.
        """
        self.analyzer.contents = contents
        self.most = {name: first[name] for name in contents}
        self.run([])
        return self.most

    def rewrite(self, contents: dict[str, Number]) -> None:
        """Change the function, where arrays hold no negative number and at most what `contents` says."""
        self.analyzer.contents = contents
        self.analyzer.asked.clear()
        self.rewrites = True
        self.run(self.arguments.get(self.function.key, []))

    def visit(self, statement: Statement, state: State) -> None:
        if not self.rewrites:
            self._watch(statement, state)
            return
        super().visit(statement, state)
        if isinstance(statement, For):
            statement.step = statement.step or int(self.rises(statement, state))
            statement.closed = self._has_last(statement.stop, state)

    def _has_last(self, stop: Expression, state: State) -> bool:
        """Whether the end of a range is one above its last number, also where integers wrap around."""
        match stop:
            case Binary(operator="+", right=Literal(value=1)):
                return not self.analyzer.form(stop, state).is_atom(stop)
            case _:
                return False

    def _watch(self, statement: Statement, state: State) -> None:
        """Note what arrays may hold after this statement, whose elements are not negative before."""
        if isinstance(statement, Assign) and isinstance(statement.target, Element):
            self._note(statement.target.array, statement.operator, statement.value, state)
        for root in expressions(statement):
            for part in walk(root):
                if isinstance(part, Call) and part.effect & Effect.ATOMIC:
                    address, *values = part.arguments
                    place = address.place if isinstance(address, AddressOf) else None
                    atomic = BY_FUNCTION.get(part.function)
                    if isinstance(place, Element) and atomic is not None:
                        operator, value = atomic.bounded, values[-1]
                        if id(part) in self.appends:
                            # Each number below the counter's is an index of an array.
                            operator, value = "", Literal(INT, _LARGEST)
                        self._note(place.array, operator, value, state)

    def _note(self, array: Expression, operator: str, value: Expression, state: State) -> None:
        """Note that the kernel gives elements of an array a value, or changes them by it."""
        if not isinstance(array, Name) or array.name not in self.most:
            return
        low, high = self.analyzer.interval(value, state)
        before = self.most[array.name]
        if low < 0 or operator not in _NATURAL:
            after: Number = math.inf
        elif operator == "+":
            after = before + (self.repeats * high if high else 0)
        elif operator == "":
            after = max(before, high)
        elif operator in "|^" and before < math.inf:
            after = of_binary("|", (0, before), (low, high), _INT64)[1]
        else:
            after = before
        self.most[array.name] = after

    def simplified(self, expression: Expression, state: State) -> Expression:
        """The expression without what its parts make superfluous."""
        natural = self.analyzer.natural
        match expression:
            case Element(indices=indices, exact=exact):
                asked = indices[: len(indices) - exact]
                inside = self._with_an_element(expression, state)
                wraps = [not natural(_beginning(index), inside) for index in asked]
                expression.wraps = wraps + [False] * exact
            case Component(value=value, indices=indices) if not isinstance(value.type, Tile):
                sizes = _index_limits(value)
                expression.indices = [
                    self._wrapped(index, size, state) for index, size in zip(indices, sizes, strict=True)
                ]
            case Call(
                helper=("component" | "component_ref" | "row" | "set_row", _), arguments=[value, index, *_]
            ):
                expression.arguments[1] = self._wrapped(index, _index_limits(value)[0], state)
            case Call(helper=("floor_divide", _), arguments=[left, right]):
                if natural(left, state) and natural(right, state):
                    return Binary(expression.type, "/", left, right)
            case Call(helper=("wrap_index", _), arguments=[index, _]):
                return index if natural(index, state) else expression
            case Binary(operator="%", type=kind, left=left, right=Literal(value=2)) if kind == INT:
                if natural(left, state):
                    return Binary(INT, "&", left, Literal(INT, 1))
            case Binary(
                operator="<<" | ">>", right=Cast(type=Scalar(is_integer=True) as kind, operand=amount)
            ):
                # Bits are counted alike by numbers with a sign and without: no shift is by a negative number.
                if kind.bytes >= INT.bytes and amount.type in _WORDS:
                    expression.right = amount
            case Binary(in_range=True, left=left, right=right):
                return TRUE if self.analyzer.below(left, right, state) else expression
            case Binary(negates=True, right=right):
                if self.analyzer.positive(right, state):
                    return Unary(expression.type, "-", right)
            case Call(user=str(key)):
                found = self.analyzer.arguments(expression, state)
                known = self.arguments.setdefault(key, found)
                self.arguments[key] = [hull(a, b) for a, b in zip(known, found, strict=True)]
        return expression

    def _with_an_element(self, element: Element, state: State) -> State:
        """What is known where an element is asked for: the array has one, so `shape[k] - 1` is an index."""
        if not self.analyzer.asks_extents:
            return state
        known = state.copy()
        for axis in range(len(element.indices)):
            extent = self.analyzer.form(Extent(INT, element.array, axis), known)
            self.analyzer.know(known, extent - constant(1))
        return known

    def _wrapped(self, index: Expression, size: int, state: State) -> Expression:
        wrapped = isinstance(index, Call) and index.function == "wrap_index"
        if wrapped or self.analyzer.natural(index, state):
            return index
        return Call(INT, "wrap_index", [index, Literal(INT, size)], ("wrap_index", ()))


def _count(functions: Sequence[Function]) -> tuple[int, int, int]:
    """The numbers of Proved: `left`, `inexact`, `open`."""
    left = others = negations = 0
    for function in functions:
        for node in all_expressions(function.body):
            if isinstance(node, Element):
                left += sum(node.wraps)
            elif isinstance(node, Call):
                left += node.helper is not None and node.helper[0] in ("wrap_index", "floor_divide")
            elif isinstance(node, Binary):
                others += node.in_range
                negations += node.negates
        others += any(
            isinstance(statement, For) and statement.step == 0 for statement in statements(function.body)
        )
    return left, left + others, left + others + negations


def _overflowing(unlimited: Proved, limited: Proved) -> tuple[tuple[str, Expression], ...]:
    """The integers of which more is proved with limits than without."""
    found = []
    for function, other in zip(unlimited.functions, limited.functions, strict=True):
        left = {key_of(one) for one in _unproved(other)}
        parts = _innermost(one for one in _unproved(function) if key_of(one) not in left)
        found += [(function.key, one) for one in _innermost(_definition(one, function) for one in parts)]
    return tuple(found)


def _innermost(values: Iterable[Expression]) -> list[Expression]:
    """Those of some expressions that none of the others is a part of, each once."""
    found = {key_of(one): one for one in values}
    parts = {key: {key_of(part) for part in walk(one)} for key, one in found.items()}
    return [one for key, one in found.items() if found.keys() & parts[key] == {key}]


def _unproved(function: Function) -> list[Expression]:
    """The integers of a function that may be negative, for all that is known, where they must not be."""
    found: list[Expression] = []
    for node in all_expressions(function.body):
        match node:
            case Element(indices=indices, wraps=wraps):
                found += [_beginning(index) for index, one in zip(indices, wraps, strict=False) if one]
            case Call(helper=("wrap_index" | "floor_divide", _), arguments=[value, *_]):
                found.append(value)
    return [_undivided(one) for one in found]


def _undivided(value: Expression) -> Expression:
    """An integer without what makes it smaller."""
    match value:
        case Binary(operator="/" | "%" | "&" | ">>", left=left):
            return _undivided(left)
        case Call(helper=("wrap_index" | "floor_divide", _), arguments=[left, *_]):
            return _undivided(left)
        case _:
            return value


def _definition(value: Expression, function: Function) -> Expression:
    """The arithmetic that a variable stands for, or the value itself."""
    if isinstance(value, Name):
        declared = [one for one in statements(function.body) if isinstance(one, Declare)]
        match [one for one in declared if one.name == value.name]:
            case [Declare(constant=True, value=Expression() as given)]:
                given = _undivided(given)
                return given if isinstance(given, Binary) and given.operator in "+-*" else value
    return value


def _described(kernel: Function, launch: Launch) -> frozenset[str]:
    """The kernel's parameters of which somebody said what they hold; sizes follow from the launch."""
    kinds = dict(kernel.parameters)
    return frozenset(
        name
        for name, parameter in launch.parameters.items()
        if isinstance(kinds.get(name), Array | Scalar | Vector)
        and parameter.values is not None
        and parameter.values.kind != "size"
        and name not in launch.inferred
    )


def _holds_floats(kind: Type) -> bool:
    element = kind.element if isinstance(kind, Array) else kind
    return not isinstance(element, Struct) and scalar_of(element).is_float


def _beginning(index: Expression) -> Expression:
    """What an index begins with: of a slice, its start."""
    if isinstance(index, Slice):
        return index.start[0] if index.start else Literal(INT, 0)
    return index


def _used_whole(function: Function) -> set[str]:
    """Arrays that are used otherwise than by indexing all their dimensions."""
    nodes = all_expressions(function.body)
    whole = {id(e.array) for e in nodes if isinstance(e, Element) and not isinstance(e.type, Array)}
    return {e.name for e in nodes if isinstance(e, Name) and isinstance(e.type, Array) and id(e) not in whole}


def _index_limits(value: Expression) -> list[int]:
    """The sizes that indices of a vector or matrix may not reach."""
    match value.type:
        case Matrix(rows, columns, _):
            return [rows, columns]
        case Vector(length, _):
            return [length]
        case Transform():
            return [7]
        case _:
            return [4]


def _appends(block: Sequence[Statement]) -> set[int]:
    """The atomics that count up by one and give what is then an index: `slot = atomicAdd(&count, 1)` and, in
    the same block, `list[slot] = value`. An index is below an extent, and so no counter passes all ints.
    """
    found: set[int] = set()
    slots: dict[str, int] = {}
    for statement in block:
        match statement:
            case Declare(
                name=name, constant=True, value=Call(function="atomicAdd", arguments=[_, step]) as call
            ):
                if call.type == INT and isinstance(step, Literal) and step.value == 1:
                    slots[name] = id(call)
            case Assign(target=Element(indices=indices)):
                found |= {slots[one.name] for one in indices if isinstance(one, Name) and one.name in slots}
            case Declare() | Evaluate():
                pass
            case _:
                # Not all that follow are reached by the threads that counted.
                slots = {}
        for inner in blocks(statement):
            found |= _appends(inner)
    return found


def _drop_known_tests(block: list[Statement]) -> None:
    """Replace each If whose test is known to hold by its body."""
    position = 0
    while position < len(block):
        statement = block[position]
        for inner in blocks(statement):
            _drop_known_tests(inner)
        if isinstance(statement, If) and statement.test == TRUE and not statement.otherwise:
            block[position : position + 1] = statement.body
            position += len(statement.body)
        else:
            position += 1
