"""
stats: how many kernels passed each stage, and why the others did not.

inputs:  the files of every stage before it, and results/diversity; results/plan.json lists the planned
         shards
outputs: results/stats/summary.json, results/stats/by_category.csv, results/stats/rejects.jsonl,
         results/stats/coverage.csv, results/stats/SHA256SUMS (of every file of the stages)

If a job fails (a missing GPU, a killed node), Snakemake does not start stats_tables. The `onerror` hook in the
Snakefile then prints the table, with the rest as not run, and writes nothing: partial tables would look finished
to the next build.
"""


rule stats_tables:
    input:
        script="scripts/stats.py",
        library=library("stats"),
        plan="results/plan.json",
        kernels=rules.kernels.input,
        ir=rules.ir.input,
        ir_check=rules.ir_check.input,
        reference=rules.reference.input,
        cuda=rules.cuda.input,
        ptx=rules.ptx.input,
        runs=rules.runs.input,
        mutation=rules.mutation.input,
        gradients=rules.gradients.input,
        diversity=rules.diversity.output,
    output:
        summary="results/stats/summary.json",
        by_category=report(
            "results/stats/by_category.csv",
            category="Counts",
            caption="captions/by_category.rst",
        ),
        rejects="results/stats/rejects.jsonl",
        coverage=report(
            "results/stats/coverage.csv",
            category="Counts",
            caption="captions/coverage.rst",
        ),
        checksums="results/stats/SHA256SUMS",
    log:
        "logs/stats.txt",
    benchmark:
        "results/timings/stats.tsv"
    localrule: True
    conda:
        "../envs/environment.yaml"
    shell:
        r"""
        python -P {input.script:q} results >{log:q} 2>&1
        """


# As a target it asks for the files of every stage, too: what is lost of them is made again.
rule stats:
    input:
        rules.stats_tables.input,
        rules.stats_tables.output,
    localrule: True
