"""The analyses on small trees, without Warp and without a compiler."""

from weft.cuda.analysis.analyzer import Analyzer
from weft.cuda.analysis.dataflow import Dataflow, Exits
from weft.cuda.analysis.state import State
from weft.cuda.analysis.uses import Uses, live_after_loops
from weft.cuda.launch_assumptions import Limits
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Return,
    Statement,
    While,
)
from weft.launch import Launch

LARGEST = 2**31 - 1


def name(text: str) -> Name:
    return Name(INT, text)


def number(value: int) -> Literal:
    return Literal(INT, value)


def binary(left: Expression, operator: str, right: Expression) -> Binary:
    return Binary(BOOL if operator in ("<", ">=", "==") else INT, operator, left, right)


def give(to: str, value: Expression) -> Assign:
    return Assign(name(to), "", value)


def analyzer() -> Analyzer:
    function = Function("f", "f", "", [("a", INT), ("b", INT), ("n", INT)], None, [], False)
    return Analyzer(Launch({}, (), {}), function, set(), Limits())


def known(*tests: Binary) -> State:
    state = State()
    for test in tests:
        analyzer().assume(state, test, True)
    return state


def test_an_interval_has_two_sides() -> None:
    state = known(binary(name("a"), ">=", number(2)), binary(name("a"), "<", number(10)))
    assert analyzer().interval(binary(name("a"), "*", number(3)), state) == (6, 27)
    assert analyzer().interval(binary(number(1), "-", name("a")), state) == (-8, -1)


def test_nothing_is_known_of_a_sum_that_may_not_fit() -> None:
    state = known(binary(name("a"), ">=", number(0)))
    sum_ = binary(name("a"), "+", number(1))
    assert not analyzer().natural(sum_, state)
    analyzer().assume(state, binary(name("a"), "<", number(LARGEST)), True)
    assert analyzer().natural(sum_, state)


def test_differences_are_put_together() -> None:
    state = known(
        binary(name("a"), ">=", number(0)),
        binary(name("a"), "<", name("b")),
        binary(name("b"), "<", name("n")),
    )
    assert analyzer().below(binary(name("a"), "+", number(1)), name("n"), state)
    assert not analyzer().below(binary(name("a"), "+", number(2)), name("n"), state)


def test_a_quotient_and_what_it_leaves_lie_below() -> None:
    state = known(binary(name("a"), ">=", number(0)), binary(name("n"), ">=", number(1)))
    tens = binary(binary(name("a"), "/", number(10)), "*", number(10))
    assert analyzer().natural(binary(name("a"), "-", tens), state)
    assert analyzer().below(binary(name("a"), "-", tens), number(10), state)
    assert analyzer().below(binary(name("a"), "%", name("n")), name("n"), state)
    assert analyzer().below(Call(INT, "min", [name("a"), name("b")]), name("n"), state) is False


def test_a_variable_that_changes_is_forgotten() -> None:
    state = known(binary(name("a"), ">=", number(0)), binary(name("a"), "<", name("b")))
    state.forget({"a"})
    assert not analyzer().natural(name("a"), state)
    assert not analyzer().below(name("a"), name("b"), state)


class Last(Dataflow[frozenset[int]]):
    """The numbers that `a` may hold."""

    def join(self, one: frozenset[int], other: frozenset[int]) -> frozenset[int]:
        return one | other

    def transfer(self, statement: Statement, state: frozenset[int]) -> frozenset[int]:
        if isinstance(statement, Assign) and isinstance(statement.value, Literal):
            return frozenset({int(statement.value.value)})
        return state

    def assume(self, state: frozenset[int], test: Expression, holds: bool) -> frozenset[int] | None:
        return None if isinstance(test, Literal) and bool(test.value) != holds else state


def last(*body: Statement) -> frozenset[int] | None:
    return Last().block(list(body), frozenset({0}), Exits())


def test_jumps_go_where_they_land() -> None:
    test = binary(name("b"), "<", name("n"))
    leave = If(test, [give("a", number(1)), Jump("break")], [])
    again = If(test, [give("a", number(2)), Jump("continue")], [])
    loop = [leave, again, give("a", number(3))]
    assert last(While(test, loop)) == {0, 1, 2, 3}
    assert last(While(Literal(BOOL, True), loop)) == {1}
    assert last(While(Literal(BOOL, True), [give("a", number(3))])) is None
    assert last(For(INT, "j", number(0), name("n"), 1, [give("a", number(4)), Jump("break")])) == {0, 4}
    assert last(If(test, [give("a", number(5)), Return([])], [])) == {0}


def test_a_block_exposes_what_it_reads_first() -> None:
    test = binary(name("c"), "<", name("n"))
    either = If(test, [give("a", number(1))], [Return([])])
    other = If(test, [give("b", number(1))], [])
    body: list[Statement] = [either, other, give("d", binary(name("a"), "+", name("b")))]
    assert Uses(body).exposed(body) == {"b", "c", "n"}


def test_a_loop_variable_lives_where_it_is_read_before_it_is_given_a_value() -> None:
    inner = For(INT, "j", number(0), name("n"), 1, [])
    read = For(INT, "k", number(0), name("n"), 1, [])
    outer = While(
        binary(name("n"), "<", number(9)), [give("a", name("k")), inner, give("j", number(0)), read]
    )
    body: list[Statement] = [outer, give("b", name("j"))]
    assert live_after_loops(body) == {id(inner): False, id(read): True}
