"""Kernels of the category struct, seed 0.

Structs: arrays of records, records updated in place, structs of arrays, settings.
"""

import warp as wp


@wp.struct
class Gaussian:
    """Anisotropic Gaussian, with standard deviations along rotated axes."""

    center: wp.vec3
    scale: wp.vec3
    rotation: wp.quat


@wp.kernel
def splat_covariances(
    gaussians: wp.array(dtype=Gaussian),
    covariances: wp.array(dtype=wp.mat33),
    volumes: wp.array(dtype=float),
):
    """Compute the covariances of Gaussians from their scales and rotations, and the volumes of
    their one-sigma ellipsoids."""
    i = wp.tid()
    gaussian = gaussians[i]
    axes = wp.quat_to_matrix(wp.normalize(gaussian.rotation)) * wp.diag(gaussian.scale)
    covariances[i] = axes * wp.transpose(axes)
    scale = gaussian.scale
    volumes[i] = 4.0 / 3.0 * wp.pi * scale[0] * scale[1] * scale[2]


LAUNCH = {
    "splat_covariances": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "gaussians": {"role": "in", "shape": ["n"], "values": {"members": {"center": {"uniform": [-1.0, 1.0]}, "scale": {"uniform": [0.05, 0.4]}, "rotation": {"uniform": [-0.6, 0.6]}}}},
            "covariances": {"role": "out", "shape": ["n"]},
            "volumes": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "splat_covariances": {"goal": "struct.gaussian_splats", "ending": "written", "formulas": []},
}
