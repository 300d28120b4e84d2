"""Statements: loops, early returns, tuples, chained comparisons."""

import warp as wp

wp.set_module_options({"enable_backward": False})
COUNT = 4


@wp.func
def split(a: float, b: int):
    """Two results."""
    return a * 0.5, b + 1


@wp.func
def split_twice(a: float, b: int):
    """Hands the results of another function on."""
    return split(a + 1.0, b + 1)


@wp.kernel
def variable_after_loop(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """A loop variable keeps its last value after the loop, also one that the body changed."""
    t = wp.tid()
    for i in range(k[t] + 1):
        out[t, 0] = float(i)
    out[t, 1] = float(i)
    for j in range(2, 30, 3):
        if j > k[t]:
            break
    out[t, 2] = float(j)
    for q in range(k[t] + 1):
        q = q * 2
    out[t, 3] = float(q) + x[t]


@wp.kernel
def shadowed_loop_variable(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """An inner loop over the same name leaves its last value to the outer body, not to the outer count."""
    t = wp.tid()
    total = int(0)
    rounds = int(0)
    for i in range(k[t] + 1):
        for i in range(20):
            total += i
        total += 100 * i
        rounds += 1
    out[t, 0] = float(total)
    out[t, 1] = float(rounds)
    n = int(3)
    for n in range(n, n + 4):
        total += n
    out[t, 2] = float(total)
    out[t, 3] = float(n) + x[t]


@wp.kernel
def steps(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Steps may be variable, negative, or changed by the loop, which counts on with the first."""
    t = wp.tid()
    step = k[t] - 5
    total = int(0)
    visits = int(0)
    if step != 0:
        for i in range(10 * step, -3 * step, -step):
            total += i
            visits += 1
    for i in range(9, k[t] - 4, -2):
        total += 7 * i
    out[t, 0] = float(total)
    out[t, 1] = float(visits)
    width = k[t] + 1
    reached = int(0)
    for i in range(0, 40, width):
        width = width + 1
        reached = i
    out[t, 2] = float(reached)
    out[t, 3] = float(width) + x[t]


@wp.kernel
def loop_else(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """The `else` of a loop never runs."""
    t = wp.tid()
    value = float(1.0)
    for i in range(k[t]):
        value += x[t]
    else:
        value = 100.0
    while value < 3.0:
        value += 1.0
    else:
        value = 200.0
    out[t, 0] = value
    out[t, 1] = 0.0
    out[t, 2] = 0.0
    out[t, 3] = 0.0


@wp.kernel
def early_return_in_loops(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """A return leaves all loops; what was written before it stays."""
    t = wp.tid()
    for c in range(4):
        out[t, c] = -1.0
    for i in range(k[t] + 2):
        for j in range(3):
            if i * j > 4:
                out[t, 3] = float(i * 10 + j)
                return
            out[t, j] = float(i + j)
        if x[t] > 1.0:
            continue
        out[t, 0] += 0.5
    out[t, 1] = x[t]


@wp.kernel
def break_in_unrolled_loop(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """break and continue in a loop of few iterations, which Warp would unroll."""
    t = wp.tid()
    total = float(0.0)
    last = int(-1)
    for i in range(COUNT):
        if i == k[t]:
            break
        if i == 1:
            continue
        total += x[t] * float(i + 1)
        last = i
    out[t, 0] = total
    out[t, 1] = float(last)
    for i in range(3):
        if i == k[t]:
            continue
        for j in range(2):
            if j == 1:
                break
            total += float(10 * i + j)
    out[t, 2] = total
    out[t, 3] = float(i)


@wp.kernel
def while_conditions(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """The condition of `while` is evaluated anew each time, its parts only as far as they decide."""
    t = wp.tid()
    i = int(0)
    while i < 4 and (out.shape[1] > i and (x[(t + i) % x.shape[0]] < 0.5 or i < 2)):
        i += 1
    out[t, 0] = float(i)
    j = int(9)
    while not (j < k[t] or j % 7 == 3):
        j -= 1
    out[t, 1] = float(j)
    state = wp.rand_init(42, t)
    draws = int(0)
    while wp.randf(state) < 0.8 and draws < 50:
        draws += 1
    out[t, 2] = float(draws)
    out[t, 3] = wp.randf(state)


@wp.kernel
def branches_in_branches(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """A variable that several nested branches change has one value after them."""
    t = wp.tid()
    a = float(1.0)
    b = int(0)
    if k[t] > 2:
        a = x[t]
        if k[t] > 5:
            a = a * 2.0
            b = b - 1
        elif x[t] > 0.0:
            b = 7
        else:
            a = -a
        b = b + 1
    else:
        if x[t] < 0.0:
            a = 3.0
    out[t, 0] = a
    out[t, 1] = float(b)
    flag = k[t] > 3
    if flag:
        flag = x[t] > 0.0
        a = 10.0
    else:
        a += 1.0
    out[t, 2] = a
    out[t, 3] = wp.where(flag, 1.0, 0.0)


@wp.kernel
def tuples(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Tuples hold values; results may be kept together, indexed, and handed on."""
    t = wp.tid()
    both = split(x[t], k[t])
    pair = (x[t], k[t], wp.vec3(x[t], 1.0, 2.0))
    a, b = split_twice(x[t], k[t])
    a, c = a + 1.0, a
    out[t, 0] = both[0] + float(both[1])
    out[t, 1] = both[0] * 2.0 + pair[0] + float(pair[1])
    value, number, vector = pair
    out[t, 2] = value + float(number) + vector[0] + float(len(pair))
    out[t, 3] = a * 100.0 + c + float(b)


@wp.kernel
def chained_comparisons(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Each operand of a chain is evaluated once, and all of them are."""
    t = wp.tid()
    state = wp.rand_init(7, t)
    hits = int(0)
    for i in range(5):
        if 0.25 < wp.randf(state) < 0.75:
            hits += 1
    out[t, 0] = float(hits)
    out[t, 1] = wp.where(-1 < k[t] <= 4 < 9, 1.0, 0.0)
    out[t, 2] = wp.randf(state)
    out[t, 3] = wp.where(0.0 <= x[t] < 1.0, 1.0, 0.0)


@wp.kernel
def conditional_values(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """The ternary is lazy and nests; wp.where evaluates both sides, draws included."""
    t = wp.tid()
    state = wp.rand_init(11, t)
    a = wp.where(x[t] > 0.0, wp.randf(state), wp.randf(state))
    b = wp.randf(state) if x[t] > 0.0 else 2.0
    c = wp.randf(state) if k[t] > 3 and wp.randf(state) > 0.5 else wp.randf(state) + wp.randf(state)
    out[t, 0] = a
    out[t, 1] = b
    out[t, 2] = c
    out[t, 3] = 1.0 if k[t] == 0 else (2.0 if k[t] < 4 else (3.0 if x[t] > 0.0 else 4.0))


@wp.kernel
def assertions(x: wp.array(dtype=float), k: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    """Assertions and prints do nothing to the result."""
    t = wp.tid()
    assert x[t] > 100.0, "never true"
    if k[t] == 1000:
        print(x[t])
        print("some text with 100%")
        print(wp.vec3(x[t]))
        print(wp.mat22(1.0, 2.0, 3.0, 4.0))
        print(k[t] > 1)
        print(wp.int64(k[t]))
        wp.printf("%d of %f\n", k[t], x[t])
    wp.expect_eq(k[t], k[t])
    wp.expect_neq(x[t], x[t] + 1.0)
    wp.expect_near(x[t], x[t] + 0.01, 0.1)
    wp.expect_near(wp.vec3(x[t]), wp.vec3(x[t]), 0.1)
    out[t, 0] = x[t]
    out[t, 1] = 1.0
    out[t, 2] = 2.0
    out[t, 3] = float(k[t])


LAUNCH = {
    "variable_after_loop": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "shadowed_loop_variable": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "steps": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "loop_else": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "early_return_in_loops": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "break_in_unrolled_loop": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "while_conditions": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "branches_in_branches": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "tuples": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "chained_comparisons": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "conditional_values": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "assertions": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
            "k": {"shape": ["n"], "values": {"integers": [0, 10]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
}
