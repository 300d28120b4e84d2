"""A compiled kernel as functions on vectors: forward from float inputs to float outputs, and backward."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from weft import bfloat16
from weft.gradients.differences import Vector
from weft.inputs import draw_parameter, packed_dtype
from weft.launch import Parameter
from weft.reference.cases import Case
from weft.reference.job import Job
from weft.reference.layout import Packed, native_dtype, to_native, to_packed
from weft.reference.memory import GuardedBuffer, GuardedMemory
from weft.types import Array

Restore = Callable[[], None]
"""Puts arrays back as they were when it was made."""

Record = Callable[[Callable[[], None], Callable[[], Restore] | None], Callable[[], None]]
"""Makes launches and returns what runs them backwards (weft.gradients.warp_tape.record)."""


class Kernel(Protocol):
    """What can be executed (weft.reference.warp_cpu.Kernel)."""

    def array(
        self, name: str, address: int, shape: tuple[int, ...], strides: tuple[int, ...], element_bytes: int
    ) -> Any: ...

    def launch(self, dims: tuple[int, ...], leaves: Mapping[str, Any]) -> None: ...


@dataclasses.dataclass(frozen=True)
class Place:
    """A component of an element of an array parameter, as docs/formats/inputs.md counts them."""

    parameter: str
    element: int
    component: int


@dataclasses.dataclass(frozen=True)
class _Array:
    """An array leaf; `floats` are the fields of its elements that have derivatives."""

    name: str
    position: int
    described: Parameter
    packed: np.dtype[Any]
    native: np.dtype[Any]
    floats: tuple[str, ...]
    count: int

    @property
    def length(self) -> int:
        """How many components have derivatives."""
        return self.count * len(self.floats)


def float_fields(dtype: np.dtype[Any]) -> tuple[str, ...]:
    """The fields of a packed element that are floats."""
    return tuple(name for name in dtype.names or () if bfloat16.is_float(dtype[name]))


class Passes:
    """One case of a sample. `drawn` is the sample as described, `executed` as the kernel was compiled.

    They differ in the widths of floats only: inputs are drawn for the one and handed to the other.
    """

    def __init__(self, drawn: Job, executed: Job, kernel: Kernel, record: Record, case: Case) -> None:
        self._kernel = kernel
        self._record = record
        self._launch = executed.launch
        self._size = case.size
        self._memory = GuardedMemory()
        self._arrays: list[_Array] = []
        self._values: dict[str, Packed] = {}
        self._constants: dict[str, Any] = {}
        for position, ((name, kind), (_, compiled)) in enumerate(
            zip(drawn.signature, executed.signature, strict=True)
        ):
            draw = draw_parameter(
                drawn.launch, name, kind, position, size=case.size, seed=case.seed, structs=drawn.structs
            )
            element = compiled.element if isinstance(compiled, Array) else compiled
            packed, native = packed_dtype(element, executed.structs), native_dtype(element, executed.structs)
            described = executed.launch.parameters[name]
            if described.role == "out":
                draw = np.zeros(len(draw), dtype=draw.dtype)
            values = _converted(draw, packed)
            if not isinstance(kind, Array):
                self._constants[name] = to_native(values, native)
            elif described.null:
                self._constants[name] = None
            else:
                self._values[name] = values
                floats = float_fields(packed)
                self._arrays.append(_Array(name, position, described, packed, native, floats, len(values)))
        self.inputs = [one for one in self._arrays if one.floats and one.described.role != "out"]
        self.outputs = [one for one in self._arrays if one.floats and one.described.role != "in"]
        self.point = self._vector(self.inputs, self._values)
        self.scale = np.concatenate(
            [np.full(one.length, _magnitude(self._vector([one], self._values))) for one in self.inputs]
            or [np.zeros(0)]
        )

    def of_arrays(self, names: Collection[str]) -> npt.NDArray[np.bool_]:
        """The inputs that belong to these arrays."""
        parts = [np.full(one.length, one.name in names) for one in self.inputs]
        return np.concatenate(parts or [np.zeros(0, dtype=np.bool_)])

    def changed_array(self, at: int) -> str | None:
        """The array of an input, if the kernel changes it."""
        name = self.place(self.inputs, at).parameter
        return name if self._launch.parameters[name].role == "inout" else None

    def place(self, arrays: Sequence[_Array], at: int) -> Place:
        """Where the entry `at` of a vector over `arrays` stands."""
        for one in arrays:
            if at < one.length:
                element, component = divmod(at, len(one.floats))
                return Place(one.name, element, int(one.floats[component][1:]))
            at -= one.length
        raise IndexError(at)

    def forward(self, point: Vector) -> Vector:
        """The outputs for these inputs."""
        leaves, buffers, _ = self._arguments(point)
        self._kernel.launch(self._launch.launch_dims(self._size), leaves)
        return self._vector(self.outputs, {one.name: _content(buffers, one) for one in self.outputs})

    def backward(self, weights: Vector, restored: bool = False) -> Vector:
        """The gradient of the weighted sum of the outputs by the inputs, from Warp.

        `restored`: what a launch overwrites is put back before it goes backwards, which no tape does.
        """
        leaves, buffers, gradients = self._arguments(self.point)

        def snapshot() -> Restore:
            before = {name: buffer.content.copy() for name, buffer in buffers.items()}

            def restore() -> None:
                for name, buffer in buffers.items():
                    buffer.content[:] = before[name]

            return restore

        run_backward = self._record(
            lambda: self._kernel.launch(self._launch.launch_dims(self._size), leaves),
            snapshot if restored else None,
        )
        for one in self.outputs:
            seed = np.zeros(one.count, dtype=one.packed)
            part = weights[: one.length].reshape(one.count, len(one.floats))
            weights = weights[one.length :]
            for column, field in enumerate(one.floats):
                _set(seed, field, part[:, column])
            gradients[one.name].content[:] = to_native(seed, one.native)
        run_backward()
        return self._vector(self.inputs, {one.name: _content(gradients, one) for one in self.inputs})

    def _arguments(
        self, point: Vector
    ) -> tuple[dict[str, Any], dict[str, GuardedBuffer], dict[str, GuardedBuffer]]:
        """The leaves for a launch, and the memory of arrays and of their gradients (zero), by name."""
        leaves = dict(self._constants)
        buffers: dict[str, GuardedBuffer] = {}
        gradients: dict[str, GuardedBuffer] = {}
        varied = {one.name: one for one in self.inputs}
        for one in self._arrays:
            values = self._values[one.name]
            if one.name in varied:
                values = values.copy()
                part = point[: one.length].reshape(one.count, len(one.floats))
                point = point[one.length :]
                for column, field in enumerate(one.floats):
                    _set(values, field, part[:, column])
            size = one.count * one.native.itemsize
            buffers[one.name] = self._memory.buffer(2 * one.position, size)
            buffers[one.name].content[:] = to_native(values, one.native)
            leaves[one.name] = self._array(one, buffers[one.name])
            if one.floats:
                gradients[one.name] = self._memory.buffer(2 * one.position + 1, size)
                gradients[one.name].content[:] = 0
                leaves[one.name].grad = self._array(one, gradients[one.name])
        return leaves, buffers, gradients

    def _array(self, one: _Array, buffer: GuardedBuffer) -> Any:
        shape = self._launch.shape(one.name, self._size)
        strides = self._launch.strides(one.name, self._size)
        return self._kernel.array(one.name, buffer.address, shape, strides, one.native.itemsize)

    def _vector(self, arrays: Sequence[_Array], contents: Mapping[str, Packed]) -> Vector:
        """The float components of arrays, element by element."""
        parts = [
            np.stack([_get(contents[one.name], field) for field in one.floats], axis=1).ravel()
            for one in arrays
        ]
        return np.concatenate(parts) if parts else np.zeros(0)


def _content(buffers: Mapping[str, GuardedBuffer], one: _Array) -> Packed:
    return to_packed(buffers[one.name].content, one.native, one.packed)


def _converted(values: Packed, dtype: np.dtype[Any]) -> Packed:
    """The same numbers in another element type of as many components."""
    if values.dtype == dtype:
        return values
    result = np.zeros(len(values), dtype=dtype)
    for field in dtype.names or ():
        if bfloat16.is_float(dtype[field]):
            _set(result, field, _get(values, field))
        else:
            result[field] = values[field]
    return result


def _get(packed: Packed, field: str) -> Vector:
    column = packed[field]
    wide = bfloat16.as_floats(column) if bfloat16.is_bfloat16(column.dtype) else column
    return np.asarray(wide, dtype=np.float64)


def _set(packed: Packed, field: str, values: npt.NDArray[np.float64]) -> None:
    dtype = packed.dtype[field]
    packed[field] = bfloat16.to_bits(values) if bfloat16.is_bfloat16(dtype) else values.astype(dtype)


def _magnitude(values: Vector) -> float:
    """How large an array's numbers are; 1 where they say nothing."""
    largest = float(np.max(np.abs(values), initial=0.0))
    return largest if math.isfinite(largest) and largest > 0.0 else 1.0
