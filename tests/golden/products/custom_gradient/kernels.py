"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, potentials, maps, solutions; func_replay for cached work.
"""

import warp as wp


@wp.struct
class FieldOfSourcesModel:
    """The settings' part for the model."""

    mass: float


@wp.struct
class FieldOfSourcesParams:
    """Settings that all threads share."""

    model: FieldOfSourcesModel
    default_value: float


@wp.func
def evaluate_gravity(a: wp.vec3, b: wp.vec3, mass: float):
    """Softened potential of gravity."""
    gap = a - b
    size = wp.sqrt(wp.dot(gap, gap) + 0.11)
    return -mass / size


@wp.func_grad(evaluate_gravity)
def adj_evaluate_gravity(a: wp.vec3, b: wp.vec3, mass: float, adj_ret: float):
    """Gradient of evaluate_gravity."""
    gap = a - b
    size = wp.sqrt(wp.dot(gap, gap) + 0.11)
    pull = adj_ret * mass / (size * size * size) * gap
    wp.adjoint[a] += pull
    wp.adjoint[b] += -pull
    wp.adjoint[mass] += -adj_ret / size


@wp.kernel
def field_of_sources(
    enabled: wp.array2d(dtype=wp.int32),
    sources_at: wp.array(dtype=wp.vec3),
    points: wp.array2d(dtype=wp.vec3),
    open_flags: wp.array2d(dtype=wp.int32),
    options: FieldOfSourcesParams,
    cols: int,
    rows: int,
    potentials: wp.array(dtype=wp.float32),
):
    """Sum over 4 sources of a softened potential of gravity, with its own gradient. Elements that
    are not enabled are skipped. Where open_flags[i, j] is zero, options.default_value takes the
    place of the potential. The output is flat, in row-major order."""
    cell = wp.tid()
    if cell >= rows * cols:
        return
    i = cell // cols
    j = cell % cols
    if enabled[i, j] == 0:
        return
    point = points[i, j]
    total = float(0.0)
    for s in range(4):
        total += evaluate_gravity(point, sources_at[s], options.model.mass)
    place = i * cols + j
    gated_potential = wp.where(open_flags[i, j] == 0, options.default_value, total)
    potentials[place] = gated_potential


LAUNCH = {
    "field_of_sources": {
        "sizes": {"rows": "(n + 15) // 16", "cols": "16", "sources": "4"},
        "difficulty": "expert",
        "dims": ["(rows * cols + 63) // 64 * 64"],
        "parameters": {
            "enabled": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "sources_at": {"role": "in", "shape": ["sources"], "values": {"uniform": [-1.0, 1.0]}},
            "points": {"role": "in", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "open_flags": {"role": "in", "shape": ["rows", "cols"], "values": {"integers": [0, 2]}},
            "options": {"values": {"members": {"model": {"members": {"mass": {"uniform": [0.52, 1.98]}}}, "default_value": {"uniform": [0.1, 0.9]}}}},
            "cols": {"values": {"size": "cols"}},
            "rows": {"values": {"size": "rows"}},
            "potentials": {"role": "out", "shape": ["rows * cols"]},
        },
    },
}
