"""Cholesky factors, and systems of equations with a triangular matrix.

The sums run in the order of Warp's own code (warp/native/tile_cholesky.h, tile_solve.h), which every thread
count gives alike.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from weft.cuda import rules
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.loops import by_first_thread, share
from weft.cuda.tiles.reductions import IN_ORDER, is_any_order
from weft.cuda.tiles.values import Coordinates, TileValue
from weft.cuda.traverse import clone
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Conditional,
    Expression,
    For,
    If,
    Literal,
    Name,
    Remark,
    Share,
    Statement,
)
from weft.types import Scalar, Tile

if TYPE_CHECKING:
    from weft.cuda.tiles.builder import TileBuilder

Variable = Callable[[], Name]
Entry = Callable[[Expression, Expression], Expression]


def factor(builder: TileBuilder, call: ast.Call, target: TileValue) -> list[Statement]:
    """wp.tile_cholesky."""
    arguments = bound("tile_cholesky", call)
    filled = builder.fill(target, builder.value(arguments["A"]))
    return [filled, *_factor(builder, target, _is_upper(builder, arguments))]


def factor_in_place(builder: TileBuilder, call: ast.Call) -> list[Statement]:
    """wp.tile_cholesky_inplace."""
    arguments = bound("tile_cholesky_inplace", call)
    return _factor(builder, _changed(builder, arguments["A"]), _is_upper(builder, arguments))


def _factor(builder: TileBuilder, tile: TileValue, upper: bool) -> list[Statement]:
    """One column (row) after the other. Every thread computes the root, then they share the column."""
    kind, size = _scalar(tile), tile.shape[0]
    at = _entry(tile, upper)
    i, j, k = (_variable(builder, name, INT) for name in "ijk")
    root, scale, rest = (_variable(builder, name, kind) for name in ("root", "scale", "rest"))
    column: list[Statement] = [
        Assign(rest(), "", at(i(), j())),
        _count(k, Literal(INT, 0), j(), [Assign(rest(), "-", Binary(kind, "*", at(i(), k()), at(j(), k())))]),
        Assign(
            at(i(), j()), "", Conditional(kind, _equal(i(), j()), root(), Binary(kind, "*", rest(), scale()))
        ),
        If(Binary(BOOL, "!=", i(), j()), [Assign(at(j(), i()), "", Literal(kind, 0))], []),
    ]
    step: list[Statement] = [
        Assign(root(), "", at(j(), j())),
        _count(k, Literal(INT, 0), j(), [Assign(root(), "-", Binary(kind, "*", at(j(), k()), at(j(), k())))]),
        Assign(root(), "", rules.c_math("sqrtf")(rules.Use("sqrt", [root()], kind))),
        Assign(scale(), "", Binary(kind, "/", Literal(kind, 1), root())),
        Share((size,), (i().name,), column, j()),
    ]
    remark = (
        f"Cholesky factor, {'row by row' if upper else 'column by column'}: a root, then what it divides."
    )
    return [Remark(remark), _count(j, Literal(INT, 0), Literal(INT, size), step)]


def solution(name: str) -> Callable[[TileBuilder, ast.Call, TileValue], list[Statement]]:
    """wp.tile_lower_solve, wp.tile_upper_solve and wp.tile_cholesky_solve."""

    def store(builder: TileBuilder, call: ast.Call, target: TileValue) -> list[Statement]:
        arguments = _given(name, call)
        filled = builder.fill(target, builder.value(arguments["y"]))
        return [filled, *_solve(builder, name, arguments, target)]

    return store


def solution_in_place(name: str) -> Callable[[TileBuilder, ast.Call], list[Statement]]:
    """The same, in place of the right-hand side."""

    def change(builder: TileBuilder, call: ast.Call) -> list[Statement]:
        arguments = _given(name, call)
        return _solve(builder, name, arguments, _changed(builder, arguments["y"]))

    return change


def _given(name: str, call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a solve, by the words that a lower one has."""
    return {{"U": "L", "z": "y"}.get(word, word): node for word, node in bound(name, call).items()}


def _solve(
    builder: TileBuilder, name: str, arguments: dict[str, ast.expr], target: TileValue
) -> list[Statement]:
    matrix = builder.stored(arguments["L"], "matrix")
    if {read for read, _ in matrix.reads} & {read for read, _ in target.reads}:
        raise builder.refusal(arguments["L"], f"wp.{name} into its own matrix is not supported")
    if name == "tile_lower_solve":
        return _substitute(builder, _entry(matrix, False), target, backwards=False)
    if name == "tile_upper_solve":
        return _substitute(builder, _entry(matrix, False), target, backwards=True)
    upper = _is_upper(builder, arguments)
    return [
        *_substitute(builder, _entry(matrix, upper), target, backwards=False),
        *_substitute(builder, _entry(matrix, not upper), target, backwards=True),
    ]


