"""Files that do more than define kernels when they are imported: scripts."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ir_of import ir_of

from weft.errors import UserError
from weft.ir.build import build_ir

KERNEL = """
@wp.kernel
def double(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + x[i]
"""


def names(ir: dict[str, Any]) -> list[str]:
    return [record["kernel_name"] for record in ir["records"]]


def test_a_file_that_runs_on_a_gpu_is_read_without_one(tmp_path: Path) -> None:
    body = """
wp.set_device("cuda:0")
x = wp.full(4, 1.0, dtype=float, device="cuda")
with wp.ScopedDevice("cuda:1"):
    wp.launch(double, 4, inputs=[x])
assert x.numpy().sum() == 8.0
"""
    assert names(ir_of(tmp_path, KERNEL + body)) == ["double"]


def test_a_device_of_no_kind_is_the_files_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Invalid device identifier: gpu"):
        ir_of(tmp_path, 'wp.set_device("gpu")\n' + KERNEL)


def test_a_script_sees_a_command_line_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ir.py", "kernels.py", "-o", "k.json"])
    text = "import sys\nassert len(sys.argv) == 1 and sys.argv[0].endswith('kernels.py')\n"
    assert names(ir_of(tmp_path, text + KERNEL)) == ["double"]
    assert sys.argv == ["ir.py", "kernels.py", "-o", "k.json"]


def test_a_script_may_end_by_leaving(tmp_path: Path) -> None:
    assert names(ir_of(tmp_path, KERNEL + "raise SystemExit(main() if False else 0)\n")) == ["double"]


def test_kernels_that_a_script_left_before_are_rejects(tmp_path: Path) -> None:
    later = KERNEL.replace("double", "later")
    ir = ir_of(tmp_path, f"{KERNEL}raise SystemExit(1)\n{later}")
    assert names(ir) == ["double"]
    assert [reject["kernel_name"] for reject in ir["rejects"]] == ["later"]


def test_a_script_that_leaves_without_a_kernel_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        ir_of(tmp_path, "raise SystemExit(2)\n" + KERNEL)
    message = str(caught.value)
    assert "kernels.py:3:1" in message
    assert message.endswith("importing the file ends Python with status 2, before it has a kernel")


def test_the_attributes_of_an_object_are_kernels_too(tmp_path: Path) -> None:
    text = """
    class Powers:
        def __init__(self, times):
            @wp.kernel
            def power(x: wp.array(dtype=float)):
                i = wp.tid()
                for _ in range(times):
                    x[i] = x[i] * x[i]
            self.kernel = power
    """
    with pytest.raises(UserError, match=r"call one|no kernel"):
        ir_of(tmp_path, text)
    ir = build_ir(f"{tmp_path}/kernels.py:Powers(3)", category="powers", seed=0, device="cuda")
    assert names(ir) == ["power"]


def test_an_imported_kernel_is_the_files_own_where_launch_describes_it(tmp_path: Path) -> None:
    text = """
    from library import double, other
    LAUNCH = {"double": {"dims": ["n"], "parameters": {"x": {"role": "inout", "shape": ["n"],
                                                             "values": {"uniform": [0.0, 1.0]}}}}}
    """
    ir = ir_of(tmp_path, text, library=KERNEL + KERNEL.replace("double", "other"))
    assert names(ir) == ["double"]
    assert ir["records"][0]["launch"]["inferred"] == []


SCRIPT = Path(__file__).parents[2] / "scripts" / "ir.py"
REFUSED = """
@wp.kernel
def refused(x: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    x[i] = x[i] + wp.mat33()
"""


def by_hand(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "k.py").write_text(f"import warp as wp\n{text}", encoding="utf-8")
    command = [sys.executable, "-P", str(SCRIPT), *options, "-o", "k.json"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def test_the_command_says_what_it_made(tmp_path: Path) -> None:
    done = by_hand(tmp_path, KERNEL + KERNEL.replace("double", "other") + REFUSED, "k.py")
    assert (done.returncode, done.stdout) == (0, "k.json: double (k-0000-0000), other (k-0000-0001)\n")
    assert done.stderr.startswith("  k-0000-0002 refused: ir: warp_error: Couldn't find ")
    assert done.stderr.endswith(
        "    k.py:16:12\n            x[i] = x[i] + wp.mat33()\n                   ^\n"
    )


@pytest.mark.parametrize(
    ("options", "status"), [([], 1), (["--category", "own", "--seed", "0"], 0)], ids=["by hand", "in a build"]
)
def test_a_file_whose_kernels_are_all_rejected_fails_by_hand_only(
    tmp_path: Path, options: list[str], status: int
) -> None:
    """The stages of a build go on with its rejects."""
    done = by_hand(tmp_path, REFUSED, "k.py", *options)
    assert (done.returncode, done.stdout) == (status, "k.json: no kernel\n")
    assert "refused: ir: warp_error: " in done.stderr and "    k.py:6:12\n" in done.stderr
    (reject,) = json.loads((tmp_path / "k.json").read_text())["rejects"]
    assert reject["kernel_name"] == "refused"


FACTORY = """
def make(count, scale=1.0):
    @wp.kernel
    def times(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] * float(count) * scale
    return times
MADE = {"one": make(1), "two": make(2)}
"""


def test_instances_of_a_factory_have_ids_of_their_own(tmp_path: Path) -> None:
    selections = ("make(3)", "make(-3)", "make(3, scale=0.5)", 'MADE["one"]', 'MADE["two"]')
    said = [by_hand(tmp_path, FACTORY, f"k.py:{selection}").stdout for selection in selections]
    assert said == [
        "k.json: times (k_make_3-0000-0000)\n",
        "k.json: times (k_make_minus3-0000-0000)\n",
        "k.json: times (k_make_3_scale_0p5-0000-0000)\n",
        "k.json: times (k_MADE_one-0000-0000)\n",
        "k.json: times_2 (k_MADE_two-0000-0000)\n",
    ]
