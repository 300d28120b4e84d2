"""
report: one page that shows the build, in a file that opens without a network.

inputs:  the files of the stages, results/stats, results/diversity and results/dag; results/timings and
         results/speed/table.json as far as there are any
outputs: results/report/index.html

Times differ from build to build, and so does the page.
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
