"""
kernels: readable Warp modules, generated from a category and a seed; or a manifest of your own source.

inputs:  only the generator; for a source, your file and its imports, or the package of your module
outputs: results/kernels/{category}/{seed}.py
"""


rule kernels:
    input:
        every_shard("results/kernels/{category}/{seed}.py"),
    localrule: True


rule kernels_shard:
    input:
        script="scripts/kernels.py",
        library=library("kernels"),
        ruff="results/versions/ruff.json",
        category=lambda wildcards: dependencies.category_files(ROOT, wildcards.category),
    output:
        kernels="results/kernels/{category}/{seed}.py",
    log:
        "logs/kernels/{category}/{seed}.txt",
    benchmark:
        "results/timings/kernels/{category}/{seed}.tsv"
    wildcard_constraints:
        category=one_of(shard.category for shard in SETTINGS.generated_shards),
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(2000),
        runtime=60,
    params:
        kernels=lambda wildcards: SETTINGS.kernels[wildcards.category],
        difficulty=["--difficulty"] * bool(SETTINGS.difficulty)
        + [f"{level}={weight:g}" for level, weight in SETTINGS.difficulty.items()],
    shell:
        r"""
        python -P {input.script:q} \
            --category {wildcards.category:q} \
            --seed {wildcards.seed:q} \
            --count {params.kernels:q} \
            {params.difficulty:q} \
            --output {output.kernels:q} \
            >{log:q} 2>&1
        """


rule kernels_source:
    input:
        script="scripts/kernels.py",
        library=library("kernels"),
        source=lambda wildcards: files_of_source(wildcards.category),
    output:
        kernels="results/kernels/{category}/{seed}.py",
    log:
        "logs/kernels/{category}/{seed}.txt",
    benchmark:
        "results/timings/kernels/{category}/{seed}.tsv"
    wildcard_constraints:
        category=one_of(SETTINGS.sources),
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(2000),
        runtime=60,
    params:
        source=lambda wildcards: SETTINGS.sources[wildcards.category],
        packages=lambda wildcards: packages_of_source(wildcards.category),
    shell:
        r"""
        python -P {input.script:q} \
            --source {params.source:q} \
            --category {wildcards.category:q} \
            --output {output.kernels:q} \
            >{log:q} 2>&1
        """
