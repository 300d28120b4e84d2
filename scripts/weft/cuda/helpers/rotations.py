"""Rotations in other forms: matrices, angles about axes, Euler angles, and poses as 4x4 matrices."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.device_code import Section
from weft.cuda.helpers.results import returning
from weft.cuda.helpers.text import (
    Helper,
    construct,
    decimal,
    function,
    math_call,
    number,
    passed,
    returned,
    scalar_of,
)
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector


def to_axis_angle(type: Type) -> Helper:
    """Warp: quat_to_axis_angle."""
    scalar = scalar_of(type)
    v, t, zero = Vector(3, scalar), c_type(scalar), number(0, scalar)
    angle = math_call("atan2", scalar, "length(imaginary)", math_call("fabs", scalar, "q.w"))
    body = [
        f"const {c_type(v)} imaginary = {construct(v, ['q.x', 'q.y', 'q.z'])};",
        f"const {c_type(v)} axis = normalize(imaginary);",
        f"const {t} half_angle = {angle};",
        f"return {{q.w < {zero} ? -axis : axis, {number(2, scalar)} * half_angle}};",
    ]
    comment = "Axis and angle of a rotation, the angle in [0, pi]; no axis (zero) where the angle is zero."
    text = returning("quat_to_axis_angle", scalar, [v, scalar], [(c_type(type), "q")], body, comment)
    return Helper(text, (("normalize", (v,)), ("length", (v,)), ("negation", (v,))))


def from_matrix(type: Type) -> Helper:
    """Warp: quat_from_matrix."""
    scalar = scalar_of(type)
    q, t = c_type(Quaternion(scalar)), c_type(scalar)
    zero, one, half = number(0, scalar), number(1, scalar), decimal("0.5", scalar)
    by_trace = math_call("sqrt", scalar, f"trace + {one}")
    by_diagonal = math_call("sqrt", scalar, f"m.m[i][i] - (m.m[j][j] + m.m[k][k]) + {one}")
    body = [
        f"const {t} trace = m.m[0][0] + m.m[1][1] + m.m[2][2];",
        f"if (trace >= {zero}) {{",
        f"    const {t} h = {by_trace};",
        f"    const {t} s = {half} / h;",
        f"    return normalize({q}{{(m.m[2][1] - m.m[1][2]) * s, (m.m[0][2] - m.m[2][0]) * s,",
        f"    (m.m[1][0] - m.m[0][1]) * s, {half} * h}});",
        "}",
        "int i = m.m[1][1] > m.m[0][0] ? 1 : 0;",
        "if (m.m[2][2] > m.m[i][i]) i = 2;",
        "const int j = (i + 1) % 3, k = (i + 2) % 3;",
        f"const {t} h = {by_diagonal};",
        f"const {t} s = {half} / h;",
        f"{t} v[3];",
        f"v[i] = {half} * h;",
        "v[j] = (m.m[i][j] + m.m[j][i]) * s;",
        "v[k] = (m.m[k][i] + m.m[i][k]) * s;",
        f"return normalize({q}{{v[0], v[1], v[2], (m.m[k][j] - m.m[j][k]) * s}});",
    ]
    comment = "The quaternion of a rotation matrix, by way of its largest component (Shepperd 1978)."
    text = function(q, "quat_from_matrix", [(passed(type), "m")], body, comment)
    return Helper(text, (("normalize", (Quaternion(scalar),)),))


def _pose(scalar: Scalar) -> tuple[Vector, Quaternion, Matrix, Matrix]:
    """The types of a translation, a rotation, its matrix, and the matrix of a pose."""
    return Vector(3, scalar), Quaternion(scalar), Matrix(3, 3, scalar), Matrix(4, 4, scalar)


def _homogeneous(
    name: str, parameters: list[tuple[str, str]], scalar: Scalar, q: str, p: str, factor: str
) -> Section:
    """A function that builds a 4x4 matrix; `factor` goes before each element of the rotation's columns."""
    _, _, rotation, pose = _pose(scalar)
    elements = []
    for i, axis in enumerate("xyz"):
        elements += [f"{factor.format(column)}r.m[{i}][{j}]" for j, column in enumerate("xyz")]
        elements.append(f"{p}.{axis}")
    elements += [*[number(0, scalar)] * 3, number(1, scalar)]
    body = [f"const {c_type(rotation)} r = rotation_matrix({q});", *returned(pose, elements)]
    return function(c_type(pose), name, parameters, body)


def transform_to_matrix(type: Type) -> Helper:
    """Warp: transform_to_matrix."""
    scalar = scalar_of(type)
    text = _homogeneous("transform_to_matrix", [(passed(type), "t")], scalar, "t.q", "t.p", "")
    return Helper(text, (("rotation_matrix", (Quaternion(scalar),)),))


def transform_compose(position: Type, rotation: Type, scale: Type) -> Helper:
    """Warp: transform_compose."""
    scalar = scalar_of(position)
    parameters = [(c_type(position), "position"), (c_type(rotation), "rotation"), (c_type(scale), "scale")]
    text = _homogeneous("transform_compose", parameters, scalar, "rotation", "position", "scale.{} * ")
    return Helper(text, (("rotation_matrix", (rotation,)),))


def transform_from_matrix(type: Type) -> Helper:
    """Warp: transform_from_matrix."""
    scalar = scalar_of(type)
    p = construct(Vector(3, scalar), [f"m.m[{i}][3]" for i in range(3)])
    t = c_type(Transform(scalar))
    text = function(
        t, "transform_from_matrix", [(passed(type), "m")], [f"return {t}{{{p}, quat_from_matrix(m)}};"]
    )
    return Helper(text, (("quat_from_matrix", (type,)),))


def transform_decompose(type: Type) -> Helper:
    """Warp: transform_decompose."""
    scalar = scalar_of(type)
    v, q, rotation, _ = _pose(scalar)
    squares = "m.m[0][j] * m.m[0][j] + m.m[1][j] * m.m[1][j] + m.m[2][j] * m.m[2][j]"
    body = [
        f"{c_type(scalar)} scale[3];",
        f"{c_type(rotation)} r;",
        "for (int j = 0; j < 3; ++j) {",
        f"    scale[j] = {math_call('sqrt', scalar, squares)};",
        "    for (int i = 0; i < 3; ++i) "
        f"r.m[i][j] = scale[j] != {number(0, scalar)} ? m.m[i][j] / scale[j] : m.m[i][j];",
        "}",
        f"return {{{construct(v, [f'm.m[{i}][3]' for i in range(3)])}, quat_from_matrix(r), "
        f"{construct(v, [f'scale[{i}]' for i in range(3)])}}};",
    ]
    comment = (
        "Position, rotation and the scales along the rotated axes, which are the lengths of the columns."
    )
    text = returning("transform_decompose", scalar, [v, q, v], [(passed(type), "m")], body, comment)
    return Helper(text, (("quat_from_matrix", (rotation,)),))


ROTATION_HELPERS: dict[str, Callable[..., Helper]] = {
    "quat_to_axis_angle": to_axis_angle,
    "quat_from_matrix": from_matrix,
    "transform_to_matrix": transform_to_matrix,
    "transform_from_matrix": transform_from_matrix,
    "transform_compose": transform_compose,
    "transform_decompose": transform_decompose,
}
