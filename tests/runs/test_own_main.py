"""A program's own `main` has to say what its launcher leaves for the inputs that `main` draws."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hand_written import evens_reference, judge, program, shard

from weft.recipes import MAIN_SEED, MAIN_SIZE
from weft.reference.cases import MAIN
from weft.reference.store import NO_MARGIN
from weft.runs import verdict
from weft.runs.arrays import PackedArray
from weft.runs.main_output import Leeway, main_differs
from weft.runs.verdict import CUDA
from weft.types import parse_type

LAUNCHED = "launch_evens(x.device, y.device, out.device, n)"
PRINTED = """std::printf("out: first %g, last %g, sum %.9g\\n", left[0], left[n - 1], sum);"""
MAIN_TEXT = f"""
uint32_t pcg(uint32_t x) {{
    const uint32_t state = x * 747796405u + 2891336453u;
    const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}}

void draw(uint32_t parameter, int n, float* device) {{
    harness::Floats host(n);
    const uint32_t key = pcg(parameter + pcg({MAIN_SEED}u));
    for (int i = 0; i < n; ++i) host[i] = float(-1.0 + (pcg(i + pcg(key)) >> 8) * 0x1p-24 * 2.0);
    harness::to_device(host, device);
}}

int main() {{
    const int n = {MAIN_SIZE};
    harness::Buffer x(n), y(n), out(n);
    draw(0, n, x.device);
    draw(1, n, y.device);
    out.fill(0);
    if ({LAUNCHED} != cudaSuccess) return 1;
    const harness::Floats left = harness::on_host(out.device, n);
    double sum = 0.0;
    for (float value : left) sum += value;
    {PRINTED}
    return 0;
}}
"""


def changed(old: str, new: str) -> str:
    """A program whose `main` has `new` where the right one has `old`."""
    assert MAIN_TEXT.count(old) == 1
    return program(main=MAIN_TEXT.replace(old, new))


PROGRAMS = {
    "right": (program(main=MAIN_TEXT), "verified"),
    "says more than it has to": (changed(PRINTED, f'std::puts("evens");\n{PRINTED}'), "verified"),
    "without a main": (program(), "verified"),
    "another first element": (changed("left[0]", "left[0] + 0.5"), "main_differs"),
    "another last element": (changed("left[n - 1]", "left[n - 1] + 0.5"), "main_differs"),
    "a sum that is off in its ninth digit": (changed("sum);", "sum * 1.00000002);"), "main_differs"),
    "a sum of too few elements": (changed("float value : left", "float value : {left[0]}"), "main_differs"),
    "a sum that is no number": (changed("sum);", "0.0 / 0.0);"), "main_differs"),
    "one number for many": (changed(PRINTED, 'std::printf("out: %.9g\\n", left[0]);'), "main_differs"),
    "a word for a number": (changed("sum %.9g", "sum PASS%.9g"), "main_differs"),
    "other inputs": (changed("draw(1, n, y.device)", "draw(2, n, y.device)"), "main_differs"),
    "fewer elements": (changed(f"n = {MAIN_SIZE}", f"n = {MAIN_SIZE // 2}"), "main_differs"),
    "no launch": (changed(f"if ({LAUNCHED} != cudaSuccess) return 1;", ""), "main_differs"),
    "outputs that are no zeros before": (changed("out.fill(0)", "out.fill(0x3F)"), "main_differs"),
    "no line": (changed(PRINTED, ""), "main_differs"),
    "a line of another array": (changed("out: first", "y: first"), "main_differs"),
    "a line on standard error": (changed("std::printf(", "std::fprintf(stderr, "), "main_differs"),
    "ends well before its line": (changed(PRINTED, f"std::exit(0);\n{PRINTED}"), "main_differs"),
    "another file for its line": (
        changed(PRINTED, f'std::remove("printed");\n{PRINTED}'),
        "main_differs",
    ),
    "a pipe for its line": (
        changed(PRINTED, f'std::remove("printed"); mkfifo("printed", 0600);\n{PRINTED}'),
        "main_differs",
    ),
    "reads what the launcher left": (
        changed(PRINTED, f'if (access("left", R_OK)) return 0;\n{PRINTED}'),
        "main_differs",
    ),
    "fails": (changed("return 0;", "return 3;"), "crash"),
    "crashes": (changed(PRINTED, "std::abort();"), "crash"),
    "never ends": (changed(PRINTED, f"{PRINTED}\n    for (volatile int i = 0;; ++i) {{}}"), "timeout"),
    "arrays that are too small": (changed("y(n), out(n)", "y(n), out(n / 2)"), "out_of_bounds"),
    "options": (changed("int main()", "int main(int, char**)"), "compile_error"),
    "a right main of a wrong launcher": (program(launch="", main=MAIN_TEXT), "unwritten_output"),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    text = "#include <sys/stat.h>\n" + shard([text for text, _ in PROGRAMS.values()])
    runs = judge(tmp_path_factory.mktemp("main"), text, evens_reference(len(PROGRAMS)), "--timeout", "5")
    return dict(zip(PROGRAMS, runs["samples"], strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdict(results: dict[str, Any], name: str) -> None:
    result = results[name]
    assert (result["reason"] or result["verdict"]) == PROGRAMS[name][1], result["message"]


def test_the_checks_say_whether_there_was_a_main(results: dict[str, Any]) -> None:
    assert "main_agrees" in results["right"]["checks"]
    assert "main_agrees" not in results["without a main"]["checks"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("another last element", "main prints 0.5 for the last of out, which is 0"),
        ("no line", "main prints no line of out"),
        ("fails", "its main: exit status 3"),
        ("never ends", "its main: no end within "),  # of CPU time, or of a busy machine's
    ],
)
def test_messages_say_that_it_is_the_main(results: dict[str, Any], name: str, message: str) -> None:
    assert message in results[name]["message"]


@pytest.mark.parametrize(
    ("printed", "problem"),
    [
        ("count: 1234567890\n", None),
        ("count: first 1.23457e+09, last 1.23457e+09, sum 1.23456789e+09\n", None),
        ("count: 1234567990\n", "main prints 1234567990 for the number of count, which is 1.23456789e+09"),
        ("count: \n", "main prints no line of count"),
    ],
)
def test_an_array_of_one_number_may_have_that_alone(printed: str, problem: str | None) -> None:
    elements = np.array([1234567890], np.int32).view(np.uint8).reshape(1, 4)
    assert (
        main_differs(printed, {"count": PackedArray("count", parse_type("int32"), (1,), elements)}, {})
        == problem
    )


def floats(values: list[float]) -> dict[str, PackedArray]:
    elements = np.array(values, np.float32).view(np.uint8).reshape(-1, 4)
    return {"out": PackedArray("out", parse_type("float32"), (len(values),), elements)}


def said(first: float, last: float, total: float) -> str:
    return f"out: first {first:g}, last {last:g}, sum {total:.9g}\n"


CANCELLING = [1.0, 1e-7, -1.0]


@pytest.mark.parametrize(
    ("printed", "near"),
    [
        (said(1.0, -1.0, 1e-7), True),
        (said(1.0, -1.0, 2.5e-7), True),  # the sum of the bounds is 3e-7
        (said(1.0, -1.0, 5e-7), False),
        (said(1.0 + 2e-5, -1.0, 1e-7), False),
        (said(-1.0, 1.0, 1e-7), False),
        ("out: first nan, last -1, sum 1e-07\n", False),
        ("", False),
    ],
)
def test_a_sum_may_be_off_by_the_bounds_of_its_terms(printed: str, near: bool) -> None:
    leeway = {"out": Leeway(np.full(3, 1e-7))}
    assert (main_differs(printed, floats(CANCELLING), {}, leeway) is None) == near


def test_without_a_leeway_no_digit_may_differ() -> None:
    assert main_differs(said(1.0, -1.0, 2.5e-7), floats(CANCELLING), {}) is not None


@pytest.mark.parametrize(
    ("printed", "near"),
    [
        (said(3.0, 1.0, 6.0), True),
        (said(2.0, 2.0, 6.0), True),
        (said(4.0, 1.0, 6.0), False),
        (said(1.0, 3.0, 7.0), False),
    ],
)
def test_the_first_element_in_any_order_is_any_element(printed: str, near: bool) -> None:
    leeway = {"out": Leeway(np.zeros(3), any_order=True)}
    assert (main_differs(printed, floats([1.0, 2.0, 3.0]), {}, leeway) is None) == near


@pytest.mark.parametrize(
    ("equality", "largest", "any_order"), [("bounded", 2 * 32 * 2.0**-24, False), ("permutation", 0.0, True)]
)
def test_the_leeway_on_a_gpu_is_twice_the_bound(equality: str, largest: float, any_order: bool) -> None:
    (sample,) = evens_reference(1).samples
    launch = dataclasses.replace(sample.launch, equality=equality)
    exact = np.full((MAIN_SIZE, 1), NO_MARGIN, np.int16)
    place = sample.cases.index(MAIN)
    expected = list(sample.expected)
    expected[place] = {"out": dataclasses.replace(expected[place]["out"], margin=exact)}
    sample = dataclasses.replace(sample, launch=launch, expected=expected)
    left = floats([1.0] * MAIN_SIZE)
    leeway = verdict._leeway(sample, left, CUDA)["out"]
    assert leeway.bounds == pytest.approx(np.full(MAIN_SIZE, largest))
    assert leeway.any_order == any_order
    assert "out" not in verdict._leeway(evens_reference(1).samples[0], left, CUDA)
