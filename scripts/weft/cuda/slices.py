"""Slices of vectors and matrices: which components they select, and in which shape."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from weft.cuda.c_types import component_names
from weft.cuda.traverse import clone, walk
from weft.cuda.tree import INT, Call, Construct, Expression, Literal, Member
from weft.cuda.values import component_place
from weft.types import Matrix, component_scalars

_Made = Call | Construct


@dataclasses.dataclass(frozen=True)
class Selection:
    """The components that a subscript with slices selects, row-major, and the shape of the result."""

    components: list[Expression]
    shape: tuple[int, ...]


def select(value: Expression, indices: Sequence[range | Expression]) -> Selection:
    """The components of a vector or matrix `value`: a range for each slice, an expression for each index.

    The value is repeated for every component, so it must be repeatable.
    """
    kind = value.type
    if isinstance(kind, Matrix):
        if len(indices) == 1:
            indices = [indices[0], range(kind.columns)]
        rows, columns = ([*i] if isinstance(i, range) else [i] for i in indices)
        shape = tuple(len(i) for i in indices if isinstance(i, range))
        places = [component_place(clone(value), [_index(r), _index(c)]) for r in rows for c in columns]
        return Selection(places, shape)
    (positions,) = indices
    assert isinstance(positions, range)
    scalar = next(component_scalars(kind, {}))
    names = component_names(kind)
    components: list[Expression] = [Member(scalar, clone(value), names[i]) for i in positions]
    return Selection(components, (len(positions),))


def _index(index: int | Expression) -> Expression:
    return Literal(INT, index) if isinstance(index, int) else clone(index)


def repeatable(value: Expression) -> bool:
    """Whether a value can stand in several places: nothing is computed by reading it."""
    return not any(isinstance(part, _Made) for part in walk(value))


def components_of(value: Expression) -> list[Expression]:
    """The components of a repeatable vector, matrix, quaternion or transform."""
    scalars = component_scalars(value.type, {})
    pairs = zip(component_names(value.type), scalars, strict=True)
    return [Member(scalar, clone(value), name) for name, scalar in pairs]
