"""Calling a translated kernel from Python: NumPy arrays in, NumPy arrays out, the program in between.

    from weft.runs.call import call
    left = call(Path("k.cu"), {"x": x, "step": 2.0, "out": out}, dims=(len(x),))
    left["out"]

It needs NumPy and a compiler: g++ for the CPU device, nvcc where there is a GPU.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from weft.errors import UserError
from weft.files import read_shard
from weft.runs.arrays import read_arrays, write_arrays
from weft.runs.build import CpuToolchain, CudaToolchain, first_error
from weft.runs.elements import Stored, with_elements
from weft.runs.execute import run_program
from weft.runs.interface import Interface, one_program, read_interface
from weft.runs.numpy_arrays import ArgumentError, pack, unpack
from weft.scratch import scratch

OUTPUT_BYTES = 2**33

_FILE_PROBLEM = re.compile(r"\binputs: array (.*)")


class CallError(Exception):
    """A program does not compile, or ends without its outputs.

    `reason` is a word of the table of runs in docs/formats.md: `compile_error`, `out_of_bounds`, `timeout`, …
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message


@dataclasses.dataclass(frozen=True)
class Program:
    """An executable of one kernel. CUDA reserves address space without limit, which `on_gpu` allows."""

    executable: Path
    interface: Interface
    on_gpu: bool = False

    def __call__(
        self,
        arguments: Mapping[str, Any],
        *,
        dims: Sequence[int] | None = None,
        size: int | None = None,
        timeout: float = 60.0,
    ) -> dict[str, npt.NDArray[Any]]:
        """Run the kernel once; every array parameter by its leaf's name, as the kernel leaves it.

        `arguments` has scalars and arrays by leaf name (`dt`, `state.position`), in the dtypes and shapes
        that weft.runs.numpy_arrays lists. None is a null array. What must be there: every parameter that the
        kernel reads, less those that the launch description derives from its sizes. Arrays that the kernel
        only writes need not be there where a description gives their shape. Nothing that is passed changes.

        `dims` are the launch dimensions, where nobody described them. `size` is the base size n of a
        described launch.

        Raises ArgumentError, which names the argument and what is expected, and CallError for a program that
        fails or that takes more than `timeout` seconds.
        """
        self._check(arguments, dims, size)
        packed = [
            pack(name, arguments[name], declared, self.interface.structs)
            for name, declared in self.interface.leaves.items()
            if name in arguments
        ]
        with scratch("call") as folder:
            write_arrays(folder / "inputs", packed)
            command = [str(self.executable.resolve()), "--inputs", "inputs", "--outputs", "outputs"]
            command += ["--dims", ",".join(map(str, dims))] if dims is not None else []
            command += ["--size", str(size)] if size is not None else []
            ended = run_program(command, folder, timeout=timeout, variables={}, limit_memory=not self.on_gpu)
            if problem := _FILE_PROBLEM.search(ended.message if ended.status == 1 else ""):
                n = "" if self.interface.dims else f" (described shapes follow from size={size or 1024})"
                raise ArgumentError(problem[1] + n)
            if ended.reason is not None:
                stored = [Stored(one.name, one.shape, one.elements.shape[-1]) for one in packed if one.shape]
                raise CallError(ended.reason, with_elements(ended.message, stored))
            try:
                left = read_arrays(folder / "outputs", self.interface.structs, OUTPUT_BYTES)
            except UserError as error:
                raise CallError("bad_output", str(error)) from error
        structs = self.interface.structs
        return {name: unpack(array, structs, arguments.get(name)) for name, array in left.items()}

    def _check(self, arguments: Mapping[str, Any], dims: Sequence[int] | None, size: int | None) -> None:
        """Raises ArgumentError for what is no parameter, what is missing, and wrong launch dimensions."""
        leaves, needed = self.interface.leaves, self.interface.needed
        listed = ", ".join(f"{name}: {kind}" for name, kind in leaves.items())
        for name in arguments:
            if name in self.interface.derived:
                raise ArgumentError(f"{name}: the launch description says what it is; leave it out")
            if name not in leaves:
                raise ArgumentError(f"no parameter {name!r} (the kernel has {listed})")
        missing = [name for name in leaves if name in needed and name not in arguments]
        if missing:
            raise ArgumentError(f"missing: {', '.join(missing)} (the kernel has {listed})")
        rank = self.interface.dims
        if dims is not None and not rank:
            raise ArgumentError(f"dims: got {tuple(dims)}; the launch is described: it follows from size")
        if rank and (len(dims) != rank or min(dims) < 1 if dims is not None else size is None):
            got = None if dims is None else tuple(dims)
            raise ArgumentError(f"dims: got {got}; expected {rank} positive numbers, the launch dimensions")


def compile_program(
    source: str | Path,
    folder: Path,
    *,
    name: str = "program",
    sample: str | None = None,
    device: str = "cpu",
    compiler: str | None = None,
    arch: str = "native",
) -> Program:
    """Compile a kernel's program into `folder`, made if need be; it may be used again, with another `name`.

    `source` is the text of a `.cu` or its path: the program of one kernel, or a shard's, of which `sample`
    names a kernel (or its id) where there are several.
    `device` is `cpu` (the same text on this machine's processor, by g++) or `cuda` (by nvcc, for `arch`).

    Raises CallError (`compile_error`), UserError where there is no such compiler, file or sample.
    """
    is_path = isinstance(source, Path) or source.endswith(".cu")
    text = one_program(read_shard(Path(source)) if is_path else str(source), sample)
    toolchain: CpuToolchain | CudaToolchain
    if device == "cpu":
        toolchain = CpuToolchain(compiler or "g++", folder)
    elif device == "cuda":
        toolchain = CudaToolchain(compiler or "nvcc", folder, arch)
    else:
        raise UserError(f"device {device!r} (allowed: cpu, cuda)")
    folder.mkdir(parents=True, exist_ok=True)
    executable = folder / name
    errors = toolchain.compile(text, executable)
    if errors is not None:
        raise CallError("compile_error", first_error(errors))
    return Program(executable, read_interface(text), device == "cuda")


def call(
    source: str | Path,
    arguments: Mapping[str, Any],
    *,
    dims: Sequence[int] | None = None,
    size: int | None = None,
    sample: str | None = None,
    device: str = "cpu",
    compiler: str | None = None,
    timeout: float = 60.0,
) -> dict[str, npt.NDArray[Any]]:
    """Compile a kernel's program and run it once on NumPy arrays: see `compile_program` and `Program`."""
    with scratch("build") as folder:
        program = compile_program(source, folder, sample=sample, device=device, compiler=compiler)
        return program(arguments, dims=dims, size=size, timeout=timeout)
