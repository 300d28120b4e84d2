"""Calling a translated kernel from Python: NumPy arrays in, NumPy arrays out, the program in between.

    from weft.runs.call import call
    left = call(Path("k.cu"), {"x": x, "step": 2.0, "out": out}, dims=(len(x),))
    left["out"]

It needs NumPy and a compiler: g++ for the CPU device, nvcc where there is a GPU.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from weft.errors import UserError
from weft.runs.arrays import PackedArray, read_arrays, write_arrays
from weft.runs.build import CpuToolchain, CudaToolchain, first_error
from weft.runs.elements import Stored, with_elements
from weft.runs.execute import run_program
from weft.runs.interface import Interface, command
from weft.runs.numpy_arrays import ArgumentError, pack, unpack
from weft.runs.stage import one_program
from weft.scratch import scratch
from weft.types import Array, packed_bytes

OUTPUT_BYTES = 2**33
LARGEST_INT = 2**31 - 1
DEFAULT_SIZE = 1024
"""The base size of a described launch where none is given."""


class CallError(Exception):
    """A program does not compile, or ends without its outputs.

    `reason` is a word of the table in docs/formats/runs.md: `compile_error`, `out_of_bounds`, `timeout`, …
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
    namespace: str
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
        that weft.runs.numpy_arrays lists. None is a null array. Every parameter that the kernel reads is
        required, unless the launch description derives it from its sizes. Arrays that the kernel only writes
        may be omitted if a description gives their shape. The arguments do not change.

        `dims` are the launch dimensions of a launch without a description. `size` is the base size n of a
        described launch.

        Raises ArgumentError, which names the argument and what is expected, and CallError if the program
        fails or takes more than `timeout` seconds.
        """
        interface = self.interface
        packed, numbers = self.packed(arguments, dims, size)
        with scratch("call") as folder:
            write_arrays(folder / "inputs", list(packed.values()))
            launch = command(self.namespace, "inputs", "outputs", fill=0, numbers=numbers)
            ended = run_program(
                [str(self.executable.resolve()), *launch],
                folder,
                timeout=timeout,
                variables={},
                limit_memory=not self.on_gpu,
            )
            if ended.reason is not None:
                stored = [
                    Stored(one.name, one.shape, packed_bytes(one.type, interface.structs))
                    for one in packed.values()
                    if one.shape
                ]
                raise CallError(ended.reason, with_elements(ended.message, stored))
            try:
                before = {one.name: one.elements for one in packed.values()}
                left = read_arrays(folder / "outputs", interface.structs, OUTPUT_BYTES, before)
            except UserError as error:
                raise CallError("bad_output", str(error)) from error
        return {name: unpack(array, interface.structs, arguments.get(name)) for name, array in left.items()}

    def packed(
        self, arguments: Mapping[str, Any], dims: Sequence[int] | None, size: int | None
    ) -> tuple[dict[str, PackedArray], list[int]]:
        """The arrays and the launcher's numbers of a call, without the executable. Raises ArgumentError."""
        interface = self.interface
        self._check(arguments, dims, size)
        size = DEFAULT_SIZE if size is None else size
        packed = {
            name: pack(name, arguments[name], declared, interface.structs)
            for name, declared in interface.leaves.items()
            if name in arguments
        }
        self._check_shapes(packed, dims, size)
        for name, kind in interface.leaves.items():
            if name not in packed and isinstance(kind, Array):
                shape = interface.launch.storage_shape(name, size)
                packed[name] = PackedArray(name, kind.element, shape, np.empty((0, 0), np.uint8))
        numbers = interface.numbers_for(size, dims)
        if max((abs(number) for number in numbers), default=0) > LARGEST_INT:
            raise ArgumentError(f"size: {size} is too large: the kernel takes sizes as int")
        return packed, numbers

    def _check(self, arguments: Mapping[str, Any], dims: Sequence[int] | None, size: int | None) -> None:
        """Raises ArgumentError for what is no parameter, what is missing, and wrong launch dimensions."""
        leaves, needed = self.interface.leaves, self.interface.needed
        listed = ", ".join(f"{name}: {kind}" for name, kind in leaves.items())
        derived = {*self.interface.derived, *self.interface.launch.named_sizes(DEFAULT_SIZE)} - leaves.keys()
        for name in arguments:
            if name in derived:
                raise ArgumentError(f"{name}: the launch description determines it; leave it out")
            if name not in leaves:
                raise ArgumentError(f"no parameter {name!r} (the kernel has {listed})")
        missing = [name for name in leaves if name in needed and name not in arguments]
        if missing:
            raise ArgumentError(f"missing: {', '.join(missing)} (the kernel has {listed})")
        rank = self.interface.dims
        if dims is not None and not rank:
            raise ArgumentError(
                f"dims: got {tuple(dims)}; the launch description determines them; give size instead"
            )
        if rank and (len(dims) != rank or min(dims) < 0 if dims is not None else size is None):
            got = "nothing" if dims is None else tuple(dims)
            dimensions = "one launch dimension" if rank == 1 else f"{rank} launch dimensions"
            raise ArgumentError(f"dims: got {got}; expected {dimensions}, not negative")

    def _check_shapes(self, packed: Mapping[str, PackedArray], dims: Sequence[int] | None, size: int) -> None:
        """Raises ArgumentError for arrays of other shapes than the launch has room for."""
        interface = self.interface
        launch = interface.launch
        for name, array in packed.items():
            if max(array.shape, default=0) > LARGEST_INT:
                raise ArgumentError(f"{name}: shape {array.shape} is too large for the kernel")
            if name in launch.inferred or not isinstance(interface.leaves[name], Array):
                continue
            if array.shape != (wanted := launch.storage_shape(name, size)):
                described = f"described shapes follow from size={size}"
                raise ArgumentError(f"{name}: shape {array.shape}, not {wanted} ({described})")
        extents = launch.launch_dims(size) if dims is None else tuple(dims)
        for axis, name in interface.ends:
            end = int(np.frombuffer(packed[name].elements.tobytes(), "<i4")[0])
            if extents[axis] < end:
                raise ArgumentError(f"dims: {extents[axis]} along axis {axis}, but the kernel needs {end}")


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

    `source` is the path of a `.cu` file of one kernel or of a shard. `sample` names a kernel or its id if
    there are several. The `.json` file beside the program is read too.
    `device` is `cpu` (the same text on this machine's processor, by g++) or `cuda` (by nvcc, for `arch`).

    Raises CallError (`compile_error`), and UserError if there is no such compiler, file or sample.
    """
    shard = one_program(Path(source), sample)
    toolchain: CpuToolchain | CudaToolchain
    if device == "cpu":
        toolchain = CpuToolchain(compiler or "g++", folder)
    elif device == "cuda":
        toolchain = CudaToolchain(compiler or "nvcc", folder, arch)
    else:
        raise UserError(f"device {device!r} (allowed: cpu, cuda)")
    folder.mkdir(parents=True, exist_ok=True)
    executable = folder / name
    part = shard.samples[0]
    errors = toolchain.compile(shard.program([part]), executable)
    if errors is not None:
        raise CallError("compile_error", first_error(errors))
    return Program(executable, part.interface, part.namespace, device == "cuda")


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
    """Compile a kernel's program and run it once on NumPy arrays: see `compile_program` and `Program`.

    Arguments are checked first: a compiler takes seconds.
    """
    with scratch("build") as folder:
        part = one_program(Path(source), sample).samples[0]
        Program(folder, part.interface, part.namespace).packed(arguments, dims, size)
        program = compile_program(source, folder, sample=sample, device=device, compiler=compiler)
        return program(arguments, dims=dims, size=size, timeout=timeout)
