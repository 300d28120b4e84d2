"""Norms of vectors other than the Euclidean one, all in float32 as in Warp."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import Helper, function, parts, passed
from weft.types import Type, Vector


def sum_of_magnitudes(type: Type) -> Helper:
    """Warp: norm_l1."""
    if isinstance(type, Vector) and type.length > 4:
        body = [
            "float sum = 0.0f;",
            f"for (int i = 0; i < {type.length}; ++i) sum += fabsf(a.v[i]);",
            "return sum;",
        ]
    else:
        body = [f"return {' + '.join(f'fabsf({part})' for part in parts('a', type))};"]
    return Helper(function("float", "norm_l1", [(passed(type), "a")], body))


def huber(type: Type, delta: Type) -> Helper:
    """Warp: norm_huber."""
    body = [
        "const float square = dot(a, a);",
        "return square <= delta * delta ? 0.5f * square : delta * (sqrtf(square) - 0.5f * delta);",
    ]
    comment = "Huber's norm: quadratic up to delta, linear beyond."
    text = function("float", "norm_huber", [(passed(type), "a"), ("float", "delta")], body, comment)
    return Helper(text, (("dot", (type, type)),))


def pseudo_huber(type: Type, delta: Type) -> Helper:
    """Warp: norm_pseudo_huber."""
    body = ["return delta * sqrtf(1.0f + dot(a, a) / (delta * delta));"]
    comment = "A smooth relative of Huber's norm; delta at a = 0."
    text = function("float", "norm_pseudo_huber", [(passed(type), "a"), ("float", "delta")], body, comment)
    return Helper(text, (("dot", (type, type)),))


def smooth_normalize(type: Type, delta: Type) -> Helper:
    """Warp: smooth_normalize."""
    body = ["return a / norm_pseudo_huber(a, delta);"]
    text = function(
        c_type(type),
        "smooth_normalize",
        [(passed(type), "a"), ("float", "delta")],
        body,
        "The direction of a, which fades out smoothly where a is short beside delta.",
    )
    return Helper(text, (("norm_pseudo_huber", (type, delta)), ("operator/", (type, delta))))


NORM_HELPERS: dict[str, Callable[..., Helper]] = {
    "norm_l1": sum_of_magnitudes,
    "norm_huber": huber,
    "norm_pseudo_huber": pseudo_huber,
    "smooth_normalize": smooth_normalize,
}
