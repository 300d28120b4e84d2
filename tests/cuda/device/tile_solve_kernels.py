"""Kernels that factor tiles and solve systems of equations with them."""

import warp as wp

SIZE = wp.constant(7)
MANY = wp.constant(40)


@wp.kernel
def factors(a: wp.array3d(dtype=float), lower: wp.array3d(dtype=float), upper: wp.array3d(dtype=float)):
    """A matrix that is not definite gives NaN; of the other triangle nothing is read."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=(SIZE, SIZE), storage="shared")
    d = wp.tile_full(shape=SIZE, value=20.0, dtype=float, storage="shared")
    m = wp.tile_diag_add(t, d)
    wp.tile_store(lower[i], wp.tile_cholesky(m))
    wp.tile_cholesky_inplace(m, fill_mode="upper")
    wp.tile_store(upper[i], m)


@wp.kernel
def solves_vectors(
    a: wp.array3d(dtype=wp.float64), b: wp.array2d(dtype=wp.float64), x: wp.array3d(dtype=wp.float64)
):
    """Forwards, backwards, both; a zero on the diagonal divides nothing."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=(SIZE, SIZE), storage="shared")
    y = wp.tile_load(b[i], shape=SIZE, storage="shared")
    wp.tile_store(x[i, 0], wp.tile_lower_solve(t, y))
    wp.tile_store(x[i, 1], wp.tile_upper_solve(t, y))
    wp.tile_store(x[i, 2], wp.tile_cholesky_solve(t, y))
    wp.tile_store(x[i, 3], wp.tile_cholesky_solve(t, y, fill_mode="upper"))
    wp.tile_lower_solve_inplace(wp.tile_transpose(t), y)
    wp.tile_store(x[i, 4], y)


@wp.kernel
def solves_columns(a: wp.array3d(dtype=float), b: wp.array3d(dtype=float), x: wp.array4d(dtype=float)):
    """A thread for each column."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=(SIZE, SIZE), storage="shared")
    y = wp.tile_load(b[i], shape=(SIZE, 5), storage="shared")
    wp.tile_store(x[i, 0], wp.tile_lower_solve(t, y))
    wp.tile_store(x[i, 1], wp.tile_upper_solve(t, y))
    wp.tile_upper_solve_inplace(t, y)
    wp.tile_cholesky_solve_inplace(t, y)
    wp.tile_store(x[i, 2], y)


@wp.kernel
def solves_in_any_order(a: wp.array3d(dtype=float), b: wp.array2d(dtype=float), x: wp.array3d(dtype=float)):
    """Sums may have another order than Warp's; of the unknowns, a thread has none, one or two."""
    i = wp.tid()
    t = wp.tile_load(a[i], shape=(MANY, MANY), storage="shared")
    d = wp.tile_full(shape=MANY, value=60.0, dtype=float, storage="shared")
    m = wp.tile_diag_add(t, d)
    y = wp.tile_load(b[i], shape=MANY, storage="shared")
    wp.tile_store(x[i, 0], wp.tile_upper_solve(m, y))
    wp.tile_store(x[i, 1], wp.tile_cholesky_solve(wp.tile_cholesky(m), y))


LAUNCH = {
    "factors": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 7, 7], "values": {"uniform": [-4.0, 8.0]}},
            "lower": {"role": "out", "shape": ["n", 7, 7]},
            "upper": {"role": "out", "shape": ["n", 7, 7]},
        },
    },
    "solves_vectors": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 7, 7], "values": {"integers": [-3, 4]}},
            "b": {"shape": ["n", 7], "values": {"uniform": [-4.0, 8.0]}},
            "x": {"role": "out", "shape": ["n", 5, 7]},
        },
    },
    "solves_columns": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "a": {"shape": ["n", 7, 7], "values": {"uniform": [-4.0, 8.0]}},
            "b": {"shape": ["n", 7, 5], "values": {"uniform": [-4.0, 8.0]}},
            "x": {"role": "out", "shape": ["n", 3, 7, 5]},
        },
    },
    "solves_in_any_order": {
        "dims": ["n"],
        "block_dim": 32,
        "equality": "bounded",
        "parameters": {
            "a": {"shape": ["n", 40, 40], "values": {"uniform": [-1.0, 1.0]}},
            "b": {"shape": ["n", 40], "values": {"uniform": [-4.0, 8.0]}},
            "x": {"role": "out", "shape": ["n", 2, 40]},
        },
    },
}
