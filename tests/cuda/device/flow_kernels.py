"""Loops, branches and jumps as Warp runs them."""

import enum

import warp as wp

LIMIT = 3


class Mode(enum.IntEnum):
    ADD = 2
    KEEP = 5


@wp.kernel
def lazy_conditions(x: wp.array(dtype=float), y: wp.array(dtype=int), out: wp.array2d(dtype=float), n: int):
    """and, or and the ternary guard what stands behind them; where does not."""
    i = wp.tid()
    j = y[i]
    if j < n and x[j] > 0.5:
        out[i, 0] = x[j]
    else:
        out[i, 0] = -1.0
    out[i, 1] = x[j] if j < n else 0.25
    if j >= n or x[j] < 0.5:
        out[i, 2] = 1.0
    else:
        out[i, 2] = 2.0
    out[i, 3] = wp.where(x[i] > 0.5, x[i] * 2.0, x[i] - 1.0)


@wp.kernel
def loop_variable(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """Assigning the loop variable does not change the iteration."""
    i = wp.tid()
    total = int(0)
    for k in range(x[i]):
        if k % 2 == 0:
            k = k + 10
        total += k
    out[i, 0] = total
    for k in range(5):
        k = k * k
        total += k
    out[i, 1] = total
    for k in range(10, 0, -3):
        total = total * 3 + k
    out[i, 2] = total
    for k in range(LIMIT):
        for m in range(k):
            total += m * 7
    out[i, 3] = total


@wp.kernel
def loop_bounds(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """The end of a range is computed once."""
    i = wp.tid()
    n = int(x[i])
    total = int(0)
    for k in range(n):
        n = n - 1
        total += k + n
    out[i, 0] = total
    j = int(0)
    while True:
        j += 1
        if j % 3 == 0:
            continue
        if j > x[i]:
            break
        total += j
    out[i, 1] = total
    while j > 0 and total > 3:
        j -= 2
        total -= 1
    out[i, 2] = j
    out[i, 3] = total


@wp.kernel
def nested_breaks(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """break and continue leave the innermost loop."""
    i = wp.tid()
    count = int(0)
    for a in range(20):
        if a == x[i]:
            continue
        for b in range(3):
            if b == 2:
                break
            if a > 7:
                count += 100
                continue
            count += a * b + 1
        if count > 500:
            break
    out[i, 0] = count
    for c in range(6):
        if c == x[i]:
            break
        count += c
    out[i, 1] = count
    out[i, 2] = 0
    out[i, 3] = 0


@wp.kernel
def branches(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    """A variable that is first assigned in a branch lives on after it."""
    i = wp.tid()
    if x[i] > 0.0:
        a = x[i] * 2.0
        b = 1.0
    elif x[i] > -0.5:
        a = x[i] * 3.0
        b = 2.0
    else:
        a = 5.0
        b = a + 1.0
    out[i, 0] = a
    out[i, 1] = b
    for k in range(3):
        t = a + float(k)
        if t > 1.0:
            c = t
        else:
            c = -t
        a = c * 0.5
    out[i, 2] = a + c
    out[i, 3] = t


@wp.kernel
def swaps(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """All values of a tuple before all names."""
    i = wp.tid()
    a = int(0)
    b = int(1)
    for k in range(x[i]):
        a, b = b, a + b
    out[i, 0] = a
    a, b = b * 2, a - 1
    out[i, 1] = a
    out[i, 2] = b
    out[i, 3] = a if b > a else (b if b > 3 else -1)


@wp.kernel
def compile_time(x: wp.array(dtype=int), out: wp.array2d(dtype=int)):
    """Captured constants, enum members, static expressions and conditions."""
    i = wp.tid()
    if wp.static(LIMIT > 2):
        out[i, 0] = x[i] + Mode.ADD
    else:
        out[i, 0] = x[i]
    out[i, 1] = wp.static(LIMIT * 7) + int(Mode.KEEP)
    out[i, 2] = x[i] * LIMIT
    out[i, 3] = int(wp.pi * 100.0)


@wp.kernel
def series(
    series: wp.array(dtype=float), dim3: wp.array(dtype=float), uint32_t: int, out: wp.array2d(dtype=float)
):
    """The launcher, whose parameters are the kernel's, names the kernel and dim3; main names uint32_t."""
    i = wp.tid()
    make_float3 = wp.vec3(series[i], 1.0, 2.0)
    float3 = make_float3 + wp.vec3(1.0, 2.0, dim3[i])
    out[i, 0] = float3[0] + float3[2]
    out[i, 1] = series[i] * dim3[i] + float(uint32_t)
    out[i, 2] = make_float3[0]
    out[i, 3] = float3[1]


@wp.func
def plus_one(x: float):
    return x + 1.0


@wp.func
def doubled(x: float):
    return x * 2.0


@wp.kernel
def continue_in_unrolled_loops(
    x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)
):
    """A loop that wp.static unrolls skips what follows a `continue`, at any depth."""
    t = wp.tid()
    s = float(0.0)
    for i in range(4):
        if k[t] == i:
            continue
        s += wp.static(float(i * i)) * x[t]
    out[t, 0] = s
    u = float(0.0)
    for i in range(3):
        if x[t] > 0.0:
            if k[t] > i:
                u += 1.0
                continue
            u += 2.0
        u += wp.static((plus_one, doubled, plus_one)[i])(x[t])
    out[t, 1] = u
    p = float(1.0)
    for i in range(2):
        for j in range(i + 1):
            if k[t] == j + 3:
                continue
            p += float(wp.static(i + 2)) * float(j)
    out[t, 2] = p


LAUNCH = {
    "lazy_conditions": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"shape": ["n"], "values": {"integers": [0, "2 * n"]}},
            "out": {"role": "out", "shape": ["n", "4"]},
            "n": {"values": {"size": "n"}},
        },
    },
    "loop_variable": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 12]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "loop_bounds": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 12]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "nested_breaks": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 12]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "branches": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "swaps": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [0, 20]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "compile_time": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"integers": [-9, 9]}},
            "out": {"role": "out", "shape": ["n", "4"]},
        },
    },
    "series": {
        "dims": ["n"],
        "parameters": {
            "series": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "dim3": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "uint32_t": {"values": {"integers": [1, 99]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "continue_in_unrolled_loops": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 3]},
        },
    },
}
