# refused: a native snippet with `#include` is not supported
# at 10:1
import warp as wp


@wp.func_native("""
#include <cmath>
return a * 2.0f;
""")
def twice(a: float) -> float: ...


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    x[i] = twice(x[i])


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
