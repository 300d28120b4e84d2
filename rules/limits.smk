"""
limits: a build of which more than a small share is non-deterministic ends with an error.

inputs:  results/stats/summary.json
outputs: results/limits.json, the shares and what they may be at most

What the stages made stays, stats too: only this file is missing then, so each build fails until fewer are.
"""


rule limits_check:
    input:
        script="scripts/limits.py",
        library=library("limits"),
        summary=rules.stats_tables.output.summary,
    output:
        "results/limits.json",
    log:
        "logs/limits.txt",
    benchmark:
        "results/timings/limits.tsv"
    localrule: True
    conda:
        "../envs/environment.yaml"
    shell:
        r"""
        python -P {input.script:q} {input.summary:q} --output {output:q} >{log:q} 2>&1
        """


rule limits:
    input:
        rules.stats.input,
        rules.limits_check.output,
    localrule: True
