"""Kernels of the category combined, seed 0.

Loops and branches with functions, records, settings and indirect reads in one kernel.
"""

import warp as wp


@wp.func
def sigmoid(x: float):
    """Return the logistic function of x."""
    return 1.0 / (1.0 + wp.exp(-x))


@wp.kernel
def lstm_gate_gradients(
    gates: wp.array2d(dtype=float),
    c_prev: wp.array2d(dtype=float),
    c: wp.array2d(dtype=float),
    grad_h: wp.array2d(dtype=float),
    grad_c: wp.array2d(dtype=float),
    parts: int,
    grad_gates: wp.array2d(dtype=float),
    bias_grad: wp.array(dtype=float),
):
    """Backpropagate through an LSTM time step that led from cell state c_prev to c. Columns of
    `gates` hold the input, forget, candidate and output gates before their activations. grad_c
    holds the gradient of c on entry and that of c_prev on return; the gradient of the bias is added
    to bias_grad. A thread takes every parts-th sample of a unit."""
    part, j = wp.tid()
    units = c_prev.shape[1]
    i_total = float(0.0)
    f_total = float(0.0)
    g_total = float(0.0)
    o_total = float(0.0)
    for b in range(part, c_prev.shape[0], parts):
        i = sigmoid(gates[b, j])
        f = sigmoid(gates[b, units + j])
        g = wp.tanh(gates[b, 2 * units + j])
        o = sigmoid(gates[b, 3 * units + j])
        squashed = wp.tanh(c[b, j])
        d_state = grad_c[b, j] + grad_h[b, j] * o * (1.0 - squashed * squashed)
        d_i = d_state * g * i * (1.0 - i)
        d_f = d_state * c_prev[b, j] * f * (1.0 - f)
        d_g = d_state * i * (1.0 - g * g)
        d_o = grad_h[b, j] * squashed * o * (1.0 - o)
        grad_c[b, j] = d_state * f
        grad_gates[b, j] = d_i
        grad_gates[b, units + j] = d_f
        grad_gates[b, 2 * units + j] = d_g
        grad_gates[b, 3 * units + j] = d_o
        i_total += d_i
        f_total += d_f
        g_total += d_g
        o_total += d_o
    wp.atomic_add(bias_grad, j, i_total)
    wp.atomic_add(bias_grad, units + j, f_total)
    wp.atomic_add(bias_grad, 2 * units + j, g_total)
    wp.atomic_add(bias_grad, 3 * units + j, o_total)


LAUNCH = {
    "lstm_gate_gradients": {
        "sizes": {"batch": "(n + 63) // 64 + 2", "units": "64", "parts": "16"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["parts", "units"],
        "parameters": {
            "gates": {"role": "in", "shape": ["batch", "4 * units"], "values": {"uniform": [-2.0, 2.0]}},
            "c_prev": {"role": "in", "shape": ["batch", "units"], "values": {"uniform": [-2.0, 2.0]}},
            "c": {"role": "in", "shape": ["batch", "units"], "values": {"uniform": [-2.0, 2.0]}},
            "grad_h": {"role": "in", "shape": ["batch", "units"], "values": {"uniform": [0.1, 1.0]}},
            "grad_c": {"role": "inout", "shape": ["batch", "units"], "values": {"uniform": [0.1, 1.0]}},
            "parts": {"values": {"size": "parts"}},
            "grad_gates": {"role": "out", "shape": ["batch", "4 * units"]},
            "bias_grad": {"role": "inout", "shape": ["4 * units"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "lstm_gate_gradients": {"goal": "combined.lstm_cell", "ending": "written", "formulas": []},
}
