"""What Snakemake says about a wrong configuration: one message, before anything is built."""

from pathlib import Path

import pytest

from building import Build

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build.fresh(tmp_path_factory.mktemp("config") / "build")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            "categories=[matrx]",
            "config: categories: got 'matrx', did you mean 'matrix'?; allowed: ",
        ),
        ("archs=[75]", "config: archs: got [75]; allowed: a list of architectures such as sm_75"),
        (
            "host_compiler=no-such-compiler",
            "config: host_compiler: got 'no-such-compiler'",
        ),
    ],
)
def test_a_wrong_setting_stops_the_build_with_one_message(fresh: Build, setting: str, message: str) -> None:
    done = fresh.run("--cores", "2", "--config", setting, check=False)
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert message in output
    assert "Traceback" not in output
    assert "Error in" not in output
    assert not (fresh.results / "kernels").exists()


def test_an_overlay_changes_only_what_differs(fresh: Build, tmp_path: Path) -> None:
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text("seeds: [5]\ncategories: [nested]\n")
    planned = fresh.planned("kernels", "--configfile", str(overlay))
    assert planned == {"kernels", "kernels_shard category=nested_loop, seed=5"}
