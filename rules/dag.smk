"""
dag: the graph of the rules that these settings need, from Snakemake.

inputs:  Snakefile, rules
outputs: results/dag/rules.svg
"""

import json


rule dag:
    input:
        script="scripts/dag.py",
        workflow="Snakefile",
        rules=sorted(str(path) for path in Path("rules").glob("*.smk")),
    output:
        report("results/dag/rules.svg", category="Build", caption="captions/dag.rst"),
    log:
        "logs/dag.txt",
    localrule: True
    conda:
        "../envs/environment.yaml"
    params:
        settings=json.dumps(
            settings.only_own_sources(config, workflow.config_settings.config),
            sort_keys=True,
        ),
    shell:
        r"""
        python -P {input.script:q} --settings {params.settings:q} >{log:q} 2>&1
        """
