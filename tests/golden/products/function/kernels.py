"""Kernels of the category function, seed 0.

Functions of one's own: nested, with parameters and constants, with loops and early returns.
"""

import warp as wp


@wp.func
def luminance(color: wp.vec3):
    """Relative luminance of linear sRGB (Rec. 709)."""
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]


@wp.func
def filmic(x: float):
    """Narkowicz's fit to the ACES reference rendering transform."""
    return wp.clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0)


@wp.func
def map_color(color: wp.vec3):
    """Filmic curve on each component."""
    return wp.vec3(filmic(color[0]), filmic(color[1]), filmic(color[2]))


@wp.kernel
def sum_log_luminance(image: wp.array2d(dtype=wp.vec3), log_sum: wp.array(dtype=float)):
    """Sum of the logarithms of the luminance, for its geometric mean."""
    y, x = wp.tid()
    wp.atomic_add(log_sum, 0, wp.log(1.0e-4 + luminance(image[y, x])))


@wp.kernel
def apply_curve(
    image: wp.array2d(dtype=wp.vec3),
    log_sum: wp.array(dtype=float),
    key: float,
    gamma: float,
    display: wp.array2d(dtype=wp.vec3),
):
    """Scale an image so that its average becomes the key, and map it to a display with a gamma."""
    y, x = wp.tid()
    num_pixels = float(image.shape[0] * image.shape[1])
    exposed = (key / wp.exp(log_sum[0] / num_pixels)) * image[y, x]
    mapped = map_color(exposed)
    for c in range(3):
        mapped[c] = wp.pow(wp.clamp(mapped[c], 0.0, 1.0), 1.0 / gamma)
    display[y, x] = mapped


LAUNCH = {
    "tone_map": {
        "sizes": {"height": "(n + 63) // 64 + 2", "width": "80"},
        "description": "Tone mapping of an image by Narkowicz's ACES curve with automatic exposure.",
        "difficulty": "expert",
        "equality": "bounded",
        "steps": [
            {"zero": "log_sum"},
            {"kernel": "sum_log_luminance", "dims": ["height", "width"], "arguments": {}},
            {"kernel": "apply_curve", "dims": ["height", "width"], "arguments": {}},
        ],
        "parameters": {
            "image": {"role": "in", "shape": ["height", "width"], "values": {"uniform": [0.02, 4.0]}},
            "log_sum": {"role": "out", "shape": ["1"]},
            "key": {"values": {"uniform": [0.1, 0.4]}},
            "gamma": {"values": {"constant": 2.2}},
            "display": {"role": "out", "shape": ["height", "width"]},
        },
    },
}

MADE_OF = {
    "tone_map": {"goal": "function.tone_mapping", "ending": "written", "formulas": []},
}

PARTS = ["sum_log_luminance", "apply_curve"]
