"""Pass: indexed arrays and arrays in buckets become the plain arrays that they are made of.

Before: an element of any array has the indices that the source gives it. After: all arrays are plain; an
index along an axis with a list is looked up there, an element in a bucket is found by the tables, and
functions, structs and variables have each part of an array (weft.array_parts) in place of the whole.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from weft.array_parts import Part, array_parts, has_rows, is_in_buckets, is_plain
from weft.cuda.contents import assigned_names, leaf_of
from weft.cuda.passes.offsets import plus
from weft.cuda.slices import repeatable
from weft.cuda.traverse import blocks, clone, replace_children, rewrite_own, walk
from weft.cuda.tree import (
    INT,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Construct,
    Element,
    Expression,
    Extent,
    Function,
    If,
    Literal,
    Member,
    Name,
    Return,
    Slice,
    Statement,
    Unary,
    Unpack,
    While,
)
from weft.function_source import FunctionSource
from weft.launch import Launch
from weft.leaves import with_parts
from weft.types import Array, IndexedBucketArray, Struct, Structs, Type


class _UnsupportedUseError(Exception):
    """A use of an indexed array, or of one in buckets, that has no plain form; the message says which."""


def use_parts(
    functions: Sequence[Function], sources: Sequence[FunctionSource], structs: Structs, launch: Launch
) -> None:
    """Run the pass on all functions of a record, whose structs have whole arrays. Refuses uses of those other
    than their elements and extents.
    """
    fields = [kind for members in structs.values() for _, kind in members]
    parameters = [kind for function in functions for _, kind in function.parameters]
    if any(_is_whole(kind) for kind in (*fields, *parameters)):
        for function, source in zip(functions, sources, strict=True):
            _Parts(function, source, launch).run()


def _is_whole(type: object) -> bool:
    return isinstance(type, Array) and not is_plain(type)


class _Parts:
    def __init__(self, function: Function, source: FunctionSource, launch: Launch) -> None:
        self.function = function
        self.source = source
        self.launch = launch
        self.assigned = assigned_names(function.body)
        self.leaves = {name for name, _ in function.parameters} if function.kernel else set()

    def run(self) -> None:
        function = self.function
        self._require_result(function.result)
        function.parameters = with_parts(function.parameters)
        self._block(function.body)

    def _require_result(self, result: Type | tuple[Type, ...] | None) -> None:
        if any(map(_is_whole, result if isinstance(result, tuple) else (result,))):
            raise self.source.refusal(
                self.source.definition, "a function that returns an indexed array is not supported"
            )

    def _block(self, block: list[Statement]) -> None:
        position = 0
        while position < len(block):
            statement = block[position]
            for inner in blocks(statement):
                self._block(inner)
            try:
                replaced = self._statement(statement)
            except _UnsupportedUseError as error:
                raise self.source.refusal(statement.node or self.source.definition, str(error)) from error
            block[position : position + 1] = replaced
            position += len(replaced)

    def _statement(self, statement: Statement) -> list[Statement]:
        match statement:
            case Assign(target=target, value=value) if _is_whole(value.type):
                return self._assign(statement, target, value)
            case Unpack(types=types) if any(map(_is_whole, types)):
                raise _UnsupportedUseError("an indexed array among several results is not supported")
            case Return(values=values) if any(_is_whole(value.type) for value in values):
                raise _UnsupportedUseError("a function that returns an indexed array is not supported")
            case If(test=test) | While(test=test):
                statement.test = self._truth(test)
                return [statement]
        rewrite_own(statement, self._lower)
        return [statement]

    def _assign(self, statement: Assign, target: Expression, value: Expression) -> list[Statement]:
        """A variable or field for each part."""
        if not isinstance(target, Name | Member):
            raise _UnsupportedUseError(
                "assigning to a view of an array is not supported: assign its elements"
            )
        if isinstance(target, Name) and any(part == target for part in walk(value)):
            raise _UnsupportedUseError("give this view of an indexed array a name of its own")
        pairs = zip(self._parts(target), self._parts(value), strict=True)
        return [dataclasses.replace(statement, target=place, value=part) for place, part in pairs]

    def _lower(self, expression: Expression) -> Expression:
        match expression:
            case Element(array=array) if _is_whole(array.type):
                return self._element(expression)
            case Extent(array=array, axis=axis) if _is_whole(array.type):
                return self._extent(expression.type, array, axis)
            case Call(user=str()) | Construct(type=Struct()):
                expression.arguments = [
                    part for argument in expression.arguments for part in self._flat(argument)
                ]
                return expression
            case Conditional(test=test):
                expression.test = self._truth(test)
                expression.then = self._lower(expression.then)
                expression.otherwise = self._lower(expression.otherwise)
                return expression
            case Unary(operator="!", operand=operand):
                expression.operand = self._truth(operand)
                return expression
            case Binary(operator="&&" | "||", left=left, right=right):
                expression.left, expression.right = self._truth(left), self._truth(right)
                return expression
        if _is_whole(expression.type):
            raise _UnsupportedUseError("this use of an indexed array is not supported: use its elements")
        replace_children(expression, self._lower)
        return expression

    def _truth(self, test: Expression) -> Expression:
        """A condition; an array is true unless it has no elements."""
        return self._parts(test)[0] if _is_whole(test.type) else self._lower(test)

    def _flat(self, argument: Expression) -> list[Expression]:
        return self._parts(argument) if _is_whole(argument.type) else [self._lower(argument)]

    def _parts(self, array: Expression) -> list[Expression]:
        """The value of each part of an array value."""
        assert isinstance(array.type, Array)
        kinds = array_parts(array.type)
        match array:
            case Name(name=name):
                return [Name(part.type, part.leaf(name)) for part in kinds]
            case Member(value=value, path=path):
                inner = self._lower(value)
                return [Member(part.type, clone(inner), part.leaf(path)) for part in kinds]
            case Construct(arguments=[]):
                return [Construct(part.type, []) for part in kinds]
            case Conditional(test=test, then=then, otherwise=otherwise) if repeatable(test):
                test = self._truth(test)
                pairs = zip(self._parts(then), self._parts(otherwise), strict=True)
                return [Conditional(a.type, clone(test), a, b, array.eager) for a, b in pairs]
            case Element(array=base, indices=indices):
                elements, *tables = self._parts(base)
                view = dataclasses.replace(
                    array, type=kinds[0].type, array=elements, indices=self._places(base, indices)
                )
                return [view, *tables[len(indices) :]]
            case _:
                raise _UnsupportedUseError("this use of an indexed array is not supported: give it a name")

    def _element(self, element: Element) -> Expression:
        """An element of the array of elements, or a view of it."""
        places = self._places(element.array, element.indices)
        if _is_whole(element.type):
            raise _UnsupportedUseError(
                "this use of a view of an indexed array is not supported: give it a name"
            )
        return dataclasses.replace(element, array=self._parts(element.array)[0], indices=places)

    def _places(self, array: Expression, indices: list[Expression]) -> list[Expression]:
        """Where the elements lie that the source names by these indices."""
        assert isinstance(array.type, Array)
        if any(isinstance(index, Slice) for index in indices):
            raise _UnsupportedUseError("slices of indexed arrays are not supported: use indices")
        kinds = array_parts(array.type)
        tables = dict(zip(kinds, self._parts(array), strict=True))
        places = [self._lower(index) for index in indices]
        for part, table in tables.items():
            if part.kind == "indices" and part.axis < len(places):
                elements = tables[kinds[0]]
                places[part.axis] = self._looked_up(elements, part, table, places[part.axis], array.type)
        if not is_in_buckets(array.type):
            return places
        by_kind = {part.kind: table for part, table in tables.items()}
        place, *within = places
        place = _in_bucket(by_kind["starts"], by_kind["places"], place)
        if not has_rows(array.type):
            return [place]
        first = Element(INT, by_kind["row_places"], [place], looked_up=True)
        length = Element(INT, by_kind["row_lengths"], [clone(place)], looked_up=True)
        if not within:
            return [Slice(INT, [first], [], Literal(INT, 1), [length])]
        index = within[0]
        if not isinstance(index, Literal) or int(index.value) < 0:
            index = Call(INT, "wrap_index", [index, length], ("wrap_index", ()))
        return [plus(first, index)]

    def _looked_up(
        self, elements: Expression, part: Part, table: Expression, index: Expression, array: Array
    ) -> Expression:
        """The index that a list has in place of `index`, or `index` itself where the list is null."""
        is_null = False if isinstance(array, IndexedBucketArray) else self._is_null(table)
        if is_null is True:
            return index
        if is_null is False:
            return Element(INT, table, [index], looked_up=True)
        extents = Extent(INT, clone(table), 0), Extent(INT, clone(elements), part.axis)
        extent = Conditional(INT, clone(table), *extents)
        index = Call(INT, "wrap_index", [index, extent], ("wrap_index", ()))
        return Call(INT, "look_up", [table, index], ("look_up", ()))

    def _is_null(self, table: Expression) -> bool | None:
        """Whether a list is null, where the launch description says so."""
        path = leaf_of(table)
        root = path.partition(".")[0]
        described = self.launch.parameters.get(path)
        if root not in self.leaves or root in self.assigned or described is None:
            return None
        return None if path in self.launch.inferred else described.null

    def _extent(self, kind: Type, array: Expression, axis: int) -> Expression:
        """How many indices there are along an axis."""
        assert isinstance(array.type, Array)
        tables = dict(zip(array_parts(array.type), self._parts(array), strict=True))
        elements = next(iter(tables.values()))
        extent: Expression = Extent(INT, elements, axis)
        for part, table in tables.items():
            if part.kind == "places":
                starts = next(one for other, one in tables.items() if other.kind == "starts")
                extent = Element(INT, starts, [Extent(INT, table, 0)], looked_up=True)
            elif part.kind == "indices" and part.axis == axis:
                is_null = self._is_null(table)
                listed = Extent(INT, clone(table), 0)
                if is_null is False or isinstance(array.type, IndexedBucketArray):
                    extent = listed
                elif is_null is None:
                    extent = Conditional(INT, table, listed, extent)
        return extent if kind == INT else Cast(kind, extent)


def _in_bucket(starts: Expression, places: Expression, index: Expression) -> Expression:
    """Where element `index` of an array in buckets lies."""
    if index.type != INT:
        index = Literal(INT, index.value) if isinstance(index, Literal) else Cast(INT, index)
    arguments = [clone(starts), clone(places), Extent(INT, clone(places), 0), index]
    return Call(INT, "place_in_buckets", arguments, ("place_in_buckets", ()))
