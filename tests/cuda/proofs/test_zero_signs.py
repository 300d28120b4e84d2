"""A plain negation stands for 0 - x only where no zero of another sign comes out."""

from __future__ import annotations

import copy
import itertools
import math
import random
from collections.abc import Callable

import pytest

from weft.cuda.passes.zero_signs import drop_zero_signs
from weft.cuda.traverse import all_expressions
from weft.cuda.tree import (
    BOOL,
    FLOAT,
    INT,
    AddressOf,
    Assign,
    Binary,
    Call,
    Conditional,
    Construct,
    Declare,
    Element,
    Evaluate,
    Expression,
    Function,
    If,
    Literal,
    Member,
    Name,
    Return,
    Statement,
    Unary,
)
from weft.launch import Launch, Parameter, Recipe
from weft.types import Array, Type, Vector

X, Y, A, B = (Name(FLOAT, name) for name in "xyab")
HALF, ZERO = Literal(FLOAT, 0.5), Literal(FLOAT, 0.0)
VALUES = (-1.0, -0.0, 0.0, 0.5, 1.0)


def floor(value: float) -> float:
    return math.copysign(math.floor(value), value) if math.isfinite(value) else value


def largest(first: float, second: float) -> float:
    return first if first >= second else second


FUNCTIONS: dict[str, Callable[..., float]] = {
    "fabsf": abs,
    "expf": math.exp,
    "floorf": floor,
    "fmaxf": largest,
}

NOTHING = Launch({}, (), {})


def negated(value: Expression) -> Binary:
    return Binary(FLOAT, "-", Literal(FLOAT, 0.0), value, negates=True)


def product(left: Expression, right: Expression) -> Binary:
    return Binary(FLOAT, "*", left, right)


def total(left: Expression, right: Expression) -> Binary:
    return Binary(FLOAT, "+", left, right)


def declared(name: str, value: Expression) -> Declare:
    return Declare(FLOAT, name, value)


def stored(value: Expression) -> Assign:
    return Assign(Element(FLOAT, Name(Array(FLOAT, 1), "out"), [Literal(INT, 0)]), "", value)


