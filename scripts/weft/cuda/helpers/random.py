"""Random numbers: Warp's generator (Jarzynski and Olano, JCGT 9(3), 2020) and what it draws with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.cuda.helpers.text import Helper, Request, function
from weft.types import Scalar

STATE = ("uint32_t&", "state")
PCG: Request = ("pcg_next", ())
UNIFORM: Request = ("random_float", ())
BETWEEN: Request = ("random_float_between", ())
TURN = "6.28318531f"
_FLOAT = Scalar("float32")


def _helper(
    result: str,
    name: str,
    parameters: Sequence[tuple[str, str]],
    body: Sequence[str],
    needs: tuple[Request, ...],
    comment: str = "",
) -> Callable[[], Helper]:
    def helper() -> Helper:
        return Helper(function(result, name, parameters, body, comment), needs, ("<cstdint>",))

    return helper


pcg_next = _helper(
    "uint32_t",
    "pcg_next",
    [("uint32_t", "x")],
    [
        "const uint32_t state = x * 747796405u + 2891336453u;",
        "const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;",
        "return (word >> 22) ^ word;",
    ],
    (),
    "One step of the PCG hash (Jarzynski and Olano, Hash Functions for GPU Rendering).",
)

random_state = _helper("uint32_t", "random_state", [("int", "seed")], ["return pcg_next(seed);"], (PCG,))

random_state_at = _helper(
    "uint32_t",
    "random_state",
    [("int", "seed"), ("int", "sequence")],
    ["return pcg_next(seed + pcg_next(sequence));"],
    (PCG,),
    "The state of generator number `sequence` under a seed.",
)

random_uint = _helper(
    "uint32_t", "random_uint", [STATE], ["return state = pcg_next(state);"], (PCG,), "Uniform over 32 bits."
)

random_uint_between = _helper(
    "uint32_t",
    "random_uint",
    [STATE, ("uint32_t", "low"), ("uint32_t", "high")],
    ["return random_uint(state) % (high - low) + low;"],
    (("random_uint", ()),),
    "Uniform in [low, high).",
)

random_int = _helper(
    "int",
    "random_int",
    [STATE],
    ["return static_cast<int>(random_uint(state));"],
    (("random_uint", ()),),
    "Uniform over all integers.",
)

random_int_between = _helper(
    "int",
    "random_int",
    [STATE, ("int", "low"), ("int", "high")],
    ["return static_cast<int>(random_uint(state) % (high - low) + low);"],
    (("random_uint", ()),),
    "Uniform in [low, high).",
)

random_float = _helper(
    "float",
    "random_float",
    [STATE],
    ["state = pcg_next(state);", "return (state >> 8) * (1.0f / 16777216.0f);"],
    (PCG,),
    "Uniform in [0, 1), a multiple of 2^-24.",
)

random_float_between = _helper(
    "float",
    "random_float",
    [STATE, ("float", "low"), ("float", "high")],
    ["return (high - low) * random_float(state) + low;"],
    (UNIFORM,),
    "Uniform in [low, high).",
)

random_normal = _helper(
    "float",
    "random_normal",
    [STATE],
    [
        "const float radius = sqrtf(-2.0f * logf(random_float(state) + 5.96e-8f));",
        f"return radius * cosf({TURN} * random_float(state));",
    ],
    (UNIFORM,),
    "Standard normal, by the method of Box and Muller; the small term keeps the logarithm finite.",
)

_ANGLE = f"const float angle = random_float(state, 0.0f, {TURN});"

sample_triangle = _helper(
    "float2",
    "sample_triangle",
    [STATE],
    [
        "const float r = sqrtf(random_float(state));",
        "return make_float2(1.0f - r, random_float(state) * r);",
    ],
    (UNIFORM,),
    "Barycentric coordinates, uniform over a triangle.",
)

sample_unit_ring = _helper(
    "float2",
    "sample_unit_ring",
    [STATE],
    [_ANGLE, "return make_float2(cosf(angle), sinf(angle));"],
    (BETWEEN,),
    "Uniform on the unit circle.",
)

sample_unit_disk = _helper(
    "float2",
    "sample_unit_disk",
    [STATE],
    [
        "const float r = sqrtf(random_float(state));",
        _ANGLE,
        "return make_float2(r * cosf(angle), r * sinf(angle));",
    ],
    (UNIFORM, BETWEEN),
    "Uniform in the unit disk.",
)


def _sphere(name: str, half: bool, solid: bool) -> Callable[[], Helper]:
    cosine = "1.0f - random_float(state)" if half else "1.0f - 2.0f * random_float(state)"
    body = [f"const float polar = acos_clamped({cosine});", _ANGLE]
    needs: tuple[Request, ...] = (UNIFORM, BETWEEN, ("acos_clamped", (_FLOAT,)))
    if solid:
        body.append("const float r = powf(random_float(state), 1.0f / 3.0f);")
        values = "r * cosf(angle) * sinf(polar), r * sinf(angle) * sinf(polar), r * cosf(polar)"
    else:
        values = "cosf(angle) * sinf(polar), sinf(angle) * sinf(polar), cosf(polar)"
    body.append(f"return make_float3({values});")
    where = f"{'in' if solid else 'on'} the unit {'hemisphere (z > 0)' if half else 'sphere'}"
    return _helper("float3", name, [STATE], body, needs, f"Uniform {where}.")


def _cube(name: str, length: int, comment: str) -> Callable[[], Helper]:
    letters = "xyzw"[:length]
    body = [f"const float {letter} = random_float(state) - 0.5f;" for letter in letters]
    body.append(f"return make_float{length}({', '.join(letters)});")
    return _helper(f"float{length}", name, [STATE], body, (UNIFORM,), comment)


RANDOM_HELPERS: dict[str, Callable[..., Helper]] = {
    "pcg_next": pcg_next,
    "random_state": random_state,
    "random_state_at": random_state_at,
    "random_uint": random_uint,
    "random_uint_between": random_uint_between,
    "random_int": random_int,
    "random_int_between": random_int_between,
    "random_float": random_float,
    "random_float_between": random_float_between,
    "random_normal": random_normal,
    "sample_triangle": sample_triangle,
    "sample_unit_ring": sample_unit_ring,
    "sample_unit_disk": sample_unit_disk,
    "sample_unit_sphere_surface": _sphere("sample_unit_sphere_surface", False, False),
    "sample_unit_sphere": _sphere("sample_unit_sphere", False, True),
    "sample_unit_hemisphere_surface": _sphere("sample_unit_hemisphere_surface", True, False),
    "sample_unit_hemisphere": _sphere("sample_unit_hemisphere", True, True),
    "sample_unit_square": _cube("sample_unit_square", 2, "Uniform in the unit square about the origin."),
    "sample_unit_cube": _cube("sample_unit_cube", 3, "Uniform in the unit cube about the origin."),
    "sample_unit_hypercube": _cube(
        "sample_unit_hypercube", 4, "Uniform in the unit hypercube about the origin."
    ),
}
