# refused: 'x' is a texture: only its elements can be used, in the kernel itself
# at 12:7
import warp as wp


@wp.func
def first(x: wp.array(dtype=float)) -> float:
    return x[0]


@wp.kernel
def f(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = first(x)


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    }
}
