# refused: 't' takes tiles of two types: use two names
import warp as wp


@wp.kernel
def f(x: wp.array3d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x[i], shape=(16, 16))
    s = wp.tile_sum(t)
    t = wp.tile_load(x[i], shape=(8, 8))
    wp.tile_store(x[i], t * s[0])


LAUNCH = {
    "f": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"role": "inout", "shape": ["n", 16, 16], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
