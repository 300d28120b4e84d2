"""Helpers on matrices, in Warp's order of operations."""

from __future__ import annotations

import functools
from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import (
    Helper,
    construct,
    function,
    math_call,
    math_function,
    narrow,
    number,
    parts,
    passed,
    returned,
    scalar_of,
)
from weft.types import Matrix, Scalar, Type, Vector


def _matrix(type: Type) -> Matrix:
    assert isinstance(type, Matrix)
    return type


def _vector(type: Type) -> Vector:
    assert isinstance(type, Vector)
    return type


def _row(values: list[str], components: list[str]) -> str:
    return " + ".join(f"{a} * {b}" for a, b in zip(values, components, strict=True))


def times_vector(left: Type, right: Type) -> Helper:
    """Matrix times vector: products summed along each row, without fused multiply-add."""
    m, v = _matrix(left), _vector(right)
    result = Vector(m.rows, m.scalar)
    parameters = [(passed(m), "a"), (passed(v), "b")]
    if m.rows <= 4 and m.columns <= 4:
        rows = [_row([f"a.m[{i}][{j}]" for j in range(m.columns)], parts("b", v)) for i in range(m.rows)]
        return Helper(function(c_type(result), "operator*", parameters, returned(construct(result, rows))))
    b = "b.v[{}]" if v.length > 4 else "component(b, {})"
    needs = () if v.length > 4 else (("component", (right,)),)
    c = "c.v[i]" if result.length > 4 else "component_ref(c, i)"
    if result.length <= 4:
        needs = (*needs, ("component_ref", (result,)))
    body = [
        f"{c_type(result)} c;",
        f"for (int i = 0; i < {m.rows}; ++i) {{",
        f"    {c_type(m.scalar)} sum = a.m[i][0] * {b.format(0)};",
        f"    for (int j = 1; j < {m.columns}; ++j) sum += a.m[i][j] * {b.format('j')};",
        f"    {c} = sum;",
        "}",
        "return c;",
    ]
    return Helper(function(c_type(result), "operator*", parameters, body), needs)


def vector_times(left: Type, right: Type) -> Helper:
    """Vector times matrix: products summed along each column."""
    v, m = _vector(left), _matrix(right)
    result = Vector(m.columns, m.scalar)
    columns = [_row([f"a.m[{i}][{j}]" for i in range(m.rows)], parts("b", v)) for j in range(m.columns)]
    parameters = [(passed(v), "b"), (passed(m), "a")]
    return Helper(function(c_type(result), "operator*", parameters, returned(construct(result, columns))))


def _accumulate(scalar: Scalar, a: str, b: str, total: str) -> str:
    if scalar.name in ("float32", "float64"):
        return f"{math_function('fma', scalar)}({a}, {b}, {total})"
    return f"{total} + {a} * {b}"


def product(left: Type, right: Type) -> Helper:
    """Matrix times matrix, accumulated with fused multiply-add from zero."""
    a, b = _matrix(left), _matrix(right)
    result = Matrix(a.rows, b.columns, a.scalar)
    term = _accumulate(a.scalar, "a.m[i][k]", "b.m[k][j]", "sum")
    body = [
        f"{c_type(result)} c;",
        f"for (int i = 0; i < {a.rows}; ++i) {{",
        f"    for (int j = 0; j < {b.columns}; ++j) {{",
        f"        {c_type(a.scalar)} sum = {number(0, a.scalar)};",
        f"        for (int k = 0; k < {a.columns}; ++k) sum = {term};",
        "        c.m[i][j] = sum;",
        "    }",
        "}",
        "return c;",
    ]
    return Helper(function(c_type(result), "operator*", [(passed(a), "a"), (passed(b), "b")], body))


