"""Size expressions mean what Python means; launch descriptions survive JSON and complain precisely."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.launch import parse_launch
from weft.sizes import evaluate_size, parse_size, size_text


def combined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from(["+", "-", "*", "//", "%"])
    binary = st.tuples(parts, operators, parts).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
    call = st.tuples(st.sampled_from(["min", "max"]), parts, parts).map(lambda t: f"{t[0]}({t[1]}, {t[2]})")
    return binary | call | parts.map(lambda text: f"(-{text})")


EXPRESSIONS = st.recursive(st.sampled_from(["n", "rows", "0", "1", "7", "65537"]), combined, max_leaves=8)


@given(EXPRESSIONS, st.integers(1, 10**6), st.integers(1, 100))
def test_size_expressions_mean_what_python_means(text: str, n: int, rows: int) -> None:
    names = {"n": n, "rows": rows}
    try:
        expected = eval(text, {"min": min, "max": max}, names)
    except ZeroDivisionError:
        with pytest.raises(ValueError, match="division by zero"):
            evaluate_size(text, names)
        return
    assert evaluate_size(text, names) == expected


@given(EXPRESSIONS)
def test_a_size_is_spelled_as_python_spells_it(text: str) -> None:
    tree = parse_size(text)
    assert size_text(tree) == ast.unparse(tree)


@pytest.mark.parametrize(
    "text", ["n /2", "n ** 2", "abs(n)", "n.x", "1.5", "min(n)", "", "n if n else 1", "True"]
)
def test_what_is_no_size_expression_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a size expression"):
        parse_size(text)


def test_unknown_sizes_are_named() -> None:
    with pytest.raises(ValueError, match=r"unknown size 'cols' in 'n \* cols' \(known: n, rows\)"):
        evaluate_size("n * cols", {"n": 3, "rows": 2})


def a_launch() -> dict[str, Any]:
    return {
        "sizes": {"rows": "7", "cols": "(n + rows - 1) // rows"},
        "dims": ["rows", "cols"],
        "parameters": {
            "u": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [-1, 1]}},
            "index": {"shape": ["n"], "values": {"integers": [0, "rows"]}},
            "spring": {"values": {"members": {"a": {"constant": 2}, "b": {"permutation": "n"}}}},
            "out": {"role": "out", "shape": ["rows", 3]},
            "n": {"values": {"size": "n"}},
        },
        "equality": "permutation",
    }


def test_launch_descriptions_survive_sorted_json() -> None:
    launch = parse_launch(a_launch(), "k")
    text = json.dumps(launch.to_json(), sort_keys=True)
    assert parse_launch(json.loads(text), "k") == launch
    assert launch.named_sizes(16) == {"n": 16, "rows": 7, "cols": 3}
    assert launch.launch_dims(16) == (7, 3)
    assert launch.shape("out", 16) == (7, 3)


def test_sizes_must_be_positive() -> None:
    launch = parse_launch({"dims": ["half"], "sizes": {"half": "n // 2"}}, "k")
    with pytest.raises(ValueError, match="'half' = 'n // 2' is 0 for n = 1"):
        launch.named_sizes(1)


def changed(*path: str, to: object) -> dict[str, Any]:
    launch = a_launch()
    place = launch
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return launch


@pytest.mark.parametrize(
    ("launch", "complaint"),
    [
        (3, "k: expected a mapping"),
        (changed("blocks", to=3), "k: unknown key 'blocks'"),
        (changed("dims", to=[]), "k.dims: expected one to four"),
        (changed("dims", to="n"), "k.dims: expected one to four"),
        (changed("equality", to="close"), "k.equality: 'close' .allowed: bits, permutation, bounded"),
        (changed("sizes", to={"n": "3"}), "'n' cannot name a size"),
        (changed("sizes", to={"a": "b", "b": "a"}), "k.sizes.a: 'a' uses 'b'"),
        (changed("parameters", "u", "role", to="output"), "k.parameters.u.role: 'output'"),
        (changed("parameters", "u", "rank", to=2), "k.parameters.u: unknown key 'rank'"),
        (changed("parameters", "out", "values", to={"constant": 1}), "'out' array takes no values"),
        (changed("parameters", "u", "values", to={"normal": [0, 1]}), "unknown recipe 'normal'"),
        (changed("parameters", "u", "values", to={"uniform": [0]}), "expected .low, high., got .0."),
        (
            changed("parameters", "u", "values", to={"uniform": ["0", 1]}),
            "k.parameters.u.values.uniform.0.: expected a finite number, got '0'",
        ),
        (changed("parameters", "u", "values", to={"constant": "n"}), "expected a finite number, got 'n'"),
        (changed("parameters", "u", "shape", to=["n/2"]), "not a size expression"),
    ],
)
def test_mistakes_in_launch_descriptions_are_named(launch: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_launch(launch, "k")
