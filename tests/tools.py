"""The tools that some tests need: `@pytest.mark.needs("nvcc")`."""

import shutil
from pathlib import Path

import pytest

from weft.errors import UserError
from weft.runs.sandbox import find_sandbox
from weft.workflow.machine import nvcc_path


def has_sandbox() -> bool:
    """Whether bubblewrap is here, and may do its work: a kernel can forbid namespaces."""
    try:
        find_sandbox()
    except UserError:
        return False
    return True


OLDEST = Path(__file__).parents[1] / ".oldest"
"""The environment of `make test-toolkits`."""


def oldest(pattern: str) -> Path:
    """A file of the oldest toolkits that programs are tried with, or where it would be."""
    found = sorted(OLDEST.glob(f"lib/python3*/site-packages/nvidia/{pattern}"))
    return found[0] if found else OLDEST / pattern


TRAINING = Path(__file__).parents[1] / ".training/bin/python"
"""The interpreter of `make test-training`, with a trainer."""

INSPECT = Path(__file__).parents[1] / ".inspect/bin/python"
"""The interpreter of `make test-inspect`, with Inspect and Weft."""

SITE_GENERATOR = Path(__file__).parents[1] / ".docs/bin/mkdocs"
"""In the environment of `make docs`."""

HERE = {
    "nvcc": shutil.which(nvcc_path("pinned")) is not None,
    "cmake": shutil.which("cmake") is not None,
    "bwrap": has_sandbox(),
    "chromium": shutil.which("chromium") is not None,
    "mkdocs": SITE_GENERATOR.is_file(),
    "oldest_cuda": oldest("cu13/bin/nvcc").is_file(),
    "training": TRAINING.is_file(),
    "inspect": INSPECT.is_file(),
}
"""Which of the tools that tests need are here, and work."""


def missing_tools(item: pytest.Item) -> list[str]:
    """The tools that a test needs and that are not here."""
    return [tool for mark in item.iter_markers("needs") for tool in mark.args if not HERE[tool]]


def required_by(tool: str) -> str:
    """The variable that says that a tool has to be here."""
    return f"WEFT_REQUIRE_{tool.upper()}"
