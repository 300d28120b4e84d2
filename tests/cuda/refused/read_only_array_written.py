# refused: 'x' is written, and its memory 'read_only' is for reading
# at 7:7
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 1.0
    out[i] = x[i]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "memory": "read_only", "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    }
}
