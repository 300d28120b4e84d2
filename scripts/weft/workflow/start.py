"""What the main process of a build does once, before any job: say what is built, and from which tools."""

from __future__ import annotations

import compileall
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from weft.dataset.checksums import CHECKSUMS
from weft.errors import UserError
from weft.files import check_folder, is_whole
from weft.workflow.dependencies import write_libraries
from weft.workflow.settings import Settings
from weft.workflow.versions import write_if_changed, write_versions


def write_inputs(
    root: Path, results: Path, settings: Settings, versions: Mapping[str, str], keep_plan: bool = False
) -> None:
    """Write `plan.json`, the `versions` of the tools and what is behind each stage, each only if it changes.

    `root` is the folder that holds `scripts/`. With `keep_plan` a plan that is there stays as it is: it tells
    what the last build was about.
    """
    write_versions(results / "versions", versions)
    write_libraries(root, results)
    plan = results / "plan.json"
    if not keep_plan:
        remove_cut_files(results)
    if not (keep_plan and plan.is_file()):
        write_if_changed(plan, settings.plan())


def compile_library(root: Path) -> None:
    """Compile Weft's modules once, so that not every job does it. Python itself keeps compiled modules only
    if PYTHONDONTWRITEBYTECODE is not set, and containers set it. A folder that cannot be written is left
    alone.
    """
    compileall.compile_dir(root / "scripts", quiet=2)


STAGES = (
    *("kernels", "ir", "ir_check", "reference", "cuda", "ptx", "runs", "mutation", "gradients"),
    *("diversity", "stats", "speed", "versions"),
)
"""The folders that nobody but a build's jobs writes to."""
TOOLS = ("cpu_device", "warp_headers", "warp_tile_headers")
ARTIFACTS = {".py", ".cu", ".ptx", ".json", ".npz"}
_BEGUN = re.compile(r"\..+\.\d+\.tmp")
"""What weft.files calls a file while it writes it."""


def remove_cut_files(results: Path) -> None:
    """Remove what a crash of the machine or a full disk cut off, so that this build makes it again; and what
    killed jobs had begun.

    The folders of samples, which are for people, are left as they are.
    """
    files = [path for stage in STAGES for path in (results / stage).rglob("*")]
    for path in sorted([*files, *results.glob("*.json"), *results.glob("samples/*.json")]):
        if not path.is_file():
            continue
        if _BEGUN.fullmatch(path.name):
            path.unlink()
        elif path.suffix in ARTIFACTS and not is_whole(path):
            path.unlink()
            print(f"Weft: {path} was cut off and is removed; the build makes it again", file=sys.stderr)
    dataset = results / "dataset"
    if dataset.is_dir() and not (
        (dataset / CHECKSUMS).is_file() and all(map(is_whole, dataset.rglob("*.parquet")))
    ):
        shutil.rmtree(dataset)
        print(f"Weft: {dataset} was cut off and is removed; the build makes it again", file=sys.stderr)
    for folder in filter(Path.is_dir, (results / name for name in TOOLS)):
        try:
            check_folder(folder)
        except UserError as error:
            shutil.rmtree(folder)
            print(f"Weft: {error}", file=sys.stderr)
