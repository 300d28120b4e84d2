"""The ranges that loops run over: `range(…)`, and `reversed(range(…))`."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Sequence

from weft.cuda.slices import repeatable
from weft.cuda.traverse import clone
from weft.cuda.tree import INT, Assign, Binary, Call, Expression, Literal, Name, Statement, Unary
from weft.cuda.values import coerce
from weft.types import Type


@dataclasses.dataclass(frozen=True)
class Range:
    """What a loop counts. It starts at `start` and goes on while it lies before `stop`, by the constant
    `step`, or by the value of `stride` if `step` is 0. `before` computes what the loop uses more than once.
    """

    start: Expression
    stop: Expression
    step: int
    stride: Expression | None = None
    before: tuple[Statement, ...] = ()

    @property
    def type(self) -> Type:
        return next((a.type for a in (self.start, self.stop) if not isinstance(a, Literal)), INT)

    @property
    def values(self) -> range | None:
        """All values, where they are known before the loop runs."""
        if not isinstance(self.start, Literal) or not isinstance(self.stop, Literal) or self.step == 0:
            return None
        return range(int(self.start.value), int(self.stop.value), self.step)


def call_of_range(iterable: ast.expr) -> tuple[ast.Call, bool] | None:
    """The call of `range`, and whether it is reversed; None for other things to loop over."""
    match iterable:
        case ast.Call(func=ast.Name(id="range")):
            return iterable, False
        case ast.Call(func=ast.Name(id="reversed"), args=[ast.Call(func=ast.Name(id="range")) as call]):
            return call, True
        case _:
            return None


def forwards(bounds: Sequence[Expression], step: int | None) -> Range:
    """`range(…)` of one to three bounds; `step` is the third one where that is a constant."""
    start = bounds[0] if len(bounds) > 1 else Literal(INT, 0)
    stop = bounds[1] if len(bounds) > 1 else bounds[0]
    if len(bounds) < 3:
        return _typed(Range(start, stop, 1))
    return _typed(Range(start, stop, step) if step else Range(start, stop, 0, bounds[2]))


def _typed(found: Range) -> Range:
    start, stop = coerce(found.start, found.type), coerce(found.stop, found.type)
    return dataclasses.replace(found, start=start, stop=stop)


def backwards(found: Range, name: Callable[[str], str]) -> Range:
    """The same values from the last to the first. `name` gives names for what is computed before the loop."""
    if (values := found.values) is not None:
        turned = values[::-1]
        return Range(Literal(INT, turned.start), Literal(INT, turned.stop), turned.step)
    if found.step == 1:
        start, before = _kept(found.start, "first", name)
        return Range(_plus(found.stop, -1), _plus(clone(start), -1), -1, before=before)
    start, before = _kept(found.start, "first", name)
    step: Expression = Literal(INT, found.step)
    if found.stride is not None:
        step, kept = _kept(found.stride, "step", name)
        before = (*before, *kept)
    last = Call(INT, "last_in_range", [clone(start), found.stop, clone(step)], ("last_in_range", ()))
    if found.stride is None:
        return Range(last, _plus(start, -1 if found.step > 0 else 1), -found.step, before=before)
    return Range(last, Binary(INT, "-", start, step), 0, Unary(INT, "-", clone(step)), before)


def _kept(
    value: Expression, stem: str, name: Callable[[str], str]
) -> tuple[Expression, tuple[Statement, ...]]:
    """A value that can stand in several places, and the statement that computes it before."""
    if repeatable(value):
        return value, ()
    kept = name(stem)
    return Name(value.type, kept), (Assign(Name(value.type, kept), "", value),)


def _plus(value: Expression, number: int) -> Expression:
    if isinstance(value, Literal):
        return Literal(value.type, int(value.value) + number)
    return Binary(value.type, "+" if number > 0 else "-", value, Literal(value.type, abs(number)))
