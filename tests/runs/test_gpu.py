"""What is done on a GPU, as far as it shows without one: command lines, code inside programs, clear errors.

Nothing here says what a GPU computes, or what compute-sanitizer finds in a program.
"""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hand_written import evens_reference, program, shard, with_main, write_shard

from weft.errors import UserError
from weft.ptx.nvcc import find_toolkit
from weft.reference import store
from weft.runs import gpu
from weft.runs.build import GPU_GUARDS, CpuToolchain, CudaToolchain, Shipped
from weft.runs.embed import check_embedded, embed, embedded_ptx, same_code
from weft.runs.exact import is_exact
from weft.runs.execute import Ended, run_program
from weft.runs.sanitizer import Finding, Sanitizer, find_sanitizer, finding, sanitizer_path
from weft.workflow.machine import nvcc_path

SCALE = """\
#include <cuda_runtime.h>
__global__ void scale(float* x) { x[threadIdx.x] *= 3.0f; }
int main() { scale<<<1, 32>>>(nullptr); return cudaDeviceSynchronize() != cudaSuccess; }
"""

STORE = with_main("""\
#include "@guards@"
#include <cstdlib>
__global__ void store(float* x, int index) { x[index] = 1.0f; }
int main() {
    float* x = nullptr;
    if (cudaMalloc(&x, 10 * sizeof(float)) != cudaSuccess) return 2;
    store<<<1, 1>>>(x, std::atoi(std::getenv("INDEX")));
    return cudaFree(x) != cudaSuccess;
}
""")


@pytest.mark.needs("nvcc")
def test_a_program_embeds_the_ptx_that_is_shipped_and_no_other(tmp_path: Path) -> None:
    nvcc = nvcc_path("pinned")
    toolkit = find_toolkit(nvcc, "g++", "sm_75")
    shipped, own = tmp_path / "shipped.ptx", tmp_path / "own.ptx"
    own.write_text(toolkit.ptx(SCALE, tmp_path))
    shipped.write_text(own.read_text().replace("40400000", "40000000"))  # 3.0f becomes 2.0f

    build = tmp_path / "build"
    build.mkdir()
    toolchain = CudaToolchain(nvcc, build, "sm_90", shipped=Shipped(shipped, "sm_75"))
    assert toolchain.compile(with_main(SCALE), build / "program") is None

    (module,) = embedded_ptx(build / "program")
    assert same_code(module, shipped.read_text()) and not same_code(module, own.read_text())
    check_embedded(build / "program", shipped)
    with pytest.raises(UserError, match=r"embeds other PTX than own\.ptx"):
        check_embedded(build / "program", own)


@pytest.mark.needs("nvcc")
def test_ptx_of_a_newer_toolkit_is_refused_with_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "new.ptx").write_text(".version 99.0\n.target sm_75\n.address_size 64\n")
    with pytest.raises(UserError, match=r"ptxas failed: .*99\.0.*needs a CUDA toolkit that is not older"):
        embed(tmp_path / "shard.o", tmp_path / "new.ptx", Path(nvcc_path("pinned")), "sm_90")


def test_comments_and_blanks_are_no_difference_between_modules() -> None:
    module = ".version 9.0\n// of a file\n.target sm_75\n\tadd.f32 %f1, %f2, %f3;\n"
    assert same_code(module, ".version 9.0\n\n.target sm_75\nadd.f32  %f1, %f2, %f3;")
    assert not same_code(module, module.replace("add.f32", "sub.f32"))


