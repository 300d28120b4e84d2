"""Warp's own way to gradients, its tape: the only module of this stage that imports Warp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import warp as wp

from weft.errors import KernelError
from weft.reference.warp_cpu import NativeStruct


class _Tape(wp.Tape):  # type: ignore[misc]  # Warp has no types.
    """A tape that knows the structs that weft.reference.warp_cpu launches kernels with."""

    def get_adjoint(self, a: Any) -> Any:
        return a.gradient() if isinstance(a, NativeStruct) else super().get_adjoint(a)


def record(launch: Callable[[], None]) -> Callable[[], None]:
    """Make launches, and return what runs them backwards.

    In between, the gradients of outputs are set. Raises KernelError (`warp_error`) for what Warp refuses.
    """
    tape = _Tape()
    with tape:
        launch()

    def backward() -> None:
        try:
            tape.backward()
        except Exception as error:
            raise KernelError("warp_error", f"{type(error).__name__}: {error}") from error

    return backward
