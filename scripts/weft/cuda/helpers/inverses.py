"""Determinants and inverses of matrices, in Warp's order of operations."""

from __future__ import annotations

import functools
from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.matrices import as_matrix
from weft.cuda.helpers.text import (
    Helper,
    construct,
    function,
    math_call,
    number,
    passed,
    returned,
)
from weft.types import Matrix, Scalar, Type


def determinant(type: Type) -> Helper:
    """Warp: determinant of 2x2, 3x3 and 4x4 matrices."""
    m = as_matrix(type)
    t = c_type(m.scalar)
    parameters = [(passed(m), "a")]
    if m.rows == 2:
        value = "a.m[0][0] * a.m[1][1] - a.m[1][0] * a.m[0][1]"
        return Helper(function(t, "determinant", parameters, [f"return {value};"]))
    if m.rows == 3:
        terms = [
            f"a.m[0][{i}] * (a.m[1][{j}] * a.m[2][{k}] - a.m[1][{k}] * a.m[2][{j}])"
            for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        ]
        body = [f"return {terms[0]} +", f"       {terms[1]} +", f"       {terms[2]};"]
        return Helper(function(t, "determinant", parameters, body))
    body = [
        *_minors(m, "2", "3"),
        *(_cofactor(m.scalar, t, row) for row in _COFACTORS if row.startswith("c") and row[2] == "0"),
        "return a.m[3][0] * c30 + a.m[2][0] * c20 + a.m[1][0] * c10 + a.m[0][0] * c00;",
    ]
    comment = "Laplace expansion by the first column; the 2x2 minors are kept in double."
    return Helper(function(t, "determinant", parameters, body, comment))


_PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))

# cofactor name: (column of a, [(sign, row of a, minor)…]) in the order in which Warp adds them.
_COFACTORS: dict[str, tuple[int, str]] = {
    "c30": (1, "+1 02, -2 01, -0 12"),
    "c20": (1, "+0 13, -1 03, +3 01"),
    "c10": (1, "+2 03, -3 02, -0 23"),
    "c00": (1, "+1 23, -2 13, +3 12"),
    "c31": (0, "+0 12, -1 02, +2 01"),
    "c21": (0, "+1 03, -3 01, -0 13"),
    "c11": (0, "+0 23, -2 03, +3 02"),
    "c01": (0, "+2 13, -3 12, -1 23"),
    "c33": (2, "+0 12, -1 02, +2 01"),
    "c23": (2, "+1 03, -3 01, -0 13"),
    "c13": (2, "+0 23, -2 03, +3 02"),
    "c03": (2, "+2 13, -3 12, -1 23"),
    "c32": (3, "+1 02, -2 01, -0 12"),
    "c22": (3, "+0 13, -1 03, +3 01"),
    "c12": (3, "+2 03, -3 02, -0 23"),
    "c02": (3, "+1 23, -2 13, +3 12"),
}


def _minors(type: Matrix, left: str, right: str, prefix: str = "d") -> list[str]:
    """The six 2x2 minors of two columns."""
    return [
        f"const double {prefix}{i}{j} = a.m[{i}][{left}] * a.m[{j}][{right}] - "
        f"a.m[{j}][{left}] * a.m[{i}][{right}];"
        for i, j in _PAIRS
    ]


def _by_double(scalar: Scalar, value: str, factor: str) -> str:
    """A product with a double. Of a 16-bit float it is rounded to float, then to 16 bits, as Warp does."""
    if scalar.bytes > 2:
        return f"{value} * {factor}"
    return f"{c_type(scalar)}(float(float({value}) * {factor}))"


def _cofactor(scalar: Scalar, t: str, name: str, prefix: str = "d") -> str:
    column, terms = _COFACTORS[name]
    text = ""
    for term in terms.split(", "):
        sign, row_, minor = term[0], term[1], term[3:]
        product_ = _by_double(scalar, f"a.m[{row_}][{column}]", f"{prefix}{minor}")
        text = product_ if not text else f"{text} {sign} {product_}"
    return f"const {t} {name} = {text};"


