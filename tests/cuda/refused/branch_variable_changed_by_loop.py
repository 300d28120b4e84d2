# refused: a loop in this branch changes 'more': test a copy of it
# at 10:8
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    more = bool(x[i] > 0.5)
    if more:
        for k in range(y[i]):
            more = x[k] > 0.5
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
