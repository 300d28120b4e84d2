"""Kernels of the category random_math, seed 0.

Random numbers per thread: sequences, distributions, directions, noise, choices, walks.
"""

import warp as wp


@wp.func
def hash_cell(x: int, y: int, seed: int):
    """Random bits of a lattice point: the PCG hash of its coordinates."""
    h = wp.uint32(x) * wp.uint32(747796405) + wp.uint32(seed)
    h = (h ^ wp.uint32(y)) * wp.uint32(2891336453) + wp.uint32(1)
    h = ((h >> ((h >> wp.uint32(28)) + wp.uint32(4))) ^ h) * wp.uint32(277803737)
    return (h >> wp.uint32(22)) ^ h


@wp.func
def gradient_ramp(x: int, y: int, seed: int, dx: float, dy: float):
    """Linear ramp at a lattice point along one of eight directions."""
    h = int(hash_cell(x, y, seed) & wp.uint32(7))
    u = wp.where(h < 4, dx, dy)
    v = wp.where(h < 4, dy, dx)
    return wp.where((h & 1) == 0, u, -u) + 0.5 * wp.where((h & 2) == 0, v, -v)


@wp.func
def fade(t: float):
    """Perlin's quintic fade curve."""
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)


@wp.func
def noise2(p: wp.vec2, seed: int):
    """Gradient noise: ramps at the four corners of a cell, blended by the fade curve."""
    ix = int(wp.floor(p[0]))
    iy = int(wp.floor(p[1]))
    fx = p[0] - wp.floor(p[0])
    fy = p[1] - wp.floor(p[1])
    n00 = gradient_ramp(ix, iy, seed, fx, fy)
    n10 = gradient_ramp(ix + 1, iy, seed, fx - 1.0, fy)
    n01 = gradient_ramp(ix, iy + 1, seed, fx, fy - 1.0)
    n11 = gradient_ramp(ix + 1, iy + 1, seed, fx - 1.0, fy - 1.0)
    return wp.lerp(wp.lerp(n00, n10, fade(fx)), wp.lerp(n01, n11, fade(fx)), fade(fy))


@wp.kernel
def perlin_turbulence(
    origins: wp.array(dtype=wp.vec2),
    cell_size: float,
    lacunarity: float,
    gain: float,
    seed: int,
    texture: wp.array3d(dtype=float),
):
    """Turbulence: a sum of the magnitudes of 3 octaves of noise, for a batch of images."""
    image, row, col = wp.tid()
    p = (origins[image] + wp.vec2(float(col), float(row))) / cell_size
    total = float(0.0)
    amplitude = float(1.0)
    frequency = float(1.0)
    for octave in range(3):
        total += amplitude * wp.abs(noise2(frequency * p, seed + octave))
        amplitude *= gain
        frequency *= lacunarity
    texture[image, row, col] = total


LAUNCH = {
    "perlin_turbulence": {
        "sizes": {"images": "3", "height": "min((n + 31) // 32 + 3, 300)", "width": "64"},
        "difficulty": "easy",
        "dims": ["images", "height", "width"],
        "parameters": {
            "origins": {"role": "in", "shape": ["images"], "values": {"uniform": [-100.0, 100.0]}},
            "cell_size": {"values": {"uniform": [7.0, 12.0]}},
            "lacunarity": {"values": {"uniform": [1.8, 2.2]}},
            "gain": {"values": {"uniform": [0.4, 0.6]}},
            "seed": {"values": {"integers": [0, 10000]}},
            "texture": {"role": "out", "shape": ["images", "height", "width"]},
        },
    },
}

MADE_OF = {
    "perlin_turbulence": {"goal": "random_math.procedural_noise", "ending": "written", "formulas": []},
}
