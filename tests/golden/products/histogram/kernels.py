"""Kernels of the category histogram, seed 0.

Histograms: bins of many kinds, weights, copies in shared memory, counting sorts, lookups.
"""

import warp as wp


SQRT_HALF = wp.constant(0.7071067811865476)


@wp.func
def continuous_discount(maturity: float, rate: float):
    """Discount factor by continuous compounding."""
    return wp.exp(-rate * maturity)


@wp.func
def forward_d1(log_moneyness: float, deviation: float):
    """Argument d1 from log-moneyness and deviation."""
    return log_moneyness / deviation + 0.5 * deviation


@wp.func
def shifted_d2(log_moneyness: float, deviation: float):
    """Argument d2 from d1 and the deviation."""
    d1 = forward_d1(log_moneyness, deviation)
    return d1 - deviation


@wp.func
def normal_cdf(x: float):
    """Distribution function of the standard normal distribution."""
    return 0.5 * (1.0 + wp.erf(x * SQRT_HALF))


@wp.kernel
def soft_digital_call_histogram(
    maturities: wp.array(dtype=wp.float32),
    log_moneyness_values: wp.array(dtype=wp.float32),
    deviations: wp.array(dtype=wp.float32),
    rate: float,
    cash: float,
    weights: wp.array(dtype=wp.float32),
):
    """Compute the histogram of the call price of all options for a fixed amount of cash. For this,
    the argument d1 is computed from log-moneyness and deviation. Each value is shared between the
    two nearest of 9 bins from 0 to 20."""
    contract = wp.tid()
    maturity = maturities[contract]
    discount = continuous_discount(maturity, rate)
    log_moneyness = log_moneyness_values[contract]
    deviation = deviations[contract]
    d2 = shifted_d2(log_moneyness, deviation)
    call_price = cash * discount * normal_cdf(d2)
    place = wp.clamp(call_price * 0.4, 0.0, 8.0)
    low_bin = wp.min(int(place), 7)
    upper_share = place - float(low_bin)
    wp.atomic_add(weights, low_bin, 1.0 - upper_share)
    wp.atomic_add(weights, low_bin + 1, upper_share)


LAUNCH = {
    "soft_digital_call_histogram": {
        "sizes": {"num_bins": "9"},
        "difficulty": "hard",
        "equality": "bounded",
        "dims": ["n"],
        "parameters": {
            "maturities": {"role": "in", "shape": ["n"], "values": {"uniform": [0.1, 2.0]}},
            "log_moneyness_values": {"role": "in", "shape": ["n"], "values": {"uniform": [-0.7, 0.7]}},
            "deviations": {"role": "in", "shape": ["n"], "values": {"uniform": [0.05, 0.8]}},
            "rate": {"values": {"uniform": [0.01, 0.08]}},
            "cash": {"values": {"uniform": [5.0, 20.0]}},
            "weights": {"role": "inout", "shape": ["num_bins"], "values": {"constant": 0.0}},
        },
    },
}

MADE_OF = {
    "soft_digital_call_histogram": {"goal": "options.digital_call", "ending": "softly", "formulas": ["options.digital_call", "options.continuous_discount", "options.shifted_d2", "options.forward_d1"]},
}
