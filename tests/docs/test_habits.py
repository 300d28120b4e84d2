"""What surrounds the code: hooks, hosted CI, the changelog and the version."""

import re
import tomllib

import yaml
from documents import ROOT, read


def test_the_hook_and_hosted_ci_run_what_everybody_runs() -> None:
    (repository,) = yaml.safe_load(read(".pre-commit-config.yaml"))["repos"]
    assert [hook["entry"] for hook in repository["hooks"]] == ["make lint"]
    (job,) = yaml.safe_load(read(".github/workflows/ci.yml"))["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step][-1] == ".ci/run"
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def test_the_last_release_of_the_changelog_is_the_version() -> None:
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    releases = re.findall(r"^## \[(\d[^]]*)\] - \d{4}-\d\d-\d\d$", read("CHANGELOG.md"), re.MULTILINE)
    assert releases[0] == version == yaml.safe_load(read("CITATION.cff"))["version"]
    assert "\n## [Unreleased]\n" in read("CHANGELOG.md")
