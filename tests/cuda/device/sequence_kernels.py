"""Tuples as parameters, and loops over ranges that are turned."""

from typing import Any

import warp as wp

wp.set_module_options({"enable_backward": False})


@wp.func
def weigh(values: tuple[wp.vec3, float], scale: float) -> float:
    return wp.length(values[0]) * values[1] * scale + float(len(values))


@wp.func
def add_up(values: Any):
    total = values[0] * 0.0
    for i in range(len(values)):
        total += values[i] * float(i + 1)
    for i in range(wp.static(len(values))):
        total += values[i]
    return total


@wp.func
def third(values: tuple[float, ...], values_0: float) -> float:
    a, b, c = values
    return c * values_0 + a


@wp.func
def swap(values: tuple[float, int]):
    return values[1], values[0]


@wp.func
def passes(values: tuple[float, int]):
    a, b = swap(values)
    return weigh((wp.vec3(b), float(a)), scale=2.0)


@wp.kernel
def tuple_parameters(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Tuples are passed value by value."""
    t = wp.tid()
    pair = (wp.vec3(x[t], 1.0, 2.0), x[t] + 2.0)
    out[t, 0] = weigh(pair, 0.5) + weigh(scale=2.0, values=(wp.vec3(x[t]), 3.0))
    out[t, 1] = add_up((x[t],)) + add_up((x[t], 2.0, 3.0 * x[t]))
    out[t, 2] = third((x[t], 2.0, x[t] - 1.0), 4.0)
    out[t, 3] = passes((x[t], k[t]))


@wp.kernel
def reversed_ranges(k: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """Ranges from their last value to their first, whatever the step."""
    t = wp.tid()
    s = int(0)
    for i in reversed(range(k[t])):
        s = s * 3 + i
    out[t, 0] = s
    s = int(0)
    for i in reversed(range(1, k[t], 3)):
        s = s * 3 + i
    out[t, 1] = s
    s = int(0)
    for i in reversed(range(10, k[t], -2)):
        s = s * 3 + i
    out[t, 2] = s
    s = int(0)
    st = k[t] % 5 - 2
    if st == 0:
        st = 3
    for i in reversed(range(3, 20, st)):
        s = s * 3 + i
        if i == 6:
            continue
        if s > 100000:
            break
        st += 1
    out[t, 3] = s


LAUNCH = {
    "tuple_parameters": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "reversed_ranges": {
        "dims": ["n"],
        "parameters": {
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
