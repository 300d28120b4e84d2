"""The reference stage as it is used: one shard of small kernels through the command line."""

from __future__ import annotations

import ctypes
import ctypes.util
import dataclasses
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from small_kernels import KERNELS, SINES_OF, UNCOMPILABLE, Written, floats_in, floats_out, ir_file

from weft.edges import has_edges
from weft.errors import UserError
from weft.inputs import FILL_BYTE, draw_parameter
from weft.reference.cases import Case
from weft.reference.job import Failure, job, with_fewer_edges
from weft.reference.layout import Packed
from weft.reference.stage import make_reference
from weft.reference.store import Reference, Sample, packed_elements, read
from weft.types import Array

REFERENCE = Path(__file__).parents[2] / "scripts" / "reference.py"
SIZES = (1, 31, 257, 20000)
SEEDS = (0, 1)


def run(folder: Path, kernels: tuple[Written, ...], *options: str) -> Path:
    """Run scripts/reference.py on a shard of `kernels` in `folder`; the file that it writes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "0000.py").write_text("", encoding="utf-8")
    (folder / "0000.json").write_text(json.dumps(ir_file(kernels)), encoding="utf-8")
    output = folder / "0000.npz"
    command = [sys.executable, "-P", REFERENCE, folder / "0000.py", folder / "0000.json", "-o", output]
    subprocess.run([*command, *options], check=True, timeout=300, stdout=subprocess.DEVNULL)
    return output


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory, warp_headers: tuple[str, ...]) -> Reference:
    folder = tmp_path_factory.mktemp("shard")
    sizes, seeds = map(str, SIZES), map(str, SEEDS)
    options = ("--sizes", *sizes, "--seeds", *seeds, "--timeout", "0.5", *warp_headers)
    return read(run(folder, KERNELS, *options))


def sample(reference: Reference, name: str) -> Sample:
    return next(one for one in reference.samples if one.kernel_name == name)


def inputs(sample: Sample, case: int) -> dict[str, Packed]:
    size, seed = sample.cases[case].size, sample.cases[case].seed
    return {
        name: draw_parameter(
            sample.launch, name, kind, position, size=size, seed=seed, structs=sample.structs
        )
        for position, (name, kind) in enumerate(sample.signature)
    }


def output(sample: Sample, case: int, name: str) -> Packed:
    kind = dict(sample.signature)[name]
    value = sample.expected[case][name].value
    assert isinstance(kind, Array)
    assert value is not None
    return packed_elements(value, kind.element, sample.structs)


@pytest.mark.parametrize("kernel", [one for one in KERNELS if one.reason], ids=lambda one: one.name)
def test_a_bad_kernel_is_rejected_with_its_reason(reference: Reference, kernel: Written) -> None:
    reject = next(one for one in reference.rejects if one["kernel_name"] == kernel.name)
    assert (reject["stage"], reject["reason"]) == ("reference", kernel.reason)


def test_bad_kernels_cost_no_good_one(reference: Reference) -> None:
    good = [kernel.name for kernel in KERNELS if kernel.reason is None]
    assert [one.kernel_name for one in reference.samples] == good


def test_messages_name_what_is_to_blame(reference: Reference) -> None:
    messages = {one["kernel_name"]: one["message"] for one in reference.rejects}
    assert messages["ignores_y"] == "no output depends on the input 'y'"
    assert messages["changes_its_input"].startswith("wrote to 'x', whose role is 'in'")
    assert "(SIGFPE) in case n = 31, seed 2" in messages["divides_by_zero"]
    assert messages["runaway"] == "not done after 0.5 s of CPU time"


def test_each_size_has_seeds_of_its_own_and_a_large_one_runs_once(reference: Reference) -> None:
    cases = [(case.size, case.seed) for case in sample(reference, "saxpy").cases]
    assert cases == [(1, 0), (1, 1), (31, 2), (31, 3), (257, 4), (257, 5), (20000, 6), (1000, 1)]


def test_arithmetic_is_ieee_without_fused_operations(reference: Reference) -> None:
    """Cross products: a fused multiply-add rounds some components differently, as the test makes sure."""
    one = sample(reference, "cross_products")
    given = inputs(one, 4)
    a = given["a"].view(np.float32).reshape(-1, 3)
    b = given["b"].view(np.float32)
    h = given["h"].view(np.float16).astype(np.float32)
    (a0, a1, a2), (b0, b1, b2) = a.T, b
    separate = np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], axis=1) * h
    assert output(one, 4, "out").tobytes() == separate.tobytes()
    exact = a1.astype(np.float64) * b2 - (a2 * b1).astype(np.float64)
    assert (exact.astype(np.float32) != a1 * b2 - a2 * b1).any()


def test_functions_of_constants_are_glibcs(reference: Reference) -> None:
    """LLVM would evaluate some of these sines differently, at compile time."""
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    libm.sinf.restype, libm.sinf.argtypes = ctypes.c_float, [ctypes.c_float]
    expected = np.array([libm.sinf(value) for value in SINES_OF], dtype=np.float32)
    got = output(sample(reference, "sines"), 0, "sines").view(np.float32)
    assert got.tobytes() == expected.tobytes()


def test_unwritten_components_are_known_and_hold_the_fill_byte(reference: Reference) -> None:
    one = sample(reference, "every_other")
    expected = one.expected[2]["out"]
    assert expected.written is not None
    assert expected.written[:, 0].tolist() == [True, False] * 31
    values = output(one, 2, "out")
    assert (values[0::2] == inputs(one, 2)["x"]).all()
    assert values[1::2].tobytes() == bytes([FILL_BYTE]) * (31 * 4)


def test_structs_are_stored_packed_and_masked_by_component(reference: Reference) -> None:
    """Fields: fixed (c0), rest (c1), ends (c2, c3), axis (c4, c5, c6); the kernel writes rest and axis."""
    one = sample(reference, "stretch")
    given = inputs(one, 4)
    springs, like, out = given["springs"], given["like"], output(one, 4, "out")
    expected = one.expected[4]["out"]
    assert expected.value is not None
    assert expected.value.shape == (257, 1 + 8 + 2 * 2 + 3 * 4)
    assert expected.written is not None
    assert (expected.written == [False, True, False, False, True, True, True]).all()
    assert (out["c1"] == springs["c1"] * like["c1"]).all()
    assert (out["c5"] == springs["c5"] + like["c5"]).all()
    assert out["c2"].tobytes() == bytes([FILL_BYTE]) * (257 * 2)
    after = output(one, 4, "springs")
    assert one.expected[4]["springs"].written is None
    assert (after["c0"] == ~springs["c0"]).all()
    assert (after["c3"] == springs["c3"]).all()


def test_large_arrays_are_kept_as_a_hash_and_samples(reference: Reference) -> None:
    one = sample(reference, "saxpy")
    given = inputs(one, 6)
    x, y, a = (given[name].view(np.float32) for name in ("x", "y", "a"))
    out = a * x + y
    expected = one.expected[6]["out"]
    assert expected.value is None
    assert expected.sha256 == hashlib.sha256(out.tobytes()).digest()
    assert expected.sample_index is not None
    assert expected.sample_value is not None
    assert len(set(expected.sample_index.tolist())) > 200
    assert expected.sample_value.tobytes() == out[expected.sample_index].tobytes()


def test_inputs_have_edges_where_a_reference_is_stable_with_them(reference: Reference) -> None:
    launch = sample(reference, "counting").launch
    assert set(launch.compared or ()) == {0.25, 0.0, 0.75}
    assert launch.accumulators == ("above",)
    assert launch.plain == ()
    assert sample(reference, "rounding_at_an_edge").launch.plain == (2, 5)


def test_only_the_cases_whose_edges_do_harm_lose_them(tmp_path: Path, warp_headers: tuple[str, ...]) -> None:
    body = """
        i = wp.tid()
        out[i] = 1.0 / (x[i] - y[i])
        """
    apart = Written("apart", (floats_in("x"), floats_in("y"), floats_out()), body)
    content = read(run(tmp_path, (apart,), "--sizes", "31", "33", "--seeds", "0", "1", "2", *warp_headers))
    one = sample(content, "apart")
    assert [case.seed for case in one.cases if has_edges(one.launch, case.seed)] == [5]
    assert (inputs(one, 5)["x"]["c0"] < 0).all()
    assert set(inputs(one, 2)["x"]["c0"]).isdisjoint(inputs(one, 2)["y"]["c0"])


def test_products_with_the_neighbours_of_zero_are_not_zero(
    tmp_path: Path, warp_headers: tuple[str, ...]
) -> None:
    body = """
        i = wp.tid()
        weight = x[i] * y[i]
        out[i] = 0.0
        if weight > 0.0:
            out[i] = x[i] / weight
        """
    weighted = Written("weighted", (floats_in("x"), floats_in("y"), floats_out()), body)
    content = read(run(tmp_path, (weighted,), "--sizes", "300", "--seeds", "0", "2", *warp_headers))
    assert sample(content, "weighted").launch.plain == ()


def test_large_cases_lose_their_edges_first_if_a_kernel_takes_too_long() -> None:
    slow = Failure("timeout", "no end", None)
    cases = (Case(20, 2), Case(20_000, 5), Case(20_000, 6))
    plain = job(ir_file(KERNELS)["records"][0], generated=True)
    first = dataclasses.replace(plain, launch=dataclasses.replace(plain.launch, compared=()))
    second = with_fewer_edges(first, slow, cases)
    assert second is not None
    assert (second.launch.compared, second.launch.plain) == ((), (5,))
    assert with_fewer_edges(second, slow, cases) == plain


def test_versions_say_what_the_bits_depend_on(reference: Reference) -> None:
    assert set(reference.versions) == {"warp", "glibc", "cpu"}


def test_what_does_not_compile_costs_no_other(tmp_path: Path, warp_headers: tuple[str, ...]) -> None:
    content = read(
        run(tmp_path, UNCOMPILABLE, "--sizes", "1", "31", "--seeds", "0", "--timeout", "5", *warp_headers)
    )
    assert [one.kernel_name for one in content.samples] == ["saxpy", "every_other"]
    rejects = {one["kernel_name"]: one for one in content.rejects}
    reasons = {name: reject["reason"] for name, reject in rejects.items()}
    assert reasons == {kernel.name: kernel.reason for kernel in UNCOMPILABLE if kernel.reason}
    assert "undefined_name" in rejects["unknown_name"]["message"]
    assert str(tmp_path) not in json.dumps(content.rejects)


def test_a_chosen_sample_may_look_at_an_input_in_any_case(
    tmp_path: Path, warp_headers: tuple[str, ...]
) -> None:
    body = """
        i = wp.tid()
        out[i] = x[i]
        if out.shape[0] == 1:
            out[i] = x[i] + y[i]
        """
    kernel = Written("seldom_looks_at_y", (floats_in("x"), floats_in("y"), floats_out()), body)
    options = ("--sizes", "1", "31", "257", "--seeds", "0", *warp_headers)
    (reject,) = read(run(tmp_path / "all", (kernel,), *options)).rejects
    assert reject["reason"] == "insensitive"
    chosen = read(run(tmp_path / "chosen", (kernel,), *options, "--samples", reject["sample_id"]))
    assert [one.kernel_name for one in chosen.samples] == [kernel.name]


def test_equal_input_gives_equal_bytes_in_any_folder(tmp_path: Path) -> None:
    options = ("--sizes", "31", "--seeds", "0")
    here, there = (run(tmp_path / name, KERNELS[:1], *options) for name in ("here", "there/below"))
    assert here.read_bytes() == there.read_bytes()


@pytest.mark.full
def test_a_precompiled_header_changes_nothing_nor_does_a_broken_one(tmp_path: Path) -> None:
    made, broken = tmp_path / "made", tmp_path / "broken"
    program = REFERENCE.with_name("warp_headers.py")
    subprocess.run([sys.executable, "-P", program, "--block-dims", "1", "32", "-o", made], check=True)
    broken.mkdir()
    headers = sorted(made.glob("*.pch"))
    assert [header.name.split("_")[1] for header in headers] == ["bd1", "bd32"]
    for header in headers:
        (broken / header.name).write_bytes(header.read_bytes()[:100_000])
    options = ("--sizes", "31", "--seeds", "0")
    plain = run(tmp_path / "plain", KERNELS[:1], *options).read_bytes()
    for folder in (made, broken):
        path = run(tmp_path / f"by_{folder.name}", KERNELS[:1], *options, "--warp-headers", str(folder))
        assert path.read_bytes() == plain


def test_what_is_no_ir_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "ir.json").write_text("[]", encoding="utf-8")
    with pytest.raises(UserError, match="is not an ir file"):
        make_reference(tmp_path / "k.py", tmp_path / "ir.json", [1], [0], 1.0)


def test_mistakes_of_the_user_end_with_status_2(tmp_path: Path) -> None:
    command = [sys.executable, "-P", REFERENCE, "k.py", "none.json", "-o", "out.npz"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (
        2,
        "reference: none.json: no such file or directory\n",
    )
