# refused: 'register' is a name of C++ or CUDA: rename the parameter of this snippet
# at 7:1
import warp as wp


@wp.func_native("return register_ * 2.0f;")
def twice(register: float) -> float: ...


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
