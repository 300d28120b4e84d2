"""Kernels of the category combined, seed 0.

Loops and branches with functions, records, settings and indirect reads in one kernel.
"""

import warp as wp


@wp.func
def sigmoid(z: float):
    """Evaluate the logistic function."""
    return 1.0 / (1.0 + wp.exp(-z))


@wp.kernel
def lstm_step(
    x: wp.array2d(dtype=float),
    h_prev: wp.array2d(dtype=float),
    c_prev: wp.array2d(dtype=float),
    w_x: wp.array2d(dtype=float),
    w_h: wp.array2d(dtype=float),
    bias: wp.array(dtype=float),
    h: wp.array2d(dtype=float),
    c: wp.array2d(dtype=float),
):
    """Advance an LSTM layer by one time step. The weight columns hold the output, forget, input and
    candidate gates, in this order."""
    b, j = wp.tid()
    units = h_prev.shape[1]
    o = bias[j]
    f = bias[units + j]
    i = bias[2 * units + j]
    g = bias[3 * units + j]
    for k in range(x.shape[1]):
        o += w_x[k, j] * x[b, k]
        f += w_x[k, units + j] * x[b, k]
        i += w_x[k, 2 * units + j] * x[b, k]
        g += w_x[k, 3 * units + j] * x[b, k]
    for k in range(h_prev.shape[1]):
        o += w_h[k, j] * h_prev[b, k]
        f += w_h[k, units + j] * h_prev[b, k]
        i += w_h[k, 2 * units + j] * h_prev[b, k]
        g += w_h[k, 3 * units + j] * h_prev[b, k]
    state = c_prev[b, j]
    f = sigmoid(f)
    i = sigmoid(i)
    state = f * state + i * wp.tanh(g)
    c[b, j] = state
    h[b, j] = sigmoid(o) * wp.tanh(state)


LAUNCH = {
    "lstm_step": {
        "sizes": {"batch": "(n + 63) // 64 + 2", "units": "64", "depth": "48"},
        "difficulty": "medium",
        "dims": ["batch", "units"],
        "parameters": {
            "x": {"role": "in", "shape": ["batch", "depth"], "values": {"uniform": [-1.0, 1.0]}},
            "h_prev": {"role": "in", "shape": ["batch", "units"], "values": {"uniform": [-1.0, 1.0]}},
            "c_prev": {"role": "in", "shape": ["batch", "units"], "values": {"uniform": [-2.0, 2.0]}},
            "w_x": {"role": "in", "shape": ["depth", "4 * units"], "values": {"uniform": [-0.2, 0.2]}},
            "w_h": {"role": "in", "shape": ["units", "4 * units"], "values": {"uniform": [-0.2, 0.2]}},
            "bias": {"role": "in", "shape": ["4 * units"], "values": {"uniform": [-0.2, 0.5]}},
            "h": {"role": "out", "shape": ["batch", "units"]},
            "c": {"role": "out", "shape": ["batch", "units"]},
        },
    },
}

MADE_OF = {
    "lstm_step": {"goal": "combined.lstm_cell", "ending": "written", "formulas": []},
}
