"""Kernels that see the memory of an array in another shape."""

import warp as wp


@wp.kernel
def reshaped(x: wp.array2d(dtype=float), rows: int, out: wp.array(dtype=float)):
    """The memory of an array in another shape: stores reach the array."""
    i = wp.tid()
    seen = wp.array(ptr=x.ptr, shape=(rows, 2), dtype=float)
    seen[i, 0] = seen[i, 1] + float(seen.shape[0])
    flat = wp.array(ptr=x[0].ptr, shape=(4,), dtype=wp.float32)
    out[i] = flat[-1] + wp.array(ptr=seen.ptr, shape=(2, 3), dtype=float)[1, 2 * (i % 2)] * 0.5 + seen[-1, 1]


@wp.kernel
def two_names(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """Two names of one memory: an update by one is no thread's own."""
    i = wp.tid()
    a = wp.array(ptr=x.ptr, shape=(8,), dtype=float)
    b = wp.array(ptr=x.ptr, shape=(8,), dtype=float)
    a[i] += 1.0
    b[7 - i] += 2.0
    out[i] = 1.0


@wp.kernel
def of_its_own_memory(out: wp.array(dtype=float)):
    """An array that lives in a thread, seen as rows."""
    i = wp.tid()
    m = wp.zeros(shape=(24,), dtype=wp.float32)
    v = wp.array(ptr=m.ptr, shape=(4, 6), dtype=wp.float32)
    for k in range(24):
        m[k] = float(k + i)
    v[1, 1] = 100.0
    out[i] = v[3, 5] + m[7]


LAUNCH = {
    "two_names": {
        "dims": [8],
        "parameters": {
            "x": {"role": "inout", "shape": [8], "values": {"integers": [0, 9]}},
            "out": {"role": "out", "shape": [8]},
        },
    },
    "reshaped": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n + 1", 6], "values": {"uniform": [0.0, 1.0]}},
            "rows": {"values": {"size": "3 * n + 3"}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
}
