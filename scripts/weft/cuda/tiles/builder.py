"""Statements with tiles, translated to loops over shared memory."""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from weft.cuda import atomic_rules, rules
from weft.cuda.source import FunctionSource
from weft.cuda.tiles import operations, products, reductions, values
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.barriers import insert_barriers, is_shared_work
from weft.cuda.tiles.facts import (
    depends,
    differs_between_threads,
    function_name,
    is_tile,
    only_written,
    root,
    tile_facts,
)
from weft.cuda.tiles.fusion import fused_names
from weft.cuda.tiles.loops import THREAD, LoopNames, by_first_thread, share
from weft.cuda.tiles.statements import STATEMENTS
from weft.cuda.tiles.values import Coordinates, TileValue
from weft.cuda.traverse import assigned_names, clone
from weft.cuda.tree import (
    INT,
    Assign,
    Binary,
    Component,
    Construct,
    Evaluate,
    Expression,
    Literal,
    Member,
    Name,
    Shared,
    Statement,
    Unary,
)
from weft.cuda.values import coerce
from weft.types import Array, Scalar, Struct, Tile, Type, Vector, packed_bytes

if TYPE_CHECKING:
    from weft.cuda.calls import Program

Build = Callable[[ast.expr], Expression]
Apply = Callable[[ast.expr, Mapping[str, Any], list[Expression]], Expression]

SHARED_BYTES = 48 * 1024
"""`__shared__` memory of fixed size that a block may have (CUDA C++ Programming Guide)."""


@dataclasses.dataclass(frozen=True)
class Place:
    """Names that hold the place of the block in the launch, and of the thread in the block of `block_dim`."""

    block_dim: int
    blocks: tuple[str, ...]
    lanes: tuple[str, ...]


def tile_builder(
    program: Program, source: FunctionSource, build: Build, apply: Apply, taken: set[str]
) -> TileBuilder | None:
    """The builder of a function's tiles, None for a function that has none."""
    if not any(isinstance(kind, Tile) for kind in source.types.values()):
        return None
    if program.blocks is None:
        raise source.refusal(
            source.definition, "a kernel with tiles needs `block_dim` in its launch description"
        )
    return TileBuilder(source, program, _place(program, source), build, apply, taken)


def _place(program: Program, source: FunctionSource) -> Place:
    blocks: list[str] = []
    lanes: list[str] = []
    for key, function in program.functions.items():
        if differs_between_threads(function, lanes):
            lanes.append(function_name(key))
    for node in ast.walk(source.definition):
        if isinstance(node, ast.Assign) and str((source.callee(node.value) or {}).get("builtin")) == "tid":
            target = node.targets[0]
            names = [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]
            count = program.blocks or 0
            blocks += names[:count]
            lanes += names[count:]
    if source.key in program.functions:
        # What a function is given may differ between the threads.
        lanes += [name for name, kind in source.parameters if not isinstance(kind, Tile | Array)]
    return Place(program.block_dim, tuple(blocks), tuple(lanes))


