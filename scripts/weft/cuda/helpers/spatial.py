"""Helpers on spatial vectors: an angular part (components 0 to 2) above a linear one (Featherstone 2008)."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import Helper, Request, construct, function, number, passed, scalar_of
from weft.types import Matrix, Quaternion, Scalar, Type, Vector


def _halves(scalar: Scalar) -> tuple[str, Vector, tuple[Request, ...]]:
    """The C++ name of a spatial vector, the type of its halves, and the helpers that split and join it."""
    whole, half = Vector(6, scalar), Vector(3, scalar)
    needs: tuple[Request, ...] = (
        ("spatial_top", (whole,)),
        ("spatial_bottom", (whole,)),
        ("spatial_vector", (half, half)),
    )
    return c_type(whole), half, needs


def spatial_vector(top: Type, bottom: Type) -> Helper:
    """Warp: spatial_vector of two vectors."""
    scalar = scalar_of(top)
    whole, half = Vector(6, scalar), c_type(top)
    value = construct(whole, [f"{part}.{axis}" for part in ("top", "bottom") for axis in "xyz"])
    parameters = [(half, "top"), (half, "bottom")]
    return Helper(function(c_type(whole), "spatial_vector", parameters, [f"return {value};"]))


def _half(name: str, first: int, comment: str) -> Callable[[Type], Helper]:
    def helper(type: Type) -> Helper:
        half = Vector(3, scalar_of(type))
        value = construct(half, [f"a.v[{first + i}]" for i in range(3)])
        text = function(c_type(half), name, [(passed(type), "a")], [f"return {value};"], comment)
        return Helper(text)

    return helper


def cross(left: Type, right: Type) -> Helper:
    """Warp: spatial_cross."""
    whole, half, needs = _halves(scalar_of(left))
    body = [
        f"const {c_type(half)} wa = spatial_top(a), va = spatial_bottom(a), wb = spatial_top(b);",
        "return spatial_vector(cross(wa, wb), cross(va, wb) + cross(wa, spatial_bottom(b)));",
    ]
    text = function(
        whole,
        "spatial_cross",
        _two(left),
        body,
        "The rate of change of the motion b in a frame that moves by a.",
    )
    return Helper(text, (*needs, ("cross", (half, half)), ("operator+", (half, half))))


def cross_dual(left: Type, right: Type) -> Helper:
    """Warp: spatial_cross_dual."""
    whole, half, needs = _halves(scalar_of(left))
    body = [
        f"const {c_type(half)} wa = spatial_top(a), vb = spatial_bottom(b);",
        "return spatial_vector(cross(wa, spatial_top(b)) + cross(spatial_bottom(a), vb), cross(wa, vb));",
    ]
    text = function(
        whole,
        "spatial_cross_dual",
        _two(left),
        body,
        "The rate of change of the force b in a frame that moves by a.",
    )
    return Helper(text, (*needs, ("cross", (half, half)), ("operator+", (half, half))))


def _two(type: Type) -> list[tuple[str, str]]:
    return [(passed(type), "a"), (passed(type), "b")]


def adjoint(rotation: Type, coupling: Type) -> Helper:
    """Warp: spatial_adjoint."""
    scalar = scalar_of(rotation)
    result = c_type(Matrix(6, 6, scalar))
    body = [
        f"{result} a;",
        "for (int i = 0; i < 3; ++i) {",
        "    for (int j = 0; j < 3; ++j) {",
        "        a.m[i][j] = a.m[i + 3][j + 3] = r.m[i][j];",
        "        a.m[i + 3][j] = s.m[i][j];",
        f"        a.m[i][j + 3] = {number(0, scalar)};",
        "    }",
        "}",
        "return a;",
    ]
    parameters = [(passed(rotation), "r"), (passed(coupling), "s")]
    comment = "The 6x6 matrix of the blocks r, 0 above s, r."
    return Helper(function(result, "spatial_adjoint", parameters, body, comment))


def velocity_at_point(twist: Type, offset: Type) -> Helper:
    """Warp: velocity_at_point."""
    whole, half = scalar_of(twist), c_type(offset)
    body = ["return spatial_bottom(twist) + cross(spatial_top(twist), offset);"]
    text = function(
        half,
        "velocity_at_point",
        [(passed(twist), "twist"), (half, "offset")],
        body,
        "The linear velocity of the point at `offset` from the origin of a moving body.",
    )
    needs = (*_halves(whole)[2][:2], ("cross", (offset, offset)), ("operator+", (offset, offset)))
    return Helper(text, needs)


def _transported(name: str, direct: str, coupled: str, comment: str) -> Callable[[Type, Type], Helper]:
    """A spatial vector in another frame: the `direct` half is rotated, the `coupled` one gains p x direct."""

    def helper(transform: Type, vector: Type) -> Helper:
        scalar = scalar_of(transform)
        whole, half, needs = _halves(scalar)
        halves = {direct: direct, coupled: f"rotate(t.q, spatial_{coupled}(x)) + cross(t.p, {direct})"}
        body = [
            f"const {c_type(half)} {direct} = rotate(t.q, spatial_{direct}(x));",
            f"return spatial_vector({halves['top']}, {halves['bottom']});",
        ]
        text = function(whole, name, [(passed(transform), "t"), (passed(vector), "x")], body, comment)
        needs = (
            *needs,
            ("rotate", (Quaternion(scalar), half)),
            ("cross", (half, half)),
            ("operator+", (half, half)),
        )
        return Helper(text, needs)

    return helper


SPATIAL_HELPERS: dict[str, Callable[..., Helper]] = {
    "spatial_vector": spatial_vector,
    "spatial_top": _half("spatial_top", 0, "The angular half."),
    "spatial_bottom": _half("spatial_bottom", 3, "The linear half."),
    "spatial_cross": cross,
    "spatial_cross_dual": cross_dual,
    "spatial_adjoint": adjoint,
    "velocity_at_point": velocity_at_point,
    "transform_twist": _transported(
        "transform_twist", "top", "bottom", "The twist x, as seen from the frame that t leads to."
    ),
    "transform_wrench": _transported(
        "transform_wrench", "bottom", "top", "The wrench x, as seen from the frame that t leads to."
    ),
}
