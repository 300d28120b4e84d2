# refused: this use of a view of an array is not supported: index the array itself
# at 14:5
import warp as wp


@wp.func
def part(a: wp.array(dtype=float), i: int):
    return a[i:]


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    x[i] = part(x, i)[y[i] - 1]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
