"""
cuda: all programs of a shard in one file of idiomatic CUDA C++, from the typed trees.

inputs:  results/ir/{category}/{seed}.json
outputs: results/cuda/{category}/{seed}.cu, results/cuda/{category}/{seed}.json (samples, how to
         call their launchers, and rejects)
"""


rule cuda:
    input:
        every_shard("results/cuda/{category}/{seed}.cu"),
        every_shard("results/cuda/{category}/{seed}.json"),
    localrule: True


rule cuda_shard:
    input:
        script="scripts/cuda.py",
        library=library("cuda"),
        clang_format="results/versions/clang_format.json",
        ir="results/ir/{category}/{seed}.json",
    output:
        cuda="results/cuda/{category}/{seed}.cu",
        index="results/cuda/{category}/{seed}.json",
    log:
        "logs/cuda/{category}/{seed}.txt",
    benchmark:
        "results/timings/cuda/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(2000),
        runtime=60,
    shell:
        r"""
        python -P {input.script:q} {input.ir:q} \
            --index {output.index:q} \
            --output {output.cuda:q} \
            >{log:q} 2>&1
        """
