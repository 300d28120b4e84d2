"""Every probability of the generator, in one place."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping


@dataclasses.dataclass(frozen=True)
class Policy:
    """Weights need not add up to one."""

    double: float = 0.13
    struct_parameters: float = 0.14
    inline_load: float = 0.2
    inline_result: float = 0.35
    outputs_early: float = 0.35
    dimensions: Mapping[int, float] = dataclasses.field(default_factory=lambda: {1: 6.0, 2: 3.0, 3: 1.5})
    prologue: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {"plain": 5.0, "padded": 2.0, "masked": 1.5, "indirect": 1.0}
    )
    coefficient: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {"literal": 3.0, "parameter": 4.0, "element": 2.0}
    )
    conditioning: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {
            "plain": 3.0,
            "calibrated": 1.5,
            "limited": 1.0,
            "dead zone": 0.7,
            "rectified": 0.6,
            "difference": 1.2,
        }
    )
    finish: Mapping[str, float] = dataclasses.field(
        default_factory=lambda: {
            "plain": 3.0,
            "scaled": 1.5,
            "limited": 1.0,
            "blended": 1.2,
            "residual": 1.0,
            "curved": 1.5,
            "leveled": 1.0,
            "accumulated": 1.0,
            "weighted": 1.0,
        }
    )


DEFAULT = Policy()
