"""Perlin noise: gradients at the points of a lattice, blended between them (Perlin, Improving Noise, 2002).

Warp draws the gradients with its PCG generator, from a hash of the lattice point (primes and exclusive or,
after Teschner et al., Optimized Spatial Hashing, 2003).
"""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import Helper, Request, define
from weft.types import Scalar, Type, Vector

FLOAT = Scalar("float32")
_PRIMES = ("73856093u", "19349663u", "53471161u", "10000019u")
_SHAPES = {2: "sample_unit_square", 3: "sample_unit_cube", 4: "sample_unit_hypercube"}
NOISE_STRUCTS = frozenset({"NoiseSample2", "NoiseSample3", "NoiseSample4"})
_RAMP: Request = ("smootherstep", ())


def _dimensions(type: Type) -> int:
    return type.length if isinstance(type, Vector) else 1


def _lattice(type: Type) -> tuple[str, list[str]]:
    """The type of a lattice point, and the paths of its components."""
    n = _dimensions(type)
    return ("int", [""]) if n == 1 else (f"int{n}", [f".{axis}" for axis in "xyzw"[:n]])


def _made(kind: str, values: list[str]) -> str:
    """A value of a CUDA vector type, or of a scalar."""
    return values[0] if len(values) == 1 else f"make_{kind}({', '.join(values)})"


def lattice_gradient(type: Type) -> Helper:
    """The gradient at a lattice point."""
    point, paths = _lattice(type)
    keys = [f"at{path} * {prime}" for path, prime in zip(paths, _PRIMES, strict=False)]
    if len(keys) == 1:
        body = [f"uint32_t key = {keys[0]} + state;", "return random_float(key, -1.0f, 1.0f);"]
        needs: tuple[Request, ...] = (("random_float_between", ()),)
    else:
        shape = _SHAPES[len(keys)]
        body = [
            f"uint32_t key = {' ^ '.join(keys[:-1])} ^ ({keys[-1]} + state);",
            f"return normalize({shape}(key));",
        ]
        needs = ((shape, ()), ("normalize", (type,)))
    comment = "The gradient at a point of the lattice: a random direction, the same whenever it is asked for."
    head = f"{c_type(type)} lattice_gradient(uint32_t state, {point} at)"
    return define(head, body, comment, needs)


def _corner(type: Type) -> tuple[str, str]:
    """Corner number c of a cell, and the place of x relative to it."""
    point, paths = _lattice(type)
    bits = ["c & 1", "c & 2", "c & 4", "c & 8"]
    at = [f"{bit} ? high{path} : low{path}" for path, bit in zip(paths, bits, strict=False)]
    offset = [f"{bit} ? f{path} - 1.0f : f{path}" for path, bit in zip(paths, bits, strict=False)]
    return _made(point, at), _made(c_type(type), offset)


def _along_axes(type: Type, statement: str) -> list[str]:
    """Loops that blend neighbouring corners along one axis after the other."""
    _, paths = _lattice(type)
    count = len(paths)
    return [
        f"for (int c = 0; c < {1 << (count - 1 - axis)}; ++c) {statement.format(path, axis)}"
        for axis, path in enumerate(paths)
    ]


def lattice_noise(type: Type) -> Helper:
    """Noise in a cell of the lattice."""
    point, paths = _lattice(type)
    t, count = c_type(type), 1 << len(paths)
    at, offset = _corner(type)
    products = " + ".join(f"d{path} * g{path}" for path in paths)
    body = [
        f"float value[{count}];",
        f"for (int c = 0; c < {count}; ++c) {{",
        f"    const {t} g = lattice_gradient(state, {at});",
        f"    const {t} d = {offset};",
        f"    value[c] = {products};",
        "}",
        *_along_axes(
            type, "value[c] = (value[2 * c + 1] - value[2 * c]) * smootherstep(f{0}) + value[2 * c];"
        ),
        "return value[0];",
    ]
    head = f"float lattice_noise(uint32_t state, {point} low, {point} high, {t} f)"
    comment = "Noise at the fractions f of the way from low to high. Bit k of c is the side along axis k."
    return define(head, body, comment, (_RAMP, ("lattice_gradient", (type,))))


def _cell(type: Type, periods: bool) -> list[str]:
    """Which cell x is in, and where."""
    point, paths = _lattice(type)
    t = c_type(type)
    letters = "xyzw"[: len(paths)]
    low = [f"int(floorf(x{path}))" for path in paths]
    high = [f"low{path} + 1" for path in paths]
    if periods:
        low = [f"{value} % period_{letter}" for value, letter in zip(low, letters, strict=True)]
        high = [f"({value}) % period_{letter}" for value, letter in zip(high, letters, strict=True)]
    return [
        f"const {point} low = {_made(point, low)};",
        f"const {point} high = {_made(point, high)};",
        f"const {t} f = {_made(t, [f'x{path} - floorf(x{path})' for path in paths])};",
    ]


def noise(type: Type) -> Helper:
    """Warp: noise."""
    body = [*_cell(type, False), "return lattice_noise(state, low, high, f);"]
    needs = (("lattice_noise", (type,)),)
    return define(f"float noise(uint32_t state, {c_type(type)} x)", body, "Perlin noise.", needs)


