"""
samples: one folder per sample, to read: the Python kernel, the CUDA program, its PTX and its verdict.

inputs:  results/ir, results/cuda, results/ptx and results/runs of the shard, and
         results/diversity/duplicates.json: samples that equal an earlier one except for names are omitted
outputs: results/samples/{sample_id}/, and results/samples/{category}-{seed}.json, which lists them
"""


rule samples:
    input:
        every_shard("results/samples/{category}-{seed}.json"),
    localrule: True


rule samples_shard:
    input:
        script="scripts/samples.py",
        library=library("samples"),
        ir="results/ir/{category}/{seed}.json",
        cuda="results/cuda/{category}/{seed}.cu",
        index="results/cuda/{category}/{seed}.json",
        ptx=expand(
            "results/ptx/{arch}/{{category}}/{{seed}}.ptx", arch=SETTINGS.archs[:1]
        ),
        report=expand(
            "results/ptx/{arch}/{{category}}/{{seed}}.json", arch=SETTINGS.archs[:1]
        ),
        runs=expand(
            "results/runs/{device}/{{category}}/{{seed}}.json", device=SETTINGS.devices
        ),
        mutation=mutation_of_shard,
        gradients=gradients_of_shard,
        duplicates=rules.diversity.output.duplicates,
    output:
        index="results/samples/{category}-{seed}.json",
    log:
        "logs/samples/{category}/{seed}.txt",
    benchmark:
        "results/timings/samples/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(2000),
        runtime=60,
    shell:
        r"""
        python -P {input.script:q} \
            --ir {input.ir:q} \
            --cuda {input.cuda:q} \
            --index {input.index:q} \
            --ptx {input.ptx:q} \
            --ptx-report {input.report:q} \
            --runs {input.runs:q} \
            --mutation {input.mutation:q} \
            --gradients {input.gradients:q} \
            --duplicates {input.duplicates:q} \
            --output {output.index:q} \
            >{log:q} 2>&1
        """
