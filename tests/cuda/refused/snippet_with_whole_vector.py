# refused: this native snippet uses 'v' of type vec<3,float32> as a whole: read its components
# at 7:1
import warp as wp


@wp.func_native("auto w = v; return w[0];")
def first(v: wp.vec3) -> float: ...


@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int)):
    i = wp.tid()
    x[i] = first(wp.vec3(1.0, 2.0, 3.0))


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "n"]}},
        },
    }
}
