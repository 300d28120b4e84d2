"""Compiling the float64 twins of Warp's kernels beside them, and launching them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import warp as wp

from weft.errors import KernelError
from weft.ir.warp_inside.cpu_text import (
    Attempt,
    address,
    call_entry,
    compiling_by,
    forward_entry,
    mangled_name,
)
from weft.launch import Launch
from weft.launch_sequence import KernelStep, ParallelStep, RepeatStep, Step, ZeroStep
from weft.reference.twin import entry, unspecialised, with_twins, wrong_lines
from weft.reference.whole_arrays import leaf_types, whole_arrays
from weft.sizes import evaluate_size
from weft.types import SIGNIFICAND_BITS


class Twins:
    """Entry points of the twins that were compiled with Warp's modules, by the kernel's mangled name."""

    def __init__(self) -> None:
        self._symbols: dict[str, str] = {}
        self._computed_in: dict[str, str] = {}
        self._exact: set[str] = set()
        self._entries: dict[str, int] = {}

    def compiling(self, log: Path) -> AbstractContextManager[None]:
        """Modules that Warp compiles for the CPU meanwhile get twins; `log` has what the compiler says."""
        return compiling_by(lambda text, attempt: self._compile(text, attempt, log))

    def _compile(self, text: str, attempt: Attempt, log: Path) -> None:
        without: set[str] = set()
        text = unspecialised(text)
        while True:
            said_before = log.stat().st_size
            twin_text = with_twins(text, without)
            try:
                attempt(twin_text.text)
            except Exception:
                lines = wrong_lines(log.read_bytes()[said_before:].decode(errors="replace"))
                wrong = {twin_text.lines[line] for line in lines if line in twin_text.lines}
                if not twin_text.twins:
                    raise
                without |= wrong if wrong - without else set(twin_text.twins)
                continue
            self._symbols |= {name: entry(name) for name in twin_text.twins}
            self._symbols |= {name: forward_entry(name) for name in twin_text.exact}
            self._computed_in |= twin_text.twins
            self._exact |= twin_text.exact
            return

    def take(self, loaded: Any) -> None:
        """Look up the twins in a module that Warp has loaded."""
        for name, symbol in self._symbols.items():
            if name not in self._entries and (found := address(loaded, symbol)):
                self._entries[name] = found

    def missing(self, kernels: Mapping[str, Any]) -> str | None:
        """Why kernels launched together lack a twin, a word of docs/formats/reference.md; else None."""
        names = {mangled_name(kernel) for kernel in kernels.values()}
        if names <= self._exact:
            return "exact"
        return None if names <= set(self._entries) else "single_precision"

    def kernel(self, kernel: Any, launch: Launch, name: str) -> TwinKernel:
        """The twin of the kernel `name` of a launch, which is not missing."""
        mangled = mangled_name(kernel)
        computed_in = self._computed_in.get(mangled, "float64")
        return TwinKernel(kernel, self._entries[mangled], computed_in, *launch.blocks_of(name))


class TwinKernel:
    """A kernel's twin; takes native memory as weft.reference.warp_cpu.Kernel does, with wide floats.

    `computed_in` is the narrowest float type in which the kernel computes.
    """

    def __init__(self, kernel: Any, entry: int, computed_in: str, block_dim: int | None, tiled: bool) -> None:
        self.computed_in = computed_in
        self._kernel = kernel
        self._entry = entry
        self._block_dims = (block_dim,) if block_dim is not None and tiled else ()
        self._types: dict[str, Any] = {}
        for argument in kernel.adj.args:
            self._types |= leaf_types(argument.label, argument.type)

    def array(
        self, name: str, address: int, shape: tuple[int, ...], strides: tuple[int, ...], element_bytes: int
    ) -> Any:
        """A Warp array over native memory: of bytes to Warp, but of int32 where it is a table of indices."""
        return wp.array(
            ptr=address,
            dtype=_bytes_type(element_bytes) if name in self._types else wp.int32,
            shape=shape,
            strides=tuple(stride * element_bytes for stride in strides) or None,
            device="cpu",
            copy=False,
        )

    def number(self, name: str, value: int) -> Any:
        """An integer as the value of a parameter."""
        kind = self._types[name]
        return np.array(value, wp.dtype_to_numpy(wp.int32 if kind is int else kind))

    def recorded(self, dims: tuple[int, ...], leaves: Mapping[str, Any]) -> Callable[[], None]:
        """What runs all threads as that of Kernel.recorded does. Raises KernelError (`warp_error`)."""
        if not self._types.keys() >= leaves.keys():  # what tables hold decides where the elements are
            return lambda: self._run(dims, self._arguments(leaves))
        arguments = self._arguments(leaves)
        return lambda: self._run(dims, arguments)

    def _arguments(self, leaves: Mapping[str, Any]) -> bytes:
        leaves = whole_arrays(self._types, leaves)
        return _joined([_native(one.label, one.type, leaves) for one in self._kernel.adj.args])[0]

    def _run(self, dims: tuple[int, ...], arguments: bytes) -> None:
        try:
            call_entry(self._entry, self._kernel, (*dims, *self._block_dims), arguments)
        except RuntimeError as error:
            raise KernelError("warp_error", str(error)) from error


class TwinProgram:
    """The twins of a program's kernels, launched by the steps of its description."""

    def __init__(self, twins: Mapping[str, TwinKernel], launch: Launch) -> None:
        self.computed_in = min((one.computed_in for one in twins.values()), key=SIGNIFICAND_BITS.__getitem__)
        self._twins = twins
        self._launch = launch

    def array(
        self, name: str, address: int, shape: tuple[int, ...], strides: tuple[int, ...], element_bytes: int
    ) -> Any:
        """A Warp array over native memory, all of whose elements are bytes."""
        return wp.array(ptr=address, dtype=_bytes_type(element_bytes), shape=shape, device="cpu", copy=False)

    def recorded(self, dims: tuple[int, ...], leaves: Mapping[str, Any]) -> Callable[[], None]:
        """What makes all launches for the base size that is the only one of `dims`."""
        return lambda: self._run(self._launch.steps, self._launch.named_sizes(dims[0]), leaves)

    def _run(self, steps: Sequence[Step], sizes: Mapping[str, int], leaves: Mapping[str, Any]) -> None:
        for step in steps:
            match step:
                case KernelStep(kernel, dims, arguments):
                    twin = self._twins[kernel]
                    bound = {
                        name: leaves[given] if isinstance(given, str) else twin.number(name, given)
                        for name, given in arguments.items()
                    }
                    twin.recorded(tuple(evaluate_size(dim, sizes) for dim in dims), bound)()
                case ZeroStep(array):
                    leaves[array].zero_()
                case RepeatStep(times, inner):
                    for _ in range(times):
                        self._run(inner, sizes, leaves)
                case ParallelStep(branches):
                    for branch in branches:
                        self._run(branch, sizes, leaves)


