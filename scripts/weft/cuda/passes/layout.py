"""Pass: arrays become pointers, and what is known of their shapes becomes parameters.

Before: elements have one index a dimension; `shape[k]` is asked of an array. After: elements are
`pointer[offset]`, row-major unless the array is strided; extents are parameters, one for all that are equal
by the launch description; the thread's place and the bounds check are written out. Functions that take arrays
get the extents that they need as parameters, structs that hold arrays as members, and variables that hold
different views in their life as variables beside them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from weft.cuda.contents import contents, mentioned_names
from weft.cuda.passes.extent_parameters import ExtentParameter, ExtentParameters
from weft.cuda.passes.launch_place import LaunchPlace
from weft.cuda.passes.offsets import plus, times, widened
from weft.cuda.passes.own_element import use_one_row
from weft.cuda.passes.points_to import PointsTo, field_slot
from weft.cuda.passes.shapes import Needs, Shapes, ViewError, member_name
from weft.cuda.traverse import LEAVES, blocks, clone, names_of, replace_children, rewrite_own, walk
from weft.cuda.tree import (
    INT,
    Assign,
    Call,
    Cast,
    Conditional,
    Construct,
    Declare,
    Element,
    Expression,
    Extent,
    Function,
    Literal,
    LocalArray,
    Member,
    Name,
    Pointee,
    Reshaped,
    Slice,
    Statement,
    Threads,
    Unpack,
)
from weft.function_source import FunctionSource
from weft.launch import Launch
from weft.types import Array, Scalar, Struct, Structs


class Layout:
    """The pass for one record; functions go callees first, the kernel last.

    `warps` is how many of a block have a tile of their own; `extents` collects, for each function by key, its
    extent parameters, of device functions by array and axis; `place` says how the launch lies on the grid.
    """

    def __init__(
        self, launch: Launch, points_to: PointsTo, structs: Structs, needs: Needs, warps: int
    ) -> None:
        self.launch = launch
        self.warps = warps
        self.points_to = points_to
        self.structs = structs
        self.needs = needs
        self.written = points_to.written_leaves()
        self.extents: dict[str, list[ExtentParameter]] = {}
        self.place: LaunchPlace | None = None

    def run(self, function: Function, source: FunctionSource) -> None:
        """Run the pass on one function. Refuses views that have no pointer form."""
        self.key = function.key
        before = contents(function)
        parameters = ExtentParameters(before, self.launch, self.written)
        self.parameters = parameters
        self.extents[function.key] = parameters.parameters
        self.shapes = Shapes(before, parameters, self.points_to, self.structs, self.needs, self._lower)
        if function.kernel:
            self.place = LaunchPlace(self.launch, self.written, parameters, self.warps)
            position = next((i for i, s in enumerate(function.body) if isinstance(s, Threads)), None)
            if position is not None:
                threads = function.body[position]
                assert isinstance(threads, Threads)
                rest = self.place.replace(threads, function.body[position + 1 :])
                function.body[position:] = rest
        self.statement: Statement | None = None
        try:
            self._block(function.body)
        except ViewError as error:
            node = self.statement.node if self.statement is not None else None
            raise source.refusal(node or source.definition, str(error)) from error
        if not function.kernel:
            parameters.parameters.sort(key=lambda one: (one.position, one.stride, one.number))
        if self.place is not None and self.launch.block_dim is not None:
            self.place.count_blocks(function)
        if self.place is not None:
            self._use_one_row(function, self.place)
            parameters.order_axes()

    def _use_one_row(self, kernel: Function, launch: LaunchPlace) -> None:
        """One row of threads where that is enough; the kernel keeps the extents that it then needs."""
        if launch.place is not None:
            extents = tuple(map(self._lower, launch.place.extents))
            launch.place = dataclasses.replace(launch.place, extents=extents)
            use_one_row(kernel, launch)
            used = mentioned_names(kernel.body)
            launched = [self.parameters.holder(dim) for dim in launch.covered]
            counted = names_of(launched)
            self.parameters.parameters[:] = [
                dataclasses.replace(one, launches_only=one.launches_only or one.name not in used)
                for one in self.parameters.parameters
                if one.name in used | counted
            ]

    def _block(self, block: list[Statement]) -> None:
        position = 0
        while position < len(block):
            statement = block[position]
            for inner in blocks(statement):
                self._block(inner)
            self.statement = statement
            shape = self._shape_after(statement)
            rewrite_own(statement, self._lower)
            if _does_nothing(statement):
                block.pop(position)
                position -= 1
            block[position + 1 : position + 1] = shape
            position += 1 + len(shape)

    def _shape_after(self, statement: Statement) -> list[Statement]:
        """Statements that keep the shape of the array that `statement` puts into a variable or field."""
        match statement:
            case Declare(name=name, type=Array(), value=value):
                slot = (self.key, name)
                statement.read_only = slot not in self.points_to.written
                return [
                    Declare(
                        INT,
                        self.shapes.shadow(name, quantity),
                        self._asked(value, quantity),
                        statement.constant,
                    )
                    for quantity in self.shapes.keeps(name)
                ]
            case Assign(target=Name(name=name, type=Array()), value=value):
                self._require_other_test(name, value)
                return [
                    Assign(Name(INT, self.shapes.shadow(name, quantity)), "", self._known(value, quantity))
                    for quantity in self.shapes.keeps(name)
                ]
            case Assign(target=Member(value=whole, path=path, type=Array()), value=value) if isinstance(
                whole.type, Struct
            ):
                struct, field = whole.type.name, path.removeprefix(".")
                return [
                    Assign(
                        Member(
                            INT,
                            self._lower(clone(whole)),
                            f".{member_name(self.structs, struct, field, quantity)}",
                        ),
                        "",
                        self._known(value, quantity),
                    )
                    for quantity in self.needs.of(field_slot(struct, field))
                ]
            case Unpack(names=names):
                if any(self.shapes.keeps(name) for name in names):
                    raise ViewError
                return []
            case _:
                return []

    def _require_other_test(self, name: str, value: Expression) -> None:
        """Refuse a choice between views by the view that is replaced: its shape is chosen after it."""
        tests = [part.test for part in walk(value) if isinstance(part, Conditional)]
        read = names_of(part for test in tests for part in walk(test))
        if name in read and self.shapes.keeps(name):
            raise ViewError(f"give this choice a name first: it depends on {name!r}, which it replaces")

    def _asked(self, value: Expression | None, quantity: tuple[bool, int]) -> Expression | None:
        return None if value is None else self._known(value, quantity)

    def _known(self, value: Expression, quantity: tuple[bool, int]) -> Expression:
        """An extent or stride of an array value; those of no array are zero."""
        stride, axis = quantity
        if isinstance(value, Construct):
            return Literal(INT, 0)
        return self.shapes.stride(value, axis) if stride else self.shapes.extent(value, axis)

    def _lower(self, expression: Expression) -> Expression:
        if expression.__class__ in LEAVES:
            return expression
        if isinstance(expression, Call):
            if expression.user:
                self._pass_extents(expression)
            if expression.helper and expression.helper[0] == "lower_bound":
                self._require_neighbours(expression)
        match expression:
            case Extent(array=array, axis=axis, stride=stride):
                return self._known(array, (stride, axis))
            case Element(type=kind):
                base, offset = self._place(expression)
                if isinstance(kind, Array) and isinstance(offset, Literal) and offset.value == 0:
                    return base
                return Pointee(kind, base, offset, address=isinstance(kind, Array))
            case LocalArray():
                self._require_own(expression)
                return expression
            case Reshaped(array=array):
                return self._lower(array)
            case Construct(type=Struct(name=struct), arguments=arguments) if arguments:
                expression.arguments = self._with_shapes(struct, arguments)
                return expression
            case _:
                replace_children(expression, self._lower)
                return expression

    def _require_own(self, array: LocalArray) -> None:
        """Refuse an array that is not that of one variable all its life, or that needs an atomic."""
        statement = self.statement
        if not isinstance(statement, Declare) or statement.value is not array or not statement.constant:
            raise ViewError("an array that is made in a kernel must be given to one new name")
        slot = (self.key, statement.name)
        if self.points_to.leaves_function(slot):
            raise ViewError("an array that is made in a kernel cannot be returned or kept in a struct")
        if slot in self.points_to.updated:
            raise ViewError("atomics on an array that is made in a kernel are not supported: assign elements")

    def _with_shapes(self, struct: str, arguments: list[Expression]) -> list[Expression]:
        """The arguments of a struct's constructor, with the members that keep shapes."""
        result = []
        for (field, kind), argument in zip(self.structs[struct], arguments, strict=True):
            shape = []
            if isinstance(kind, Array):
                needed = self.needs.of(field_slot(struct, field))
                shape = [self._known(argument, quantity) for quantity in needed]
            result += [self._lower(argument), *shape]
        return result

    def _require_neighbours(self, call: Call) -> None:
        """Refuse a search in an array whose elements do not lie next to each other."""
        if self.points_to.is_strided(call.arguments[0], self.key):
            raise ViewError("a search in a strided array is not supported: copy it")

    def _pass_extents(self, call: Call) -> None:
        """Append the extents that the function needs, taken from the arrays that are passed."""
        for extent in self.extents.get(call.user or "", []):
            array = clone(call.arguments[extent.position])
            call.arguments.append(Extent(INT, array, extent.number, extent.stride))

    def _place(self, array: Expression) -> tuple[Expression, Expression]:
        """The pointer and the offset of an element or view."""
        if not isinstance(array, Element):
            return self._lower(array), Literal(INT, 0)
        offset = self._offset(array.array, array.indices, array.wraps)
        base, before = self._place(array.array)
        return base, plus(before, offset)

    def _offset(self, array: Expression, indices: Sequence[Expression], wraps: Sequence[bool]) -> Expression:
        """Row-major: (i * cols + j) * depth + k, followed by the extents that a view leaves out."""
        assert isinstance(array.type, Array)
        flags = [*wraps, *[True] * (len(indices) - len(wraps))]
        places = [
            self._index(array, axis, *pair) for axis, pair in enumerate(zip(indices, flags, strict=True))
        ]
        wide = self.points_to.is_wide(array, self.key)
        offset: Expression = Literal(INT, 0)
        if self.points_to.is_strided(array, self.key):
            for axis, place in enumerate(places):
                stride = self.shapes.stride(array, axis)
                if wide and not _is_small(stride) and not _is_small(place):
                    place = widened(place, signed=True)
                offset = plus(offset, times(place, stride))
            return offset
        for axis in range(array.type.ndim):
            if offset != Literal(INT, 0):
                extent = self.shapes.extent(array, axis)
                known = isinstance(extent, Literal) and isinstance(offset, Literal)
                if wide and not known and not _is_small(extent) and not _is_small(offset):
                    offset = widened(offset)
                offset = times(offset, extent)
            if axis < len(places):
                offset = plus(offset, places[axis])
        return offset

    def _index(self, array: Expression, axis: int, index: Expression, may_be_negative: bool) -> Expression:
        """The place of an index along its axis: negative ones count from the end."""
        if isinstance(index, Slice):
            rising = isinstance(index.step, Literal) and int(index.step.value) > 0
            if rising and not index.start:
                return Literal(INT, 0)
            if rising and not may_be_negative:
                return self._lower(index.start[0])
            return self.shapes.slice_start(index, self.shapes.extent(array, axis))
        lowered = _as_int(self._lower(index))
        if not may_be_negative:
            return lowered
        extent = self.shapes.extent(array, axis)
        if isinstance(lowered, Literal) and isinstance(lowered.value, int):
            return plus(extent, lowered)
        return Call(INT, "wrap_index", [lowered, extent], ("wrap_index", ()))


def _does_nothing(statement: Statement) -> bool:
    """Whether a view begins where the view begins that it replaces; only its shape is another."""
    if not isinstance(statement, Assign) or not isinstance(statement.value.type, Array):
        return False
    return statement.value == statement.target


def _is_small(factor: Expression) -> bool:
    """Whether a product with this factor is no larger than the other factor."""
    return isinstance(factor, Literal) and factor.value in (-1, 0, 1)


def _as_int(index: Expression) -> Expression:
    """An index as an int, which Warp makes of any index; what only widens an int is dropped."""
    match index:
        case Literal(value=int(value)):
            return Literal(INT, value)
        case Cast(type=Scalar(name="int64"), operand=operand) if operand.type == INT:
            return operand
        case _:
            return index
