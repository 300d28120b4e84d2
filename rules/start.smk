"""What the main process does before any job: it writes the inputs that no job makes (the plan, the versions of the tools
and of the code), and keeps a second build out of the folder. What only looks at a build leaves no trace of it.
"""

import atexit
import sys
from pathlib import Path

from weft.errors import UserError
from weft.workflow import lock, start, tools
from weft.workflow.snapshot import Snapshot

BUILD_LOCK = lock.BuildLock(Path(".snakemake/weft.lock"))

LOOKS = (
    *("dryrun", "dag", "d3dag", "rulegraph", "filegraph", "lint", "list_rules"),
    *("summary", "detailed_summary", "list_changes", "report"),
)
"""Options of Snakemake with which nothing is written."""
NO_BUILD = (
    *LOOKS,
    *("unlock", "archive"),
    *("cleanup_metadata", "delete_all_output", "delete_temp_output", "touch"),
)
"""Options of Snakemake with which nothing is built."""


def asked_for(options):
    """Whether one of these options of Snakemake was given."""
    return any(getattr(OPTIONS, option, None) for option in options)


def prepare():
    """Write what is input to jobs and comes from no job; another build in this folder goes first."""
    if not BUILD_LOCK.acquire():
        return
    if asked_for(LOOKS):
        atexit.register(restore, Snapshot(RESULTS / "plan.json", RESULTS / "versions"))
    try:
        versions = tools.versions(SETTINGS, INSIDE)
        start.write_inputs(ROOT, RESULTS, SETTINGS, versions, asked_for(NO_BUILD))
    except UserError as error:
        raise SystemExit(str(error)) from None


def restore(snapshot):
    """Put back what a look has replaced, unless a build needs it by now."""
    if BUILD_LOCK.acquire():
        snapshot.restore()


def hold_lock():
    """Keep the folder until this process ends."""
    prepare()
    if not BUILD_LOCK.held:
        raise SystemExit(
            f"another build is running in {Path.cwd()}; wait until it ends, or stop it"
        )


def try_tools():
    """End the build before its first job if the compilers do not work."""
    try:
        tools.try_tools(SETTINGS, INSIDE)
    except UserError as error:
        raise SystemExit(str(error)) from None


def start_jobs_as_they_come():
    """Lift the limit of starts per second, unless jobs go to a cluster.

    With the limit Snakemake 9.27 looks at all waiting jobs once more in every second for each job that has ended: after
    some hundred jobs it does little else.
    """
    if not jobs_leave_this_machine():
        workflow.scheduler.job_rate_limiter = None


if workflow.is_main_process:
    prepare()
    BUILD_LOCK.release()
    print(f"Weft: {SETTINGS.summary()}", file=sys.stderr)
