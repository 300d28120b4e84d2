"""The passes of tiles on small trees, without Warp and without a compiler."""

import copy
import dataclasses
import itertools

import pytest

from weft.cuda.grid import Grid, linear_grid
from weft.cuda.passes.block_shape import shape_block
from weft.cuda.passes.first_thread import reduce_for_first_thread
from weft.cuda.passes.numbered_names import drop_numbers
from weft.cuda.passes.thread_number import count_threads
from weft.cuda.tiles.accesses import AccessFinder
from weft.cuda.tiles.barriers import place_barriers
from weft.cuda.tiles.copies import add_nothing_back, join_guards, load_under_guards, remove_copies
from weft.cuda.tiles.direct import load_directly
from weft.cuda.tiles.extremes import reduce_extremes_together
from weft.cuda.tiles.first_warp import reduce_in_first_warp
from weft.cuda.tiles.loops import THREAD, barrier
from weft.cuda.tiles.merging import merge_shares
from weft.cuda.tiles.registers import fit_shared, use_registers
from weft.cuda.tiles.rows import by_first_lane, keep_in_lanes
from weft.cuda.tiles.side_by_side import join_sums
from weft.cuda.tiles.spread import spread_shares
from weft.cuda.tiles.sums import sum_together
from weft.cuda.traverse import nodes_of, statements
from weft.cuda.tree import (
    BOOL,
    FLOAT,
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Component,
    Conditional,
    Construct,
    Declare,
    Element,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Literal,
    Member,
    Name,
    Pointee,
    Registers,
    Share,
    Shared,
    Statement,
    Threads,
)
from weft.intrinsics import Effect
from weft.types import Array, Scalar, Tile, Type, Vector

BLOCK = 64


def number(value: int) -> Literal:
    return Literal(INT, value)


def variable(name: str) -> Name:
    return Name(FLOAT, name)


def plus(left: Expression, right: Expression) -> Binary:
    return Binary(left.type, "+", left, right)


def at(name: str, shape: tuple[int, ...], *indices: Expression | str) -> Component:
    """An element of a tile, at coordinates by name."""
    found = [Name(INT, index) if isinstance(index, str) else index for index in indices]
    return Component(FLOAT, Name(Tile(FLOAT, shape), name), "", found)


def loaded(array: str, *indices: Expression | str) -> Element:
    found = [Name(INT, index) if isinstance(index, str) else index for index in indices]
    return Element(FLOAT, Name(Array(FLOAT, len(found)), array), found)


def give(target: Expression, value: Expression, operator: str = "") -> Assign:
    return Assign(target, operator, value)


def line(count: int, *body: Statement) -> Share:
    return Share((count,), ("e",), list(body))


def grid(rows: int, columns: int, *body: Statement) -> Share:
    return Share((rows, columns), ("row", "column"), list(body))


def of_block(name: str, *arguments: Expression) -> Call:
    return Call(FLOAT, name, list(arguments), (name, (FLOAT,)), effect=Effect.COLLECTIVE)


def kernel(*body: Statement) -> Function:
    """A kernel of one block for each i, whose arrays are a and out."""
    parameters = [("a", Array(FLOAT, 1)), ("out", Array(FLOAT, 1))]
    return Function("k", "k", "", parameters, None, [Threads(["i"]), *body], True)


def finder(function: Function) -> AccessFinder:
    return AccessFinder(function, {"i"}, set())


def is_barrier(statement: Statement) -> bool:
    return isinstance(statement, Evaluate) and getattr(statement.value, "effect", None) is Effect.BARRIER


def with_barriers(*body: Statement) -> list[Statement]:
    function = kernel(*body)
    place_barriers(function, finder(function), BLOCK)
    return function.body[1:]


def count_barriers(*body: Statement) -> int:
    return sum(map(is_barrier, statements(with_barriers(*body))))


FILL = (64,)


def fill(name: str = "t") -> Share:
    return line(64, give(at(name, FILL, "e"), loaded("a", "e")))


def test_a_thread_does_not_wait_for_itself() -> None:
    assert count_barriers(fill(), line(64, give(loaded("out", "e"), at("t", FILL, "e")))) == 0


def test_a_thread_waits_for_what_another_wrote() -> None:
    turned = Binary(INT, "-", number(63), Name(INT, "e"))
    found = with_barriers(fill(), line(64, give(loaded("out", "e"), at("t", FILL, turned))))
    assert [is_barrier(statement) for statement in found] == [False, True, False]


def test_a_loop_that_runs_leaves_nothing_of_what_was_before() -> None:
    again = line(64, give(variable("x"), at("t", FILL, Binary(INT, "-", number(62), Name(INT, "e")))))

    def after(stop: Expression) -> list[Statement]:
        return with_barriers(
            line(64, give(at("t", FILL, "e"), number(0))),
            For(
                INT,
                "k",
                number(0),
                stop,
                1,
                [
                    line(64, give(at("u", FILL, "e"), number(0))),
                    line(64, give(variable("x"), at("u", FILL, number(3)))),
                    barrier("__syncthreads"),
                ],
            ),
            again,
        )

    assert not is_barrier(after(number(2))[2]) and is_barrier(after(Name(INT, "n"))[2])


