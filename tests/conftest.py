"""What several rooms' tests share: one small build of the real workflow."""

import compileall
import fcntl
import functools
import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from building import ROOT, Build
from tools import missing_tools, required_by

pytest_plugins = ("faults_table",)

# A slow machine is no failure, and the same tree gives the same verdict.
settings.register_profile(
    "weft", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("weft")

SMALL = {
    "categories": "[loop, matrix]",
    "seeds": "1",
    "kernels_per_seed": "2",
    "sizes": "[1, 33]",
    "input_seeds": "[0]",
    "devices": "[cpu]",
    "mutation": "0",
    "gradients": "0",
}


# The folders and files whose tests take longest, longest first.
LONG = (
    "slurm",
    "survey",
    "cuda/device/test_device_semantics.py",
    "workflow/test_builds.py",
    "faults/test_killed_jobs.py",
    "faults/test_truncated_files.py",
    "faults",
    "workflow",
    "command/test_replay.py",
    "docs",
    "cuda/builtins",
    "kernels/test_kernels_through_the_chain.py",
    "runs",
    "mutation",
    "gradients",
    "reference",
    "cuda/fuzz",
    "samples",
    "validate",
)


def pytest_configure(config: pytest.Config) -> None:
    """Compile Weft's modules once, which with PYTHONDONTWRITEBYTECODE each script of a test would do."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(ROOT / "scripts", quiet=2)


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over what is imported by now, and forks share it."""
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test fails without a tool that is required to be here."""
    for tool in missing_tools(item):
        if os.environ.get(required_by(tool)):
            pytest.fail(f"needs {tool}, which is not here; {required_by(tool)} requires it", pytrace=False)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the long files first, so that `pytest -n` does not wait for one of them at the end. A test whose
    tools are not here is skipped, and says so, unless they are required to be here.
    """

    @functools.cache
    def order(file: Path) -> int:
        path = file.relative_to(Path(__file__).parent)
        return next((place for place, long in enumerate(LONG) if path.is_relative_to(long)), len(LONG))

    items.sort(key=lambda item: order(item.path))
    for item in items:
        for tool in missing_tools(item):
            if not os.environ.get(required_by(tool)):
                item.add_marker(pytest.mark.skip(reason=f"needs {tool}, which is not here"))


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What Weft caches is shared by all tests, and leaves the user's own cache alone."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    os.environ["WEFT_CACHE"] = str(shared / "cache")


@pytest.fixture(scope="session")
def small_config() -> list[str]:
    """Options that keep a build small; they go last on the command line."""
    return ["--config", *(f"{key}={value}" for key, value in SMALL.items())]


@pytest.fixture(scope="session")
def small_build(tmp_path_factory: pytest.TempPathFactory, small_config: list[str]) -> Build:
    """A finished build with its samples. Shared: copy it before changing anything."""
    own = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return _finished_build(own / "small", small_config)
    # Of the processes of `pytest -n`, the first builds, and each has a copy.
    return _finished_build(own.parent / "small", small_config).copy(own / "small")


def _finished_build(folder: Path, config: list[str]) -> Build:
    """The build in this folder, made unless another process has made it."""
    finished = folder.with_suffix(".finished")
    with folder.with_suffix(".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if finished.exists():
            return Build(folder)
        shutil.rmtree(folder, ignore_errors=True)
        build = Build.fresh(folder)
        build.run("all", "samples", "--cores", "2", *config)
        finished.touch()
        return build


@pytest.fixture(scope="session")
def warp_headers(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The option by which reference.py takes Warp's headers precompiled, as a build's jobs do. Else it parses
    them once for each block dimension.
    """
    folders = [tmp_path_factory.mktemp("headers") / name for name in ("warp_headers", "warp_tile_headers")]
    for folder, block_dims in zip(folders, (["1"], ["32", "64", "128", "256"]), strict=True):
        command = [sys.executable, "-P", ROOT / "scripts/warp_headers.py", "--block-dims", *block_dims]
        subprocess.run([*command, "--output", folder], check=True)
    return ("--warp-headers", *map(str, folders))


@pytest.fixture
def build_copy(small_build: Build, tmp_path: Path) -> Build:
    """A copy of the finished build, to change."""
    return small_build.copy(tmp_path / "copy")
