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


BODIES = """
@wp.struct
class Body:
    x: float
    v: float
    mass: float


@wp.kernel
def work(forces: wp.array(dtype=float), bodies: wp.array(dtype=Body)):
    i = wp.tid()
    body = bodies[i]
    {body}
    bodies[i] = body


LAUNCH = {{"work": {{"dims": ["n"], "parameters": {{
    "forces": {{"shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "bodies": {{"shape": ["n"], "role": "inout", "values": {{"members": {{
        "x": {{"uniform": [0.0, 1.0]}}, "v": {{"uniform": [0.0, 1.0]}}, "mass": {{"uniform": [1.0, 2.0]}},
    }}}}}},
}}}}}}
"""

MEMBERS = {
    "one member": ("body.v += forces[i] / body.mass", ["bodies[i].v = body.v;"]),
    "a member under a condition": ("if body.x < 0.5:\n    body.v = 0.0", ["bodies[i].v = body.v;"]),
    "two members": (
        "body.v += forces[i] / body.mass\nbody.x += body.v",
        ["bodies[i].v = body.v;", "bodies[i].x = body.x;"],
    ),
    "all members": ("body.v = body.x\nbody.x = 0.0\nbody.mass = 1.0", ["bodies[i] = body;"]),
    "another element between": ("body.v = bodies[i + 1].v", ["bodies[i] = body;"]),
    "another index": ("body.v = 0.0\nbodies[i + 1] = body", ["bodies[i + 1] = body;", "bodies[i] = body;"]),
    "an index that changes": ("body.v = 0.0\ni += 1", ["bodies[i] = body;"]),
}


@pytest.mark.parametrize(("body", "expected"), MEMBERS.values(), ids=MEMBERS)
def test_of_a_struct_the_members_that_changed_are_stored(
    tmp_path: Path, body: str, expected: list[str]
) -> None:
    text = device_of(tmp_path, BODIES.format(body=body.replace("\n", "\n    "))).kernel
    assert [line for line in map(str.strip, text.splitlines()) if line.startswith("bodies[")] == expected
