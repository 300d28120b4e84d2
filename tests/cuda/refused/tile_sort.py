# refused: wp.tile_sort takes whole tiles that have a name
# at 10:18
import warp as wp


@wp.kernel
def f(x: wp.array3d(dtype=float)):
    i = wp.tid()
    u = wp.tile_arange(16, dtype=int)
    wp.tile_sort(wp.tile_load(x[i, 0], shape=16), u)
    x[i, 0, 0] = float(u[0])


LAUNCH = {
    "f": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"role": "inout", "shape": ["n", 16, 16], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
