"""
gradients: whether Warp's gradients are derivatives, for a share of the kernels.

inputs:  results/kernels/{category}/{seed}.py, results/ir/{category}/{seed}.json
outputs: results/gradients/{category}/{seed}.json
"""


rule gradients:
    input:
        [
            f"results/gradients/{shard.category}/{shard.seed}.json"
            for shard in SETTINGS.gradient_shards
        ],
    localrule: True


rule gradients_shard:
    input:
        script="scripts/gradients.py",
        library=library("gradients"),
        warp="results/versions/warp.json",
        numpy="results/versions/numpy.json",
        kernels="results/kernels/{category}/{seed}.py",
        ir="results/ir/{category}/{seed}.json",
    output:
        gradients="results/gradients/{category}/{seed}.json",
    log:
        "logs/gradients/{category}/{seed}.txt",
    benchmark:
        "results/timings/gradients/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(4000),
        runtime=120,
    params:
        share=SETTINGS.gradients,
        timeout=SETTINGS.reference_timeout,
    shell:
        r"""
        python -P {input.script:q} {input.kernels:q} {input.ir:q} \
            --share {params.share:q} \
            --timeout {params.timeout:q} \
            --output {output.gradients:q} \
            >{log:q} 2>&1
        """
