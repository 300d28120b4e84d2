# refused: parameter 'values' of type tuple<float32,float32> is not supported: pass values, and arrays of values
# at 7:11
import warp as wp


@wp.func
def total(values: tuple[float, float]):
    return values[0] + values[1]


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    x[i] = total((x[i], 2.0))


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
