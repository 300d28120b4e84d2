"""What Warp refuses is a reject that points at the user's line; a file that cannot be read is an error."""

import subprocess
import sys
from pathlib import Path

import pytest
from ir_of import ir_of, record_of, reject_of

from weft.errors import UserError


@pytest.mark.parametrize(
    ("body", "blamed", "message"),
    [
        ("x[i] = 2.0 * (x[i] + i)", "x[i] + i", "Input types must be the same, got ['float32', 'int32']"),
        ("x[i] = wp.sine(x[i])", "wp.sine(x[i])", "Could not find function wp.sine"),
        ("x[i] = 1.0 + nothing", "nothing", "undefined symbol: nothing"),
        ("x[i] = [1.0][0]", "[1.0]", "Construct `ast.List` not supported"),
        ("µ = x[i]; x[i] = µ + 1", "µ + 1", "Input types must be the same"),
        ("x[i] = wp.sqrt(x[i],\n        1)", "wp.sqrt(x[i],", "Couldn't find function overload for 'sqrt'"),
        ("return x[i]", "def refused(", "Warp kernels cannot return values"),
        ("with x: pass", "with x", "Construct `ast.With` not supported"),
    ],
)
def test_a_refusal_points_at_the_innermost_node(tmp_path: Path, body: str, blamed: str, message: str) -> None:
    reject = reject_of(
        tmp_path, f"@wp.kernel\ndef refused(x: wp.array(dtype=float)):\n    i = wp.tid()\n    {body}\n"
    )
    assert (reject["stage"], reject["reason"]) == ("ir", "warp_error")
    lines = (tmp_path / "kernels.py").read_text(encoding="utf-8").splitlines()
    assert reject["source_line"] == lines[reject["line"] - 1]
    assert reject["source_line"][reject["column"] - 1 :].startswith(blamed)
    assert message in reject["message"]
    assert "Error while parsing" not in reject["message"]
    assert "\n" not in reject["message"]


def test_the_place_is_in_the_helper_that_is_at_fault(tmp_path: Path) -> None:
    reject = reject_of(
        tmp_path,
        """
        from physics import pull
        @wp.kernel
        def refused(x: wp.array(dtype=float)):
            i = wp.tid()
            x[i] = pull(x[i])
        """,
        physics="""
        def scope():
            @wp.func
            def pull(a: float):
                return a + wp.vec3(a, a, a)
            return pull
        pull = scope()
        """,
    )
    assert reject["file"] == str(tmp_path / "physics.py")
    assert reject["source_line"].strip() == "return a + wp.vec3(a, a, a)"
    assert reject["column"] > 12


