"""Whether a sample's outputs are worth comparing with: determined, written, finite, and not all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from weft.errors import KernelError
from weft.inputs import FILL_BYTE
from weft.reference.cases import Case
from weft.reference.job import Job
from weft.reference.layout import Packed, differs
from weft.types import Array

OTHER_FILL_BYTE = 0xFF ^ FILL_BYTE
"""What `out` arrays hold before the second run: no bit as in the first."""

Written = npt.NDArray[np.bool_]


class OutputChecks:
    """Looks at the outputs of one case after the other; `finish` judges them together."""

    def __init__(self, job: Job) -> None:
        self._generated = job.generated
        self._roles = {
            name: job.launch.parameters[name].role
            for name, kind in job.signature
            if isinstance(kind, Array) and job.launch.parameters[name].role != "in"
        }
        self._written: set[str] = set()
        self._varying: set[str] = set()
        self._first: dict[tuple[str, str], float] = {}
        self._seen: Counter[tuple[str, str]] = Counter()

    def compare_runs(
        self,
        case: Case,
        inputs: Mapping[str, Packed],
        first: Mapping[str, Packed],
        second: Mapping[str, Packed],
    ) -> dict[str, Written]:
        """The written components (bool [elements, components]) of every `out` array.

        `first` and `second` are the arrays after two runs, in which FILL_BYTE and OTHER_FILL_BYTE filled the
        `out` arrays before; they are the same object where there was one run only.
        Raises KernelError: `non_deterministic`, `nan`.
        """
        written = {}
        for name, role in self._roles.items():
            a, b = first[name], second[name]
            if role == "out":
                mask = differs(a, inputs[name])
                if second is not first:
                    other_before = np.full(b.nbytes, OTHER_FILL_BYTE, dtype=np.uint8).view(b.dtype)
                    mask |= differs(b, other_before)
                written[name] = changed = mask
            else:
                mask = np.ones((len(a), len(a.dtype.names or ())), dtype=np.bool_)
                changed = differs(a, inputs[name])
            if changed.any():
                self._written.add(name)
            if (differs(a, b) & mask).any():
                raise KernelError(
                    "non_deterministic",
                    f"{name!r} depends on what 'out' arrays held before the launch, in case n = {case.size}, "
                    f"seed {case.seed}: an element is read before it is written, or read out of bounds",
                )
            self._look_at_values(name, case, a, mask)
        return written

    def _look_at_values(self, name: str, case: Case, packed: Packed, mask: Written) -> None:
        for component, field in enumerate(packed.dtype.names or ()):
            values = packed[field][mask[:, component]]
            if not len(values):
                continue
            if self._generated and values.dtype.kind == "f" and not np.isfinite(values).all():
                raise KernelError(
                    "nan", f"{name!r} holds NaN or infinity in case n = {case.size}, seed {case.seed}"
                )
            self._seen[name, field] += len(values)
            if name in self._varying:
                continue
            first = self._first.setdefault((name, field), float(values[0]))
            same = (values == first) | (np.isnan(first) & (values != values))
            if not same.all():
                self._varying.add(name)

    def finish(self) -> None:
        """Judge all cases together. Every output of a generated kernel must say something; of a user's
        kernel, one is enough.

        Raises KernelError: `no_output`, `constant_output`.
        """
        if not self._written:
            raise KernelError("no_output", "no case changed any output array")
        first = {repr(value + 0.0) for value in self._first.values()}
        if not self._varying and len(first) == 1 and self._seen.total() > 1:
            raise KernelError("constant_output", f"every output of every case is {first.pop()}")
        for name in self._roles if self._generated else ():
            if name not in self._written:
                raise KernelError("no_output", f"no case changed {name!r}")
            if name not in self._varying and max(self._seen[one] for one in self._seen if one[0] == name) > 1:
                raise KernelError("constant_output", f"every element of {name!r} is the same in every case")