def periodic_noise(type: Type) -> Helper:
    """Warp: pnoise."""
    _, paths = _lattice(type)
    periods = "".join(f", int period_{letter}" for letter in "xyzw"[: len(paths)])
    body = [*_cell(type, True), "return lattice_noise(state, low, high, f);"]
    head = f"float periodic_noise(uint32_t state, {c_type(type)} x{periods})"
    return define(head, body, "Perlin noise that repeats itself.", (("lattice_noise", (type,)),))


def lattice_slope(type: Type) -> Helper:
    """The gradient of noise in a cell of the lattice."""
    point, paths = _lattice(type)
    t, count = c_type(type), 1 << len(paths)
    at, offset = _corner(type)
    blended = _along_axes(
        type,
        "corner[c] = blend_samples(corner[2 * c], corner[2 * c + 1], f{0}, AXIS{1});",
    )
    for axis in range(len(paths)):
        unit = _made(t, [f"{int(i == axis)}.0f" for i in range(len(paths))])
        blended[axis] = blended[axis].replace(f"AXIS{axis}", unit)
    body = [
        f"const {point} high = {_made(point, [f'low{path} + 1' for path in paths])};",
        f"NoiseSample{len(paths)} corner[{count}];",
        f"for (int c = 0; c < {count}; ++c) {{",
        f"    const {t} g = lattice_gradient(state, {at});",
        f"    const {t} d = {offset};",
        "    corner[c] = {dot(d, g), g};",
        "}",
        *blended,
        "return corner[0].slope;",
    ]
    comment = "The gradient of noise, in the cell of lattice point low."
    needs = (("blend_samples", (type,)), ("lattice_gradient", (type,)), ("dot", (type, type)))
    return define(f"{t} lattice_slope(uint32_t state, {point} low, {t} f)", body, comment, needs)


def blend_samples(type: Type) -> Helper:
    """Values and gradients between two corners."""
    name = f"NoiseSample{_dimensions(type)}"
    t = c_type(type)
    struct = f"struct {name} {{\n    float value;\n    {t} slope;\n}};"
    body = [
        "const float weight = smootherstep(u), rise = b.value - a.value;",
        "const float steepness = 30.0f * u * u * (u * (u - 2.0f) + 1.0f);  // smootherstep's derivative",
        "return {rise * weight + a.value, (b.slope - a.slope) * weight + rise * steepness * axis + a.slope};",
    ]
    head = f"{name} blend_samples({name} a, {name} b, float u, {t} axis)"
    comment = "Noise and its gradient, the part u of the way from a to b along an axis."
    needs: tuple[Request, ...] = (
        _RAMP,
        ("operator-", (type, type)),
        ("operator+", (type, type)),
        ("operator*", (type, FLOAT)),
        ("operator*", (FLOAT, type)),
    )
    return define(head, body, comment, needs, struct)


def curl_noise(type: Type) -> Helper:
    """Warp: curlnoise."""
    n, t = _dimensions(type), c_type(type)
    point, paths = _lattice(type)
    fields = "a" if n == 2 else "abc"
    zero = _made(t, ["0.0f"] * n)
    body = [f"{t} {', '.join(f'{name} = {zero}' for name in fields)};"]
    body += [
        "float frequency = 1.0f, amplitude = 1.0f;",
        "for (uint32_t octave = 0; octave < octaves; ++octave) {",
        f"    const {t} p = frequency * x;",
        f"    const {point} low = {_made(point, [f'int(floorf(p{path}))' for path in paths])};",
        f"    const {t} f = {_made(t, [f'p{path} - floorf(p{path})' for path in paths])};",
    ]
    for name, sequence in zip(fields, ("", "10019689", "13112221"), strict=False):
        if sequence:
            body.append(f"    state = random_state(state, {sequence});")
        body.append(f"    {name} = {name} + amplitude * lattice_slope(state, low, f);")
    body += ["    amplitude *= gain;", "    frequency *= lacunarity;", "}"]
    result = "float2" if n == 2 else "float3"
    body.append(
        "return make_float2(-a.y, a.x);" if n == 2 else "return make_float3(c.y - b.z, a.z - c.x, b.x - a.y);"
    )
    head = f"{result} curl_noise(uint32_t state, {t} x, uint32_t octaves, float lacunarity, float gain)"
    comment = "A flow without sources, the curl of noise (Bridson et al., Curl-Noise, 2007)."
    needs: tuple[Request, ...] = (
        ("lattice_slope", (type,)),
        ("operator+", (type, type)),
        ("operator*", (FLOAT, type)),
    )
    if n > 2:
        needs = (*needs, ("random_state_at", ()))
    return define(head, body, comment, needs)


NOISE_HELPERS: dict[str, Callable[..., Helper]] = {
    "lattice_gradient": lattice_gradient,
    "lattice_noise": lattice_noise,
    "noise": noise,
    "periodic_noise": periodic_noise,
    "blend_samples": blend_samples,
    "lattice_slope": lattice_slope,
    "curl_noise": curl_noise,
}
