"""How threads find their place: launches of one to four dimensions."""

from typing import Any

import warp as wp


@wp.kernel
def updates(x: wp.array(dtype=int), counts: wp.array(dtype=int), sums: wp.array(dtype=wp.vec3i)):
    """In-place operators on arrays are atomic: many threads meet here."""
    i = wp.tid()
    b = x[i]
    counts[b] += 1
    counts[b] -= 3
    sums[b] += wp.vec3i(1, b, i)
    sums[b][1] += 2


@wp.kernel
def explicit_atomics(
    x: wp.array(dtype=float),
    low: wp.array(dtype=float),
    high: wp.array(dtype=float),
    bits: wp.array(dtype=wp.uint32),
    total: wp.array(dtype=wp.int64),
):
    """Extremes of floats, bits, and 64-bit sums."""
    i = wp.tid()
    wp.atomic_min(low, i % 3, x[i])
    wp.atomic_max(high, i % 3, x[i])
    wp.atomic_or(bits, 0, wp.uint32(1) << wp.uint32(i % 32))
    wp.atomic_xor(bits, 1, wp.uint32(i))
    wp.atomic_sub(total, 0, wp.int64(i))
    wp.atomic_add(total, 1, wp.int64(i) * wp.int64(1000000007))
    wp.atomic_max(total, 2, wp.int64(i))


@wp.kernel
def returned_slots(x: wp.array(dtype=float), cursor: wp.array(dtype=int), out: wp.array(dtype=float)):
    """The old value that an atomic returns is a slot."""
    i = wp.tid()
    slot = wp.atomic_add(cursor, 0, 1)
    out[slot] = x[i]
    previous = wp.atomic_cas(cursor, 1, 0, 7)
    if previous == 0:
        wp.atomic_exch(cursor, 2, 5)


@wp.kernel
def negative_indices(
    x: wp.array(dtype=float),
    m: wp.array2d(dtype=float),
    shift: wp.array(dtype=int),
    out: wp.array2d(dtype=float),
):
    """Negative indices count from the end, of arrays, vectors and matrices."""
    i = wp.tid()
    out[i, 0] = x[-1] + x[shift[i]] + x[i - 3]
    out[i, 1] = m[i, -1] + m[-1 - i, shift[i] % 2]
    v = wp.vec3(1.0, 2.0, x[i])
    k = shift[i] % 3
    out[i, 2] = v[-1] + v[k]
    a = wp.mat22(1.0, 2.0, 3.0, x[i])
    out[i, -1] = a[-1, k % 2] + a[0, -2]


@wp.kernel
def views(m: wp.array2d(dtype=float), t: wp.array3d(dtype=float), out: wp.array2d(dtype=float)):
    """A partial index is a view of the memory, not a copy."""
    i = wp.tid()
    row = m[i]
    plane = t[i]
    line = plane[1]
    row[0] = 5.0
    plane[1, 0] = row[1] + 1.0
    out[i, 0] = m[i, 0] + row[2]
    out[i, 1] = line[0] + t[i, 1, 1]
    out[i, 2] = float(row.shape[0]) + float(len(line))
    out[i, 3] = t[i][0][1]


