"""What numbers lie between, given what the launch description says of a kernel's inputs.

A cast by way of a narrower type is no mistake where that holds every number that comes: a clamped bin, a
color between 0 and 255. Only what holds for every described launch counts, whatever its base size, and
nothing is taken from the cases that happen to be run.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Sequence

from weft.cuda.analysis.intervals import (
    UNKNOWN,
    Interval,
    fitted,
    hull,
    limits,
    negated,
    of_binary,
    within,
)
from weft.cuda.contents import root_name
from weft.cuda.device_functions import device_function
from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Construct,
    Declare,
    Expression,
    For,
    Function,
    Literal,
    Member,
    Name,
    Pointee,
    Return,
    Unary,
)
from weft.launch import Launch, Recipe
from weft.mutation.launch_assumptions import known_size
from weft.types import Array, Scalar, Vector

_DEEPEST = 60
"""So many definitions are followed from one to the next."""


class Ranges:
    """Ranges of the expressions of a program: its functions, the kernel last, and its launch description."""

    def __init__(self, functions: Sequence[Function], launch: Launch) -> None:
        self.launch = launch
        self.functions = {function.key: function for function in functions}
        self.kernel = functions[-1]
        self.definitions = {function.key: _definitions(function) for function in functions}
        self.calls = [
            (function, node)
            for function in functions
            for node in all_expressions(function.body)
            if isinstance(node, Call) and node.user is not None
        ]

    def fits(self, operand: Expression, narrow: Scalar, function: Function) -> bool:
        """Whether a whole type holds every value of an operand in a function, without what is behind its
        point.
        """
        low, high = self._of(operand, function, 0)
        least, most = limits(narrow)
        return -math.inf < low and high < math.inf and least <= math.trunc(low) and math.trunc(high) <= most

    def _of(self, node: Expression, function: Function, depth: int) -> Interval:
        """All that a number can be, or a component of a vector. A float that is bounded on neither side may
        be NaN; no other is.
        """
        kind = node.type.scalar if isinstance(node.type, Vector) else node.type
        if not isinstance(kind, Scalar) or depth > _DEEPEST:
            return UNKNOWN
        low, high = self._known(node, kind, function, depth + 1)
        least, most = limits(kind)
        return (low, high) if least <= low and high <= most else (least, most)

    def _known(self, node: Expression, kind: Scalar, function: Function, depth: int) -> Interval:
        def of(part: Expression) -> Interval:
            return self._of(part, function, depth)

        match node:
            case Literal(value=int() | float() as value):
                return value, value
            case Name(name=name):
                return self._name(name, function, depth)
            case Unary(operator="-", operand=operand):
                return negated(of(operand))
            case Binary(operator=operator, left=left, right=right):
                return _combined(operator, of(left), of(right), kind)
            case Conditional(then=then, otherwise=otherwise):
                return _either(of(then), of(otherwise))
            case Cast(operand=operand):
                return _converted(of(operand), kind)
            case Construct(arguments=arguments):
                return _either(*map(of, arguments))
            case Member(value=value, path=path) if isinstance(value.type, Vector):
                return of(value) if path[1:] in ("x", "y", "z", "w") else UNKNOWN
            case Member() | Pointee():
                return self._described(node, function)
            case Call(user=None, arguments=arguments):
                return _called(node, [of(one) for one in arguments])
            case Call(user=str(key)):
                return self._returned(self.functions[key], depth)
            case _:
                return UNKNOWN

    def _name(self, name: str, function: Function, depth: int) -> Interval:
        """What a local constant, a counter or a parameter holds."""
        if (definition := self.definitions[function.key].get(name)) is not None:
            if isinstance(definition, For):
                first, end = (
                    self._of(definition.start, function, depth),
                    self._of(definition.stop, function, depth),
                )
                return first[0], max(first[0], end[1] - 1)
            return self._of(definition, function, depth)
        parameters = [one for one, _ in function.parameters]
        if name not in parameters or name in _assigned(function):
            return UNKNOWN
        if function is self.kernel:
            return self._drawn(self._recipe(name))
        place = parameters.index(name)
        given = [
            self._of(call.arguments[place], caller, depth)
            for caller, call in self.calls
            if call.user == function.key
        ]
        return _either(*given) if given else UNKNOWN

    def _returned(self, function: Function, depth: int) -> Interval:
        values = [one.values for one in statements(function.body) if isinstance(one, Return)]
        if not values or any(len(one) != 1 for one in values):
            return UNKNOWN
        return _either(*(self._of(one[0], function, depth) for one in values))

    def _described(self, node: Expression, function: Function) -> Interval:
        """An element of an array that the kernel only reads, or a member of one."""
        path: list[str] = []
        while isinstance(node, Member):
            path = [*node.path.strip(".").split("."), *path]
            node = node.value
        if isinstance(node, Name):
            node = self.definitions[function.key].get(node.name, node)  # type: ignore[assignment]
        match node:
            case Pointee(base=Name(name=name, type=Array()), address=False) if function is self.kernel:
                recipe = self._recipe(name)
            case Name(name=name) if function is self.kernel:
                recipe = self._recipe(name)
            case _:
                return UNKNOWN
        for member in path:
            if recipe is not None and recipe.kind == "members":
                recipe = recipe.arguments.get(member)
        return self._drawn(recipe)

    def _recipe(self, name: str) -> Recipe | None:
        """How a parameter is drawn that the kernel only reads and the user has described."""
        parameter = self.launch.parameters.get(name)
        if parameter is None or parameter.role != "in" or parameter.null or name in self.launch.inferred:
            return None
        return parameter.values

    def _drawn(self, recipe: Recipe | None) -> Interval:
        match recipe:
            case Recipe(kind="uniform", arguments=(low, high)):
                return low, high
            case Recipe(kind="integers", arguments=bounds):
                first, end = (known_size(one, self.launch) for one in bounds)
                return (-math.inf if first is None else first), (math.inf if end is None else end - 1)
            case Recipe(kind="constant", arguments=value):
                return value, value
            case Recipe(kind="size", arguments=size):
                value = known_size(size, self.launch)
                return UNKNOWN if value is None else (value, value)
            case _:
                return UNKNOWN


def _definitions(function: Function) -> dict[str, Expression | For]:
    """What the local constants of a function are, and the loops that count: names that have one meaning."""
    found: dict[str, Expression | For] = {}
    declared: Counter[str] = Counter()
    for one in statements(function.body):
        if isinstance(one, Declare | For):
            declared[one.name] += 1
        if isinstance(one, Declare) and one.constant and one.value is not None:
            found[one.name] = one.value
        if isinstance(one, For) and one.stride is None and one.step > 0:
            found[one.name] = one
    changed = _assigned(function)
    return {name: one for name, one in found.items() if declared[name] == 1 and name not in changed}


def _assigned(function: Function) -> set[str]:
    """The names that a function assigns, or hands out by their addresses."""
    targets = [one.target for one in statements(function.body) if isinstance(one, Assign)]
    places = [one.place for one in all_expressions(function.body) if isinstance(one, AddressOf)]
    return {root_name(one) or "" for one in (*targets, *places)}


def _are_bounded(*ranges: Interval) -> bool:
    return all(math.isfinite(end) for range in ranges for end in range)


def _either(*ranges: Interval) -> Interval:
    return functools.reduce(hull, ranges)


def _combined(operator: str, left: Interval, right: Interval, kind: Scalar) -> Interval:
    """The range of an operation, which knows nothing of what may be NaN."""
    if not _are_bounded(left, right):
        return UNKNOWN
    if operator == "/" and kind.is_float:
        if right[0] <= 0 <= right[1]:
            return UNKNOWN
        operator, right = "*", fitted((1 / right[1], 1 / right[0]), kind)
    return of_binary(operator, left, right, kind)


def _converted(operand: Interval, kind: Scalar) -> Interval:
    """A number of another type. What that cannot hold becomes anything."""
    if kind.is_float:
        return fitted(operand, kind)
    low, high = (math.trunc(end) if math.isfinite(end) else end for end in operand)
    return (low, high) if within((low, high), kind) else limits(kind)


def _called(call: Call, arguments: Sequence[Interval]) -> Interval:
    """What a function of CUDA gives. A minimum or a maximum passes over NaN."""
    known = device_function(call.function)
    chooses = known.chooses and len(arguments) > 1
    if known.range is None or not (chooses or _are_bounded(*arguments)):
        return UNKNOWN
    return known.range(call, arguments)
