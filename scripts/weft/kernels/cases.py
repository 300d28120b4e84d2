"""Values that depend on conditions, written in the ways that people write them."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, lift, ops
from weft.kernels.program import Expr, Number


def either(k: Builder, name: str, condition: Expr, value: Expr | Number, rest: Expr | Number) -> Expr:
    """`value` where the condition holds, else `rest`: an `if`, a conditional expression or `wp.where`."""
    match k.rng.pick("if", "if", "expression", "where"):
        case "if":
            return cases(k, name, (condition, value), rest=rest)
        case "expression":
            return conditional(condition, lift(value, k.real), rest)
        case _:
            return ops.where(condition, lift(value, k.real), lift(rest, k.real))


def cases(k: Builder, name: str, *choices: tuple[Expr, Expr | Number], rest: Expr | Number) -> Expr:
    """The value of the first condition that holds, else `rest`: `if … elif …`, with an `else` or without."""
    plain = not isinstance(rest, Expr) or k.rng.chance(0.5) or choices[0][1] == 0.0
    result = k.var(name, rest if plain else 0.0)
    for number, (condition, value) in enumerate(choices):
        with k.when(condition) if number == 0 else k.orwhen(condition):
            k.set(result, value)
    if not plain:
        with k.otherwise():
            k.set(result, rest)
    return result
