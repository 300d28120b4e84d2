"""Kernels of the category function, seed 0.

Functions of one's own: nested, with parameters and constants, with loops and early returns.
"""

import warp as wp


@wp.func
def derivative(x: wp.vec3, infection_rate: float, recovery_rate: float):
    """Epidemic of Kermack and McKendrick: susceptible, infected and recovered fractions."""
    infections = infection_rate * x[0] * x[1]
    recoveries = recovery_rate * x[1]
    return wp.vec3(-infections, infections - recoveries, recoveries)


@wp.func
def rk4_step(x: wp.vec3, h: float, infection_rate: float, recovery_rate: float):
    """Step of the classical fourth-order method."""
    k1 = derivative(x, infection_rate, recovery_rate)
    k2 = derivative(x + 0.5 * h * k1, infection_rate, recovery_rate)
    k3 = derivative(x + 0.5 * h * k2, infection_rate, recovery_rate)
    k4 = derivative(x + h * k3, infection_rate, recovery_rate)
    return x + (h / 6.0) * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@wp.kernel
def sir_trajectories(
    states: wp.array(dtype=wp.vec3),
    infection_rate: float,
    recovery_rate: float,
    h: float,
    num_steps: int,
    final_states: wp.array(dtype=wp.vec3),
):
    """Integrate SIR epidemics from many initial states by the classical Runge-Kutta method."""
    i = wp.tid()
    x = states[i]
    for _step in range(num_steps):
        x = rk4_step(x, h, infection_rate, recovery_rate)
    final_states[i] = x


LAUNCH = {
    "sir_trajectories": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "states": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 0.5]}},
            "infection_rate": {"values": {"uniform": [0.4, 0.8]}},
            "recovery_rate": {"values": {"uniform": [0.1, 0.2]}},
            "h": {"values": {"uniform": [0.02, 0.06]}},
            "num_steps": {"values": {"constant": 8}},
            "final_states": {"role": "out", "shape": ["n"]},
        },
    },
}

MADE_OF = {
    "sir_trajectories": {"goal": "function.runge_kutta", "ending": "written", "formulas": []},
}
