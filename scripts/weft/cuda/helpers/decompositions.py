"""Decompositions of small matrices.

All are in Warp's order of operations, so that degenerate matrices, whose factors are not unique, get the
same ones. Its method is that of McAdams et al., Computing the Singular Value Decomposition of 3x3 Matrices
with Minimal Branching and Elementary Floating Point Operations (University of Wisconsin, TR1690, 2011): a
fixed number of Jacobi rotations by approximate angles, then Givens rotations.
"""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.results import returning, struct_name
from weft.cuda.helpers.text import (
    Helper,
    Request,
    construct,
    decimal,
    function,
    math_call,
    number,
    scalar_of,
)
from weft.types import Matrix, Scalar, Type, Vector


def _parts(type: Type) -> tuple[Scalar, str, str, str]:
    """The scalar of a matrix; C++ names of the scalar, of the matrix, and of a parameter that takes one."""
    scalar = scalar_of(type)
    return scalar, c_type(scalar), c_type(type), f"const {c_type(type)}&"


def principal_axes(type: Type) -> Helper:
    """The eigenvectors of a symmetric matrix, as Warp finds them."""
    s, t, m, _ = _parts(type)
    zero, one, two = number(0, s), number(1, s), number(2, s)
    limit, cosine, sine = (
        decimal(text, s) for text in ("5.82842712474619", "0.9238795325112867", "0.3826834323650898")
    )
    body = [
        f"{t} x[3] = {{{zero}, {zero}, {zero}}}, w = {one};  // the rotation so far, a quaternion",
        f"for (int turn = 0; turn < {24 if s.name == 'float64' else 12}; ++turn) {{",
        "    const int p = turn % 3, q = (p + 1) % 3, r = (p + 2) % 3;",
        "    // Half the angle that makes off[r] zero, good enough if it is small; else 22.5 degrees.",
        f"    {t} c = {two} * (diagonal[p] - diagonal[q]), s = off[r];",
        f"    const bool small = {limit} * s * s < c * c;",
        f"    const {t} scale = {one} / {math_call('sqrt', s, 'c * c + s * s')};",
        f"    c = small ? scale * c : {cosine};",
        f"    s = small ? scale * s : {sine};",
        "",
        f"    const {t} square = c * c + s * s;",
        f"    const {t} a = (c * c - s * s) / square, b = {two} * s * c / square;",
        f"    const {t} pp = diagonal[p], qq = diagonal[q], pq = off[r], pr = off[q], qr = off[p];",
        "    diagonal[p] = a * (a * pp + b * pq) + b * (a * pq + b * qq);",
        "    diagonal[q] = a * (a * qq - b * pq) - b * (a * pq - b * pp);",
        "    off[r] = a * (a * pq - b * pp) + b * (a * qq - b * pq);",
        "    off[q] = a * pr + b * qr;",
        "    off[p] = a * qr - b * pr;",
        "",
        f"    const {t} xp = x[p], xq = x[q], xr = x[r];",
        "    x[p] = xp * c + xq * s;",
        "    x[q] = xq * c - xp * s;",
        "    x[r] = xr * c + w * s;",
        "    w = w * c - xr * s;",
        "}",
        "",
        f"{m} v;",
        "for (int i = 0; i < 3; ++i) {",
        "    const int j = (i + 1) % 3, k = (i + 2) % 3;",
        f"    v.m[i][i] = {one} - {two} * (x[j] * x[j] + x[k] * x[k]);",
        f"    v.m[i][j] = {two} * (x[i] * x[j] - w * x[k]);",
        f"    v.m[i][k] = {two} * (x[i] * x[k] + w * x[j]);",
        "}",
        "return v;",
    ]
    comment = (
        "Rotation to the principal axes (columns) of a symmetric 3x3 matrix by Jacobi's method, the angles "
        "approximate (McAdams et al. 2011). off[i] is the element that shares no index with i."
    )
    parameters = [(f"{t}*", "diagonal"), (f"{t}*", "off")]
    return Helper(function(m, "principal_axes", parameters, body, comment))


def eig3(type: Type) -> Helper:
    """Warp: eig3."""
    s, t, m, parameter = _parts(type)
    vector = Vector(3, s)
    body = [
        f"{t} diagonal[3] = {{a.m[0][0], a.m[1][1], a.m[2][2]}};",
        f"{t} off[3] = {{a.m[2][1], a.m[2][0], a.m[1][0]}};",
        f"const {m} q = principal_axes(diagonal, off);",
        f"{t} d[3];",
        "for (int i = 0; i < 3; ++i) {",
        f"    {t} row[3];  // of q's transpose times a",
        "    for (int j = 0; j < 3; ++j) {",
        "        row[j] = q.m[0][i] * a.m[0][j] + q.m[1][i] * a.m[1][j] + q.m[2][i] * a.m[2][j];",
        "    }",
        "    d[i] = row[0] * q.m[0][i] + row[1] * q.m[1][i] + row[2] * q.m[2][i];",
        "}",
        f"return {{q, {construct(vector, ['d[0]', 'd[1]', 'd[2]'])}}};",
    ]
    comment = "Eigenvectors (the columns of q) and eigenvalues of a symmetric matrix, in no order."
    text = returning("eig3", s, [type, vector], [(parameter, "a")], body, comment)
    return Helper(text, (("principal_axes", (type,)),))


