# refused: wp.mesh_get_point is not supported
# at 9:9
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), mesh: wp.uint64):
    i = wp.tid()
    p = wp.mesh_get_point(mesh, i)
    x[i] = p[0]


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "mesh": {"values": {"constant": 0}},
        },
    }
}
