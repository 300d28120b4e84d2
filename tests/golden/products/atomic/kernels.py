"""Kernels of the category atomic, seed 0.

Atomic adds, extremes and bitwise joins into shared places; counters that lists grow by.
"""

import warp as wp


BASE_INDEX = wp.constant(1.7)


@wp.kernel
def eval_schlick_reflectance(
    selected: wp.array(dtype=wp.int32),
    incidence_cosines: wp.array(dtype=wp.float32),
    incident_indices: wp.array(dtype=wp.float32),
    wavelengths: wp.array(dtype=wp.float32),
    packed_reflectances: wp.array(dtype=wp.float32),
    ray_ids: wp.array(dtype=wp.int32),
    num_kept: wp.array(dtype=wp.int32),
):
    """Schlick reflectance. Uses the refractive index by Cauchy's equation. Values of selected rays
    are packed into `packed_reflectances`, in no fixed order."""
    ray = wp.tid()
    if selected[ray] == 0:
        return
    incident_index = incident_indices[ray]
    wavelength = wavelengths[ray]
    transmitted_index = BASE_INDEX + 0.01 / (wavelength * wavelength)
    contrast = (incident_index - transmitted_index) / (incident_index + transmitted_index)
    one_minus_cos = 1.0 - incidence_cosines[ray]
    fifth = one_minus_cos * one_minus_cos * one_minus_cos * one_minus_cos * one_minus_cos
    reflectance = contrast * contrast + (1.0 - contrast * contrast) * fifth
    slot = wp.atomic_add(num_kept, 0, 1)
    packed_reflectances[slot] = reflectance
    ray_ids[slot] = ray


LAUNCH = {
    "eval_schlick_reflectance": {
        "difficulty": "hard",
        "equality": "permutation",
        "dims": ["n"],
        "parameters": {
            "selected": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "incidence_cosines": {"role": "in", "shape": ["n"], "values": {"uniform": [0.05, 1.0]}},
            "incident_indices": {"role": "in", "shape": ["n"], "values": {"uniform": [1.0, 1.8]}},
            "wavelengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.4, 0.7]}},
            "packed_reflectances": {"role": "out", "shape": ["n"]},
            "ray_ids": {"role": "out", "shape": ["n"]},
            "num_kept": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
        },
    },
}

MADE_OF = {
    "eval_schlick_reflectance": {"goal": "optics.schlick_reflectance", "ending": "packed", "formulas": ["optics.schlick_reflectance", "optics.cauchy_index"]},
}
