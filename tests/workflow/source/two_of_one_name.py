"""Two kernels of one name, of which Python keeps the last, and another."""

import warp as wp


@wp.kernel
def plain(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] + 1.0


@wp.kernel
def plain(x: wp.array(dtype=float), y: wp.array(dtype=float)):  # noqa: F811
    i = wp.tid()
    y[i] = x[i] * 4.0


@wp.kernel
def other(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * 5.0
