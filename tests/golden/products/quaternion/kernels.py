"""Kernels of the category quaternion, seed 0.

Quaternions: orientations, time steps, attitude errors, inertia, torques, contacts.
"""

import warp as wp


NUM_SQUARINGS = wp.constant(6)


@wp.func
def davenport_matrix(b: wp.mat33d, shift: wp.float64):
    """Return Davenport's matrix for a correlation matrix b, plus shift times the identity. The
    eigenvector of its largest eigenvalue is the quaternion (x, y, z, w) of the best rotation."""
    x = b[1, 2] - b[2, 1]
    y = b[2, 0] - b[0, 2]
    z = b[0, 1] - b[1, 0]
    xy = b[0, 1] + b[1, 0]
    yz = b[1, 2] + b[2, 1]
    zx = b[2, 0] + b[0, 2]
    return wp.mat44d(
        shift + b[0, 0] - b[1, 1] - b[2, 2],
        xy,
        zx,
        x,
        xy,
        shift + b[1, 1] - b[0, 0] - b[2, 2],
        yz,
        y,
        zx,
        yz,
        shift + b[2, 2] - b[0, 0] - b[1, 1],
        z,
        x,
        y,
        z,
        shift + wp.trace(b),
    )


@wp.func
def best_rotation(b: wp.mat33d, bound: wp.float64):
    """Return the dominant eigenvector of Davenport's matrix as a unit quaternion. No eigenvalue is
    below -bound, so after a shift by bound none is negative. Each squaring of the matrix squares
    the eigenvalues, so that the largest soon outweighs the others."""
    k = davenport_matrix(b, bound)
    for _squaring in range(NUM_SQUARINGS):
        k = k / wp.trace(k)
        k = k @ k
    # Every row is a multiple of the eigenvector. The one of the largest diagonal is not zero.
    largest = k[0, 0]
    eigenvector = k[0]
    for i in range(1, 4):
        if k[i, i] > largest:
            largest = k[i, i]
            eigenvector = k[i]
    q = wp.quatd(eigenvector[0], eigenvector[1], eigenvector[2], eigenvector[3])
    return wp.normalize(q)


@wp.kernel
def davenport_q_method(
    body_vectors: wp.array2d(dtype=wp.vec3d),
    reference_vectors: wp.array2d(dtype=wp.vec3d),
    weights: wp.array(dtype=wp.float64),
    rotations: wp.array(dtype=wp.quatd),
):
    """Solve Wahba's problem by Davenport's q-method: find the attitude of each spacecraft that
    takes its measured unit vectors closest to the reference directions, in the least-squares sense
    with a weight for each sensor. body_vectors[k, s] is the vector of sensor k on spacecraft s."""
    s = wp.tid()
    correlation = wp.mat33d()
    bound = wp.float64(0.0)
    for k in range(body_vectors.shape[0]):
        measured = body_vectors[k, s]
        correlation += weights[k] * wp.outer(measured, reference_vectors[k, s])
        bound += weights[k]
    rotations[s] = best_rotation(correlation, bound)


LAUNCH = {
    "davenport_q_method": {
        "sizes": {"num_sensors": "4", "groups": "(n + 3) // 4"},
        "difficulty": "medium",
        "dims": ["groups"],
        "parameters": {
            "body_vectors": {"role": "in", "shape": ["num_sensors", "groups"], "values": {"unit": [0.1, 1.0]}},
            "reference_vectors": {"role": "in", "shape": ["num_sensors", "groups"], "values": {"unit": [0.1, 1.0]}},
            "weights": {"role": "in", "shape": ["num_sensors"], "values": {"uniform": [0.2, 1.0]}},
            "rotations": {"role": "out", "shape": ["groups"]},
        },
    },
}

MADE_OF = {
    "davenport_q_method": {"goal": "quaternion.absolute_orientation", "ending": "written", "formulas": []},
}
