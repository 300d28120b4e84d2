"""Elements of meshes: what they give to their nodes, which programs move, and one law a kernel."""

import pytest

from weft.kernels import _grown
from weft.kernels.composition import Composition
from weft.kernels.domains.elements import element
from weft.kernels.domains.meshes import heat_steps, solid_steps
from weft.kernels.domains.springs import spring, spring_steps
from weft.kernels.emit import expression
from weft.kernels.goals import idioms
from weft.kernels.program import Evaluate, Rejected
from weft.kernels.rng import Random
from weft.kernels.statements import every_statement


@pytest.mark.parametrize(
    ("steps", "state"),
    [(spring_steps, "positions"), (solid_steps, "positions"), (heat_steps, "temperatures")],
)
def test_forces_follow_what_the_nodes_have_become(steps, state):
    for index in range(40):
        program = _grown(steps, (steps,), Random("mesh", 1, 0, index))
        changed = {one.name for one in program.parameters if one.role == "inout"}
        forces, motion = program.parts
        assert state in changed
        assert state in {one.name for one in forces.parameters}
        assert changed >= {one.name for one in motion.parameters if one.role == "inout"}
        assert not {one.name for one in forces.parameters} & {
            "lengths",
            "stretches",
            "tensions",
            "piola_stresses",
        }


@pytest.mark.parametrize("steps", [spring_steps, solid_steps, heat_steps])
def test_a_mesh_has_another_number_of_nodes_than_of_elements(steps):
    for index in range(10):
        forces, motion = _grown(steps, (steps,), Random("mesh", 1, 0, index)).parts
        assert (forces.dims, motion.dims) == (["n"], ["node_count"])


@pytest.mark.parametrize(("mesh", "ends"), [(spring, 2), (element, 3)])
def test_what_is_scattered_reaches_every_node_once(mesh, ends):
    (idiom, *_) = idioms(mesh)
    found = 0
    for index in range(300):
        try:
            program = _grown(idiom, (idiom,), Random("mesh", 1, 1, index))
        except Rejected:
            continue
        added = [one for one in every_statement(program.body) if isinstance(one, Evaluate)]
        if len(added) >= ends:
            found += 1
            places = [expression(one.call.arguments[1]) for one in added]
            assert len(set(places)) == len(places) in (ends, ends + 1)
    assert found > 10


def test_a_kernel_follows_one_law(monkeypatch):
    made = []
    describe = Composition.describe
    monkeypatch.setattr(
        Composition, "describe", lambda self, *a, **b: (made.append(self), describe(self, *a, **b))[1]
    )
    for mesh in (spring, element):
        (idiom, *_) = idioms(mesh)
        for index in range(150):
            try:
                _grown(idiom, (idiom,), Random("mesh", 1, 2, index))
            except Rejected:
                continue
    laws = [{formula.law for formula in one.used if formula.law} for one in made]
    assert sum(len(one) > 1 for one in laws) > 3
    for one in laws:
        longest = max(one, key=len, default="")
        assert all(longest.startswith(law) for law in one)
