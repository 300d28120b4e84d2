"""
mutation: small mistakes planted in a share of the programs, which the judge should find.

inputs:  results/kernels/{category}/{seed}.py, results/ir/{category}/{seed}.json,
         results/reference/{category}/{seed}.npz
outputs: results/mutation/{category}/{seed}.json
"""


rule mutation:
    input:
        [
            f"results/mutation/{shard.category}/{shard.seed}.json"
            for shard in SETTINGS.mutated_shards
        ],
    localrule: True


rule mutation_shard:
    input:
        script="scripts/mutation.py",
        library=library("mutation"),
        more_cases="scripts/reference.py",
        library_of_cases=library("reference"),
        warp="results/versions/warp.json",
        kernels="results/kernels/{category}/{seed}.py",
        numpy="results/versions/numpy.json",
        nvcc=["results/versions/nvcc.json"] if SETTINGS.archs else [],
        host_compiler="results/versions/host_compiler.json",
        cpu_device=rules.cpu_device.output.folder,
        ir="results/ir/{category}/{seed}.json",
        reference="results/reference/{category}/{seed}.npz",
    output:
        mutation="results/mutation/{category}/{seed}.json",
    log:
        "logs/mutation/{category}/{seed}.txt",
    benchmark:
        "results/timings/mutation/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(4000),
        runtime=120,
        nvcc=1,
    params:
        share=SETTINGS.mutation,
        compiler=SETTINGS.host_compiler,
        nvcc=[
            option
            for arch in SETTINGS.archs[:1]
            for option in ("--nvcc", SETTINGS.nvcc, "--arch", arch)
        ],
        timeout=SETTINGS.run_timeout,
    shell:
        r"""
        python -P {input.script:q} {input.ir:q} {input.reference:q} \
            --kernels {input.kernels:q} \
            --share {params.share:q} \
            --compiler {params.compiler:q} {params.nvcc:q} \
            --cpu-device {input.cpu_device:q} \
            --timeout {params.timeout:q} \
            --output {output.mutation:q} \
            >{log:q} 2>&1
        """
