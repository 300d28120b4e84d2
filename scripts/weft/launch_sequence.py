"""Several launches in one program: the steps of a launch description (docs/formats/launch.md, Steps)."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from weft.sizes import Size
from weft.written import Where, shown


@dataclasses.dataclass(frozen=True)
class KernelStep:
    """A launch: `arguments` gives, for each of the kernel's parameters, the name of a parameter of the whole
    program, or an integer. `block_dim` and `tiled` say of a kernel with tiles what they say in weft.launch.
    """

    kernel: str
    dims: tuple[Size, ...]
    arguments: Mapping[str, str | int]
    block_dim: int | None = None
    tiled: bool = True

    @property
    def named(self) -> dict[str, str]:
        """The arguments that are parameters of the whole program."""
        return {name: given for name, given in self.arguments.items() if isinstance(given, str)}

    def to_json(self) -> dict[str, Any]:
        blocks = {} if self.block_dim is None else {"block_dim": self.block_dim, "tiled": self.tiled}
        return {"kernel": self.kernel, "dims": list(self.dims), "arguments": dict(self.arguments), **blocks}


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


def placed_steps(steps: Sequence[Step], where: Where) -> Iterator[tuple[Step, Where]]:
    """All launches and zeros, at any depth, in the order of the text, each with its place."""
    for number, step in enumerate(steps):
        here = where / number
        match step:
            case RepeatStep(steps=inner):
                yield from placed_steps(inner, here / "steps")
            case ParallelStep(branches=branches):
                for branch_number, branch in enumerate(branches):
                    yield from placed_steps(branch, here / "parallel" / branch_number)
            case _:
                yield step, here


def kernel_steps(steps: Sequence[Step]) -> Iterator[KernelStep]:
    """All launches, at any depth, in the order of the text."""
    return (step for step, _ in placed_steps(steps, Where("steps")) if isinstance(step, KernelStep))


def parse_steps(value: Any, where: Where, names: Collection[str]) -> tuple[Step, ...]:
    """Steps from their written form; `names` are the names of sizes. Raises WrittenError."""
    steps = where.sequence(value, "a list of steps", 1)
    return tuple([_parse_step(step, where / number, names) for number, step in enumerate(steps)])


_FORMS = (("kernel", "dims", "arguments"), ("zero",), ("repeat", "steps"), ("parallel",))
_BLOCKS = ("block_dim", "tiled")
"""What a launch may have, too."""
MOST_REPEATS = 1_000_000


def _parse_step(value: Any, here: Where, names: Collection[str]) -> Step:
    given = here.mapping(value, [*(key for form in _FORMS for key in form), *_BLOCKS])
    keys = {*given, "arguments"} - {*_BLOCKS} if "kernel" in given else {*given}
    if keys not in [set(form) for form in _FORMS]:
        allowed = "; ".join(", ".join(form) for form in _FORMS)
        raise here.error(f"keys {', '.join(sorted(given)) or 'none'} (allowed together: {allowed})")
    if "zero" in given:
        return ZeroStep((here / "zero").name(given["zero"]))
    if "parallel" in given:
        there = here / "parallel"
        branches = there.sequence(given["parallel"], "two or more lists of steps", 2)
        return ParallelStep(
            tuple([parse_steps(one, there / number, names) for number, one in enumerate(branches)])
        )
    if "repeat" in given:
        times = given["repeat"]
        if type(times) is not int or not 1 <= times <= MOST_REPEATS:
            raise (here / "repeat").error(f"expected a number from 1 to {MOST_REPEATS}, got {shown(times)}")
        return RepeatStep(times, parse_steps(given["steps"], here / "steps", names))
    dims = (here / "dims").sizes(given["dims"], names, "one to four size expressions", 1, 4)
    there = here / "arguments"
    arguments = {
        name: _parse_argument(argument, there / name)
        for name, argument in there.mapping(given.get("arguments", {})).items()
    }
    return KernelStep(
        (here / "kernel").name(given["kernel"]),
        dims,
        arguments,
        parse_block_dim(given.get("block_dim"), here / "block_dim"),
        (here / "tiled").truth(given.get("tiled", True)),
    )


def parse_block_dim(value: Any, here: Where) -> int | None:
    """The number of threads of a block, or None. Raises WrittenError."""
    if value is None:
        return None
    if type(value) is not int or not 1 <= value <= 1024:
        raise here.error(f"expected a number of threads from 1 to 1024, got {shown(value)}")
    return value


def _parse_argument(value: Any, here: Where) -> str | int:
    if type(value) is int:
        return value
    if not isinstance(value, str):
        raise here.error(f"expected a name or an integer, got {shown(value)}")
    return here.name(value)
