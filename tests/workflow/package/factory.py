"""A kernel that exists only when it is asked for."""

import warp as wp

from . import constants


def make(count):
    """A kernel that adds `count` steps to each value."""

    @wp.kernel
    def fill(values: wp.array(dtype=float), out: wp.array(dtype=float)):
        i = wp.tid()
        total = values[i]
        for _step in range(count):
            total += constants.STEP
        out[i] = total

    return fill
