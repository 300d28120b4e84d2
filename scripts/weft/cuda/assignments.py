"""Assignments in all their forms."""

from __future__ import annotations

import ast
from itertools import accumulate
from typing import TypeGuard

from weft.cuda import atomic_rules, rules
from weft.cuda.calls import ModuleContext
from weft.cuda.contents import root_name
from weft.cuda.device_functions import ATOMICS, BY_OPERATOR
from weft.cuda.exchange import Exchange
from weft.cuda.expressions import ExpressionBuilder
from weft.cuda.fresh_names import take_numbered
from weft.cuda.helpers.text import scalar_of
from weft.cuda.passes.points_to import in_array
from weft.cuda.shared_names import SharedNames, named
from weft.cuda.slices import components_of, repeatable
from weft.cuda.traverse import clone
from weft.cuda.tree import (
    INT,
    Assign,
    Call,
    Component,
    Element,
    Evaluate,
    Expression,
    Literal,
    Member,
    Name,
    Statement,
    Threads,
    Unpack,
)
from weft.cuda.values import coerce, component_place
from weft.function_source import FunctionSource, span
from weft.operator_symbols import SYMBOLS
from weft.subscript_indices import indices_of, items_of
from weft.types import (
    Array,
    Function,
    Matrix,
    Opaque,
    Quaternion,
    Reference,
    Scalar,
    Struct,
    Transform,
    Tuple,
    Type,
    Vector,
)

_Names = ast.Name | ast.Tuple
_Unkept = Function | Tuple | Opaque
_Plain = Scalar | Vector | Matrix | Quaternion | Transform | Struct

_IN_PLACE = {"+", "-", "*", "/", "&", "|", "^", "<<", ">>"}


SHARED = "Warp makes the two names share one value here: assign them one by one"
EXCHANGED = "Warp computes this exchange in a loop differently from Python: use a third variable"


