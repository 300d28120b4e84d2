# refused: wp.hash_grid_query is not supported
# at 9:9
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), grid: wp.uint64):
    i = wp.tid()
    h = wp.hash_grid_query(grid, wp.vec3(), 1.0)
    x[i] = 1.0


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "grid": {"values": {"constant": 0}},
        },
    }
}
