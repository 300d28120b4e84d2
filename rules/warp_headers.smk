"""
warp_headers: Warp's C++ header, precompiled once for all shards, so that kernels compile faster.

inputs:  only Warp
outputs: results/warp_headers/, results/warp_tile_headers/
"""


rule warp_headers:
    input:
        script="scripts/warp_headers.py",
        library=library("reference"),
        warp="results/versions/warp.json",
    output:
        headers=directory("results/warp_headers"),
    log:
        "logs/warp_headers.txt",
    benchmark:
        "results/timings/warp_headers.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(2000),
        runtime=60,
    shell:
        r"""
        python -P {input.script:q} --output {output.headers:q} >{log:q} 2>&1
        """


rule warp_tile_headers:
    input:
        script="scripts/warp_headers.py",
        library=library("reference"),
        warp="results/versions/warp.json",
    output:
        headers=directory("results/warp_tile_headers"),
    log:
        "logs/warp_tile_headers.txt",
    benchmark:
        "results/timings/warp_tile_headers.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(2000),
        runtime=60,
    shell:
        r"""
        python -P {input.script:q} --block-dims 32 64 128 256 --output {output.headers:q} >{log:q} 2>&1
        """
