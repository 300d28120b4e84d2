# refused: divergent branch around a block-wide tile operation: make the condition the same for all threads of the block
# at 24:13
import warp as wp


@wp.func
def mean(t: wp.tile(dtype=float, shape=(64,))):
    return wp.tile_sum(t)[0] / 64.0


@wp.func
def follow(a: wp.ref[int], lane: int):
    a += lane


@wp.kernel(enable_backward=False)
def f(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, lane = wp.tid()
    t = wp.tile_load(x[i], shape=(64,), storage="shared")
    a = int(0)
    follow(a, lane)
    s = 0.0
    if a > 3:
        s = mean(t)
    out[i, lane] = s


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
