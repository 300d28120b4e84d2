"""Warp's own way to gradients, its tape: the only module of this stage that imports Warp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import warp as wp

from weft.errors import KernelError
from weft.gradients.passes import Restore
from weft.reference.warp_cpu import NativeStruct


class _Tape(wp.Tape):  # type: ignore[misc]  # Warp has no types.
    """A tape that knows the structs that weft.reference.warp_cpu launches kernels with.

    With a snapshot, each launch goes backwards with the arrays as they were before it.
    """

    def __init__(self, snapshot: Callable[[], Restore] | None) -> None:
        super().__init__()
        self._snapshot = snapshot
        self._restore = snapshot() if snapshot else None

    def record_launch(self, *arguments: Any, **options: Any) -> None:
        super().record_launch(*arguments, **options)
        if self._snapshot:
            self.launches.append(self._restore)
            self._restore = self._snapshot()

    def get_adjoint(self, a: Any) -> Any:
        return a.gradient() if isinstance(a, NativeStruct) else super().get_adjoint(a)


def record(launch: Callable[[], None], snapshot: Callable[[], Restore] | None) -> Callable[[], None]:
    """Make launches, and return what runs them backwards.

    In between, the gradients of outputs are set. With `snapshot`, which no user's tape has, what a launch
    overwrites is put back before it goes backwards. Raises KernelError (`warp_error`) for what Warp refuses.
    """
    tape = _Tape(snapshot)
    with tape:
        launch()

    def backward() -> None:
        try:
            tape.backward()
        except Exception as error:
            raise KernelError("warp_error", f"{type(error).__name__}: {error}") from error

    return backward
