"""
diversity: how much the generated kernels differ from each other in text, tree and PTX.

inputs:  results/plan.json, results/kernels, and results/ptx where it is made
outputs: results/diversity/figures.json, and results/diversity/duplicates.json: samples that equal an earlier
         one except for names, which results/samples omits

Kernels of your own sources are not counted, as they need not differ.
"""


rule diversity:
    input:
        script="scripts/diversity.py",
        library=library("diversity"),
        plan="results/plan.json",
        kernels=rules.kernels.input,
        ptx=rules.ptx.input,
    output:
        figures="results/diversity/figures.json",
        duplicates="results/diversity/duplicates.json",
    log:
        "logs/diversity.txt",
    benchmark:
        "results/timings/diversity.tsv"
    localrule: True
    conda:
        "../envs/environment.yaml"
    shell:
        r"""
        python -P {input.script:q} results \
            --output {output.figures:q} \
            --duplicates {output.duplicates:q} \
            >{log:q} 2>&1
        """
