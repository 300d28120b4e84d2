"""The Makefile of a sample."""

from __future__ import annotations

_TEXT = """\
# make builds the program, make ptx its PTX, make run runs it. It is for CUDA 12 and later; 13.0 and 13.5 were
# tried, and 12.0 with the device code:
#   make NVCC=/usr/local/cuda/bin/nvcc ARCH=sm_90

NVCC ?= nvcc
ARCH ?= {arch}
NVCCFLAGS ?= -O3 -std=c++17

.PHONY: all ptx run clean

all: {kernel}.out

{kernel}.out: {kernel}.cu
\t$(NVCC) $(NVCCFLAGS) -arch=$(ARCH) -o $@ $<

ptx: {kernel}.$(ARCH).ptx

{kernel}.$(ARCH).ptx: {kernel}.cu
\t$(NVCC) $(NVCCFLAGS) -arch=$(ARCH) -ptx -o $@ $<

run: {kernel}.out
\t./{kernel}.out

clean:
\trm -f {kernel}.out {kernel}.$(ARCH).ptx
"""


def makefile(kernel: str, arch: str) -> str:
    """The text of the Makefile of the program `{kernel}.cu`; `arch` is the default architecture."""
    return _TEXT.format(kernel=kernel, arch=arch)
