"""Run one sample on all its cases, in this process: what it leaves in memory, and whether to trust that."""

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
from weft.reference.memory import GUARD, GuardedMemory
from weft.reference.outputs import OTHER_FILL_BYTE, OutputChecks
from weft.reference.rows import groups_of, rows_of
from weft.reference.store import Expected, canonical, expect
from weft.types import Array, Structs, Type

MAX_CASE_BYTES = 2**30
KEPT_BYTES = 2**25
"""Inputs up to this size are drawn once, larger ones again for the twin."""

_PERTURBATIONS = (1_000_003, 2_000_003, 3_000_017)
"""Added to a case's input seed to draw one parameter anew."""


Native = npt.NDArray[np.uint8]


class Kernel(Protocol):
    """What can be executed: a compiled kernel that takes native memory (weft.reference.warp_cpu.Kernel)."""

    def array(
        self, name: str, address: int, shape: tuple[int, ...], strides: tuple[int, ...], element_bytes: int
    ) -> Any: ...

    def recorded(self, dims: tuple[int, ...], leaves: Mapping[str, Any]) -> Callable[[], None]: ...


def execute(
    job: Job, kernel: Kernel, memory: GuardedMemory, cases: Sequence[Case], progress: Callable[[int], None]
) -> tuple[list[dict[str, Expected]], Callable[[int], Mapping[str, Packed]]]:
    """Expected outputs by case number and parameter, and what gives a case's parameters before the launch.

    `progress` is called with each case's number before it runs: the process may not survive it.
    Raises KernelError with the reason of the reject.
    """
    run = Run(job, kernel, memory, cases)
    run.check_sizes(cases)
    checks = OutputChecks(job)
    probes = _probe_cases(cases, every=job.probes_all)
    results, outputs_of_probes = [], {}
    drawn: dict[int, dict[str, Packed]] = {}
    for number, case in enumerate(cases):
        progress(number)
        inputs = run.draw(case)
        if sum(one.nbytes for one in inputs.values()) <= KEPT_BYTES:
            drawn[number] = inputs
        native = run.native(inputs)
        first = run.launch(case, native, FILL_BYTE)
        second = run.launch(case, native, OTHER_FILL_BYTE) if run.needs_second(case) else first
        written = checks.compare_runs(case, inputs, first, second)
        expected = {
            one.name: expect(first[one.name], written.get(one.name), case.seed, one.position)
            for one in run.outputs
        }
        results.append(_with_rows(job, case, expected, inputs, first))
        if number in probes:
            outputs_of_probes[number] = (inputs, first)
    checks.finish()
    for parameter in run.perturbable:
        _check_sensitivity(run, parameter, {cases[n]: outputs_of_probes[n] for n in probes})
    return results, lambda number: drawn[number] if number in drawn else run.draw(cases[number])


def _with_rows(
    job: Job,
    case: Case,
    expected: dict[str, Expected],
    before: Mapping[str, Packed],
    after: Mapping[str, Packed],
) -> dict[str, Expected]:
    """What is expected of a case, with the hash of their rows for large arrays in any order."""
    found = dict(expected)
    for group in groups_of(job.launch, list(expected)):
        large = [name for name in group.arrays if expected[name].value is None]
        if large:
            rows = rows_of(job.launch, group, case.size, before, after)
            digest = rows.digest({name: canonical(after[name]) for name in group.arrays})
            found |= {name: dataclasses.replace(expected[name], rows_sha256=digest) for name in large}
    return found


