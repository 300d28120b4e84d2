# refused: an array at an address that is a number is not supported: pass the array
# at 8:22
import warp as wp


@wp.kernel
def f(address: wp.uint64, count: int, out: wp.array(dtype=float)):
    x = wp.array(ptr=address, shape=(count,), dtype=float)
    out[wp.tid()] = x[wp.tid()]
