"""Whether the compilers are what they should be, and do what a build needs: small questions, and small
programs to try. In a message, `name` is the option or setting that names the tool.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from weft.errors import UserError
from weft.scratch import scratch
from weft.tools import run_tool

OLDEST_NVCC = (12, 0)
"""The oldest release whose compiler was tried on what Weft makes (tests/ptx/test_toolkits.py)."""
OLDEST_GXX = 8
ANSWER_SECONDS = 60

_RELEASE = re.compile(r"release (\d+)\.(\d+)")
_MACRO = re.compile(r"^#define (\w+) (.*)$", re.MULTILINE)
_ERROR = re.compile(r"\b(?:error|fatal|cannot|undefined)\b", re.IGNORECASE)
_DIAGNOSTIC = re.compile(r"\S.*?[:\s](error|warning|note)\b\s*[:#]")
"""The first line of a message: `shard.cu:3:5: warning: …`, `shard.cu(3): error: …`, `nvcc warning : …`."""


def answer(command: str, name: str, *question: str) -> list[str]:
    """The lines that a tool prints when it is asked something. Raises UserError if it does not answer."""
    printed, failure = _run([command, *question], Path())
    if failure is not None:
        raise UserError(
            f"{name}: got {command!r}, which does not run ({failure}); "
            "allowed: the name or path of a program that answers --version"
        )
    return [line.strip() for line in printed.splitlines() if line.strip()]


def _run(command: Sequence[str], folder: Path, text: str = "") -> tuple[str, str | None]:
    """What a tool prints, and in a line why it failed, if it did."""
    try:
        done = run_tool(command, folder=folder, seconds=ANSWER_SECONDS, text=text)
    except OSError as error:
        return "", error.strerror or str(error)
    except subprocess.TimeoutExpired:
        return "", f"no end within {ANSWER_SECONDS} s"
    if done.returncode == 0:
        return done.stdout, None
    return "", first_error(done.stderr + done.stdout) or f"exit status {done.returncode}"


def first_error(messages: str) -> str:
    """The first line of a tool's messages that tells of an error, else the first line."""
    lines = [line.strip() for line in messages.splitlines() if line.strip()]
    return next((line for line in lines if _ERROR.search(line)), lines[0] if lines else "")


def without_warnings(messages: str) -> str:
    """What a compiler says, without its warnings and their notes."""
    kept, kind = [], ""
    for line in messages.splitlines():
        if (found := _DIAGNOSTIC.match(line)) is not None and (found[1] != "note" or kind != "warning"):
            kind = found[1]
        if kind != "warning":
            kept.append(line)
    return "\n".join(kept)


def show_warnings(messages: str) -> None:
    """Print what a successful compiler said: it goes to the log of the job."""
    if messages.strip():
        print(messages.strip(), file=sys.stderr)


def version_line(command: str, name: str) -> str:
    """The first line of what a compiler says of itself. Raises UserError if it says nothing."""
    lines = answer(command, name, "--version")
    if not lines:
        raise UserError(f"{name}: got {command!r}, whose --version prints nothing; allowed: a compiler")
    return lines[0]


def nvcc_release(nvcc: str, name: str) -> str:
    """The line in which nvcc names its release. Raises UserError if there is none, or if it is too old."""
    oldest = ".".join(map(str, OLDEST_NVCC))
    allowed = f"allowed: an nvcc of release {oldest} or later"
    lines = answer(nvcc, name, "--version")
    releases = [line for line in lines if _RELEASE.search(line)]
    if not releases:
        said = repr(lines[0]) if lines else "nothing"
        raise UserError(f"{name}: got {nvcc!r}, which is not nvcc: its --version says {said}; {allowed}")
    found = _RELEASE.search(releases[-1])
    assert found is not None
    if (int(found[1]), int(found[2])) < OLDEST_NVCC:
        raise UserError(f"{name}: got {nvcc!r}, which is too old: release {found[1]}.{found[2]}; {allowed}")
    return releases[-1]


def require_gxx(command: str, name: str) -> str:
    """What a g++ says of its version. Raises UserError for another compiler, and for one that is too old."""
    allowed = f"allowed: a g++ of version {OLDEST_GXX} or later"
    first = version_line(command, name)
    printed, _ = _run([command, "-x", "c++", "-dM", "-E", "-"], Path())
    macros = dict(_MACRO.findall(printed))
    if "__clang__" in macros:
        raise UserError(f"{name}: got {command!r}, which is clang: {first}; {allowed}")
    if "__GNUG__" not in macros:
        raise UserError(f"{name}: got {command!r}, which is not g++: its --version says {first!r}; {allowed}")
    if int(macros["__GNUG__"]) < OLDEST_GXX:
        raise UserError(f"{name}: got {command!r}, which is too old: {first}; {allowed}")
    return first


def require_temporary_folder() -> None:
    """Raise UserError if TMPDIR names no folder for files: others then take /tmp, nvcc does not."""
    folder = os.environ.get("TMPDIR")
    if folder and not (Path(folder).is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise UserError(
            f"TMPDIR: got {folder!r}, which is not a writable folder; nvcc needs one for its files"
        )


def try_gxx(command: str, name: str) -> None:
    """Raise UserError unless a g++ makes a program that runs."""
    require_gxx(command, name)
    text = "#include <cmath>\nint main(int count, char**) { return std::sqrt(count) < 1; }\n"
    with scratch("tools") as folder:
        program = Path(folder, "program")
        _, failure = _run([command, "-std=c++17", "-x", "c++", "-", "-o", str(program)], Path(folder), text)
        if failure is None:
            _, failure = _run([str(program)], Path(folder))
    if failure is not None:
        raise UserError(f"{name}: got {command!r}, whose programs do not run here: {failure}")


def try_nvcc(nvcc: str, host_compiler: str, arch: str, name: str) -> None:
    """Raise UserError unless nvcc makes PTX with this g++."""
    flags = [f"-arch={arch}", "-std=c++17", "-ccbin", host_compiler, "-ptx"]
    with scratch("tools") as folder:
        Path(folder, "empty.cu").write_text("__global__ void empty() {}\n", encoding="utf-8")
        _, failure = _run([nvcc, *flags, "empty.cu", "-o", "empty.ptx"], Path(folder))
        if failure is None and not Path(folder, "empty.ptx").is_file():
            failure = "it ended without an error and wrote none"
    if failure is not None:
        raise UserError(
            f"{name}: got {nvcc!r}, which cannot make PTX for {arch} with the host compiler "
            f"{host_compiler!r}: {failure}"
        )