def test_what_is_no_program_has_no_ptx(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("text")
    with pytest.raises(UserError, match="text is not a 64-bit ELF file"):
        embedded_ptx(tmp_path / "text")


def test_what_names_no_target_is_no_ptx(tmp_path: Path) -> None:
    (tmp_path / "a.ptx").write_text("int main() {}\n")
    with pytest.raises(UserError, match=r"a\.ptx is not PTX"):
        gpu.find_shipped(tmp_path / "a.ptx", None)
    with pytest.raises(UserError, match=r"b\.ptx: no such file"):
        gpu.find_shipped(tmp_path / "b.ptx", None)


def test_guard_bands_of_a_gpu_show_writes_beside_an_allocation(tmp_path: Path) -> None:
    text = STORE.replace("@guards@", str(GPU_GUARDS))
    assert CpuToolchain("g++", tmp_path).compile(text, tmp_path / "program") is None
    for index, reason, message in [
        ("9", None, ""),
        ("10", "out_of_bounds", "a write 1 bytes behind an allocation of 40 bytes"),
        ("-1", "out_of_bounds", "before an allocation of 40 bytes"),
    ]:
        command = [str(tmp_path / "program"), "sample", "--main", "printed"]
        ended = run_program(command, tmp_path, timeout=10.0, variables={"INDEX": index}, limit_memory=True)
        assert ended.reason == reason
        assert message in ended.message


def test_kernels_of_exact_operations_must_give_the_reference_bits() -> None:
    assert is_exact("x = sqrtf(y) / z + fmaf(a, b, c); n = fmodf(x, 2.0f); // not sinf(x)")
    assert is_exact("float cosf_table(int i); float logistic = min(a, b);")
    for call in ("sinf(x)", "pow(x, 2.0)", "rsqrtf(x)", "hexp(x)", "h2log(x)", "__expf(x)", "exp10f (x)"):
        assert not is_exact(f"y = {call};")


VERIFIED: dict[str, Any] = {"verdict": "verified", "checks": ["outputs_equal"], "max_ulp": 1, "failure": None}
WRONG: dict[str, Any] = {
    "verdict": "rejected",
    "reason": "wrong_output",
    "message": "differs",
    "failure": {},
}


def test_a_build_without_contraction_can_reject() -> None:
    result = dict(VERIFIED)
    gpu.merge(result, WRONG | {"bits": False})
    assert (result["verdict"], result["reason"]) == ("rejected", "wrong_output")
    assert result["message"] == "built with -fmad=false: differs"
    assert not result["fmad_false_bits"] and not result["checks"]


def test_a_build_without_contraction_may_have_other_bits_within_the_bounds() -> None:
    result = dict(VERIFIED)
    gpu.merge(result, VERIFIED | {"bits": False})
    assert (result["verdict"], result["fmad_false_bits"]) == ("verified", False)


@pytest.mark.full
def test_both_builds_are_judged_and_the_second_by_its_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of things on a GPU, with the CPU device in its place."""
    builds = []

    def toolchain(compiler: str, folder: Path, arch: str, **options: Any) -> CpuToolchain:
        builds.append((compiler, arch, options))
        return CpuToolchain("g++", folder)

    monkeypatch.setattr(gpu, "count_gpus", lambda: 1)
    monkeypatch.setattr(gpu, "CudaToolchain", toolchain)
    write_shard(tmp_path / "shard.cu", shard([program()]))
    (tmp_path / "shard.ptx").write_text(".version 9.0\n.target sm_75\n")
    store.write(tmp_path / "reference.npz", evens_reference(1))
    result = gpu.run_shard_cuda(
        tmp_path / "shard.cu",
        tmp_path / "reference.npz",
        compiler="nvcc",
        arch="sm_90",
        timeout=20.0,
        ptx=tmp_path / "shard.ptx",
    )
    shipped = Shipped(tmp_path / "shard.ptx", "sm_75")
    assert builds == [("nvcc", "sm_90", {"contract": False}), ("nvcc", "sm_90", {"shipped": shipped})]
    (one,) = result["samples"]
    assert (one["verdict"], one["equality"], one["fmad_false_bits"]) == ("verified", "bounded", True)
    assert (result["device"], result["embedded_ptx"], result["rejects"]) == ("cuda", "sm_75", [])


def test_fused_products_excuse_only_what_has_the_reference_bits_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (sample,) = evens_reference(1).samples
    monkeypatch.setattr(gpu, "with_fused_products", lambda sample, *_: sample)
    for again, same_bits, verdict in (
        (VERIFIED, {sample.sample_id}, "verified"),
        (VERIFIED, set(), "rejected"),
        (WRONG, {sample.sample_id}, "rejected"),
    ):
        monkeypatch.setattr(gpu, "judge_sample", lambda *_, again=again: dict(again))
        look = gpu.fused_if_wrong(None, same_bits, 20.0)
        result = look(sample, None, None, dict(WRONG))
        assert result["verdict"] == verdict
        assert ("fused_products" in result.get("checks", [])) == (verdict == "verified")
    crashed = WRONG | {"reason": "crash"}
    assert gpu.fused_if_wrong(None, {sample.sample_id}, 20.0)(sample, None, None, crashed) is crashed


def test_a_gpu_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(name: Any, *_: object) -> int:
        name.value = b"some GPU"
        return 0

    driver = SimpleNamespace(cuInit=lambda _: 0, cuDeviceGet=lambda *_: 0, cuDeviceGetName=named)
    monkeypatch.setattr(gpu.ctypes, "CDLL", lambda _: driver)
    assert gpu.gpu_name() == "some GPU"


def test_without_a_driver_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise OSError

    monkeypatch.setattr(gpu.ctypes, "CDLL", missing)
    assert gpu.count_gpus() == 0
    with pytest.raises(gpu.NoDeviceError):
        gpu.gpu_name()


def test_flags_of_the_builds(tmp_path: Path) -> None:
    shipped = Shipped(tmp_path / "a.ptx", "sm_75")
    assert "-arch=compute_75" in CudaToolchain("nvcc", tmp_path, "sm_90", shipped=shipped).flags
    assert CudaToolchain("nvcc", tmp_path, "sm_90", contract=False).flags[-2:] == (
        "-arch=sm_90",
        "-fmad=false",
    )


def test_the_command_line_of_compute_sanitizer() -> None:
    command = Sanitizer("/cuda/bin/compute-sanitizer").command("racecheck")
    assert command[:3] == ["/cuda/bin/compute-sanitizer", "--tool", "racecheck"]
    assert "--error-exitcode" in command and "--log-file" in command


def test_what_the_exit_status_under_compute_sanitizer_means() -> None:
    assert finding("memcheck", Ended(None, "", 3, 0), "") == Finding(None, "", finished=True)
    found = finding("racecheck", Ended("crash", "exit status 99", 3, 99), "")
    assert (found.reason, found.message) == ("race", "racecheck: exit status 99")
    late = finding("racecheck", Ended("timeout", "no end within 200 s", 3), "")
    assert (late.reason, late.finished) == (None, False)
    broken = finding("initcheck", Ended("crash", "exit status 255", None, 255), "")
    assert (broken.reason, broken.finished) == (None, False)


def test_a_missing_compute_sanitizer_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="no compute-sanitizer beside nvcc, and none on PATH"):
        sanitizer_path("nvcc")


@pytest.mark.needs("nvcc")
def test_a_compute_sanitizer_that_does_not_find_planted_mistakes_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "compute-sanitizer"
    tool.write_text("#!/bin/sh\nexit 0\n")
    tool.chmod(0o755)
    path = shutil.which("g++")
    assert path is not None
    monkeypatch.setenv("PATH", f"{tmp_path}:{Path(path).parent}:/usr/bin:/bin")
    with pytest.raises(UserError, match="memcheck cannot tell a wrong program from a right one on this GPU"):
        find_sanitizer(nvcc_path("pinned"), "sm_75")
