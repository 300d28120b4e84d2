"""Kernels of the category reduction, seed 0.

Reductions: serial rows, trees in shared memory, atomics, norms, extremes with their places, moments.
"""

import warp as wp


@wp.kernel
def row_fold(
    mask: wp.array(dtype=wp.int32),
    loads: wp.array2d(dtype=wp.float32),
    n: int,
    summaries: wp.array(dtype=wp.float32),
):
    """Largest of the magnitudes of the loads in each row. Elements outside the mask are skipped. A
    row's elements lie below each other. The summary goes through a Lorentzian."""
    tid = wp.tid()
    item = n - 1 - tid
    if mask[item] == 0:
        return
    result = float(-100.0)
    for j in range(6):
        entry = loads[j, item]
        result = wp.max(result, wp.abs(entry))
    summaries[item] = 1.0 / (1.0 + result * result)


LAUNCH = {
    "row_fold": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "mask": {"role": "in", "shape": ["n"], "values": {"integers": [0, 2]}},
            "loads": {"role": "in", "shape": ["6", "n"], "values": {"uniform": [-1.0, 1.0]}},
            "n": {"values": {"size": "n"}},
            "summaries": {"role": "out", "shape": ["n"]},
        },
    },
}
