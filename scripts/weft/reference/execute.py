"""One sample on all its cases, in this process: what it leaves in memory, and whether to rely on that."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from weft.errors import KernelError
from weft.inputs import FILL_BYTE, draw_parameter, packed_dtype
from weft.launch import Recipe
from weft.reference.cases import LARGE, Case
from weft.reference.job import Job
from weft.reference.layout import Packed, differs, native_dtype, to_native, to_packed
from weft.reference.memory import GuardedBuffer, GuardedMemory
from weft.reference.outputs import OTHER_FILL_BYTE, OutputChecks
from weft.reference.store import Expected, expect
from weft.types import Array, Structs, Type

MAX_CASE_BYTES = 2**30
KEPT_BYTES = 2**25
"""Inputs up to this size are drawn once, larger ones again for the twin."""

_PERTURBATIONS = (1_000_003, 2_000_003, 3_000_017)
"""Added to a case's input seed to draw one parameter anew."""


class Kernel(Protocol):
    """What can be executed: a compiled kernel that takes native memory (weft.reference.warp_cpu.Kernel)."""

    def array(
        self, name: str, address: int, shape: tuple[int, ...], strides: tuple[int, ...], element_bytes: int
    ) -> Any: ...

    def launch(self, dims: tuple[int, ...], leaves: Mapping[str, Any]) -> None: ...


def execute(
    job: Job, kernel: Kernel, memory: GuardedMemory, cases: Sequence[Case], progress: Callable[[int], None]
) -> tuple[list[dict[str, Expected]], Callable[[int], Mapping[str, Packed]]]:
    """Expected outputs by case number and parameter, and what gives a case's parameters before the launch.

    `progress` is called with each case's number before it runs: the process may not survive it.
    Raises KernelError with the reason of the reject.
    """
    run = Run(job, kernel, memory)
    run.check_sizes(cases)
    checks = OutputChecks(job)
    probes = _probe_cases(cases, every=not job.generated)
    results, outputs_of_probes = [], {}
    drawn: dict[int, dict[str, Packed]] = {}
    for number, case in enumerate(cases):
        progress(number)
        inputs = run.draw(case)
        if sum(one.nbytes for one in inputs.values()) <= KEPT_BYTES:
            drawn[number] = inputs
        first = run.launch(case, inputs, FILL_BYTE)
        second = run.launch(case, inputs, OTHER_FILL_BYTE) if run.needs_second(case) else first
        written = checks.compare_runs(case, inputs, first, second)
        results.append(
            {
                one.name: expect(first[one.name], written.get(one.name), case.seed, one.position)
                for one in run.outputs
            }
        )
        if number in probes:
            outputs_of_probes[number] = (inputs, first)
    checks.finish()
    for parameter in run.perturbable:
        _check_sensitivity(run, parameter, {cases[n]: outputs_of_probes[n] for n in probes})
    return results, lambda number: drawn[number] if number in drawn else run.draw(cases[number])


def execute_checked(
    job: Job, kernel: Kernel, memory: GuardedMemory, cases: Sequence[Case], progress: Callable[[int], None]
) -> None:
    """Run a kernel that ends the process where an index is out of range, once on every case."""
    run = Run(job, kernel, memory)
    run.check_sizes(cases)
    for number, case in enumerate(cases):
        progress(number)
        run.launch(case, run.draw(case), FILL_BYTE)


@dataclasses.dataclass(frozen=True)
class _Parameter:
    """A leaf's place in the signature, its element type (packed and native), and its role."""

    name: str
    position: int
    type: Type
    role: str
    null: bool
    packed: np.dtype[Any]
    native: np.dtype[Any]

    @property
    def is_array(self) -> bool:
        return isinstance(self.type, Array)

    @classmethod
    def of(cls, job: Job, position: int, name: str, type: Type, structs: Structs) -> _Parameter:
        element = type.element if isinstance(type, Array) else type
        described = job.launch.parameters[name]
        return cls(
            name,
            position,
            type,
            described.role,
            described.null,
            packed_dtype(element, structs),
            native_dtype(element, structs),
        )


