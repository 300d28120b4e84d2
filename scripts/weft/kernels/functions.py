"""Functions beyond `Builder.function`: generic, overloaded, with defaults, several results, gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from weft.kernels.builder import Builder
from weft.kernels.expressions import lift
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import (
    Assign,
    Call,
    Expr,
    FunctionDef,
    Item,
    Jump,
    Name,
    Number,
)
from weft.kernels.types import ANY
from weft.types import Type

Body = Callable[..., Expr]


def _inner(k: Builder, name: str) -> Builder:
    inner = Builder(name, k.rng, k.policy)
    inner.real, inner.structs = k.real, k.structs
    return inner


def with_defaults(
    k: Builder,
    name: str,
    doc: str,
    parameters: Mapping[str, tuple[Type, Interval]],
    defaults: Mapping[str, Number],
    body: Body,
) -> Callable[..., Expr]:
    """A `@wp.func` whose last parameters may be left out or given by name."""
    call = k.function(name, doc, parameters, body)
    definition = k.functions[-1]
    definition.defaults = dict(defaults)

    def use(*arguments: Expr | Number, **keywords: Expr | Number) -> Expr:
        types = dict(parameters)
        every = list(parameters)
        filled = list(arguments)
        for key in every[len(arguments) :]:
            filled.append(keywords.get(key, defaults[key]))
        whole = call(*filled)
        assert isinstance(whole, Call)
        named = tuple((key, lift(value, types[key][0])) for key, value in keywords.items())
        return Call(whole.type, whole.interval, definition, whole.arguments[: len(arguments)], named)

    return use


def with_gradient(
    k: Builder,
    name: str,
    doc: str,
    parameters: Mapping[str, tuple[Type, Interval]],
    body: Body,
    gradient: Callable[..., Mapping[str, Expr]],
    how: str,
) -> Callable[..., Expr]:
    """A `@wp.func` with a `@wp.func_grad`.

    `gradient(builder, *parameters, adj_ret)` gives what the adjoint of each parameter grows by.
    """
    k.formulas.append(f"laws.{name}")
    call = k.function(name, doc, parameters, body)
    definition = k.functions[-1]
    last = definition.body[-1]
    assert isinstance(last, Jump) and last.value is not None
    result = last.value.type
    inner = _inner(k, name)
    names = [Name(of, limits, inner.fresh(key)) for key, (of, limits) in parameters.items()]
    adjoint = Name(result, Interval(-1.0, 1.0), inner.fresh("adj_ret"))
    for key, value in gradient(inner, *names, adjoint).items():
        at = next(one for one in names if one.name == key)
        place = Item(at.type, EVERYTHING, Name(ANY, EVERYTHING, "wp.adjoint"), (at,))
        inner._append(Assign(place, value, "+"))
    hints = [*definition.parameters, ("adj_ret", result)]
    definition.gradient = FunctionDef(f"adj_{name}", how, hints, inner.body)
    return call


def within(value: Expr, limits: Interval) -> Expr:
    """`value` with bounds, by a size perhaps, that its author has proved."""
    value.interval = limits
    return value
