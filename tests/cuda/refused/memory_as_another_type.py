# refused: the memory of array<float32,1> as elements of type vec<2,float32> is not supported
# at 8:22
import warp as wp


@wp.kernel
def f(values: wp.array(dtype=float), out: wp.array(dtype=wp.vec2)):
    x = wp.array(ptr=values.ptr, shape=(4,), dtype=wp.vec2)
    out[wp.tid()] = x[wp.tid()]
