"""Versions of the tools, as small files that are inputs of the jobs that use them.

A file is rewritten only if what it says has changed, so that an upgrade rebuilds what depends on the
tool and nothing else does.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping, Sequence
from pathlib import Path

from weft import compilers
from weft.errors import UserError
from weft.files import canonical_json, write_atomically


def usable_tools(nvcc: str | None, host_compiler: str, archs: Sequence[str]) -> dict[str, str]:
    """The versions of the tools for these settings (see `tool_versions`).

    Raises UserError if nvcc has no folder for its files, or makes no code for an architecture, too.
    """
    if nvcc is not None:
        compilers.require_temporary_folder()
    versions = tool_versions(nvcc, host_compiler)
    if nvcc is not None:
        require_archs(archs, nvcc)
    return versions


def try_compilers(nvcc: str | None, host_compiler: str, archs: Sequence[str]) -> None:
    """Raise UserError unless the compilers do what a build needs of them."""
    compilers.try_gxx(host_compiler, "config: host_compiler")
    if nvcc is not None and archs:
        compilers.try_nvcc(nvcc, host_compiler, archs[0], "config: nvcc")


def tool_versions(nvcc: str | None, host_compiler: str) -> dict[str, str]:
    """Version of each tool by name. `nvcc` is None where nothing is compiled with it.

    Raises UserError if a tool cannot be run, or is another.
    """
    versions = {
        "warp": _package("warp-lang"),
        "numpy": _package("numpy"),
        "clang_format": _package("clang-format"),
        "ruff": _package("ruff"),
        "host_compiler": compilers.version_line(host_compiler, "config: host_compiler"),
    }
    if nvcc is not None:
        versions["nvcc"] = compilers.nvcc_release(nvcc, "config: nvcc")
    return versions


def require_archs(archs: Sequence[str], nvcc: str) -> None:
    """Raise UserError for an architecture that this nvcc does not make code for."""
    if not archs:
        return
    known = compilers.answer(nvcc, "config: nvcc", "--list-gpu-code")
    if not known:
        raise UserError(
            f"config: nvcc: got {nvcc!r}, which does not list its architectures (--list-gpu-code); "
            "allowed: an nvcc"
        )
    for arch in archs:
        if arch.rstrip("af") not in known:
            raise UserError(
                f"config: archs: got {arch!r}; allowed with this nvcc: {', '.join(sorted(known))}"
            )


def write_versions(folder: Path, versions: Mapping[str, str]) -> None:
    """Write `{tool}.json` for each tool whose version is not what the file says."""
    for tool, version in versions.items():
        write_if_changed(folder / f"{tool}.json", {"schema": 1, "tool": tool, "version": version})


def write_if_changed(path: Path, value: object) -> None:
    """Write canonical JSON unless the file already holds it."""
    text = canonical_json(value)
    if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text:
        write_atomically(path, text)


def _package(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
