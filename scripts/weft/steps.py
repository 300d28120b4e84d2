"""Several launches in one program: the steps of a launch description (docs/formats.md, Steps)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.sizes import Size, parse_size


@dataclasses.dataclass(frozen=True)
class KernelStep:
    """A launch: `arguments` gives the name, in the whole program, of each of the kernel's parameters."""

    kernel: str
    dims: tuple[Size, ...]
    arguments: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        return {"kernel": self.kernel, "dims": list(self.dims), "arguments": dict(self.arguments)}


@dataclasses.dataclass(frozen=True)
class ZeroStep:
    """All bytes of an array become zero."""

    array: str

    def to_json(self) -> dict[str, Any]:
        return {"zero": self.array}


@dataclasses.dataclass(frozen=True)
class RepeatStep:
    """Steps that run `times` times."""

    times: int
    steps: tuple[Step, ...]

    def to_json(self) -> dict[str, Any]:
        return {"repeat": self.times, "steps": [step.to_json() for step in self.steps]}


@dataclasses.dataclass(frozen=True)
class ParallelStep:
    """Branches that may run at the same time, each on a stream of its own; the next step waits for all."""

    branches: tuple[tuple[Step, ...], ...]

    def to_json(self) -> dict[str, Any]:
        return {"parallel": [[step.to_json() for step in branch] for branch in self.branches]}


Step = KernelStep | ZeroStep | RepeatStep | ParallelStep


def kernel_steps(steps: Sequence[Step]) -> Iterator[KernelStep]:
    """All launches, at any depth, in the order of the text."""
    for step in steps:
        match step:
            case KernelStep():
                yield step
            case RepeatStep(steps=inner):
                yield from kernel_steps(inner)
            case ParallelStep(branches=branches):
                for branch in branches:
                    yield from kernel_steps(branch)
            case ZeroStep():
                pass


def parse_steps(value: Any, where: str) -> tuple[Step, ...]:
    """Steps from their written form. Raises ValueError that begins with the place of the step."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise ValueError(f"{where}: expected a list of steps, got {value!r}")
    return tuple(_parse_step(step, f"{where}[{number}]") for number, step in enumerate(value))


_FORMS = (
    {"kernel", "dims", "arguments"},
    {"zero"},
    {"repeat", "steps"},
    {"parallel"},
)


def _parse_step(value: Any, here: str) -> Step:
    if not isinstance(value, Mapping):
        raise ValueError(f"{here}: expected a mapping, got {value!r}")
    keys = set(value)
    if "kernel" in value and "arguments" not in value:
        keys.add("arguments")
    if keys not in _FORMS:
        allowed = "; ".join(", ".join(sorted(form)) for form in _FORMS)
        raise ValueError(f"{here}: keys {', '.join(sorted(value))} (allowed together: {allowed})")
    if "zero" in value:
        return ZeroStep(_name(value["zero"], f"{here}.zero"))
    if "parallel" in value:
        branches = value["parallel"]
        if not isinstance(branches, Sequence) or len(branches) < 2:
            raise ValueError(f"{here}.parallel: expected two or more lists of steps, got {branches!r}")
        parsed = (parse_steps(branch, f"{here}.parallel[{i}]") for i, branch in enumerate(branches))
        return ParallelStep(tuple(parsed))
    if "repeat" in value:
        times = value["repeat"]
        if not isinstance(times, int) or isinstance(times, bool) or times < 1:
            raise ValueError(f"{here}.repeat: expected a positive number, got {times!r}")
        return RepeatStep(times, parse_steps(value["steps"], f"{here}.steps"))
    dims = value["dims"]
    if not isinstance(dims, Sequence) or isinstance(dims, str) or not 1 <= len(dims) <= 4:
        raise ValueError(f"{here}.dims: expected one to four size expressions, got {dims!r}")
    for dim in dims:
        parse_size(dim)
    arguments = value.get("arguments", {})
    if not isinstance(arguments, Mapping):
        raise ValueError(f"{here}.arguments: expected a name for each parameter, got {arguments!r}")
    named = {name: _name(given, f"{here}.arguments.{name}") for name, given in arguments.items()}
    return KernelStep(_name(value["kernel"], f"{here}.kernel"), tuple(dims), named)


def _name(value: Any, here: str) -> str:
    if not isinstance(value, str) or not value.isidentifier():
        raise ValueError(f"{here}: expected a name, got {value!r}")
    return value
