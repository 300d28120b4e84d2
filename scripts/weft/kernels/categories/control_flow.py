"""Jumps: early returns, break, continue, while loops with several exits."""

from weft.kernels.idioms.control_flow.searches import bisect_root, escape_time, first_above, march_ray
from weft.kernels.idioms.control_flow.walks import collect_budget, even_odd_steps, guarded_update, sum_valid

REVISION = 5
TEACHES = "early returns, break, continue, while loops and guards"

IDIOMS = (
    escape_time,
    first_above,
    bisect_root,
    even_odd_steps,
    guarded_update,
    sum_valid,
    march_ray,
    collect_budget,
)
