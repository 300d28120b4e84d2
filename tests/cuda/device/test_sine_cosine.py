"""The sine and the cosine of one angle come from one call."""

from pathlib import Path

import pytest
from translated import device_of

KERNEL = """
@wp.kernel
def polar(x: wp.array(dtype={kind}), y: wp.array(dtype={kind}), z: wp.array(dtype={kind})):
    i = wp.tid()
    a = x[i]
{body}
"""

JOINED = {
    "in one statement": (
        "y[i] = wp.sin(a) * wp.cos(a) + wp.sin(a)",
        ["float sin_a, cos_a;", "sincosf(a, &sin_a, &cos_a);", "y[i] = sin_a * cos_a + sin_a;"],
    ),
    "names of the source's": (
        "s = wp.sin(a * {kind}(0.5))\nc = wp.cos(a * {kind}(0.5))\ny[i] = s\nz[i] = c",
        ["float s, c;", "sincosf(a * 0.5f, &s, &c);", "y[i] = s;", "z[i] = c;"],
    ),
    "two angles": (
        "b = y[i]\nz[i] = wp.sin(a) * wp.sin(b) - wp.cos(a) * wp.cos(b)",
        [
            "sincosf(a, &sin_a, &cos_a);",
            "sincosf(b, &sin_b, &cos_b);",
            "z[i] = sin_a * sin_b - cos_a * cos_b;",
        ],
    ),
    "components": (
        "k = wp.vector(a, y[i])\ny[i] = wp.sin(k[0]) * wp.cos(k[1])\nz[i] = wp.sin(k[1]) * wp.cos(k[0])",
        ["y[i] = sin_kx * cos_ky;", "z[i] = sin_ky * cos_kx;"],
    ),
    "two angles without a name": (
        "b = y[i]\nz[i] = wp.sin(a + b) * wp.cos(a + b) + wp.sin(a - b) * wp.cos(a - b)",
        ["float sin_angle_2, cos_angle_2;", "z[i] = sin_angle * cos_angle + sin_angle_2 * cos_angle_2;"],
    ),
    "an angle from memory": (
        "s = wp.sin({kind}(0.5) * x[i])\nc = wp.cos({kind}(0.5) * x[i])\ny[i] = s\nz[i] = c",
        ["float s, c;", "sincosf(0.5f * x[i], &s, &c);", "y[i] = s;", "z[i] = c;"],
    ),
}
APART = {
    "the angle changes": "b = {kind}(a)\ny[i] = wp.sin(b)\nb += {kind}(1.0)\nz[i] = wp.cos(b)",
    "two angles": "y[i] = wp.sin(a) + wp.cos(a + {kind}(1.0))",
    "one in a branch": "y[i] = wp.sin(a)\nif a > {kind}(0.0):\n    z[i] = wp.cos(a)",
    "a load in between": "y[i] = wp.sin(z[i])\nz[i] = wp.cos(z[i])",
    "an array that may overlap": "s = wp.sin(z[i])\ny[i] = s\nz[i] = s + wp.cos(z[i])",
}


def kernel(folder: Path, body: str, kind: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.format(kind=kind).split("\n"))
    return device_of(folder, KERNEL.format(kind=kind, body=lines)).kernel


@pytest.mark.parametrize(("body", "expected"), JOINED.values(), ids=[*JOINED])
@pytest.mark.parametrize("kind", ["float", "wp.float64"])
def test_one_call(tmp_path: Path, body: str, expected: list[str], kind: str) -> None:
    text = kernel(tmp_path, body, kind)
    if kind != "float":
        expected = [
            one.replace("float", "double").replace("sincosf", "sincos").replace("5f", "5") for one in expected
        ]
    assert all(one in text for one in expected), text
    assert "sinf(" not in text.replace("sincosf(", "") and "cosf(" not in text.replace("sincosf(", "")


@pytest.mark.parametrize("body", APART.values(), ids=[*APART])
def test_two_calls(tmp_path: Path, body: str) -> None:
    assert "sincosf" not in kernel(tmp_path, body, "float")


def test_names_tell_of_which_element_an_angle_is(tmp_path: Path) -> None:
    kernel = """
@wp.kernel
def k(xs: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    total = float(0.0)
    for j in range(4):
        total += wp.sin(xs[j]) * wp.cos(xs[j])
    out[i] = total
"""
    assert "sincosf(xs[j], &sin_x_j, &cos_x_j);" in device_of(tmp_path, kernel).kernel
