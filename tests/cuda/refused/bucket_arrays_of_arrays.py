# refused: parameter 'rows' is an array of arrays in buckets, which is not supported: use arrays
# at 7:10
import warp as wp


@wp.kernel
def sums(rows: wp.fabricarrayarray(dtype=float), out: wp.array(dtype=float)):
    out[wp.tid()] = rows[wp.tid()][0]
