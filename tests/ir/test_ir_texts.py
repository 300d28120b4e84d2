"""Warp's own text: both parts, the same bytes anywhere, and from the one Warp that we know."""

import re
import shutil
from pathlib import Path

import pytest
import warp
from ir_of import ir_of, record_of
from warp._src import context

from weft.errors import UserError
from weft.files import canonical_json
from weft.ir import warp_inside
from weft.ir.build import build_ir
from weft.ir.user_module import load_module
from weft.ir.warp_inside import session
from weft.source_files import Source

EXAMPLES = Path(__file__).parents[2] / "examples"

TEXT = """
from typing import Any
@wp.func
def halved(x: Any):
    return x * type(x)(0.5)
@wp.kernel
def first(out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = halved(out[i])
@wp.kernel
def second(out: wp.array(dtype=wp.float64), v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = halved(wp.float64(wp.dot(v[i], v[i]))) + wp.float64(wp.length(v[i]))
"""


def test_warp_is_the_version_that_we_know() -> None:
    assert warp.__version__ == warp_inside.WARP_VERSION, "port weft/ir/warp_inside to this Warp first"


def test_another_warp_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(session.warp, "__version__", "1.20.0")
    with pytest.raises(UserError, match=r"warp-lang 1\.20\.0 is installed.*install warp-lang==1\.19\.0"):
        ir_of(tmp_path, TEXT)


def test_two_folders_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for folder in (tmp_path / "here", tmp_path / "a" / "much" / "longer" / "way"):
        shutil.copytree(EXAMPLES, folder / "examples")
        monkeypatch.chdir(folder)
        ir = build_ir(Path("examples/nbody.py"), category="nbody", seed=0, device="cuda")
        texts.append(canonical_json(ir))
    assert texts[0] == texts[1]
    assert str(tmp_path) not in texts[0]
    assert "examples/gravity.py" in texts[0]
    absolute = build_ir(Path("examples/nbody.py").resolve(), category="nbody", seed=0, device="cuda")
    assert canonical_json(absolute) == texts[0]


def test_a_record_does_not_depend_on_what_this_process_did_before(tmp_path: Path) -> None:
    fresh = ir_of(tmp_path, TEXT)
    ir_of(tmp_path / "other", 'wp.set_module_options({"enable_backward": False})\n' + TEXT)
    assert ir_of(tmp_path, TEXT) == fresh


def test_the_parts_hold_what_their_names_say(tmp_path: Path) -> None:
    record = ir_of(tmp_path, TEXT)["records"][0]
    for device, entry in (("cuda", "first_cuda_kernel_"), ("cpp", "first_cpu_")):
        forward, backward = record[f"{device}_forward"], record[f"{device}_backward"]
        assert f"{entry}forward" in forward
        assert "backward" not in forward
        assert "adj_halved" not in forward
        assert f"{entry}backward" in backward
        assert "adj_halved" in backward
        assert "#include" not in backward
        assert "second" not in forward + backward


def test_the_text_is_that_of_warp(tmp_path: Path) -> None:
    """The same lines as ModuleBuilder gives without our hooks and memory, functions' adjoints apart."""
    ir = ir_of(tmp_path, TEXT, name="compared")
    session.begin(tmp_path / "cache")
    path = tmp_path / "compared.py"
    module = load_module(Source.of(path)).module
    for record, kernel in zip(ir["records"], (module.first, module.second), strict=True):
        kernel.module.options["strip_hash"] = True
        kernel.module._live_kernels = [kernel]
        options = kernel.module.resolve_options(warp.config, block_dim=256) | {"output_arch": 90}
        text = context.ModuleBuilder(kernel.module, options).codegen("cuda")
        ours = record["cuda_forward"] + record["cuda_backward"]
        assert _paragraphs(ours) == _paragraphs(text)


def _paragraphs(text: str) -> list[str]:
    return sorted(paragraph.strip() for paragraph in re.split(r"\n\n+", text))


def test_without_a_backward_pass_there_is_no_text_for_it(tmp_path: Path) -> None:
    record = record_of(tmp_path, TEXT.split("@wp.kernel\ndef second")[0].replace(".kernel", KERNEL_OPTION))
    assert record["cuda_backward"] == record["cpp_backward"] == ""
    assert "first_cuda_kernel_forward" in record["cuda_forward"]


KERNEL_OPTION = ".kernel(enable_backward=False)"
