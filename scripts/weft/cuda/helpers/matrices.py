"""Helpers on matrices, in Warp's order of operations."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import (
    Helper,
    Request,
    define,
    giving,
    math_function,
    narrow,
    number,
    parts,
    passed,
)
from weft.types import Matrix, Scalar, Type, Vector


def _row(values: list[str], components: list[str], scalar: Scalar) -> str:
    return narrow(" + ".join(f"{a} * {b}" for a, b in zip(values, components, strict=True)), scalar)


def times_vector(m: Matrix, v: Vector) -> Helper:
    """Matrix times vector: products summed along each row, without fused multiply-add."""
    result, head = Vector(m.rows, m.scalar), f"operator*({passed(m)} a, {passed(v)} b)"
    if m.rows <= 4 and m.columns <= 4:
        elements = [[f"a.m[{i}][{j}]" for j in range(m.columns)] for i in range(m.rows)]
        return giving(result, head, [_row(row, parts("b", v), m.scalar) for row in elements])
    needs: list[Request] = []
    b, c = "b.v[{}]", "c.v[i]"
    if v.length <= 4:
        b, needs = "component(b, {})", [("component", (v,))]
    if result.length <= 4:
        c, needs = "component_ref(c, i)", [*needs, ("component_ref", (result,))]
    body = [
        f"{c_type(result)} c;",
        f"for (int i = 0; i < {m.rows}; ++i) {{",
        f"    {c_type(m.scalar)} sum = a.m[i][0] * {b.format(0)};",
        f"    for (int j = 1; j < {m.columns}; ++j) sum += a.m[i][j] * {b.format('j')};",
        f"    {c} = sum;",
        "}",
        "return c;",
    ]
    return define(f"{c_type(result)} {head}", body, needs=needs)


def vector_times(v: Vector, m: Matrix) -> Helper:
    """Vector times matrix: products summed along each column."""
    elements = [[f"a.m[{i}][{j}]" for i in range(m.rows)] for j in range(m.columns)]
    columns = [_row(column, parts("b", v), m.scalar) for column in elements]
    return giving(Vector(m.columns, m.scalar), f"operator*({passed(v)} b, {passed(m)} a)", columns)


def _accumulate(scalar: Scalar, a: str, b: str) -> str:
    if scalar.name in ("float32", "float64"):
        return f"{math_function('fma', scalar)}({a}, {b}, sum)"
    return f"sum + {a} * {b}"


def product(a: Matrix, b: Matrix) -> Helper:
    """Matrix times matrix, accumulated with fused multiply-add from zero."""
    result = c_type(Matrix(a.rows, b.columns, a.scalar))
    body = [
        f"{result} c;",
        f"for (int i = 0; i < {a.rows}; ++i) {{",
        f"    for (int j = 0; j < {b.columns}; ++j) {{",
        f"        {c_type(a.scalar)} sum = {number(0, a.scalar)};",
        f"        for (int k = 0; k < {a.columns}; ++k) "
        f"sum = {_accumulate(a.scalar, 'a.m[i][k]', 'b.m[k][j]')};",
        "        c.m[i][j] = sum;",
        "    }",
        "}",
        "return c;",
    ]
    return define(f"{result} operator*({passed(a)} a, {passed(b)} b)", body)


def double_dot(m: Matrix, other: Matrix) -> Helper:
    """Warp: ddot."""
    body = [
        f"{c_type(m.scalar)} sum = {number(0, m.scalar)};",
        f"for (int i = 0; i < {m.rows}; ++i) {{",
        f"    for (int j = 0; j < {m.columns}; ++j) sum = {_accumulate(m.scalar, 'a.m[i][j]', 'b.m[i][j]')};",
        "}",
        "return sum;",
    ]
    head = f"{c_type(m.scalar)} double_dot({passed(m)} a, {passed(other)} b)"
    return define(head, body, "Sum of products of elements.")


def transpose(m: Matrix) -> Helper:
    """Warp: transpose."""
    result = c_type(Matrix(m.columns, m.rows, m.scalar))
    body = [
        f"{result} b;",
        f"for (int i = 0; i < {m.columns}; ++i) {{",
        f"    for (int j = 0; j < {m.rows}; ++j) b.m[i][j] = a.m[j][i];",
        "}",
        "return b;",
    ]
    return define(f"{result} transpose({passed(m)} a)", body)


def outer(a: Vector, b: Vector) -> Helper:
    """Warp: outer."""
    values = [narrow(f"{x} * {y}", a.scalar) for x in parts("a", a) for y in parts("b", b)]
    return giving(Matrix(a.length, b.length, a.scalar), f"outer({passed(a)} a, {passed(b)} b)", values)


def skew(v: Vector) -> Helper:
    """Warp: skew."""
    zero = number(0, v.scalar)
    x, y, z = (narrow(f"-a.{name}", v.scalar) for name in "xyz")
    values = [zero, z, "a.y", "a.z", zero, x, y, "a.x", zero]
    comment = "The matrix whose product with b is the cross product of a and b."
    return giving(Matrix(3, 3, v.scalar), f"skew({passed(v)} a)", values, comment)


def diagonal_matrix(v: Vector) -> Helper:
    """Warp: diag."""
    zero, names, n = number(0, v.scalar), parts("a", v), v.length
    values = [names[i] if i == j else zero for i in range(n) for j in range(n)]
    return giving(Matrix(n, n, v.scalar), f"diagonal_matrix({passed(v)} a)", values)


def diagonal(m: Matrix) -> Helper:
    """Warp: get_diag."""
    values = [f"a.m[{i}][{i}]" for i in range(m.rows)]
    return giving(Vector(m.rows, m.scalar), f"diagonal({passed(m)} a)", values)


def trace(m: Matrix) -> Helper:
    """Warp: trace."""
    value = " + ".join(f"a.m[{i}][{i}]" for i in range(m.rows))
    return define(f"{c_type(m.scalar)} trace({passed(m)} a)", [f"return {value};"])


def row(m: Matrix, index: Type) -> Helper:
    """A row of a matrix as a vector."""
    values = [f"a.m[i][{j}]" for j in range(m.columns)]
    return giving(Vector(m.columns, m.scalar), f"row({passed(m)} a, int i)", values)


def set_row(m: Matrix, value: Type) -> Helper:
    """Overwrite a row of a matrix."""
    v = Vector(m.columns, m.scalar)
    body = [f"a.m[i][{j}] = {part};" for j, part in enumerate(parts("v", v))]
    return define(f"void set_row({c_type(m)}& a, int i, {passed(v)} v)", body)


def identity(m: Matrix) -> Helper:
    """Warp: identity."""
    values = [number(int(i == j), m.scalar) for i in range(m.rows) for j in range(m.columns)]
    return giving(m, f"identity_{c_type(m)}()", values)


def from_rows(*vectors: Vector) -> Helper:
    """Warp: matrix_from_rows."""
    rows = [parts(name, one) for name, one in zip("abcdefgh", vectors, strict=False)]
    result = Matrix(len(vectors), vectors[0].length, vectors[0].scalar)
    return giving(result, f"matrix_from_rows({_listed(vectors)})", [one for row in rows for one in row])


def from_columns(*vectors: Vector) -> Helper:
    """Warp: matrix_from_cols."""
    columns = [parts(name, one) for name, one in zip("abcdefgh", vectors, strict=False)]
    result = Matrix(vectors[0].length, len(vectors), vectors[0].scalar)
    values = [one for row in zip(*columns, strict=True) for one in row]
    return giving(result, f"matrix_from_columns({_listed(vectors)})", values)


def _listed(vectors: tuple[Vector, ...]) -> str:
    return ", ".join(f"{passed(one)} {name}" for name, one in zip("abcdefgh", vectors, strict=False))


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
    "matrix_from_rows": from_rows,
    "matrix_from_columns": from_columns,
}
