"""Kernels of the category math, seed 0.

Mathematical functions: trigonometry, exponentials, powers, roots, rounding, interpolation.
"""

import warp as wp


LATITUDE_OFFSET = wp.constant(0.05)


@wp.func
def compute_residual(
    calibrated_latitude: float,
    other_latitude: float,
    turn: float,
    expectation: float,
):
    """The residual, from calibrated latitude, other latitude, turn and expectation."""
    return (
        (
            wp.acos(
                wp.clamp(
                    (
                        wp.sin(calibrated_latitude) * wp.sin(other_latitude)
                        + wp.cos(calibrated_latitude) * wp.cos(other_latitude) * wp.cos(turn)
                    ),
                    -1.0,
                    1.0,
                ),
            )
            * 4.0
        )
        - expectation
    )


@wp.kernel
def great_circle(
    active: wp.array(dtype=wp.int32),
    latitudes: wp.array(dtype=wp.float32),
    other_latitudes: wp.array(dtype=wp.float32),
    longitudes: wp.array(dtype=wp.float32),
    expectations: wp.array(dtype=wp.float32),
    separation_triples: wp.array(dtype=wp.vec3),
    count: int,
):
    """Angle between two directions on the sphere. Elements that are not active are skipped. The
    latitude is the mean of an element and the one after it. The separation is multiplied by 4.0.
    The expectation is subtracted from the result. The result is stored with its square and its
    raised cosine in one vector."""
    i = wp.tid()
    if active[i] == 0:
        return
    smooth_latitude = 0.5 * (latitudes[i] + latitudes[wp.min(i + 1, count - 1)])
    longitude = longitudes[i]
    calibrated_latitude = (smooth_latitude - LATITUDE_OFFSET) * 0.5
    other_latitude = other_latitudes[i]
    turn = longitude + 0.3
    residual = compute_residual(calibrated_latitude, other_latitude, turn, expectations[i])
    separation_triples[i] = wp.vec3(residual, residual * residual, 0.5 * (1.0 - wp.cos(residual)))


LAUNCH = {
    "great_circle": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "active": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "latitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.2, 1.2]}},
            "other_latitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.2, 1.2]}},
            "longitudes": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.5, 1.5]}},
            "expectations": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "separation_triples": {"role": "out", "shape": ["n"]},
            "count": {"values": {"size": "n"}},
        },
    },
}
