"""Kernels of the category fem, seed 0.

Finite elements: nodes of elements, shape functions, gradients, quadrature, strain and stress.
"""

import warp as wp


@wp.kernel
def hooke_stress(
    kinds: wp.array(dtype=wp.int32),
    exx_values: wp.array2d(dtype=wp.float32),
    right_exx_index: wp.array(dtype=wp.int32),
    right_exx_values: wp.array(dtype=wp.float32),
    sides: wp.array(dtype=wp.int32),
    left_eyy_values: wp.array(dtype=wp.float32),
    other_eyy_values: wp.array(dtype=wp.float32),
    other_sides: wp.array(dtype=wp.int32),
    exy_values: wp.array(dtype=wp.float32),
    right_exy_values: wp.array(dtype=wp.float32),
    measurements: wp.array(dtype=wp.float32),
    youngs_modulus: float,
    gain: float,
    ceiling: float,
    num_threads: int,
    num_items: int,
    responses: wp.array(dtype=wp.float32),
    response_levels: wp.array(dtype=wp.int32),
):
    """Larger principal stress by Hooke's law in plane stress; Poisson's ratio is 0.4. Only column 0
    of exx_values is read. right_exx_index says which element of right_exx_values is read. kind
    chooses between two arrays. side chooses between two arrays. eyy is limited on both sides.
    side_value chooses between two arrays. exy is limited from above. The response is subtracted
    from the measurement. The result is multiplied by gain. The result is subtracted from ceiling.
    The level of the result in steps of 1/4, rounded, is stored as well."""
    tid = wp.tid()
    for i in range(tid, num_items, num_threads):
        side_value = other_sides[i]
        kind = kinds[i]
        chosen_exx = exx_values[i, 0] if kind == 0 else right_exx_values[right_exx_index[i]]
        measurement = measurements[i]
        factor = youngs_modulus / 0.84
        side = sides[i]
        chosen_eyy = left_eyy_values[i] if side == 0 else other_eyy_values[i]
        chosen_exy = exy_values[i] if side_value == 0 else right_exy_values[i]
        limited_eyy = wp.max(wp.min(chosen_eyy, 0.45), -0.45)
        limited_exy = wp.min(chosen_exy, 0.44)
        syy = factor * (limited_eyy + 0.4 * chosen_exx)
        sxy = factor * 0.3 * limited_exy
        sxx = factor * (chosen_exx + 0.4 * limited_eyy)
        half = 0.5 * (sxx - syy)
        response = 0.5 * (sxx + syy) + wp.sqrt(half * half + sxy * sxy)
        residual = measurement - response
        final_response = ceiling - gain * residual
        responses[i] = final_response
        response_levels[i] = int(wp.round(final_response * 4.0))


LAUNCH = {
    "hooke_stress": {
        "sizes": {"threads": "min(n, 512)"},
        "difficulty": "expert",
        "dims": ["threads"],
        "parameters": {
            "kinds": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "exx_values": {"role": "in", "shape": ["n", "4"], "values": {"uniform": [-0.5, 0.5]}},
            "right_exx_index": {"role": "in", "shape": ["n"], "values": {"integers": [0, "n"]}},
            "right_exx_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "sides": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "left_eyy_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "other_eyy_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "other_sides": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "exy_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "right_exy_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.5, 0.5]}},
            "measurements": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "youngs_modulus": {"values": {"uniform": [1.0, 5.0]}},
            "gain": {"values": {"uniform": [0.2, 5.0]}},
            "ceiling": {"values": {"uniform": [0.5, 2.0]}},
            "num_threads": {"values": {"size": "threads"}},
            "num_items": {"values": {"size": "n"}},
            "responses": {"role": "out", "shape": ["n"]},
            "response_levels": {"role": "out", "shape": ["n"]},
        },
    },
}
