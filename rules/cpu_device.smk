"""
cpu_device: objects linked into every program on the CPU, and its guard, compiled once for all shards.

inputs:  only its sources
outputs: results/cpu_device/ (device.o, driver.o, guard)
"""


rule cpu_device:
    input:
        script="scripts/cpu_device.py",
        library=library("runs"),
        host_compiler="results/versions/host_compiler.json",
    output:
        folder=directory("results/cpu_device"),
    log:
        "logs/cpu_device.txt",
    benchmark:
        "results/timings/cpu_device.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(2000),
        runtime=60,
    params:
        compiler=SETTINGS.host_compiler,
    shell:
        r"""
        python -P {input.script:q} \
            --compiler {params.compiler:q} \
            --output {output.folder:q} \
            >{log:q} 2>&1
        """
