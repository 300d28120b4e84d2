"""Structs as idioms see them: a schema with bounds, and records whose members are read and written."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.expressions import lift
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import (
    Assign,
    Call,
    Expr,
    Member,
    Name,
    Number,
    Parameter,
    StructDef,
    Undefined,
)
from weft.kernels.types import F32, scalar_of
from weft.types import Array, Struct, Type, Vector

Members = dict[str, tuple[Type, float, float]]


@dataclasses.dataclass(frozen=True, slots=True)
class Schema:
    """A struct type with the recipe and the bounds of each member; those of nested structs are schemas."""

    definition: StructDef
    recipes: Mapping[str, Any]
    bounds: Mapping[str, Interval]
    nested: Mapping[str, Schema]

    @property
    def type(self) -> Struct:
        return Struct(self.definition.name)


def schema(
    k: Builder, title: str, doc: str, fields: Mapping[str, tuple[Type, float, float] | Schema]
) -> Schema:
    """Declare a struct whose members have a type and values in [low, high], or are structs themselves."""
    recipes: dict[str, Any] = {}
    bounds: dict[str, Interval] = {}
    types: list[tuple[str, Type]] = []
    nested = {name: one for name, one in fields.items() if isinstance(one, Schema)}
    for name, one in fields.items():
        if isinstance(one, Schema):
            types.append((name, one.type))
            recipes[name] = {"members": dict(one.recipes)}
            continue
        of, low, high = one
        types.append((name, of))
        real = scalar_of(of).is_float
        recipes[name] = uniform(low, high) if real else whole(int(low), int(high))
        bounds[name] = Interval(low, high, integral=not real)
    definition = StructDef(title, doc, types)
    k.structs.append(definition)
    return Schema(definition, recipes, bounds, nested)


class Record:
    """A value of a struct type: a variable, an element of an array, or a member of one."""

    def __init__(self, k: Builder, schema: Schema, value: Expr) -> None:
        self.k, self.schema, self.value = k, schema, value
        self.bounds = dict(schema.bounds)

    def __getitem__(self, field: str) -> Expr:
        return Member(self._type(field), self.bounds[field], self.value, field)

    def part(self, field: str) -> Record:
        """A member that is a struct itself."""
        return Record(
            self.k, self.schema.nested[field], Member(self._type(field), EVERYTHING, self.value, field)
        )

    def put(self, field: str, value: Expr | Number, operator: str | None = None) -> None:
        """`record.field = value`."""
        new = lift(value, self._type(field))
        if new.type != self._type(field):
            raise Undefined(f"{new.type} assigned to {field} of {self.schema.type}")
        target = Member(new.type, EVERYTHING, self.value, field)
        if operator is None:
            self.bounds[field] = new.interval
        self.k._append(Assign(target, new, operator))

    def assign(self, value: Expr) -> None:
        """`record = value`."""
        self.k._append(Assign(self.value, value))

    def _type(self, field: str) -> Type:
        return dict(self.schema.definition.fields)[field]


def new_record(k: Builder, name: str, of: Schema) -> Record:
    """`name = Title()`, a record whose members are still to be set."""
    variable = Name(of.type, EVERYTHING, k.fresh(name), mutable=True)
    k._append(Assign(variable, Call(of.type, EVERYTHING, of.definition, ())))
    return Record(k, of, variable)


def record_array(k: Builder, name: str, of: Schema, shape: tuple[str, ...], role: str = "in") -> ArrayHandle:
    """An array of structs; those that are only written hold nothing before."""
    return k.array(name, of.type, shape, {"members": dict(of.recipes)} if role != "out" else None, role)


def record_parameter(k: Builder, name: str, of: Schema) -> Record:
    """A struct passed by value."""
    parameter = Parameter(k.fresh(name), of.type, "in", (), {"members": dict(of.recipes)})
    k.parameters.append(parameter)
    return Record(k, of, Name(of.type, EVERYTHING, parameter.name))


def loaded(k: Builder, name: str, of: Schema, item: Expr) -> Record:
    """A copy of an element under a name."""
    variable = Name(of.type, EVERYTHING, k.fresh(name), mutable=True)
    k._append(Assign(variable, item))
    return Record(k, of, variable)


def record_function(
    k: Builder,
    name: str,
    doc: str,
    of: Schema,
    extra: Mapping[str, tuple[Type, Interval]],
    body: Callable[..., Expr],
) -> Callable[..., Expr]:
    """A `@wp.func` whose first parameter is a struct: `body(builder, record, *others)` gives its value."""
    first = of.definition.name[0].lower() + of.definition.name[1:]

    def inner(b: Builder, value: Expr, *others: Expr) -> Expr:
        return body(b, Record(b, of, value), *others)

    return k.function(name, doc, {first: (of.type, EVERYTHING), **extra}, inner)


def array_members(
    k: Builder, name: str, title: str, doc: str, arrays: Mapping[str, tuple[Type, str, float, float]]
) -> dict[str, ArrayHandle]:
    """A struct of arrays with one element for each thread: for each its element, role and bounds."""
    fields = [(field, Array(of, len(k.shape))) for field, (of, *_) in arrays.items()]
    k.structs.append(StructDef(title, doc, list(fields)))
    label = k.fresh(name)
    owner = Name(Struct(title), EVERYTHING, label)
    parameter = Parameter(label, Struct(title), "inout", (), None)
    k.parameters.append(parameter)
    handles = {}
    for field, (of, role, low, high) in arrays.items():
        values = (
            None
            if role == "out"
            else uniform(low, high)
            if scalar_of(of).is_float
            else whole(int(low), int(high))
        )
        leaf = Parameter(f"{label}.{field}", Array(of, len(k.shape)), role, k.shape, values)
        parameter.leaves.append(leaf)
        interval = EVERYTHING if role == "out" else Interval(low, high, not scalar_of(of).is_float)
        base = Member(leaf.type, EVERYTHING, owner, field)
        handles[field] = ArrayHandle(k, leaf, of, interval, base=base)
    return handles


def some(k: Builder, fields: Members, always: tuple[str, ...] = ()) -> Members:
    """The fields in a drawn order, without some that are not always there."""
    chosen = {name for name in fields if name in always or k.rng.chance(0.6)}
    return {name: fields[name] for name in k.rng.shuffled([one for one in fields if one in chosen])}


def space_of(k: Builder) -> Vector:
    """The plane or space."""
    return Vector(k.rng.pick(2, 3, 3), F32)
