"""Random kernels of every category, through Warp and the translator: finite, and equal to the last bit.

`runs` judges: bit equality with Warp, in several orders of the threads, and that null programs fail.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from weft.files import read_json
from weft.kernels import category_names, emit, emit_module, generate_program, rename_struct
from weft.kernels.constants import Known
from weft.kernels.program import GeneratedProgram, Rejected
from weft.reference.store import packed_elements, read

pytestmark = pytest.mark.usefixtures("composed_only")

ROOT = Path(__file__).parents[2]
SAMPLED, ALL = 20, 5000
BATCH = 20
SIZES = ("1", "33", "1000")
"""So large that each sample's own `main` is judged, too."""

Key = tuple[str, int, int]
KEYS = st.tuples(st.sampled_from(category_names()), st.integers(0, 9999), st.integers(0, 9999))
BATCHES = st.lists(KEYS, min_size=BATCH, max_size=BATCH, unique=True)


def renamed(program: GeneratedProgram, prefix: str) -> GeneratedProgram:
    """The program with names that no other has."""
    program.name = prefix
    for number, part in enumerate(program.parts):
        renamed(part, f"{prefix}_{number}")
    for struct in program.structs:
        before, struct.name = struct.name, f"{struct.name}{prefix.title().replace('_', '')}"
        rename_struct(program, before, struct.name)
    for constant in program.constants:
        if isinstance(constant.value, Known):
            continue  # it has its name wherever it stands
        constant.name = f"{constant.name}_{prefix.upper()}"
    for function in program.functions:
        function.name = f"{prefix}_{function.name}"
    return program


def blocks(program: GeneratedProgram) -> list[str]:
    """The texts of a program: of its kernels, or of what its one kernel uses and the kernel."""
    if program.parts:
        return [text for part in program.parts for text in blocks(part)]
    return [
        *map(emit.constant, program.constants),
        *map(emit.struct, program.structs),
        *map(emit.function, program.functions),
        emit.kernel(program),
    ]


def module_text(programs: list[GeneratedProgram]) -> str:
    texts = list(dict.fromkeys(text for program in programs for text in blocks(program)))
    parts = [part.name for program in programs for part in program.parts]
    entries = [emit_module.launch(one) for one in programs]
    made_of = {one.name: one.made_of for one in programs}
    return emit_module.module("Sampled kernels.", entries, texts, made_of, parts)


def run(script: str, *arguments: str) -> None:
    command = [sys.executable, "-P", str(ROOT / "scripts" / f"{script}.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def verdicts(
    programs: list[GeneratedProgram], folder: Path, warp_headers: Sequence[str]
) -> list[dict[str, Any]]:
    """What `runs` says of each program; asserts on the way that nothing is refused or not finite."""
    names = {name: str(folder / f"sampled.{name}") for name in ("py", "ir", "cu", "json", "npz", "verdicts")}
    Path(names["py"]).write_text(module_text(programs))
    run("ir", names["py"], "-o", names["ir"])
    run("cuda", names["ir"], "-o", names["cu"], "--index", names["json"])
    run("reference", names["py"], names["ir"], "-o", names["npz"], "--sizes", *SIZES, "--seeds", "0",
        "--timeout", "60", *warp_headers)  # fmt: skip
    run("runs", names["cu"], names["npz"], "-o", names["verdicts"], "--device", "cpu",
        "--compiler", "g++", "--timeout", "120")  # fmt: skip
    rejects = [one for kind in ("ir", "json") for one in read_json(Path(names[kind]))["rejects"]]
    assert not rejects
    check_finite(Path(names["npz"]))
    samples: list[dict[str, Any]] = read_json(Path(names["verdicts"]))["samples"]
    return samples


def check_finite(reference: Path) -> None:
    """No output of Warp's is infinite or no number."""
    for sample in read(reference).samples:
        for case in sample.expected:
            for _, name, of, _ in sample.outputs:
                kept = case[name].value if case[name].value is not None else case[name].sample_value
                packed = packed_elements(kept, of.element, sample.structs)
                for field in packed.dtype.names or ():
                    if packed[field].dtype.kind == "f":
                        assert np.isfinite(packed[field]).all(), (sample.kernel_name, name)


def check(keys: list[Key], folder: Path, warp_headers: Sequence[str]) -> None:
    programs, made = [], []
    for number, key in enumerate(keys):
        try:
            programs.append(renamed(generate_program(*key), f"k{number}_{key[0]}"))
            made.append(key)
        except Rejected:
            continue
    assert len(programs) >= 0.9 * len(keys)
    samples = verdicts(programs, folder, warp_headers)
    # What means too little is reference's to reject; the aim is that at least 98 % mean something.
    assert len(samples) >= 0.95 * len(programs)
    of_kernel = {program.name: key for program, key in zip(programs, made, strict=True)}
    failed = [
        (of_kernel[one["kernel_name"]], one["reason"], one["message"])
        for one in samples
        if one["verdict"] != "verified"
    ]
    assert not failed


QUIET = {
    "deadline": None,
    "database": None,
    "phases": [Phase.generate],
    "suppress_health_check": list(HealthCheck),
}


@settings(max_examples=SAMPLED // BATCH, derandomize=True, **QUIET)
@given(BATCHES)
def test_sampled_kernels_are_verified(
    tmp_path_factory: pytest.TempPathFactory, warp_headers: tuple[str, ...], keys: list[Key]
) -> None:
    check(keys, tmp_path_factory.mktemp("sampled"), warp_headers)


@pytest.mark.full
@settings(max_examples=-(-ALL // BATCH), **QUIET)
@given(BATCHES)
def test_thousands_of_kernels_are_verified(
    tmp_path_factory: pytest.TempPathFactory, warp_headers: tuple[str, ...], keys: list[Key]
) -> None:
    check(keys, tmp_path_factory.mktemp("many"), warp_headers)
