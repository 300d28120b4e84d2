"""Steps of programs of several launches, as data."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.kernels.program import GeneratedProgram


@dataclasses.dataclass(slots=True, eq=False)
class Launched:
    """A step of a program of several launches: a part, and the program's names for its parameters."""

    part: GeneratedProgram
    arguments: dict[str, str]


@dataclasses.dataclass(slots=True, eq=False)
class Zeroed:
    """A step that sets an array to zero."""

    array: str


@dataclasses.dataclass(slots=True, eq=False)
class Repeated:
    """Steps that run several times."""

    times: int
    steps: list[Step]


@dataclasses.dataclass(slots=True, eq=False)
class Parallel:
    """Branches of steps that may run at the same time."""

    branches: list[list[Step]]


Step = Launched | Zeroed | Repeated | Parallel
