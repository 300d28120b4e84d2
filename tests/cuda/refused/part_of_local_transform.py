# refused: Warp changes a copy of the part here: index the transform itself, or assign all of the part
# at 9:5
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=wp.transform)):
    t = x[0]
    t.p[1] = 2.0
    x[0] = t


LAUNCH = {
    "f": {
        "dims": [1],
        "parameters": {"x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}}},
    }
}
