# refused: vec<2,float32> is neither true nor false: compare it with something
# at 10:8
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    v = wp.vec2(x[i], 1.0)
    if v:
        x[i] = 1.0


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
