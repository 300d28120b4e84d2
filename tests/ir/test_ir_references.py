"""The role of an array whose elements functions are given by reference (wp.ref)."""

from pathlib import Path

from weft.ir.build import build_ir

KERNELS = """
import warp as wp


@wp.func
def increase(place: wp.ref[float], step: float):
    place += step


@wp.func
def put(place: wp.ref[float], value: float):
    place = value


@wp.func
def put_twice(place: wp.ref[float], value: float):
    put(place, 2.0 * value)


@wp.func
def after(place: wp.ref[float]) -> float:
    return place + 1.0


@wp.func
def step_on(place: wp.ref[int], step: int):
    place += step


@wp.kernel(enable_backward=False)
def places(
    x: wp.array(dtype=float),
    changed: wp.array(dtype=float),
    written: wp.array(dtype=float),
    written_within: wp.array(dtype=float),
    out: wp.array(dtype=float),
    further: wp.array(dtype=float),
):
    i = wp.tid()
    increase(changed[i], x[i])
    put(written[i], x[i])
    put_twice(written_within[i], x[i])
    k = int(0)
    step_on(k, i)
    out[i] = after(x[i]) + further[k]
"""


def test_what_a_function_does_with_a_place_is_what_the_kernel_does_with_the_array(tmp_path: Path) -> None:
    path = tmp_path / "places.py"
    path.write_text(KERNELS, encoding="utf-8")
    (record,) = build_ir(path, category="places", seed=0, device="cuda")["records"]
    roles = {name: one.get("role") for name, one in record["launch"]["parameters"].items()}
    assert roles == {
        "x": "in",
        "changed": "inout",
        "written": "out",
        "written_within": "out",
        "out": "out",
        "further": "in",
    }


def test_a_variable_that_a_function_changes_is_no_known_index(tmp_path: Path) -> None:
    path = tmp_path / "places.py"
    path.write_text(KERNELS, encoding="utf-8")
    (record,) = build_ir(path, category="places", seed=0, device="cuda")["records"]
    assert record["launch_problem"] is not None
    assert "further" in record["launch_problem"]["message"]
