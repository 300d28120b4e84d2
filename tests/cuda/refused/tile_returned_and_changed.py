# refused: this function returns a tile that it is given, and one of the two is changed: copy it first
# at 16:9
import warp as wp


@wp.func
def upper_half(t: wp.tile(dtype=float, shape=(8, 4))):
    return wp.tile_view(t, offset=(0, 0), shape=(4, 4))


@wp.kernel
def f(x: wp.array3d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x[i], shape=(8, 4), storage="shared")
    # In Warp the two share their memory.
    u = upper_half(t)
    t[0, 0] = 1.0
    wp.tile_store(x[i], u)


LAUNCH = {
    "f": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"role": "inout", "shape": ["n", 8, 4], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
