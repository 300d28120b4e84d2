"""Kernels of the category image, seed 0.

Images: color spaces, filters, compositing, edges, masks.
"""

import warp as wp


WINDOW_RADIUS = wp.constant(2)
LARGEST_INT = wp.constant(2147483647)


@wp.func
def gray_level(image: wp.array2d(dtype=int), y: int, x: int):
    """Return a pixel, or the nearest one if it lies beyond the border."""
    return image[wp.clamp(y, 0, image.shape[0] - 1), wp.clamp(x, 0, image.shape[1] - 1)]


@wp.kernel
def moravec_response(image: wp.array2d(dtype=int), response: wp.array2d(dtype=int)):
    """Compute the Moravec response, the smallest sum of squared differences between the window and
    itself shifted by one pixel in four directions. The response is large only where every shift
    changes the window."""
    y, x = wp.tid()
    smallest = int(LARGEST_INT)
    # the shifts (1, 1), (0, 1), (-1, 1) and (1, 0)
    for direction in range(4):
        dx = 1 - direction % 3
        dy = wp.where(direction < 3, 1, 0)
        total = int(0)
        for b in range(-WINDOW_RADIUS, WINDOW_RADIUS + 1):
            for a in range(-WINDOW_RADIUS, WINDOW_RADIUS + 1):
                shifted = gray_level(image, y + b + dy, x + a + dx)
                difference = shifted - gray_level(image, y + b, x + a)
                total += difference * difference
        smallest = wp.min(smallest, total)
    response[y, x] = smallest


@wp.kernel
def suppress_weaker(
    response: wp.array2d(dtype=int),
    low: int,
    corners: wp.array2d(dtype=int),
    num_corners: wp.array(dtype=int),
):
    """Keep the pixels whose response exceeds `low` and is at least that of each of the eight
    neighbors; of equal ones the first in reading order stays. Corners are marked with 1, and
    counted."""
    y, x = wp.tid()
    value = response[y, x]
    kept = wp.where(value > low, 1, 0)
    if kept == 1:
        for v in range(wp.max(y - 1, 0), wp.min(y + 2, response.shape[0])):
            for u in range(wp.max(x - 1, 0), wp.min(x + 2, response.shape[1])):
                earlier = v < y or (v == y and u < x)
                if response[v, u] > value or (earlier and response[v, u] == value):
                    kept = 0
    corners[y, x] = kept
    wp.atomic_add(num_corners, 0, kept)


LAUNCH = {
    "detect_moravec_corners": {
        "description": "Detect corners of an image by Moravec's detector, then suppress all but local maxima.",
        "sizes": {"rows": "(n + 95) // 96 + 6", "cols": "96"},
        "difficulty": "expert",
        "steps": [
            {"zero": "num_corners"},
            {"kernel": "moravec_response", "dims": ["rows", "cols"], "arguments": {}},
            {"kernel": "suppress_weaker", "dims": ["rows", "cols"], "arguments": {}},
        ],
        "parameters": {
            "image": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 256]}},
            "response": {"role": "out", "shape": ["rows", "cols"]},
            "low": {"values": {"integers": [230000, 400000]}},
            "num_corners": {"role": "out", "shape": ["1"]},
            "corners": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}

MADE_OF = {
    "detect_moravec_corners": {"goal": "image.corner_detection", "ending": "written", "formulas": []},
}

PARTS = ["moravec_response", "suppress_weaker"]
