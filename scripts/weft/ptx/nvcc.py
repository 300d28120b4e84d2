"""nvcc and ptxas: where they are, and how they are run."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from weft.compilers import nvcc_release, require_temporary_folder, show_warnings, without_warnings
from weft.errors import UserError
from weft.tools import run_tool
from weft.workflow.machine import native_arch, nvcc_path

COMPILE_SECONDS = 1800

SOURCE = "shard.cu"
"""The name under which every program is compiled: PTX can depend on the path of its source."""

_ARCH = re.compile(r"sm_\d+[af]?")
_VERSION = re.compile(r"V\d+(\.\d+)+")


@dataclasses.dataclass(eq=False)
class CompileError(Exception):
    """A compiler's messages about a program that it does not take."""

    messages: str


@dataclasses.dataclass(frozen=True)
class Toolkit:
    """nvcc, the ptxas beside it, and g++; `arch` is a real architecture such as `sm_75`."""

    nvcc: str
    ptxas: str
    host_compiler: str
    arch: str

    def version(self) -> str:
        """nvcc's version, as in `V13.0.88`. Raises UserError if nvcc does not run."""
        answer = _run([self.nvcc, "--version"], Path())
        found = _VERSION.search(answer.stdout)
        if answer.returncode != 0 or found is None:
            raise UserError(f"{self.nvcc} --version does not say a version:\n{answer.stdout}{answer.stderr}")
        return found[0]

    def ptx(self, text: str, folder: Path) -> str:
        """The PTX of a program. `folder` is private to the call and leaves no trace in the result.

        Raises CompileError; UserError if this is no nvcc.
        """
        (folder / SOURCE).write_text(text, encoding="utf-8")
        command = [self.nvcc, f"-arch={self.arch}", "-std=c++17", "-ccbin", self.host_compiler, "-ptx"]
        made = folder / "shard.ptx"
        made.unlink(missing_ok=True)
        done = _check(_run([*command, SOURCE, "-o", made.name], folder))
        show_warnings(done.stderr + done.stdout)
        if not made.is_file():
            raise UserError(f"nvcc: {self.nvcc!r} ends without an error and writes no PTX; allowed: an nvcc")
        return made.read_text(encoding="utf-8")

    def assemble(self, ptx: str, folder: Path) -> str:
        """What `ptxas -v` reports of a PTX module. Raises CompileError."""
        (folder / "module.ptx").write_text(ptx, encoding="utf-8")
        command = [self.ptxas, "-v", f"-arch={self.arch}", "module.ptx", "-o", "module.cubin"]
        done = _check(_run(command, folder))
        return done.stdout + done.stderr


def find_toolkit(nvcc: str, host_compiler: str, arch: str) -> Toolkit:
    """The tools for the settings `nvcc` (`pinned`, a name or a path), `host_compiler` and `arch` (may be
    `native`).

    Raises UserError, saying what is missing and what is allowed.
    """
    program = shutil.which(nvcc_path(nvcc))
    if program is None:
        allowed = "allowed: 'pinned' (needs the package nvidia-cuda-nvcc), or an nvcc by name or path"
        raise UserError(f"nvcc: {nvcc!r} is not a program; {allowed}")
    path = Path(program).resolve()
    beside = path.with_name("ptxas")
    ptxas = str(beside) if beside.is_file() else shutil.which("ptxas")
    if ptxas is None:
        raise UserError(f"no ptxas beside {path.name}, and none on PATH: the CUDA toolkit is incomplete")
    require_temporary_folder()
    nvcc_release(str(path), "nvcc")
    if shutil.which(host_compiler) is None:
        raise UserError(
            f"host_compiler: {host_compiler!r} is not a program; allowed: a g++ that nvcc supports"
        )
    return Toolkit(str(path), ptxas, host_compiler, resolve_arch(arch))


def resolve_arch(arch: str) -> str:
    """A real architecture; `native` asks the GPU of this machine. Raises UserError."""
    if arch == "native":
        found = native_arch()
        if found is None:
            raise UserError(
                "arch: 'native' asks this machine's GPU for its architecture, but nvidia-smi finds none; "
                "name an architecture instead, such as sm_75"
            )
        return found
    if not _ARCH.fullmatch(arch):
        raise UserError(f"arch: {arch!r}; allowed: 'native', or an architecture such as sm_75 or sm_90")
    return arch


def _check(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    if done.returncode != 0:
        raise CompileError(without_warnings(done.stderr + done.stdout).strip() or "no message")
    return done


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    try:
        return run_tool(command, folder=folder, seconds=COMPILE_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise CompileError(f"{command[0]} did not end within {COMPILE_SECONDS} s") from error
    except OSError as error:
        raise UserError(f"cannot run {command[0]!r}: {error.strerror}") from error
