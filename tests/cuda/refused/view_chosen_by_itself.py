# refused: give this choice a name first: it depends on 'line', which it replaces
# at 11:5
import warp as wp


@wp.kernel
def f(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i = wp.tid()
    line = x[i]
    line[0] = 1.0
    line = y[i] if line[1] > 0.5 else x[0]
    line[-1] = 2.0


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n", 3], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "inout", "shape": ["n", 2], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
