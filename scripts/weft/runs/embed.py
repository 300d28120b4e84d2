"""The PTX that is shipped becomes the code of the program that runs: put in place of nvcc's, and read back.

nvcc leaves the code of an object in its section `.nv_fatbin`. `embed` replaces that section by one made of
the shipped PTX and of the machine code that ptxas makes of that very PTX for the GPU at hand, so that the
driver need not know the PTX's version. `embedded_ptx` reads the PTX of a finished program, whoever made it.
"""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from weft.errors import UserError
from weft.tools import run_tool

SECTION = ".nv_fatbin"
TOOL_SECONDS = 600

_TARGET = re.compile(r"^\s*\.target\s+(sm_\w+)", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_MODULE = re.compile(rb"\.version [^\0]*")


def target_of(ptx: str, name: str) -> str:
    """The architecture that PTX is written for, as in `sm_75`. Raises UserError, naming the file `name`."""
    found = _TARGET.search(ptx)
    if found is None:
        raise UserError(f"{name} is not PTX: it has no .target")
    return found[1]


def embed(compiled: Path, ptx: Path, nvcc: Path, arch: str, cubin: Path | None = None) -> Path:
    """An object like `compiled`, with the PTX as its only code; `compiled` has no other for its kernels.

    `arch` is the GPU's, as in `sm_90`. `cubin` is its machine code if it was made from the PTX before, where
    there is a ptxas that knows the PTX; otherwise the ptxas beside `nvcc` makes it.
    Raises UserError, saying what is missing, or which tool fails on what.
    """
    folder = compiled.parent
    target = target_of(ptx.read_text(encoding="utf-8"), ptx.name)
    (folder / "shipped.ptx").write_bytes(ptx.read_bytes())
    if cubin is not None:
        (folder / "shipped.cubin").write_bytes(cubin.read_bytes())
    else:
        command = [_beside(nvcc, "ptxas"), f"-arch={arch}", "shipped.ptx", "-o", "shipped.cubin"]
        _run(command, folder, hint="the PTX needs a CUDA toolkit that is not older than the one that made it")
    images = [
        f"--image3=kind=ptx,sm={target.removeprefix('sm_')},file=shipped.ptx",
        f"--image3=kind=elf,sm={arch.removeprefix('sm_')},file=shipped.cubin",
    ]
    fatbinary = _beside(nvcc, "fatbinary")
    _run([fatbinary, "-64", "--compress=false", *images, "--create=shipped.fatbin"], folder)
    result = folder / "shipped.o"
    update = f"--update-section={SECTION}=shipped.fatbin"
    _run(["objcopy", update, str(compiled), str(result)], folder)
    return result


def check_embedded(program: Path, ptx: Path) -> None:
    """Raises UserError unless the program's PTX is the shipped one, and it has no other."""
    found = embedded_ptx(program)
    if len(found) != 1 or not same_code(found[0], ptx.read_text(encoding="utf-8")):
        raise UserError(f"the program embeds other PTX than {ptx.name}: {len(found)} modules")


def embedded_ptx(program: Path) -> list[str]:
    """The PTX modules in an executable or object (ELF, 64 bit), as fatbinary stores them uncompressed.

    They lack the comments and blanks of the files that they were made from: see `same_code`.
    Raises UserError if the file is no such program.
    """
    content = program.read_bytes()
    return [
        module[0].decode()
        for name, section in _sections(content, program.name)
        if name == SECTION
        for module in _MODULE.finditer(section)
    ]


def same_code(one: str, other: str) -> bool:
    """Whether two PTX modules differ in nothing but comments and blanks."""
    return _words(one) == _words(other)


def _words(ptx: str) -> list[str]:
    return _COMMENT.sub(" ", ptx).split()


def _sections(content: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """Names and contents of an ELF file's sections (System V ABI, "Sections")."""
    if content[:6] != b"\x7fELF\x02\x01":
        raise UserError(f"{name} is not a 64-bit ELF file")
    (table,) = struct.unpack_from("<Q", content, 0x28)
    entry_size, count, names_at = struct.unpack_from("<HHH", content, 0x3A)
    if count == 0:  # more than 65,280 sections: the first header has their number, and the index of the names
        (count,) = struct.unpack_from("<Q", content, table + 0x20)
    if names_at == 0xFFFF:
        (names_at,) = struct.unpack_from("<I", content, table + 0x28)

    def header(index: int) -> tuple[int, int, int]:
        at = table + index * entry_size
        (title,) = struct.unpack_from("<I", content, at)
        offset, size = struct.unpack_from("<QQ", content, at + 0x18)
        return title, offset, size

    _, names, _ = header(names_at)
    for index in range(1, count):
        title, offset, size = header(index)
        end = content.index(b"\0", names + title)
        yield content[names + title : end].decode(), content[offset : offset + size]


def _beside(nvcc: Path, tool: str) -> str:
    path = nvcc.with_name(tool)
    if not path.is_file():
        raise UserError(f"no {tool} beside {nvcc.name}: the CUDA toolkit is incomplete")
    return str(path)


def _run(command: Sequence[str], folder: Path, hint: str = "") -> None:
    name = Path(command[0]).name
    try:
        done = run_tool(command, folder=folder, seconds=TOOL_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"cannot run {name}: {error}") from error
    if done.returncode != 0:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
        raise UserError(f"{name} failed: {lines[0]}" + (f" ({hint})" if hint else ""))
