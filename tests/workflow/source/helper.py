"""A module that the five kernels import."""

import warp as wp


@wp.func
def limit(value: wp.float32) -> wp.float32:
    """At most one half, at least minus one half."""
    return wp.clamp(value, -0.5, 0.5)
