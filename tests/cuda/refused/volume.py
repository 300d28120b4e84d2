# refused: wp.volume_sample_f is not supported
# at 9:12
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), v: wp.uint64):
    i = wp.tid()
    x[i] = wp.volume_sample_f(v, wp.vec3(), 0)


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "v": {"values": {"constant": 0}},
        },
    }
}
