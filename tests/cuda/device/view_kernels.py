"""Views that change, in variables, in structs and through functions."""

import warp as wp


@wp.struct
class View:
    """A line of something."""

    line: wp.array(dtype=float)
    weight: float


@wp.struct
class Outer:
    """Holds a view."""

    view: View
    scale: float


@wp.func
def total(v: View):
    s = float(0.0)
    for k in range(v.line.shape[0]):
        s += v.line[k]
    return s + v.line[-1] * v.weight


@wp.func
def make(m: wp.array2d(dtype=float), i: int, w: float):
    v = View()
    v.line = m[i]
    v.weight = w
    return v


@wp.kernel
def rows_or_columns(m: wp.array2d(dtype=float), view: View, out: wp.array2d(dtype=float)):
    """The shape and strides of a view go where it goes."""
    i = wp.tid()
    line = m[i % 3]
    if i % 2 == 1:
        line = m[:, i % 3]
    out[i, 0] = line[-1] + float(len(line))
    local = View(m[:, 1], 2.0)
    out[i, 1] = total(local) + total(view)
    other = make(m, i % 3, 0.5)
    out[i, 2] = total(other)
    other.line = view.line
    out[i, 3] = total(other)
    o = Outer()
    o.view = local
    o.scale = 2.0
    o.view.weight = 4.0
    out[i, 4] = total(o.view) * o.scale + local.weight


@wp.func
def bump(line: wp.array(dtype=float), k: int):
    line[k] = line[k] + 1.0


@wp.kernel
def writes_through(m: wp.array2d(dtype=float), view: View, out: wp.array3d(dtype=float)):
    """Whatever the view, a store is one to the array."""
    i = wp.tid()
    bump(out[i, 0], -1)
    bump(out[i][1], 0)
    bump(out[i, :, 1], -2)
    plane = out[i]
    plane[-1, 0] += view.line[i] + m[0, 0]
    wp.atomic_add(out, i, 2, -1, 1.0)
    wp.atomic_sub(plane, 2, 1, 3.0)
    q = plane[2]
    wp.atomic_max(q, 0, -100.0)
    part = plane[1:]
    part[0, 0] = part[-1, -1] + float(part.shape[0]) + view.weight


LAUNCH = {
    "rows_or_columns": {
        "dims": ["n"],
        "parameters": {
            "m": {"shape": [3, 3], "values": {"uniform": [-1.0, 1.0]}},
            "view.line": {"shape": [4], "values": {"uniform": [-1.0, 1.0]}},
            "view.weight": {"values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 5]},
        },
    },
    "writes_through": {
        "dims": ["n"],
        "parameters": {
            "m": {"shape": [3, 3], "values": {"uniform": [-1.0, 1.0]}},
            "view.line": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "view.weight": {"values": {"constant": 1}},
            "out": {"role": "inout", "shape": ["n", 3, 2], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
}
