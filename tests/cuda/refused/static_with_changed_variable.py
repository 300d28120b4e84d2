# refused: wp.static in a loop whose variable changes is not supported
# at 11:18
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    total = float(0.0)
    for k in range(3):
        total += wp.static(float(k)) * x[i]
        k = y[i]
    x[i] = total + float(k)


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
