"""Helpers on matrices, in Warp's order of operations."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import (
    Helper,
    function,
    math_function,
    narrow,
    number,
    parts,
    passed,
    returned,
    scalar_of,
)
from weft.types import Matrix, Scalar, Type, Vector


def as_matrix(type: Type) -> Matrix:
    assert isinstance(type, Matrix)
    return type


def _vector(type: Type) -> Vector:
    assert isinstance(type, Vector)
    return type


def _row(values: list[str], components: list[str], scalar: Scalar) -> str:
    return narrow(" + ".join(f"{a} * {b}" for a, b in zip(values, components, strict=True)), scalar)


def times_vector(left: Type, right: Type) -> Helper:
    """Matrix times vector: products summed along each row, without fused multiply-add."""
    m, v = as_matrix(left), _vector(right)
    result = Vector(m.rows, m.scalar)
    parameters = [(passed(m), "a"), (passed(v), "b")]
    if m.rows <= 4 and m.columns <= 4:
        elements = [[f"a.m[{i}][{j}]" for j in range(m.columns)] for i in range(m.rows)]
        rows = [_row(row, parts("b", v), m.scalar) for row in elements]
        return Helper(function(c_type(result), "operator*", parameters, returned(result, rows)))
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
    v, m = _vector(left), as_matrix(right)
    result = Vector(m.columns, m.scalar)
    elements = [[f"a.m[{i}][{j}]" for i in range(m.rows)] for j in range(m.columns)]
    columns = [_row(column, parts("b", v), m.scalar) for column in elements]
    parameters = [(passed(v), "b"), (passed(m), "a")]
    return Helper(function(c_type(result), "operator*", parameters, returned(result, columns)))


def _accumulate(scalar: Scalar, a: str, b: str, total: str) -> str:
    if scalar.name in ("float32", "float64"):
        return f"{math_function('fma', scalar)}({a}, {b}, {total})"
    return f"{total} + {a} * {b}"


def product(left: Type, right: Type) -> Helper:
    """Matrix times matrix, accumulated with fused multiply-add from zero."""
    a, b = as_matrix(left), as_matrix(right)
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
    m = as_matrix(left)
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
    m = as_matrix(type)
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
    return Helper(function(c_type(result), "outer", parameters, returned(result, values)))


def skew(type: Type) -> Helper:
    """Warp: skew."""
    v = _vector(type)
    zero = number(0, v.scalar)
    result = Matrix(3, 3, v.scalar)
    x, y, z = (narrow(f"-a.{name}", v.scalar) for name in "xyz")
    values = [zero, z, "a.y", "a.z", zero, x, y, "a.x", zero]
    comment = "The matrix whose product with b is the cross product of a and b."
    return Helper(function(c_type(result), "skew", [(passed(v), "a")], returned(result, values), comment))


def diagonal_matrix(type: Type) -> Helper:
    """Warp: diag."""
    v = _vector(type)
    zero = number(0, v.scalar)
    result = Matrix(v.length, v.length, v.scalar)
    names = parts("a", v)
    values = [names[i] if i == j else zero for i in range(v.length) for j in range(v.length)]
    return Helper(function(c_type(result), "diagonal_matrix", [(passed(v), "a")], returned(result, values)))


def diagonal(type: Type) -> Helper:
    """Warp: get_diag."""
    m = as_matrix(type)
    result = Vector(m.rows, m.scalar)
    body = returned(result, [f"a.m[{i}][{i}]" for i in range(m.rows)])
    return Helper(function(c_type(result), "diagonal", [(passed(m), "a")], body))


def trace(type: Type) -> Helper:
    """Warp: trace."""
    m = as_matrix(type)
    value = " + ".join(f"a.m[{i}][{i}]" for i in range(m.rows))
    return Helper(function(c_type(m.scalar), "trace", [(passed(m), "a")], [f"return {value};"]))


def row(type: Type, index: Type) -> Helper:
    """A row of a matrix as a vector."""
    m = as_matrix(type)
    result = Vector(m.columns, m.scalar)
    body = returned(result, [f"a.m[i][{j}]" for j in range(m.columns)])
    return Helper(function(c_type(result), "row", [(passed(m), "a"), ("int", "i")], body))


def set_row(type: Type, value: Type) -> Helper:
    """Overwrite a row of a matrix."""
    m = as_matrix(type)
    v = Vector(m.columns, m.scalar)
    body = [f"a.m[i][{j}] = {part};" for j, part in enumerate(parts("v", v))]
    parameters = [(f"{c_type(m)}&", "a"), ("int", "i"), (passed(v), "v")]
    return Helper(function("void", "set_row", parameters, body))


def identity(type: Type) -> Helper:
    """Warp: identity."""
    m = as_matrix(type)
    one, zero = number(1, m.scalar), number(0, m.scalar)
    values = [one if i == j else zero for i in range(m.rows) for j in range(m.columns)]
    return Helper(function(c_type(m), f"identity_{c_type(m)}", [], returned(m, values)))


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
        return Helper(function(c_type(result), f"matrix_from_{by}", parameters, returned(result, values)))

    return helper


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
}
