"""Helpers on quaternions (components x, y, z, w) and transforms, in Warp's order of operations."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type, is_cuda_vector
from weft.cuda.helpers.text import (
    Helper,
    Request,
    construct,
    decimal,
    function,
    math_call,
    number,
    passed,
    returned,
)
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector


def _parts(type: Type) -> tuple[Scalar, str, Vector]:
    """The scalar, its C++ name and the vector type that go with a quaternion or transform."""
    assert isinstance(type, Quaternion | Transform)
    return type.scalar, c_type(type.scalar), Vector(3, type.scalar)


def product(left: Type, right: Type) -> Helper:
    """The Hamilton product."""
    values = [
        "a.w * b.x + b.w * a.x + a.y * b.z - b.y * a.z",
        "a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x",
        "a.w * b.z + b.w * a.z + a.x * b.y - b.x * a.y",
        "a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z",
    ]
    q = c_type(left)
    return Helper(function(q, "operator*", [(q, "a"), (q, "b")], returned(left, values)))


def identity(type: Type) -> Helper:
    """Warp: quat_identity."""
    scalar, _, _ = _parts(type)
    zero, one = number(0, scalar), number(1, scalar)
    value = construct(type, [zero, zero, zero, one])
    return Helper(function(c_type(type), f"identity_{c_type(type)}", [], [f"return {value};"]))


def inverse(type: Type) -> Helper:
    """Warp: quat_inverse, the conjugate."""
    q = c_type(type)
    comment = "The inverse of a unit quaternion."
    return Helper(function(q, "conjugate", [(q, "q")], [f"return {q}{{-q.x, -q.y, -q.z, q.w}};"], comment))


def from_axis_angle(axis: Type, angle: Type) -> Helper:
    """Warp: quat_from_axis_angle."""
    assert isinstance(axis, Vector)
    scalar, t, q = axis.scalar, c_type(axis.scalar), c_type(Quaternion(axis.scalar))
    sine, cosine = math_call("sin", scalar, "half_angle"), math_call("cos", scalar, "half_angle")
    body = [
        f"const {t} half_angle = angle * {decimal('0.5', scalar)};",
        f"const {t} s = {sine};",
        f"return {q}{{axis.x * s, axis.y * s, axis.z * s, {cosine}}};",
    ]
    parameters = [(c_type(axis), "axis"), (t, "angle")]
    return Helper(function(q, "quat_from_axis_angle", parameters, body))


def from_angles(*types: Type) -> Helper:
    """Warp: quat_rpy."""
    scalar = types[0]
    assert isinstance(scalar, Scalar)
    t, q = c_type(scalar), c_type(Quaternion(scalar))
    half = decimal("0.5", scalar)
    body = []
    for letter, angle in (("y", "yaw"), ("r", "roll"), ("p", "pitch")):
        body.append(f"const {t} c{letter} = {math_call('cos', scalar, f'{angle} * {half}')};")
        body.append(f"const {t} s{letter} = {math_call('sin', scalar, f'{angle} * {half}')};")
    values = [
        "cy * sr * cp - sy * cr * sp",
        "cy * cr * sp + sy * sr * cp",
        "sy * cr * cp - cy * sr * sp",
        "cy * cr * cp + sy * sr * sp",
    ]
    parameters = [(t, "roll"), (t, "pitch"), (t, "yaw")]
    return Helper(function(q, "quat_from_angles", parameters, [*body, *returned(Quaternion(scalar), values)]))


def _rotation(name: str, sign: str, comment: str) -> Callable[[Type, Type], Helper]:
    def helper(type: Type, vector: Type) -> Helper:
        scalar, t, v = _parts(type)
        one, two = number(1, scalar), number(2, scalar)
        terms = [
            f"x.{i} * c + q.{i} * d {sign} (q.{j} * x.{k} - q.{k} * x.{j}) * q.w * {two}"
            for i, j, k in (("x", "y", "z"), ("y", "z", "x"), ("z", "x", "y"))
        ]
        head = f"return make_{c_type(v)}(" if is_cuda_vector(v) else f"return {c_type(v)}{{"
        lines = [f"{' ' * len(head)}{term}," for term in terms]
        lines[0] = head + lines[0].lstrip()
        lines[-1] = lines[-1][:-1] + (");" if is_cuda_vector(v) else "};")
        body = [
            f"const {t} c = {two} * q.w * q.w - {one};",
            f"const {t} d = {two} * (q.x * x.x + q.y * x.y + q.z * x.z);",
            *lines,
        ]
        return Helper(function(c_type(v), name, [(c_type(type), "q"), (c_type(v), "x")], body, comment))

    return helper


rotate = _rotation("rotate", "+", "x rotated by the unit quaternion q.")
rotate_inverse = _rotation("rotate_inverse", "-", "x rotated by the inverse of the unit quaternion q.")


def to_matrix(type: Type) -> Helper:
    """Warp: quat_to_matrix."""
    scalar, _, v = _parts(type)
    m = Matrix(3, 3, scalar)
    zero, one = number(0, scalar), number(1, scalar)
    axes = [[one if i == j else zero for i in range(3)] for j in range(3)]
    body = [
        f"const {c_type(v)} {name} = rotate(q, {construct(v, axis)});"
        for name, axis in zip("abc", axes, strict=True)
    ]
    body.append(f"return {c_type(m)}{{{{{{a.x, b.x, c.x}}, {{a.y, b.y, c.y}}, {{a.z, b.z, c.z}}}}}};")
    text = function(c_type(m), "rotation_matrix", [(c_type(type), "q")], body)
    return Helper(text, (("rotate", (type, v)),), types=(m,))


def slerp(left: Type, right: Type, factor: Type) -> Helper:
    """Warp: quat_slerp."""
    scalar, t, v = _parts(left)
    q = c_type(left)
    zero, two = number(0, scalar), number(2, scalar)
    arctangent = math_call("atan2", scalar, "length(imaginary)", math_call("fabs", scalar, "difference.w"))
    body = [
        f"const {q} difference = conjugate(a) * b;",
        f"const {c_type(v)} imaginary = {construct(v, ['difference.x', 'difference.y', 'difference.z'])};",
        f"const {c_type(v)} unit = normalize(imaginary);",
        f"const {c_type(v)} axis = difference.w < {zero} ? -unit : unit;",
        f"const {t} angle = {two} * {arctangent};",
        "return a * quat_from_axis_angle(axis, t * angle);",
    ]
    needs: tuple[Request, ...] = (
        ("conjugate", (left,)),
        ("operator*", (left, left)),
        ("normalize", (v,)),
        ("negation", (v,)),
        ("quat_from_axis_angle", (v, scalar)),
    )
    comment = "Spherical interpolation from a at t = 0 to b at t = 1."
    return Helper(function(q, "slerp", [(q, "a"), (q, "b"), (t, "t")], body, comment), needs)


def transform_product(left: Type, right: Type) -> Helper:
    """Warp: transform_multiply."""
    _, _, v = _parts(left)
    q = Quaternion(v.scalar)
    t = c_type(left)
    body = [f"return {t}{{rotate(a.q, b.p) + a.p, a.q * b.q}};"]
    needs: tuple[Request, ...] = (("rotate", (q, v)), ("operator+", (v, v)), ("operator*", (q, q)))
    return Helper(function(t, "operator*", [(passed(left), "a"), (passed(left), "b")], body), needs)


def transform_inverse(type: Type) -> Helper:
    """Warp: transform_inverse."""
    _, _, v = _parts(type)
    q = Quaternion(v.scalar)
    body = [
        f"const {c_type(q)} inverse = conjugate(a.q);",
        f"return {c_type(type)}{{-rotate(inverse, a.p), inverse}};",
    ]
    needs: tuple[Request, ...] = (("conjugate", (q,)), ("rotate", (q, v)), ("negation", (v,)))
    return Helper(function(c_type(type), "inverse", [(passed(type), "a")], body), needs)


def transform_vector(type: Type, vector: Type) -> Helper:
    """Warp: transform_vector by a transform."""
    _, _, v = _parts(type)
    body = ["return rotate(a.q, x);"]
    text = function(c_type(v), "transform_vector", [(passed(type), "a"), (c_type(v), "x")], body)
    return Helper(text, (("rotate", (Quaternion(v.scalar), v)),))


def transform_point(type: Type, point: Type) -> Helper:
    """Warp: transform_point by a transform."""
    _, _, v = _parts(type)
    body = ["return a.p + rotate(a.q, x);"]
    needs: tuple[Request, ...] = (("rotate", (Quaternion(v.scalar), v)), ("operator+", (v, v)))
    text = function(c_type(v), "transform_point", [(passed(type), "a"), (c_type(v), "x")], body)
    return Helper(text, needs)


def from_parts(imaginary: Type, real: Type) -> Helper:
    """Warp: quaternion of a vector and a scalar."""
    assert isinstance(imaginary, Vector)
    q = c_type(Quaternion(imaginary.scalar))
    parameters = [(c_type(imaginary), "v"), (c_type(imaginary.scalar), "w")]
    return Helper(function(q, "quat_from_parts", parameters, [f"return {q}{{v.x, v.y, v.z, w}};"]))


QUATERNION_HELPERS: dict[str, Callable[..., Helper]] = {
    "quat_identity": identity,
    "conjugate": inverse,
    "quat_from_parts": from_parts,
    "quat_from_axis_angle": from_axis_angle,
    "quat_from_angles": from_angles,
    "rotate": rotate,
    "rotate_inverse": rotate_inverse,
    "rotation_matrix": to_matrix,
    "slerp": slerp,
    "transform_inverse": transform_inverse,
    "transform_point_by": transform_point,
    "transform_vector_by": transform_vector,
}
