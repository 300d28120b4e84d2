"""Statements with tiles: every tile in shared memory, its elements shared among the threads of the block.

Which tiles need no memory, and where threads wait for each other, is for the passes that follow.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from weft.cuda import rules
from weft.cuda.helpers.blocks import RESULTS
from weft.cuda.tiles import (
    assignments,
    functions,
    operations,
    parts,
    products,
    reductions,
    scalars,
    scans,
    triangular,
    values,
)
from weft.cuda.tiles.accesses import is_collective
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.block_collective import (
    Place,
    asks_tiles,
    has_several_block_collectives,
    is_divergent,
    is_same_for_all,
    place_of,
    require_same_calls,
)
from weft.cuda.tiles.exact import Grid
from weft.cuda.tiles.facts import (
    in_tile,
    is_tile,
    only_written,
    tile_facts,
)
from weft.cuda.tiles.loops import LoopNames, by_first_thread, is_simple, share
from weft.cuda.tiles.statements import STATEMENTS
from weft.cuda.tiles.values import TileValue
from weft.cuda.tree import (
    Assign,
    Call,
    Evaluate,
    Expression,
    Name,
    Shared,
    Statement,
)
from weft.cuda.values import coerce
from weft.function_source import FunctionSource
from weft.operator_symbols import SYMBOLS
from weft.types import Scalar, Struct, Tile, Type

if TYPE_CHECKING:
    from weft.cuda.calls import CallBuilder, ModuleContext

Build = Callable[[ast.expr], Expression]


def tile_builder(
    module: ModuleContext, source: FunctionSource, build: Build, calls: CallBuilder, taken: set[str]
) -> TileBuilder | None:
    """The builder of a function's tiles, None where neither it nor a function that it calls works on some."""
    if not source.has_tiles and not any(
        callee.get("function") in module.block_collective for callee in source.callees.values()
    ):
        return None
    if module.blocks is None:
        raise source.refusal(
            source.definition, "a kernel with tiles needs `block_dim` in its launch description"
        )
    return TileBuilder(source, module, place_of(module, source), build, calls, taken)


