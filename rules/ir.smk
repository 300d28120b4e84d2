"""
ir: Warp's CUDA and C++ text of each kernel, forward and adjoint, and the typed tree.

inputs:  results/kernels/{category}/{seed}.py
outputs: results/ir/{category}/{seed}.json
"""


rule ir:
    input:
        every_shard("results/ir/{category}/{seed}.json"),
    localrule: True


rule ir_shard:
    input:
        script="scripts/ir.py",
        library=library("ir"),
        warp="results/versions/warp.json",
        kernels="results/kernels/{category}/{seed}.py",
    output:
        ir="results/ir/{category}/{seed}.json",
    log:
        "logs/ir/{category}/{seed}.txt",
    benchmark:
        "results/timings/ir/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(4000),
        runtime=60,
    params:
        timeout=SETTINGS.reference_timeout,
    shell:
        r"""
        python -P {input.script:q} {input.kernels:q} \
            --category {wildcards.category:q} \
            --seed {wildcards.seed:q} \
            --device cuda \
            --timeout {params.timeout:q} \
            --output {output.ir:q} \
            >{log:q} 2>&1
        """
