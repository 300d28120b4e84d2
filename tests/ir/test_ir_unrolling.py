"""Loops that Warp unrolls into different code are written out in the record."""

from pathlib import Path

from ir_of import called, noted, record_of, reject_of
from test_ir_standalone import forward, round_trip

PROGRAM = """
        @wp.func
        def shift(x: float):
            return x + 1.0

        @wp.func
        def double(x: float):
            return x * 2.0

        STEPS = [shift, double]
        TABLE = [1.5, 2.5, 3.5]

        @wp.func
        def chain(x: float):
            # Stays.
            for i in range(wp.static(len(STEPS))):
                x = wp.static(STEPS[i])(x)
            return x

        @wp.kernel
        def walk(x: wp.array(dtype=float), n: int):
            t = wp.tid()
            total = float(0.0)
            for i in range(3):
                for j in range(i):
                    total += wp.static(TABLE[i] * TABLE[j]) * float(j)
            for k in range(4):
                total += float(k)
            x[t] = chain(x[t]) + total
"""


def test_each_iteration_has_its_functions_and_values(tmp_path: Path) -> None:
    record = record_of(tmp_path, PROGRAM)
    chain = record["functions"][-1]
    assert chain["source"] == (
        "@wp.func\ndef chain(x: float):\n    # Stays.\n"
        "    x = wp.static(STEPS[0])(x)\n    x = wp.static(STEPS[1])(x)\n    return x\n"
    )
    assert called(chain, "wp.static(STEPS[0])(x)") == {"function": "shift"}
    assert called(chain, "wp.static(STEPS[1])(x)") == {"function": "double"}
    assert noted(record["kernel"], "wp.static(TABLE[2] * TABLE[1])") == ["float32", 8.75]


def test_other_loops_stay_loops(tmp_path: Path) -> None:
    source = record_of(tmp_path, PROGRAM)["kernel"]["source"]
    assert "    for k in range(4):\n        total += float(k)\n" in source
    assert "for i in" not in source


def test_warps_text_is_that_of_the_loop(tmp_path: Path) -> None:
    record = record_of(tmp_path, PROGRAM)
    assert "// for i in range(3):" in record["cpp_forward"]
    assert forward(round_trip(record, tmp_path / "again")) == forward(record)


def test_a_loop_that_changes_its_variable_is_refused(tmp_path: Path) -> None:
    text = PROGRAM.replace(
        "x = wp.static(STEPS[i])(x)", "x = wp.static(STEPS[i])(x)\n                i = int(x)"
    )
    reject = reject_of(tmp_path, text)
    assert "has another type in another iteration of an unrolled loop" in reject["message"]
    assert reject["source_line"].strip() == "x = wp.static(STEPS[i])(x)"
