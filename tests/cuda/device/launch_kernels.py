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
def rows_of_three(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A block spans rows that are three long."""
    i, j = wp.tid()
    out[i, j] = x[i, (j + 1) % 3] - x[i, j] * float(j)


@wp.kernel
def blocks_and_lanes(count: int, x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """A block of a launch is a block, and its lane is a thread of it."""
    block, lane = wp.tid()
    i = block * 64 + lane
    if i >= count:
        return
    out[i] = x[block * 64] + float(lane)


@wp.kernel
def tiles_of_a_picture(height: int, width: int, x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A block spans a tile; tiles are counted in two dimensions."""
    tile_y, tile_x, dy, dx = wp.tid()
    y = tile_y * 8 + dy
    x_ = tile_x * 4 + dx
    if y >= height or x_ >= width:
        return
    out[y, x_] = x[y, x_] + float(dy * 4 + dx)


@wp.kernel
def long_middle(x: wp.array3d(dtype=float), out: wp.array3d(dtype=float)):
    """The second of three dimensions goes along x of the grid."""
    i, j, k = wp.tid()
    out[i, x.shape[1] - 1 - j, k] = x[i, j, k] + float(i * 10 + k)


@wp.kernel
def two_dimensions_on_one_axis(x: wp.array4d(dtype=float), out: wp.array4d(dtype=float)):
    """Of four dimensions, two are along one axis."""
    i, j, k, m = wp.tid()
    out[i, j, x.shape[2] - 1 - k, m] = x[i, j, k, m] + float(i * 1000 + j * 100 + m)


@wp.kernel
def sums_of_a_picture(
    x: wp.array2d(dtype=int),
    weights: wp.array(dtype=int),
    total: wp.array(dtype=int),
    most: wp.array(dtype=int),
):
    """Blocks of two dimensions combine what their threads have."""
    i, j = wp.tid()
    if x[i, j] < 0:
        return
    wp.atomic_add(total, 0, x[i, j] * weights[j])
    wp.atomic_max(most, 0, x[i, j] + i)


@wp.kernel
def volume_of_a_body(x: wp.array3d(dtype=int), heights: wp.array(dtype=int), total: wp.array(dtype=int)):
    """The same with three."""
    i, j, k = wp.tid()
    wp.atomic_add(total, 0, x[i, j, k] * heights[j] + k)


@wp.kernel
def undescribed_2d(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float), total: wp.array(dtype=float)):
    """Nobody says how long the launch is; a return goes on to the next element."""
    i, j = wp.tid()
    if x[i, j] < 0.0:
        return
    out[i, j] = x[i, j] * 2.0
    wp.atomic_add(total, 0, x[i, j])


@wp.kernel
def undescribed_3d(x: wp.array3d(dtype=float), out: wp.array3d(dtype=float)):
    """Coordinates that change are those of one element."""
    i, j, k = wp.tid()
    value = x[i, j, k]
    i = x.shape[0] - 1 - i
    k = x.shape[2] - 1 - k
    for _ in range(2):
        if value < 0.0:
            break
        value *= 0.5
    out[i, j, k] = value