def test_nothing_follows_the_last_use_and_a_loop_ends_with_its_barrier() -> None:
    turned = Binary(INT, "-", number(63), Name(INT, "e"))
    use = line(64, give(variable("x"), at("t", FILL, turned)))
    loop = For(INT, "k", number(0), number(3), 1, [fill(), use])
    found = with_barriers(loop)
    assert found == [loop]
    assert [is_barrier(statement) for statement in loop.body] == [False, True, False, True]


def test_threads_that_exchange_values_in_a_loop_wait_in_it() -> None:
    turned = Binary(INT, "-", number(63), Name(INT, THREAD))
    own = give(at("t", FILL, THREAD), variable("x"))
    loop = For(INT, "k", number(0), Name(INT, "n"), 1, [own, give(variable("x"), at("t", FILL, turned))])
    assert with_barriers(loop) == [loop]
    assert [is_barrier(statement) for statement in loop.body] == [False, True, False, True]


def test_threads_wait_once_before_a_loop_for_what_was_before_it() -> None:
    add = Call(FLOAT, "atomicAdd", [AddressOf(FLOAT, at("t", FILL, number(3))), variable("x")])
    add = dataclasses.replace(add, effect=Effect.ATOMIC)
    loop = For(INT, "k", number(0), number(3), 1, [give(variable("x"), loaded("a", "k")), Evaluate(add)])
    found = with_barriers(fill(), loop)
    assert [is_barrier(one) for one in found] == [False, True, False] and not any(map(is_barrier, loop.body))


def test_a_thread_does_not_wait_before_it_stores_where_it_loaded() -> None:
    for place, waits in (("tid", 0), ("j", 1)):
        function = kernel(give(variable("x"), loaded("a", "tid")), give(loaded("a", place), variable("x")))
        function.body[0] = Threads(["i", "tid"])
        place_barriers(function, finder(function), BLOCK)
        assert sum(map(is_barrier, function.body)) == waits


def test_atomics_wait_for_no_other_but_a_reader_waits_for_them() -> None:
    def add(place: int) -> Evaluate:
        target = AddressOf(FLOAT, at("t", FILL, number(place)))
        return Evaluate(Call(FLOAT, "atomicAdd", [target, Literal(FLOAT, 1.0)], effect=Effect.ATOMIC))

    assert count_barriers(add(1), add(2)) == 0
    assert count_barriers(add(1), give(variable("x"), at("t", FILL, number(1)))) == 1
    assert count_barriers(fill(), add(1)) == 1


@pytest.mark.parametrize(
    ("first", "second", "barriers"),
    [("block_sum", "block_sum", 1), ("block_sum", "block_max", 0), ("warp_sum", "warp_sum", 0)],
)
def test_the_slots_of_a_reduction_are_read_before_they_are_written_again(
    first: str, second: str, barriers: int
) -> None:
    calls = [give(variable("x"), of_block(name, variable("v"))) for name in (first, second)]
    assert count_barriers(*calls) == barriers


def test_a_barrier_stands_before_the_first_value_of_a_sum() -> None:
    turned = Binary(INT, "-", number(63), Name(INT, "e"))
    zero = give(variable("part"), Literal(FLOAT, 0.0))
    found = with_barriers(fill(), zero, line(64, give(variable("part"), at("t", FILL, turned), "+")))
    assert [is_barrier(statement) for statement in found] == [False, True, False, False]


def test_an_array_that_is_read_and_written_is_exchanged_like_a_tile() -> None:
    read = line(64, give(variable("x"), loaded("a", "e")))
    next_one = plus(Name(INT, "e"), number(1))
    assert count_barriers(read, line(64, give(loaded("a", "e"), variable("x")))) == 0
    assert count_barriers(read, line(64, give(loaded("a", next_one), variable("x")))) == 1


def merged(*body: Statement) -> list[Statement]:
    function = kernel(*body)
    merge_shares(function, finder(function), BLOCK)
    return function.body[1:]


T = (96,)


def test_what_is_done_with_each_element_is_one_loop() -> None:
    first = line(96, give(at("t", T, "e"), loaded("a", "e")))
    second = line(96, give(loaded("out", "e"), at("t", T, "e")))
    assert merged(first, second) == [first]
    assert len(first.body) == 2


def test_an_element_of_another_thread_is_waited_for() -> None:
    first = line(96, give(at("t", T, "e"), loaded("a", "e")))
    turned = Binary(INT, "-", number(95), Name(INT, "e"))
    second = line(96, give(loaded("out", "e"), at("t", T, turned)))
    assert merged(first, second) == [first, second]


def test_a_sum_goes_up_to_another_with_its_first_value_but_a_load_stays() -> None:
    def part(name: str) -> list[Statement]:
        start = give(variable(name), Literal(FLOAT, 0.0))
        return [start, line(96, give(variable(name), at("t", T, "e"), "+"))]

    total = give(variable("x"), of_block("block_sum", variable("p")))
    found = merged(*part("p"), total, *part("q"))
    assert [type(one) for one in found] == [Assign, Assign, Share, Assign]
    load = line(96, give(at("u", T, "e"), loaded("a", "e")))
    assert merged(*part("p"), total, load)[-1] is load


