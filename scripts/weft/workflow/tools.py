"""The tools that the jobs of a build will find: on this machine, or in the image of a container."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from weft.errors import UserError
from weft.tools import run_tool
from weft.workflow import machine
from weft.workflow.settings import Settings
from weft.workflow.versions import try_compilers, usable_tools

SECONDS = 600
"""For an image that is pulled first."""

Inside = Callable[[str], str]
"""The shell command that runs a shell command in the container of the jobs."""


def versions(settings: Settings, inside: Inside | None = None) -> dict[str, str]:
    """The version of each tool that the settings ask for. Raises UserError if one cannot be used."""
    if inside is not None:
        found: dict[str, str] = json.loads(_asked(settings, inside))
        return found
    nvcc = machine.nvcc_path(settings.nvcc) if _uses_nvcc(settings) else None
    return usable_tools(nvcc, settings.host_compiler, settings.archs)


def try_tools(settings: Settings, inside: Inside | None = None) -> None:
    """Raise UserError unless the compilers of the settings do what a build needs of them."""
    if inside is not None:
        _asked(settings, inside, "--try")
        return
    nvcc = machine.nvcc_path(settings.nvcc) if _uses_nvcc(settings) else None
    try_compilers(nvcc, settings.host_compiler, settings.archs)


def _uses_nvcc(settings: Settings) -> bool:
    return bool(settings.archs) or "cuda" in settings.devices


def _asked(settings: Settings, inside: Inside, *options: str) -> str:
    """What scripts/versions.py prints in the container."""
    image = settings.container
    if "://" not in image and not Path(image).exists():
        raise UserError(
            f"config: container: got {image!r}, which is not here; allowed: an image that Apptainer runs, "
            "such as weft.sif, which `make image` builds"
        )
    command = ["python", "-P", "scripts/versions.py", "--host-compiler", settings.host_compiler, *options]
    if _uses_nvcc(settings):
        command += ["--nvcc", settings.nvcc, "--archs", *settings.archs]
    try:
        done = run_tool(["sh", "-c", inside(shlex.join(command))], seconds=SECONDS)
    except subprocess.TimeoutExpired:
        raise UserError(f"config: container: {image!r}: no answer within {SECONDS} s") from None
    if done.returncode != 0:
        raise UserError(f"in the container {image!r}: {done.stderr.strip() or done.returncode}")
    return done.stdout
