"""What the device half of the translator hands to the host half."""

from __future__ import annotations

import dataclasses

from weft.cuda.grid import LINEAR, Grid
from weft.sizes import Size
from weft.types import Type


@dataclasses.dataclass(frozen=True)
class Axis:
    """Axis number `number` of the array `leaf` (weft.leaves), or of the launch where `leaf` is None.

    It stands for an extent that no launch description promises: the array file, or `--dims`, says what it is.
    If `stride`, it is the distance between neighbours along the axis, the product of the extents after it.
    """

    leaf: str | None
    number: int
    stride: bool = False


@dataclasses.dataclass(frozen=True)
class KernelParameter:
    """One parameter of the `__global__` function, or a member of a struct among them.

    `kind` is 'array' (a pointer), 'value' (passed by value), 'extent' (an int: what the launch description's
    size expression `size` gives, or the extent of `axis`; one of them is None), 'struct' (a struct that
    holds arrays, passed by value: its `members` are in the order of the struct's definition, and its `c_type`
    is the struct's name), 'texture' (a texture object over an array, whose `c_type` is that of a texel), or
    'constant' (no parameter, but a table in constant memory). `name` is the leaf's name, `state.position` for
    a member of the parameter `state`; for a struct the path to it, for an extent ''. `c_name` is the
    parameter's or member's name in C++.
    What `launches_only` is a parameter of the launcher: the kernel itself has no use for it.
    """

    name: str
    c_name: str
    kind: str
    type: Type | None
    declaration: str
    c_type: str
    size: Size | None
    axis: Axis | None = None
    launches_only: bool = False
    members: tuple[KernelParameter, ...] = ()


@dataclasses.dataclass(frozen=True)
class DeviceCode:
    """Device code of one kernel, and what a launcher must know about it.

    `structs` holds the definitions of types by C++ name, `functions` constants, operators, helpers and device
    functions, both in order of use; `kernel` is the `__global__` function with its comments. `covered_dims`
    are the launch dimensions, less the threads beyond the kernel's own check where all that those do is to
    return, and `grid` says how they lie on a grid. What was proved holds for base sizes up to `base_limit`,
    for all if that is None. Where dimensions are inferred, the launch sizes are the kernel's extents of
    `Axis(None, dimension)`. Where `tiled`, a point of the launch is a block of threads, not a thread.
    `struct_fields` gives for each of the user's structs (by C++ name) its members as (C++ name, C++ type,
    type), in declaration order; structs that hold arrays are described by `members` instead. `launcher` is
    the text of the launcher of a program of several launches, whose `kernel` has the launchers of its
    kernels. `tables` are the arrays in constant memory, of which the program needs `constant_bytes`.
    """

    includes: frozenset[str]
    structs: dict[str, str]
    functions: str
    kernel: str
    kernel_c_name: str
    parameters: tuple[KernelParameter, ...]
    struct_fields: dict[str, tuple[tuple[str, str, Type], ...]]
    grid: Grid = LINEAR
    covered_dims: tuple[Size, ...] = ()
    base_limit: int | None = None
    tiled: bool = False
    launcher: str | None = None
    tables: tuple[KernelParameter, ...] = ()
    constant_bytes: int = 0

    @property
    def definitions(self) -> str:
        """What stands before the kernel in a program."""
        tables = "\n".join(f"{table.declaration};" for table in self.tables)
        return "\n\n".join(text for text in (*self.structs.values(), tables, self.functions) if text) + "\n"
