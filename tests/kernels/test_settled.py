"""Nothing that a kernel stores is settled beforehand, or by how a number rounds beside a whole one.

Kernels over many indices are looked at as text: what a reference would reject for one in a hundred is found
here without executing any.
"""

import itertools
import re
from collections.abc import Iterator

import pytest

from weft.kernels import emit, generate_program
from weft.kernels.program import GeneratedProgram, Rejected
from weft.kernels.variants import Composed

pytestmark = pytest.mark.usefixtures("composed_only", "alike_as_well")

INDICES = range(400)


@pytest.fixture(scope="module")
def alike_as_well() -> Iterator[None]:
    """A kernel that is like one before it counts, too: to draw another in its place takes longest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Composed, "is_new", lambda *_: True)
        yield


def programs(category: str, *names: str) -> Iterator[GeneratedProgram]:
    """Generated kernels of a category that some of its idioms made, all if none is named."""
    for index in INDICES:
        try:
            program = generate_program(category, 11, index)
        except Rejected:
            continue
        if not names or program.name in names:
            yield program


def text_of(program: GeneratedProgram) -> str:
    return "\n".join([*map(emit.function, program.functions), emit.kernel(program)])


def test_tile_maps_of_three_arguments_take_no_number() -> None:
    texts = [text_of(one) for one in programs("shared_tile")]
    calls = [call for text in texts for call in re.findall(r"tile_map\(\s*\w+(?:,\s*\w+){3,}\s*\)", text)]
    assert len(calls) > 5
    for call in calls:
        assert not re.search(r",\s*[0-9A-Z]", call), call


def test_gravity_has_no_negative_zero() -> None:
    for program in programs("combined", "rigid_contact"):
        assert not re.search(r"-0\.0[,)]", emit.kernel(program)), emit.kernel(program)


def test_no_input_follows_from_another() -> None:
    """A product drawn beside the unknowns, or a squared length beside the vector, would be of no system."""
    for category, drawn, read in (
        ("vector", r"= squared_lengths\[", r"directions\["),
        ("linear_algebra", r"= row_products\[", r"\bunknowns\[(j|col|column)\]"),
    ):
        for program in programs(category):
            text = text_of(program)
            assert not (re.search(drawn, text) and re.search(read, text)), text


def test_a_step_computes_nothing_that_is_the_same_in_every_step() -> None:
    """A mask from a threshold, or the divergence of a given velocity, is made once, before the steps."""
    for category, step, anew in (
        ("image", r"chamfer|labeling step", r"colors\[|> threshold"),
        ("grid_3d", r"Jacobi iteration of the pressure", r"velocities\["),
    ):
        first = itertools.islice(programs(category), 250)
        found = [one for one in first if not one.steps and re.search(step, one.doc)]
        assert len(found) > 2, category
        for program in found:
            assert not re.search(anew, text_of(program)), text_of(program)


def test_maxima_begin_where_no_value_lies_below() -> None:
    found = [one for one in programs("reduction") if re.search("largest|maximum", (one.doc or "").lower())]
    assert len(found) > 20
    for program in found:
        assert "000000.0" not in text_of(program), program.name
