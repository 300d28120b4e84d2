# refused: 'grid' cannot be a texture: textures of arrays have one or two dimensions, not 3
# at 7:7
import warp as wp


@wp.kernel
def f(grid: wp.array3d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = grid[i, 0, 0]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "grid": {"shape": ["n", "2", "2"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    }
}
