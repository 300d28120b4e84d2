"""The bounds checks that a kernel begins with: one check of a coordinate is enough.

`if i >= n: return`, or a body that is all in `if i < n:`, stops the threads beyond n. Where the launch
description says that n is within the launch, the launch ends there, and the check is ours; where it says that
the launch is within n, the check tells nothing. A launch that nobody described ends at a parameter that is as
long as the launch by default; one that is shorter is refused.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Container, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.analysis.linear import Linear, linear
from weft.cuda.conditions import joined, operands
from weft.cuda.sizes import at_least, size_expression
from weft.cuda.tree import Binary, Expression, Extent, If, Literal, Name, Remark, Return, Statement
from weft.launch import Launch
from weft.sizes import Size, normal_size


@dataclasses.dataclass
class OwnChecks:
    """A kernel's own bounds checks. `limits` has, for each coordinate, what it is below, as the kernel says
    it and as a size. `before` are the comments above the checks, `trailing` is the comment beside them,
    `rest` the kernel without them.
    """

    limits: dict[str, tuple[Expression, Size]]
    before: list[Statement]
    trailing: str
    rest: list[Statement]


def take_checks(
    names: Sequence[str], body: Sequence[Statement], launch: Launch, written: set[str]
) -> OwnChecks:
    """The checks that `body` begins with; `names` are the coordinates along the launch's dimensions, and
    `written` the parameters that the kernel changes.
    """
    checks = OwnChecks({}, [], "", list(body))
    reader = _Reader(dict(zip(names, launch.dims, strict=True)), launch, written)
    while (begin := _begin(checks.rest)) is not None:
        tests = operands(begin.check.test, begin.operator)
        others = list(itertools.dropwhile(lambda test: reader.takes(test, begin.comparison), tests))
        if others:
            begin.check.test = joined(others, begin.operator)
            break
        checks.before += begin.comments
        checks.trailing = "; ".join(text for text in (checks.trailing, begin.check.trailing) if text)
        checks.rest = begin.rest
    return dataclasses.replace(checks, limits=reader.limits)


class _Reader:
    """Reads tests of coordinates, whose launch dimensions are `dims`."""

    def __init__(self, dims: Mapping[str, Size], launch: Launch, written: set[str]) -> None:
        self.dims = dims
        self.launch = launch
        self.written = written
        self.limits: dict[str, tuple[Expression, Size]] = {}

    def takes(self, test: Expression, comparison: str) -> bool:
        """Whether the coordinate's check that the launch needs stands for this test, too."""
        match test:
            case Binary(operator=operator, left=Name(name=name), right=limit) if operator == comparison:
                size = described_size(limit, self.launch, self.written) if name in self.dims else None
            case _:
                return False
        if size is None:
            return False
        sizes, dim = self.launch.sizes, self.dims[name]
        if self.launch.inferred_dims:
            return isinstance(limit, Name) and size == dim and self._sets(name, limit, size)
        if _never_negative(at_least(size, sizes) - linear(size_expression(dim, sizes))):
            return True
        within = _never_negative(at_least(dim, sizes) - linear(size_expression(size, sizes)))
        return within and self._sets(name, limit, size)

    def _sets(self, name: str, limit: Expression, size: Size) -> bool:
        """Whether this is the one limit of a coordinate."""
        return self.limits.setdefault(name, (limit, size)) == (limit, size)


def described_size(expression: Expression, launch: Launch, written: Container[str]) -> Size | None:
    """The size that the launch description says an expression of the kernel has, if that never changes."""
    match expression:
        case Literal(value=int(value)):
            return value
        case Name(name=name) if launch.inferred_dims or name not in launch.inferred:
            known = name in launch.parameters and name not in written
            return launch.parameters[name].size if known else None
        case Extent(array=Name(name=name), axis=axis, stride=False) if name in launch.parameters:
            return launch_assumptions.extent_of(launch, name, axis)
        case Binary(operator="+" | "*" as operator, left=left, right=right):
            one, other = (described_size(operand, launch, written) for operand in (left, right))
            if one is None or other is None:
                return None
            size = f"({one}) {operator} ({other})"
            fits = launch_assumptions.largest(launch, size) <= launch_assumptions.LARGEST_INT
            return size if fits else None
        case _:
            return None


def is_divided(launch: Launch, size: Size, many: int) -> bool:
    """Whether the launch has as many threads as `size` takes, with so `many` for each."""
    (dim,) = launch.dims if len(launch.dims) == 1 else (0,)
    dim = launch.sizes.get(str(dim), dim)
    return normal_size(dim) == normal_size(f"({size} + {many - 1}) // {many}")


def _never_negative(difference: Linear) -> bool:
    return not difference.terms and difference.constant >= 0


@dataclasses.dataclass(frozen=True)
class _Begin:
    """What statements begin with: comments, a check of tests with an operator between them, and the `rest`,
    which is done where none stops a thread: each stops one where its `comparison` does.
    """

    comments: list[Statement]
    check: If
    operator: str
    comparison: str
    rest: list[Statement]


def _begin(body: list[Statement]) -> _Begin | None:
    """The check that statements begin with, if they do."""
    position = next((i for i, one in enumerate(body) if not isinstance(one, Remark)), len(body))
    comments: list[Statement] = [one for one in body[:position] if isinstance(one, Remark) and one.text]
    match body[position:]:
        case [If(body=[Return()], otherwise=[]) as check, *after]:
            return _Begin(comments, check, "||", ">=", after)
        case [If(otherwise=[]) as check]:
            return _Begin(comments, check, "&&", "<", check.body)
        case _:
            return None
