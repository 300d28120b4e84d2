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


# The rooms whose tests take longest, longest first.
LONG = ("slurm", "workflow", "samples", "validate")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the long files first, so that `pytest -n` does not wait for one of them at the end."""

    def order(item: pytest.Item) -> int:
        room = item.path.relative_to(Path(__file__).parent).parts[0]
        return LONG.index(room) if room in LONG else len(LONG)

    items.sort(key=order)


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
