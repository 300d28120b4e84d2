"""`python_source` of what no file shows: factories, closures, instances of generics, kernels of packages."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from ir_of import HEADER, ir_of

from weft.errors import UserError
from weft.ir.build import build_ir

FACTORY = """
        import enum
        import math
        from typing import Any

        class Mode(enum.IntEnum):
            SLOW = 1
            FAST = 3

        vec5 = wp.types.vector(5, float)
        LIMIT = wp.constant(wp.float64(2.5))
        TABLE = [1.0, 2.5]

        @wp.struct
        class Inner:
            weight: float

        @wp.struct
        class Body:
            \"\"\"A body.\"\"\"
            inner: Inner
            place: wp.vec3
            masses: wp.array(dtype=vec5)

        @wp.func
        def twice(x: float, factor: float = 2.0):
            return factor * x * wp.static(TABLE[1])

        @wp.func
        def weight(b: Body):
            return b.inner.weight

        @wp.func
        def weight(x: Any):
            return x

        @wp.func_native("return x + 1;")
        def successor(x: int) -> int:
            ...

        @wp.func
        def apply(f: wp.Function, x: float):
            return f(x)

        def make(count, f, mode):
            name = "unused"

            @wp.func
            def inner(x: float):
                return f(x) + float(count)

            @wp.kernel(enable_backward=False)
            def run(x: wp.array(dtype=float), bodies: wp.array(dtype=Body), five: wp.array(dtype=vec5),
                    big: wp.array(dtype=wp.float64), n: wp.array2d(dtype=int)):
                \"\"\"Run.\"\"\"
                i = wp.tid()
                # Stays where it is.
                y = inner(x[i]) * math.pi + weight(bodies[i]) + weight(x[i])
                if mode == Mode.FAST:
                    y = apply(twice, y)
                for k in range(wp.static(count + 1)):
                    y += wp.static(TABLE[0]) * float(k)
                big[i] = big[i] + LIMIT
                five[i] = vec5(1.0, 2.0, 3.0, 4.0, y)
                n[i, 0] = successor(n[i, 0])
                x[i] = y

            return run

        run = make(2, twice, int(Mode.FAST))
        RUNS = {"slow": make(3, twice, 1), "none": None}

        @wp.kernel
        def scale(x: wp.array(dtype=Any), factor: Any):
            i = wp.tid()
            x[i] = x[i] * factor

        wp.overload(scale, [wp.array(dtype=float), float])
        wp.overload(scale, [wp.array(dtype=wp.vec3), float])
