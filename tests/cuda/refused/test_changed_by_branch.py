# refused: Warp reads this again after the branch, which changes it: name it first
# at 10:8
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), b: wp.array(dtype=bool)):
    i = wp.tid()
    value = float(0.0)
    if b[i]:
        b[i] = False
        value = 1.0
    x[i] = value


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "b": {"role": "inout", "shape": ["n"], "values": {"integers": [0, 2]}},
        },
    }
}
