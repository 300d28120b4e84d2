# refused: wp.tile_sort is not supported
import warp as wp


@wp.kernel
def f(x: wp.array3d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x[i, 0], shape=16)
    u = wp.tile_arange(16, dtype=int)
    wp.tile_sort(t, u)
    wp.tile_store(x[i, 0], t)


LAUNCH = {
    "f": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"role": "inout", "shape": ["n", 16, 16], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