@wp.kernel
def last_coordinate_changes(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """The coordinate over which no thread strides changes, too, and begins anew with each element."""
    i, j = wp.tid()
    place = j
    j = j // 2
    out[i, place] = x[i, place] + float(j)


@wp.kernel
def fewer_names_than_dimensions(out: wp.array3d(dtype=float)):
    """A thread index with fewer names than another has the first coordinates."""
    i, j, k = wp.tid()
    state = wp.rand_init(7, wp.tid())
    row, column = wp.tid()
    out[i, j, k] = wp.randf(state) + float(k + 10 * column - row)


@wp.kernel
def undescribed_4d(x: wp.array4d(dtype=float), out: wp.array4d(dtype=float)):
    """Two dimensions on one axis, over which threads stride."""
    i, j, k, m = wp.tid()
    out[i, j, k, m] = x[i, j, k, m] + float(i * 1000 + j * 100 + k * 10 + m)


@wp.kernel
def undescribed_return_from_a_loop(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A loop is left by a return."""
    i, j = wp.tid()
    out[i, j] = 1.0
    for k in range(j + 1):
        if x[i, k] > 0.5:
            return
    out[i, j] = 2.0


@wp.kernel
def undescribed_own_check(x: wp.array2d(dtype=float), rows: int, cols: int, out: wp.array2d(dtype=float)):
    """The launch is as long as the kernel says."""
    i, j = wp.tid()
    if i < rows and j < cols:
        out[i, j] = x[i, j] - 1.0


@wp.kernel
def turns_by_the_grid(
    count: int, threads: int, x: wp.array(dtype=int), out: wp.array(dtype=int), totals: wp.array(dtype=int)
):
    """A loop over what is left for each thread."""
    tid = wp.tid()
    for i in range(tid, count, threads):
        if x[i] % 3 == 0:
            continue
        out[i] = 2 * x[i] + x[count - 1 - i]
        wp.atomic_add(totals, x[i] % 3, i)


@wp.kernel
def turns_over_a_plane(
    threads: int, rows: int, cols: int, x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)
):
    """Turns that a quotient and a remainder tell apart, transposed."""
    tid = wp.tid()
    for cell in range(tid, rows * cols, threads):
        row = cell // cols
        col = cell % cols
        if x[row, col] < 0.0:
            continue
        out[col, row] = 2.0 * out[col, row] + x[row, col]


@wp.kernel
def turns_while(
    x: wp.array(dtype=int), count: int, threads: int, out: wp.array(dtype=int), bins: wp.array(dtype=int)
):
    """A loop by hand; each block has bins of its own."""
    i = wp.tid()
    while i < count:
        out[i] = 3 * x[i]
        wp.atomic_add(bins, x[i], 1)
        i += threads


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


@wp.kernel
def rows_that_are_blocks(
    table: wp.array2d(dtype=float), ids: wp.array(dtype=int), found: wp.array2d(dtype=float)
):
    """A block for each row: only the launcher asks how many there are."""
    row, d = wp.tid()
    found[row, d] = table[ids[row], d]


LAUNCH = {
    "rows_that_are_blocks": {
        "sizes": {"batch": "(n + 63) // 64", "words": "n // 8 + 50"},
        "dims": ["batch", "64"],
        "parameters": {
            "table": {"role": "in", "shape": ["words", "64"], "values": {"uniform": [-1.0, 1.0]}},
            "ids": {"role": "in", "shape": ["batch"], "values": {"integers": [0, "words"]}},
            "found": {"role": "out", "shape": ["batch", "64"]},
        },
    },
    "last_coordinate_changes": {
        "dims": ["n", 300],
        "parameters": {
            "x": {"shape": ["n", 300], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 300]},
        },
    },
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
    "rows_of_three": {
        "dims": ["n", 3],
        "parameters": {
            "x": {"shape": ["n", 3], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", 3]},
        },
    },
    "blocks_and_lanes": {
        "dims": ["(n + 63) // 64", 64],
        "parameters": {
            "count": {"values": {"size": "n"}},
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "tiles_of_a_picture": {
        "sizes": {"height": "(n + 9) // 10", "width": "10"},
        "dims": ["(height + 7) // 8", "(width + 3) // 4", 8, 4],
        "parameters": {
            "height": {"values": {"size": "height"}},
            "width": {"values": {"size": "width"}},
            "x": {"shape": ["height", "width"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["height", "width"]},
        },
    },
    "long_middle": {
        "sizes": {"few": "3", "some": "5"},
        "dims": ["few", "n", "some"],
        "parameters": {
            "x": {"shape": ["few", "n", "some"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["few", "n", "some"]},
        },
    },
    "two_dimensions_on_one_axis": {
        "sizes": {"a": "2", "b": "3", "c": "(n + 3) // 4", "d": "5"},
        "dims": ["a", "b", "c", "d"],
        "parameters": {
            "x": {"shape": ["a", "b", "c", "d"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["a", "b", "c", "d"]},
        },
    },
    "sums_of_a_picture": {
        "sizes": {"rows": "(n + 11) // 12", "cols": "12"},
        "dims": ["rows", "cols"],
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"integers": [-3, 9]}},
            "weights": {"shape": ["cols"], "values": {"integers": [1, 4]}},
            "total": {"role": "inout", "shape": [1], "values": {"integers": [0, 5]}},
            "most": {"role": "inout", "shape": [1], "values": {"integers": [0, 5]}},
        },
    },
    "volume_of_a_body": {
        "sizes": {"depth": "3", "rows": "5", "cols": "(n + 1) // 2"},
        "dims": ["depth", "rows", "cols"],
        "parameters": {
            "x": {"shape": ["depth", "rows", "cols"], "values": {"integers": [-3, 9]}},
            "heights": {"shape": ["rows"], "values": {"integers": [1, 4]}},
            "total": {"role": "inout", "shape": [1], "values": {"integers": [0, 5]}},
        },
    },
    "turns_by_the_grid": {
        "sizes": {"threads": "(n + 4) // 5"},
        "dims": ["threads"],
        "parameters": {
            "count": {"values": {"size": "n"}},
            "threads": {"values": {"size": "threads"}},
            "x": {"shape": ["n"], "values": {"integers": [0, 90]}},
            "out": {"role": "inout", "shape": ["n"], "values": {"integers": [0, 90]}},
            "totals": {"role": "inout", "shape": [3], "values": {"integers": [0, 90]}},
        },
    },
    "turns_over_a_plane": {
        "sizes": {"threads": "(n + 2) // 3", "rows": "(n + 4) // 5", "cols": "5"},
        "dims": ["threads"],
        "parameters": {
            "threads": {"values": {"size": "threads"}},
            "rows": {"values": {"size": "rows"}},
            "cols": {"values": {"size": "cols"}},
            "x": {"shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "inout", "shape": ["cols", "rows"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
    "turns_while": {
        "sizes": {"threads": "(n + 4) // 5"},
        "dims": ["threads"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 6]}},
            "count": {"values": {"size": "n"}},
            "threads": {"values": {"size": "threads"}},
            "out": {"role": "out", "shape": ["n"]},
            "bins": {"role": "inout", "shape": [6], "values": {"integers": [0, 3]}},
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
