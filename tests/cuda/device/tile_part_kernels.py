"""Kernels on parts of tiles and of their elements, and on tiles of parts of arrays."""

import warp as wp


@wp.kernel
def slices_of_arrays(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """Tiles are loaded from every other element, from the end, and stored so; short ones are checked."""
    i = wp.tid()
    odd = wp.tile_load(a[i, 1::2], shape=12)
    back = wp.tile_load(a[i, ::-1], shape=12, offset=2)
    column = wp.tile_load(a[::-3, 4], shape=4)
    wp.tile_store(out[i, ::3], odd + back)
    wp.tile_store(out[i, 1:40:3], odd * back, offset=1)
    wp.tile_store(out[i, 2::3], column)


@wp.kernel
def slices_of_planes(a: wp.array3d(dtype=float), out: wp.array3d(dtype=float)):
    """Rows and columns of a plane that steps."""
    i = wp.tid()
    t = wp.tile_load(a[i, ::2, 3:1:-1], shape=(3, 2), offset=(1, 0))
    wp.tile_store(out[i, 1:, ::2], t, offset=(0, 1))


@wp.kernel
def rows_of_matrices(
    a: wp.array2d(dtype=wp.mat33), v: wp.array2d(dtype=wp.vec3), out: wp.array2d(dtype=wp.vec3)
):
    """A row of an element is read and written, from the end too; the threads have an element each."""
    i, lane = wp.tid()
    t = wp.tile_load(a[i], shape=32)
    out[i, lane] = t[lane][1] + t[31 - lane][-3]
    t[lane][2] = v[i, lane]
    t[0][1] = v[i, 3]
    out[i, lane] += t[lane][2] - t[0][1]
    out[i, lane] += wp.vec3(t[lane][2][0], t[lane][-1][lane % 3], t[lane, 1, 2])


@wp.kernel
def components_of_vectors(a: wp.array2d(dtype=wp.vec3), out: wp.array2d(dtype=wp.vec3)):
    """Components of elements, by name, by number, by a number that is known when the kernel runs."""
    i, lane = wp.tid()
    t = wp.tile_load(a[i], shape=32)
    u = wp.tile_zeros(shape=32, dtype=wp.vec3)
    x = t[lane].x + t[lane][1] * t[31 - lane][lane % 3]
    u[lane][0] = x
    u[lane][lane % 3] = x * 2.0
    u[5][1] = 3.0
    wp.tile_store(out[i], u)


@wp.kernel
def gathers(a: wp.array2d(dtype=float), order: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """A tile of indices chooses rows or columns; negative ones count from the end; the choice is a copy."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(8, 6), offset=(8 * i, 0))
    chosen = wp.tile_load(order, shape=4)
    rows = t[chosen, :]
    columns = t[:, wp.tile_arange(0, 3, dtype=int) * 2]
    t[1, 1] = 100.0
    wp.tile_store(out, rows, offset=(12 * i, 0))
    wp.tile_store(out, columns, offset=(12 * i + 4, 0))
    wp.tile_store(out[12 * i], t[wp.tile_arange(0, 8, dtype=int)[::2][1]][:])


@wp.kernel
def chains(a: wp.array2d(dtype=float), order: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Brackets after brackets: each takes a part of what the one before it gave."""
    i = wp.tid()
    t = wp.tile_load(a, shape=(8, 6), offset=(8 * i, 0))
    chosen = wp.tile_load(order, shape=4)
    wp.tile_store(out[i], t[::-1][::2][1], offset=0)
    wp.tile_store(out[i], t[2][1:5:2], offset=6)
    wp.tile_store(out[i], t[3][chosen][::-1], offset=8)
    wp.tile_store(out[i], t[::2][chosen][1:][0][1:], offset=12)
    out[i, 17] = t[::-1][0][2] + t[2][3] + t[1:, 2:][0, 0]


@wp.kernel
def explicit_slices(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """wp.tile_view with slices in place of offsets."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=10)
    wp.tile_store(out[i], wp.tile_view(t, offset=(slice(0, -1, 1),)), offset=0)
    wp.tile_store(out[i], wp.tile_view(t, offset=(slice(-3, 10, 1),)), offset=9)
    wp.tile_store(out[i], wp.tile_view(t, offset=(slice(9, 0, -2),)), offset=12)


LAUNCH = {
    "slices_of_arrays": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 27], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 43]},
        },
    },
    "slices_of_planes": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 7, 5], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 3, 5]},
        },
    },
    "rows_of_matrices": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 32], "values": {"integers": [-8, 8]}},
            "v": {"shape": ["n", 32], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 32]},
        },
    },
    "components_of_vectors": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 32], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 32]},
        },
    },
    "gathers": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["8 * n", 6], "values": {"integers": [-8, 8]}},
            "order": {"shape": [4], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["12 * n", 6]},
        },
    },
    "chains": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["8 * n", 6], "values": {"integers": [-8, 8]}},
            "order": {"shape": [4], "values": {"integers": [0, 4]}},
            "out": {"role": "out", "shape": ["n", 18]},
        },
    },
    "explicit_slices": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 10], "values": {"integers": [-8, 8]}},
            "out": {"role": "out", "shape": ["n", 17]},
        },
    },
}
