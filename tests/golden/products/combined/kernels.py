"""Kernels of the category combined, seed 0.

Loops and branches with functions, records, settings and indirect reads in one kernel.
"""

import warp as wp


@wp.kernel
def das_beamformer(
    channel_data: wp.array2d(dtype=float),
    element_x: wp.array(dtype=float),
    apodization: wp.array(dtype=float),
    pixel_size: float,
    samples_per_metre: float,
    beamformed: wp.array2d(dtype=float),
):
    """Delay-and-sum beamformer, weighted by the coherence factor: each pixel adds the samples that
    arrive from it, interpolated linearly."""
    i, j = wp.tid()
    depth = float(i + 1) * pixel_size
    x = (float(j) - 0.5 * float(beamformed.shape[1])) * pixel_size
    total = float(0.0)
    energy = float(0.0)
    for c in range(channel_data.shape[0]):
        dx = x - element_x[c]
        path = wp.sqrt(depth * depth + dx * dx)
        delay = path * samples_per_metre
        s = int(wp.floor(delay))
        if s + 1 < channel_data.shape[1]:
            f = delay - float(s)
            sample = (1.0 - f) * channel_data[c, s] + f * channel_data[c, s + 1]
            sample *= apodization[c]
            total += sample
            energy += sample * sample
    # the floor keeps pixels without an echo at zero
    factor = total * total / (float(channel_data.shape[0]) * wp.max(energy, 1.0e-12))
    beamformed[i, j] = factor * total


LAUNCH = {
    "das_beamformer": {
        "sizes": {"rows": "min((n + 63) // 64 + 1, 512)"},
        "difficulty": "hard",
        "dims": ["rows", "80"],
        "parameters": {
            "channel_data": {"role": "in", "shape": ["24", "3 * rows + 200"], "values": {"uniform": [0.2, 1.0]}},
            "element_x": {"role": "in", "shape": ["24"], "values": {"uniform": [-0.02, 0.02]}},
            "apodization": {"role": "in", "shape": ["24"], "values": {"uniform": [0.1, 1.0]}},
            "pixel_size": {"values": {"constant": 0.0005}},
            "samples_per_metre": {"values": {"uniform": [1800.0, 2000.0]}},
            "beamformed": {"role": "out", "shape": ["rows", "80"]},
        },
    },
}

MADE_OF = {
    "das_beamformer": {"goal": "combined.delay_and_sum", "ending": "written", "formulas": []},
}
