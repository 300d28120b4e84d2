"""
reference: the outputs of each kernel, from Warp on the CPU, for several sizes and inputs.

inputs:  results/kernels/{category}/{seed}.py, results/ir/{category}/{seed}.json
outputs: results/reference/{category}/{seed}.npz
"""


rule reference:
    input:
        every_shard("results/reference/{category}/{seed}.npz"),
    localrule: True


rule reference_shard:
    input:
        script="scripts/reference.py",
        library=library("reference"),
        warp="results/versions/warp.json",
        numpy="results/versions/numpy.json",
        kernels="results/kernels/{category}/{seed}.py",
        headers=headers_of_shard,
        ir="results/ir/{category}/{seed}.json",
    output:
        reference="results/reference/{category}/{seed}.npz",
    log:
        "logs/reference/{category}/{seed}.txt",
    benchmark:
        "results/timings/reference/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(4000),
        runtime=120,
    params:
        sizes=list(SETTINGS.sizes),
        seeds=list(SETTINGS.input_seeds),
        timeout=SETTINGS.reference_timeout,
    shell:
        r"""
        python -P {input.script:q} {input.kernels:q} {input.ir:q} \
            --sizes {params.sizes:q} \
            --seeds {params.seeds:q} \
            --timeout {params.timeout:q} \
            --warp-headers {input.headers:q} \
            --output {output.reference:q} \
            >{log:q} 2>&1
        """
