"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


@wp.struct
class GreatCircleResult:
    """What each thread finds."""

    value: float
    level: int


@wp.kernel
def great_circle(
    latitude_valid: wp.array(dtype=wp.int32),
    latitudes: wp.array(dtype=wp.float32),
    other_latitudes: wp.array(dtype=wp.float32),
    longitudes: wp.array(dtype=wp.float32),
    importances: wp.array(dtype=wp.float32),
    bounds: wp.array(dtype=wp.float32),
    meridian: float,
    n: int,
    results: wp.array(dtype=GreatCircleResult),
):
    """Initial course from one place to another. Where the latitude is not valid, 0.37 takes its
    place. The course is multiplied by its importance. A soft limit keeps the result within
    bounds[i] of zero. The result is stored in a struct with its level in steps of 1/20, rounded
    down."""
    tid = wp.tid()
    i = n - 1 - tid
    latitude = latitudes[i]
    valid_latitude = wp.where(latitude_valid[i] > 0, latitude, 0.37)
    longitude = longitudes[i]
    other_latitude = other_latitudes[i]
    turn = longitude - meridian
    east = wp.sin(turn) * wp.cos(other_latitude)
    importance = importances[i]
    course = (
        importance
        * wp.atan2(
            east,
            (
                wp.cos(valid_latitude) * wp.sin(other_latitude)
                - wp.sin(valid_latitude) * wp.cos(other_latitude) * wp.cos(turn)
            ),
        )
    )
    final_course = course / (1.0 + wp.abs(course) / bounds[i])
    results[i].value = final_course
    results[i].level = int(wp.floor(final_course * 20.0))


LAUNCH = {
    "great_circle": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "latitude_valid": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "latitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.2, 1.2]}},
            "other_latitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.2, 1.2]}},
            "longitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.5, 1.5]}},
            "importances": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 2.0]}},
            "bounds": {"role": "in", "shape": ["n"], "values": {"uniform": [3.141592653589793, 5.026548245743669]}},
            "meridian": {"values": {"uniform": [-0.5, 0.5]}},
            "n": {"values": {"size": "n"}},
            "results": {"role": "out", "shape": ["n"]},
        },
    },
}
