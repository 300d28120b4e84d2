# refused: print of struct<Pair> is not supported: print its parts
# at 16:5
import warp as wp


@wp.struct
class Pair:
    a: float
    b: float


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    s = Pair(x[i], 2.0)
    print(s)
    x[i] = s.a


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
