"""Kernels of the category custom_gradient, seed 0.

Gradients of one's own: func_grad for losses, activations, potentials and fits.
"""

import warp as wp


@wp.func
def solve_displacement(stiffness: wp.mat22, load: wp.vec2):
    """Return the solution x of stiffness x = load for a symmetric 2 x 2 matrix, by its inverse."""
    return wp.inverse(stiffness) @ load


@wp.func_grad(solve_displacement)
def adj_solve_displacement(stiffness: wp.mat22, load: wp.vec2, adj_ret: wp.vec2):
    """Propagate the adjoint through solve_displacement in the backward pass of a tape, with the
    inverse of stiffness and not its derivative."""
    adj_load = solve_displacement(stiffness, adj_ret)
    wp.adjoint[load] += adj_load
    wp.adjoint[stiffness] -= wp.outer(adj_load, solve_displacement(stiffness, load))


@wp.kernel
def compliance_fit_gradient(
    factors: wp.array(dtype=wp.mat22),
    loads: wp.array(dtype=wp.vec2),
    observed: wp.array(dtype=wp.vec2),
    ridge: float,
    losses: wp.array(dtype=float),
    load_gradients: wp.array(dtype=wp.vec2),
    stiffness_gradients: wp.array(dtype=wp.mat22),
):
    """Solve small spring systems and compare the displacements with observations: compute half the
    squared error, and its gradient with respect to the load and the stiffness. Each stiffness
    matrix is factor factor^T + ridge I, so that it is positive definite."""
    i = wp.tid()
    factor = factors[i]
    stiffness = factor @ wp.transpose(factor) + ridge * wp.identity(n=2, dtype=float)
    displacement = solve_displacement(stiffness, loads[i])
    error = displacement - observed[i]
    losses[i] = 0.5 * wp.dot(error, error)
    # the matrix is symmetric, and so is its inverse
    adjoint = solve_displacement(stiffness, error)
    load_gradients[i] = adjoint
    stiffness_gradients[i] = -wp.outer(adjoint, displacement)


LAUNCH = {
    "compliance_fit_gradient": {
        "difficulty": "medium",
        "dims": ["n"],
        "parameters": {
            "factors": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "loads": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "observed": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "ridge": {"values": {"uniform": [0.5, 1.0]}},
            "losses": {"role": "out", "shape": ["n"]},
            "load_gradients": {"role": "out", "shape": ["n"]},
            "stiffness_gradients": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "compliance_fit_gradient": {"goal": "custom_gradient.linear_solve_adjoint", "ending": "written", "formulas": []},
}
