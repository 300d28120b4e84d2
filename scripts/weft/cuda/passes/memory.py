"""Passes: arrays that the launch description wants read as textures, or through the read-only path.

`use_textures` stands before the layout: elements of a texture become fetches, with an index for each
dimension. `use_read_only` stands after it: loads of scalars and vectors become `__ldg`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterable, Mapping

from weft.cuda.c_types import c_type
from weft.cuda.contents import leaf_of
from weft.cuda.helpers.read_only import READ_ONLY_HELPER, has_read_only_load
from weft.cuda.helpers.text import scalar_of
from weft.cuda.sizes import canonical_size
from weft.cuda.traverse import all_expressions, rewrite_block
from weft.cuda.tree import (
    FLOAT,
    INT,
    AddressOf,
    Binary,
    Call,
    Component,
    Element,
    Expression,
    Extent,
    Function,
    Literal,
    Member,
    Name,
    Pointee,
)
from weft.function_source import FunctionSource
from weft.launch import Launch
from weft.types import Array, Matrix, Quaternion, Scalar, Transform, Type, Vector

CONSTANT_BYTES = 65536
"""Constant memory of a program (CUDA C++ Programming Guide, "Technical Specifications")."""

_FETCHES = {1: "tex1Dfetch", 2: "tex2D"}
_TEXEL_SCALARS = ("int8", "int16", "int32", "uint8", "uint16", "uint32", "float32")


def arrays_in(launch: Launch, memory: str) -> set[str]:
    """Names of the arrays that are described as being in a kind of memory."""
    return {name for name, parameter in launch.parameters.items() if parameter.memory == memory}


def require_unwritten(source: FunctionSource, launch: Launch, written: Collection[str]) -> None:
    """Refuse a kernel that writes an array that is described as being in memory for reading."""
    for name in sorted(written):
        memory = launch.parameters[name].memory if name in launch.parameters else "global"
        if memory != "global":
            message = f"{name!r} is written, and its memory {memory!r} is for reading"
            raise source.refusal(source.parameter(name), message)


def use_textures(kernel: Function, source: FunctionSource, launch: Launch) -> None:
    """Fetches for the elements of textures. Refuses arrays that a texture cannot hold, and any use of them
    other than reading elements in the kernel itself.
    """
    textures = {name: kind for name, kind in kernel.parameters if name in arrays_in(launch, "texture")}
    for name in sorted(arrays_in(launch, "texture") - textures.keys()):
        raise source.refusal(source.definition, f"{name!r} cannot be a texture: it is a member of a struct")
    for name, kind in textures.items():
        if launch.parameters[name].strides:
            raise source.refusal(source.parameter(name), f"{name!r} cannot be a texture: it has strides")
        if (problem := _no_texture(kind)) is not None:
            raise source.refusal(source.parameter(name), f"{name!r} cannot be a texture: {problem}")
    if not textures:
        return

    def fetch(expression: Expression) -> Expression:
        match expression:
            case Element(array=Name(name=name)) if name in textures:
                return _fetch(expression, source)
            case _:
                return expression

    rewrite_block(kernel.body, fetch)
    nodes = all_expressions(kernel.body)
    elements = {id(node.array) for node in nodes if isinstance(node, Extent)}
    elements |= {id(node.arguments[0]) for node in nodes if isinstance(node, Call) and _is_fetch(node)}
    for node in nodes:
        if isinstance(node, Name) and node.name in textures and id(node) not in elements:
            message = f"{node.name!r} is a texture: only its elements can be used, in the kernel itself"
            raise source.refusal(source.parameter(node.name), message)


def _no_texture(kind: Type) -> str | None:
    """Why an array has no form as a texture; None if it has one."""
    assert isinstance(kind, Array)
    if kind.ndim not in _FETCHES:
        return f"textures of arrays have one or two dimensions, not {kind.ndim}"
    element = kind.element
    scalar = element.scalar if isinstance(element, Vector) else element
    components = element.length if isinstance(element, Vector) else 1
    if isinstance(scalar, Scalar) and scalar.name in _TEXEL_SCALARS and components in (1, 2, 4):
        return None
    return f"a texel is 1, 2 or 4 numbers of 8, 16 or 32 bits, not {element} (read_only takes any element)"


def _fetch(element: Element, source: FunctionSource) -> Expression:
    """`tex1Dfetch<float>(image, i)`, `tex2D<float>(image, column + 0.5f, row + 0.5f)`."""
    array = element.array
    assert isinstance(array, Name) and isinstance(array.type, Array)
    if isinstance(element.type, Array):
        message = f"{array.name!r} is a texture: give all of its indices at once"
        raise source.refusal(element.node or source.definition, message)
    indices = []
    wraps = [*element.wraps, *[False] * array.type.ndim]
    for axis, index in enumerate(element.indices):
        index = _from_the_end(index, Extent(INT, array, axis)) if wraps[axis] else index
        indices.append(_center(index) if array.type.ndim > 1 else index)
    name = f"{_FETCHES[array.type.ndim]}<{c_type(element.type)}>"
    return Call(element.type, name, [Name(array.type, array.name), *reversed(indices)])


def _center(index: Expression) -> Expression:
    """The coordinate of the middle of a texel."""
    match index:
        case Literal(value=int(place)):
            return Literal(FLOAT, place + 0.5)
        case Binary(operator="+" | "-" as operator, left=left, right=Literal(value=int(step))):
            # Places of texels are floats, and so are those of their neighbours.
            if operator == "-":
                return Binary(FLOAT, "-", left, Literal(FLOAT, step - 0.5))
            return Binary(FLOAT, "+", left, Literal(FLOAT, step + 0.5))
        case _:
            return Binary(FLOAT, "+", index, Literal(FLOAT, 0.5))


def _from_the_end(index: Expression, extent: Extent) -> Expression:
    """An index that may be negative and then counts from the end."""
    if isinstance(index, Literal) and isinstance(index.value, int):
        return Binary(INT, "-", extent, Literal(INT, -index.value)) if index.value < 0 else index
    return Call(INT, "wrap_index", [index, extent], ("wrap_index", ()))


def _is_fetch(expression: Call) -> bool:
    return expression.function.partition("<")[0] in _FETCHES.values()


def use_read_only(kernel: Function, launch: Launch) -> None:
    """`__ldg` for what the kernel itself loads from arrays in read-only memory.

    Structs as a whole, and what functions load, are left to the compiler, which may take the same path where
    it sees `const` and `__restrict__`.
    """
    arrays = arrays_in(launch, "read_only")
    if arrays:
        rewrite_block(kernel.body, lambda expression: _load(expression, arrays))


def _load(expression: Expression, arrays: set[str]) -> Expression:
    """The load that stands for a place in one of the arrays; its parts are loads already."""
    match expression:
        case AddressOf(place=Call() as load) if _is_load(load):
            return dataclasses.replace(expression, place=_loaded(load))
        case Pointee(base=base, address=False) if leaf_of(base) in arrays:
            return _load_from(expression)
        case Member(value=value) | Component(value=value) if _is_load(value) or _is_place(value, arrays):
            return _load_from(dataclasses.replace(expression, value=_loaded(value)))
        case _:
            return expression


def _load_from(place: Expression) -> Expression:
    kind = place.type
    address = AddressOf(kind, place)
    if has_read_only_load(kind):
        return Call(kind, "__ldg", [address])
    if isinstance(kind, Vector | Matrix | Quaternion | Transform) and has_read_only_load(scalar_of(kind)):
        return Call(kind, READ_ONLY_HELPER, [address], (READ_ONLY_HELPER, (kind,)))
    return place


def _is_load(expression: Expression) -> bool:
    return isinstance(expression, Call) and expression.function in ("__ldg", READ_ONLY_HELPER)


def _loaded(expression: Expression) -> Expression:
    """The place that a load reads; a place itself is one."""
    if isinstance(expression, Call):
        address = expression.arguments[0]
        assert isinstance(address, AddressOf)
        return address.place
    return expression


def _is_place(expression: Expression, arrays: set[str]) -> bool:
    """Whether this is a struct in one of the arrays, which is no load by itself."""
    match expression:
        case Pointee(base=base, address=False):
            return leaf_of(base) in arrays
        case Member(value=value) | Component(value=value):
            return _is_place(value, arrays)
        case _:
            return False


@dataclasses.dataclass(frozen=True)
class Table:
    """An array in constant memory: the parameter `name`, its type and shape, and under which name it is a
    constant of the program.
    """

    name: str
    type: Array
    shape: tuple[int, ...]
    constant: str

    @property
    def count(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)


def constant_tables(
    kernel: Function, source: FunctionSource, launch: Launch, captured: Collection[str]
) -> list[Table]:
    """The arrays in constant memory; `captured` are the user's constants. Refuses arrays of unknown size."""
    tables = []
    for name in sorted(arrays_in(launch, "constant")):
        kind = dict(kernel.parameters).get(name)
        if not isinstance(kind, Array):
            message = f"{name!r} cannot be a constant table: it is a member of a struct"
            raise source.refusal(source.definition, message)
        parameter = launch.parameters[name]
        shape = [canonical_size(extent, launch.sizes) for extent in parameter.shape]
        if parameter.strides or not all(isinstance(extent, int) for extent in shape):
            message = f"{name!r} cannot be a constant table: its shape must be numbers, without strides"
            raise source.refusal(source.parameter(name), message)
        extents = tuple(int(extent) for extent in shape)
        tables.append(Table(name, kind, extents, f"{name}_table" if name in captured else name))
    return tables


def require_constant_space(source: FunctionSource, bytes_of: Mapping[str, int]) -> None:
    """Refuse tables, by name, that need more than a program's constant memory."""
    total = sum(bytes_of.values())
    if total > CONSTANT_BYTES:
        largest = max(bytes_of, key=lambda name: bytes_of[name])
        message = (
            f"constant tables of {total} bytes: a program has {CONSTANT_BYTES} (read_only takes any size)"
        )
        raise source.refusal(source.parameter(largest), message)


def move_tables(kernel: Function, tables: Iterable[Table]) -> None:
    """Make tables constants of the program, no longer parameters of the kernel."""
    constants = {table.name: table.constant for table in tables}
    if not constants:
        return
    kernel.parameters = [(name, kind) for name, kind in kernel.parameters if name not in constants]
    for expression in all_expressions(kernel.body):
        if isinstance(expression, Name) and expression.name in constants:
            expression.name = constants[expression.name]
