"""`import weft`: live kernels become programs, and programs run, without a trace in the caller's process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import warp as wp

import weft


@wp.kernel
def shifted(x: wp.array(dtype=float), by: float, y: wp.array(dtype=float)):  # type: ignore[valid-type, no-untyped-def]
    i = wp.tid()
    y[i] = x[i] + by


@wp.kernel
def listed(x: wp.array(dtype=float)):  # type: ignore[valid-type, no-untyped-def]
    i = wp.tid()
    print([x[i]])


def repeated(rounds: int) -> wp.Kernel:
    """A kernel of a factory, which no file names."""

    @wp.kernel
    def added(x: wp.array(dtype=float)):  # type: ignore[valid-type, no-untyped-def]
        i = wp.tid()
        for _ in range(rounds):
            x[i] = x[i] + 1.0

    return added


def test_a_live_kernel_becomes_a_program(tmp_path: Path) -> None:
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    program = weft.translate(shifted)
    assert "__global__ void shifted(" in program and "int main(" in program
    program.write(tmp_path / "k.cu")
    assert (tmp_path / "k.cu").read_text() == program
    assert (tmp_path / "k.json").is_file()
    assert os.environ.get("CUDA_VISIBLE_DEVICES") == visible


def test_a_factory_s_kernel_has_no_file_of_its_own() -> None:
    assert "rounds = 3;" in weft.translate(repeated(3))


def test_a_library_is_files() -> None:
    files = weft.translate(shifted, library=True)
    assert list(files) == ["shifted.cuh", "shifted.cu"]
    assert "int main(" not in files["shifted.cu"]


def test_what_is_refused_says_where() -> None:
    with pytest.raises(weft.KernelError, match=r"test_api\.py:\d+:11\n.*print.*\n +\^\nConstruct") as error:
        weft.translate(listed)
    assert error.value.reason == "warp_error"
    with pytest.raises(weft.UserError, match=r"of type function; expected a wp\.Kernel"):
        weft.translate(repeated)
    with pytest.raises(weft.UserError, match="x: dtype int64; expected float32"):
        weft.call(weft.translate(shifted), {"x": np.arange(4), "by": 2.0, "y": None}, dims=(4,))
    with pytest.raises(weft.UserError, match="does not say how to call it"):
        weft.call("__global__ void k()\n{}\n", {})


def test_importing_weft_costs_nothing() -> None:
    program = "import weft, sys; print([one for one in sys.modules if one in ('numpy', 'warp', 'argparse')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    with pytest.raises(AttributeError, match="'weft' has no attribute 'weave'"):
        weft.weave  # type: ignore[attr-defined] # noqa: B018
