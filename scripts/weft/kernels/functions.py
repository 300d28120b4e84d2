"""Functions beyond `Builder.function`: generic, overloaded, with defaults, several results, gradients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import lift
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import (
    Assign,
    Call,
    Expr,
    FunctionDef,
    Group,
    Item,
    Jump,
    Name,
    Number,
    Parameter,
    Undefined,
    Unpack,
)
from weft.kernels.types import ANY
from weft.types import Tuple, Type

Body = Callable[..., Expr]


def _inner(k: Builder, name: str) -> Builder:
    inner = Builder(name, k.rng, k.policy)
    inner.real, inner.structs = k.real, k.structs
    return inner


def generic(
    k: Builder, name: str, doc: str, parameters: Mapping[str, Type | None], body: Body
) -> Callable[..., Expr]:
    """A `@wp.func` whose parameters of type None are `Any`. The body draws nothing: each use runs it anew."""
    hints = [(key, of or ANY) for key, of in parameters.items()]
    definition = FunctionDef(name, doc, hints, [])
    k.names.add(name)

    def call(*arguments: Expr | Number) -> Expr:
        model = next(one for one in arguments if isinstance(one, Expr))
        wanted = list(parameters.values())
        values = [lift(one, of or model.type) for one, of in zip(arguments, wanted, strict=True)]
        inner = _inner(k, name)
        names = [
            Name(one.type, one.interval, inner.fresh(key))
            for one, key in zip(values, parameters, strict=True)
        ]
        result = body(inner, *names)
        inner._append(Jump("return", result))
        if not definition.body:
            definition.body = inner.body
            k.functions += [*inner.functions, definition]
        return Call(result.type, result.interval, definition, tuple(values))

    return call


def overloaded(
    k: Builder, name: str, variants: Sequence[tuple[str, Mapping[str, tuple[Type, Interval]], Body]]
) -> Callable[..., Expr]:
    """Functions of one name for operands of different types: of each its docstring, parameters and body."""
    made: list[tuple[Mapping[str, tuple[Type, Interval]], Expr, FunctionDef]] = []
    for doc, parameters, body in variants:
        inner = _inner(k, name)
        names = [Name(of, limits, inner.fresh(key)) for key, (of, limits) in parameters.items()]
        value = body(inner, *names)
        inner._append(Jump("return", value))
        hints = [(key, of) for key, (of, _) in parameters.items()]
        made.append((parameters, value, FunctionDef(name, doc, hints, inner.body)))
    first = made[0][2]
    first.overloads = [one for _, _, one in made[1:]]
    k.names.add(name)
    k.functions.append(first)

    def call(*arguments: Expr) -> Expr:
        for parameters, value, _ in made:
            wanted = list(parameters.values())
            fits = [one.type for one in arguments] == [of for of, _ in wanted] and all(
                limits.contains(one.interval) for one, (_, limits) in zip(arguments, wanted, strict=True)
            )
            if fits:
                return Call(value.type, value.interval, first, arguments)
        raise Undefined(f"{name} of {', '.join(str(one.type) for one in arguments)}")

    return call


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


def several(
    k: Builder,
    name: str,
    doc: str,
    parameters: Mapping[str, tuple[Type, Interval]],
    body: Callable[..., tuple[Expr, ...]],
) -> Callable[..., tuple[Name, ...]]:
    """A `@wp.func` with several results; a call takes the names that they get, then the arguments."""
    types: list[Type] = []
    bounds: list[Interval] = []

    def grouped(b: Builder, *values: Expr) -> Expr:
        results = body(b, *values)
        types.extend(one.type for one in results)
        bounds.extend(one.interval for one in results)
        return Group(Tuple(tuple(types)), EVERYTHING, results, bare=True)

    call = k.function(name, doc, parameters, grouped)

    def use(names: Sequence[str], *arguments: Expr | Number) -> tuple[Name, ...]:
        value = call(*arguments)
        targets = tuple(
            Name(of, limits, k.fresh(one)) for one, of, limits in zip(names, types, bounds, strict=True)
        )
        k._append(Unpack(targets, value))
        return targets

    return use


def array_parameter(
    k: Builder, handle: ArrayHandle, name: str
) -> tuple[Type, Callable[[Builder, Expr], ArrayHandle]]:
    """The type of an array that a function takes, and the array as the function sees it."""
    outer = handle.parameter

    def seen(b: Builder, value: Expr) -> ArrayHandle:
        inside = Parameter(name, outer.type, "in", outer.shape, outer.values)
        b.sizes = k.sizes
        return ArrayHandle(b, inside, handle.element, handle.interval, base=value)

    return outer.type, seen


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
