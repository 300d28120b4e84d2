"""Kernels of the category histogram, seed 0.

Histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups.
"""

import warp as wp


@wp.kernel
def soft_conic_distance_histogram(
    semi_major_axes: wp.array(dtype=wp.float32),
    eccentricities: wp.array(dtype=wp.float32),
    eccentric_anomalies: wp.array(dtype=wp.float32),
    votes: wp.array(dtype=wp.float32),
):
    """Compute the histogram of the distance of all orbits by the conic equation. The true anomaly
    is computed by the half-angle formula. Each value is shared between the two nearest of 9 bins
    from 0.3 to 8."""
    body = wp.tid()
    semi_major_axis = semi_major_axes[body]
    eccentricity = eccentricities[body]
    eccentric_anomaly = eccentric_anomalies[body]
    half = 0.5 * eccentric_anomaly
    true_anomaly = (
        2.0
        * wp.atan2(
            wp.sqrt(1.0 + eccentricity) * wp.sin(half), wp.sqrt(1.0 - eccentricity) * wp.cos(half)
        )
    )
    distance = (
        semi_major_axis
        * (1.0 - eccentricity * eccentricity)
        / wp.max(1.0 + eccentricity * wp.cos(true_anomaly), 0.1)
    )
    place = wp.clamp((distance - 0.3) / 7.7 * 8.0, 0.0, 8.0)
    low_bin = wp.min(int(place), 7)
    upper_share = place - float(low_bin)
    wp.atomic_add(votes, low_bin, 1.0 - upper_share)
    wp.atomic_add(votes, low_bin + 1, upper_share)


LAUNCH = {
    "soft_conic_distance_histogram": {
        "sizes": {"num_bins": "9"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "semi_major_axes": {"role": "in", "shape": ["n"], "values": {"uniform": [0.5, 5.0]}},
            "eccentricities": {"role": "in", "shape": ["n"], "values": {"uniform": [0.02, 0.7]}},
            "eccentric_anomalies": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 6.1]}},
            "votes": {"role": "inout", "shape": ["num_bins"], "values": {"constant": 0.0}},
        },
    },
}
