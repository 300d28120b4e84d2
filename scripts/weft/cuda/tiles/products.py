"""Matrix products of tiles."""

from __future__ import annotations

import ast
import struct
from typing import TYPE_CHECKING

from weft.cuda import rules
from weft.cuda.c_types import HALVES
from weft.cuda.rules import UnsupportedError
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.loops import share
from weft.cuda.tiles.reductions import adds_in_any_order, by_groups, makes_groups
from weft.cuda.tiles.values import Coordinates, TileValue
from weft.cuda.traverse import clone
from weft.cuda.tree import (
    BOOL,
    FLOAT,
    INT,
    Assign,
    Binary,
    Call,
    Conditional,
    Expression,
    For,
    Literal,
    Name,
    Statement,
)
from weft.cuda.values import zero
from weft.types import Scalar

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder


def product(builder: TileBuilder, call: ast.Call, target: TileValue) -> list[Statement]:
    """wp.tile_matmul of two tiles: target = alpha a b."""
    given = dict(zip(("a", "b", "alpha", "precision"), call.args, strict=False))
    arguments = given | {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    return _multiply(builder, arguments, target, accumulates=False)


def accumulate(builder: TileBuilder, call: ast.Call) -> list[Statement]:
    """wp.tile_matmul of three tiles: out = alpha a b + beta out."""
    arguments = bound("tile_matmul", call)
    if "out" not in arguments:
        return []
    target = builder.value(arguments["out"])
    if not target.place:
        raise builder.refusal(arguments["out"], "wp.tile_matmul must add to a tile that has a name")
    return _multiply(builder, arguments, target, accumulates=True)


def _multiply(
    builder: TileBuilder, arguments: dict[str, ast.expr], target: TileValue, *, accumulates: bool
) -> list[Statement]:
    """Each thread computes elements of the product; sums run over k in order, fused as in Warp."""
    left, right = builder.value(arguments["a"]), builder.stored(arguments["b"], "right")
    scalar = target.element
    if not isinstance(scalar, Scalar):
        raise UnsupportedError(f"wp.tile_matmul into {scalar} is not supported: use float32")
    if any(name == read for name, _ in target.reads for read, _ in (*left.reads, *right.reads)):
        raise UnsupportedError("wp.tile_matmul into one of its factors is not supported: use another tile")
    alpha = _factor(builder, arguments.get("alpha"), scalar)
    beta = _factor(builder, arguments.get("beta"), scalar) if accumulates else None
    terms = _terms(left, right, scalar)
    if right.shape[1] == 1 and makes_groups(builder, terms) and adds_in_any_order(builder, terms):

        def store(row: Expression, total: Expression) -> Statement:
            result = total if alpha is None else Binary(scalar, "*", clone(alpha), total)
            return _store(scalar, target.at([row, Literal(INT, 0)]), result, beta, accumulates)

        return [by_groups(builder, terms, "sum", store)]
    left = builder.placed(left, "left")
    # One sum over all tiles is as good as a sum of their sums.
    whole = accumulates and alpha is None and beta is None and _adds_across_tiles(builder, scalar)
    sum_name, k = "" if whole else builder.names.standing("sum", scalar), builder.names.standing("k")

    def body(coordinates: Coordinates) -> list[Statement]:
        row, column = coordinates
        a = converted(left.at([row, Name(INT, k)]), scalar)
        b = converted(right.at([Name(INT, k), column]), scalar)
        total = target.at(coordinates) if whole else Name(scalar, sum_name)
        step = _step(scalar, total, a, b)
        if whole:
            return [For(INT, k, Literal(INT, 0), Literal(INT, left.shape[1]), 1, [step])]
        result: Expression = Name(scalar, sum_name)
        if alpha is not None:
            result = Binary(scalar, "*", clone(alpha), result)
        place = target.at(coordinates)
        return [
            Assign(total, "", zero(scalar)),
            For(INT, k, Literal(INT, 0), Literal(INT, left.shape[1]), 1, [step]),
            _store(scalar, place, result, beta, accumulates),
        ]

    return [share(target.shape, builder.names, body)]


def _terms(left: TileValue, right: TileValue, scalar: Scalar) -> TileValue:
    """What the products of a matrix and a column add up, in the matrix's rows."""

    def at(coordinates: Coordinates) -> Expression:
        row, k = coordinates
        a, b = left.at([row, k]), right.at([clone(k), Literal(INT, 0)])
        return Binary(scalar, "*", converted(a, scalar), converted(b, scalar))

    return TileValue(scalar, left.shape, at, reads=left.reads + right.reads)


def _adds_across_tiles(builder: TileBuilder, scalar: Scalar) -> bool:
    """Whether the products of all tiles may be added up in any order."""
    launch = builder.module.launch
    free = launch is not None and launch.equality == "bounded" and scalar.name not in HALVES
    return free or not scalar.is_float


def _step(scalar: Scalar, total: Expression, a: Expression, b: Expression) -> Statement:
    """sum += a * b with one rounding, as Warp does it on every device for all but halves."""
    if scalar.name in ("float32", "float64"):
        fused = "fmaf" if scalar.name == "float32" else "fma"
        return Assign(total, "", Call(scalar, fused, [a, b, clone(total)]))
    return Assign(total, "+", Binary(scalar, "*", a, b))


def _store(
    scalar: Scalar, place: Expression, result: Expression, beta: Expression | None, accumulates: bool
) -> Statement:
    """The product goes to its place; what is there counts only if beta is not zero."""
    if not accumulates or beta == Literal(scalar, 0):
        return Assign(place, "", result)
    if beta is None:
        return Assign(place, "+", result)
    both = Binary(scalar, "+", result, Binary(scalar, "*", clone(beta), clone(place)))
    if isinstance(beta, Literal):
        return Assign(place, "", both)
    test = Binary(BOOL, "!=", clone(beta), Literal(scalar, 0))
    return Assign(place, "", Conditional(scalar, test, both, clone(result)))


def _factor(builder: TileBuilder, node: ast.expr | None, scalar: Scalar) -> Expression | None:
    """alpha or beta; None for one."""
    if node is None:
        return None
    built = builder.simple(node, "factor")
    if isinstance(built, Literal) and built.value == 1:
        return None
    if not isinstance(built.type, Scalar):
        raise UnsupportedError(f"alpha and beta must be {scalar} here, not {built.type}")
    return converted(built, scalar)


def converted(value: Expression, scalar: Scalar) -> Expression:
    """A number as another type of number; a literal is rounded to its own type first."""
    if isinstance(value, Literal) and value.type == FLOAT and scalar != FLOAT:
        assert isinstance(value.value, int | float)
        return Literal(scalar, struct.unpack("f", struct.pack("f", value.value))[0])
    return rules.cast(rules.Use(scalar.name, [value], scalar))
