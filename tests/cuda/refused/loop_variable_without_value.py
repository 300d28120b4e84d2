# refused: 'j' has no value in Warp after this loop if it does not run at all: count with another name
# at 10:5
import warp as wp


@wp.kernel
def last(counts: wp.array(dtype=int), out: wp.array(dtype=int)):
    i = wp.tid()
    j = int(7)
    for j in range(counts[i]):
        out[i] += j
    out[i] += 10 * j