def test_nothing_goes_up_past_what_it_needs() -> None:
    total = give(variable("x"), of_block("block_sum", variable("p")))
    first = line(96, give(variable("p"), at("t", T, "e"), "+"))
    second = line(96, give(loaded("out", "e"), plus(at("t", T, "e"), variable("x"))))
    assert merged(first, total, second) == [first, total, second]


def registered(*body: Statement) -> Function:
    function = kernel(*body)
    use_registers(function, BLOCK, {})
    return function


def test_one_own_element_is_a_variable() -> None:
    function = registered(Shared(FLOAT, "t", FILL), fill(), line(64, give(variable("x"), at("t", FILL, "e"))))
    assert not any(isinstance(node.type, Tile) for node in nodes_of(statements(function.body)))
    assert not any(isinstance(statement, Shared) for statement in function.body)


def test_several_own_elements_are_registers_unless_one_share_is_their_whole_life() -> None:
    first = line(96, give(at("t", T, "e"), loaded("a", "e")))
    second = line(96, give(loaded("out", "e"), at("t", T, "e")))
    function = registered(Shared(FLOAT, "t", T), first, second)
    assert Registers(FLOAT, "t", (2,)) in function.body
    whole = line(96, *first.body, *second.body)
    whole.body[0] = give(at("t", T, "e"), loaded("a", "e"))
    whole.body[1] = give(loaded("out", "e"), at("t", T, "e"))
    assert not any(isinstance(one, Registers) for one in registered(Shared(FLOAT, "t", T), whole).body)


def test_accumulators_begin_as_zeros() -> None:
    first = line(96, give(at("t", T, "e"), Literal(FLOAT, 0.0)))
    second = line(96, give(at("t", T, "e"), loaded("a", "e"), "+"))
    function = registered(Shared(FLOAT, "t", T), first, second)
    assert function.body[1:] == [Registers(FLOAT, "t", (2,), zeros=True), second]


@pytest.mark.parametrize(
    "other",
    [
        give(variable("x"), at("t", FILL, number(3))),
        Evaluate(Call(INT, "f", [Name(Tile(FLOAT, FILL), "t")], user="f")),
        line(
            64,
            Evaluate(Call(FLOAT, "atomicAdd", [AddressOf(FLOAT, at("t", FILL, "e"))], effect=Effect.ATOMIC)),
        ),
    ],
    ids=["one element", "the whole", "an address"],
)
def test_what_others_may_use_is_shared(other: Statement) -> None:
    assert Shared(FLOAT, "t", FILL) in registered(Shared(FLOAT, "t", FILL), fill(), other).body


def test_a_tile_that_is_read_down_is_padded_where_there_is_room() -> None:
    def turned(extent: int) -> Function:
        shape = (extent, extent)
        write = grid(*shape, give(at("t", shape, "row", "column"), loaded("a", "row")))
        read = grid(*shape, give(variable("x"), at("t", shape, "column", "row")))
        return registered(Shared(FLOAT, "t", shape), write, read)

    small, odd, full = turned(16), turned(15), turned(110)
    assert [one.body[1] for one in (small, odd)] == [
        Shared(FLOAT, "t", (16, 16), padded=True),
        Shared(FLOAT, "t", (15, 15)),
    ]
    assert fit_shared(small, {}) == 1024
    assert fit_shared(full, {}) == 48400 and full.body[1] == Shared(FLOAT, "t", (110, 110), padded=True)
    assert fit_shared(function := turned(128), {}) == 65536 and not function.body[1].padded  # type: ignore[attr-defined]


def by_rows() -> tuple[Share, Share]:
    """The largest of each row of a tile of 8 by 8, and what is done with it."""
    lead = by_first_lane(Name(INT, "column"), [give(at("m", (8,), "row"), variable("v"))])
    value = give(variable("v"), of_block("warp_max", loaded("a", "row")))
    return grid(8, 8, value, lead), line(8, give(loaded("out", "e"), at("m", (8,), "e")))


def in_lanes(*body: Statement) -> Function:
    function = kernel(Shared(FLOAT, "m", (8,)), *body)
    keep_in_lanes(function, BLOCK)
    use_registers(function, BLOCK, {})
    return function


def test_every_lane_of_a_row_keeps_its_result() -> None:
    reduce, use = by_rows()
    function = in_lanes(reduce, use)
    store = by_first_lane(Name(INT, "column"), [give(loaded("out", "row"), variable("m"))])
    assert reduce.body[1] == give(variable("m"), variable("v"))
    assert (use.shape, use.body) == ((8, 8), [store])
    assert not any(isinstance(one, Shared) for one in function.body)


def test_what_is_needed_of_other_rows_is_stored_before() -> None:
    reduce, use = by_rows()
    turned = Binary(INT, "-", number(7), Name(INT, "e"))
    needed = line(8, give(loaded("out", "e"), at("m", (8,), turned)))
    function = in_lanes(reduce, use, needed)
    store = by_first_lane(Name(INT, "column"), [give(at("shared_m", (8,), "row"), variable("m"))])
    assert function.body[1] == Shared(FLOAT, "shared_m", (8,))
    assert function.body[-2:] == [grid(8, 8, store), needed]
    assert needed.body == [give(loaded("out", "e"), at("shared_m", (8,), turned))]
    place_barriers(function, finder(function), BLOCK)
    assert [is_barrier(one) for one in function.body[-3:]] == [False, True, False]


