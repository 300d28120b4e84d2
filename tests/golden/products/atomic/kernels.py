"""Kernels of the category atomic, seed 0.

Atomic adds, extremes and bitwise joins into shared places; counters that lists grow by.
"""

import warp as wp


@wp.func
def sellmeier_index(wavelength: float, infrared_strength: float):
    """Refractive index by Sellmeier's equation."""
    square = wavelength * wavelength
    return wp.sqrt(wp.max(1.0 + 1.3 * square / (square - 0.02) - infrared_strength * square, 1.0))


@wp.kernel
def etalon_transmittance(
    is_active: wp.array(dtype=wp.int32),
    incidence_cosines: wp.array(dtype=wp.float32),
    incident_indices: wp.array(dtype=wp.float32),
    wavelengths: wp.array(dtype=wp.float32),
    refracted_sine_squares: wp.array(dtype=wp.float32),
    infrared_strength: float,
    film_thickness: float,
    packed_transmittances: wp.array(dtype=wp.float32),
    ray_ids: wp.array(dtype=wp.int32),
    list_length: wp.array(dtype=wp.int32),
):
    """Compute the transmittance of each active ray through a thin film. The reflectance is
    estimated by Schlick's approximation, and the refracted cosine is computed from the squared sine
    after refraction. The values of active rays are packed into packed_transmittances, in no fixed
    order."""
    ray = wp.tid()
    if is_active[ray] == 0:
        return
    incidence_cosine = incidence_cosines[ray]
    incident_index = incident_indices[ray]
    wavelength = wavelengths[ray]
    transmitted_index = sellmeier_index(wavelength, infrared_strength)
    contrast = (incident_index - transmitted_index) / (incident_index + transmitted_index)
    rest = 1.0 - incidence_cosine
    fifth = rest * rest * rest * rest * rest
    reflectance = contrast * contrast + (1.0 - contrast * contrast) * fifth
    refracted_sine_square = refracted_sine_squares[ray]
    refracted_cosine = wp.where(
        refracted_sine_square < 1.0, wp.sqrt(wp.max(1.0 - refracted_sine_square, 0.0)), 0.0
    )
    half_phase = 6.2831853 * film_thickness * refracted_cosine / wavelength
    mirror = wp.min(reflectance, 0.95)
    loss = 1.0 - mirror
    wave = wp.sin(half_phase)
    transmittance = 1.0 / (1.0 + 4.0 * mirror / (loss * loss) * (wave * wave))
    slot = wp.atomic_add(list_length, 0, 1)
    packed_transmittances[slot] = transmittance
    ray_ids[slot] = ray


LAUNCH = {
    "etalon_transmittance": {
        "difficulty": "expert",
        "equality": "permutation",
        "dims": ["n"],
        "parameters": {
            "is_active": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "incidence_cosines": {"role": "in", "shape": ["n"], "values": {"uniform": [0.05, 1.0]}},
            "incident_indices": {"role": "in", "shape": ["n"], "values": {"uniform": [1.0, 1.8]}},
            "wavelengths": {"role": "in", "shape": ["n"], "values": {"uniform": [0.4, 0.7]}},
            "refracted_sine_squares": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.5]}},
            "infrared_strength": {"values": {"uniform": [0.005, 0.02]}},
            "film_thickness": {"values": {"uniform": [0.2, 1.0]}},
            "packed_transmittances": {"role": "out", "shape": ["n"]},
            "ray_ids": {"role": "out", "shape": ["n"]},
            "list_length": {"role": "inout", "shape": ["1"], "values": {"constant": 0}},
        },
    },
}
