# refused: wp.tile_fft is not supported
import warp as wp


@wp.kernel
def f(x: wp.array2d(dtype=wp.vec2)):
    i = wp.tid()
    u = wp.tile_load(x, shape=(1, 64), offset=(i, 0))
    wp.tile_fft(u)
    wp.tile_store(x, u, offset=(i, 0))


LAUNCH = {
    "f": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"role": "inout", "shape": ["n", 64], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