def test_what_must_happen_once_a_row_happens_once() -> None:
    drawn = Call(FLOAT, "randf", [Name(INT, "state")], effect=Effect.RANDOM)
    reduce, _ = by_rows()
    use = line(8, give(at("m", (8,), "e"), plus(at("m", (8,), "e"), drawn)))
    in_lanes(reduce, use)
    assert use.shape == (8,) and reduce.body[1] == by_rows()[0].body[1]


def test_a_value_of_threads_is_that_of_one_a_row() -> None:
    reduce, _ = by_rows()
    own = line(8, give(variable("v2"), at("m", (8,), "e")))
    in_lanes(reduce, own, give(variable("t"), of_block("block_sum", variable("v2"))))
    assert own.shape == (8,) and reduce.body[1] == by_rows()[0].body[1]


def test_sums_of_which_none_needs_another_are_one() -> None:
    def total(name: str, *parts: Expression) -> Assign:
        return give(variable(name), of_block("block_sum", *parts))

    mean = give(variable("m"), plus(variable("s"), variable("x")))
    function = kernel(total("s", variable("a")), mean, total("t", variable("b")))
    sum_together(function)
    both = Name(Vector(2, FLOAT), "totals")
    parts = Construct(both.type, [variable("a"), variable("b")])
    assert function.body[1:] == [
        give(
            both,
            Call(both.type, "block_sum", [parts], ("block_sum", (both.type,)), Effect.COLLECTIVE, "total"),
        ),
        give(variable("s"), Member(FLOAT, both, ".x")),
        give(variable("t"), Member(FLOAT, both, ".y")),
        mean,
    ]
    for between in (give(variable("b"), variable("s")), give(variable("a"), variable("x")), barrier()):
        function = kernel(total("s", variable("a")), between, total("t", variable("b")))
        sum_together(function)
        assert between in function.body and len(function.body) == 4, between


def spread(*body: Statement, threads: tuple[str, ...] = ("i",)) -> list[Statement]:
    function = kernel(*body)
    function.body[0] = Threads(list(threads))
    spread_shares(function, 1, BLOCK)
    return function.body[1:]


def test_as_many_elements_as_threads_need_no_loop() -> None:
    found = spread(grid(8, 8, give(at("t", (8, 8), "row", "column"), variable("x"))))
    tid = Name(INT, "tid")
    assert found == [
        Declare(INT, "tid", Name(INT, "threadIdx.x"), True),
        Declare(INT, "row", Binary(INT, "/", tid, number(8)), True, below=8),
        Declare(INT, "column", Binary(INT, "%", tid, number(8)), True, below=8),
        give(at("t", (8, 8), "row", "column"), variable("x")),
    ]


def test_fewer_elements_need_an_if_and_neighbours_share_it() -> None:
    x, y = (line(8, give(at(name, (8,), "e"), loaded("a", "e"))) for name in "xy")
    found = spread(x, y, threads=("i", "lane"))
    lane = Name(INT, "lane")
    body = [give(at(name, (8,), lane), loaded("a", lane)) for name in "xy"]
    assert found == [If(Binary(BOOL, "<", lane, number(8)), body, [], divergent=True)]


def test_more_elements_are_a_loop_in_which_a_thread_stays_in_its_column() -> None:
    declared, column, loop = spread(grid(16, 16, give(at("t", (16, 16), "row", "column"), variable("x"))))
    assert isinstance(declared, Declare) and isinstance(column, Declare) and isinstance(loop, For)
    assert (column.name, loop.name, loop.step) == ("column", "row", 4)
    (uneven,) = (
        one
        for one in spread(grid(10, 10, give(at("t", (10, 10), "row", "column"), variable("x"))))
        if isinstance(one, For)
    )
    assert (uneven.name, uneven.step, uneven.stop) == ("e", 64, number(100))


def test_registers_are_counted_in_unrolled_loops() -> None:
    share = line(96, give(at("t", T, "e"), loaded("a", "e")))
    function = registered(Shared(FLOAT, "t", T), share, line(96, give(loaded("out", "e"), at("t", T, "e"))))
    spread_shares(function, 1, BLOCK)
    loops = [one for one in function.body if isinstance(one, For)]
    assert [(one.unrolled, one.stop) for one in loops] == [(True, number(2))] * 2
    assert all(isinstance(one.body[1], If) for one in loops), "the second turn has 32 elements"


def product(total: Expression, left: str = "a", k: str = "k", steps: int = 4) -> For:
    """The sum over k of products that go to one element."""
    factors = [at(left, (16, 4), "row", k), at("b", (4, 16), k, "column")]
    return For(INT, k, number(0), number(steps), 1, [give(total, Call(FLOAT, "fmaf", [*factors, total]))])


def test_sums_of_several_elements_take_their_turns_together() -> None:
    zero, out = give(variable("sum"), Literal(FLOAT, 0)), at("t", (16, 8), "row", "column")
    registers, loop, store = spread(grid(16, 8, zero, product(variable("sum")), give(out, variable("sum"))))[
        -3:
    ]
    assert registers == Registers(FLOAT, "sum", (2,), True)
    assert isinstance(loop, For) and isinstance(store, For)
    (elements,) = loop.body
    assert isinstance(elements, For) and (elements.unrolled, elements.stop) == (True, number(2))
    assert store.body[-1] == give(out, at("sum", (2,), store.name))


