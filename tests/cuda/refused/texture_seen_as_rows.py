# refused: 'x' is a texture: give all of its indices at once
# at 9:11
import warp as wp


@wp.kernel
def f(x: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    row = x[i]
    out[i] = row[0]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n", "2"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    }
}
