"""Pass: the threads' shares of the work on tiles become statements of each thread.

Before: a Share says what is done with each element of a tile. After: there is none. Where no thread has more
than one element it is plain code, under an `if` where some have none; else a loop over a thread's elements.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

from weft.cuda.contents import assigned_names, changed_names, contents, mentioned_names
from weft.cuda.tiles.loops import THREAD, LoopNames
from weft.cuda.tiles.merging import private_names
from weft.cuda.tiles.registers import TURN
from weft.cuda.tiles.side_by_side import join_sums, keep_aside, parts_of, side_by_side
from weft.cuda.tiles.squares import Square, squares
from weft.cuda.tiles.values import plus, ravel, times, unravel
from weft.cuda.traverse import (
    all_expressions,
    blocks,
    clone,
    mentions,
    names_of,
    rename_in,
    rewrite_block,
    statements,
    valued,
    walk,
)
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Component,
    Declare,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Registers,
    Share,
    Statement,
    Threads,
)
from weft.types import Tile

_Inner = tuple[int, ...]
"""The extents of all axes but the first: they say how an element's number is taken apart into coordinates."""

_WORDS = {
    2: (("row", "column"), ("r", "c"), ("tile_row", "tile_column"), ("y", "x")),
    3: (("plane", "row", "column"), ("p", "r", "c"), ("tile_plane", "tile_row", "tile_column")),
}


def spread_shares(function: Function, blocks: int, block_dim: int) -> None:
    """Run the pass on a function; `blocks` of the names of `tid()` are the place of the block."""
    spreader = _Spreader(function, block_dim)
    spreader.block(function.body)
    for one in statements(function.body):
        if isinstance(one, Registers):
            one.shape = spreader.in_squares.get(one.name, one.shape)
    own = [*spreader.own.values()]
    first = function.body[0] if function.body else None
    position = int(isinstance(first, Threads))
    function.body[position:position] = own
    lane = first.names[-1] if isinstance(first, Threads) and len(first.names) == blocks + 1 > 1 else None
    if lane in changed_names(function.body[1:]):
        lane = None
    _name_thread(function, position, lane, spreader.names)


def _name_thread(function: Function, position: int, name: str | None, names: LoopNames) -> None:
    """Give the thread's place in its block a name, where it is more than compared with a number."""
    nodes = all_expressions(function.body)
    compared = {id(n.left) for n in nodes if isinstance(n, Binary) and n.operator == "=="}
    found = [node for node in nodes if isinstance(node, Name) and node.name == THREAD]
    if name is None:
        if all(id(node) in compared for node in found):
            return
        name = names.fresh("tid")
        function.body.insert(position, Declare(INT, name, Name(INT, THREAD), True))
        found.append(Name(INT, THREAD))
    for node in found:
        node.name = name