def execute_checked(
    job: Job, kernel: Kernel, memory: GuardedMemory, cases: Sequence[Case], progress: Callable[[int], None]
) -> None:
    """Run a kernel that ends the process where an index is out of range, once on every case."""
    run = Run(job, kernel, memory, cases)
    run.check_sizes(cases)
    for number, case in enumerate(cases):
        progress(number)
        run.launch(case, run.native(run.draw(case)), FILL_BYTE)


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
    """Launches of one sample on some cases."""

    def __init__(self, job: Job, kernel: Kernel, memory: GuardedMemory, cases: Sequence[Case]) -> None:
        self._job = job
        self._kernel = kernel
        self._memory = memory
        self._shapes: dict[tuple[str, int], tuple[int, ...]] = {}
        self._places: dict[int, dict[str, _Place]] = {}
        self._launches: dict[int, tuple[list[bytes], Callable[[], None]]] = {}
        try:
            self._parameters = [
                _Parameter.of(job, position, name, kind, job.structs)
                for position, (name, kind) in enumerate(job.signature)
            ]
        except (ValueError, TypeError) as error:
            raise KernelError("unsupported", f"a parameter cannot be drawn: {error}") from error
        self._by_name = {one.name: one for one in self._parameters}
        self._arrays = [one for one in self._parameters if one.is_array]
        self._filled = [one for one in self._arrays if not one.null]
        self.outputs = [one for one in self._arrays if one.role != "in"]
        # Buffers that never grow stay where they are, for all that is recorded.
        self._elements = {
            one.name: max(math.prod(self._shape(one, case)) for case in cases) for one in self._filled
        }

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
        """Raises KernelError (`too_large`) at the largest array if a case needs more than MAX_CASE_BYTES."""
        for case in cases:
            bytes_of = {
                one.name: math.prod(self._shape(one, case)) * one.native.itemsize for one in self._arrays
            }
            needed = sum(bytes_of.values())
            if needed > MAX_CASE_BYTES:
                name = max(bytes_of, key=lambda name: bytes_of[name])
                shape = " x ".join(map(str, self._shape(self._by_name[name], case)))
                raise KernelError(
                    "too_large",
                    f"for n = {case.size} the arrays take {needed} bytes, more than {MAX_CASE_BYTES}; "
                    f"the largest is {name!r}, an array of {shape}: {bytes_of[name]} bytes",
                )

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

    def launch(self, case: Case, inputs: Mapping[str, Native], fill: int) -> dict[str, Packed]:
        """What the `out` and `inout` arrays hold after one launch, with `out` arrays full of `fill` before.

        `inputs` is what `native` makes of all parameters. Raises KernelError if the kernel writes before an
        array's start (`out_of_bounds`) or to an `in` array (`modifies_input`).
        """
        places = self._places_of(case)
        for one in self._filled:
            place = places[one.name]
            if one.role == "out":
                place.content.fill(fill)
            else:
                place.content[:] = inputs[one.name]
            place.guard.fill(fill)
        self._recorded(case, inputs)()
        intact = bytes([fill]) * GUARD
        where = f"in case n = {case.size}, seed {case.seed}"
        for one in self._filled:
            place = places[one.name]
            if place.guard.tobytes() != intact:
                raise KernelError("out_of_bounds", f"wrote before the start of {one.name!r} {where}")
            if one.role == "in" and not np.array_equal(place.content, inputs[one.name]):
                raise KernelError("modifies_input", f"wrote to {one.name!r}, whose role is 'in', {where}")
        return {one.name: to_packed(places[one.name].content, one.native, one.packed) for one in self.outputs}

    def native(self, inputs: Mapping[str, Packed]) -> dict[str, Native]:
        """The native bytes of parameters."""
        return {name: self.native_one(name, packed) for name, packed in inputs.items()}

    def native_one(self, name: str, packed: Packed) -> Native:
        """The native bytes of one parameter."""
        return to_native(packed, self._by_name[name].native)

    def _places_of(self, case: Case) -> Mapping[str, _Place]:
        """Where the arrays of a case are: the same for all cases of its size."""
        if case.size not in self._places:
            self._places[case.size] = {one.name: self._place(one, case) for one in self._filled}
        return self._places[case.size]

    def _place(self, one: _Parameter, case: Case) -> _Place:
        launch = self._job.launch
        buffer = self._memory.buffer(one.position, self._elements[one.name] * one.native.itemsize)
        buffer.resize(math.prod(self._shape(one, case)) * one.native.itemsize)
        shape, strides = launch.shape(one.name, case.size), launch.strides(one.name, case.size)
        array = self._kernel.array(one.name, buffer.address, shape, strides, one.native.itemsize)
        return _Place(buffer.content, buffer.guard, array)

    def _recorded(self, case: Case, inputs: Mapping[str, Native]) -> Callable[[], None]:
        """The launch of a case; only other values that are passed by value make another of one size."""
        values = [inputs[one.name].tobytes() for one in self._parameters if not one.is_array]
        if case.size not in self._launches or self._launches[case.size][0] != values:
            places = self._places_of(case)
            arguments: dict[str, Any] = {
                one.name: inputs[one.name]
                if not one.is_array
                else None
                if one.null
                else places[one.name].array
                for one in self._parameters
            }
            recorded = self._kernel.recorded(self._job.launch.launch_dims(case.size), arguments)
            self._launches[case.size] = (values, recorded)
        return self._launches[case.size][1]


@dataclasses.dataclass(frozen=True)
class _Place:
    """Where an array is: its bytes, the guard bytes before them, and what the kernel takes."""

    content: Native
    guard: Native
    array: Any


def _is_fixed(recipe: Recipe | None) -> bool:
    if recipe is None or recipe.kind in ("constant", "size", "list"):
        return True
    return recipe.kind == "members" and all(_is_fixed(member) for member in recipe.arguments.values())


def _probe_cases(cases: Sequence[Case], *, every: bool) -> list[int]:
    """Numbers of the cases on which inputs are perturbed: one of middle size, and the largest below LARGE.

    With `every`, the other cases below LARGE follow.
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
        native = run.native(inputs)
        for step in _PERTURBATIONS:
            drawn = run.draw_one(parameter, dataclasses.replace(case, seed=(case.seed + step) % 2**32))
            if not differs(drawn, inputs[parameter.name]).any():
                continue
            varied = True
            other = run.native_one(parameter.name, drawn)
            changed = run.launch(case, {**native, parameter.name: other}, FILL_BYTE)
            if any(differs(changed[name], outputs[name]).any() for name in outputs):
                return
    if varied:
        raise KernelError("insensitive", f"no output depends on the input {parameter.name!r}")
