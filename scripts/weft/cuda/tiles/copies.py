"""Pass: no variable that only hands a value on.

Before: what was a tile is a variable, and so is every step towards it. After: copies are gone, and names that
one store, or one call of the whole block, is alone to read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from weft.cuda.analysis.linear import key_of
from weft.cuda.conditions import operands
from weft.cuda.contents import changed_in, changed_in_block, contents
from weft.cuda.tiles.accesses import COLLECTIVE
from weft.cuda.tiles.elements import uses_of
from weft.cuda.traverse import (
    all_blocks,
    all_expressions,
    clone,
    is_name,
    names_of,
    nodes_of,
    own_nodes,
    rename_in,
    rewrite_block,
    statements,
    walk,
)
from weft.cuda.tree import (
    BOOL,
    Assign,
    Binary,
    Call,
    Conditional,
    Construct,
    Declare,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Shared,
    Statement,
)
from weft.intrinsics import Effect
from weft.types import Array, Scalar, Tile

_SHORT = 7
"""The most nodes of an expression that becomes an argument."""

_NEAR = 4
"""The most statements that it crosses."""


def remove_copies(function: Function, own: Collection[str], for_all: Collection[str]) -> None:
    """Run the pass on a function; `own` are the names of its source, `for_all` the keys of functions that all
    threads must call.
    """
    while _Remover(function, own, for_all).change():
        pass


def drop_unit_axes(function: Function) -> None:
    """Pass: a tile of one row or column has one dimension, unless something takes the whole tile."""
    uses = uses_of(function.body)
    for tile in function.body:
        if isinstance(tile, Shared) and 1 in tile.shape and not tile.extents:
            kept = [axis for axis, extent in enumerate(tile.shape) if extent > 1] or [0]
            found = [use.element for use in uses.get(tile.name, []) if use is not None]
            whole = len(found) < len(uses.get(tile.name, []))
            if whole or any(len(element.indices) < len(tile.shape) for element in found):
                continue
            shape = tuple(tile.shape[axis] for axis in kept)
            for element in found:
                element.value = Name(Tile(tile.type, shape), tile.name)
                element.indices = [element.indices[axis] for axis in kept]
            tile.column = kept == [0]
            tile.shape, tile.padded = shape, tile.padded and len(shape) > 1


def join_guards(function: Function) -> None:
    """Pass: what the same threads do, one after the other, under one `if`; so is what some of them do. A
    variable that only those have is declared there.
    """
    _join_nested(function)
    for block in all_blocks(function.body):
        for position in range(len(block) - 1, 0, -1):
            match block[position - 1 : position + 1]:
                case [If(otherwise=[]) as one, If(otherwise=[]) as other] if (
                    (_is_shared_work(one) or _is_shared_work(other))
                    and key_of(one.test) == key_of(other.test)
                    and all(isinstance(node, Name | Literal | Binary) for node in walk(one.test))
                    and not other.trailing
                ):
                    names = names_of(walk(one.test))
                    if not names & changed_in_block(one.body):
                        one.body += other.body
                        block.pop(position)
                        _declare_inside(function, block, position - 2)
    _join_nested(function)


def _declare_inside(function: Function, block: list[Statement], at: int) -> None:
    """Declare a variable in the `if` after its declaration, if what it begins with is never read."""
    match block[max(at, 0) : at + 2]:
        case [
            Declare(name=name, constant=False, trailing="", value=None | Literal()) as outer,
            If() as guard,
        ]:
            inside = sum(is_name(node, name) for node in all_expressions(guard.body))
            uses = [one for one in guard.body if any(is_name(node, name) for node in all_expressions([one]))]
            if inside < sum(is_name(node, name) for node in all_expressions(function.body)) or not uses:
                return
            match uses[0]:
                case Assign(target=Name(name=target), operator="", value=value) as first if (
                    target == name and not any(is_name(node, name) for node in walk(value))
                ):
                    changes = name in changed_in_block([one for one in guard.body if one is not first])
                    own = Declare(outer.type, name, value, not changes, node=first.node)
                    own.trailing = first.trailing
                    guard.body[:] = [own if one is first else one for one in guard.body]
                    block.pop(at)


def _join_nested(function: Function) -> None:
    for statement in statements(function.body):
        match statement:
            case If(otherwise=[], divergent=True, body=[If(otherwise=[], trailing="") as inner]):
                statement.test = Binary(BOOL, "&&", statement.test, inner.test)
                statement.body = inner.body


def load_under_guards(function: Function) -> None:
    """Pass: what is loaded for one guarded statement alone is loaded under its guard, once tested."""
    for block in all_blocks(function.body):
        for position in range(len(block) - 2, -1, -1):
            match block[position]:
                case Declare(name=name, value=Conditional(test=test, then=then), constant=True) as load:
                    guard = _guard_of(name, block[position + 1 :])
                    mentions = sum(is_name(node, name) for node in all_expressions(function.body))
                    if guard is None or not {*map(key_of, operands(test))} <= {
                        *map(key_of, operands(guard.test))
                    }:
                        continue
                    inside = sum(is_name(node, name) for node in all_expressions(guard.body))
                    if mentions == inside and not any(isinstance(n, Call) and n.effect for n in walk(then)):
                        load.value = then
                        guard.body.insert(0, block.pop(position))


def _guard_of(name: str, rest: list[Statement]) -> If | None:
    """The `if` that mentions a name first, if only values of variables stand before it."""
    for one in rest:
        match one:
            case If(otherwise=[]) as guard:
                return guard
            case Declare(value=value) if value is None or not any(
                is_name(node, name) for node in walk(value)
            ):
                continue
            case _:
                return None
    return None


def update_in_place(function: Function) -> None:
    """Pass: `const float before = a[i]; a[i] = before + x;` becomes one statement."""
    for block in all_blocks(function.body):
        for position in range(len(block) - 1, 0, -1):
            match block[position - 1], block[position]:
                case (
                    Declare(name=name, value=Pointee() as old, constant=True),
                    Assign(
                        target=Pointee() as target, operator="", value=Binary(operator="+") as sum_
                    ) as one,
                ) if (
                    isinstance(sum_.type, Scalar) and sum_.type == old.type and key_of(old) == key_of(target)
                ):
                    others = [part for part in (sum_.left, sum_.right) if not is_name(part, name)]
                    uses = [node for node in all_expressions(block) if is_name(node, name)]
                    if len(others) == len(uses) == 1:
                        one.operator, one.value = "+", others[0]
                        block.pop(position - 1)


def add_nothing_back(function: Function) -> None:
    """Pass: where `before = upto - own`, `before + own` is `upto`, if these are integers."""
    for block in all_blocks(function.body):
        for position, statement in enumerate(block):
            match statement:
                case Declare(
                    name=before,
                    constant=True,
                    value=Binary(operator="-", left=Name() as upto, right=Name(type=Scalar() as kind) as own),
                ) if kind.is_integer:
                    rest = block[position + 1 :]
                    if not {upto.name, own.name} & changed_in_block(rest):
                        _replace(rest, Binary(kind, "+", Name(kind, before), own), upto)
                case _:
                    pass


def _replace(block: list[Statement], value: Expression, name: Name) -> None:
    rewrite_block(block, lambda node: clone(name) if node == value else node)


class _Remover:
    """How often names are assigned and read, and where first, in a function as it is. `changing` are those
    that something else than an assignment changes.
    """

    def __init__(self, function: Function, own: Collection[str], for_all: Collection[str]) -> None:
        self.function = function
        self.own = own
        self.for_all = for_all
        whole = contents(function)
        self.parameters = {name for name, _ in function.parameters}
        self.order = {id(statement): number for number, statement in enumerate(whole.statements)}
        self.assigned: Counter[str] = Counter()
        self.read: Counter[str] = Counter()
        self.first_assigned: dict[str, int] = {}
        self.first_read: dict[str, int] = {}
        self.last_assigned: dict[str, int] = {}
        self.last_read: dict[str, int] = {}
        for number, statement in enumerate(whole.statements):
            target = statement.target if isinstance(statement, Assign) else None
            for node in own_nodes(statement):
                if isinstance(node, Name):
                    is_target = node is target
                    (self.assigned if is_target else self.read)[node.name] += 1
                    first = self.first_assigned if is_target else self.first_read
                    first.setdefault(node.name, number)
                    (self.last_assigned if is_target else self.last_read)[node.name] = number
        others = [s for s in whole.statements if not (isinstance(s, Assign) and isinstance(s.target, Name))]
        self.changing = changed_in(others, whole.nodes)
        self.changing |= {s.name for s in whole.statements if isinstance(s, For)}

    def change(self) -> bool:
        """Make one change, if there is one to make."""
        for block in all_blocks(self.function.body):
            for position, statement in enumerate(block):
                if not isinstance(statement, Assign) or not isinstance(statement.target, Name):
                    continue
                name = statement.target.name
                if self._takes_over(statement, name, block):
                    block.pop(position)
                    return True
                if statement.operator or name in self.parameters | self.changing:
                    continue
                if self.first_assigned[name] < self.order[id(statement)]:
                    continue
                if self._copies(statement, name, block) or self._moves(
                    statement, name, block[position + 1 :]
                ):
                    block.pop(position)
                    return True
        return False

    def _takes_over(self, statement: Assign, name: str, block: list[Statement]) -> bool:
        """`name = other` for what is changed by reference, where nobody asks for the other again."""
        value, here = statement.value, self.order[id(statement)]
        if (
            not isinstance(value, Name)
            or value.type != statement.target.type
            or block is not self.function.body
        ):
            return False
        other = value.name
        first = min(self.first_read.get(name, here), self.first_assigned[name])
        if (
            statement.operator
            or name not in self.changing
            or other in self.changing | self.parameters
            or not self.assigned[other]
            or (other in self.own and name not in self.own)
            or max(self.last_read[other], self.last_assigned[other]) > here
            or first < here
        ):
            return False
        self._rename(other, name)
        return True

    def _copies(self, statement: Assign, name: str, block: list[Statement]) -> bool:
        """`name = other`: one name for both."""
        value, here = statement.value, self.order[id(statement)]
        if (
            not isinstance(value, Name)
            or value.type != statement.target.type
            or isinstance(value.type, Array)
        ):
            return False
        other = value.name
        if other in self.changing or self.first_read.get(name, here) < here:
            return False
        made = other not in self.own and other not in self.parameters and self.assigned[other] > 0
        ends = made and self._ends(other, here, block)
        stays = self.assigned[name] == 1 and self.assigned[other] <= 1
        stays = stays and self.first_assigned.get(other, -1) < here
        # What a tile's element was is worth less than the name of the value that was taken out.
        alone = stays and self.read[other] == 1 and {name, other} <= {*self.own} - self.parameters
        lasts = self.assigned[name] == 1 and self.last_assigned.get(other, -1) < here
        lasts = lasts and block is self.function.body
        if alone or (ends and (name in self.own or not stays)):
            self._rename(other, name)
        elif stays or lasts:
            self._rename(name, other)
        return ends or stays or lasts

    def _ends(self, name: str, last: int, block: list[Statement]) -> bool:
        """Whether all that mentions a name is in this block, and nothing after a statement."""
        inside = [s for s in statements(block) if self.order[id(s)] <= last]
        found = sum(is_name(node, name) for node in nodes_of(inside))
        return found == self.read[name] + self.assigned[name]

    def _moves(self, statement: Assign, name: str, rest: list[Statement]) -> bool:
        """A value that the next statement alone reads, to store it, goes there; so does one that all threads
        exchange, if there are only other values before that, or a barrier.
        """
        nodes = walk(statement.value)
        calls = [node for node in nodes if isinstance(node, Call)]
        if self.read[name] != 1 or self.assigned[name] > 1 or any(call.effect for call in calls):
            return False
        following = rest[0] if rest else None
        if isinstance(following, If) and not any(call.user in self.for_all for call in calls):
            following = _guarded(following, name)
        match following:
            case Assign(target=target, value=value) if is_name(value, name) and not isinstance(target, Name):
                following.value = statement.value
                return True
            case _:
                return len(nodes) <= _SHORT and _exchanges(name, statement.value, rest)

    def _rename(self, name: str, other: str) -> None:
        rename_in(self.function.body, {name: other})


def _exchanges(name: str, value: Expression, rest: list[Statement]) -> bool:
    """Put a value where all threads exchange it, if it is the same there."""
    nodes = walk(value)
    names = names_of(nodes)
    plain = all(isinstance(node, Name | Literal | Binary) for node in nodes)
    for at, one in enumerate(rest):
        match one:
            case Assign(value=Call(effect=effect, arguments=arguments)) if effect & COLLECTIVE:
                match arguments:
                    case [Construct(arguments=several)]:
                        arguments = several
                place = [is_name(argument, name) for argument in arguments]
                if any(place):
                    arguments[place.index(True)] = value
                return any(place)
            case Assign(target=Name(name=other), value=between) if at < _NEAR:
                if other in names or not plain or any(is_name(node, name) for node in walk(between)):
                    return False
            case Evaluate(value=Call(effect=Effect.BARRIER)) if plain:
                pass
            case _:
                return False
    return False


def _guarded(statement: If, name: str) -> Statement | None:
    """The one statement that some threads do: those whose element is in the array, or one for all."""
    named = any(is_name(node, name) for node in walk(statement.test))
    if len(statement.body) != 1 or statement.otherwise or named:
        return None
    return statement.body[0] if _is_shared_work(statement) else None


def _is_shared_work(statement: If) -> bool:
    """Whether an `if` is about the threads that have an element of a tile, or one within its array."""
    nodes = walk(statement.test)
    return statement.divergent or any(isinstance(node, Binary) and node.in_range for node in nodes)
