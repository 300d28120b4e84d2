"""What is named after an array and only stored there has no name of its own."""

from pathlib import Path

import pytest
from translated import device_of

KERNEL = """
@wp.kernel
def work(x: wp.array(dtype=float), energies: wp.array(dtype=float), totals: wp.array(dtype=float)):
    i = wp.tid()
    {body}
"""

CASES = {
    "the array's name": ("energy = 0.5 * x[i]\nenergies[i] = energy", "energies[i] = 0.5f * x[i];"),
    "more than the array's name": ("stretch = 0.5 * x[i]\nenergies[i] = stretch", "energies[i] = stretch;"),
    "two uses": ("total = 0.5 * x[i]\ntotals[i] = total\nenergies[i] = total", "totals[i] = total;"),
    "a comment on it": ("total = 0.5 * x[i]  # halved\ntotals[i] = total", "totals[i] = total;"),
    "something between": ("total = 0.5 * x[i]\nx[i] = 0.0\ntotals[i] = total", "totals[i] = total;"),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES)
def test_a_store(tmp_path: Path, body: str, expected: str) -> None:
    assert expected in device_of(tmp_path, KERNEL.format(body=body.replace("\n", "\n    "))).kernel
