# refused: Warp computes this exchange in a loop differently from Python: use a third variable
# at 12:9
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    a = int(1)
    b = int(2)
    for k in range(y[i]):
        a, b = b, a
    x[i] = float(a)


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
