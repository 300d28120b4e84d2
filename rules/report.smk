"""
report: one page about the build, in one file that opens offline.

inputs:  the files of the stages, results/stats, results/diversity and results/dag; results/timings and
         results/speed/table.json, if they exist
outputs: results/report/index.html

Times, and so the page, differ from build to build.
"""


rule report_page:
    input:
        script="scripts/report.py",
        library=library("report"),
        plan="results/plan.json",
        stages=[rules.ir.input, rules.cuda.input, rules.ptx.input, rules.runs.input],
        mutation=rules.mutation.input,
        gradients=rules.gradients.input,
        stats=rules.stats_tables.output,
        diversity=rules.diversity.output,
        dag=rules.dag.output,
    output:
        report(
            "results/report/index.html", category="Build", caption="captions/page.rst"
        ),
    log:
        "logs/report.txt",
    benchmark:
        "results/timings/report.tsv"
    localrule: True
    conda:
        "../envs/environment.yaml"
    shell:
        r"""
        python -P {input.script:q} results --output {output:q} >{log:q} 2>&1
        """


rule report:
    input:
        rules.stats.input,
        rules.report_page.output,
    localrule: True