def test_a_kernel_refused_at_its_decorator_leaves_the_others(tmp_path: Path) -> None:
    ir = ir_of(
        tmp_path,
        """
        @wp.kernel
        def untyped(x):
            x[0] = 1.0
        @wp.kernel(enable_backward=False)
        def fine(x: wp.array(dtype=float)):
            i = wp.tid()
            x[i] = 1.0
        """,
    )
    assert [record["kernel_name"] for record in ir["records"]] == ["fine"]
    (reject,) = ir["rejects"]
    assert (reject["index"], reject["sample_id"]) == (0, "kernels-0000-0000")
    assert reject["source_line"] == "def untyped(x):"
    assert ir["records"][0]["cuda_backward"] == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def broken(:\n", ["kernels.py:3:12", "def broken(:\n               ^", "syntax error"]),
        (
            "x = 1\ny = x.missing\n",
            ["kernels.py:4:5", "y = x.missing\n        ^", "has no attribute 'missing'"],
        ),
        ("x = 1\n", ["defines no kernel", "@wp.kernel"]),
        (
            "@wp.kernel\ndef fill(): pass\nLAUNCH = {'fil': {}}\n",
            [
                "kernels.py:5:11",
                "LAUNCH describes 'fil', which is not a kernel of this file, "
                "did you mean 'fill'? (it has fill)",
            ],
        ),
        ("import absent_module\n", ["kernels.py:3:1", "No module named 'absent_module'"]),
        ("from helper import f\n", ["helper.py:3:7", "x = 1 1\n          ^", "syntax error"]),
        (
            "LAUNCH = {k: 1 for k in 'ab'}\n",
            ["kernels.py:3:10", "LAUNCH must be a literal, and this is an expression: {k: 1"],
        ),
        (
            "LAUNCH = ['fill']\n",
            ["kernels.py:3:10", "LAUNCH must be a dict of kernel names, got a list: ['fill']"],
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_an_error_with_its_place(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    with pytest.raises(UserError) as caught:
        ir_of(tmp_path, text, helper="x = 1 1\n")
    for word in words:
        assert word in str(caught.value)


def test_the_script_prints_what_is_wrong_and_fails_without_a_traceback(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "scripts" / "ir.py"
    command = [sys.executable, "-P", str(script), "absent.py", "-o", "out.json"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "ir: cannot read absent.py: No such file or directory\n"
    assert not (tmp_path / "out.json").exists()


def test_a_generic_kernel_without_instance_takes_float32_where_that_fits(tmp_path: Path) -> None:
    (record,) = ir_of(tmp_path, GENERIC)["records"]
    assert [parameter["type"] for parameter in record["signature"]] == ["array<float32,1>", "float32"]


def test_a_generic_kernel_without_instance_takes_float64_where_float32_does_not_fit(tmp_path: Path) -> None:
    (record,) = ir_of(tmp_path, GENERIC.replace("factor\n", "factor * wp.float64(2.0)\n"))["records"]
    assert [parameter["type"] for parameter in record["signature"]] == ["array<float64,1>", "float64"]


def test_a_generic_kernel_that_no_default_fits_is_refused(tmp_path: Path) -> None:
    reject = reject_of(tmp_path, GENERIC.replace("x[i] * factor", "wp.quat_inverse(x[i])"))
    assert reject["reason"] == "generic"
    assert "no instance, and no default fits (with float32: " in reject["message"]
    assert reject["source_line"].startswith("def scale(")


def test_the_instance_of_a_generic_kernel_is_the_kernel(tmp_path: Path) -> None:
    ir = ir_of(tmp_path, GENERIC + "wp.overload(scale, [Doubles, wp.float64])\n")
    (record,) = ir["records"]
    assert [parameter["type"] for parameter in record["signature"]] == ["array<float64,1>", "float64"]
    assert "wp.overload(scale, [Doubles, wp.float64])" in record["python_source"]
    assert "Floats" not in record["python_source"]


GENERIC = """
from typing import Any
Floats = wp.array(dtype=float)
Doubles = wp.array(dtype=wp.float64)
@wp.kernel
def scale(x: wp.array(dtype=Any), factor: Any):
    i = wp.tid()
    x[i] = x[i] * factor
"""


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("wp.array(dtype=Holder)", "array<struct<Holder>,1>"),
    ],
)
def test_a_parameter_that_cannot_be_drawn_is_the_launch_problem(
    tmp_path: Path, declared: str, text: str
) -> None:
    record = record_of(
        tmp_path,
        "@wp.struct\nclass Holder:\n    w: float\n    a: wp.array(dtype=float)\n"
        f"@wp.kernel\ndef k(x: wp.array(dtype=float), extra: {declared}):\n    x[wp.tid()] = 0.0\n",
    )
    problem = record["launch_problem"]
    assert problem["message"] == f"no values can be drawn for 'extra' of type {text}"
    assert problem["source_line"][problem["column"] - 1 :].startswith("extra: ")
    assert record["launch"]["parameters"]["extra"]["values"] is None


def test_a_kernel_that_the_file_replaces_keeps_its_number(tmp_path: Path) -> None:
    ir = ir_of(
        tmp_path,
        """
        @wp.kernel
        def gone(x: wp.array(dtype=float)):
            x[wp.tid()] = 0.0
        gone = None
        @wp.kernel
        def stays(x: wp.array(dtype=float)):
            x[wp.tid()] = 0.0
        """,
    )
    assert [(reject["index"], reject["kernel_name"]) for reject in ir["rejects"]] == [(0, "gone")]
    assert [(record["index"], record["kernel_name"]) for record in ir["records"]] == [(1, "stays")]
