# refused: assign the value to a name before unpacking it
# at 14:18
import warp as wp


@wp.func
def pair(x: float):
    return wp.vec2(x, 2.0 * x)


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    v = wp.vec4(*pair(x[i]), 1.0, 2.0)
    x[i] = v[0]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
