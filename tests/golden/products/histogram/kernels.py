"""Kernels of the category histogram, seed 0.

Histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups.
"""

import warp as wp


@wp.kernel
def perona_malik_distribution(
    intensities: wp.array2d(dtype=wp.float32),
    edge_scale: float,
    rate: float,
    ny: int,
    nx: int,
    histogram: wp.array(dtype=wp.float32),
):
    """Histogram of the denoised intensity (Perona-Malik diffusion step) over all pixels. Indices
    are clamped at the border. Each value is shared between the two nearest of 65 bins from 0 to
    1."""
    j, i = wp.tid()
    intensity = intensities[j, i]
    south = intensities[wp.max(j - 1, 0), i]
    north = intensities[wp.min(j + 1, ny - 1), i]
    west = intensities[j, wp.max(i - 1, 0)]
    east = intensities[j, wp.min(i + 1, nx - 1)]
    change_up = south - intensity
    change_down = north - intensity
    change_left = west - intensity
    change_right = east - intensity
    denoised_intensity = wp.clamp(
        intensity
        + rate
        * (
            change_up / (1.0 + change_up * change_up / (edge_scale * edge_scale))
            + change_down / (1.0 + change_down * change_down / (edge_scale * edge_scale))
            + change_left / (1.0 + change_left * change_left / (edge_scale * edge_scale))
            + change_right / (1.0 + change_right * change_right / (edge_scale * edge_scale))
        ),
        0.0,
        1.0,
    )
    place = wp.clamp(denoised_intensity * 64.0, 0.0, 64.0)
    low_bin = wp.min(int(place), 63)
    upper_share = place - float(low_bin)
    wp.atomic_add(histogram, low_bin, 1.0 - upper_share)
    wp.atomic_add(histogram, low_bin + 1, upper_share)


LAUNCH = {
    "perona_malik_distribution": {
        "sizes": {"ny": "min(n // 26 + 3, n // 290 + 31)", "nx": "min(n // 44 + 10, 249)", "num_bins": "65"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["ny", "nx"],
        "parameters": {
            "intensities": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [0.0, 1.0]}},
            "edge_scale": {"values": {"uniform": [0.02, 0.2]}},
            "rate": {"values": {"uniform": [0.02, 0.2]}},
            "ny": {"values": {"size": "ny"}},
            "nx": {"values": {"size": "nx"}},
            "histogram": {"role": "inout", "shape": ["num_bins"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "perona_malik_distribution": {"goal": "images.perona_malik", "ending": "softly", "formulas": ["images.perona_malik"]},
}
