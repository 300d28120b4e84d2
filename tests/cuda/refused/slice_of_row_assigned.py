# refused: write one subscript to change a part: m[1, 0:2], not m[1][0:2]
# at 10:5
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=wp.vec3), o: wp.array(dtype=wp.mat33)):
    i = wp.tid()
    m = wp.outer(x[i], x[i])
    m[1][0:2] = x[i][1:]
    o[i] = m
