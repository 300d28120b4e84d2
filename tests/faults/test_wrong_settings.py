"""A wrong setting, option or tool gives one message and an error status before anything is built."""

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from building import Build
from weft import compilers
from weft.errors import UserError
from weft.workflow import tools
from weft.workflow.machine import nvcc_path
from weft.workflow.settings import Settings, load

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "rules/config.schema.json"
CATEGORIES = ["loop", "matrix", "multi_conditional", "nested_loop", "vector"]
INF, NAN = math.inf, math.nan
WEIGHTS = {"easy": 1, "medium": 1, "hard": 1, "expert": 1}

VALUES: dict[str, list[Any]] = {
    "seeds": [
        0, -1, 1.5, INF, NAN, True, None, "many", 1e300, 10**400, 10_001, [], [1, 1], [10_000], ["0", "x"],
        [INF], {"0": 1},
    ],
    "kernels_per_seed": [0, -4, 1e300, 10_001, 2.5, "4e302", False],
    "categories": [
        [], {}, None, "matrix", 3, [["matrix"]], {"matrix": -1}, {"matrix": INF}, {"all": NAN},
        {"all": "1e300"}, {"matrix": True}, {"matrix": None}, {3: 1},
    ],
    "difficulty": [
        {"easy": 0}, dict.fromkeys(WEIGHTS, 0), dict.fromkeys(WEIGHTS, 1e-9), WEIGHTS | {"hard": INF},
        WEIGHTS | {"hard": NAN}, WEIGHTS | {"hard": 1e300}, WEIGHTS | {"extreme": 1}, [1, 1, 1, 1],
    ],
    "sizes": [[], [0], [1, 1], [1, 1.0], 31, [INF], [2**31], [1.5], [True], list(range(1, 102))],
    "input_seeds": [[-1], [], [2**32], [NAN], 3],
    "reference_timeout": [INF, NAN, 0, -1, 1e-9, "soon", True],
    "run_timeout": [INF, ".inf", "1e400", 1e300, None],
    "ir_check": [NAN, 1.5, True],
    "mutation": [NAN, 1.5, -0.1, INF, "half", False],
    "gradients": [NAN, 2],
    "sanitizer": [NAN, "2"],
    "speed_sizes": [[], [2**24 + 1], {"cpu": [1]}, [INF]],
    "devices": [[], ["gpu"], "cpu", None, ["cpu", "cpu"]],
    "archs": [["sm75"], [75], "sm_75", None],
    "nvcc": ["", 13, None, "a\nb"],
    "host_compiler": ["", "g++\0"],
    "sources": [["x.py"], {"Heat": "x.py"}, {3: "x.py"}, {"heat": 3}, {"heat": "a\nb.py"}, {"heat": ""}],
}  # fmt: skip
"""Settings of a wrong type, or out of range."""

