"""What executing one sample takes, and what comes of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from weft.edges import has_edges
from weft.launch import Launch, parse_launch
from weft.launch_sequence import kernel_steps
from weft.leaves import leaves
from weft.reference.cases import LARGE, Case
from weft.reference.components import may_leave_components
from weft.reference.store import Expected, parse_structs
from weft.types import Structs, Type, parse_type


@dataclasses.dataclass(frozen=True)
class Job:
    """One record of an ir file; the signature has leaves (weft.leaves).

    `generated` kernels must not give NaN or infinity; a user's may. `may_leave_components`: whether
    Warp's checks of indices have something to see. `probes_all`: whether an input may matter in any of the
    smaller cases, not only in the two that are looked at first.
    """

    sample_id: str
    kernel_name: str
    python_source: str
    signature: Sequence[tuple[str, Type]]
    launch: Launch
    structs: Structs
    generated: bool
    may_leave_components: bool = False
    probes_all: bool = False

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of the kernels that are launched."""
        steps = kernel_steps(self.launch.steps)
        return tuple(dict.fromkeys(step.kernel for step in steps)) or (self.kernel_name,)


@dataclasses.dataclass(frozen=True)
class Failure:
    """Why a sample has no reference: reason and message of its reject, and the case that shows it, where it
    is one.
    """

    reason: str
    message: str
    case: Case | None = None


@dataclasses.dataclass(frozen=True)
class Executed:
    """By case number and parameter what an array holds after the launch.

    `launch` says which cases had edges. `no_twin` says in a word why there are no margins, and `unstable` for
    each case that shows it why the float64 twin is too far away.
    """

    expected: Sequence[Mapping[str, Expected]]
    launch: Launch
    no_twin: str | None
    unstable: Mapping[Case, str] = dataclasses.field(default_factory=dict)


Outcome = Executed | Failure

_BY_EDGES = {"crash", "timeout", "out_of_bounds", "non_deterministic", "nan", "unstable"}


def with_fewer_edges(one: Job, outcome: Outcome, cases: Sequence[Case]) -> Job | None:
    """The job without the edges that may be why its outcome is no reference, or one that says less: where
    numbers are equal, rounding decides more often. None if edges are not to blame.

    A failure that no case shows, as of a job that takes too long, takes the edges of large cases away, and
    then all.
    """
    launch = one.launch
    large = [case for case in cases if case.size > LARGE and has_edges(launch, case.seed)]
    if isinstance(outcome, Executed):
        harmful = list(outcome.unstable)
    elif outcome.reason not in _BY_EDGES or launch.compared is None:
        return None
    elif outcome.case is not None:
        harmful = [outcome.case]
    elif large:
        harmful = large
    else:
        none = dataclasses.replace(launch, compared=None, accumulators=(), plain=())
        return dataclasses.replace(one, launch=none)
    seeds = {case.seed for case in harmful if has_edges(launch, case.seed)}
    fewer = dataclasses.replace(launch, plain=tuple(sorted({*launch.plain, *seeds})))
    return dataclasses.replace(one, launch=fewer) if seeds else None


def job(record: Mapping[str, Any], generated: bool, *, probes_all: bool = False) -> Job:
    """The job of an ir record."""
    structs = parse_structs(record["structs"])
    return Job(
        sample_id=record["sample_id"],
        kernel_name=record["kernel_name"],
        python_source=record["python_source"],
        signature=leaves([(one["name"], parse_type(one["type"])) for one in record["signature"]], structs),
        launch=parse_launch(record["launch"], record["sample_id"]),
        structs=structs,
        generated=generated,
        may_leave_components=may_leave_components(record),
        probes_all=probes_all,
    )
