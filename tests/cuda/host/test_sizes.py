from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.cuda.host_sizes import print_size
from weft.cuda.sizes import canonical_size
from weft.sizes import evaluate_size

NAMES = {"n": "n", "rows": "rows"}


def expressions() -> st.SearchStrategy[str]:
    leaves = st.one_of(st.integers(0, 9).map(str), st.sampled_from(["n", "rows"]))

    def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        operation = st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner)
        call = st.tuples(st.sampled_from(["min", "max"]), inner, inner)
        return st.one_of(
            operation.map(lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"),
            call.map(lambda parts: f"{parts[0]}({parts[1]}, {parts[2]})"),
            inner.map(lambda operand: f"(-{operand})"),
        )

    return st.recursive(leaves, extend, max_leaves=6).map(
        lambda text: ast.unparse(ast.parse(text, mode="eval"))
    )


def evaluate_as_c(text: str, names: dict[str, int]) -> int:
    """The value of printed C++: `/` truncates, `%` has the sign of its left operand."""

    class Truncating(ast.NodeTransformer):
        def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
            self.generic_visit(node)
            names = {ast.Div: "c_div", ast.Mod: "c_mod"}
            if type(node.op) not in names:
                return node
            return ast.Call(ast.Name(names[type(node.op)], ast.Load()), [node.left, node.right], [])

    def c_div(a: int, b: int) -> int:
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    tree = Truncating().visit(ast.parse(text.replace("std::", ""), mode="eval"))
    functions = {
        "c_div": c_div,
        "c_mod": lambda a, b: a - b * c_div(a, b),
        "floor_div": lambda a, b: a // b,
        "floor_mod": lambda a, b: a % b,
        "min": min,
        "max": max,
    }
    code = compile(ast.fix_missing_locations(tree), "size", "eval")
    value: int = eval(code, functions | names)
    return value


@given(expressions(), st.integers(1, 40), st.integers(1, 40))
def test_printed_sizes_have_the_value_of_the_expression(text: str, n: int, rows: int) -> None:
    names = {"n": n, "rows": rows}
    try:
        expected = evaluate_size(text, names)
    except ValueError:
        return
    assert evaluate_as_c(print_size(text, NAMES).text, names) == expected


@pytest.mark.parametrize(
    ("size", "printed"),
    [
        ("n", "n"),
        (7, "7"),
        ("(n + 6) // 7", "(n + 6) / 7"),
        ("(n - 1) // 2", "(n - 1) / 2"),
        ("(n - 2) // 2", "floor_div(n - 2, 2)"),
        ("n * (rows + 1)", "n * (rows + 1)"),
        ("n - (rows - 1)", "n - (rows - 1)"),
        ("n // (rows // 2)", "floor_div(n, rows / 2)"),
        ("max(n // 4, 1) % 3", "std::max(n / 4, 1) % 3"),
        ("max(max(n, 2), max(rows, min(n, 7)))", "std::max({n, 2, rows, std::min(n, 7)})"),
    ],
)
def test_sizes_read_as_written_by_hand(size: str | int, printed: str) -> None:
    assert print_size(size, NAMES).text == printed


def test_a_known_expression_is_printed_as_its_variable() -> None:
    assert print_size("(n + 6) // 7 + 1", {"(n + 6) // 7": "cols"}).text == "cols + 1"


def test_unknown_names_are_an_error() -> None:
    with pytest.raises(KeyError, match=re.escape("'columns'")):
        print_size("columns", NAMES)


def test_resolving_names_leaves_the_expression_for_the_next_record() -> None:
    assert canonical_size("rows + 3", {"rows": "4"}) == "4 + 3"
    assert canonical_size("rows + 3", {"rows": "n // 2"}) == "rows + 3"
