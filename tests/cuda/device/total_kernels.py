"""Elements that all threads of a launch update: blocks reduce what their threads have, one thread updates."""

import warp as wp


@wp.kernel
def dot(a: wp.array(dtype=float), b: wp.array(dtype=float), product: wp.array(dtype=float)):
    """An update is all that a thread does."""
    i = wp.tid()
    wp.atomic_add(product, 0, a[i] * b[i])


@wp.kernel
def energy(velocities: wp.array(dtype=wp.vec3), masses: wp.array(dtype=float), totals: wp.array(dtype=float)):
    """Two elements of one array; a check of the kernel's own."""
    i = wp.tid()
    if masses[i] <= 0.0:
        return
    speed = wp.length(velocities[i])
    wp.atomic_add(totals, 0, 0.5 * masses[i] * speed * speed)
    wp.atomic_add(totals, 1, masses[i])


@wp.kernel
def momentum(
    velocities: wp.array(dtype=wp.vec3), masses: wp.array(dtype=float), total: wp.array(dtype=wp.vec3)
):
    """A vector."""
    i = wp.tid()
    wp.atomic_add(total, 0, masses[i] * velocities[i])


@wp.kernel
def second_moment(velocities: wp.array(dtype=wp.vec3), total: wp.array(dtype=wp.mat33)):
    """A matrix."""
    i = wp.tid()
    wp.atomic_add(total, 0, wp.outer(velocities[i], velocities[i]))


@wp.kernel
def extremes(a: wp.array(dtype=int), low: wp.array(dtype=int), high: wp.array(dtype=wp.uint32)):
    """Threads that do not update leave what nothing can change."""
    i = wp.tid()
    value = a[i]
    if value % 3 == 1:
        wp.atomic_min(low, 0, value)
    wp.atomic_max(high, 0, wp.uint32(value + 100))


@wp.kernel
def float_extremes(
    a: wp.array(dtype=float),
    ids: wp.array(dtype=int),
    low: wp.array(dtype=wp.float64),
    high: wp.array(dtype=float),
):
    """Of all threads, and of groups; positive ones among negative ones."""
    i = wp.tid()
    wp.atomic_min(low, 0, wp.float64(a[i]))
    wp.atomic_max(high, ids[i], -a[i])


@wp.kernel
def positive_extremes(
    a: wp.array(dtype=float),
    ids: wp.array(dtype=int),
    most: wp.array(dtype=float),
    high: wp.array(dtype=wp.float64),
):
    """Of memory that nothing negative is in, though values are."""
    i = wp.tid()
    wp.atomic_max(most, ids[i], a[i])
    wp.atomic_max(high, 0, wp.float64(-a[i]))


@wp.kernel
def in_a_loop(a: wp.array2d(dtype=int), total: wp.array(dtype=int), largest: wp.array(dtype=wp.int64)):
    """A thread updates several times, on several paths."""
    i = wp.tid()
    for j in range(a.shape[1]):
        if a[i, j] > 0:
            wp.atomic_add(total, 0, a[i, j])
        else:
            wp.atomic_sub(largest, 1, wp.int64(a[i, j]))
            wp.atomic_add(total, 0, 1)
        wp.atomic_max(largest, 0, wp.int64(a[i, j]))


@wp.kernel
def leaves_early(a: wp.array(dtype=int), out: wp.array(dtype=int), count: wp.array(dtype=int)):
    """Exits one below the other, one of which does something before; what stands between them is done by those
    that stay.
    """
    i = wp.tid()
    if a[i] < 0 or a[i] == 5:
        return
    out[i] = a[i]
    if a[i] > 6:
        return
    out[i] = 2 * a[i]
    if a[i] == 3:
        out[i] = -1
        return
    wp.atomic_add(count, 0, 1)


@wp.kernel
def old_value(a: wp.array(dtype=int), slots: wp.array(dtype=int), count: wp.array(dtype=int)):
    """Each thread needs the value that it found: no block can stand for it."""
    i = wp.tid()
    if a[i] > 0:
        slot = wp.atomic_add(count, 0, 1)
        wp.atomic_add(slots, slot, a[i])


@wp.kernel
def by_group(a: wp.array(dtype=int), group: int, totals: wp.array(dtype=int)):
    """The same element for all, though no number; and below, one for each."""
    i = wp.tid()
    wp.atomic_add(totals, group, a[i])


@wp.kernel
def one_each(a: wp.array(dtype=int), totals: wp.array(dtype=int)):
    i = wp.tid()
    wp.atomic_add(totals, i % 3, a[i])


