"""What this build is asked for: the options of Snakemake, and SETTINGS, which config.yaml and its overlays give.

Jobs on other machines read this file too, and find what the main process found.
"""

import contextlib
import io
import os
import sys
from pathlib import Path

from snakemake.cli import parse_args
from snakemake.deployment.singularity import Singularity, shellcmd
from snakemake.exceptions import WorkflowError
from snakemake.settings.types import DeploymentMethod
from snakemake_interface_executor_plugins.registry import ExecutorPluginRegistry

from weft.errors import UserError
from weft.files import read_json
from weft.workflow import machine, settings

ROOT = Path(workflow.basedir)
RESULTS = Path("results")

# `python` in a command is the one that runs Snakemake, unless Snakemake activates another environment.
machine.put_first("PATH", Path(sys.executable).parent, os.defpath)


def command_line():
    """The options of this run, from the command line and the profiles; jobs have others."""
    with contextlib.redirect_stderr(io.StringIO()):
        return parse_args(sys.argv[1:])[1]


def jobs_leave_this_machine():
    """Snakemake reads rules before it has an executor, so this asks the options."""
    plugin = ExecutorPluginRegistry().get_plugin(OPTIONS.executor or "local")
    return not plugin.common_settings.local_exec


def read_settings():
    """The settings; in a job's process, what depends on the machine is as the main process found it."""
    given = settings.only_own_sources(config, workflow.config_settings.config)
    if not workflow.is_main_process:
        plan = read_json(RESULTS / "plan.json")
        given |= {"devices": plan["devices"], "archs": plan["archs"]}
    try:
        return settings.load(
            given,
            schema=ROOT / "rules/config.schema.json",
            categories=settings.generated_categories(ROOT),
            cluster=workflow.is_main_process and jobs_leave_this_machine(),
        )
    except UserError as error:
        raise SystemExit(str(error)) from None


def container_command():
    """How the main process runs a command where the jobs run: None if that is this machine, without a container."""
    if DeploymentMethod.APPTAINER not in workflow.deployment_settings.deployment_method:
        return None
    # The image has no Weft: its Python takes the code that is here.
    machine.put_first("PYTHONPATH", ROOT / "scripts")
    try:
        Singularity().check()
    except WorkflowError as error:
        raise SystemExit(str(error)) from None
    return lambda command: shellcmd(
        SETTINGS.container,
        command,
        args=workflow.deployment_settings.apptainer_args,
        quiet=True,
    )


OPTIONS = command_line() if workflow.is_main_process else None
SETTINGS = read_settings()
INSIDE = container_command()
