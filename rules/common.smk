"""What every rules file uses: the settings, the shards, and the files behind a script.

Only the main process writes: the plan (what is to be built), the versions of the tools and of the code, and the lock
that keeps two builds out of one folder. Jobs on other machines read this file too, and only read.
"""

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

from snakemake.cli import parse_args
from snakemake_interface_executor_plugins.registry import ExecutorPluginRegistry

from weft.errors import UserError
from weft.files import read_json
from weft.source_spec import source_spec
from weft.workflow import dependencies, lock, machine, settings, start

ROOT = Path(workflow.basedir)
RESULTS = Path("results")
BUILD_LOCK = lock.BuildLock(Path(".snakemake/weft.lock"))

LOOKS = (
    *("dryrun", "dag", "d3dag", "rulegraph", "filegraph", "lint", "list_rules"),
    *("summary", "detailed_summary", "list_changes", "report", "unlock", "archive"),
    *("cleanup_metadata", "delete_all_output", "delete_temp_output", "touch"),
)
"""Options of Snakemake with which nothing is built."""

# `python` in a command is the one that runs Snakemake, unless Snakemake activates another environment.
machine.put_first_on_path(Path(sys.executable).parent)


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


def prepare():
    """Write what is input to jobs and comes from no job; another build in this folder goes first."""
    if BUILD_LOCK.acquire():
        try:
            only_looks = any(getattr(OPTIONS, option, None) for option in LOOKS)
            start.write_inputs(ROOT, RESULTS, SETTINGS, keep_plan=only_looks)
        except UserError as error:
            raise SystemExit(str(error)) from None


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
        start.try_tools(SETTINGS)
    except UserError as error:
        raise SystemExit(str(error)) from None


def start_jobs_as_they_come():
    """Lift the limit of starts per second, unless jobs go to a cluster.

    With the limit Snakemake 9.27 looks at all waiting jobs once more in every second for each job that has ended: after
    some hundred jobs it does little else.
    """
    if not jobs_leave_this_machine():
        workflow.scheduler.job_rate_limiter = None


def library(stage):
    """A file that changes with any file whose edit changes what the script of `stage` does."""
    return str(dependencies.library_path(RESULTS, stage))


def every_shard(pattern, **values):
    """The files that `pattern` names, for each shard of the build."""
    return [
        path
        for shard in SETTINGS.shards
        for path in expand(pattern, category=shard.category, seed=shard.seed, **values)
    ]


def mutation_of_shard(wildcards):
    """The mutation scores of a shard, if it may have any."""
    return file_if_any("mutation", SETTINGS.mutated_shards, wildcards)


def gradients_of_shard(wildcards):
    """What is known about the gradients of a shard, if anything."""
    return file_if_any("gradients", SETTINGS.gradient_shards, wildcards)


def headers_of_shard(wildcards):
    """Warp's headers; generated kernels of any category may have tiles."""
    tiles = (
        [] if wildcards.category in SETTINGS.sources else ["results/warp_tile_headers"]
    )
    return ["results/warp_headers", *tiles]


def file_if_any(stage, shards, wildcards):
    """The file of a stage that has one for some shards only."""
    shard = (wildcards.category, int(wildcards.seed))
    if shard not in {(one.category, one.seed) for one in shards}:
        return []
    return f"results/{stage}/{wildcards.category}/{wildcards.seed}.json"


def files_of_source(name):
    """The files that the kernels of the source `name` may come from."""
    return [str(path) for path in source_spec(SETTINGS.sources[name]).files()]


def packages_of_source(name):
    """The installed packages that these files import, with versions: another version is another source."""
    return source_spec(SETTINGS.sources[name]).packages()


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


def one_of(names):
    """A wildcard constraint: one of `names`, or nothing that exists."""
    return "|".join(names) or "(?!)"


OPTIONS = command_line() if workflow.is_main_process else None
SETTINGS = read_settings()

if workflow.is_main_process:
    prepare()
    BUILD_LOCK.release()
    print(f"Weft: {SETTINGS.summary()}", file=sys.stderr)