def double_dot(left: Type, right: Type) -> Helper:
    """Warp: ddot."""
    m = _matrix(left)
    term = _accumulate(m.scalar, "a.m[i][j]", "b.m[i][j]", "sum")
    body = [
        f"{c_type(m.scalar)} sum = {number(0, m.scalar)};",
        f"for (int i = 0; i < {m.rows}; ++i) {{",
        f"    for (int j = 0; j < {m.columns}; ++j) sum = {term};",
        "}",
        "return sum;",
    ]
    parameters = [(passed(left), "a"), (passed(right), "b")]
    return Helper(function(c_type(m.scalar), "double_dot", parameters, body, "Sum of products of elements."))


def transpose(type: Type) -> Helper:
    """Warp: transpose."""
    m = _matrix(type)
    result = Matrix(m.columns, m.rows, m.scalar)
    body = [
        f"{c_type(result)} b;",
        f"for (int i = 0; i < {m.columns}; ++i) {{",
        f"    for (int j = 0; j < {m.rows}; ++j) b.m[i][j] = a.m[j][i];",
        "}",
        "return b;",
    ]
    return Helper(function(c_type(result), "transpose", [(passed(m), "a")], body))


def outer(left: Type, right: Type) -> Helper:
    """Warp: outer."""
    a, b = _vector(left), _vector(right)
    result = Matrix(a.length, b.length, a.scalar)
    values = [narrow(f"{x} * {y}", a.scalar) for x in parts("a", a) for y in parts("b", b)]
    parameters = [(passed(a), "a"), (passed(b), "b")]
    return Helper(function(c_type(result), "outer", parameters, _nested(result, values)))


def _nested(type: Matrix, values: list[str]) -> list[str]:
    """`return` of a matrix, one row a line."""
    rows = [", ".join(values[i * type.columns : (i + 1) * type.columns]) for i in range(type.rows)]
    head = f"return {c_type(type)}{{{{"
    one = head + ", ".join(f"{{{row}}}" for row in rows) + "}};"
    if len(one) <= 100:
        return [one]
    pad = " " * len(head)
    lines = [f"{pad}{{{row}}}," for row in rows]
    lines[0] = head + lines[0].lstrip()
    lines[-1] = lines[-1][:-1] + "}};"
    return lines


def skew(type: Type) -> Helper:
    """Warp: skew."""
    v = _vector(type)
    zero = number(0, v.scalar)
    result = Matrix(3, 3, v.scalar)
    values = [zero, "-a.z", "a.y", "a.z", zero, "-a.x", "-a.y", "a.x", zero]
    comment = "The matrix whose product with b is the cross product of a and b."
    return Helper(function(c_type(result), "skew", [(passed(v), "a")], _nested(result, values), comment))


def diagonal_matrix(type: Type) -> Helper:
    """Warp: diag."""
    v = _vector(type)
    zero = number(0, v.scalar)
    result = Matrix(v.length, v.length, v.scalar)
    names = parts("a", v)
    values = [names[i] if i == j else zero for i in range(v.length) for j in range(v.length)]
    return Helper(function(c_type(result), "diagonal_matrix", [(passed(v), "a")], _nested(result, values)))


def diagonal(type: Type) -> Helper:
    """Warp: get_diag."""
    m = _matrix(type)
    result = Vector(m.rows, m.scalar)
    value = construct(result, [f"a.m[{i}][{i}]" for i in range(m.rows)])
    return Helper(function(c_type(result), "diagonal", [(passed(m), "a")], returned(value)))


def trace(type: Type) -> Helper:
    """Warp: trace."""
    m = _matrix(type)
    value = " + ".join(f"a.m[{i}][{i}]" for i in range(m.rows))
    return Helper(function(c_type(m.scalar), "trace", [(passed(m), "a")], [f"return {value};"]))


def row(type: Type, index: Type) -> Helper:
    """A row of a matrix as a vector."""
    m = _matrix(type)
    result = Vector(m.columns, m.scalar)
    value = construct(result, [f"a.m[i][{j}]" for j in range(m.columns)])
    return Helper(function(c_type(result), "row", [(passed(m), "a"), ("int", "i")], returned(value)))


