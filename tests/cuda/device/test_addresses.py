"""A texture's address mode clamps its coordinates where the kernel would."""

from pathlib import Path

import pytest
from translated import device_of, text_of

KERNEL = """
@wp.kernel
def probe(image: wp.array2d(dtype=float), width: int, y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    rows = image.shape[0]
    LINES


LAUNCH = {"probe": {"sizes": {"height": "n", "width": "n + 3"}, "dims": ["height", "width"], "parameters": {
    "image": {"shape": ["height", "width"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
    "width": {"values": {"size": "width"}},
    "y": {"role": "out", "shape": ["height", "width"]},
}}}
"""
NEEDED = (
    "// Precondition: image has unnormalized coordinates, cudaFilterModePoint and cudaAddressModeClamp.\n"
)


def probe(*lines: str) -> str:
    return KERNEL.replace("LINES", "\n    ".join(lines))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("y[i, j] = image[wp.max(i - 1, 0), j]",), "tex2D<float>(image, j + 0.5f, i - 0.5f)"),
        (
            ("y[i, j] = image[wp.clamp(i + j, 0, rows - 1), j]",),
            "tex2D<float>(image, j + 0.5f, i + j + 0.5f)",
        ),
        (("y[i, j] = image[i, wp.min(j + 2, width - 1)]",), "tex2D<float>(image, j + 2.5f, i + 0.5f)"),
        (("k = wp.min(i + 5, image.shape[0] - 1)", "y[i, j] = image[k, j]"), "int k = i + 5;"),
    ],
)
def test_no_clamp_but_that_of_the_texture(tmp_path: Path, lines: tuple[str, ...], expected: str) -> None:
    text = text_of(tmp_path, probe(*lines))
    assert expected in text
    assert "min(" not in text and "max(" not in text
    assert NEEDED in text


def test_what_is_no_more_than_another_name_after_that_is_gone(tmp_path: Path) -> None:
    lines = ("col = i + j", "left = wp.clamp(col, 0, width - 1)", "y[i, j] = image[i, left] + float(col)")
    text = text_of(tmp_path, probe(*lines))
    assert "tex2D<float>(image, col + 0.5f, i + 0.5f)" in text and "left" not in text


@pytest.mark.parametrize(
    "lines",
    [
        ("y[i, j] = image[wp.min(i, rows - 2), j]",),
        ("y[i, j] = image[wp.max(i, 1), j]",),
        ("y[i, j] = image[wp.min(i, width - 1), j]",),
        ("k = wp.max(i - 1, 0)", "y[i, j] = image[k, j] + float(k)"),
        ("k = wp.min(j + 1, width - 1)", "y[i, j] = image[i, k] + image[k, j]"),
        ("k = wp.max(i * i, 0)", "y[i, j] = image[wp.max(k + 1, 0), j]"),
    ],
    ids=["another end", "another start", "another extent", "a number", "two axes", "a sum that may wrap"],
)
def test_a_clamp_that_means_something_else_stays(tmp_path: Path, lines: tuple[str, ...]) -> None:
    text = text_of(tmp_path, probe(*lines))
    assert "min(" in text or "max(" in text


def test_what_a_kernel_needs_of_textures_is_a_precondition(tmp_path: Path) -> None:
    plain = device_of(tmp_path, probe("y[i, j] = image[i, j]"))
    assert plain.preconditions == (
        "Precondition: image has unnormalized coordinates and cudaFilterModePoint.",
    )
    text = (
        probe("y[i, j] = image[j]")
        .replace("image: wp.array2d", "image: wp.array")
        .replace('["height", "width"], "memory"', '["width"], "memory"')
    )
    assert device_of(tmp_path, text).preconditions == ("Precondition: image is bound to linear memory.",)
