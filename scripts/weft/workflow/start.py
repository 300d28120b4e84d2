"""What the main process of a build does once, before any job: say what is built, and from which tools."""

from __future__ import annotations

from pathlib import Path

from weft.workflow.settings import Settings
from weft.workflow.versions import require_archs, tool_versions, write_if_changed, write_versions


def write_inputs(results: Path, settings: Settings, keep_plan: bool = False) -> None:
    """Write `plan.json` and the version files, each only if it changes. Raises UserError.

    With `keep_plan` a plan that is there stays as it is: it tells what the last build was about.
    """
    uses_nvcc = settings.archs or "cuda" in settings.devices
    versions = tool_versions(settings.nvcc if uses_nvcc else None, settings.host_compiler)
    require_archs(settings.archs, settings.nvcc)
    write_versions(results / "versions", versions)
    plan = results / "plan.json"
    if not (keep_plan and plan.is_file()):
        write_if_changed(plan, settings.plan())