def test_many_sums_of_a_thread_lie_in_rows_and_columns() -> None:
    """16 sums need 4 rows of one factor and 4 columns of the other, where a column of sums needs 17."""
    zero, out = give(variable("sum"), Literal(FLOAT, 0)), at("t", (32, 32), "row", "column")
    share = grid(32, 32, zero, product(variable("sum")), give(out, variable("sum")))
    registers, loop, store = spread(share)[-3:]
    assert registers == Registers(FLOAT, "sum", (4, 4), True)
    assert isinstance(loop, For) and isinstance(store, For)
    for rows in (loop.body[0], store):
        assert isinstance(rows, For) and (rows.unrolled, rows.stop) == (True, number(4))
        row, columns = rows.body
        assert isinstance(row, Declare) and isinstance(columns, For) and columns.unrolled
        column, step = columns.body
        assert isinstance(column, Declare) and isinstance(step, Assign)
        tid = Name(INT, "tid")
        assert row.value == plus(
            Binary(INT, "/", tid, number(8)), Binary(INT, "*", Name(INT, rows.name), number(8))
        )
        assert column.value == plus(
            Binary(INT, "%", tid, number(8)), Binary(INT, "*", Name(INT, columns.name), number(8))
        )
        own = at("sum", (4, 4), rows.name, columns.name)
        assert own in (step.target, step.value)


def test_a_tile_that_squares_of_sums_read_in_several_rows_at_once_is_padded() -> None:
    """Rows of 16 words: a warp reads four of them, of which two lie in the same banks."""

    def padded(columns: int) -> bool:
        left = Shared(FLOAT, "a", (32, 16))
        load = grid(32, 16, give(at("a", (32, 16), "row", "column"), variable("x")))
        sums = For(
            INT, "k", number(0), number(16), 1, [give(variable("sum"), at("a", (32, 16), "row", "k"), "+")]
        )
        function = registered(left, load, grid(32, columns, sums))
        return any(isinstance(one, Shared) and one.padded for one in function.body)

    assert padded(32) and not padded(4)


def test_a_sum_that_others_see_has_a_variable_of_its_own() -> None:
    shared = at("t", (8, 8), "row", "column")
    first, loop, store = spread(grid(8, 8, product(shared)))[3:]
    assert (first, store) == (give(variable("sum"), Literal(FLOAT, 0)), give(shared, variable("sum"), "+"))
    assert isinstance(loop, For) and loop.body[0].target == variable("sum")  # type: ignore[attr-defined]


def test_sums_join_unless_one_needs_the_other() -> None:
    def count(*between: Statement, left: str = "a", steps: int = 4) -> int:
        block = [product(variable("x")), *between, product(variable("y"), left, steps=steps)]
        join_sums(block)
        return sum(isinstance(one, For) for one in block)

    assert count(give(variable("y"), Literal(FLOAT, 0))) == 1
    assert count(give(variable("y"), variable("x"))) == 2
    assert count(give(variable("x"), Literal(FLOAT, 0))) == 2
    assert count(left="x") == 2
    assert count(steps=8) == 2


def copied(*body: Statement) -> list[Statement]:
    function = kernel(*body)
    remove_copies(function, {"x", "y"}, {"collective"})
    return function.body[1:]


def test_copies_go_and_names_of_the_source_stay() -> None:
    square = Binary(FLOAT, "*", variable("a0"), variable("a0"))
    store = give(loaded("out", "i"), plus(variable("x"), variable("x")))
    assert copied(give(variable("part"), square), give(variable("x"), variable("part")), store) == [
        give(variable("x"), square),
        store,
    ]


def test_what_is_stored_is_not_named_first() -> None:
    store = give(loaded("out", "i"), variable("x"))
    assert copied(give(variable("x"), loaded("a", "i")), store) == [
        give(loaded("out", "i"), loaded("a", "i"))
    ]


@pytest.mark.parametrize(
    "value", [of_block("block_sum", variable("v")), Call(FLOAT, "f", [], user="collective")]
)
def test_what_all_threads_do_stays_outside_of_a_branch(value: Call) -> None:
    test = Binary(BOOL, "==", Name(INT, "threadIdx.x"), number(0))
    store = If(test, [give(loaded("out", "i"), variable("x"))], [], divergent=True)
    body = [give(variable("x"), value), store]
    assert copied(*body) == body


def test_what_is_changed_by_reference_is_the_variable_that_it_begins_with() -> None:
    def taken_over(*after: Statement) -> list[Statement]:
        changed = Evaluate(Call(INT, "f", [AddressOf(FLOAT, variable("y"), by_reference=True)]))
        x = give(variable("x"), Literal(FLOAT, 0)), give(variable("x"), Literal(FLOAT, 1), "+")
        return copied(*x, give(variable("y"), variable("x")), changed, *after)

    found = taken_over()
    assert [one.target for one in found[:2]] == [variable("y")] * 2 and len(found) == 3  # type: ignore[attr-defined]
    assert len(taken_over(give(loaded("out", "i"), variable("x")))) == 5


