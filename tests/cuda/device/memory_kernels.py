"""Arrays in read-only, constant and texture memory, as launch descriptions ask for them."""

import warp as wp


@wp.struct
class Material:
    """How a cell conducts."""

    conductivity: float
    direction: wp.vec3
    frame: wp.mat22


@wp.func
def weighted(weights: wp.array(dtype=float), k: int, value: float) -> float:
    return weights[k] * value


@wp.kernel
def constant_table(
    weights: wp.array(dtype=float),
    directions: wp.array2d(dtype=wp.vec3),
    x: wp.array(dtype=float),
    out: wp.array(dtype=wp.vec3),
):
    """A table that a function reads through a pointer, an index from the end, a table of two dimensions."""
    i = wp.tid()
    total = wp.vec3(0.0, 0.0, 0.0)
    for k in range(5):
        total += directions[k, i % 2] * weighted(weights, k, x[i])
    out[i] = total + directions[-1, 0] * weights[-2]


@wp.kernel
def constant_structs(
    kind: wp.array(dtype=int), materials: wp.array(dtype=Material), out: wp.array(dtype=float)
):
    """A table of structs."""
    i = wp.tid()
    material = materials[kind[i]]
    out[i] = material.conductivity + wp.dot(material.direction, materials[0].direction) + material.frame[1, 0]


@wp.kernel
def read_only_arrays(
    scalars: wp.array(dtype=float),
    flags: wp.array(dtype=bool),
    wide: wp.array(dtype=wp.int64),
    points: wp.array(dtype=wp.vec3),
    colors: wp.array(dtype=wp.vec4),
    frames: wp.array(dtype=wp.mat22),
    materials: wp.array(dtype=Material),
    table: wp.array2d(dtype=wp.float64),
    out: wp.array(dtype=float),
    sums: wp.array(dtype=wp.float64),
):
    """Whole elements, components, members, elements of matrices, indices from the end."""
    i = wp.tid()
    color = colors[i]
    value = scalars[i] + scalars[-1] + points[i][1] + wp.dot(points[i], points[0]) + color[3] + colors[i].x
    value += (
        frames[i][1, 0] + wp.determinant(frames[i]) + materials[i].direction[2] + materials[i].frame[0, 1]
    )
    if flags[i]:
        value += float(wide[i])
    material = materials[i]
    out[i] = value + material.conductivity
    sums[i] = table[i, 0] * table[i, 2]


@wp.kernel
def linear_texture(
    samples: wp.array(dtype=float),
    colors: wp.array(dtype=wp.vec4),
    pairs: wp.array(dtype=wp.vec2i),
    bytes: wp.array(dtype=wp.uint8),
    at: wp.array(dtype=int),
    out: wp.array(dtype=float),
):
    """Fetches from linear memory, with indices that are drawn and that count from the end."""
    i = wp.tid()
    value = samples[at[i]] + colors[i][2] + float(pairs[i][1]) + float(int(bytes[i]))
    out[i] = value + samples[-1] + samples[i - samples.shape[0]]


@wp.kernel
def image_texture(
    image: wp.array2d(dtype=wp.vec4), height: wp.array2d(dtype=int), out: wp.array2d(dtype=wp.vec4)
):
    """Fetches from an image, at its border, too."""
    row, column = wp.tid()
    rows = image.shape[0]
    columns = image.shape[1]
    total = image[row, column]
    total += image[wp.min(row + 1, rows - 1), column] - image[row, wp.max(column - 1, 0)]
    out[row, column] = total * float(height[row, column] + height[-1, columns - 1 - column])


LAUNCH = {
    "constant_table": {
        "dims": ["n"],
        "parameters": {
            "weights": {"shape": ["5"], "memory": "constant", "values": {"uniform": [-1.0, 1.0]}},
            "directions": {"shape": ["5", "2"], "memory": "constant", "values": {"uniform": [-1.0, 1.0]}},
            "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "constant_structs": {
        "dims": ["n"],
        "parameters": {
            "kind": {"shape": ["n"], "values": {"integers": [0, 3]}},
            "materials": {"shape": ["3"], "memory": "constant", "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "read_only_arrays": {
        "dims": ["n"],
        "parameters": {
            "scalars": {"shape": ["n"], "memory": "read_only", "values": {"uniform": [-1.0, 1.0]}},
            "flags": {"shape": ["n"], "memory": "read_only", "values": {"integers": [0, 2]}},
            "wide": {"shape": ["n"], "memory": "read_only", "values": {"integers": [-9, 9]}},
            "points": {"shape": ["n"], "memory": "read_only", "values": {"uniform": [-1.0, 1.0]}},
            "colors": {"shape": ["n"], "memory": "read_only", "values": {"uniform": [-1.0, 1.0]}},
            "frames": {"shape": ["n"], "memory": "read_only", "values": {"uniform": [-1.0, 1.0]}},
            "materials": {"shape": ["n"], "memory": "read_only", "values": {"uniform": [-1.0, 1.0]}},
            "table": {"shape": ["n", "3"], "memory": "read_only", "values": {"uniform": [-1.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
            "sums": {"role": "out", "shape": ["n"]},
        },
    },
    "linear_texture": {
        "dims": ["n"],
        "parameters": {
            "samples": {"shape": ["n"], "memory": "texture", "values": {"uniform": [-1.0, 1.0]}},
            "colors": {"shape": ["n"], "memory": "texture", "values": {"uniform": [-1.0, 1.0]}},
            "pairs": {"shape": ["n"], "memory": "texture", "values": {"integers": [-9, 9]}},
            "bytes": {"shape": ["n"], "memory": "texture", "values": {"integers": [0, 256]}},
            "at": {"shape": ["n"], "values": {"integers": ["-n", "n"]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    },
    "image_texture": {
        "sizes": {"rows": "n", "columns": "2 * n + 1"},
        "dims": ["rows", "columns"],
        "parameters": {
            "image": {"shape": ["rows", "columns"], "memory": "texture", "values": {"uniform": [-1.0, 1.0]}},
            "height": {"shape": ["rows", "columns"], "memory": "texture", "values": {"integers": [-4, 4]}},
            "out": {"role": "out", "shape": ["rows", "columns"]},
        },
    },
}