def givens(scalar: Type) -> Helper:
    """The rotation of a QR decomposition."""
    s = scalar_of(scalar)
    t, zero, one = c_type(s), number(0, s), number(1, s)
    epsilon = decimal("1e-12" if s.name == "float64" else "1e-6", s)
    body = [
        f"const {t} length = {math_call('sqrt', s, 'x * x + y * y')};",
        f"const {t} far = {math_call('fabs', s, 'x')} + {math_call('fmax', s, 'length', epsilon)};",
        f"const {t} near = length > {epsilon} ? y : {zero};",
        f"c = x < {zero} ? near : far;",
        f"s = x < {zero} ? far : near;",
        f"const {t} scale = {one} / {math_call('sqrt', s, 'c * c + s * s')};",
        "c *= scale;",
        "s *= scale;",
    ]
    parameters = [(t, "x"), (t, "y"), (f"{t}&", "c"), (f"{t}&", "s")]
    comment = "Cosine and sine of half the angle that turns (x, y) to the positive x axis."
    return Helper(function("void", "half_angle", parameters, body, comment))


def qr3(type: Type) -> Helper:
    """Warp: qr3."""
    s, t, m, parameter = _parts(type)
    one, two, four, eight = (number(value, s) for value in (1, 2, 4, 8))
    body = [
        f"{m} r = a;",
        f"{t} c[3], s[3], u[3], v[3];",
        "for (int n = 0; n < 3; ++n) {",
        "    const int p = n / 2, q = n == 0 ? 1 : 2;  // clears r[q][p]",
        "    half_angle(r.m[p][p], r.m[q][p], c[n], s[n]);",
        f"    u[n] = {one} - {two} * s[n] * s[n];",
        f"    v[n] = {two} * c[n] * s[n];",
        "    for (int j = 0; j < 3; ++j) {",
        f"        const {t} x = r.m[p][j], y = r.m[q][j];",
        "        r.m[p][j] = u[n] * x + v[n] * y;",
        "        r.m[q][j] = u[n] * y - v[n] * x;",
        "    }",
        "}",
        "",
        f"{m} q;  // the product of the three rotations",
        "q.m[0][0] = u[0] * u[1];",
        f"q.m[0][1] = -{four} * c[1] * c[2] * u[0] * s[1] * s[2] - v[0] * u[2];",
        f"q.m[0][2] = {four} * c[0] * c[2] * s[0] * s[2] - {two} * c[1] * u[0] * s[1] * u[2];",
        "q.m[1][0] = v[0] * u[1];",
        f"q.m[1][1] = u[0] * u[2] - {eight} * c[0] * c[1] * c[2] * s[0] * s[1] * s[2];",
        f"q.m[1][2] = {four} * s[0] * (c[2] * s[0] * s[2] - c[0] * c[1] * s[1] * u[2]) - v[2];",
        "q.m[2][0] = v[1];",
        f"q.m[2][1] = {two} * c[2] * u[1] * s[2];",
        "q.m[2][2] = u[1] * u[2];",
        "return {q, r};",
    ]
    comment = "A rotation q and an upper triangle r whose product is a, by Givens rotations."
    text = returning("qr3", s, [type, type], [(parameter, "a")], body, comment)
    return Helper(text, (("half_angle", (s,)),))


