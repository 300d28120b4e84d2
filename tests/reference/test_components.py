"""Which kernels run once with Warp's checks of indices: those that may pick a component that is not there."""

import ast
import textwrap

import pytest

from weft.reference.components import may_leave_components

TYPES = {
    "v": "ref<vec<3,float32>>",
    "m": "mat<2,3,float32>",
    "q": "quat<float32>",
    "x": "array<vec<3,float32>,2>",
}


def record(body: str) -> dict[str, object]:
    """What such a record says about the variables in TYPES."""
    source = "def kernel():\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ")
    names = list(TYPES)
    expressions = [
        [node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, names.index(node.id)]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Name) and node.id in names
    ]
    function = {"source": source, "types": list(TYPES.values()), "expressions": expressions}
    return {"functions": [], "kernel": function}


@pytest.mark.parametrize(
    ("body", "may"),
    [
        ("v[0] = v[2]", False),
        ("v[-3] = m[1, 2]", False),
        ("v[k] = 1.0", True),
        ("a = m[k]", True),
        ("a = m[0, k]", True),
        ("a = q[k]", True),
        ("x[i, j] = v", False),
        ("x[i, j, 2] = 0.0", False),
        ("x[i, j, k] = 0.0", True),
        ("x[i, j][2] = 0.0", False),
        ("x[i, j][k] = 0.0", True),
        ("x[i][j, k] = 0.0", True),
        ("a = v[k % 3] + q[k & 3]", False),
        ("a = v[k % 4]", True),
        ("for k in range(3):\n    v[k] = 0.0", False),
        ("for k in range(2, -1, -1):\n    v[k] = 0.0", False),
        ("for k in range(4):\n    v[k] = 0.0", True),
        ("for k in range(n):\n    v[k] = 0.0", True),
        ("for k in range(3):\n    k = k + 1\n    v[k] = 0.0", True),
        ("v[0:2] = v[1:3]", False),
    ],
)
def test_an_index_that_is_not_known_to_be_in_range(body: str, may: bool) -> None:
    assert may_leave_components(record(body)) == may


def test_every_kernel_and_function_counts() -> None:
    good, bad = record("v[0] = 1.0"), record("v[k] = 1.0")
    assert may_leave_components({"functions": [bad["kernel"]], "kernel": good["kernel"]})
    assert may_leave_components({"kernels": [good, bad]})
    assert not may_leave_components({"kernels": [good, good]})
