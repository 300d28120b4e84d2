"""Kernels of the category combined, seed 0.

Loops and branches with functions, records, settings and indirect reads in one kernel.
"""

import warp as wp


@wp.func
def remaining_balance(face_value: float, yield_rate: float, payment: float):
    """Balance after some payments."""
    rest = face_value
    for _ in range(3):
        interest = rest * yield_rate
        rest = wp.max(rest + interest - payment, 0.0)
    return rest


@wp.kernel
def bond_balance(
    face_values: wp.array(dtype=wp.float32),
    coupon_rates: wp.array(dtype=wp.float32),
    quoted_prices: wp.array(dtype=wp.float32),
    payments: wp.array(dtype=wp.float32),
    balances: wp.array(dtype=wp.float32),
):
    """Compute the balance of each bond after some payments. The yield is computed as coupon over
    price."""
    bond = wp.tid()
    face_value = face_values[bond]
    coupon_rate = coupon_rates[bond]
    quoted_price = quoted_prices[bond]
    yield_rate = 100.0 * coupon_rate / quoted_price
    payment = payments[bond]
    balance = remaining_balance(face_value, yield_rate, payment)
    balances[bond] = balance


LAUNCH = {
    "bond_balance": {
        "difficulty": "easy",
        "dims": ["n"],
        "parameters": {
            "face_values": {"role": "in", "shape": ["n"], "values": {"uniform": [50.0, 150.0]}},
            "coupon_rates": {"role": "in", "shape": ["n"], "values": {"uniform": [0.01, 0.08]}},
            "quoted_prices": {"role": "in", "shape": ["n"], "values": {"uniform": [80.0, 120.0]}},
            "payments": {"role": "in", "shape": ["n"], "values": {"uniform": [2.0, 20.0]}},
            "balances": {"role": "out", "shape": ["n"]},
        },
    },
}