@functools.cache
def _bytes_type(size: int) -> Any:
    """A Warp type of so many bytes."""
    return wp.types.vector(length=size, dtype=wp.uint8)


_ARRAY_ALIGNMENT = 8


def _native(name: str, kind: Any, leaves: Mapping[str, Any]) -> tuple[bytes, int]:
    """A parameter or a struct's field as the twin sees it, and its alignment."""
    if hasattr(kind, "cls"):
        if name in leaves:
            return leaves[name].tobytes(), _alignment(kind)
        return _joined(
            [_native(f"{name}.{field}", variable.type, leaves) for field, variable in kind.vars.items()]
        )
    leaf = leaves[name]
    if leaf is None:
        return bytes(kind.__ctype__()), _ARRAY_ALIGNMENT
    if isinstance(leaf, np.ndarray):
        return leaf.tobytes(), _alignment(kind)
    return bytes(leaf.__ctype__()), _ARRAY_ALIGNMENT


def _joined(fields: Sequence[tuple[bytes, int]]) -> tuple[bytes, int]:
    """A C struct of these fields: its bytes and its alignment."""
    content = b""
    widest = 1
    for field, alignment in fields:
        content += bytes(-len(content) % alignment) + field
        widest = max(widest, alignment)
    return content + bytes(-len(content) % widest), widest


def _alignment(kind: Any) -> int:
    """The alignment of a wide value: that of its widest scalar."""
    if hasattr(kind, "cls"):
        return max((_alignment(variable.type) for variable in kind.vars.values()), default=1)
    scalar = getattr(kind, "_wp_scalar_type_", kind)
    if scalar in (bool, wp.bool):
        return 1
    if scalar in (float, wp.float16, wp.bfloat16, wp.float32, wp.float64):
        return 8
    return 4 if scalar is int else int(wp.types.type_size_in_bytes(scalar))
