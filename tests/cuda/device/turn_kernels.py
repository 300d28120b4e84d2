"""Loops whose turns are independent: the launch has a thread for each, in place of one for many."""

import warp as wp


@wp.kernel
def rows(
    x: wp.array2d(dtype=int),
    heads: wp.array(dtype=int),
    cols: int,
    out: wp.array2d(dtype=int),
    sums: wp.array(dtype=int),
):
    """What a row reads first, a check of its own, a turn that goes on early, a total of all."""
    row = wp.tid()
    head = heads[row]
    if head == 3:
        return
    for col in range(cols):
        if x[row, col] % 2 == 0:
            continue
        out[row, col] = head - x[row, col]
        wp.atomic_add(sums, 0, x[row, col])


@wp.kernel
def columns(x: wp.array2d(dtype=float), rows: int, out: wp.array2d(dtype=float)):
    """Neighbouring threads already had neighbouring elements; an update in place."""
    col = wp.tid()
    for row in range(rows):
        out[row, col] += 0.5 * x[row, col]


@wp.kernel
def runs(x: wp.array(dtype=float), count: int, out: wp.array(dtype=float)):
    """Neighbours, up to the last."""
    tid = wp.tid()
    first = tid * 4
    for i in range(first, wp.min(first + 4, count)):
        before = x[wp.max(i - 1, 0)]
        if before < 0.0:
            continue
        out[i] = x[i] - before


@wp.kernel
def rounds(x: wp.array(dtype=int), count: int, out: wp.array(dtype=int)):
    """The same, counted from zero."""
    tid = wp.tid()
    for k in range(3):
        i = tid * 3 + k
        if i < count:
            out[i] = x[i] * 7


@wp.kernel
def far_rounds(x: wp.array(dtype=int), count: int, threads: int, out: wp.array(dtype=int)):
    """Turns that lie as far apart as there are threads."""
    tid = wp.tid()
    for k in range(3):
        i = k * threads + tid
        if i < count:
            out[i] = x[i] * 7


@wp.kernel
def ordered_sums(
    x: wp.array2d(dtype=float), cols: int, out: wp.array2d(dtype=float), sums: wp.array(dtype=float)
):
    """The order in which one thread adds up is that of its turns."""
    row = wp.tid()
    for col in range(cols):
        out[row, col] = 2.0 * x[row, col]
        wp.atomic_add(sums, row, x[row, col])


@wp.kernel
def prefix(x: wp.array2d(dtype=float), cols: int, out: wp.array2d(dtype=float)):
    """A turn that reads what the one before has stored."""
    row = wp.tid()
    for col in range(cols):
        if col > 0:
            out[row, col] = x[row, col] + out[row, col - 1]
        else:
            out[row, col] = x[row, col]


LAUNCH = {
    "rows": {
        "sizes": {"rows": "(n + 4) // 5", "cols": "5"},
        "dims": ["rows"],
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"integers": [0, 90]}},
            "heads": {"shape": ["rows"], "values": {"integers": [0, 9]}},
            "cols": {"values": {"size": "cols"}},
            "out": {"role": "inout", "shape": ["rows", "cols"], "values": {"integers": [0, 9]}},
            "sums": {"role": "inout", "shape": [1], "values": {"constant": 1}},
        },
    },
    "columns": {
        "sizes": {"rows": "(n + 4) // 5", "cols": "5"},
        "dims": ["cols"],
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "rows": {"values": {"size": "rows"}},
            "out": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
    "runs": {
        "dims": ["(n + 3) // 4"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "count": {"values": {"size": "n"}},
            "out": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
    "rounds": {
        "dims": ["(n + 2) // 3"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 90]}},
            "count": {"values": {"size": "n"}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "far_rounds": {
        "sizes": {"threads": "(n + 2) // 3"},
        "dims": ["threads"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 90]}},
            "count": {"values": {"size": "n"}},
            "threads": {"values": {"size": "threads"}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "ordered_sums": {
        "sizes": {"rows": "(n + 4) // 5", "cols": "5"},
        "dims": ["rows"],
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "cols": {"values": {"size": "cols"}},
            "out": {"role": "out", "shape": ["rows", "cols"]},
            "sums": {"role": "inout", "shape": ["rows"], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
    "prefix": {
        "sizes": {"rows": "(n + 4) // 5", "cols": "5"},
        "dims": ["rows"],
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "cols": {"values": {"size": "cols"}},
            "out": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
}
