# refused: Warp makes the two names share one value here: assign them one by one
# at 11:5
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    a = wp.vec2(1.0, 2.0)
    b = wp.vec2(3.0, 4.0)
    a, b = b, b
    a[0] = x[i]
    x[i] = a[0] + b[0]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
