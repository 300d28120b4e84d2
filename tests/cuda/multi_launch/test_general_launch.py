"""What several launches of a kernel have in common, as one description."""

from __future__ import annotations

from weft.cuda.device_code import Axis
from weft.cuda.general_launch import general_launch
from weft.cuda.launch_assumptions import LARGEST_N, fixed_elements, largest, least_sizes, may_overlap
from weft.launch import Launch, Parameter, Recipe
from weft.sizes import Size

SIZES = {"height": "n // 64 + 3", "width": "96"}


def launch(rows: Size, cols: Size, **changed: Parameter) -> Launch:
    parameters = {
        "pixels": Parameter("in", (rows, cols, 3), Recipe("integers", (0, 256))),
        "counts": Parameter("inout", (512,), Recipe("constant", 0)),
    }
    return Launch(SIZES, (rows, cols), parameters | changed)


def test_launches_that_are_alike_keep_what_they_say() -> None:
    general = general_launch([launch("height", "width"), launch("height", "width")])
    assert general.launch == launch("height", "width")
    assert general.places == {}


def test_sizes_that_differ_have_a_name_wherever_they_are() -> None:
    general = general_launch([launch(32, 32), launch("height", "width")])
    assert general.launch.dims == ("height", "width")
    assert general.launch.parameters["pixels"].shape == ("height", "width", 3)
    assert general.places == {"height": Axis(None, 0), "width": Axis(None, 1)}


def test_nothing_is_known_of_a_size_that_differs() -> None:
    general = general_launch([launch(32, 32), launch("height", "width")]).launch
    assert "height" not in least_sizes(general) and largest(general, "width") == LARGEST_N


def test_arrays_still_lie_apart_and_have_their_extents() -> None:
    general = general_launch([launch(32, 32), launch("height", "width")]).launch
    assert not may_overlap(general, "counts", {"counts"})
    assert fixed_elements(general, "counts", []) == 512


def test_a_name_that_a_launch_needs_itself_is_another() -> None:
    """`height` is an extent of both, so that it cannot stand for 32, too."""
    own = Parameter("in", ("height",), Recipe("integers", (0, 9)))
    general = general_launch([launch(32, "width", first=own), launch("height", "width", first=own)])
    assert general.launch.parameters["first"].shape == ("height",)
    assert general.launch.dims[0] not in ("height", 32)
    assert general.places == {general.launch.dims[0]: Axis(None, 0)}


def test_contents_that_differ_are_unknown() -> None:
    ones = Parameter("inout", (512,), Recipe("constant", 1))
    general = general_launch([launch(32, 32), launch(32, 32, counts=ones)])
    assert general.launch.parameters["counts"].values is None
    assert general.launch.inferred == frozenset()


def test_arrays_that_differ_in_more_than_shapes_may_overlap() -> None:
    null = Parameter("in", (512,), None, null=True)
    general = general_launch([launch(32, 32), launch(32, 32, counts=null)])
    assert general.launch.inferred == {"counts"}


def test_numbers_that_differ_are_unknown() -> None:
    one, two = (Parameter("in", (), Recipe("constant", value)) for value in (1, 2))
    general = general_launch([launch(32, 32, step=one), launch(32, 32, step=two)])
    assert general.launch.inferred == {"step"}