"""


def forward(record: dict[str, Any]) -> list[str]:
    """The words of Warp's C++ text; the user's names are numbered in the order of their use."""
    code = re.sub(r"//[^\n]*|#line[^\n]*", "", record["cpp_forward"])
    names: dict[str, str] = {}
    words = re.findall(r"(?:wp::)?[A-Za-z_]\w*|\S", code)
    own = re.compile(r"(?!var_|wp::)[A-Za-z_]")
    return [names.setdefault(word, f"name{len(names)}") if own.match(word) else word for word in words]


def round_trip(record: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The record of a record's python_source, in which the kernel has the same name."""
    folder.mkdir(exist_ok=True)
    path = folder / "alone.py"
    path.write_text(record["python_source"], encoding="utf-8")
    ir = build_ir(path, category="alone", seed=0, device="cuda")
    assert ir["rejects"] == []
    (again,) = ir["records"]
    assert again["kernel_name"] == record["kernel_name"]
    return dict(again)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The records of a file with factories and generic kernels."""
    ir = ir_of(tmp_path_factory.mktemp("made"), FACTORY)
    assert ir["rejects"] == []
    return {record["kernel_name"]: record for record in ir["records"]}


def test_every_kernel_has_a_name_of_its_own_in_a_fixed_order(made: dict[str, dict[str, Any]]) -> None:
    assert list(made) == ["scale_float32", "scale_vec3_float32", "run", "run_2"]


def test_kernels_of_classes_are_found(tmp_path: Path) -> None:
    ir = ir_of(
        tmp_path,
        """
        class Solver:
            @wp.kernel
            def first(x: wp.array(dtype=float)):
                x[wp.tid()] = 1.0

            @staticmethod
            @wp.kernel
            def second(x: wp.array(dtype=float)):
                x[wp.tid()] = 2.0
        """,
    )
    assert [record["kernel_name"] for record in ir["records"]] == ["first", "second"]


def test_kernels_of_classes_are_found_where_the_package_imported_the_module_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "eager").mkdir()
    (tmp_path / "eager" / "__init__.py").write_text("from .solver import Solver\n")
    (tmp_path / "eager" / "solver.py").write_text(
        HEADER
        + "class Solver:\n    @staticmethod\n    @wp.kernel\n    def fill(x: wp.array(dtype=float)):\n"
        + "        x[wp.tid()] = 1.0\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("eager")
    (record,) = build_ir("eager.solver", category="own", seed=0, device="cuda")["records"]
    assert record["kernel_name"] == "fill"


@pytest.mark.parametrize("name", ["scale_float32", "scale_vec3_float32", "run", "run_2"])
def test_the_text_gives_the_same_code_again(
    made: dict[str, dict[str, Any]], name: str, tmp_path: Path
) -> None:
    again = round_trip(made[name], tmp_path)
    assert forward(again) == forward(made[name])
    assert again["signature"] == made[name]["signature"]


def test_captured_values_are_constants_and_bodies_stay(made: dict[str, dict[str, Any]]) -> None:
    source = made["run"]["python_source"]
    imported = [ast.unparse(n) for n in ast.parse(source).body if isinstance(n, ast.Import | ast.ImportFrom)]
    assert imported == ["import warp as wp"]
    for line in (
        "vec5 = wp.types.vector(length=5, dtype=float)\n",
        "Mode_FAST = 3\n",
        "LIMIT = wp.float64(2.5)\n",
        '    """A body."""\n\n    inner: Inner\n',
        "@wp.kernel(enable_backward=False)\ndef run(\n",
        "        # Stays where it is.\n"[4:],
        "def twice(x: float, factor: float = 2.0):\n    return factor * x * 2.5\n",
        '@wp.func_native(snippet="""return x + 1;""")\n',
        "    for k in range(3):\n",
    ):
        assert line in source, line
    assert "unused" not in source
    assert "static" not in source


def test_an_instance_is_written_with_its_types(made: dict[str, dict[str, Any]]) -> None:
    assert made["scale_vec3_float32"]["python_source"] == (
        "import warp as wp\n"
        "\n\n"
        "@wp.kernel\n"
        "def scale_vec3_float32(x: wp.array(dtype=wp.vec3), factor: float):\n"
        "    i = wp.tid()\n"
        "    x[i] = x[i] * factor\n"
    )


@pytest.mark.parametrize(
    ("selection", "names"),
    [
        ("run", ["run"]),
        ("scale", ["scale_float32", "scale_vec3_float32"]),
        ("scale_float32", ["scale_float32"]),
        ("RUNS.slow", ["run_2"]),
        ('RUNS["slow"]', ["run_2"]),
        ("RUNS", ["run_2"]),
        ("make(7, twice, 2)", ["run"]),
    ],
)
def test_an_expression_chooses_from_a_source(tmp_path: Path, selection: str, names: list[str]) -> None:
    ir_of(tmp_path, FACTORY)
    ir = build_ir(f"{tmp_path}/kernels.py:{selection}", category="own", seed=0, device="cuda")
    assert [record["kernel_name"] for record in ir["records"]] == names
    assert [record["index"] for record in ir["records"]] == list(range(len(names)))


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ("rum", "has no 'rum', did you mean 'run'? (its kernels are run, run_2, scale)"),
        (
            "make",
            "make is of type function, no kernel; its kernels are run, run_2, scale; a function may be a f",
        ),
        ("make(3)", "the call failed: TypeError: make() missing 2 required positional arguments"),
        ('RUNS["fast"]', "RUNS['fast']: KeyError: 'fast'"),
        ("run.depth", "run has no 'depth'"),
        ("make(*TABLE)", "a factory takes literals and names of the module, not '*TABLE'"),
        ("3 + 4", "'3 + 4' does not name a kernel; expected a name, NAME.attribute"),
        ("run(", "'run(' is not an expression"),
        ("", "has nothing after its colon"),
    ],
)
def test_what_chooses_no_kernel_is_an_error(tmp_path: Path, selection: str, message: str) -> None:
    ir_of(tmp_path, FACTORY)
    with pytest.raises(UserError) as caught:
        build_ir(f"{tmp_path}/kernels.py:{selection}", category="own", seed=0, device="cuda")
    assert message in str(caught.value)


def test_a_file_with_nothing_but_factories_says_how_to_call_them(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        ir_of(tmp_path, FACTORY[: FACTORY.index("        run = make(")])
    message = str(caught.value)
    assert (
        "kernels.py makes no kernel when it is imported; its factories are make: call one, as in" in message
    )
    assert message.endswith("kernels.py:make(…)")


def test_a_module_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "pack" / "inner"
    package.mkdir(parents=True)
    (tmp_path / "pack" / "__init__.py").write_text("from .inner.tools import pull\n")
    (package / "tools.py").write_text(
        HEADER + "from ..constants import G\n@wp.func\ndef pull(x: float):\n    return G * x\n"
    )
    (tmp_path / "pack" / "constants.py").write_text("G = 9.5\n")
    (package / "steps.py").write_text(
        HEADER
        + "from .. import inner\nimport pack\n@wp.kernel\ndef step(x: wp.array(dtype=float)):\n"
        + "    i = wp.tid()\n    x[i] = pack.pull(x[i])\n"
    )
    monkeypatch.chdir(tmp_path)
    for spec in ("pack.inner.steps", "pack.inner.steps:step"):
        (record,) = build_ir(spec, category="own", seed=0, device="cuda")["records"]
        assert record["kernel"]["file"] == "pack/inner/steps.py"
        assert "G = 9.5\n" in record["python_source"]
        assert forward(round_trip(record, tmp_path / "again")) == forward(record)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "no_such_module.kernels",
            "there is no module 'no_such_module'; expected a Python file (kernels.py) or an",
        ),
        ("json.no_such", "there is no module 'json.no_such'"),
        ("textwrap.inner", "'textwrap' is not a package, so it has no module 'inner'"),
        ("math", "the module 'math' has no Python file"),
        ("two words", "'two words' is neither a file nor the name of a module"),
        (
            "textwrap",
            "textwrap has no kernel (expected functions decorated with @wp.kernel, or kernels made by",
        ),
    ],
)
def test_a_name_that_is_no_source_is_an_error(spec: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        build_ir(spec, category="own", seed=0, device="cuda")
    assert message in str(caught.value)


CONSTANT_ELSEWHERE = """
import warp as wp
import warp.tests.aux_test_compile_consts_dummy


