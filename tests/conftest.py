"""What several rooms' tests share: one small build of the real workflow."""

from pathlib import Path

import pytest

from building import Build

SMALL = {
    "categories": "[loop, matrix]",
    "seeds": "1",
    "kernels_per_seed": "2",
    "sizes": "[1, 33]",
    "input_seeds": "[0]",
    "devices": "[cpu]",
}


# Rooms whose tests share the small build; `pytest -n` keeps them in one process, so that it is made once.
SHARE_THE_BUILD = ("workflow", "samples", "stats", "validate")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group the tests for `pytest -n --dist loadgroup`: the shared build, Slurm, and each other file alone.

    The two long groups start first.
    """
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))
    items.sort(key=lambda item: ("build", "slurm", _group(item)).index(_group(item)))


def _group(item: pytest.Item) -> str:
    room = item.path.relative_to(Path(__file__).parent).parts[0]
    return "build" if room in SHARE_THE_BUILD else "slurm" if room == "slurm" else str(item.path)


@pytest.fixture(scope="session")
def small_config() -> list[str]:
    """Options that keep a build small; they go last on the command line."""
    return ["--config", *(f"{key}={value}" for key, value in SMALL.items())]


@pytest.fixture(scope="session")
def small_build(tmp_path_factory: pytest.TempPathFactory, small_config: list[str]) -> Build:
    """A finished build with its samples. Shared: copy it before changing anything."""
    build = Build.fresh(tmp_path_factory.mktemp("small") / "build")
    build.run("all", "samples", "--cores", "2", *small_config)
    return build


@pytest.fixture
def build_copy(small_build: Build, tmp_path: Path) -> Build:
    """A copy of the finished build, to change."""
    return small_build.copy(tmp_path / "copy")