def svd3(type: Type) -> Helper:
    """Warp: svd3."""
    s, t, m, parameter = _parts(type)
    vector = Vector(3, s)
    body = [
        f"{t} diagonal[3], off[3];  // of a's transpose times a",
        "for (int i = 0; i < 3; ++i) {",
        "    const int j = (i + 1) % 3, k = (i + 2) % 3;",
        "    diagonal[i] = a.m[0][i] * a.m[0][i] + a.m[1][i] * a.m[1][i] + a.m[2][i] * a.m[2][i];",
        "    off[i] = a.m[0][j] * a.m[0][k] + a.m[1][j] * a.m[1][k] + a.m[2][j] * a.m[2][k];",
        "}",
        f"{m} v = principal_axes(diagonal, off), b;",
        "for (int i = 0; i < 3; ++i) {",
        "    for (int j = 0; j < 3; ++j) {",
        "        b.m[i][j] = a.m[i][0] * v.m[0][j] + a.m[i][1] * v.m[1][j] + a.m[i][2] * v.m[2][j];",
        "    }",
        "}",
        "",
        "// Columns by falling length; the sign keeps v a rotation.",
        "for (int n = 0; n < 3; ++n) {",
        "    const int p = n / 2, q = n == 0 ? 1 : 2;",
        f"    const {t} first = b.m[0][p] * b.m[0][p] + b.m[1][p] * b.m[1][p] + b.m[2][p] * b.m[2][p];",
        f"    const {t} second = b.m[0][q] * b.m[0][q] + b.m[1][q] * b.m[1][q] + b.m[2][q] * b.m[2][q];",
        "    for (int i = 0; i < 3 && first < second; ++i) {",
        f"        const {t} x = b.m[i][p], y = v.m[i][p];",
        "        b.m[i][p] = b.m[i][q];",
        "        b.m[i][q] = -x;",
        "        v.m[i][p] = v.m[i][q];",
        "        v.m[i][q] = -y;",
        "    }",
        "}",
        f"const {struct_name('qr3', s)} f = qr3(b);",
        f"return {{f.q, {construct(vector, ['f.r.m[0][0]', 'f.r.m[1][1]', 'f.r.m[2][2]'])}, v}};",
    ]
    comment = (
        "Singular values, falling in magnitude, the last one with the sign of a's determinant; u and v are "
        "rotations (McAdams et al. 2011)."
    )
    text = returning("svd3", s, [type, vector, type], [(parameter, "a")], body, comment)
    needs: tuple[Request, ...] = (("principal_axes", (type,)), ("qr3", (type,)))
    return Helper(text, needs)


def svd2(type: Type) -> Helper:
    """Warp: svd2."""
    s, t, _, parameter = _parts(type)
    vector = Vector(2, s)
    zero, one, two, four = (number(value, s) for value in (0, 1, 2, 4))
    half, diagonal = decimal("0.5", s), decimal("0.7071067811865476", s)
    smaller = math_call("sqrt", s, f"(sum - gap) * {half}")
    identity = construct(Matrix(2, 2, s), [one, zero, zero, one])
    body = [
        "// a's transpose times a is [[xx, xy], [xy, yy]].",
        f"const {t} xx = a.m[0][0] * a.m[0][0] + a.m[1][0] * a.m[1][0];",
        f"const {t} xy = a.m[0][0] * a.m[0][1] + a.m[1][0] * a.m[1][1];",
        f"const {t} yy = a.m[0][1] * a.m[0][1] + a.m[1][1] * a.m[1][1];",
        f"const {t} sum = xx + yy, difference = xx - yy;",
        f"const {t} square = difference * difference + {four} * xy * xy;",
        f"if (square == {zero}) {{",
        f"    const {t} sigma = {math_call('sqrt', s, f'{half} * sum')};",
        f"    return {{{identity}, {construct(vector, ['sigma', 'sigma'])}, {identity}}};",
        "}",
        "",
        f"const {t} gap = {math_call('sqrt', s, 'square')};",
        f"const {t} inverse = {one} / {math_call('sqrt', s, f'(sum + gap) * {half}')};",
        f"const {t} x = difference + gap - {two} * xy, y = difference - gap + {two} * xy;",
        f"const {t} length = x * x + y * y;",
        f"{t} vx = {diagonal}, vy = {diagonal};",
        f"if (length != {zero}) {{",
        f"    const {t} scale = {one} / {math_call('sqrt', s, 'length')};",
        "    vx = x * scale;",
        "    vy = y * scale;",
        "}",
        f"const {t} ux = (a.m[0][0] * vx + a.m[0][1] * vy) * inverse;",
        f"const {t} uy = (a.m[1][0] * vx + a.m[1][1] * vy) * inverse;",
        "// u is a reflection where a is one.",
        f"const {t} side = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0] < {zero} ? -{one} : {one};",
        f"return {{{construct(Matrix(2, 2, s), ['ux', '-uy * side', 'uy', 'ux * side'])}, "
        f"{construct(vector, [f'{one} / inverse', smaller])}, "
        f"{construct(Matrix(2, 2, s), ['vx', '-vy', 'vy', 'vx'])}}};",
    ]
    comment = "Singular values, falling, none negative; v is a rotation."
    text = returning("svd2", s, [type, vector, type], [(parameter, "a")], body, comment)
    return Helper(text)


DECOMPOSITION_HELPERS: dict[str, Callable[..., Helper]] = {
    "principal_axes": principal_axes,
    "eig3": eig3,
    "half_angle": givens,
    "qr3": qr3,
    "svd2": svd2,
    "svd3": svd3,
}
