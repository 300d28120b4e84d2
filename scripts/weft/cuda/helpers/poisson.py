"""Numbers from a Poisson distribution, as Warp (and NumPy's legacy generator) draws them."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.helpers.random import STATE, UNIFORM
from weft.cuda.helpers.text import Helper, function

_SERIES = (
    "8.333333333333333e-2f", "-2.777777777777778e-3f", "7.936507936507937e-4f", "-5.952380952380952e-4f",
    "8.417508417508418e-4f", "-1.917526917526918e-3f", "6.410256410256410e-3f", "-2.955065359477124e-2f",
    "1.796443723688307e-1f", "-1.39243221690590f",
)  # fmt: skip
"""B(2k) / (2k (2k - 1)) of Stirling's series, B the Bernoulli numbers, for k = 1 to 10."""


def log_gamma() -> Helper:
    """The logarithm of the gamma function, rounded as Warp's."""
    first = [f"{term}," for term in _SERIES]
    body = [
        f"const float series[] = {{{' '.join(first[:4])}",
        f"                        {' '.join(first[4:8])}",
        f"                        {' '.join(first[8:]).rstrip(',')}}};",
        "if (x == 1.0f || x == 2.0f) return 0.0f;",
        "// The series converges from about 7 on; smaller x are moved up.",
        "const int steps = x < 7.0f ? int(7.0f - x) : 0;",
        "float y = x + float(steps);",
        "const float z = 1.0f / y * (1.0f / y);",
        "float sum = series[9];",
        "for (int i = 8; i >= 0; --i) sum = sum * z + series[i];",
        "float result = sum / y + 0.9189385332f + (y - 0.5f) * logf(y) - y;",
        "for (int i = 0; i < steps; ++i) {",
        "    result -= logf(y - 1.0f);",
        "    y -= 1.0f;",
        "}",
        "return result;",
    ]
    comment = "log(gamma(x)) by Stirling's series (Zhang and Jin, Computation of Special Functions, 1996)."
    return Helper(function("float", "log_gamma", [("float", "x")], body, comment))


def poisson_small() -> Helper:
    """For small means."""
    body = [
        "const float limit = expf(-mean);",
        "float product = random_float(state);",
        "uint32_t count = 0;",
        "while (product > limit) {",
        "    product *= random_float(state);",
        "    ++count;",
        "}",
        "return count;",
    ]
    comment = "Counts factors until their product is small (Knuth, The Art of Computer Programming, 3.4.1)."
    text = function("uint32_t", "poisson_by_products", [STATE, ("float", "mean")], body, comment)
    return Helper(text, (UNIFORM,), ("<cstdint>",))


def poisson_large() -> Helper:
    """For large means."""
    body = [
        "const float log_mean = logf(mean);",
        "const float b = 0.931f + 2.53f * sqrtf(mean);",
        "const float a = -0.059f + 0.02483f * b;",
        "const float inverse_alpha = 1.1239f + 1.1328f / (b - 3.4f);",
        "const float inside = 0.9277f - 3.6224f / (b - 2.0f);",
        "while (true) {",
        "    const float u = random_float(state) - 0.5f;",
        "    const float v = random_float(state);",
        "    const float edge = 0.5f - fabsf(u);",
        "    const float k = floorf((2.0f * a / edge + b) * u + mean + 0.43f);",
        "    if (edge >= 0.07f && v <= inside) return static_cast<uint32_t>(k);",
        "    if (k < 0.0f || (edge < 0.013f && v > edge)) continue;",
        "    const float accepted = logf(v) + logf(inverse_alpha) - logf(a / (edge * edge) + b);",
        "    if (accepted <= -mean + k * log_mean - log_gamma(k + 1.0f)) return static_cast<uint32_t>(k);",
        "}",
    ]
    comment = "Transformed rejection (Hoermann, Insurance: Mathematics and Economics 12, 1993)."
    text = function("uint32_t", "poisson_by_rejection", [STATE, ("float", "mean")], body, comment)
    return Helper(text, (UNIFORM, ("log_gamma", ())), ("<cstdint>",))


def poisson() -> Helper:
    """Warp: poisson."""
    body = [
        "if (mean >= 10.0f) return poisson_by_rejection(state, mean);",
        "return mean == 0.0f ? 0 : poisson_by_products(state, mean);",
    ]
    text = function(
        "uint32_t", "poisson", [STATE, ("float", "mean")], body, "A number from a Poisson distribution."
    )
    return Helper(text, (("poisson_by_products", ()), ("poisson_by_rejection", ())), ("<cstdint>",))


POISSON_HELPERS: dict[str, Callable[..., Helper]] = {
    "log_gamma": log_gamma,
    "poisson_by_products": poisson_small,
    "poisson_by_rejection": poisson_large,
    "poisson": poisson,
}