def test_a_value_that_changes_meanwhile_is_kept() -> None:
    keep = give(variable("x"), variable("y"))
    change = give(variable("y"), Literal(FLOAT, 2.0))
    use = give(loaded("out", "i"), plus(variable("x"), variable("x")))
    body = [give(variable("y"), Literal(FLOAT, 1.0)), keep, change, use]
    assert copied(*body) == body


def test_passes_leave_no_share() -> None:
    """Whatever the extents of tiles and blocks."""
    for rows, columns in itertools.product((1, 3, 8, 64), (2, 5, 32, 100)):
        share = grid(rows, columns, give(at("t", (rows, columns), "row", "column"), variable("x")))
        if rows == 1:
            share = line(columns, give(at("t", (columns,), "e"), variable("x")))
        assert not any(isinstance(one, Share) for one in statements(spread(share)))


def test_a_block_of_one_warp_waits_for_that_alone() -> None:
    turned = Binary(INT, "-", number(31), Name(INT, "e"))
    body = [line(32, give(at("t", (32,), "e"), loaded("a", "e")))]
    function = kernel(*body, line(32, give(loaded("out", "e"), at("t", (32,), turned))))
    place_barriers(function, finder(function), 32)
    (wait,) = filter(is_barrier, function.body)
    assert isinstance(wait, Evaluate) and isinstance(wait.value, Call)
    assert wait.value.function == "__syncwarp"


def directly(*body: Statement, shape: tuple[int, ...] = (8, 8)) -> tuple[list[Statement], Function]:
    function = kernel(Shared(FLOAT, "t", shape), *body)
    load_directly(function, finder(function), BLOCK)
    return function.body[1:], function


def test_what_a_thread_reads_once_is_loaded_there() -> None:
    fill = line(8, give(at("t", (8,), "e"), loaded("a", "e")))
    store = give(loaded("out", "row", "column"), at("t", (8,), "row"))
    found, _ = directly(fill, grid(8, 8, store), shape=(8,))
    assert found == [grid(8, 8, give(loaded("out", "row", "column"), loaded("a", "row")))]


def test_the_reader_of_a_column_loads_it_and_the_reader_of_a_row_does_not() -> None:
    def read(*indices: str) -> list[Statement]:
        step = give(variable("sum"), at("t", (8, 8), *indices), "+")
        add = For(INT, "k", number(0), number(8), 1, [step])
        fill = grid(8, 8, give(at("t", (8, 8), "row", "column"), loaded("a", "row", "column")))
        found, _ = directly(fill, line(8, add))
        return found

    assert len(read("k", "e")) == 1
    assert len(read("e", "k")) == 3


@pytest.mark.parametrize(
    "between",
    [
        give(loaded("a", number(0)), variable("x")),
        Evaluate(Call(INT, "f", [Name(Array(FLOAT, 1), "a")], user="f")),
    ],
)
def test_what_may_change_is_loaded_where_it_was(between: Statement) -> None:
    fill = line(8, give(at("t", (8,), "e"), loaded("a", "e")))
    store = give(loaded("out", "row", "column"), at("t", (8,), "row"))
    found, _ = directly(fill, between, grid(8, 8, store), shape=(8,))
    assert len(found) == 4


def test_what_a_view_changes_is_loaded_where_it_was() -> None:
    rows = Array(FLOAT, 2)
    view = Assign(Name(rows, "v"), "", Name(rows, "a"))
    fill = line(8, give(at("t", (8,), "e"), Element(FLOAT, Name(rows, "v"), [number(0), Name(INT, "e")])))
    change = give(Element(FLOAT, Name(rows, "a"), [number(0), number(0)]), variable("x"))
    store = give(loaded("out", "row", "column"), at("t", (8,), "row"))
    found, _ = directly(view, fill, change, grid(8, 8, store), shape=(8,))
    assert len(found) == 5


def test_the_first_warp_alone_reduces_what_it_has_for_itself() -> None:
    def calls(elements: int, readers: int) -> str:
        start = give(variable("own"), Literal(FLOAT, 0.0))
        part = line(elements, give(variable("own"), loaded("a", "e")))
        total = give(variable("total"), of_block("block_sum", variable("own")))
        function = kernel(start, part, total, line(readers, give(loaded("out", "e"), variable("total"))))
        reduce_in_first_warp(function)
        assert isinstance(total.value, Call)
        return total.value.function

    assert calls(8, 8) == "warp_sum"
    assert calls(8, 64) == calls(64, 8) == "block_sum"


def test_the_smallest_and_the_largest_are_one_reduction_unless_one_is_needed_before() -> None:
    def count(*between: Statement) -> int:
        low = give(variable("low"), of_block("block_min", variable("x")))
        high = give(variable("high"), of_block("block_max", variable("x")))
        function = kernel(low, *between, high)
        reduce_extremes_together(function)
        return sum(isinstance(statement, Evaluate) for statement in function.body)

    assert count() == 1
    assert count(give(variable("x"), plus(variable("x"), variable("low")))) == 0


