"""
ir_check: whether Warp's own CUDA text compiles to PTX, for a share of the kernels (all by default).

inputs:  results/ir/{category}/{seed}.json
outputs: results/ir_check/{category}/{seed}.json
"""


rule ir_check:
    input:
        every_shard("results/ir_check/{category}/{seed}.json"),
    localrule: True


rule ir_check_shard:
    input:
        script="scripts/ir_check.py",
        library=library("ir_check"),
        warp="results/versions/warp.json",
        ir="results/ir/{category}/{seed}.json",
    output:
        check="results/ir_check/{category}/{seed}.json",
    log:
        "logs/ir_check/{category}/{seed}.txt",
    benchmark:
        "results/timings/ir_check/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(4000),
        runtime=60,
    params:
        share=SETTINGS.ir_check,
        arch=[*SETTINGS.archs, "sm_75"][0].rstrip("af"),
    shell:
        r"""
        python -P {input.script:q} {input.ir:q} \
            --share {params.share:q} \
            --arch {params.arch:q} \
            --output {output.check:q} \
            >{log:q} 2>&1
        """
