# refused: Warp computes this exchange in a loop differently from Python: use a third variable
# at 11:9
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    now, last = x[i] * 1.0, 2.0 * x[i]
    for _k in range(i % 4):
        before, later = now, last
        now = now + 1.0
        out[i] = before + later