def shaped(*body: Statement, width: int = 16) -> tuple[Function, Grid]:
    """A kernel of blocks of 256 threads, each of which has its row and column in a tile, after the pass."""
    lane = Name(INT, "lane")
    function = Function(
        "k",
        "k",
        "",
        [],
        None,
        [
            Declare(INT, "lane", Name(INT, "threadIdx.x"), True),
            Declare(INT, "row", Binary(INT, "/", lane, number(width)), True),
            Declare(INT, "column", Binary(INT, "%", lane, number(width)), True),
            *body,
        ],
        True,
    )
    return function, shape_block(function, linear_grid(256), {"f"})


def test_a_block_of_rows_has_two_dimensions() -> None:
    row = Binary(INT, "/", Name(INT, "lane"), number(16))
    function, _ = shaped(For(INT, "r", row, number(64), 16, []))
    assert function.body[-1].start == Name(INT, "threadIdx.y")  # type: ignore[attr-defined]
    function, grid = shaped(give(variable("x"), variable("row")))
    assert grid.block == (16, 16, 1)
    assert [one.value for one in function.body[:2]] == [Name(INT, "threadIdx.y"), Name(INT, "threadIdx.x")]  # type: ignore[attr-defined]
    function, _ = shaped(give(variable("x"), Name(INT, "lane")))
    assert function.body[0].value == plus(  # type: ignore[attr-defined]
        Binary(INT, "*", Name(INT, "threadIdx.y"), number(16)), Name(INT, "threadIdx.x")
    )


@pytest.mark.parametrize(
    "kept",
    [
        give(variable("x"), of_block("block_sum", variable("x"))),
        give(variable("x"), Call(FLOAT, "f", [], user="f")),
        give(variable("x"), Binary(INT, "/", Name(INT, "lane"), number(32))),
        give(variable("x"), Name(INT, "threadIdx.x")),
    ],
)
def test_what_counts_threads_in_one_dimension_keeps_it(kept: Statement) -> None:
    assert shaped(kept)[1].block == (256, 1, 1)
    assert shaped(give(variable("x"), of_block("warp_sum", variable("x"))))[1].block == (16, 16, 1)


def test_what_is_loaded_for_a_guarded_store_is_loaded_under_its_guard() -> None:
    def within(limit: str) -> Binary:
        return Binary(BOOL, "<", Name(INT, "i"), Name(INT, limit))

    def load(test: Expression) -> Declare:
        return Declare(FLOAT, "x", Conditional(FLOAT, test, loaded("a", "i"), Literal(FLOAT, 0)), True)

    store = give(loaded("out", "i"), variable("x"))
    function = kernel(load(within("n")), If(Binary(BOOL, "&&", within("m"), within("n")), [store], []))
    load_under_guards(function)
    (guard,) = function.body[1:]
    assert isinstance(guard, If) and guard.body == [Declare(FLOAT, "x", loaded("a", "i"), True), store]
    for limit, more in (("k", []), ("n", [give(variable("y"), variable("x"))])):
        function = kernel(load(within(limit)), If(within("n"), [store], []), *more)
        load_under_guards(function)
        assert isinstance(function.body[1], Declare)


def reduced_for_first(*body: Statement) -> Function:
    total = Call(FLOAT, "block_sum", [variable("x")], ("block_sum", (FLOAT,)), Effect.COLLECTIVE)
    thread, result = Declare(INT, "lane", Name(INT, "threadIdx.x"), True), Declare(FLOAT, "t", total, True)
    function = Function("k", "k", "", [], None, [thread, result, *body], True)
    reduce_for_first_thread(function)
    return function


def by_first(*body: Statement) -> If:
    return If(Binary(BOOL, "==", Name(INT, "lane"), number(0)), [*body], [], divergent=True)


def test_what_the_first_thread_alone_needs_is_reduced_and_computed_for_it() -> None:
    for other in (variable("y"), loaded("a", "i"), Call(FLOAT, "f", [variable("y")], user="f")):
        mean = Declare(FLOAT, "mean", plus(variable("t"), other), True)
        function = reduced_for_first(mean, by_first(give(loaded("out", number(0)), variable("mean"))))
        _, result, guard = function.body
        assert isinstance(result, Declare) and isinstance(guard, If)
        assert result.value.function == "block_reduce_sum" and guard.body[0] is mean  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "body",
    [
        [give(loaded("out", "i"), variable("t"))],
        [by_first(give(loaded("out", "i"), variable("t"))), give(variable("z"), variable("t"))],
        [
            Declare(FLOAT, "mean", plus(variable("t"), variable("y")), True),
            give(variable("y"), Literal(FLOAT, 0)),
            by_first(give(loaded("out", "i"), variable("mean"))),
        ],
        [
            Declare(FLOAT, "share", plus(variable("t"), loaded("a", "i")), True),
            give(loaded("b", "i"), Literal(FLOAT, 0)),
            by_first(give(loaded("out", "i"), variable("share"))),
        ],
    ],
)
def test_what_others_need_or_what_may_change_is_for_all(body: list[Statement]) -> None:
    result = reduced_for_first(*body).body[1]
    assert isinstance(result, Declare) and result.value.function == "block_sum"  # type: ignore[union-attr]


