"""Kernels on indexed arrays and on arrays in buckets: an index is not where the element lies."""

import warp as wp


@wp.struct
class Selection:
    """Some of the values, and a weight for all."""

    values: wp.indexedarray(dtype=float)
    weight: float


@wp.func
def pick(values: wp.indexedarray(dtype=float), i: int):
    return values[i] + float(values.shape[0])


@wp.kernel
def indexed_by_one_list(x: wp.indexedarray(dtype=float), out: wp.array(dtype=float)):
    """Negative indices count from the end of the list, not of the array."""
    i = wp.tid()
    out[i] = x[i] + 2.0 * x[-1] + x[i - x.shape[0]]


@wp.kernel
def indexed_and_written(x: wp.indexedarray(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    """Stores, components and atomics go through the list as reads do."""
    i = wp.tid()
    x[i] = x[i] * 2.0
    x[i][1] = 7.0
    x[i] += wp.vec3(1.0, 2.0, 3.0)
    wp.atomic_add(x, i, wp.vec3(0.5, 0.5, 0.5))
    out[i] = x[i]


@wp.kernel
def indexed_along_two_axes(x: wp.indexedarray(dtype=float, ndim=2), out: wp.array2d(dtype=float)):
    """Rows are views that keep the list of the columns."""
    i, j = wp.tid()
    row = x[i]
    out[i, j] = row[j] + 10.0 * x[i][j] + 100.0 * x[i, -1] + float(row.shape[0] + x.shape[0])


@wp.kernel
def indexed_along_one_of_two_axes(x: wp.indexedarray(dtype=float, ndim=2), out: wp.array2d(dtype=float)):
    """An axis without a list is indexed as it is; its extent is the array's."""
    i, j = wp.tid()
    out[i, j] = x[i, j] + 0.5 * x[-1, -1] + float(x.shape[0] * 100 + x.shape[1])


@wp.kernel
def indexed_along_four_axes(x: wp.indexedarray(dtype=int, ndim=4), out: wp.array4d(dtype=int)):
    """Views of views."""
    i, j, k, m = wp.tid()
    x[i, j, k, m] = x[i, j][k][m] + 1
    out[i, j, k, m] = x[i][j, k, m]


@wp.kernel
def indexed_array_in_function(x: wp.indexedarray(dtype=float), out: wp.array(dtype=float)):
    """A function gets the list with the elements."""
    i = wp.tid()
    out[i] = pick(x, i)


@wp.kernel
def indexed_array_in_struct(s: Selection, out: wp.array(dtype=float)):
    """A struct has the list beside the elements."""
    i = wp.tid()
    out[i] = s.weight * s.values[i] + float(s.values.shape[0]) + pick(s.values, i)


@wp.kernel
def in_buckets(x: wp.fabricarray(dtype=float), out: wp.fabricarray(dtype=float)):
    """Elements lie bucket by bucket, in another order than their indices."""
    i = wp.tid()
    out[i] = x[i] + x[0]


@wp.kernel
def in_buckets_by_any_integer(x: wp.fabricarray(dtype=wp.int32), out: wp.array(dtype=int)):
    """Indices are of any integer type."""
    i = wp.tid()
    wp.atomic_add(x, wp.int64(i), 3)
    out[i] = x[wp.uint8(0)] * 0 + x[i]


@wp.kernel
def in_buckets_and_indexed(x: wp.indexedfabricarray(dtype=wp.vec2), out: wp.array(dtype=wp.vec2)):
    """The list comes first, then the bucket."""
    i = wp.tid()
    x[i] = x[i] * 2.0
    x[i].y = 1.0
    out[i] = x[i]


@wp.kernel
def indexed_by_an_atomic(x: wp.indexedarray(dtype=float), taken: wp.array(dtype=int)):
    """The index is computed once, whether there is a list or not."""
    if wp.tid() % 2 == 0:
        x[wp.atomic_add(taken, 0, 1)] = 3.0


@wp.func
def weighted_sum(v: wp.array(dtype=wp.vec3)):
    total = wp.vec3()
    for j in range(len(v)):
        total += v[j] * float(j + 1)
    return total


@wp.kernel
def rows_in_buckets(a: wp.fabricarrayarray(dtype=float), out: wp.array(dtype=float)):
    """Each row has a length of its own, from which negative indices count."""
    i = wp.tid()
    row = a[i]
    for j in range(row.shape[0]):
        out[i] = out[i] + row[j] + 2.0 * row[-1]
    out[i] += a[i][1] - a[i, 0] + float(len(a[i]))


@wp.kernel
def rows_in_buckets_and_indexed(a: wp.indexedfabricarrayarray(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    """A row goes to a function as any array."""
    i = wp.tid()
    out[i] = weighted_sum(a[i])


@wp.kernel
def rows_in_buckets_and_written(a: wp.fabricarrayarray(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    """The array holds the memory of all rows: a store to one leaves the others alone."""
    i = wp.tid()
    row = a[i]
    row[0].x = 7.0
    a[i, 0] += wp.vec3(1.0, 2.0, 3.0)
    out[i] = row[0]


LAUNCH = {
    "indexed_along_one_of_two_axes": {
        "sizes": {"rows": "2 * n + 1", "chosen": "n"},
        "dims": ["chosen", 5],
        "parameters": {
            "x": {"role": "in", "shape": ["rows", 5], "values": {"uniform": [-1.0, 1.0]}},
            "x.row_indices": {"shape": ["chosen"], "values": {"integers": [0, "rows"]}},
            "x.col_indices": {"null": True},
            "out": {"role": "out", "shape": ["chosen", 5]},
        },
    },
}