def value_of(one: Expression, names: dict[str, float], part: int = 0) -> float:
    """A number, or a component of a vector."""
    match one:
        case Literal(value=float(number)):
            return number
        case Name(name=name, type=Vector()):
            return names[f"{name}.{part}"]
        case Name(name=name):
            return names[name]
        case Member(value=value, path=path):
            return value_of(value, names, ".x.y".index(path) // 2)
        case Construct(arguments=several):
            return value_of(several[part], names)
        case Unary(operand=operand):
            return -value_of(operand, names, part)
        case Conditional(test=test, then=then, otherwise=otherwise):
            return value_of(then if value_of(test, names) else otherwise, names)
        case Call(function="dot" | "length" as function, arguments=[left, *_, right] | [left as right]):
            x, y = (value_of(left, names, axis) * value_of(right, names, axis) for axis in (0, 1))
            return math.sqrt(x + y) if function == "length" else x + y
        case Call(function=function, arguments=arguments):
            return FUNCTIONS[function](*(value_of(argument, names) for argument in arguments))
        case Binary(operator=operator, left=left, right=right):
            first, second = value_of(left, names, part), value_of(right, names, part)
            if operator == "/" and second == 0.0:
                return math.copysign(math.inf, first) * math.copysign(1.0, second) if first else math.nan
            found = {
                "+": lambda: first + second,
                "-": lambda: first - second,
                "*": lambda: first * second,
                "/": lambda: first / second,
                "<": lambda: first < second,
            }
            return found[operator]()
        case _:
            raise TypeError(one)


def run(block: list[Statement], names: dict[str, float]) -> list[str]:
    """What is stored, with the signs of zeros."""
    found: list[str] = []
    for statement in block:
        match statement:
            case Declare(name=name, type=Vector(), value=Expression() as value):
                names |= {f"{name}.{axis}": value_of(value, names, axis) for axis in (0, 1)}
            case Assign(target=Member(value=Name(name=name), path=path), value=value):
                names[f"{name}.{'.x.y'.index(path) // 2}"] = value_of(value, names)
            case (
                Declare(name=name, value=Expression() as value) | Assign(target=Name(name=name), value=value)
            ):
                changed = isinstance(statement, Assign) and statement.operator
                found_value = value_of(value, names)
                names[name] = names[name] + found_value if changed else found_value
            case Assign(value=value):
                found.append(repr(value_of(value, names)))
            case If(test=test, body=body):
                found += run(body, names) if value_of(test, names) else []
    return found


def left_after(body: list[Statement]) -> int:
    """Compare a body before and after the pass for zeros of both signs; the `0 - x` that are left."""
    parameters = [("x", FLOAT), ("y", FLOAT)]
    before = Function("f", "f", "", parameters, None, copy.deepcopy(body), False)
    after = copy.deepcopy(before)
    drop_zero_signs([after], NOTHING)
    for x, y in itertools.product(VALUES, VALUES):
        results = [run(one.body, {"x": x, "y": y}) for one in (before, after)]
        assert results[0] == results[1], (x, y, after.body)
    return sum(isinstance(one, Binary) and one.negates for one in all_expressions(after.body))


def call(function: str, *values: Expression) -> Call:
    return Call(FLOAT, function, [*values])


SMALLER = Binary(BOOL, "<", A, Y)

BODIES: dict[str, tuple[list[Statement], int]] = {
    "stored": ([stored(negated(X))], 1),
    "a product that is stored": ([stored(product(negated(X), Y))], 1),
    "of what is never zero": (
        [
            declared("a", Conditional(FLOAT, Binary(BOOL, "<", X, ZERO), negated(HALF), copy.copy(HALF))),
            stored(product(negated(A), Y)),
        ],
        0,
    ),
    "of what is zero on one path": (
        [
            declared("a", Conditional(FLOAT, Binary(BOOL, "<", X, ZERO), ZERO, copy.copy(HALF))),
            stored(product(negated(A), Y)),
        ],
        1,
    ),
    "a divisor": ([stored(Binary(FLOAT, "/", HALF, negated(X)))], 1),
    "an exponent": ([stored(call("expf", negated(X)))], 0),
    "a function that tells zeros apart": ([stored(call("floorf", negated(X)))], 1),
    "beside 0 in the larger": ([stored(call("fmaxf", ZERO, negated(X)))], 0),
    "beside -0 in the larger": ([stored(call("fmaxf", Literal(FLOAT, -0.0), negated(X)))], 1),
    "first in the larger": ([stored(call("fmaxf", negated(X), ZERO))], 1),
    "beside a number": ([stored(total(negated(X), HALF))], 0),
    "beside any number": ([stored(total(negated(X), Y))], 1),
    "beside a square": ([declared("a", Y), stored(total(negated(X), product(A, A)))], 0),
    "squared": ([declared("a", negated(X)), stored(product(A, A))], 0),
    "squared and stored": ([declared("a", negated(X)), stored(product(A, A)), stored(A)], 1),
    "compared": ([declared("a", negated(X)), If(SMALLER, [stored(Y)], [])], 0),
    "through two variables": (
        [declared("a", negated(X)), declared("b", product(A, Y)), stored(call("fabsf", B))],
        0,
    ),
    "in a sum that begins with 0": ([declared("a", ZERO), Assign(A, "+", negated(X)), stored(A)], 0),
    "beside another one": ([stored(total(negated(X), negated(Y)))], 2),
    "in a sum that begins anywhere": ([declared("a", X), Assign(A, "+", negated(Y)), stored(A)], 1),
}


@pytest.mark.parametrize(("body", "left"), BODIES.values(), ids=BODIES)
def test_a_zero_keeps_its_sign_where_it_counts(body: list[Statement], left: int) -> None:
    assert left_after(body) == left


@pytest.mark.parametrize(("name", "left"), [("expf", 0), ("floorf", 1)])
def test_a_sign_is_followed_into_a_function(name: str, left: int) -> None:
    callee = Function("g", "g", "", [("a", FLOAT)], FLOAT, [Return([call(name, A)])], False)
    body = [stored(Call(FLOAT, "g", [negated(X)], user="g"))]
    caller = Function("f", "f", "", [("x", FLOAT)], None, body, True)
    drop_zero_signs([callee, caller], NOTHING)
    assert sum(isinstance(one, Binary) and one.negates for one in all_expressions(caller.body)) == left


SUMS = Element(FLOAT, Name(Array(FLOAT, 1), "sums"), [Literal(INT, 0)])
ADDED = Evaluate(Call(FLOAT, "atomicAdd", [AddressOf(FLOAT, SUMS), negated(X)]))
PASSED_ON = Evaluate(Call(FLOAT, "g", [Name(Array(FLOAT, 1), "sums")], user="g"))


@pytest.mark.parametrize(
    ("body", "begins", "left"),
    [
        ([ADDED], Recipe("constant", 0.0), 0),
        ([ADDED, Assign(SUMS, "-", Y)], Recipe("uniform", (-1.0, 1.0)), 0),
        ([ADDED, stored(SUMS)], Recipe("constant", 0.0), 0),
        ([ADDED], None, 1),
        ([ADDED, Assign(SUMS, "", Y)], Recipe("constant", 0.0), 1),
        ([ADDED, PASSED_ON], Recipe("constant", 0.0), 1),
    ],
    ids=["a sum", "a difference", "read", "of anything", "stored", "passed on"],
)
def test_a_zero_that_is_added_to_a_sum_has_no_sign(
    body: list[Statement], begins: Recipe | None, left: int
) -> None:
    array = Array(FLOAT, 1)
    parameters: list[tuple[str, Type]] = [("x", FLOAT), ("y", FLOAT), ("sums", array), ("out", array)]
    launch = Launch({}, (1,), {"sums": Parameter("inout", (1,), begins), "out": Parameter("out", (1,), None)})
    kernel = Function("f", "f", "", parameters, None, copy.deepcopy(body), True)
    drop_zero_signs([kernel], launch)
    assert sum(isinstance(one, Binary) and one.negates for one in all_expressions(kernel.body)) == left


DRAWN = Element(FLOAT, Name(Array(FLOAT, 1), "drawn"), [Literal(INT, 0)])
BESIDE_DRAWN = stored(total(DRAWN, negated(X)))


@pytest.mark.parametrize(
    ("body", "role", "values", "left"),
    [
        ([BESIDE_DRAWN], "in", Recipe("uniform", (-1.0, 1.0)), 0),
        ([BESIDE_DRAWN], "in", None, 1),
        ([BESIDE_DRAWN, Assign(DRAWN, "", total(DRAWN, Y))], "inout", Recipe("uniform", (-1.0, 1.0)), 0),
        ([BESIDE_DRAWN, Assign(DRAWN, "", Y)], "inout", Recipe("uniform", (-1.0, 1.0)), 1),
    ],
    ids=["drawn", "anything", "a sum is stored", "anything is stored"],
)
def test_an_element_that_was_drawn_is_no_zero_with_a_sign(
    body: list[Statement], role: str, values: Recipe | None, left: int
) -> None:
    array = Array(FLOAT, 1)
    parameters: list[tuple[str, Type]] = [("x", FLOAT), ("y", FLOAT), ("drawn", array), ("out", array)]
    launch = Launch({}, (1,), {"drawn": Parameter(role, (1,), values), "out": Parameter("out", (1,), None)})
    kernel = Function("f", "f", "", parameters, None, copy.deepcopy(body), True)
    drop_zero_signs([kernel], launch)
    assert sum(isinstance(one, Binary) and one.negates for one in all_expressions(kernel.body)) == left


@pytest.mark.parametrize(("used", "left"), [("fabsf", 0), ("floorf", 1)])
def test_a_sign_is_followed_out_of_a_function(used: str, left: int) -> None:
    callee = Function("g", "g", "", [("a", FLOAT)], FLOAT, [Return([product(negated(A), HALF)])], False)
    body = [stored(call(used, Call(FLOAT, "g", [X], user="g"))), stored(call("fabsf", call("fabsf", X)))]
    caller = Function("f", "f", "", [("x", FLOAT)], None, body, True)
    drop_zero_signs([callee, caller], NOTHING)
    assert sum(isinstance(one, Binary) and one.negates for one in all_expressions(callee.body)) == left


def test_a_result_that_one_call_stores_keeps_its_sign() -> None:
    callee = Function("g", "g", "", [("a", FLOAT)], FLOAT, [Return([negated(A)])], False)
    given = Call(FLOAT, "g", [X], user="g")
    body = [stored(call("fabsf", given)), stored(copy.deepcopy(given)), stored(call("fabsf", given))]
    drop_zero_signs([callee, Function("f", "f", "", [("x", FLOAT)], None, body, True)], NOTHING)
    assert any(isinstance(one, Binary) and one.negates for one in all_expressions(callee.body))


PAIR = Vector(2, FLOAT)
V = Name(PAIR, "v")
TURNED = Construct(PAIR, [negated(X), Y])


@pytest.mark.parametrize(
    ("value", "left"),
    [
        (call("length", V), 0),
        (call("fabsf", Call(FLOAT, "dot", [V, Construct(PAIR, [X, Y])])), 0),
        (Call(FLOAT, "dot", [V, Construct(PAIR, [X, Y])]), 1),
        (Call(FLOAT, "dot", [V, copy.copy(V)]), 0),
        (Member(FLOAT, V, ".x"), 1),
        (call("fabsf", Member(FLOAT, Binary(PAIR, "*", HALF, V), ".x")), 0),
        (call("fabsf", Member(FLOAT, Binary(PAIR, "/", Unary(PAIR, "-", V), HALF), ".x")), 0),
    ],
    ids=["its length", "compared", "its product", "its square", "a component", "scaled", "negated"],
)
def test_a_sign_is_followed_through_vectors(value: Expression, left: int) -> None:
    body = [Declare(PAIR, "v", copy.deepcopy(TURNED)), stored(copy.deepcopy(value))]
    assert left_after(body) == left


def test_a_vector_of_which_a_component_is_changed_keeps_its_signs() -> None:
    changed = Assign(Member(FLOAT, V, ".y"), "", copy.copy(X))
    both = Declare(PAIR, "v", Construct(PAIR, [copy.copy(HALF), copy.copy(HALF)]))
    beside = stored(total(Member(FLOAT, copy.copy(V), ".y"), negated(Y)))
    assert left_after([copy.deepcopy(both), copy.deepcopy(beside)]) == 0
    assert left_after([both, changed, beside]) == 1


def _random_value(draw: random.Random, depth: int = 0) -> Expression:
    kind = draw.random() if depth < 3 else 1.0
    if kind < 0.3:
        return negated(_random_value(draw, depth + 1))
    if kind < 0.6:
        operator = draw.choice("+-*/")
        return Binary(FLOAT, operator, _random_value(draw, depth + 1), _random_value(draw, depth + 1))
    if kind < 0.7:
        return call(draw.choice(["fabsf", "floorf"]), _random_value(draw, depth + 1))
    if kind < 0.75:
        test = Binary(BOOL, "<", _random_value(draw, depth + 1), _random_value(draw, depth + 1))
        return Conditional(FLOAT, test, _random_value(draw, depth + 1), _random_value(draw, depth + 1))
    return copy.copy(draw.choice([X, Y, A, B, HALF, ZERO]))


def test_random_programs_store_the_same_zeros() -> None:
    draw = random.Random(0)
    plain = 0
    for _ in range(400):
        body: list[Statement] = [declared("a", copy.copy(draw.choice([X, ZERO]))), declared("b", HALF)]
        for _ in range(draw.randint(1, 4)):
            target = copy.copy(draw.choice([A, B]))
            body.append(Assign(target, draw.choice(["", "+"]), _random_value(draw)))
        body.append(stored(_random_value(draw)))
        nodes = all_expressions(body)
        plain += sum(isinstance(one, Binary) and one.negates for one in nodes) - left_after(body)
    assert plain > 100, "a pass that does nothing is not tested"
