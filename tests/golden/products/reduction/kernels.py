"""Kernels of the category reduction, seed 0.

Reductions: serial rows, trees in shared memory, atomics, norms, extremes with their places, moments.
"""

import warp as wp


@wp.func
def get_measure(product: float, own: float, theirs: float):
    """The measure, from product, own and theirs."""
    return product / (wp.sqrt(own * theirs) + 0.17)


@wp.kernel
def vector_measures(
    order: wp.array(dtype=wp.int32),
    loads: wp.array2d(dtype=wp.float32),
    queries: wp.array2d(dtype=wp.float32),
    weights: wp.array(dtype=wp.float32),
    measures: wp.array(dtype=wp.float32),
):
    """Damped cosine of the angle between the loads of each row and their partners, weighted by
    column. Thread tid stores its result at order[tid]."""
    tid = wp.tid()
    row = order[tid]
    product = float(0.0)
    own = float(0.0)
    theirs = float(0.0)
    for j in range(6):
        y = queries[tid, j]
        value = loads[tid, j]
        product += weights[j] * (value * y)
        own += value * value
        theirs += y * y
    measure = get_measure(product, own, theirs)
    measures[row] = measure


LAUNCH = {
    "vector_measures": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "order": {"role": "in", "shape": ["n"], "values": {"permutation": "n"}},
            "loads": {"role": "in", "shape": ["n", "6"], "values": {"uniform": [-1.0, 1.0]}},
            "queries": {"role": "in", "shape": ["n", "6"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"role": "in", "shape": ["6"], "values": {"uniform": [0.2, 1.0]}},
            "measures": {"role": "out", "shape": ["n"]},
        },
    },
}