PRODUCTS: list[tuple[dict[str, Any], str]] = [
    ({"categories": {"matrix": 0}}, "categories: got {'matrix': 0}, which leaves nothing to build"),
    ({"categories": {"all": 0}}, "categories: got {'all': 0}, which leaves nothing to build"),
    (
        {"categories": {"matrix": 100}, "kernels_per_seed": 200},
        "categories: matrix: kernels_per_seed 200 times the weight 100 is 20000 kernels; allowed: at most",
    ),
    (
        {"categories": "all", "kernels_per_seed": 10_000, "seeds": 10_000},
        "50000 kernels a seed in 5 categories, times 10000 seeds, are 500000000 kernels; allowed: at most",
    ),
    (
        {"sizes": list(range(1, 101)), "input_seeds": list(range(1000))},
        "100 sizes times 1000 input_seeds are 100000 cases of each kernel; allowed: at most 10000",
    ),
    ({3: 4}, "unknown key 3 (allowed: archs, "),
    ({None: 4}, "unknown key None (allowed: archs, "),
    ({"seed": 4}, "unknown key 'seed', did you mean 'seeds'? (allowed: archs, "),
    ({"categories": ["matrx"]}, "categories: got 'matrx', did you mean 'matrix'? (allowed: loop, matrix, "),
    ({"categories": ["all"]}, "categories: got 'all' (allowed: loop, "),
]
"""Settings that are wrong together, or in a way of their own."""


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The configuration that is shipped, without its sources and the categories that it holds out."""
    settings: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    return settings | {"sources": None, "dataset": settings["dataset"] | {"held_out": []}}


def message_of(config: dict[str, Any]) -> str:
    with pytest.raises(UserError) as caught:
        load(config, SCHEMA, CATEGORIES)
    return str(caught.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [(key, value) for key, values in VALUES.items() for value in values],
    ids=lambda one: one if isinstance(one, str) else ascii(one)[:40],
)
def test_a_wrong_value_is_named_with_what_is_allowed(config: dict[str, Any], key: str, value: Any) -> None:
    (message,) = message_of(config | {key: value}).splitlines()
    assert message.startswith(f"config: {key}: got ")
    assert "; allowed: " in message
    assert len(message) < 500


@pytest.mark.parametrize(("changes", "message"), PRODUCTS, ids=lambda one: ascii(one)[:60])
def test_settings_that_make_nothing_or_too_much_say_the_numbers(
    config: dict[str, Any], changes: dict[Any, Any], message: str
) -> None:
    (said,) = message_of(config | changes).splitlines()
    assert said.startswith(f"config: {message}")


@pytest.mark.parametrize("key", sorted(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))))
def test_a_setting_that_is_missing_is_named(config: dict[str, Any], key: str) -> None:
    assert message_of({name: one for name, one in config.items() if name != key}).startswith(
        f"config: {key}: missing; allowed: "
    )


# Tools.


def script(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


RELEASE = "echo 'nvcc: NVIDIA (R) Cuda compiler driver'; echo 'Cuda compilation tools, release %s, V%s.89'"
ANSWERS = f"case $1 in --version) {RELEASE % ('13.0', '13.0')};; --list-gpu-code) echo sm_75;; *) %s;; esac"
CLANG = (
    "case $1 in --version) echo 'Debian clang version 14.0.6';; "
    "*) echo '#define __GNUG__ 4'; echo '#define __clang__ 1';; esac"
)
OLD = "case $1 in --version) echo 'g++ (GCC) 4.8.5';; *) echo '#define __GNUG__ 4';; esac"
NO_LINK = 'case "$*" in *-E*|*--version*) exec g++ "$@";; *) echo "ld: cannot find crt1.o" >&2; exit 1;; esac'
NO_RUN = (
    'case "$*" in *-E*|*--version*) exec g++ "$@";; *) for last; do :; done; '
    "printf '#!/bin/sh\\nexit 3\\n' > $last; chmod +x $last;; esac"
)

NVCCS: dict[str, tuple[str | None, str]] = {
    "that is not there": (None, "does not run (No such file or directory)"),
    "that is true": ("exec /bin/true --version", "which is not nvcc: its --version says 'true (GNU"),
    "that says nothing": ("exit 0", "which is not nvcc: its --version says nothing"),
    "that fails": ("echo 'nvcc fatal: no license' >&2; exit 1", "does not run (nvcc fatal: no license)"),
    "that is too old": (RELEASE % ("10.2", "10.2"), "which is too old: release 10.2; allowed: an nvcc of"),
    "that lists nothing": (RELEASE % ("13.0", "13.0") + " | grep -v $1", "allowed: "),
    "that writes nothing": (ANSWERS % "exit 0", "'g++': it ended without an error and wrote none"),
    "for which g++ is too new": (
        ANSWERS % "echo 'host_config.h:157:2: error: #error -- unsupported GNU version!' >&2; exit 1",
        "with the host compiler 'g++': host_config.h:157:2: error: #error -- unsupported GNU version!",
    ),
}  # fmt: skip
COMPILERS: dict[str, tuple[str | None, str]] = {
    "that is not there": (None, "does not run (No such file or directory)"),
    "that is true": (
        "exec /bin/true --version",
        "which is not g++: its --version says 'true (GNU coreutils)",
    ),
    "that says nothing": ("exit 0", "whose --version prints nothing"),
    "that is clang": (CLANG, "which is clang: Debian clang version 14.0.6; allowed: a g++ of version 8"),
    "that is too old": (OLD, "which is too old: g++ (GCC) 4.8.5; allowed: a g++ of version 8"),
    "that cannot link": (NO_LINK, "whose programs do not run here: ld: cannot find crt1.o"),
    "whose programs do not run": (NO_RUN, "whose programs do not run here: exit status 3"),
    "that hangs at nothing": ("echo 'g++ 12'; exit 0", "which is not g++: its --version says 'g++ 12'"),
}


def start_message(config: dict[str, Any], **changes: Any) -> str:
    settings: Settings = load(config | {"devices": ["cpu"], "archs": ["sm_75"]} | changes, SCHEMA, CATEGORIES)
    with pytest.raises(UserError) as caught:
        tools.versions(settings)
        tools.try_tools(settings)
    (message,) = str(caught.value).splitlines()
    return message


@pytest.mark.parametrize("what", NVCCS)
def test_an_nvcc_is_named_as_what_it_is(what: str, config: dict[str, Any], tmp_path: Path) -> None:
    text, words = NVCCS[what]
    nvcc = str(tmp_path / "none") if text is None else script(tmp_path, "nvcc", text)
    message = start_message(config, nvcc=nvcc)
    assert message.startswith(f"config: nvcc: got {nvcc!r}, ")
    assert words in message


@pytest.mark.needs("nvcc")
@pytest.mark.parametrize("what", COMPILERS)
def test_a_host_compiler_is_named_as_what_it_is(what: str, config: dict[str, Any], tmp_path: Path) -> None:
    text, words = COMPILERS[what]
    compiler = str(tmp_path / "none") if text is None else script(tmp_path, "g++", text)
    message = start_message(config, host_compiler=compiler)
    assert message.startswith(f"config: host_compiler: got {compiler!r}, ")
    assert words in message


@pytest.mark.parametrize("kind", ["missing", "a file"])
def test_a_folder_for_temporary_files_that_is_none_is_named(
    kind: str, config: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tmp"
    if kind == "a file":
        folder.touch()
    monkeypatch.setenv("TMPDIR", str(folder))
    assert start_message(config) == (
        f"TMPDIR: got {str(folder)!r}, which is not a writable folder; nvcc needs one for its files"
    )


@pytest.mark.needs("nvcc")
def test_tools_that_work_are_taken() -> None:
    compilers.try_gxx("g++", "compiler")
    compilers.try_nvcc(nvcc_path("pinned"), "g++", "sm_75", "nvcc")


# Options of the scripts.

REFERENCE = ("reference", "k.py", "k.json", "-o", "out.npz")
RUNS = ("runs", "k.cu", "k.npz", "-o", "out.json", "--compiler", "g++")
MUTATION = ("mutation", "k.json", "k.npz", "-o", "out.json", "--compiler", "g++")
GRADIENTS = ("gradients", "k.py", "k.json", "-o", "out.json")
SPEED = ("speed", "k.cu", "k.npz", "--runs", "r.json", "--compiler", "g++", "-o", "out.json")
KERNELS = ("kernels", "-c", "matrix", "-o", "out.py")
OPTIONS: list[tuple[str, ...]] = [
    (*REFERENCE, "--timeout", "inf"), (*REFERENCE, "--timeout", "nan"), (*REFERENCE, "--timeout", "-1"),
    (*REFERENCE, "--timeout", "0"), (*REFERENCE, "--timeout", "1e300"), (*REFERENCE, "--sizes", "0"),
    (*REFERENCE, "--sizes", "1e9"), (*REFERENCE, "--sizes", "1", "1"), (*REFERENCE, "--seeds", "-1"),
    (*REFERENCE, "--seeds", "0", "0"), (*RUNS, "--timeout", "inf"), (*RUNS, "--timeout", "0"),
    (*RUNS, "--sanitizer", "nan"), (*MUTATION, "--share", "nan"), (*MUTATION, "--share", "2"),
    (*MUTATION, "--mutants", "0"), (*MUTATION, "--timeout", "inf"), (*GRADIENTS, "--share", "-1"),
    (*GRADIENTS, "--size", "0"), (*GRADIENTS, "--seed", "4294967296"), (*GRADIENTS, "--timeout", "nan"),
    (*SPEED, "--sizes", "-5"), (*SPEED, "--sizes", "10", "--timeout", "inf"), (*KERNELS, "--count", "0"),
    (*KERNELS, "--count", "1e3"), (*KERNELS, "--seed", "-1"), (*KERNELS, "--seed", "10000"),
    ("ir_check", "k.json", "-o", "out.json", "--share", "1.01"),
    ("ir", "k.py", "-o", "out.json", "--seed", "-1"), ("warp_headers", "-o", "out", "--block-dims", "0"),
]  # fmt: skip


@pytest.mark.parametrize("arguments", OPTIONS, ids=lambda one: f"{one[0]} {' '.join(one[-2:])}")
def test_a_wrong_option_of_a_script_is_named(
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    main = main_of(arguments[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [f"{arguments[0]}.py", *arguments[1:]])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"{arguments[0]}.py: error: argument ")
    assert f"got {arguments[-1]!r}; allowed: " in said or f"got {arguments[-1]} twice; allowed: " in said
    assert list(tmp_path.iterdir()) == []


def main_of(name: str) -> Callable[[], int]:
    """What a script runs."""
    import runpy

    main: Callable[[], int] = runpy.run_path(str(ROOT / "scripts" / f"{name}.py"))["main"]
    return main


# The same through Snakemake.

COMMANDS: list[tuple[str, str, str]] = [
    ("infinity", "seeds: .inf\n", "config: seeds: got inf; allowed: "),
    ("too much", "categories: {all: 1.0e+300}\n", "config: categories: got {'all': 1e+300}; allowed: "),
    ("nothing", "categories: {matrix: 0}\n", "which leaves nothing to build"),
    ("a number for a key", "3: 4\n", "config: unknown key 3 (allowed: "),
    ("an nvcc that is none", "nvcc: /bin/true\n", "config: nvcc: got '/bin/true', which is not nvcc"),
    (
        "a missing tool",
        "host_compiler: no-such\n",
        "config: host_compiler: got 'no-such', which does not run",
    ),
    pytest.param("broken YAML", "seeds: [1, 2\n", "not valid JSON or YAML", marks=pytest.mark.full),  # type: ignore[list-item]
    pytest.param("no mapping", "- 1\n", "with keys at top level", marks=pytest.mark.full),  # type: ignore[list-item]
]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build.fresh(tmp_path_factory.mktemp("settings") / "build")


@pytest.mark.workflow
@pytest.mark.parametrize(("what", "overlay", "message"), COMMANDS)
def test_snakemake_ends_with_one_message(
    what: str, overlay: str, message: str, fresh: Build, tmp_path: Path
) -> None:
    path = tmp_path / "overlay.yaml"
    path.write_text(overlay, encoding="utf-8")
    done = fresh.run("-n", "--configfile", str(path), check=False)
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert message in output
    assert "Traceback" not in output
    assert "Error in" not in output
    assert not fresh.results.exists()


@pytest.mark.workflow
def test_a_wrong_setting_of_the_command_line_ends_a_build(fresh: Build) -> None:
    done = fresh.run("--cores", "2", "--config", "mutation='nan'", check=False)
    assert done.returncode != 0
    assert "config: mutation: got " in done.stderr
    assert not fresh.results.exists()
