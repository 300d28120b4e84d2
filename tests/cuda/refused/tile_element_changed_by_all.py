# refused: every thread of the block reads and changes this element, in any order: compute it in a variable that the tile does not feed, or use wp.tile_map
# at 10:5
import warp as wp


@wp.kernel
def f(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x[i], shape=(64,), storage="shared")
    t[2] = t[2] - 3.0
    wp.tile_store(out[i], t)


LAUNCH = {
    "f": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"role": "in", "shape": ["n", 64], "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 64]},
        },
    }
}