def set_row(type: Type, value: Type) -> Helper:
    """Overwrite a row of a matrix."""
    m = _matrix(type)
    v = Vector(m.columns, m.scalar)
    body = [f"a.m[i][{j}] = {part};" for j, part in enumerate(parts("v", v))]
    parameters = [(f"{c_type(m)}&", "a"), ("int", "i"), (passed(v), "v")]
    return Helper(function("void", "set_row", parameters, body))


def identity(type: Type) -> Helper:
    """Warp: identity."""
    m = _matrix(type)
    one, zero = number(1, m.scalar), number(0, m.scalar)
    values = [one if i == j else zero for i in range(m.rows) for j in range(m.columns)]
    return Helper(function(c_type(m), f"identity_{c_type(m)}", [], _nested(m, values)))


def from_vectors(by: str) -> Callable[..., Helper]:
    """Warp: matrix_from_rows and matrix_from_cols."""

    def helper(*types: Type) -> Helper:
        vector = _vector(types[0])
        names = "abcdefgh"[: len(types)]
        vectors = [parts(name, vector) for name in names]
        if by == "rows":
            result = Matrix(len(types), vector.length, vector.scalar)
            values = [component for one in vectors for component in one]
        else:
            result = Matrix(vector.length, len(types), vector.scalar)
            values = [one[i] for i in range(vector.length) for one in vectors]
        parameters = [(passed(vector), name) for name in names]
        return Helper(function(c_type(result), f"matrix_from_{by}", parameters, _nested(result, values)))

    return helper


def determinant(type: Type) -> Helper:
    """Warp: determinant of 2x2, 3x3 and 4x4 matrices."""
    m = _matrix(type)
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
    m = _matrix(type)
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
    return [*lines, *_nested(m, values)]


_FIRST = ("c30", "c20", "c10", "c00", "c31", "c21", "c11", "c01")
"""The cofactors that have the matrix's own type; the others stay in double."""


def _scaled(scalar: Scalar, cofactor: str) -> str:
    """A cofactor divided by the determinant."""
    if scalar.bytes > 2:
        return f"{cofactor} * s" if scalar.bytes == 8 else f"{c_type(scalar)}({cofactor} * s)"
    if cofactor in _FIRST:
        return _by_double(scalar, cofactor, "s")
    return f"{c_type(scalar)}(float({cofactor} * s))"


def transform_point(type: Type, point: Type) -> Helper:
    """Warp: transform_point by a 4x4 matrix."""
    return _homogeneous(_matrix(type), "transform_point", 1)


def transform_vector(type: Type, vector: Type) -> Helper:
    """Warp: transform_vector by a 4x4 matrix."""
    return _homogeneous(_matrix(type), "transform_vector", 0)


def _homogeneous(m: Matrix, name: str, w: int) -> Helper:
    v = Vector(3, m.scalar)
    fourth = Vector(4, m.scalar)
    body = [
        f"const {c_type(fourth)} b = a * {construct(fourth, ['v.x', 'v.y', 'v.z', number(w, m.scalar)])};",
        f"return {construct(v, ['b.x', 'b.y', 'b.z'])};",
    ]
    text = function(c_type(v), name, [(passed(m), "a"), (c_type(v), "v")], body)
    return Helper(text, (("operator*", (m, fourth)),))


__all__ = ["MATRIX_HELPERS", "product", "scalar_of", "times_vector", "vector_times"]

MATRIX_HELPERS: dict[str, Callable[..., Helper]] = {
    "double_dot": double_dot,
    "transpose": transpose,
    "outer": outer,
    "skew": skew,
    "diagonal_matrix": diagonal_matrix,
    "diagonal": diagonal,
    "trace": trace,
    "row": row,
    "set_row": set_row,
    "identity": identity,
    "matrix_from_rows": from_vectors("rows"),
    "matrix_from_columns": from_vectors("columns"),
    "determinant": determinant,
    "inverse": inverse,
    "inverse_approximately": functools.partial(inverse, approximate=True),
    "transform_point": transform_point,
    "transform_vector": transform_vector,
}
