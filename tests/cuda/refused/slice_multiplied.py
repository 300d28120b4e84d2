# refused: this change of a slice is not supported: assign the components
# at 10:5
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    v = wp.vec3(x[i], 1.0, 2.0)
    v[0:2] %= wp.vec2(2.0, 2.0)
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
