# refused: an array that is made in a kernel must be given to one new name
# at 9:5
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    row = wp.zeros(shape=3, dtype=float)
    if y[i] > 3:
        row = wp.zeros(shape=3, dtype=float)
    row[0] = 1.0
    x[i] = row[1]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
