"""Rigid transforms and spatial vectors: frames, chains, twists, wrenches."""

from weft.kernels.idioms.transform.chains import forward_kinematics, joint_frames
from weft.kernels.idioms.transform.matrices import adjoint_motion, carried_spatial, pose_matrices, scene_nodes
from weft.kernels.idioms.transform.poses import (
    blend_poses,
    carry_points,
    constrained_poses,
    integrate_pose,
    local_shapes,
    relative_frames,
)
from weft.kernels.idioms.transform.wrenches import move_wrench, point_velocity, spatial_inertia, wrench_sums

REVISION = 5
TEACHES = (
    "rigid transforms: points and vectors, frames and their inverses, chains of links, twists and wrenches"
)

IDIOMS = (
    carry_points,
    relative_frames,
    forward_kinematics,
    blend_poses,
    point_velocity,
    wrench_sums,
    move_wrench,
    spatial_inertia,
    integrate_pose,
    local_shapes,
    joint_frames,
    pose_matrices,
    carried_spatial,
    constrained_poses,
    scene_nodes,
    adjoint_motion,
)