class AssignmentBuilder:
    """Translates the assignments of one function.

    `shared` has the names that share values.
    `aliases` are the places that Warp gives another name, instead of a copy of what they hold.
    """

    def __init__(self, module: ModuleContext, source: FunctionSource, expressions: ExpressionBuilder) -> None:
        self.module = module
        self.source = source
        self.expressions = expressions
        self.exchange = Exchange()
        self.shared = SharedNames(source)
        self.aliases: list[tuple[ast.expr, Expression]] = []

    def assign(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> list[Statement]:
        """`target = value`."""
        if self.source.builtin(value) == "tid" and isinstance(target, _Names):
            return [Threads(self._names(target), node=node)]
        if isinstance(target, ast.Tuple):
            return self._assign_several(node, target, value)
        if isinstance(target, ast.Name) and self._is_function(value):
            # Calls by this name say themselves which function they mean.
            return []
        if isinstance(target, ast.Name) and self._is_tuple(value):
            return self._keep_tuple(node, target.id, value)
        built = self.expressions.build(value)
        if isinstance(built.type, _Unkept):
            raise self.source.refusal(value, f"a value of type {built.type} cannot be kept in a variable")
        if isinstance(target, ast.Name):
            if isinstance(value, ast.IfExp) and isinstance(built.type, _Plain):
                self._share(node, target.id, value)
            return [Assign(Name(built.type, target.id), "", built, node=node)]
        if _is_slice(target):
            return self._assign_slice(node, target, "", built)
        place = self._place(target)
        if isinstance(place, Call) and place.function == "row":
            return [self._set_row(node, place, built)]
        return [Assign(place, "", coerce(built, place.type), node=node)]

    def _is_function(self, value: ast.expr) -> bool:
        return isinstance(self.source.known_type(value), Function)

    def _is_tuple(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Tuple):
            return True
        return isinstance(self.source.known_type(value), Tuple)

    def _keep_tuple(self, node: ast.stmt, name: str, value: ast.expr) -> list[Statement]:
        """`t = (a, b)`, `t = f(x)`: each value has a variable of its own."""
        if (results := self.expressions.calls.whole_results(value)) is not None:
            call, types = results
            return [Unpack(self.expressions.keep_tuple(name, types), types, call, node=node)]
        values = self._written(value, "assigned as one", value)
        names = self.expressions.keep_tuple(name, [item.type for item in values])
        return self.exchange.assignments(node, list(zip(names, values, strict=True)))

    def several(
        self, node: ast.stmt, value: ast.expr, types: list[Type]
    ) -> tuple[list[Statement], list[Expression]]:
        """Several values that are not written out, and the statements that compute them first."""
        if (results := self.expressions.calls.several_results(value)) is not None:
            taken = self.expressions.local_names
            stem = "result" if not any(name.startswith("result_") for name in taken) else "returned"
            names = self.expressions.keep_tuple(stem, types)
            values: list[Expression] = [Name(kind, name) for kind, name in zip(types, names, strict=True)]
            return [Unpack(names, types, results[0], node=node)], values
        return [], self._written(value, "returned as one", value)

    def _written(self, value: ast.expr, done: str, place: ast.AST) -> list[Expression]:
        """The values of a tuple that is to be `done` something to, for which there is no single call."""
        values = self.expressions.several(value)
        if values is None:
            raise self.source.refusal(
                place, f"only a tuple, or a function with several results, can be {done}"
            )
        return values

    def _set_row(self, node: ast.stmt, place: Call, value: Expression) -> Statement:
        types = (place.arguments[0].type, value.type)
        return Evaluate(Call(INT, "set_row", [*place.arguments, value], ("set_row", types)), node=node)

    def _assign_slice(
        self, node: ast.stmt, target: ast.Subscript, operator: str, value: Expression
    ) -> list[Statement]:
        """`v[1:3] = w`: component by component; what is read twice, or changed meanwhile, is kept first."""
        selection = self.expressions.selection(target)
        places = selection.components
        before: list[Statement] = []
        root = root_name(places[0])
        plain = isinstance(value, Literal) or (isinstance(value, Name) and value.name != root)
        if not plain:
            name = self.fresh("part")
            before.append(Assign(Name(value.type, name), "", value, node=node))
            value = Name(value.type, name)
        if isinstance(value.type, Scalar):
            parts: list[Expression] = [coerce(clone(value), place.type) for place in places]
        else:
            parts = components_of(value)
        pairs = zip(places, parts, strict=True)
        return [*before, *(Assign(place, operator, part, node=node) for place, part in pairs)]

    def fresh(self, stem: str) -> str:
        """A name for a value in between that nothing has."""
        return take_numbered(stem, self.expressions.local_names)

    def _names(self, target: ast.expr) -> list[str]:
        items = items_of(target)
        names = [item.id for item in items if isinstance(item, ast.Name)]
        if len(names) != len(items):
            raise self.source.refusal(target, "only names can be assigned several values at once")
        return names

    def _assign_several(self, node: ast.stmt, target: ast.Tuple, value: ast.expr) -> list[Statement]:
        if isinstance(value, ast.Tuple):
            pairs = [p for p in zip(target.elts, value.elts, strict=True) if not self._is_function(p[1])]
            kept = ast.Tuple([name for name, _ in pairs], ast.Store())
            return self._assign_tuple(node, self._names(kept), [item for _, item in pairs])
        names = self._names(target)
        if (results := self.expressions.calls.several_results(value)) is not None:
            call, types = results
            names = self._with_tuples(names, types, self.expressions.calls.groups(value))
            return [Unpack(names, types, call, node=node)]
        values = self._written(value, "unpacked", node)
        return self.exchange.assignments(node, list(zip(names, values, strict=True)))

    def _with_tuples(self, names: list[str], types: list[Type], groups: tuple[int, ...]) -> list[str]:
        """Names for all values of a call's results: a tuple among them is kept under the name it is given."""
        if not groups:
            return names
        ends = list(accumulate(groups))
        return [
            part
            for name, count, end in zip(names, groups, ends, strict=True)
            for part in (
                [name] if count == 1 else self.expressions.keep_tuple(name, types[end - count : end])
            )
        ]

    def _assign_tuple(self, node: ast.stmt, names: list[str], items: list[ast.expr]) -> list[Statement]:
        """`a, b = x, y`: all values before all names."""
        built = [self.expressions.build(item) for item in items]
        for item, expression in zip(items, built, strict=True):
            if isinstance(self.source.types.get(span(item)), Reference):
                self.aliases.append((item, expression))
        for name, item, expression in zip(names, items, built, strict=True):
            if self._share(node, name, item) and not isinstance(expression.type, _Plain):
                raise self.source.refusal(node, SHARED)
        return self.exchange.assignments(node, list(zip(names, built, strict=True)))

    def _share(self, node: ast.stmt, name: str, value: ast.expr) -> bool:
        """Note where Warp takes another name's variable for a value; whether it does."""
        other = named(self.source, value)
        if other is None or other == name or other not in self.expressions.local_names:
            return False
        self.shared.share(node, name, other)
        return True

    def _place(self, node: ast.expr) -> Expression:
        """What an assignment to `node` writes."""
        if not isinstance(node, ast.Subscript | ast.Attribute):
            raise self.source.refusal(node, "this cannot be assigned to")
        place = self.expressions.build_place(node)
        if isinstance(place.type, Array) and not isinstance(place, Member):
            raise self.source.refusal(
                node, "assigning to a view of an array is not supported: assign its elements"
            )
        if not isinstance(place, Element | Member | Component | Call):
            raise self.source.refusal(node, "this cannot be assigned to")
        if isinstance(place, Call) and place.function not in ("component_ref", "row"):
            raise self.source.refusal(node, "this cannot be assigned to")
        if _in_transform_part(place) and not in_array(place):
            raise self.source.refusal(
                node,
                "Warp changes a copy of the part here: index the transform itself, or assign all of the part",
            )
        if self._is_row_member(node) and not in_array(place):
            raise self.source.refusal(
                node, "Warp changes a copy of the row here: index the matrix itself, as in m[i, j]"
            )
        return place

    def _is_row_member(self, node: ast.expr) -> bool:
        """Whether a target is `m[i].x`."""
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Subscript):
            return False
        matrix = node.value.value
        return isinstance(self.source.known_type(matrix), Matrix)

    def augmented(self, node: ast.AugAssign) -> list[Statement]:
        """`target += value` and its like: atomic on arrays, where Warp makes it so."""
        symbol = SYMBOLS[type(node.op)]
        callee = self.source.callee(node)
        if callee is not None and "function" in callee:
            return [self._own_operator(node, callee["function"])]
        if isinstance(node.target, ast.Name):
            value = self.expressions.build(node.value)
            target: Expression = Name(self._result_type(node, value), node.target.id)
        else:
            if _is_slice(node.target):
                return self._augmented_slice(node, node.target, symbol)
            target = self._place(node.target)
            value = self.expressions.build(node.value)
            if isinstance(target, Call) and target.function == "row":
                return self._augmented_row(node, target, symbol, value)
            if in_array(target) and (update := self._atomic(node, target, value)) is not None:
                return [update]
        value = coerce(value, target.type)
        floats = isinstance(target.type, Scalar) and target.type.is_float
        if symbol in _IN_PLACE or (symbol == "%" and not floats and isinstance(target.type, Scalar)):
            return [Assign(target, symbol, value, node=node)]
        result = rules.binary(symbol, target, value, target.type)
        return [Assign(target, "", result, node=node)]

    def _own_operator(self, node: ast.AugAssign, key: str) -> Statement:
        """`a += b` with an operator that the user overloaded."""
        value = self.expressions.build(node.value)
        if isinstance(node.target, ast.Name):
            target: Expression = Name(self._result_type(node, value), node.target.id)
        else:
            target = self._place(node.target)
            if not repeatable(target):
                raise self.source.refusal(
                    node, "give the indices names before an operator of your own changes this"
                )
        result = self.expressions.calls.user_call(node.value, key, [clone(target), value])
        return Assign(target, "", result, node=node)

    def _atomic(self, node: ast.AugAssign, target: Expression, value: Expression) -> Statement | None:
        """The atomic that Warp makes of an augmented assignment in an array, if it does."""
        scalar = _scalar(target.type)
        operation = BY_OPERATOR.get(SYMBOLS[type(node.op)])
        if operation is None or scalar is None:
            return None
        if scalar.name not in ATOMICS[operation].types:
            return None
        call = atomic_rules.update(operation, target, [coerce(value, target.type)])
        assert isinstance(call, Call)
        call.in_place = True
        return Evaluate(call, node=node)

    def _augmented_row(
        self, node: ast.AugAssign, row: Call, symbol: str, value: Expression
    ) -> list[Statement]:
        """`m[i] += v`; in an array an atomic for each element of the row."""
        matrix, index = row.arguments
        assert isinstance(matrix.type, Matrix)
        if not in_array(matrix):
            return [self._set_row(node, row, rules.binary(symbol, row, value, row.type))]
        before: list[Statement] = []
        if not isinstance(value, Name):
            name = self.fresh("row")
            before.append(Assign(Name(value.type, name), "", value, node=node))
            value = Name(value.type, name)
        if not repeatable(index) or not repeatable(matrix):
            raise self.source.refusal(node, "give the indices names before a row is changed in an array")
        updates = [
            self._atomic(node, component_place(clone(matrix), [clone(index), Literal(INT, column)]), part)
            for column, part in enumerate(components_of(value))
        ]
        if None in updates:
            raise self.source.refusal(
                node, "this change of a row in an array is not supported: assign elements"
            )
        return [*before, *(update for update in updates if update is not None)]

    def _augmented_slice(self, node: ast.AugAssign, target: ast.Subscript, symbol: str) -> list[Statement]:
        """`v[1:3] += w` on a local variable."""
        value = self.expressions.build(node.value)
        places = self.expressions.selection(target).components
        if symbol not in _IN_PLACE or any(in_array(place) for place in places):
            raise self.source.refusal(node, "this change of a slice is not supported: assign the components")
        return self._assign_slice(node, target, symbol, value)

    def _result_type(self, node: ast.AugAssign, value: Expression) -> Type:
        """The type of the name that is augmented. Warp evaluates it like any expression."""
        if self.source.has_type(node.target):
            return self.source.type(node.target)
        return value.type


def _is_slice(target: ast.expr) -> TypeGuard[ast.Subscript]:
    """Whether a target selects with a slice."""
    if not isinstance(target, ast.Subscript):
        return False
    indices = indices_of(target)
    return any(isinstance(index, ast.Slice) for index in indices)


def _in_transform_part(place: Expression) -> bool:
    """Whether a place lies within the translation or the rotation of a transform."""
    match place:
        case Member(value=value) | Component(value=value) | Call(arguments=[value, *_]):
            part = isinstance(value, Member) and isinstance(value.value.type, Transform)
            return part or _in_transform_part(value)
        case _:
            return False


def _scalar(type: Type) -> Scalar | None:
    try:
        return scalar_of(type)
    except ValueError:
        return None
