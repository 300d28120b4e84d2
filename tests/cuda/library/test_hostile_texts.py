"""Comments and strings of the user's that C++ would read otherwise: backslashes at the ends of lines, and
trigraphs, which C++ has until C++17 and nvcc warns about.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from weft.ptx.nvcc import find_toolkit

SCRIPTS = Path(__file__).parents[3] / "scripts"
WARNINGS = ("-Wall", "-Wextra", "-Wcomment", "-Wtrigraphs")
HOSTILE = [
    "ends in a backslash \\",
    "ends in two \\\\",
    "ends in both \\ ??/",
    "is this a question??/",
    "or this???/",
    "/* opens",
    "closes */",
    "ends in a line's end \\n\\",
    "all of them: ??= ??( ??/ ??) ??' ??< ??! ??> ??-",
]
WIDE = [f"{'a word ' * 13}{'x' * pad} \\ and more" for pad in range(16)]
"""Comments that are broken at the backslash."""


def kernels() -> str:
    doc = "\n\n".join([*HOSTILE, *WIDE]).replace("\\", "\\\\")
    lines = [f"    # {text}\n    x[i] = x[i] + 1.0  # {text}" for text in [*HOSTILE, *WIDE]]
    prints = [f"    print({text!r})" for text in HOSTILE]
    prints += [f"    print({text!r})" for text in ("\r", "\x1b[1m2", 'say "???"', "\x07\x7f")]
    return f'''"""Kernels with comments."""
import warp as wp


@wp.struct
class Pair:
    """{doc}
    """
    a: float
    b: float


@wp.func
def helper(pair: Pair) -> float:
    """{doc}
    """
    # {HOSTILE[0]}
    return pair.a + pair.b


@wp.kernel
def hostile(x: wp.array(dtype=float), pairs: wp.array(dtype=Pair)):
    """{HOSTILE[2].replace(chr(92), chr(92) * 2)}

    {doc}
    """
    i = wp.tid()
{chr(10).join(lines)}
    x[i] = x[i] * helper(pairs[i])
{chr(10).join(prints)}
'''


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program and the library of such a kernel."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "k.py").write_text(kernels(), encoding="utf-8")
    for command in (
        ["ir.py", "k.py", "-o", "k.json"],
        ["cuda.py", "k.json", "-o", "program.cu"],
        ["cuda.py", "k.json", "--library", "-o", "."],
    ):
        done = subprocess.run(
            [sys.executable, "-P", str(SCRIPTS / command[0]), *command[1:]],
            cwd=folder, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    return folder


FILES = ("program.cu", "hostile.cu", "hostile.cuh")


def preprocessed(text: str, standard: str) -> str:
    """The text without comments and includes, as a standard reads it; nothing is warned about."""
    command = ["g++", "-E", "-P", f"-std={standard}", *WARNINGS, "-Werror", "-x", "c++", "-"]
    plain = re.sub(r"^#(include|pragma).*$", "", text, flags=re.MULTILINE)
    done = subprocess.run(command, input=plain, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("file", FILES)
def test_the_text_is_the_same_program_in_every_standard(written: Path, file: str) -> None:
    text = (written / file).read_text(encoding="utf-8")
    without_comments = re.sub(r"^[ \t]*//.*$", "", text, flags=re.MULTILINE)
    assert preprocessed(text, "c++14") == preprocessed(without_comments, "gnu++17")


@pytest.mark.parametrize("file", ["program.cu", "hostile.cu"])
def test_no_statement_is_lost(written: Path, file: str) -> None:
    text = preprocessed((written / file).read_text(encoding="utf-8"), "c++14")
    assert len(re.findall(r"x\[i\] \+= 1\.0f;", text)) == len(HOSTILE) + len(WIDE)


@pytest.mark.needs("nvcc")
def test_nvcc_warns_about_nothing(written: Path, tmp_path: Path) -> None:
    nvcc = find_toolkit("pinned", "g++", "sm_75").nvcc
    options = ["-std=c++14", "-arch=sm_75", "-Xcompiler", ",".join(WARNINGS), "-c", "-o", tmp_path / "k.o"]
    done = subprocess.run(
        [nvcc, *options, "hostile.cu"], cwd=written, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