@wp.kernel
def launch_2d(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """The last launch dimension is the fastest."""
    i, j = wp.tid()
    if i > 0 and j > 0 and i < x.shape[0] - 1 and j < x.shape[1] - 1:
        out[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - 4.0 * x[i, j]
    else:
        out[i, j] = x[i, j]


@wp.kernel
def launch_3d(x: wp.array3d(dtype=float), out: wp.array3d(dtype=float)):
    """Three dimensions."""
    i, j, k = wp.tid()
    out[x.shape[0] - 1 - i, j, k] = x[i, j, k] + float(i * 100 + j * 10 + k)


@wp.kernel
def launch_4d(x: wp.array(dtype=float, ndim=4), out: wp.array(dtype=float, ndim=4)):
    """Four dimensions."""
    i, j, k, m = wp.tid()
    out[i, j, k, m] = x[i, j, k, m] + float(i * 1000 + j * 100 + k * 10 + m)


@wp.kernel
def padded_launch(count: int, x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """The kernel's own check also stops the threads beyond the launch."""
    i = wp.tid()
    if i >= count:
        return
    out[i] = x[count - 1 - i] * 2.0


@wp.kernel
def no_thread_index(x: wp.array(dtype=int), counts: wp.array(dtype=int)):
    """Every thread runs, whether it asks for its number or not."""
    wp.atomic_add(counts, 0, x[0])


@wp.kernel
def anonymous_index(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """The thread's number within an expression."""
    out[wp.tid()] = x[wp.tid()] * float(wp.tid())


@wp.func
def sums(a: Any, b: Any):
    """Sum and difference."""
    c = a + b
    d = a - b
    return c, d


@wp.func
def first_of(values: wp.array(dtype=int), i: int):
    """An element, read in a function."""
    return values[i]


@wp.kernel
def hashed_indices(x: wp.array(dtype=float), y: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Indices that only seem to be non-negative: hashes wrap around, elements change between two reads."""
    i = wp.tid()
    n = x.shape[0]
    s = i + 7
    for k in range(3):
        s = s * 1664525 + 1013904223
        out[i, 0] = x[s % n]
    out[i, 1] = float(s // 3)
    out[i, 2] = x[(i + 1) * 73856093 % n]
    if first_of(y, i) >= 0:
        y[i] = -1 - y[i]
        out[i, 3] = x[first_of(y, i)]
    else:
        out[i, 3] = -3.0


LAUNCH = {
    "updates": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 7]}},
            "counts": {"role": "inout", "shape": [7], "values": {"integers": [0, 10]}},
            "sums": {"role": "inout", "shape": [7], "values": {"integers": [0, 10]}},
        },
    },
    "explicit_atomics": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "low": {"role": "inout", "shape": [3], "values": {"constant": 1.0}},
            "high": {"role": "inout", "shape": [3], "values": {"constant": -1.0}},
            "bits": {"role": "inout", "shape": [2], "values": {"constant": 0}},
            "total": {"role": "inout", "shape": [3], "values": {"integers": [0, 10]}},
        },
    },
    "returned_slots": {
        "dims": ["n"],
        "equality": "permutation",
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "cursor": {"role": "inout", "shape": [3], "values": {"constant": 0}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "negative_indices": {
        "sizes": {"rows": "n + 3"},
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["rows"], "values": {"uniform": [-2.0, 2.0]}},
            "m": {"shape": ["rows", 4], "values": {"uniform": [-2.0, 2.0]}},
            "shift": {"shape": ["rows"], "values": {"integers": [-3, 4]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "views": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "inout", "shape": ["n", 5], "values": {"uniform": [-2.0, 2.0]}},
            "t": {"role": "inout", "shape": ["n", 3, 2], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "launch_2d": {
        "sizes": {"rows": "(n + 6) // 7", "cols": "17"},
        "dims": ["rows", "cols"],
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
    "launch_3d": {
        "sizes": {"depth": "(n + 99) // 100"},
        "dims": ["depth", 5, 33],
        "parameters": {
            "x": {"shape": ["depth", 5, 33], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["depth", 5, 33]},
        },
    },
    "launch_4d": {
        "dims": [2, "(n + 9) // 10", 3, 2],
        "parameters": {
            "x": {"shape": [2, "(n + 9) // 10", 3, 2], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": [2, "(n + 9) // 10", 3, 2]},
        },
    },
    "padded_launch": {
        "dims": ["(n + 63) // 64 * 64"],
        "parameters": {
            "count": {"values": {"size": "n"}},
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "no_thread_index": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [1, 5]}},
            "counts": {"role": "inout", "shape": [2], "values": {"integers": [0, 5]}},
        },
    },
    "anonymous_index": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "hashed_indices": {
        "sizes": {"count": "n + 9"},
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["count"], "values": {"uniform": [-2.0, 2.0]}},
            "y": {"role": "inout", "shape": ["n"], "values": {"integers": [-3, 6]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