def test_the_last_thread_and_the_part_of_a_block_are_in_the_words_of_cuda() -> None:
    block, lane = Name(INT, "b"), Name(INT, "lane")
    places = [
        Declare(INT, "b", Name(INT, "blockIdx.x"), True),
        Declare(INT, "lane", Name(INT, "threadIdx.x"), True),
    ]
    offset = plus(Binary(INT, "*", block, number(64)), Name(INT, "place"))
    store = give(Pointee(FLOAT, Name(Array(FLOAT, 1), "out"), offset), variable("x"))
    function = kernel(*places, If(Binary(BOOL, "==", lane, number(63)), [store], []))
    count_threads(function, linear_grid(64))
    (only,) = (one for one in function.body if isinstance(one, If))
    size = Name(INT, "blockDim.x")
    assert only.test == Binary(BOOL, "==", Name(INT, "threadIdx.x"), Binary(INT, "-", size, number(1)))
    assert store.target.offset.left == Binary(INT, "*", Name(INT, "blockIdx.x"), size)  # type: ignore[attr-defined]


def summed(result: str, part: str) -> Declare:
    """`const float result = warp_sum(part);`"""
    call = Call(FLOAT, "warp_sum", [variable(part)], effect=Effect.COLLECTIVE)
    return Declare(FLOAT, result, call, True)


def names_of_declared(
    *body: Statement, own: tuple[str, ...] = (), extents: tuple[str, ...] = ()
) -> list[str]:
    """What variables are called without numbers."""
    given: list[tuple[str, Type]] = [("total", Array(FLOAT, 1))]
    function = Function("k", "k", "", given, None, [*body], True)
    drop_numbers(function, own, extents)
    assert all(
        name in {node.name for node in nodes_of(function.body) if isinstance(node, Name)} for name in own
    )
    return [one.name for one in function.body if isinstance(one, Declare)]


PARTS = [Declare(FLOAT, name, Literal(FLOAT, 0.0)) for name in ("own_total", "own_total2")]


def test_what_a_thread_has_is_called_as_what_becomes_of_it() -> None:
    lines = [*PARTS, summed("mean", "own_total"), summed("squares", "own_total2")]
    assert names_of_declared(*lines) == ["own_mean", "own_squares", "mean", "squares"]


def test_a_result_is_called_as_the_element_that_it_becomes() -> None:
    powers = Pointee(FLOAT, Name(Array(FLOAT, 1), "powers"), number(0))
    stored = Assign(powers, "", variable("total2"))
    assert names_of_declared(summed("total2", "x"), stored) == ["power"]
    scan = summed("total2", "x")
    scan.value = Call(FLOAT, "block_scan_sum", [variable("x")], effect=Effect.COLLECTIVE)
    assert names_of_declared(scan, copy.deepcopy(stored)) == ["inclusive"]


def test_else_as_the_result_of_a_warp() -> None:
    assert names_of_declared(summed("total2", "x")) == ["warp_total"]
    assert names_of_declared(summed("largest2", "x")) == ["largest"]
    assert names_of_declared(summed("largest2", "x"), extents=("largest",)) == ["warp_total"]


def test_names_of_the_source_keep_their_numbers() -> None:
    lines = [summed("x2", "y"), Evaluate(variable("x2"))]
    assert names_of_declared(*lines, own=("x2",)) == ["x2"]


def test_what_a_user_s_test_and_a_tile_s_guard_alone_have_is_declared_under_one() -> None:
    within = Binary(BOOL, "<", Name(INT, "i"), Name(INT, "count"))
    place = Name(INT, "place")
    given = Assign(place, "", Binary(INT, "+", Name(INT, "i"), number(1)))
    counted = Assign(at("counts", (8,), "place"), "+", Literal(FLOAT, 1.0))
    before: list[Statement] = [
        Declare(INT, "place", number(0)),
        If(within, [given], []),
        If(dataclasses.replace(within), [counted], [], divergent=True),
    ]
    function = Function("k", "k", "", [("count", INT)], None, before, True)
    join_guards(function)
    (joined,) = function.body
    assert isinstance(joined, If)
    assert joined.body == [Declare(INT, "place", given.value, True), counted]


def test_guards_of_what_changes_between_them_stay_apart() -> None:
    within = Binary(BOOL, "<", Name(INT, "i"), Name(INT, "count"))
    moved = Assign(Name(INT, "i"), "+", number(1))
    body: list[Statement] = [
        If(within, [moved], []),
        If(dataclasses.replace(within), [moved], [], divergent=True),
    ]
    function = Function("k", "k", "", [("count", INT)], None, body, True)
    join_guards(function)
    assert len(function.body) == 2


@pytest.mark.parametrize(("kind", "kept"), [(INT, False), (FLOAT, True)])
def test_what_was_subtracted_from_a_scan_of_integers_is_not_added_again(kind: Scalar, kept: bool) -> None:
    upto, own, before = (Name(kind, name) for name in ("upto", "own", "before"))
    total = Binary(kind, "+", before, own)
    stored = Assign(Pointee(kind, Name(Array(kind, 1), "totals"), number(0)), "", total)
    first = Declare(kind, "before", Binary(kind, "-", upto, own), True)
    function = Function("k", "k", "", [], None, [first, If(Name(BOOL, "last"), [stored], [])], True)
    add_nothing_back(function)
    assert (stored.value == total) == kept
    assert kept or stored.value == upto
