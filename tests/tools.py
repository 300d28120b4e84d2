"""The tools that some tests need: `@pytest.mark.needs("nvcc")`."""

import shutil

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


HERE = {
    "nvcc": shutil.which(nvcc_path("pinned")) is not None,
    "cmake": shutil.which("cmake") is not None,
    "bwrap": has_sandbox(),
}
"""Which of the tools that tests need are here, and work."""


def missing_tools(item: pytest.Item) -> list[str]:
    """The tools that a test needs and that are not here."""
    return [tool for mark in item.iter_markers("needs") for tool in mark.args if not HERE[tool]]


def required_by(tool: str) -> str:
    """The variable that says that a tool has to be here."""
    return f"WEFT_REQUIRE_{tool.upper()}"