def inverse(type: Type, approximate: bool = False) -> Helper:
    """Warp: inverse of 2x2, 3x3 and 4x4 matrices; a singular matrix gives zero."""
    m = as_matrix(type)
    t, zero, one = c_type(m.scalar), number(0, m.scalar), number(1, m.scalar)
    name = "inverse_approximately" if approximate else "inverse"
    reciprocal = f"__fdividef({one}, det)" if approximate else f"({one} / det)"
    parameters = [(passed(m), "a")]
    empty = f"{c_type(m)}{{}}"
    comment = "The zero matrix if a is singular."
    if m.rows == 2:
        body = [
            f"const {t} det = determinant(a);",
            f"if (det == {zero} || {math_call('isnan', m.scalar, 'det')}) return {empty};",
            f"return {construct(m, ['a.m[1][1]', '-a.m[0][1]', '-a.m[1][0]', 'a.m[0][0]'])} * {reciprocal};",
        ]
        needs = (("determinant", (type,)), ("operator*", (type, m.scalar)))
        return Helper(function(c_type(m), name, parameters, body, comment), needs)
    if m.rows == 3:
        body = [
            f"const {t} det = determinant(a);",
            f"if (det == {zero}) return {empty};",
            f"{c_type(m)} b;",
        ]
        for i in range(3):
            for j in range(3):
                p, q = (j + 1) % 3, (j + 2) % 3
                r, s = (i + 1) % 3, (i + 2) % 3
                body.append(f"b.m[{i}][{j}] = {_adjugate(p, q, r, s)};")
        body.append(f"return b * {reciprocal};")
        needs = (("determinant", (type,)), ("operator*", (type, m.scalar)))
        return Helper(function(c_type(m), name, parameters, body, comment), needs)
    return Helper(function(c_type(m), name, parameters, _inverse4(m), comment))


def _adjugate(p: int, q: int, r: int, s: int) -> str:
    """The 2x2 minor of rows p, q and columns r, s, its factors ordered by row."""
    if p < q:
        return f"a.m[{p}][{r}] * a.m[{q}][{s}] - a.m[{p}][{s}] * a.m[{q}][{r}]"
    return f"a.m[{q}][{s}] * a.m[{p}][{r}] - a.m[{q}][{r}] * a.m[{p}][{s}]"


def _inverse4(m: Matrix) -> list[str]:
    """Cofactors by minors of column pairs; those of the last two columns stay in double."""
    t = c_type(m.scalar)
    lines = ["// 2x2 minors of columns 0 and 1 (e) and of columns 2 and 3 (d), by pairs of rows"]
    lines += _minors(m, "0", "1", "e")
    lines += _minors(m, "2", "3", "d")
    for name in _FIRST:
        lines.append(_cofactor(m.scalar, t, name))
    for name in ("c33", "c23", "c13", "c03", "c32", "c22", "c12", "c02"):
        lines.append(_cofactor(m.scalar, "double", name, "e"))
    lines += [
        "const double det = a.m[3][0] * c30 + a.m[2][0] * c20 + a.m[1][0] * c10 + a.m[0][0] * c00;",
        f"if (!(fabs(det) > 0.0)) return {c_type(m)}{{}};",
        "const double s = 1.0 / det;",
    ]
    values = [_scaled(m.scalar, f"c{j}{i}") for i in range(4) for j in range(4)]
    return [*lines, *returned(m, values)]


_FIRST = ("c30", "c20", "c10", "c00", "c31", "c21", "c11", "c01")
"""The cofactors that have the matrix's own type; the others stay in double."""


def _scaled(scalar: Scalar, cofactor: str) -> str:
    """A cofactor divided by the determinant."""
    if scalar.bytes > 2:
        return f"{cofactor} * s" if scalar.bytes == 8 else f"{c_type(scalar)}({cofactor} * s)"
    if cofactor in _FIRST:
        return _by_double(scalar, cofactor, "s")
    return f"{c_type(scalar)}(float({cofactor} * s))"


INVERSE_HELPERS: dict[str, Callable[..., Helper]] = {
    "determinant": determinant,
    "inverse": inverse,
    "inverse_approximately": functools.partial(inverse, approximate=True),
}
