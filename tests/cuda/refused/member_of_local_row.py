# refused: Warp changes a copy of the row here: index the matrix itself, as in m[i, j]
# at 9:5
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=wp.mat33)):
    m = x[0]
    m[1].y = 2.0
    x[0] = m


LAUNCH = {
    "f": {
        "dims": [1],
        "parameters": {"x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}}},
    }
}
