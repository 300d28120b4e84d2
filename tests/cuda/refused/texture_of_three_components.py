# refused: 'points' cannot be a texture: a texel is 1, 2 or 4 numbers of 8, 16 or 32 bits, not vec<3,float32> (read_only takes any element)
# at 7:7
import warp as wp


@wp.kernel
def f(points: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = points[i]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "points": {"shape": ["n"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    }
}
