"""
dataset: the verified samples as Parquet files, in splits that share no idiom, with a card, for training.

inputs:  the files of every stage, results/stats/summary.json, LICENSE, NOTICE and CITATION.cff; the folders
         of answers and prompts that config.yaml names; with `times`, those of speed
outputs: results/dataset/; and results/jsonl/, the same with one JSON file per sample (`snakemake jsonl`)
"""

import json


rule dataset_files:
    input:
        script="scripts/dataset.py",
        library=library("dataset"),
        repository=["LICENSE", "NOTICE", "CITATION.cff"],
        plan="results/plan.json",
        kernels=rules.kernels.input,
        ir=rules.ir.input,
        ir_check=rules.ir_check.input,
        reference=rules.reference.input,
        cuda=rules.cuda.input,
        ptx=rules.ptx.input,
        runs=rules.runs.input,
        mutation=rules.mutation.input,
        gradients=rules.gradients.input,
        speed=rules.speed.input.times if SETTINGS.dataset["times"] else [],
        summary=rules.stats_tables.output.summary,
        folders=[
            str(file)
            for key in ("answers", "decontaminate")
            if SETTINGS.dataset[key]
            for file in sorted(Path(SETTINGS.dataset[key]).rglob("*"))
            if file.is_file()
        ],
    output:
        folder=directory("results/dataset"),
    log:
        "logs/dataset.txt",
    benchmark:
        "results/timings/dataset.tsv"
    localrule: True
    conda:
        "../envs/environment.yaml"
    params:
        settings=json.dumps(SETTINGS.dataset),
    shell:
        r"""
        python -P {input.script:q} results \
            --output {output.folder:q} \
            --settings {params.settings:q} \
            >{log:q} 2>&1
        """


rule jsonl:
    input:
        script="scripts/dataset.py",
        library=library("dataset"),
        dataset=rules.dataset_files.output.folder,
    output:
        folder=directory("results/jsonl"),
    log:
        "logs/jsonl.txt",
    localrule: True
    conda:
        "../envs/environment.yaml"
    shell:
        r"""
        python -P {input.script:q} --json {input.dataset:q} --output {output.folder:q} >{log:q} 2>&1
        """


rule dataset:
    input:
        rules.dataset_files.output,
    localrule: True
