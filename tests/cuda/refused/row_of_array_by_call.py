# refused: give the indices names before a row is changed in an array
# at 9:5
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int), mats: wp.array(dtype=wp.mat22)):
    i = wp.tid()
    mats[wp.min(i, 3)][y[i] % 2] += wp.vec2(1.0, x[i])


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
            "mats": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
