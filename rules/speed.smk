"""
speed: how long each verified program takes on each device, launch by launch. Not part of the default build.

inputs:  results/cuda/{category}/{seed}.cu and .json, results/reference/{category}/{seed}.npz,
         results/runs/{device}/{category}/{seed}.json (verified programs are timed); on a GPU also
         results/ptx/{arch}/{category}/{seed}.ptx for the first arch
outputs: results/speed/{device}/{category}/{seed}.json, and the table of all: results/speed/table.json, table.csv

Times differ from run to run, so no reproducible file depends on them. `make speed` builds
first and then times with one core, so that jobs do not disturb each other.
"""


rule speed:
    input:
        script="scripts/speed.py",
        library=library("speed"),
        times=every_shard(
            "results/speed/{device}/{category}/{seed}.json", device=SETTINGS.devices
        ),
    output:
        table="results/speed/table.json",
        csv="results/speed/table.csv",
    log:
        "logs/speed/table.txt",
    localrule: True
    conda:
        "../envs/environment.yaml"
    shell:
        r"""
        python -P {input.script:q} --table results 2>&1 | tee {log:q}
        """


rule speed_cpu:
    input:
        script="scripts/speed.py",
        library=library("speed"),
        device=library("runs"),
        host_compiler="results/versions/host_compiler.json",
        cuda="results/cuda/{category}/{seed}.cu",
        index="results/cuda/{category}/{seed}.json",
        reference="results/reference/{category}/{seed}.npz",
        runs="results/runs/cpu/{category}/{seed}.json",
    output:
        speed="results/speed/cpu/{category}/{seed}.json",
    log:
        "logs/speed/cpu/{category}/{seed}.txt",
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(4000),
        runtime=120,
    params:
        compiler=SETTINGS.host_compiler,
        sizes=list(SETTINGS.speed_sizes["cpu"]),
    shell:
        r"""
        python -P {input.script:q} {input.cuda:q} {input.reference:q} \
            --runs {input.runs:q} \
            --compiler {params.compiler:q} \
            --sizes {params.sizes:q} \
            --output {output.speed:q} \
            >{log:q} 2>&1
        """


rule speed_cuda:
    input:
        script="scripts/speed.py",
        library=library("speed"),
        nvcc="results/versions/nvcc.json",
        cuda="results/cuda/{category}/{seed}.cu",
        index="results/cuda/{category}/{seed}.json",
        ptx=expand(
            "results/ptx/{arch}/{{category}}/{{seed}}.ptx", arch=SETTINGS.archs[:1]
        ),
        reference="results/reference/{category}/{seed}.npz",
        runs="results/runs/cuda/{category}/{seed}.json",
    output:
        speed="results/speed/cuda/{category}/{seed}.json",
    log:
        "logs/speed/cuda/{category}/{seed}.txt",
    conda:
        "../envs/environment.yaml"
    resources:
        mem_mb=megabytes(8000),
        runtime=120,
        gpu=1,
    params:
        compiler=SETTINGS.nvcc,
        ptx=[option for option in ["--ptx"] if SETTINGS.archs],
        sizes=list(SETTINGS.speed_sizes["cuda"]),
    shell:
        r"""
        python -P {input.script:q} {input.cuda:q} {input.reference:q} \
            --runs {input.runs:q} \
            --compiler {params.compiler:q} \
            --arch native \
            {params.ptx:q} {input.ptx:q} \
            --sizes {params.sizes:q} \
            --output {output.speed:q} \
            >{log:q} 2>&1
        """
