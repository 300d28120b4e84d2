"""What cannot be translated is refused at its place, with what would work instead."""

from pathlib import Path

import pytest
from translated import refusal_of

KERNEL = """
@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int), m: wp.array2d(dtype=float)):
    i = wp.tid()
{body}


LAUNCH = {{"f": {{"dims": ["n"], "parameters": {{
    "x": {{"role": "inout", "shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "y": {{"role": "inout", "shape": ["n"], "values": {{"integers": [0, "n"]}}}},
    "m": {{"role": "inout", "shape": ["n", 4], "values": {{"uniform": [0.0, 1.0]}}}},
}}}}}}
"""

REFUSALS = [
    ("x[i] = wp.volume_sample_f(wp.uint64(1), wp.vec3(0.0), 0)", 12, "wp.volume_sample_f is not supported"),
    (
        "a = int(1)\n    b = int(2)\n    for k in range(y[i]):\n        a, b = b, a\n    y[i] = a",
        9,
        "Warp computes this exchange in a loop differently from Python: use a third variable",
    ),
]


@pytest.mark.parametrize(("body", "column", "message"), REFUSALS)
def test_a_refusal_says_what_and_where(tmp_path: Path, body: str, column: int, message: str) -> None:
    error = refusal_of(tmp_path, KERNEL.format(body=f"    {body}"))
    assert error.reason == "unsupported"
    assert error.message.startswith(message)
    assert error.place is not None
    lines = (tmp_path / "kernels.py").read_text(encoding="utf-8").splitlines()
    assert error.place.source_line == lines[error.place.line - 1]
    assert error.place.column == column


def test_thread_indices_must_match_the_launch(tmp_path: Path) -> None:
    error = refusal_of(
        tmp_path,
        """
        @wp.kernel
        def f(x: wp.array(dtype=float)):
            i = wp.tid()
            x[i] = 1.0


        LAUNCH = {"f": {"dims": ["n", 2], "parameters": {"x": {"role": "out", "shape": ["2 * n"]}}}}
        """,
    )
    assert error.message == "tid() gives 1 names here, but the launch has 2 dimensions"