class TileBuilder:
    """Translates the tiles of one function; `build` translates its other expressions.

    `before` collects statements that the expression at hand needs first, `shared` the function's tiles in
    shared memory.
    """

    def __init__(
        self,
        source: FunctionSource,
        module: ModuleContext,
        place: Place,
        build: Build,
        calls: CallBuilder,
        taken: set[str],
    ) -> None:
        self.source = source
        self.module = module
        self.structs = module.structs
        self.build = build
        self.calls = calls
        self.block_dim = place.block_dim
        self.facts = tile_facts(source, set(place.lanes), self._changed_by, module.functions)
        self.names = LoopNames(set(taken))
        self.before: list[Statement] = []
        self.shared: list[Shared] = []
        self.bindings: dict[str, TileValue] = {
            name: values.shared(name, kind) for name, kind in source.parameters if isinstance(kind, Tile)
        }
        self.grids: dict[str, Grid | None] = {}
        self.result: TileValue | None = None
        if isinstance(source.result, Tile) and math.prod(source.result.shape) > 1:
            self.result = values.shared(self.names.fresh("result"), source.result)
        self.only_written = only_written(source)
        self.divergent = source.key in module.divergent
        self.separates_calls = False

    def concerns(self, node: ast.stmt) -> bool:
        """Whether a statement is one about whole tiles, or changes an element of one."""
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                return is_tile(self.source, value) or in_tile(self.source, target)
            case ast.AugAssign(target=target):
                return is_tile(self.source, target) or in_tile(self.source, target) or self._is_bound(target)
            case ast.Expr(value=ast.Call() as call):
                return self.builtin(call).startswith("tile") and self.builtin(call) in STATEMENTS
            case _:
                return False

    def _is_bound(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Name) and target.id in self.bindings

    def builtin(self, node: ast.expr) -> str:
        """The builtin that a call resolves to, or ''."""
        return self.source.builtin(node)

    def statement(self, node: ast.stmt) -> list[Statement]:
        """The statements that a statement about tiles becomes."""
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                built = assignments.assign(self, target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                built = assignments.augmented(self, node, target, op, value)
            case ast.Expr(value=ast.Call() as call):
                built = STATEMENTS[self.builtin(call)](self, call)
            case _:
                raise self.refusal(node, "this use of tiles is not supported")
        for statement in built:
            statement.node = statement.node or node
        return built

    def around(self, node: ast.stmt, translate: Callable[[ast.stmt], list[Statement]]) -> list[Statement]:
        """What a statement becomes, after what its expressions need first."""
        outer, self.before = self.before, []
        divergent, self.divergent = self.divergent, self.divergent or is_divergent(self, node)
        require_same_calls(self, node)
        # Between two calls there may have to be a barrier.
        separates_calls = self.separates_calls
        self.separates_calls = has_several_block_collectives(self, node)
        try:
            built = self.statement(node) if self.concerns(node) else translate(node)
            if not self.divergent and is_same_for_all(self, node) and len(built) == 1:
                built = [self.once(built[0])]
            # No barrier can stand between the end of the body and the test.
            if isinstance(node, ast.While) and (self.before or asks_tiles(self, node.test)):
                raise self.refusal(
                    node.test, "a loop condition cannot use whole tiles: compute it in the loop"
                )
            for statement in self.before:
                statement.node = statement.node or node
            return [*self.before, *built]
        finally:
            self.before, self.divergent, self.separates_calls = outer, divergent, separates_calls

    def once(self, store: Statement) -> Statement:
        """A store that one thread makes for all, after the block collectives that its value takes."""
        match store:
            case Assign(target=target) if not self._is_collective(target):
                store.value = self.evaluated_by_block(store.value)
            case Evaluate(value=Call(arguments=[*others, value]) as call) if not any(
                map(self._is_collective, others)
            ):
                call.arguments = [*others, self.evaluated_by_block(value)]
            case _:
                return store
        return by_first_thread([store])

    def evaluated_by_block(self, value: Expression) -> Expression:
        """A value that some threads alone may use: all evaluate it first if it is a block collective."""
        return self.temporary("value", value.type, value) if self._is_collective(value) else value

    def _is_collective(self, value: Expression) -> bool:
        return is_collective([Evaluate(value)], self.module.block_collective)

    def finish(self, body: list[Statement]) -> list[Statement]:
        """The function's body with its tiles."""
        if is_collective(body, self.module.block_collective):
            self.module.block_collective.add(self.source.key)
        self.module.changed_tiles[self.source.key] = self.facts.changed
        self.module.returned_tiles[self.source.key] = functions.returned_parameters(self.source)
        return [*self.shared, *body]

    def argument(self, node: ast.expr, function: str, parameter: str) -> Expression:
        """A tile that a function is given."""
        return functions.argument(self, node, function, parameter)

    def returned(self, node: ast.Return) -> list[Statement]:
        """The statements that return a tile."""
        return functions.returned(self, node)

    def _changed_by(self, function: str) -> list[str | None]:
        """The parameters of a function, None for those that it does not change."""
        changed = self.module.changed_tiles.get(function)
        names = [name for name, _ in self.module.functions[function].parameters]
        return [name if changed is None or name in changed else None for name in names]

    def scalar(self, node: ast.expr) -> Expression | None:
        """The value of an expression that reads one element of a tile; None for others."""
        return scalars.scalar(self, node)

    def refusal(self, node: ast.AST, message: str) -> Exception:
        return self.source.refusal(node, message)

    def type(self, node: ast.expr) -> Tile:
        """The type of a tile."""
        kind = self.source.type(node)
        if not isinstance(kind, Tile):
            raise self.refusal(node, f"expected a tile, this is {kind}")
        return kind

    def value(self, node: ast.expr) -> TileValue:
        """The tile that an expression stands for."""
        kind = self.type(node)
        match node:
            case ast.Name(id=name):
                if name not in self.bindings:
                    raise self.refusal(node, f"the tile {name!r} is used before it is assigned")
                return self.bindings[name]
            case ast.BinOp() | ast.UnaryOp():
                return self._operator(node, kind)
            case ast.Subscript():
                return parts.subscript(self, node, kind)
            case ast.Call():
                return self._call(node, kind)
            case _:
                raise self.refusal(node, f"{type(node).__name__} expressions of tiles are not supported")

    def _call(self, node: ast.Call, kind: Tile) -> TileValue:
        name = self.builtin(node)
        if name in operations.TABLE:
            return operations.TABLE[name](self, node, kind)
        if name in reductions.TABLE and "axis" not in bound(name, node):
            result = reductions.TABLE[name](self, node, kind)
            if not isinstance(result, Name):
                result = self.temporary(self._hint(name), kind.element, result)
            return values.constant(result, kind)
        if (store := self.storing(node)) is not None:
            target = self.allocate(self._hint(name), kind)
            self.before += store(self, node, target)
            return target
        if not name:
            return functions.result_of(self, node, kind)
        raise self.refusal(node, f"wp.{name} is not supported")

    def storing(self, node: ast.expr) -> Storing | None:
        """How a call stores its result in a tile, if it is no expression of elements."""
        name = self.builtin(node)
        if isinstance(node, ast.Call) and name in reductions.TABLE and "axis" in bound(name, node):
            return reductions.along_axis
        if not name and isinstance(node, ast.Call) and math.prod(self.type(node).shape) > 1:
            return functions.store_result
        if name in STORING:
            return STORING[name]
        return products.product if name == "tile_matmul" else None

    @staticmethod
    def _hint(name: str) -> str:
        stem = name.removeprefix("tile_")
        return RESULTS.get(stem, stem.replace("matmul", "product")) or "result"

    def _operator(self, node: ast.BinOp | ast.UnaryOp, kind: Tile) -> TileValue:
        callee = self.source.callee(node)
        if callee is not None and "function" in callee:
            raise self.refusal(node, "operators of your own on tiles are not supported: use wp.tile_map")
        if isinstance(node, ast.UnaryOp):
            if not isinstance(node.op, ast.USub):
                raise self.refusal(node, "this operator on tiles is not supported")
            self.require_algebra(node, kind)
            return values.combined(kind, [self.value(node.operand)], lambda given: rules.negation(given[0]))
        symbol = SYMBOLS[type(node.op)]
        if symbol not in operations.SYMBOLS:
            raise self.refusal(node, "this operator on tiles is not supported")
        self.require_algebra(node, kind)
        parts = [self.operand(node.left), self.operand(node.right)]
        return values.combined(
            kind, parts, lambda given: rules.binary(symbol, given[0], given[1], kind.element)
        )

    def require_algebra(self, node: ast.AST, kind: Type) -> None:
        """Refuse operators on tiles of structs, and of bits in vectors."""
        element_type = kind.element if isinstance(kind, Tile) else kind
        op = getattr(node, "op", None)
        bits = isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor)
        if isinstance(element_type, Struct) or (bits and not isinstance(element_type, Scalar)):
            raise self.refusal(
                node, f"this operator on tiles of {element_type} is not supported: use wp.tile_map"
            )

    def operand(self, node: ast.expr, kind: Type | None = None) -> TileValue | Expression:
        """An operand that may be a tile or one value for all elements."""
        if is_tile(self.source, node):
            return self.value(node)
        return self.simple(node, "factor", kind)

    def simple(self, node: ast.expr, hint: str, kind: Type | None = None) -> Expression:
        """A value that may stand in a loop: numbers, names and sums of them; others get a name first."""
        built = self.build(node)
        if kind is not None:
            built = coerce(built, kind)
        return self.kept(built, hint)

    def kept(self, built: Expression, hint: str) -> Expression:
        """The same, of a value that is translated already."""
        return built if is_simple(built) else self.temporary(hint, built.type, built)

    def temporary(self, hint: str, kind: Type, value: Expression) -> Name:
        """A variable that keeps a value."""
        name = Name(kind, self.names.fresh(hint))
        self.before.append(Assign(name, "", value))
        return Name(kind, name.name)

    def allocate(self, hint: str, kind: Tile, name: str | None = None) -> TileValue:
        """A new tile in shared memory."""
        name = name or self.names.fresh(hint)
        self.shared.append(Shared(kind.element, name, kind.shape))
        return values.shared(name, kind)

    def fill(self, target: TileValue, value: TileValue) -> Statement:
        """The loop that gives `target` the elements of `value`."""
        return share(
            target.shape,
            self.names,
            lambda c: [Assign(target.at(c), "", coerce(value.at(c), target.element))],
        )

    def stored(self, node: ast.expr, hint: str) -> TileValue:
        """A tile in shared memory (or a view of one), for operations that read elements more than once."""
        return self.placed(self.value(node), hint)

    def placed(self, value: TileValue, hint: str) -> TileValue:
        """The same, of a tile that is translated already."""
        if value.place:
            return value
        target = self.allocate(hint, Tile(value.element, value.shape))
        self.before.append(self.fill(target, value))
        return target


Storing = Callable[[TileBuilder, ast.Call, TileValue], list[Statement]]

STORING: dict[str, Storing] = {**triangular.STORING, **scans.STORING, "tile": operations.of_threads}
"""Builtins that store their result in a tile."""
