"""Functions of the user: their arguments, overloads, references, operators and native snippets."""

from typing import Any

import warp as wp

wp.set_module_options({"enable_backward": False})


@wp.struct
class Sample:
    """A weighted point."""

    point: wp.vec3
    weight: float


@wp.func
def take(counter: wp.array(dtype=int), slot: int, amount: int):
    """Adds to a counter; gives what it held."""
    before = counter[slot]
    counter[slot] = before + amount
    return before


@wp.kernel
def effects_in_order(
    x: wp.array(dtype=float),
    k: wp.array(dtype=int),
    counts: wp.array(dtype=int),
    out: wp.array2d(dtype=float),
):
    """Calls that change memory run from left to right; an element is read when it is needed."""
    t = wp.tid()
    a = 10 * take(counts, t, 1) + take(counts, t, 2)
    b = counts[t] + take(counts, t, 3)
    c = 2 * counts[t] + take(counts, t, 1)
    d = take(counts, t, 1) + counts[t]
    out[t, 0] = float(a)
    out[t, 1] = float(b + 100 * c)
    out[t, 2] = float(d)
    counts[take(counts, t, 5) % 1 + t] = counts[t] + take(counts, t, 1)
    if take(counts, t, 1) > 3 and take(counts, t, 10) > 2 or take(counts, t, 100) > 0:
        counts[t] += take(counts, t, 1)
    if take(counts, t, 3) < counts[t] - k[t] <= take(counts, t, 1):
        counts[t] += 1000
    out[t, 3] = float(counts[t]) + x[t] + float(k[t])


@wp.kernel
def default_and_keyword_arguments(
    x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)
):
    """Arguments by name, in any order; defaults where they are left out."""
    t = wp.tid()
    out[t, 0] = weighted(x[t])
    out[t, 1] = weighted(x[t], offset=2.0)
    out[t, 2] = weighted(offset=x[t], value=3.0, weight=k[t])
    out[t, 3] = weighted(x[t], k[t], 0.5)


@wp.func
def weighted(value: float, weight: int = 3, offset: float = -1.5):
    """A line."""
    return value * float(weight) + offset


@wp.func
def halve(a: float):
    """Halves numbers."""
    return a * 0.5


@wp.func
def halve(a: wp.vec3):
    """Halves vectors."""
    return a * 0.5 + wp.vec3(1.0, 1.0, 1.0)


@wp.func
def largest(a: Any, b: Any):
    """Any type."""
    if a < b:
        return b
    return a


@wp.func
def apply(f: wp.Function, a: float):
    """Calls what it is given."""
    return f(a) + 1.0


@wp.func
def square(a: float):
    """A square."""
    return a * a


