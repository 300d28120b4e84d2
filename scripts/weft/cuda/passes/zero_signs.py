"""Pass: `0 - x` is a plain `-x` where nobody can tell 0 from -0.

Before: Python's -x is 0 - x, as in Warp, which makes 0 of 0 where -x makes -0. After: it is -x where the sign
of a zero reaches neither memory nor a divisor nor a function that tells zeros apart, and where x is never
zero. Signs are followed through variables and the parameters of functions. A zero that is added to a number
changes nothing if that is not -0, as no element is that was drawn, and no sum that begins with another
number. Nor does that of a result whose sign changes nothing in all calls.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.analysis.linear import key_of
from weft.cuda.contents import Contents, contents, root_name
from weft.cuda.device_functions import device_function
from weft.cuda.helpers.text import scalar_of
from weft.cuda.traverse import LEAVES, children, slots, statements, walk
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Construct,
    Declare,
    Element,
    Expression,
    Extent,
    Function,
    If,
    Literal,
    Member,
    Name,
    Return,
    Statement,
    Unary,
    Unpack,
    While,
)
from weft.launch import Launch
from weft.operator_symbols import OPPOSITE
from weft.types import Array, Matrix, Scalar, Vector

_FLOATS = (Scalar("float32"), Scalar("float64"))
"""The floats among which no drawn number is so small that it becomes -0."""


_ADDITIONS = ("atomicAdd", "add_atomically")


def drop_zero_signs(functions: Sequence[Function], launch: Launch) -> None:
    """Run the pass on the functions of a program, callees before callers."""
    everything = [contents(function) for function in functions]
    if not any(isinstance(node, Binary) and node.negates for found in everything for node in found.nodes):
        return
    free: dict[str, list[bool]] = {}
    for found in everything:
        signs = _Signs(found, free, _arrays(found, launch))
        free[found.function.key] = [name in signs.free for name, _ in found.function.parameters]
    results: dict[str, bool] = {}
    for found in reversed(everything):
        signs = _Signs(found, free, _arrays(found, launch), results.get(found.function.key, False))
        for key, drops in signs.results():
            results[key] = results.get(key, True) and drops
        for statement in found.statements:
            for value, put in slots(statement):
                put(signs.rewritten(value, signs.may_drop(statement, value)))


def _arrays(kernel: Contents, launch: Launch) -> set[str]:
    """The arrays of a kernel that hold no -0 before, whose elements it only loads, stores and adds to: if it
    stores none either, they never do.
    """
    if not kernel.function.kernel or not launch_assumptions.lie_apart(launch):
        return set()
    found = {
        name
        for name, kind in kernel.function.parameters
        if isinstance(kind, Array) and _is_float(kind.element) and scalar_of(kind.element) in _FLOATS
        if launch_assumptions.begins_with_numbers(launch, name)
    }
    # Mentions that are neither elements nor additions to one, nor extents.
    others = Counter(node.name for node in kernel.nodes if isinstance(node, Name))
    for node in kernel.nodes:
        match node:
            case Call(function=called, arguments=[AddressOf(place=Element(array=Name(name=name))), _]) if (
                called in _ADDITIONS
            ):
                others[name] -= 1
            case AddressOf(place=place):
                others.update(one.name for one in walk(place) if isinstance(one, Name))
            case Element(type=kind, array=Name(name=name)) if not isinstance(kind, Array):
                others[name] -= 1
            case Extent(array=Name(name=name)):
                others[name] -= 1
            case _:
                pass
    return {name for name in found if not others[name]}


class _Signs:
    """What is known of the zeros of one function: the `free` variables, whose sign as a zero changes nothing
    that the function gives, those that are `never_below` zero as a zero, that is, never -0, and those that
    are `never_zero`. `parameters` says of each function called whether the sign of its arguments changes
    nothing. The elements of the `arrays` are never -0, unless the function stores one. The sign of its
    result as a zero changes nothing if `result`. Of a vector, all of
    this is said of each component.
    """

    def __init__(
        self,
        found: Contents,
        parameters: Mapping[str, Sequence[bool]],
        arrays: Collection[str],
        result: bool = False,
    ) -> None:
        function = found.function
        self.statements = statements(function.body)
        self.parameters = parameters
        self.result = result
        self.arrays = {*arrays}
        others = {name for name, kind in function.parameters if function.kernel or not _is_float(kind)}
        for one in self.statements:
            others |= set(one.names) if isinstance(one, Unpack) else set()
        given: dict[str, list[Expression]] = {name: [] for name, _ in function.parameters}
        for one in self.statements:
            match one:
                case Declare(name=name, type=kind, value=value) if _is_float(kind):
                    given.setdefault(name, []).extend([] if value is None else [value])
                case Assign(target=Name(name=name, type=kind)) if _is_float(kind):
                    given.setdefault(name, []).append(_assigned(one))
                case Assign(target=target) if (root := root_name(target)) is not None:
                    others.add(root)
        for one in self.statements:
            for value, _ in slots(one):
                parts = walk(value)
                others |= {root for p in parts if (root := _changed(p)) is not None}
        self.free = given.keys() - others
        local = self.free.difference(name for name, _ in function.parameters)
        self.never_zero = {name for name in local if given[name]}
        while zero := {name for name in self.never_zero if not all(map(self.is_never_zero, given[name]))}:
            self.never_zero -= zero
        self.never_below = local
        while True:
            below = {name for name in self.never_below if not all(map(self.is_never_below, given[name]))}
            below |= {name for name in self._stored() if name in self.arrays}
            if not below:
                break
            self.never_below, self.arrays = self.never_below - below, self.arrays - below
        while told := self.free.intersection(self._told()):
            self.free = self.free - told

    def _stored(self) -> Iterator[str]:
        """The arrays to which something is stored that may be -0."""
        for one in self.statements:
            match one:
                case Assign(target=Element(array=Name(name=name)), operator="+" | "-"):
                    pass
                case Assign(target=Element(array=Name(name=name)), operator="", value=value):
                    if not self.is_never_below(value):
                        yield name
                case Assign(target=target):
                    yield from (node.name for node in walk(target) if isinstance(node, Name))

    def may_drop(self, statement: Statement, value: Expression) -> bool:
        """Whether the sign of a zero that an expression of a statement gives changes nothing."""
        match statement:
            case If() | While():
                return True
            case Return(values=[_]):
                return self.result
            case Declare(name=name):
                return name in self.free
            case Assign(target=target, operator=operator) if value is statement.value:
                drops = isinstance(target, Name) and target.name in self.free
                return self._drops(_assigned(statement), drops)[1] if operator else drops
            case _:
                return False

    def results(self) -> Iterator[tuple[str, bool]]:
        """The functions that are called, and whether the sign of their results changes nothing."""
        for statement in self.statements:
            for value, _ in slots(statement):
                yield from self._results_in(value, self.may_drop(statement, value))

    def _results_in(self, value: Expression, drops: bool) -> Iterator[tuple[str, bool]]:
        if isinstance(value, Call) and value.user:
            yield value.user, drops
        for part, free in zip(children(value), self._drops(value, drops), strict=True):
            yield from self._results_in(part, free)

    def _told(self) -> Iterator[str]:
        """The variables whose zeros something tells apart."""
        for statement in self.statements:
            for value, _ in slots(statement):
                if isinstance(statement, Assign):
                    if value is not statement.value:
                        if not isinstance(value, Name):
                            yield from self._told_in(value, False)
                        continue
                    drops = isinstance(statement.target, Name) and statement.target.name in self.free
                    yield from self._told_in(_assigned(statement), drops)
                else:
                    yield from self._told_in(value, self.may_drop(statement, value))

    def _told_in(self, value: Expression, drops: bool) -> Iterator[str]:
        if isinstance(value, Name):
            if not drops:
                yield value.name
            return
        for part, free in zip(children(value), self._drops(value, drops), strict=True):
            yield from self._told_in(part, free)

    def _drops(self, value: Expression, drops: bool) -> list[bool]:
        """For each part of an expression, whether the sign of its zeros changes nothing; `drops` if the
        expression's own sign does not; of a matrix, the sign of all its zeros, where it has nothing else.
        """
        parts = children(value)
        match value:
            case Binary(operator=operator) if operator in OPPOSITE:
                return [True, True]
            case Binary(operator="&&" | "||") | Unary(operator="!"):
                return [True for _ in parts]
            case Binary(type=Scalar() | Vector(), operator="+", left=left, right=right):
                return [drops or self.is_never_below(right), drops or self.is_never_below(left)]
            case Binary(type=Scalar() | Vector(), operator="-", left=left, right=right):
                # x - y is x + -y: what counts for x is that y is never +0.
                return [drops or _is_nonzero(right), drops or self.is_never_below(left)]
            case (
                Binary(type=Scalar(), operator="*", left=left, right=right)
                | Call(function="dot", arguments=[left, right], user=None)
            ):
                return [drops or _is_square(left, right)] * 2
            case (
                Binary(type=Vector(), operator="*")
                | Construct(type=Vector())
                | Call(function="cross", user=None)
            ):
                return [drops for _ in parts]
            case Binary(type=Matrix(), operator="*", left=left, right=right):
                # Of a matrix of zeros alone, the product is a sum of zeros that begins with +0.
                of_matrices = isinstance(left.type, Matrix) and isinstance(right.type, Matrix)
                return [of_matrices or (drops and isinstance(one.type, Scalar)) for one in (left, right)]
            case Binary(type=Scalar() | Vector(), operator="/"):
                return [drops, False]
            case Unary(operator="-", type=Scalar() | Vector()) | Member(value=Expression(type=Vector())):
                return [drops]
            case Call(function="length" | "length_squared", user=None):
                return [True for _ in parts]
            case Call(function="normalize", type=Vector(), user=None):
                return [drops]
            case Conditional():
                return [True, drops, drops]
            case Cast(type=Scalar() as target):
                return [drops or not target.is_float]
            case Call(function=called, arguments=[AddressOf(place=place), _]) if called in _ADDITIONS:
                return [False, self.is_never_below(place)]
            case Call(function="fmax" | "fmaxf", arguments=[Literal(value=least), _]) if _is_natural(least):
                # Of two zeros, it is the first on the CPU, and 0 on a GPU.
                return [False, True]
            case Call(user=str(key)):
                return [*self.parameters.get(key, [False for _ in parts])]
            case Call(function=function) if (known := device_function(function)).even or known.chooses:
                return [*[drops and known.chooses for _ in parts[1:]], known.even or drops]
            case _:
                return [False for _ in parts]

    def is_never_below(self, value: Expression) -> bool:
        """Whether a number is never -0, even after the pass."""
        match value:
            case Literal(value=number):
                return _is_nonzero(value) or str(number)[0] != "-"
            case Name(name=name):
                return name in self.never_below
            case Element(array=Name(name=name)):
                return name in self.arrays
            case Construct(type=Vector(), arguments=several):
                return all(map(self.is_never_below, several))
            case Member(value=Expression(type=Vector()) as whole):
                return self.is_never_below(whole)
            case Call(function="dot", arguments=[left, right], user=None):
                return _is_square(left, right)
            case Binary(operator="+", left=left, right=right):
                return self.is_never_below(left) or self.is_never_below(right)
            case Binary(operator="-", negates=False, left=left, right=right):
                return self.is_never_below(left) or _is_nonzero(right)
            case Binary(operator="*", left=left, right=right):
                return _is_square(left, right)
            case Conditional(then=then, otherwise=otherwise):
                return self.is_never_below(then) and self.is_never_below(otherwise)
            case Cast(operand=operand):
                return not _is_float(operand.type)
            case Call(function=function):
                return device_function(function).signless
            case _:
                return False

    def is_never_zero(self, value: Expression) -> bool:
        """Whether a number is neither 0 nor -0."""
        match value:
            case Literal():
                return _is_nonzero(value)
            case Name(name=name):
                return name in self.never_zero
            case Unary(operator="-", operand=operand) | Binary(negates=True, right=operand):
                return self.is_never_zero(operand)
            case Conditional(then=then, otherwise=otherwise):
                return self.is_never_zero(then) and self.is_never_zero(otherwise)
            case Call(function=function, user=None):
                return device_function(function).never_zero
            case _:
                return False

    def rewritten(self, value: Expression, drops: bool) -> Expression:
        """The expression with -x in place of 0 - x."""
        if value.__class__ in LEAVES:
            return value
        free = self._drops(value, drops)
        for (part, put), one in zip(slots(value), free, strict=True):
            put(self.rewritten(part, one))
        if not (isinstance(value, Binary) and value.negates and (drops or self.is_never_zero(value.right))):
            return value
        return _negative(value.right)


def _assigned(statement: Assign) -> Expression:
    """What a variable is given by a statement."""
    if not statement.operator:
        return statement.value
    return Binary(statement.target.type, statement.operator, statement.target, statement.value)


def _changed(node: Expression) -> str | None:
    """The variable that an expression may change, or a part of it."""
    match node:
        case AddressOf(place=place) | Call(function="component_ref", arguments=[place, *_]):
            return root_name(place)
        case _:
            return None


def _is_float(kind: object) -> bool:
    return isinstance(kind, Scalar | Vector) and scalar_of(kind).is_float


def _is_square(left: Expression, right: Expression) -> bool:
    """Whether two factors are one variable."""
    return isinstance(left, Name) and key_of(left) == key_of(right)


def _is_natural(number: object) -> bool:
    """Whether a number is 0 or more, and not -0."""
    return isinstance(number, int | float) and math.copysign(1.0, number) > 0


def _is_nonzero(value: Expression) -> bool:
    return isinstance(value, Literal) and bool(value.value)


def _negative(value: Expression) -> Expression:
    """-x, of a product -x * y."""
    if isinstance(value, Binary) and value.operator == "*":
        value.left = _negative(value.left)
        return value
    return Unary(value.type, "-", value)
