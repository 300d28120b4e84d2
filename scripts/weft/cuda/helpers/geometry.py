"""Helpers on points, segments and triangles."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import Helper, Request, function, math_function, number, scalar_of
from weft.types import Scalar, Type, Vector

FLOAT = Scalar("float32")


def lone_vertex(scalar: Type) -> Helper:
    """Which corner of a triangle is alone on its side of a plane."""
    zero = number(0, scalar_of(scalar))
    body = [
        f"if (d[0] * d[1] > {zero}) return 2;",
        f"if (d[0] * d[2] > {zero}) return 1;",
        f"if (d[1] * d[2] > {zero} || d[0] != {zero}) return 0;",
        f"return d[1] != {zero} ? 1 : d[2] != {zero} ? 2 : -1;",
    ]
    comment = (
        "The corner alone on its side of a plane at distances d from the corners; -1 if all are in the plane."
    )
    return Helper(function("int", "lone_vertex", [(f"const {c_type(scalar)}*", "d")], body, comment))


def crossing(vector: Type) -> Helper:
    """Where a triangle meets the line in which two planes cross."""
    t = c_type(scalar_of(vector))
    body = [
        "const int j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;",
        f"const {t} p = component(corners[i], axis);",
        f"const {t} b = component(corners[j], axis) - p, c = component(corners[k], axis) - p;",
        "return {p, b * d[i], c * d[i], d[i] - d[j], d[i] - d[k]};",
    ]
    struct = f"struct {_cut(vector)} {{\n    {t} p, b, c, x, y;\n}};"
    parameters = [
        (f"const {c_type(vector)}*", "corners"),
        (f"const {t}*", "d"),
        ("int", "i"),
        ("int", "axis"),
    ]
    comment = (
        "A triangle, whose corner i is alone on its side, meets a plane between p + b / x and p + c / y, "
        "measured along an axis."
    )
    text = function(_cut(vector), "cut_triangle", parameters, body, comment, struct)
    return Helper(text, (("component", (vector,)),))


def _cut(vector: Type) -> str:
    return "TriangleCut" + c_type(vector)[0]


def edges_cross(point: Type) -> Helper:
    """Whether two edges in a plane cross."""
    s = scalar_of(point)
    t, zero, p = c_type(s), number(0, s), c_type(point)
    body = [
        f"const {t} ax = q.x - p.x, ay = q.y - p.y;",
        f"const {t} bx = r.x - s.x, by = r.y - s.y;",
        f"const {t} cx = p.x - r.x, cy = p.y - r.y;",
        f"const {t} f = ay * bx - ax * by, d = by * cx - bx * cy, e = ax * cy - ay * cx;",
        f"if (f > {zero}) return d >= {zero} && d <= f && e >= {zero} && e <= f;",
        f"return f < {zero} && d <= {zero} && d >= f && e <= {zero} && e >= f;",
    ]
    comment = "Whether the edges p q and r s cross (Antonio, Graphics Gems III)."
    return Helper(function("bool", "edges_cross", [(p, name) for name in "pqrs"], body, comment))


def inside_triangle(point: Type) -> Helper:
    """Whether a point of a plane is inside a triangle."""
    s = scalar_of(point)
    t, zero, p = c_type(s), number(0, s), c_type(point)
    body = [
        f"{t} side[3];",
        "for (int i = 0; i < 3; ++i) {",
        f"    const {p} u = corners[i], v = corners[(i + 1) % 3];",
        f"    const {t} a = v.y - u.y, b = -(v.x - u.x), c = -a * u.x - b * u.y;",
        "    side[i] = a * p.x + b * p.y + c;",
        "}",
        f"return side[0] * side[1] > {zero} && side[0] * side[2] > {zero};",
    ]
    parameters = [(p, "p"), (f"const {p}*", "corners")]
    comment = "Whether p is strictly inside: on one side of all three edges."
    return Helper(function("bool", "inside_triangle", parameters, body, comment))


def coplanar_triangles_meet(vector: Type) -> Helper:
    """Whether two triangles in one plane meet."""
    s = scalar_of(vector)
    v, p = c_type(vector), c_type(Vector(2, s))
    absolute = math_function("fabs", s)
    body = [
        f"const {c_type(s)} x = {absolute}(normal.x), y = {absolute}(normal.y), z = {absolute}(normal.z);",
        "const int dropped = x > y ? (x > z ? 0 : 2) : (z > y ? 2 : 1);",
        f"{p} a[3], b[3];",
        "for (int i = 0; i < 3; ++i) {",
        f"    a[i] = make_{p}(dropped == 0 ? v[i].y : v[i].x, dropped == 2 ? v[i].y : v[i].z);",
        f"    b[i] = make_{p}(dropped == 0 ? u[i].y : u[i].x, dropped == 2 ? u[i].y : u[i].z);",
        "}",
        "for (int i = 0; i < 3; ++i) {",
        "    for (int j = 0; j < 3; ++j) {",
        "        if (edges_cross(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3])) return true;",
        "    }",
        "}",
        "return inside_triangle(a[0], b) || inside_triangle(b[0], a);",
    ]
    parameters = [(v, "normal"), (f"const {v}*", "v"), (f"const {v}*", "u")]
    comment = "Projects two triangles of one plane along the main axis of its normal, where they are largest."
    text = function("bool", "coplanar_triangles_meet", parameters, body, comment)
    return Helper(text, (("edges_cross", (Vector(2, s),)), ("inside_triangle", (Vector(2, s),))))


def distances_to_plane(vector: Type) -> Helper:
    """The distances of a triangle's corners from another one's plane."""
    s = scalar_of(vector)
    t, v = c_type(s), c_type(vector)
    near = "<= 1e-6f" if s == FLOAT else "< 1e-6"
    body = [
        "for (int i = 0; i < 3; ++i) {",
        f"    const {t} distance = dot(normal, corners[i]) - dot(normal, origin);",
        f"    d[i] = {math_function('fabs', s)}(distance) {near} ? {number(0, s)} : distance;",
        "}",
    ]
    parameters = [(v, "normal"), (v, "origin"), (f"const {v}*", "corners"), (f"{t}*", "d")]
    comment = "How far the corners are from the plane, times the normal's length; 0 if they nearly touch it."
    text = function("void", "distances_to_plane", parameters, body, comment)
    return Helper(text, (("dot", (vector, vector)),))


def intersect_tri_tri(*types: Type) -> Helper:
    """Warp: intersect_tri_tri."""
    vector = types[0]
    s = scalar_of(vector)
    t, v, zero, absolute = c_type(s), c_type(vector), number(0, s), math_function("fabs", s)
    cut = _cut(vector)
    body = [
        f"const {v} v[3] = {{v0, v1, v2}}, u[3] = {{u0, u1, u2}};",
        f"const {v} n = cross(v1 - v0, v2 - v0), m = cross(u1 - u0, u2 - u0);",
        f"{t} dv[3], du[3];",
        "distances_to_plane(n, v0, u, du);",
        f"if (du[0] * du[1] > {zero} && du[0] * du[2] > {zero}) return 0;",
        "distances_to_plane(m, u0, v, dv);",
        f"if (dv[0] * dv[1] > {zero} && dv[0] * dv[2] > {zero}) return 0;",
        "",
        "const int i = lone_vertex(dv), j = lone_vertex(du);",
        "if (i < 0 || j < 0) return coplanar_triangles_meet(n, v, u);",
        "",
        "// Each triangle meets the line that the planes share in an interval, compared along its main axis.",
        f"const {v} line = cross(n, m);",
        f"{t} largest = {absolute}(line.x);",
        "int axis = 0;",
        f"if ({absolute}(line.y) > largest) axis = 1, largest = {absolute}(line.y);",
        f"if ({absolute}(line.z) > largest) axis = 2;",
        f"const {cut} a = cut_triangle(v, dv, i, axis), b = cut_triangle(u, du, j, axis);",
        f"const {t} ax = a.x * a.y, bx = b.x * b.y, common = ax * bx;  // no division: all times this",
        f"const {t} a0 = a.p * common + a.b * a.y * bx, a1 = a.p * common + a.c * a.x * bx;",
        f"const {t} b0 = b.p * common + b.b * ax * b.y, b1 = b.p * common + b.c * ax * b.x;",
        f"const {t} a_low = a0 > a1 ? a1 : a0, a_high = a0 > a1 ? a0 : a1;",
        f"const {t} b_low = b0 > b1 ? b1 : b0, b_high = b0 > b1 ? b0 : b1;",
        "return a_high < b_low || b_high < a_low ? 0 : 1;",
    ]
    parameters = [(v, name) for name in ("v0", "v1", "v2", "u0", "u1", "u2")]
    comment = "1 if two triangles meet, else 0 (Moeller, A Fast Triangle-Triangle Intersection Test, 1997)."
    needs: tuple[Request, ...] = (
        ("operator-", (vector, vector)),
        ("cross", (vector, vector)),
        ("distances_to_plane", (vector,)),
        ("lone_vertex", (s,)),
        ("coplanar_triangles_meet", (vector,)),
        ("cut_triangle", (vector,)),
    )
    return Helper(function("int", "intersect_tri_tri", parameters, body, comment), needs)


GEOMETRY_HELPERS: dict[str, Callable[..., Helper]] = {
    "lone_vertex": lone_vertex,
    "cut_triangle": crossing,
    "edges_cross": edges_cross,
    "inside_triangle": inside_triangle,
    "coplanar_triangles_meet": coplanar_triangles_meet,
    "distances_to_plane": distances_to_plane,
    "intersect_tri_tri": intersect_tri_tri,
}
