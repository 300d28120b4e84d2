"""Kernels of the category vector, seed 0.

Vectors: triangles and boxes, closest points, hits of rays, reflection, distance fields of solids.
"""

import warp as wp


@wp.kernel
def radius_ratios(strip: wp.array(dtype=wp.vec3), quality: wp.array(dtype=float)):
    """Radius ratio of each triangle: twice the inradius over the circumradius, one for equilateral
    triangles."""
    f = wp.tid()
    # every other triangle of a strip is wound the other way
    odd = f & 1
    a = strip[f]
    b = strip[f + 1 + odd]
    c = strip[f + 2 - odd]
    ab = wp.length(b - a)
    bc = wp.length(c - b)
    ca = wp.length(a - c)
    double_area = wp.length(wp.cross(b - a, c - a))
    inradius = double_area / (ab + bc + ca)
    inv_circumradius = 2.0 * double_area / (ab * bc * ca)
    quality[f] = 2.0 * inradius * inv_circumradius


LAUNCH = {
    "radius_ratios": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "strip": {"role": "in", "shape": ["n + 2"], "values": {"uniform": [-1.0, 1.0]}},
            "quality": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "radius_ratios": {"goal": "vector.triangle_normals", "ending": "written", "formulas": []},
}
