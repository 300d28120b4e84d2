"""Arrays of few elements that all threads add to: blocks add up in shared memory, then each bin once."""

import warp as wp


@wp.kernel
def histogram(a: wp.array(dtype=int), counts: wp.array(dtype=int)):
    """An update is all that a thread does."""
    i = wp.tid()
    wp.atomic_add(counts, a[i], 1)


@wp.kernel
def two_tables(
    a: wp.array(dtype=int),
    b: wp.array(dtype=float),
    up: wp.array(dtype=int),
    down: wp.array2d(dtype=wp.uint32),
):
    """Checks of the kernel's own; a subtraction; tables of the same length and of two dimensions."""
    i = wp.tid()
    if a[i] < 0:
        return
    if b[i] < 0.2:
        return
    wp.atomic_sub(up, a[i], i)
    wp.atomic_add(down, a[i] % 2, a[i] // 2, wp.uint32(3))


@wp.kernel
def in_a_loop(a: wp.array2d(dtype=int), sums: wp.array(dtype=wp.int64), total: wp.array(dtype=int)):
    """A thread adds several times, 64 bits; beside it a total of the block."""
    i = wp.tid()
    for k in range(a.shape[1]):
        if a[i, k] == 4:
            continue
        wp.atomic_add(sums, a[i, k], wp.int64(k + i))
        wp.atomic_add(total, 0, k)


@wp.kernel
def of_a_plane(a: wp.array2d(dtype=int), counts: wp.array(dtype=int)):
    """A block of two dimensions."""
    i, j = wp.tid()
    wp.atomic_add(counts, (a[i, j] + j) % 7, 2)


@wp.kernel
def weighted(a: wp.array(dtype=int), w: wp.array(dtype=float), sums: wp.array(dtype=float)):
    """Floats, whose order is free."""
    i = wp.tid()
    wp.atomic_add(sums, a[i], w[i])


@wp.kernel
def name_is_taken(a: wp.array(dtype=int), counts: wp.array(dtype=int), shared_counts: wp.array(dtype=int)):
    """A parameter with the name of the block's bins."""
    i = wp.tid()
    wp.atomic_add(counts, a[i], shared_counts[a[i]])


@wp.kernel
def more_than_threads(a: wp.array(dtype=int), counts: wp.array(dtype=int)):
    """A block has more bins than threads."""
    bin = wp.tid()
    wp.atomic_add(counts, a[bin], 3)


@wp.kernel
def joint(a: wp.array2d(dtype=int), b: wp.array2d(dtype=int), counts: wp.array2d(dtype=int)):
    """A table of as many elements as a block has threads: each has several rows."""
    y, x = wp.tid()
    if a[y, x] != b[y, x]:
        wp.atomic_add(counts, a[y, x], b[y, x], 1)


@wp.kernel
def of_a_volume(a: wp.array3d(dtype=int), counts: wp.array(dtype=int), total: wp.array(dtype=int)):
    """More bins than a block has threads, in a launch of three dimensions; beside them a total of the block."""
    k, j, i = wp.tid()
    wp.atomic_add(counts, a[k, j, i] + k % 2, 1)
    wp.atomic_add(total, 0, i - j)


@wp.kernel
def own_columns(a: wp.array2d(dtype=int), counts: wp.array2d(dtype=int), weights: wp.array2d(dtype=float)):
    """Each thread has a column of one table, and a row of another."""
    i = wp.tid()
    for k in range(a.shape[1]):
        counts[a[i, k], i] += 1
        weights[i, a[i, k] % 3] += 0.5 * float(k)
        weights[i, 1] -= 2.0


@wp.kernel
def extremes(
    a: wp.array(dtype=int),
    b: wp.array(dtype=float),
    least: wp.array(dtype=float),
    most: wp.array(dtype=wp.uint32),
):
    """Extremes of groups: floats of both signs, and integers without a sign."""
    i = wp.tid()
    wp.atomic_min(least, a[i], b[i])
    wp.atomic_max(most, a[i], wp.uint32(i * 7 % 100))


@wp.kernel
def vectors(a: wp.array(dtype=int), p: wp.array(dtype=wp.vec3), sums: wp.array(dtype=wp.vec3)):
    """Vectors of floats, in bins of each warp."""
    i = wp.tid()
    wp.atomic_add(sums, a[i], 2.0 * p[i])


LAUNCH = {
    "extremes": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [0, 6]}},
            "b": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "least": {"role": "inout", "shape": [6], "values": {"constant": 0.5}},
            "most": {"role": "inout", "shape": [6], "values": {"integers": [0, 9]}},
        },
    },
    "vectors": {
        "dims": ["n"],
        "equality": "bounded",
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [0, 9]}},
            "p": {"shape": ["n"], "values": {"uniform": [-1.0, 2.0]}},
            "sums": {"role": "inout", "shape": [9], "values": {"constant": 0.0}},
        },
    },
    "own_columns": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n", 6], "values": {"integers": [0, 5]}},
            "counts": {"role": "inout", "shape": [5, "n"], "values": {"integers": [0, 5]}},
            "weights": {"role": "inout", "shape": ["n", 3], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
    "joint": {
        "sizes": {"rows": "n + 40", "cols": "37"},
        "dims": ["rows", "cols"],
        "parameters": {
            "a": {"shape": ["rows", "cols"], "values": {"integers": [0, 16]}},
            "b": {"shape": ["rows", "cols"], "values": {"integers": [0, 16]}},
            "counts": {"role": "inout", "shape": [16, 16], "values": {"integers": [0, 5]}},
        },
    },
    "of_a_volume": {
        "sizes": {"depth": "n + 3", "height": "11", "width": "70"},
        "dims": ["depth", "height", "width"],
        "parameters": {
            "a": {"shape": ["depth", "height", "width"], "values": {"integers": [0, 299]}},
            "counts": {"role": "inout", "shape": [300], "values": {"integers": [0, 5]}},
            "total": {"role": "inout", "shape": [1], "values": {"constant": 0}},
        },
    },
    "more_than_threads": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [0, 300]}},
            "counts": {"role": "inout", "shape": [300], "values": {"integers": [0, 5]}},
        },
    },
    "histogram": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [0, 8]}},
            "counts": {"role": "inout", "shape": [8], "values": {"integers": [0, 5]}},
        },
    },
    "two_tables": {
        "sizes": {"halves": "4"},
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [-2, 8]}},
            "b": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "up": {"role": "inout", "shape": [8], "values": {"integers": [0, 5]}},
            "down": {"role": "inout", "shape": [2, "halves"], "values": {"integers": [0, 5]}},
        },
    },
    "in_a_loop": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n", 5], "values": {"integers": [0, 60]}},
            "sums": {"role": "inout", "shape": [60], "values": {"integers": [0, 5]}},
            "total": {"role": "inout", "shape": [1], "values": {"constant": 0}},
        },
    },
    "of_a_plane": {
        "dims": ["n", 40],
        "parameters": {
            "a": {"shape": ["n", 40], "values": {"integers": [0, 9]}},
            "counts": {"role": "inout", "shape": [7], "values": {"integers": [0, 5]}},
        },
    },
    "weighted": {
        "dims": ["n"],
        "equality": "bounded",
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [0, 8]}},
            "w": {"shape": ["n"], "values": {"uniform": [0.5, 2.0]}},
            "sums": {"role": "inout", "shape": [8], "values": {"constant": 0.0}},
        },
    },
    "name_is_taken": {
        "dims": ["n"],
        "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [0, 8]}},
            "counts": {"role": "inout", "shape": [8], "values": {"integers": [0, 5]}},
            "shared_counts": {"shape": [8], "values": {"integers": [1, 5]}},
        },
    },
}
