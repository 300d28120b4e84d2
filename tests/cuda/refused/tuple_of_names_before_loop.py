# refused: Warp makes the two names share one value here: assign them one by one
# at 10:5
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    low = x[i]
    now, last = low, 2.0
    for _k in range(i % 4):
        now = now + last
    out[i] = low + now
