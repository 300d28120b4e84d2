"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def digit_checksum(
    numbers: wp.array4d(dtype=wp.int32),
    largest_checksums: wp.array4d(dtype=wp.int32),
):
    """Checksum over the digits of each number in base 2. The checksum is rounded down to a multiple
    of 3. The larger of the result and what is stored is kept."""
    t, z, y, x = wp.tid()
    rest = numbers[t, z, y, x]
    digit_sum = int(0)
    while rest > 0:
        digit = rest % 2
        digit_sum += digit * digit
        rest = rest // 2
    largest_checksums[t, z, y, x] = wp.max(largest_checksums[t, z, y, x], digit_sum // 3 * 3)


LAUNCH = {
    "digit_checksum": {
        "sizes": {"steps": "3", "depth": "2", "height": "4", "width": "(n + 23) // 24"},
        "difficulty": "medium",
        "dims": ["steps", "depth", "height", "width"],
        "parameters": {
            "numbers": {"role": "in", "shape": ["steps", "depth", "height", "width"], "values": {"integers": [0, 100000]}},
            "largest_checksums": {"role": "inout", "shape": ["steps", "depth", "height", "width"], "values": {"integers": [0, 16]}},
        },
    },
}
