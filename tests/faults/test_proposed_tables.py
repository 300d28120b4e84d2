"""The description that `no_launch` proposes can be pasted into the file, and the kernel then runs."""

import ast
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from weft.files import write_json
from weft.ir.build import build_ir
from weft.reference.stage import make_reference
from weft.reference.store import Reference
from weft.source_spec import manifest_text, source_spec

HEADER = """import warp as wp

@wp.struct
class Spring:
    first: int
    on: bool
    stiffness: float
    ends: wp.vec2

@wp.struct
class Grid:
    u: wp.array2d(dtype=float)
    marks: wp.array(dtype=int)
    scale: float

@wp.func
def hidden(i: int) -> int:
    # No analysis of ranges knows that this is i.
    return i + int(0.5 * wp.abs(wp.sin(float(i))))

"""
KERNELS = {
    "floats": ("x: wp.array(dtype=float), out: wp.array(dtype=float)", "out[i] = 2.0 * x[hidden(i)]"),
    "integers_in_place": (
        "x: wp.array(dtype=int), step: int",
        "if x[hidden(i)] > 3:\n        x[hidden(i)] = x[hidden(i)] - step",
    ),
    "bytes": ("x: wp.array(dtype=wp.uint8), out: wp.array(dtype=int)", "out[i] = int(x[hidden(i)]) + 1"),
    "booleans": (
        "x: wp.array(dtype=wp.bool), on: bool, out: wp.array(dtype=int)",
        "out[i] = wp.where(x[hidden(i)] and on, 1, 2)",
    ),
    "halves": (
        "x: wp.array(dtype=wp.float16), out: wp.array(dtype=wp.float16)",
        "out[hidden(i)] = x[i] + wp.float16(1.0)",
    ),
    "vectors": (
        "x: wp.array(dtype=wp.vec3), by: wp.vec3, out: wp.array(dtype=wp.vec3)",
        "out[i] = wp.cross(x[hidden(i)], by)",
    ),
    "integer_vectors": (
        "x: wp.array(dtype=wp.vec2i), out: wp.array(dtype=int)",
        "out[i] = x[hidden(i)][0] + x[hidden(i)][1]",
    ),
    "matrices": (
        "x: wp.array(dtype=wp.mat22), m: wp.mat22, out: wp.array(dtype=wp.vec2)",
        "out[i] = (x[hidden(i)] * m) * wp.vec2(1.0, 2.0)",
    ),
    "structs": (
        "x: wp.array(dtype=Spring), one: Spring, out: wp.array(dtype=float)",
        "s = x[hidden(i)]\n    if s.on:\n        out[i] = s.stiffness * s.ends[0] + one.stiffness\n"
        "    else:\n        out[i] = float(s.first + one.first) + wp.where(one.on, one.ends[0], s.ends[1])",
    ),
    "struct_of_arrays": (
        "grid: Grid, out: wp.array(dtype=float)",
        "out[i] = grid.u[hidden(i), 0] * grid.scale + float(grid.marks[hidden(i)])",
    ),
    "indexed": (
        "x: wp.indexedarray(dtype=float), out: wp.array(dtype=float)",
        "out[i] = 3.0 * x[hidden(i)]",
    ),
    "two_axes": (
        "x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)",
        "out[i, j] = x[hidden(i), hidden(j)] + 1.0",
    ),
    "many_unknown": (
        "a: wp.array(dtype=int), b: wp.array(dtype=float), c: wp.array(dtype=wp.vec3), "
        "out: wp.array(dtype=float)",
        "out[hidden(i)] = b[hidden(i)] + c[hidden(i)][0] + float(a[hidden(i)])",
    ),
    "summed": (
        "x: wp.array(dtype=int), total: wp.array(dtype=int)",
        "wp.atomic_add(total, hidden(i) - hidden(i), x[i])",
    ),
    "rows_in_buckets": (
        "a: wp.fabricarrayarray(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)",
        "a[i][0] = a[i][0] * 2.0\n    out[i] = a[i][0] + a[i][1]",
    ),
    "tiled": (
        "x: wp.array(dtype=float), out: wp.array(dtype=float)",
        "t = wp.tile_load(x, shape=32, offset=hidden(i) * 32)\n    wp.tile_store(out, t, offset=i * 32)",
    ),
}
"""Parameters and body of kernels of which an index cannot be told."""
BITONIC = """
@wp.kernel
def bitonic_step(values: wp.array(dtype=int), j: int, k: int):
    i = wp.tid()
    partner = i ^ j
    if partner > i:
        ascending = (i & k) == 0
        if (values[i] > values[partner]) == ascending:
            kept = values[i]
            values[i] = values[partner]
            values[partner] = kept
"""
OF_THE_KERNEL = {"insensitive", "constant_output", "no_output", "modifies_input"}


