"""Calling a translated kernel from Python: NumPy arrays in, NumPy arrays out, the program in between.

    from weft.runs.call import call
    left = call(Path("spring_forces.cu"), {"position": position, "stiffness": 2.0, …})
    left["force"]

It needs NumPy and a compiler: g++ for the CPU device, nvcc where there is a GPU.
"""

from __future__ import annotations

import dataclasses
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from weft.errors import UserError
from weft.leaves import leaves, structs_of
from weft.runs.arrays import read_arrays, write_arrays
from weft.runs.build import CpuToolchain, CudaToolchain, first_error
from weft.runs.execute import run_program
from weft.runs.numpy_arrays import pack, unpack
from weft.types import Array, Structs, Type, parse_type

OUTPUT_BYTES = 2**33

_DECLARED = re.compile(
    r'"(?P<name>[^\W\d][\w.]*)",\s*"(?P<type>[a-z]\w*(?:<[^"]*>)?)"(?P<shape>,\s*\{[^{}]*\})?'
)


class CallError(Exception):
    """A program does not compile, or ends without its outputs.

    `reason` is a word of the table of runs in docs/formats.md: `compile_error`, `out_of_bounds`, `timeout`, …
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message


@dataclasses.dataclass(frozen=True)
class Interface:
    """The leaves of a kernel's signature by name (weft.leaves), and the fields of the structs among them."""

    leaves: Mapping[str, Type]
    structs: Structs

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Interface:
        """The interface of an ir record (docs/formats.md)."""
        structs = structs_of(record)
        signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
        found = dict(leaves(signature, structs))
        for name, described in record["launch"]["parameters"].items():
            declared = found[name]
            if described["strides"] and isinstance(declared, Array):
                found[name] = Array(declared.element, 1)
        return cls(found, structs)

    @classmethod
    def of_program(cls, text: str) -> Interface:
        """What the text of a program says of its arrays and of the parameters that it reads.

        The members of structs do not stand there: a kernel with structs needs the interface of its record.
        """
        found: dict[str, Type] = {}
        for match in _DECLARED.finditer(text):
            try:
                declared = parse_type(match["type"])
            except ValueError:
                continue
            if match["shape"]:
                declared = Array(declared, _items(match["shape"]))
            found.setdefault(match["name"], declared)
        return cls(found, {})


def _items(braced: str) -> int:
    """The number of items between braces, whose items may have parentheses."""
    depth, commas = 0, 0
    for letter in braced[braced.index("{") :]:
        depth += (letter == "(") - (letter == ")")
        commas += letter == "," and depth == 0
    return commas + 1


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

        `dims` are the launch dimensions; they are needed where nobody described them and are refused
        where somebody did. `size` is the base size n of a described launch.

        Raises ValueError for an argument that does not fit its type, or that the kernel lacks, and CallError
        for a program that fails or that takes more than `timeout` seconds.
        """
        unknown = [name for name in arguments if name not in self.interface.leaves]
        if unknown:
            names = ", ".join(self.interface.leaves)
            raise ValueError(f"no parameter {unknown[0]!r} (the kernel has {names})")
        packed = [
            pack(name, arguments[name], declared, self.interface.structs)
            for name, declared in self.interface.leaves.items()
            if name in arguments
        ]
        with tempfile.TemporaryDirectory(prefix="weft-call-") as name:
            folder = Path(name)
            write_arrays(folder / "inputs", packed)
            command = [str(self.executable.resolve()), "--inputs", "inputs", "--outputs", "outputs"]
            command += ["--dims", ",".join(map(str, dims))] if dims is not None else []
            command += ["--size", str(size)] if size is not None else []
            ended = run_program(command, folder, timeout=timeout, variables={}, limit_memory=not self.on_gpu)
            if ended.reason is not None:
                raise CallError(ended.reason, ended.message)
            try:
                left = read_arrays(folder / "outputs", self.interface.structs, OUTPUT_BYTES)
            except UserError as error:
                raise CallError("bad_output", str(error)) from error
        return {name: unpack(array, self.interface.structs) for name, array in left.items()}


def compile_program(
    source: str | Path,
    folder: Path,
    *,
    name: str = "program",
    interface: Interface | None = None,
    device: str = "cpu",
    compiler: str | None = None,
    arch: str = "native",
) -> Program:
    """Compile a kernel's program into `folder`, made if need be; it may be used again, with another `name`.

    `source` is the text of a `.cu` or its path: the program of one kernel, as `samples` writes it.
    `interface` is needed where structs are passed (Interface.of_record); otherwise the text says enough.
    `device` is `cpu` (the same text on this machine's processor, by g++) or `cuda` (by nvcc, for `arch`).

    Raises CallError (`compile_error`), UserError where there is no such compiler or file.
    """
    try:
        text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
    except OSError as error:
        raise UserError(f"cannot read {source}: {error.strerror}") from error
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
    return Program(executable, interface or Interface.of_program(text), device == "cuda")


def call(
    source: str | Path,
    arguments: Mapping[str, Any],
    *,
    dims: Sequence[int] | None = None,
    size: int | None = None,
    interface: Interface | None = None,
    device: str = "cpu",
    compiler: str | None = None,
    timeout: float = 60.0,
) -> dict[str, npt.NDArray[Any]]:
    """Compile a kernel's program and run it once on NumPy arrays: see `compile_program` and `Program`."""
    with tempfile.TemporaryDirectory(prefix="weft-build-") as folder:
        program = compile_program(source, Path(folder), interface=interface, device=device, compiler=compiler)
        return program(arguments, dims=dims, size=size, timeout=timeout)
