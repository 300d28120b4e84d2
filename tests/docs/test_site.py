"""`make docs`: the pages become a site, and a link that leads nowhere is an error."""

import shutil
import subprocess
from pathlib import Path

import pytest
from documents import ROOT

from tools import SITE_GENERATOR

pytestmark = pytest.mark.needs("mkdocs")


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SITE_GENERATOR, "build", "--site-dir", "site"],
        cwd=folder, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy2(ROOT / "mkdocs.yml", tmp_path)
    return tmp_path


def test_the_pages_become_a_site(pages: Path) -> None:
    done = built(pages)
    assert done.returncode == 0, done.stderr
    page = (pages / "site/own_kernels/index.html").read_text(encoding="utf-8")
    assert 'href="../formats/launch/"' in page
    assert "examples/heat.py" in page and 'href="../../examples' not in page


@pytest.mark.parametrize("target", ["nowhere.md", "verified.md#nothing"])
def test_a_link_that_leads_nowhere_is_an_error(pages: Path, target: str) -> None:
    with (pages / "docs/limits.md").open("a", encoding="utf-8") as page:
        page.write(f"\n[a link]({target})\n")
    done = built(pages)
    assert done.returncode == 1
    assert target in done.stderr
