"""
Weft: from Warp kernels written in Python to verified CUDA programs.

`snakemake --cores 2` builds everything in config.yaml; `snakemake ir` stops at that stage.
"""

from snakemake.utils import min_version

min_version("9.27.1")


configfile: "config.yaml"


wildcard_constraints:
    category=r"[a-z][a-z0-9_]*",
    seed=r"\d+",
    arch=r"sm_\w+",
    device=r"cpu|cuda",


include: "rules/settings.smk"


container: SETTINGS.container


include: "rules/start.smk"
include: "rules/inputs.smk"
include: "rules/terminal.smk"
include: "rules/kernels.smk"
include: "rules/ir.smk"
include: "rules/ir_check.smk"
include: "rules/warp_headers.smk"
include: "rules/reference.smk"
include: "rules/cuda.smk"
include: "rules/ptx.smk"
include: "rules/cpu_device.smk"
include: "rules/runs.smk"
include: "rules/speed.smk"
include: "rules/mutation.smk"
include: "rules/gradients.smk"
include: "rules/diversity.smk"
include: "rules/stats.smk"
include: "rules/limits.smk"
include: "rules/samples.smk"
include: "rules/dag.smk"
include: "rules/report.smk"
include: "rules/dataset.smk"


# Intermediate files are named too, so that a lost one is rebuilt even if its dependents exist.
rule all:
    default_target: True
    input:
        rules.limits.input,
        rules.report.input,
        rules.dataset.input,
    localrule: True


onstart:
    hold_lock()
    try_tools()
    start.compile_library(ROOT)
    start_jobs_as_they_come()
    show_progress()


onsuccess:
    end_progress()
    if not show_stats():
        raise SystemExit(1)


# Without a failed job's files, stats does not run: show the table so far, with the rest as not run.
onerror:
    end_progress()
    show_stats()
    show_failures()
