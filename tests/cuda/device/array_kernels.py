"""Kernels whose arrays a naive translation gets wrong: views, slices, strides, null arrays, arrays in structs."""

import warp as wp


@wp.struct
class Particles:
    """Positions and their neighbours; the grid is what they move on."""

    positions: wp.array(dtype=wp.vec3)
    grid: wp.array2d(dtype=float)
    drag: float


@wp.struct
class World:
    particles: Particles
    gravity: wp.vec3
    forces: wp.array(dtype=wp.vec3)


@wp.kernel
def row_view_writes_memory(m: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A row is the array's memory; an element is a copy."""
    i = wp.tid()
    row = out[i]
    x = m[i, 0]
    row[0] = x
    x = 5.0
    row[-1] = m[i][1] + x
    again = row
    again[1] = float(row.shape[0]) + float(len(again))


@wp.kernel
def view_is_chosen(m: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A variable may be one view first, and another later."""
    i = wp.tid()
    row = m[0]
    if i % 2 == 1:
        row = m[i]
    for k in range(3):
        out[i, k] = row[k - 1]
        row = m[k]


@wp.kernel
def view_by_condition(
    m: wp.array2d(dtype=float), other: wp.array2d(dtype=float), out: wp.array2d(dtype=float)
):
    """The shape of a view that a condition chooses is the chosen one's."""
    i = wp.tid()
    row = m[i] if i % 2 == 0 else other[i]
    out[i, 0] = row[-1]
    out[i, 1] = float(row.shape[0])
    out[i, 2] = wp.where(i % 3 == 0, m[i], m[0])[1]


@wp.kernel
def slices(m: wp.array2d(dtype=float), v: wp.array(dtype=float), start: int, out: wp.array2d(dtype=float)):
    """Slices have their own shape and strides."""
    i = wp.tid()
    column = m[:, 1]
    out[i, 0] = column[i]
    out[i, 1] = column[-1]
    backwards = v[::-1]
    out[i, 2] = backwards[i] + float(backwards.shape[0])
    part = v[start:]
    out[i, 3] = part[0] + part[-1] + float(len(part))
    block = m[0:1, 1:3]
    out[i, 4] = block[0, 1] + float(block.shape[0]) + 10.0 * float(block.shape[1])
    tail = m[i, -2:]
    out[i, 5] = tail[0] + tail[1]
    out[i, 6] = float(v[-100:100].shape[0]) + m[0:1, 2][0]
    out[i, 7] = float(v[1:1].shape[0]) + float(m[:, ::2].shape[1])
    out[i, 8] = m[:, ::2][i, 1]


@wp.func
def sum_of(row: wp.array(dtype=float), count: int):
    total = float(0.0)
    for k in range(count):
        total += row[k]
    return total + float(row.shape[0])


@wp.func
def last_of(row: wp.array(dtype=float)):
    return row[-1]


@wp.kernel
def views_are_passed(m: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A function takes rows and columns alike."""
    i = wp.tid()
    out[i, 0] = sum_of(m[i], 3)
    out[i, 1] = sum_of(m[:, 2], i + 1)
    out[i, 2] = last_of(m[:, 1])
    out[i, 3] = last_of(m[0])


@wp.func
def row_of(m: wp.array2d(dtype=float), i: int):
    return m[i]


@wp.kernel
def a_function_returns_a_view(m: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    row = row_of(m, i)
    target = row_of(out, i)
    target[0] = row[1]


@wp.func
def two_rows(m: wp.array2d(dtype=float), i: int):
    return m[i], m[0]


@wp.kernel
def returned_views_are_read(m: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    """What nobody writes through stays const, through calls, too."""
    i = wp.tid()
    first, second = two_rows(m, i)
    out[i] = first[1] + second[0] + row_of(m, i)[2]


@wp.kernel
def dynamic_axis(m: wp.array3d(dtype=float), k: int, out: wp.array(dtype=int)):
    """The axis of a shape may be known at run time only."""
    i = wp.tid()
    out[i] = m.shape[i % 3] + 100 * m.shape[k] + m.ndim + int(1000.0 * m[i, 0, 0])


@wp.kernel
def strided_inputs(
    column: wp.array(dtype=float),
    plane: wp.array2d(dtype=float),
    same: wp.array(dtype=float),
    out: wp.array2d(dtype=float),
):
    """Arrays whose neighbours do not lie side by side; stride zero repeats one element."""
    i = wp.tid()
    out[i, 0] = column[i]
    out[i, 1] = plane[i, 2] + plane[-1, -1]
    row = plane[i]
    out[i, 2] = row[1] + sum_of(plane[i], 2)
    out[i, 3] = same[i] + last_of(column)


@wp.kernel
def strided_output(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    out[i, 0] = x[i]
    out[i, 1] = 2.0 * x[i]


@wp.func
def offset_or_zero(offsets: wp.array(dtype=float), i: int):
    if not offsets:
        return 0.0
    return offsets[i - 1]


@wp.kernel
def null_arrays(
    x: wp.array(dtype=float),
    missing: wp.array(dtype=float),
    plane: wp.array2d(dtype=float),
    out: wp.array2d(dtype=float),
):
    """An array that may be None is tested; what the test guards never runs."""
    i = wp.tid()
    out[i, 0] = 1.0
    if missing:
        out[i, 0] = missing[i - 1]
    if x and i > 0:
        out[i, 0] = x[i]
    if not missing or not x:
        out[i, 0] += 0.5
    out[i, 1] = plane[i, -1] if plane else 4.0
    out[i, 2] = wp.where(x, 5.0, 6.0) + offset_or_zero(missing, i) + offset_or_zero(x, i)
    if x == x:
        out[i, 3] = 1.0
    if x != missing:
        out[i, 3] += 1.0


@wp.func
def push(state: Particles, i: int, by: wp.vec3):
    state.positions[i] = state.positions[i] + by * state.drag
    state.grid[i, -1] = 2.0
    state.drag = 100.0
    return state.drag


@wp.kernel
def struct_with_arrays(state: Particles, out: wp.array(dtype=float)):
    """The struct is a copy, the memory of its arrays is not."""
    i = wp.tid()
    step = push(state, i, wp.vec3(1.0, 2.0, 3.0))
    out[i] = step + state.drag + float(state.positions.shape[0]) + state.grid[i, 0]
    copy = state
    copy.drag = 7.0
    out[i] += copy.drag + state.drag
    p = copy.positions
    p[i].x += 1.0
    p[i][1] = p[i][1] + float(len(p))
    row = state.grid[i]
    row[1] = row[-1] + 1.0


@wp.func
def weight(world: World, i: int):
    return wp.dot(world.particles.positions[i - 1], world.gravity)


@wp.kernel
def nested_struct(world: World, out: wp.array(dtype=float)):
    """Structs in structs; what is only read is const."""
    i = wp.tid()
    world.forces[i] = world.gravity * weight(world, i)
    inner = world.particles
    out[i] = inner.grid[-1, i % 2] + inner.drag


@wp.kernel
def struct_made_here(x: wp.array(dtype=wp.vec3), m: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """A struct's array is replaced: from then on it is the other one, with its shape."""
    i = wp.tid()
    state = Particles()
    state.positions = x
    state.grid = m
    state.drag = 2.0
    out[i, 0] = state.grid[i, -1] + state.positions[-1][0]
    state.grid = out
    state.grid[i, -1] = state.drag + float(state.grid.shape[1])
    if state.positions:
        state.grid[i, 1] = 3.0


@wp.kernel
def struct_with_null_and_strided_arrays(state: Particles, out: wp.array(dtype=float)):
    """An array of a struct may be None, or have gaps."""
    i = wp.tid()
    if not state.grid:
        out[i] = state.drag
    else:
        out[i] = state.grid[i, -1]
    last = state.positions[-1]
    out[i] = out[i] + state.positions[i].y + last[0]


@wp.func
def fill(a: wp.array(dtype=float), x: float):
    for k in range(a.shape[0]):
        a[k] = x + float(k)


@wp.kernel
def arrays_of_a_thread(m: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    """An array that is made in a loop is zero in each iteration; its rows are views."""
    i = wp.tid()
    table = wp.zeros(shape=(2, 3), dtype=float)
    fill(table[1], m[i, 0])
    row = table[i % 2]
    row[-1] += 1.0
    for k in range(3):
        sums = wp.zeros(shape=2, dtype=wp.vec2)
        sums[k % 2] += wp.vec2(m[i, k], 1.0)
        out[i, k] = sums[0][0] + 10.0 * sums[1][1] + table[k % 2, k] + float(table.shape[1])


@wp.kernel
def parts_are_updated(
    v: wp.array(dtype=wp.vec3),
    m: wp.array(dtype=wp.mat22),
    at: wp.array(dtype=int),
    sums: wp.array2d(dtype=wp.vec3),
):
    """Atomics on components, through views, at negative indices."""
    i = wp.tid()
    v[at[i]].x += 1.0
    v[-1][2] += 2.0
    m[0][1, 0] += 1.0
    row = sums[i % 2]
    row[-1] += wp.vec3(1.0, 2.0, 3.0)
    wp.atomic_add(row, 0, wp.vec3(1.0))
    wp.atomic_max(sums[0], 1, wp.vec3(2.0))


@wp.kernel
def negative_everywhere(
    a: wp.array4d(dtype=int), b: wp.array(dtype=wp.vec4), k: int, out: wp.array2d(dtype=int)
):
    """A negative index counts from the end, in any dimension; a sum of 64-bit indices, too."""
    i = wp.tid()
    out[i, 0] = a[-1, k, i % 2 - 1, k]
    out[i, 1] = a[0][k][-1][i % 3 - 2]
    out[i, 2] = a[wp.int64(1), wp.int64(k), wp.int64(0), wp.int64(1)]
    view = a[k, 0]
    out[i, -1] = view[-1, k] + int(b[k][k])


@wp.kernel
def four_dimensions(a: wp.array4d(dtype=float), out: wp.array4d(dtype=float)):
    """A launch of four dimensions is one of one."""
    i, j, k, m = wp.tid()
    out[i, j, k, m] = a[i, j, k, m] + float(i * 1000 + j * 100 + k * 10 + m)


LAUNCH = {
    "row_view_writes_memory": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "in", "shape": ["n", 4], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "inout", "shape": ["n", 3], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
    "view_is_chosen": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "in", "shape": ["max(n, 3)", 4], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 3]},
        },
    },
    "view_by_condition": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "in", "shape": ["n", 4], "values": {"uniform": [-1.0, 1.0]}},
            "other": {"role": "in", "shape": ["n", 2], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 3]},
        },
    },
    "slices": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "in", "shape": ["max(n, 3)", 4], "values": {"uniform": [-1.0, 1.0]}},
            "v": {"role": "in", "shape": ["max(n, 3)"], "values": {"uniform": [-1.0, 1.0]}},
            "start": {"values": {"constant": 1}},
            "out": {"role": "out", "shape": ["n", 9]},
        },
    },
    "views_are_passed": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "in", "shape": ["max(n, 3)", 4], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "a_function_returns_a_view": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "in", "shape": ["n", 4], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "inout", "shape": ["n", 2], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
    "returned_views_are_read": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "in", "shape": ["n", 3], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "struct_with_null_and_strided_arrays": {
        "dims": ["n"],
        "parameters": {
            "state.positions": {
                "role": "in",
                "shape": ["n"],
                "strides": [2],
                "values": {"uniform": [-1.0, 1.0]},
            },
            "state.grid": {"null": True},
            "state.drag": {"values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "arrays_of_a_thread": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "in", "shape": ["n", 3], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 3]},
        },
    },
    "dynamic_axis": {
        "dims": ["n"],
        "parameters": {
            "m": {"role": "in", "shape": ["n", 4, 2], "values": {"uniform": [-1.0, 1.0]}},
            "k": {"values": {"constant": 1}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "strided_inputs": {
        "dims": ["n"],
        "parameters": {
            "column": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}, "strides": [3]},
            "plane": {
                "role": "in",
                "shape": ["n", 3],
                "values": {"uniform": [-1.0, 1.0]},
                "strides": [1, "n"],
            },
            "same": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}, "strides": [0]},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "strided_output": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n", 2], "strides": [3, 1]},
        },
    },
    "null_arrays": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "missing": {"null": True},
            "plane": {"null": True},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "struct_with_arrays": {
        "dims": ["n"],
        "parameters": {
            "state.positions": {"role": "inout", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "state.grid": {"role": "inout", "shape": ["n", 3], "values": {"uniform": [-1.0, 1.0]}},
            "state.drag": {"values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "nested_struct": {
        "dims": ["n"],
        "parameters": {
            "world.particles.positions": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "world.particles.grid": {"role": "in", "shape": [3, 2], "values": {"uniform": [-1.0, 1.0]}},
            "world.particles.drag": {"values": {"uniform": [-1.0, 1.0]}},
            "world.gravity": {"values": {"uniform": [-1.0, 1.0]}},
            "world.forces": {"role": "out", "shape": ["n"]},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "struct_made_here": {
        "dims": ["n"],
        "parameters": {
            "x": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "m": {"role": "in", "shape": ["n", 3], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "inout", "shape": ["n", 4], "values": {"uniform": [-1.0, 1.0]}},
        },
    },
    "parts_are_updated": {
        "dims": ["n"],
        "parameters": {
            "v": {"role": "inout", "shape": ["n"], "values": {"constant": 0}},
            "m": {"role": "inout", "shape": ["n"], "values": {"constant": 0}},
            "at": {"role": "in", "shape": ["n"], "values": {"integers": [0, "n"]}},
            "sums": {"role": "inout", "shape": [2, 3], "values": {"constant": 0}},
        },
    },
    "negative_everywhere": {
        "dims": ["n"],
        "parameters": {
            "a": {"role": "in", "shape": [2, 2, 2, 2], "values": {"integers": [0, 100]}},
            "b": {"role": "in", "shape": [2], "values": {"integers": [0, 100]}},
            "k": {"values": {"constant": 1}},
            "out": {"role": "out", "shape": ["n", 4]},
        },
    },
    "four_dimensions": {
        "dims": [2, 3, 2, "n"],
        "parameters": {
            "a": {"role": "in", "shape": [2, 3, 2, "n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": [2, 3, 2, "n"]},
        },
    },
}
