# refused: constant tables of 80000 bytes: a program has 65536 (read_only takes any size)
# at 7:7
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = x[i % 20000]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": [20000], "memory": "constant", "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    }
}