class Run:
    """Launches of one sample."""

    def __init__(self, job: Job, kernel: Kernel, memory: GuardedMemory) -> None:
        self._job = job
        self._kernel = kernel
        self._memory = memory
        self._shapes: dict[tuple[str, int], tuple[int, ...]] = {}
        try:
            self._parameters = [
                _Parameter.of(job, position, name, kind, job.structs)
                for position, (name, kind) in enumerate(job.signature)
            ]
        except (ValueError, TypeError) as error:
            raise KernelError("unsupported", f"a parameter cannot be drawn: {error}") from error
        self._arrays = [one for one in self._parameters if one.is_array]
        self.outputs = [one for one in self._arrays if one.role != "in"]

    @property
    def perturbable(self) -> list[_Parameter]:
        """The `in` parameters whose values depend on the input seed."""
        launch = self._job.launch
        return [
            one
            for one in self._parameters
            if one.role == "in" and not one.null and not _is_fixed(launch.parameters[one.name].values)
        ]

    def needs_second(self, case: Case) -> bool:
        """Whether a second run can tell something: not where base size and all `out` arrays are large.

        Of large arrays no mask of written components is kept, and determinism shows at small sizes.
        """
        out = [one for one in self.outputs if one.role == "out"]
        return case.size <= LARGE or any(math.prod(self._shape(one, case)) <= LARGE for one in out)

    def _shape(self, parameter: _Parameter, case: Case) -> tuple[int, ...]:
        """The shape in which an array is stored."""
        key = (parameter.name, case.size)
        if key not in self._shapes:
            try:
                self._shapes[key] = self._job.launch.storage_shape(*key)
            except ValueError as error:
                raise KernelError("invalid_launch", str(error)) from error
        return self._shapes[key]

    def check_sizes(self, cases: Sequence[Case]) -> None:
        """Raises KernelError (`too_large`) if a case needs more than MAX_CASE_BYTES."""
        for case in cases:
            needed = sum(math.prod(self._shape(one, case)) * one.native.itemsize for one in self._arrays)
            if needed > MAX_CASE_BYTES:
                message = f"for n = {case.size} the arrays take {needed} bytes, more than {MAX_CASE_BYTES}"
                raise KernelError("too_large", message)

    def draw(self, case: Case) -> dict[str, Packed]:
        """All parameters before the launch."""
        return {one.name: self.draw_one(one, case) for one in self._parameters}

    def draw_one(self, parameter: _Parameter, case: Case) -> Packed:
        """One parameter before the launch."""
        try:
            return draw_parameter(
                self._job.launch,
                parameter.name,
                parameter.type,
                parameter.position,
                size=case.size,
                seed=case.seed,
                structs=self._job.structs,
            )
        except (ValueError, TypeError) as error:
            raise KernelError("invalid_launch", f"parameter {parameter.name!r}: {error}") from error

    def launch(self, case: Case, inputs: Mapping[str, Packed], fill: int) -> dict[str, Packed]:
        """What the `out` and `inout` arrays hold after one launch, with `out` arrays full of `fill` before.

        Raises KernelError if the kernel writes before an array's start (`out_of_bounds`) or to an `in` array
        (`modifies_input`).
        """
        buffers: dict[str, GuardedBuffer] = {}
        before: dict[str, npt.NDArray[np.uint8]] = {}
        launch = self._job.launch
        arguments: dict[str, Any] = {}
        for one in self._parameters:
            if not one.is_array:
                arguments[one.name] = to_native(inputs[one.name], one.native)
                continue
            if one.null:
                arguments[one.name] = None
                continue
            buffer = self._memory.buffer(one.position, len(inputs[one.name]) * one.native.itemsize)
            if one.role == "out":
                buffer.content[:] = fill
            else:
                before[one.name] = to_native(inputs[one.name], one.native)
                buffer.content[:] = before[one.name]
            buffer.set_guard(fill)
            buffers[one.name] = buffer
            shape, strides = launch.shape(one.name, case.size), launch.strides(one.name, case.size)
            arguments[one.name] = self._kernel.array(
                one.name, buffer.address, shape, strides, one.native.itemsize
            )
        self._kernel.launch(launch.launch_dims(case.size), arguments)
        where = f"in case n = {case.size}, seed {case.seed}"
        for one in self._arrays:
            if one.null:
                continue
            if not buffers[one.name].guard_holds(fill):
                raise KernelError("out_of_bounds", f"wrote before the start of {one.name!r} {where}")
            if one.role == "in" and not np.array_equal(buffers[one.name].content, before[one.name]):
                raise KernelError("modifies_input", f"wrote to {one.name!r}, whose role is 'in', {where}")
        return {
            one.name: to_packed(buffers[one.name].content, one.native, one.packed) for one in self.outputs
        }


def _is_fixed(recipe: Recipe | None) -> bool:
    if recipe is None or recipe.kind in ("constant", "size", "list"):
        return True
    return recipe.kind == "members" and all(_is_fixed(member) for member in recipe.arguments.values())


def _probe_cases(cases: Sequence[Case], *, every: bool) -> list[int]:
    """Numbers of the cases on which inputs are perturbed: one of middle size, and the largest below LARGE.

    With `every`, the other cases below LARGE follow: a user's kernel may look at an input only now and then.
    """
    small = sorted((n for n, case in enumerate(cases) if case.size <= LARGE), key=lambda n: cases[n].size)
    first = [small[len(small) // 2], small[-1]] if small else []
    return list(dict.fromkeys([*first, *(small if every else [])]))


def _check_sensitivity(
    run: Run, parameter: _Parameter, probes: Mapping[Case, tuple[dict[str, Packed], dict[str, Packed]]]
) -> None:
    """Raise KernelError (`insensitive`) if other values of `parameter` change no output.

    A parameter that cannot take other values, such as an integer from a range of one, is not to blame.
    """
    varied = False
    for case, (inputs, outputs) in probes.items():
        for step in _PERTURBATIONS:
            drawn = run.draw_one(parameter, dataclasses.replace(case, seed=(case.seed + step) % 2**32))
            if not differs(drawn, inputs[parameter.name]).any():
                continue
            varied = True
            changed = run.launch(case, {**inputs, parameter.name: drawn}, FILL_BYTE)
            if any(differs(changed[name], outputs[name]).any() for name in outputs):
                return
    if varied:
        raise KernelError("insensitive", f"no output depends on the input {parameter.name!r}")
