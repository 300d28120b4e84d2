"""Every probability of the generator, in one place.

A kernel's difficulty says what its policy allows; of that, *swarm testing* (Groce et al., ISSTA 2012) leaves
a drawn subset, so that kernels differ in what they have at all and not in how much of everything.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from weft.kernels.rng import Random

DEFAULT_DIFFICULTY: Mapping[str, float] = {"easy": 2.0, "medium": 4.0, "hard": 3.0, "expert": 2.0}

LEFT_OUT = 0.3
"""How likely swarm testing leaves an option out; the first option of each table always stays."""
_LEFT_OUT_OF_32 = math.ceil(32 * LEFT_OUT)


@dataclasses.dataclass(eq=False)
class Policy:
    """Weights need not add up to one; `…_steps` map a number of steps to its weight.

    Policies are never changed; `frozen` would say so, but make each several times as slow to make.
    """

    difficulty: str = "medium"
    double: float = 0.13
    struct_parameters: float = 0.14
    nested_struct: float = 0.0
    masked_walk: float = 0.15
    inline_load: float = 0.2
    inline_result: float = 0.35
    outputs_early: float = 0.35
    helper: float = 0.15
    shuffled: float = 0.5
    inlined: float = 0.4
    dimensions: Mapping[int, float] = dataclasses.field(
        default_factory=lambda: {1: 6.0, 2: 3.0, 3: 1.5, 4: 0.3}
    )
    prologue: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {"plain": 4.0, "padded": 1.5, "masked": 1.2, "indirect": 0.8, "walk": 3.0}
    )
    walk: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {
            "reversed": 0.7,
            "blocks": 1.0,
            "stride": 1.5,
            "run": 1.0,
            "rounds": 0.6,
            "while": 0.5,
            "flat": 2.0,
            "swapped": 1.0,
            "lines": 1.5,
            "tiles": 1.0,
        }
    )
    layout: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {
            "plain": 9.0,
            "column": 0.8,
            "strided": 0.8,
            "component": 0.7,
            "gathered": 0.7,
            "broadcast": 0.5,
        }
    )
    coefficient: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {
            "literal": 2.5,
            "constant": 0.7,
            "parameter": 3.0,
            "element": 1.5,
            "table": 0.8,
            "line": 1.0,
            "graded": 0.5,
        }
    )
    conditioning: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {
            "plain": 2.0,
            "calibrated": 1.5,
            "limited": 1.0,
            "dead zone": 0.7,
            "rectified": 0.6,
            "difference": 1.0,
            "smoothed": 1.0,
            "mixed": 0.8,
            "switched": 0.8,
            "repaired": 0.7,
        }
    )
    conditioning_steps: Mapping[int, float] = dataclasses.field(default_factory=lambda: {1: 1.0})
    finish: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {
            "scaled": 1.2,
            "shifted": 0.8,
            "limited": 1.0,
            "residual": 1.0,
            "curved": 1.5,
            "weighted": 1.0,
            "gated": 0.8,
            "mirrored": 0.5,
        }
    )
    finish_steps: Mapping[int, float] = dataclasses.field(default_factory=lambda: {0: 2.0, 1: 2.5, 2: 0.8})
    store: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {
            "plain": 4.0,
            "blended": 1.0,
            "accumulated": 1.0,
            "leveled": 0.8,
            "transposed": 1.0,
            "flat": 0.8,
            "interleaved": 0.8,
            "packed": 0.8,
            "record": 0.7,
            "counted": 0.8,
            "extreme": 0.6,
        }
    )


DEFAULT = Policy()

_BY_DIFFICULTY: dict[str, Policy] = {
    "easy": Policy(
        difficulty="easy",
        double=0.05,
        struct_parameters=0.0,
        helper=0.03,
        dimensions={1: 6.0, 2: 2.0},
        prologue={"plain": 5.0, "padded": 3.0, "masked": 1.0},
        layout={"plain": 1.0},
        coefficient={"literal": 3.0, "parameter": 3.0, "element": 1.0},
        conditioning={"plain": 3.0, "calibrated": 1.0, "limited": 1.0, "rectified": 0.6, "difference": 1.0},
        finish_steps={0: 2.0, 1: 1.5},
        store={"plain": 6.0, "blended": 1.0, "accumulated": 1.0, "leveled": 0.7},
    ),
    "medium": DEFAULT,
    "hard": Policy(
        difficulty="hard",
        struct_parameters=0.2,
        helper=0.3,
        dimensions={1: 5.0, 2: 3.0, 3: 2.0, 4: 0.5},
        prologue={"plain": 2.0, "padded": 1.5, "masked": 1.5, "indirect": 1.0, "walk": 5.0},
        conditioning_steps={1: 1.0, 2: 0.6},
        finish_steps={0: 0.7, 1: 2.0, 2: 2.0},
    ),
    "expert": Policy(
        difficulty="expert",
        double=0.18,
        struct_parameters=0.25,
        helper=0.4,
        dimensions={1: 4.0, 2: 3.0, 3: 2.5, 4: 1.0},
        prologue={"plain": 1.0, "padded": 1.0, "masked": 1.0, "indirect": 1.0, "walk": 6.0},
        conditioning_steps={1: 1.0, 2: 1.5},
        finish_steps={1: 1.0, 2: 2.5, 3: 1.0},
    ),
}
_TABLES = ("prologue", "walk", "layout", "coefficient", "conditioning", "finish", "store")


def drawn_policy(rng: Random, difficulty: Mapping[str, float]) -> Policy:
    """The policy of one kernel: a difficulty as likely as its weight, and a swarm of its options."""
    policy = _BY_DIFFICULTY[rng.weighted(difficulty)]
    tables: dict[str, Any] = {name: _swarm(rng, getattr(policy, name)) for name in _TABLES}
    return Policy(**(vars(policy) | tables))


def _swarm(rng: Random, weights: Mapping[str, float]) -> dict[str, float]:
    # Five bits for each option; the first always stays.
    bits = rng.bits() << 5 | 31
    kept: dict[str, float] = {}
    for option, weight in weights.items():
        if bits & 31 >= _LEFT_OUT_OF_32:
            kept[option] = weight
        bits >>= 5
    return kept