@wp.kernel
def overloads(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """One name, several functions: by type, by instance, by the function that is passed."""
    t = wp.tid()
    out[t, 0] = halve(x[t]) + halve(wp.vec3(x[t], 2.0, 3.0))[0]
    out[t, 1] = largest(x[t], 0.5) + float(largest(k[t], 4))
    out[t, 2] = apply(square, x[t]) + apply(halve, x[t]) + apply(wp.abs, x[t])
    chosen = square
    out[t, 3] = chosen(x[t]) + apply(chosen, 2.0)


@wp.func
def bump(value: wp.ref[float], amount: float):
    """Changes what it is given."""
    value = value + amount
    value *= 2.0


@wp.func
def drift(sample: wp.ref[Sample], amount: float):
    """Changes a struct, and a part of it by another function."""
    sample.point = sample.point * amount
    bump(sample.weight, amount)


@wp.kernel
def references(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """References change a variable, an element, a member, a component."""
    t = wp.tid()
    a = float(1.0)
    bump(a, x[t])
    out[t, 0] = x[t]
    bump(out[t, 0], 3.0)
    s = Sample(wp.vec3(x[t], 1.0, 2.0), 0.5)
    copy = s
    drift(s, 3.0)
    out[t, 1] = s.point[0] + s.weight
    v = wp.vec3(1.0, float(k[t]), x[t])
    bump(v[2], 1.0)
    out[t, 2] = v[2] + a + v[1]
    out[t, 3] = copy.point[0] + copy.weight


@wp.func
def dot(a: wp.vec3, b: wp.vec3):
    """Not the usual product."""
    return a[0] - b[0]


@wp.func
def wrap_index(i: int, count: int):
    """Not what a helper of this name does."""
    return i * count


@wp.kernel
def helpers_give_way(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Functions that are named like helpers of the program keep their names and their meaning."""
    t = wp.tid()
    v = wp.vec3(x[t], 1.0, 2.0)
    w = wp.vec3(3.0, x[t], 1.0)
    dot_product = wp.dot(v, w)
    out[t, 0] = dot(v, w)
    out[t, 1] = dot_product
    out[t, 2] = float(wrap_index(k[t], 3)) + x[k[t] % 2 - 1]
    normalize = wp.normalize(v)
    out[t, 3] = normalize[0] + wp.length(w)


@wp.struct
class Span:
    """Adds up by covering."""

    low: float
    high: float


@wp.func
def add(a: Span, b: Span):
    """The span that covers both."""
    return Span(wp.min(a.low, b.low), wp.max(a.high, b.high))


@wp.kernel
def own_operators(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Operators of the user's, also in augmented assignments."""
    t = wp.tid()
    a = Span(x[t], x[t] + 1.0)
    b = add(a, Span(0.5, 1.0)) + Span(0.5, float(k[t]))
    a += b
    a += Span(-0.25, 0.0)
    out[t, 0] = a.low
    out[t, 1] = a.high
    out[t, 2] = b.low
    out[t, 3] = b.high


@wp.func_native("return a * b + 1.0f;")
def native_line(a: float, b: float) -> float: ...


@wp.func_native(
    """
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) {
        sum += values[i];
    }
    target[place] = sum;
    """
)
def native_sum(values: wp.array(dtype=float), count: int, target: wp.array(dtype=float), place: int): ...


@wp.kernel
def snippets(
    x: wp.array(dtype=float),
    k: wp.array(dtype=int),
    out: wp.array2d(dtype=float),
    sums: wp.array(dtype=float),
):
    """Native snippets keep their C++ text."""
    t = wp.tid()
    native_sum(x, wp.min(k[t], x.shape[0]), sums, t)
    out[t, 0] = native_line(x[t], 3.0)
    out[t, 1] = sums[t]
    out[t, 2] = native_line(native_line(x[t], 2.0), x[t])
    out[t, 3] = 0.0


@wp.func
def first_above(x: wp.array(dtype=float), limit: float) -> int:
    for i in range(x.shape[0]):
        if x[i] >= limit:
            return i


@wp.func
def kinds(k: int):
    if k > 5:
        return 1.0, wp.vec3(1.0)
    elif k > -1:
        return 2.0, wp.vec3(2.0)


@wp.func
def climbs(k: int) -> int:
    while True:
        k += 3
        if k > 20:
            return k


@wp.func
def chosen(k: int) -> float:
    if k > 5:
        return 1.0
    else:
        return 2.0


@wp.kernel
def open_ends(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Functions that give a value on the ways that are taken, but end without one."""
    t = wp.tid()
    a, v = kinds(k[t])
    out[t, 0] = float(first_above(x, x[0]))
    out[t, 1] = a + v[1]
    out[t, 2] = float(climbs(k[t]))
    out[t, 3] = chosen(k[t]) + x[t]


LAUNCH = {
    "effects_in_order": {
        "dims": ["n"],
        "parameters": {
            "counts": {"role": "inout", "shape": ["n"], "values": {"integers": [0, 5]}},
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "default_and_keyword_arguments": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "overloads": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "references": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "helpers_give_way": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "own_operators": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "snippets": {
        "dims": ["n"],
        "parameters": {
            "sums": {"role": "out", "shape": ["n"]},
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "open_ends": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
