"""The gates through which a stranger's host code calls the CPU device (device/gates.cpp)."""

from __future__ import annotations

import re
from pathlib import Path

from weft.runs.build import DEVICE_OBJECT, HERE, CpuToolchain, SharedPart
from weft.tools import run_tool

_ASSEMBLY = '.text\n{}.section .note.GNU-stack,"",@progbits\n'
_GATE = ".globl __wrap_{0}\n__wrap_{0}:\n    leaq __real_{0}(%rip), %r11\n    jmp weft_gate\n"
"""By `--wrap` programs call the gate in place of the function."""
_OF_KERNELS = (
    r"barrier|grid_barrier|exchange|sync_warp|fence|touch_atomically|touch_read_only|settle_reads|lane|active_lanes|fetch|check_guess"
    r"|copy_late|close_late_copies|finish_late_copies|check_instruction|lacking|check_launch_bounds|unset_byte|undefined_width|rounded\w*"
)
"""What kernels call, whose processes may write the device's variables. A gate that a fiber left for another's
would lead back to the wrong place.
"""
_GATED = re.compile(
    rf"_Z\d+cuda[A-Z]\w*|weft_candidate_\w+|_ZN8weft_cpu\d+(?!(?:{_OF_KERNELS}|keep_open)E)[a-z_]\w*"
)
"""All else that a program can call, but what the driver calls to begin and end a stranger's turn."""


def gated_part(toolchain: CpuToolchain) -> SharedPart:
    """What candidates are linked with: the CPU device behind gates."""
    shared = toolchain.shared_part()
    listed = run_tool(["nm", "-P", "-g", "--defined-only", str(toolchain.folder / DEVICE_OBJECT)])
    listed.check_returncode()
    rows = (line.split() for line in listed.stdout.splitlines())
    symbols = [row[0] for row in rows if row[1] in "TW" and _GATED.fullmatch(row[0])]
    source, built = toolchain.folder / "gates.s", toolchain.folder / "gates.o"
    source.write_text(_ASSEMBLY.format("".join(map(_GATE.format, symbols))), encoding="ascii")
    run_tool([toolchain.compiler, "-c", str(source), "-o", str(built)]).check_returncode()
    script = (HERE / "device" / "state.ld").resolve()
    words = [
        *_static_libraries(toolchain),
        str(built.resolve()),
        f"-Wl,-T,{script}",
        "-Wl,-z,now",
        *(f"-Wl,--wrap={one}" for one in symbols),
    ]
    return SharedPart((*shared.words, *words), (*shared.files, built, script))


def _static_libraries(toolchain: CpuToolchain) -> list[str]:
    """The linker takes half of its time for the symbols of shared ones; not all systems have others."""
    found = run_tool([toolchain.compiler, "-print-file-name=libstdc++.a"]).stdout.strip()
    return ["-static-libstdc++", "-static-libgcc"] if Path(found).is_absolute() else []
