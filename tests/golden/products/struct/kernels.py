"""Kernels of the category struct, seed 0.

Structs: arrays of them, nested ones, as parameters and results, with vectors, matrices and arrays.
"""

import warp as wp


@wp.struct
class Patch:
    """What is known of one element."""

    area: float
    center: wp.vec3
    frame: wp.mat22
    normal: wp.vec3
    kind: int


@wp.kernel
def assemble(
    area_inputs: wp.array2d(dtype=wp.float32),
    center_sources: wp.array2d(dtype=wp.vec3),
    axis: wp.array2d(dtype=wp.vec2),
    normal_sources: wp.array2d(dtype=wp.vec3),
    categories: wp.array2d(dtype=wp.int32),
    patches: wp.array2d(dtype=Patch),
):
    """Gathers the area, center, frame, normal, kind of each patch in one record."""
    j, i = wp.tid()
    area_input = area_inputs[j, i]
    center_source = center_sources[j, i]
    axis_value = axis[j, i]
    normal_source = normal_sources[j, i]
    patch = Patch()
    patch.area = 1.0 - wp.exp(-area_input)
    patch.normal = wp.normalize(normal_source)
    patch.center = 0.8 * center_source
    patch.frame = wp.mat22(axis_value[0], -axis_value[1], axis_value[1], axis_value[0])
    patch.kind = categories[j, i] % 3
    patches[j, i] = patch


LAUNCH = {
    "assemble": {
        "sizes": {"ny": "max(n // 10, 1)", "nx": "10"},
        "difficulty": "hard",
        "dims": ["ny", "nx"],
        "parameters": {
            "area_inputs": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [0.1, 2.0]}},
            "center_sources": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [-1.0, 1.0]}},
            "axis": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [-1.0, 1.0]}},
            "normal_sources": {"role": "in", "shape": ["ny", "nx"], "values": {"uniform": [-1.0, 1.0]}},
            "categories": {"role": "in", "shape": ["ny", "nx"], "values": {"integers": [0, 10]}},
            "patches": {"role": "out", "shape": ["ny", "nx"]},
        },
    },
}
