"""Kernels of the category loop, seed 0.

A loop in each thread: sums, filters, windows, iterations, while, break and continue.
"""

import warp as wp


@wp.kernel
def digit_checksum(
    active: wp.array2d(dtype=wp.int32),
    numbers: wp.array2d(dtype=wp.int32),
    cols: int,
    checksums: wp.array(dtype=wp.int32),
):
    """Checksum over the digits of each number in base 2. Elements that are not active are skipped.
    The checksum is divided by 4. The output is flat, in row-major order."""
    row, col = wp.tid()
    if active[row, col] == 0:
        return
    rest = numbers[row, col]
    digit_sum = int(0)
    while rest > 0:
        digit = rest % 2
        digit_sum += digit
        rest = rest // 2
    place = row * cols + col
    checksums[place] = digit_sum // 4


LAUNCH = {
    "digit_checksum": {
        "sizes": {"rows": "12", "cols": "(n + 11) // 12"},
        "difficulty": "medium",
        "dims": ["rows", "cols"],
        "parameters": {
            "active": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "numbers": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 100000]}},
            "cols": {"values": {"size": "cols"}},
            "checksums": {"role": "out", "shape": ["rows * cols"]},
        },
    },
}
