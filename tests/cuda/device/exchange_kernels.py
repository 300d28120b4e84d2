"""`a, b = c, d` gives names the variables of others: what comes of it in branches and loops."""

import warp as wp


@wp.struct
class Hit:
    where: wp.vec2
    order: int


@wp.kernel
def exchanged_in_branch(x: wp.array(dtype=float), y: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """A branch chooses values, so that the loop around it copies no variable that it has changed before."""
    i = wp.tid()
    low = wp.vec2(x[i], 1.0)
    high = wp.vec2(0.5, 2.0)
    for k in range(y[i] + 3):
        if low[0] > high[0]:
            low, high = high, low
        low += wp.vec2(0.3, 1.0)
        high[1] = high[1] * 1.5
    out[i, 0] = low[0]
    out[i, 1] = low[1]
    out[i, 2] = high[0]
    out[i, 3] = high[1]


@wp.kernel
def exchanged_and_changed(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """Each of two exchanged names still has a variable of its own, to change in part."""
    i = wp.tid()
    a = wp.vec2(x[i], 1.0)
    b = wp.vec2(3.0, 4.0)
    a, b = b, a
    a[0] = 7.0
    b[1] += 2.0
    out[i, 0] = a[0]
    out[i, 1] = a[1]
    out[i, 2] = b[0]
    out[i, 3] = b[1]


@wp.kernel
def sorted_by_exchange(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """A few values put in order by comparisons, in a loop that Warp does not unroll."""
    i = wp.tid()
    a = x[i] * 3.0
    b = 2.0 - x[i]
    c = x[i] * x[i]
    turns = int(0)
    while a > b or b > c:
        if a > b:
            a, b = b, a
        if b > c:
            b, c = c, b
        turns += 1
    out[i, 0] = a
    out[i, 1] = b
    out[i, 2] = c
    out[i, 3] = float(turns)


@wp.kernel
def exchanged_twice(x: wp.array(dtype=float), y: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Each name has its own variable again where the turn ends."""
    i = wp.tid()
    a = x[i] + 1.0
    b = x[i] * 2.0
    for k in range(y[i]):
        a, b = b, a
        out[i, 0] += a * float(k)
        a, b = b, a
        a += 1.0
        if a > 3.0:
            break
    out[i, 1] = a
    out[i, 2] = b


@wp.kernel
def pushed_along(x: wp.array(dtype=float), y: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Values move from name to name in the order in which Warp copies them back."""
    i = wp.tid()
    oldest = x[i]
    old = x[i] * 2.0
    new = x[i] * 3.0
    for k in range(y[i]):
        oldest, old, new = old, new, oldest + old * 0.5
        if new > 4.0:
            continue
        out[i, 0] += oldest
    out[i, 1] = oldest
    out[i, 2] = old
    out[i, 3] = new


@wp.kernel
def exchanged_structs(x: wp.array(dtype=float), y: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Structs are chosen by a branch as vectors are, and have members that change."""
    i = wp.tid()
    near = Hit()
    near.where = wp.vec2(x[i], 1.0)
    near.order = 1
    far = Hit()
    far.where = wp.vec2(0.6, 0.3)
    far.order = 2
    for k in range(y[i]):
        if near.where[0] > far.where[0]:
            near, far = far, near
        near.where = near.where + wp.vec2(0.25, 0.0)
        far.order += 10
    out[i, 0] = near.where[0]
    out[i, 1] = far.where[0]
    out[i, 2] = float(near.order)
    out[i, 3] = float(far.order)


@wp.kernel
def kept_before_a_change(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    """Names that a loop gives the values of others hold those from before the change."""
    i = wp.tid()
    now, last = x[i] * 1.0, 2.0 * x[i]
    for _k in range(i % 4):
        before, later = now, last
        now = now + 1.0
        out[i] = before + later


LAUNCH = {
    "kept_before_a_change": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
        },
    },
    "exchanged_in_branch": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 2.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, 6]}},
            "out": {"role": "inout", "shape": ["n", "4"], "values": {"uniform": [0.0, 1.0]}},
        },
    },
    "exchanged_and_changed": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 2.0]}},
            "out": {"role": "inout", "shape": ["n", "4"], "values": {"uniform": [0.0, 1.0]}},
        },
    },
    "sorted_by_exchange": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 2.0]}},
            "out": {"role": "inout", "shape": ["n", "4"], "values": {"uniform": [0.0, 1.0]}},
        },
    },
    "exchanged_twice": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 2.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, 6]}},
            "out": {"role": "inout", "shape": ["n", "4"], "values": {"uniform": [0.0, 1.0]}},
        },
    },
    "pushed_along": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 2.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, 6]}},
            "out": {"role": "inout", "shape": ["n", "4"], "values": {"uniform": [0.0, 1.0]}},
        },
    },
    "exchanged_structs": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 2.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, 6]}},
            "out": {"role": "inout", "shape": ["n", "4"], "values": {"uniform": [0.0, 1.0]}},
        },
    },
}
