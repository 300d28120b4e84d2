# refused: slices of indexed arrays are not supported: use indices
# at 8:5
import warp as wp


@wp.kernel
def part(x: wp.indexedarray(dtype=float), out: wp.array(dtype=float)):
    out[wp.tid()] = x[1:3][wp.tid()]
