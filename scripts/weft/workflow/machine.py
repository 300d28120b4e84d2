"""What this machine has: its GPU, and where nvcc is."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

from weft.tools import run_tool


def has_gpu() -> bool:
    """Whether this machine has an NVIDIA GPU that a driver serves."""
    return Path("/dev/nvidia0").exists() or native_arch() is not None


def native_arch() -> str | None:
    """The architecture of the first GPU, as in `sm_90`; None if none answers."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return None
    answer = run_tool([tool, "--query-gpu=compute_cap", "--format=csv,noheader"], seconds=60)
    lines = answer.stdout.split()
    if answer.returncode != 0 or not lines:
        return None
    return "sm_" + lines[0].replace(".", "")


def nvcc_path(setting: str) -> str:
    """The nvcc that the setting `nvcc` means: `pinned` is the one from the lock file.

    Returns the setting itself where the pinned one is not installed; what needs it says so.
    """
    if setting != "pinned":
        return program_path(setting)
    spec = importlib.util.find_spec("nvidia")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder).glob("cu*/bin/nvcc")):
            return str(path)
    return setting


def program_path(setting: str) -> str:
    """A program as commands take it: paths are absolute, since compilers run in folders of their own."""
    return str(Path(setting).absolute()) if "/" in setting else setting


def put_first(variable: str, folder: Path, otherwise: str = "") -> None:
    """Let this process and its children look in `folder` first for what they find by `variable`: programs by
    PATH, modules by PYTHONPATH. Without the variable they look in the folders `otherwise`.
    """
    os.environ[variable] = os.pathsep.join(filter(None, [str(folder), os.environ.get(variable, otherwise)]))
