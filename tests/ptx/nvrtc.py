"""NVRTC: the compiler of device code that a toolkit has as a library."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

STANDARD = b"""
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t;
typedef unsigned uint32_t; typedef unsigned long uint64_t;
#define INT_MAX 2147483647
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
"""
"""What programs have of the standard headers, of which NVRTC has none."""


class Nvrtc:
    """The library of one toolkit, with CUDA's headers in `include`."""

    def __init__(self, library: Path, include: Path) -> None:
        # It looks for its built-in headers among the libraries that are loaded.
        for builtins in library.parent.glob("libnvrtc-builtins.so*"):
            ctypes.CDLL(str(builtins), mode=ctypes.RTLD_GLOBAL)
        self._library = ctypes.CDLL(str(library))
        self._include = include

    def messages(self, text: str, flags: Sequence[str]) -> str:
        """What it says of device code: nothing, if all is well."""
        program = ctypes.c_void_p()
        headers, names = (ctypes.c_char_p * 1)(STANDARD), (ctypes.c_char_p * 1)(b"standard.h")
        source = f"#include <standard.h>\n{text}".encode()
        self._library.nvrtcCreateProgram(ctypes.byref(program), source, b"program.cu", 1, headers, names)
        options = [flag.encode() for flag in (*flags, f"-I{self._include}")]
        failed = self._library.nvrtcCompileProgram(
            program, len(options), (ctypes.c_char_p * len(options))(*options)
        )
        size = ctypes.c_size_t()
        self._library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        self._library.nvrtcGetProgramLog(program, log)
        self._library.nvrtcDestroyProgram(ctypes.byref(program))
        return log.value.decode().strip() or ("no message" if failed else "")