class TileBuilder:
    """Translates the tiles of one function; `build` translates its other expressions.

    `before` collects statements that the expression at hand needs first, `shared` the function's tiles in
    shared memory.
    """

    def __init__(
        self,
        source: FunctionSource,
        program: Program,
        place: Place,
        build: Build,
        apply: Apply,
        taken: set[str],
    ) -> None:
        self.source = source
        self.program = program
        self.structs = program.structs
        self.build = build
        self.apply = apply
        self.given = set(place.blocks)
        self.block_dim = place.block_dim
        self.facts = tile_facts(source, set(place.lanes))
        self.names = LoopNames(set(taken))
        self.before: list[Statement] = []
        self.shared: list[Shared] = []
        self.bindings: dict[str, TileValue] = {
            name: values.shared(name, kind) for name, kind in source.parameters if isinstance(kind, Tile)
        }
        self.only_written = only_written(source)
        self.fused = fused_names(source, self.facts)
        self.parted = False

    def concerns(self, node: ast.stmt) -> bool:
        """Whether a statement is one about whole tiles, or changes an element of one."""
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                return is_tile(self.source, value) or self._in_tile(target)
            case ast.AugAssign(target=target):
                return is_tile(self.source, target) or self._in_tile(target) or self._is_bound(target)
            case ast.Expr(value=ast.Call() as call):
                return self.builtin(call).startswith("tile") and self.builtin(call) in STATEMENTS
            case _:
                return False

    def _in_tile(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Subscript) and is_tile(self.source, _innermost(target))

    def _is_bound(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Name) and target.id in self.bindings

    def builtin(self, node: ast.expr) -> str:
        """The builtin that a call resolves to, or ''."""
        callee = self.source.callee(node) if isinstance(node, ast.Call) else None
        return str((callee or {}).get("builtin", ""))

    def statement(self, node: ast.stmt) -> list[Statement]:
        """The statements that a statement about tiles becomes."""
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                built = self._assign(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                built = self._augmented(node, target, op, value)
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
        parted, self.parted = self.parted, self.parted or self._parts(node)
        try:
            built = self.statement(node) if self.concerns(node) else translate(node)
            if not self.parted and self._is_same_for_all(node) and len(built) == 1:
                built = [by_first_thread(built)]
            if isinstance(node, ast.While) and self.before:
                raise self.refusal(
                    node.test, "the test of a loop cannot work on whole tiles: do it in the loop"
                )
            for statement in self.before:
                statement.node = statement.node or node
            return [*self.before, *built]
        finally:
            self.before, self.parted = outer, parted

    def _parts(self, node: ast.stmt) -> bool:
        """Whether a statement parts the threads of a block. Refuses what they must do together."""
        if not isinstance(node, ast.If | ast.While | ast.For):
            return False
        test = node.iter if isinstance(node, ast.For) else node.test
        if not depends(test, self.facts.varying, self.source):
            return False
        for inner in ast.walk(node):
            together = isinstance(inner, ast.stmt) and inner is not node and self.concerns(inner)
            if isinstance(inner, ast.Call):
                callee = (self.source.callee(inner) or {}).get("function")
                together = (
                    together or self.builtin(inner) in reductions.TABLE or callee in self.program.together
                )
            if together or isinstance(inner, ast.Return):
                raise self.refusal(
                    inner,
                    "the threads of a block part here, but they work on tiles together: "
                    "make the condition the same for all of them",
                )
        return True

    def _is_same_for_all(self, node: ast.stmt) -> bool:
        """Whether every thread of the block would store the same value in the same element of an array."""
        match node:
            case ast.Assign(targets=[ast.Subscript() as target], value=value):
                name = root(target)
                varying = self.facts.varying
                return (
                    name in self.only_written
                    and not depends(target.slice, varying, self.source)
                    and not depends(value, varying, self.source)
                )
            case _:
                return False

    def finish(self, body: list[Statement]) -> list[Statement]:
        """The function's body with its tiles and barriers."""
        total = sum(packed_bytes(one.type, self.structs) * math.prod(one.shape) for one in self.shared)
        if total > SHARED_BYTES:
            raise self.refusal(
                self.source.definition,
                f"the tiles take {total} bytes of shared memory, more than {SHARED_BYTES}: use smaller ones",
            )
        changed = assigned_names(body)
        insert_barriers(body, {name for name in self.given if name not in changed}, self.program.together)
        if is_shared_work(body):
            self.program.together.add(self.source.key)
        self.program.changed_tiles[self.source.key] = self.facts.changed
        return [*self.shared, *body]

    def argument(self, node: ast.expr, function: str, parameter: str) -> Expression:
        """A tile that a function is given: always one in shared memory."""
        tile = self.value(node)
        place = tile.at([Literal(INT, 0)] * len(tile.shape))
        kind = Tile(tile.element, tile.shape)
        whole = place.value if isinstance(place, Component) and place.value.type == kind else None
        if isinstance(whole, Name) and tile.reads == ((whole.name, True),):
            return Name(kind, whole.name)
        if parameter in self.program.changed_tiles.get(function, ()):
            raise self.refusal(
                node, "a part of a tile cannot be changed by a function: give it a name of its own"
            )
        target = self.allocate("argument", kind)
        self.before.append(self.fill(target, tile))
        return Name(kind, self.shared[-1].name)

    def scalar(self, node: ast.expr) -> Expression | None:
        """The value of an expression that reads one element of a tile; None for others."""
        match node:
            case ast.Subscript() if not is_tile(self.source, node) and self._in_tile(node):
                return operations.extract(self, node)
            case ast.Call():
                return self._scalar_call(node)
            case _ if is_tile(self.source, node):
                raise self.refusal(node, "a tile cannot be used here")
            case _:
                return None

    def _scalar_call(self, node: ast.Call) -> Expression | None:
        match self.builtin(node):
            case "tile_extract":
                return operations.element_at(self, node, node.args[0], list(node.args[1:]))
            case "untile":
                return self._untiled(node)
            case "block_dim":
                return Literal(INT, self.block_dim)
            case "len" if is_tile(self.source, node.args[0]):
                return Literal(INT, self.type(node.args[0]).shape[0])
            case name if name.startswith("tile") or name == "untile":
                raise self.refusal(node, f"wp.{name} is not supported")
            case _:
                return None

    def _untiled(self, node: ast.Call) -> Expression:
        """wp.untile: the thread's own element."""
        tile = self.lazy(node.args[0])
        thread: Expression = Name(INT, THREAD)
        if tile.shape == (self.block_dim,):
            return tile.mine() if tile.mine is not None else tile.at([thread])
        kind = self.source.type(node)
        if not isinstance(kind, Vector) or tile.shape != (kind.length, self.block_dim):
            raise self.refusal(node, "wp.untile takes a tile with an element for each thread")
        return Construct(kind, [tile.at([Literal(INT, row), clone(thread)]) for row in range(kind.length)])

    def refusal(self, node: ast.AST, message: str) -> Exception:
        return self.source.refusal(node, message)

    def type(self, node: ast.expr) -> Tile:
        """The type of a tile."""
        kind = self.source.type(node)
        if not isinstance(kind, Tile):
            raise self.refusal(node, f"expected a tile, this is {kind}")
        return kind

    def value(self, node: ast.expr) -> TileValue:
        """The tile that an expression stands for, with elements that every thread can ask for."""
        return self.settled(self.lazy(node))

    def settled(self, tile: TileValue) -> TileValue:
        """A tile of the threads' own values goes to shared memory."""
        if tile.mine is None:
            return tile
        target = self.allocate("values", Tile(tile.element, tile.shape))
        self.before.append(Assign(target.at([Name(INT, THREAD)]), "", tile.mine()))
        return target

    def operands(self, nodes: Sequence[ast.expr]) -> list[TileValue | Expression]:
        """Operands of an element-wise operation."""
        parts = [self.operand(node) for node in nodes]
        if all(part.mine for part in parts if isinstance(part, TileValue)):
            return parts
        return [self.settled(part) if isinstance(part, TileValue) else part for part in parts]

    def lazy(self, node: ast.expr) -> TileValue:
        """The tile that an expression stands for, perhaps one of the threads' own values."""
        kind = self.type(node)
        match node:
            case ast.Name(id=name):
                if name not in self.bindings:
                    raise self.refusal(node, f"the tile {name!r} is used before it is assigned")
                return self.bindings[name]
            case ast.BinOp() | ast.UnaryOp():
                return self._operator(node, kind)
            case ast.Subscript():
                return operations.subscript(self, node, kind)
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
            raise self.refusal(
                node, "functions that return tiles are not supported: pass the tile that takes the result"
            )
        raise self.refusal(node, f"wp.{name} is not supported")

    def storing(self, node: ast.expr) -> Storing | None:
        """How a call stores its result in a tile, if it is no expression of elements."""
        name = self.builtin(node)
        if isinstance(node, ast.Call) and name in ("tile_sum", "tile_reduce") and "axis" in bound(name, node):
            return reductions.along_axis
        return products.product if name == "tile_matmul" else None

    @staticmethod
    def _hint(name: str) -> str:
        return name.removeprefix("tile_")

    def _operator(self, node: ast.BinOp | ast.UnaryOp, kind: Tile) -> TileValue:
        callee = self.source.callee(node)
        if callee is not None and "function" in callee:
            raise self.refusal(node, "operators of your own on tiles are not supported: use wp.tile_map")
        if isinstance(node, ast.UnaryOp):
            if not isinstance(node.op, ast.USub):
                raise self.refusal(node, "this operator on tiles is not supported")
            self.require_algebra(node, kind)
            return values.combined(kind, [self.lazy(node.operand)], lambda given: rules.negation(given[0]))
        symbol = operations.SYMBOLS.get(type(node.op))
        if symbol is None:
            raise self.refusal(node, "this operator on tiles is not supported")
        self.require_algebra(node, kind)
        parts = self.operands([node.left, node.right])
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
            return self.lazy(node)
        return self.simple(node, "factor", kind)

    def simple(self, node: ast.expr, hint: str, kind: Type | None = None) -> Expression:
        """A value that may stand in a loop: numbers, names and sums of them; others get a name first."""
        built = self.build(node)
        if kind is not None:
            built = coerce(built, kind)
        return built if _is_simple(built) else self.temporary(hint, built.type, built)

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
        value = self.value(node)
        if value.place:
            return value
        target = self.allocate(hint, Tile(value.element, value.shape))
        self.before.append(self.fill(target, value))
        return target

    def _assign(self, target: ast.expr, value: ast.expr) -> list[Statement]:
        if isinstance(target, ast.Name):
            return self._assign_name(target, value)
        if not isinstance(target, ast.Subscript):
            raise self.refusal(target, "a tile cannot be kept here: give it a name")
        if not self._in_tile(target):
            raise self.refusal(target, "a tile cannot be an element of an array: use wp.tile_store")
        if is_tile(self.source, value):
            place = operations.subscript(self, target, self.type(value))
            return [self.fill(place, self.value(value))]
        place_value = self._place(target)
        built = coerce(self.build(value), place_value.type)
        return [self._element_store(target, value, Assign(place_value, "", built))]

    def _place(self, target: ast.Subscript) -> Expression:
        """The element of a tile, or the component of one, that an assignment changes."""
        place = operations.extract(self, target)
        if not isinstance(place, Name | Component | Member):
            raise self.refusal(
                target, "assigning this part of a tile's element is not supported: use a variable"
            )
        return place

    def _element_store(self, target: ast.Subscript, value: ast.expr, store: Statement) -> Statement:
        """A store to one element: by one thread where all would store the same."""
        assert isinstance(store, Assign)
        varying = self.facts.varying
        if (
            isinstance(store.target, Name)
            or depends(value, varying, self.source)
            or depends(target, varying, self.source)
        ):
            return store
        return by_first_thread([store])

    def _assign_name(self, target: ast.Name, value: ast.expr) -> list[Statement]:
        name, kind = target.id, self.type(value)
        if len(self.facts.types.get(name, [])) > 1:
            raise self.refusal(target, f"{name!r} takes tiles of two types: use two names")
        if kind.size == 1 and name not in self.facts.scattered:
            return [Assign(Name(kind.element, name), "", self._single(name, value, kind))]
        if (view := self._view(name, value)) is not None:
            self.bindings[name] = view
            return []
        if name in self.fused:
            self.bindings[name] = self.lazy(value)
            return []
        if name not in self.bindings or self.bindings[name].reads != ((name, True),):
            self.bindings[name] = self.allocate(name, kind, name)
        place = self.bindings[name]
        if self.builtin(value) == "tile_empty":
            return []
        if (store := self.storing(value)) is not None:
            assert isinstance(value, ast.Call)
            if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)):
                return [self.fill(place, self.value(value))]
            return store(self, value, place)
        built = self.lazy(value)
        if built.mine is not None:
            return [Assign(place.at([Name(INT, THREAD)]), "", built.mine())]
        if (name, False) in built.reads:
            copy = self.allocate(f"{name}_next", kind)
            self.before.append(self.fill(copy, built))
            built = copy
        return [self.fill(place, built)]

    def _single(self, name: str, value: ast.expr, kind: Tile) -> Expression:
        """The element of a tile that has one."""
        zeros = [Literal(INT, 0)] * len(kind.shape)
        reduction = self.builtin(value)
        if (
            reduction in reductions.TABLE
            and isinstance(value, ast.Call)
            and "axis" not in bound(reduction, value)
        ):
            built = reductions.TABLE[reduction](self, value, kind)
        else:
            built = coerce(self.value(value).at(zeros), kind.element)
        self.bindings[name] = values.single(name, kind)
        return built

    def _view(self, name: str, value: ast.expr) -> TileValue | None:
        """A view of a tile in shared memory shares its elements, as long as both names keep their meaning."""
        is_view = self.builtin(value) in operations.VIEWS or isinstance(value, ast.Subscript)
        source_name = _viewed(value) if is_view else None
        if source_name is None or self.facts.assigned.get(name, 0) != 1:
            return None
        if self.facts.assigned.get(source_name, 0) != 1:
            if name in self.facts.changed or source_name in self.facts.changed:
                raise self.refusal(
                    value, f"this view of {source_name!r}, which is assigned again, is not supported"
                )
            return None
        view = self.value(value)
        return view if view.place else None

    def _augmented(
        self, node: ast.stmt, target: ast.expr, op: ast.operator, value: ast.expr
    ) -> list[Statement]:
        symbol = operations.SYMBOLS.get(type(op))
        if symbol is None:
            raise self.refusal(node, "this operator on tiles is not supported")
        self.require_algebra(node, self.source.type(value))
        if isinstance(target, ast.Name):
            place = self.value(target) if self.source.has_type(target) else self.bindings[target.id]
            part = self.operand(value)
            part = self.settled(part) if isinstance(part, TileValue) else part
            if isinstance(part, TileValue) and any((read[0], False) in part.reads for read in place.reads):
                copy = self.allocate(f"{target.id}_part", Tile(part.element, part.shape))
                self.before.append(self.fill(copy, part))
                part = copy

            def update(c: Coordinates) -> list[Statement]:
                return [Assign(place.at(c), symbol, coerce(element(part, c), place.element))]

            if place.size == 1 and not place.reads:
                return update([Literal(INT, 0)] * len(place.shape))
            return [share(place.shape, self.names, update)]
        assert isinstance(target, ast.Subscript)
        element_place = self._place(target)
        built = coerce(self.build(value), element_place.type)
        operation = {"+": "add", "-": "sub", "&": "and", "|": "or", "^": "xor"}.get(symbol)
        if operation is None or not isinstance(element_place, Component):
            raise self.refusal(node, "this operator on an element of a tile is not supported")
        # Every thread adds, so that the sum grows by the number of threads.
        return [Evaluate(atomic_rules.update(operation, element_place, [built]))]

    def offset(self, arguments: dict[str, ast.expr], rank: int) -> list[Expression]:
        """The argument `offset`, zero where it is left out."""
        node = arguments.get("offset")
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return [Literal(INT, 0)] * rank
        if rank == 1 and not isinstance(node, ast.Tuple):
            return [self._index(node)]
        if not isinstance(node, ast.Tuple) or len(node.elts) != rank:
            raise self.refusal(node, f"write this offset as a tuple of {rank} numbers")
        return [self._index(item) for item in node.elts]

    def _index(self, node: ast.expr) -> Expression:
        known = self.source.value(node)
        if isinstance(known, int) and not isinstance(node, ast.Name):
            return Literal(INT, known)
        built = self.build(node)
        if not isinstance(built.type, Scalar) or not built.type.is_integer:
            raise self.refusal(node, f"an offset must be an integer, this is {built.type}")
        if built.type != INT:
            return self.temporary("offset", INT, rules.cast(rules.Use("int32", [built], INT)))
        return built if _is_simple(built) else self.temporary("offset", INT, built)

    def checked(self, arguments: dict[str, ast.expr]) -> bool:
        """The argument `bounds_check`."""
        node = arguments.get("bounds_check")
        return node is None or self.source.value(node) is not False


def element(part: TileValue | Expression, coordinates: Coordinates) -> Expression:
    """The element of an operand that may be one value for all."""
    return part.at(coordinates) if isinstance(part, TileValue) else clone(part)


def _innermost(target: ast.Subscript) -> ast.expr:
    value = target.value
    while isinstance(value, ast.Subscript):
        value = value.value
    return value


def _viewed(node: ast.expr) -> str | None:
    """The name that a view is taken of."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Call) and (node.args or node.keywords):
            node = node.args[0] if node.args else node.keywords[0].value
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            return None
    return node.id


def _is_simple(expression: Expression) -> bool:
    match expression:
        case Literal() | Name():
            return True
        case Binary(operator="+" | "-" | "*", left=left, right=right):
            return _is_simple(left) and _is_simple(right)
        case Unary(operator="-", operand=operand):
            return _is_simple(operand)
        case _:
            return False


Storing = Callable[[TileBuilder, ast.Call, TileValue], list[Statement]]
