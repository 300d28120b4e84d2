# refused: divergent branch around a block-wide tile operation: make the condition the same for all threads of the block
import warp as wp


@wp.kernel
def f(x: wp.array3d(dtype=float)):
    i, lane = wp.tid()
    if lane < 16:
        t = wp.tile_load(x[i], shape=(16, 16))
        wp.tile_store(x[i], wp.tile_transpose(t))


LAUNCH = {
    "f": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"role": "inout", "shape": ["n", 16, 16], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
