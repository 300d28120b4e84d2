"""What means too little, or reads as nobody writes, is rejected with a reason, and keeps its place."""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from weft.kernel_file import rejects_in
from weft.kernels import categories, generate, passes
from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import conditional, lift, ops
from weft.kernels.policy import DEFAULT
from weft.kernels.program import Binary, Expr, GeneratedProgram, Rejected
from weft.kernels.rng import Random
from weft.kernels.types import F32, I32

TROUBLED = '''"""A category with an idiom that fails."""

from weft.kernels.builder import Builder
from weft.kernels.types import F32

REVISION = 1
TEACHES = "doubling, and failing"


def result(k: Builder, name: str, compute) -> None:
    k.threads(["n"], ["i"])
    value = k.array("values", F32, ["n"], {"uniform": [-1.0, 1.0]})[k.index]
    k.store(k.array(name, F32, ["n"], None, "out"), k.target, compute(value))
    k.doc = "Compute a number from each value."


def double(k: Builder) -> None:
    """Twice a number."""
    result(k, "doubled", lambda value: 2.0 * value)


def divide(k: Builder) -> None:
    """A division by what may be zero."""
    result(k, "ratios", lambda value: 1.0 / value)


IDIOMS = (double, divide)
'''


@pytest.fixture
def troubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "troubled.py").write_text(TROUBLED)
    monkeypatch.setattr(categories, "__path__", [*categories.__path__, str(tmp_path)])
    yield "troubled"
    sys.modules.pop(f"{categories.__name__}.troubled", None)


@pytest.fixture
def k() -> Builder:
    builder = Builder("probe", Random("test", 1, 0, 0), DEFAULT)
    builder.threads(["n"], ["i"])
    builder.doc = "Probe."
    return builder


def floats(k: Builder, name: str) -> ArrayHandle:
    return k.array(name, F32, ["n"], {"uniform": [-1.0, 1.0]})


def stored(k: Builder, value: Expr) -> GeneratedProgram:
    k.store(k.array("out", F32, ["n"], None, "out"), k.index, value)
    return k.program()


def reason_of(action: Callable[[], object]) -> str:
    with pytest.raises(Rejected) as caught:
        action()
    return caught.value.reason


def test_a_kernel_that_means_something_passes(k: Builder) -> None:
    passes.check(stored(k, floats(k, "x")[k.index] * 2.0))


def test_a_parameter_that_nothing_reads(k: Builder) -> None:
    k.scalar("idle", F32, {"uniform": [0.0, 1.0]})
    program = stored(k, floats(k, "x")[k.index])
    assert reason_of(lambda: passes.check(program)) == "unused"


def test_values_that_only_feed_each_other(k: Builder) -> None:
    """Each is read, but by what reaches no output."""
    x = floats(k, "x")[k.index]
    first = k.let("first", x * 2.0)
    k.let("second", first + 1.0)
    total = k.var("total", 0.0)
    k.add(total, first)
    program = stored(k, x)
    assert reason_of(lambda: passes.check(program)) == "unused"


def test_a_condition_counts_where_it_decides_an_output(k: Builder) -> None:
    total = k.var("total", 0.0)
    with k.when(floats(k, "x")[k.index] > 0.0):
        k.set(total, 1.0)
    passes.check(stored(k, total))


def test_an_output_that_depends_on_nothing(k: Builder) -> None:
    out = k.array("out", F32, ["1"], {"constant": 0.0}, "inout")
    k.atomic("add", out, 0, 1.0)
    program = stored(k, floats(k, "x")[k.index])
    assert reason_of(lambda: passes.check(program)) == "constant_output"


def test_a_branch_that_bounds_decide(k: Builder) -> None:
    x = floats(k, "x")[k.index]
    far = x * x > 1.5
    assert reason_of(lambda: k.when(far).__enter__()) == "decided"
    assert reason_of(lambda: conditional(far, x, 0.0)) == "decided"
    assert reason_of(lambda: ops.where(far, x, 0.0)) == "decided"
    assert reason_of(lambda: conditional((x > 0.0) & far, x, 0.0)) == "decided"
    conditional(x > 0.5, x, 0.0)


@pytest.mark.parametrize("stop", [0, 1])
def test_a_loop_that_does_not_run_twice(k: Builder, stop: int) -> None:
    assert reason_of(lambda: k.loop("j", 0, stop).__enter__()) == "single_trip"


def test_five_calls_within_each_other(k: Builder) -> None:
    x = floats(k, "x")[k.index]
    for _ in range(4):
        x = ops.sin(x)
    passes.check(stored(k, x))
    program = stored(k, ops.sin(x))
    assert reason_of(lambda: passes.check(program)) == "nested_calls"


def test_what_nobody_writes(k: Builder) -> None:
    x = floats(k, "x")[k.index]
    one, zero = lift(1.0, F32), lift(0.0, F32)
    made = [("*", x, one), ("+", x, zero), ("-", x, x), ("/", x, x), ("*", zero, x), ("*", one, one)]
    for operator, left, right in made:
        program = stored(k, Binary(F32, x.interval, operator, left, right))
        assert reason_of(lambda p=program: passes.check(p)) == "silly", operator


def test_neutral_numbers_fold_away(k: Builder) -> None:
    x = floats(k, "x")[k.index]
    for folded in (x * 1.0, x + 0.0, x - 0.0, x / 1.0, 1.0 * x, 0.0 + x):
        assert folded is x
    i = k.index[0]
    assert i + lift(0, I32) is i


def test_too_many_lines() -> None:
    passes.check_text("\n".join(["x"] * passes.LONGEST), "Short.")
    too_long = "\n".join(["x"] * (passes.LONGEST + 2))
    assert reason_of(lambda: passes.check_text(too_long, "Short.")) == "too_long"


def test_a_kernel_that_fails_keeps_its_place(troubled: str) -> None:
    text = generate(troubled, 0, 12)
    tree = ast.parse(text)
    rejects = rejects_in(tree, troubled, 0)
    kernels = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert 0 < len(rejects) < 12
    assert len(rejects) + len(kernels) == 12
    assert {one["reason"] for one in rejects} == {"undefined"}
    assert {one["stage"] for one in rejects} == {"kernels"}
    assert all(one["sample_id"] == f"troubled-0000-{one['index']:04d}" for one in rejects)
    assert "/ of" in rejects[0]["message"]


def test_rejects_are_passed_over_when_kernels_are_numbered(troubled: str, tmp_path: Path) -> None:
    from weft.ir.build import build_ir

    path = tmp_path / "kernels.py"
    path.write_text(generate(troubled, 0, 8))
    ir = build_ir(path, category=troubled, seed=0, device="cuda")
    rejected = {one["index"] for one in ir["rejects"]}
    assert rejected == {one["index"] for one in rejects_in(ast.parse(path.read_text()), troubled, 0)}
    assert rejected
    assert sorted(rejected | {one["index"] for one in ir["records"]}) == list(range(8))
    assert {one["kernel_name"].rstrip("_0123456789") for one in ir["records"]} == {"double"}
