"""Two kernels with types, helpers and functions of the same names: what libraries must keep apart."""

import warp as wp


@wp.struct
class Spring:
    """A linear spring."""

    rest: float
    stiffness: float


@wp.func
def force(a: wp.vec3, b: wp.vec3, spring: Spring) -> wp.vec3:
    d = b - a
    return d * (spring.stiffness * (wp.length(d) - spring.rest))


@wp.kernel
def pull(
    position: wp.array(dtype=wp.vec3),
    ends: wp.array(dtype=wp.vec2i),
    springs: wp.array(dtype=Spring),
    forces: wp.array(dtype=wp.vec3),
):
    """Force of each spring on its first end."""
    s = wp.tid()
    forces[s] = force(position[ends[s][0]], position[ends[s][1]], springs[s])


@wp.kernel
def stretch(
    position: wp.array2d(dtype=wp.vec3), spring: Spring, frame: wp.mat33, lengths: wp.array2d(dtype=float)
):
    """Length of the force of one spring from the origin to each point, seen in a frame."""
    i, j = wp.tid()
    lengths[i, j] = wp.length(frame * force(wp.vec3(0.0, 0.0, 0.0), position[i, j], spring))


LAUNCH = {
    "pull": {
        "sizes": {"points": "2 * n"},
        "dims": ["n"],
        "parameters": {
            "position": {"shape": ["points"], "values": {"uniform": [-1.0, 1.0]}},
            "ends": {"shape": ["n"], "values": {"integers": [0, "points"]}},
            "springs": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "forces": {"role": "out", "shape": ["n"]},
        },
    },
    "stretch": {
        "sizes": {"rows": "n", "cols": "20"},
        "dims": ["rows", "cols"],
        "parameters": {
            "position": {"shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "spring": {"values": {"uniform": [0.0, 1.0]}},
            "frame": {"values": {"uniform": [-1.0, 1.0]}},
            "lengths": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