def make():
    @wp.kernel
    def made(x: wp.array(dtype=int)):
        x[wp.tid()] = wp.tests.aux_test_compile_consts_dummy.MINUS_ONE

    return made


@wp.kernel
def plain(x: wp.array(dtype=int)):
    x[wp.tid()] = wp.tests.aux_test_compile_consts_dummy.MINUS_ONE


MADE = make()
"""


@pytest.mark.parametrize("name, text", [("MADE", "= -1\n"), ("plain", "\nimport warp.tests.aux_")])
def test_a_constant_in_a_module_of_a_package_comes_along(tmp_path: Path, name: str, text: str) -> None:
    # `import warp` alone brings no modules of tests.
    records = {record["kernel_name"]: record for record in ir_of(tmp_path, CONSTANT_ELSEWHERE)["records"]}
    assert text in records[name]["python_source"]
    assert forward(round_trip(records[name], tmp_path / "alone")) == forward(records[name])


def test_a_module_of_warp_under_its_own_name_is_not_taken_for_part_of_warp(tmp_path: Path) -> None:
    text = CONSTANT_ELSEWHERE.replace(
        "import warp.tests.aux_test_compile_consts_dummy", "from warp import fem"
    )
    text = text.replace("wp.tests.aux_test_compile_consts_dummy.MINUS_ONE", "fem.NULL_NODE_INDEX")
    records = {record["kernel_name"]: record for record in ir_of(tmp_path, text)["records"]}
    assert "= 2147483647\n" in records["MADE"]["python_source"]
    assert forward(round_trip(records["MADE"], tmp_path / "alone")) == forward(records["MADE"])
