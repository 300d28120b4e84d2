"""What the device half of the translator hands to the host half."""

from __future__ import annotations

import dataclasses

from weft.sizes import Size
from weft.types import Type


@dataclasses.dataclass(frozen=True)
class KernelParameter:
    """One parameter of the `__global__` function.

    `kind` is 'array' (a pointer), 'value' (passed by value) or 'extent' (an int that the launch description's
    size expression `size` gives).
    """

    name: str
    c_name: str
    kind: str
    type: Type | None
    declaration: str
    c_type: str
    size: Size | None


@dataclasses.dataclass(frozen=True)
class DeviceCode:
    """Device code of one kernel, and what a launcher must know about it.

    `definitions` holds types, operators, helpers and device functions in order of use; `kernel` the
    `__global__` function with its comments. `grid_axes` are the launch sizes along x, y and z (the last
    launch dimension is x). `struct_fields` gives for each struct type in `definitions` (by C++ name) its
    members as (C++ name, C++ type, type), in declaration order.
    """

    includes: frozenset[str]
    definitions: str
    kernel: str
    kernel_c_name: str
    parameters: tuple[KernelParameter, ...]
    grid_axes: tuple[Size, ...]
    block: tuple[int, int, int]
    block_reason: str
    struct_fields: dict[str, tuple[tuple[str, str, Type], ...]]
