"""What the main process says of a build: how far it is, and what it has made."""

import atexit
import logging
import subprocess
import sys
from pathlib import Path

from snakemake.common import NOTHING_TO_BE_DONE_MSG
from snakemake.logging import get_event, logger
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.common import LogEvent

from weft.workflow.display import Display
from weft.workflow.progress import Job, Progress

STAGES = {"runs_cpu": "runs on cpu", "runs_cuda": "runs on cuda"}
"""Stages whose names are not the first words of their rules'."""
OTHER = "other"


class ProgressHandler(logging.Handler):
    """Hands Snakemake's events on to a display."""

    def __init__(self, display):
        super().__init__()
        self.display = display

    def emit(self, record):
        match get_event(record):
            case LogEvent.JOB_INFO:
                self.display.started(record.jobid)
            case LogEvent.JOB_FINISHED:
                self.display.finished(record.job_id)


class NoOpHandler(logging.Handler):
    """Shows the table of a build of which nothing had to be made: Snakemake calls no hook then."""

    def emit(self, record):
        if record.msg == NOTHING_TO_BE_DONE_MSG:
            show_stats()


def show_progress():
    """Show how far the build is until it ends, or this process does. Snakemake's own lines about jobs, which are in its
    log, would tear the table apart: on a terminal, and where nobody asked for them, what is left is about failures.
    """
    quiet = workflow.output_settings.quiet or set()
    if Quietness.ALL in quiet:
        return
    rules_in_order = [rule.name for rule in workflow.rules]
    jobs = sorted(
        workflow.dag.needrun_jobs(),
        key=lambda job: (stage_of(job) == OTHER, rules_in_order.index(job.rule.name)),
    )
    numbered = {workflow.dag.jobid(job): as_job(job) for job in jobs}
    display = Display(Progress(numbered), sys.stderr, tells=Quietness.PROGRESS in quiet)
    logger.addHandler(ProgressHandler(display))
    # With any --quiet, Snakemake 9.27 does not even tell its handlers which jobs have ended.
    workflow.scheduler.print_progress = True
    alone = display.live or Quietness.PROGRESS in quiet
    if alone and not workflow.output_settings.verbose:
        for handler in logger.handlers:
            if handler.name == "DefaultStreamHandler":
                handler.addFilter(lambda record: record.levelno >= logging.WARNING)
                handler.setStream(display)
    display.start()
    atexit.register(display.stop)
    ENDS.append(display.stop)


def stage_of(job):
    """The stage of a job that works on a shard; all other jobs together are one."""
    if "category" not in job.wildcards.keys():
        return OTHER
    return STAGES.get(job.rule.name, job.rule.name.rpartition("_")[0])


def as_job(job):
    """What progress has to know of a job of Snakemake."""
    stage, shard = stage_of(job), dict(job.wildcards.items())
    outputs = [Path(file) for file in job.output]
    if shard.get("category") not in SETTINGS.sources:
        return Job(stage, SETTINGS.kernels.get(shard.get("category"), 0), outputs)
    folder, suffix = ("kernels", "py") if stage == "kernels" else ("ir", "json")
    source = RESULTS / folder / shard["category"] / f"{shard['seed']}.{suffix}"
    return Job(stage, 0, outputs, source)


def end_progress():
    """Draw the last table, under which others then write."""
    while ENDS:
        ENDS.pop()()


def show_stats():
    """Print the table, if this build was to come as far as stats; True if it lacks nothing. Writes no file."""
    if all(job.rule.name != "stats_tables" for job in workflow.dag.jobs):
        return True
    command = [sys.executable, "-P", "scripts/stats.py", "results", "--show"]
    return subprocess.run(command, check=False).returncode == 0


def show_failures():
    """What the jobs said that had all they needed and did not make what they should."""
    for job in workflow.dag.jobs:
        started = all(Path(file).exists() for file in job.input)
        missing = [str(file) for file in job.output if not Path(file).exists()]
        if not started or not missing:
            continue
        print(f"{job.rule.name} did not make {', '.join(missing)}", file=sys.stderr)
        for log in filter(Path.is_file, map(Path, job.log)):
            text = log.read_text(encoding="utf-8", errors="replace").strip()
            said = text or "nothing: it was killed, or the disk is full"
            print(f"{log} says:\n{said}\n", file=sys.stderr)


ENDS = []

if workflow.is_main_process and not asked_for(NO_BUILD):
    logger.addHandler(NoOpHandler())
