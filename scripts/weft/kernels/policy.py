"""Every probability of the generator, in one place.

A kernel's length, which is drawn first, says what its policy allows. How difficult it gets shows when it is
finished (`weft.concepts`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from weft.kernels.rng import Random

WRITTEN = 0.95
"""The share of workloads among the first kernels of a shard, as many as the category has."""
DRAWN_OFTEN = 6
"""After so many draws for each workload, half as many kernels are workloads."""

LENGTHS: Mapping[str, float] = {"short": 2.5, "medium": 4.0, "long": 2.5, "longest": 1.0}


@dataclasses.dataclass(eq=False)
class Policy:
    """Weights need not add up to one.

    Policies are never changed; `frozen` would say so, but make each several times as slow to make.
    """

    length: str = "medium"
    double: float = 0.13
    struct_parameters: float = 0.1
    helper: float = 0.15
    goal_helper: float = 0.0
    inlined: float = 0.4
    dimensions: Mapping[int, float] = dataclasses.field(
        default_factory=lambda: {1: 6.0, 2: 3.0, 3: 1.5, 4: 0.3}
    )
    coefficient: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {"literal": 2.5, "constant": 0.7, "parameter": 3.0, "element": 1.0}
    )


DEFAULT = Policy()

_BY_LENGTH: dict[str, Policy] = {
    "short": Policy(
        length="short",
        double=0.05,
        struct_parameters=0.0,
        helper=0.03,
        dimensions={1: 6.0, 2: 2.0},
    ),
    "medium": DEFAULT,
    "long": Policy(
        length="long", struct_parameters=0.15, helper=0.3, dimensions={1: 5.0, 2: 3.0, 3: 2.0, 4: 0.5}
    ),
    "longest": Policy(
        length="longest",
        double=0.18,
        struct_parameters=0.2,
        helper=0.4,
        dimensions={1: 4.0, 2: 3.0, 3: 2.5, 4: 1.0},
    ),
}


def drawn_policy(rng: Random) -> Policy:
    """The policy of one kernel."""
    return _BY_LENGTH[rng.weighted(LENGTHS)]


def written_share(workloads: int, index: int) -> float:
    """How likely kernel `index` of a shard is one of so many workloads: less with every one that comes when
    all may have been there.
    """
    fresh = DRAWN_OFTEN * workloads
    return WRITTEN * fresh / (fresh + max(index - workloads, 0)) if fresh else 0.0
