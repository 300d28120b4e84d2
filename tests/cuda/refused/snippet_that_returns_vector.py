# refused: a native snippet that returns vec<2,float32> is not supported: return a scalar
# at 7:1
import warp as wp


@wp.func_native("return {a, a};")
def twice(a: float) -> wp.vec2: ...


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    x[i] = twice(x[i])[0]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
