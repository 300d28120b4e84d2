"""
runs: each program is compiled and run, and its outputs are judged against the reference.

inputs:  results/cuda/{category}/{seed}.cu and .json, results/reference/{category}/{seed}.npz; on a GPU also
         results/ptx/{arch}/{category}/{seed}.ptx for the first arch, which the program embeds
outputs: results/runs/{device}/{category}/{seed}.json
"""


rule runs:
    input:
        every_shard(
            "results/runs/{device}/{category}/{seed}.json", device=SETTINGS.devices
        ),
    localrule: True


rule runs_cpu:
    input:
        script="scripts/runs.py",
        library=library("runs"),
        numpy="results/versions/numpy.json",
        host_compiler="results/versions/host_compiler.json",
        cpu_device=rules.cpu_device.output.folder,
        cuda="results/cuda/{category}/{seed}.cu",
        index="results/cuda/{category}/{seed}.json",
        reference="results/reference/{category}/{seed}.npz",
    output:
        runs="results/runs/cpu/{category}/{seed}.json",
    log:
        "logs/runs/cpu/{category}/{seed}.txt",
    benchmark:
        "results/timings/runs/cpu/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(4000),
        runtime=120,
    params:
        compiler=SETTINGS.host_compiler,
        timeout=SETTINGS.run_timeout,
    shell:
        r"""
        python -P {input.script:q} {input.cuda:q} {input.reference:q} \
            --device cpu \
            --compiler {params.compiler:q} \
            --cpu-device {input.cpu_device:q} \
            --timeout {params.timeout:q} \
            --output {output.runs:q} \
            >{log:q} 2>&1
        """


rule runs_cuda:
    input:
        script="scripts/runs.py",
        library=library("runs"),
        numpy="results/versions/numpy.json",
        nvcc="results/versions/nvcc.json",
        cuda="results/cuda/{category}/{seed}.cu",
        index="results/cuda/{category}/{seed}.json",
        ptx=expand(
            "results/ptx/{arch}/{{category}}/{{seed}}.ptx", arch=SETTINGS.archs[:1]
        ),
        reference="results/reference/{category}/{seed}.npz",
    output:
        runs="results/runs/cuda/{category}/{seed}.json",
    log:
        "logs/runs/cuda/{category}/{seed}.txt",
    benchmark:
        "results/timings/runs/cuda/{category}/{seed}.tsv"
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(8000),
        runtime=120,
        gpu=1,
    params:
        compiler=SETTINGS.nvcc,
        ptx=[option for option in ["--ptx"] if SETTINGS.archs],
        sanitizer=SETTINGS.sanitizer,
        timeout=SETTINGS.run_timeout,
    shell:
        r"""
        python -P {input.script:q} {input.cuda:q} {input.reference:q} \
            --device cuda \
            --compiler {params.compiler:q} \
            --arch native \
            {params.ptx:q} {input.ptx:q} \
            --sanitizer {params.sanitizer:q} \
            --timeout {params.timeout:q} \
            --output {output.runs:q} \
            >{log:q} 2>&1
        """
