"""Analysis: whether the turns of a loop are independent, so that any thread can take any turn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from weft.cuda.contents import changed_in_block, changed_names, leaf_of
from weft.cuda.traverse import all_expressions, blocks, is_name, statements, walk
from weft.cuda.tree import (
    AddressOf,
    Binary,
    Call,
    Declare,
    Element,
    Evaluate,
    Expression,
    Extent,
    For,
    Jump,
    Literal,
    Member,
    Name,
    Native,
    Return,
    Statement,
    While,
)
from weft.intrinsics import Effect

_Loops = For | While


def are_independent(
    turn: str, body: list[Statement], written: Iterable[str], ordered: Collection[str] = ()
) -> bool:
    """Whether the turns of a loop with this body differ only in the variable `turn`, and none sees what
    another did. Each turn has its own elements of the `written` arrays, or updates them by atomics (not those
    of `ordered`).
    """
    nodes = all_expressions(body)
    calls = [node for node in nodes if isinstance(node, Call)]
    updated = [name for name, _ in updates_in(body)]
    return (
        not _leaves_loop(body)
        and turn not in changed_names(body)
        and all(not call.effect & ~(Effect.ATOMIC | Effect.RANDOM) for call in calls)
        and all(
            _only_members(array, nodes)
            and (
                (array not in ordered and _mentions(array, nodes) == updated.count(array))
                or _mentions(array, nodes) == 0
                or has_own(array, turn, body)
            )
            for array in written
        )
    )


def _mentions(array: str, nodes: Sequence[Expression]) -> int:
    return sum(leaf_of(node) == array for node in nodes)


def _leaves_loop(body: list[Statement], inner: bool = False) -> bool:
    """Whether statements leave the loop round them, or do what nobody sees."""
    for statement in body:
        match statement:
            case Return() | Native():
                return True
            case Jump(keyword="break"):
                return not inner
            case _:
                loops = isinstance(statement, _Loops)
                if any(_leaves_loop(block, inner or loops) for block in blocks(statement)):
                    return True
    return False


def continues(body: list[Statement]) -> bool:
    """Whether a statement goes on with the next turn of the loop round the body."""
    return any(
        (isinstance(one, Jump) and one.keyword == "continue")
        or (not isinstance(one, _Loops) and any(map(continues, blocks(one))))
        for one in body
    )


def _only_members(array: str, nodes: Sequence[Expression]) -> bool:
    """Whether a struct that holds the array is never used as a whole, so that it has no other name."""
    struct, _, member = array.partition(".")
    if not member:
        return True
    mentions = sum(is_name(node, struct) for node in nodes)
    members = sum(isinstance(node, Member) and leaf_of(node.value) == struct for node in nodes)
    return "." not in member and mentions == members


def updates_in(body: list[Statement]) -> list[tuple[str, Call]]:
    """The atomics whose old values are not used, each with the leaf that it updates."""
    calls = [one.value for one in statements(body) if isinstance(one, Evaluate)]
    found = []
    for call in calls:
        match call:
            case Call(effect=Effect.ATOMIC, arguments=[AddressOf(place=Element(array=array)), *_]):
                found.append((leaf_of(array), call))
    return found


def has_own(array: str, turn: str, body: list[Statement]) -> bool:
    """Whether each turn has elements of its own: some of the indices are the same wherever the array is used,
    and tell the turn.
    """
    nodes = all_expressions(body)
    elements = [node for node in nodes if isinstance(node, Element) and leaf_of(node.array) == array]
    if not elements or _mentions(array, nodes) != len(elements):
        return False
    first, *others = elements
    axes = min(len(one.indices) for one in elements)
    same = [
        index
        for axis, index in enumerate(first.indices[:axes])
        if all(one.indices[axis] == index for one in others)
    ]
    return _tells(turn, same, body)


def _tells(turn: str, indices: Iterable[Expression], body: list[Statement]) -> bool:
    """Whether the turn follows from the values of indices: one is the turn, or they are the quotient and the
    remainder of what tells it.
    """
    parts = _Parts(body)
    known = {name for index in indices if (name := parts.whole(index)) is not None}
    while True:
        found = {
            parts.of[quotient]
            for quotient in known
            for remainder in known
            if parts.belong(quotient, remainder)
        }
        if found <= known:
            return turn in known
        known |= found


class _Parts:
    """The constants of a block that are the quotient or the remainder of a name by what never changes there:
    `of` what, and how.
    """

    def __init__(self, block: list[Statement]) -> None:
        changed, own = changed_names(block), changed_in_block(block)
        self.values: dict[str, Expression] = {}
        self.of: dict[str, str] = {}
        self.how: dict[str, tuple[str, Expression]] = {}
        for one in block:
            if not isinstance(one, Declare) or not one.constant or one.value is None:
                continue
            self.values[one.name] = one.value
            match one.value:
                case Binary(operator="/" | "%" as operator, left=Name(name=whole), right=divisor) if (
                    whole not in changed
                    and all(
                        isinstance(node, Literal | Binary | Extent)
                        or (isinstance(node, Name) and node.name not in own)
                        for node in walk(divisor)
                    )
                ):
                    self.of[one.name], self.how[one.name] = whole, (operator, divisor)

    def belong(self, quotient: str, remainder: str, divisor: Expression | None = None) -> bool:
        """Whether two names are the quotient and the remainder of one name by one divisor."""
        if quotient not in self.of or self.of[quotient] != self.of.get(remainder):
            return False
        (one, by), (other, as_well) = self.how[quotient], self.how[remainder]
        return (one, other) == ("/", "%") and by == as_well and divisor in (None, by)

    def whole(self, index: Expression) -> str | None:
        """The name whose value an index has: the index itself, or the name that it splits and joins again, as
        in `(c / n) * n + c % n`.
        """
        match index:
            case Name(name=name):
                again = self.whole(self.values[name]) if name in self.values else None
                return name if again is None or isinstance(self.values[name], Name) else again
            case Binary(
                operator="+",
                left=Binary(operator="*", left=quotients, right=divisor),
                right=Name(name=remainder),
            ):
                quotient = self.whole(quotients)
                if quotient is not None and self.belong(quotient, remainder, divisor):
                    return self.of[quotient]
                return None
            case _:
                return None
