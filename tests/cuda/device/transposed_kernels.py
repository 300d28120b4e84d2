"""Threads that read rows and write columns: blocks turn tiles of what they store."""

import warp as wp

Wide = wp.types.vector(length=16, dtype=wp.float64)


@wp.func
def damped(value: float, steps: int):
    """A tenth less with each step."""
    for _step in range(steps):
        value *= 0.9
    return value


@wp.kernel
def plain(values: wp.array2d(dtype=int), transposed: wp.array2d(dtype=int)):
    """A transposition of a matrix whose extents are no multiples of a tile's."""
    row, col = wp.tid()
    transposed[col, row] = values[row, col]


@wp.kernel
def of_several(
    a: wp.array2d(dtype=wp.vec3),
    b: wp.array2d(dtype=float),
    weights: wp.array(dtype=float),
    turned: wp.array2d(dtype=wp.vec3),
):
    """Vectors that are made of two matrices, of one number a row and of the place."""
    i, j = wp.tid()
    scale = weights[i] + float(j)
    turned[j, i] = scale * a[i, j] + wp.vec3(b[i, j], 0.0, float(i))


@wp.kernel
def fewer_threads(values: wp.array2d(dtype=float), rows: int, turned: wp.array2d(dtype=float)):
    """The kernel has a check of its own."""
    row, col = wp.tid()
    if row >= rows:
        return
    turned[col, row] = 2.0 * values[row, col]


@wp.kernel
def in_place(values: wp.array2d(dtype=float)):
    """What is read may be what another thread writes."""
    row, col = wp.tid()
    if row < col:
        other = values[col, row]
        values[col, row] = values[row, col]
        values[row, col] = other


@wp.kernel
def to_its_own(values: wp.array2d(dtype=float), size: int):
    """One array is read and written."""
    row, col = wp.tid()
    values[size + col, row] = 2.0 * values[row, col]


@wp.kernel
def through_indices(
    values: wp.array2d(dtype=float), planes: wp.array(dtype=int), turned: wp.array3d(dtype=float)
):
    """Where a thread stores, it reads."""
    row, col = wp.tid()
    plane = planes[col]
    turned[plane, col, row] = values[row, col] + float(plane)


@wp.kernel
def wide(values: wp.array2d(dtype=Wide), turned: wp.array2d(dtype=Wide)):
    """A square of these is larger than a block's shared memory."""
    row, col = wp.tid()
    turned[col, row] = values[row, col]


@wp.kernel
def by_function(values: wp.array2d(dtype=float), turned: wp.array2d(dtype=float)):
    """A function may take more registers than a thread of 1,024 has."""
    row, col = wp.tid()
    turned[col, row] = damped(values[row, col], col)


@wp.kernel
def as_it_lies(values: wp.array2d(dtype=float), doubled: wp.array2d(dtype=float)):
    """Reads and writes lie side by side already."""
    row, col = wp.tid()
    doubled[row, col] = 2.0 * values[row, col]


@wp.kernel
def sum_by_rows(values: wp.array2d(dtype=float), sums: wp.array2d(dtype=float)):
    """Reads of a column, too."""
    row, col = wp.tid()
    sums[col, row] = values[row, col] + values[col, row]


LAUNCH = {
    "plain": {
        "sizes": {"height": "min(n // 5 + 3, 90)", "width": "min(n // 7 + 40, 77)"},
        "dims": ["height", "width"],
        "parameters": {
            "values": {"shape": ["height", "width"], "values": {"integers": [-99, 100]}},
            "transposed": {"role": "out", "shape": ["width", "height"]},
        },
    },
    "of_several": {
        "sizes": {"height": "min(n // 5 + 3, 90)", "width": "min(n // 7 + 40, 77)"},
        "dims": ["height", "width"],
        "parameters": {
            "a": {"shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "weights": {"shape": ["height"], "values": {"uniform": [-1.0, 1.0]}},
            "turned": {"role": "out", "shape": ["width", "height"]},
        },
    },
    "fewer_threads": {
        "sizes": {"height": "min(n // 5 + 3, 90)", "width": "min(n // 7 + 40, 77)"},
        "dims": ["height + 9", "width"],
        "parameters": {
            "values": {"shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "rows": {"values": {"size": "height"}},
            "turned": {"role": "out", "shape": ["width", "height"]},
        },
    },
    "in_place": {
        "sizes": {"size": "min(n // 5 + 40, 75)"},
        "dims": ["size", "size"],
        "parameters": {
            "values": {"role": "inout", "shape": ["size", "size"], "values": {"uniform": [-1.0, 1.0]}}
        },
    },
    "to_its_own": {
        "sizes": {"size": "min(n // 5 + 40, 75)"},
        "dims": ["size", "size"],
        "parameters": {
            "values": {"role": "inout", "shape": ["2 * size", "size"], "values": {"uniform": [-1.0, 1.0]}},
            "size": {"values": {"size": "size"}},
        },
    },
    "through_indices": {
        "sizes": {"height": "min(n // 5 + 3, 90)", "width": "min(n // 7 + 40, 77)"},
        "dims": ["height", "width"],
        "parameters": {
            "values": {"shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "planes": {"shape": ["width"], "values": {"integers": [0, 3]}},
            "turned": {"role": "inout", "shape": [3, "width", "height"], "values": {"constant": 0.0}},
        },
    },
    "wide": {
        "sizes": {"height": "min(n // 5 + 3, 40)", "width": "min(n // 7 + 40, 45)"},
        "dims": ["height", "width"],
        "parameters": {
            "values": {"shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "turned": {"role": "out", "shape": ["width", "height"]},
        },
    },
    "by_function": {
        "sizes": {"height": "min(n // 5 + 3, 90)", "width": "min(n // 7 + 40, 77)"},
        "dims": ["height", "width"],
        "parameters": {
            "values": {"shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "turned": {"role": "out", "shape": ["width", "height"]},
        },
    },
    "as_it_lies": {
        "sizes": {"height": "min(n // 5 + 3, 90)", "width": "min(n // 7 + 40, 77)"},
        "dims": ["height", "width"],
        "parameters": {
            "values": {"shape": ["height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "doubled": {"role": "out", "shape": ["height", "width"]},
        },
    },
    "sum_by_rows": {
        "sizes": {"size": "min(n // 5 + 40, 75)"},
        "dims": ["size", "size"],
        "parameters": {
            "values": {"shape": ["size", "size"], "values": {"uniform": [-1.0, 1.0]}},
            "sums": {"role": "out", "shape": ["size", "size"]},
        },
    },
}