def _substitute(builder: TileBuilder, at: Entry, target: TileValue, *, backwards: bool) -> list[Statement]:
    """The unknowns one after the other: a thread for each column of a matrix. Of a vector, threads take an
    unknown from their equations as soon as it is known: backwards that is another order than Warp's.
    """
    kind, size = _scalar(target), target.shape[0]
    i, j = (_variable(builder, name, INT) for name in "ij")
    rest = _variable(builder, "rest", kind)

    def in_turn(row: Variable, body: list[Statement]) -> For:
        if backwards:
            return For(INT, row().name, Literal(INT, size - 1), Literal(INT, -1), -1, body)
        return _count(row, Literal(INT, 0), Literal(INT, size), body)

    def solved(row: Variable) -> Expression:
        diagonal = at(row(), row())
        regular = Binary(BOOL, "!=", diagonal, Literal(kind, 0))
        return Conditional(kind, regular, Binary(kind, "/", rest(), clone(diagonal)), rest())

    def column(place: list[Expression]) -> list[Statement]:
        start: Expression = Binary(INT, "+", i(), Literal(INT, 1)) if backwards else Literal(INT, 0)
        stop: Expression = Literal(INT, size) if backwards else i()

        def unknown(row: Expression) -> Expression:
            return target.at([row, *map(clone, place)])

        step: list[Statement] = [
            Assign(rest(), "", unknown(i())),
            _count(j, start, stop, [Assign(rest(), "-", Binary(kind, "*", at(i(), j()), unknown(j())))]),
            Assign(unknown(i()), "", solved(i)),
        ]
        return [in_turn(i, step)]

    def together() -> list[Statement]:
        known = _variable(builder, "known", kind)
        less = Binary(kind, "-", target.at([i()]), Binary(kind, "*", at(i(), j()), known()))
        given = Assign(target.at([i()]), "", Conditional(kind, _equal(i(), j()), known(), less))
        reach = (Literal(INT, 0), j()) if backwards else (j(), None)
        step = [
            Assign(rest(), "", target.at([j()])),
            Assign(known(), "", solved(j)),
            Share((size,), (i().name,), [given], *reach),
        ]
        return [in_turn(j, step)]

    remark = f"{'Back' if backwards else 'Forward'} substitution"
    if len(target.shape) > 1:
        columns = share(target.shape[1:], builder.names, lambda place: column(list(place)))
        return [Remark(f"{remark}."), columns]
    if backwards and not is_any_order(builder):
        return [Remark(f"{remark} by one thread: {IN_ORDER}."), by_first_thread(column([]))]
    return [Remark(f"{remark}."), *together()]


def diagonal_sum(builder: TileBuilder, call: ast.Call, kind: Tile) -> TileValue:
    """wp.tile_diag_add."""
    arguments = bound("tile_diag_add", call)
    matrix, diagonal = builder.value(arguments["a"]), builder.value(arguments["d"])

    def at(coordinates: Coordinates) -> Expression:
        row, column = coordinates
        both = Binary(kind.element, "+", matrix.at(coordinates), diagonal.at([row]))
        return Conditional(kind.element, _equal(row, column), both, matrix.at(coordinates))

    reads = (*matrix.reads, *((name, False) for name, _ in diagonal.reads))
    return TileValue(kind.element, kind.shape, at, reads=tuple(dict.fromkeys(reads)))


def _changed(builder: TileBuilder, node: ast.expr) -> TileValue:
    tile = builder.value(node)
    if not tile.place:
        raise builder.refusal(node, "this is computed in place: give the tile a name")
    return tile


def _scalar(tile: TileValue) -> Scalar:
    assert isinstance(tile.element, Scalar)
    if not tile.reads or tile.size == 1:
        raise rules.UnsupportedError("a system of one equation is not supported: divide")
    return tile.element


def _is_upper(builder: TileBuilder, arguments: dict[str, ast.expr]) -> bool:
    node = arguments.get("fill_mode")
    word = "lower" if node is None else getattr(node, "value", None)
    if word not in ("lower", "upper"):
        raise builder.refusal(node or arguments["A"], 'write fill_mode as "lower" or "upper"')
    return word == "upper"


def _entry(tile: TileValue, swapped: bool) -> Entry:
    """The entries of a matrix, or of its transpose."""
    return lambda row, column: tile.at([column, row] if swapped else [row, column])


def _variable(builder: TileBuilder, name: str, kind: Scalar) -> Variable:
    chosen = builder.names.standing(name, kind)
    return lambda: Name(kind, chosen)


def _count(index: Variable, start: Expression, stop: Expression, body: list[Statement]) -> For:
    return For(INT, index().name, start, stop, 1, body)


def _equal(left: Expression, right: Expression) -> Expression:
    return Binary(BOOL, "==", clone(left), clone(right))


STORING = {
    "tile_cholesky": factor,
    "tile_lower_solve": solution("tile_lower_solve"),
    "tile_upper_solve": solution("tile_upper_solve"),
    "tile_cholesky_solve": solution("tile_cholesky_solve"),
}
"""Builtins that store their result in a tile."""

IN_PLACE = {
    "tile_cholesky_inplace": factor_in_place,
    "tile_lower_solve_inplace": solution_in_place("tile_lower_solve"),
    "tile_upper_solve_inplace": solution_in_place("tile_upper_solve"),
    "tile_cholesky_solve_inplace": solution_in_place("tile_cholesky_solve"),
}
"""Builtins that change a tile that they are given."""
