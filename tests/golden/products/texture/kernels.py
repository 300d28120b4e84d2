"""Kernels of the category texture, seed 0.

Textures: image warps, resampling, lookups by place, angle and level, cached gathers.
"""

import warp as wp


@wp.kernel
def tabulated_response(
    lut: wp.array2d(dtype=wp.float32),
    speed_values: wp.array(dtype=wp.float32),
    humidities: wp.array(dtype=wp.float32),
    expectations: wp.array(dtype=wp.float32),
    responses: wp.array(dtype=wp.float32),
    texture_height: int,
    texture_width: int,
    length: int,
):
    """Response, moved towards the next column, from a table of two quantities (texel). The speed is
    the mean of an element and the one after it. The humidity is the mean of an element and the one
    before it. The squared difference between the response and the expectation is taken."""
    i = wp.tid()
    smooth_speed = 0.5 * (speed_values[i] + speed_values[wp.min(i + 1, length - 1)])
    smooth_humidity = 0.5 * (humidities[wp.max(i - 1, 0)] + humidities[i])
    row_texel = wp.clamp(int(wp.floor(smooth_speed * float(texture_height))), 0, texture_height - 1)
    column_texel = wp.min(
        wp.max(int(wp.floor(smooth_humidity * float(texture_width))), 0),
        texture_width - 1,
    )
    value = lut[row_texel, column_texel]
    expectation = expectations[i]
    response = value + 0.25 * (lut[row_texel, wp.min(column_texel + 1, texture_width - 1)] - value)
    residual = response - expectation
    responses[i] = residual * residual


LAUNCH = {
    "tabulated_response": {
        "sizes": {"texture_height": "max(n // 12, 1)", "texture_width": "16"},
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "lut": {"role": "in", "shape": ["texture_height", "texture_width"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "speed_values": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "humidities": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "expectations": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "responses": {"role": "out", "shape": ["n"]},
            "texture_height": {"values": {"size": "texture_height"}},
            "texture_width": {"values": {"size": "texture_width"}},
            "length": {"values": {"size": "n"}},
        },
    },
}
