# refused: wp.tile_matmul into one of its factors is not supported: use another tile
import warp as wp


@wp.kernel
def f(x: wp.array3d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x[i], shape=(16, 16))
    wp.tile_matmul(t, t, t)
    wp.tile_store(x[i], t)


LAUNCH = {
    "f": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"role": "inout", "shape": ["n", 16, 16], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
