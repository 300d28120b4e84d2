# refused: atomics on an array that is made in a kernel are not supported: assign elements
# at 9:5
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    row = wp.zeros(shape=3, dtype=float)
    x[i] = wp.atomic_add(row, 0, 1.0)


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
