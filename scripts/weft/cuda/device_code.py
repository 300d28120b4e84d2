"""What the device half of the translator hands to the host half."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping

from weft.cuda.analysis.intervals import Interval, Number
from weft.cuda.grid import LINEAR, ExtentNames, Grid
from weft.cuda.launch_assumptions import Bound, Limits
from weft.sizes import Size
from weft.types import Type


@dataclasses.dataclass(frozen=True)
class Axis:
    """Axis number `number` of the array `leaf` (weft.leaves), or of the launch where `leaf` is None.

    It stands for an extent that no launch description promises: the caller says what it is.
    If `stride`, it is the distance between neighbours along the axis, the product of the extents after it.
    """

    leaf: str | None
    number: int
    stride: bool = False


@dataclasses.dataclass(frozen=True)
class KernelParameter:
    """One parameter of the `__global__` function, or a member of a struct among them.

    `kind` is 'array' (a pointer), 'value' (passed by value), 'extent' (an int: what the launch description's
    size expression `size` gives, or the extent of `axis`), 'struct' (a struct that holds arrays, passed by
    value: its `members` are in the order of the struct's definition, and its `c_type` is the struct's name),
    'texture' (a texture object over an array, whose `c_type` is that of a texel), or 'constant' (no
    parameter, but a table in constant memory). `name` is the leaf's name, `state.position` for
    a member of the parameter `state`; for a struct the path to it, for an extent ''. `c_name` is the
    parameter's or member's name in C++, `c_type` its type, of an array that of an element. An array is
    `const` if nobody writes through its pointer, and `restrict` if it overlaps with no other.
    `written` is the size as the description has it, where a name may stand for a number.
    What `launches_only` is a parameter of the launcher: the kernel itself has no use for it. A value has an
    `axis` of the launch where the launch ends at it.
    """

    name: str
    c_name: str
    kind: str
    type: Type | None
    c_type: str
    size: Size | None = None
    axis: Axis | None = None
    written: Size | None = None
    launches_only: bool = False
    members: tuple[KernelParameter, ...] = ()
    const: bool = False
    restrict: bool = False

    @property
    def declaration(self) -> str:
        """The parameter in C++."""
        if self.kind == "array":
            const, restrict = "const " * self.const, "__restrict__ " * self.restrict
            return f"{const}{self.c_type}* {restrict}{self.c_name}"
        return f"{'cudaTextureObject_t' if self.kind == 'texture' else self.c_type} {self.c_name}"


Key = tuple[str, tuple[str, ...]]


@dataclasses.dataclass(frozen=True)
class Section:
    """A definition at namespace scope: its text, and the comment before it where that is kept apart.

    `text` has marks that say where lines come from (weft.cuda.source_map) until it is formatted. `kind` is
    'type', 'table' (in constant memory), 'constant', 'helper', 'function' or 'kernel'. `types` are
    those of a function's parameters, which tell it from others of its name. `needs` are the keys of other
    sections that it refers to.
    """

    kind: str
    name: str
    text: str
    comment: str = ""
    types: tuple[str, ...] = ()
    needs: frozenset[Key] = frozenset()

    @property
    def key(self) -> Key:
        return self.name, self.types

    @property
    def is_operator(self) -> bool:
        return self.name.startswith("operator")

    @property
    def is_short(self) -> bool:
        """Whether this is one line, or an operator whose only statement has a line of its own."""
        return self.text.count("\n") <= 2 * (self.is_operator and not self.text.startswith("//"))


def text_of(sections: Iterable[Section]) -> str:
    """Sections in order. Short neighbours of one kind are not separated."""
    texts = []
    for (_, short), group in itertools.groupby(sections, lambda one: (one.kind, one.is_short)):
        texts.append(("\n" if short else "\n\n").join(one.comment + one.text for one in group))
    return "\n\n".join(texts)


@dataclasses.dataclass(frozen=True)
class DeviceCode:
    """Device code of one kernel, and what a launcher must know about it.

    `sections` are in the order of a program, the kernel last. `preconditions` are sentences that say what
    arrays must hold, also part of the kernel's comment. `covered_dims` are the launch dimensions, less the
    threads beyond the kernel's own check where all that those do is to return, and `grid` says how they lie
    on a grid. What was proved holds for sizes within `limits`, beyond which the `overflowing`
    expressions could be too large, or others if there are none. Where dimensions are inferred, the launch
    sizes are the kernel's extents of `Axis(None, dimension)`. Where `tiled`, a point of the launch is a block
    of threads, not a thread. `struct_fields` gives for each of the user's structs (by C++ name) its members
    as (C++ name, C++ type, type), in declaration order; structs that hold arrays are described by `members`
    instead. Along
    the axes of the grid in `strides` threads stride, so that any number of blocks does the same. `launcher`
    is the text of the launcher of a program of several launches, whose kernels' sections have their
    launchers, too, and `computed` has the values of its variables that hold sizes. `tables` are the arrays in
    constant memory, of which the program needs `constant_bytes`. `extent_names` has the constants that
    extents are. `allowed` has, by their C++ names, between which numbers parameters have to lie, and `bounds`
    what bounds some of them from above. `held` are the arrays that it writes and that hold no negative number
    afterwards, with the greatest that they may hold. `delimited` are the arrays that it indexes from one
    offset, which an array has, to the next.
    """

    includes: frozenset[str]
    sections: tuple[Section, ...]
    kernel_c_name: str
    parameters: tuple[KernelParameter, ...]
    struct_fields: dict[str, tuple[tuple[str, str, Type], ...]]
    grid: Grid = LINEAR
    covered_dims: tuple[Size, ...] = ()
    limits: Limits = dataclasses.field(default_factory=Limits)
    overflowing: tuple[str, ...] = ()
    tiled: bool = False
    preconditions: tuple[str, ...] = ()
    strides: str = ""
    launcher: str | None = None
    tables: tuple[KernelParameter, ...] = ()
    constant_bytes: int = 0
    extent_names: ExtentNames = dataclasses.field(default_factory=ExtentNames)
    allowed: dict[str, Interval] = dataclasses.field(default_factory=dict)
    bounds: tuple[Bound, ...] = ()
    held: Mapping[str, Number] = dataclasses.field(default_factory=dict)
    delimited: frozenset[str] = frozenset()
    computed: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def types(self) -> tuple[Section, ...]:
        """The definitions of types."""
        return tuple(section for section in self.sections if section.kind == "type")

    @property
    def kernels(self) -> tuple[Section, ...]:
        """The kernel; all of a program of several launches."""
        return tuple(section for section in self.sections if section.kind == "kernel")

    @property
    def definitions(self) -> str:
        """The text of what stands before the kernel in a program."""
        return text_of(section for section in self.sections if section.kind != "kernel") + "\n"

    @property
    def kernel(self) -> str:
        """The text of the kernel."""
        return text_of(self.kernels) + "\n"
