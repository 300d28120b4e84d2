# refused: a loop condition cannot use whole tiles: compute it in the loop
# at 10:11
import warp as wp


@wp.kernel
def halve(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(a, shape=32, offset=i * 32)
    while t[0] > 1.0:
        t = t * 0.5
    wp.tile_store(out, t, offset=i * 32)
