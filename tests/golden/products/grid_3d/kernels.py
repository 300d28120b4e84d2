"""Kernels of the category grid_3d, seed 0.

Three-dimensional grids: index arithmetic, layouts, staggered fields, level sets, automata.
"""

import warp as wp


@wp.struct
class ProjectionParams:
    """Settings for projection."""

    inverse_spacing: float


@wp.kernel
def projection(
    mask: wp.array3d(dtype=wp.int32),
    potential: wp.array3d(dtype=wp.float32),
    face_velocities: wp.array3d(dtype=wp.float32),
    densities: wp.array3d(dtype=wp.float32),
    expectations: wp.array3d(dtype=wp.float32),
    importances: wp.array3d(dtype=wp.vec4),
    new_faces: wp.array3d(dtype=wp.float32),
    settings: ProjectionParams,
):
    """Velocity on the lower face across axis 1 less the pressure's difference. Elements outside the
    mask are skipped. Beyond the border the nearest element counts. The squared difference between
    the new face and the expectation is taken. The result is multiplied by its importance. Only
    component 3 of importances is read."""
    z, y, x = wp.tid()
    if mask[z, y, x] == 0:
        return
    here = potential[z, y, x]
    face_velocity = face_velocities[z, y, x]
    density = densities[z, y, x]
    expectation = expectations[z, y, x]
    new_face = (
        face_velocity
        - settings.inverse_spacing * (here - potential[z, wp.max(y - 1, 0), x]) / density
    )
    residual = expectation - new_face
    importance = importances[z, y, x][3]
    new_faces[z, y, x] = importance * (residual * residual)


LAUNCH = {
    "projection": {
        "sizes": {"depth": "3", "height": "(n + 14) // 15", "width": "5"},
        "difficulty": "expert",
        "dims": ["depth", "height", "width"],
        "parameters": {
            "mask": {"role": "in", "shape": ["depth", "height", "width"], "values": {"integers": [0, 2]}},
            "potential": {"role": "in", "shape": ["depth", "height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "face_velocities": {"role": "in", "shape": ["depth", "height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "densities": {"role": "in", "shape": ["depth", "height", "width"], "values": {"uniform": [0.5, 2.0]}},
            "expectations": {"role": "in", "shape": ["depth", "height", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "importances": {"role": "in", "shape": ["depth", "height", "width"], "values": {"uniform": [0.1, 2.0]}},
            "new_faces": {"role": "out", "shape": ["depth", "height", "width"]},
            "settings": {"values": {"members": {"inverse_spacing": {"uniform": [0.5, 2.0]}}}},
        },
    },
}