def source(kernels: dict[str, tuple[str, str]]) -> str:
    texts = []
    for name, (parameters, body) in kernels.items():
        threads = "i, j" if "[i, j]" in body else "i"
        texts.append(f"@wp.kernel\ndef {name}({parameters}):\n    {threads} = wp.tid()\n    {body}\n")
    return HEADER + "\n".join(texts)


def proposal(message: str) -> str:
    """The table in a message, as a user copies it."""
    found = re.search(r"^    LAUNCH = \{\n.*?^    \}$", message, re.MULTILINE | re.DOTALL)
    assert found, message
    return textwrap.dedent(found[0]) + "\n"


@pytest.fixture(scope="module")
def proposed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By kernel what is proposed for it."""
    path = tmp_path_factory.mktemp("undescribed") / "kernels.py"
    path.write_text(source(KERNELS), encoding="utf-8")
    ir = build_ir(path, category="k", seed=0, device="cuda")
    assert ir["rejects"] == []
    return {record["kernel_name"]: proposal(record["launch_problem"]["message"]) for record in ir["records"]}


@pytest.fixture(scope="module")
def executed(proposed: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Reference]:
    """IR and reference of the file with all that was proposed, without another edit."""
    folder = tmp_path_factory.mktemp("described")
    path = folder / "kernels.py"
    tables: dict[str, Any] = {}
    for text in proposed.values():
        tables |= ast.literal_eval(text.removeprefix("LAUNCH = "))
    path.write_text(source(KERNELS) + f"LAUNCH = {tables!r}\n", encoding="utf-8")
    ir = build_ir(path, category="k", seed=0, device="cuda")
    write_json(folder / "ir.json", ir)
    manifest = folder / "manifest.py"
    manifest.write_text(manifest_text(source_spec(str(path)), "k"), encoding="utf-8")
    return ir, make_reference(manifest, folder / "ir.json", [1, 33], [0], 20.0)


@pytest.mark.parametrize("name", KERNELS)
def test_a_proposed_table_is_whole_and_is_taken(
    name: str, proposed: dict[str, str], executed: tuple[Any, Reference]
) -> None:
    ir, reference = executed
    assert [one for one in ir["rejects"] if one["kernel_name"] == name] == []
    (record,) = [one for one in ir["records"] if one["kernel_name"] == name]
    assert record["launch_problem"] is None
    assert record["launch"]["inferred"] == []
    assert record["launch"]["inferred_dims"] is False
    reasons = [(one["reason"], one["message"]) for one in reference.rejects if one["kernel_name"] == name]
    assert all(reason in OF_THE_KERNEL for reason, _ in reasons), reasons


def test_roles_and_recipes_are_those_of_the_types(proposed: dict[str, str]) -> None:
    def of(name: str) -> Any:
        return ast.literal_eval(proposed[name].removeprefix("LAUNCH = "))[name]["parameters"]

    assert of("integers_in_place") == {
        "x": {"role": "inout", "shape": ["n"], "values": {"integers": [0, 5]}},
        "step": {"values": {"integers": [1, 10]}},
    }
    assert of("booleans")["x"]["values"] == {"integers": [0, 2]}
    assert of("vectors")["out"] == {"role": "out", "shape": ["n"]}
    assert set(of("structs")["x"]["values"]["members"]) == {"first", "on", "stiffness", "ends"}


def test_a_proposed_table_can_be_pasted(proposed: dict[str, str], tmp_path: Path) -> None:
    name = "integers_in_place"
    path = tmp_path / "kernels.py"
    path.write_text(source({name: KERNELS[name]}) + proposed[name], encoding="utf-8")
    ir = build_ir(path, category="k", seed=0, device="cuda")
    assert [one["launch_problem"] for one in ir["records"]] == [None]


def test_a_partner_by_exclusive_or_needs_no_table(tmp_path: Path) -> None:
    """Nothing but the code says that the array is longer than the launch."""
    path = tmp_path / "kernels.py"
    path.write_text(HEADER + BITONIC, encoding="utf-8")
    write_json(tmp_path / "ir.json", build_ir(path, category="k", seed=0, device="cuda"))
    reference = make_reference(path, tmp_path / "ir.json", [1, 33], [0], 20.0)
    assert [one.kernel_name for one in reference.samples] == ["bitonic_step"]
