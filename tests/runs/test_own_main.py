"""A program's own `main` has to say what its launcher leaves for the inputs that `main` draws."""

from typing import Any

import numpy as np
import pytest
from hand_written import evens_reference, judge, program, shard

from weft.recipes import MAIN_SEED, MAIN_SIZE
from weft.runs.arrays import PackedArray
from weft.runs.main_output import main_differs
from weft.types import parse_type

LAUNCHED = "launch_evens(x.device, y.device, out.device, n)"
PRINTED = """std::printf("out: first %g, last %g, sum %.9g\\n", left[0], left[n - 1], sum);"""
MAIN = f"""
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
    assert MAIN.count(old) == 1
    return program(main=MAIN.replace(old, new))


PROGRAMS = {
    "right": (program(main=MAIN), "verified"),
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
    "a right main of a wrong launcher": (program(launch="", main=MAIN), "unwritten_output"),
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