@wp.kernel
def column_sums(
    a: wp.array2d(dtype=float),
    last: int,
    sums: wp.array(dtype=float),
    counts: wp.array(dtype=int),
    out: wp.array2d(dtype=float),
):
    """The rows of a block add to one row of elements; a check of the kernel's own."""
    i, j = wp.tid()
    if j >= last:
        return
    out[i, j] = 2.0 * a[i, j]
    wp.atomic_add(sums, j, a[i, j])
    wp.atomic_add(counts, j + 1, i)


@wp.kernel
def short_columns(a: wp.array2d(dtype=int), sums: wp.array(dtype=int)):
    """Blocks that span the rows."""
    i, j = wp.tid()
    wp.atomic_add(sums, j, a[i, j])


LAUNCH = {
    "column_sums": {
        "sizes": {"rows": "n + 20", "cols": "45"},
        "dims": ["rows", "cols"],
        "equality": "bounded",
        "parameters": {
            "a": {"shape": ["rows", "cols"], "values": {"uniform": [0.5, 2.0]}},
            "last": {"values": {"integers": [30, 50]}},
            "sums": {"role": "inout", "shape": ["cols"], "values": {"constant": 0.0}},
            "counts": {"role": "inout", "shape": ["cols + 1"], "values": {"integers": [0, 5]}},
            "out": {"role": "inout", "shape": ["rows", "cols"], "values": {"constant": 0.0}},
        },
    },
    "short_columns": {
        "dims": ["n", 12],
        "parameters": {
            "a": {"shape": ["n", 12], "values": {"integers": [0, 9]}},
            "sums": {"role": "inout", "shape": [12], "values": {"integers": [0, 5]}},
        },
    },
    "dot": {
        "dims": ["n"],
        "equality": "bounded",
        "parameters": {
            "a": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "product": {"role": "inout", "shape": [1], "values": {"constant": 0.0}},
        },
    },
    "energy": {
        "dims": ["n"],
        "equality": "bounded",
        "parameters": {
            "velocities": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "masses": {"shape": ["n"], "values": {"uniform": [-0.5, 2.0]}},
            "totals": {"role": "inout", "shape": [2], "values": {"constant": 0.0}},
        },
    },
    "momentum": {
        "dims": ["n"],
        "equality": "bounded",
        "parameters": {
            "velocities": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "masses": {"shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "total": {"role": "inout", "shape": [1], "values": {"constant": 0.0}},
        },
    },
    "second_moment": {
        "dims": ["n"],
        "equality": "bounded",
        "parameters": {
            "velocities": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "total": {"role": "inout", "shape": [1], "values": {"constant": 0.0}},
        },
    },
    "extremes": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [-90, 90]}},
            "low": {"role": "inout", "shape": [1], "values": {"constant": 20}},
            "high": {"role": "inout", "shape": [1], "values": {"constant": 3}},
        },
    },
    "float_extremes": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"uniform": [-9.0, 5.0]}},
            "ids": {"shape": ["n"], "values": {"integers": [0, 40]}},
            "low": {"role": "inout", "shape": [1], "values": {"uniform": [-4.0, 4.0]}},
            "high": {"role": "inout", "shape": [40], "values": {"uniform": [-9.0, 9.0]}},
        },
    },
    "positive_extremes": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "ids": {"shape": ["n"], "values": {"integers": [0, 300]}},
            "most": {"role": "inout", "shape": [300], "values": {"constant": 0.0}},
            "high": {"role": "inout", "shape": [1], "values": {"uniform": [0.0, 0.5]}},
        },
    },
    "in_a_loop": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n", 5], "values": {"integers": [-9, 10]}},
            "total": {"role": "inout", "shape": [1], "values": {"integers": [0, 5]}},
            "largest": {"role": "inout", "shape": [2], "values": {"integers": [-5, 5]}},
        },
    },
    "leaves_early": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [-3, 10]}},
            "out": {"role": "inout", "shape": ["n"], "values": {"integers": [20, 25]}},
            "count": {"role": "inout", "shape": [1], "values": {"integers": [0, 5]}},
        },
    },
    "old_value": {
        "dims": ["n"],
        "equality": "permutation",
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [-3, 10]}},
            "slots": {"role": "inout", "shape": ["n"], "values": {"constant": 0}},
            "count": {"role": "inout", "shape": [1], "values": {"constant": 0}},
        },
    },
    "by_group": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [-3, 10]}},
            "group": {"values": {"constant": 2}},
            "totals": {"role": "inout", "shape": [4], "values": {"integers": [0, 5]}},
        },
    },
    "one_each": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [-3, 10]}},
            "totals": {"role": "inout", "shape": [3], "values": {"integers": [0, 5]}},
        },
    },
}
