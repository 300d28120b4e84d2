# refused: this slice selects no component, and every CUDA type has one
# at 9:10
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=wp.vec4), same: wp.array(dtype=int)):
    v = x[0]
    if v[2:2] == v[3:3]:
        same[0] = 1


LAUNCH = {
    "f": {
        "dims": [1],
        "parameters": {
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "same": {"role": "out", "shape": [1]},
        },
    }
}
