# refused: wp.mesh_query_aabb is not supported
# at 9:9
import warp as wp


@wp.kernel
def f(x: wp.array(dtype=float), mesh: wp.uint64):
    i = wp.tid()
    q = wp.mesh_query_aabb(mesh, wp.vec3(), wp.vec3())
    for f in q:
        x[i] = 1.0


LAUNCH = {
    "f": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "mesh": {"values": {"constant": 0}},
        },
    }
}
