"""Kernels that have a concept of `weft.concepts`, and that have it not: `{concept}` and `no_{concept}`."""

import warp as wp


@wp.struct
class Body:
    position: wp.vec3
    mass: float


@wp.func
def halved(value: float):
    return 0.5 * value


@wp.func
def squared(value: float):
    return value * value


@wp.func_grad(squared)
def adj_squared(value: float, adj_ret: float):
    wp.adjoint[value] += 2.0 * value * adj_ret


@wp.kernel
def map(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = 2.0 * x[i]


@wp.kernel
def no_map(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = 2.0 * x[i + 1]


@wp.kernel
def neighbor_reads(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    left = wp.max(j - 1, 0)
    y[i, j] = x[i, j] - x[i, left]


@wp.kernel
def no_neighbor_reads(x: wp.array2d(dtype=float), columns: int, y: wp.array2d(dtype=float)):
    tid = wp.tid()
    i = tid // columns
    j = tid % columns
    y[i, j] = x[i, j]


@wp.kernel
def rows(x: wp.array2d(dtype=float), columns: int, y: wp.array(dtype=float)):
    i = wp.tid()
    total = float(0.0)
    for j in range(columns):
        total += x[i, j]
    y[i] = total


@wp.kernel
def no_rows(x: wp.array(dtype=float), steps: int, y: wp.array(dtype=float)):
    i = wp.tid()
    value = x[i]
    for _step in range(steps):
        value = wp.sin(value)
    y[i] = value


@wp.kernel
def gather(x: wp.array(dtype=float), ids: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    place = wp.max(ids[i], 0)
    y[i] = x[place]


@wp.kernel
def no_gather(x: wp.array(dtype=float), ids: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    if ids[i] > 0:
        y[i] = x[i]


@wp.kernel
def scatter(x: wp.array(dtype=float), ids: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    y[ids[i]] = x[i]


@wp.kernel
def no_scatter(x: wp.array(dtype=float), ids: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[ids[i]]


@wp.kernel
def constant_memory(x: wp.array(dtype=float), table: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * table[i % 4]


@wp.kernel
def no_constant_memory(x: wp.array(dtype=float), table: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * table[i % 4]


@wp.kernel
def texture(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[wp.max(i - 1, 0)]


@wp.kernel
def no_texture(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[wp.max(i - 1, 0)]


@wp.kernel
def atomics(x: wp.array(dtype=int), total: wp.array(dtype=int)):
    i = wp.tid()
    total[0] += x[i]


@wp.kernel
def no_atomics(x: wp.array(dtype=int), totals: wp.array(dtype=int)):
    i = wp.tid()
    totals[i] += x[i]


@wp.kernel
def float_atomics(x: wp.array(dtype=float), total: wp.array(dtype=float)):
    i = wp.tid()
    total[0] += x[i]


@wp.kernel
def no_float_atomics(x: wp.array(dtype=int), total: wp.array(dtype=int)):
    i = wp.tid()
    wp.atomic_max(total, 0, x[i])


@wp.kernel
def block_tiles(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    block = wp.tid()
    tile = wp.tile_load(x, shape=64, offset=block * 64)
    wp.tile_store(y, 2.0 * tile, offset=block * 64)


@wp.kernel
def no_block_tiles(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    tile = wp.tid()
    y[tile] = 2.0 * x[tile]


@wp.kernel
def block_reduction(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    block = wp.tid()
    tile = wp.tile_load(x, shape=64, offset=block * 64)
    wp.tile_store(y, wp.tile_max(tile), offset=block)


@wp.kernel
def no_block_reduction(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    block = wp.tid()
    wp.tile_store(y, wp.tile_load(x, shape=64, offset=block * 64), offset=block * 64)


@wp.kernel
def block_scan(x: wp.array(dtype=int), y: wp.array(dtype=int)):
    block = wp.tid()
    tile = wp.tile_load(x, shape=64, offset=block * 64)
    wp.tile_store(y, wp.tile_scan_inclusive(tile), offset=block * 64)


@wp.kernel
def no_block_scan(x: wp.array(dtype=int), y: wp.array(dtype=int)):
    block = wp.tid()
    tile = wp.tile_load(x, shape=64, offset=block * 64)
    wp.tile_store(y, wp.tile_sum(tile), offset=block)


@wp.kernel
def tile_product(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    tile = wp.tile_load(x, shape=(8, 8), offset=(i * 8, j * 8))
    wp.tile_store(y, wp.tile_matmul(tile, tile), offset=(i * 8, j * 8))


@wp.kernel
def no_tile_product(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    tile = wp.tile_load(x, shape=(8, 8), offset=(i * 8, j * 8))
    wp.tile_store(y, tile + tile, offset=(i * 8, j * 8))


@wp.kernel
def loops(x: wp.array(dtype=float), steps: int, y: wp.array(dtype=float)):
    i = wp.tid()
    value = x[i]
    for _step in range(steps):
        value = wp.sin(value)
    y[i] = value


@wp.kernel
def no_loops(x: wp.array(dtype=float), steps: int, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * float(steps)


@wp.kernel
def nested_loops(rows: int, columns: int, y: wp.array(dtype=int)):
    i = wp.tid()
    count = int(0)
    for j in range(rows):
        for k in range(columns):
            count += (i + j * k) % 3
    y[i] = count


@wp.kernel
def no_nested_loops(rows: int, columns: int, y: wp.array(dtype=int)):
    i = wp.tid()
    count = int(0)
    for j in range(rows):
        count += (i + j) % 3
    for k in range(columns):
        count += (i - k) % 3
    y[i] = count


@wp.kernel
def uneven_loops(counts: wp.array(dtype=int), y: wp.array(dtype=int)):
    i = wp.tid()
    total = int(0)
    for j in range(counts[i]):
        total += j * j
    y[i] = total


@wp.kernel
def no_uneven_loops(count: int, y: wp.array(dtype=int)):
    i = wp.tid()
    total = int(0)
    for j in range(count):
        total += j * i
    y[i] = total


@wp.kernel
def divergence(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    value = x[i]
    if value > 0.5:
        value = wp.sqrt(value)
    y[i] = value


@wp.kernel
def no_divergence(x: wp.array(dtype=float), count: int, y: wp.array(dtype=float)):
    i = wp.tid()
    if i < count:
        y[i] = wp.where(x[i] > 0.5, 1.0, 0.0)


@wp.kernel
def early_exit(x: wp.array(dtype=float), steps: int, y: wp.array(dtype=float)):
    i = wp.tid()
    value = x[i]
    for _step in range(steps):
        if value < 0.1:
            break
        value = 0.5 * value
    y[i] = value


@wp.kernel
def no_early_exit(x: wp.array(dtype=float), steps: int, y: wp.array(dtype=float)):
    i = wp.tid()
    value = x[i]
    for _step in range(steps):
        if value < 0.1:
            continue
        value = 0.5 * value
    y[i] = value


@wp.kernel
def grid_stride(x: wp.array(dtype=float), count: int, threads: int, y: wp.array(dtype=float)):
    tid = wp.tid()
    for i in range(tid, count, threads):
        y[i] = 2.0 * x[i]


@wp.kernel
def no_grid_stride(x: wp.array2d(dtype=float), columns: int, y: wp.array2d(dtype=float)):
    i = wp.tid()
    for j in range(0, columns, 2):
        y[i, j] = 2.0 * x[i, j]


@wp.kernel
def grid_2d(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[i, j] = x[i, j]


@wp.kernel
def no_grid_2d(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i]


@wp.kernel
def grid_3d(x: wp.array3d(dtype=float), y: wp.array3d(dtype=float)):
    i, j, k = wp.tid()
    y[i, j, k] = x[i, j, k]


@wp.kernel
def no_grid_3d(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[i, j] = x[i, j]


@wp.kernel
def half_precision(x: wp.array(dtype=wp.vec2h), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = float(x[i][0])


@wp.kernel
def no_half_precision(x: wp.array(dtype=wp.int16), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = float(x[i])


@wp.kernel
def double_precision(x: wp.array(dtype=wp.float64), y: wp.array(dtype=wp.float64)):
    i = wp.tid()
    y[i] = x[i]


@wp.kernel
def no_double_precision(x: wp.array(dtype=wp.int64), y: wp.array(dtype=wp.int64)):
    i = wp.tid()
    y[i] = x[i]


@wp.kernel
def structs(bodies: wp.array(dtype=Body), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = bodies[i].mass


@wp.kernel
def no_structs(masses: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = masses[i]


@wp.kernel
def matrix(x: wp.array(dtype=wp.mat22), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = wp.determinant(x[i])


@wp.kernel
def no_matrix(x: wp.array(dtype=wp.vec2), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = wp.length(x[i])


@wp.kernel
def quaternion(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    turn = wp.quat_from_axis_angle(x[i], 0.5)
    y[i] = wp.quat_rotate(turn, x[i])


@wp.kernel
def no_quaternion(x: wp.array(dtype=wp.vec4), y: wp.array(dtype=wp.vec4)):
    i = wp.tid()
    y[i] = x[i]


@wp.kernel
def random_numbers(seed: int, y: wp.array(dtype=float)):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    y[i] = wp.randf(state)


@wp.kernel
def no_random_numbers(seed: int, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = float(seed + i)


@wp.kernel
def device_functions(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = halved(x[i])


@wp.kernel
def no_device_functions(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = wp.abs(x[i])


@wp.kernel
def custom_gradient(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = squared(x[i])


@wp.kernel
def no_custom_gradient(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = halved(x[i])


LAUNCH = {
    "constant_memory": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "table": {"shape": [4], "values": {"uniform": [0.0, 1.0]}, "memory": "constant"},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
    "texture": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}, "memory": "texture"},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
    "several_launches": {
        "steps": [
            {"kernel": "map", "dims": ["n"], "arguments": {"y": "y"}},
            {"kernel": "no_grid_2d", "dims": ["n"], "arguments": {"y": "z"}},
        ],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
            "z": {"role": "out", "shape": ["n"]},
        },
    },
    "no_several_launches": {
        "steps": [{"kernel": "map", "dims": ["n"]}],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
    "workspace": {
        "steps": [
            {"kernel": "map", "dims": ["n"]},
            {"kernel": "no_grid_2d", "dims": ["n"], "arguments": {"x": "y", "y": "z"}},
        ],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
            "z": {"role": "out", "shape": ["n"]},
        },
    },
    "no_workspace": {
        "steps": [
            {"kernel": "map", "dims": ["n"]},
            {"kernel": "no_grid_2d", "dims": ["n"], "arguments": {"y": "z"}},
        ],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
            "z": {"role": "out", "shape": ["n"]},
        },
    },
    "repeated_launches": {
        "steps": [{"repeat": 2, "steps": [{"kernel": "map", "dims": ["n"]}]}],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
    "no_repeated_launches": {
        "steps": [{"kernel": "map", "dims": ["n"]}],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
        },
    },
}
