"""
ptx: nvcc's PTX of each shard, and ptxas's report.

inputs:  results/cuda/{category}/{seed}.cu
outputs: results/ptx/{arch}/{category}/{seed}.ptx, results/ptx/{arch}/{category}/{seed}.json
"""


rule ptx:
    input:
        every_shard("results/ptx/{arch}/{category}/{seed}.ptx", arch=SETTINGS.archs),
        every_shard("results/ptx/{arch}/{category}/{seed}.json", arch=SETTINGS.archs),
    localrule: True


rule ptx_shard:
    input:
        script="scripts/ptx.py",
        library=library("ptx"),
        nvcc="results/versions/nvcc.json",
        host_compiler="results/versions/host_compiler.json",
        cuda="results/cuda/{category}/{seed}.cu",
    output:
        ptx="results/ptx/{arch}/{category}/{seed}.ptx",
        report="results/ptx/{arch}/{category}/{seed}.json",
    log:
        "logs/ptx/{arch}/{category}/{seed}.txt",
    benchmark:
        "results/timings/ptx/{arch}/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(4000),
        runtime=60,
        nvcc=1,
    params:
        nvcc=SETTINGS.nvcc,
        host_compiler=SETTINGS.host_compiler,
    shell:
        r"""
        python -P {input.script:q} {input.cuda:q} \
            --arch {wildcards.arch:q} \
            --nvcc {params.nvcc:q} \
            --host-compiler {params.host_compiler:q} \
            --report {output.report:q} \
            --output {output.ptx:q} \
            >{log:q} 2>&1
        """
