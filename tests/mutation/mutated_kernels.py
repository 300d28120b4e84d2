"""Kernels with room for every mistake, and one whose inputs hide some."""

import warp as wp


@wp.func
def bend(value: float, limit: int):
    """The value once more for each step, some of it the other way."""
    total = float(0.0)
    for step in range(1, limit):
        if step % 2 == 0:
            total -= value / float(step)
        else:
            total = wp.max(total, value * 3.0)
    return total


@wp.kernel
def tally(values: wp.array(dtype=float), counts: wp.array(dtype=int), bent: wp.array(dtype=int)):
    """Count what is large, and bend all of it."""
    i = wp.tid()
    value = values[i]
    if value > 0.25:
        wp.atomic_add(counts, i % 2, 1)
    bent[i] = int(bend(value, 20) * 100.0)


@wp.kernel
def turned(image: wp.array2d(dtype=float), result: wp.array2d(dtype=float)):
    """Each tile, turned round."""
    i, j = wp.tid()
    tile = wp.tile_load(image, shape=(4, 8), offset=(i * 4, j * 8), storage="shared")
    wp.tile_store(result, wp.tile_transpose(tile), offset=(j * 8, i * 4))


@wp.kernel
def hidden(values: wp.array(dtype=float), gain: float, result: wp.array(dtype=float)):
    """What is added is nothing, for the gain is always zero; what is overwritten is worth nothing."""
    i = wp.tid()
    overwritten = values[i] - 5.0
    result[i] = 0.5 * values[i] + gain * 7.0
    overwritten = gain
    result[i] += overwritten


@wp.kernel
def distant(values: wp.array(dtype=float), first: int, result: wp.array(dtype=float)):
    """Halves; but where few cases look, it is another matter."""
    i = wp.tid()
    value = values[i]
    if i >= first:
        value = wp.max(value * 3.0 - 0.25, float(i % 7) * 0.125)
    result[i] = 0.5 * value


@wp.kernel
def padded(image: wp.array2d(dtype=float), result: wp.array2d(dtype=float)):
    """Halves, in rows that are whole blocks long."""
    i, j = wp.tid()
    result[i, j] = 0.5 * image[i, j]


LAUNCH = {
    "padded": {
        "sizes": {"rows": "n", "cols": "64"},
        "dims": ["rows", "cols"],
        "parameters": {
            "image": {"shape": ["rows", "cols"], "values": {"uniform": [-1.0, 1.0]}},
            "result": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
    "tally": {
        "dims": ["n"],
        "parameters": {
            "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "counts": {"role": "inout", "shape": [2], "values": {"integers": [0, 9]}},
            "bent": {"role": "out", "shape": ["n"]},
        },
    },
    "turned": {
        "sizes": {"rows": "min(n, 2)"},
        "dims": ["rows", 2],
        "block_dim": 64,
        "parameters": {
            "image": {"shape": ["4 * rows", 16], "values": {"uniform": [-1.0, 1.0]}},
            "result": {"role": "out", "shape": [16, "4 * rows"]},
        },
    },
    "distant": {
        "dims": ["n"],
        "parameters": {
            "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            # Beyond the launch in the case of a program's own main.
            "first": {"values": {"size": "40 + n // 1000 * 2000"}},
            "result": {"role": "out", "shape": ["n"]},
        },
    },
    "hidden": {
        "dims": ["n"],
        "parameters": {
            "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "gain": {"values": {"constant": 0.0}},
            "result": {"role": "out", "shape": ["n"]},
        },
    },
}
