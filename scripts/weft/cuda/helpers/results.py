"""Helpers that return several values: the members of their result structs, in Warp's order.

Such a helper defines its struct in its own text, before the function.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda.c_types import c_type
from weft.cuda.device_code import Section
from weft.cuda.helpers.text import function
from weft.types import Quaternion, Scalar, Type

RESULT_STRUCTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "quat_to_axis_angle": ("AxisAngle", ("axis", "angle")),
    "transform_decompose": ("ScaledPose", ("position", "rotation", "scale")),
    "qr3": ("Qr3", ("q", "r")),
    "eig3": ("Eig3", ("q", "d")),
    "svd2": ("Svd2", ("u", "sigma", "v")),
    "svd3": ("Svd3", ("u", "sigma", "v")),
}
"""The name of each helper's struct, before the letter of the scalar type, and its members."""

INNER_STRUCTS = ("NoiseSample2", "NoiseSample3", "NoiseSample4", "TriangleCutf", "TriangleCutd")
"""Structs that helpers use among themselves."""


def struct_name(helper: str, scalar: Scalar) -> str:
    """The C++ name of the struct that `helper` returns: `Svd3f`."""
    return RESULT_STRUCTS[helper][0] + c_type(Quaternion(scalar)).removeprefix("Quat")


def returning(
    helper: str,
    scalar: Scalar,
    types: Sequence[Type],
    parameters: Sequence[tuple[str, str]],
    body: Sequence[str],
    comment: str,
) -> Section:
    """The struct of `helper`, whose members have `types`, and the function."""
    name = struct_name(helper, scalar)
    members = "".join(
        f"    {c_type(kind)} {member};\n"
        for kind, member in zip(types, RESULT_STRUCTS[helper][1], strict=True)
    )
    return function(name, helper, parameters, body, comment, f"struct {name} {{\n{members}}};")