class _Spreader:
    """`own` has the declarations of the thread's coordinates in the tiles that have an element a thread."""

    def __init__(self, function: Function, block_dim: int) -> None:
        self.block_dim = block_dim
        self.private = private_names(function)
        self.squares = squares(function, block_dim)
        self.names = LoopNames(contents(function).taken)
        self.own: dict[str, Declare] = {}
        self.spread: set[str] = set()
        self.turn = ""
        self.turns: tuple[str, ...] = ()
        self.in_squares: dict[str, Square] = {}
        shares = [statement for statement in statements(function.body) if isinstance(statement, Share)]
        self.names.taken -= {name for share in shares for name in share.coordinates}
        self.names.taken |= {name for share in shares if share.start for name in share.coordinates}
        self.words: dict[tuple[_Inner, bool], tuple[str, ...]] = {}
        self.declared = {share.shape[1:] for share in shares if self._has_one(share)} - {()}
        for shape in self.squares:
            self._words(shape[1:], True, in_loop=True)
        for inner, _ in Counter(share.shape[1:] for share in shares).most_common():
            self._words(inner, inner in self.declared)

    def _has_one(self, share: Share) -> bool:
        return math.prod(share.shape) <= self.block_dim

    def block(self, block: list[Statement]) -> None:
        """Replace the Shares of a block."""
        position = 0
        while position < len(block):
            spread = [block[position]]
            if isinstance(statement := block[position], Share):
                spread = self._spread(statement)
            else:
                for inner in blocks(statement):
                    self.block(inner)
            before = block[position - 1] if position else None
            first = spread[0] if spread else None
            if isinstance(before, If) and isinstance(first, If) and _same_threads(before, first, self.own):
                before.body += first.body
                spread.pop(0)
            block[position : position + 1] = spread
            position += len(spread)

    def _spread(self, share: Share) -> list[Statement]:
        self._rename_private(share)
        if share.start is not None:
            return self._from_start(share, share.start)
        keep_aside(share.body, self.names.fresh)
        join_sums(share.body)
        if self._has_one(share):
            return self._one(share)
        turns, left = divmod(math.prod(share.shape), self.block_dim)
        if not left and self.block_dim % math.prod(share.shape[1:]) == 0:
            private = self.private | self.spread
            share.body = side_by_side(share.body, private, turns, self.names.fresh) or share.body
        if share.shape in self.squares:
            return self._in_squares(share)
        if mentions(share.body, TURN):
            return self._unrolled(share)
        if len(share.shape) == 2 and self.block_dim % share.shape[1] == 0:
            return [self._by_rows(share)]
        return [self._by_elements(share)]

    def _from_start(self, share: Share, start: Expression) -> list[Statement]:
        (name,), (size,) = share.coordinates, share.shape
        first, last = plus(start, Name(INT, THREAD)), share.last
        if not self._has_one(share):
            stop = Literal(INT, size) if last is None else plus(clone(last), Literal(INT, 1))
            return [For(INT, name, first, stop, self.block_dim, share.body, closed=last is not None)]
        test = Binary(BOOL, "<" if last is None else "<=", Name(INT, name), last or Literal(INT, size))
        return [Declare(INT, name, first, True), If(test, share.body, [], divergent=True)]

    def _one(self, share: Share) -> list[Statement]:
        """At most one element a thread."""
        size = math.prod(share.shape)
        self._substitute(share, self._own_coordinates(share.shape), Name(INT, THREAD))
        if size == self.block_dim:
            return share.body
        test = Binary(BOOL, "<", Name(INT, THREAD), Literal(INT, size))
        constants = list(itertools.takewhile(self._is_constant, share.body))
        rest = share.body[len(constants) :]
        return [*constants, *([If(test, rest, [], divergent=True)] if rest else [])]

    def _is_constant(self, statement: Statement) -> bool:
        """Whether a statement gives a variable the value that it has in threads without an element, too."""
        return (
            isinstance(statement, Assign)
            and isinstance(statement.target, Name)
            and statement.target.name not in self.private
            and isinstance(statement.value, Literal)
        )

    def _own_coordinates(self, shape: tuple[int, ...]) -> list[Expression]:
        """The coordinates of the element whose number is the thread's."""
        if len(shape) == 1:
            return [Name(INT, THREAD)]
        return [self._own(shape, axis) for axis in range(len(shape))]

    def _own(self, shape: tuple[int, ...], axis: int) -> Expression:
        """One of them, by name."""
        value = self._taken_apart(Name(INT, THREAD), shape, self.block_dim)[axis]
        if isinstance(value, Name | Literal):
            return value
        name = self._words(shape[1:], True)[axis]
        self.own.setdefault(name, Declare(INT, name, value, True, below=shape[axis]))
        return Name(INT, name)

    @staticmethod
    def _taken_apart(number: Expression, shape: tuple[int, ...], below: int) -> list[Expression]:
        """The coordinates of the element with a number that is below another one."""
        found = unravel(number, shape)
        for axis in range(len(shape)):
            inner = math.prod(shape[axis + 1 :])
            if inner >= below:
                found[axis] = Literal(INT, 0)
            elif axis and inner * shape[axis] >= below:
                found[axis] = unravel(number, (below, *shape[axis + 1 :]))[0]
        return found

    def _by_rows(self, share: Share) -> Statement:
        """A thread stays in its column."""
        rows, columns = share.shape
        row = self._words(share.shape[1:], share.shape[1:] in self.declared, in_loop=True)[0]
        column = self._own(share.shape, 1)
        start = self._own(share.shape, 0) if share.shape[1:] in self.declared else None
        if start is None:
            start = self._taken_apart(Name(INT, THREAD), share.shape, self.block_dim)[0]
        self._substitute(share, [Name(INT, row), column])
        return For(INT, row, start, Literal(INT, rows), self.block_dim // columns, share.body)

    def _by_elements(self, share: Share) -> Statement:
        """A thread goes through elements a block apart."""
        size = math.prod(share.shape)
        number = self._standing("e")
        share.body[:0] = self._declared(share, Name(INT, number), size)
        return For(INT, number, Name(INT, THREAD), Literal(INT, size), self.block_dim, share.body)

    def _unrolled(self, share: Share) -> list[Statement]:
        """The same, counted from zero, for the elements of tiles in registers; within each turn of a sum."""
        size, turn, parts = math.prod(share.shape), self._turn(), list(parts_of(share.body))
        rename_in(share.body, {TURN: turn})
        inner, number = share.shape[1:], self._standing("e")
        if len(inner) == 1 and self.block_dim % inner[0] == 0:
            row, column = self._words(inner, True)[0], self._own(share.shape, 1)
            start = self._taken_apart(Name(INT, THREAD), share.shape, self.block_dim)[0]
            if inner in self.declared:
                start, row = self._own(share.shape, 0), self._words(inner, True, in_loop=True)[0]
            number, limit = row, share.shape[0]
            here = plus(start, times(Name(INT, turn), self.block_dim // inner[0]))
            head: list[Statement] = []
            self._substitute(share, [Name(INT, row), column])
        else:
            here, limit = plus(Name(INT, THREAD), times(Name(INT, turn), self.block_dim)), size
            head = self._declared(share, Name(INT, number), size)
        count = -(-size // self.block_dim)

        def in_turns(body: list[Statement]) -> For:
            if size % self.block_dim:
                within = Binary(BOOL, "<", Name(INT, number), Literal(INT, limit))
                body = [If(within, body, [], divergent=True)]
            if mentions(body, number):
                below = limit if number != self.names.standing("e") and not size % self.block_dim else None
                body = [Declare(INT, number, clone(here), True, below=below), *body]
            return For(INT, turn, Literal(INT, 0), Literal(INT, count), 1, body, unrolled=True)

        if head or size % self.block_dim:
            parts = [(None, [*head, *share.body])]
        return _in_turns(parts, in_turns)

    def _in_squares(self, share: Share) -> list[Statement]:
        """The same, where a thread's elements lie in rows and columns."""
        counts = self.squares[share.shape]
        steps = [extent // count for extent, count in zip(share.shape, counts, strict=True)]
        turns, words = self._turns(), self._words(share.shape[1:], True, in_loop=True)
        parts = list(parts_of(share.body))
        self._substitute(share, [Name(INT, word) for word in words])
        own = unravel(Name(INT, THREAD), (self.block_dim // steps[1], steps[1]))

        def in_registers(node: Expression) -> Expression:
            if isinstance(node, Component) and node.indices == [Name(INT, TURN)]:
                assert isinstance(node.value, Name)
                registers = Name(Tile(node.type, counts), node.value.name)
                self.in_squares[node.value.name] = counts
                return Component(node.type, registers, "", [Name(INT, turn) for turn in turns])
            return node

        def in_turns(body: list[Statement]) -> Statement:
            rewrite_block(body, in_registers)
            for axis in (1, 0):
                here = plus(clone(own[axis]), times(Name(INT, turns[axis]), steps[axis]))
                if mentions(body, words[axis]):
                    body = [Declare(INT, words[axis], here, True, below=share.shape[axis]), *body]
                stop = Literal(INT, counts[axis])
                body = [For(INT, turns[axis], Literal(INT, 0), stop, 1, body, unrolled=True)]
            return body[0]

        return _in_turns(parts, in_turns)

    def _declared(self, share: Share, number: Expression, size: int) -> list[Statement]:
        """Declarations of the coordinates that a loop's body uses."""
        if len(share.shape) == 1:
            self._substitute(share, [number], number)
            return []
        words = self._words(share.shape[1:], share.shape[1:] in self.declared, in_loop=True)
        values = self._taken_apart(number, share.shape, size)
        self._substitute(share, [Name(INT, word) for word in words], number)
        used = mentioned_names(share.body)
        return [
            Declare(INT, word, value, True, below=extent)
            for word, value, extent in zip(words, values, share.shape, strict=True)
            if word in used
        ]

    def _substitute(
        self, share: Share, coordinates: list[Expression], number: Expression | None = None
    ) -> None:
        """Put expressions in place of the coordinates, and of the element's number made of them."""
        whole = ravel([Name(INT, name) for name in share.coordinates], share.shape)
        given: Mapping[str, Expression] = dict(zip(share.coordinates, coordinates, strict=True))

        def number_of(node: Expression) -> Expression:
            return clone(number) if number is not None and node == whole else node

        rewrite_block(share.body, number_of)
        rewrite_block(share.body, lambda node: valued(node, given))

    def _rename_private(self, share: Share) -> None:
        """Variables that two Shares have of the same name are two."""
        for name in sorted(assigned_names(share.body) & self.private):
            if name in self.spread:
                other = self.names.fresh(name)
                rename_in(share.body, {name: other})
                name = other
            self.spread.add(name)

    def _turn(self) -> str:
        """The name of the number of an element among those of a thread."""
        if not self.turn:
            free = [name for name in ("i", "n", "m") if name not in self.names.taken]
            self.turn = self.names.fresh(free[0] if free else "turn")
        return self.turn

    def _turns(self) -> tuple[str, ...]:
        """The names of its row and column among those of a thread."""
        if not self.turns:
            pairs = [pair for pair in (("i", "j"), ("m", "n")) if not self.names.taken & {*pair}]
            row, column = pairs[0] if pairs else ("turn", "turn")
            self.turns = self.names.fresh(row), self.names.fresh(column)
        return self.turns

    def _standing(self, name: str) -> str:
        return self.names.standing(name)

    def _words(self, inner: _Inner, declared: bool, in_loop: bool = False) -> tuple[str, ...]:
        """The names of coordinates: those that are declared for the whole function, or those of a loop."""
        if not inner:
            return ()
        key = (inner, declared and in_loop)
        if key not in self.words:
            options = _WORDS.get(len(inner) + 1, ())
            free = [words for words in options if not self.names.taken & set(words)]
            stems = options[0] if options else tuple(f"axis{axis}" for axis in range(len(inner) + 1))
            chosen = free[0] if free else tuple(self.names.fresh(stem) for stem in stems)
            self.names.taken |= set(chosen)
            self.words[key] = chosen
        return self.words[key]


def _in_turns(
    parts: Iterable[tuple[Statement | None, list[Statement]]],
    in_turns: Callable[[list[Statement]], Statement],
) -> list[Statement]:
    """The parts of what is done for each element, those of sums within each turn of the sum."""
    lines: list[Statement] = []
    for around, part in parts:
        if isinstance(around, For):
            around.body = [in_turns(part)]
        lines.append(around or in_turns(part))
    return lines


def _same_threads(before: If, after: If, own: Collection[str]) -> bool:
    """Whether two statements are for the same threads, whatever the first does."""
    names = names_of(walk(before.test))
    return after.divergent and before.test == after.test and names <= {THREAD, *own}
